"""The games that files tell, played whole on the demo table: every throw goes through the camera."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from scoring.actions import Fill, Stand
from table.ports import ReadsDice
from tests.fakes import TruthfulReader
from tests.marks import others_as_proof
from tests.waiting import soon
from tests.web.tables import furnished
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from vision.reader import Reader as NetworkReader

GAMES: dict[str, tuple[str, list[str], dict[str, object]]] = {
    "yacht": ("pips", ["Ann"], {}),
    "ten-thousand": ("pips", ["Ann", "Bob"], {"target": 500, "opening": 0}),
    "skull-cove": ("pirates", ["Ann", "Bob"], {"target": 500}),
    "tally": ("pips", ["Ann", "Bob"], {"rounds": 2}),
}
"""The dice set of each, who plays, and options that make the match short."""


def play(game: str, reader: Callable[[DemoCamera], ReadsDice], size: tuple[int, int]) -> tuple[int, int]:
    """Play a match to its end; how many throws were read, and of how many the table asked what they show."""
    set_id, players, options = GAMES[game]
    count = {"yacht": 5, "ten-thousand": 6, "skull-cove": 8, "tally": 5}[game]
    camera = DemoCamera(find_set(set_id), count=count, seed=4, size=size)
    house = furnished(game, players, options=options, camera=camera, reader=lambda _: reader(camera))
    session, throws, asked, again = house.table.session, 0, 0, count == 8

    def thrown() -> None:
        nonlocal throws, asked
        before = len(session.match.events)
        session.throw()
        held = len(session.match.events) - before
        if not soon(lambda: len(session.match.events) > before + held, 20):
            session.roll(", ".join(die.face for die in camera.truth()))
            asked += 1
        throws += 1

    house.table.start()
    try:
        until = time.monotonic() + 300
        while not session.match.outcome:
            assert time.monotonic() < until, "the match does not end"
            if session.match.roll_awaited:
                thrown()
            elif again and session.match.holds:  # once, to see that dice are held and thrown again
                again, faces = False, [die.face for die in session.latest().snapshot.dice]
                free = [number for number, face in enumerate(faces, 1) if face != "skull"][:2]
                held = {number for number, die in enumerate(session.latest().snapshot.dice, 1) if die.held}
                for number in {*range(1, count + 1)} - {*free} - held:
                    session.hold(number)
                thrown()
            else:
                session.decide(next(one for one in session.match.legal if isinstance(one, Stand | Fill)))
    finally:
        house.close()
    return throws, asked


@pytest.mark.slow
@pytest.mark.parametrize("game", others_as_proof(GAMES, "tally"))
def test_a_match_is_played_by_camera(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    throws, asked = play(game, TruthfulReader, (480, 360))
    print(f"{game}: {throws} throws, {asked} of them asked about")
    assert throws >= 2
    assert asked <= throws // 2  # dice that show what they showed before, or that hardly moved


@pytest.mark.slow
@pytest.mark.parametrize("game", others_as_proof(GAMES, "skull-cove"))
def test_the_shipped_networks_read_the_throws(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What they are unsure of is typed, as people would; a match ends all the same."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    throws, asked = play(game, lambda _: NetworkReader(find_set(GAMES[game][0])), (960, 720))
    print(f"{game}: {throws} throws, {asked} of them asked about")
    assert asked <= throws // 2

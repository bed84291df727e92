"""Matches on the demo table, shown by the real firmware in simavr, while faults strike the cable and the board.

After each fault the LEDs must show what the page shows, taken from its HTML, within 2 s; from then on, until something
happens again, every single picture that lights up must be one that belongs to the page's scores. Time is simulated: the
host's clock and the processor's cycles go together.
"""

from __future__ import annotations

import html
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from cli.compose import House, furnish
from cli.outlets import Outlet
from hardware.board_state import BoardSeat, BoardState, showable
from hardware.faults import NAMED
from hardware.leds import terminal
from hardware.picture import Columns, Display, LedScene, picture
from messages.message import message
from scoring.actions import Confirm
from scoring.anyplay import any_move
from table.outlets import BoardOutput
from table.snapshot import Notice
from tests.fakes import TruthfulReader, rolled
from tests.hardware.boards import SimBoard
from tests.hardware.conftest import Boards
from tests.hardware.desk import Desk
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set

RIGHT_WITHIN = 2.0
STEADY = 0.15
"""Simulated seconds for which a board must stay right before it counts."""
WATCHED = 0.3
"""Simulated seconds after each fault during which every picture is compared."""

SEAT = re.compile(
    r'<li class="seat([^"]*)".*?<span class="name">(.*?)(?:<span class="turn">.*?)?</span>\s*'
    r'.*?<span class="total"[^>]*data-score="(-?\d+)">',
    re.DOTALL,
)


class Play:
    """A demo table that plays random matches, with its page and its scoreboard."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self._desk, self._chance = desk, random.Random(seed)
        self.points: int | None = None
        self._house: House | None = None
        self._begin()

    def tell(self, notice: Notice) -> None:
        """An output of the table, between it and the board: remembers the points for the pictures."""
        self._output.tell(notice)

    def step(self) -> None:
        """One throw or one decision."""
        assert self._house is not None
        session = self._house.table.session
        if session.match.outcome:
            self._begin()
            return
        player = session.match.decider
        if player is not None:
            session.decide(any_move(session.match.game, session.match.state, player, self._chance.randrange))
        else:
            session.saw(
                rolled("".join(self._chance.choices("12345678", k=6)), y=100 + 200 * self._chance.random())
            )

    def win(self) -> None:
        """Whoever is on turn throws six eights, which wins."""
        assert self._house is not None
        self._house.table.session.roll("8 8 8 8 8 8")
        self._house.table.session.decide(Confirm(yes=True))

    def page(self) -> BoardState:
        """The scores as the page's HTML has them, and who won."""
        assert self._house is not None
        client: FlaskClient = self._house.app.test_client()
        found = SEAT.findall(client.get("/").get_data(as_text=True))
        seats = tuple(BoardSeat(showable(html.unescape(name)), int(total)) for _, name, total in found)
        turn = next((place for place, (how, _, _) in enumerate(found) if "now" in how.split()), None)
        outcome = self._house.table.session.match.outcome
        return BoardState(seats, turn, 0, self.points, frozenset(outcome.winners if outcome else ()))

    def _show(self, state: BoardState) -> None:
        self.points = state.points
        self._desk.link.wanted = state
        self._desk.wake()

    def _begin(self) -> None:
        if self._house is not None:
            self._house.close()
        dice_set = find_set("fate")
        camera = DemoCamera(dice_set, seed=1, size=(320, 240))
        self._output = BoardOutput(self._show)
        names = self._chance.choice(
            [["Alice", "Bob"], ["Zoë", "Maximiliane", "Jörg"], ["Ann", "Çelik", "Eve", "Dan"]]
        )
        self._house = furnish(
            camera, game="meet-fate", dice_set=dice_set, players=names, reader=TruthfulReader(camera),
            thrower=camera, outlets=(Outlet(Desktop(), self.tell, lambda port: None),),
        )  # fmt: skip


class Desktop:
    """A device that is always there."""

    on_change, words = staticmethod(lambda: None), message("")

    def close(self) -> None:
        """The desk stays."""


def pictures_of(display: Display, state: BoardState) -> set[Columns]:
    """Every picture that belongs to these scores: all pages at every moment (none lasts less than 60 ms), and the
    points."""
    found = {picture(display, LedScene(state, age)) for age in range(0, 9_000 + 4_000 * len(state.seats), 20)}
    found.add(picture(display, LedScene(state, 0, points=True)))
    return found


def measure(board: SimBoard, faults: int, seed: int) -> tuple[list[float], list[str]]:
    """Play, let a fault strike at a random moment of each step, and look.

    The simulated seconds from the end of each fault until the board is right, and what was wrong.
    """
    seconds, wrong, chance = list[float](), list[str](), random.Random(seed)
    desk = Desk(board, seed=seed)
    play = Play(desk, seed)
    known: dict[BoardState, set[Columns]] = {}
    for _ in range(faults):
        name = chance.choice(NAMED)
        if chance.random() < 0.5:
            desk.cable.strike(name)
            desk.run(chance.random() * 0.3)
            play.step()
        else:
            play.step()
            desk.run(chance.random() * 0.03)
            desk.cable.strike(name)
        if not desk.run(10, lambda: desk.now * 1000 >= desk.cable.quiet_at):
            wrong.append(f"{name} at {desk.now:.1f} s never ends")
        over, state = desk.cable.quiet_at / 1000, play.page()
        rightful = known.get(state) or pictures_of(board.display, state)
        known = {state: rightful}
        since = settled(desk, board, rightful)
        if since is None:
            wrong.append(f"not right after {name} at {over:.1f} s: {desk.link.words}")
            continue
        seconds.append(max(0.0, since - over))
        seen = len(board.changes) - 1
        desk.run(WATCHED)
        wrong += [
            f"a wrong picture after {name} at {over:.1f} s:\n{terminal(board.display, columns)}"
            for _, columns, _ in board.changes[seen:]
            if columns not in rightful
        ]
    return seconds, wrong


def settled(desk: Desk, board: SimBoard, rightful: set[Columns]) -> float | None:
    """Since when the board has been right, for good; None when it is not within some seconds.

    For good: a board that was reset shows the old picture until it wakes up and knows nothing.
    """
    since: float | None = None

    def holds() -> bool:
        nonlocal since
        if not desk.link.showing or board.changes[-1][1] not in rightful:
            since = None
        elif since is None:
            since = desk.now
        return since is not None and desk.now - since >= STEADY

    return since if desk.run(RIGHT_WITHIN + 2 * STEADY, holds) else None


@pytest.mark.parametrize(
    ("display", "faults"),
    [
        ("matrix4", 8),
        ("digits8", 5),
        pytest.param("matrix4", 1000, marks=pytest.mark.proof),
    ],
)
def test_the_leds_show_what_the_page_shows_through_faults(
    sim_board: Boards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, display: str, faults: int
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    seconds, wrong = measure(sim_board(display), faults, seed=11)
    assert wrong == []
    assert len(seconds) == faults
    assert max(seconds) <= RIGHT_WITHIN
    print(f"{faults} faults, right again at most {max(seconds):.2f} s after each")


def test_the_leds_flash_the_winner_of_a_match_that_was_played(
    sim_board: Boards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    board = sim_board("matrix4")
    desk = Desk(board, seed=5)
    play = Play(desk, seed=5)
    desk.run(2)
    play.win()
    desk.run(0.2)
    seen = len(board.changes)
    desk.run(4)
    end = play.page()
    assert end.winners, "the match has a winner"
    flashing = pictures_of(board.display, end) - pictures_of(board.display, replace(end, winners=frozenset()))
    shown = {columns for _, columns, _ in board.changes[seen - 1 :]}
    assert shown & flashing, "the winner does not flash"
    assert shown <= pictures_of(board.display, end)

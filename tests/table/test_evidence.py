"""The pictures a roll was read from: kept beside its event, within the budget; what settles a dispute."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.actions import Fill
from scoring.games import find as find_game
from scoring.match import begin
from table.dispute import dispute
from table.history import written
from table.session import Session
from table.storage.evidence import Album, Evidence, Rolling, moments_of, picture_of
from table.storage.store import Store
from tests.fakes import ListeningOutput, die, reading, rolled, shown
from vision.dicesets.library import find as find_set
from vision.frame import Frame

PICTURES = Evidence(b"\xff\xd8 settled", ((400, b"\xff\xd8 before"), (200, b"\xff\xd8 later")))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.of(tmp_path)
    yield store
    store.close()


def sitting(store: Store, album: Album | None = None) -> Session:
    match = begin(find_game("meet-fate"), ["Alice", "Bob"])
    return Session(match, store.begin(match), find_set("fate"), album=album)


def frame(number: int, rate: float = 30.0, width: int = 1920) -> Frame:
    pixels = np.full((width * 9 // 16, width, 3), number % 200, np.uint8)
    return Frame(pixels, number, number / rate, "eye")


@pytest.mark.parametrize("rate", [10.0, 30.0, 60.0])
def test_two_seconds_before_are_kept_small(rate: float):
    rolling = Rolling()
    for number in range(round(5 * rate)):
        rolling.see(frame(number, rate, 640))
    kept = rolling.evidence(frame(round(5 * rate), rate))
    moments = [ago for ago, _ in kept.before]
    assert moments == sorted(moments)
    assert moments[0] > 0
    assert 1800 <= moments[-1] <= 2000
    assert 9 <= len(moments) <= 11
    settled = cv2.imdecode(np.frombuffer(kept.settled, np.uint8), cv2.IMREAD_COLOR)
    small = cv2.imdecode(np.frombuffer(kept.before[0][1], np.uint8), cv2.IMREAD_COLOR)
    assert settled is not None
    assert small is not None
    assert settled.shape == (720, 1280, 3)
    assert small.shape == (180, 320, 3)


def test_a_rolls_pictures_lie_beside_its_event(store: Store):
    album = Album(store)
    session = sitting(store, album)
    session.saw(rolled("224578"), PICTURES)
    album.close()
    match_id = session.store.id
    assert picture_of(store, match_id, 1) == b"\xff\xd8 settled"
    assert moments_of(store, match_id, 1) == (400, 200, 0)
    assert picture_of(store, match_id, 1, 200) == b"\xff\xd8 later"
    assert picture_of(store, match_id, 2) is None


def test_the_pictures_of_a_question_are_those_of_its_roll(store: Store):
    album = Album(store)
    session = sitting(store, album)
    doubtful = [die(face, 100.0 + 120 * i, certain=i != 5) for i, face in enumerate("224578")]
    session.saw(reading(*doubtful), PICTURES)
    session.correct(6, "1", by="Bob")
    album.close()
    assert picture_of(store, session.store.id, 1) is not None
    assert written(store, session.store.id)[1].by == "Bob"


def test_old_matches_lose_their_pictures_first_and_the_running_one_never(store: Store):
    one = Evidence(b"x" * 1000, ())
    album = Album(store, budget=3500)
    older, old, now = (store.begin(begin(find_game("meet-fate"), ["Alice"])) for _ in range(3))
    for kept in (older, old):
        kept.mark("over")
    for kept in (older, old, now):
        album.keep(kept.id, 1, one)
    album.keep(now.id, 2, one)
    assert picture_of(store, older.id, 1) is None
    assert picture_of(store, old.id, 1) is not None
    album.keep(now.id, 3, one)
    assert picture_of(store, old.id, 1) is None
    album.keep(now.id, 4, one)
    assert [picture_of(store, now.id, n) is not None for n in (1, 2, 3, 4)] == [True, True, True, False]


def test_a_slow_disk_holds_nobody_up(store: Store, monkeypatch: pytest.MonkeyPatch):
    stuck, kept = threading.Event(), list[int]()
    album = Album(store)
    monkeypatch.setattr(album, "keep", lambda _id, number, _pictures: stuck.wait(10) and kept.append(number))
    for number in range(40):
        album.add("match", number, PICTURES)
    stuck.set()
    album.close()
    assert 0 < len(kept) < 40


def test_a_dispute_is_settled_by_looking(store: Store):
    session = sitting(store)
    session.saw(rolled("224578"))
    session.correct(3, "2", by="Alice")
    session.decide(Fill("2"))
    told = dispute(session.match, session.store, 1)
    assert told is not None
    assert [(put.read, put.counts) for put in told.dice][:3] == [("2", "2"), ("2", "2"), ("4", "2")]
    assert told.size == (960, 720)
    assert told.dice[0].corners
    assert [(one.by, one.faces) for one in told.corrections] == [("Alice", ("2", "2", "2", "5", "7", "8"))]
    scores = [score for one in told.followed for score in one.step.scores]
    assert [(score.player, score.points) for score in scores] == [(0, 6)]
    assert all(one.rule and one.where for one in scores[0].breakdown)
    (facts,) = (each.step.facts for each in told.decided)
    assert facts[0].template.startswith("{player:name} scores {points:points} in box {box}: {total} in all, {left")
    assert dispute(session.match, session.store, 3) is None


def test_after_a_restart_the_dice_that_still_lie_there_are_no_new_throw(store: Store):
    session = sitting(store)
    session.saw(rolled("224578"))
    session.decide(Fill("chance"))
    kept, match = store.resume(session.store.id, find_game)
    again = Session(match, kept, find_set("fate"))
    again.saw(rolled("224578"))
    assert again.match.events == match.events
    assert shown(again).question == ""
    again.saw(rolled("111111", y=300))
    assert again.match.state.roll == ("1",) * 6


def test_a_broken_output_does_not_keep_the_others_from_hearing(
    store: Store, caplog: pytest.LogCaptureFixture
):
    class Broken:
        def tell(self, notice: object) -> None:
            raise RuntimeError("unplugged")

    match, output = begin(find_game("meet-fate"), ["Alice"]), ListeningOutput()
    session = Session(match, store.begin(match), find_set("fate"), outputs=[Broken(), output])
    session.greet()
    session.saw(rolled("224578"))
    assert len(output.notices) == 2
    assert "an output failed" in caplog.text

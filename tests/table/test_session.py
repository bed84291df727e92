"""A match fed by readings and by people: what becomes an event, what becomes a question, what is said."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from messages.message import message
from scoring.actions import Fill, IllegalMoveError
from scoring.games import find as find_game
from scoring.games.meet_fate.sheet import BOXES
from scoring.logfile import read
from scoring.match import Correction, begin
from table.session import Session
from table.storage.store import Store, StoreError
from tests.fakes import CountingThrower, Evening, ListeningOutput, die, reading, rolled, row
from vision.dicesets.library import find as find_set


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "matches", thrower=CountingThrower())


def box(evening: Evening, name: str) -> tuple[int | None, int | None]:
    """What stands in a box of the sheet, and what it would give."""
    match, state = evening.session.match, evening.session.match.state
    offers = dict(match.game.score_roll(state.roll, state.options, None, ()).boxes)
    return state.sheets[state.turn][BOXES.index(name)], offers[name] if Fill(name) in match.legal else None


def test_a_certain_reading_is_a_roll_and_everything_is_offered(evening: Evening):
    evening.session.saw(rolled("224578"))
    standing = evening.shown
    assert evening.said.startswith("Alice, throw 1: 2, 2, 4, 5, 7 and 8.")
    assert standing.roll_words == "Two 2s, a 4, a 5, a 7 and an 8."
    assert box(evening, "2") == (None, 4)
    assert box(evening, "chance") == (None, 28)
    assert standing.throw == "Throw 6 dice"


def test_held_dice_stay_where_they_lie_and_their_boxes_follow(evening: Evening):
    evening.session.saw(rolled("235778"))
    evening.session.hold(4)
    evening.session.hold(5)
    assert evening.said == "Die 5, a 7, held."
    assert evening.shown.throw == "Throw 4 dice"
    evening.session.throw()
    middles = [die("7", 100.0 + 120 * place, 100.0).centre for place in (3, 4)]
    assert evening.thrower.throws == [tuple(middles)]
    assert "Alice holds two 7s. Alice, throw the other four dice." in evening.said
    evening.session.saw(rolled("145776", y=300, held=(4, 5)))
    assert evening.session.match.state.throws == 2
    assert [one.number for one in evening.shown.dice if one.held] == [4, 5], "no hand is there to take them up"
    assert evening.shown.throw == "Throw 4 dice"
    evening.session.hold(4, held=False)
    assert evening.shown.throw == "Throw 5 dice"
    evening.session.throw()
    assert "Alice holds a 7." in evening.said
    evening.session.saw(rolled("114576", y=500, held=(5,)))
    assert evening.session.match.state.throws == 3
    assert not any(one.held for one in evening.shown.dice), "after the last throw there is nothing to hold for"


def test_at_a_real_table_nothing_is_held_before_somebody_says_or_shows_so(tmp_path: Path):
    session = Evening(tmp_path / "matches", thrower=CountingThrower()).session
    session.camera_changed(message("a webcam"), None)
    session.roll("2 3 5 7 7 8")
    session.hold(4)
    session.throw()
    session.roll("7 1 1 2 3 4")
    assert not any(one.held for one in session.latest().snapshot.dice)


def test_a_die_can_be_let_go_again(evening: Evening):
    evening.session.saw(rolled("235778"))
    evening.session.hold(1)
    evening.session.hold(1)
    assert evening.said == "Die 1, a 2, not held."
    assert not any(one.held for one in evening.shown.dice)


def test_a_box_is_written_and_the_next_player_throws(evening: Evening):
    evening.session.saw(rolled("222255"))
    evening.session.decide(Fill("three-pair"))
    assert evening.said.startswith("Alice scores 18 points in three pair: 18 in all, 18 boxes left.")
    standing = evening.shown
    assert standing.on_turn == "Bob"
    assert standing.dice == ()
    assert standing.prompt == "Bob, throw the dice."
    evening.session.throw()
    assert evening.thrower.throws == [()]


def test_an_uncertain_die_asks_with_the_likeliest_first_and_scores_nothing(evening: Evening):
    doubtful = [
        die(face, 100.0 + 120 * i, certain=face != "6", others=["8", "5"]) for i, face in enumerate("123456")
    ]
    evening.session.saw(reading(*doubtful))
    standing = evening.shown
    assert standing.question == "What does die 6 show? It could be 6, 8 or 5."
    assert evening.said == standing.question
    assert [choice.face for choice in standing.dice[5].choices][:3] == ["6", "8", "5"]
    assert evening.events == ()
    evening.session.correct(6, "8")
    assert evening.said.startswith("Die 6 shows 8.")
    assert evening.session.match.state.roll == ("1", "2", "3", "4", "5", "8")


def test_what_is_no_die_is_dismissed_with_one_tap(evening: Evening):
    evening.session.saw(rolled("1234567"))
    assert evening.shown.too_many
    evening.session.dismiss(3)
    assert evening.session.match.state.roll == ("1", "2", "4", "5", "6", "7")
    assert not evening.shown.too_many
    with pytest.raises(IllegalMoveError, match="there is no question to answer now"):
        evening.session.dismiss(1)


def test_what_people_said_is_no_die_is_left_out_while_it_lies_there(evening: Evening):
    coaster = die("6", 900, 600, certain=False)
    evening.session.saw(reading(*row("123478"), coaster))
    evening.session.dismiss(7)
    evening.session.decide(Fill("chance"))
    settled = die("6", 905, 598, certain=False)
    assert evening.session.complete(reading(*row("222255", y=300), settled))
    evening.session.saw(reading(*row("222255", y=300), settled))
    assert evening.shown.question == ""
    assert evening.session.match.state.roll == tuple("222255")
    evening.session.decide(Fill("three-pair"))
    evening.session.saw(reading(*row("222255"), die("6", 600, 600, certain=False)))
    assert evening.shown.too_many, "elsewhere it is asked about"


def test_what_is_no_die_is_known_where_the_picture_is_cut_otherwise_and_not_through_another_camera(evening: Evening):
    evening.session.saw(reading(*row("123478"), die("6", 900, 600, certain=False)))
    evening.session.dismiss(7)
    evening.session.decide(Fill("chance"))
    evening.session.view_moved((-100.0, -50.0), (860, 670))
    coaster = die("6", 800, 550, certain=False)
    evening.session.saw(reading(*row("222255", y=300), coaster))
    assert evening.session.match.state.roll == tuple("222255")
    evening.session.decide(Fill("three-pair"))
    evening.session.camera_changed(message("a webcam"), None)
    evening.session.saw(reading(*row("111333"), coaster))
    assert evening.shown.too_many


def test_a_die_that_lies_on_what_is_no_die_is_a_die(evening: Evening):
    evening.session.saw(reading(*row("123478"), die("6", 900, 600, certain=False)))
    evening.session.dismiss(7)
    evening.session.decide(Fill("chance"))
    evening.session.saw(reading(*row("22225", y=300), die("5", 900, 600)))
    assert evening.session.match.state.roll == tuple("222255")


def test_kept_dice_that_are_gone_are_asked_about(evening: Evening):
    evening.session.saw(rolled("235778"))
    evening.session.hold(4)
    evening.session.throw()
    evening.session.saw(rolled("123456", y=300))
    assert "The held dice (7) must stay on the table; the dice show 1, 2, 3, 4, 5, 6" in evening.shown.question
    assert evening.session.match.state.throws == 1
    evening.session.correct(6, "7")
    assert evening.session.match.state.throws == 2


def test_a_misread_is_corrected_afterwards_and_only_that_die_is_said(evening: Evening):
    evening.session.saw(rolled("224578"))
    evening.session.correct(3, "Two")
    assert evening.said.startswith("Die 3 shows 2.")
    assert "224578" not in evening.said.replace(", ", "")
    assert box(evening, "2") == (None, 6)
    assert [one.corners != () for one in evening.shown.dice] == [True] * 6


def test_undo_takes_the_decision_back_and_puts_the_demo_dice_back(evening: Evening):
    evening.session.throw()
    evening.session.saw(rolled("235778"))
    evening.session.hold(4)
    evening.session.throw()
    evening.session.saw(rolled("111117", y=300))
    evening.session.undo()
    assert evening.thrower.taken_back == 1
    assert evening.said.startswith("Undone.")
    assert [one.face for one in evening.shown.dice] == list("235778")
    assert all(one.corners == () for one in evening.shown.dice)
    evening.session.saw(rolled("235778"))
    assert all(one.corners for one in evening.shown.dice)
    assert evening.session.match.state.throws == 1


def test_undoing_a_box_gives_the_turn_back(evening: Evening):
    evening.session.throw()
    evening.session.saw(rolled("222255"))
    evening.session.decide(Fill("chance"))
    evening.session.throw()
    evening.session.saw(rolled("123456", y=300))
    evening.session.undo()
    assert evening.shown.on_turn == "Alice"
    assert box(evening, "chance") == (None, 18)
    assert evening.thrower.taken_back == 1
    with pytest.raises(IllegalMoveError, match="there is nothing to undo"):
        evening.session.undo()


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda s: s.hold(1), id="hold before a roll"),
        pytest.param(lambda s: s.decide(Fill("chance")), id="a box before a roll"),
        pytest.param(lambda s: s.correct(1, "2"), id="correct nothing"),
        pytest.param(lambda s: s.undo(), id="undo nothing"),
    ],
)
def test_what_is_not_due_is_refused_and_leaves_everything(evening: Evening, act):
    heard = len(evening.output.notices)
    with pytest.raises(ValueError):  # noqa: PT011  # the wording is the rules' business
        act(evening.session)
    assert evening.events == ()
    assert len(evening.output.notices) == heard


def test_a_trouble_with_the_camera_is_said_once_and_its_end_too(evening: Evening):
    evening.session.camera_says(message("{camera} has stopped sending images", camera="camera 0"))
    evening.session.camera_says(message("{camera} has stopped sending images", camera="camera 0"))
    assert evening.said == "Camera 0 has stopped sending images."
    assert evening.output.sentences.count("Camera 0 has stopped sending images.") == 1
    evening.session.camera_says(None)
    assert evening.said == "The camera can see again."
    assert evening.shown.camera == ""


def test_every_event_is_on_disk_when_it_is_told(tmp_path: Path):
    match = begin(find_game("meet-fate"), ["Alice"])
    store = Store.of(tmp_path).begin(match)
    told: list[int] = []

    class Checking(ListeningOutput):
        def tell(self, notice):
            super().tell(notice)
            kept = read(store.store.log(store.id), find_game)
            assert kept.events == session.match.events
            told.append(len(kept.events))

    session = Session(match, store, find_set("fate"), outputs=[Checking()])
    session.greet()
    session.saw(rolled("235778"))
    session.hold(4)
    session.throw()
    session.saw(rolled("145776", y=300, held=(4,)))
    session.correct(1, "2")
    session.decide(Fill("chance"))
    session.undo()
    assert told == [0, 1, 1, 2, 3, 4, 5, 6]


def test_a_disk_that_refuses_is_said_and_the_throw_counts_once_it_can_be_kept(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OperationalError("", None, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr("table.storage.store._append", full)
    evening.session.saw(rolled("224578"))
    assert evening.said.startswith("This throw was not saved.")
    assert evening.events == ()
    with pytest.raises(StoreError, match="disk is full"):
        evening.session.roll("2 2 4 5 7 8")
    assert evening.events == ()
    monkeypatch.undo()
    assert read(evening.store.store.log(evening.store.id), find_game).events == ()
    evening.session.saw(rolled("224578"))
    assert len(read(evening.store.store.log(evening.store.id), find_game).events) == 1


def test_a_paused_match_hears_nothing_until_it_goes_on(evening: Evening):
    evening.session.saw(rolled("224578"))
    evening.session.pause()
    assert evening.said == "Paused. The match is saved."
    assert evening.shown.paused
    assert evening.store.store.matches()[0].state == "paused"
    evening.session.saw(rolled("111111", y=300))
    with pytest.raises(IllegalMoveError, match="paused"):
        evening.session.decide(Fill("chance"))
    assert len(evening.events) == 1
    evening.session.go_on()
    assert evening.store.store.matches()[0].state == "running"
    assert "Alice" in evening.said
    evening.session.decide(Fill("chance"))


def test_typing_the_roll_that_lies_there_corrects_every_die_of_it_in_one_event(evening: Evening):
    evening.session.saw(rolled("224578"))
    evening.session.roll("1 2 2 4 7 7")
    assert evening.events[1:] == (Correction(1, ("2", "2", "4", "1", "7", "7")),)
    assert evening.said.startswith("Corrected: the dice showed 2, 2, 4, 1, 7 and 7.")
    assert [one.face for one in evening.shown.dice] == list("224177")
    assert [one.corners != () for one in evening.shown.dice] == [True] * 6
    assert read(evening.store.store.log(evening.store.id), find_game).state.roll == ("2", "2", "4", "1", "7", "7")
    evening.session.saw(rolled("224578"))  # the camera reads what it read: no other throw
    assert [one.face for one in evening.shown.dice] == list("224177")
    assert len(evening.events) == 2


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("2 2 4", "Type 6 faces"),
        ("2 2 4 5 7 8", "the dice already count this way"),
        ("1 1 1 1 1 1", r"the held dice \(7\) must stay on the table; the dice show 1, 1, 1, 1, 1, 1"),
        ("9 2 4 7 5 8", "9"),
    ],
)
def test_a_roll_that_cannot_lie_there_is_not_typed_over_it(evening: Evening, typed: str, why: str):
    evening.session.saw(rolled("235778"))
    evening.session.hold(4)
    evening.session.throw()
    evening.session.saw(rolled("224758", y=300, held=(4,)))
    before = evening.session.match
    with pytest.raises(ValueError, match=f"(?i){why}"):
        evening.session.roll(typed)
    assert evening.session.match is before


def test_a_throw_that_came_in_doubt_is_answered_by_typing_it(evening: Evening):
    evening.session.saw(rolled("235778"))
    doubtful = [die(f, 120.0 * i - 20, 300.0, certain=f != "6") for i, f in enumerate("145686", start=1)]
    evening.session.saw(reading(*doubtful))  # thrown without a word: nothing is held
    assert evening.shown.question
    evening.session.roll("1 4 5 6 8 6")
    assert evening.session.match.state.roll == tuple("145686")
    assert evening.session.match.state.throws == 2


def test_the_last_roll_is_typed_anew_though_the_next_one_is_due(tmp_path: Path):
    table = Evening(tmp_path, "triples")
    session = table.session
    session.roll("cat cat dd")
    assert [seat.score for seat in table.shown.seats] == [2, 0]
    session.roll("cat dd sigil", lies=True)
    assert [seat.score for seat in table.shown.seats] == [0, 0]
    session.roll("cat cat dd")
    assert [seat.score for seat in table.shown.seats] == [0, 2]


def test_nobody_throws_while_the_dice_roll(evening: Evening, monkeypatch: pytest.MonkeyPatch):
    evening.session.throw()
    assert evening.shown.prompt == "The dice are rolling."
    assert evening.shown.rolling
    for _ in range(60):
        with pytest.raises(IllegalMoveError, match="still rolling"):
            evening.session.throw()
    assert len(evening.thrower.throws) == 1
    evening.session.saw(rolled("235778"))
    assert not evening.shown.rolling
    evening.session.throw()
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 60)  # nobody ever saw them
    evening.session.undo()
    evening.session.throw()
    assert len(evening.thrower.throws) == 3


def test_dice_that_nobody_sees_land_are_told_of_and_can_be_thrown_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("table.session.ROLLS_AT_MOST", 0.05)
    evening.session.throw()
    deadline = time.monotonic() + 5
    while evening.shown.rolling and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not evening.shown.rolling
    assert evening.said == "Reading the dice takes longer than usual. You can throw again."
    evening.session.throw()
    assert len(evening.thrower.throws) == 2


def test_dice_read_before_they_are_thrown_do_not_end_the_throw(evening: Evening):
    evening.session.throw()
    evening.session.saw(rolled("235778"))
    evening.session.hold(1)
    evening.session.throw()
    evening.session.saw(rolled("235778"))  # from a frame that was taken before the dice were picked up
    assert evening.shown.rolling
    evening.session.saw(rolled("235778", y=400.0, held=[1]))  # the same faces again: a throw, without a question
    assert not evening.shown.rolling
    assert not evening.shown.question
    assert evening.session.match.state.throws == 2


def test_a_table_that_throws_by_itself_draws_by_itself(tmp_path: Path):
    session = Evening(tmp_path, "outback", thrower=CountingThrower()).session
    assert session.match.draw_awaited is None
    assert len(session.match.state.jeep) == 5


@pytest.mark.parametrize("how", ["demo", "camera", "typed"])
def test_dice_that_are_never_thrown_again_are_held_from_the_start(tmp_path: Path, how: str):
    table = Evening(tmp_path, "skull-cove", thrower=CountingThrower() if how == "demo" else None)
    table.session.throw()
    faces = ["coin", "skull", "gem", "parrot", "skull", "anchor", "anchor", "sabres"]
    if how == "typed":
        table.session.roll(" ".join(faces))
    else:
        table.session.saw(reading(*[die(f, 100.0 * i, 300.0) for i, f in enumerate(faces, start=1)]))
    assert [one.face for one in table.shown.dice if one.held] == ["skull", "skull"]
    table.session.throw()
    assert not table.shown.question


@pytest.mark.parametrize("how", ["camera", "typed"])
def test_dice_that_were_set_aside_stay_held(tmp_path: Path, how: str):
    """Two 1s are set aside and a third comes: the two that lie where they lay stay held, and the third is free."""
    table = Evening(tmp_path, "ten-thousand")
    first, held = "214316", [2, 5] if how == "camera" else [1, 2]

    def comes(faces: str) -> None:
        if how == "typed":
            table.session.roll(" ".join(faces))
        else:
            across = 300.0 if faces == first else 500.0
            there = [(100.0 * i, 300.0 if i in (2, 5) else across) for i in range(1, 7)]
            table.session.saw(reading(*[die(face, *where) for face, where in zip(faces, there, strict=True)]))

    comes(first)
    for number in (2, 5):
        table.session.hold(number)
    table.session.throw()
    comes("112514" if how == "camera" else "111245")
    assert [one.number for one in table.shown.dice if one.held] == held


def test_dice_that_may_be_thrown_again_are_not_held_for_anybody(tmp_path: Path):
    table = Evening(tmp_path, "ten-thousand", thrower=CountingThrower())
    table.session.throw()
    table.session.saw(rolled("255566"))
    assert not any(one.held for one in table.shown.dice)  # one 5 has to stay, or all three

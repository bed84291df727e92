"""Somebody joins late, leaves, or the order changes: everyone keeps their turns, in a match that replays as any."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.actions import Draw, Fill, IllegalMoveError
from scoring.games import find
from scoring.logfile import read
from scoring.match import begin
from table.session import Session
from table.store import MatchStore, Store
from tests.fakes import ListeningOutput, rolled
from vision.diceset_shelf import find as find_set


class Sitting:
    def __init__(self, folder: Path, players: list[str]) -> None:
        match = begin(find("meet-fate"), players)
        self.output = ListeningOutput()
        self.session = Session(
            match, MatchStore.begin(folder, match), find_set("fate"), outputs=[self.output]
        )
        self.session.greet()

    def turn(self, face: str, box: str) -> None:
        self.session.roll(" ".join(face * 6))
        self.session.decide(Fill(box))

    @property
    def points(self) -> dict[str, object]:
        return {seat.name: seat.score for seat in self.output.last.standing.players}

    @property
    def on_turn(self) -> str:
        return self.output.last.standing.on_turn


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    sitting = Sitting(tmp_path, ["Alice", "Bob"])
    for face, box in (("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")):
        sitting.turn(face, box)
    assert sitting.points == {"Alice": 24, "Bob": 36}
    return sitting


def test_whoever_joins_late_plays_the_turns_they_missed(sitting: Sitting):
    sitting.session.seat(["Alice", "Bob", "Cleo"])
    assert sitting.output.sentences[-1].startswith("Alice, Bob and Cleo play.")
    assert sitting.on_turn == "Cleo"
    assert sitting.points == {"Alice": 6, "Bob": 12, "Cleo": 0}
    sitting.turn("5", "5")
    assert sitting.points == {"Alice": 24, "Bob": 36, "Cleo": 30}
    assert sitting.on_turn == "Cleo"
    sitting.turn("6", "6")
    assert sitting.on_turn == "Alice"
    assert sitting.points["Cleo"] == 66


def test_the_turns_to_follow_outlast_a_restart(sitting: Sitting):
    sitting.session.seat(["Cleo", "Alice", "Bob"])
    store = sitting.session.store.store
    kept, match = store.resume(sitting.session.store.id, find)
    again = Session(match, kept, find_set("fate"), outputs=[sitting.output])
    again.greet()
    again.roll("5 5 5 5 5 5")
    again.decide(Fill("5"))
    assert sitting.points == {"Cleo": 30, "Alice": 6, "Bob": 12} or sitting.points["Alice"] == 6
    again.roll("6 6 6 6 6 6")
    again.decide(Fill("6"))
    assert sitting.points == {"Cleo": 66, "Alice": 24, "Bob": 36}


def test_whoever_leaves_takes_their_turns_along(sitting: Sitting):
    sitting.session.seat(["Bob"])
    assert sitting.points == {"Bob": 36}
    sitting.turn("5", "5")
    assert sitting.points == {"Bob": 66}


def test_the_order_changes_and_everyone_keeps_their_points(sitting: Sitting):
    sitting.session.seat(["Bob", "Alice"])
    assert sitting.points == {"Bob": 36, "Alice": 24}
    assert sitting.on_turn == "Bob"


def test_the_match_before_is_kept_and_over_and_the_new_one_replays(sitting: Sitting):
    before = sitting.session.store.id
    sitting.session.seat(["Bob", "Alice"])
    store = sitting.session.store.store
    listed = {one.id: one for one in store.matches()}
    assert listed[before].state == "over"
    after = listed[sitting.session.store.id]
    assert (after.state, after.setup["from"], after.players) == ("running", before, ("Bob", "Alice"))
    assert read(store.log(after.id), find).state == sitting.session.match.state
    waiting = store.unfinished()
    assert waiting is not None
    assert waiting.id == after.id


def test_in_the_middle_of_a_turn_the_roll_stays_with_its_player(sitting: Sitting):
    sitting.session.roll("7 7 7 7 7 7")
    sitting.session.seat(["Bob", "Alice"])
    assert sitting.on_turn == "Bob"
    sitting.turn("5", "5")
    assert sitting.session.match.state.roll == ("7",) * 6
    sitting.session.decide(Fill("7"))
    assert sitting.points == {"Bob": 66, "Alice": 66}


def test_dice_that_lie_there_are_no_throw_of_the_newcomer(sitting: Sitting):
    sitting.session.saw(rolled("224578"))
    sitting.session.decide(Fill("chance"))
    sitting.session.seat(["Alice", "Bob", "Cleo"])
    events = sitting.session.match.events
    sitting.session.saw(rolled("224578"))
    assert sitting.session.match.events == events
    sitting.session.saw(rolled("111333", y=300))
    assert len(sitting.session.match.events) == len(events) + 1


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (["Alice", "Bob"], "these are the players"),
        (["Cleo", "Dan"], "nobody of those"),
        (["Alice", "Alice"], "name of their own"),
        ([], "is for 1 to"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(sitting: Sitting, players: list[str], words: str):
    before = sitting.session.match
    with pytest.raises(ValueError, match=words):
        sitting.session.seat(players)
    assert sitting.session.match is before
    assert len(sitting.session.store.store.matches()) == 1


def test_where_turns_depend_on_each_other_the_change_is_refused(tmp_path: Path):
    from random import Random

    from scoring.anyplay import any_action

    game, chance = find("destiny"), Random(3)
    match = begin(game, ["Alice", "Bob", "Cleo"])
    while not any(isinstance(event, Draw) for event in match.events):
        match = match.add(any_action(game, match.state, chance.randrange))
    store = Store.of(tmp_path)
    session = Session(match, store.begin(match), find_set("fate"), outputs=[])
    with pytest.raises(IllegalMoveError, match="nobody can join or leave"):
        session.seat(["Alice", "Bob"])
    store.close()

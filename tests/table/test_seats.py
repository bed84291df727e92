"""Somebody joins late, leaves or is called otherwise, or the order changes: everyone keeps what they have."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scoring.actions import Draw, Fill, IllegalMoveError, Seated
from scoring.anyplay import any_action
from scoring.games import available, find
from scoring.logfile import MatchLogError, read, written
from scoring.match import begin
from table.seats import seated
from table.session import Session
from table.storage.store import Store
from tests.fakes import Evening, rolled, shown
from vision.dicesets.library import find as find_set


class Sitting(Evening):
    def turn(self, face: str, box: str) -> None:
        self.session.roll(" ".join(face * 6))
        self.session.decide(Fill(box))

    @property
    def points(self) -> dict[str, object]:
        return {seat.name: seat.score for seat in self.shown.seats}

    @property
    def on_turn(self) -> str:
        return self.shown.on_turn


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    sitting = Sitting(tmp_path)
    for face, box in (("1", "1"), ("2", "2"), ("3", "3"), ("4", "4")):
        sitting.turn(face, box)
    assert sitting.points == {"Alice": 24, "Bob": 36}
    return sitting


# --- whose seat a name is


@pytest.mark.parametrize(
    ("players", "names", "seats"),
    [
        ("Alice Bob", "Alice Bbo", (0, 1)),
        ("Alice Bob", "Alice Bbo Carla", (0, 1, None)),
        ("Alice Bob", "Alice Carla Bbo", (0, None, 1)),
        ("Alice Bob", "Carla Bob Alice", (None, 1, 0)),
        ("Alice Bob", "Bbo Alice", (1, 0)),
        ("Alice Bob", "Cleo Dan", (0, 1)),
        ("Alice Bob Carla", "Alice Crla", (0, 2)),
        ("Alice Bob Carla", "Alice Dan", (0, 1)),
        ("Alice Bob Carla", "Carla", (2,)),
    ],
)
def test_a_new_name_is_the_seat_it_is_most_like_or_else_the_nearest(
    players: str, names: str, seats: tuple[int | None, ...]
):
    assert seated(players.split(), names.split()).seats == seats


# --- what becomes of the points


@pytest.mark.slow
def test_a_typo_loses_nobodys_sheet_and_is_taken_back_in_one_step(sitting: Sitting):
    before = sitting.session.match.state
    sitting.session.seat(["Alice", "Bbo", "Carla"])
    assert sitting.points == {"Alice": 24, "Bbo": 36, "Carla": 0}
    said = sitting.output.sentences[-1]
    assert said.startswith("Bob is now called Bbo. Carla joins. Playing now: Alice, Bbo and Carla.")
    assert shown(sitting.output.last).undo == "Undo player change"
    sitting.session.undo()
    assert sitting.output.sentences[-1].startswith(
        "Player change undone. Playing now: Alice and Bob."
    )
    assert sitting.session.match.state == before
    assert shown(sitting.output.last).undo == "Undo the last decision"


def test_whoever_joins_late_plays_the_turns_they_missed(sitting: Sitting):
    sitting.session.seat(["Alice", "Bob", "Cleo"])
    assert sitting.on_turn == "Cleo"
    sitting.turn("5", "5")
    assert sitting.points == {"Alice": 24, "Bob": 36, "Cleo": 30}
    assert sitting.on_turn == "Cleo"
    sitting.turn("6", "6")
    assert sitting.on_turn == "Alice"
    assert sitting.points["Cleo"] == 66


@pytest.mark.slow
def test_a_match_that_somebody_joined_late_ends_when_every_sheet_is_full(sitting: Sitting):
    from scoring.games.meet_fate.sheet import BOXES

    sitting.session.seat(["Cleo", "Alice", "Bob"])
    while not sitting.session.match.outcome:
        state = sitting.session.match.state
        sitting.turn("1", state.open_boxes(state.turn)[0])
    assert all(None not in sheet for sheet in sitting.session.match.state.sheets)
    assert len(sitting.session.match.changes) == 1
    assert len(BOXES) == 19


def test_who_leaves_with_points_is_confirmed_by_name(sitting: Sitting):
    with pytest.raises(IllegalMoveError, match="first confirm who leaves with points: Alice"):
        sitting.session.seat(["Bob"])
    assert sitting.points == {"Alice": 24, "Bob": 36}
    sitting.session.seat(["Bob"], leaving=["Alice"])
    assert sitting.output.sentences[-1].startswith("Alice leaves with 24 points. Playing now: Bob.")
    assert sitting.points == {"Bob": 36}
    sitting.turn("5", "5")
    assert sitting.points == {"Bob": 66}
    sitting.session.undo()
    sitting.session.undo()
    assert sitting.points == {"Alice": 24, "Bob": 36}


def test_it_is_one_match_whose_list_log_and_restart_know_the_change(sitting: Sitting):
    before = sitting.session.store.id
    sitting.session.seat(["Alice", "Bbo", "Carla"])
    store = sitting.session.store.store
    assert [(one.id, one.players, one.state) for one in store.matches()] == [
        (before, ("Alice", "Bbo", "Carla"), "running")
    ]
    log = store.log(before)
    assert log == written(sitting.session.match)
    assert '"players": ["Alice", "Bob"]' in log.splitlines()[0]
    assert (
        '{"schema": 2, "n": 9, "event": "seats", "players": ["Alice", "Bbo", "Carla"], "seats": [0, 1, null]}'
        in log
    )
    assert read(log, find) == sitting.session.match
    assert store.resume(before, find)[1] == sitting.session.match
    sitting.session.undo()
    assert store.matches()[0].players == ("Alice", "Bob")


def test_in_the_middle_of_a_turn_the_roll_and_the_hold_stay_with_their_player(sitting: Sitting):
    sitting.session.roll("7 7 7 7 7 7")
    sitting.session.hold(2)
    sitting.session.seat(["Bob", "Alicia"])
    assert sitting.on_turn == "Alicia"
    assert [die.number for die in sitting.shown.dice if die.held] == [2]
    sitting.session.decide(Fill("7"))
    assert sitting.points == {"Bob": 36, "Alicia": 66}


def test_dice_that_lie_there_are_no_throw_of_the_newcomer(sitting: Sitting):
    sitting.session.saw(rolled("224578"))
    sitting.session.decide(Fill("chance"))
    sitting.session.seat(["Alice", "Bob", "Cleo"])
    events = sitting.session.match.events
    sitting.session.saw(rolled("224578"))
    assert sitting.session.match.events == events
    sitting.session.saw(rolled("111333", y=300))
    assert len(sitting.session.match.events) == len(events) + 1


def test_a_roll_from_before_the_change_can_be_corrected(sitting: Sitting):
    sitting.session.roll("7 7 7 7 7 7")
    sitting.session.seat(["Alice", "Bbo"])
    sitting.session.correct(1, "8")
    assert sitting.session.match.state.roll == ("8", "7", "7", "7", "7", "7")
    assert sitting.session.match.header.players == ("Alice", "Bbo")


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (["Alice", "Bob"], "these players are already playing in this order"),
        (["Alice", "Alice"], "every player needs a different name of 1 to 40 characters"),
        (["Alice", "B" * 41], "every player needs a different name of 1 to 40 characters"),
        ([], "is for 1 to"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(sitting: Sitting, players: list[str], words: str):
    before = sitting.session.match
    with pytest.raises(ValueError, match=words):
        sitting.session.seat(players)
    assert sitting.session.match is before
    assert sitting.session.store.store.log(sitting.session.store.id) == written(before)


# --- every game


@pytest.mark.slow
@pytest.mark.parametrize("game", [one.id for one in available()])
def test_in_every_game_a_name_can_be_corrected_at_any_moment(game: str):
    rules, chance = find(game), Random(3)
    match = begin(rules, ["Alice", "Bob"])
    while len(match.events) < 60 and not match.outcome:
        match = match.add(any_action(rules, match.state, chance.randrange))
        if match.outcome:
            break
        after = match.seat(Seated((f"Alice{len(match.events)}", "Bbo"), (0, 1)))
        assert after.view.dice == match.view.dice
        points = [seat.score for seat in match.view.seats]
        assert [seat.score for seat in after.view.seats] == points
        assert after.undo().state == match.state
        assert read(written(after), find) == after
        if len(match.events) % 7 == 0:
            match = after


@pytest.mark.slow
@pytest.mark.parametrize("game", [one.id for one in available()])
def test_in_every_game_whoever_stays_keeps_their_points_or_the_change_is_refused(game: str):
    rules, chance = find(game), Random(5)
    changed = 0
    for _ in range(6):
        match = begin(rules, ["Alice", "Bob", "Cleo"])
        for step in range(1, 120):
            if match.outcome:
                break
            match = match.add(any_action(rules, match.state, chance.randrange))
            if step % 9:
                continue
            before = {seat.name: seat.score for seat in rules.table(match.state).seats}
            names = chance.sample(
                [*match.header.players, f"New{step}"],
                chance.randint(2, min(4, len(match.header.players) + 1)),
            )
            try:
                after = match.seat(seated(match.header.players, names))
            except IllegalMoveError:
                continue
            changed += 1
            now = {seat.name: seat.score for seat in rules.table(after.state).seats}
            assert {name: now[name] for name in now if name in before} == {
                name: before[name] for name in now if name in before
            }
            assert read(written(after), find) == after
            match = after
    assert changed or game in ("destiny", "outback", "outback-plus")


def test_where_cards_came_from_a_common_pile_nobody_joins_or_leaves(tmp_path: Path):
    game, chance = find("destiny"), Random(3)
    match = begin(game, ["Alice", "Bob", "Cleo"])
    while not any(isinstance(event, Draw) for event in match.events):
        match = match.add(any_action(game, match.state, chance.randrange))
    store = Store.of(tmp_path)
    session = Session(match, store.begin(match), find_set("fate"), outputs=[])
    with pytest.raises(IllegalMoveError, match="once this game has begun, players cannot join, leave or change seats"):
        session.seat(["Alice", "Bob"])
    store.close()


# --- logs that nobody has checked


def with_seats(players: str, seats: str) -> str:
    """A log of Alice and Bob whose first event seats these players."""
    head = written(begin(find("meet-fate"), ["Alice", "Bob"]))
    return f'{head}{{"schema": 2, "n": 1, "event": "seats", "players": {players}, "seats": {seats}}}\n'


@pytest.mark.parametrize("seats", ["[0, 0]", "[0, 7]", "[0, -1]", "[0]", "[null, null]"])
def test_a_seat_that_cannot_be_stops_the_replay(seats: str):
    match = read(with_seats('["A", "B"]', seats), find)
    assert match.stop is not None
    assert match.header.players == ("Alice", "Bob")
    assert read(with_seats('["A", "A"]', "[0, 1]"), find).stop is not None


@pytest.mark.parametrize("seats", ['"x"', "[0.5, 1]", "[true, 1]", "5"])
def test_seats_of_another_type_are_no_log(seats: str):
    with pytest.raises(MatchLogError, match="line 2"):
        read(with_seats('["A", "B"]', seats), find)

"""The log: append-only, undone and corrected by appending, stopped where a later move became illegal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.actions import Declare, Fill, Hold, IllegalMoveError, Play, Roll
from scoring.games import find
from scoring.logfile import MatchLogError, read, written
from scoring.match import Correction, Match, Undo, begin
from tests.saying import sentences


def fate() -> Match:
    """Two turns of Meet Fate: events 1 to 5."""
    match = begin(find("meet-fate"), ("Ann", "Bob"))
    match = match.add(Roll(tuple("235778"))).add(Play(0, Hold(("7", "7")))).add(Roll(tuple("145677")))
    return match.add(Play(0, Fill("7"))).add(Roll(tuple("123456")))


def test_an_undo_appends_and_takes_back_the_last_decision_and_what_came_after():
    match = fate().undo()
    assert match.events[-1] == Undo(4)
    assert len(match.events) == 6
    assert match.state.turn == 0
    assert match.state.roll == tuple("145677")


def test_undos_go_back_one_decision_at_a_time():
    match = fate().undo().undo()
    assert match.events[-1] == Undo(2)
    assert match.state.roll == tuple("235778")
    with pytest.raises(IllegalMoveError, match="there is nothing to undo"):
        match.undo()


def test_what_the_dice_showed_is_corrected_not_taken_back():
    with pytest.raises(IllegalMoveError, match="correct it instead of undoing it"):
        fate().undo(3)
    with pytest.raises(IllegalMoveError, match="undo it instead of correcting it"):
        fate().correct(4, tuple("111111"))
    with pytest.raises(IllegalMoveError, match="event 99 cannot be corrected"):
        fate().correct(99, tuple("111111"))


def test_a_correction_scores_again():
    match = fate().correct(3, tuple("177777"))
    assert match.state.total(0) == 35
    assert match.state.roll == tuple("123456")
    assert match.stop is None


def test_a_correction_that_makes_a_later_move_illegal_stops_there_until_the_people_decide():
    match = fate().correct(1, tuple("235678"))
    assert match.stop
    assert match.stop.number == 2
    assert "you can only hold dice on the table" in str(match.stop)
    assert match.outcome is None
    with pytest.raises(IllegalMoveError, match="a later move breaks a rule"):
        match.add(Roll(tuple("111111")))
    assert "Undo that move, or correct the roll again." in sentences(match)[-1]
    again = match.correct(1, tuple("235778"))
    assert again.stop is None
    assert again.state == fate().state
    undone = match.undo()
    assert undone.stop is None
    assert undone.state.roll == tuple("235678")


def test_a_throw_that_was_none_is_corrected_to_nothing():
    match = begin(find("triples"), ("Ann", "Bob")).add(Roll(("cat", "cat", "dd"))).correct(1, ())
    assert match.state.points == (0, 0)
    assert match.state.turn == 0
    assert read(written(match), find).state == match.state


def test_a_log_is_one_line_an_event_and_every_line_has_its_version():
    lines = [json.loads(line) for line in written(fate().undo()).splitlines()]
    assert all(line["schema"] == 1 for line in lines)
    assert lines[0]["rules"] == 1
    assert [line["n"] for line in lines[1:]] == [1, 2, 3, 4, 5, 6]
    assert lines[-1] == {"schema": 1, "n": 6, "event": "undo", "of": 4}


LOG = written(fate().correct(3, tuple("177777")))
LINES = LOG.splitlines()


def changed(line: int, **fields: object) -> str:
    """The log with fields of one line changed; a None takes the field out."""
    record = json.loads(LINES[line]) | fields
    record = {key: value for key, value in record.items() if value is not None}
    return "\n".join([*LINES[:line], json.dumps(record), *LINES[line + 1 :]]) + "\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the log is empty"),
        ("\n\n", "the log is empty"),
        (LOG[:-5], "line 7: the log ends in the middle of a line"),
        ("\n".join(LINES[:3] + LINES[4:]) + "\n", "line 4: expected event 3, got “4”: lines are missing"),
        (LINES[1] + "\n", "line 1: the head of the log is missing"),
        (changed(0, schema=3), r"line 1: written by a newer Tableside \(schema 3"),
        (changed(3, schema=7), r"line 4: written by a newer Tableside \(schema 7"),
        (changed(3, schema=None), "line 4: expected schema 1"),
        (changed(3, schema=True), "line 4: expected schema 1"),
        (changed(0, rules=2), "version 2 of the rules"),
        (changed(0, match="chess"), "line 1: expected a game"),
        (changed(0, match=["x"]), r"line 1\.match: expected str"),
        (changed(0, players=[]), "is for 1 to 12 players"),
        (changed(0, players=["A", "A"]), "a different name"),
        (changed(0, players="AB"), r"line 1\.players: expected a list"),
        (changed(0, options={"house": 1}), "line 1: there is no option “house”"),
        (changed(0, options={"full_house": "D"}), "option full_house must be A, B or C, not “D”"),
        (changed(0, options={"full_house": []}), "must be yes or no, a number or a word"),
        (changed(0, options=None), "line 1: the house rules are missing"),
        (changed(0, mood="good"), "line 1: unknown field 'mood'"),
        (changed(1, speed=3), "line 2: unknown field 'speed'"),
        (changed(1, faces=[1, 2]), r"line 2\.faces\[0\]: expected str, got int"),
        (changed(1, event="explosion"), "line 2: expected roll, draw, move"),
        (changed(2, player=None), r"line 3\.player: expected int"),
        (changed(2, move={"kind": "resign"}), "meet-fate has the moves hold, fill, confirm"),
        (changed(2, move={"kind": "hold"}), "the field 'keep' is missing"),
        (changed(2, move="hold"), r"line 3\.move: expected an object"),
        (changed(6, of=77), "event 77 cannot be corrected"),
        ("[1]\n", "line 1: this is not a JSON object"),
        ("[" * 50_000 + "\n", "line 1: this is not a JSON object"),
        ('{"schema": 1, "schema": 1}\n', "line 1: this is not a JSON object"),
        ("x" * 200_000 + "\n", "line 1: longer than"),
    ],
)
def test_a_log_that_cannot_be_read_says_so_in_one_line(text: str, complaint: str):
    with pytest.raises(MatchLogError, match=complaint) as refused:
        read(text, find)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


@given(st.integers(0, len(LOG)), st.text(max_size=3))
def test_any_damage_is_a_match_or_a_match_log_error(place: int, noise: str):
    try:
        read(LOG[:place] + noise + LOG[place + len(noise) :], find)
    except MatchLogError as refused:
        assert "\n" not in str(refused)  # noqa: PT017 - most damage is refused, some is harmless


def test_a_declaration_in_a_log_is_checked_like_a_spoken_one():
    match = begin(find("called-shot"), ("Ann",)).add(Play(0, Declare("cats")))
    text = written(match).replace('"cats"', '"dogs"')
    assert "“dogs” is not a call" in str(read(text, find).stop)


def test_a_log_may_leave_options_to_their_defaults():
    match = read(changed(0, options={"full_house": "b"}, players=[" Ann", "Bob "]), find)
    assert match.header.players == ("Ann", "Bob")
    assert dict(match.header.options)["full_house"] == "B"
    assert len(match.header.options) == len(match.game.options)


def test_a_correction_is_kept_in_the_log():
    assert Correction(3, tuple("177777")) in read(LOG, find).events

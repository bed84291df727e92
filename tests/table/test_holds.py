"""Holds and rerolls without a word: what lies there still is held, the rest was thrown; every doubt is a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.actions import Fill, Hold, Play, Roll
from tests.fakes import Evening, die, reading, rolled, row, shown
from vision.dicesets.shapes import Shape
from vision.reading import DieReading, Since


@pytest.fixture
def table(tmp_path: Path) -> Evening:
    """A table where people throw by hand, and where 2, 3, 5, 7, 7 and 8 lie."""
    table = Evening(tmp_path)
    table.session.saw(rolled("235778"))
    return table


def test_dice_that_stay_are_held_and_the_others_thrown_again(table: Evening):
    table.session.saw(rolled("145776", y=300, held=(4, 5)))
    assert table.events[1:] == (Play(0, Hold(("7", "7"))), Roll(("1", "4", "5", "7", "7", "6")))
    said = table.said
    assert "Alice holds two 7s. Alice, throw the other four dice." in said
    assert "throw 2" in said
    assert table.session.match.state.throws == 2


def test_dice_in_a_hand_are_no_throw_and_those_left_are_held_even_if_set_aside(table: Evening):
    told = len(table.output.sentences)
    table.sees(*row("235778", only=(1, 4, 5)))
    table.sees(die("7", 40, 600), die("7", 110, 600))
    assert table.shown.question == ""
    assert len(table.output.sentences) == told
    table.sees(die("7", 44, 604), die("7", 110, 600), *row("1456", y=300))
    assert table.events[1] == Play(0, Hold(("7", "7")))
    assert table.session.match.state.throws == 2


@pytest.mark.parametrize(
    ("seen", "held"),
    [
        pytest.param([[die("7", 460 + 24, 110), *row("12345", y=400)]], "7", id="a nudged die"),
        pytest.param(
            [row("235778", only=(4, 5)), [die("7", 530, 170), die("7", 580, 100), *row("1234", y=400)]],
            "77", id="dice pushed by the others",
        ),
        pytest.param(
            [[*row("12345", y=300), die("3", 700, 100, certain=False, others=["8"])]], "8",
            id="a die that lies still is not read anew",
        ),
        pytest.param([[], row("235777", y=140)], "", id="the table is cleared and all dice are thrown again"),
    ],
)  # fmt: skip
def test_what_stays_is_held(table: Evening, seen: list[list[DieReading]], held: str):
    for dice in seen:
        table.sees(*dice)
    assert table.events[1] == Play(0, Hold(tuple(held)))
    assert isinstance(table.events[2], Roll)
    assert not Counter(held) - Counter(table.events[2].faces)


def test_all_dice_nudged_is_no_throw_and_they_keep_their_numbers(table: Evening):
    table.sees(*(die(face, 120.0 * i - 5, 112) for i, face in enumerate("235778", start=1)))
    assert len(table.events) == 1
    assert [one.face for one in table.shown.dice] == list("235778")
    assert table.shown.dice[0].corners[0][1] == 112 - 40


def test_a_corrected_die_that_stays_keeps_its_face(table: Evening):
    table.session.correct(6, "1")
    table.session.saw(rolled("456238", y=300, held=(6,)))
    assert table.events[-2:] == (Play(0, Hold(("1",))), Roll(tuple("456231")))


def test_a_throw_of_which_a_die_is_missing_is_typed_and_what_stayed_is_held(table: Evening):
    table.session.saw(rolled("14577", y=300, held=(4, 5)))
    assert table.shown.question.startswith("I see five dice, but the game needs six.")
    table.session.roll("1 4 5 6 7 7")
    assert table.events[1:] == (Play(0, Hold(("7", "7"))), Roll(tuple("145677")))
    assert table.shown.question == ""
    assert "Alice holds two 7s." in table.said


@pytest.fixture
def typed(table: Evening) -> Evening:
    """The same table: one die of the second throw was not seen, another misread, and people typed it."""
    table.sees(*row("14563", y=300))
    table.session.roll("1 4 5 6 7 8")
    return table


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(row("14563", y=305), id="a hand was there"),
        pytest.param(row("14563", y=300, only=(2, 3)), id="the others are in a hand"),
        pytest.param([*row("14563", y=300), die("7", 800, 300)], id="the die that was not seen turns up"),
        pytest.param([die("1", 100, 300), die("8", 800, 300)], id="it turns up while others are in a hand"),
    ],
)
def test_the_dice_of_a_typed_roll_are_no_other_throw(typed: Evening, seen: list[DieReading]):
    rolls, told = typed.events, len(typed.output.sentences)
    typed.sees(*seen)
    assert typed.events == rolls
    assert typed.shown.question == ""
    assert len(typed.output.sentences) == told
    assert [one.face for one in typed.shown.dice] == list("145678")


def test_dice_of_a_typed_roll_that_stay_are_held(typed: Evening):
    typed.sees(*row("14563", y=300, only=(2, 3)))
    typed.sees(*row("14563", y=300, only=(2, 3)), *row("2233", y=500))
    assert typed.events[-2:] == (Play(0, Hold(("4", "5"))), Roll(tuple("242533")))


def test_a_die_that_turned_up_after_its_roll_was_typed_is_held_as_well(typed: Evening):
    typed.sees(*row("14563", y=300), die("7", 800, 300))
    typed.sees(die("7", 800, 300), *row("22334", y=500))
    assert typed.events[-2:] == (Play(0, Hold(("7",))), Roll(tuple("223347")))


def test_a_die_that_was_misread_when_its_roll_was_typed_is_asked_about_when_it_stays(typed: Evening):
    typed.sees(*row("14563", y=300, only=(5,)), *row("22334", y=500))
    assert typed.shown.question.startswith("What does die 5 show?")
    assert len(typed.events) == 3


def test_what_was_no_die_when_a_roll_was_typed_is_none_afterwards(table: Evening):
    table.sees(*row("145673", y=300), die("2", 900, 600))
    assert table.shown.question.startswith("I see seven dice")
    table.session.roll("1 4 5 6 7 3")
    table.sees(*row("145673", y=300, only=(1, 2)), die("2", 900, 600))
    assert table.shown.question == ""
    table.sees(*row("145673", y=300, only=(1, 2)), *row("8888", y=500), die("2", 900, 600))
    assert table.events[-2:] == (Play(0, Hold(("1", "4"))), Roll(tuple("184888")))


def test_a_throw_that_the_camera_missed_and_sees_after_it_was_typed_in_any_order_is_no_other(table: Evening):
    table.session.throw()
    table.session.roll("1 1 1 2 3 4")
    before = table.events
    table.sees(*row("421113", y=300))
    assert table.events == before
    assert table.shown.question == ""
    assert [one.face for one in table.shown.dice] == list("111234")


def test_a_die_that_lies_elsewhere_with_the_same_face_up_is_asked_about_where_no_hand_was_seen(table: Evening):
    table.sees(*row("23577", y=100), die("8", 800, 600))
    assert table.shown.question == "One die moved but still shows the same face. If that was a throw, confirm it."
    assert table.shown.count == "Count this roll"
    assert len(table.events) == 1
    table.session.count()
    assert table.events[1:] == (Play(0, Hold(("2", "3", "5", "7", "7"))), Roll(tuple("235778")))


def test_a_die_that_rolled_and_shows_the_same_face_again_is_a_throw(table: Evening):
    lucky = reading(*row("23577", y=100), die("8", 800, 600))
    table.session.saw(replace(lucky, since=Since(rolled=True)))
    assert table.shown.question == ""
    assert table.events[1:] == (Play(0, Hold(("2", "3", "5", "7", "7"))), Roll(tuple("235778")))


@pytest.mark.parametrize("place", [(740, 140), (800, 600)], ids=["nudged", "set aside"])
def test_a_die_that_was_moved_is_not_spoken_of_and_counts_as_thrown_for_whoever_says_so(
    table: Evening, place: tuple[float, float]
):
    said = list(table.output.sentences)
    table.session.saw(replace(reading(*row("23577", y=100), die("8", *place)), since=Since(handled=True)))
    assert table.output.sentences == said
    assert table.shown.question == ""
    assert table.shown.count == "Count as a throw"
    assert shown(table.output.last, "de").count == "Als Wurf zählen"
    assert len(table.events) == 1
    table.session.count()
    assert table.events[1:] == (Play(0, Hold(("2", "3", "5", "7", "7"))), Roll(tuple("235778")))
    assert table.shown.count == ""


def test_a_held_die_thrown_along_is_asked_about_until_it_counts(table: Evening):
    table.session.hold(4)
    table.session.throw()
    table.session.saw(rolled("123476", y=400))
    assert table.shown.question == "The held 7 has moved. Was it just nudged?"
    assert table.session.match.state.throws == 1
    table.session.count()
    assert table.session.match.state.throws == 2


def test_what_is_no_die_is_dismissed_and_the_held_dice_stay_held(table: Evening):
    table.sees(die("3", 20, 600), *row("145776", y=300, only=(1, 2, 3, 6)), *row("235778", only=(4, 5)))
    assert table.shown.too_many
    table.session.dismiss(1)
    assert table.events[1] == Play(0, Hold(("7", "7")))
    assert sorted(table.session.match.state.roll) == sorted("145776")


def test_a_throw_that_did_not_count_is_thrown_again(table: Evening):
    table.session.saw(rolled("145776", y=300, held=(4, 5)))
    assert table.shown.discount
    table.session.discount()
    assert table.said.startswith("That throw doesn’t count.")
    assert table.session.match.state.throws == 1
    table.session.saw(rolled("145776", y=300, held=(4, 5)))
    assert len(table.session.match.played) == 2
    table.session.saw(rolled("111771", y=500, held=(4, 5)))
    assert table.session.match.state.throws == 2
    assert table.session.match.state.roll == tuple("111771")


def test_after_a_decision_there_is_no_throw_to_take_back(table: Evening):
    table.session.decide(Fill("chance"))
    assert table.shown.discount == ""
    with pytest.raises(ValueError, match="the last throw can’t be removed: a decision came after it"):
        table.session.discount()


def test_what_the_game_does_not_allow_is_asked_about_and_not_repaired(tmp_path: Path):
    """Outlander: one or two dice are thrown again, once."""
    table = Evening(tmp_path, "outlander")
    game, session = table.session.match.game, table.session
    faces = game.dice.faces
    count = game.dice.count

    def dice(shown: Sequence[str], held: Sequence[int], y: float) -> list[DieReading]:
        return [
            die(face, 120.0 * i - 20, 100.0 if i in held else y, shape=Shape.CUBE)
            for i, face in enumerate(shown, start=1)
        ]

    table.sees(*dice(faces[:count], (), 100))
    assert len((session.match.last_roll() and session.match.events) or ()) >= 1
    before = session.match.events
    thrown = [*faces[: count - 3], *faces[count : count + 3]]
    table.sees(*dice(thrown, range(1, count - 2), 400))
    assert session.match.events == before
    assert table.shown.question


def test_a_leaning_die_is_asked_about(table: Evening):
    leaning = replace(die("5", 700, 400), corners=((700, 388), (734, 408), (666, 408)))
    table.sees(*row("1234", y=400), leaning, die("8", 820, 400))
    assert table.shown.question == "Die 5 is leaning on something. Lay it flat, or count this roll."
    assert len(table.events) == 1
    table.session.count()
    assert table.session.match.state.throws == 2


def test_several_doubted_dice_are_right_with_one_tap(table: Evening):
    seen = rolled("145776", y=300, held=(4, 5)).dice
    table.sees(*(replace(one, certain=one.face not in "14") for one in seen))
    assert table.shown.question.startswith("What does die 1 show?")
    assert (table.shown.count, shown(table.output.last, "de").count) == ("They’re all correct", "Alle stimmen")
    assert len(table.events) == 1
    table.session.count()
    assert table.events[1:] == (Play(0, Hold(("7", "7"))), Roll(tuple("145776")))


def test_what_else_is_doubted_is_asked_after_that(table: Evening):
    leaning = replace(die("5", 700, 400), corners=((700, 388), (734, 408), (666, 408)))
    doubted = [replace(one, certain=False) for one in row("12", y=400)]
    table.sees(*doubted, *row("1234", y=400)[2:], leaning, die("8", 820, 400))
    table.session.count()
    assert table.shown.question.startswith("Die 5 is leaning")
    assert len(table.events) == 1
    table.session.count()
    assert table.session.match.state.throws == 2

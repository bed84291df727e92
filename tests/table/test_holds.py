"""Holds and rerolls without a word: what lies there still is held, the rest was thrown; every doubt is a question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from scoring.actions import Fill, Hold, Play, Roll
from scoring.games import find as find_game
from scoring.match import begin
from table.session import Session
from table.storage.store import MatchStore
from tests.fakes import ListeningOutput, die, reading, rolled, shown
from vision.dicesets.library import find as find_set
from vision.dicesets.shapes import Shape
from vision.reading import DieReading


class RealTable:
    """A session at a table where people throw by hand."""

    def __init__(self, folder: Path, game: str = "meet-fate", dice: str = "fate") -> None:
        match = begin(find_game(game), ["Alice", "Bob"])
        self.output = ListeningOutput()
        self.store = MatchStore.begin(folder, match)
        self.session = Session(match, self.store, find_set(dice), outputs=[self.output])
        self.session.greet()

    @property
    def question(self) -> str:
        return shown(self.output.last).question

    @property
    def events(self) -> tuple[object, ...]:
        return self.session.match.events

    def sees(self, *dice: DieReading) -> None:
        self.session.saw(reading(*dice))


@pytest.fixture
def table(tmp_path: Path) -> RealTable:
    table = RealTable(tmp_path)
    table.session.saw(rolled("235778"))
    return table


def row(faces: str, *, y: float = 100.0, only: Sequence[int] = ()) -> list[DieReading]:
    """The dice of `rolled`, or only those with these numbers."""
    places = enumerate(faces, start=1)
    return [die(face, 120.0 * i - 20, y) for i, face in places if not only or i in only]


def test_dice_that_stay_are_held_and_the_others_thrown_again(table: RealTable):
    table.session.saw(rolled("145776", y=300, held=(4, 5)))
    assert table.events[1:] == (Play(0, Hold(("7", "7"))), Roll(("1", "4", "5", "7", "7", "6")))
    said = table.output.sentences[-1]
    assert "Alice keeps 7 and 7 and throws 4 dice again" in said
    assert "throw 2" in said
    assert table.session.match.state.throws == 2


def test_dice_in_a_hand_are_no_throw_and_those_left_are_held_even_if_set_aside(table: RealTable):
    told = len(table.output.sentences)
    table.sees(*row("235778", only=(1, 4, 5)))
    table.sees(die("7", 40, 600), die("7", 110, 600))
    assert table.question == ""
    assert len(table.output.sentences) == told
    table.sees(die("7", 44, 604), die("7", 110, 600), *row("1456", y=300))
    assert table.events[1] == Play(0, Hold(("7", "7")))
    assert table.session.match.state.throws == 2


def test_a_nudged_die_is_held(table: RealTable):
    nudged = die("7", 460 + 24, 110)
    table.sees(nudged, *row("12345", y=400))
    assert table.events[1] == Play(0, Hold(("7",)))


def test_held_dice_pushed_by_the_others_are_held(table: RealTable):
    table.sees(*row("235778", only=(4, 5)))
    table.sees(die("7", 530, 170), die("7", 580, 100), *row("1234", y=400))
    assert table.events[1] == Play(0, Hold(("7", "7")))


def test_all_dice_nudged_is_no_throw_and_they_keep_their_numbers(table: RealTable):
    table.sees(*(die(face, 120.0 * i - 5, 112) for i, face in enumerate("235778", start=1)))
    assert len(table.events) == 1
    assert [one.face for one in shown(table.output.last).dice] == list("235778")
    assert shown(table.output.last).dice[0].corners[0][1] == 112 - 40


def test_a_corrected_die_that_stays_keeps_its_face(table: RealTable):
    table.session.correct(6, "1")
    table.session.saw(rolled("456238", y=300, held=(6,)))
    assert table.events[-2:] == (Play(0, Hold(("1",))), Roll(tuple("456231")))


def test_a_die_that_lies_still_is_not_read_anew(table: RealTable):
    unsure = die("3", 700, 100, certain=False, others=["8"])
    table.sees(*row("12345", y=300), unsure)
    assert table.events[1:] == (Play(0, Hold(("8",))), Roll(("1", "2", "3", "4", "5", "8")))


def test_dice_moved_with_the_same_faces_up_are_asked_about(table: RealTable):
    table.sees(*row("23577", y=100), die("8", 800, 600))
    assert table.question == "One die was moved and shows what it showed. If thrown, say so."
    assert shown(table.output.last).count == "It counts"
    assert len(table.events) == 1
    table.session.count()
    assert table.events[1:] == (Play(0, Hold(("2", "3", "5", "7", "7"))), Roll(tuple("235778")))


def test_a_nudge_is_not_spoken_of_and_counts_as_a_throw_for_whoever_says_so(table: RealTable):
    said = list(table.output.sentences)
    table.sees(*row("23577", y=100), die("8", 740, 140))
    assert table.output.sentences == said
    assert table.question == ""
    assert shown(table.output.last).count == "The dice that moved were thrown"
    assert shown(table.output.last, "de").count == "Die bewegten Würfel wurden geworfen"
    assert len(table.events) == 1
    table.session.count()
    assert table.events[1:] == (Play(0, Hold(("2", "3", "5", "7", "7"))), Roll(tuple("235778")))
    assert shown(table.output.last).count == ""


def test_a_new_turn_begins_with_dice_still_lying(table: RealTable):
    table.session.decide(Fill("chance"))
    table.sees(*row("235778", only=(1, 2)))
    assert table.question == ""
    table.session.saw(rolled("111122", y=300))
    assert table.session.match.state.roll == tuple("111122")


def test_a_die_that_was_not_thrown_with_the_others_is_asked_about(table: RealTable):
    table.session.decide(Fill("chance"))
    table.session.saw(rolled("111128", y=300, held=(6,)))
    assert table.question == "Die 6 lies as it lay before the throw. Does it count like that?"
    table.session.count()
    assert table.session.match.state.roll == tuple("111128")


def test_a_held_die_thrown_along_is_asked_about_until_it_counts(table: RealTable):
    table.session.hold(4)
    table.session.throw()
    table.session.saw(rolled("123476", y=400))
    assert table.question == "The 7 that is held does not lie where it did. Was it only moved?"
    assert table.session.match.state.throws == 1
    table.session.count()
    assert table.session.match.state.throws == 2


def test_more_dice_left_lying_than_held_is_asked_about(table: RealTable):
    table.session.hold(4)
    table.session.throw()
    table.session.saw(rolled("125773", y=400, held=(4, 5)))
    assert table.question == "Die 5 lies as it lay before the throw. Does it count like that?"


def test_what_is_no_die_is_dismissed_and_the_held_dice_stay_held(table: RealTable):
    table.sees(die("3", 20, 600), *row("145776", y=300, only=(1, 2, 3, 6)), *row("235778", only=(4, 5)))
    assert shown(table.output.last).too_many
    table.session.dismiss(1)
    assert table.events[1] == Play(0, Hold(("7", "7")))
    assert sorted(table.session.match.state.roll) == sorted("145776")


def test_the_table_is_cleared_and_all_dice_are_thrown_again(table: RealTable):
    table.session.saw(rolled(""))
    table.session.saw(rolled("235777"))
    assert table.events[1] == Play(0, Hold(()))


@pytest.mark.parametrize(("faces", "off"), [("11111", "Is one off"), ("111", "Are some off")])
def test_a_die_off_the_table_is_asked_about(table: RealTable, faces: str, off: str):
    table.session.saw(rolled(faces, y=300))
    assert off in table.question
    assert len(table.events) == 1
    table.session.saw(rolled("111112", y=500))
    assert table.session.match.state.throws == 2


def test_a_throw_that_did_not_count_is_thrown_again(table: RealTable):
    table.session.saw(rolled("145776", y=300, held=(4, 5)))
    assert shown(table.output.last).discount
    table.session.discount()
    assert table.output.sentences[-1].startswith("That throw does not count.")
    assert table.session.match.state.throws == 1
    table.session.saw(rolled("145776", y=300, held=(4, 5)))
    assert len(table.session.match.played) == 2
    table.session.saw(rolled("111771", y=500, held=(4, 5)))
    assert table.session.match.state.throws == 2
    assert table.session.match.state.roll == tuple("111771")


def test_after_a_decision_there_is_no_throw_to_take_back(table: RealTable):
    table.session.decide(Fill("chance"))
    assert shown(table.output.last).discount == ""
    with pytest.raises(ValueError, match="no throw to take back"):
        table.session.discount()


def test_what_the_game_does_not_allow_is_asked_about_and_not_repaired(tmp_path: Path):
    """Outlander: one or two dice are thrown again, once."""
    table = RealTable(tmp_path, "outlander", "outlander")
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
    assert table.question


def test_a_leaning_die_is_asked_about(table: RealTable):
    flat = row("1234", y=400)
    x, y = 700.0, 400.0
    steep = die("5", x, y)
    steep = DieReading(
        Shape.OCTAHEDRON,
        "5",
        True,
        0.97,
        steep.alternatives,
        ((x, y - 12), (x + 34, y + 8), (x - 34, y + 8)),
        steep.box,
    )
    table.sees(*flat, steep, die("8", 820, 400))
    assert table.question == "Die 5 leans on something. Lay it flat, or say that it counts."
    assert len(table.events) == 1
    table.session.count()
    assert table.session.match.state.throws == 2

"""Faces are read forgivingly, multisets exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.actions import Hold, Move
from scoring.codec import CodecError, build, plain
from scoring.dice import UnknownFaceError, choices, shortened, within, without
from scoring.games import find
from scoring.games.cats.cat_dice import FACES
from scoring.options import Option, OptionError, chosen

CATS = find("triples").dice


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("cat,two-cats,dd", ("cat", "two-cats", "dd")),
        (" Cat ; TWO CATS ; Dd ", ("cat", "two-cats", "dd")),
        ("two cats cat sigil", ("two-cats", "cat", "sigil")),
        ("cat two cats", ("cat", "two-cats")),
        ("two_cats,twocats,", ("two-cats", "two-cats")),
        ("", ()),
    ],
)
def test_typed_rolls(text: str, faces: tuple[str, ...]):
    assert CATS.read(text) == faces


def test_bare_numbers_are_parted_by_spaces():
    assert find("meet-fate").dice.read("2 2 4 5 7 8") == ("2", "2", "4", "5", "7", "8")


def test_an_unknown_face_is_one_line_however_long():
    with pytest.raises(UnknownFaceError, match=r"they show cat, two cats") as refused:
        CATS.read("cat,cat," + "dog\n" * 1000)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200
    assert len(shortened("x" * 500)) < 50


@given(st.lists(st.sampled_from(FACES), max_size=6), st.data())
def test_parts_and_wholes(faces: list[str], data: st.DataObject):
    kept = data.draw(st.sampled_from(choices(faces)))
    assert within(kept, faces)
    rest = without(faces, kept)
    assert sorted([*kept, *rest]) == sorted(faces)
    assert len(set(choices(faces))) == len(choices(faces))
    assert not within([*faces, "cat"], faces)


@dataclass(frozen=True, slots=True)
class Stack:
    base: str
    extra: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Build(Move):
    kind: ClassVar[str] = "build"
    stacks: tuple[Stack, ...]
    how: Literal["open", "hidden"] = "open"
    left: int | None = None


@pytest.mark.parametrize(
    "record", [Build((Stack("a", (1, 2)), Stack("b")), "hidden", 3), Build(()), Hold(("7",))]
)
def test_records_come_back_from_plain_values(record: Move):
    assert build(type(record), plain(record)) == record


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ({}, "move: the field 'stacks' is missing"),
        ({"stacks": 3}, r"move\.stacks: expected a list, got int"),
        ({"stacks": [{"base": 1}]}, r"move\.stacks\[0\]\.base: expected str, got int"),
        ({"stacks": [{"base": "a", "extra": [True]}]}, r"extra\[0\]: expected int, got bool"),
        ({"stacks": [], "how": "loud"}, r"move\.how: expected one of"),
        ({"stacks": [], "left": "3"}, r"move\.left: expected int, got str"),
        ({"stacks": [], "colour": "red"}, "move: unknown field 'colour'"),
        ([], "move: expected an object, got list"),
    ],
)
def test_plain_values_of_another_shape_are_refused(value: object, complaint: str):
    with pytest.raises(CodecError, match=complaint):
        build(Build, value, "move")


OPTIONS = (
    Option("house_rules", False, "x.", "y"),
    Option("target", 25, "x.", "y", low=1),
    Option("tie", "shared", "x.", "y", values=("shared", "play-on")),
    Option("board", "", "x.", "y"),
)


def test_options_are_read_forgivingly():
    told = chosen(OPTIONS, {"House-Rules": "Yes", "TARGET": " 30 ", "tie": "Play on", "board": "3-4-3"})
    assert told.plain() == {"house_rules": True, "target": 30, "tie": "play-on", "board": "3-4-3"}
    assert chosen(OPTIONS).plain() == {"house_rules": False, "target": 25, "tie": "shared", "board": ""}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"colour": 1}, "there is no option “colour”; choose from house_rules, target, tie, board"),
        ({"house_rules": "maybe"}, "house_rules must be yes or no, not “maybe”"),
        ({"target": "0"}, "target must be a whole number from 1 to 9999, not “0”"),
        ({"target": "9" * 400}, "target must be a whole number"),
        ({"target": "²"}, "target must be a whole number"),
        ({"tie": "never"}, "tie must be shared or play-on, not “never”"),
        ({"board": "x" * 5000}, "board must be text of at most 4000"),
    ],
)
def test_options_that_do_not_fit_are_refused(given: dict[str, object], complaint: str):
    with pytest.raises(OptionError, match=complaint):
        chosen(OPTIONS, given)

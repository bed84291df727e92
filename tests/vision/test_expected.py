"""How many dice should lie there tells which finds are dice; it adds none unasked, and names no face."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes import die
from vision.expected import AS_MANY, expected, missing
from vision.reading import UNKNOWN, DieReading

FROM = 0.95


def find(x: float, likely: float, face: float = 1.0, *, distinct: bool = True) -> DieReading:
    """A find at x that is a die with this probability, and then shows its face with that one."""
    believed = likely * face
    one = die("emu", x, certain=False)
    return replace(one, confidence=believed, certain=distinct and believed >= FROM, die=likely, distinct=distinct)


SURE = [find(100.0 * n, 0.999) for n in range(1, 6)]


def sure_of(*found: DieReading, number: int) -> list[bool]:
    return [certain for _, certain in expected(found, number, FROM)]


def test_where_as_many_are_found_as_should_lie_there_a_find_is_hardly_something_else() -> None:
    doubted = find(600.0, 0.8)
    assert not doubted.certain
    assert sure_of(*SURE, doubted, number=6) == [True] * 6
    assert sure_of(*SURE, doubted, number=7)[-1] is False, "one is missing: this may be any thing"
    assert sure_of(*SURE[:4], doubted, number=6)[-1] is False


@pytest.mark.parametrize("doubted", [find(600.0, 0.999, 0.8), find(600.0, 0.8, 0.9), find(600.0, 0.8, distinct=False)])
def test_a_doubted_face_stays_doubted_however_many_dice_there_are(doubted: DieReading) -> None:
    assert sure_of(*SURE, doubted, number=6)[-1] is False


def test_it_is_as_sure_as_the_odds_say() -> None:
    least = FROM / (FROM + AS_MANY * (1 - FROM))
    assert sure_of(*SURE, find(600.0, least + 0.001), number=6)[-1] is True
    assert sure_of(*SURE, find(600.0, least - 0.001), number=6)[-1] is False


def test_of_one_too_many_the_one_that_surely_is_none_is_left_out() -> None:
    card = find(50.0, 0.6)
    assert [one for one, _ in expected([card, *SURE], 5, FROM)] == SURE
    twice = replace(card, certain=True)
    assert len(expected([twice, *SURE], 5, FROM)) == 6, "what is read for certain is asked about"


def test_of_one_too_many_the_one_that_looks_like_none_of_the_dice_is_left_out() -> None:
    number = find(50.0, 0.95, distinct=False)
    assert len(expected([number, *SURE], 5, FROM)) == 6
    assert [one for one, _ in expected([replace(number, odd=True), *SURE], 5, FROM)] == SURE
    assert len(expected([replace(number, odd=True, die=0.999), *SURE], 5, FROM)) == 6, "a sixth die lies there"
    assert sure_of(*SURE, replace(number, odd=True), number=6)[-1] is False, "it may be another set's"


def test_dice_that_are_all_as_likely_are_all_asked_about() -> None:
    assert len(expected([*SURE, find(600.0, 0.999)], 5, FROM)) == 6, "a sixth die lies there"
    two = [find(50.0, 0.7), find(60.0, 0.6)]
    assert len(expected([*two, *SURE[:4]], 5, FROM)) == 6, "either of them may be the one"
    assert [one for one, _ in expected([*two, *SURE], 5, FROM)] == SURE, "neither is, where five are sure"


def test_where_dice_are_missing_the_likeliest_faint_finds_may_be_them() -> None:
    likely, less, strange = find(700.0, 0.3), find(600.0, 0.1), replace(find(800.0, 0.4), face=UNKNOWN)
    assert missing(5, [less, likely, strange], 6) == (likely,)
    assert missing(4, [less, likely, strange], 6) == (likely, less)
    assert missing(3, [less, likely, strange], 6) == (), "a die would be missing all the same"
    assert missing(6, [likely], 6) == missing(7, [likely], 6) == ()

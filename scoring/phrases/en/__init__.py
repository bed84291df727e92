"""English: how numbers and lists are said, and the sentences of every game."""

from __future__ import annotations

from scoring.language import Language
from scoring.phrases import collected

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def count(number: int, one: str, many: str) -> str:
    """1 point, 2 points, −1 point."""
    sign = "−" if number < 0 else ""
    return f"{sign}{abs(number)} {one if abs(number) == 1 else many}"


def nth(number: int) -> str:
    """First, second, … tenth, 11th, 21st."""
    if 1 <= number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"


ENGLISH = Language(
    code="en",
    phrases=collected(__name__, "PHRASES"),
    rules={},
    count=count,
    nth=nth,
    conjunction="and",
    nothing="nothing",
    names=collected(__name__, "NAMES"),
)

"""English: how numbers and lists are said, and the sentences of every game."""

from __future__ import annotations

from scoring.language import Language
from scoring.phrases import collected

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


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


def dice(number: int) -> str:
    """One die, four dice, 11 dice."""
    return "one die" if number == 1 else f"{ENGLISH.number(number)} dice"


def several(label: str, number: int) -> str:
    """Three 7s, an 8; sigil, sigil twice, DD three times."""
    if not label.isdecimal():
        return (
            label
            if number == 1
            else f"{label} twice"
            if number == 2
            else f"{label} {ENGLISH.number(number)} times"
        )
    if number > 1:
        return f"{ENGLISH.number(number)} {label}s"
    return f"{'an' if label.startswith('8') or label in ('11', '18') else 'a'} {label}"


ENGLISH = Language(
    code="en",
    phrases=collected(__name__, "PHRASES"),
    rules={},
    count=count,
    nth=nth,
    conjunction="and",
    nothing="nothing",
    disjunction="or",
    numbers=NUMBERS,
    dice=dice,
    several=several,
    places=collected(__name__, "PLACES"),
    names=collected(__name__, "NAMES"),
    things=collected(__name__, "THINGS"),
)

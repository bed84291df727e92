"""Deutsch: wie Zahlen und Aufzählungen gesprochen werden, und die Sätze aller Spiele."""

from __future__ import annotations

from scoring.language import Language
from scoring.phrases import collected

NUMBERS = ("keine", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn")


def count(number: int, one: str, many: str) -> str:
    """1 Punkt, 0 Punkte, −1 Punkt."""
    sign = "−" if number < 0 else ""
    return f"{sign}{abs(number)} {one if abs(number) == 1 else many}"


def nth(number: int) -> str:
    """1., 2., 3."""
    return f"{number}."


def dice(number: int) -> str:
    """Ein Würfel, vier Würfel, 11 Würfel."""
    return f"{GERMAN.number(number)} Würfel"


def several(label: str, number: int) -> str:
    """Dreimal 7, eine 8; Sigil, zweimal Sigil."""
    if number == 1:
        return f"eine {label}" if label.isdecimal() else label
    times = f"{GERMAN.number(number)}mal" if number < len(NUMBERS) else f"{number}-mal"
    return f"{times} {label}"


GERMAN = Language(
    code="de",
    phrases=collected(__name__, "PHRASES"),
    rules=collected(__name__, "RULES"),
    count=count,
    nth=nth,
    conjunction="und",
    nothing="nichts",
    disjunction="oder",
    numbers=NUMBERS,
    dice=dice,
    several=several,
    points=("Punkt", "Punkte"),
    decimal=",",
    answers=("ja", "nein"),
    places=collected(__name__, "PLACES"),
    names=collected(__name__, "NAMES"),
    things=collected(__name__, "THINGS"),
)

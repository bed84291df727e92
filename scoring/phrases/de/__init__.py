"""Deutsch: wie Zahlen und Aufzählungen gesprochen werden, und die Sätze aller Spiele."""

from __future__ import annotations

from scoring.language import Language
from scoring.phrases import collected


def count(number: int, one: str, many: str) -> str:
    """1 Punkt, 0 Punkte, −1 Punkt."""
    sign = "−" if number < 0 else ""
    return f"{sign}{abs(number)} {one if abs(number) == 1 else many}"


def nth(number: int) -> str:
    """1., 2., 3."""
    return f"{number}."


GERMAN = Language(
    code="de",
    phrases=collected(__name__, "PHRASES"),
    rules=collected(__name__, "RULES"),
    count=count,
    nth=nth,
    conjunction="und",
    nothing="nichts",
    points=("Punkt", "Punkte"),
    answers=("ja", "nein"),
    names=collected(__name__, "NAMES"),
)

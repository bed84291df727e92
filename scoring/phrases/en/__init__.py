"""English: how numbers and lists are said, and the sentences of every game."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from scoring.language import Language

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


def _collected(table: str) -> Mapping[str, str]:
    """What the files of this folder hold under one name.

    Each has PHRASES, from the name of a fact to its sentence, and may have NAMES, from an id to its name.
    """
    found: dict[str, str] = {}
    for module in iter_modules(__path__):
        found |= getattr(import_module(f"{__name__}.{module.name}"), table, {})
    return found


ENGLISH = Language(
    code="en",
    phrases=_collected("PHRASES"),
    rules={},
    count=count,
    nth=nth,
    conjunction="and",
    nothing="nothing",
    names=_collected("NAMES"),
)

"""Français : comment on dit les nombres et les listes, et les phrases de tous les jeux."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.language import Language
from scoring.phrases import collected

NO_BREAK = "\u00a0"
"""Before a colon, a question mark and inside guillemets."""

NUMBERS = ("aucun", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix")


def count(number: int, one: str, many: str) -> str:
    """0 point, 1 point, 2 points, −1 point: the plural begins at two."""
    sign = "−" if number < 0 else ""
    return f"{sign}{abs(number)} {one if abs(number) < 2 else many}"


def nth(number: int) -> str:
    """1re, 2e, 3e: places and times are feminine."""
    return "1re" if number == 1 else f"{number}e"


def spaced(table: Mapping[str, str]) -> Mapping[str, str]:
    """The sentences with the spaces that must not break, and apostrophes as they are printed."""
    found = {key: said.replace("'", "’") for key, said in table.items()}
    for before, after in ((" :", ":"), (" ?", "?"), (" !", "!"), (" ;", ";"), (" »", "»")):
        found = {key: said.replace(before, NO_BREAK + after) for key, said in found.items()}
    return {key: said.replace("« ", "«" + NO_BREAK) for key, said in found.items()}


def dice(number: int) -> str:
    """Aucun dé, un dé, quatre dés, 11 dés."""
    return f"{FRENCH.number(number)} {'dé' if number < 2 else 'dés'}"


def several(label: str, number: int) -> str:
    """Trois 7, un 8 ; sigil, deux fois sigil."""
    if label.isdecimal():
        return f"{FRENCH.number(number)} {label}"
    return label if number == 1 else f"{FRENCH.number(number)} fois {label}"


FRENCH = Language(
    code="fr",
    phrases=spaced(collected(__name__, "PHRASES")),
    rules=spaced(collected(__name__, "RULES")),
    count=count,
    nth=nth,
    conjunction="et",
    nothing="rien",
    disjunction="ou",
    numbers=NUMBERS,
    dice=dice,
    several=several,
    points=("point", "points"),
    decimal=",",
    answers=("oui", "non"),
    places=spaced(collected(__name__, "PLACES")),
    names=collected(__name__, "NAMES"),
    things=collected(__name__, "THINGS"),
)

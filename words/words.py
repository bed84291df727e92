"""Sentences about dice and tables; those about what the rules make of them come from `scoring.wording`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(count: int) -> str:
    """A small number as a word."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Words in a row: "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def faces(labels: Iterable[str]) -> str:
    """A roll in words, what there is most of first: "three 7s, two 4s and a 1", or "sigil twice and DD"."""
    counted = Counter(labels).most_common()
    return listed([_several(label, count) for label, count in counted])


def _several(label: str, count: int) -> str:
    if label.isdecimal():
        return f"{number(count)} {label}s" if count > 1 else f"{_article(label)} {label}"
    return label if count == 1 else f"{label} twice" if count == 2 else f"{label} {number(count)} times"


def _article(numeral: str) -> str:
    """The article of a numeral: "an 8" and "an 11", "a 1"."""
    return "an" if numeral.startswith("8") or numeral in ("11", "18") else "a"


def dice(count: int) -> str:
    """So many dice: "one die", "four dice"."""
    return "one die" if count == 1 else f"{number(count)} dice"


def points(count: int) -> str:
    """So many points: "1 point", "33 points"."""
    return f"{count} point" if abs(count) == 1 else f"{count} points"


def sentence(*parts: str) -> str:
    """Clauses made one announcement: a capital in front and a full stop after each."""
    said = [part.strip().rstrip(".") for part in parts if part.strip()]
    return " ".join(f"{part[0].upper()}{part[1:]}{'' if part[-1] in '?!' else '.'}" for part in said)

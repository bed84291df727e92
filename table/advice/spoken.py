"""Advice as sentences: one that answers, one that says why."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.dice import Face
from table import words
from table.advice.record import Choice

EQUAL = 5e-10
"""Points by which two choices differ only because computers round."""


def held(keep: Sequence[Face], dice: int) -> str:
    """Keeping some of so many dice, in words: "hold two 7s and throw four dice again"."""
    if not keep:
        return "throw all the dice again"
    labels = [face.replace("-", " ") for face in keep]
    return f"hold {words.faces(labels)}, and throw {words.dice(dice - len(keep))} again"


def why_best(choices: Sequence[Choice], unit: str) -> str:
    """Why the first choice is best: its worth, and what the next one costs."""
    worth = f"that is worth {amount(choices[0].worth)} {unit}"
    if len(choices) == 1:
        return words.sentence(f"{worth}, and there is no other choice")
    following = choices[1]
    if following.cost < EQUAL:
        return words.sentence(f"{worth}; to {following.words} is worth as much")
    return words.sentence(f"{worth}; the next best, to {following.words}, costs {amount(following.cost)}")


def amount(points: float) -> str:
    """Points as people say them: with one place after the point, small ones with two figures that count."""
    if abs(points) >= 0.95 or not points:
        return f"{points:.1f}"
    return f"{points:.2g}" if abs(points) >= 0.0001 else "next to nothing"


def percent(chance: float) -> str:
    """A chance as people say it: "62.5 %"."""
    return f"{100 * chance:.1f} %"

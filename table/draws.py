"""Draws from piles without choice: tiles from a bag, cards from a shuffled deck, a deal.

People who have the real pile say what they drew; for the others Tableside draws at random. It always draws what goes
into hands that only their players may see, as nobody could say that aloud.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TypeVar

from scoring.actions import Draw, refuse
from scoring.announcement import awaiting
from scoring.anyplay import Choose, any_chance
from scoring.match import Match
from words.speaker import meant

T = TypeVar("T")

by_lot: Choose = secrets.randbelow
"""A random number from 0 to one less than the argument, all equally likely."""


def secretly(match: Match) -> bool:
    """Whether the draw that is due goes into a hand that the table must not see."""
    due = match.draw_awaited
    return due is not None and match.game.is_secret(Draw(due.pile, ()))


def told(match: Match, cards: Sequence[str]) -> Draw:
    """The due draw with the result that people name, in any language. Raises IllegalMoveError."""
    due = match.draw_awaited
    if due is None:
        refuse("there is nothing to draw now")
    return Draw(due.pile, tuple(meant(card, due.among) or card for card in cards))


def drawn(match: Match, choose: Choose = by_lot) -> Match:
    """The match after the due draw, made at random. Raises IllegalMoveError if none is due."""
    due = match.draw_awaited
    if due is None:
        refuse("there is nothing to draw now")
    return match.add(any_chance(due, choose))


def without_awaited(match: Match, said: Sequence[T]) -> list[T]:
    """The announcement of the last event without what the table waits for, as more follows at once."""
    return list(said[: len(said) - len(awaiting(match))])

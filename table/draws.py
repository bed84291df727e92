"""What comes out of a pile without choice: tiles out of a bag, a shuffled deck, a deal.

People who have the pile before them say what came; for those who have not, Tableside draws by lot. What goes into hands
that only their players may see, it always draws itself: nobody could say it aloud.
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
"""A number from 0 to one less than asked for, every one as likely as the others."""


def secretly(match: Match) -> bool:
    """Whether the draw that is due goes into a hand that the table must not see."""
    due = match.draw_awaited
    return due is not None and match.game.is_secret(Draw(due.pile, ()))


def told(match: Match, cards: Sequence[str]) -> Draw:
    """The draw that is due, as people say it came out; names in any language. Raises IllegalMoveError."""
    due = match.draw_awaited
    if due is None:
        refuse("there is nothing to draw now")
    return Draw(due.pile, tuple(meant(card, due.among) or card for card in cards))


def drawn(match: Match, choose: Choose = by_lot) -> Match:
    """The match after the draw that is due, by lot. Raises IllegalMoveError when none is."""
    due = match.draw_awaited
    if due is None:
        refuse("there is nothing to draw now")
    return match.add(any_chance(due, choose))


def without_awaited(match: Match, said: Sequence[T]) -> list[T]:
    """What is said about the last event, less what the table waits for: more follows at once."""
    return list(said[: len(said) - len(awaiting(match))])

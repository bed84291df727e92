"""The value of each choice at the table, given only when players ask; exact, or clearly called an estimate.

`Advisers` answers for a match or a command. Each family of games has a module or a folder, built on `lattice.py`
(expected values of rolls, for thousands of positions at once). `fairness.py` and `luck.py` look back on an evening.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from advice.record import NoAdviceError
from scoring.gamefile.game import FileGame

if TYPE_CHECKING:
    from advice.adviser import Adviser, Given
    from advice.record import Advice
    from scoring.game import AnyGame
    from scoring.match import Match

FAMILIES = ("meet_fate", "outlander", "cats", "outback")
"""Modules and folders here, each with its `ADVISERS`: an `Adviser` for each game id. Destiny has none: it has no dice,
and its hands are secret."""


@cache
def kinds() -> Mapping[str, type[Adviser]]:
    """Game id → its adviser, for games that have one."""
    found: dict[str, type[Adviser]] = {}
    for family in FAMILIES:
        found |= import_module(f"{__name__}.{family}").ADVISERS
    return found


def kind_of(game: AnyGame) -> type[Adviser] | None:
    """The adviser of a game, or None. Games defined by files get the general solver."""
    if isinstance(game, FileGame):
        return import_module(f"{__name__}.game_files").FileGameAdviser
    return kinds().get(game.id)


class Advisers:
    """The advisers of all games, each created on first use; not thread-safe."""

    def __init__(self, given: Given | None = None) -> None:
        """`given` holds the flags from the command line; empty at a table."""
        self._given = given
        self._made: dict[str, Adviser] = {}

    def of(self, game: AnyGame) -> Adviser | None:
        """The adviser of a game, or None."""
        if game.id not in self._made and (kind := kind_of(game)) is not None:
            self._made[game.id] = kind(self._given)
        return self._made.get(game.id)

    def for_match(self, match: Match) -> Advice:
        """The best move now, for the player who must decide.

        Raises NoAdviceError if there is nothing to decide, or the answer is unknown.
        """
        if match.stop or match.outcome:
            raise NoAdviceError("there is nothing to decide: the match is over or stuck")
        adviser = self.of(match.game)
        if adviser is None:
            raise NoAdviceError("there is no advice for {game}", game=match.game.title)
        return adviser.at_table(match)()


_ASKED = Advisers()
"""Only used to ask whether there is a question, which computes nothing, so threads may share it."""


def advisable(match: Match) -> bool:
    """Whether there is something to ask about now. Computes nothing, so the answer may still be unknown."""
    adviser = None if match.stop or match.outcome else _ASKED.of(match.game)
    try:
        return adviser is not None and bool(adviser.at_table(match))
    except NoAdviceError:
        return False

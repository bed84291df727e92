"""What each choice at the table is worth: asked, never unasked; exact, or plainly called an estimate.

`Advisers` answers for a match or a command. Beneath it is a module or a folder for each family of games, on
`lattice.py` (what thrown dice bring, for thousands of positions at once). `fairness.py` and `luck.py` look back on
an evening.
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
"""Modules and folders here, each with its `ADVISERS`: an `Adviser` by the id of its game. Destiny has none: it has no
dice, and hands that nobody may look into."""


@cache
def kinds() -> Mapping[str, type[Adviser]]:
    """The adviser of each game that has one, by the game's id."""
    found: dict[str, type[Adviser]] = {}
    for family in FAMILIES:
        found |= import_module(f"{__name__}.{family}").ADVISERS
    return found


def kind_of(game: AnyGame) -> type[Adviser] | None:
    """The adviser of a game; of one that a file tells, the general solver. None if it has none."""
    if isinstance(game, FileGame):
        return import_module(f"{__name__}.game_files").FileGameAdviser
    return kinds().get(game.id)


class Advisers:
    """The advisers of all games, each made when it is first asked; not for two threads at a time."""

    def __init__(self, given: Given | None = None) -> None:
        """`given` is what was typed for their flags, nothing at a table."""
        self._given = given
        self._made: dict[str, Adviser] = {}

    def of(self, game: AnyGame) -> Adviser | None:
        """The adviser of a game, None if it has none."""
        if game.id not in self._made and (kind := kind_of(game)) is not None:
            self._made[game.id] = kind(self._given)
        return self._made.get(game.id)

    def for_match(self, match: Match) -> Advice:
        """The best to do now, for the player who is to decide.

        Raises NoAdviceError if nothing is to be decided, or nobody knows.
        """
        if match.stop or match.outcome:
            raise NoAdviceError("there is nothing to decide: the match is over or stuck")
        adviser = self.of(match.game)
        if adviser is None:
            raise NoAdviceError("there is no advice for {game}", game=match.game.title)
        return adviser.at_table(match)()


_ASKED = Advisers()
"""Only asked whether there is a question, which works nothing out: threads may share it."""


def advisable(match: Match) -> bool:
    """Whether there is something to ask about now; costs nothing, and so does not know what nobody has solved."""
    adviser = None if match.stop or match.outcome else _ASKED.of(match.game)
    try:
        return adviser is not None and bool(adviser.at_table(match))
    except NoAdviceError:
        return False

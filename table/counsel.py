"""The quiet expert at the table: asked, it says the best move in one sentence, and why in a second one.

Nothing here is an event, and nothing is told to anyone who did not ask.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.actions import Hold
from scoring.match import Match
from table import words
from table.advice import luck
from table.advice.ask import Advisers
from table.advice.fate import FateAdviser
from table.advice.record import Advice, NoAdviceError
from table.advice.spoken import held


@dataclass(frozen=True, slots=True)
class Counsel:
    """An answer to "what should I do?": the sentence, and the reason for it."""

    sentence: str
    why: str


class Expert:
    """Answers about running matches, from any thread; what is expensive to know is worked out once."""

    def __init__(self, heads: Advisers | None = None) -> None:
        """`heads` are the advisers, by default those of even dice, with six eights ignored."""
        self._heads = heads or Advisers()
        self._lock = threading.Lock()

    def best_move(self, match: Match, labels: Mapping[str, str]) -> Counsel:
        """The best to do now, the faces by their labels. Raises NoAdviceError where there is nothing to say."""
        with self._lock:
            advice = self._heads.for_match(match)
        kind = "" if advice.exact else " This is an estimate."
        return Counsel(_sentence(advice, match, labels), f"{advice.why}{kind}")

    def last_turn(self, match: Match) -> str:
        """How good the choices of the turn that ended last, or still runs, were. Raises NoAdviceError."""
        with self._lock:
            player = luck.last_player(match)
            if player is None:
                raise NoAdviceError("nothing has been decided yet")
            return luck.last_turn(match, player, self._fate(match))

    def look_back(self, match: Match) -> luck.Luck:
        """Luck and losses of a match so far. Raises NoAdviceError where they cannot be told apart."""
        with self._lock:
            return luck.look_back(match, self._fate(match))

    def _fate(self, match: Match) -> FateAdviser | None:
        return self._heads.fate(match.state.options) if match.header.game == "meet-fate" else None


def _sentence(advice: Advice, match: Match, labels: Mapping[str, str]) -> str:
    """What to do, with the faces as the table calls them."""
    move = advice.best.move
    if not isinstance(move, Hold):
        return advice.sentence
    keep = [labels.get(face, face) for face in move.keep]
    return words.sentence(held(keep, match.game.dice.count))

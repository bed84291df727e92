"""The quiet expert at the table: when asked, it names the best move in one sentence and the reason in another.

It creates no events, and tells nobody who did not ask.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from advice import Advisers, luck
from advice.record import NoAdviceError
from advice.spoken import held
from messages.message import message
from scoring.actions import Hold
from scoring.match import Match
from words.speaker import Speaker


@dataclass(frozen=True, slots=True)
class Counsel:
    """An answer to "what should I do?": the sentence, and the reason for it."""

    sentence: str
    why: str


class Expert:
    """Answers about running matches, from any thread; expensive results are computed once."""

    def __init__(self, heads: Advisers | None = None) -> None:
        """`heads` are the advisers; the default ones assume fair dice."""
        self._heads = heads or Advisers()
        self._lock = threading.Lock()

    def best_move(self, match: Match, tongue: Speaker) -> Counsel:
        """The best move now, in the words of the table. Raises NoAdviceError if there is nothing to say."""
        with self._lock:
            advice = self._heads.for_match(match)
        told = advice.best.move
        said = (held(told.keep, match.game.dice.count),) if isinstance(told, Hold) else advice.said
        why = advice.reasons
        if advice.assumed and not advice.exact:
            why = (*why, message("an estimate: {assumed}", assumed=advice.assumed))
        return Counsel(tongue.sentence(said), tongue.sentence(why))

    def last_turn(self, match: Match, tongue: Speaker) -> str:
        """How good the choices of the last turn, finished or not, were. Raises NoAdviceError."""
        with self._lock:
            player = luck.last_player(match)
            if player is None:
                raise NoAdviceError("nothing has been decided yet")
            return tongue.sentence([luck.last_turn(match, player, self._heads)])

    def look_back(self, match: Match) -> luck.Luck:
        """Luck and losses of a match so far. Raises NoAdviceError if they cannot be told apart."""
        with self._lock:
            return luck.look_back(match, self._heads)

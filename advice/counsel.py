"""The quiet expert at the table: asked, it says the best move in one sentence, and why in a second one.

Nothing here is an event, and nothing is told to anyone who did not ask.
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
    """Answers about running matches, from any thread; what is expensive to know is worked out once."""

    def __init__(self, heads: Advisers | None = None) -> None:
        """`heads` are the advisers, by default those of even dice."""
        self._heads = heads or Advisers()
        self._lock = threading.Lock()

    def best_move(self, match: Match, tongue: Speaker) -> Counsel:
        """The best to do now, as the table says it. Raises NoAdviceError if there is nothing to say."""
        with self._lock:
            advice = self._heads.for_match(match)
        told = advice.best.move
        said = (held(told.keep, match.game.dice.count),) if isinstance(told, Hold) else advice.said
        why = advice.reasons
        if advice.assumed and not advice.exact:
            why = (*why, message("an estimate: {assumed}", assumed=advice.assumed))
        return Counsel(tongue.sentence(said), tongue.sentence(why))

    def last_turn(self, match: Match, tongue: Speaker) -> str:
        """How good the choices of the turn that ended last, or still runs, were. Raises NoAdviceError."""
        with self._lock:
            player = luck.last_player(match)
            if player is None:
                raise NoAdviceError("nothing has been decided yet")
            return tongue.sentence([luck.last_turn(match, player, self._heads)])

    def look_back(self, match: Match) -> luck.Luck:
        """Luck and losses of a match so far. Raises NoAdviceError if they cannot be told apart."""
        with self._lock:
            return luck.look_back(match, self._heads)

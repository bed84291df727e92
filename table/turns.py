"""Whose turn it is, and who made the last throw or decision: what a player may be limited to."""

from __future__ import annotations

from scoring.actions import MoveAwaited, Play, Roll, Seated
from scoring.match import Match


def whose_turn(match: Match) -> tuple[str, ...]:
    """The players who are to throw or to decide now; nobody when the match is over or stopped."""
    if match.stop:
        return ()
    return _named(match, match.state)


def whose_last_word(match: Match, *, waiting: bool) -> tuple[str, ...]:
    """Whose throw or decision a correction or "take back" would change.

    `waiting`: the table asks about a throw that is no roll yet, so it is about whoever is to throw now. Before the
    first throw, and after a change of players, it is nobody's.
    """
    if waiting and match.stop is None:
        return whose_turn(match)
    for index in range(len(match.played) - 1, -1, -1):
        action = match.played[index].action
        if isinstance(action, Seated):
            return ()
        if isinstance(action, Play):
            return (match.header.players[action.player],)
        if isinstance(action, Roll):
            before = match.played[index - 1].step.state if index else match.beginning
            return _named(match, before)
    return ()


def _named(match: Match, state: object) -> tuple[str, ...]:
    """The players a state waits for."""
    asked: list[int] = []
    for one in match.game.awaits(state):
        if isinstance(one, MoveAwaited):
            asked.extend(one.players)
        elif one.player is not None:
            asked.append(one.player)
    return tuple(match.header.players[player] for player in dict.fromkeys(asked))

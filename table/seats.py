"""Who sits at the table may change while a match goes on: somebody joins late, leaves, or the order changes.

The rules know nothing of this, and need not: a match among other people is another match, and what everyone has done so
far can be told again in it. Each player's turns stay theirs. They are replayed in the new order until somebody is to
play who has no turn left: whoever joins late plays the turns they missed, and the others' follow by themselves. Where
what players did depends on each other, so that it is not legal among the new ones, the change is refused in a line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.actions import (
    Action,
    DrawAwaited,
    IllegalMoveError,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    refuse,
)
from scoring.match import Match, begin

Turns = Mapping[str, tuple[Action, ...]]
"""What each player has done, by name, in order: their rolls and their decisions."""


def turns(match: Match) -> Turns:
    """What each player has done so far.

    Raises:
        IllegalMoveError: cards were drawn or the replay stopped, so turns are not the players' own.
    """
    if match.stop:
        refuse(match.stop.message)
    found: dict[str, list[Action]] = {name: [] for name in match.header.players}
    state = match.beginning
    for one in match.played:
        expected = match.game.awaits(state)
        if isinstance(one.action, Play):
            found[match.header.players[one.action.player]].append(one.action)
        elif isinstance(one.action, Roll):
            thrower = next(awaited for awaited in expected if isinstance(awaited, RollAwaited))
            found[match.header.players[thrower.player]].append(one.action)
        else:
            refuse("cards were drawn from a common pile: nobody can join or leave this match any more")
        state = one.step.state
    return {name: tuple(actions) for name, actions in found.items()}


def reseated(match: Match, players: Sequence[str]) -> tuple[Match, Turns]:
    """The match told anew among these players, and what of the earlier turns is still to follow in it.

    Raises:
        IllegalMoveError: the match is over, or what was done is not legal among them.
        ValueError: the players do not fit the game.
    """
    if match.outcome:
        refuse("the match is over")
    done = turns(match)
    after = begin(match.game, players, dict(match.header.options))
    stay = set(match.header.players) & set(after.header.players)
    if not stay:
        refuse("nobody of those who played would be left: begin a new match")
    left = {name: done.get(name, ()) for name in after.header.players}
    return follow_on(after, left)


def follow_on(match: Match, left: Turns) -> tuple[Match, Turns]:
    """Replay what is `left` as far as it goes: until somebody is to play who has nothing left.

    Raises:
        IllegalMoveError: an earlier turn is not legal now.
    """
    remaining = {name: list(actions) for name, actions in left.items()}
    while not match.stop and not match.outcome:
        name = _next(match)
        if name is None or not remaining.get(name):
            break
        action = remaining[name].pop(0)
        if isinstance(action, Play):
            action = Play(match.header.players.index(name), action.move)
        try:
            match = match.add(action)
        except IllegalMoveError as refused:
            refuse("the turns so far cannot be told among these players: {why}", why=refused.message)
    return match, {name: tuple(actions) for name, actions in remaining.items() if actions}


def _next(match: Match) -> str | None:
    """Who is to play; None when that is not one player alone."""
    expected = match.game.awaits(match.state)
    if not expected or any(isinstance(one, DrawAwaited) for one in expected):
        return None
    who = {player for one in expected for player in _players(one)}
    return match.header.players[who.pop()] if len(who) == 1 else None


def _players(awaited: object) -> tuple[int, ...]:
    if isinstance(awaited, RollAwaited):
        return (awaited.player,)
    return awaited.players if isinstance(awaited, MoveAwaited) else ()

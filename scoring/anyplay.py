"""Some legal action, whichever: for demos, for playing without dice, and for tests that play anything.

Nothing is rolled in here either: `choose(n)` is the caller's, and says a number from 0 to n - 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from scoring.actions import (
    Action,
    Awaited,
    Draw,
    DrawAwaited,
    Family,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
)
from scoring.game import AnyGame

Choose: TypeAlias = Callable[[int], int]
"""Gives a number from 0 to one less than its argument."""


def any_action(game: AnyGame, state: Any, choose: Choose) -> Action:
    """Some action that is legal now: a roll, a draw or a move. ValueError if the match is over."""
    awaited = game.awaits(state)
    if not awaited:
        raise ValueError("the match is over: nothing is awaited")
    one = awaited[choose(len(awaited))]
    if isinstance(one, MoveAwaited):
        player = one.players[choose(len(one.players))]
        return Play(player, any_move(game, state, player, choose))
    return any_chance(one, choose)


def any_chance(awaited: Awaited, choose: Choose) -> Action:
    """A throw of fair dice with one of each face, or cards out of a shuffled pile."""
    if isinstance(awaited, RollAwaited):
        thrown = awaited.dice - len(awaited.kept)
        faces = awaited.faces
        return Roll((*awaited.kept, *(faces[choose(len(faces))] for _ in range(thrown))))
    if isinstance(awaited, DrawAwaited):
        among = list(awaited.among)
        drawn = [among.pop(choose(len(among))) for _ in range(awaited.count)]
        return Draw(awaited.pile, tuple(drawn))
    raise ValueError("a decision is awaited, not chance")


def any_move(game: AnyGame, state: Any, player: int, choose: Choose) -> Move:
    """Some legal move of a player who is asked."""
    legal = game.legal_moves(state, player)
    one = legal[choose(len(legal))]
    return one.members[choose(len(one.members))] if isinstance(one, Family) else one

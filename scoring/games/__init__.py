"""One file a game, and the list of them all."""

from __future__ import annotations

from scoring.dice import named
from scoring.game import AnyGame
from scoring.games import (
    called_shot,
    destiny,
    everyone_scores,
    meet_fate,
    outback,
    outlander,
    pairs,
    quintuples,
    triples,
)

GAMES: tuple[AnyGame, ...] = (
    *outlander.GAMES,
    *meet_fate.GAMES,
    *pairs.GAMES,
    *triples.GAMES,
    *called_shot.GAMES,
    *quintuples.GAMES,
    *everyone_scores.GAMES,
    *destiny.GAMES,
    *outback.GAMES,
)
"""Every game there is, in the order in which people meet them."""

BY_ID = {game.id: game for game in GAMES}


def available() -> tuple[AnyGame, ...]:
    """Every game there is, in the order in which people meet them."""
    return GAMES


def find(game_id: str) -> AnyGame:
    """The game with this id, forgiving case and dashes. Raises ValueError with the ids there are."""
    return BY_ID[named(game_id, BY_ID, "a game")]

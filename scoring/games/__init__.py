"""One file a game, and the list of them all."""

from __future__ import annotations

from scoring.dice import named
from scoring.game import AnyGame
from scoring.games.cats import called_shot, everyone_scores, pairs, quintuples, triples
from scoring.games.destiny import game as destiny
from scoring.games.meet_fate import game as meet_fate
from scoring.games.outback import game as outback
from scoring.games.outlander import game as outlander

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

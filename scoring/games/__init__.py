"""One file a game, and the list of them all."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from scoring.dice import named
from scoring.game import AnyGame

MODULES = (
    "outlander",
    "meet_fate",
    "pairs",
    "triples",
    "called_shot",
    "quintuples",
    "everyone_scores",
    "destiny",
    "outback",
)
"""The files of this folder that hold games, in the order in which people meet them; each has `GAMES`."""


def available() -> tuple[AnyGame, ...]:
    """Every game there is, in the order in which people meet them."""
    found: list[AnyGame] = []
    for name in MODULES:
        if find_spec(f"scoring.games.{name}"):
            found.extend(import_module(f"scoring.games.{name}").GAMES)
    return tuple(found)


def find(game_id: str) -> AnyGame:
    """The game with this id, forgiving case and dashes. Raises ValueError with the ids there are."""
    games = {game.id: game for game in available()}
    return games[named(game_id, games, "a game")]

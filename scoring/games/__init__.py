"""Every game there is: a folder a family, and its name below. docs/add-a-game.md says how to add one.

Nothing outside a game's folder, its advice and its board asks which game is played: what pages, advice, the command
line and the languages need to know, the game declares (`scoring.game.Game`).
"""

from __future__ import annotations

from importlib import import_module

from scoring.dice import named, spelled
from scoring.game import AnyGame

FAMILIES = (
    "outlander",
    "meet_fate",
    "cats",
    "destiny",
    "outback",
)
"""The folders, in the order in which people meet the games. Each has a `game.py` with its `GAMES`."""

NEEDED = ("id", "title", "blurb", "dice", "seats", "moves")
"""What every game declares and no default can stand for."""

GAMES: dict[str, AnyGame] = {}
"""Every registered game by its id."""


class GameError(ValueError):
    """A game that cannot be registered; one line that names the game and the field."""


def register(family: str) -> None:
    """Register the games of a folder. Raises GameError."""
    for game in import_module(f"{__name__}.{family}.game").GAMES:
        _check(game)
        GAMES[game.id] = game


def available() -> tuple[AnyGame, ...]:
    """Every game there is, in the order in which people meet them."""
    return tuple(GAMES.values())


def find(game_id: str) -> AnyGame:
    """The game with this id, forgiving case and dashes. Raises ValueError with the ids there are."""
    return GAMES[named(game_id, GAMES, "a game")]


def ids() -> tuple[str, ...]:
    """Every id that a sentence may name, each once: faces, declarations, cards, and what games call `names`."""
    return tuple(
        dict.fromkeys(
            one
            for game in available()
            for one in (*game.dice.faces, *game.declarations, *game.scored_cards, *game.names)
        )
    )


def _check(game: AnyGame) -> None:
    name = getattr(game, "id", type(game).__name__)
    for field in NEEDED:
        if getattr(game, field, "") == "":
            raise GameError(f"game {name}: expected a {field}, got none")
    if spelled(name) in map(spelled, GAMES):
        raise GameError(f"game {name}: expected an id of its own, got one that is taken")


for _family in FAMILIES:
    register(_family)

"""All games: a folder for each family, and its name below. docs/add-a-game.md says how to add one.

A folder has a `game.py` or a `game.toml` (docs/game-files.md). Players' own game files are registered by
`table.game_files`.

Nothing outside a game's folder, its advice and its board asks which game is played: the game declares everything that
pages, advice, the command line and the languages need (`scoring.game.Game`).
"""

from __future__ import annotations

from importlib import import_module
from importlib.resources import as_file, files

from scoring.dice import named, spelled
from scoring.game import AnyGame
from scoring.gamefile.game import FileGame, game_of
from scoring.gamefile.reading import read

FAMILIES = (
    "outlander",
    "meet_fate",
    "cats",
    "destiny",
    "outback",
    "yacht",
    "ten_thousand",
    "skull_cove",
    "tally",
)
"""The folders, in the order in which people meet the games. Each has a `game.py` with its `GAMES`, or a `game.toml`."""

NEEDED = ("id", "title", "blurb", "dice", "seats", "moves")
"""What every game declares and no default can stand for."""

GAMES: dict[str, AnyGame] = {}
"""Every registered game by its id."""


class GameError(ValueError):
    """A game that cannot be registered; one line that names the game and the field."""


def register(family: str) -> None:
    """Register the games of a folder. Raises GameError, and GameFileError."""
    told = files(__name__) / family / "game.toml"
    if told.is_file():
        with as_file(told) as path:
            add(game_of(read(told.read_text(encoding="utf-8")), str(path)))
        return
    for game in import_module(f"{__name__}.{family}.game").GAMES:
        add(game)


def add(game: AnyGame) -> None:
    """Register a game, replacing one that came from a file. Raises GameError."""
    if isinstance(GAMES.get(game.id), FileGame) and game.id not in SHIPPED:
        del GAMES[game.id]
    _check(game)
    GAMES[game.id] = game


def remove(game_id: str) -> None:
    """Forget a game that did not come with Tableside."""
    if game_id not in SHIPPED:
        GAMES.pop(game_id, None)


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


SHIPPED: set[str] = set()
"""The ids of the games that come with Tableside."""

for _family in FAMILIES:
    register(_family)
SHIPPED.update(GAMES)

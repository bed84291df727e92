"""Keeps the players' own games: a folder each in the data folder, named after the game, with its `game.toml`.

A file may come from a stranger: its size is limited, and all of it is checked (`scoring.gamefile.reading`) before it is
kept.
"""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

from files.atomic import write_whole
from files.folders import tables_folder
from messages.message import MessageError, message, naming
from scoring import games
from scoring.gamefile.game import FileGame, game_of
from scoring.gamefile.reading import LARGEST_FILE, GameFileError, read
from scoring.gamefile.rules import Rules

FILE = "game.toml"
MOST_GAMES = 200
"""Most folders to search."""


KINDS = ("sheet", "push", "symbols", "count")
"""Example games to start from: a sheet, pushing your luck, symbols, a plain count."""


def kind_text(kind: str) -> str:
    """A small game of a kind, with comments."""
    return (files("scoring.gamefile") / "kinds" / f"{kind}.toml").read_text(encoding="utf-8")


def own_games() -> Path:
    """The folder of the players' own games."""
    return tables_folder() / "games"


def read_file(path: Path) -> Rules:
    """Read the rules in a file. Raises GameFileError, which names it, and OSError."""
    with naming(str(path), GameFileError):
        return read(text_of(path))


def text_of(path: Path) -> str:
    """A file's text, unless it is too large. Raises GameFileError, OSError."""
    with path.open("rb") as file:
        return text_of_bytes(file.read(4 * LARGEST_FILE + 1))


def text_of_bytes(content: bytes) -> str:
    """Decode a file's text. Raises GameFileError if it is not text."""
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as refused:
        at = content[: refused.start].count(b"\n") + 1
        raise GameFileError("line {line}: {why}", line=at, why=message("this is not UTF-8 text")) from None


def load() -> tuple[Exception, ...]:
    """Register all games; the errors of those that cannot be registered."""
    try:
        folders = sorted(path.parent for path in own_games().glob(f"*/{FILE}"))[:MOST_GAMES]
    except OSError:
        return ()
    return tuple(error for folder in folders if (error := _loaded(folder / FILE)))


def _loaded(path: Path) -> Exception | None:
    try:
        rules = read_file(path)
        if rules.id != path.parent.name:
            raise GameFileError(
                "{file}: the folder must be named like the game’s id, {id}", file=str(path), id=rules.id
            )
        games.add(game_of(rules, str(path)))
    except (OSError, ValueError) as refused:
        return refused
    return None


def keep(text: str, *, replacing: bool = False) -> FileGame:
    """Check a game file, keep it and register its game.

    Raises:
        GameFileError: it is not a game, or its id is taken (unless `replacing` an own game); nothing has changed.
        OSError: it cannot be written.
    """
    rules = read(text)
    path = own_games() / rules.id / FILE
    if rules.id in games.SHIPPED or (rules.id in games.GAMES and not replacing):
        raise GameFileError("a game with the id {id} already exists; choose another id", id=rules.id)
    if not path.exists() and len(list(own_games().glob("*"))) >= MOST_GAMES:
        raise GameFileError("there are {most} games already; delete one first", most=MOST_GAMES)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())
    game = game_of(rules, str(path))
    games.add(game)
    return game


def forget(game_id: str) -> None:
    """Delete an own game. Its matches stay and can be read again once the same file is back.

    Raises GameFileError if there is no such game, OSError if it cannot be deleted.
    """
    if game_id not in {game.id for game in own()}:
        raise MessageError("there is no game of yours with the id {got:quoted}", got=game_id)
    shutil.rmtree(own_games() / game_id)
    games.remove(game_id)


def own() -> tuple[FileGame, ...]:
    """The players' own games that are registered."""
    return tuple(
        one for one in games.available() if isinstance(one, FileGame) and one.id not in games.SHIPPED
    )

"""The names of people who have played here, so that nobody types them twice: those of the matches that are kept,
but for the ones somebody let go, which a small file in the data folder holds."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from files.records import read_record, write_record
from scoring.game import unfit

FILE: Final = "players.json"
MOST: Final = 24
"""Names that are remembered, the ones who played last first."""
MOST_FORGOTTEN: Final = 200
"""Names that somebody let go and that are kept in mind."""
LONGEST: Final = 40
"""Letters of a name, as the games have it (`scoring.game.Game.initial`)."""


class _Names(msgspec.Struct, frozen=True):
    """The file."""

    version: int = 1
    players: tuple[str, ...] = ()
    """Who is in no match any more."""
    forgotten: tuple[str, ...] = ()


class RecentPlayers:
    """The remembered names of a data folder. Safe from any thread.

    They are a convenience: a file that cannot be read or written costs the memory and nothing else. Players of the
    running match are not kept here, so a name that is corrected in the middle of a match leaves no trace.
    """

    def __init__(self, folder: Path) -> None:
        """Nothing is read yet, and nothing made."""
        self._path = folder / FILE
        self._lock = threading.Lock()

    def names(self, played: Iterable[Sequence[str]] = ()) -> tuple[str, ...]:
        """Who is remembered, the last players first; `played` are the players of each match, the newest first."""
        with self._lock:
            earlier, forgotten = self._read()
        every = _distinct([*(name for players in played for name in players), *earlier])
        return tuple(name for name in every if name not in forgotten)[:MOST]

    def plays(self, players: Sequence[str]) -> None:
        """These people play now: they are offered again, should they have been forgotten."""
        with self._lock:
            earlier, forgotten = self._read()
            if set(forgotten) & set(players):
                self._write(earlier, tuple(name for name in forgotten if name not in players))

    def left(self, names: Sequence[str]) -> None:
        """These people left a match in which they played; they are offered for the next one."""
        with self._lock:
            earlier, forgotten = self._read()
            self._write(_distinct([*names, *earlier])[:MOST], forgotten)

    def forget(self, name: str) -> None:
        """Do not offer this name any more."""
        with self._lock:
            earlier, forgotten = self._read()
            self._write(
                tuple(one for one in earlier if one != name), _distinct([name, *forgotten])[:MOST_FORGOTTEN]
            )

    def _read(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names that are in no match any more, and the forgotten ones; nothing without a file of ours."""
        names = read_record(self._path, _Names) or _Names()
        return _distinct(names.players), _distinct(names.forgotten)

    def _write(self, earlier: Sequence[str], forgotten: Sequence[str]) -> None:
        with suppress(OSError):
            write_record(self._path, _Names(players=tuple(earlier), forgotten=tuple(forgotten)))


def fitting(name: str) -> bool:
    """Whether a game takes this name."""
    return 0 < len(name) <= LONGEST and name == name.strip() and not unfit(name)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if fitting(name))

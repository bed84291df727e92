"""Remembers the names of players, so that nobody types them twice: those in stored matches, except for names that
people removed, which are listed in a small file in the data folder."""

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
"""Most remembered names; the last players come first."""
MOST_FORGOTTEN: Final = 200
"""Most removed names on that list."""
LONGEST: Final = 40
"""Longest name, as in games (`scoring.game.Game.initial`)."""


class _Names(msgspec.Struct, frozen=True):
    """The content of the file."""

    version: int = 1
    players: tuple[str, ...] = ()
    """Players who are no longer in any match."""
    forgotten: tuple[str, ...] = ()


class RecentPlayers:
    """The remembered names of a data folder, for any thread.

    They are a convenience: if the file cannot be read or written, nothing else is lost. Players of the running match
    are not stored here, so that a name corrected during a match leaves no trace.
    """

    def __init__(self, folder: Path) -> None:
        """Neither read nor create anything yet."""
        self._path = folder / FILE
        self._lock = threading.Lock()

    def names(self, played: Iterable[Sequence[str]] = ()) -> tuple[str, ...]:
        """The remembered names, the last players first; `played` are the players of each match, newest first."""
        with self._lock:
            earlier, forgotten = self._read()
        every = _distinct([*(name for players in played for name in players), *earlier])
        return tuple(name for name in every if name not in forgotten)[:MOST]

    def plays(self, players: Sequence[str]) -> None:
        """These people are playing, so offer their names again even if they were removed."""
        with self._lock:
            earlier, forgotten = self._read()
            if set(forgotten) & set(players):
                self._write(earlier, tuple(name for name in forgotten if name not in players))

    def left(self, names: Sequence[str]) -> None:
        """These people left a match they had played; offer their names for the next one."""
        with self._lock:
            earlier, forgotten = self._read()
            self._write(_distinct([*names, *earlier])[:MOST], forgotten)

    def forget(self, name: str) -> None:
        """Stop offering this name."""
        with self._lock:
            earlier, forgotten = self._read()
            self._write(
                tuple(one for one in earlier if one != name), _distinct([name, *forgotten])[:MOST_FORGOTTEN]
            )

    def _read(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names that are in no match any more, and the removed ones; both empty without a valid file."""
        names = read_record(self._path, _Names) or _Names()
        return _distinct(names.players), _distinct(names.forgotten)

    def _write(self, earlier: Sequence[str], forgotten: Sequence[str]) -> None:
        with suppress(OSError):
            write_record(self._path, _Names(players=tuple(earlier), forgotten=tuple(forgotten)))


def fitting(name: str) -> bool:
    """Whether games accept this name."""
    return 0 < len(name) <= LONGEST and name == name.strip() and not unfit(name)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if fitting(name))

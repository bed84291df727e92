"""The names of people who have played here, so that nobody types them twice: one small file in the data folder."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from scoring.game import unfit

FILE: Final = "players.json"
MOST: Final = 24
"""Names that are remembered, the ones who played last first."""
LONGEST: Final = 40
"""Letters of a name, as the games have it (`scoring.game.Game.initial`)."""
LARGEST: Final = 64 * 1024
"""Bytes of the file; a larger one is none of ours."""


class Remembered:
    """The remembered names of a data folder. Safe from any thread.

    They are a convenience: a file that cannot be read or written costs the memory and nothing else.
    """

    def __init__(self, folder: Path) -> None:
        """Nothing is read yet, and nothing made."""
        self._path = folder / FILE
        self._lock = threading.Lock()

    def names(self, before: Iterable[Sequence[str]] = ()) -> tuple[str, ...]:
        """Who is remembered, the ones who played last first.

        `before` are the players of earlier matches, the newest match first, for a folder that has no file yet.
        """
        with self._lock:
            kept = self._read()
        if kept is None:
            kept = [name for players in before for name in players]
        return _distinct(kept)

    def add(self, players: Sequence[str], before: Iterable[Sequence[str]] = ()) -> None:
        """These people play now."""
        known = self.names(before)
        with self._lock:
            self._write(_distinct([*players, *known]))

    def forget(self, name: str, before: Iterable[Sequence[str]] = ()) -> None:
        """Do not offer this name any more."""
        known = self.names(before)
        with self._lock:
            self._write(tuple(one for one in known if one != name))

    def _read(self) -> list[str] | None:
        """The names in the file; None without one of ours."""
        try:
            with self._path.open("rb") as file:
                text = file.read(LARGEST + 1)
            told = json.loads(text.decode("utf-8")) if len(text) <= LARGEST else None
        except (OSError, ValueError, RecursionError):
            return None
        listed = cast("dict[str, Any]", told).get("players") if isinstance(told, dict) else None
        if not isinstance(listed, list):
            return None
        return [name for name in cast("list[object]", listed) if isinstance(name, str) and fitting(name)]

    def _write(self, names: Sequence[str]) -> None:
        """Beside the file first, so that a full disk or a crash leaves the old one whole."""
        beside = self._path.with_name(f".{FILE}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps({"version": 1, "players": list(names)}, ensure_ascii=False), "utf-8")
            beside.replace(self._path)
        except OSError:
            with suppress(OSError):
                beside.unlink()


def fitting(name: str) -> bool:
    """Whether a game takes this name."""
    return 0 < len(name) <= LONGEST and name == name.strip() and not unfit(name)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if fitting(name))[:MOST]

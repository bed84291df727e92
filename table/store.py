"""Match logs on disk: one file of JSON lines a match, each line safe before anyone hears of it (invariant
4)."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path

import platformdirs

from scoring.game import AnyGame
from scoring.logfile import event_line, header_line, read
from scoring.match import Event, Match


class StoreError(OSError):
    """A log that cannot be written: the disk is full, or the folder read-only. One clear line."""


def tables_folder() -> Path:
    """The folder of the players' own things: $TABLESIDE_DATA, or where platformdirs says."""
    chosen = os.environ.get("TABLESIDE_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("tableside", appauthor=False)


class MatchStore:
    """The log of one running match, open for appending."""

    def __init__(self, path: Path, written: int) -> None:
        """Use `begin` or `resume`; `written` is the number of events the file holds."""
        self.path = path
        self._written = written

    @classmethod
    def begin(cls, folder: Path, match: Match) -> MatchStore:
        """Start a new file for a match.

        Raises:
            StoreError: it cannot be written.
        """
        name = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{match.header.game}-{secrets.token_hex(3)}.jsonl"
        store = cls(folder / name, 0)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with store.path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(header_line(match.header) + "\n")
                file.flush()
                os.fsync(file.fileno())
            _sync_folder(folder)
        except OSError as refused:
            raise StoreError(f"the match cannot be kept in {folder}: {refused.strerror}") from refused
        store.keep(match.events)
        return store

    @classmethod
    def resume(cls, path: Path, find: Callable[[str], AnyGame]) -> tuple[MatchStore, Match]:
        """Go on with a match. A last line that was torn off was never announced, and is dropped.

        Raises:
            MatchLogError: it is no log; one line saying where.
            OSError: it cannot be read or written.
        """
        whole = path.read_bytes()
        kept = whole[: whole.rfind(b"\n") + 1]
        match = read(kept.decode("utf-8", errors="replace"), find)
        if len(kept) < len(whole):
            with path.open("r+b") as file:
                file.truncate(len(kept))
                os.fsync(file.fileno())
        return cls(path, len(match.events)), match

    def keep(self, events: tuple[Event, ...]) -> None:
        """Write the events the file does not hold yet, and return once they are on disk.

        Raises:
            StoreError: they are not; the file ends where it ended before.
        """
        fresh = events[self._written :]
        if not fresh:
            return
        lines = [event_line(number, event) for number, event in enumerate(fresh, start=self._written + 1)]
        before = 0
        try:
            with self.path.open("r+b") as file:
                before = file.seek(0, os.SEEK_END)
                file.write("".join(f"{line}\n" for line in lines).encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as refused:
            self._cut(before)
            raise StoreError(f"{self.path} cannot be written: {refused.strerror}") from refused
        self._written = len(events)

    def _cut(self, length: int) -> None:
        """Take back half a line, as far as the disk allows; `resume` drops what is left of one."""
        try:
            if length:
                os.truncate(self.path, length)
        except OSError:
            pass


def _sync_folder(folder: Path) -> None:
    """Make the file's name as lasting as its content; Windows has no such thing, and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

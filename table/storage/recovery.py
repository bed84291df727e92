"""Explains damage to a store in one clear line, finds damage that the database overlooks, and rescues matches.

Each event is stored with a checksum over the previous checksum and its own line, and each match with the checksum of
its last event. The newest part of an SQLite store is in its write-ahead log. From the first damaged byte on, SQLite
silently drops the rest of that log with its checksums; `Newest` notices.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from shutil import copyfile

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from messages.message import N_, Message, message

SQLITE_WORDS = {
    "SQLITE_FULL": N_("{store}: the disk is full"),
    "SQLITE_READONLY": N_("{store}: it is write-protected"),
    "SQLITE_CANTOPEN": N_("{store}: it cannot be opened or created"),
    "SQLITE_PERM": N_("{store}: permission denied"),
    "SQLITE_BUSY": N_("{store}: another program is using it"),
    "SQLITE_LOCKED": N_("{store}: another program is using it"),
    "SQLITE_IOERR": N_("{store}: the disk reports an error (full, over its size limit or failing)"),
    "SQLITE_CORRUPT": N_("{store}: it is damaged; run `tableside matches rescue` to save what can "
                         "still be read"),
    "SQLITE_INTERRUPT": N_("{store}: reading takes too long; it is damaged or does not hold matches"),
    "SQLITE_NOTADB": N_(
        "{store}: it is damaged or does not hold matches; run `tableside matches rescue` to save "
        "what can still be read"
    ),
}
"""SQLite's primary result codes (sqlite.org/rescode.html) in words."""


class TornStoreError(sqlite3.DatabaseError):
    """The file is shorter than its header says."""

    sqlite_errorname = "SQLITE_CORRUPT"


def complaint(name: str, refused: SQLAlchemyError) -> Message:
    """A database's error in one line, without passwords and SQL."""
    original = refused.orig if isinstance(refused, DBAPIError) else None
    if isinstance(original, TornStoreError):
        return message(
            "{store}: it is damaged ({why}); run `tableside matches rescue` to save what can still be read",
            store=name,
            why=str(original),
        )
    code = str(getattr(original, "sqlite_errorname", ""))
    for known, words in SQLITE_WORDS.items():
        if code == known or code.startswith(f"{known}_"):
            return message(words, store=name)
    said = str(original or refused).strip().splitlines() or [type(refused).__name__]
    return message("{store}: {why}", store=name, why=said[0])


def wal_of(store: Path) -> Path:
    """The write-ahead log of an SQLite database."""
    return store.with_name(f"{store.name}-wal")


def newest_of(store: Path) -> Path:
    """The file of `Newest`."""
    return store.with_name(f"{store.name}-newest")


def refuse_torn(path: Path) -> None:
    """Raise DBAPIError if the end of a database file is missing.

    SQLite reads a file whose last page was cut off until it needs that page; people should know before they play. The
    header's fields: sqlite.org/fileformat.html, 1.3. While there is a write-ahead log, the file may lag behind.
    """
    wal = wal_of(path)
    if not path.is_file() or not (size := path.stat().st_size) or (wal.is_file() and wal.stat().st_size):
        return
    with path.open("rb") as file:
        head = file.read(100)
    counted = head[24:28] == head[92:96]
    expected = _told_size(head)
    if len(head) < 100 or (head.startswith(b"SQLite format 3") and counted and size < expected):
        raise damaged(f"{max(expected - size, 100 - len(head))} bytes are missing at its end")


def _told_size(head: bytes) -> int:
    """Size of a database file in bytes by its header: the size of a page times the number of pages."""
    page = int.from_bytes(head[16:18], "big")
    return (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")


def refuse_no_tables(connection: Connection) -> None:
    """Raise DBAPIError if a table is really a view or a virtual table, which could be endless."""
    tables = "name IN ('tableside', 'matches', 'events', 'evidence')"
    found = text(f"SELECT name FROM sqlite_master WHERE {tables} AND (type <> 'table' OR rootpage = 0)")
    if no_table := connection.execute(found).scalars().first():
        raise damaged(f"{no_table} is no table")


def refuse_damaged(connection: Connection) -> None:
    """Raise DBAPIError if the tables with matches are damaged inside; pictures are not checked."""
    for table in ("matches", "events"):
        found = connection.execute(text(f"PRAGMA quick_check({table})")).scalars().all()
        if found != ["ok"]:
            raise damaged(str(found[0]).splitlines()[-1] if found else "unreadable")


def damaged(why: str) -> DBAPIError:
    """The store is damaged although the database accepts it."""
    return DBAPIError("a look for damage", None, TornStoreError(why))


@dataclass(frozen=True, slots=True)
class LogEnd:
    """The end of a log: its last event's number, and the checksum of the log up to there."""

    number: int
    chain: str

    def then(self, line: str) -> LogEnd:
        """The end after one more event."""
        return LogEnd(self.number + 1, chained(self.chain, line))


def chained(before: str, line: str) -> str:
    """The checksum of a log up to this line, from the previous checksum (empty for the head)."""
    return blake2b(f"{before}\n{line}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def whole_until(head: str, events: Iterable[tuple[int, str, str | None]]) -> LogEnd:
    """The end of the undamaged part of a log; `events` are (number, line, checksum) in order."""
    end = LogEnd(0, chained("", head))
    for number, line, chain in events:
        after = end.then(line)
        if (number, chain) != (after.number, after.chain):
            break
        end = after
    return end


class Newest:
    """A small file beside an SQLite store with the ends of the logs of the matches played last.

    It is written after each commit without a sync, so it may lag behind the store but is never ahead of it. Two tables
    that write it at once may lose each other's last line until their next event.
    """

    MOST = 64
    """Most matches in it; the write-ahead log has the ends of only a few."""

    def __init__(self, store: Path) -> None:
        """The file of this database; it need not exist."""
        self._path = newest_of(store)

    def ends(self) -> dict[str, LogEnd]:
        """The end of each match's log by id, the one written last at the end; damaged lines are skipped."""
        found: dict[str, LogEnd] = {}
        with contextlib.suppress(OSError, UnicodeDecodeError):
            for line in self._path.read_bytes().decode("ascii").splitlines():
                match, number, chain, check = (line.split(" ") + [""] * 3)[:4]
                if check == chained(match, f"{number} {chain}")[:8] and number.isdecimal():
                    found[match] = LogEnd(int(number), chain)
        return found

    def note(self, match_id: str, end: LogEnd) -> None:
        """Note that this match's log is on disk up to here. If the disk fails, only the note is lost."""
        ends = self.ends()
        ends.pop(match_id, None)
        self._write({**ends, match_id: end})

    def forget(self, matches: Iterable[str]) -> None:
        """Forget these matches."""
        gone = set(matches)
        self._write({match: end for match, end in self.ends().items() if match not in gone})

    def clear(self) -> None:
        """Forget all matches. Raises OSError."""
        self._path.unlink(missing_ok=True)

    def _write(self, ends: dict[str, LogEnd]) -> None:
        newest = list(ends.items())[-self.MOST :]
        lines = (
            f"{match} {end.number} {end.chain} {chained(match, f'{end.number} {end.chain}')[:8]}\n"
            for match, end in newest
        )
        with contextlib.suppress(OSError):
            # Write in place: some file systems sync a replaced file, which would happen at every event.
            file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
            with file:
                file.write("".join(lines).encode("ascii"))
                file.truncate()


# --- rescue: reading rows from both ends, past the damage

_Rows = dict[tuple[str, int], str]


def rescue(path: Path) -> dict[str, str]:
    """Each match of a damaged SQLite store by its id, as JSON lines up to the first lost event.

    A copy of the file is read, with zeros in place of a missing end. Raises OSError if it cannot be copied.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy.db"
        copyfile(path, copy)
        if (wal := wal_of(path)).is_file():
            copyfile(wal, wal_of(copy))
        _fill_up(copy)
        connection = sqlite3.connect(copy)
        try:
            heads = {
                match: head
                for (match, _), head in _rows(connection, "SELECT id, 0, head FROM matches").items()
            }
            events = _rows(connection, "SELECT match, number, line FROM events")
            chains = _rows(connection, "SELECT match, number, chain FROM events")
        finally:
            connection.close()
    return {
        match: "".join(f"{line}\n" for line in _whole(match, head, events, chains))
        for match, head in heads.items()
    }


def _fill_up(path: Path) -> None:
    """Give the file the length in its header, so that SQLite reads the intact pages."""
    with path.open("r+b") as file:
        expected = _told_size(file.read(100))
        if path.stat().st_size < expected < 1 << 36:
            file.truncate(expected)


def _rows(connection: sqlite3.Connection, query: str) -> _Rows:
    """All rows that can be read, from the first on and from the last back, without indices, as these may be torn."""
    found: _Rows = {}
    for order in ("ASC", "DESC"):
        with contextlib.suppress(sqlite3.DatabaseError):
            for match, number, line in connection.execute(f"{query} NOT INDEXED ORDER BY rowid {order}"):
                if isinstance(match, str) and isinstance(number, int) and isinstance(line, str):
                    found[match, number] = line
    return found


def _whole(match: str, head: str, events: _Rows, chains: _Rows) -> list[str]:
    lines, end = [head], LogEnd(0, chained("", head))
    while _is_event(line := events.get((match, end.number + 1), ""), end.number + 1):
        end = end.then(line)
        if chains.get((match, end.number), end.chain) != end.chain:  # stores before version 4 have no checksum
            break
        lines.append(line)
    return lines


def _is_event(line: str, number: int) -> bool:
    """Whether this is still the line of that event: a torn page may leave zeros in it."""
    try:
        return json.loads(line)["n"] == number
    except (ValueError, TypeError, KeyError):
        return False

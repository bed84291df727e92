"""What is wrong with a store, in one line a person understands, and a look for what the database itself lets pass."""

from __future__ import annotations

from pathlib import Path
from sqlite3 import DatabaseError

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

RESCUE = "`tableside matches rescue` saves what can still be read"

SQLITE_WORDS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it is read-only",
    "SQLITE_CANTOPEN": "it cannot be opened or made",
    "SQLITE_PERM": "permission is denied",
    "SQLITE_BUSY": "another program holds it",
    "SQLITE_LOCKED": "another program holds it",
    "SQLITE_IOERR": "the disk refuses it (full, too large for its limits, or failing)",
    "SQLITE_CORRUPT": f"it is damaged; {RESCUE}",
    "SQLITE_NOTADB": f"it is no store of matches, or damaged; {RESCUE}",
}
"""SQLite's primary result codes (sqlite.org/rescode.html) in words."""


class TornStoreError(DatabaseError):
    """The file is shorter than it says it is."""

    sqlite_errorname = "SQLITE_CORRUPT"


def complain(name: str, refused: SQLAlchemyError) -> str:
    """A database's refusal in one line; it may hold no password, and no SQL."""
    original = refused.orig if isinstance(refused, DBAPIError) else None
    if isinstance(original, TornStoreError):
        return f"{name}: it is damaged ({original}); {RESCUE}"
    code = str(getattr(original, "sqlite_errorname", ""))
    for known, words in SQLITE_WORDS.items():
        if code == known or code.startswith(f"{known}_"):
            return f"{name}: {words}"
    said = str(original or refused).strip().splitlines() or [type(refused).__name__]
    return f"{name}: {said[0]}"


def refuse_torn(path: Path) -> None:
    """Raise DBAPIError when the end of a database file is missing.

    SQLite reads on in a file whose last page was cut until it needs that page; people should hear of it before
    they play. The header's fields: sqlite.org/fileformat.html, 1.3. While there is a write-ahead log the file may
    lag behind.
    """
    wal = path.with_name(f"{path.name}-wal")
    if not path.is_file() or not (size := path.stat().st_size) or (wal.is_file() and wal.stat().st_size):
        return
    with path.open("rb") as file:
        head = file.read(100)
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    counted = head[24:28] == head[92:96]
    expected = (65536 if page == 1 else page) * pages
    if len(head) < 100 or (head.startswith(b"SQLite format 3") and counted and size < expected):
        raise _torn(f"{max(expected - size, 100 - len(head))} bytes are missing at its end")


def refuse_damaged(connection: Connection) -> None:
    """Raise DBAPIError when the tables that hold matches are damaged inside; pictures are not looked at."""
    for table in ("matches", "events"):
        found = connection.execute(text(f"PRAGMA quick_check({table})")).scalars().all()
        if found != ["ok"]:
            raise _torn(str(found[0]).splitlines()[-1] if found else "unreadable")


def _torn(why: str) -> DBAPIError:
    return DBAPIError("a look for damage", None, TornStoreError(why))

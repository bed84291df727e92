"""What can still be read of a damaged store: row by row, from both ends, past what is torn."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
from pathlib import Path
from shutil import copyfile

from table.storage.damage import End, chained, wal_of

Rows = dict[tuple[str, int], str]


def rescue(path: Path) -> dict[str, str]:
    """Each match of a damaged SQLite store by its id, as JSON lines up to the first event that is lost.

    The file is not touched: a copy is read, its missing end made up with zeros. Raises OSError when it cannot be
    copied.
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
    """Give the file the length its header tells, so that SQLite reads the pages that are whole."""
    with path.open("r+b") as file:
        head = file.read(100)
        page = int.from_bytes(head[16:18], "big")
        expected = (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
        if path.stat().st_size < expected < 1 << 36:
            file.truncate(expected)


def _rows(connection: sqlite3.Connection, query: str) -> Rows:
    """Every row that can be read, from the first on and from the last back; indices may be torn, so none is used."""
    found: Rows = {}
    for order in ("ASC", "DESC"):
        with contextlib.suppress(sqlite3.DatabaseError):
            for match, number, line in connection.execute(f"{query} NOT INDEXED ORDER BY rowid {order}"):
                if isinstance(match, str) and isinstance(number, int) and isinstance(line, str):
                    found[match, number] = line
    return found


def _whole(match: str, head: str, events: Rows, chains: Rows) -> list[str]:
    lines, end = [head], End(0, chained("", head))
    while _is_event(line := events.get((match, end.number + 1), ""), end.number + 1):
        end = end.then(line)
        if chains.get((match, end.number), end.chain) != end.chain:  # stores before version 4 have none
            break
        lines.append(line)
    return lines


def _is_event(line: str, number: int) -> bool:
    """Whether this is still the line of that event: a torn page leaves zeros in the middle of one."""
    try:
        return json.loads(line)["n"] == number
    except (ValueError, TypeError, KeyError):
        return False

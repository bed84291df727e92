"""The devices with rights, on disk so that they survive a restart.

A device has a random secret; only its hash is stored, so that nobody who reads the file can use it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from files.atomic import owners_alone

IDLE = 8 * 3600.0
"""Seconds without a word after which a device has to enter again."""

OLDEST = 24 * 3600.0
"""Seconds after which it has to, whatever it did."""

NOTED_EVERY = 60.0
"""Seconds between two notes on disk that a device was heard of."""

MOST = 50
"""Devices that are in at once by the same code; of them the one not heard of for longest makes room."""


class Role(StrEnum):
    """What a device may do."""

    HOST = "host"
    """Everything."""
    PLAYER = "player"
    """Play: throw, decide, correct. Not: replace the match, change sets, say who else may."""
    CAMERA = "camera"
    """Send pictures of the table."""
    WATCHER = "watcher"
    """Look, and nothing else."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device that entered. Times are seconds since 1970."""

    id: str
    """Names it, and gives no right."""
    role: Role
    player: str
    """Who uses it, for a player's device; else empty."""
    called: str
    """What its browser calls itself, in a word or two."""
    entered: float
    seen: float


NOBODY = Device("", Role.WATCHER, "", "", 0.0, 0.0)
"""A device that has not entered."""

EVERYBODY = Device("", Role.HOST, "", "", 0.0, 0.0)
"""Any device, if no PIN is required."""

TABLES = """
CREATE TABLE IF NOT EXISTS devices (hash TEXT PRIMARY KEY, role TEXT NOT NULL, player TEXT NOT NULL,
    called TEXT NOT NULL, entered REAL NOT NULL, seen REAL NOT NULL);
CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL);
"""


class Devices:
    """Remembers the devices that entered. Safe from any thread."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        """Store them in the file at `path`, which only its owner may read; without a path in memory.

        Raises:
            OSError: the file cannot be created or is not ours.
        """
        self._clock = clock
        self._lock = threading.Lock()
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            owners_alone(path)
        try:
            self._file = sqlite3.connect(path or ":memory:", check_same_thread=False, timeout=5.0)
            self._file.executescript(TABLES)
            self._file.execute(
                "INSERT OR IGNORE INTO secrets VALUES ('signing', ?)", (secrets.token_bytes(32),)
            )
            self._file.commit()
            (key,) = self._file.execute("SELECT value FROM secrets WHERE name = 'signing'").fetchone()
        except sqlite3.Error as broken:
            raise OSError(f"{path or 'memory'} does not keep devices: {broken}") from broken
        weakref.finalize(self, self._file.close)
        self.key: bytes = bytes(key)
        """Signs the cookies."""

    def enter(self, role: Role, player: str = "", called: str = "") -> str:
        """Let a device in; gives the secret that it must show. Raises OSError if the disk refuses."""
        secret, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._write("DELETE FROM devices WHERE entered < ? OR seen < ?", (now - OLDEST, now - IDLE))
            self._write(
                "INSERT INTO devices VALUES (?, ?, ?, ?, ?, ?)",
                (_hash(secret), role.value, player, called, now, now),
            )
            self._write(
                "DELETE FROM devices WHERE role = ?1 AND player = ?2 AND hash NOT IN (SELECT hash FROM devices "
                "WHERE role = ?1 AND player = ?2 ORDER BY seen DESC, rowid DESC LIMIT ?3)",
                (role.value, player, MOST),
            )
        return secret

    def find(self, secret: str) -> Device:
        """The device that shows this secret; NOBODY when it is unknown, too old or was sent away."""
        now = self._clock()
        with self._lock:
            row = self._file.execute("SELECT * FROM devices WHERE hash = ?", (_hash(secret),)).fetchone()
            if row is None or not _in_time(float(row[4]), float(row[5]), now):
                return NOBODY
            if now - float(row[5]) > NOTED_EVERY:
                with suppress(OSError):  # a full disk must not send people away; the next word notes it
                    self._write("UPDATE devices SET seen = ? WHERE hash = ?", (now, row[0]))
        return _device(row)

    def leave(self, secret: str) -> None:
        """The device that shows this secret goes; showing it again gives nothing. Raises OSError."""
        with self._lock:
            self._write("DELETE FROM devices WHERE hash = ?", (_hash(secret),))

    def send_away(self, id_: str) -> None:
        """A device by its id, or every one by "all". Raises OSError."""
        with self._lock:
            if id_ == "all":
                self._write("DELETE FROM devices", ())
            else:
                self._write("DELETE FROM devices WHERE substr(hash, 1, 16) = ?", (id_,))

    def all(self) -> tuple[Device, ...]:
        """Every device that is in, the one heard of last first."""
        now = self._clock()
        with self._lock:
            rows = self._file.execute("SELECT * FROM devices ORDER BY seen DESC").fetchall()
        return tuple(_device(row) for row in rows if _in_time(float(row[4]), float(row[5]), now))

    def pin_is(self, pin: str, *, drawn: bool) -> None:
        """Set the host's PIN. If somebody chose a new one, every device must enter it again.

        A `drawn` one is random and new at each start, and ends no session. Raises OSError.
        """
        # Slow to work out, so that whoever reads the file does not soon know the PIN.
        now = hashlib.scrypt(pin.encode(), salt=self.key, n=2**14, r=8, p=1)
        with self._lock:
            before = self._file.execute("SELECT value FROM secrets WHERE name = 'pin'").fetchone()
            if not drawn and before is not None and not hmac.compare_digest(bytes(before[0]), now):
                self._write("DELETE FROM devices", ())
            self._write("INSERT OR REPLACE INTO secrets VALUES ('pin', ?)", (now,))

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        try:
            with self._file:
                self._file.execute(statement, values)
        except sqlite3.Error as refused:
            raise OSError(f"the list of devices cannot be written: {refused}") from refused


def _hash(secret: str) -> str:
    """A secret has 256 random bits, so a plain hash gives nothing away."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _in_time(entered: float, seen: float, now: float) -> bool:
    return now - entered < OLDEST and now - seen < IDLE


def _device(row: tuple[str, str, str, str, float, float]) -> Device:
    hashed, role, player, called, entered, seen = row
    return Device(hashed[:16], Role(role), player, called, float(entered), float(seen))

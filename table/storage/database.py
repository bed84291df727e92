"""The store's database (SQLite in a data folder, PostgreSQL for a club), its transactions and errors."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
import weakref
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any, Self
from urllib.parse import quote

from sqlalchemy import URL, Connection, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from files.atomic import owners_alone
from messages.message import TroubleError
from table.storage.recovery import (
    complaint,
    damaged,
    newest_of,
    refuse_damaged,
    refuse_no_tables,
    refuse_torn,
    wal_of,
)
from table.storage.schema import VERSION, NewerStoreError, migrate, version_of

WAIT = 5.0
"""Seconds to wait for another process that writes."""

LONGEST = 30.0
"""Most seconds for one read of somebody else's store; a hostile one could take forever."""

LARGEST = 1 << 24
"""Largest value in somebody else's store, in bytes."""


class StoreError(TroubleError):
    """The store cannot be read or written: the disk is full, the folder read-only, the file damaged; one clear line."""


class OtherVersionError(StoreError):
    """The store has another schema than this version's, and may not be migrated."""


class Database:
    """Connections to one database, for any thread; several processes may share it."""

    def __init__(
        self,
        url: str | URL,
        *,
        only_seen: bool = False,
        copied: tempfile.TemporaryDirectory[str] | None = None,
        name: str = "",
    ) -> None:
        """Open the store of an SQLAlchemy URL (sqlite or postgresql), and migrate it to this version's schema.

        With `only_seen` it must already have this version and is not written. `copied` is a folder with a copy, which
        closing deletes. `name` is its name for people, by default its location.

        Raises StoreError if it cannot be opened, is damaged, or was made by a newer Tableside.
        """
        self._url = _store_url(url)
        kind = self._url.get_backend_name()
        self.name = name or (
            str(self._url.database).removeprefix("file:")
            if kind == "sqlite"
            else self._url.set(query={}).render_as_string()
        )
        """Its name for people, without a password."""
        self.path = Path(self.name) if kind == "sqlite" and self._url.database else None
        """Its file, if it is one."""
        self._only_seen, self._copied, self._until = only_seen, copied, 0.0
        wait: dict[str, Any] = {"timeout": WAIT} if kind == "sqlite" else {"connect_timeout": int(WAIT)}
        try:
            self._engine = create_engine(self._url, connect_args=wait, pool_pre_ping=kind == "postgresql")
        except ModuleNotFoundError:
            raise StoreError("PostgreSQL needs a driver: pip install 'psycopg[binary]'") from None
        weakref.finalize(self, self._engine.dispose)  # do not leave connections open if nobody closes it
        if kind == "sqlite":
            event.listen(self._engine, "connect", _only_read if only_seen else _as_we_want_it)
            event.listen(self._engine, "begin", _begin)
            if only_seen or copied is not None:
                event.listen(self._engine, "connect", self._distrust)
        try:
            if kind == "sqlite" and not only_seen:
                if (path := self._url.database or ":memory:")[:5] not in (":memo", "file:"):
                    owners_alone(Path(path))  # a camera's address may contain a password
                self._refuse_torn()
            self._check(only_seen)
        except NewerStoreError as refused:
            self.close()
            raise StoreError("{store} was {why}", store=self.name, why=refused.message) from None
        except BaseException:
            self.close()
            raise

    @classmethod
    def seen(cls, path: Path) -> Self:
        """Open an SQLite store for reading only: an archive, or one on a read-only disk. Raises StoreError.

        A copy is opened if reading would need to write: if the store is older, or if it is on a read-only disk and the
        write-ahead log of a killed table has its newest part.
        """
        writable = may_write(path)
        if writable or not wal_of(path).is_file() or not wal_of(path).stat().st_size:
            mode = "ro" if writable else "ro&immutable=1"
            try:
                url = f"sqlite:///file:{quote(str(path.absolute()))}?mode={mode}&uri=true"
                store = cls(url, only_seen=True, name=str(path))
            except OtherVersionError:
                pass
            else:
                store.path = path
                return store
        folder = tempfile.TemporaryDirectory(prefix="tableside-")
        try:
            copy = _copied(path, Path(folder.name))
            return cls(URL.create("sqlite", database=str(copy)), copied=folder, name=str(path))
        except OSError as refused:
            folder.cleanup()
            if isinstance(refused, StoreError):
                raise
            raise StoreError(
                "{store}: {why}", store=str(path), why=refused.strerror or str(refused)
            ) from None

    def _check(self, only_seen: bool) -> None:
        """Migrate the store to this version; refuse a damaged one, and one of another version if `only_seen`."""
        sqlite = self._url.get_backend_name() == "sqlite"
        with self.reading() if only_seen else self.writing() as connection:
            if sqlite:
                refuse_no_tables(connection)
            if not only_seen:
                migrate(connection)
            elif (version := version_of(connection)) != VERSION:
                raise OtherVersionError(
                    "{store}: expected schema {ours}, got {got}",
                    store=self.name, ours=VERSION, got=version,
                )  # fmt: skip
            if sqlite:
                refuse_damaged(connection)

    def _distrust(self, connection: sqlite3.Connection, _: object) -> None:
        """Limit how long reading somebody else's store may take."""
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        connection.execute("PRAGMA trusted_schema=OFF").close()
        connection.set_progress_handler(lambda: time.monotonic() > self._until, 100_000)

    def _refuse_torn(self) -> None:
        try:
            refuse_torn(Path(self._url.database or ""))
        except SQLAlchemyError as torn:
            raise StoreError(complaint(self.name, torn)) from torn

    def close(self) -> None:
        """Close the database; closing twice is fine."""
        self._engine.dispose()
        if self._copied is not None:
            self._copied.cleanup()

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction that only reads. Raises StoreError."""
        return self._transaction(writing=False)

    def writing(self) -> AbstractContextManager[Connection]:
        """A transaction, which is on disk once its context ends without an error. Raises StoreError."""
        return self._transaction(writing=True)

    @contextmanager
    def _transaction(self, *, writing: bool) -> Generator[Connection]:
        self._until = time.monotonic() + LONGEST
        try:
            with self._engine.execution_options(writing=writing).begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError as refused:
            raise StoreError(complaint(self.name, refused)) from refused
        except UnicodeDecodeError as garbled:
            raise StoreError(complaint(self.name, damaged("its text is garbled"))) from garbled


def _store_url(url: str | URL) -> URL:
    """A store's URL with our driver. StoreError for anything else."""
    try:
        found = make_url(url)
    except ArgumentError:
        raise StoreError("give a database URL, such as postgresql://club@server/tableside") from None
    kind = found.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise StoreError("a database URL must begin with sqlite or postgresql, not with {kind}", kind=kind)
    return found.set(drivername="postgresql+psycopg") if kind == "postgresql" else found


def may_write(path: Path) -> bool:
    """Whether an SQLite database can be written here, which needs further files beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _copied(path: Path, folder: Path) -> Path:
    """A consistent copy with the files beside it. Raises OSError, and StoreError if others keep writing to it."""

    def stamps() -> list[tuple[int, int]]:
        return [(it.st_size, it.st_mtime_ns) for it in map(Path.stat, filter(Path.is_file, parts))]

    parts = (path, wal_of(path), newest_of(path))
    for _ in range(10):
        before = stamps()
        for part in filter(Path.is_file, parts):
            copyfile(part, folder / part.name)
        if stamps() == before:
            return folder / path.name
    raise StoreError("{store}: another program is using it", store=str(path))


def _as_we_want_it(connection: Any, _: object) -> None:
    """Set up an SQLite connection so that we begin transactions, and a commit returns once it is on disk."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "fullfsync=ON", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _only_read(connection: Any, _: object) -> None:
    connection.isolation_level = None


def _begin(connection: Connection) -> None:
    """Let a writer take the lock at once, so that it cannot fail halfway because another was quicker."""
    writing = connection.get_execution_options().get("writing", False)
    connection.execute(text("BEGIN IMMEDIATE" if writing else "BEGIN"))

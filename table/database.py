"""The database behind the store (SQLite in a data folder, PostgreSQL for a club), its transactions and refusals."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from sqlalchemy import URL, Connection, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from table.damage import complain, refuse_damaged, refuse_torn
from table.schema import VERSION, NewerStoreError, migrate, version_of
from table.whole_file import owners_alone

WAIT = 5.0
"""Seconds to wait for another process that writes."""


class StoreError(OSError):
    """The store cannot be read or written: the disk is full, the folder read-only, the file damaged. One clear line."""


class Database:
    """Connections to one database. Safe to use from any thread; many processes may share one."""

    def __init__(self, url: str | URL, *, only_seen: bool = False) -> None:
        """Open the store behind an SQLAlchemy URL (sqlite or postgresql), and lead it to this version's schema.

        One that is `only_seen` must be of this version already, and is not written.

        Raises:
            StoreError: it cannot be opened, is damaged, or was made by a newer Tableside.
        """
        try:
            self._url = make_url(url)
        except ArgumentError:
            raise StoreError("expected a store's URL, such as postgresql://club@server/tableside") from None
        kind = self._url.get_backend_name()
        if kind not in ("sqlite", "postgresql"):
            raise StoreError(f"expected an sqlite or postgresql URL for the store, got {kind}")
        if kind == "postgresql":
            self._url = self._url.set(drivername="postgresql+psycopg")
        self.name = (
            str(self._url.database).removeprefix("file:")
            if kind == "sqlite"
            else self._url.set(query={}).render_as_string()
        )
        """What people call it, without a password."""
        wait: dict[str, Any] = {"timeout": WAIT} if kind == "sqlite" else {"connect_timeout": int(WAIT)}
        try:
            self._engine = create_engine(self._url, connect_args=wait, pool_pre_ping=kind == "postgresql")
        except ModuleNotFoundError:
            raise StoreError("PostgreSQL needs the club extra: pip install 'tableside[club]'") from None
        if kind == "sqlite":
            event.listen(self._engine, "connect", _only_read if only_seen else _as_we_want_it)
            event.listen(self._engine, "begin", _begin)
        try:
            if kind == "sqlite" and not only_seen:
                if (path := self._url.database or ":memory:")[:5] not in (":memo", "file:"):
                    owners_alone(Path(path))  # a camera's address may hold a password
                self._refuse_torn()
            with self.reading() if only_seen else self.writing() as connection:
                if not only_seen:
                    migrate(connection)
                elif (version := version_of(connection)) != VERSION:
                    raise StoreError(f"{self.name}: expected a store of schema {VERSION}, got {version}")
                if kind == "sqlite":
                    refuse_damaged(connection)
        except NewerStoreError as refused:
            self.close()
            raise StoreError(f"{self.name} was {refused}") from None
        except BaseException:
            self.close()
            raise

    @classmethod
    def seen(cls, path: Path) -> Self:
        """An SQLite store to read and not to write: an archive, or one on a read-only disk. Raises StoreError."""
        mode = "ro" if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK) else "ro&immutable=1"
        return cls(f"sqlite:///file:{quote(str(path.absolute()))}?mode={mode}&uri=true", only_seen=True)

    def _refuse_torn(self) -> None:
        try:
            refuse_torn(Path(self._url.database or ""))
        except SQLAlchemyError as torn:
            raise StoreError(complain(self.name, torn)) from torn

    def close(self) -> None:
        """Let the database go; closing twice is fine."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A transaction that only reads. Raises StoreError."""
        with self._transaction(writing=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """A transaction; when the block ends without an error it is on disk. Raises StoreError."""
        with self._transaction(writing=True) as connection:
            yield connection

    @contextmanager
    def _transaction(self, *, writing: bool) -> Generator[Connection]:
        try:
            with self._engine.execution_options(writing=writing).begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except SQLAlchemyError as refused:
            raise StoreError(complain(self.name, refused)) from refused


def _as_we_want_it(connection: Any, _: object) -> None:
    """Set up an SQLite connection: transactions are ours to begin, and a commit is on the platters when it returns."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "fullfsync=ON", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _only_read(connection: Any, _: object) -> None:
    connection.isolation_level = None


def _begin(connection: Connection) -> None:
    """A writer takes the lock at once, so that it cannot fail half way for one that was quicker."""
    writing = connection.get_execution_options().get("writing", False)
    connection.execute(text("BEGIN IMMEDIATE" if writing else "BEGIN"))

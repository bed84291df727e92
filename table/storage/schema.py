"""The tables of the store, its versions, and the way from each to the next.

Version 1 was a folder of JSON-lines files, one a match (`scoring.logfile`); `table.storage.store` takes those in when
it first meets them. From version 2 on the store is a database. A migration is never changed once it has shipped: what
it makes is spelled out in it, not taken from the tables below.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
    update,
)

from messages.message import MessageError
from table.storage.recovery import damaged

METADATA = MetaData()

VERSIONS = Table("tableside", METADATA, Column("version", Integer, nullable=False))
"""One row: the schema version of this store."""

MATCHES = Table(
    "matches",
    METADATA,
    Column("id", String(80), primary_key=True),
    Column("place", String(80), nullable=False),  # which of a club's tables; empty where there is one
    Column("game", String(40), nullable=False),
    Column("players", Text, nullable=False),  # names, a JSON list
    Column("head", Text, nullable=False),  # the first line of the log
    Column("began", Double, nullable=False),  # seconds since 1970, UTC
    Column("touched", Double, nullable=False),  # when its last event was written
    Column("state", String(20), nullable=False),  # running, paused or over
    Column(
        "setup", Text, nullable=False
    ),  # dice set, camera, region, as a JSON object: "the same as last time"
    Column("source", String(200)),  # the file an imported log came from
    Column("kept", Integer),  # how many events it has …
    Column("chain", String(32)),  # … and the checksum of the last of them (`table.storage.recovery`)
    Column("played", Integer),  # the larger, the later it was played, whatever the clock said
)

EVENTS = Table(
    "events",
    METADATA,
    Column("match", String(80), ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),  # the event as a line of the log, its schema version in it
    Column("written", Double, nullable=False),
    Column("seen", Text),  # the dice of a roll as the camera saw them, JSON; none for a typed one
    Column("by_whom", String(80)),  # who said so, where a page told
    Column(
        "chain", String(32)
    ),  # the checksum of the log up to and with this line (`table.storage.recovery`)
)

EVIDENCE = Table(
    "evidence",
    METADATA,
    Column("match", String(80), ForeignKey("matches.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # the event's
    Column(
        "before", Integer, primary_key=True, autoincrement=False
    ),  # ms before the settled frame; 0 is that frame
    Column("size", Integer, nullable=False),  # bytes
    Column("picture", LargeBinary, nullable=False),  # JPEG
)


class NewerStoreError(MessageError):
    """The store was made by a later Tableside."""


def _to_2(connection: Connection) -> None:
    """The first database: matches and their events."""
    connection.execute(text("CREATE TABLE tableside (version INTEGER NOT NULL)"))
    connection.execute(
        text(
            "CREATE TABLE matches (id VARCHAR(80) PRIMARY KEY, place VARCHAR(80) NOT NULL, "
            "game VARCHAR(40) NOT NULL, players TEXT NOT NULL, head TEXT NOT NULL, "
            "began DOUBLE PRECISION NOT NULL, touched DOUBLE PRECISION NOT NULL, state VARCHAR(20) NOT NULL, "
            "setup TEXT NOT NULL, source VARCHAR(200))"
        )
    )
    connection.execute(
        text(
            "CREATE TABLE events (match VARCHAR(80) NOT NULL REFERENCES matches (id), number INTEGER NOT NULL, "
            "line TEXT NOT NULL, written DOUBLE PRECISION NOT NULL, PRIMARY KEY (match, number))"
        )
    )
    connection.execute(insert(VERSIONS).values(version=2))


def _to_3(connection: Connection) -> None:
    """Who said what, the dice as they were seen, and the pictures they were seen in."""
    connection.execute(text("ALTER TABLE events ADD COLUMN seen TEXT"))
    connection.execute(text("ALTER TABLE events ADD COLUMN by_whom VARCHAR(80)"))
    binary = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
    connection.execute(
        text(
            "CREATE TABLE evidence (match VARCHAR(80) NOT NULL REFERENCES matches (id), number INTEGER NOT NULL, "
            f"before INTEGER NOT NULL, size INTEGER NOT NULL, picture {binary} NOT NULL, "
            "PRIMARY KEY (match, number, before))"
        )
    )


def _to_4(connection: Connection) -> None:
    """Checksums, each over the one before and its line; and the order in which matches were played."""
    connection.execute(text("ALTER TABLE events ADD COLUMN chain VARCHAR(32)"))
    for column in ("kept INTEGER", "chain VARCHAR(32)", "played INTEGER"):
        connection.execute(text(f"ALTER TABLE matches ADD COLUMN {column}"))
    connection.execute(text("CREATE INDEX matches_played ON matches (played)"))
    matches = connection.execute(text("SELECT id, head FROM matches ORDER BY touched, id")).all()
    for played, (match, head) in enumerate(matches, start=1):
        chain = blake2b(f"\n{head}".encode(), digest_size=16).hexdigest()
        rows: list[dict[str, object]] = []
        found = text("SELECT number, line FROM events WHERE match = :match ORDER BY number")
        for number, line in connection.execute(found, {"match": match}).all():
            chain = blake2b(f"{chain}\n{line}".encode(), digest_size=16).hexdigest()
            rows.append({"match": match, "number": number, "chain": chain})
        if rows:
            one = text("UPDATE events SET chain = :chain WHERE match = :match AND number = :number")
            connection.execute(one, rows)
        whole = text("UPDATE matches SET kept = :kept, chain = :chain, played = :played WHERE id = :match")
        connection.execute(whole, {"kept": len(rows), "chain": chain, "played": played, "match": match})


MIGRATIONS: dict[int, Callable[[Connection], None]] = {2: _to_2, 3: _to_3, 4: _to_4}
"""The step that leads to each version."""

VERSION = max(MIGRATIONS)
"""The version this Tableside writes."""


def version_of(connection: Connection) -> int:
    """The store's schema version; 1 for a database in which nothing is yet. Raises DBAPIError for a damaged one."""
    if not inspect(connection).has_table(VERSIONS.name):
        return 1
    found = connection.execute(select(VERSIONS.c.version)).scalars().all()
    if len(found) != 1 or not isinstance(found[0], int):
        raise damaged("it does not say its version")
    return found[0]


def migrate(connection: Connection) -> int:
    """Lead the store to VERSION inside the caller's transaction; the version it had.

    Raises NewerStoreError: it is past VERSION.
    """
    if connection.dialect.name == "postgresql":
        # Two tables that start at once must not both create what is not there.
        connection.execute(text("SELECT pg_advisory_xact_lock(726578)"))
    before = version_of(connection)
    if before > VERSION:
        raise NewerStoreError(
            "made by a newer Tableside (schema {before}; this one knows up to {ours})",
            before=before,
            ours=VERSION,
        )
    for version in range(before + 1, VERSION + 1):
        MIGRATIONS[version](connection)
        connection.execute(update(VERSIONS).values(version=version))
    return before

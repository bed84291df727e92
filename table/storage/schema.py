"""The tables of the store, and the migrations between its versions.

Version 1 was a folder of JSON-lines files, one a match (`scoring.logfile`); `table.storage.store` imports them. From
version 2 on the store is a database. A migration never changes once it has shipped, so it spells out what it creates;
the tables below list the current columns.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from sqlalchemy import Connection, column, insert, inspect, select, text, update
from sqlalchemy import table as columns_of

from messages.message import MessageError
from table.storage.recovery import damaged

VERSIONS = columns_of("tableside", column("version"))
"""One row: the schema version of this store."""

MATCHES = columns_of(
    "matches",
    column("id"),
    column("place"),  # which of a club's tables; empty if there is only one
    column("game"),
    column("players"),  # names, a JSON list
    column("head"),  # the first line of the log
    column("began"),  # seconds since 1970, UTC
    column("touched"),  # when its last event was written
    column("state"),  # running, paused or over
    column("setup"),  # dice set, camera, region, as a JSON object: "the same as last time"
    column("source"),  # the file an imported log came from
    column("kept"),  # how many events it has …
    column("chain"),  # … and the checksum of the last of them (`table.storage.recovery`)
    column("played"),  # larger for matches played later, whatever the clock said
)

EVENTS = columns_of(
    "events",
    column("match"),
    column("number"),
    column("line"),  # the event as a line of the log, with its schema version
    column("written"),
    column("seen"),  # the dice of a roll as the camera saw them, JSON; none for a typed one
    column("by_whom"),  # who said so, if known from a page
    column("chain"),  # the checksum of the log up to this line (`table.storage.recovery`)
)

EVIDENCE = columns_of(
    "evidence",
    column("match"),
    column("number"),  # the event's
    column("before"),  # ms before the settled frame; 0 is that frame
    column("size"),  # bytes
    column("picture"),  # JPEG
)


class NewerStoreError(MessageError):
    """The store was made by a newer Tableside."""


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
    """Add who said what, the dice as they were seen, and their pictures."""
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
    """Add checksums, each over the previous one and its line, and the order in which matches were played."""
    connection.execute(text("ALTER TABLE events ADD COLUMN chain VARCHAR(32)"))
    for added in ("kept INTEGER", "chain VARCHAR(32)", "played INTEGER"):
        connection.execute(text(f"ALTER TABLE matches ADD COLUMN {added}"))
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
"""The migration to each version."""

VERSION = max(MIGRATIONS)
"""The current version."""


def version_of(connection: Connection) -> int:
    """The store's schema version; 1 for an empty database. Raises DBAPIError if it is damaged."""
    if not inspect(connection).has_table(VERSIONS.name):
        return 1
    found = connection.execute(select(VERSIONS.c.version)).scalars().all()
    if len(found) != 1 or not isinstance(found[0], int):
        raise damaged("it does not say its version")
    return found[0]


def migrate(connection: Connection) -> int:
    """Migrate the store to VERSION within the caller's transaction, and return the version it had.

    Raises NewerStoreError if that is past VERSION.
    """
    if connection.dialect.name == "postgresql":
        # Two tables that start at once must not both create the schema.
        connection.execute(text("SELECT pg_advisory_xact_lock(726578)"))
    before = version_of(connection)
    if before > VERSION:
        raise NewerStoreError(
            "made by a newer Tableside (schema {before}; this one reads up to {ours}): update Tableside",
            before=before,
            ours=VERSION,
        )
    for version in range(before + 1, VERSION + 1):
        MIGRATIONS[version](connection)
        connection.execute(update(VERSIONS).values(version=version))
    return before

"""Stores matches in an SQLite file in the data folder, or in a PostgreSQL database that several tables share.

Every event is on disk before anyone is told of it (invariant 4): SQLite writes ahead and syncs at each commit, and
`keep` returns after the commit. A failed commit changes nothing. Logs that are not as they were written are refused
(`table.storage.recovery`).
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import (
    URL,
    Connection,
    Row,
    bindparam,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from files.atomic import own_folder, sync_folder
from messages.message import Message, message, reason
from scoring.game import AnyGame
from scoring.games import find as find_game
from scoring.logfile import MOST_EVENTS, MatchLogError, event_line, header_line, read, refuse_impossible
from scoring.match import Event, Match
from table.storage.database import Database, StoreError
from table.storage.recovery import LogEnd, Newest, chained, whole_until
from table.storage.schema import EVENTS, MATCHES

__all__ = ["FILE", "Entry", "MatchStore", "Store", "StoreError"]

FILE = "tables.db"
"""The store's file in a data folder."""

OLD_LOGS = "matches"
"""The folder of version 1's logs in a data folder; they are imported and stay there."""

State = Literal["running", "paused", "over"]
FindGame = Callable[[str], AnyGame]


@dataclass(frozen=True, slots=True)
class Entry:
    """A match in the list of stored matches."""

    id: str
    place: str
    game: str
    players: tuple[str, ...]
    began: float
    """Seconds since 1970, UTC, as is `touched`, when its last event was written."""
    touched: float
    state: State
    setup: Mapping[str, Any]
    """Its dice set, camera and region, so that the next match can have the same."""
    events: int


class Store(Database):
    """All matches of a data folder or a club, for any thread; several processes may share the store."""

    refused: tuple[Message, ...] = ()
    """A message for each log of version 1 that could not be imported, and for each match that is damaged or missing."""

    @classmethod
    def of(cls, folder: Path) -> Store:
        """The store of a data folder, created if necessary, with logs of version 1 imported.

        Raises StoreError if it cannot be opened or created.
        """
        path = folder / FILE
        try:
            fresh = not path.exists()
            own_folder(folder)
            if fresh:
                Newest(path).clear()
            store = cls(URL.create("sqlite", database=str(path)))
            if fresh:
                sync_folder(folder)
            store.refused = (*take_in(store, folder / OLD_LOGS), *store.damaged())
        except StoreError:
            raise
        except OSError as refused:
            raise StoreError(
                "matches cannot be saved in {folder}: {why}",
                folder=str(folder), why=refused.strerror or str(refused),
            ) from refused  # fmt: skip
        return store

    def begin(self, match: Match, *, place: str = "", setup: Mapping[str, Any] | None = None) -> MatchStore:
        """Begin to store a match with the events it already has. Raises StoreError if it cannot be written."""
        return self._take(match, place=place, setup=setup or {}, source=None, moment=time.time())

    def resume(self, match_id: str, find: FindGame) -> tuple[MatchStore, Match]:
        """Continue a match.

        Raises:
            MatchLogError: there is no such match, or its log cannot be replayed.
            StoreError: the store cannot be read.
        """
        match = read(self.log(match_id), find)
        return MatchStore(self, match_id, len(match.events)), match

    def log(self, match_id: str) -> str:
        """A match as JSON lines, as `tableside replay` reads them.

        Raises:
            MatchLogError: there is no such match.
            StoreError: the store cannot be read.
        """
        newest = self._newest()
        with self.reading() as connection:
            lines, why_not = _log(connection, match_id, newest.get(match_id))
        if not lines:
            unknown = message("there is no match {id:quoted} in {store}", id=match_id, store=self.name)
            raise MatchLogError(why_not or unknown)
        if why_not:
            raise MatchLogError(why_not)
        return "".join(f"{line}\n" for line in lines)

    def damaged(self) -> tuple[Message, ...]:
        """A message for each match whose log lost events or was changed; a missing match is reported once. Raises
        StoreError."""
        newest, found = self._newest(), list[Message]()
        with self.reading() as connection:
            known = list(connection.execute(select(MATCHES.c.id).order_by(MATCHES.c.played)).scalars())
            gone = [match_id for match_id in newest if match_id not in set(known)]
            for match_id in (*known, *gone):
                _, why = _log(connection, match_id, newest.get(match_id))
                found += [why] if why else []
        if gone and self.path is not None and not self._only_seen:
            Newest(self.path).forget(gone)
        return tuple(found)

    def _newest(self) -> dict[str, LogEnd]:
        """The noted ends of logs; read them before the database, as they are written after it."""
        return Newest(self.path).ends() if self.path is not None else {}

    def add_log(
        self,
        log: str,
        find: FindGame,
        *,
        source: str | None = None,
        moment: float | None = None,
        place: str = "",
    ) -> str:
        """Import a match from JSON lines, and return its new id. It is paused until somebody continues it.

        Raises:
            MatchLogError: it is not a log.
            StoreError: it cannot be written.
        """
        match = read(log, find)
        refuse_impossible(match)
        kept = self._take(match, place=place, setup={}, source=source, moment=moment or time.time())
        if not match.outcome:
            kept.mark("paused")
        return kept.id

    def sources(self) -> frozenset[str]:
        """The files of imported logs."""
        with self.reading() as connection:
            found = connection.execute(select(MATCHES.c.source).where(MATCHES.c.source.is_not(None)))
            return frozenset(str(source) for source in found.scalars())

    def matches(self, *, place: str | None = None) -> tuple[Entry, ...]:
        """All matches (of one place), the one played last first. Raises StoreError."""
        every = select(MATCHES)
        if place is not None:
            every = every.where(MATCHES.c.place == place)
        with self.reading() as connection:
            rows = connection.execute(every.order_by(MATCHES.c.played.desc(), MATCHES.c.id.desc())).all()
        return tuple(_entry(row) for row in rows)

    def entry(self, match_id: str) -> Entry | None:
        """A match in the list, by its id. Raises StoreError."""
        return next((one for one in self.matches() if one.id == match_id), None)

    def latest(self) -> str:
        """The id of the match played last, even if it is missing. Raises MatchLogError if there is none, StoreError."""
        last = next(reversed(self._newest()), "")
        every = self.matches()
        if last and all(one.id != last for one in every):
            return last
        if not every:
            raise MatchLogError("there are no matches in {store}", store=self.name)
        return every[0].id

    def unfinished(self, place: str = "") -> Entry | None:
        """The match to continue: the one played last that is not over. Raises StoreError."""
        return next((one for one in self.matches(place=place) if one.state != "over"), None)

    def _take(
        self, match: Match, *, place: str, setup: Mapping[str, Any], source: str | None, moment: float
    ) -> MatchStore:
        name = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(moment))
        match_id = f"{name}-{match.header.game}-{secrets.token_hex(3)}"
        head, state = header_line(match.opening), "over" if match.outcome else "running"
        with self.writing() as connection:
            connection.execute(
                insert(MATCHES).values(
                    id=match_id,
                    place=place,
                    game=match.header.game,
                    players=json.dumps(match.header.players, ensure_ascii=False),
                    head=head,
                    began=moment,
                    touched=moment,
                    state=state,
                    setup=json.dumps(dict(setup), ensure_ascii=False),
                    source=source,
                    kept=0,
                    chain=chained("", head),
                )
            )
            end = _append(connection, match_id, match.events, 0, moment, state)
        return MatchStore(self, match_id, len(match.events)).at(end)


class MatchStore:
    """The log of a running match, open for appending."""

    def __init__(self, store: Store, match_id: str, written: int) -> None:
        """Use `Store.begin` or `Store.resume`; `written` is the number of events the store holds."""
        self.store = store
        self.id = match_id
        self._written = written
        self._doubtful: tuple[Event, ...] = ()
        """The match of which `keep` did not know whether it is on disk."""

    def keep(
        self,
        events: tuple[Event, ...],
        *,
        over: bool = False,
        players: Sequence[str] = (),
        seen: str | None = None,
        by: str = "",
    ) -> None:
        """Write the events that the store does not have yet, and return once they are on disk.

        `players` are the current players if they may have changed. `seen` are the dice of the last event as the camera
        saw them (`table.tracked_die.written`), `by` is who said so.

        A commit may reach the disk although its answer is lost with the connection. So a failed commit is looked up;
        if that fails, too, `late` finds out later.

        Raises StoreError if they are not on disk, if that is unknown, or if somebody else continued this match.
        """
        if not events[self._written :]:
            return
        now = time.time()
        try:
            with self.store.writing() as connection:
                state: State = "over" if over else "running"
                end = _append(connection, self.id, events, self._written, now, state, seen, by)
                if players:
                    named = json.dumps(players, ensure_ascii=False)
                    connection.execute(update(MATCHES).where(MATCHES.c.id == self.id).values(players=named))
        except IntegrityError as taken:
            if self._is_there(self._doubtful):
                raise StoreError(
                    "{store}: the last move was saved after all", store=self.store.name
                ) from taken
            raise StoreError(
                "match {id} is being played elsewhere; this table must stop", id=self.id
            ) from taken
        except StoreError:
            self._doubtful = events
            with contextlib.suppress(StoreError):
                if self.late():
                    return
            raise
        self._written, self._doubtful = len(events), ()
        self.at(end)

    def at(self, end: LogEnd) -> MatchStore:
        """Note the end beside an SQLite store, and return it."""
        if self.store.path is not None:
            Newest(self.store.path).note(self.id, end)
        return self

    def late(self) -> tuple[Event, ...]:
        """The match on disk, if `keep` reported an error for its last events although they are there; else None.

        Raises StoreError.
        """
        events = self._doubtful
        if not self._is_there(events):
            return ()
        self._written, self._doubtful = len(events), ()
        return events

    def _is_there(self, events: tuple[Event, ...]) -> bool:
        """Whether the store's events past those known to be written are these. Raises StoreError."""
        meant = [event_line(n, one) for n, one in enumerate(events, start=1) if n > self._written]
        if not meant:
            return False
        with self.store.reading() as connection:
            mine = (EVENTS.c.match == self.id) & (EVENTS.c.number > self._written)
            return meant == list(
                connection.execute(select(EVENTS.c.line).where(mine).order_by(EVENTS.c.number)).scalars()
            )

    def mark(self, state: State) -> None:
        """Set the match's state: running, paused or over. Raises StoreError."""
        with self.store.writing() as connection:
            connection.execute(update(MATCHES).where(MATCHES.c.id == self.id).values(state=state))

    def setup(self) -> Mapping[str, Any]:
        """Its setup. Raises StoreError."""
        with self.store.reading() as connection:
            return json.loads(
                connection.execute(select(MATCHES.c.setup).where(MATCHES.c.id == self.id)).scalar_one()
            )

    def set_up(self, changes: Mapping[str, Any]) -> None:
        """Store its setup (camera, region, …) for the next time; None removes a value.

        Raises StoreError if it cannot be written.
        """
        mine = MATCHES.c.id == self.id
        with self.store.writing() as connection:
            before = json.loads(connection.execute(select(MATCHES.c.setup).where(mine)).scalar_one())
            now = {key: value for key, value in {**before, **changes}.items() if value is not None}
            setup = json.dumps(now, ensure_ascii=False)
            connection.execute(update(MATCHES).where(mine).values(setup=setup))

    def seen(self, number: int) -> str | None:
        """The dice of the roll with this event number, as they were seen, or None. Raises StoreError."""
        with self.store.reading() as connection:
            return connection.execute(
                select(EVENTS.c.seen).where(EVENTS.c.match == self.id, EVENTS.c.number == number)
            ).scalar()


def take_in(store: Store, folder: Path) -> tuple[Message, ...]:
    """Import the logs of version 1 that the store does not have yet, and return a message for each invalid one.

    An incomplete last line was never announced and is dropped, as in version 1. Raises StoreError.
    """
    logs = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    known = store.sources() if logs else frozenset[str]()
    refused: list[Message] = []
    for path in logs:
        if path.name in known:
            continue
        try:
            whole = path.read_bytes()
            kept = whole[: whole.rfind(b"\n") + 1].decode("utf-8")
            store.add_log(kept, find_game, source=path.name, moment=path.stat().st_mtime)
        except StoreError:
            raise
        except (ValueError, OSError) as bad:
            refused.append(message("{log} was not imported: {why}", log=path.name, why=reason(bad)))
    return tuple(refused)


_LAST = select(
    MATCHES.c.chain,
    MATCHES.c.played,
    select(func.coalesce(func.max(MATCHES.c.played), 0)).scalar_subquery().label("last"),
).where(MATCHES.c.id == bindparam("match"))
"""The end of a match's log, when it was played, and when the last match was played."""


def _append(
    connection: Connection,
    match_id: str,
    events: tuple[Event, ...],
    written: int,
    now: float,
    state: str,
    seen: str | None = None,
    by: str = "",
) -> LogEnd:
    """Write the events past those `written`, and return the new end of the log."""
    row = connection.execute(_LAST, {"match": match_id}).one()
    end, rows = LogEnd(written, row.chain), list[dict[str, Any]]()
    for one in events[written:]:
        end = end.then(line := event_line(end.number + 1, one))
        rows.append(
            {
                "match": match_id,
                "number": end.number,
                "line": line,
                "written": now,
                "seen": seen if end.number == len(events) else None,
                "by_whom": by[:80] or None,
                "chain": end.chain,
            }
        )
    if rows:
        connection.execute(insert(EVENTS), rows)
    changes: dict[str, Any] = {"touched": now, "state": state, "kept": end.number, "chain": end.chain}
    if row.played is None or row.played < row.last:
        changes["played"] = row.last + 1
    connection.execute(update(MATCHES).where(MATCHES.c.id == match_id).values(changes))
    return end


def _log(
    connection: Connection, match_id: str, newest: LogEnd | None
) -> tuple[tuple[str, ...], Message | None]:
    """The lines of a match as they were written, none if there is no such match, and its damage, if any. `newest` is
    the least end of its log."""
    columns = select(MATCHES.c.head, MATCHES.c.kept, MATCHES.c.chain).where(MATCHES.c.id == match_id)
    match = connection.execute(columns).one_or_none()
    if match is None:
        gone = "match {id} is lost, with all {kept} events"
        return (), message(gone, id=match_id, kept=newest.number) if newest else None
    rows = connection.execute(
        select(EVENTS.c.number, EVENTS.c.line, EVENTS.c.chain)
        .where(EVENTS.c.match == match_id)
        .order_by(EVENTS.c.number)
        .limit(MOST_EVENTS + 1)
    ).all()
    end = whole_until(match.head, [(row.number, row.line, row.chain) for row in rows])
    kept = max(match.kept, len(rows), newest.number if newest else 0)
    lines = (match.head, *(row.line for row in rows[: end.number]))
    if end.number == kept and (match.kept < kept or match.chain == end.chain):
        return lines, None
    return lines, message(
        "the log of match {id} is lost from event {number} of {kept} on; run `tableside matches "
        "rescue` to save the {left} before",
        id=match_id, number=end.number + 1, kept=kept, left=end.number,
    )  # fmt: skip


def _entry(row: Row[Any]) -> Entry:
    return Entry(
        id=row.id,
        place=row.place,
        game=row.game,
        players=tuple(json.loads(row.players)),
        began=row.began,
        touched=row.touched,
        state=row.state,
        setup=json.loads(row.setup),
        events=row.kept,
    )

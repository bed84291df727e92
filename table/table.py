"""One table: its session, the eyes on it, and its dice's pictures. All that a page needs to know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.games import find as find_game
from scoring.logfile import read
from scoring.match import Match
from table.dispute import Dispute, dispute, rolls
from table.evidence import picture_of
from table.session import Session
from table.store import Entry
from table.watch import Watcher

MOST_KEPT = 1000
"""Matches of one table that are looked through for one by its id."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table with a camera over it; `watcher` is None where rolls are typed."""

    session: Session
    watcher: Watcher | None = None
    push: Callable[[bytes], bool] | None = None
    """Where the camera is a phone: takes a picture of its; False while nobody looks, ValueError when it is none."""

    def start(self) -> None:
        """Begin to look."""
        if self.watcher is not None:
            self.watcher.start()

    def stop(self) -> None:
        """Stop looking."""
        if self.watcher is not None:
            self.watcher.stop()

    def picture(self, after: int, wait: float) -> tuple[int, bytes] | None:
        """The newest frame later than `after` as (number, JPEG), or None after `wait` seconds without one."""
        return self.watcher.picture(after, wait) if self.watcher is not None else None

    def look_again(self) -> None:
        """Read what lies there once more."""
        if self.watcher is not None:
            self.watcher.look_again()

    def go_on(self) -> None:
        """Play on after a pause, with what lies there now. Raises IllegalMoveError when there was none."""
        self.session.go_on()
        self.look_again()

    def rolls(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """The event numbers of the rolls that count, with their faces, the newest first."""
        return rolls(self.session.match)

    def dispute(self, event: int) -> Dispute | None:
        """All about the roll with this event number; None when there is none. Raises StoreError."""
        return dispute(self.session.match, self.session.store, event)

    def evidence(self, event: int, before: int) -> bytes | None:
        """A JPEG of a roll, so many milliseconds before it; None without one. Raises StoreError."""
        kept = self.session.store
        return picture_of(kept.store, kept.id, event, before)

    def kept(self, most: int) -> tuple[Entry, ...]:
        """The matches of this table that are kept and were begun, the one played last first. Raises StoreError."""
        store, every = self.session.store, self.session.store.store.matches()
        place = next((one.place for one in every if one.id == store.id), "")
        return tuple(one for one in every if one.place == place and one.events)[:most]

    def kept_match(self, match_id: str) -> Match | None:
        """A match by its id, None when none is kept under it. Raises StoreError, ValueError for a broken log."""
        if match_id == self.session.store.id:
            return self.session.match
        if all(one.id != match_id for one in self.kept(MOST_KEPT)):
            return None
        return read(self.session.store.store.log(match_id), find_game)

    def face_picture(self, face: str) -> bytes | None:
        """A PNG of a face's drawing on clear ground, or None for a face without one."""
        for known in self.session.dice_set.faces:
            if known.id == face:
                drawn = [picture for picture in known.pictures if picture.kind == "art"]
                return drawn[0].path.read_bytes() if drawn else None
        return None

"""The one announcer: takes the table's notices and hands them to every page that listens."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

from table.notice import Notice

KEPT = 64
"""Notices a page can miss and still be told in order; after more it gets the newest."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a listening page gets: notices it has not had, and the table's state when that changed."""

    notices: tuple[Notice, ...]
    state: str | None


class Announcer:
    """An output of the table. `tell` never waits; each page waits for itself in `after`."""

    def __init__(self) -> None:
        """Nothing has been said."""
        self._changed = threading.Condition()
        self._notices: deque[Notice] = deque(maxlen=KEPT)
        self._state = "empty"
        self._closed = False

    def tell(self, notice: Notice) -> None:
        """Take a notice for the pages."""
        with self._changed:
            self._notices.append(notice)
            self._changed.notify_all()

    def table_is(self, state: str) -> None:
        """What the table is doing now: "rolling", "settled", …"""
        with self._changed:
            self._state = state
            self._changed.notify_all()

    def close(self) -> None:
        """Let every page go: the server stops."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether the server stops."""
        return self._closed

    @property
    def latest(self) -> int:
        """The number of the newest notice, 0 before the first."""
        with self._changed:
            return self._notices[-1].number if self._notices else 0

    def after(self, number: int, state: str | None, wait: float) -> Told:
        """Notices later than `number`, and the state if it is not `state`; waits at most `wait` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._news(number, state), timeout=wait)
            fresh = tuple(notice for notice in self._notices if notice.number > number)
            return Told(fresh, self._state if self._state != state else None)

    def _news(self, number: int, state: str | None) -> bool:
        return self._state != state or bool(self._notices and self._notices[-1].number > number)

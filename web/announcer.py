"""The one announcer: takes the table's notices and hands them to every page that listens."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from dataclasses import dataclass

from messages.message import Message
from table.snapshot import Notice

KEPT = 64
"""Most missed notices that a page still gets in order; after more it gets only the newest."""


@dataclass(frozen=True, slots=True)
class Update:
    """What a listening page gets: notices it has not had, and the table's state when that changed."""

    notices: tuple[Notice, ...]
    state: str | None
    devices: tuple[Message, ...] | None = None
    """The state of scoreboards and other devices, when it has changed."""


class Announcer:
    """An output of the table. `tell` never waits; each page waits for itself in `after`."""

    def __init__(self) -> None:
        """Nothing has been said."""
        self.run = secrets.token_hex(4)
        """Names this run: numbers of another one mean nothing here."""
        self._changed = threading.Condition()
        self._notices: deque[Notice] = deque(maxlen=KEPT)
        self.state = "empty"
        """What the table is doing now."""
        self.devices: tuple[Message, ...] = ()
        """How the devices stand."""
        self.closed = False
        """Whether the server stops."""

    def tell(self, notice: Notice) -> None:
        """Take a notice for the pages."""
        with self._changed:
            self._notices.append(notice)
            self._changed.notify_all()

    def table_is(self, state: str) -> None:
        """What the table is doing now: "rolling", "settled", …"""
        with self._changed:
            self.state = state
            self._changed.notify_all()

    def devices_are(self, states: tuple[Message, ...]) -> None:
        """The state of scoreboards and other devices, one message each."""
        with self._changed:
            self.devices = states
            self._changed.notify_all()

    def close(self) -> None:
        """Let every page go: the server stops."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    @property
    def latest(self) -> int:
        """The number of the newest notice, 0 before the first."""
        with self._changed:
            return self._notices[-1].number if self._notices else 0

    def said(self, language: str) -> str:
        """The last sentence, in a language; empty before the first."""
        with self._changed:
            last = next((one for one in reversed(self._notices) if one.said), None)
        return last.sentence(language) if last else ""

    def mark(self, number: int) -> str:
        """A notice's number with its run, as pages keep it."""
        return f"{self.run}-{number}"

    def since(self, mark: str) -> int:
        """The number of the last notice that a page has, which shows this mark.

        After a restart, or when the page heard of more than there is, it gets the newest notice: that one holds
        everything the table shows, and the others were said long ago. A number without a run is one of this run.
        """
        run, _, given = mark.rpartition("-")
        number = int(given) if given.isdecimal() and len(given) < 12 else -1
        latest = self.latest
        return number if run in ("", self.run) and number <= latest else latest - 1

    def upto(self, number: int) -> tuple[Notice, ...]:
        """The notices that are kept up to this one: what somebody who heard it last has heard before."""
        with self._changed:
            return tuple(notice for notice in self._notices if notice.number <= number)

    def after(self, number: int, state: str | None, wait: float, devices: tuple[Message, ...] = ()) -> Update:
        """Notices later than `number`, and state and devices if they are others; waits at most `wait` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._news(number, state, devices), timeout=wait)
            fresh = tuple(notice for notice in self._notices if notice.number > number)
            return Update(
                fresh,
                self.state if self.state != state else None,
                self.devices if self.devices != devices else None,
            )

    def _news(self, number: int, state: str | None, devices: tuple[Message, ...]) -> bool:
        others = self.state != state or self.devices != devices
        return others or bool(self._notices and self._notices[-1].number > number)

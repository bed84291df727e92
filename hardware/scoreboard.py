"""The LED scoreboard as an output of the table: it returns at once and never raises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from hardware.board_state import BoardState
from hardware.link import Link
from messages.message import message

GRACE = 3.5
"""Seconds for which a board may be away, or yet to be found, before a word is said of it."""


class Scoreboard:
    """A board behind a thread of its own.

    Only the newest state counts: a board that was away shows that one when it comes back, and nobody waits for it.
    """

    def __init__(self, link: Link, on_change: Callable[[], None] = lambda: None) -> None:
        """`on_change` is called from the thread when `words` have changed."""
        self._link = link
        self.on_change = on_change
        self.words = message("Looking for the scoreboard")
        self._wake = threading.Event()
        self.closed = False
        self._thread = threading.Thread(target=self._run, name="scoreboard", daemon=True)

    @property
    def showing(self) -> bool:
        """Whether the board said that it shows the newest state."""
        return self._link.showing

    def start(self) -> None:
        """Begin to look for the board."""
        self._thread.start()

    def show(self, state: BoardState) -> None:
        """Show this as soon as may be."""
        self._link.wanted = state
        self._wake.set()

    def close(self) -> None:
        """Let the board go; it dims after ten seconds."""
        self.closed = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def _run(self) -> None:
        there = time.monotonic()
        while not self.closed:
            now = time.monotonic()
            wait = self._link.step(now)
            words = self._link.words
            if self._link.port:
                there = now
            if words != self.words and (self._link.port or now - there > GRACE):
                self.words = words
                self.on_change()
            self._wake.wait(wait)
            self._wake.clear()
        self._link.close()

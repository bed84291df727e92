"""A scoreboard in the network behind a thread of its own: a board that is away, slow or restarted holds up nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from hardware.background import BackgroundDevice
from hardware.http import HttpAddress, RefusedError
from hardware.public_state import PublicEvent, PublicNotice, PublicState
from messages.message import Message, message

RETRY = (1.0, 15.0)
"""Seconds between two tries to reach a board: at first, and at most."""


Colour = tuple[int, int, int]

SEAT_COLOURS: tuple[Colour, ...] = (
    (0, 140, 255), (255, 90, 0), (0, 200, 60), (255, 40, 140), (255, 200, 0), (140, 60, 255),
    (0, 210, 210), (255, 0, 0), (160, 230, 0), (255, 140, 170), (90, 110, 255), (255, 255, 255),
)  # fmt: skip
"""The same colours on every device: bright on LEDs, and as distinct as twelve can be."""


def seat_colour(seat: int) -> Colour:
    """The colour of a seat, from 0."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


class BoardDriver(Protocol):
    """A kind of board, and how it is spoken to. Its methods wait for the board, and raise OSError if it fails."""

    name: str
    """What people call it: "WLED"."""
    address: HttpAddress
    beat_every: float
    """Seconds after which `beat` is called while nothing else is sent."""

    def show(self, state: PublicState, events: Sequence[PublicEvent]) -> None:
        """Show this state; the events have just happened."""
        ...

    def beat(self, state: PublicState) -> None:
        """Keep showing this state, also on a board that was restarted."""
        ...

    def leave(self) -> None:
        """Restore the board's original state."""
        ...


class NetworkBoard(BackgroundDevice):
    """Sends a board the newest state, and restores its original state at the end. Events during its absence are
    skipped, so that nothing flashes late."""

    def __init__(self, board: BoardDriver, on_change: Callable[[], None] = lambda: None) -> None:
        """`on_change` is called from the thread when `words` have changed."""
        self._board, self._about = board, {"device": board.name, "host": board.address.shown}
        words = message("Connecting to {device} at {host}", **self._about)
        super().__init__(board.name, words, on_change)
        self._wanted: PublicState | None = None
        self._events: list[PublicEvent] = []
        self._shown: PublicState | None = None

    def start(self) -> None:
        """Begin to look for the board."""
        self._thread.start()

    def tell(self, notice: PublicNotice) -> None:
        """Show this as soon as may be; returns at once."""
        with self._news:
            self._wanted = notice.state
            self._events.extend(notice.events)
            self._news.notify()

    def _run(self) -> None:
        reached, again = False, RETRY[0]
        wait: float | None = None
        while True:
            with self._news:
                self._news.wait_for(lambda: self._closed or self._wanted is not self._shown, timeout=wait)
                if self._closed:
                    break
                wanted, events = self._wanted, tuple(self._events)
                self._events.clear()
            if wanted is None:
                continue
            try:
                if wanted is self._shown:
                    self._board.beat(wanted)
                else:
                    self._board.show(wanted, events if reached else ())
            except (OSError, msgspec.MsgspecError) as broken:
                reached = False
                self._stands(self._trouble(broken))
                with self._news:
                    self._news.wait_for(lambda: self._closed, timeout=again)
                self._shown, again = None, min(2 * again, RETRY[1])
            else:
                reached, self._shown, wait, again = True, wanted, self._board.beat_every, RETRY[0]
                self._stands(message("Connected to {device} at {host}", **self._about))
        if reached:
            try:
                self._board.leave()
            except (OSError, msgspec.MsgspecError):
                return

    def _trouble(self, broken: Exception) -> Message:
        match broken:
            case RefusedError(status=status):
                return message("{device} at {host} answered with HTTP status {status}; still trying",
                               status=status, **self._about)
            case msgspec.MsgspecError():
                return message("What answers at {host} doesn’t seem to be {device}; still trying", **self._about)
            case _:
                return message("{device} at {host} isn’t answering; still trying", **self._about)

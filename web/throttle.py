"""Slows guessing down: each wrong code makes the next try wait longer, for its sender and, later, for everyone."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address

FREE = 4
"""Wrong codes of one sender before it has to wait: a slip of the finger costs nothing."""

FREE_OVERALL = 24
"""Wrong codes of all senders together before everyone has to wait: somebody guesses from many addresses."""

LONGEST = 300.0
"""Seconds one sender waits at most between two tries."""

LONGEST_OVERALL = 30.0
"""Seconds everyone waits at most, so that an attacker cannot lock the people at the table out for long."""

FORGOTTEN = 3600.0
"""Seconds without a wrong code after which the count begins anew."""

MOST_SENDERS = 4096
"""Senders that are remembered; beyond them the one not heard of for longest is forgotten."""


class TooManyTriesError(Exception):
    """A code was not even looked at; `wait` says how many seconds until one is."""

    def __init__(self, wait: float) -> None:
        """`wait` in seconds, more than 0."""
        super().__init__(f"wait {wait:.0f} s")
        self.wait = wait


@dataclass(slots=True)
class _Count:
    wrong: int = 0
    last: float = field(default=-FORGOTTEN)


class Throttle:
    """Counts wrong codes. Safe from any thread: a code is looked at while nobody else's is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._senders: OrderedDict[str, _Count] = OrderedDict()
        self._all = _Count()

    def attempt(self, address: str, right: Callable[[], bool]) -> bool:
        """Whether `right()`, unless the sender has to wait.

        Many tries sent at once count one after the other, so none of them slips past the delay.

        Raises:
            TooManyTriesError: nothing was looked at.
        """
        with self._lock:
            now = self._clock()
            sender = self._sender(address)
            wait = max(
                _due(sender, FREE, LONGEST, now),
                0.0 if _loopback(address) else _due(self._all, FREE_OVERALL, LONGEST_OVERALL, now),
            )
            if wait > 0:
                raise TooManyTriesError(wait)
            if right():
                sender.wrong = 0
                return True
            for count in (sender, self._all):
                count.wrong = count.wrong + 1 if now - count.last < FORGOTTEN else 1
                count.last = now
            return False

    def _sender(self, address: str) -> _Count:
        key = _network(address)
        count = self._senders.setdefault(key, _Count())
        self._senders.move_to_end(key)
        if len(self._senders) > MOST_SENDERS:
            self._senders.popitem(last=False)
        return count


def _due(count: _Count, free: int, longest: float, now: float) -> float:
    """Seconds until the next try is looked at: 1, 2, 4, … after the free ones."""
    if count.wrong < free or now - count.last >= FORGOTTEN:
        return 0.0
    delay = min(2.0 ** min(count.wrong - free, 30), longest)
    return max(0.0, count.last + delay - now)


def _network(address: str) -> str:
    """What one sender can change at will is one sender: an IPv6 device has a whole /64 to write from."""
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, IPv6Address):
        return str(known.ipv4_mapped or (int(known) >> 64))
    return str(known)


def _loopback(address: str) -> bool:
    try:
        return ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False

"""Slows guessing down: each wrong code makes the sender's next try wait longer.

Others do not have to wait, unless wrong codes come from very many addresses at once. A link that is scanned or opened
contains a secret too long to guess and is never slowed down (`web.access`): people can use it even if they share an
address with somebody who guesses, as behind a reverse proxy.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address

from web.network.addresses import bare

FREE = 4
"""Wrong codes of one sender before it has to wait: a slip of the finger costs nothing."""

LONGEST = 5400.0
"""Seconds one sender waits at most between two tries."""

EASES = 5400.0
"""Seconds in which one wrong code is forgotten. A right one forgets none: a guesser may have a code of their own."""

FREE_OVERALL = 1900
"""Wrong codes of all senders together before everyone has to wait; a hundred senders stay below."""

LONGEST_OVERALL = 60.0
"""Seconds everyone waits at most."""

EASES_OVERALL = 24 * 3600.0 / FREE_OVERALL
"""Seconds in which one of them is forgotten."""

MOST_SENDERS = 4096
"""Senders that are remembered; beyond them the one not heard of for longest is forgotten."""


class TooManyTriesError(Exception):
    """A code was not checked; `wait` is the number of seconds until one is."""

    def __init__(self, wait: float) -> None:
        """`wait` in seconds, more than 0."""
        super().__init__(f"wait {wait:.0f} s")
        self.wait = wait


@dataclass(slots=True)
class _Count:
    """Wrong codes that are not forgotten yet, when the last one came."""

    free: int
    longest: float
    eases: float
    wrong: float = 0.0
    last: float = 0.0

    def due(self, now: float) -> float:
        """Seconds until the next try is checked: 1, 2, 4, … after the free ones."""
        if self.wrong <= self.free - 0.5:
            return 0.0
        delay = min(2.0 ** min(self.wrong - self.free, 30.0), self.longest)
        return max(0.0, self.last + delay - now)

    def add(self, now: float) -> None:
        """One more wrong code."""
        self.wrong = max(0.0, self.wrong - (now - self.last) / self.eases) + 1.0
        self.last = now


class Throttle:
    """Counts wrong codes, for any thread; codes are checked one at a time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._senders: OrderedDict[str, _Count] = OrderedDict()
        self._all = _Count(FREE_OVERALL, LONGEST_OVERALL, EASES_OVERALL)

    def attempt(self, address: str, right: Callable[[], bool]) -> bool:
        """Whether `right()`, unless the sender has to wait.

        Many tries sent at once count one after the other, so none of them slips past the delay.

        Raises:
            TooManyTriesError: the code was not checked.
        """
        with self._lock:
            now = self._clock()
            sender = self._sender(address)
            wait = max(sender.due(now), self._all.due(now))
            if wait > 0:
                raise TooManyTriesError(wait)
            if right():
                return True
            sender.add(now)
            self._all.add(now)
            return False

    def _sender(self, address: str) -> _Count:
        key = _network(address)
        count = self._senders.setdefault(key, _Count(FREE, LONGEST, EASES))
        self._senders.move_to_end(key)
        if len(self._senders) > MOST_SENDERS:
            self._senders.popitem(last=False)
        return count


def _network(address: str) -> str:
    """What one sender can change at will is one sender: an IPv6 device has a whole /64 to write from."""
    known = bare(address)
    return str(int(known) >> 64) if isinstance(known, IPv6Address) else str(known or address)

"""The cable between a host and a board, at the speed of its baud rate, with named faults.

Nothing here has its own clock except `CablePort`, which is a serial port in real time.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Protocol

from hardware.protocol import BAUD

BOOT_MS = 600
"""How long a board is deaf after a reset: its bootloader (Optiboot) waits that long for a new program."""


class CabledBoard(Protocol):
    """What hangs on the cable: a VirtualBoard, or the real firmware in a simulator."""

    def receive(self, received: bytes, now: int) -> None:
        """Bytes from the host, at a time in milliseconds."""
        ...

    def said(self) -> bytes:
        """Bytes for the host, once."""
        ...

    def reset(self, now: int) -> None:
        """The reset button, or power that comes back."""
        ...


@dataclass(frozen=True, slots=True)
class Faults:
    """How likely each fault is: of a byte for the first two, of a second for the others."""

    drop: float = 0.0
    """A byte never arrives."""
    flip: float = 0.0
    """One bit of a byte arrives wrong."""
    stall: float = 0.0
    """The board neither hears nor says anything for a while; what came meanwhile is lost beyond 128 bytes."""
    reset: float = 0.0
    """The board restarts."""
    disconnect: float = 0.0
    """The cable is pulled, and put in again a while later."""

    def __post_init__(self) -> None:
        """Raises ValueError."""
        for one in fields(self):
            if not 0 <= getattr(self, one.name) <= 1:
                raise ValueError(
                    f"expected a likelihood from 0 to 1 for {one.name}, got {getattr(self, one.name)}"
                )


NAMED = tuple(one.name for one in fields(Faults))
"""The faults by name."""

BYTE_MS = 10_000 / BAUD
"""Milliseconds one byte takes: start bit, eight bits, stop bit."""
PULLED_MS = (200, 1500)
"""How long a pulled cable stays out, from and to."""
STALLED_MS = (200, 1200)
"""How long a board stalls."""
HEARD_WHILE_STALLED = 128
"""Bytes that wait in a board that stalls."""


class Cable:
    """A board on a cable; times are milliseconds."""

    def __init__(
        self, board: CabledBoard, faults: Faults | None = None, seed: int | None = None, now: float = 0.0
    ) -> None:
        """`seed` makes the faults repeatable."""
        self._board, self._faults = board, faults or Faults()
        self._chance = random.Random(seed)
        self._to_board: deque[tuple[float, int]] = deque()
        self._to_host: deque[tuple[float, int]] = deque()
        self._now = self._free = self._back = now
        self._deaf_until = self._stalled_until = self._pulled_until = self._struck_at = now
        self._resets_at: float | None = None
        self._pending = {"drop": 0, "flip": 0}
        self.happened: list[tuple[float, str]] = []
        """When which fault struck; milliseconds."""
        self.plugs = 1
        """How often it was plugged in or is about to be."""

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._now >= self._pulled_until

    @property
    def quiet_at(self) -> float:
        """When the last fault is over, milliseconds; one that waits for a byte is not."""
        over = max(self._deaf_until, self._stalled_until, self._pulled_until, self._struck_at)
        return float("inf") if any(self._pending.values()) else over

    def send(self, sent: bytes) -> None:
        """The host's bytes; they arrive one after the other."""
        if not self.plugged:
            raise OSError("the cable is out")
        for byte in sent:
            self._free = max(self._free, self._now) + BYTE_MS
            if (kept := self._struck(byte)) is not None:
                self._to_board.append((self._free, kept))

    def receive(self) -> bytes:
        """What has arrived at the host."""
        if not self.plugged:
            raise OSError("the cable is out")
        arrived = bytearray()
        while self._to_host and self._to_host[0][0] <= self._now:
            arrived.append(self._to_host.popleft()[1])
        return bytes(arrived)

    def run(self, until: float) -> None:
        """Let time pass to `until`, in milliseconds."""
        span = (until - self._now) / 1000
        self._now = until
        for name in ("stall", "reset", "disconnect"):
            if span > 0 and self._chance.random() < 1 - (1 - getattr(self._faults, name)) ** span:
                self.strike(name)
        if self._resets_at is not None and until >= self._resets_at:
            self._resets_at = None
            self._board.reset(int(until))
        if until < self._deaf_until:
            # A bootloader reads and forgets.
            while self._to_board and self._to_board[0][0] <= until:
                self._to_board.popleft()
            return
        if until < self._stalled_until:
            while len(self._to_board) > HEARD_WHILE_STALLED and self._to_board[0][0] <= until:
                self._to_board.popleft()
            return
        arrived = bytearray()
        while self._to_board and self._to_board[0][0] <= until:
            arrived.append(self._to_board.popleft()[1])
        self._board.receive(bytes(arrived), int(until))
        for byte in self._board.said():
            self._back = max(self._back, self._now) + BYTE_MS
            if (kept := self._struck(byte)) is not None:
                self._to_host.append((self._back, kept))

    def strike(self, name: str) -> None:
        """Let a fault happen: a few of the next bytes are dropped or flipped, or it stalls, resets, disconnects now.

        Raises ValueError if there is no such fault.
        """
        if name not in NAMED:
            raise ValueError(f"expected one of {', '.join(NAMED)}, got {name!r}")
        if name in self._pending:
            self._pending[name] += self._chance.randint(1, 4)
            return
        self.happened.append((self._now, name))
        if name == "stall":
            self._stalled_until = self._now + self._chance.uniform(*STALLED_MS)
            return
        if name == "disconnect":
            self._pulled_until = self._now + self._chance.uniform(*PULLED_MS)
            self.plugs += 1
        # A board without power forgets as much as one that is reset.
        self._to_board.clear()
        self._to_host.clear()
        self._board.said()
        self._resets_at = self._deaf_until = max(self._now, self._pulled_until) + BOOT_MS

    def _struck(self, byte: int) -> int | None:
        """The byte as it arrives, or None if it does not."""
        if self._strikes("drop", self._faults.drop):
            return None
        return byte ^ 1 << self._chance.randrange(8) if self._strikes("flip", self._faults.flip) else byte

    def _strikes(self, name: str, likely: float) -> bool:
        if self._pending[name] and self._chance.random() < 0.2:
            self._pending[name] -= 1
        elif self._chance.random() >= likely:
            return False
        self._struck_at = self._now
        self.happened.append((self._now, name))
        return True


class CablePort:
    """The host's end of a cable, as a serial port that runs in real time."""

    def __init__(self, cable: Cable, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` counts seconds."""
        self._cable, self._clock, self._plug = cable, clock, cable.plugs

    def read(self, size: int) -> bytes:
        """What has arrived; raises OSError while the cable is out."""
        self._pass_time()
        return self._cable.receive()

    def write(self, sent: bytes) -> None:
        """Send; raises OSError while the cable is out."""
        self._pass_time()
        self._cable.send(sent)

    def close(self) -> None:
        """Nothing is held."""

    def _pass_time(self) -> None:
        self._cable.run(self._clock() * 1000)
        if self._plug != self._cable.plugs:
            raise OSError("the cable was pulled; open the port anew")

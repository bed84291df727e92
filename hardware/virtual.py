"""A scoreboard without hardware: the firmware's behaviour in Python, and a wire with named faults.

Neither has a clock or a thread: whoever runs them says what time it is, so that an evening fits into a second.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields

from hardware.picture import POINTS_MS, Columns, Display, Scene, intensity, picture
from hardware.protocol import (
    BAUD,
    LOST_AFTER_MS,
    NOTHING,
    VERSION,
    Ack,
    BoardState,
    Hello,
    Identity,
    LineReader,
    Packet,
    PacketError,
    Ping,
    Refusal,
    Show,
    checksum,
    line,
    parse,
)

BOOT_MS = 600
"""How long a board is deaf after a reset: its bootloader (Optiboot) waits that long for a new program."""

FROM_BOARDS = (b"I|", b"A|", b"N|")
"""How bodies begin that boards say: an echo, or two boards on one wire; never an answer to them."""


class VirtualBoard:
    """What the firmware does, byte by byte. Times are milliseconds of any clock that does not run backwards."""

    def __init__(self, display: Display, now: int = 0, version: int = VERSION) -> None:
        """A board that was just switched on; it says who it is."""
        self.display, self._version = display, version
        self._out = bytearray()
        self.reset(now)

    def reset(self, now: int) -> None:
        """Forget everything, as after the reset button, and say who one is."""
        self._reader = LineReader()
        self._state: BoardState | None = None
        self._shown = NOTHING
        self._greeted = self._other = False
        self._heard = self._pages_from = self._points_until = now
        self._say(self._identity(0))

    @property
    def state(self) -> BoardState | None:
        """What it was last told to show."""
        return self._state

    def receive(self, received: bytes, now: int) -> None:
        """Bytes from the host."""
        for inside in self._reader.feed(received):
            if inside is None:
                self._say(Refusal(None, "damaged"))
                continue
            if inside[:2] in FROM_BOARDS:
                continue
            try:
                packet = parse(inside)
            except PacketError:
                # A checksum that is right means that somebody is there, whatever he speaks.
                self._heard = now
                self._say(Refusal(_seq(inside), "form"))
            else:
                self._take(packet, inside, now)

    def said(self) -> bytes:
        """Bytes for the host, once."""
        said, self._out = bytes(self._out), bytearray()
        return said

    def scene(self, now: int) -> Scene:
        """What there is to show."""
        silent = now - self._heard
        start = self._pages_from
        points = self._state is not None and self._state.points is not None
        if points and self._points_until > start:
            start = self._points_until
        return Scene(
            self._state,
            max(0, now - start),
            points and now < self._points_until,
            self._other,
            silent - LOST_AFTER_MS if silent >= LOST_AFTER_MS else None,
        )

    def picture(self, now: int) -> Columns:
        """The lit columns; see `hardware.picture`."""
        return picture(self.display, self.scene(now))

    def intensity(self, now: int) -> int:
        """How bright they are, 0 to 15."""
        return intensity(self.display, self.scene(now))

    def _take(self, packet: Packet, inside: bytes, now: int) -> None:
        match packet:
            case Hello(seq, version):
                if self._other != (version != self._version):
                    self._pages_from = now
                self._other, self._greeted = version != self._version, version == self._version
                self._say(self._identity(seq))
            case Show(seq, state) if self._greeted:
                self._adopt(state, now)
                self._shown = checksum(inside)
                self._say(Ack(seq, self._shown))
            case Ping(seq) if self._greeted:
                self._say(Ack(seq, self._shown))
            case Show(seq) | Ping(seq):
                self._say(Refusal(seq, "version"))
            case Identity() | Ack() | Refusal():
                raise AssertionError("boards do not hear boards")
        self._heard = now

    def _adopt(self, state: BoardState, now: int) -> None:
        old, self._state = self._state, state
        if old is not None and state.event != old.event and state.points is not None:
            self._points_until = now + POINTS_MS
        if old is None or (state.seats, state.turn, state.winners) != (old.seats, old.turn, old.winners):
            self._pages_from = now

    def _identity(self, seq: int) -> Identity:
        return Identity(seq, self._version, self.display.name)

    def _say(self, packet: Packet) -> None:
        self._out += line(packet)


def _seq(inside: bytes) -> int | None:
    """The number in a packet's second field, where there is one."""
    try:
        packet = parse(b"P|" + inside.split(b"|")[1])
    except (PacketError, IndexError):
        return None
    return packet.seq


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
    """The board starts anew."""
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


class Wire:
    """The cable between a host and a board, at the speed of its baud rate, with what can happen on the way.

    A board on it is any object with `receive` and `said` as the VirtualBoard has them, and a way to reset it.
    """

    def __init__(self, board: VirtualBoard, faults: Faults | None = None, seed: int | None = None) -> None:
        """`seed` makes the faults repeatable."""
        self._board, self._faults = board, faults or Faults()
        self._chance = random.Random(seed)
        self._to_board: deque[tuple[float, int]] = deque()
        self._to_host: deque[tuple[float, int]] = deque()
        self._now = self._free = self._back = 0.0
        self._deaf_until = self._stalled_until = self._pulled_until = 0.0
        self._resets_at: float | None = None
        self.happened: list[tuple[float, str]] = []
        """When which fault struck; milliseconds."""
        self.on_pull: Callable[[], None] = lambda: None
        """Called when the cable is pulled."""

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._now >= self._pulled_until

    @property
    def quiet_at(self) -> float:
        """When the last fault is over; milliseconds."""
        return max(self._deaf_until, self._stalled_until, self._pulled_until, self._last_byte_fault)

    _last_byte_fault = 0.0

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
        """Let a fault happen now: stall, reset or disconnect.

        Raises:
            ValueError: there is no such fault.
        """
        if name not in NAMED[2:]:
            raise ValueError(f"expected one of {', '.join(NAMED[2:])}, got {name!r}")
        self.happened.append((self._now, name))
        if name == "stall":
            self._stalled_until = self._now + self._chance.uniform(*STALLED_MS)
            return
        if name == "disconnect":
            self._pulled_until = self._now + self._chance.uniform(*PULLED_MS)
            self.on_pull()
        # A board without power forgets as much as one that is reset.
        self._to_board.clear()
        self._to_host.clear()
        self._board.said()
        self._resets_at = self._deaf_until = max(self._now, self._pulled_until) + BOOT_MS

    def _struck(self, byte: int) -> int | None:
        """The byte as it arrives, or None when it does not."""
        if self._chance.random() < self._faults.drop:
            self._note("drop")
            return None
        if self._chance.random() < self._faults.flip:
            self._note("flip")
            return byte ^ 1 << self._chance.randrange(8)
        return byte

    def _note(self, name: str) -> None:
        self._last_byte_fault = self._now
        self.happened.append((self._now, name))

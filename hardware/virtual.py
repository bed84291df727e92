"""A scoreboard without hardware: what the firmware does, in Python.

It has no clock and no thread: the caller passes the time, so that an evening fits into a second. The cable to it, with
its faults, is in `hardware.faults`.
"""

from __future__ import annotations

from hardware.board_state import BoardState
from hardware.picture import POINTS_MS, Columns, Display, LedScene, intensity, picture
from hardware.protocol import (
    LOST_AFTER_MS,
    NOTHING,
    VERSION,
    Ack,
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
        """The last state it received."""
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

    def scene(self, now: int) -> LedScene:
        """The state to show."""
        silent = now - self._heard
        start = self._pages_from
        points = self._state is not None and self._state.points is not None
        if points and self._points_until > start:
            start = self._points_until
        return LedScene(
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
    """The number in a packet's second field, if there is one."""
    try:
        packet = parse(b"P|" + inside.split(b"|")[1])
    except (PacketError, IndexError):
        return None
    return packet.seq

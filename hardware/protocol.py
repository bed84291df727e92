"""The scoreboard's protocol, version 1: how a host and a board talk over a serial line. Pure bytes, no port, no clock.

A **line** is printable ASCII at 115,200 baud, 8N1::

    $BODY*CHECKSUM\\n

BODY holds no ``$`` and no ``*``; its fields are separated by ``|``. CHECKSUM is the CRC-32 of the body (IEEE 802.3, the
one of zlib) as eight capital hexadecimal digits. ``$`` always begins a line anew, ``\\r`` is ignored, and what stands
outside a line is noise. Numbers are plain decimals: no plus, no leading zeros, no minus zero. SEQ is 0 to 255.

======================================================= ==============================================================
from the host
======================================================= ==============================================================
``H|SEQ|VERSION``                                       Hello: who are you? This form never changes, so that every
                                                        version understands every other's.
``S|SEQ|BRIGHT|TURN|EVENT|POINTS|WON|NAME=SCORE|…``     Show: everything there is to show. BRIGHT 0 to 15; TURN the
                                                        seat on turn, from 0, or ``-``; EVENT 0 to 255, another one
                                                        whenever POINTS are news; POINTS of the last roll or ``-``; WON
                                                        the winners' seats as bits of a hexadecimal number; then 0 to 12
                                                        seats. NAME is up to 12 characters of Latin-1, any as ``%XX``
                                                        and those outside ASCII, ``$ % * = |`` always.
``P|SEQ``                                               Ping: are you there, and what do you show? Once a second.
======================================================= ==============================================================

======================================================= ==============================================================
from the board
======================================================= ==============================================================
``I|SEQ|VERSION|DISPLAY|SEATS|LETTERS|INTERVAL``        Identity: the answer to a hello, and said unasked (SEQ 0) after
                                                        a reset. DISPLAY names the LEDs (``matrix4``); SEATS and LETTERS
                                                        are the most it takes; INTERVAL the fewest milliseconds between
                                                        two states. Later versions may say more.
``A|SEQ|SHOWN``                                         Acknowledgement of a show or a ping. SHOWN is the checksum of
                                                        the show line on the LEDs, ``00000000`` before the first.
``N|SEQ|WHY``                                           Refusal, SEQ ``-`` where it could not be read: ``damaged`` (send
                                                        it again), ``form`` (no such packet), ``version`` (say hello
                                                        first, in my version).
======================================================= ==============================================================

A damaged line is refused and sent again; a lost one is not acknowledged within 0.2 s and sent again; a board that was
reset says so, or shows another checksum at the next ping. Every show is complete, so nothing needs a history. A board
that has heard nothing valid for 10 s dims and says that it lost its host. Versions must be equal: a board that hears
another version's hello shows "Update", and the host says in one line which of the two is old.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import TypeAlias

from hardware.board_state import HIGHEST, LETTERS, LOWEST, SEATS, BoardSeat, BoardState

VERSION = 1
BAUD = 115_200
LONGEST = 544
"""Most bytes of a body: 12 seats whose names are all escapes take 541."""
LOST_AFTER_MS = 10_000
"""A board that hears nothing valid for so long has lost its host."""
NOTHING = 0
"""The checksum a board says before it shows a state."""

WHYS = ("damaged", "form", "version")

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,4})")
_HEX = re.compile(r"0|[1-9A-F][0-9A-F]{0,3}")
_NAME = re.compile(r"(?:[!-#&-)+-<>-{}~ ]|%[0-9A-F]{2})*")
_DISPLAY = re.compile(r"[a-z0-9-]{1,16}")


class PacketError(ValueError):
    """A line is not a packet; `why` is the word with which a board would refuse it."""

    def __init__(self, why: str, expected: str) -> None:
        """`expected` says what should have come."""
        super().__init__(f"{why} packet: expected {expected}")
        self.why = why


@dataclass(frozen=True, slots=True)
class Hello:
    """Who are you?"""

    seq: int
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Show:
    """Show this."""

    seq: int
    state: BoardState


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there, and what do you show?"""

    seq: int


@dataclass(frozen=True, slots=True)
class Identity:
    """What a board is."""

    seq: int
    version: int
    display: str
    seats: int = SEATS
    letters: int = LETTERS
    interval: int = 40
    """Milliseconds between two states, at least."""


@dataclass(frozen=True, slots=True)
class Ack:
    """A show or ping arrived; `shown` is the checksum of the show line on the LEDs."""

    seq: int
    shown: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line was not taken; `seq` is None if it could not be read."""

    seq: int | None
    why: str


Packet: TypeAlias = Hello | Show | Ping | Identity | Ack | Refusal


def checksum(body: bytes) -> int:
    """The CRC-32 of a line's body."""
    return zlib.crc32(body)


def body(packet: Packet) -> bytes:
    """What stands between `$` and `*`."""
    match packet:
        case Hello(seq, version):
            fields = ["H", str(seq), str(version)]
        case Ping(seq):
            fields = ["P", str(seq)]
        case Show(seq, state):
            turn = "-" if state.turn is None else str(state.turn)
            points = "-" if state.points is None else str(state.points)
            won = f"{sum(1 << seat for seat in state.winners):X}"
            fields = ["S", str(seq), str(state.brightness), turn, str(state.event), points, won]
            fields += [f"{_escaped(seat.name)}={seat.score}" for seat in state.seats]
        case Identity(seq, version, display, seats, letters, interval):
            fields = ["I", *map(str, (seq, version)), display, *map(str, (seats, letters, interval))]
        case Ack(seq, shown):
            fields = ["A", str(seq), f"{shown:08X}"]
        case Refusal(seq, why):
            fields = ["N", "-" if seq is None else str(seq), why]
    return "|".join(fields).encode("ascii")


def line(packet: Packet) -> bytes:
    """A packet as it goes over the wire."""
    inside = body(packet)
    return b"$%s*%08X\n" % (inside, checksum(inside))


def parse(inside: bytes) -> Packet:
    """The packet in a body whose checksum was right. Raises PacketError (`form`) if it is not one."""
    kind, *fields = inside.decode("latin-1").split("|")
    try:
        match kind, fields:
            case "H", [seq, version]:
                return Hello(_count(seq), _count(version))
            case "P", [seq]:
                return Ping(_count(seq))
            case "S", [seq, bright, turn, event, points, won, *seats]:
                return Show(_count(seq), _state(bright, turn, event, points, won, seats))
            case "I", [seq, version, display, seats, letters, interval, *more]:
                if _count(version) == VERSION and more:
                    raise ValueError("no more fields")
                if not _DISPLAY.fullmatch(display):
                    raise ValueError("a display's name")
                limits = (_number(seats, 0, 99), _number(letters, 0, 99), _number(interval, 0, 9_999))
                return Identity(_count(seq), _count(version), display, *limits)
            case "A", [seq, shown] if re.fullmatch("[0-9A-F]{8}", shown):
                return Ack(_count(seq), int(shown, 16))
            case "N", [seq, why] if why in WHYS:
                return Refusal(None if seq == "-" else _count(seq), why)
            case _:
                raise ValueError("a kind of packet with its fields")
    except ValueError as refused:
        raise PacketError("form", str(refused)) from None


class LineReader:
    """Cuts what comes over the wire into bodies whose checksum is right."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._line: bytearray | None = None

    def feed(self, received: bytes) -> list[bytes | None]:
        """The bodies completed by these bytes, in order; None for a line that was damaged."""
        found: list[bytes | None] = []
        for byte in received:
            if byte == 0x24:  # $
                if self._line is not None:
                    found.append(None)
                self._line = bytearray()
            elif self._line is None or byte == 0x0D:
                continue
            elif byte == 0x0A:
                found.append(checked(bytes(self._line)))
                self._line = None
            elif 0x20 <= byte <= 0x7E and len(self._line) < LONGEST + 9:
                self._line.append(byte)
            else:
                # Whatever follows belongs to a line that cannot be right any more.
                found.append(None)
                self._line = None
        return found


def checked(text: bytes) -> bytes | None:
    """The body of `BODY*CHECKSUM`, or None if the checksum is not its own."""
    inside, star, sum_ = text[:-9], text[-9:-8], text[-8:]
    return inside if star == b"*" and b"*" not in inside and sum_ == b"%08X" % checksum(inside) else None


def _escaped(name: str) -> str:
    return "".join(
        letter if " " <= letter <= "~" and letter not in "$%*=|" else f"%{ord(letter):02X}" for letter in name
    )


def _unescaped(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("a name of plain characters and escapes")
    return re.sub("%(..)", lambda escape: chr(int(escape[1], 16)), name)


def _number(text: str, low: int, high: int) -> int:
    if not _NUMBER.fullmatch(text) or text == "-0" or not low <= int(text) <= high:
        raise ValueError(f"a number from {low} to {high}, got {text!r}")
    return int(text)


def _count(text: str) -> int:
    return _number(text, 0, 255)


def _state(bright: str, turn: str, event: str, points: str, won: str, seats: list[str]) -> BoardState:
    if not _HEX.fullmatch(won):
        raise ValueError(f"seats as hexadecimal bits, got {won!r}")
    seated: list[BoardSeat] = []
    for seat in seats:
        name, equals, score = seat.partition("=")
        if not equals:
            raise ValueError(f"NAME=SCORE, got {seat!r}")
        seated.append(BoardSeat(_unescaped(name), _number(score, LOWEST, HIGHEST)))
    return BoardState(
        tuple(seated),
        None if turn == "-" else _count(turn),
        _count(event),
        None if points == "-" else _number(points, LOWEST, HIGHEST),
        frozenset(seat for seat in range(16) if int(won, 16) >> seat & 1),
        _number(bright, 0, 15),
    )

"""The host's side of one conversation with one board: what to say next, and what its answers mean.

No port, no clock and no thread: bytes and times (in seconds) go in, bytes come out.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardware.board_state import BoardState
from hardware.protocol import (
    NOTHING,
    VERSION,
    Ack,
    Hello,
    Identity,
    LineReader,
    PacketError,
    Ping,
    Refusal,
    Show,
    body,
    checksum,
    line,
    parse,
)

ASK_EVERY = 0.25
"""Seconds from one hello to the next, until somebody answers."""
ANSWER_WITHIN = 0.2
"""Seconds after which a packet counts as lost: the longest line takes 50 ms, the answer 3 ms."""
PING_EVERY = 1.0
"""Seconds of silence after which we ask what the board shows."""
OTHER_VERSION_EVERY = 2.0
"""Seconds between hellos to a board of another version."""
SULK = 1.0
"""Seconds before a packet is said again that the board calls none."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A packet that waits for its answer."""

    seq: int
    at: float
    state: BoardState | None
    """What a show would show; None for a ping."""
    checksum: int


class Talk:
    """Keeps a board showing what is wanted, however badly the line behaves."""

    def __init__(self, now: float, version: int = VERSION) -> None:
        """A conversation that is about to begin."""
        self.wanted: BoardState | None = None
        """What the board should show; the newest is all that counts."""
        self.identity: Identity | None = None
        """Who answered; None until then."""
        self.heard_at = now
        """When something valid came last."""
        self._version = version
        self._reader = LineReader()
        self._seq = 0
        self._waiting: _Sent | None = None
        self._up: BoardState | None = None
        self._up_checksum = NOTHING
        self._not_before = now
        self._ping_at = now

    @property
    def other_version(self) -> bool:
        """Whether the board speaks another version than we do."""
        return self.identity is not None and self.identity.version != self._version

    @property
    def showing(self) -> bool:
        """Whether the board said that it shows what is wanted."""
        return self.wanted is not None and self._up == self.wanted

    @property
    def waiting(self) -> bool:
        """Whether an answer is due."""
        return self._waiting is not None or self.identity is None

    def hear(self, received: bytes, now: float) -> None:
        """Bytes from the board."""
        for inside in self._reader.feed(received):
            if inside is None:
                self._waiting = None
                continue
            try:
                packet = parse(inside)
            except PacketError:
                continue
            match packet:
                case Identity():
                    self._meet(packet, now)
                case Ack(seq, shown):
                    self._acknowledged(seq, shown)
                case Refusal(seq, why):
                    self._refused(seq, why, now)
                case _:
                    continue  # an echo of ours
            self.heard_at = now
            self._ping_at = now + PING_EVERY

    def due(self, now: float) -> bytes:
        """What to send now; mostly nothing."""
        if now < self._not_before:
            return b""
        if self.identity is None or self.other_version:
            self._not_before = now + (ASK_EVERY if self.identity is None else OTHER_VERSION_EVERY)
            return line(Hello(self._next(), self._version))
        if self._waiting is not None:
            if now < self._waiting.at + ANSWER_WITHIN:
                return b""
            self._waiting = None
        if self.wanted is not None and self._up != self.wanted:
            packet = Show(self._next(), self.wanted)
            self._waiting = _Sent(packet.seq, now, self.wanted, checksum(body(packet)))
        elif now >= self._ping_at:
            packet = Ping(self._next())
            self._waiting = _Sent(packet.seq, now, None, 0)
        else:
            return b""
        self._not_before = now + self.identity.interval / 1000
        return line(packet)

    def next_at(self) -> float:
        """When something may be due next, if nothing comes before."""
        if self._waiting is not None and self.identity is not None:
            return max(self._not_before, self._waiting.at + ANSWER_WITHIN)
        if self.identity is None or self.other_version or self._up != self.wanted:
            return self._not_before
        return max(self._not_before, self._ping_at)

    def _next(self) -> int:
        """1 to 255: what a board says unasked has number 0."""
        self._seq = self._seq % 255 + 1
        return self._seq

    def _meet(self, identity: Identity, now: float) -> None:
        self._waiting = self._up = None
        self._up_checksum = NOTHING
        self._not_before = now
        if identity.seq:
            # The answer to a hello of ours, if perhaps not to the last one.
            self.identity = identity
            if self.other_version:
                self._not_before = now + OTHER_VERSION_EVERY
        else:
            # It says so unasked: it was reset, and waits for a hello.
            self.identity = None

    def _acknowledged(self, seq: int, shown: int) -> None:
        sent = self._waiting
        if sent is None or seq != sent.seq:
            return
        self._waiting = None
        if sent.state is None:
            if shown != self._up_checksum:
                self._up = None
        elif shown == sent.checksum:
            self._up, self._up_checksum = sent.state, shown

    def _refused(self, seq: int | None, why: str, now: float) -> None:
        if seq is not None and (self._waiting is None or seq != self._waiting.seq):
            return
        self._waiting = None
        if why == "version":
            self.identity = None
            self._not_before = now
        elif why == "form":
            self._not_before = now + SULK

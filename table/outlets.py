"""Passes the table's notices on to scoreboards, an MQTT broker and other programs.

They are outputs like the pages (`table.ports.Output`) and get the same notices, so they show the same.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.board_state import HIGHEST, LOWEST, SEATS, BoardSeat, BoardState, showable
from hardware.public_state import PublicNotice
from scoring.view import Seat
from table.public import PublicNotices
from table.settings import BRIGHTNESS
from table.snapshot import Notice, Snapshot


class Gains:
    """The last gain and its player, found by comparing the scores of successive notices."""

    def __init__(self) -> None:
        """Start without a notice."""
        self._before: tuple[Seat, ...] = ()
        self.points: int | None = None
        """The gain of the player whose score changed last (of several, the one whose turn it was)."""
        self.count = 0
        """How often scores have changed."""

    def follow(self, seats: tuple[Seat, ...]) -> None:
        """Take the seats of the next notice."""
        before, self._before = self._before, seats
        if [seat.name for seat in before] != [seat.name for seat in seats]:
            # The initial scores of another match are nobody's gain.
            self.points = None
            return
        changed = [
            (now.score - then.score, then.on_turn)
            for then, now in zip(before, seats, strict=True)
            if now.score != then.score
        ]
        if changed:
            self.count += 1
            self.points = next((points for points, on_turn in changed if on_turn), changed[0][0])


class BoardOutput:
    """Shows the table's state on a scoreboard."""

    def __init__(self, show: Callable[[BoardState], None], brightness: int = BRIGHTNESS) -> None:
        """`show` takes a state and returns at once."""
        self._show, self._brightness, self._gains = show, brightness, Gains()

    def tell(self, notice: Notice) -> None:
        """Show the table's state."""
        self._gains.follow(notice.snapshot.seats)
        self._show(board_state(notice.snapshot, self._gains, self._brightness))


def board_state(snapshot: Snapshot, gains: Gains, brightness: int = BRIGHTNESS) -> BoardState:
    """A snapshot as a board can show it: at most 12 seats, short names, scores within its range."""
    seats = snapshot.seats[:SEATS]
    turn = next((place for place, seat in enumerate(seats) if seat.on_turn), None)
    return BoardState(
        tuple(BoardSeat(showable(seat.name), _within(seat.score)) for seat in seats),
        turn,
        gains.count % 256,
        None if gains.points is None else _within(gains.points),
        frozenset(seat for seat in snapshot.winners if seat < len(seats)),
        brightness,
    )


class PublicOutput:
    """Sends public notices to a broker, a device or another program."""

    def __init__(self, tell: Callable[[PublicNotice], None]) -> None:
        """`tell` takes a notice and returns at once."""
        self._tell, self._notices = tell, PublicNotices()

    def tell(self, notice: Notice) -> None:
        """Send the notice."""
        self._tell(self._notices.follow(notice))


def _within(number: int) -> int:
    return max(LOWEST, min(HIGHEST, number))

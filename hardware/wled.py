"""WLED, a firmware for LED strips, as a scoreboard: the strip has the colour of the player on turn, fireworks at a win.

Its API: https://kno.wled.ge/interfaces/json-api. The strip's original state is restored at the end. It receives
something only if its colour changes or it was restarted, so that people can still dim it or switch it off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from hardware.http import HttpAddress, get, post
from hardware.network_board import seat_colour
from hardware.public_state import PublicEvent, PublicState

SOLID, FIREWORKS = 0, 42
"""Effects: WLED's numbers for them never change."""
WAITING = (255, 160, 60)
"""The colour while it is nobody's turn."""


class _Segment(msgspec.Struct):
    """What is put back of a segment; a colour may have a fourth part, and be a number in old versions."""

    id: int = 0
    col: list[Any] = msgspec.field(default_factory=list[Any])
    fx: int = SOLID
    sx: int = 128
    ix: int = 128
    pal: int = 0


class _Light(msgspec.Struct):
    on: bool
    bri: int
    seg: list[_Segment]


class _Info(msgspec.Struct):
    uptime: int


class Wled:
    """A light strip (`hardware.network_board.BoardDriver`)."""

    name = "WLED"
    beat_every = 15.0

    def __init__(self, address: HttpAddress) -> None:
        """Where the strip is."""
        self.address = address
        self._found: _Light | None = None
        self._sent: dict[str, Any] | None = None
        self._uptime = 0

    def show(self, state: PublicState, events: Sequence[PublicEvent]) -> None:
        """Show whose turn it is, or who won."""
        if self._found is None:
            self._found = msgspec.json.decode(get(self.address, "/json/state"), type=_Light)
            self._restarted()
        if (wanted := light(state)) != self._sent:
            self._sent = None
            post(self.address, "/json/state", msgspec.json.encode(wanted))
            self._sent = wanted

    def beat(self, state: PublicState) -> None:
        """Show it again on a strip that was restarted."""
        self._restarted()
        self.show(state, ())

    def leave(self) -> None:
        """Put back what was found."""
        if self._found is not None:
            post(self.address, "/json/state", msgspec.json.encode(self._found))

    def _restarted(self) -> None:
        uptime = msgspec.json.decode(get(self.address, "/json/info"), type=_Info).uptime
        if uptime < self._uptime:
            self._sent = None
        self._uptime = uptime


def light(state: PublicState) -> dict[str, Any]:
    """The strip's state for WLED: all segments that are selected there."""
    seats = list(enumerate(state.players))
    seat = next((seat for seat, one in seats if one.on_turn or one.won), None)
    colour = WAITING if seat is None else seat_colour(seat)
    over = any(one.won for one in state.players)
    return {"on": True, "seg": {"col": [colour], "fx": FIREWORKS if over else SOLID, "pal": 0}}

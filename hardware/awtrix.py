"""AWTRIX 3, a firmware for small matrices (Ulanzi TC001), as a scoreboard: a custom app, and short notifications.

Its API: https://blueforcer.github.io/awtrix3/#/api. A custom app vanishes by itself when Tableside is gone
(`lifetime`), and is sent again and again, because a display that was restarted has forgotten it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import msgspec

from hardware.board_state import LETTERS, showable
from hardware.http import HttpAddress, RefusedError, post
from hardware.network_board import seat_colour
from hardware.public_state import PublicEvent, PublicState

APP = "tableside"
LIFETIME = 120
"""Seconds after which the display forgets the app unless it is sent again."""
DURATION = 15
"""Seconds that the app stays before the display goes on to its next one."""
LONGEST_TEXT = 160
"""Letters of a text that scrolls."""
ASKING = "FFA000"


class Awtrix:
    """An AWTRIX display (`hardware.network_board.BoardDriver`)."""

    name = "AWTRIX"
    beat_every = LIFETIME / 3

    def __init__(self, address: HttpAddress) -> None:
        """Where the display is."""
        self.address = address
        self._match = ""

    def show(self, state: PublicState, events: Sequence[PublicEvent]) -> None:
        """Show everyone's scores, and for a moment the points that somebody got, or who won."""
        self.beat(state)
        if state.match != self._match:
            self._match = state.match
            with contextlib.suppress(RefusedError):  # it comes to the app by itself, then
                self._post("/api/switch", {"name": APP})
        for event in events:
            if told := notification(event, state):
                self._post("/api/notify", told)

    def beat(self, state: PublicState) -> None:
        """Send the app once more."""
        self._post(f"/api/custom?name={APP}", app(state))

    def leave(self) -> None:
        """Take the app away."""
        post(self.address, f"/api/custom?name={APP}", b"")

    def _post(self, path: str, value: dict[str, Any]) -> None:
        post(self.address, path, msgspec.json.encode(value))


def app(state: PublicState) -> dict[str, Any]:
    """The custom app: everyone's name and score, each in their colour, whose turn it is first."""
    seats = list(enumerate(state.players))
    first = next((seat for seat, player in seats if player.on_turn or player.won), 0)
    shown = [
        (seat_colour(seat), f"{'>' if player.on_turn else ''}{_plain(player.name)} {player.score}  ")
        for seat, player in (*seats[first:], *seats[:first])
    ]
    common = {"lifetime": LIFETIME, "duration": DURATION}
    if state.over:
        return {"text": "".join(text for _, text in shown).strip(), "rainbow": True, **common}
    fragments = [{"t": text, "c": _hex(colour)} for colour, text in shown]
    return {"text": [*([{"t": "? ", "c": ASKING}] if state.question else []), *fragments], **common}


def notification(event: PublicEvent, state: PublicState) -> dict[str, Any] | None:
    """What is shown of an event for a moment; None for a throw, which the table itself shows."""
    if event.type == "win":
        return {"text": _plain(state.over, LONGEST_TEXT), "rainbow": True, "repeat": 2, "stack": False}
    if event.type == "points" and event.points:
        seat = next((seat for seat, one in enumerate(state.players) if one.name == event.player), 0)
        text = f"{_plain(event.player)} {event.points:+}"
        return {"text": text, "color": f"#{_hex(seat_colour(seat))}", "duration": 4, "stack": False}
    return None


def _plain(text: str, letters: int = LETTERS) -> str:
    """A text in letters the display has. It would fill `{{topic}}` with what its broker keeps there."""
    return showable(text.replace("{", "(").replace("}", ")"), letters)


def _hex(colour: tuple[int, int, int]) -> str:
    return "".join(f"{part:02X}" for part in colour)

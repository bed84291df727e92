"""What a scoreboard shows, within what it can show: players' names in its letters, scores, whose turn, who won."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from hardware.font import CODES

SEATS = 12
"""Most seats in a state."""
LETTERS = 12
"""Most characters of a name."""
LOWEST, HIGHEST = -9_999, 99_999
"""Scores, and points, that a board can show."""


@dataclass(frozen=True, slots=True)
class BoardSeat:
    """A player on the board: a name the board can show (see `showable`) and a score within its range."""

    name: str
    score: int

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if len(self.name) > LETTERS or any(ord(letter) not in CODES for letter in self.name):
            raise ValueError(
                f"expected at most {LETTERS} characters that the board can show, got {self.name!r}"
            )
        if not LOWEST <= self.score <= HIGHEST:
            raise ValueError(f"expected a score from {LOWEST} to {HIGHEST}, got {self.score}")


@dataclass(frozen=True, slots=True)
class BoardState:
    """Everything a board shows."""

    seats: tuple[BoardSeat, ...] = ()
    turn: int | None = None
    """The seat on turn, from 0."""
    event: int = 0
    """0 to 255; another number whenever `points` are news, so that equal points flash twice."""
    points: int | None = None
    """What the last roll brought."""
    winners: frozenset[int] = frozenset()
    """Seats that won."""
    brightness: int = 6
    """0 to 15."""

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if len(self.seats) > SEATS:
            raise ValueError(f"expected at most {SEATS} seats, got {len(self.seats)}")
        for seat in (*self.winners, *(() if self.turn is None else (self.turn,))):
            if not 0 <= seat < len(self.seats):
                raise ValueError(f"expected a seat below {len(self.seats)}, got {seat}")
        if not 0 <= self.event <= 255 or not 0 <= self.brightness <= 15:
            raise ValueError("expected an event from 0 to 255 and a brightness from 0 to 15")
        if self.points is not None and not LOWEST <= self.points <= HIGHEST:
            raise ValueError(f"expected points from {LOWEST} to {HIGHEST}, got {self.points}")


def showable(name: str, letters: int = LETTERS) -> str:
    """A name in the characters that the board has, cut to its length: "Đorđe 🎲" becomes "Dorde ?"."""
    shown: list[str] = []
    for letter in unicodedata.normalize("NFC", name):
        if ord(letter) in CODES:
            shown.append(letter)
            continue
        plain = _FOLDED.get(letter) or unicodedata.normalize("NFKD", letter)
        kept = "".join(one for one in plain if ord(one) in CODES)
        unseen = unicodedata.category(letter) in ("Mn", "Me", "Cf")
        shown.append(kept or ("" if unseen else " " if letter.isspace() else "?"))
    return " ".join("".join(shown).split())[:letters].rstrip()


_FOLDED = {
    "Đ": "D",
    "đ": "d",
    "Ł": "L",
    "ł": "l",
    "ı": "i",
    "Œ": "OE",
    "œ": "oe",
    "’": "'",
    "‘": "'",
    "–": "-",
}
"""Letters that Unicode does not take apart."""

"""Tells what moved last on a table: a hand, which reaches in over the picture's border, or dice by themselves.

A thrown die rolls on after the hand has gone; one that is set aside lies still before the hand goes.
"""

from __future__ import annotations

from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

Pieces = NDArray[np.int32]
"""(N, 5) connected parts of a picture: left, top, width, height and area, in pixels."""

BORDER: Final = 2
"""Width of the picture's border in pixels."""
ROLLS_FOR: Final = 0.06
"""Seconds before the last movement in which nothing reaches in, if dice move by themselves."""
ARM: Final = 10.0
"""What reaches in is an arm if the box around it is this many times as large as a die's; a die at the border, with what
it changes around it, was taken for one at four times (docs/research/reading.md)."""


class Mover:
    """Follows what moves, from frame to frame; times are in seconds, on the frames' own clock."""

    def __init__(self) -> None:
        """Begin with a table on which nothing has moved."""
        self._alone = 0.0
        """Seconds of movement while nothing reached in."""
        self._moved = self._reached_in = -inf
        """Times of the last movement, and of the last one that reached in."""
        self._largest = 0.0
        """Its largest size, as the area of its box in pixels."""

    def rests(self) -> None:
        """Nothing moves; begin anew with the next movement."""
        self._alone = self._largest = 0.0

    def moves(self, new: Pieces, size: tuple[int, int], now: float, lasted: float, compared: float) -> None:
        """Something moves: `new` is what differs from the last rest, in a picture of this size (height, width).

        It `lasted` so long since the frame before; that it moves was told by the frame of time `compared`.
        """
        low, high = new[:, :2], new[:, :2] + new[:, 2:4]
        reaching = new[np.any((low < BORDER) | (high > np.array(size[::-1]) - BORDER), axis=1)]
        if len(reaching):
            before = self._largest if self._moved == self._reached_in else 0.0
            self._largest = max(before, float((reaching[:, 2] * reaching[:, 3]).max()))
            self._alone, self._reached_in = 0.0, now
        elif compared > self._reached_in:  # else the hand is seen to go, and not a die to move
            self._alone += lasted
        self._moved = now

    @property
    def rolled(self) -> bool:
        """Whether the last movement was of things by themselves."""
        return self._alone >= ROLLS_FOR

    def handled(self, die: float) -> bool:
        """Whether a hand moved last, if the box of a die has this area in pixels."""
        return not self.rolled and self._largest >= ARM * die

"""What moved last on a table: a hand, which reaches in over the border of the picture, or dice by themselves.

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
"""Pixels along the border of the picture."""
ROLLS_FOR: Final = 0.06
"""Seconds, up to the last movement, for which dice on their way move with nothing reaching in over the border."""
ARM: Final = 10.0
"""What reaches in is an arm if the box around it is this many times as large as a die's; a die at the border, with what
it changes around it, was taken for one at four times (docs/research/reading.md)."""


class Mover:
    """Follows what moves, from frame to frame; times are in seconds, on the frames' own clock."""

    def __init__(self) -> None:
        """Nothing has moved yet."""
        self._alone = 0.0
        """For how long things moved while nothing reached in."""
        self._moved = self._reached_in = -inf
        """When anything moved last, and when something reached in last."""
        self._largest = 0.0
        """How large that was at most, in pixels of the box around it."""

    def rests(self) -> None:
        """Nothing moves: whatever moves next is told anew."""
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
        """Whether things moved by themselves in the end."""
        return self._alone >= ROLLS_FOR

    def handled(self, die: float) -> bool:
        """Whether a hand was the last that moved, where the box around a die has so many pixels."""
        return not self.rolled and self._largest >= ARM * die

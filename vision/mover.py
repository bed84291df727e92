"""Tells what moved last on a table: a hand, which reaches in over the picture's border, or dice by themselves.

A thrown die rolls on after the hand has left; a die set aside lies still before the hand leaves.
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
"""Dice moved by themselves if nothing reached in for this many seconds of the last movement."""
ARM: Final = 10.0
"""Something reaching in is an arm if its box is this many times as large as a die's. At four times, a die at the border
was taken for one because of the changes around it (docs/research/reading.md)."""


class Mover:
    """Follows movement from frame to frame; times are in seconds, on the frames' own clock."""

    def __init__(self) -> None:
        """Nothing has moved yet."""
        self._alone = 0.0
        """Seconds of movement while nothing reached in."""
        self._moved = self._reached_in = -inf
        """Times of the last movement, and of the last one that reached in."""
        self._largest = 0.0
        """The largest area in pixels of the box around what reached in."""

    def rests(self) -> None:
        """Nothing moves any more; start afresh with the next movement."""
        self._alone = self._largest = 0.0

    def moves(self, new: Pieces, size: tuple[int, int], now: float, lasted: float, compared: float) -> None:
        """Note that something moves: `new` pieces differ from the last rest, in a picture of `size` (height, width).

        The frame before came `lasted` seconds earlier; movement is the difference from the frame of time `compared`.
        """
        low, high = new[:, :2], new[:, :2] + new[:, 2:4]
        reaching = new[np.any((low < BORDER) | (high > np.array(size[::-1]) - BORDER), axis=1)]
        if len(reaching):
            before = self._largest if self._moved == self._reached_in else 0.0
            self._largest = max(before, float((reaching[:, 2] * reaching[:, 3]).max()))
            self._alone, self._reached_in = 0.0, now
        elif compared > self._reached_in:  # otherwise the difference is the hand leaving, not a die
            self._alone += lasted
        self._moved = now

    @property
    def rolled(self) -> bool:
        """Whether things moved by themselves last."""
        return self._alone >= ROLLS_FOR

    def handled(self, die: float) -> bool:
        """Whether a hand moved last, if the box of a die has this area in pixels."""
        return not self.rolled and self._largest >= ARM * die

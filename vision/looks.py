"""How large a picture is when the detector looks at it: once where all is plain, else coarsely and finely.

Dice are learnt between 9 and 200 pixels. Where a first look of middle size sees nothing but sure dice, neither small
nor large, it is the only one. Otherwise a coarse look finds large dice, and tells how large the dice are; where none is
small, the next look need not be the finest. A die that fills the picture is too large for both: where nothing else is
sure, or what is sure is large, a third look is from further away. Where the table is busy, and much was seen that is
not sure, one more is finer still, and in the mirror.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box

Pixels = NDArray[np.uint8]

COARSE: Final = 480
"""The picture's longer side in pixels at the coarse look."""
FINE: Final = (704, 960)
"""Bounds of the longer side at the fine look: from all dice large (so at the first, too) to small or none found."""
PLAIN: Final = 0.7
"""Score that every box has, but for faint ones, where a look sees nothing but dice,"""
EASY: Final = (20.0, 140.0)
"""and the bounds of their boxes' longer sides, in the look's own pixels."""
FAINT: Final = 0.08
"""Boxes below this score do not make a table less plain."""
FAR: Final = 256
"""The longer side at a look from further away."""
CLOSE_UP: Final = 0.25
"""Share of the picture's longer side from which a die's box is large."""
WANTED: Final = 28.0
"""Pixels that the longer side of the smallest die's box should have at the second look, if the bounds allow."""
SURE: Final = 0.3
"""Score from which a box says how large dice are."""
BUSY: Final = 3
"""From so many boxes that are not sure the picture is looked at once more,"""
FINER: Final = 1.4
"""by so much finer than at the second look."""
GREY: Final = 114
"""Grey level of 255 of what lies beyond a picture's border."""
MOST_ENLARGED: Final = 1.5
"""Small pictures are looked at enlarged up to this: it helps with small dice."""
SMOOTH: Final = 0.7
"""Pictures are made smaller than this share by averaging areas, which takes long; less by interpolation."""


class Shrunk:
    """A picture at other sizes; what is halved on the way is kept."""

    def __init__(self, pixels: Pixels) -> None:
        """`pixels` is (H, W, 3)."""
        self._halves = [pixels]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture itself."""
        height, width = self._halves[0].shape[:2]
        return width, height

    def scale(self, side: float) -> float:
        """By how much the picture is scaled so that its longer side has `side` pixels, MOST_ENLARGED at most."""
        return min(side / max(self.size), MOST_ENLARGED)

    def at(self, scale: float) -> Pixels:
        """The picture at `scale`."""
        width, height = self.size
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        level = 0
        while scale * 2 ** (level + 1) <= 1:
            level += 1
            if level == len(self._halves):
                self._halves.append(_half(self._halves[-1]))
        pixels = self._halves[level]
        if pixels.shape[1::-1] == size:
            return pixels
        rest = size[0] / pixels.shape[1]
        method = cv2.INTER_AREA if rest < SMOOTH else cv2.INTER_LINEAR if rest < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(pixels, size, interpolation=method), np.uint8)


def _half(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    even = pixels[: max(height // 2 * 2, 1), : max(width // 2 * 2, 1)]
    size = (max(width // 2, 1), max(height // 2, 1))
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)


def plain(boxes: NDArray[np.float32], scale: float) -> bool:
    """Whether nothing but sure dice of easy sizes was seen, by (N, 5) boxes and scores of one look at a scale."""
    boxes = boxes[boxes[:, 4] >= FAINT]
    if not len(boxes):
        return False
    sizes = (boxes[:, 2:4] - boxes[:, :2]).max(axis=1) * scale
    return bool(boxes[:, 4].min() >= PLAIN and sizes.min() >= EASY[0] and sizes.max() <= EASY[1])


def close_up(longer: int, found: Sequence[tuple[Box, float]]) -> bool:
    """Whether dice may fill a picture of `longer` pixels, by what the first look found."""
    sizes = _sure_sizes(found)
    return not sizes or max(sizes) > CLOSE_UP * longer


def busy(scores: NDArray[np.float32]) -> bool:
    """Whether much was found that is not sure, by the scores of all boxes."""
    return int(np.count_nonzero(scores < SURE)) >= BUSY


def fine_side(longer: int, found: Sequence[tuple[Box, float]]) -> float:
    """How long the longer side should be at the second look, for a picture of `longer` and what the first found."""
    sizes = _sure_sizes(found)
    least, most = FINE
    if not sizes:
        return most
    return float(np.clip(WANTED / min(sizes) * longer, least, most))


def _sure_sizes(found: Sequence[tuple[Box, float]]) -> list[float]:
    """The longer sides of the boxes that say how large dice are."""
    return [max(x1 - x0, y1 - y0) for (x0, y0, x1, y1), score in found if score > SURE]

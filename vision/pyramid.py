"""Scales a picture and cuts crops out of it; its halves, quarters and so on are made once and kept.

Here picture coordinates count from the centre of the first pixel, as in OpenCV.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.boxes import CROP, scale_of
from vision.frame import Doubles, Pixels

MOST_ENLARGED: Final = 1.5
"""How many times a small picture is enlarged at most; enlarging helps with small dice."""
SMOOTH: Final = 0.7
"""Below this scale a picture is shrunk by averaging areas, which is slow; above it by interpolation."""
SHRUNK: Final = 0.7
"""Below this scale a crop is smoothed, to avoid aliasing,"""
SMOOTHING: Final = 0.35
"""by a Gaussian with this standard deviation in the crop's pixels."""
REDUCED: Final = 0.25
"""Crops of at most this scale are cut from a halved picture, which does part of the smoothing."""


class Pyramid:
    """An image pyramid."""

    def __init__(self, pixels: Pixels) -> None:
        """`pixels` is (H, W, 3) BGR."""
        self.pixels = pixels
        self.size = (pixels.shape[1], pixels.shape[0])
        """Width and height of the picture itself."""
        self._levels = [pixels]

    def scale(self, side: float, most: float = MOST_ENLARGED) -> float:
        """The scale at which the picture's longer side has `side` pixels, at most `most`."""
        return min(side / max(self.size), most)

    def at(self, scale: float) -> Pixels:
        """The picture at `scale`."""
        width, height = self.size
        size = (max(round(width * scale), 1), max(round(height * scale), 1))
        pixels = self._level(_halvings(1 / scale))
        if pixels.shape[1::-1] == size:
            return pixels
        rest = size[0] / pixels.shape[1]
        method = cv2.INTER_AREA if rest < SMOOTH else cv2.INTER_LINEAR if rest < 1 else cv2.INTER_CUBIC
        return np.asarray(cv2.resize(pixels, size, interpolation=method), np.uint8)

    def cut(self, mapping: Doubles, side: int = CROP) -> Pixels:
        """Cut (side, side, 3) out of the picture, without aliasing; beyond the picture its border is repeated.

        `mapping` is (3, 3) from pixels of the picture to those of the crop (`vision.boxes.crop_map`).
        """
        pixels, scale = self.pixels, scale_of(mapping)
        if scale < SHRUNK:
            pixels, mapping = self._smoothed(mapping, side, scale)
        warped = cv2.warpPerspective(pixels, mapping, (side, side), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(warped, np.uint8)

    def _smoothed(self, mapping: Doubles, side: int, scale: float) -> tuple[Pixels, Doubles]:
        """The part of the picture that a crop shows, smoothed for the crop's `scale`, and its map to the crop."""
        level = _halvings(REDUCED / scale)
        pixels, whole = self._level(level), 2**level
        middle = (whole - 1) / 2
        mapping = mapping @ np.array([[whole, 0, middle], [0, whole, middle], [0, 0, 1.0]])
        sigma = np.sqrt((SMOOTHING / scale) ** 2 - (whole**2 - 1) / 12) / whole
        reach = int(3 * sigma) + 2
        corners = cv2.perspectiveTransform(
            np.array([[[0, 0], [side - 1, 0], [side - 1, side - 1], [0, side - 1]]], np.float64), np.linalg.inv(mapping)
        )[0]
        x0, y0 = np.floor(corners.min(0)).astype(int) - reach
        x1, y1 = np.ceil(corners.max(0)).astype(int) + reach
        height, width = pixels.shape[:2]
        x0, y0 = min(max(x0, 0), width - 1), min(max(y0, 0), height - 1)
        x1, y1 = max(min(x1, width), x0 + 1), max(min(y1, height), y0 + 1)
        part = np.asarray(cv2.GaussianBlur(pixels[y0:y1, x0:x1], (0, 0), sigma), np.uint8)
        return part, mapping @ np.array([[1, 0, x0], [0, 1, y0], [0, 0, 1.0]])

    def _level(self, level: int) -> Pixels:
        """The picture halved `level` times."""
        while len(self._levels) <= level:
            last = self._levels[-1]
            half = [max(side // 2, 1) for side in last.shape[1::-1]]
            even = last[: max(half[1] * 2, 1), : max(half[0] * 2, 1)]
            self._levels.append(np.asarray(cv2.resize(even, half, interpolation=cv2.INTER_AREA), np.uint8))
        return self._levels[level]


def _halvings(times: float) -> int:
    """How many halvings make a picture at most this many times smaller."""
    return max(int(np.log2(times)), 0)

"""What keeps a picture's dice from being read: too dark, too bright, or blurred."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.quality import SOFT_DICE, sharpness_of_dice

Pixels = NDArray[np.uint8]
Trouble = Literal["dark", "overexposed", "blurred"]

DARK_DICE = 60.0
"""Grey levels of 255 that the lightest parts of dice reach at least, white pips on black ones included."""
DARK_FRAME = 40.0
"""The same for a whole picture in which no dice are found."""
WASHED = 250
WASHED_DICE, WASHED_FRAME = 0.6, 0.7
"""Share of the dice, or of a picture without any, that may be washed out. White dice have shaded sides and pips."""


def trouble_of(pixels: Pixels, boxes: Sequence[Box]) -> Trouble | None:
    """What is wrong with a (H, W, 3) BGR picture with dice in `boxes` (x0, y0, x1, y1 pixels); None for nothing."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    parts = [part for part in (_part(grey, box) for box in boxes) if part.size]
    seen = parts or [np.asarray(grey[::4, ::4], np.uint8)]
    if float(np.median([np.percentile(part, 97) for part in seen])) < (DARK_DICE if parts else DARK_FRAME):
        return "dark"
    washed = float(np.median([np.mean(part >= WASHED) for part in seen]))
    if washed > (WASHED_DICE if parts else WASHED_FRAME):
        return "overexposed"
    sharp = sharpness_of_dice(pixels, boxes)
    return "blurred" if sharp is not None and sharp < SOFT_DICE else None


def _part(grey: NDArray[np.generic], box: Box) -> Pixels:
    x0, y0, x1, y1 = (max(round(edge), 0) for edge in box)
    return np.asarray(grey[y0:y1, x0:x1], np.uint8)

"""Pictures in which one die is much nearer than it was."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.frame import Pixels

SIDE = 900
"""Of the pictures, in pixels."""


def close_up(
    pixels: Pixels, box: Box, share: float, stray: NDArray[np.float64]
) -> tuple[Pixels, NDArray[np.float64]]:
    """A (SIDE, SIDE, 3) picture whose side the die in `box` fills to `share`, and the die's centre in it.

    `stray` (2,) is how far it lies from the middle, in shares of the way to the border.
    """
    x0, y0, x1, y1 = box
    whole = max(x1 - x0, y1 - y0) / share
    scale = SIDE / whole
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    origin = SIDE / 2 - scale * (middle + (1 - share) / 2 * whole * stray)
    mapping = np.array([[scale, 0, origin[0]], [0, scale, origin[1]]])
    picture = cv2.warpAffine(
        pixels, mapping, (SIDE, SIDE), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(picture, np.uint8), scale * middle + origin

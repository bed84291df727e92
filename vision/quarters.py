"""Pictures turned by quarters: a camera may lie on its side, or hang upside down.

The networks see dice best whose upright edges are upright. Quarter turns are counted counter-clockwise, as in
`numpy.rot90`; points are in pixels, edges at whole numbers.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.boxes import Box
from vision.frame import Doubles, Floats, Pixels

ROTATIONS: Final = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_CLOCKWISE}
"""What OpenCV calls one, two and three quarter turns."""


def turned_by(quarters: int, pixels: Pixels) -> Pixels:
    """A picture (H, W, 3), or a mask (H, W), turned; the picture itself where nothing turns."""
    turn = ROTATIONS.get(quarters % 4)
    return pixels if turn is None else np.asarray(cv2.rotate(pixels, turn), np.uint8)


def turn_back(quarters: int, width: int, height: int) -> Doubles:
    """(3, 3): the map from a turned picture to the one of this width and height that was turned."""
    across, down = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarters % 4]
    moved = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))[quarters % 4]
    return np.array([[across, -down, moved[0]], [down, across, moved[1]], [0.0, 0.0, 1.0]])


def points_back(back: Doubles, points: Floats) -> Floats:
    """Points (K, 2) of the turned picture in the one that was turned, by the map of `turn_back`."""
    return (points @ back[:2, :2].T + back[:2, 2]).astype(np.float32)


def box_back(back: Doubles, box: Box) -> Box:
    """A box of the turned picture in the one that was turned."""
    ends = np.array(box).reshape(2, 2) @ back[:2, :2].T + back[:2, 2]
    left, above, right, below = (*ends.min(axis=0).tolist(), *ends.max(axis=0).tolist())
    return (left, above, right, below)

"""The colour of a die, at the rim of its top face.

Dice of one make have one colour, and one lamp lights the tops of all dice alike, as they all face the same way.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.frame import Floats, Pixels
from vision.rectify import face_mask

SIDE: Final = 24
"""Side in px of the faces whose rims are compared; blur takes away anything finer."""
DARKEST: Final = 4.0
"""Noise lifts black to at least this grey level."""
WHOLLY: Final = 0.97
"""A pixel with at least this coverage lies on the face alone."""
RIM: Final = 2
"""Width in these px of a face's rim, which hardly has anything drawn on it."""
BRIGHTER: Final = 0.15
"""How much two rims of one colour may differ in brightness, the mean of all channels, as a natural logarithm."""
TINTED: Final = 0.05
"""How much one channel of theirs may differ beside that mean."""


def colour(face: Pixels, shape: Shape) -> Floats:
    """The colour of a die at the rim of its top face (64, 64, 3) BGR, as `vision.rectify` makes it: the logarithms of
    blue, green and red, (3,)."""
    small = np.asarray(cv2.resize(face, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(np.median(np.log(small + np.float32(DARKEST))[_rim(shape)], axis=0), np.float32)


def coloured_alike(one: Floats, other: Floats) -> bool:
    """Whether two dice in one picture have the same colour, by their `colour` (3,)."""
    apart = one - other
    brighter = apart.mean()
    return bool(abs(brighter) <= BRIGHTER and np.abs(apart - brighter).max() <= TINTED)


@cache
def _rim(shape: Shape) -> NDArray[np.bool_]:
    """(24, 24): which px lie wholly on a face, near its border."""
    whole = np.pad(cv2.resize(face_mask(shape), (SIDE, SIDE), interpolation=cv2.INTER_AREA) > WHOLLY, 1)
    inside = cv2.erode(whole.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=RIM)
    return np.asarray(whole & (np.asarray(inside) == 0))[1:-1, 1:-1]

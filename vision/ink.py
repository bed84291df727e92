"""The ink on a face, told from the die by its colour.

On a clear die, reflections and the table below change a face more than its print does, and a lamp changes how bright it
is; ink keeps a colour of its own.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Points
from vision.rectify import canonical_corners, middle

FAINTEST: Final = 4.0
"""A contrast of fewer grey levels is noise, and is not enlarged."""
STRONGEST: Final = 3.0
"""More than this many times the usual contrast is glare, or something beside the die."""
WITHIN: Final = 0.92
"""Ink is looked for in this share of a face, from its middle; its rim may be another face, or table."""
PLANES: Final = 3
"""How many planes of ink each face has (`inked`)."""
LUMA: Final = (0.114, 0.587, 0.299)
"""Of blue, green and red (ITU-R BT.601)."""
OF_COLOURS: Final = (0, 2)
"""The planes of the two colours along which a face varies most."""
BODY, INK = 180.0, 50.0
"""How bright the die is that ink is drawn on, and by how much ink of the usual contrast is darker."""


def inked(faces: Faces, on_face: NDArray[np.bool_]) -> Points:
    """What is drawn on faces (N, S, S, 3) BGR, whatever its colours, (N, PLANES, S, S) float32.

    The first plane is the colour along which a face varies most (the first principal component), the second its
    brightness, and the third the colour along which it varies second most, since on a clear die reflections vary more
    than ink. All have mean 0 and spread 1 on the face (S, S), and are 0 beside it; whatever covers less is positive.
    """
    colours = faces[:, on_face].astype(np.float32)
    colours -= colours.mean(axis=1, keepdims=True)
    axes = np.linalg.eigh(colours.swapaxes(1, 2) @ colours)[1]
    luma = np.broadcast_to(LUMA, (len(faces), 3))
    seen = np.stack([axes[:, :, 2], luma, axes[:, :, 1]], axis=2).astype(np.float32)
    planes = np.ascontiguousarray((colours @ seen).swapaxes(1, 2))
    planes /= np.sqrt(np.square(planes).mean(axis=2, keepdims=True)) + FAINTEST
    planes *= np.where((planes * planes * planes).mean(axis=2, keepdims=True) < 0, np.float32(-1), np.float32(1))
    out = np.zeros((len(faces), PLANES, *on_face.shape), np.float32)
    out[:, :, on_face] = np.clip(planes, -STRONGEST, STRONGEST)
    return out


def ink_alone(face: Faces, shape: Shape, *, close: bool = False) -> Faces:
    """The ink of a canonical face (S, S, 3) BGR, dark on a light die, once for each colour it may have: (2, S, S, 3),
    or (2, 64, 64, 3) of its `middle` alone if `close`."""
    on_face = face_within(shape, len(face))
    if close:
        rows, columns = middle(shape, len(face))
        face, on_face = face[rows, columns], on_face[rows, columns]
    planes = inked(face[None], on_face)[0, OF_COLOURS, ..., None]
    return np.repeat(np.clip(BODY - INK * planes, 0, 255).astype(np.uint8), 3, axis=3)


@cache
def face_within(shape: Shape, side: int) -> NDArray[np.bool_]:
    """(S, S): which pixels of a canonical face's picture lie on the face, without its rim."""
    corners = canonical_corners(shape, side)
    middle = corners.mean(axis=0)
    mask = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(middle + (corners - middle) * WITHIN).astype(np.int32), 1)
    return mask.astype(bool)

"""Numerals are signs that everybody knows by heart, whatever their typeface.

A dice set's pictures show a typeface or six, and a bold 5 may look more like another typeface's 6. Where all faces of
a set are numerals, each another one, what a die shows is read as well as compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from files.checksums import checksum
from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Points
from vision.network import WEIGHTS, open_network
from vision.rectify import FACE_SIZE, canonical_corners, turns

NUMERALS: Final = ("", *"0123456789")
"""What the network tells apart; the first is anything else."""
SURE: Final = 0.5
"""A set's faces are numerals where at least so much of their pictures' likelihood, on average, is each one's own."""
LEAST: Final = 1e-4
"""The least likelihood that counts: no turn alone rules a numeral out."""
FAINTEST: Final = 4.0
"""Contrast, in grey levels, that is not enlarged any more: what lies below is noise."""
STRONGEST: Final = 3.0
"""Times the usual contrast: what is beyond is a glare, or what lies around the die."""
READ_AT: Final = {Shape.CUBE: FACE_SIZE, Shape.OCTAHEDRON: FACE_SIZE * 3 // 2}
"""Side in px of the faces that are read. A numeral is small on a triangle: only the middle of it is looked at, as
finely as the whole of a square."""
WITHIN: Final = 0.92
"""Share of a face, from its middle, in which ink is looked for: its rim may be another face's, or the table's."""
PLANES: Final = 3
"""Planes of ink that are read of each face, see `inked`."""
LUMA: Final = (0.114, 0.587, 0.299)
"""Of blue, green and red (ITU-R BT.601)."""

_SIX, _NINE = NUMERALS.index("6"), NUMERALS.index("9")


class NumeralReader:
    """Holds the network `numerals.onnx`."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Open it in a folder. WeightsError when it is missing."""
        self._network = open_network("numerals", weights)
        self.fingerprint = checksum(weights / "numerals.onnx")
        """SHA-256 of its file: another network reads otherwise."""

    def read(self, faces: Faces, shape: Shape) -> Points:
        """How likely each numeral is on faces of one shape.

        Args:
            faces: (N, S, S, 3) uint8 BGR, N > 0, as `vision.rectify` makes them, in any turn of the face; each is
                read in every turn, and the geometric mean counts. They are scaled to READ_AT of the shape.
            shape: on a cube an unmarked 6 is a 9, and both are called 6.

        Returns:
            (N, len(NUMERALS)) float32, rows summing to 1.
        """
        side = READ_AT[shape]
        scaled: list[Faces] = [np.asarray(cv2.resize(face, (side, side)), np.uint8) for face in faces]
        turned = np.stack([turns(face, shape) for face in scaled])
        ink = inked(turned.reshape(-1, *turned.shape[2:]), shape)
        looks = np.array(self._network.run(None, {"ink": ink})[0], np.float32)
        if shape.half_turns:
            looks[:, _SIX] += looks[:, _NINE]
            looks[:, _NINE] = 0
        likely = np.exp(np.log(np.maximum(looks, LEAST)).reshape(*turned.shape[:2], -1).mean(axis=1))
        likely /= likely.sum(axis=1, keepdims=True)
        return likely

    def numerals_of(self, faces: Sequence[Faces], shape: Shape) -> NDArray[np.intp] | None:
        """The numeral on each of F faces of a set, (F,) places in `NUMERALS`, by all pictures of each (N, 64, 64, 3).

        None where two are the same, or they are not likely enough.
        """
        likely = np.stack([self.read(shown, shape).mean(axis=0) for shown in faces])
        numerals = 1 + likely[:, 1:].argmax(axis=1)
        own = likely[np.arange(len(faces)), numerals]
        return numerals if len(np.unique(numerals)) == len(faces) and own.mean() >= SURE else None


def inked(faces: Faces, shape: Shape) -> Points:
    """What is written on faces (N, S, S, 3) BGR, S being READ_AT, whatever its colours, (N, 3, 64, 64) float32.

    The first plane is the colour along which a face varies most (the first principal component), the second its
    brightness, the third the colour along which it varies second most: on a clear die reflections vary more than its
    ink. All have mean 0 and spread 1 on the face, are 0 beside it, and what there is less of is positive.
    """
    (left, top), on_face = _looked_at(shape)
    middles = faces[:, top : top + FACE_SIZE, left : left + FACE_SIZE]
    colours = middles[:, on_face].astype(np.float32)
    colours -= colours.mean(axis=1, keepdims=True)
    axes = np.linalg.eigh(colours.swapaxes(1, 2) @ colours)[1]
    luma = np.broadcast_to(LUMA, (len(faces), 3))
    seen = np.stack([axes[:, :, 2], luma, axes[:, :, 1]], axis=2).astype(np.float32)
    planes = np.ascontiguousarray((colours @ seen).swapaxes(1, 2))
    planes /= np.sqrt(np.square(planes).mean(axis=2, keepdims=True)) + FAINTEST
    planes *= np.where((planes * planes * planes).mean(axis=2, keepdims=True) < 0, np.float32(-1), np.float32(1))
    out = np.zeros((len(faces), PLANES, FACE_SIZE, FACE_SIZE), np.float32)
    out[:, :, on_face] = np.clip(planes, -STRONGEST, STRONGEST)
    return out


@cache
def _looked_at(shape: Shape) -> tuple[tuple[int, int], NDArray[np.bool_]]:
    """Where in a face the middle begins that is looked at, and (64, 64) which of its pixels lie on the face, but for
    its rim."""
    side = READ_AT[shape]
    corners = canonical_corners(shape, side)
    middle = corners.mean(axis=0)
    mask = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(middle + (corners - middle) * WITHIN).astype(np.int32), 1)
    left, top = (round(float(at)) - FACE_SIZE // 2 for at in middle)
    return (left, top), mask[top : top + FACE_SIZE, left : left + FACE_SIZE].astype(bool)

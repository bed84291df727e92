"""Reads numerals, which mean the same in every typeface.

A dice set's pictures show a typeface or six, and a bold 5 may look more like another typeface's 6. Where all faces of
a set are numerals, each another one, what a die shows is read as well as compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from files.checksums import checksum
from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Points
from vision.ink import face_within, inked
from vision.network import WEIGHTS, open_network
from vision.rectify import FACE_SIZE, middle, turns

NUMERALS: Final = ("", *"0123456789")
"""The network's classes; the first is anything else."""
SURE: Final = 0.5
"""A set's faces are numerals if their pictures give each face's own numeral at least this probability on average."""
LEAST: Final = 1e-4
"""Lower probabilities count as this one, so that no single turn rules a numeral out."""
READ_AT: Final = {Shape.CUBE: FACE_SIZE, Shape.OCTAHEDRON: FACE_SIZE * 3 // 2}
"""Side in px of the faces that are read. A numeral on a triangle is small, so only the middle is looked at, as finely
as the whole of a square."""

_SIX, _NINE = NUMERALS.index("6"), NUMERALS.index("9")


class NumeralReader:
    """Runs the network `numerals.onnx`."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Open the network in a folder; WeightsError if it is missing."""
        self._network = open_network("numerals", weights)
        self.fingerprint = checksum(weights / "numerals.onnx")
        """SHA-256 of its file; another network gives other answers."""

    def read(self, faces: Faces, shape: Shape) -> Points:
        """The probability of each numeral on faces of one shape.

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
        ink = written_on(turned.reshape(-1, *turned.shape[2:]), shape)
        looks = np.array(self._network.run(None, {"ink": ink})[0], np.float32)
        if shape.half_turns:
            looks[:, _SIX] += looks[:, _NINE]
            looks[:, _NINE] = 0
        likely = np.exp(np.log(np.maximum(looks, LEAST)).reshape(*turned.shape[:2], -1).mean(axis=1))
        likely /= likely.sum(axis=1, keepdims=True)
        return likely

    def numerals_of(self, faces: Sequence[Faces], shape: Shape) -> NDArray[np.intp] | None:
        """The numeral on each of F faces of a set, (F,) places in `NUMERALS`, by all pictures of each (N, 64, 64, 3).

        None if two are the same, or they are not likely enough.
        """
        likely = np.stack([self.read(shown, shape).mean(axis=0) for shown in faces])
        numerals = 1 + likely[:, 1:].argmax(axis=1)
        own = likely[np.arange(len(faces)), numerals]
        return numerals if len(np.unique(numerals)) == len(faces) and own.mean() >= SURE else None


def written_on(faces: Faces, shape: Shape) -> Points:
    """The ink in the middle of faces (N, S, S, 3) BGR, S being READ_AT, as `vision.ink.inked` sees it,
    (N, PLANES, 64, 64)."""
    rows, columns = middle(shape, READ_AT[shape])
    return inked(faces[:, rows, columns], face_within(shape, READ_AT[shape])[rows, columns])

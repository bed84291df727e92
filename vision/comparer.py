"""The comparer: two rectified faces in; out, whether they show the same drawing, as on two dice of one make.

The matcher says which of a set's faces a die resembles most, and a die of another set resembles one of them, too. The
comparer sees both pictures at once, and so tells a similar drawing from the same one in other light or other colours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Points
from vision.network import WEIGHTS, open_network
from vision.rectify import CLOSE, FACE_SIZE, middle

COMPARED_AT: Final = {Shape.CUBE: FACE_SIZE, Shape.OCTAHEDRON: CLOSE}
"""Side in px of the canonical faces that are compared. Symbols on triangles are small: only the middle is compared."""


def compared(faces: Faces, shape: Shape) -> Faces:
    """The part (N, 64, 64, 3) of canonical faces (N, S, S, 3) of a shape that is compared, S being COMPARED_AT."""
    rows, columns = middle(shape, faces.shape[1])
    return faces[:, rows, columns]


class Comparer:
    """Runs the network `comparer.onnx`."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Open the network in a folder; WeightsError if it is missing or damaged."""
        self._network = open_network("comparer", weights)

    def same(self, seen: Faces, shown: Faces) -> Points:
        """Log odds (N,) that the faces `seen` (N, 64, 64, 3), N > 0, and `shown` (N, 64, 64, 3) have the same drawing.

        Both are BGR, `compared` parts of faces as `vision.rectify` makes them, in the same turn.
        """
        (same,) = self._network.run(None, {"pairs": np.stack([shown, seen], axis=1)})
        return np.asarray(same, np.float32)

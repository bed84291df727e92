"""The comparer: two rectified faces in; out, whether they show the same drawing, as on two dice of one make.

The matcher says which of a set's faces a die resembles most, and a die of another set resembles one of them, too. The
comparer sees both pictures at once, and so tells a similar drawing from the same one in other light or other colours.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.embedding import Faces, Points
from vision.network import WEIGHTS, open_network


class Comparer:
    """Runs the network `comparer.onnx`."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Open the network in a folder; WeightsError if it is missing or damaged."""
        self._network = open_network("comparer", weights)

    def same(self, seen: Faces, shown: Faces) -> Points:
        """Log odds (N,) that the faces `seen` (N, 64, 64, 3), N > 0, and `shown` (N, 64, 64, 3) have the same drawing.

        Both are BGR, as `vision.rectify` makes them, and in the same turn.
        """
        (same,) = self._network.run(None, {"pairs": np.stack([shown, seen], axis=1)})
        return np.asarray(same, np.float32)

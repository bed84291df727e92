"""This evening's dice: faces that were read for certain, or that people named, under tonight's lamp and camera.

They are compared with beside the set's own pictures. One error must not breed others: a die is taken for nothing that
the set's own pictures would not take it for (`vision.identify`), a face that people name takes away what looks like it
and was kept under another name, and only the newest of each face are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.dicesets.shapes import Shape
from vision.embedding import Points

MOST: Final = 4
"""Dice that are kept of each face: one is nearly enough, and the lamp may be moved (docs/research/reading.md)."""
SAME: Final = 0.9
"""Cosine from which two dice of an evening show the same face."""


class Evening:
    """Faces seen this evening, newest last. One thread may add to it while others compare."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._seen: Mapping[tuple[Shape, str], tuple[Points, ...]] = {}

    def add(self, shape: Shape, face: str, points: Points, *, named: bool = False) -> None:
        """Keep a die that showed `face`, by its points (T, D) in every turn; `named` if people said what it shows."""
        seen = dict(self._seen)
        if named:
            for other in seen.keys() - {(shape, face)}:
                if other[0] is shape:
                    seen[other] = tuple(one for one in seen[other] if float((points @ one.T).max()) < SAME)
        seen[shape, face] = (*seen.get((shape, face), ()), points)[-MOST:]
        self._seen = seen

    def similarities(self, shape: Shape, faces: Sequence[str], points: Points) -> Points | None:
        """The best cosine of each face's dice to any of some points (V, D), (F,); -1 for a face that was not seen.

        None where nothing of the shape was seen.
        """
        seen = self._seen
        shown = [seen.get((shape, face), ()) for face in faces]
        if not any(shown):
            return None
        best = [float((points @ np.concatenate(dice).T).max()) if dice else -1.0 for dice in shown]
        return np.array(best, np.float32)

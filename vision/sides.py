"""Where the sides of dice are in a picture."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from vision.bodies import faces_beside, sound_plane
from vision.detection import Detection
from vision.frame import Doubles, Pixels


def sides_of(pixels: Pixels, dice: Sequence[Detection], which: Collection[int]) -> list[list[Doubles]]:
    """The outlines (4 or 3, 2) of the sides that are seen whole in (H, W, 3) pixels, for each of `which` dice, by their
    places; none where the dice do not tell how the table lies."""
    if not which:
        return []
    tops, (height, width) = [die.corners.astype(np.float64) for die in dice], pixels.shape[:2]
    plane = sound_plane(tops, [die.box for die in dice], [die.score for die in dice], width, height)
    if plane is None:
        return [[] for _ in which]
    around = [faces_beside(plane, tops[i]) for i in which]
    return [[side for side in sides if ((side >= 0) & (side <= (width, height))).all()] for sides in around]

"""Where the sides of dice are in a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.bodies import faces_beside, sound_plane
from vision.detection import Detection
from vision.frame import Doubles, Pixels


def sides_of(pixels: Pixels, dice: Sequence[Detection]) -> list[list[Doubles]]:
    """The outlines (4 or 3, 2) of the sides of each die that are seen whole in (H, W, 3) pixels; none where the dice
    do not tell how the table lies."""
    tops, (height, width) = [die.corners.astype(np.float64) for die in dice], pixels.shape[:2]
    plane = sound_plane(tops, [die.box for die in dice], [die.score for die in dice], width, height)
    if plane is None:
        return [[] for _ in dice]
    return [
        [side for side in faces_beside(plane, top) if ((side >= 0) & (side <= (width, height))).all()] for top in tops
    ]

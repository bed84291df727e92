"""Whether the face that is outlined on a lone die is turned down in the picture, as a die's sides are.

Where a camera stands upright the table recedes upwards in its picture, so the top of a die lies above its sides there.
How much a face is compressed, and which way, tells how it is turned but for its mirror image (Necker's reversal); the
body below it, which fills the die's box on one of the two only, tells the rest (`vision.body`). Below the middle of a
wide view from above, tops are turned down, too, by as much as they lie below it. A camera may hang head down, so this
is a reason for doubt and not for certainty.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.body import fits, right_way_tilted
from vision.boxes import Box
from vision.plane import Plane, affine

Floats = NDArray[np.float64]

FAR: Final = 12.0
"""Focal length, in radii of the face: from so far away lines that are parallel look it."""
WHOLE: Final = 0.7
"""Share of the box and of a whole die with this face that both must cover; a squeezed picture of a die from above looks
tilted, but nothing is to be seen beside its top."""
WIDE: Final = 0.8
"""Focal length of a wide camera, in longer sides of its picture."""
DOWN: Final = 0.35
"""Sine of the angle by which a face must be turned down."""
ASIDE: Final = (0.6, 0.1)
"""Sine of the angle by which it must be turned anywhere, if it is turned down at least by the other one."""


def plane_alone(face: Floats) -> Plane:
    """One of the two planes on which an outline (4 or 3, 2) in pixels is a regular face, the other being its mirror."""
    turned, (long, short), _ = np.linalg.svd(affine(face))
    turned[:, 1] *= np.linalg.det(turned)  # no mirror image in the plane itself
    cosine = short / long
    across = np.array([[1.0, 0.0], [0.0, cosine]])
    along = np.vstack([turned @ across, [0.0, np.sqrt(1 - cosine**2)]])
    x, y = face.mean(axis=0).tolist()
    return Plane(along, FAR * float(long), (x, y))


def turned_down(face: Floats, box: Box, width: int, height: int) -> bool:
    """Whether a die's outlined face (4 or 3, 2) is turned down, by the box of the whole die.

    Both are in pixels of a picture of `width` times `height`.
    """
    plane = right_way_tilted(plane_alone(face), [face], [box])
    right, below, away = plane.down  # from the die into the table: the other way than the face is turned
    beneath = max(float(face[:, 1].mean()) - height / 2, 0.0) / (WIDE * max(width, height))
    below = (below + away * beneath) / np.hypot(1.0, beneath)
    turned = float(np.hypot(right, below))
    down = -below > DOWN or (-below > ASIDE[1] and turned > ASIDE[0])
    return bool(down and fits(plane, [face], [box])[0] >= WHOLE)

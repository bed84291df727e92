"""Tells dice of another set from those of the set in play.

A foreign die looks little like the pictures of an enrolled set, and so does one of the set's own under glaring light.
What lies beside it, and its sides, tell them apart. Where neither does, people are asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from vision.bodies import sides_of
from vision.colour import colour, coloured_alike
from vision.comparer import COMPARED_AT, compared
from vision.detection import Detection
from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Matcher
from vision.frame import Pixels
from vision.gallery import Gallery
from vision.reading import DieReading
from vision.rectify import rectify

LIKE: Final = 0.88
"""A die with at least this cosine to a picture of its face is of the set;"""
SAME_AT_ONCE: Final = 8.0
"""so is one with at least this `resemblance` at its first look. Others are looked at more closely."""
COSINE_COUNTS: Final = 5.0
"""The weight of the best cosine, beside the log odds of the comparer (docs/research/reading.md)."""
ODD: Final = {Shape.CUBE: 3.25, Shape.OCTAHEDRON: 4.5}
"""A die may be of another set, and is asked about, if it has less `resemblance` than this to the pictures, unless it
lies among dice of the set. Symbols on triangles are small, and more of them look alike."""
COMPANY: Final = 2
"""A die lies among dice of the set if at least so many beside it plainly are of the set, and no fewer than look odd."""
IN_COMPANY: Final = 3.25
"""Then this resemblance is enough,"""
OF_ITS_COLOUR: Final = 2.25
"""or this, if the die has the colour of one of the others, or people vouch for it (`vision.evening`)."""
SURELY_READ: Final = 0.97
"""A die is plainly of the set only if it is read with at least this confidence."""
BESIDE: Final = 5.5
"""A side with at least this resemblance to the pictures of another face shows that the die is of the set,"""
WITH_SIDES: Final = -2.0
"""if its top face has at least this to its own: it may be a face that no picture shows."""


def resemblance(same: float, cosine: float) -> float:
    """How much a die resembles the enrolled pictures of a face, by the log odds that they have the same drawing
    (`Gallery.same_drawing`) and the best cosine."""
    return same + COSINE_COUNTS * cosine


def of_another_set(
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection], faces: Faces,
    read: Sequence[DieReading], alike: Mapping[int, float], vouched: Collection[int],
) -> set[int]:  # fmt: skip
    """The dice that may be of another set, as indices into `dice`, their faces (N, 64, 64, 3) and `read`.

    Those that are `alike`, by their `resemblance`, are judged, on (H, W, 3) BGR pixels; people vouch for some.
    """
    odd = {i: value for i, value in alike.items() if value < (OF_ITS_COLOUR if i in vouched else ODD[read[i].shape])}
    beside = in_company(faces, read, odd)
    alone = {i: value for i, value in odd.items() if i not in beside}
    return alone.keys() - known_by_sides(matcher, gallery, pixels, dice, read, alone)


def in_company(faces: Faces, read: Sequence[DieReading], odd: Mapping[int, float]) -> set[int]:
    """The dice that look `odd`, by their `resemblance`, and yet are of the set, judging by the dice beside them. They
    are indices into `read` and `faces` (N, 64, 64, 3)."""
    plainly = [i for i, die in enumerate(read) if i not in odd and die.certain and die.confidence >= SURELY_READ]
    if not odd or len(plainly) < max(COMPANY, len(odd)):
        return set()
    colours = [colour(face, die.shape) for face, die in zip(faces, read, strict=True)]

    def coloured(i: int) -> bool:
        own = (k for k in plainly if read[k].shape is read[i].shape)
        return any(coloured_alike(colours[i], colours[k]) for k in own)

    return {
        i
        for i, alike in odd.items()
        if alike >= IN_COMPANY or (alike >= OF_ITS_COLOUR and coloured(i))
    }


def known_by_sides(
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection], read: Sequence[DieReading],
    odd: Mapping[int, float],
) -> set[int]:  # fmt: skip
    """The `odd` dice, by their `resemblance`, with a side that shows another face of the set, in (H, W, 3) BGR pixels.
    They are indices into `read` and `dice`. Empty if the plane of the dice is unknown."""
    found: set[int] = set()
    for i in (i for i, alike in odd.items() if alike >= WITH_SIDES):
        die = read[i]
        own, sides = gallery.shapes[die.shape], sides_of(dice[i], pixels)
        if not sides or len(own.faces) < 2:
            continue
        points = matcher.embed(np.stack([rectify(pixels, side) for side in sides]))
        views = compared(np.stack([rectify(pixels, side, COMPARED_AT[die.shape]) for side in sides]), die.shape)
        alike = own.similarities(points)
        alike[:, own.faces.index(die.face)] = -1
        for side, cosines in enumerate(alike):
            face = own.faces[int(cosines.argmax())]
            seen = slice(side, side + 1)
            same = gallery.same_drawing(views[seen], points[seen], die.shape, face)
            if resemblance(same, float(cosines.max())) >= BESIDE:
                found.add(i)
    return found

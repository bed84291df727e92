"""Tells dice of another set from those of the set in play.

A foreign die looks little like the pictures of an enrolled set, and so does one of the set's own under glaring light.
What lies beside it, and its sides, tell them apart. Where neither does, people are asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.bodies import sides_of
from vision.colour import colour, coloured_alike
from vision.comparer import Comparer
from vision.detection import Detection
from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Matcher, Points
from vision.frame import Pixels
from vision.gallery import Embedded, Gallery
from vision.reading import DieReading
from vision.rectify import rectify

LIKE: Final = 0.88
"""A die with at least this cosine to a picture of its face is of the set;"""
SAME_AT_ONCE: Final = 8.0
"""so is one with at least this `resemblance` at its first look. Others are looked at more closely:"""
PAIRS: Final = 8
"""so many pairs of looks and pictures are compared."""
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
BESIDE: Final = 0.76
"""A side with at least this cosine to a picture of another face shows that the die is of the set,"""
WITH_SIDES: Final = 0.62
"""if its top face has at least this cosine to its own pictures."""


def resemblance(comparer: Comparer, own: Embedded, read: DieReading, views: Faces, points: Points) -> float:
    """How much a die with this reading resembles the enrolled pictures of its face, by looks at its top face: their
    `compared` parts (V, 64, 64, 3) and their points (V, D).

    The mean log odds that both show the same drawing, in the PAIRS pairs of a look and a picture that the matcher finds
    most alike, plus COSINE_COUNTS times the best cosine. Infinite if one pair is LIKE enough; if it is only one look,
    the likest pair counts alone.
    """
    place = own.faces.index(read.face)
    first, *after = own.begins[place : place + 2]
    shown = slice(first, after[0] if after else None)
    cosines = own.points[shown] @ points.T
    likest = max(read.similarity, float(cosines.max()))
    if likest >= LIKE:
        return math.inf
    pairs = np.argsort(-cosines, axis=None)[: PAIRS if len(views) > 1 else 1]
    rows, looks = np.unravel_index(pairs, cosines.shape)
    same = comparer.same(views[looks], own.pictures[shown][rows])
    return float(same.mean()) + COSINE_COUNTS * likest


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
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection], odd: Mapping[int, DieReading]
) -> set[int]:
    """The `odd` dice, as indices into `dice`, that have a side like another face of the set, in (H, W, 3) BGR pixels.
    Empty if the plane of the dice is unknown."""
    likely = {i: read for i, read in odd.items() if read.similarity >= WITH_SIDES}
    found: set[int] = set()
    for i, read in likely.items():
        if sides := sides_of(dice[i], pixels):
            own = gallery.shapes[read.shape]
            alike = own.similarities(matcher.embed(np.stack([rectify(pixels, side) for side in sides])))
            if (np.delete(alike, own.faces.index(read.face), axis=1) >= BESIDE).any():
                found.add(i)
    return found

"""Tells dice of another set from those of the set in play.

A foreign die looks little like the pictures of an enrolled set, and so does one of the set's own under glaring light.
What lies beside it, and its sides, tell them apart. Where neither does, people are asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.bodies import sides_of
from vision.detection import Detection
from vision.embedding import Faces, Matcher, Points
from vision.frame import Pixels
from vision.gallery import Embedded, Gallery
from vision.likeness import colour, coloured_alike, likeness, shrunk
from vision.reading import DieReading
from vision.rectify import rectify

OTHERWISE: Final = 0.2
"""Below this correlation a face is drawn differently from the nearest picture."""
DRAWN: Final = 0.2
"""The weight of a face's correlation with the nearest picture (`vision.likeness`), beside its cosine."""
ODD: Final = 0.88
"""A die may be of another set, and is asked about, if it has less `resemblance` than this to the pictures, unless it
lies among dice of the set:"""
COMPANY: Final = 2
"""at least so many beside it plainly are of the set, and no fewer than look odd."""
IN_COMPANY: Final = 0.83
"""Then this resemblance is enough,"""
OF_ITS_COLOUR: Final = 0.7
"""or at least this cosine to its pictures, if it has the colour of one of those dice (docs/research/reading.md)."""
SURELY_READ: Final = 0.97
"""A die is plainly of the set only if it is read with at least this confidence."""
BESIDE: Final = 0.76
"""A side with at least this cosine to a picture of another face shows that the die is of the set,"""
WITH_SIDES: Final = 0.62
"""if its top face has at least this cosine to its own pictures."""


def resemblance(
    own: Embedded, read: DieReading, faces: Faces, points: Points, close: Points | None = None, *, vouched: bool = False
) -> float:  # fmt: skip
    """How much a die with this reading, looks at its top face (V, 64, 64, 3) and their points (V, D) resembles the
    enrolled pictures of that face: its best cosine plus DRAWN times its correlation with the nearest picture.

    The best look counts, as corners that are a little off cost a die of the set more than one of another. `close` (V,
    D) are the points of the same looks in close-up, if the set's symbols are small. A die that is `vouched` for
    (`Evening`) and not drawn differently gets at least ODD, and every die if nothing was enrolled.
    """
    if not own.enrolled:
        return ODD
    place = own.faces.index(read.face)
    first, *after = own.begins[place : place + 2]
    rows = slice(first, after[0] if after else None)
    cosines = own.points[rows] @ points.T
    similarity = max(read.similarity, float(cosines.max()))
    if close is not None and own.close is not None:
        similarity = max(similarity, float((own.close[rows] @ close.T).max()))
    if similarity >= ODD:
        return similarity
    nearest = zip(faces, own.looks[first + cosines.argmax(axis=0)], strict=True)
    drawn = max(0.0, *(likeness(shrunk(face), shown, read.shape) for face, shown in nearest))
    alike = similarity + DRAWN * drawn
    return max(alike, ODD) if vouched and drawn >= OTHERWISE else alike


def in_company(faces: Faces, read: Sequence[DieReading], odd: Mapping[int, float]) -> set[int]:
    """The dice that look `odd`, by their `resemblance`, and yet are of the set, judging by the dice beside them. They
    are indices into `read` and `faces` (N, 64, 64, 3)."""
    plainly = [i for i, die in enumerate(read) if i not in odd and die.certain and die.confidence >= SURELY_READ]
    if not odd or len(plainly) < max(COMPANY, len(odd)):
        return set()
    colours = [colour(shrunk(face), die.shape) for face, die in zip(faces, read, strict=True)]

    def coloured(i: int) -> bool:
        own = (k for k in plainly if read[k].shape is read[i].shape)
        return any(coloured_alike(colours[i], colours[k]) for k in own)

    return {
        i
        for i, alike in odd.items()
        if alike >= IN_COMPANY or (read[i].similarity >= OF_ITS_COLOUR and coloured(i))
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

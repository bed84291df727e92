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
ODD: Final = 0.87
"""A die may be of another set, and is asked about, if its best cosine to the pictures of these very dice plus DRAWN
times the correlation is less than this. The best of several looks counts, in close-up or not: corners that are a little
off cost a die of the set more than one of another. Of 5,467 dice of other made-up sets 22 are not asked about
(docs/research/reading.md)."""
OF_ITS_COLOUR: Final = 0.72
"""A die with at least this cosine to its pictures is of the set if it has the colour of one beside it that plainly
is."""
SURELY_READ: Final = 0.97
"""Least confidence at which a die vouches for others of its colour."""
BESIDE: Final = 0.76
"""A side with at least this cosine to a picture of another face shows that the die is of the set,"""
WITH_SIDES: Final = 0.62
"""if its top face has at least this cosine to its own pictures."""


def looks_odd(
    own: Embedded, read: DieReading, faces: Faces, points: Points, close: Points | None = None, *, vouched: bool = False
) -> bool:  # fmt: skip
    """Whether a die with this reading, looks at its top face (V, 64, 64, 3) and their points (V, D) may be of another
    set. If it is `vouched` for (`Evening`), it may be only if it is drawn differently. `close` (V, D) are the points of
    the same looks in close-up, if the set's symbols are small.
    """
    if not own.enrolled:
        return False
    place = own.faces.index(read.face)
    first, *after = own.begins[place : place + 2]
    rows = slice(first, after[0] if after else None)
    alike = own.points[rows] @ points.T
    similarity = max(read.similarity, float(alike.max()))
    if close is not None and own.close is not None:
        similarity = max(similarity, float((own.close[rows] @ close.T).max()))
    if similarity >= ODD:
        return False
    nearest = zip(faces, own.looks[first + alike.argmax(axis=0)], strict=True)
    drawn = max(0.0, *(likeness(shrunk(face), shown, read.shape) for face, shown in nearest))
    return drawn < OTHERWISE if vouched else similarity + DRAWN * drawn < ODD


def coloured_as_others(faces: Faces, read: Sequence[DieReading], odd: Mapping[int, DieReading]) -> set[int]:
    """The `odd` dice, as indices into `read` and `faces` (N, 64, 64, 3), that have the colour of a die of their shape
    that is surely read and not odd."""
    likely = {i for i, die in odd.items() if die.similarity >= OF_ITS_COLOUR}
    if not likely:
        return set()
    colours = [colour(shrunk(face), die.shape) for face, die in zip(faces, read, strict=True)]
    known = [i for i, die in enumerate(read) if i not in odd and die.certain and die.confidence >= SURELY_READ]
    return {
        i
        for i in likely
        if any(read[k].shape is read[i].shape and coloured_alike(colours[i], colours[k]) for k in known)
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

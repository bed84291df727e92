"""Remembers this evening's dice, to recognise them in later rolls, and the plane on which they lay."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from vision.bodies import sound_plane
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher, Points
from vision.frame import Doubles, Pixels
from vision.plane import Plane
from vision.reading import DieReading, Reading
from vision.rectify import rectify, turns

MOST_OF_A_FACE: Final = 4
"""Most dice that are remembered of each face: one is nearly enough, and the lamp may be moved
(docs/research/reading.md)."""
SAME_FACE: Final = 0.9
"""Least cosine between two dice of an evening that show the same face."""
NEWEST, AT_ONCE = 24, 6
"""How many of the newest dice show the plane, and how many of them are thrown at once. If the latter lie on another
plane, the camera was moved, and they alone count."""
MOVED: Final = 0.1
"""Dice with a higher median strangeness to the plane (a share of their size) lie on another one."""
VOUCHED: Final = 0.7
"""A confirmed die vouches only for dice with at least this cosine to their pictures."""


class Evening:
    """Dice that were read for certain this evening, or that people named, under tonight's lamp and camera.

    Faces are compared with them as well as with the set's own pictures. One error must not breed others: a die is never
    read as a face that the set's own pictures would not give it, a face that people name removes similar dice that were
    remembered as another face, and only the newest of each face are kept. One thread may add while others compare.

    Under an odd lamp all dice look unlike their pictures. Once people confirm that a die was read right, it vouches for
    all dice that look no less like their pictures, until one is misread.
    """

    def __init__(self) -> None:
        """Nothing is remembered yet."""
        self._seen: Mapping[tuple[Shape, str], tuple[Points, ...]] = {}
        self._vouched = math.inf
        self._lay: tuple[tuple[int, int], tuple[DieReading, ...], Plane | None] = (0, 0), (), None

    def lay(self, reading: Reading) -> None:
        """Remember the plane of a reading that counted: later dice lie on the same table, before the same camera."""
        size, before, _ = self._lay
        now = reading.width, reading.height
        dice = (*(before if size == now else ()), *reading.dice)[-NEWEST:]
        plane, newest = _plane_of(dice, *now), dice[-AT_ONCE:]
        if plane is None or float(np.median(plane.strangeness([_top(die) for die in newest]))) > MOVED:
            dice, plane = newest, _plane_of(newest, *now)
        self._lay = now, dice, plane

    def table(self, width: int, height: int) -> Plane | None:
        """The plane of the top faces in pictures of this size; None if too few dice counted."""
        size, _, plane = self._lay
        return plane if size == (width, height) else None

    def view_changed(self) -> None:
        """Forget the plane, since the camera or its view changed."""
        self._lay = (0, 0), (), None

    def vouch(self, die: DieReading, face: str) -> None:
        """Note that people named the face of a die, and so confirmed or corrected its reading."""
        self._vouched = min(self._vouched, max(die.similarity, VOUCHED)) if die.face == face else math.inf

    def vouches(self, die: DieReading) -> bool:
        """Whether a die looks at least as much like its pictures as one that people confirmed."""
        return die.similarity >= self._vouched

    def add(self, shape: Shape, face: str, points: Points, *, named: bool = False) -> None:
        """Remember a die that showed `face`, by its points (T, D) in every turn; `named` if people named the face."""
        seen = dict(self._seen)
        if named:
            for other in seen.keys() - {(shape, face)}:
                if other[0] is shape:
                    seen[other] = tuple(one for one in seen[other] if float((points @ one.T).max()) < SAME_FACE)
        seen[shape, face] = (*seen.get((shape, face), ()), points)[-MOST_OF_A_FACE:]
        self._seen = seen

    def similarities(self, shape: Shape, faces: Sequence[str], points: Points) -> Points | None:
        """(F,) the best cosine of each face's dice to any of the points (V, D); -1 for a face that is not remembered.

        None if no die of the shape is remembered.
        """
        seen = self._seen
        shown = [seen.get((shape, face), ()) for face in faces]
        if not any(shown):
            return None
        best = [float((points @ np.concatenate(dice).T).max()) if dice else -1.0 for dice in shown]
        return np.array(best, np.float32)


def _top(die: DieReading) -> Doubles:
    return np.array(die.corners, np.float64)


def _plane_of(dice: Sequence[DieReading], width: int, height: int) -> Plane | None:
    weights = [die.confidence for die in dice]
    return sound_plane([_top(die) for die in dice], [die.box for die in dice], weights, width, height)


def known_by(matcher: Matcher, pixels: Pixels, die: DieReading) -> Points:
    """The points (T, D) by which a die in (H, W, 3) BGR pixels is recognised in any turn (`Evening`)."""
    return matcher.embed(turns(rectify(pixels, np.array(die.corners, np.float32)), die.shape))

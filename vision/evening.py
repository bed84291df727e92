"""Dice of this evening, by which others are known again, and by which it is known how the table lies."""

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
"""Dice of this evening that are kept of each face: one is nearly enough, and the lamp may be moved
(docs/research/reading.md)."""
SAME_FACE: Final = 0.9
"""Cosine from which two dice of an evening show the same face."""
NEWEST, AT_ONCE = 24, 6
"""Dice that tell how the table lies, and as many as are thrown at once: if these lie otherwise, they alone tell, for
the camera was moved."""
MOVED: Final = 0.1
"""How far off the table's plane dice are in the middle, as a share of their size, that lie on another one."""
VOUCHED: Final = 0.7
"""People's word for one die counts for no other that is less similar (cosine) to its pictures than this."""


class Evening:
    """Faces that were read for certain this evening, or that people named, under tonight's lamp and camera.

    The newest are last. They are compared with beside the set's own pictures. One error must not breed others: a die is
    taken for nothing that the set's own pictures would not take it for, a face that people name takes away what looks
    like it and was kept under another name, and only the newest of each face are kept. One thread may add while others
    compare.

    Under an odd lamp all dice look unlike their pictures. Once people have said of one that it was read right, they
    vouch for those that look no less like theirs, until one is misread.
    """

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._seen: Mapping[tuple[Shape, str], tuple[Points, ...]] = {}
        self._vouched = math.inf
        self._lay: tuple[tuple[int, int], tuple[DieReading, ...], Plane | None] = (0, 0), (), None

    def lay(self, reading: Reading) -> None:
        """Dice of a picture counted; those of later pictures lie on the same table, before the same camera."""
        size, before, _ = self._lay
        now = reading.width, reading.height
        dice = (*(before if size == now else ()), *reading.dice)[-NEWEST:]
        plane, newest = _plane_of(dice, *now), dice[-AT_ONCE:]
        if plane is None or float(np.median(plane.strangeness([_top(die) for die in newest]))) > MOVED:
            dice, plane = newest, _plane_of(newest, *now)
        self._lay = now, dice, plane

    def table(self, width: int, height: int) -> Plane | None:
        """The plane of the top faces in pictures of this size; None where too few dice counted to tell."""
        size, _, plane = self._lay
        return plane if size == (width, height) else None

    def view_changed(self) -> None:
        """Another camera looks at the table, or at another part of it: nobody knows how it lies."""
        self._lay = (0, 0), (), None

    def vouch(self, die: DieReading, face: str) -> None:
        """People said which face a die shows: that it was read right, or that it was misread."""
        self._vouched = min(self._vouched, max(die.similarity, VOUCHED)) if die.face == face else math.inf

    def vouches(self, die: DieReading) -> bool:
        """Whether a die looks no less like its pictures than one of which people said that it was read right."""
        return die.similarity >= self._vouched

    def add(self, shape: Shape, face: str, points: Points, *, named: bool = False) -> None:
        """Keep a die that showed `face`, by its points (T, D) in every turn; `named` if people said what it shows."""
        seen = dict(self._seen)
        if named:
            for other in seen.keys() - {(shape, face)}:
                if other[0] is shape:
                    seen[other] = tuple(one for one in seen[other] if float((points @ one.T).max()) < SAME_FACE)
        seen[shape, face] = (*seen.get((shape, face), ()), points)[-MOST_OF_A_FACE:]
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


def _top(die: DieReading) -> Doubles:
    return np.array(die.corners, np.float64)


def _plane_of(dice: Sequence[DieReading], width: int, height: int) -> Plane | None:
    weights = [die.confidence for die in dice]
    return sound_plane([_top(die) for die in dice], [die.box for die in dice], weights, width, height)


def known_by(matcher: Matcher, pixels: Pixels, die: DieReading) -> Points:
    """The points (T, D) by which a die in (H, W, 3) BGR pixels is known again in any turn (`Evening`)."""
    return matcher.embed(turns(rectify(pixels, np.array(die.corners, np.float32)), die.shape))

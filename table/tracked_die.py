"""A die as the camera saw it and as people corrected it, and its record with the roll."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import atan2, degrees, dist

import msgspec

from vision.dicesets.shapes import Shape
from vision.frame import Point
from vision.reading import UNKNOWN, Alternative, DieReading


@dataclass(frozen=True, slots=True, eq=False)
class TrackedDie:
    """A die in the picture: the reading, and the face that counts. Lengths are in pixels."""

    read: DieReading
    face: str
    certain: bool

    def corrected(self, face: str) -> TrackedDie:
        """The die after somebody said what it shows."""
        return replace(self, face=face, certain=True)

    def known_as(self, before: TrackedDie) -> TrackedDie:
        """The die, seen before, with the face that counted then."""
        return replace(self, face=before.face, certain=before.certain)

    @property
    def width(self) -> float:
        """Mean side of its top face: a cube is as wide, an octahedron somewhat wider."""
        corners = self.read.corners
        return sum(map(dist, corners, (*corners[1:], corners[0]))) / len(corners)

    @property
    def turn(self) -> float:
        """Direction of its first side in degrees, modulo the angle between sides, as these look alike."""
        (x0, y0), (x1, y1) = self.read.corners[:2]
        return degrees(atan2(y1 - y0, x1 - x0))

    def moved(self, by: Point) -> TrackedDie:
        """The die in a picture with another origin."""
        (right, down), (x0, y0, x1, y1) = by, self.read.box
        corners = tuple((x + right, y + down) for x, y in self.read.corners)
        box = (x0 + right, y0 + down, x1 + right, y1 + down)
        return replace(self, read=replace(self.read, corners=corners, box=box))


def tracked(dice: Iterable[tuple[DieReading, bool]]) -> tuple[TrackedDie, ...]:
    """Dice and whether each is certain, from left to right, so that people and keys count them alike."""
    ordered = sorted(dice, key=lambda one: one[0].centre)
    return tuple(TrackedDie(die, die.face, certain and die.face != UNKNOWN) for die, certain in ordered)


class _StoredDie(msgspec.Struct):
    """The record of a die with its roll."""

    shape: Shape
    read: str
    sure: bool
    confidence: float
    others: tuple[tuple[str, float], ...]
    corners: tuple[Point, ...]
    box: tuple[float, float, float, float]
    face: str


class _Record(msgspec.Struct):
    size: tuple[int, int]
    dice: tuple[_StoredDie, ...]


def written(dice: Iterable[TrackedDie], size: tuple[int, int]) -> str:
    """Dice as JSON, for their roll's record; `size` is the picture's width and height."""
    return msgspec.json.encode(_Record(size, tuple(map(_kept, dice)))).decode()


def _kept(die: TrackedDie) -> _StoredDie:
    read = die.read
    x0, y0, x1, y1 = (round(value, 2) for value in read.box)
    others = tuple((one.face, round(one.confidence, 4)) for one in read.alternatives)
    corners = tuple((round(x, 2), round(y, 2)) for x, y in read.corners)
    sure = round(read.confidence, 4)
    return _StoredDie(read.shape, read.face, read.certain, sure, others, corners, (x0, y0, x1, y1), die.face)


def read_back(text: str) -> tuple[tuple[TrackedDie, ...], tuple[int, int]]:
    """Dice and picture size from the output of `written`. Raises ValueError if it is invalid."""
    record = msgspec.json.decode(text, type=_Record)
    return tuple(map(_tracked, record.dice)), record.size


def _tracked(one: _StoredDie) -> TrackedDie:
    others = tuple(Alternative(face, sure) for face, sure in one.others)
    read = DieReading(one.shape, one.read, one.sure, one.confidence, others, one.corners, one.box)
    return TrackedDie(read, one.face, certain=True)

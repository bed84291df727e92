"""A die as the camera saw it and as people put it right, and how it is kept with the roll it became."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import atan2, degrees, dist
from typing import Any

from vision.dicesets.shapes import Shape
from vision.reading import UNKNOWN, Alternative, DieReading, Reading

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class TrackedDie:
    """A die in the picture: what was read, and the face it is taken for. Lengths are in pixels."""

    read: DieReading
    face: str
    certain: bool

    def corrected(self, face: str) -> TrackedDie:
        """The same die after somebody said what it shows."""
        return replace(self, face=face, certain=True)

    @property
    def shape(self) -> Shape:
        """Its solid."""
        return self.read.shape

    @property
    def corners(self) -> tuple[Point, ...]:
        """Its top face."""
        return self.read.corners

    @property
    def centre(self) -> Point:
        """The middle of its top face."""
        return self.read.centre

    @property
    def width(self) -> float:
        """The mean side of its top face: a cube is as wide, an octahedron somewhat wider."""
        return sum(map(dist, self.corners, (*self.corners[1:], self.corners[0]))) / len(self.corners)

    @property
    def turn(self) -> float:
        """Direction of its first side in degrees; sides of a face are alike, so only its rest counts."""
        (x0, y0), (x1, y1) = self.corners[:2]
        return degrees(atan2(y1 - y0, x1 - x0))

    def moved(self, by: Point) -> TrackedDie:
        """The same die in a picture whose corner is elsewhere."""
        (right, down), (x0, y0, x1, y1) = by, self.read.box
        corners = tuple((x + right, y + down) for x, y in self.read.corners)
        box = (x0 + right, y0 + down, x1 + right, y1 + down)
        return replace(self, read=replace(self.read, corners=corners, box=box))


def tracked(reading: Reading) -> tuple[TrackedDie, ...]:
    """A reading's dice from left to right, so that people and keys count them alike."""
    ordered = sorted(reading.dice, key=lambda die: die.centre)
    return tuple(TrackedDie(die, die.face, die.certain and die.face != UNKNOWN) for die in ordered)


def written(dice: Iterable[TrackedDie], size: tuple[int, int]) -> str:
    """Dice as JSON, to be kept with their roll; `size` is the picture's width and height."""
    return json.dumps(
        {
            "size": list(size),
            "dice": [
                {
                    "shape": die.read.shape,
                    "read": die.read.face,
                    "sure": die.read.certain,
                    "confidence": round(die.read.confidence, 4),
                    "others": [[one.face, round(one.confidence, 4)] for one in die.read.alternatives],
                    "corners": [[round(x, 2), round(y, 2)] for x, y in die.read.corners],
                    "box": [round(value, 2) for value in die.read.box],
                    "face": die.face,
                }
                for die in dice
            ],
        },
        ensure_ascii=False,
    )


def read_back(text: str) -> tuple[tuple[TrackedDie, ...], tuple[int, int]]:
    """Dice and picture size out of what `written` wrote. Raises ValueError for anything else."""
    try:
        record = json.loads(text)
        return tuple(map(_die, record["dice"])), (int(record["size"][0]), int(record["size"][1]))
    except (KeyError, TypeError, IndexError) as bad:
        raise ValueError(f"expected dice as they were seen, got something else ({bad})") from None


def _die(one: dict[str, Any]) -> TrackedDie:
    x0, y0, x1, y1 = map(float, one["box"][:4])
    read = DieReading(
        shape=Shape(one["shape"]),
        face=one["read"],
        certain=one["sure"],
        confidence=one["confidence"],
        alternatives=tuple(Alternative(face, float(sure)) for face, sure in one["others"]),
        corners=tuple((float(x), float(y)) for x, y in one["corners"]),
        box=(x0, y0, x1, y1),
    )
    return TrackedDie(read, str(one["face"]), certain=True)

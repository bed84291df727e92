"""The shapes of dice that can be read. Whatever depends on a die's shape is here; a new shape is one more record.

Coordinates on a face are those of its picture's unit square (`vision.rectify`): x right, y down, edges of length 1.
Coordinates of a solid are relative to its centre: z up, the first face on top.
"""

from __future__ import annotations

import math
from enum import StrEnum

from vision.frame import Point

Direction = tuple[int, int, int]

_MARGIN = (1 - 3**0.5 / 2) / 2
"""Margin above the apex and below the base of an equilateral triangle that is as wide as its picture."""


RECORD = (
    "outline", "symmetry", "height", "twisted", "normals", "ups", "net", "unfolded", "path", "art",
)  # fmt: skip
"""The fields of a shape's record, in this order."""


class Shape(StrEnum):
    """A shape of dice. The value is its id, in files and on the command line.

    Members consist of their id and the fields in `RECORD`.
    """

    CUBE = (
        "d6",
        ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
        4,
        1.0,
        False,
        ((0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)),
        ((0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)),
        (0, 5, 2, 3, 4, 1),
        ((0, 1.5, 0.5, 0), (3, 0.5, 1.5, 0), (1, 1.5, 1.5, 0), (2, 2.5, 1.5, 0), (4, 3.5, 1.5, 0), (5, 1.5, 2.5, 0)),
        "M16 5H48A11 11 0 0 1 59 16V48A11 11 0 0 1 48 59H16A11 11 0 0 1 5 48V16A11 11 0 0 1 16 5Z",
        (11.0, 11.0, 42.0),
    )  # fmt: skip
    OCTAHEDRON = (
        "d8",
        ((0.5, _MARGIN), (1.0, 1 - _MARGIN), (0.0, 1 - _MARGIN)),
        3,
        (2 / 3) ** 0.5,
        True,
        ((1, 1, 1), (-1, 1, 1), (-1, -1, 1), (1, -1, 1), (1, 1, -1), (-1, 1, -1), (-1, -1, -1), (1, -1, -1)),
        ((0, 0, 1),) * 4 + ((0, 0, -1),) * 4,
        (0, 1, 2, 3, 5, 4, 7, 6),
        # The face below the k-th one of the upper half is opposite the one two places on.
        tuple(
            cell
            for k in range(4)
            for cell in ((k, k + 0.5, 1 / 3**0.5, 0), (7 - (k + 2) % 4, k + 0.5, 2 / 3**0.5, 180))
        ),
        "M32 5 60 55H4Z",
        (18.5, 24.0, 27.0),
    )

    _value_: str
    outline: tuple[Point, ...]
    """Corners of a face, clockwise: from top left, or from the apex."""
    symmetry: int
    """In how many turns a face without its symbol looks the same."""
    height: float
    """Distance between opposite faces, in edges."""
    twisted: bool
    """Whether the bottom face is turned half round relative to the top face."""
    normals: tuple[Direction, ...]
    """The normal of each face."""
    ups: tuple[Direction, ...]
    """The direction of the head of each face's symbol, apart from any component along its normal."""
    net: tuple[int, ...]
    """The face at each place of a set's net (`DiceSet.net_for`)."""
    unfolded: tuple[tuple[int, float, float, int], ...]
    """The solid unfolded, seen from outside: each face's place in the net, centre x and y in edges, turn in degrees."""
    path: str
    """A face in a drawing of 64 × 64: the data of an SVG path,"""
    art: tuple[float, float, float]
    """and left, top and side of the square for its symbol."""

    def __new__(cls, name: str, *record: object) -> Shape:
        """Make a member whose value is the id alone."""
        made = str.__new__(cls, name)
        made._value_ = name
        for field, value in zip(RECORD, record, strict=True):
            setattr(made, field, value)
        return made

    @property
    def faces(self) -> int:
        """Number of faces of a die."""
        return len(self.normals)

    @property
    def corners(self) -> int:
        """Number of corners of a face."""
        return len(self.outline)

    @property
    def fills(self) -> bool:
        """Whether a face covers its whole picture."""
        return all(value in (0.0, 1.0) for point in self.outline for value in point)

    @property
    def half_turns(self) -> bool:
        """Whether a face looks the same turned half round, so that an unmarked 6 may be a 9."""
        return self.symmetry % 2 == 0

    @property
    def centre(self) -> Point:
        """Centre of a face in its picture."""
        return sum(x for x, _ in self.outline) / self.corners, sum(y for _, y in self.outline) / self.corners

    @property
    def inradius(self) -> float:
        """Radius of a face's inscribed circle."""
        return 0.5 / math.tan(math.pi / self.corners)

    @property
    def area(self) -> float:
        """Area of a face with edges of length 1."""
        return self.corners * self.inradius / 2

    @property
    def variance(self) -> float:
        """Variance along an axis of a face whose corners lie on the unit circle."""
        return (2 + math.cos(2 * math.pi / self.corners)) / 12


SHAPES = tuple(Shape)
"""All shapes, in the order in which they are listed."""


def shape_outlined(corners: int) -> Shape:
    """A shape whose faces have so many corners, for questions about a face alone. ValueError if there is none."""
    for shape in SHAPES:
        if shape.corners == corners:
            return shape
    raise ValueError(
        f"expected a face of {' or '.join(str(one.corners) for one in SHAPES)} corners, got {corners}"
    )


def shape_named(text: object) -> Shape | None:
    """The shape with this id, or None."""
    return next((shape for shape in SHAPES if shape == text), None)

"""Readings: the dice in a picture and their faces, as the reader passes them on.

Coordinates are pixels of the full frame, x to the right and y down from the top left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from vision.dicesets.shapes import Shape

UNKNOWN = "unknown"
"""The face of a die that matches none of the set's faces."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A face that a die may show, and its probability, 0 … 1."""

    face: str
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class DieReading:
    """One die: its likeliest face and the alternatives.

    `face` is the likeliest face, whether `certain` or not. `alternatives` are ranked, likeliest first, and begin with
    `face`. `corners` is the outline of the top face, clockwise in the picture: four points for a d6, three for a d8.
    `box` is (x0, y0, x1, y1) around the die.
    """

    shape: Shape
    face: str
    certain: bool
    confidence: float
    alternatives: tuple[Alternative, ...]
    corners: tuple[tuple[float, float], ...]
    box: tuple[float, float, float, float]
    similarity: float = 0.0
    """Cosine to the most similar picture of the face, -1 … 1."""
    written: float | None = None
    """Probability that its numeral is that of its face; None if no numeral was read (`vision.numerals`)."""
    steady: bool = True
    """Whether the unshifted look alone names the same face as all looks together."""
    features: tuple[float, ...] = ()
    """The features that the confidence comes from (`vision.confidence`)."""
    die: float = 1.0
    """Probability that it is a die, whatever it shows."""
    plain: bool = True
    """Whether the body below its outline plainly fills the die's box; if not, the outline may be a side's, and one
    frame is not enough."""
    distinct: bool = True
    """Whether its face is told apart from those that differ only by a mark (the dot under a 6), from the die's sides,
    and from other sets' faces."""
    odd: bool = False
    """Whether it looks like a die of another set, or not like a die at all (`vision.foreign`)."""

    def __post_init__(self) -> None:
        """Check the outline against the shape, and the confidence's bounds."""
        expected = self.shape.corners
        if len(self.corners) != expected:
            raise ValueError(f"a {self.shape} has {expected} corners, got {len(self.corners)}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"a confidence lies between 0 and 1, got {self.confidence}")

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the top face, in pixels."""
        xs, ys = zip(*self.corners, strict=True)
        return sum(xs) / len(xs), sum(ys) / len(ys)


@dataclass(frozen=True, slots=True)
class StageTimes:
    """Milliseconds each stage took on this frame."""

    detect: float
    identify: float
    total: float


@dataclass(frozen=True, slots=True)
class Since:
    """What happened on the table between two readings."""

    lay: float = inf
    """Seconds of the longest time it lay still; infinite if unknown."""
    rolled: bool = False
    """Whether, before it came to rest, something moved without a hand, as thrown dice do."""
    handled: bool = False
    """Whether a hand was the last thing that moved."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Every die found in one frame of `width` × `height` pixels."""

    width: int
    height: int
    dice: tuple[DieReading, ...]
    times: StageTimes
    trouble: str | None = None
    """Why dice could not be read well: the picture is dark, overexposed or blurred. None if nothing is in doubt."""
    since: Since = Since()
    certain_from: float = 1.0
    """Least confidence of a die that raises no question."""
    faint: tuple[DieReading, ...] = ()
    """Finds that are probably no dice, but may be one that is missing; never certain."""
    frames: tuple[Reading, ...] = ()
    """The readings of single frames, if this one combines several (`vision.combine`)."""

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces, in the order the dice were found."""
        return tuple(die.face for die in self.dice)

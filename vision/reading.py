"""What the camera claims about settled dice: shapes shared by the stages that make and use a reading.

Coordinates are pixels of the full frame, x to the right and y down from the top left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from vision.dicesets.shapes import Shape

UNKNOWN = "unknown"
"""The face of a die that looks like none of the set's faces."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A face this die may show, and how sure the matcher is of it (0 to 1)."""

    face: str
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class DieReading:
    """One die: the best guess at its face, and what else it may be.

    `face` is the best guess even when not `certain`. `alternatives` are ranked, likeliest first, and begin
    with `face`. `corners` is the top face's outline, clockwise in the picture: four points for a d6, three
    for a d8. `box` is (x0, y0, x1, y1) around the die.
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
    """How likely the numeral on it is that of its face; None where no numeral was read (`vision.numerals`)."""
    steady: bool = True
    """Whether one look, straight at it, names the same face as all looks together."""
    signs: tuple[float, ...] = ()
    """What the confidence was weighed from (`vision.confidence`)."""
    die: float = 1.0
    """How likely a die lies there, whatever it shows."""
    plain: bool = True
    """Whether the body under its outline plainly fills the die's box; where not, it may be a side's, and one frame is
    not enough."""
    distinct: bool = True
    """Whether its face is told from those that only a mark makes another (the dot under a 6), from the die's sides, and
    from other sets'."""
    odd: bool = False
    """Whether it looks like a die of another set, or like no die at all (`vision.foreign`)."""

    def __post_init__(self) -> None:
        """Hold the outline to the shape, and the confidence to 0 … 1."""
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
    """What the table did between two readings."""

    lay: float = inf
    """Seconds it lay still at the longest; without end where nobody knows."""
    rolled: bool = False
    """Before it came to rest, something moved by itself, as dice do that were thrown: no hand was there any more."""
    handled: bool = False
    """The last that moved was a hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Every die found in one frame of `width` × `height` pixels."""

    width: int
    height: int
    dice: tuple[DieReading, ...]
    times: StageTimes
    trouble: str | None = None
    """Why dice could not be read well: the picture is dark, overexposed or blurred; None where nothing is in doubt."""
    since: Since = Since()
    certain_from: float = 1.0
    """Least confidence of a die that nobody is asked about."""
    faint: tuple[DieReading, ...] = ()
    """What is likelier no die, and may be one where a die is missing; never certain."""
    frames: tuple[Reading, ...] = ()
    """What each frame shows alone, where this is what several show together (`vision.combine`)."""

    @property
    def faces(self) -> tuple[str, ...]:
        """The faces, in the order the dice were found."""
        return tuple(die.face for die in self.dice)

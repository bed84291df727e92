"""What was found of one die in one frame.

Picture coordinates are pixels with the left edge of the first pixel at 0 (its centre is at 0.5), as in
`vision.rectify`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.boxes import Box
from vision.dicesets.shapes import Shape
from vision.frame import Doubles, Floats
from vision.plane import Plane

A_TOP: Final = 0.33
"""How much speaks for an outline being that of a die's top (`Detection.as_top`): below this, a side may have been
outlined, and people are asked. `vision.bodies.STRANGE` is where another top is looked for."""


@dataclass(frozen=True, eq=False, slots=True)
class Detection:
    """One die in one frame."""

    shape: Shape
    corners: Floats
    """(4, 2) or (3, 2) pixels of its top face, clockwise in the picture."""
    score: float
    """0 … 1, how sure it is that a die lies there."""
    box: Box
    """x0, y0, x1, y1 of the whole die in pixels."""
    seen: Floats = field(default_factory=lambda: np.zeros((3, 1, 1), np.float32), repr=False)
    """(3, S, S) what the finder saw: the mask of the top face, 0 … 1, its corner heatmap, and the whole die's mask."""
    crop: Doubles = field(default_factory=lambda: np.eye(3), repr=False)
    """(3, 3) where: picture pixels, centres at whole numbers, to crop pixels (`vision.boxes`)."""
    strangeness: float = 0.0
    """How far its outline alone is from lying on the plane that the other dice lie on, as a share of its size; 0 where
    too few dice lie there to tell."""
    boxed: float = 1.0
    """0 … 1, how sure the detector was of the box."""
    die: float = 1.0
    """0 … 1, how much like a die of the expected shapes the crop looked to the face finder."""
    verified: float = 1.0
    """0 … 1, how much like a die the box looked with what lies around it."""
    fits_box: float = 1.0
    """Share of its box and of a whole die's with this top face that both cover; 1 where no plane tells."""
    fills: float = 1.0
    """Share of a whole die with this top face and of the mask of the whole die that both cover; 1 where no plane
    tells."""
    overlap: float = 1.0
    """Share of outline and mask together that both cover: how clearly a face was seen there."""
    ambiguous: bool = False
    """Whether another of its faces may be the top: another plane suits the dice of the picture as well, or another die
    was seen closer than two can lie."""
    plane: Plane | None = None
    """How the top faces lie, where the dice of the picture agree on it, or others did that counted before."""
    odd_size: float = 0.0
    """By how much it is larger or smaller than the other dice usually are, as a logarithm without its sign; 0 where no
    plane tells, or fewer than two others lie there."""
    shapely: float = 1.0
    """By how much more of what was seen a face of its shape covers than one of the other shape, as shares of 0 … 1; 1
    where a plane tells."""

    others: tuple[Detection, ...] = ()
    """The same with other outlines that its top may have, where what was seen of it is doubtful: on the plane of the
    other dice, and with a body that fills the box."""

    @property
    def fits(self) -> float:
        """How well the body below its outline is the die that was seen, 0 … 1: an octahedron's covers the mask of the
        whole die, a cube's fills the box."""
        return self.fills if self.shape.twisted else self.fits_box

    @property
    def as_top(self) -> float:
        """How much speaks for its outline being that of its top, 0 … 1: a face was seen there, and the body below it
        fits."""
        return self.overlap * self.fits

    @property
    def well_seen(self) -> float:
        """How much speaks for a die lying there, its top outlined, 0 … 1."""
        return self.as_top * self.die * self.verified

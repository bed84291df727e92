"""A die found in a frame, before its face is identified.

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
"""Least `Detection.as_top` of a top: below it a side may have been outlined, and people are asked.
`vision.bodies.STRANGE` is the value from which another top is looked for."""


@dataclass(frozen=True, eq=False, slots=True)
class Detection:
    """One die in one frame."""

    shape: Shape
    corners: Floats
    """(4, 2) or (3, 2) pixels of its top face, clockwise in the picture."""
    score: float
    """0 … 1, how surely it is a die."""
    box: Box
    """x0, y0, x1, y1 of the whole die in pixels."""
    seen: Floats = field(default_factory=lambda: np.zeros((3, 1, 1), np.float32), repr=False)
    """(3, S, S) the finder's maps, 0 … 1: the mask of the top face, its corner heatmap, and the whole die's mask."""
    crop: Doubles = field(default_factory=lambda: np.eye(3), repr=False)
    """(3, 3) from picture pixels, with centres at whole numbers, to pixels of the finder's crop (`vision.boxes`)."""
    strangeness: float = 0.0
    """Distance of its outline from the plane of the other dice, as a share of its size; 0 if too few dice lie there to
    show the plane."""
    boxed: float = 1.0
    """0 … 1, the detector's score of the box."""
    die: float = 1.0
    """0 … 1, the finder's probability of a die of the expected shapes."""
    verified: float = 1.0
    """0 … 1, the verifier's probability of a die."""
    fits_box: float = 1.0
    """Intersection over union of its box and that of a whole die with this top face; 1 without a plane."""
    fills: float = 1.0
    """Intersection over union of a whole die with this top face and the mask of the whole die; 1 without a plane."""
    overlap: float = 1.0
    """Intersection over union of the outline and the top face's mask: how clearly a face was seen."""
    ambiguous: bool = False
    """Whether another of its faces may be the top: another plane suits the dice as well, or another die was found
    closer than two dice can lie."""
    plane: Plane | None = None
    """The plane of the top faces, if the dice of this picture or of earlier rolls agree on one."""
    odd_size: float = 0.0
    """Absolute logarithm of its size over the median size of the other dice; 0 without a plane or with fewer than two
    others."""
    shapely: float = 1.0
    """How much greater the overlap with the mask is for a face of its shape than for one of the other shape, 0 … 1; 1
    with a plane."""

    others: tuple[Detection, ...] = ()
    """The same die with other outlines that its top may have, if its outline is doubtful: on the plane of the other
    dice, and with a body that fills the box."""

    @property
    def fits(self) -> float:
        """How well the body below its outline fits, 0 … 1: an octahedron's the mask of the whole die, a cube's the
        box."""
        return self.fills if self.shape.twisted else self.fits_box

    @property
    def as_top(self) -> float:
        """Evidence that its outline is that of its top, 0 … 1: a face was seen there, and the body below it fits."""
        return self.overlap * self.fits

    @property
    def well_seen(self) -> float:
        """Evidence for a die whose top is outlined, 0 … 1."""
        return self.as_top * self.die * self.verified

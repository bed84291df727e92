"""A picture while its dice are searched, and what the networks saw in its boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.boxes import Box
from vision.detect.arrived import odds
from vision.detection import Detection
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Doubles, Floats, Mask, Pixels
from vision.network import Network
from vision.plane import Plane
from vision.pyramid import Pyramid

COVERED: Final = 0.25
"""A cell of a mask above this is counted as seen, however faintly."""


@dataclass(frozen=True, eq=False, slots=True)
class Examined:
    """What was seen in one box."""

    box: Box
    boxed: float
    """The detector's score."""
    crop: Doubles
    """(3, 3) from the picture to the box's crop."""
    pixels: Pixels
    """The crop."""
    seen: Floats
    """(3, CELLS, CELLS) the mask of the top face, its corner heatmap, and the mask of the whole die."""
    kinds: Floats
    """(1 + shapes,) no die, then each of SHAPES; summing to 1."""
    verified: float = 1.0
    """How likely a die lies there, by what lies around it; 1 where one is plainly seen, and nobody asked."""

    @property
    def clear(self) -> float:
        """See `clearness`."""
        return clearness(self.seen)


def expected(kinds: Floats, shapes: Sequence[Shape]) -> list[float]:
    """How likely a crop shows a die of each shape, by what the finder says of its `kinds` (1 + shapes,)."""
    return [float(kinds[1 + SHAPES.index(shape)]) for shape in shapes]


def clearness(seen: Floats) -> float:
    """How sure a mask (3, CELLS, CELLS) is, on average over what is seen: 0 for half sure, 1 for sure."""
    covered = seen[0] > COVERED
    return float((np.abs(2 * seen[0] - 1) * covered).sum() / max(covered.sum(), 1))


@dataclass(slots=True, eq=False)
class Search:
    """A picture while its dice are found."""

    picture: Pyramid
    boxes: Sequence[tuple[Box, float]]
    shapes: Sequence[Shape]
    """Of the dice that are expected on the table."""
    verifier: Network
    finder: Network
    table: Plane | None = None
    """How the top faces of dice lay that counted before, if anybody knows."""
    arrived: Mask | None = None
    """Where dice may lie, in the picture made smaller: elsewhere the table looks as it did without them. None if nobody
    knows."""
    thorough: bool = False
    """No more frames follow, or one before left a question."""
    before_turning: Plane | None = None
    """How the top faces seemed to lie before the picture was turned upright; None if it was not."""
    rivals: list[tuple[Box, float]] = field(default_factory=list[tuple[Box, float]])
    """Boxes that share much with a surer one."""
    examined: list[Examined] = field(default_factory=list[Examined])
    dice: list[Detection] = field(default_factory=list[Detection])
    """Surest first."""
    plane: Plane | None = None
    """Of the top faces, where they agree on one and their bodies fill the boxes."""

    def odds(self, box: Box) -> float:
        """By how much it is likelier that a box holds a die, by what the table was like without them."""
        return odds(self.arrived, box, self.picture.size[0])

    def found(self, crops: Sequence[Pixels]) -> list[tuple[Floats, Floats]]:
        """What the finder sees in each of N crops (CROP, CROP, 3): `seen` and `kinds`, as in `Examined`."""
        if not crops:
            return []
        found: Sequence[Floats] = self.finder.run(None, {"crops": np.ascontiguousarray(crops)})
        seen, kinds = (np.array(part, np.float32) for part in found)
        return list(zip(seen, kinds, strict=True))

    def likely(self, windows: Pixels) -> Floats:
        """(N, 2) what the verifier sees in (N, CROP, CROP, 3) windows: no die, a die."""
        die = np.asarray(self.verifier.run(None, {"windows": np.ascontiguousarray(windows)})[0])
        return np.stack([1 - die, die], axis=1).astype(np.float32)

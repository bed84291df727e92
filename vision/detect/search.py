"""The state of a search for dice in one picture, and what the networks saw in its boxes."""

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
"""Mask cells above this count as seen."""


@dataclass(frozen=True, eq=False, slots=True)
class Examined:
    """What the networks saw in one box."""

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
    """Probability of a die, judging by its surroundings; 1 if the verifier was not asked."""

    @property
    def die(self) -> float:
        """Probability of a die of any shape, 0 … 1, by the finder."""
        return float(1 - self.kinds[0])

    @property
    def clear(self) -> float:
        """See `clearness`."""
        return clearness(self.seen)


def expected(kinds: Floats, shapes: Sequence[Shape]) -> list[float]:
    """Probability that a crop shows a die of each of these shapes, from the finder's `kinds` (1 + shapes,)."""
    return [float(kinds[1 + SHAPES.index(shape)]) for shape in shapes]


def clearness(seen: Floats) -> float:
    """How decided a mask (3, CELLS, CELLS) is, on average over the cells that count as seen: 0 for cells of 0.5, 1 for
    cells of 0 or 1."""
    covered = seen[0] > COVERED
    return float((np.abs(2 * seen[0] - 1) * covered).sum() / max(covered.sum(), 1))


@dataclass(slots=True, eq=False)
class Search:
    """What is known of a picture so far; the stages of `vision.detect.detector` fill it in."""

    picture: Pyramid
    boxes: Sequence[tuple[Box, float]]
    shapes: Sequence[Shape]
    """Shapes of the dice that are expected on the table."""
    verifier: Network
    finder: Network
    table: Plane | None = None
    """The plane of the top faces in earlier rolls; None if unknown."""
    arrived: Mask | None = None
    """A mask, smaller than the picture, of where dice may lie: elsewhere the table looks as it did without dice. None
    if unknown."""
    before_turning: Plane | None = None
    """The plane found before the picture was turned upright; None if it was not turned."""
    rivals: list[tuple[Box, float]] = field(default_factory=list[tuple[Box, float]])
    """Boxes that overlap a surer box much (`vision.propose.RIVAL`)."""
    examined: list[Examined] = field(default_factory=list[Examined])
    dice: list[Detection] = field(default_factory=list[Detection])
    """Surest first."""
    plane: Plane | None = None
    """The plane of the top faces; None unless they agree on one and their bodies fill the boxes."""

    def odds(self, box: Box) -> float:
        """Factor on the odds that a box contains a die, judging by how the table looked without dice."""
        return odds(self.arrived, box, self.picture.size[0])

    def found(self, crops: Sequence[Pixels]) -> list[tuple[Floats, Floats]]:
        """Run the finder on N crops (CROP, CROP, 3); for each `seen` and `kinds`, as in `Examined`."""
        if not crops:
            return []
        found: Sequence[Floats] = self.finder.run(None, {"crops": np.ascontiguousarray(crops)})
        seen, kinds = (np.array(part, np.float32) for part in found)
        return list(zip(seen, kinds, strict=True))

    def likely(self, windows: Pixels) -> Floats:
        """Run the verifier on windows (N, CROP, CROP, 3); (N, 2) probabilities of no die and of a die."""
        die = np.asarray(self.verifier.run(None, {"windows": np.ascontiguousarray(windows)})[0])
        return np.stack([1 - die, die], axis=1).astype(np.float32)

"""Finds dice in a picture: boxes first, then each top face's corners at the picture's own resolution.

Three networks see three things: the detector the whole picture, the verifier a box with what lies around it, the
finder the die alone, as closely as the picture shows it.

Picture coordinates are pixels with the left edge of the first pixel at 0 (its centre is at 0.5), as in
`vision.rectify`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from vision.boxes import Box, intersection_over_union, surest
from vision.common_plane import on_one_plane
from vision.corners import Seen, rough_outlines, to_picture
from vision.corrections import ALL, Corrections
from vision.detection import Detection, without_doubles
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Pixels
from vision.outline import Examined, Examiner
from vision.propose import RIVAL, Proposer

LEAST_DIE: Final = 0.1
"""A crop must look like a die at least this much; what is between is for `vision.confidence` to weigh."""
PLAIN: Final = 0.85
"""Where a die is seen less plainly than this in a box (`Examined.plain`) its rivals are examined, too."""


class Detector:
    """Finds dice; holds three networks."""

    def __init__(self, weights: Path | None = None, corrections: Corrections = ALL) -> None:
        """Open `detector.onnx`, `verifier.onnx` and `finder.onnx` in a folder, or those in use.

        WeightsError when one is missing.
        """
        self._proposer = Proposer(weights, corrections)
        self._examiner = Examiner(weights, corrections)
        self._corrections = corrections

    def detect(self, pixels: Pixels, shapes: Sequence[Shape] = SHAPES) -> tuple[Detection, ...]:
        """Every die in (H, W, 3) BGR pixels, surest first; only `shapes` are expected on the table."""
        return self.faces(pixels, self.boxes(pixels), shapes)

    def boxes(self, pixels: Pixels) -> list[tuple[Box, float]]:
        """Whole dice, as (box, score), surest first; some may turn out to be none, and a die may have rivals."""
        return self._proposer.boxes(pixels)

    def faces(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape] = SHAPES
    ) -> tuple[Detection, ...]:
        """The top face in each box, surest first; boxes that hold no die, and dice seen twice, are left out."""
        examined = self._examined(pixels, boxes, shapes)
        if examined is None:
            return ()
        found = _outlined(examined, shapes)
        kept = without_doubles(found)
        look = partial(self._examiner.turned, pixels)
        doubles = [(one, seen) for one, seen in found.items() if one not in kept]
        height, width = pixels.shape[:2]
        return on_one_plane(
            kept, [found[one] for one in kept], width, height, look, doubles, self._corrections
        )

    def _examined(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape]
    ) -> Examined | None:
        """What is seen in boxes, and in the rivals of those in which no die is plainly seen."""
        firsts = surest([box for box, _ in boxes], [score for _, score in boxes], RIVAL)
        rivals = [pair for i, pair in enumerate(boxes) if i not in firsts]
        examined = self._examiner.examined(pixels, [boxes[i] for i in firsts])
        if examined is None or not rivals or not self._corrections.rivals:
            return examined
        pairs = zip(examined.boxes, examined.plain(shapes).tolist(), strict=True)
        unclear = [box for (box, _), plain in pairs if plain < PLAIN]
        more = self._examiner.examined(pixels, [pair for pair in rivals if _rivals(pair[0], unclear)])
        return examined.and_then(more) if more is not None else examined


def _rivals(box: Box, others: Sequence[Box]) -> bool:
    """Whether a box is a rival of one of the others."""
    return any(intersection_over_union(box, other) > RIVAL for other in others)


def _outlined(examined: Examined, shapes: Sequence[Shape]) -> dict[Detection, Seen]:
    """The dice of these shapes among what was examined, roughly outlined, and what was seen of each."""
    found: dict[Detection, Seen] = {}
    expected = examined.expected(shapes)
    wanted, alike = expected.argmax(axis=1), expected.sum(axis=1)
    worth = (1 - examined.kinds[:, 0]) * examined.verified >= LEAST_DIE**2
    for index, shape in enumerate(shapes):
        own = np.flatnonzero(worth & (wanted == index))
        planes = examined.planes[own]
        outlines = rough_outlines(planes[:, 0], planes[:, 1], shape)
        for i, cells in zip(own.tolist(), outlines, strict=True):
            if cells is None:
                continue
            (box, score), die = examined.boxes[i], float(alike[i])
            detection = Detection(
                shape,
                to_picture(cells, examined.maps[i]).astype(np.float32),
                (score * die) ** 0.5,
                box,
                boxed=score,
                die=die,
                verified=float(examined.verified[i]),
            )
            found[detection] = Seen(examined.planes[i, 0], examined.planes[i, 1], examined.maps[i], cells)
    return found

"""Finds dice in a picture: boxes first, then each top face's corners at the picture's own resolution.

Three networks see three things: the detector the whole picture, the verifier a box with what lies around it, the
finder the die alone, as closely as the picture shows it.

Picture coordinates are pixels with the left edge of the first pixel at 0 (its centre is at 0.5), as in
`vision.rectify`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.corners import rough_outlines
from vision.crops import SURROUNDINGS, crop_map, cut
from vision.detection import SIDES, Detection, Floats
from vision.diceset import SHAPES, Shape
from vision.doubles import without_doubles
from vision.one_table import Matrix, on_one_plane
from vision.plane_fit import Seen, to_picture
from vision.proposals import Proposer
from vision.runtime import WEIGHTS, open_network

Pixels = NDArray[np.uint8]

LEAST_DIE: Final = 0.1
"""A crop must look like a die at least this much; what is between is for `vision.doubt` to weigh."""
COVERED: Final = 0.25
"""A cell of a mask above this is counted as seen, however faintly."""
HARDLY: Final = 0.02
"""Where the verifier sees a die less likely than this the finder does not look, nor look again where it does itself."""
CLEAR: Final = 0.85
"""Masks less sure than this, on average over what is seen, are looked at again; most are surer (0.9 in the middle)."""
SURE_KIND: Final = 0.97
"""Crops whose shape is less sure than this are looked at again."""
FURTHER: Final = 0.32
"""Padding of a crop that is looked at from further away."""
KIND: Final[dict[Shape, int]] = {"d6": 1, "d8": 2}
"""Where the finder's classes stand; 0 is no die."""


class Detector:
    """Finds dice; holds three networks."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Open `detector.onnx`, `verifier.onnx` and `finder.onnx` in a folder. WeightsError when one is missing."""
        self._proposer = Proposer(weights)
        self._verifier = open_network("verifier", weights)
        self._finder = open_network("finder", weights)

    def detect(self, pixels: Pixels, shapes: Sequence[Shape] = SHAPES) -> tuple[Detection, ...]:
        """Every die in (H, W, 3) BGR pixels, surest first; only `shapes` are expected on the table."""
        return self.faces(pixels, self.boxes(pixels), shapes)

    def boxes(self, pixels: Pixels) -> list[tuple[Box, float]]:
        """Whole dice, as (box, score), surest first; some of them may turn out to be none."""
        return self._proposer.boxes(pixels)

    def faces(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape] = SHAPES
    ) -> tuple[Detection, ...]:
        """The top face in each box; boxes that hold no die, and dice seen twice, are left out."""
        verified = self._verified(pixels, [box for box, _ in boxes])
        likely: list[int] = np.flatnonzero(verified >= HARDLY).tolist()
        boxes, verified = [boxes[i] for i in likely], verified[likely]
        if not boxes:
            return ()
        maps = [crop_map(box) for box, _ in boxes]
        planes, kinds = self._top_faces(pixels, [box for box, _ in boxes], maps)
        found: dict[Detection, Seen] = {}
        expected = kinds[:, [KIND[shape] for shape in shapes]]
        wanted, alike = expected.argmax(axis=1), expected.sum(axis=1)
        for index, shape in enumerate(shapes):
            own = np.flatnonzero(((1 - kinds[:, 0]) * verified >= LEAST_DIE**2) & (wanted == index))
            outlines = rough_outlines(planes[own, 0], planes[own, 1], SIDES[shape])
            for i, cells in zip(own.tolist(), outlines, strict=True):
                if cells is None:
                    continue
                (box, score), die = boxes[i], float(alike[i])
                corners = to_picture(cells, maps[i]).astype(np.float32)
                detection = Detection(
                    shape,
                    corners,
                    (score * die) ** 0.5,
                    box,
                    boxed=score,
                    die=die,
                    verified=float(verified[i]),
                )
                found[detection] = Seen(planes[i, 0], planes[i, 1], maps[i], cells)
        kept = without_doubles(found)

        def look(boxes: Sequence[Box], turns: Sequence[float]) -> list[tuple[Floats, Matrix]]:
            maps = [crop_map(box, turn=turn) for box, turn in zip(boxes, turns, strict=True)]
            planes, _ = self._found(np.stack([cut(pixels, mapping) for mapping in maps]))
            return list(zip(planes, maps, strict=True))

        doubles = [(one, seen) for one, seen in found.items() if one not in kept]
        height, width = pixels.shape[:2]
        return on_one_plane(kept, [found[one] for one in kept], width, height, look, doubles)

    def _verified(self, pixels: Pixels, boxes: Sequence[Box]) -> Floats:
        """(N,) how likely a die lies in each box, 0 … 1, by what lies around it; in the mirror, too, where that is not
        clear."""
        if not boxes:
            return np.zeros(0, np.float32)
        windows = np.stack([cut(pixels, crop_map(box, SURROUNDINGS)) for box in boxes])
        likely = self._likely(windows)
        again: list[int] = np.flatnonzero(likely.min(axis=1) >= HARDLY).tolist()
        if again:
            likely[again] = _agreed(likely[again], self._likely(windows[again][:, :, ::-1]))
        return likely[:, 1]

    def _likely(self, windows: Pixels) -> Floats:
        """(N, 2) what the verifier sees in (N, CROP, CROP, 3) windows: no die, a die."""
        die = np.asarray(self._verifier.run(None, {"windows": np.ascontiguousarray(windows)})[0])
        return np.stack([1 - die, die], axis=1).astype(np.float32)

    def _top_faces(
        self, pixels: Pixels, boxes: Sequence[Box], maps: Sequence[NDArray[np.float64]]
    ) -> tuple[Floats, Floats]:
        """Planes and kinds of what is in each box; `maps` lead to their crops.

        What is not clear is looked at twice more: in the mirror, whose planes count as much as the first, and in the
        mirror from further away, for its kind. One look alone errs in 84 of 1,370 boxes about which a detector was
        wrong or not sure, two in 72, three in 68.
        """
        crops = np.stack([cut(pixels, mapping) for mapping in maps])
        planes, kinds = self._found(crops)
        masks = planes[:, 0]
        covered = masks > COVERED
        clear = (np.abs(2 * masks - 1) * covered).sum(axis=(1, 2)) / np.maximum(covered.sum(axis=(1, 2)), 1)
        unsure = (clear < CLEAR) | (kinds.max(axis=1) < SURE_KIND)
        again: list[int] = np.flatnonzero(unsure & (1 - kinds[:, 0] >= HARDLY)).tolist()
        if again:
            mirrored, mirrored_kinds = self._found(crops[again][:, :, ::-1])
            further = np.stack([cut(pixels, crop_map(boxes[i], FURTHER)) for i in again])
            _, further_kinds = self._found(further[:, :, ::-1])
            planes[again] = (planes[again] + mirrored[..., ::-1]) / 2
            kinds[again] = _agreed(kinds[again], mirrored_kinds, further_kinds)
        return planes, kinds

    def _found(self, crops: Pixels) -> tuple[Floats, Floats]:
        """The finder's planes and kinds of (N, CROP, CROP, 3) crops."""
        planes, kinds = self._finder.run(None, {"crops": np.ascontiguousarray(crops)})
        return np.array(planes), np.array(kinds)


def _agreed(*kinds: Floats) -> Floats:
    """(N, K) what several looks say together: the mean of their logarithms, summing to 1."""
    likely = np.exp(np.mean([np.log(np.maximum(kind, 1e-4)) for kind in kinds], axis=0))
    return (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)

"""Boxes around what may be dice: the detector, looking at a picture coarsely, finely, and from afar.

Boxes are x0, y0, x1, y1 in pixels of the picture itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, surest
from vision.corrections import ALL, Corrections
from vision.looks import COARSE, FAR, FINE, FINER, GREY, Shrunk, busy, close_up, fine_side, plain
from vision.network import open_network

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

STRIDE: Final = 32
LEAST_BOX: Final = 0.04
"""Boxes below this score are not looked at again; the face finder decides about the others."""
SAME_BOX: Final = 0.65
"""Boxes that share more of what they cover together are one; those that share less may still be around the same die."""
RIVAL: Final = 0.45
"""A box that shares more than this with a surer one is its rival: around the same die, or around one of two that the
surer one holds both. Of 3,797 rendered pairs of dice that met none shared 0.4."""
MOST_DICE: Final = 120


class Proposer:
    """Holds the network `detector.onnx`."""

    def __init__(self, weights: Path | None = None, corrections: Corrections = ALL) -> None:
        """Open the network in a folder, or the one in use (`open_network`). WeightsError when it is not there."""
        self._network = open_network("detector", weights)
        self._corrections = corrections

    def boxes(self, pixels: Pixels) -> list[tuple[Box, float]]:
        """Whole dice, as (box, score), surest first; some of them may turn out to be none."""
        shrunk = Shrunk(pixels)
        first = shrunk.scale(FINE[0])
        looks = {first: self._looked(shrunk, first)}
        found = _without_repeats(looks[first], SAME_BOX)
        if plain(found, first):
            return _scored(found[:MOST_DICE])

        def look(scale: float) -> Floats:
            if scale not in looks:
                looks[scale] = self._looked(shrunk, scale)
            return looks[scale]

        coarse = shrunk.scale(COARSE)
        longer, seen = max(pixels.shape[:2]), _scored(look(coarse))
        fine = fine_side(longer, seen)
        far = [shrunk.scale(FAR)] if self._corrections.far and close_up(longer, seen) else []
        wanted = dict.fromkeys([shrunk.scale(fine), *far, coarse])
        found = np.concatenate([look(scale) for scale in wanted])
        if self._corrections.busy and busy(_without_repeats(found, RIVAL)[:, 4]):
            again = self._looked(shrunk, shrunk.scale(FINER * fine), mirrored=True)
            found = np.concatenate([found, again])
        return _scored(_without_repeats(found, SAME_BOX)[:MOST_DICE])

    def _looked(self, shrunk: Shrunk, scale: float, *, mirrored: bool = False) -> Floats:
        """(N, 5) boxes in the picture's own pixels and scores, from one look at it at a scale, or at its mirror."""
        pixels = shrunk.at(scale)
        rows = self._look(pixels[:, ::-1] if mirrored else pixels)
        if mirrored:
            rows[:, [0, 2]] = pixels.shape[1] - rows[:, [2, 0]]
        rows *= np.array([1 / scale] * 4 + [1], np.float32)
        return np.minimum(rows, np.array([*shrunk.size, *shrunk.size, 1], np.float32))  # sizes were rounded

    def _look(self, pixels: Pixels) -> Floats:
        """(N, 5) boxes x0, y0, x1, y1 in these pixels and scores, from one look at them."""
        h, w = pixels.shape[:2]
        planes = np.full((1, 3, -(-h // STRIDE) * STRIDE, -(-w // STRIDE) * STRIDE), GREY / 255, np.float32)
        for plane, channel in zip(planes[0], cv2.split(pixels)[::-1], strict=True):
            np.multiply(channel, np.float32(1 / 255), out=plane[:h, :w])
        rows = np.asarray(self._network.run(None, {"images": planes})[0])[0]
        rows = rows[:, rows[4] > LEAST_BOX].T
        centre, half = rows[:, :2], rows[:, 2:4] / 2
        edges = np.clip(np.concatenate([centre - half, centre + half], axis=1), 0, (w, h, w, h))
        return np.concatenate([edges, rows[:, 4:5]], axis=1).astype(np.float32)


def _without_repeats(found: Floats, shared: float) -> Floats:
    """The same boxes, surest first, without those that share more with a surer one, of what both cover."""
    return found[surest(found[:, :4].tolist(), found[:, 4].tolist(), shared)]


def _scored(found: Floats) -> list[tuple[Box, float]]:
    """Boxes and scores as plain numbers."""
    return [((x0, y0, x1, y1), score) for x0, y0, x1, y1, score in found.tolist()]

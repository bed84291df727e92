"""Boxes around what may be dice: the detector, looking at a picture on several levels of an image pyramid.

Dice are learnt between 9 and 200 pixels. Where a first look of middle size sees nothing but sure dice, neither small
nor large, it is the only one. Otherwise it is one of several: a coarse look finds large dice and tells how large dice
are; where none is small, the next need not be the finest. A die that fills the picture is too large for both: a third
look is from further away. Where the table is busy, and much is not sure, one more is finer still, and on the mirrored
picture. Where no more frames follow, or the one before left a question, the last look is at the picture upside down, as
finely as can be.

Boxes are x0, y0, x1, y1 in pixels of the picture itself.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.boxes import Box, covered_part, nms
from vision.frame import Floats
from vision.network import open_network
from vision.pyramid import Pyramid

STRIDE: Final = 32
LEAST_BOX: Final = 0.04
"""Boxes below this score are not looked at again; the face finder decides about the others."""
SAME_BOX: Final = 0.65
"""Boxes that share more of what they cover together are one; those that share less may still be around the same die."""
RIVAL: Final = 0.45
"""A box that shares more than this with a surer one is its rival: around the same die, or around one of two that the
surer one holds both. Of 3,797 rendered pairs of dice that met none shared 0.4."""
COVERED: Final = 0.6
"""Part of the smaller of two boxes that the other covers from which both are around the same."""
MOST_DICE: Final = 200
COARSE: Final = 480
"""The picture's longer side in pixels at the coarse look."""
FINE: Final = (704, 960)
"""Bounds of the longer side at the fine look: from all dice large (so at the first, too) to small or none found."""
PLAIN: Final = 0.6
"""Score that every box has, but for faint ones, where a look sees nothing but dice,"""
EASY: Final = (20.0, 140.0)
"""and the bounds of their boxes' longer sides, in the look's own pixels."""
FAINT: Final = 0.15
"""Boxes below this score do not make a table less plain."""
FAR: Final = 256
"""The longer side at a look from further away."""
CLOSE_UP: Final = 0.25
"""Share of the picture's longer side from which a die's box is large."""
WANTED: Final = 28.0
"""Pixels that the longer side of the smallest die's box should have at the second look, if the bounds allow."""
SURE: Final = 0.3
"""Score from which a box says how large dice are."""
BUSY: Final = 3
"""From so many boxes that are not sure the picture is looked at once more,"""
FINER: Final = 1.4
"""by so much finer than at the second look."""
UPSIDE_DOWN: Final = (1344, 0.2)
"""The longer side at the look upside down, and the score from which its boxes count where nothing sure was."""
MOST_UPSIDE_DOWN: Final = 2.1
"""How many times a small picture is enlarged at most at the look upside down."""
GREY: Final = 114
"""Grey level of 255 of what lies beyond a picture's border."""


class Proposer:
    """Holds the network `detector.onnx`."""

    def __init__(self, weights: Path | None = None, without: Collection[str] = ()) -> None:
        """Open the network in a folder, or the one in use (`open_network`). WeightsError when it is not there.

        `without` "far", "busy" or "upside_down", the look from further away, at busy tables or upside down is left out,
        to measure it.
        """
        self._network = open_network("detector", weights, one_by_one=True)
        self._without = without

    def boxes(self, picture: Pyramid, *, thorough: bool = False) -> list[tuple[Box, float]]:
        """Whole dice in a picture, as (box, score), surest first; some may turn out to be none.

        `thorough` adds a look at the picture upside down, which may find what the others did not.
        """
        looks = dict[float, Floats]()

        def look(side: float) -> Floats:
            scale = picture.scale(side)
            if scale not in looks:
                looks[scale] = self._look(picture, scale)
            return looks[scale]

        first = FINE[0]
        found = _without_repeats(look(first), SAME_BOX)
        if not plain(found, picture.scale(first)):
            longer, coarse = max(picture.size), look(COARSE)
            fine = fine_side(longer, coarse)
            far = [FAR] if "far" not in self._without and close_up(longer, coarse) else []
            for side in (fine, *far):
                look(side)
            found = np.concatenate(list(looks.values()))  # each once, though it may be the first one again
            if "busy" not in self._without and busy(_without_repeats(found, RIVAL)):
                finer = self._look(picture, picture.scale(FINER * fine), (1, -1))
                found = np.concatenate([found, finer])
            found = _without_repeats(found, SAME_BOX)
        if thorough and "upside_down" not in self._without:
            turned = self._look(picture, picture.scale(UPSIDE_DOWN[0], MOST_UPSIDE_DOWN), (-1, -1))
            found = _without_repeats(np.concatenate([found, _elsewhere(turned, found)]), SAME_BOX)
        return [((x0, y0, x1, y1), score) for x0, y0, x1, y1, score in found[:MOST_DICE].tolist()]

    def _look(self, picture: Pyramid, scale: float, ways: tuple[int, int] = (1, 1)) -> Floats:
        """(N, 5) boxes x0, y0, x1, y1 in the picture's own pixels and scores, from one look at it at a scale.

        `ways` are those in which its rows and columns are gone through, 1 or -1.
        """
        pixels = picture.at(scale)
        h, w = pixels.shape[:2]
        planes = np.full((1, 3, -(-h // STRIDE) * STRIDE, -(-w // STRIDE) * STRIDE), GREY / 255, np.float32)
        for plane, channel in zip(planes[0], cv2.split(pixels)[::-1], strict=True):
            np.multiply(channel[:: ways[0], :: ways[1]], np.float32(1 / 255), out=plane[:h, :w])
        rows = np.asarray(self._network.run(None, {"images": planes})[0])[0]
        rows = rows[:, rows[4] > LEAST_BOX].T
        centre, half = rows[:, :2], rows[:, 2:4] / 2
        edges = np.clip(np.concatenate([centre - half, centre + half], axis=1), 0, (w, h, w, h))
        if ways[1] < 0:
            edges[:, [0, 2]] = w - edges[:, [2, 0]]
        if ways[0] < 0:
            edges[:, [1, 3]] = h - edges[:, [3, 1]]
        # Sizes were rounded: a box may end beyond the picture.
        edges = np.minimum(edges * np.float32(1 / scale), np.array(picture.size * 2, np.float32))
        return np.concatenate([edges, rows[:, 4:5]], axis=1).astype(np.float32)


def _without_repeats(found: Floats, shared: float) -> Floats:
    """The same boxes, surest first, without those that share more with a surer one, of what both cover."""
    return found[nms(found[:, :4].tolist(), found[:, 4].tolist(), shared)]


def _elsewhere(found: Floats, before: Floats) -> Floats:
    """Those of some boxes from the look upside down that lie where none of the sure ones before does."""
    likely, there = found[found[:, 4] >= UPSIDE_DOWN[1]], before[before[:, 4] >= SURE, :4].tolist()
    return likely[[not any(covered_part(box, other) > COVERED for other in there) for box in likely[:, :4].tolist()]]


# The following ask (N, 5) boxes and scores, as one look at the picture, or several, found them.


def plain(found: Floats, scale: float) -> bool:
    """Whether a look at a scale saw nothing but sure dice of easy sizes."""
    found = found[found[:, 4] >= FAINT]
    if not len(found):
        return False
    sizes = (found[:, 2:4] - found[:, :2]).max(axis=1) * scale
    return bool(found[:, 4].min() >= PLAIN and sizes.min() >= EASY[0] and sizes.max() <= EASY[1])


def close_up(longer: int, found: Floats) -> bool:
    """Whether dice may fill a picture of `longer` pixels, by what the coarse look found."""
    sizes = _sure_sizes(found)
    return not len(sizes) or bool(sizes.max() > CLOSE_UP * longer)


def busy(found: Floats) -> bool:
    """Whether much was found that is not sure."""
    return int(np.count_nonzero(found[:, 4] < SURE)) >= BUSY


def fine_side(longer: int, found: Floats) -> float:
    """How long the longer side should be at the second look, for a picture of `longer`, by the coarse look."""
    sizes = _sure_sizes(found)
    return float(np.clip(WANTED / sizes.min() * longer, *FINE)) if len(sizes) else FINE[1]


def _sure_sizes(found: Floats) -> Floats:
    """The longer sides of the boxes that say how large dice are."""
    return (found[:, 2:4] - found[:, :2]).max(axis=1)[found[:, 4] > SURE]

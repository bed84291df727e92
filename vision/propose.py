"""Proposes boxes that may contain dice, by running the detector on a picture at several scales.

The detector was trained on dice of 9 to 200 pixels. The first look is at a middle scale. If it plainly sees dice of
easy sizes and nothing else, the next looks are left out. Otherwise a coarse look finds large dice and shows how large
the dice are; unless some are small, the fine look needs less than the finest scale. A die that fills the picture is too
large for both, so a far look shrinks the picture further. If the table is busy and many boxes are doubtful, one more
look is finer still and mirrored. A final look turns the picture upside down at the finest scale.

Quick proposals are for the first frame of dice before a camera: if one die is missing or uncertain, another frame
follows. They end with the first look unless that plainly sees no die, or one of another size.

Boxes are x0, y0, x1, y1 in pixels of the picture itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
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
"""Boxes below this score are dropped; the finder decides about the others."""
SAME_BOX: Final = 0.65
"""Boxes with a higher intersection over union than this are the same box; below it they may still be the same die."""
RIVAL: Final = 0.45
"""A box whose intersection over union with a surer box is higher than this is its rival: it surrounds the same die, or
one of two dice inside the surer box. Of 3,797 rendered pairs of touching dice none reached 0.4."""
COVERED: Final = 0.6
"""If more than this share of the smaller of two boxes lies inside the other, both surround the same die."""
MOST_DICE: Final = 200
COARSE: Final = 480
"""The picture's longer side in pixels at the coarse look."""
FINE: Final = (704, 960)
"""Bounds of the longer side at the fine look: the first if all dice are large, the second if some are small or none was
found. The first look uses the lower bound."""
PLAIN: Final = 0.6
"""A box with at least this score plainly shows a die;"""
EASY: Final = (20.0, 140.0)
"""its size is easy if the box's longer side, in the look's own pixels, is within these bounds."""
FAINT: Final = 0.15
"""Boxes below this score are faint."""
FAR: Final = 256
"""The picture's longer side in pixels at the far look."""
CLOSE_UP: Final = 0.25
"""A box longer than this share of the picture's longer side is large."""
WANTED: Final = 28.0
"""Longer side in pixels that the smallest die's box should have at the fine look, within its bounds."""
SURE: Final = 0.3
"""Boxes from this score on show how large the dice are."""
BUSY: Final = 3
"""With this many doubtful boxes a table is busy, and the busy look follows:"""
FINER: Final = 1.4
"""this many times as fine as the fine look."""
UPSIDE_DOWN: Final = (1344, 0.2)
"""The longer side in pixels at the upside-down look, and the least score of a box that it adds."""
MOST_UPSIDE_DOWN: Final = 2.1
"""How many times a small picture is enlarged at most for the upside-down look."""
GREY: Final = 114
"""Grey level, of 255, of the padding beyond a picture's border."""


Odds = Callable[[Box], float]
"""Factor on the odds that a box contains a die, because its contents are new on the table or were there before."""


class Proposer:
    """Runs the network `detector.onnx`."""

    def __init__(self, weights: Path | None = None, without: Collection[str] = ()) -> None:
        """Open the network in a folder, or the one in use (`open_network`); WeightsError if it is missing.

        `without` may name looks to leave out for a measurement: "far", "busy", "upside_down".
        """
        self._network = open_network("detector", weights, one_by_one=True)
        self._without = without

    def boxes(
        self, picture: Pyramid, *, quick: bool = False, odds: Odds = lambda box: 1.0
    ) -> list[tuple[Box, float]]:  # fmt: skip
        """Candidates for whole dice as (box, score), surest first. Boxes with `odds` below 1 cause no further look."""
        looks = dict[float, Floats]()

        def look(side: float) -> Floats:
            scale = picture.scale(side)
            if scale not in looks:
                looks[scale] = self._look(picture, scale)
            return looks[scale]

        def new(found: Floats) -> Floats:
            return found[[odds((x0, y0, x1, y1)) >= 1 for x0, y0, x1, y1, _ in found.tolist()]]

        first = FINE[0]
        found = _without_repeats(look(first), SAME_BOX)
        if not enough(new(found), picture.scale(first), quick=quick):
            longer, coarse = max(picture.size), look(COARSE)
            fine = fine_side(longer, coarse)
            far = [FAR] if "far" not in self._without and close_up(longer, coarse) else []
            for side in (fine, *far):
                look(side)
            found = np.concatenate(list(looks.values()))  # each once, though it may be the first one again
            if "busy" not in self._without and busy(new(_without_repeats(found, RIVAL))):
                finer = self._look(picture, picture.scale(FINER * fine), (1, -1))
                found = np.concatenate([found, finer])
            found = _without_repeats(found, SAME_BOX)
        if not quick and "upside_down" not in self._without:
            turned = self._look(picture, picture.scale(UPSIDE_DOWN[0], MOST_UPSIDE_DOWN), (-1, -1))
            found = _without_repeats(np.concatenate([found, _elsewhere(turned, found)]), SAME_BOX)
        return [((x0, y0, x1, y1), score) for x0, y0, x1, y1, score in found[:MOST_DICE].tolist()]

    def _look(self, picture: Pyramid, scale: float, ways: tuple[int, int] = (1, 1)) -> Floats:
        """(N, 5) boxes x0, y0, x1, y1 in the picture's own pixels and scores, from one look at this scale.

        `ways` are the steps through rows and columns: -1 flips the picture vertically or horizontally.
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
    """The boxes, surest first, without those whose intersection over union with a surer box exceeds `shared`."""
    return found[nms(found[:, :4].tolist(), found[:, 4].tolist(), shared)]


def _elsewhere(found: Floats, before: Floats) -> Floats:
    """The boxes of the upside-down look that score high enough and overlap none of the sure boxes `before`."""
    likely, there = found[found[:, 4] >= UPSIDE_DOWN[1]], before[before[:, 4] >= SURE, :4].tolist()
    return likely[[not any(covered_part(box, other) > COVERED for other in there) for box in likely[:, :4].tolist()]]


# The functions below take (N, 5) boxes and scores from one look or several.


def enough(found: Floats, scale: float, *, quick: bool) -> bool:
    """Whether a look at this scale plainly saw dice, all of easy sizes, and, unless `quick`, nothing doubtful."""
    found = found[found[:, 4] >= FAINT]
    plain = found[found[:, 4] >= PLAIN]
    if not len(plain) or (not quick and len(plain) < len(found)):
        return False
    sizes = (plain[:, 2:4] - plain[:, :2]).max(axis=1) * scale
    return bool(sizes.min() >= EASY[0] and sizes.max() <= EASY[1])


def close_up(longer: int, found: Floats) -> bool:
    """Whether dice may fill a picture with this longer side, judging by the coarse look."""
    sizes = _sure_sizes(found)
    return not len(sizes) or bool(sizes.max() > CLOSE_UP * longer)


def busy(found: Floats) -> bool:
    """Whether many boxes are doubtful."""
    return int(np.count_nonzero(found[:, 4] < SURE)) >= BUSY


def fine_side(longer: int, found: Floats) -> float:
    """The longer side of the fine look for a picture with this longer side, judging by the coarse look."""
    sizes = _sure_sizes(found)
    return float(np.clip(WANTED / sizes.min() * longer, *FINE)) if len(sizes) else FINE[1]


def _sure_sizes(found: Floats) -> Floats:
    """The longer sides of the boxes that show how large the dice are."""
    return (found[:, 2:4] - found[:, :2]).max(axis=1)[found[:, 4] > SURE]

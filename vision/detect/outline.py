"""Outlines the dice roughly, each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.boxes import area, shared_area
from vision.corners import middles_of, rough_outlines, to_cells, to_picture
from vision.detect.search import Examined, Search, clearness, expected
from vision.detection import Detection
from vision.frame import Doubles, Floats

LEAST_DIE: Final = 0.1
"""Least probability of a die, by finder and verifier alike; above it `vision.confidence` decides."""
AROUND_TWO: Final = 0.8
"""Dice seen at least this plainly in boxes of their own are two, even if a box around both looks like one die."""
SAME_FACE: Final = 0.35
"""Top faces never overlap: outlines that share more than this part of the smaller one are of one die, seen twice."""
HALF: Final = 0.5
"""Cells of a whole die's mask above this are part of the die."""
INSIDE: Final = 0.7
"""A box with more than this share inside a surer die's box is a side face of that die."""


def outline(search: Search) -> None:
    """Outline roughly what looks like a die of the expected shapes, each die once."""
    search.dice = without_doubles(roughly_outlined(search, search.examined))


def roughly_outlined(search: Search, examined: Sequence[Examined]) -> list[Detection]:
    """Rough outlines of what looks like a die of the expected shapes."""
    found: list[Detection] = []
    for shape in search.shapes:
        own: list[tuple[Examined, float]] = []
        for one in examined:
            likely = expected(one.kinds, search.shapes)
            taken = search.shapes[likely.index(max(likely))]
            if taken == shape and one.die * one.verified >= LEAST_DIE**2:
                own.append((one, sum(likely)))
        outlines = rough_outlines(np.stack([one.seen for one, _ in own]), shape) if own else []
        for (one, die), cells in zip(own, outlines, strict=True):
            if cells is not None:
                found.append(
                    Detection(
                        shape, to_picture(cells, one.crop), score_of(one.boxed, die), one.box, one.seen, one.crop,
                        boxed=one.boxed, die=die, verified=one.verified,
                    )
                )  # fmt: skip
    return found


def score_of(boxed: float, die: float) -> float:
    """`Detection.score` from the detector's score and the finder's probability of a die."""
    return (boxed * die) ** 0.5


def outlined_in(
    search: Search, crops: Sequence[tuple[Detection, Doubles]]
) -> list[tuple[Detection, Detection, Floats]]:
    """Look at dice again in other crops (3, 3) of the picture. For each: the die as it was, the die as the finder
    outlines it now, and the finder's kinds (1 + shapes,). Crops in which it outlines nothing are left out."""
    looks = search.found([search.picture.cut(crop) for _, crop in crops])
    again: list[tuple[Detection, Detection, Floats]] = []
    for shape in search.shapes:
        own = [(one, crop, *look) for (one, crop), look in zip(crops, looks, strict=True) if one.shape == shape]
        outlines = rough_outlines(np.stack([seen for _, _, seen, _ in own]), shape) if own else []
        for (one, crop, seen, kinds), cells in zip(own, outlines, strict=True):
            if cells is not None:
                again.append((one, replace(one, seen=seen, crop=crop, corners=to_picture(cells, crop)), kinds))
    return again


def without_doubles(found: Iterable[Detection]) -> list[Detection]:
    """Each die once, surest first, without boxes around two dice that are plainly seen in boxes of their own."""
    every = sorted(found, key=lambda d: -d.score)
    kept: list[Detection] = []
    for fainter in every:
        if not _around_two(fainter, every) and not any(one_die(fainter, surer) for surer in kept):
            kept.append(fainter)
    return kept


def _around_two(one: Detection, every: Sequence[Detection]) -> bool:
    """Whether a box holds two others that are plainly dice, while it is not plainly one itself."""
    if _plainly(one):
        return False
    within = [other for other in every if other is not one and _lies_in(other, one) and _plainly(other)]
    return any(not one_die(other, surer) and not _lies_in(surer, other) for surer, other in combinations(within, 2))


def _plainly(one: Detection) -> bool:
    return one.verified * one.die * clearness(one.seen) >= AROUND_TWO


def one_die(fainter: Detection, surer: Detection) -> bool:
    """Whether two outlines are of one die: they share their face, or one lies in the other's box. For two octahedra,
    the middle of one body must also lie in the other."""
    if not (_lies_in(fainter, surer) or same_face(fainter.corners, surer.corners)):
        return False
    return not _octahedra(fainter, surer) or _middle_in(fainter, surer) or _middle_in(surer, fainter)


def one_die_either_way(first: Detection, second: Detection) -> bool:
    """Whether two outlines are of one die, whichever is the surer one."""
    return one_die(first, second) or one_die(second, first)


def same_body(first: Detection, second: Detection) -> bool:
    """Whether two outlines are of one die, whatever their boxes: they share their face, or the middles of two octahedra
    lie in each other."""
    if same_face(first.corners, second.corners):
        return True
    return _octahedra(first, second) and _middle_in(first, second) and _middle_in(second, first)


def _octahedra(first: Detection, second: Detection) -> bool:
    return first.shape.twisted and second.shape.twisted


def _middle_in(one: Detection, other: Detection) -> bool:
    """Whether the middle of one die's mask lies inside another die's mask."""
    middle = to_picture(middles_of(one.seen[2:]), one.crop)
    x, y = np.rint(to_cells(middle, other.crop)[0]).astype(int).tolist()
    side = other.seen.shape[-1]
    return 0 <= x < side and 0 <= y < side and float(other.seen[2, y, x]) >= HALF


def _lies_in(one: Detection, other: Detection) -> bool:
    return shared_area(one.box, other.box) > INSIDE * area(one.box)


def same_face(first: Floats, second: Floats) -> bool:
    """Whether two outlines (4 or 3, 2) overlap so much that they are of one face."""
    shared, _ = cv2.intersectConvexConvex(first, second)
    return 0 < float(shared) >= SAME_FACE * min(cv2.contourArea(first), cv2.contourArea(second))

"""The dice among what was seen, each once, and roughly outlined."""

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
"""A crop must look like a die at least this much; what is between is for `vision.confidence` to weigh."""
AROUND_TWO: Final = 0.8
"""Dice seen as plainly as this in boxes of their own are two, and not one in a box around both that is seen less so."""
SAME_FACE: Final = 0.35
"""Top faces never overlap; two outlines that do are one die seen twice."""
HALF: Final = 0.5
"""A cell of a whole die's mask above this is taken for a part of it."""
INSIDE: Final = 0.7
"""A box of which more than this lies in a surer die's box is a side face of that die."""


def outline(search: Search) -> None:
    """Outline what looks like a die of the expected shapes, roughly; each die once."""
    search.dice = without_doubles(roughly_outlined(search, search.examined))


def roughly_outlined(search: Search, examined: Sequence[Examined]) -> list[Detection]:
    """What looks like a die of the expected shapes, roughly outlined."""
    found: list[Detection] = []
    for shape in search.shapes:
        own: list[tuple[Examined, float]] = []
        for one in examined:
            likely = expected(one.kinds, search.shapes)
            taken = search.shapes[likely.index(max(likely))]
            if taken == shape and (1 - one.kinds[0]) * one.verified >= LEAST_DIE**2:
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
    """How sure it is that a die lies there, by detector and finder (`Detection.score`)."""
    return (boxed * die) ** 0.5


def outlined_in(
    search: Search, crops: Sequence[tuple[Detection, Doubles]]
) -> list[tuple[Detection, Detection, Floats]]:
    """Dice as they are, as the finder outlines them in other crops (3, 3) of the picture, and what kinds of thing it
    takes them for there (1 + shapes,); those crops are left out in which it outlines nothing."""
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
    """Each die once, surest first; a box around two dice that are plainly seen in boxes of their own is of neither."""
    every = sorted(found, key=lambda d: -d.score)
    kept: list[Detection] = []
    for fainter in every:
        if not _around_two(fainter, every) and not any(one_die(fainter, surer) for surer in kept):
            kept.append(fainter)
    return kept


def _around_two(one: Detection, every: Sequence[Detection]) -> bool:
    """Whether two others that lie in a box are plainly dice, each by itself, and what was taken for one is not."""
    if _plainly(one):
        return False
    within = [other for other in every if other is not one and _lies_in(other, one) and _plainly(other)]
    return any(not one_die(other, surer) and not _lies_in(surer, other) for surer, other in combinations(within, 2))


def _plainly(one: Detection) -> bool:
    return one.verified * one.die * clearness(one.seen) >= AROUND_TWO


def one_die(fainter: Detection, surer: Detection) -> bool:
    """Whether two outlines are of one die: they share their face, or one lies in the other's box; and where both are of
    octahedra, the middle of one body lies in the other."""
    if not (_lies_in(fainter, surer) or same_face(fainter.corners, surer.corners)):
        return False
    return not _octahedra(fainter, surer) or _middle_in(fainter, surer) or _middle_in(surer, fainter)


def one_die_either_way(first: Detection, second: Detection) -> bool:
    """Whether two outlines are of one die, whichever of them is the surer one."""
    return one_die(first, second) or one_die(second, first)


def same_body(first: Detection, second: Detection) -> bool:
    """Whether two outlines are of one die, in whatever boxes it was seen: they share their face, or the middle of each
    of two octahedra lies in the other."""
    if same_face(first.corners, second.corners):
        return True
    return _octahedra(first, second) and _middle_in(first, second) and _middle_in(second, first)


def _octahedra(first: Detection, second: Detection) -> bool:
    return first.shape.twisted and second.shape.twisted


def _middle_in(one: Detection, other: Detection) -> bool:
    """Whether the middle of what was seen of a whole die lies in what was seen of another one."""
    middle = to_picture(middles_of(one.seen[2:]), one.crop)
    x, y = np.rint(to_cells(middle, other.crop)[0]).astype(int).tolist()
    side = other.seen.shape[-1]
    return 0 <= x < side and 0 <= y < side and float(other.seen[2, y, x]) >= HALF


def _lies_in(one: Detection, other: Detection) -> bool:
    return shared_area(one.box, other.box) > INSIDE * area(one.box)


def same_face(first: Floats, second: Floats) -> bool:
    """Whether two outlines (4 or 3, 2) share so much of the smaller one that they are one face."""
    shared, _ = cv2.intersectConvexConvex(first, second)
    return 0 < float(shared) >= SAME_FACE * min(cv2.contourArea(first), cv2.contourArea(second))

"""Which outlines are tops and which are sides, as the plane tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from vision.bodies import STRANGE, across_an_edge, apart, faces_beside, fits, tops_filling, within
from vision.boxes import Box, covered_part, shared_area
from vision.corners import clockwise, refine, rough_outlines, to_picture
from vision.detect.lay import as_tops, filled_of, may_be_a_side, overlap_of
from vision.detect.outline import INSIDE, same_face
from vision.detect.search import Search
from vision.detection import A_TOP, Detection
from vision.frame import Floats
from vision.plane import LEAST_DICE, Plane

FITTING: Final = 0.6
"""How well another box must fit the body of a die for it to be that die's."""
AS_SIDE: Final = 0.3
"""Share of what was seen and a side of the die with another top face that both must cover, for that to be its top."""
LIKELIER: Final = 0.1
"""By how much the box must fit better for a face across an edge to be believed instead."""
SIDE: Final = 0.65
"""Share of an outline within the body of a surer die from which it is a side of that die, unless"""
LIKELY: Final = 0.85
"""verifier and finder both take it for a die by itself, and"""
SEEN: Final = 0.65
"""its outline covers so much of what was seen: dice in a heap lie within each other, as a plane tells it."""
LESS_SURE, AS_WELL = 0.5, 0.9
"""Even then it is a side if its score is less than the first share of the surer die's, and a side of that die outlines
what was seen nearly as well as its own outline does: by the second share of that, at least. Of two octahedra that are
too near each other the one is for whose outline and score together less than the first share of the other's speaks."""
NEAREST: Final = 0.75
"""Two octahedra cannot both lie on the table if the middles of their tops are closer than this many edges. The true
limit is 0.87: closer, their sections half-way up, hexagons with sides of half an edge, would overlap. Outlines are not
that exact."""
LIE_WELL: Final = 0.6
"""How much speaks, on average, for the outlines of octahedra being their tops' where the plane is theirs. In 108
path-traced pictures of clear ones it was less in four, the two among them whose plane was wrong."""
LIE_SO: Final = 0.4
"""How much need speak for it where they seemed to lie so, too, before the picture was turned upright,"""
OTHERWISE: Final = np.radians(40)
"""by less than so much otherwise. In 120 of 123 path-traced pictures of octahedra that were turned the two planes were
26 degrees apart at most, and the second was right; in two in which it was wrong, 54 and 81, in one in which it was
right, 63."""
BADLY_SEEN: Final = 0.7
"""Of an octahedron whose outline covers less of what was seen, other outlines are kept, and of any die of which so
little speaks for its outline being the top's that people are asked (`vision.detection.A_TOP`)."""


def top(search: Search) -> None:
    """Where an outline does not fit its box, that may be around a part of the die only, or the outline is that of a
    side: then lay the top face across one of its edges."""
    for i, one in enumerate(search.dice):
        if search.plane is None:
            continue
        if one.fits_box < STRANGE and (whole := _boxed_whole(one, search.plane, search.boxes)) is not None:
            search.dice[i] = whole
            continue
        if not may_be_a_side(one):
            continue
        found, others = topped(one, search.plane), search.dice[:i] + search.dice[i + 1 :]
        if found is not None and not any(same_face(found.corners, other.corners) for other in others):
            search.dice[i] = found


def _boxed_whole(one: Detection, plane: Plane, boxes: Sequence[tuple[Box, float]]) -> Detection | None:
    """The same die in another of the detector's boxes, where that is around its whole body and its own is not."""
    around = [box for box, _ in boxes if covered_part(box, one.box) > INSIDE]
    filled = fits(plane, [one.corners.astype(np.float64)] * len(around), around)
    share, box = max(zip(filled, around, strict=True), default=(0.0, one.box))
    return replace(one, box=box, fits_box=share) if share >= FITTING and one.overlap >= SEEN else None


def topped(one: Detection, plane: Plane) -> Detection | None:
    """The same die with the top face on a plane that lies beside what was outlined, if it fits the box better and has a
    side where something was seen. What was seen is then outlined as well as by that side."""
    (start,) = rough_outlines(one.seen[None], one.shape)
    side = one.corners if start is None else to_picture(refine(one.seen, start), one.crop)
    beside = across_an_edge(plane, side.astype(np.float64), one.box)
    if beside is None:
        return None
    face, fit = beside
    corners = clockwise(face.astype(np.float32))
    there = replace(one, corners=corners, fits_box=fit, fills=filled_of(one, corners, plane), strangeness=0.0)
    if there.fits < one.fits + LIKELIER:
        return None
    overlap = outlined_by_a_side(one, corners, plane)
    if overlap < AS_SIDE:
        return None
    return replace(there, overlap=overlap)


def outlined_by_a_side(one: Detection, top: Floats, plane: Plane) -> float:
    """How well a side of the die with this top (4 or 3, 2) on a plane outlines what was seen, 0 … 1."""
    beside = faces_beside(plane, top.astype(np.float64))
    return max((overlap_of(one, side.astype(np.float32)) for side in beside), default=0.0)


def sides(search: Search) -> None:
    """Drop what shares its top with a surer die, or lies within its body and is not clearly a die itself. Of octahedra
    closer together than two can lie one is a side of the other: the one for which far less speaks, else both are asked
    about."""
    if (plane := search.plane) is None:
        return
    tops = {one: one.corners.astype(np.float64) for one in search.dice}

    def belongs(one: Detection, surer: Detection) -> bool:
        if same_face(one.corners, surer.corners):
            return True
        clearly = min(one.verified, one.die) >= LIKELY and one.overlap >= SEEN
        if clearly and one.score < LESS_SURE * surer.score:
            clearly = outlined_by_a_side(one, surer.corners, plane) < AS_WELL * one.overlap
        return not clearly and shared_area(one.box, surer.box) > 0 and within(plane, tops[one], tops[surer]) > SIDE

    kept = [one for one in search.dice if not any(it.score > one.score and belongs(one, it) for it in search.dice)]
    likely = [one for one in kept if one.shape.twisted and min(one.verified, one.die) >= LIKELY]
    pairs = [pair for pair in combinations(likely, 2) if apart(plane, *(tops[one] for one in pair)) < NEAREST]
    worth = {one: one.score * one.as_top for one in likely}
    a_side = {one for pair in pairs for one in pair if worth[one] < LESS_SURE * max(worth[die] for die in pair)}
    one_of_two = {one for pair in pairs if a_side.isdisjoint(pair) for one in pair}
    search.dice = [replace(one, ambiguous=True) if one in one_of_two else one for one in kept if one not in a_side]


def doubtful(search: Search) -> None:
    """Where octahedra on the whole lie badly on the plane, it may not be the table's, nor where dice seemed to lie
    otherwise before the picture was turned upright: ask about all dice."""
    twisted = [one for one in search.dice if one.shape.twisted]
    if search.plane is None or len(twisted) < LEAST_DICE:
        return
    again = search.before_turning is not None and search.before_turning.angle_to(search.plane) < OTHERWISE
    otherwise = search.before_turning is not None and not again
    if otherwise or as_tops(twisted) < (LIE_SO if again else LIE_WELL):
        search.dice = [replace(one, ambiguous=True) for one in search.dice]


def filling(search: Search) -> None:
    """Where a die was seen badly, keep every outline that its top may have: its body fills the box."""
    if search.plane is not None:
        search.dice = [_with_others(one, search.plane) for one in search.dice]


def _with_others(one: Detection, plane: Plane) -> Detection:
    if one.as_top >= A_TOP and (not one.shape.twisted or one.overlap >= BADLY_SEEN):
        return one
    others: list[Detection] = []
    for top, filled in tops_filling(plane, one.box, one.shape.corners):
        corners = clockwise(top.astype(np.float32))
        overlap = max(overlap_of(one, corners), outlined_by_a_side(one, corners, plane))
        fills = filled_of(one, corners, plane)
        others.append(
            replace(one, corners=corners, fits_box=filled, fills=fills, overlap=overlap, strangeness=0.0)
        )
    return replace(one, others=tuple(others))

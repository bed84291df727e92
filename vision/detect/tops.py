"""Tells tops from sides with the help of the plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np

from vision.bodies import STRANGE, across_an_edge, apart, faces_beside, fits, tops_filling, within
from vision.boxes import Box, covered_part, intersection_over_union, shared_area
from vision.corners import clockwise, refine, rough_outlines, to_picture
from vision.detect.lay import as_tops, filled_of, may_be_a_side, overlap_of
from vision.detect.likely_planes import TILTED_OTHERWISE
from vision.detect.outline import INSIDE, same_face
from vision.detect.search import Search
from vision.detection import A_TOP, Detection
from vision.frame import Floats
from vision.plane import LEAST_DICE, Plane

FITTING: Final = 0.6
"""Least fit of another box to a die's body for it to become the die's box."""
AS_SIDE: Final = 0.3
"""Another face may be the top only if one of its sides has at least this overlap with the mask."""
LIKELIER: Final = 0.1
"""By how much the fit must improve for a face across an edge to become the top."""
SIDE: Final = 0.65
"""An outline with at least this share inside the body of a surer die is a side of that die, unless"""
LIKELY: Final = 0.85
"""verifier and finder both give it at least this probability of a die, and"""
SEEN: Final = 0.65
"""its overlap with its mask is at least this: by the plane alone, dice in a heap lie within each other."""
LESS_SURE, AS_WELL = 0.5, 0.9
"""Even then it is a side if its score is less than the first share of the surer die's, and a side of that die overlaps
its mask at least the second share as well as its own outline does. Of two dice that are too close, one is a side if its
score times its evidence of a top is less than the first share of the other's."""
NEAREST: Final = 0.75
"""Two octahedra cannot both lie on the table if the middles of their tops are closer than this many edges. The true
limit is 0.87: closer, their sections half-way up, hexagons with sides of half an edge, would overlap. Outlines are not
that exact."""
ONE_BOX: Final = 0.6
"""Two dice cannot have boxes with a higher intersection over union than this: in 3,597 pictures none reached 0.59."""
LIE_WELL: Final = 0.6
"""Least mean evidence of a top (`Detection.as_top`) of likely octahedra on a plane that is theirs."""
LIE_SO: Final = 0.4
"""The same if earlier throws lay on that plane, or if the plane found before the picture was turned upright agrees with
it."""
OTHERWISE: Final = np.radians(40)
"""The latter two planes agree if they differ by less than this angle."""
BADLY_SEEN: Final = 0.7
"""Other outlines are kept for an octahedron with less overlap than this, and for any die with too little evidence of a
top to be certain (`vision.detection.A_TOP`)."""


def top(search: Search) -> None:
    """If an outline does not fit its box, look for a better box, as this one may hold only part of the die; or take the
    outline for a side's, and move the top to the face across one of its edges."""
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
    """The die in another of the detector's boxes that holds its whole body, if there is one."""
    around = [box for box, _ in boxes if covered_part(box, one.box) > INSIDE]
    filled = fits(plane, [one.corners.astype(np.float64)] * len(around), around)
    share, box = max(zip(filled, around, strict=True), default=(0.0, one.box))
    return replace(one, box=box, fits_box=share) if share >= FITTING and one.overlap >= SEEN else None


def topped(one: Detection, plane: Plane) -> Detection | None:
    """The die with the neighbouring face on a plane as its top, if that fits the box better and one of its sides
    overlaps the mask. Its overlap is then that of the side."""
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
    """Best overlap with the mask, 0 … 1, of a side of the die with this top (4 or 3, 2) on a plane."""
    beside = faces_beside(plane, top.astype(np.float64))
    return max((overlap_of(one, side.astype(np.float32)) for side in beside), default=0.0)


def sides(search: Search) -> None:
    """Drop outlines that share their top with a surer die, or lie within its body and are not clearly dice themselves.
    Of two dice closer together than two can be, one is a side of the other: the one with far less evidence is dropped,
    otherwise both are asked about."""
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

    def too_close(one: Detection, other: Detection) -> bool:
        if one.shape.twisted and other.shape.twisted and apart(plane, tops[one], tops[other]) < NEAREST:
            return True
        return intersection_over_union(one.box, other.box) > ONE_BOX

    kept = [one for one in search.dice if not any(it.score > one.score and belongs(one, it) for it in search.dice)]
    likely = [one for one in kept if min(one.verified, one.die) >= LIKELY]
    pairs = [pair for pair in combinations(likely, 2) if too_close(*pair)]
    worth = {one: one.score * one.as_top for one in likely}
    a_side = {one for pair in pairs for one in pair if worth[one] < LESS_SURE * max(worth[die] for die in pair)}
    one_of_two = {one for pair in pairs if a_side.isdisjoint(pair) for one in pair}
    search.dice = [replace(one, ambiguous=True) if one in one_of_two else one for one in kept if one not in a_side]


def doubtful(search: Search) -> None:
    """Ask about all dice if the octahedra lie so badly on their plane that it may be wrong. A little evidence is enough
    if earlier throws lay on it, or if it was found before the picture was turned upright, too."""
    twisted = [one for one in search.dice if one.shape.twisted]
    if search.plane is None or len(twisted) < LEAST_DICE:
        return
    likely = [one for one in twisted if min(one.verified, one.die) >= LIKELY]
    table, before = search.table, search.before_turning
    again = table is not None and table.angle_to(search.plane) <= TILTED_OTHERWISE
    again = again or (before is not None and before.angle_to(search.plane) < OTHERWISE)
    if as_tops(likely or twisted) < (LIE_SO if again else LIE_WELL):
        search.dice = [replace(one, ambiguous=True) for one in search.dice]


def filling(search: Search) -> None:
    """For dice that were seen badly, keep every outline whose body fills the box."""
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

"""Second looks at dice that were seen badly: parted, upright, or centred in the crop."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.bodies import boxes_around
from vision.boxes import covered_part, crop_map, intersection_over_union, turn_of
from vision.detect.examine import SURE_DIE, look_into, verify
from vision.detect.lay import AS_DIE, lay_on
from vision.detect.outline import (
    INSIDE,
    one_die_either_way,
    outlined_in,
    roughly_outlined,
    same_body,
    same_face,
    score_of,
)
from vision.detect.search import Examined, Search, expected
from vision.detection import Detection
from vision.frame import Doubles

SEEN_WELL: Final = 0.6
"""A die that is seen less well than this (`Detection.well_seen`) is looked for in other boxes;"""
EACH_SEEN: Final = 0.5
"""two dice found there must each be seen at least this well;"""
SEEN_BETTER: Final = 0.15
"""an octahedron is taken from there if it is seen better by at least this;"""
AROUND: Final = 0.2
"""and boxes with at least this intersection over union surround the same dice."""
LEANS: Final = np.radians(25)
"""A die that leans by more than this in the picture, as beside the middle of a wide view,"""
SLANTED: Final = 0.35
"""and is seen from further aside than this (as a sine), may have a side taken for its top."""
OUTLINED: Final = 0.8
"""If its overlap with the mask is lower than this, it is looked at again with its vertical edges vertical."""
WELL_BOXED: Final = 0.95
"""A die is well boxed if the detector's box and its body's have at least this intersection over union."""


def parted(search: Search) -> None:
    """For a die that was seen badly, examine the other boxes around it. If two dice are seen well there, on the plane
    of all dice, the first box was around both. An octahedron that is seen better in another box is taken from there:
    the first box held only a part of it, or a print beside it as well."""
    if search.plane is None:
        return
    for one in [die for die in search.dice if die.well_seen < SEEN_WELL]:
        if one not in search.dice:  # it was the same as another one
            continue
        same = [die for die in search.dice if die is not one and same_body(die, one)]
        others = [die for die in search.dice if die is not one and die not in same]
        each: list[Detection] = []
        outlined = [*same, *lay_on(roughly_outlined(search, _around(search, one)), search.plane)]
        for die in sorted(outlined, key=lambda die: -die.well_seen):
            if not any(one_die_either_way(die, other) for other in (*each, *others)):
                each.append(die)
        several = [die for die in each if die.well_seen >= EACH_SEEN]
        if len(several) > 1:
            search.dice = sorted((*others, *several), key=lambda die: -die.score)
            continue
        better = next((die for die in each if one_die_either_way(die, one) or same_body(die, one)), one)
        if one.shape.twisted and better.well_seen >= one.well_seen + SEEN_BETTER:
            boxed = max(one.boxed, better.boxed)
            seen = replace(better, boxed=boxed, score=score_of(boxed, better.die))
            search.dice = sorted((*others, seen), key=lambda die: -die.score)


def _around(search: Search, one: Detection) -> list[Examined]:
    """What is seen in other boxes that overlap a die's box much or lie inside it."""
    around = [it for it in search.examined if intersection_over_union(it.box, one.box) >= AROUND and it.box != one.box]
    seen = {one.box, *(it.box for it in around)}
    inner = [pair for pair in search.boxes if pair[0] not in seen and covered_part(pair[0], one.box) > INSIDE]
    return around + look_into(search, inner)


def upright(search: Search) -> None:
    """Look again at dice that lean in the picture and are not outlined well, with their vertical edges vertical."""
    if search.plane is None:
        return
    plane, leaning = search.plane, list[tuple[Detection, Doubles]]()
    for one in search.dice:
        x0, y0, x1, y1 = one.box
        turn, slant = plane.leaning(((x0 + x1) / 2, (y0 + y1) / 2))
        if one.overlap < OUTLINED and slant > SLANTED and abs(turn) > LEANS:
            leaning.append((one, crop_map(one.box, turn=-turn)))
    looks = outlined_in(search, leaning)
    laid = lay_on([again for _, again, _ in looks], plane)
    better = {one: there for (one, _, _), there in zip(looks, laid, strict=True) if there.overlap > one.overlap}
    search.dice = [better.get(one, one) for one in search.dice]


def centred(search: Search) -> None:
    """Look again at doubtful dice in the box around the body below their outline, since the detector's box may hold
    only a part of the die, or more than it. A die stays doubtful if both looks doubt it."""
    if (plane := search.plane) is None:
        return
    bodies = boxes_around(plane, [one.corners.astype(np.float64) for one in search.dice])
    around = dict(zip(search.dice, bodies, strict=True))
    doubted = [
        one
        for one in search.dice
        if one.die >= AS_DIE
        and min(one.die, one.verified) < SURE_DIE
        and intersection_over_union(around[one], one.box) < WELL_BOXED
    ]
    verified = dict(zip(doubted, verify(search, [around[one] for one in doubted]), strict=True))
    looks = outlined_in(search, [(one, crop_map(around[one], turn=turn_of(one.crop))) for one in doubted])
    laid = lay_on([again for _, again, _ in looks], plane)
    surer: dict[Detection, Detection] = {}
    for (one, _, kinds), again in zip(looks, laid, strict=True):
        if same_face(again.corners, one.corners):
            die = max(one.die, sum(expected(kinds, search.shapes)))
            better, likely = max(one, again, key=lambda die: die.overlap), max(one.verified, verified[one])
            surer[one] = replace(better, die=die, verified=likely, score=score_of(one.boxed, die))
    search.dice = sorted((surer.get(one, one) for one in search.dice), key=lambda one: -one.score)

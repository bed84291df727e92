"""Dice that were seen badly, seen once more: parted, upright, in the middle of the crop."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.bodies import boxes_around
from vision.boxes import covered_part, crop_map, intersection_over_union, turn_of
from vision.detect.examine import SURE_DIE, look_into, verify
from vision.detect.lay import AS_DIE, lay_on
from vision.detect.outline import INSIDE, one_die, outlined_in, roughly_outlined, same_face
from vision.detect.search import Search, expected
from vision.detection import Detection
from vision.frame import Doubles

SEEN_WELL: Final = 0.6
"""How much speaks for an outline being the top's of a die that is seen well (`Detection.as_top`)."""
LEANS: Final = np.radians(25)
"""A die that is turned by more than this in the picture, as one is beside the middle of a wide view, and"""
SLANTED: Final = 0.35
"""seen from so far aside (the sine), may have a side taken for its top, unless"""
OUTLINED: Final = 0.8
"""its outline covers so much of what was seen: it is looked at again with its upright edges upright."""
WELL_BOXED: Final = 0.95
"""Share of the detector's box and of the body's that both cover from which the die was well boxed."""


def parted(search: Search) -> None:
    """Where a die was seen badly, see what is in the boxes within its own, or around it: two that are seen well on the
    plane of all are two dice, and what was taken for one was a box around both."""
    if search.plane is None:
        return
    for one in [die for die in search.dice if die.as_top < SEEN_WELL]:
        others = [other for other in search.dice if other is not one]
        inner = [pair for pair in search.boxes if pair[0] != one.box and covered_part(pair[0], one.box) > INSIDE]
        if len(inner) < 2 or not (outlined := roughly_outlined(search, look_into(search, inner))):
            continue
        each: list[Detection] = []
        for die in sorted(lay_on(outlined, search.plane), key=lambda die: -die.as_top):
            if die.as_top >= SEEN_WELL and not any(one_die(die, other) for other in (*each, *others)):
                each.append(die)
        if len(each) > 1:
            search.dice = sorted((*others, *each), key=lambda die: -die.score)


def upright(search: Search) -> None:
    """See dice that lean in the picture, and are not outlined well, with their upright edges upright."""
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
    """See dice that are doubted once more, in the box around the body below their outline: the detector's box may be
    around a part of the die, or around more. What both looks doubt stays doubted."""
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
            surer[one] = replace(better, die=die, verified=likely, score=(one.boxed * die) ** 0.5)
    search.dice = sorted((surer.get(one, one) for one in search.dice), key=lambda one: -one.score)

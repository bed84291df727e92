"""Looks at octahedra at several turns: which face the finder takes for the top depends on which is up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from vision.bodies import SOUND, across_an_edge, common_plane
from vision.boxes import crop_map
from vision.detect.lay import (
    AS_DIE,
    as_tops,
    filled_of,
    height_on,
    lay_on,
    lies_flat,
    may_be_a_side,
    overlap_of,
    usual,
)
from vision.detect.likely_planes import SIDES_COUNT, TILTED_OTHERWISE, agreeing, likeliest, likely_planes
from vision.detect.outline import outlined_in, same_face
from vision.detect.search import Search
from vision.detect.tops import topped
from vision.detection import A_TOP, Detection
from vision.plane import LEAST_DICE, Plane

TURNS: Final = 8
"""How many turns octahedra are looked at in if a side of one may have been outlined."""
MOST: Final = 2 / 3
"""All octahedra lie on the plane of earlier dice if at least this share of them do."""
AS_LIKELY: Final = 0.93
"""People are asked if a plane tilted otherwise has at least this share of the likeliest one's support. Of 53
path-traced pictures that came so far, the likeliest plane was wrong in two, where another had 0.90 and 0.92; all planes
had so little support there (`LIE_WELL`) that people were asked in any case. It had more than 0.93 in one other."""
WELL: Final = 0.7
"""If the likeliest plane has less than this share of the support it could have,"""
SETTLED, SETTLING = 3, 3
"""this many planes are settled, each in at most this many steps."""
KEPT: Final = 3
"""How many outlines of each die are laid on a plane exactly while it settles."""
SAME_PLANE: Final = np.radians(3)
"""Two planes closer than this settle to the same one."""
WITH_SIDES: Final = 0.9
"""People are then also asked if another plane had at least this share of the support before any was settled, sides
counting as much as tops. Of 21 such pictures that held for the three whose plane was wrong, and for two in which
AS_LIKELY asked."""


def turned(search: Search) -> None:
    """If a side of an octahedron may have been outlined, look at all octahedra turned as well, and choose the outlines
    that lie on one plane and whose bodies fill the boxes. The finder takes the face that is up in the picture for the
    top, or a bright side at every turn, beside which `top` then lays the top.

    If earlier dice lay before the same camera, these lie on the same plane if most of them can. One or two dice show no
    plane of their own. Of planes with nearly as much support, the one tilted like that of the earlier dice is taken. If
    the plane is known, only the octahedra in doubt are looked at first.
    """
    twisted = [one for one in search.dice if one.shape.twisted]
    if not twisted:
        return
    few, all_lie = len(search.dice) < LEAST_DICE, _all_lie(search, twisted)
    known = search.plane if all_lie else search.table
    if (few and known is None) or (all_lie and not any(map(_doubted, twisted))):
        return
    looks: dict[Detection, list[Detection]] = {}
    if known is not None:
        lie = _lie_on(search, known, [[one] for one in search.dice], 1.0)
        if lie and not any(map(_doubted, search.dice)):
            return
        laid = zip(search.dice, lay_on(search.dice, known), strict=True)
        again = [one for one, there in laid if one.shape.twisted and (_doubted(there) or not lies_flat(there))]
        looks = _at_all_turns(search, again)
        choices = [[one, *looks.get(one, ())] for one in search.dice]
        if _lie_on(search, known, choices, 1.0 if few else MOST):
            return
    if few:
        search.dice, search.plane = [replace(one, ambiguous=True) for one in search.dice], None
        return
    looks |= _at_all_turns(search, [one for one in twisted if one not in looks])
    _lie_together(search, [[one, *looks.get(one, ())] for one in search.dice])


def _lie_together(search: Search, choices: Sequence[Sequence[Detection]]) -> None:
    """Lay dice, each with one or more outlines, on the likeliest plane, or on that of earlier dice or of these before
    the picture was turned upright, if it is nearly as likely. Dice whose top is another one on another plane that is
    nearly as likely are asked about."""
    width, height = search.picture.size
    outlines = [[one.corners.astype(np.float64) for one in own] for own in choices]
    boxes, scores = [one.box for one in search.dice], [one.score for one in search.dice]
    likely = likely_planes(outlines, boxes, scores, width, height)
    if search.table is not None:
        likely.append((search.table, [order[0] for order in likeliest(search.table, outlines, boxes)]))
    lying: list[tuple[Plane, list[Detection], list[Detection]]] = []
    for plane, chosen in likely:
        outlined = [own[i] for own, i in zip(choices, chosen, strict=True)]
        lying.append((plane, outlined, lay_on(outlined, plane)))
    ways = [_Way.on(plane, laid, _supports(plane, outlined, laid)) for plane, outlined, laid in lying]
    ways.sort(key=lambda way: way.worth, reverse=True)
    if ways[0].support < WELL * sum(scores):
        settled: list[_Way] = []
        for way in ways[:SETTLED]:
            settled.append(_settled(way, choices, width, height, settled))
        ways[:SETTLED] = settled
    best = max(way.worth for way in ways)
    rivals = [way for way in ways if way.worth >= AS_LIKELY * best]
    before = search.table if search.table is not None else search.before_turning
    as_before = [way for way in rivals if before is not None and _alike_tilted(way.plane, before)]
    taken = max(as_before or rivals, key=lambda way: way.worth)
    search.dice = taken.dice
    if not as_before:
        if taken.support < WELL * sum(scores):
            counted = ((plane, laid, _supports(plane, outlined, laid, 1.0)) for plane, outlined, laid in lying)
            rivals += [way for way in (_Way.on(*one) for one in counted) if way.worth >= WITH_SIDES * best]
        for other in (way for way in rivals if not _alike_tilted(way.plane, taken.plane)):
            search.dice = [
                one if _same_top(one, taken.plane, there, other.plane) else replace(one, ambiguous=True)
                for one, there in zip(search.dice, other.dice, strict=True)
            ]
    search.plane = taken.plane if taken.filled >= SOUND else None


@dataclass(frozen=True, slots=True)
class _Support:
    """How one die supports a plane on which it was laid."""

    fits: float
    """How well its body fits there (`Detection.fits`)."""
    worth: float
    """How much: its outline, laid there, is that of the top, or else of a side with the top beside it."""
    height: float
    """How high its body is, with the plane at distance 1."""


@dataclass(frozen=True, eq=False, slots=True)
class _Way:
    """One way in which dice may lie."""

    plane: Plane
    dice: list[Detection]
    """With their outlines on the plane."""
    support: float
    """How much they support it, weighted by their scores."""
    worth: float
    """The support of dice that are equally large there (`agreeing`)."""
    filled: float
    """The usual `Detection.fits` of their bodies."""

    @classmethod
    def on(cls, plane: Plane, laid: list[Detection], each: Sequence[_Support]) -> _Way:
        """Dice laid on a plane, and how much each supports it."""
        worths = np.array([one.score * its.worth for one, its in zip(laid, each, strict=True)])
        worth = float(agreeing(worths, np.array([its.height for its in each])))
        return cls(plane, laid, float(worths.sum()), worth, usual(laid, [its.fits for its in each]))


def _settled(
    way: _Way, choices: Sequence[Sequence[Detection]], width: int, height: int, before: Sequence[_Way]
) -> _Way:
    """The same after settling: in turns, each die takes the one of its outlines that lies best on the plane, and the
    plane is fitted to these, as long as its support grows. If that leads to the plane of a way settled before, the
    likelier of the two."""
    plane = way.plane
    for _ in range(SETTLING):
        chosen, laid, each = _best_on(plane, choices)
        now = _Way.on(plane, laid, each)
        if now.support <= way.support:
            break
        way = now
        tops = [(one, there) for one, there in zip(chosen, laid, strict=True) if not may_be_a_side(there)]
        outlines = [one.corners.astype(np.float64) for one, _ in tops]
        weights = [there.score * there.as_top for _, there in tops]
        found = common_plane(outlines, [one.box for one, _ in tops], weights, width, height)
        if found is None:
            break
        same = next((other for other in before if other.plane.angle_to(found) < SAME_PLANE), None)
        if same is not None:
            return max(way, same, key=lambda one: one.worth)
        plane = found
    return way


def _best_on(
    plane: Plane, choices: Sequence[Sequence[Detection]]
) -> tuple[list[Detection], list[Detection], list[_Support]]:
    """Of each die the outline that supports a plane most, first as it is, then laid there, and how it supports it. KEPT
    outlines of each, the likeliest ones, are laid there."""
    outlines = [[one.corners.astype(np.float64) for one in own] for own in choices]
    ranked = likeliest(plane, outlines, [own[0].box for own in choices])
    likely = [[own[i] for i in order[:KEPT]] for own, order in zip(choices, ranked, strict=True)]
    flat = [one for own in likely for one in own]
    begins: list[int] = np.cumsum([0, *(len(own) for own in likely)]).tolist()
    laid = lay_on(flat, plane)
    each = _supports(plane, flat, laid)
    best = [max(range(begin, end), key=lambda i: each[i].worth) for begin, end in pairwise(begins)]
    return [flat[i] for i in best], [laid[i] for i in best], [each[i] for i in best]


def _all_lie(search: Search, twisted: Sequence[Detection]) -> bool:
    """Whether all octahedra lie flat on the plane that the dice agree on and support it enough, and it is tilted like
    that of earlier dice, if there were any."""
    if search.plane is None or (search.table is not None and not _alike_tilted(search.plane, search.table)):
        return False
    flat = all(lies_flat(one) for one in twisted if min(one.die, one.verified) >= AS_DIE)
    return flat and as_tops(search.dice) >= WELL


def _doubted(one: Detection) -> bool:
    """Whether people would be asked about a likely octahedron since a side may have been outlined."""
    return one.shape.twisted and min(one.die, one.verified) >= AS_DIE and one.as_top < A_TOP


def _same_top(one: Detection, plane: Plane, there: Detection, other: Plane) -> bool:
    """Whether a die has the same top on two planes, on each of which it was laid."""
    first, second = (
        (topped(die, its) or die) if may_be_a_side(die) else die for die, its in ((one, plane), (there, other))
    )
    return same_face(first.corners, second.corners)


def _lie_on(search: Search, table: Plane, choices: Sequence[Sequence[Detection]], most: float) -> bool:
    """Lay dice, each with one or more outlines, on the plane of earlier dice, or on the one that their own outlines
    agree on, if that is tilted alike and suits them better. False, with nothing done, if less than a share of `most` of
    the octahedra lie there: the camera may have been moved."""
    chosen, laid, _ = _best_on(table, choices)
    width, height = search.picture.size
    outlines, boxes = [one.corners.astype(np.float64) for one in chosen], [one.box for one in chosen]
    tried, own = [(table, laid)], common_plane(outlines, boxes, [one.score for one in chosen], width, height)
    if own is not None and _alike_tilted(own, table):
        tried.append((own, lay_on(chosen, own)))
    plane, laid = max(tried, key=lambda way: sum(one.score * one.as_top for one in way[1]))
    flat = [lies_flat(one) for one in laid if one.shape.twisted]
    if sum(flat) < most * len(flat):
        return False
    search.dice, search.plane = laid, plane
    return True


def _alike_tilted(first: Plane, second: Plane) -> bool:
    return first.angle_to(second) <= TILTED_OTHERWISE


def _supports(
    plane: Plane, outlined: Sequence[Detection], laid: Sequence[Detection], sides: float = SIDES_COUNT
) -> list[_Support]:
    """How each die supports a plane on which it was laid; `sides` is the weight of an outline that is a side's."""
    each = [_Support(one.fits, one.as_top, height_on(plane, one.shape, one.corners)) for one in laid]
    for i, one in enumerate(outlined):
        if not may_be_a_side(laid[i]):
            continue
        beside = across_an_edge(plane, one.corners.astype(np.float64), one.box)
        if beside is not None:
            top = beside[0].astype(np.float32)
            fills = filled_of(one, top, plane)
            worth = sides * overlap_of(one, one.corners) * fills
            as_side = _Support(fills, worth, height_on(plane, one.shape, top))
            each[i] = max(each[i], as_side, key=lambda its: its.worth)
    return each


def _at_all_turns(search: Search, dice: Sequence[Detection]) -> dict[Detection, list[Detection]]:
    """For each die, what the finder outlines in its crops at all TURNS but the first."""
    turns = [turn * 2 * np.pi / TURNS for turn in range(1, TURNS)]
    crops = [(one, crop_map(one.box, turn=turn)) for one in dice for turn in turns]
    looks: dict[Detection, list[Detection]] = {one: [] for one in dice}
    for one, again, _ in outlined_in(search, crops):
        looks[one].append(again)
    return looks

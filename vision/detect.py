"""Finds dice in a picture: boxes first, then each top face's corners at the picture's own resolution.

Three networks see three things: the detector the whole picture, the verifier a box with what lies around it, the
finder the die alone, as closely as the picture shows it. Dice lie on one table, so their outlines are then laid on the
plane that most of them agree on; that plane shows which dice lean in the picture, and what is only a side of a die.

A picture goes through STAGES, functions of one signature that change a Search. Those in CORRECTIONS are second looks
and second thoughts; each can be left out, to measure what it gives (`tableside bench rescues`,
docs/research/rescues.md).

Picture coordinates are pixels with the left edge of the first pixel at 0 (its centre is at 0.5), as in
`vision.rectify`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.boxes import (
    SURROUNDINGS,
    Box,
    area,
    covered_part,
    crop_map,
    cut,
    intersection_over_union,
    nms,
    shared_area,
    turn_of,
)
from vision.corners import Agreement, clockwise, fit_on_plane, refine, rough_outlines, to_cells, to_picture
from vision.detection import A_TOP, Detection
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Doubles, Floats, Pixels
from vision.network import Network, open_network
from vision.plane import (
    LEAST_DICE,
    SOUND,
    STRANGE,
    TILTED_OTHERWISE,
    Plane,
    across_an_edge,
    apart,
    boxes_around,
    faces_beside,
    find_plane,
    fits,
    likeliest,
    likely_planes,
    right_way_tilted,
    tops_filling,
    within,
)  # fmt: skip
from vision.propose import RIVAL, Proposer
from vision.quarters import box_back, points_back, turn_back, turned_by

COVERED: Final = 0.25
"""A cell of a mask above this is counted as seen, however faintly."""
HARDLY: Final = 0.02
"""Where the verifier sees a die less likely than this the finder does not look, nor look again where it does itself."""
CLEAR: Final = 0.85
"""Masks less sure than this, on average over what is seen, are looked at again; most are surer (0.9 in the middle)."""
SURE_BOX: Final = 0.7
"""Boxes of which the detector is as sure as this are shown to the finder before the verifier,"""
SURE_AGAIN: Final = 0.5
"""or as this, where dice were missed or doubted in a frame before;"""
SURE_DIE: Final = 0.98
"""which need not look where the finder is as sure as this that it sees a die, and its mask is clear."""
SURE_KIND: Final = 0.97
"""Crops whose shape is less sure than this are looked at again."""
LEAST_DIE: Final = 0.1
"""A crop must look like a die at least this much; what is between is for `vision.confidence` to weigh."""
PLAIN: Final = 0.85
"""Where a die is seen less plainly than this in a box its rivals are examined, too."""
AROUND_TWO: Final = 0.8
"""Dice seen as plainly as this in boxes of their own are two, and not one in a box around both that is seen less so."""
FITTING: Final = 0.6
"""How well its box fits the body below an octahedron's outline, and"""
FLAT: Final = 0.25
"""how strange the outline is to the plane at most, where it is the top's."""
MOST: Final = 2 / 3
"""Part of the octahedra that must lie so on the plane of dice before them for all to lie on it."""
SEEN_WELL: Final = 0.6
"""How much speaks for an outline being the top's of a die that is seen well (`Detection.as_top`)."""
LEANS: Final = np.radians(25)
"""A die that is turned by more than this in the picture, as one is beside the middle of a wide view, and"""
SLANTED: Final = 0.35
"""seen from so far aside (the sine), may have a side taken for its top, unless"""
OUTLINED: Final = 0.8
"""its outline covers so much of what was seen: it is looked at again with its upright edges upright."""
BADLY_SEEN: Final = 0.7
"""Of an octahedron whose outline covers less of what was seen, other outlines are kept, and of any die of which so
little speaks for its outline being the top's that people are asked (`vision.detection.A_TOP`)."""
TURNS: Final = 8
"""Turns at which octahedra are looked at, where a side of one may have been outlined."""
AS_LIKELY: Final = 0.9
"""Where a plane tilted otherwise has this share of what the dice say for the likeliest one, people are asked."""
AS_SIDE: Final = 0.3
"""Share of what was seen and a side of the die with another top face that both must cover, for that to be its top."""
AS_DIE: Final = 0.25
"""What looks to the finder at least as much like a die is seen again in the box that its body fills, unless"""
WELL_BOXED: Final = 0.95
"""the detector's shares so much of what both cover with that."""
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

SAME_FACE: Final = 0.35
"""Top faces never overlap; two outlines that do are one die seen twice."""
INSIDE: Final = 0.7
"""A box of which more than this lies in a surer die's box is a side face of that die."""


@dataclass(frozen=True, eq=False, slots=True)
class Examined:
    """What was seen in one box."""

    box: Box
    boxed: float
    """The detector's score."""
    crop: Doubles
    """(3, 3) from the picture to the box's crop."""
    pixels: Pixels
    """The crop."""
    seen: Floats
    """(2, CELLS, CELLS) the mask of the top face, and its corner heatmap."""
    kinds: Floats
    """(1 + shapes,) no die, then each of SHAPES; summing to 1."""
    verified: float = 1.0
    """How likely a die lies there, by what lies around it; 1 where one is plainly seen, and nobody asked."""

    @property
    def clear(self) -> float:
        """See `clearness`."""
        return clearness(self.seen)

    def expected(self, shapes: Sequence[Shape]) -> list[float]:
        """How likely it is a die of each shape, by itself."""
        return [float(self.kinds[1 + SHAPES.index(shape)]) for shape in shapes]


def clearness(seen: Floats) -> float:
    """How sure a mask (2, CELLS, CELLS) is, on average over what is seen: 0 for half sure, 1 for sure."""
    covered = seen[0] > COVERED
    return float((np.abs(2 * seen[0] - 1) * covered).sum() / max(covered.sum(), 1))


@dataclass(slots=True, eq=False)
class Search:
    """A picture while its dice are found."""

    pixels: Pixels
    """(H, W, 3) BGR."""
    boxes: Sequence[tuple[Box, float]]
    shapes: Sequence[Shape]
    """Of the dice that are expected on the table."""
    verifier: Network
    finder: Network
    table: Plane | None = None
    """How the top faces of dice lay that counted before, if anybody knows."""
    again: bool = False
    """Dice were missed or doubted in a frame before."""
    rivals: list[tuple[Box, float]] = field(default_factory=list[tuple[Box, float]])
    """Boxes that share much with a surer one."""
    examined: list[Examined] = field(default_factory=list[Examined])
    dice: list[Detection] = field(default_factory=list[Detection])
    """Surest first."""
    plane: Plane | None = None
    """Of the top faces, where they agree on one and their bodies fill the boxes."""

    def found(self, crops: Sequence[Pixels]) -> list[tuple[Floats, Floats]]:
        """What the finder sees in each of N crops (CROP, CROP, 3): `seen` and `kinds`, as in `Examined`."""
        if not crops:
            return []
        found: Sequence[Floats] = self.finder.run(None, {"crops": np.ascontiguousarray(crops)})
        seen, kinds = (np.array(part, np.float32) for part in found)
        return list(zip(seen, kinds, strict=True))

    def likely(self, windows: Pixels) -> Floats:
        """(N, 2) what the verifier sees in (N, CROP, CROP, 3) windows: no die, a die."""
        die = np.asarray(self.verifier.run(None, {"windows": np.ascontiguousarray(windows)})[0])
        return np.stack([1 - die, die], axis=1).astype(np.float32)


def examine(search: Search) -> None:
    """See what is in the boxes, but for those that share much with a surer one."""
    firsts = nms([box for box, _ in search.boxes], [score for _, score in search.boxes], RIVAL)
    search.rivals = [pair for i, pair in enumerate(search.boxes) if i not in firsts]
    search.examined = _examined(search, [search.boxes[i] for i in firsts])


def rivals(search: Search) -> None:
    """Where no die is plainly seen, see what is in the other boxes around it, too."""
    plainly = ((one, one.verified * max(one.expected(search.shapes)) * one.clear) for one in search.examined)
    unclear = [one.box for one, plain in plainly if plain < PLAIN]
    if unclear:
        around = [
            pair
            for pair in search.rivals
            if any(intersection_over_union(pair[0], box) > RIVAL for box in unclear)
        ]
        search.examined += _examined(search, around)


def _examined(search: Search, boxes: Sequence[tuple[Box, float]]) -> list[Examined]:
    """What is seen in boxes (with the detector's scores), but for those that hardly hold a die.

    Where the detector is sure the finder looks first, and what it plainly sees there the verifier need not look at.
    Unclear boxes are also shown to the finder as mirror images.
    """
    looks: dict[int, Examined] = {}

    def look(which: Sequence[int]) -> None:
        crops = [crop_map(boxes[i][0]) for i in which]
        pixels = [cut(search.pixels, crop) for crop in crops]
        found = search.found(pixels)
        for i, crop, inside, (seen, kinds) in zip(which, crops, pixels, found, strict=True):
            looks[i] = Examined(*boxes[i], crop, inside, seen, kinds)

    sure = SURE_AGAIN if search.again else SURE_BOX
    look([i for i, (_, score) in enumerate(boxes) if score >= sure])
    doubted = [
        i
        for i in range(len(boxes))
        if i not in looks or looks[i].clear < CLEAR or 1 - looks[i].kinds[0] < SURE_DIE
    ]
    verified = dict(zip(doubted, _verified(search, [boxes[i][0] for i in doubted]), strict=True))
    likely = [i for i in range(len(boxes)) if verified.get(i, 1.0) >= HARDLY]
    look([i for i in likely if i not in looks])
    unclear = [
        i
        for i in likely
        if 1 - looks[i].kinds[0] >= HARDLY and (looks[i].clear < CLEAR or looks[i].kinds.max() < SURE_KIND)
    ]
    mirrored = search.found([looks[i].pixels[:, ::-1] for i in unclear])
    for i, (seen, kinds) in zip(unclear, mirrored, strict=True):
        first = looks[i]
        both = _agreed(first.kinds[None], kinds[None])[0]
        looks[i] = replace(first, seen=(first.seen + seen[..., ::-1]) / 2, kinds=both)
    return [replace(looks[i], verified=verified.get(i, 1.0)) for i in likely]


def _verified(search: Search, boxes: Sequence[Box]) -> list[float]:
    """Probability, 0 … 1, that each box contains a die, by its surroundings; unclear boxes are mirrored, too."""
    if not boxes:
        return []
    windows = np.stack([cut(search.pixels, crop_map(box, SURROUNDINGS)) for box in boxes])
    likely = search.likely(windows)
    again: list[int] = np.flatnonzero(likely.min(axis=1) >= HARDLY).tolist()
    if again:
        likely[again] = _agreed(likely[again], search.likely(windows[again][:, :, ::-1]))
    return likely[:, 1].tolist()


def _agreed(*kinds: Floats) -> Floats:
    """(N, K) what several looks say together: the mean of their logarithms, summing to 1."""
    likely = np.exp(np.mean([np.log(np.maximum(kind, 1e-4)) for kind in kinds], axis=0))
    return (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)


def outline(search: Search) -> None:
    """Outline what looks like a die of the expected shapes, roughly; each die once."""
    search.dice = without_doubles(_outlined(search, search.examined))


def _outlined(search: Search, examined: Sequence[Examined]) -> list[Detection]:
    """What looks like a die of the expected shapes, roughly outlined."""
    found: list[Detection] = []
    for shape in search.shapes:
        own: list[tuple[Examined, float]] = []
        for one in examined:
            expected = one.expected(search.shapes)
            taken = search.shapes[expected.index(max(expected))]
            if taken == shape and (1 - one.kinds[0]) * one.verified >= LEAST_DIE**2:
                own.append((one, sum(expected)))
        outlines = rough_outlines(np.stack([one.seen for one, _ in own]), shape) if own else []
        for (one, die), cells in zip(own, outlines, strict=True):
            if cells is not None:
                found.append(
                    Detection(
                        shape, to_picture(cells, one.crop), (one.boxed * die) ** 0.5, one.box, one.seen, one.crop,
                        boxed=one.boxed, die=die, verified=one.verified,
                    )
                )  # fmt: skip
    return found


def without_doubles(found: Iterable[Detection]) -> list[Detection]:
    """Each die once, surest first; a box around two dice that are plainly seen in boxes of their own is of neither."""
    every = sorted(found, key=lambda d: -d.score)
    kept: list[Detection] = []
    for fainter in every:
        if not _around_two(fainter, every) and not any(_one_die(fainter, surer) for surer in kept):
            kept.append(fainter)
    return kept


def _around_two(one: Detection, every: Sequence[Detection]) -> bool:
    """Whether two others that lie in a box are plainly dice, each by itself, and what was taken for one is not."""
    if _plainly(one):
        return False
    within = [other for other in every if other is not one and _lies_in(other, one) and _plainly(other)]
    return any(not _one_die(other, surer) and not _lies_in(surer, other) for surer, other in combinations(within, 2))


def _plainly(one: Detection) -> bool:
    return one.verified * one.die * clearness(one.seen) >= AROUND_TWO


def _one_die(fainter: Detection, surer: Detection) -> bool:
    return same_face(fainter.corners, surer.corners) or _lies_in(fainter, surer)


def _lies_in(one: Detection, other: Detection) -> bool:
    return shared_area(one.box, other.box) > INSIDE * area(one.box)


def same_face(first: Floats, second: Floats) -> bool:
    """Whether two outlines (4 or 3, 2) share so much of the smaller one that they are one face."""
    shared, _ = cv2.intersectConvexConvex(first, second)
    return 0 < float(shared) >= SAME_FACE * min(cv2.contourArea(first), cv2.contourArea(second))


def lay(search: Search) -> None:
    """Lay the outlines on the plane that most of them agree on, or on the one before them where they are too few to
    agree; where that is not theirs, fit each alone."""
    height, width = search.pixels.shape[:2]
    outlines = [one.corners.astype(np.float64) for one in search.dice]
    plane = find_plane(outlines, [one.score for one in search.dice], width, height)
    if plane is not None:
        plane = right_way_tilted(plane, outlines, [one.box for one in search.dice])
    elif 0 < len(search.dice) < LEAST_DICE:
        plane = search.table
    laid = _laid(search.dice, plane) if plane is not None else []
    sound = bool(laid) and _usual(laid, [one.fits_box for one in laid]) >= SOUND
    search.plane = plane if sound else None
    agreed = sound or len(laid) >= LEAST_DICE
    search.dice = laid if agreed else [_alone(one) for one in search.dice]


def _alone(one: Detection) -> Detection:
    """The same die with the corners that fit what was seen best by itself."""
    start, agreement = to_cells(one.corners, one.crop), Agreement(one.seen[None])
    cells = refine(one.seen, start)
    others = [rough_outlines(one.seen[None], shape)[0] for shape in SHAPES if shape != one.shape]
    as_other = [agreement.overlap(other[None])[0] for other in others if other is not None]
    shapely = agreement.overlap(start[None])[0] - max(as_other) if as_other else 1.0
    overlap = agreement.overlap(cells[None])[0]
    return replace(one, corners=to_picture(cells, one.crop), overlap=overlap, shapely=shapely)


def _laid(dice: Sequence[Detection], plane: Plane) -> list[Detection]:
    """The same dice, their outlines those on the plane that fit what was seen best."""
    fitted: dict[Detection, tuple[Floats, float]] = {}
    for shape in SHAPES:
        own = [one for one in dice if one.shape == shape]
        fitted |= zip(own, fit_on_plane(own, plane), strict=True)
    filled = fits(plane, [fitted[one][0].astype(np.float64) for one in dice], [one.box for one in dice])
    strange = plane.strangeness([one.corners.astype(np.float64) for one in dice])
    return [
        replace(one, corners=fitted[one][0], overlap=fitted[one][1], fits_box=share, strangeness=off)
        for one, share, off in zip(dice, filled, strange, strict=True)
    ]


def _usual(dice: Sequence[Detection], figures: Sequence[float]) -> float:
    """The median of a figure of each die, each counted by its score: what is hardly a die has hardly a say."""
    weights = [one.score for one in dice]
    return float(np.quantile(figures, 0.5, weights=weights, method="inverted_cdf"))


def turned(search: Search) -> None:
    """Where a side of an octahedron may have been outlined, see all of them turned, too, and choose the outlines that
    lie on one plane and whose bodies fill the boxes. The finder takes the face that is up in the picture for the top,
    and a bright side at every turn; `top` then lays the top face beside it.

    Where dice lay before, before the same camera, these lie on that plane, if most of them can. One die or two tell no
    plane of their own. Of planes that suit others as well, the one tilted as that is likeliest.
    """
    twisted = [one for one in search.dice if one.shape.twisted]
    few = len(search.dice) < LEAST_DICE
    if not twisted or _all_lie(search, twisted) or (few and search.table is None):
        return
    if search.table is not None and _lie_on(search, search.table, [[one] for one in search.dice], 1.0):
        return
    looks: dict[Detection, list[Detection]] = {}
    if search.table is not None:
        laid = zip(search.dice, _laid(search.dice, search.table), strict=True)
        askew = {one for one, there in laid if one.shape.twisted and not _lies_flat(there)}
        looks = {one: _turned(search, one) for one in askew}
        choices = [[one, *looks.get(one, ())] for one in search.dice]
        if _lie_on(search, search.table, choices, 1.0 if few else MOST):
            return
    if few:
        search.dice, search.plane = [replace(one, ambiguous=True) for one in search.dice], None
        return
    looks |= {one: _turned(search, one) for one in twisted if one not in looks}
    choices = [[one, *looks.get(one, ())] for one in search.dice]
    height, width = search.pixels.shape[:2]
    outlines = [[one.corners.astype(np.float64) for one in own] for own in choices]
    boxes, scores = [one.box for one in search.dice], [one.score for one in search.dice]
    tried: list[tuple[float, float, Plane, list[Detection]]] = []
    likely = likely_planes(outlines, boxes, scores, width, height)
    if search.table is not None:
        likely.append((search.table, [likeliest(search.table, *own) for own in zip(outlines, boxes, strict=True)]))
    for plane, chosen in likely:
        outlined = [own[i] for own, i in zip(choices, chosen, strict=True)]
        laid = _laid(outlined, plane)
        said = [_says(plane, *one) for one in zip(outlined, laid, strict=True)]
        worth = sum(one.score * worth for one, (_, worth) in zip(laid, said, strict=True))
        tried.append((worth, _usual(laid, [fit for fit, _ in said]), plane, laid))
    best = max(worth for worth, *_ in tried)
    rivals = [one for one in tried if one[0] >= AS_LIKELY * best]
    as_before = [one for one in rivals if search.table is not None and _alike_tilted(one[2], search.table)]
    _, filled, plane, dice = max(as_before or rivals, key=lambda one: one[0])
    search.dice = dice
    if not as_before:
        for _, _, other, as_other in rivals:
            search.dice = [
                one if _same_top(one, plane, there, other) else replace(one, ambiguous=True)
                for one, there in zip(search.dice, as_other, strict=True)
            ]
    search.plane = plane if filled >= SOUND else None


def _all_lie(search: Search, twisted: Sequence[Detection]) -> bool:
    """Whether all octahedra lie flat on the plane that the dice agree on, and dice before them lay so, if any did."""
    if search.plane is None or (search.table is not None and not _alike_tilted(search.plane, search.table)):
        return False
    return all(_lies_flat(one) for one in twisted if min(one.die, one.verified) >= AS_DIE)


def _same_top(one: Detection, plane: Plane, there: Detection, other: Plane) -> bool:
    """Whether a die has the same top on two planes, on each of which it was laid."""
    first, second = (
        die if die.fits_box >= STRANGE else _topped(die, its) or die for die, its in ((one, plane), (there, other))
    )
    return same_face(first.corners, second.corners)


def _lies_flat(one: Detection) -> bool:
    """Whether an octahedron's outline is that of the top on the plane on which it was laid."""
    return one.fits_box >= FITTING and one.strangeness < FLAT


def _lie_on(search: Search, table: Plane, choices: Sequence[Sequence[Detection]], most: float) -> bool:
    """Lay dice, each outlined in one or several ways, on the plane of dice before them, or on the one that their own
    outlines agree on, if that is tilted alike and suits them better. False, and nothing done, where less than `most` of
    the octahedra lie there: the camera may have been moved."""
    chosen = [
        own[likeliest(table, [one.corners.astype(np.float64) for one in own], own[0].box)] for own in choices
    ]
    height, width = search.pixels.shape[:2]
    outlines, boxes = [one.corners.astype(np.float64) for one in chosen], [one.box for one in chosen]
    planes, own = [table], find_plane(outlines, [one.score for one in chosen], width, height)
    if own is not None and _alike_tilted(own := right_way_tilted(own, outlines, boxes), table):
        planes.append(own)
    tried = [(plane, _laid(chosen, plane)) for plane in planes]
    plane, laid = max(tried, key=lambda way: sum(one.score * one.as_top for one in way[1]))
    flat = [_lies_flat(one) for one in laid if one.shape.twisted]
    if sum(flat) < most * len(flat):
        return False
    search.dice, search.plane = laid, plane
    return True


def _alike_tilted(first: Plane, second: Plane) -> bool:
    return bool(np.dot(first.down, second.down) >= np.cos(TILTED_OTHERWISE))


def _says(plane: Plane, outlined: Detection, laid: Detection) -> tuple[float, float]:
    """How well a die's body fills its box on a plane, and what the die says for that plane: its outline, laid there, is
    that of the top, or else that of a side with the top beside it."""
    as_top = laid.fits_box, laid.as_top
    beside = None
    if laid.fits_box < STRANGE:
        beside = across_an_edge(plane, outlined.corners.astype(np.float64), outlined.box)
    if beside is None:
        return as_top
    return max(as_top, (beside[1], _overlap(outlined, outlined.corners) * beside[1]), key=lambda way: way[1])


def _overlap(one: Detection, corners: Floats) -> float:
    """Share of an outline, in picture pixels, and a die's mask together that both cover, 0 … 1."""
    return Agreement(one.seen[None]).overlap(to_cells(corners, one.crop)[None])[0]


def _turned(search: Search, one: Detection) -> list[Detection]:
    """The same die with what the finder outlines in its crop at all TURNS but the first."""
    crops = [crop_map(one.box, turn=turn * 2 * np.pi / TURNS) for turn in range(1, TURNS)]
    looks = search.found([cut(search.pixels, crop) for crop in crops])
    starts = rough_outlines(np.stack([seen for seen, _ in looks]), one.shape)
    return [
        replace(one, seen=seen, crop=crop, corners=to_picture(start, crop))
        for crop, (seen, _), start in zip(crops, looks, starts, strict=True)
        if start is not None
    ]


def parted(search: Search) -> None:
    """Where a die was seen badly, see what is in the boxes within its own, or around it: two that are seen well on the
    plane of all are two dice, and what was taken for one was a box around both."""
    if search.plane is None:
        return
    for one in [die for die in search.dice if die.as_top < SEEN_WELL]:
        others = [other for other in search.dice if other is not one]
        inner = [pair for pair in search.boxes if pair[0] != one.box and covered_part(pair[0], one.box) > INSIDE]
        if len(inner) < 2 or not (outlined := _outlined(search, _examined(search, inner))):
            continue
        each: list[Detection] = []
        for die in sorted(_laid(outlined, search.plane), key=lambda die: -die.as_top):
            if die.as_top >= SEEN_WELL and not any(_one_die(die, other) for other in (*each, *others)):
                each.append(die)
        if len(each) > 1:
            search.dice = sorted((*others, *each), key=lambda die: -die.score)


def upright(search: Search) -> None:
    """See dice that lean in the picture, and are not outlined well, with their upright edges upright."""
    if search.plane is None:
        return
    leaning: dict[int, Doubles] = {}
    for i, one in enumerate(search.dice):
        x0, y0, x1, y1 = one.box
        turn, slant = search.plane.leaning(((x0 + x1) / 2, (y0 + y1) / 2))
        if one.overlap < OUTLINED and slant > SLANTED and abs(turn) > LEANS:
            leaning[i] = crop_map(one.box, turn=-turn)
    looks = search.found([cut(search.pixels, crop) for crop in leaning.values()])
    for (i, crop), (seen, _) in zip(leaning.items(), looks, strict=True):
        (start,) = rough_outlines(seen[None], search.dice[i].shape)
        if start is not None:
            again = replace(search.dice[i], seen=seen, crop=crop, corners=to_picture(start, crop))
            (again,) = _laid([again], search.plane)
            search.dice[i] = max(search.dice[i], again, key=lambda one: one.overlap)


def top(search: Search) -> None:
    """Where an outline does not fit its box, that may be around a part of the die only, or the outline is that of a
    side: then lay the top face across one of its edges."""
    for i, one in enumerate(search.dice):
        if search.plane is None or one.fits_box >= STRANGE:
            continue
        if (whole := _boxed_whole(one, search.plane, search.boxes)) is not None:
            search.dice[i] = whole
            continue
        found, others = _topped(one, search.plane), search.dice[:i] + search.dice[i + 1 :]
        if found is not None and not any(same_face(found.corners, other.corners) for other in others):
            search.dice[i] = found


def _boxed_whole(one: Detection, plane: Plane, boxes: Sequence[tuple[Box, float]]) -> Detection | None:
    """The same die in another of the detector's boxes, where that is around its whole body and its own is not."""
    around = [box for box, _ in boxes if covered_part(box, one.box) > INSIDE]
    filled = fits(plane, [one.corners.astype(np.float64)] * len(around), around)
    share, box = max(zip(filled, around, strict=True), default=(0.0, one.box))
    return replace(one, box=box, fits_box=share) if share >= FITTING and one.overlap >= SEEN else None


def _topped(one: Detection, plane: Plane) -> Detection | None:
    """The same die with the top face on a plane that lies beside what was outlined, if it fits the box better and has a
    side where something was seen. What was seen is then outlined as well as by that side."""
    (start,) = rough_outlines(one.seen[None], one.shape)
    side = one.corners if start is None else to_picture(refine(one.seen, start), one.crop)
    face, fit = across_an_edge(plane, side.astype(np.float64), one.box) or (one.corners, 0.0)
    if fit < one.fits_box + LIKELIER:
        return None
    corners = clockwise(face.astype(np.float32))
    overlap = _beside(one, corners, plane)
    if overlap < AS_SIDE:
        return None
    return replace(one, corners=corners, overlap=overlap, fits_box=fit, strangeness=0.0)


def _beside(one: Detection, top: Floats, plane: Plane) -> float:
    """How well a side of the die with this top (4 or 3, 2) on a plane outlines what was seen, 0 … 1."""
    beside = faces_beside(plane, top.astype(np.float64))
    return max((_overlap(one, side.astype(np.float32)) for side in beside), default=0.0)


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
    crops = [crop_map(around[one], turn=turn_of(one.crop)) for one in doubted]
    looks = search.found([cut(search.pixels, crop) for crop in crops])
    verified = _verified(search, [around[one] for one in doubted])
    for one, crop, (seen, kinds), likely in zip(doubted, crops, looks, verified, strict=True):
        (start,) = rough_outlines(seen[None], one.shape)
        if start is None:
            continue
        (again,) = _laid([replace(one, seen=seen, crop=crop, corners=to_picture(start, crop))], plane)
        if not same_face(again.corners, one.corners):
            continue
        die = max(one.die, sum(float(kinds[1 + SHAPES.index(shape)]) for shape in search.shapes))
        better = max(one, again, key=lambda die: die.overlap)
        search.dice[search.dice.index(one)] = replace(
            better, die=die, verified=max(one.verified, likely), score=(one.boxed * die) ** 0.5
        )
    search.dice.sort(key=lambda one: -one.score)


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
            clearly = _beside(one, surer.corners, plane) < AS_WELL * one.overlap
        return not clearly and shared_area(one.box, surer.box) > 0 and within(plane, tops[one], tops[surer]) > SIDE

    kept = [one for one in search.dice if not any(it.score > one.score and belongs(one, it) for it in search.dice)]
    likely = [one for one in kept if one.shape.twisted and min(one.verified, one.die) >= LIKELY]
    pairs = [pair for pair in combinations(likely, 2) if apart(plane, *(tops[one] for one in pair)) < NEAREST]
    worth = {one: one.score * one.as_top for one in likely}
    a_side = {one for pair in pairs for one in pair if worth[one] < LESS_SURE * max(worth[die] for die in pair)}
    one_of_two = {one for pair in pairs if a_side.isdisjoint(pair) for one in pair}
    search.dice = [replace(one, ambiguous=True) if one in one_of_two else one for one in kept if one not in a_side]


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
        overlap = max(_overlap(one, corners), _beside(one, corners, plane))
        others.append(replace(one, corners=corners, fits_box=filled, overlap=overlap, strangeness=0.0))
    return replace(one, others=tuple(others))


Stage = Callable[[Search], None]
STAGES: Final[tuple[Stage, ...]] = (
    examine, rivals, outline, lay, turned, parted, upright, top, centred, sides, filling,
)  # fmt: skip
CORRECTIONS: Final = (
    "far", "busy", "quarters", "rivals", "turned", "parted", "upright", "top", "centred", "sides", "filling",
    "numerals",
)  # fmt: skip
"""What can be left out: `vision.propose` knows the first two, the Detector the third, `vision.reader` the last."""


class Detector:
    """Finds dice; holds three networks."""

    def __init__(self, weights: Path | None = None, without: Collection[str] = ()) -> None:
        """Open `detector.onnx`, `verifier.onnx` and `finder.onnx` in a folder, or those in use; leave out CORRECTIONS.

        WeightsError when one is missing.
        """
        self.proposer = Proposer(weights, without)
        """What finds the boxes of whole dice."""
        self._verifier, self._finder = open_network("verifier", weights), open_network("finder", weights)
        self._quarters = "quarters" not in without
        self._stages = [stage for stage in STAGES if stage.__name__ not in without]

    def detect(
        self, pixels: Pixels, shapes: Sequence[Shape] = SHAPES, table: Plane | None = None, *, again: bool = False
    ) -> tuple[Detection, ...]:
        """Every die in (H, W, 3) BGR pixels, surest first; only `shapes` are expected on the table.

        `again`: dice were missed or doubted in a frame before, so that one more look is worth it.

        `table` is the plane on which the top faces of dice lay before, seen by the same camera: it tells a top from a
        side where there are too few dice, or they leave it open, and how the camera is held. Where dice tell that
        upright edges are not upright in the picture, it is turned by quarters and searched again.
        """
        quarters = table.quarters if table is not None and self._quarters else 0
        search = self._search_turned(pixels, shapes, table, quarters, again, upright=not self._quarters)
        if self._quarters and (more := _askew(search)):
            quarters += more
            search = self._search_turned(pixels, shapes, table, quarters, again, upright=True)
        if quarters % 4 == 0:
            return tuple(search.dice)
        back = turn_back(quarters, *pixels.shape[1::-1])
        return tuple(_back(one, back) for one in search.dice)

    def faces(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape] = SHAPES,
        table: Plane | None = None,
    ) -> tuple[Detection, ...]:  # fmt: skip
        """The top face in each box, surest first; boxes that hold no die, and dice seen twice, are left out."""
        return tuple(self._search(pixels, boxes, shapes, table).dice)

    def _search_turned(
        self, pixels: Pixels, shapes: Sequence[Shape], table: Plane | None, quarters: int, again: bool, *, upright: bool
    ) -> Search:
        """Search a picture turned by quarters; `table` is the plane in the picture as it is.

        Where it may not be `upright`, and the dice tell so, the search ends there: it will be turned.
        """
        picture = turned_by(quarters, pixels)
        lying = table.turned(quarters) if table is not None else None
        return self._search(picture, self.proposer.boxes(picture, again=again), shapes, lying, again, upright=upright)

    def _search(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape], table: Plane | None,
        again: bool = False, *, upright: bool = True,
    ) -> Search:  # fmt: skip
        search = Search(pixels, boxes, shapes, self._verifier, self._finder, table, again)
        for stage in self._stages:
            stage(search)
            if not upright and stage in (lay, turned) and _askew(search):
                break
        return search


def _askew(search: Search) -> int:
    """Quarter turns that a searched picture still needs to be upright, as its dice tell; 0 if too few were found."""
    if search.plane is None or len(search.dice) < LEAST_DICE:
        return 0
    tops = [one.corners.astype(np.float64) for one in search.dice]
    return right_way_tilted(search.plane, tops, [one.box for one in search.dice]).quarters


def _back(one: Detection, back: Doubles) -> Detection:
    """A die of a turned picture in the one that was turned."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # crops count from the middle of the first pixel
    crop = one.crop @ np.linalg.inv(np.linalg.inv(half) @ back @ half)
    others = tuple(_back(other, back) for other in one.others)
    corners = clockwise(points_back(back, one.corners))
    return replace(one, corners=corners, others=others, box=box_back(back, one.box), crop=crop)

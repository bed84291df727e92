"""Dice that lie on one table: outlines on the plane that most of them agree on, and what that plane tells of each.

Where it shows that a die leans in the picture, or that what was outlined is a side of it, the die is seen or outlined
once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.boxes import Box, area, shared_area
from vision.corners import (
    Agreement,
    Seen,
    clockwise,
    fit_on_plane,
    refine,
    rough_outlines,
    to_cells,
    to_picture,
)
from vision.corrections import ALL, Corrections
from vision.detection import INSIDE, SAME_FACE, Detection, overlap_of, same_die
from vision.dicesets.shapes import SHAPES
from vision.frame import Doubles, Floats
from vision.plane import (
    LIKELIER,
    SOUND,
    STRANGE,
    Plane,
    across_an_edge,
    edges,
    filling,
    find_plane,
    fits,
    right_way_tilted,
    within,
)

Look = Callable[[Sequence[Box], Sequence[float]], list[tuple[Floats, Doubles]]]
"""What the finder sees in boxes turned by so many radians: planes, and the maps to their crops."""

LEANS: Final = np.radians(25)
"""A die that is turned by more than this in the picture, as one is beside the middle of a wide view, and"""
SLANTED: Final = 0.35
"""seen from so far aside (the sine), may have a side taken for its top, unless"""
OUTLINED: Final = 0.8
"""its outline covers so much of what was seen: it is looked at again with its upright edges upright."""
AS_LARGE: Final = (0.75, 1.3)
"""How large each of two LIKELY dice must be, in sizes of the other dice, to be believed instead of one."""
SIDE: Final = 0.65
"""Share of an outline within the body of a surer die from which it is a side of that die, unless it is as LIKELY a
die, and"""
SEEN: Final = 0.65
"""its outline covers so much of what was seen: dice in a heap lie within each other, as a plane tells it."""


def _shapely(seen: Seen) -> float:
    """How much more of its mask a face of its shape covers, if only roughly, than one of the other shape."""
    others = [
        outline
        for shape in SHAPES
        if shape.corners != len(seen.start)
        for outline in rough_outlines(seen.mask[None], seen.bumps[None], shape)
        if outline is not None
    ]
    if not others:
        return 1.0
    agreement = Agreement(seen.mask[None], None)
    return agreement.overlap(seen.start[None])[0] - max(agreement.overlap(other[None])[0] for other in others)


def on_one_plane(
    found: Sequence[Detection], seen: Sequence[Seen], width: int, height: int, look: Look | None = None,
    doubles: Sequence[tuple[Detection, Seen]] = (), corrections: Corrections = ALL,
) -> tuple[Detection, ...]:  # fmt: skip
    """The same dice, their outlines laid on the plane that most of them agree on; where they do not, each alone.

    With `look` those that lean in the picture and are not clear are looked at again, set upright. `doubles` are what
    was left out for the sake of surer ones: where two dice were found as one, both may be among them.
    """
    outlines = [detection.corners.astype(np.float64) for detection in found]
    plane = find_plane(outlines, [detection.score for detection in found], width, height)
    if plane is None:
        alone = [(*outlined(face), _shapely(face)) for face in seen]
        return tuple(
            replace(one, corners=corners, overlap=overlap, shapely=shapely)
            for one, (corners, overlap, shapely) in zip(found, alone, strict=True)
        )
    plane = right_way_tilted(plane, outlines, [detection.box for detection in found])
    made = _laid(found, seen, plane)
    if np.median([one.fits_box for one in made]) < SOUND:
        return tuple(made)
    if look is not None and corrections.upright:
        made, seen = _set_upright(made, seen, plane, look)
    for i, one in enumerate(made):
        if corrections.top and one.fits_box < STRANGE:
            made[i] = top_instead(one, seen[i], plane, made[:i] + made[i + 1 :])
    if corrections.parted:
        made = _parted(made, doubles, plane)
    return tuple(_without_sides(made, plane) if corrections.sides else made)


def _laid(found: Sequence[Detection], seen: Sequence[Seen], plane: Plane) -> list[Detection]:
    """The same dice, their outlines those that fit best on the plane."""
    fitted: dict[Detection, tuple[Floats, float]] = {}
    for shape in SHAPES:
        own = [(one, face) for one, face in zip(found, seen, strict=True) if one.shape == shape]
        laid = fit_on_plane([face for _, face in own], plane, shape)
        fitted |= {one: outline for (one, _), outline in zip(own, laid, strict=True)}
    tops = [fitted[one][0].astype(np.float64) for one in found]
    filled = fits(plane, tops, [one.box for one in found])
    strange = plane.strangeness([to_picture(face.start, face.mapping) for face in seen])
    return [
        replace(
            one,
            corners=fitted[one][0],
            overlap=fitted[one][1],
            fits_box=share,
            strangeness=off,
        )
        for one, share, off in zip(found, filled, strange, strict=True)
    ]


def _set_upright(
    found: Sequence[Detection], seen: Sequence[Seen], plane: Plane, look: Look
) -> tuple[list[Detection], list[Seen]]:
    """The same dice and what was seen of them; those that lean and are not outlined well as seen set upright."""
    made, known = list(found), list(seen)
    leaning = {
        i: turn
        for i, one in enumerate(made)
        for turn, slant in [plane.leaning(_middle(one.box))]
        if one.overlap < OUTLINED and slant > SLANTED and abs(turn) > LEANS
    }
    if not leaning:
        return made, known
    looks = look([made[i].box for i in leaning], [-turn for turn in leaning.values()])
    for i, (planes, mapping) in zip(leaning, looks, strict=True):
        one = made[i]
        (start,) = rough_outlines(planes[None, 0], planes[None, 1], one.shape)
        if start is None:
            continue
        again = Seen(planes[0], planes[1], mapping, start)
        (upright,) = _laid([one], [again], plane)
        if upright.overlap > one.overlap:
            made[i], known[i] = upright, again
    return made, known


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _parted(
    found: Sequence[Detection], doubles: Sequence[tuple[Detection, Seen]], plane: Plane
) -> list[Detection]:
    """The same dice; where two were found as one, those two, if each fits on the plane better than both as one."""
    parted: list[Detection] = []
    for whole in found:
        within = [
            (one, seen)
            for one, seen in doubles
            if whole.overlap < OUTLINED
            and min(one.verified, one.die) >= LIKELY
            and shared_area(one.box, whole.box) > INSIDE * area(one.box)
        ]
        if len(within) < 2:
            parted.append(whole)
            continue
        others = [one for one in found if one is not whole]
        usual = float(np.median([edge_of(plane, one) for one in others]))
        parts = [
            part
            for part in _laid([one for one, _ in within], [seen for _, seen in within], plane)
            if part.overlap > whole.overlap
            and part.fits_box >= SOUND
            and AS_LARGE[0] * usual < edge_of(plane, part) < AS_LARGE[1] * usual
            and not any(same_die(part, other) for other in others)
        ]
        pairs = [
            pair for pair in combinations(parts, 2) if not same_die(*pair) and not same_die(pair[1], pair[0])
        ]
        parted += max(pairs, key=lambda pair: pair[0].score + pair[1].score, default=(whole,))
    return parted


def _without_sides(found: Sequence[Detection], plane: Plane) -> list[Detection]:
    """The same dice without what lies within a surer one's body, and is not clearly a die itself."""
    tops = [one.corners.astype(np.float64) for one in found]
    return [
        one
        for one, face in zip(found, tops, strict=True)
        if (one.verified >= LIKELY and one.overlap >= SEEN)
        or not any(
            shared_area(one.box, other.box) > 0
            and other.score > one.score
            and within(plane, face, top) > SIDE
            for other, top in zip(found, tops, strict=True)
        )
    ]


LIKELY: Final = 0.85
"""How much like a die a box must look to verifier and finder to be believed against what else is seen."""
BLUR: Final = 1.2
"""Cells by which bumps are blurred, and"""
RAISED: Final = 3.0
"""how often raised, to be met by a corner that is a cell beside them."""
CORNERED: Final = 0.4
"""How clearly corners must have been seen, on average, where a box calls for a face's corners."""


def top_instead(one: Detection, seen: Seen, plane: Plane, others: Sequence[Detection]) -> Detection:
    """The same die with its top face, where that is found; else as it is. `others` are the dice around it."""
    turned_up = _turned_up(one, seen, plane, others)
    return turned_up if turned_up is not one else _as_boxed(one, seen, plane, others)


def outlined(seen: Seen) -> tuple[Floats, float]:
    """The corners (sides, 2) in picture pixels that fit what was seen best by itself, and the overlap with the mask."""
    cells = refine(seen.mask, seen.start, seen.bumps)
    overlap = Agreement(seen.mask[None], None).overlap(cells[None])[0]
    return to_picture(cells, seen.mapping).astype(np.float32), overlap


def edge_of(plane: Plane, die: Detection) -> float:
    """The edge of a die's top face in the plane's distances (`vision.plane.edges`)."""
    return float(edges(plane.flat(die.corners.astype(np.float64))))


def _turned_up(one: Detection, seen: Seen, plane: Plane, others: Sequence[Detection]) -> Detection:
    """The same die with its top face, where what was taken for it is clearly a side of it; else as it is."""
    side, _ = outlined(seen)
    top = across_an_edge(plane, side.astype(np.float64), one.box)
    if top is None or top[1] < one.fits_box + LIKELIER:
        return one
    return _with(one, top[0], top[1], seen, others)


def _as_boxed(one: Detection, seen: Seen, plane: Plane, others: Sequence[Detection]) -> Detection:
    """The same die with the face of the others' size that its box calls for, if its corners were seen; else as it is.

    A picture on a side may draw the eye away from the top face, which then is in no mask.
    """
    alike = [edge_of(plane, other) for other in others if other.shape == one.shape]
    if not alike or min(one.verified, one.die) < LIKELY:
        return one
    tops, fit = filling(plane, one.box, float(np.median(alike)), one.shape)
    bumps = np.minimum(cv2.GaussianBlur(seen.bumps, (0, 0), BLUR) * RAISED, 1)
    cells = np.rint([to_cells(top.astype(np.float32), seen.mapping) for top in tops]).astype(int)
    x, y = np.moveaxis(cells.clip(0, len(bumps) - 1), -1, 0)
    seen_there = bumps[y, x].mean(axis=1)
    best = int((seen_there + fit).argmax())
    if fit[best] < max(SOUND, one.fits_box + LIKELIER) or seen_there[best] < CORNERED:
        return one
    return _with(one, tops[best], fit[best], seen, others)


def _with(one: Detection, top: Doubles, fit: float, seen: Seen, others: Sequence[Detection]) -> Detection:
    """The same die with this top face, which fits its box so well; as it is, where another die's face lies there."""
    corners = clockwise(top.astype(np.float32))
    if any(overlap_of(corners, other.corners) >= SAME_FACE for other in others):
        return one
    covered = Agreement(seen.mask[None], None).overlap(to_cells(corners, seen.mapping)[None])[0]
    return replace(one, corners=corners, overlap=covered, fits_box=fit)

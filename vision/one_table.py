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
from numpy.typing import NDArray

from vision.body import (
    LIKELIER,
    SOUND,
    STRANGE,
    across_an_edge,
    edges,
    filling,
    fits,
    right_way_tilted,
    within,
)
from vision.boxes import Box, area, shared_area
from vision.corners import Agreement, clockwise, refine, rough_outlines
from vision.detection import SIDES, Detection, Floats
from vision.doubles import INSIDE, SAME_FACE, overlap_of, same_die
from vision.plane import Plane, find_plane
from vision.plane_fit import Seen, fit_on_plane, to_cells, to_picture

Matrix = NDArray[np.float64]
Look = Callable[[Sequence[Box], Sequence[float]], list[tuple[Floats, Matrix]]]
"""What the finder sees in boxes turned by so many radians: planes, and the maps to their crops."""

LEANS: Final = np.radians(25)
"""A die that is turned by more than this in the picture, as one is beside the middle of a wide view, and"""
SLANTED: Final = 0.35
"""seen from so far aside (the sine), may have a side taken for its top, unless"""
OUTLINED: Final = 0.8
"""its outline covers so much of what was seen: it is looked at again with its upright edges upright."""
LIKELY: Final = 0.85
"""How much like a die each of two must look to verifier and finder to be believed instead of one,"""
AS_LARGE: Final = (0.75, 1.3)
"""and how large it must be, in sizes of the other dice."""
BLUR: Final = 1.2
"""Cells by which bumps are blurred, and"""
RAISED: Final = 3.0
"""how often raised, to be met by a corner that is a cell beside them."""
CORNERED: Final = 0.4
"""How clearly corners must have been seen, on average, where a box calls for a face's corners."""
SIDE: Final = 0.65
"""Share of an outline within the body of a surer die from which it is a side of that die, unless it is as LIKELY a
die, and"""
SEEN: Final = 0.65
"""its outline covers so much of what was seen: dice in a heap lie within each other, as a plane tells it."""


def _alone(seen: Seen) -> tuple[Floats, float]:
    """The corners (sides, 2) in picture pixels that fit best, and the overlap with the mask."""
    cells = refine(seen.mask, seen.start, seen.bumps)
    overlap = Agreement(seen.mask[None], None).overlap(cells[None])[0]
    return to_picture(cells, seen.mapping).astype(np.float32), overlap


def _shapely(seen: Seen) -> float:
    """How much more of its mask a face of its shape covers, if only roughly, than one of the other shape."""
    corners = sum(SIDES.values()) - len(seen.start)
    (other,) = rough_outlines(seen.mask[None], seen.bumps[None], corners)
    if other is None:
        return 1.0
    agreement = Agreement(seen.mask[None], None)
    return agreement.overlap(seen.start[None])[0] - agreement.overlap(other[None])[0]


def on_one_plane(
    found: Sequence[Detection], seen: Sequence[Seen], width: int, height: int, look: Look | None = None,
    doubles: Sequence[tuple[Detection, Seen]] = (),
) -> tuple[Detection, ...]:  # fmt: skip
    """The same dice, their outlines laid on the plane that most of them agree on; where they do not, each alone.

    With `look` those that lean in the picture and are not clear are looked at again, set upright. `doubles` are what
    was left out for the sake of surer ones: where two dice were found as one, both may be among them.
    """
    outlines = [detection.corners.astype(np.float64) for detection in found]
    plane = find_plane(outlines, [detection.score for detection in found], width, height)
    if plane is None:
        alone = [(*_alone(face), _shapely(face)) for face in seen]
        return tuple(
            replace(one, corners=corners, overlap=overlap, shapely=shapely)
            for one, (corners, overlap, shapely) in zip(found, alone, strict=True)
        )
    plane = right_way_tilted(plane, outlines, [detection.box for detection in found])
    made = _laid(found, seen, plane)
    if np.median([one.fits_box for one in made]) < SOUND:
        return tuple(made)
    if look is not None:
        made, seen = _set_upright(made, seen, plane, look)
    for i, one in enumerate(made):
        if one.fits_box < STRANGE:
            others = made[:i] + made[i + 1 :]
            turned_up = _turned_up(one, seen[i], plane, others)
            made[i] = turned_up if turned_up is not one else _as_boxed(one, seen[i], plane, others)
    return tuple(_without_sides(_parted(made, doubles, plane), plane))


def _laid(found: Sequence[Detection], seen: Sequence[Seen], plane: Plane) -> list[Detection]:
    """The same dice, their outlines those that fit best on the plane."""
    fitted: dict[Detection, tuple[Floats, float]] = {}
    for shape, sides in SIDES.items():
        own = [(one, face) for one, face in zip(found, seen, strict=True) if one.shape == shape]
        laid = fit_on_plane([face for _, face in own], plane, sides)
        fitted |= {one: outline for (one, _), outline in zip(own, laid, strict=True)}
    tops = [fitted[one][0].astype(np.float64) for one in found]
    filled = fits(plane, tops, [one.box for one in found])
    return [
        replace(
            one,
            corners=fitted[one][0],
            overlap=fitted[one][1],
            fits_box=share,
            strangeness=plane.strangeness(to_picture(face.start, face.mapping)),
        )
        for one, face, share in zip(found, seen, filled, strict=True)
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
        one, sides = made[i], SIDES[made[i].shape]
        (start,) = rough_outlines(planes[None, 0], planes[None, 1], sides)
        if start is None:
            continue
        again = Seen(planes[0], planes[1], mapping, start)
        (upright,) = _laid([one], [again], plane)
        if upright.overlap > one.overlap:
            made[i], known[i] = upright, again
    return made, known


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _turned_up(one: Detection, seen: Seen, plane: Plane, others: Sequence[Detection]) -> Detection:
    """The same die with its top face, where what was taken for it is clearly a side of it; else as it is."""
    side, _ = _alone(seen)
    top = across_an_edge(plane, side.astype(np.float64), one.box)
    if top is None or top[1] < one.fits_box + LIKELIER:
        return one
    corners = clockwise(top[0].astype(np.float32))
    if any(overlap_of(corners, other.corners) >= SAME_FACE for other in others):
        return one
    covered = Agreement(seen.mask[None], None).overlap(to_cells(corners, seen.mapping)[None])[0]
    return replace(one, corners=corners, overlap=covered, fits_box=top[1])


def _as_boxed(one: Detection, seen: Seen, plane: Plane, others: Sequence[Detection]) -> Detection:
    """The same die with the face of the others' size that its box calls for, if its corners were seen; else as it is.

    A picture on a side may draw the eye away from the top face, which then is in no mask.
    """
    alike = [_edge(plane, other) for other in others if other.shape == one.shape]
    if not alike or min(one.verified, one.die) < LIKELY:
        return one
    tops, fit = filling(plane, one.box, float(np.median(alike)), SIDES[one.shape])
    bumps = np.minimum(cv2.GaussianBlur(seen.bumps, (0, 0), BLUR) * RAISED, 1)
    cells = np.rint([to_cells(top.astype(np.float32), seen.mapping) for top in tops]).astype(int)
    x, y = np.moveaxis(cells.clip(0, len(bumps) - 1), -1, 0)
    seen_there = bumps[y, x].mean(axis=1)
    best = int((seen_there + fit).argmax())
    if fit[best] < max(SOUND, one.fits_box + LIKELIER) or seen_there[best] < CORNERED:
        return one
    corners = clockwise(tops[best].astype(np.float32))
    if any(overlap_of(corners, other.corners) >= SAME_FACE for other in others):
        return one
    return replace(one, corners=corners, fits_box=fit[best])


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
        usual = float(np.median([_edge(plane, one) for one in others]))
        parts = [
            part
            for part in _laid([one for one, _ in within], [seen for _, seen in within], plane)
            if part.overlap > whole.overlap
            and part.fits_box >= SOUND
            and AS_LARGE[0] * usual < _edge(plane, part) < AS_LARGE[1] * usual
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


def _edge(plane: Plane, die: Detection) -> float:
    return float(edges(plane.flat(die.corners.astype(np.float64))))

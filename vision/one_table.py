"""Dice that lie on one table: outlines on the plane that most of them agree on, and what that plane tells of each.

Where it shows that a die leans in the picture, or that what was outlined is a side of it, the die is seen or outlined
once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.body import LIKELIER, SOUND, STRANGE, across_an_edge, fits, right_way_tilted
from vision.boxes import Box
from vision.corners import Agreement, clockwise, refine, rough_outlines
from vision.detection import SIDES, Detection, Floats
from vision.doubles import SAME_FACE, overlap_of
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


def _alone(seen: Seen) -> tuple[Floats, float]:
    """The corners (sides, 2) in picture pixels that fit best, and the overlap with the mask."""
    cells = refine(seen.mask, seen.start, seen.bumps)
    overlap = Agreement(seen.mask[None], None).overlap(cells[None])[0]
    return to_picture(cells, seen.mapping).astype(np.float32), overlap


def on_one_plane(
    found: Sequence[Detection], seen: Sequence[Seen], width: int, height: int, look: Look | None = None
) -> tuple[Detection, ...]:
    """The same dice, their outlines laid on the plane that most of them agree on; where they do not, each alone.

    With `look` those that lean in the picture and are not clear are looked at again, set upright.
    """
    outlines = [detection.corners.astype(np.float64) for detection in found]
    plane = find_plane(outlines, [detection.score for detection in found], width, height)
    if plane is not None:
        plane = right_way_tilted(plane, outlines, [detection.box for detection in found])
    fitted: dict[Detection, tuple[Floats, float]] = {}
    for shape, sides in SIDES.items():
        own = [(one, face) for one, face in zip(found, seen, strict=True) if one.shape == shape]
        faces = [face for _, face in own]
        laid = [_alone(face) for face in faces] if plane is None else fit_on_plane(faces, plane, sides)
        fitted |= {one: outline for (one, _), outline in zip(own, laid, strict=True)}
    made = [replace(one, corners=fitted[one][0], overlap=fitted[one][1]) for one in found]
    if plane is None:
        return tuple(made)
    filled = fits(plane, [one.corners.astype(np.float64) for one in made], [one.box for one in made])
    made = [
        replace(one, strangeness=plane.strangeness(outline), fits_box=share)
        for one, outline, share in zip(made, outlines, filled, strict=True)
    ]
    if np.median(filled) < SOUND:
        return tuple(made)
    if look is not None:
        made, seen = _set_upright(made, seen, plane, look)
    for i, one in enumerate(made):
        if one.fits_box < STRANGE:
            made[i] = _turned_up(one, seen[i], plane, made[:i] + made[i + 1 :])
    return tuple(made)


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
        ((corners, overlap),) = fit_on_plane([again], plane, sides)
        if overlap <= one.overlap:
            continue
        outline = corners.astype(np.float64)
        (share,) = fits(plane, [outline], [one.box])
        made[i] = replace(
            one, corners=corners, overlap=overlap, fits_box=share, strangeness=plane.strangeness(outline)
        )
        known[i] = again
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

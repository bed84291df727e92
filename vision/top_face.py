"""Finds the top face of a die on a known plane where something else was outlined: a side of it, or a picture on one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.body import LIKELIER, SOUND, across_an_edge, edges, filling
from vision.corners import Agreement, clockwise, refine
from vision.detection import Detection, Floats
from vision.doubles import SAME_FACE, overlap_of
from vision.plane import Plane
from vision.plane_fit import Seen, to_cells, to_picture

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
    """The edge of a die's top face in the plane's distances (`vision.body.edges`)."""
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


def _with(
    one: Detection, top: NDArray[np.float64], fit: float, seen: Seen, others: Sequence[Detection]
) -> Detection:
    """The same die with this top face, which fits its box so well; as it is, where another die's face lies there."""
    corners = clockwise(top.astype(np.float32))
    if any(overlap_of(corners, other.corners) >= SAME_FACE for other in others):
        return one
    covered = Agreement(seen.mask[None], None).overlap(to_cells(corners, seen.mapping)[None])[0]
    return replace(one, corners=corners, overlap=covered, fits_box=fit)

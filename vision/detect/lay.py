"""Lays the outlines of top faces on the plane that most dice agree on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.bodies import SOUND, STRANGE, bodies, common_plane, facets_of, fits
from vision.corners import Agreement, fit_on_plane, refine, rough_outlines, to_cells, to_picture
from vision.detect.search import Search
from vision.detection import A_TOP, Detection
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Floats
from vision.plane import LEAST_DICE, Plane, mean_edge

FLAT: Final = 0.25
"""Most strangeness to the plane of an outline that is the top's."""
COVERS: Final = 0.68
"""An octahedron may be outlined by a side face if its body and its mask have an intersection over union below this. A
well outlined top has 0.82 to 0.92."""
AS_DIE: Final = 0.25
"""What looks less like a die has no say in the plane and gets no further look."""


def lay(search: Search) -> None:
    """Lay the outlines on the plane that most of them agree on, or on the table's plane if they are too few to agree.
    If that plane is not theirs, fit each outline by itself."""
    width, height = search.picture.size
    outlines = [one.corners.astype(np.float64) for one in search.dice]
    boxes, scores = [one.box for one in search.dice], [one.score for one in search.dice]
    plane = common_plane(outlines, boxes, scores, width, height)
    if 0 < len(search.dice) < LEAST_DICE:
        plane = search.table
    laid = lay_on(search.dice, plane) if plane is not None else []
    many = len(laid) >= LEAST_DICE
    sound = bool(laid) and usual(laid, [one.fits_box for one in laid]) >= SOUND and (many or as_tops(laid) >= A_TOP)
    search.plane = plane if sound else None
    agreed = sound or many
    search.dice = laid if agreed else [_alone(one) for one in search.dice]


def _alone(one: Detection) -> Detection:
    """The die with the corners that best fit its own mask."""
    start, agreement = to_cells(one.corners, one.crop), Agreement(one.seen[None])
    cells = refine(one.seen, start)
    others = [rough_outlines(one.seen[None], shape)[0] for shape in SHAPES if shape != one.shape]
    as_other = [agreement.overlap(other[None])[0] for other in others if other is not None]
    shapely = agreement.overlap(start[None])[0] - max(as_other) if as_other else 1.0
    overlap = agreement.overlap(cells[None])[0]
    return replace(one, corners=to_picture(cells, one.crop), overlap=overlap, shapely=shapely)


def lay_on(dice: Sequence[Detection], plane: Plane) -> list[Detection]:
    """The dice with the outlines on the plane that best fit their masks."""
    if not dice:
        return []
    fitted: dict[Detection, Detection] = {}
    for shape in SHAPES:
        own = [one for one in dice if one.shape == shape]
        fitted |= zip(own, fit_on_plane(own, plane), strict=True)
    filled = fits(plane, [fitted[one].corners.astype(np.float64) for one in dice], [one.box for one in dice])
    strange = plane.strangeness([one.corners.astype(np.float64) for one in dice])
    return [
        replace(fitted[one], fits_box=share, strangeness=off)
        for one, share, off in zip(dice, filled, strange, strict=True)
    ]


def usual(dice: Sequence[Detection], figures: Sequence[float]) -> float:
    """The median of a figure of each die, weighted by the dice's scores."""
    return _median(figures, [one.score for one in dice])


def _median(figures: Sequence[float], weights: Sequence[float]) -> float:
    return float(np.quantile(figures, 0.5, weights=weights, method="inverted_cdf"))


def as_tops(dice: Sequence[Detection]) -> float:
    """The mean evidence that the outlines are tops (`Detection.as_top`), weighted by the dice's scores."""
    return float(np.average([one.as_top for one in dice], weights=[one.score for one in dice]))


def may_be_a_side(one: Detection) -> bool:
    """Whether an outline may be a side's, because the body below it hardly fits."""
    return one.fits < (COVERS if one.shape.twisted else STRANGE)


def height_on(plane: Plane, shape: Shape, top: Floats) -> float:
    """Height of a die with this top face (4 or 3, 2) in pixels, where the plane is at distance 1."""
    return max(float(mean_edge(plane.flat(top.astype(np.float64)))) * shape.height, 1e-6)


def sized(dice: Sequence[Detection], plane: Plane) -> list[Detection]:
    """The dice, each compared in size with the median of the others (`Detection.odd_size`)."""
    if len(dice) < LEAST_DICE:
        return list(dice)
    worth = [one.score * one.well_seen + 1e-6 for one in dice]

    def size(one: Detection) -> float:
        return math.log(height_on(plane, one.shape, one.corners))

    sizes = [size(one) for one in dice]
    compared: list[Detection] = []
    for i, one in enumerate(dice):
        usually = _median(sizes[:i] + sizes[i + 1 :], worth[:i] + worth[i + 1 :])
        others = tuple(replace(other, odd_size=abs(size(other) - usually)) for other in one.others)
        compared.append(replace(one, odd_size=abs(sizes[i] - usually), others=others))
    return compared


def lies_flat(one: Detection) -> bool:
    """Whether an octahedron's outline is the top's, on the plane on which it was laid."""
    return not may_be_a_side(one) and one.strangeness < FLAT


def filled_of(one: Detection, top: Floats, plane: Plane) -> float:
    """Intersection over union, 0 … 1, of a die with this top (4 or 3, 2) on a plane and of its mask."""
    x, y = to_cells(bodies(plane, top[None].astype(np.float64))[0], one.crop).T[:, None, None]
    return float(Agreement(one.seen[None]).filled(x, y, facets_of(one.shape))[0, 0])


def overlap_of(one: Detection, corners: Floats) -> float:
    """Intersection over union, 0 … 1, of an outline in picture pixels and of a die's mask."""
    return Agreement(one.seen[None]).overlap(to_cells(corners, one.crop)[None])[0]

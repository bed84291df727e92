"""A die's whole body from its top face, and the top face from a side: held against solids made another way."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.seen_solids import Table, box_of
from vision.corners import clockwise
from vision.dicesets.shapes import shape_outlined
from vision.plane import AS_LARGE, TURNS, across_an_edge, bodies, edges, filling, fits, right_way_tilted

Floats = NDArray[np.float64]

CASES = [
    (tilt, towards, turn) for tilt in (20, 35, 45) for towards in (60, 90, 130) for turn in (0.1, 0.7, 1.3)
]


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards", "turn"), CASES)
def test_a_top_face_tells_the_box_of_its_die(sides: int, tilt: float, towards: float, turn: float) -> None:
    table = Table(tilt, towards)
    pixels, faces = table.solid(sides, turn, (0.05, -0.03))
    assert np.abs(np.subtract(box_of(bodies(table.plane, faces[0][None])[0]), box_of(pixels))).max() < 0.5
    assert fits(table.plane, faces[:1], [box_of(pixels)])[0] > 0.98


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards", "turn"), CASES)
def test_a_side_leads_to_the_top_across_their_edge(
    sides: int, tilt: float, towards: float, turn: float
) -> None:
    table = Table(tilt, towards)
    pixels, (top, *others) = table.solid(sides, turn, (0.05, -0.03))
    beside = [side for side in others if _shared_corners(side, top) == 2]
    assert beside
    for side in beside:
        assert fits(table.plane, [side], [box_of(pixels)])[0] < 0.7
        found = across_an_edge(table.plane, side, box_of(pixels))
        if _area(side) < AS_LARGE * _area(top):
            assert found is None, "nobody takes so small a face for the top"
            continue
        assert found is not None
        face, fit = found
        assert np.abs(clockwise(face.astype(np.float32)) - top).max() < 1
        assert fit > 0.98


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards", "turn"), CASES)
def test_a_box_is_filled_by_a_die_where_it_lies(sides: int, tilt: float, towards: float, turn: float) -> None:
    table = Table(tilt, towards)
    pixels, (top, *_) = table.solid(sides, turn, (0.05, -0.03))
    edge = float(edges(table.plane.flat(top)))
    tops, fit = filling(table.plane, box_of(pixels), edge, shape_outlined(sides))
    assert tops.shape == (TURNS, sides, 2)
    off = [np.abs(clockwise(one.astype(np.float32)) - top).max() for one in tops]
    near = int(np.argmin(off))
    assert off[near] < 0.1 * float(np.linalg.norm(top[1] - top[0])), "within half a step of turning"
    assert fit[near] > 0.9
    assert edges(table.plane.flat(tops)) == pytest.approx(edge)


def _area(corners: Floats) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _shared_corners(first: Floats, second: Floats) -> int:
    return int((np.linalg.norm(first[:, None] - second[None], axis=2) < 0.01).sum())


def test_a_box_that_no_die_beside_the_outline_would_fill_leads_nowhere() -> None:
    table = Table(40, 90)
    _, faces = table.solid(3, 0.3, (0.0, 0.0))
    assert across_an_edge(table.plane, faces[1], (0.0, 0.0, 900.0, 900.0)) is None


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("tilt", "towards"), [(15, 80), (30, 100), (45, 60)])
def test_bodies_tell_a_plane_from_its_mirror_image(sides: int, tilt: float, towards: float) -> None:
    table = Table(tilt, towards)
    solids = [table.solid(sides, 0.4 * i, (0.1 * i - 0.15, 0.05 * i)) for i in range(4)]
    tops, boxes = [faces[0] for _, faces in solids], [box_of(pixels) for pixels, _ in solids]
    for plane in (table.plane, table.plane.mirrored()):
        assert np.allclose(right_way_tilted(plane, tops, boxes).along, table.plane.along)

"""Which face of a lone die is turned down in the picture: its sides where the camera stands upright, and no top."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.enrol.shown import perhaps_top, plane_alone, top_of, turned_down

UPWARDS = 270
"""Degrees: the table recedes towards the upper edge of the picture."""


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("tilt", [5, 20, 35, 50])
@pytest.mark.parametrize("turn", [0.0, 0.4, 0.9, 1.3])
@pytest.mark.parametrize("roll", [-12, 0, 12])
def test_no_top_is_turned_down(sides: int, tilt: int, turn: float, roll: int) -> None:
    pixels, (top, *_) = Table(tilt, UPWARDS + roll).solid(sides, turn, (0.02, -0.03))
    assert not turned_down(top, box_of(pixels), WIDTH, HEIGHT)


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("tilt", [30, 35, 40])
@pytest.mark.parametrize("turn", [0.1, 0.5, 0.9, 1.3])
def test_a_large_side_is(sides: int, tilt: int, turn: float) -> None:
    pixels, (top, *others) = Table(tilt, UPWARDS).solid(sides, turn, (0.0, 0.0))
    large = [side for side in others if _area(side) > 0.6 * _area(top)]
    assert all(turned_down(side, box_of(pixels), WIDTH, HEIGHT) for side in large)


@pytest.mark.parametrize("tilt", [30, 35, 40])
@pytest.mark.parametrize("turn", [0.1, 0.5, 0.9, 1.3])
@pytest.mark.parametrize("roll", [-8, 0, 8])
def test_of_an_octahedron_whose_side_was_outlined_the_top_is_beside_it(tilt: int, turn: float, roll: int) -> None:
    pixels, (top, *others) = Table(tilt, UPWARDS + roll).solid(3, turn, (0.0, 0.0))
    large = [side for side in others if _area(side) > 0.5 * _area(top)]
    found = [told(side, box_of(pixels), WIDTH, HEIGHT) for side in large for told in (top_of, perhaps_top)]
    assert large
    for one in found:
        assert one is not None
        assert _area(one) == pytest.approx(_area(top), rel=0.12)
        assert np.hypot(*(one.mean(axis=0) - top.mean(axis=0))) < 0.06 * _area(top) ** 0.5


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("tilt", [5, 20, 35, 50])
@pytest.mark.parametrize("turn", [0.0, 0.4, 0.9, 1.3])
@pytest.mark.parametrize("roll", [-12, 0, 12])
def test_a_top_that_was_outlined_stays_the_top(sides: int, tilt: int, turn: float, roll: int) -> None:
    pixels, (top, *_) = Table(tilt, UPWARDS + roll).solid(sides, turn, (0.02, -0.03))
    found = top_of(top, box_of(pixels), WIDTH, HEIGHT)
    assert found is None or found is top
    assert perhaps_top(top, box_of(pixels), WIDTH, HEIGHT) is None


def test_there_are_large_sides_to_be_mistaken() -> None:
    sizes = [
        _area(side) / _area(faces[0])
        for sides in (3, 4)
        for _, faces in (Table(40, UPWARDS).solid(sides, 0.9, (0.0, 0.0)),)
        for side in faces[1:]
    ]
    assert max(sizes) > 0.6


def test_where_only_the_top_is_to_be_seen_nothing_is_said() -> None:
    square = np.array([[100.0, 100.0], [200.0, 100.0], [200.0, 170.0], [100.0, 170.0]])
    assert not turned_down(square, box_of(square), 300, 300), "a squeezed picture from above"


@pytest.mark.parametrize("turn", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("place", [(0.0, 0.25), (0.2, 0.3), (-0.3, 0.3)])
def test_below_the_middle_of_a_view_from_above_tops_are_turned_down_and_still_tops(
    turn: float, place: tuple[float, float]
) -> None:
    pixels, (top, *sides) = Table(0, UPWARDS + 90).solid(4, turn, place)
    assert top[:, 1].mean() > 0.6 * HEIGHT
    assert sides, "the side towards the middle is to be seen above the top"
    assert not turned_down(top, box_of(pixels), WIDTH, HEIGHT)


def test_a_face_alone_lies_on_its_plane() -> None:
    _, (top, *_) = Table(40, 200).solid(4, 0.3, (0.0, 0.0))
    assert plane_alone(top).strangeness([top])[0] < 0.02


def _area(face: np.ndarray) -> float:
    return float(cv2.contourArea(face.astype(np.float32)))

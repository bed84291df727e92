"""A face warped out of a picture and back is the same face."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.rectify import GROUND, canonical_corners, face_mask, rectify, trim, turns

SHAPES = [Shape.CUBE, Shape.OCTAHEDRON]


def patterned(size: int, shape: str) -> NDArray[np.uint8]:
    """A canonical face whose every place has its own colour."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) * 255 / size
    face = np.stack([x, y, 255 - (x + y) / 2], axis=2).astype(np.uint8)
    return trim(face, shape)


def photograph(face: NDArray[np.uint8], shape: str, corners: NDArray[np.float32]) -> NDArray[np.uint8]:
    """A picture of 200 px with the face at the given corners, by OpenCV's own warp and not by ours."""
    big = cv2.resize(face, (192, 192), interpolation=cv2.INTER_LINEAR)
    source = canonical_corners(shape, 192)
    if shape == Shape.CUBE:
        matrix = cv2.getPerspectiveTransform(source, corners)
    else:
        matrix = np.vstack([cv2.getAffineTransform(source, corners), [0, 0, 1]])
    return np.asarray(cv2.warpPerspective(big, matrix, (200, 200), borderValue=(GROUND,) * 3), np.uint8)


def inside(shape: str, size: int) -> NDArray[np.bool_]:
    """Pixels well within a face, where no border mixes in."""
    core = cv2.erode(face_mask(shape, size).copy(), np.ones((5, 5)), borderValue=0)
    return np.asarray(core > 0.999)


@pytest.mark.parametrize(
    ("shape", "corners"),
    [
        (Shape.CUBE, [(50, 40), (150, 40), (150, 140), (50, 140)]),
        (Shape.CUBE, [(60, 30), (160, 55), (140, 160), (30, 120)]),
        (Shape.CUBE, [(150, 150), (60, 160), (40, 50), (170, 30)]),
        (Shape.OCTAHEDRON, [(100, 30), (170, 150), (30, 150)]),
        (Shape.OCTAHEDRON, [(30, 60), (160, 40), (90, 170)]),
    ],
)
def test_a_face_comes_back_from_a_photograph(shape: str, corners: list[tuple[float, float]]) -> None:
    face = patterned(48, shape)
    points = np.array(corners, np.float32)
    back = rectify(photograph(face, shape, points), points, 48)
    core = inside(shape, 48)
    assert (
        np.abs(back.astype(int) - face)[core].max() <= 14
    )  # half a pixel of the steepest slope, and rounding


@pytest.mark.parametrize("shape", SHAPES)
def test_the_canonical_corners_give_the_picture_itself(shape: str) -> None:
    face = patterned(48, shape)
    back = rectify(face, canonical_corners(shape, 48), 48)
    assert np.abs(back.astype(int) - face)[inside(shape, 48)].max() <= 1


@pytest.mark.parametrize("shape", SHAPES)
def test_turning_the_corners_turns_the_face(shape: str) -> None:
    face = patterned(48, shape)
    every = turns(face, shape)
    assert len(every) == shape.symmetry == len(canonical_corners(shape, 48))
    core = inside(shape, 48)
    for k, turned in enumerate(every):
        again = rectify(face, np.roll(canonical_corners(shape, 48), -k, axis=0), 48)
        assert np.abs(again.astype(int) - turned)[core].max() <= 4
    full_circle = turns(every[1], shape)[-1]
    assert np.abs(full_circle.astype(int) - face)[core].max() <= 8


def test_a_triangle_is_grey_outside() -> None:
    white = np.full((100, 100, 3), 255, np.uint8)
    face = rectify(white, [(50, 5), (95, 90), (5, 90)], 48)
    assert face[0, 0].tolist() == [GROUND] * 3
    assert face[24, 24].tolist() == [255] * 3


def test_shrinking_averages_instead_of_picking() -> None:
    stripes = np.zeros((480, 480, 3), np.uint8)
    stripes[:, ::2] = 255
    face = rectify(stripes, [(0, 0), (480, 0), (480, 480), (0, 480)], 48)
    assert np.abs(face.astype(int) - 127).max() < 30


def test_corners_outside_the_picture_repeat_its_border() -> None:
    picture = np.full((40, 40, 3), 90, np.uint8)
    face = rectify(picture, [(-30, -30), (60, -30), (60, 60), (-30, 60)], 48)
    assert (face == 90).all()


def test_grey_pictures_are_rectified_too() -> None:
    assert rectify(np.full((40, 40), 7, np.uint8), [(0, 0), (40, 0), (40, 40), (0, 40)], 48).shape == (48, 48)


@pytest.mark.parametrize(
    ("corners", "complaint"),
    [
        ([(0, 0), (1, 0)], "corners"),
        ([(0, 0, 0)] * 4, "shape"),
        ([(0, 0), (9, 9), (18, 18), (27, 27)], "area"),
        ([(0, 0), (float("nan"), 0), (5, 5), (0, 5)], "finite"),
    ],
)
def test_corners_that_span_no_face_are_refused(corners: list[tuple[float, ...]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        rectify(np.zeros((20, 20, 3), np.uint8), corners, 48)


def test_an_empty_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        rectify(np.zeros((0, 20, 3), np.uint8), [(0, 0), (4, 0), (4, 4), (0, 4)], 48)

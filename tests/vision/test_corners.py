"""From masks to corners: exact on clean masks, steady on rounded and noisy ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.corners import clockwise, fit_polygon, rough_outlines
from vision.dicesets.shapes import shape_outlined

CELLS = 48


def _mask(polygon: NDArray[np.float32], blur: float = 0.0) -> NDArray[np.float32]:
    fine = np.zeros((CELLS * 8, CELLS * 8), np.uint8)
    scaled = (polygon + 0.5) * 8 - 0.5
    cv2.fillConvexPoly(fine, np.rint(scaled * 16).astype(np.int32), 255, shift=4)
    mask = cv2.resize(fine, (CELLS, CELLS), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur) if blur else mask, np.float32)


def _regular(sides: int, angle: float, radius: float, squash: float) -> NDArray[np.float32]:
    turns = np.linspace(0, 2 * np.pi, sides, endpoint=False) + angle
    ring = np.stack([np.cos(turns), np.sin(turns) * squash], axis=1) * radius
    return (ring + CELLS / 2).astype(np.float32)


def _error(found: NDArray[np.float32], true: NDArray[np.float32]) -> float:
    side = np.linalg.norm(true - np.roll(true, 1, axis=0), axis=1).mean()
    turns = [np.roll(found, k, axis=0) for k in range(len(true))]
    return min(float(np.linalg.norm(turn - true, axis=1).mean()) for turn in turns) / side


def _fitted(true: NDArray[np.float32], sides: int) -> float:
    found = fit_polygon(_mask(true), shape_outlined(sides))
    assert found is not None
    return _error(found, true)


SIDES, ANGLES, SQUASHES = st.sampled_from([3, 4]), st.floats(0, 6.28), st.floats(0.55, 1.0)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(sides=SIDES, angle=ANGLES, radius=st.floats(14, 20), squash=SQUASHES)
def test_a_clean_mask_gives_its_corners_to_five_percent(
    sides: int, angle: float, radius: float, squash: float
) -> None:
    assert _fitted(_regular(sides, angle, radius, squash), sides) < 0.05


def test_most_clean_masks_give_their_corners_to_one_percent() -> None:
    rng = np.random.default_rng(0)
    off = [
        _fitted(_regular(sides, rng.uniform(0, 6.28), rng.uniform(14, 20), rng.uniform(0.55, 1)), sides)
        for sides in (3, 4) * 20
    ]
    assert np.median(off) < 0.01


@settings(max_examples=30, deadline=None)
@given(sides=SIDES, angle=ANGLES, radius=st.floats(10, 14), squash=SQUASHES)
def test_a_small_clean_mask_gives_its_corners_to_a_cell_or_so(
    sides: int, angle: float, radius: float, squash: float
) -> None:
    assert _fitted(_regular(sides, angle, radius, squash), sides) < 0.08, "a side is 14 cells and more"


@pytest.mark.parametrize("sides", [3, 4])
def test_rounded_corners_do_not_pull_the_fit_inwards(sides: int) -> None:
    true = _regular(sides, 0.3, 18, 0.9)
    found = fit_polygon(_mask(true, blur=1.5), shape_outlined(sides))
    assert found is not None
    assert _error(found, true) < 0.06


def test_an_empty_or_tiny_mask_has_no_corners() -> None:
    assert fit_polygon(np.zeros((CELLS, CELLS), np.float32), shape_outlined(4)) is None
    speck = np.zeros((CELLS, CELLS), np.float32)
    speck[20, 20] = 1
    assert fit_polygon(speck, shape_outlined(3)) is None


def test_corners_run_clockwise_in_the_picture_from_the_uppermost() -> None:
    square = np.array([[30, 10], [10, 10], [10, 30], [30, 30]], np.float32)
    assert clockwise(square).tolist() == [[10, 10], [30, 10], [30, 30], [10, 30]]


@pytest.mark.parametrize("sides", [3, 4])
def test_a_rough_outline_is_near_the_face_and_missing_where_nothing_is(sides: int) -> None:
    angles = np.arange(sides) * (2 * np.pi / sides) + 0.3
    true = (CELLS / 2 + CELLS / 4 * np.stack([np.cos(angles), np.sin(angles) * 0.7], axis=1)).astype(
        np.float32
    )
    masks = np.stack([np.zeros((CELLS, CELLS), np.float32), _mask(true)])
    nothing, found = rough_outlines(np.stack([masks, 0 * masks, masks], axis=1), shape_outlined(sides))
    assert nothing is None
    assert found is not None
    off = np.linalg.norm(found[:, None] - true[None], axis=2).min(axis=1)
    assert float(off.max()) < 0.12 * CELLS / 4

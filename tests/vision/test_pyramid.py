"""A picture at other sizes, and crops of it, show what is there where it is, and nothing that is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.boxes import CROP, Box, crop_map, scale_of
from vision.propose import COARSE, FINE
from vision.pyramid import MOST_ENLARGED, Pyramid


@pytest.mark.parametrize("size", [(1920, 1080), (4032, 3024), (1281, 721), (640, 480), (33, 1000), (1, 1)])
@pytest.mark.parametrize("side", [COARSE, 704, 815.3, FINE[1]])
def test_a_picture_is_shrunk_in_all_its_parts(size: tuple[int, int], side: float) -> None:
    width, height = size
    pixels = np.zeros((height, width, 3), np.uint8)
    cv2.circle(pixels, (int(width * 0.6), int(height * 0.3)), min(size) // 6, (255, 255, 255), -1)
    pyramid = Pyramid(pixels)
    scale = pyramid.scale(side)
    small = pyramid.at(scale)
    assert scale <= MOST_ENLARGED
    assert abs(small.shape[1] - width * scale) <= 1
    assert abs(small.shape[0] - height * scale) <= 1
    if min(size) > 100:
        rows, columns = np.nonzero(small[..., 0] > 127)
        assert (columns.mean() + 0.5) / small.shape[1] == pytest.approx(0.6, abs=0.003)
        assert (rows.mean() + 0.5) / small.shape[0] == pytest.approx(0.3, abs=0.004)


def test_small_details_do_not_flicker_when_a_picture_is_made_smaller() -> None:
    """A fine pattern becomes grey, as a lens would show it: not stripes that are not there."""
    pixels = np.zeros((1080, 1920, 3), np.uint8)
    pixels[:, ::2] = 255
    for side in (480, 704, 820, 960):
        pyramid = Pyramid(pixels)
        assert pyramid.at(pyramid.scale(side)).std() < 4


@pytest.mark.parametrize(
    "box", [(10.0, 20.0, 60.0, 50.0), (-15.0, -8.0, 30.0, 40.0), (200.0, 100.0, 500.0, 420.0)]
)
def test_a_crop_shows_its_box_in_the_middle_at_any_scale(box: Box) -> None:
    y, x = np.mgrid[0:300, 0:400]
    ramp = np.stack([x * 255 / 400, y * 255 / 300, np.zeros_like(x)], axis=2).astype(np.uint8)
    crop = Pyramid(ramp).cut(crop_map(box))
    assert crop.shape == (CROP, CROP, 3)
    middle = crop[CROP // 2 - 2 : CROP // 2 + 2, CROP // 2 - 2 : CROP // 2 + 2].mean(axis=(0, 1))
    want_x, want_y = np.clip((box[0] + box[2]) / 2, 0, 399), np.clip((box[1] + box[3]) / 2, 0, 299)
    assert abs(middle[0] - want_x * 255 / 400) < 3
    assert abs(middle[1] - want_y * 255 / 300) < 3


@pytest.mark.parametrize("side", [200, 500, 900])
def test_a_crop_of_a_large_box_is_as_smooth_as_a_gaussian_makes_it(side: int) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (1000, 1000, 3), np.uint8)
    mapping = crop_map((50.0, 50.0, 50.0 + side, 50.0 + side), padding=0.0)
    smooth = cv2.GaussianBlur(noise, (0, 0), 0.35 / scale_of(mapping))
    plain = cv2.warpPerspective(smooth, mapping, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
    off = Pyramid(noise).cut(mapping).astype(int) - plain
    assert np.abs(off).mean() < 2.5
    assert abs(off.mean()) < 0.5


@pytest.mark.parametrize("larger", [1, 6])
def test_a_crop_is_turned_about_its_middle(larger: int) -> None:
    """An arrow to the right and down, turned by its angle, points down."""
    size = 60 * larger
    pixels = np.zeros((2 * size, 3 * size, 3), np.uint8)
    middle, tip = np.array([1.2 * size, 0.9 * size]), np.array([1.4 * size, 1.0 * size])
    cv2.line(
        pixels,
        np.rint(middle).astype(int).tolist(),
        np.rint(tip).astype(int).tolist(),
        (255, 255, 255),
        larger,
    )
    x, y = middle.tolist()
    turn = np.pi / 2 - np.arctan2(0.1, 0.2)
    mapping = crop_map((x - size / 3, y - size / 3, x + size / 3, y + size / 3), turn=turn)
    crop = Pyramid(pixels).cut(mapping)[..., 0]
    ys, xs = np.nonzero(crop > 60)
    assert np.abs(xs - CROP / 2).max() < 3
    assert ys.min() > CROP / 2 - 4
    assert ys.max() - ys.min() == pytest.approx(scale_of(mapping) * np.linalg.norm(tip - middle), abs=4)

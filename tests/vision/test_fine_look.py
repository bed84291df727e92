from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.boxes import Box
from vision.propose import (
    COARSE,
    EASY,
    FAINT,
    FINE,
    MOST_ENLARGED,
    PLAIN,
    WANTED,
    Shrunk,
    close_up,
    fine_side,
    plain,
)


def _found(*sizes: float, score: float = 0.9) -> list[tuple[Box, float]]:
    return [((10.0, 10.0, 10.0 + size, 10.0 + size / 2), score) for size in sizes]


def test_with_nothing_found_the_second_look_is_the_finest() -> None:
    assert fine_side(1920, []) == FINE[1]
    assert fine_side(1920, _found(300, score=0.1)) == FINE[1], "what is not sure says nothing"


def test_the_second_look_shows_the_smaller_dice_as_large_as_wanted() -> None:
    side = fine_side(1920, _found(64, 80, 80, 200))
    assert FINE[0] < side < FINE[1]
    assert 64 * side / 1920 == pytest.approx(WANTED)


def test_the_second_look_keeps_within_its_bounds() -> None:
    assert fine_side(1920, _found(600)) == FINE[0]
    assert fine_side(1920, _found(12)) == FINE[1]


def test_one_large_thing_does_not_hide_the_small_dice() -> None:
    assert fine_side(1920, _found(20, 400, 400, 400)) == FINE[1]


SIDES = pytest.mark.parametrize("side", [COARSE, 704, 815.3, FINE[1]])


@pytest.mark.parametrize("size", [(1920, 1080), (4032, 3024), (1281, 721), (640, 480), (33, 1000), (1, 1)])
@SIDES
def test_a_picture_of_any_size_is_made_as_wide_as_asked(size: tuple[int, int], side: float) -> None:
    width, height = size
    shrunk = Shrunk(np.zeros((height, width, 3), np.uint8))
    scale = shrunk.scale(side)
    small = shrunk.at(scale)
    assert scale <= MOST_ENLARGED
    assert abs(small.shape[1] - width * scale) <= 1
    assert abs(small.shape[0] - height * scale) <= 1


@pytest.mark.parametrize("size", [(1920, 1080), (4032, 3024), (1281, 721), (640, 480)])
@SIDES
def test_what_lies_at_a_share_of_the_picture_lies_there_at_every_size(
    size: tuple[int, int], side: float
) -> None:
    width, height = size
    pixels = np.zeros((height, width, 3), np.uint8)
    cv2.circle(pixels, (int(width * 0.6), int(height * 0.3)), min(size) // 6, (255, 255, 255), -1)
    shrunk = Shrunk(pixels)
    small = shrunk.at(shrunk.scale(side))
    rows, columns = np.nonzero(small[..., 0] > 127)
    assert (columns.mean() + 0.5) / small.shape[1] == pytest.approx(0.6, abs=0.003)
    assert (rows.mean() + 0.5) / small.shape[0] == pytest.approx(0.3, abs=0.004)


def test_small_details_do_not_flicker_when_a_picture_is_made_smaller() -> None:
    """A fine pattern becomes grey, as a lens would show it: not stripes that are not there."""
    pixels = np.zeros((1080, 1920, 3), np.uint8)
    pixels[:, ::2] = 255
    for side in (480, 704, 820, 960):
        shrunk = Shrunk(pixels)
        assert shrunk.at(shrunk.scale(side)).std() < 4


def test_a_picture_is_seen_from_further_away_where_a_die_may_fill_it() -> None:
    assert close_up(1920, [])
    assert close_up(1920, _found(700, score=0.1)), "what is not sure says nothing"
    assert close_up(1920, _found(60, 700))
    assert not close_up(1920, _found(60, 200, 200))


def _boxes(*sizes: float, score: float = 0.9) -> NDArray[np.float32]:
    return np.array([[10, 10, 10 + size, 10 + size / 2, score] for size in sizes], np.float32).reshape(-1, 5)


def test_one_look_is_enough_where_it_sees_nothing_but_sure_dice_of_easy_sizes() -> None:
    low, high = EASY
    assert plain(_boxes(2 * low + 1, 80, 2 * high - 1), 0.5)
    assert not plain(_boxes(), 0.5), "an empty table is looked at again"
    assert not plain(np.concatenate([_boxes(80), _boxes(80, score=PLAIN - 0.1)]), 0.5)
    assert plain(np.concatenate([_boxes(80), _boxes(800, score=FAINT - 0.01)]), 0.5)
    assert not plain(_boxes(800, score=FAINT - 0.01), 0.5)
    assert not plain(_boxes(80, 2 * low - 1), 0.5)
    assert not plain(_boxes(80, 2 * high + 1), 0.5), (
        "a large thing may be more than one look of this size sees"
    )

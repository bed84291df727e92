"""Boxes: as many looks at a picture as it needs, and boxes in the picture's own pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import propose
from vision.boxes import Box, intersection_over_union
from vision.detect.arrived import odds
from vision.propose import (
    BUSY,
    COARSE,
    EASY,
    FAINT,
    FINE,
    FINER,
    PLAIN,
    STRIDE,
    SURE,
    UPSIDE_DOWN,
    WANTED,
    Proposer,
    busy,
    close_up,
    enough,
    fine_side,
)
from vision.pyramid import Pyramid

Pixels = NDArray[np.uint8]


def _boxes(*sizes: float, score: float = 0.9) -> NDArray[np.float32]:
    return np.array([[10, 10, 10 + size, 10 + size / 2, score] for size in sizes], np.float32).reshape(-1, 5)


@pytest.mark.parametrize(
    ("found", "side"),
    [
        (_boxes(), FINE[1]),
        (_boxes(300, score=0.1), FINE[1]),
        (_boxes(64, 80, 80, 200), WANTED / 64 * 1920),
        (_boxes(600), FINE[0]),
        (_boxes(12), FINE[1]),
        (_boxes(20, 400, 400, 400), FINE[1]),
    ],
    ids=["nothing", "nothing sure", "as large as wanted", "large", "tiny", "one large thing hides no small dice"],
)
def test_the_second_look_is_as_fine_as_the_smallest_die_needs(found: NDArray[np.float32], side: float) -> None:
    assert fine_side(1920, found) == pytest.approx(side)


def test_a_picture_is_seen_from_further_away_where_a_die_may_fill_it() -> None:
    assert close_up(1920, _boxes())
    assert close_up(1920, _boxes(700, score=0.1)), "what is not sure says nothing"
    assert close_up(1920, _boxes(60, 700))
    assert not close_up(1920, _boxes(60, 200, 200))


def test_one_look_is_enough_where_it_sees_nothing_but_sure_dice_of_easy_sizes() -> None:
    low, high = EASY
    doubtful = _boxes(80, score=PLAIN - 0.1)
    for quick in (False, True):
        assert enough(_boxes(2 * low + 1, 80, 2 * high - 1), 0.5, quick=quick)
        assert enough(np.concatenate([_boxes(80), _boxes(800, score=FAINT - 0.01)]), 0.5, quick=quick)
        assert enough(np.concatenate([_boxes(80), doubtful]), 0.5, quick=quick) is quick
    for found in (
        _boxes(), doubtful, _boxes(800, score=FAINT - 0.01), _boxes(80, 2 * low - 1), _boxes(80, 2 * high + 1),
    ):  # fmt: skip
        assert not any(enough(found, 0.5, quick=quick) for quick in (False, True))


def test_a_table_is_busy_by_what_is_not_sure() -> None:
    sure, weak = _boxes(*[80] * 20), [_boxes(*[80] * count, score=SURE - 0.1) for count in (BUSY - 1, BUSY)]
    assert [busy(np.concatenate([sure, some])) for some in weak] == [False, True]


DIE: Box = (800.0, 520.0, 880.0, 590.0)
WHITE, GREY, BLUE, RED = (255, 255, 255), (90, 90, 90), (255, 0, 0), (0, 0, 255)
GREEN = (0, 140, 0)


class _Things:
    """Boxes round patches, each twice: white surely a die, grey hardly. Green is a die, too, seen only at the first
    look, and blue, seen only where red lies right of it."""

    def __init__(self) -> None:
        self.shown: list[NDArray[np.float32]] = []

    @property
    def widths(self) -> list[int]:
        return [images.shape[3] for images in self.shown]

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]) -> list[Any]:
        self.shown.append(input_feed["images"])
        red, green, blue = (np.asarray(plane) for plane in input_feed["images"][0])
        rows = [*_patches(green > 0.6, 0.8), *_patches((green > 0.3) & (green < 0.4), 0.2)]
        if self.shown[-1].shape[3] == FINE[0]:
            rows += _patches((green > 0.5) & (green < 0.6), 0.5)
        reds = np.flatnonzero(((red > 0.9) & (green < 0.1)).any(axis=0))
        blues = _patches((blue > 0.9) & (green < 0.1), 0.7)
        rows += [row for row in blues if reds.size and reds.mean() > row[0]]
        rows += [(x + 1, y, w, h, score - 0.05) for x, y, w, h, score in rows]
        return [np.array(rows or np.zeros((0, 5)), np.float32).T[None]]


def _patches(mask: NDArray[np.bool_], score: float) -> list[tuple[float, ...]]:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return [
        (x + w / 2, y + h / 2, w, h, score)
        for x, y, w, h, area in stats[1:].tolist()
        if 2 * area > w * h and min(w, h) > 7
    ]


def _table(faint: int = 0) -> Pixels:
    """A sure die, so many faint things, something red at the left edge and a blue die far right of it."""
    pixels = np.zeros((720, 960, 3), np.uint8)
    cv2.rectangle(pixels, (100, 100), (169, 169), WHITE, -1)
    for number in range(faint):
        cv2.rectangle(pixels, (150 + 90 * number, 350), (200 + 90 * number, 400), GREY, -1)
    cv2.rectangle(pixels, (0, 600), (60, 660), RED, -1)
    x0, y0, x1, y1 = (int(edge) for edge in DIE)
    pixels[y0:y1, x0:x1] = BLUE
    return pixels


@pytest.fixture(name="network")
def _network(monkeypatch: pytest.MonkeyPatch) -> _Things:
    network = _Things()

    def opened(name: str, folder: Path, **how: bool) -> _Things:
        return network

    monkeypatch.setattr(propose, "open_network", opened)
    return network


def _upright() -> Proposer:
    return Proposer(without=("upside_down",))


@pytest.mark.parametrize(
    ("width", "height"), [(640, 480), (1280, 960), (480, 1333), (333, 517), (2000, 600), (100, 60)]
)
def test_boxes_come_back_through_shrinking_and_padding(network: _Things, width: int, height: int) -> None:
    true = (0.6 * width, 0.4 * height, 0.6 * width + 0.2 * min(width, height), 0.65 * height)
    pixels = np.zeros((height, width, 3), np.uint8)
    x0, y0, x1, y1 = (round(edge) for edge in true)
    pixels[y0:y1, x0:x1] = WHITE
    ((box, score),) = _upright().boxes(Pyramid(pixels))
    pixel = max(width, height) / COARSE  # of the coarsest look
    assert np.abs(np.array(box) - true).max() < max(pixel, 1) + 1.5, "one box, though seen twice in each look"
    assert score == pytest.approx(0.8)
    for images in network.shown:
        assert images.shape[1] == 3
        assert all(side % STRIDE == 0 and side < FINE[1] + STRIDE for side in images.shape[2:])


def test_the_network_is_shown_red_first_and_grey_beyond_the_picture(network: _Things) -> None:
    _upright().boxes(Pyramid(np.full((50, 70, 3), RED, np.uint8)))
    assert network.shown[0].shape == (1, 3, 96, 128), "enlarged by half: the picture is small"
    assert network.shown[0][0, :, 10, 10].tolist() == [1.0, 0.0, 0.0]
    assert np.allclose(network.shown[0][0, :, 90, 120], 114 / 255)


def test_a_table_of_sure_dice_costs_one_look_and_small_dice_are_looked_at_more_finely(network: _Things) -> None:
    ((box, score),) = _upright().boxes(Pyramid(_table()))
    assert network.widths == [FINE[0]]
    assert intersection_over_union((100.0, 100.0, 170.0, 170.0), box) > 0.9
    assert score == pytest.approx(0.8)
    small = np.zeros((720, 960, 3), np.uint8)
    cv2.rectangle(small, (100, 100), (125, 125), WHITE, -1)
    _upright().boxes(Pyramid(small))
    _, first, coarse, fine = network.widths
    assert coarse < first < fine


def test_what_the_first_look_saw_counts_though_others_do_not_see_it(network: _Things) -> None:
    pixels = np.zeros((720, 960, 3), np.uint8)
    cv2.rectangle(pixels, (100, 100), (125, 125), WHITE, -1)
    cv2.rectangle(pixels, (300, 100), (369, 169), GREEN, -1)
    _, (green, score) = _upright().boxes(Pyramid(pixels))
    assert network.widths == [FINE[0], COARSE, FINE[1]]
    assert intersection_over_union((300.0, 100.0, 370.0, 170.0), green) > 0.9
    assert score == pytest.approx(0.5)


def test_on_a_busy_table_one_more_look_is_finer_and_in_the_mirror(network: _Things) -> None:
    boxes = _upright().boxes(Pyramid(_table(BUSY - 1)))
    assert len(network.widths) == 2
    assert max(intersection_over_union(DIE, box) for box, _ in boxes) == 0, "seen in the mirror alone"
    network.shown.clear()
    boxes = _upright().boxes(Pyramid(_table(BUSY)))
    assert network.widths[0] in range(FINE[0], FINE[1] + STRIDE)
    assert network.widths[2:] == [pytest.approx(FINER * network.widths[0], abs=STRIDE)]
    (found,) = [pair for pair in boxes if intersection_over_union(DIE, pair[0]) > 0.9]
    assert found[1] == pytest.approx(0.7)
    assert np.abs(np.array(found[0]) - DIE).max() < 1.5, "in the picture's own pixels, not the mirror's"
    assert len(boxes) == 2 + BUSY, "what both looks see is boxed once"
    assert [score for _, score in boxes] == sorted((score for _, score in boxes), reverse=True)


def test_what_lay_there_before_the_throw_costs_no_further_look(network: _Things) -> None:
    arrived = np.zeros((360, 480), np.uint8)
    arrived[:100] = 255  # the die is new, the faint things are not
    known = partial(odds, arrived, width=960)
    boxes = _upright().boxes(Pyramid(_table(BUSY)), odds=known)
    assert network.widths == [FINE[0]]
    assert len(boxes) == 1 + BUSY, "they are examined all the same"
    network.shown.clear()
    _upright().boxes(Pyramid(_table(BUSY)), odds=partial(odds, np.full_like(arrived, 255), width=960))
    assert len(network.widths) == 3
    network.shown.clear()
    _upright().boxes(Pyramid(_table()), odds=partial(odds, np.zeros_like(arrived), width=960))
    assert len(network.widths) > 1, "no die is new: they may be small"


def test_a_quick_search_ends_with_the_first_look_if_that_sees_a_sure_die_of_easy_size(network: _Things) -> None:
    assert len(Proposer().boxes(Pyramid(_table(BUSY)), quick=True)) == 1 + BUSY
    assert network.widths == [FINE[0]]
    large, small, nothing_sure = (np.zeros((720, 960, 3), np.uint8) for _ in range(3))
    cv2.rectangle(large, (100, 100), (500, 500), WHITE, -1)
    cv2.rectangle(small, (100, 100), (125, 125), WHITE, -1)
    cv2.rectangle(nothing_sure, (150, 350), (200, 400), GREY, -1)
    for pixels in (large, small, nothing_sure):
        network.shown.clear()
        Proposer().boxes(Pyramid(pixels), quick=True)
        assert len(network.widths) > 1


def test_one_more_look_upside_down_adds_what_was_not_seen(network: _Things) -> None:
    (white, _), blue = Proposer().boxes(Pyramid(_table()))
    assert network.widths == [FINE[0], UPSIDE_DOWN[0]]
    assert intersection_over_union((100.0, 100.0, 170.0, 170.0), white) > 0.9, "boxed once, as in the first look"
    assert np.abs(np.array(blue[0]) - DIE).max() < 1.5, "in the picture's own pixels"
    assert blue[1] == pytest.approx(0.7)

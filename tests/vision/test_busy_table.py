"""On a busy table the detector looks once more, finer and in the mirror; what it finds there lies where it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision import propose as proposals
from vision.boxes import Box, intersection_over_union
from vision.propose import BUSY, FINE, FINER, STRIDE, SURE, Proposer, busy

Pixels = NDArray[np.uint8]

DIE: Box = (800.0, 520.0, 880.0, 590.0)
WHITE, FAINT, BLUE = (255, 255, 255), (90, 90, 90), (255, 0, 0)
RED = (0, 0, 255)


class _Things:
    """Boxes round patches: white surely a die, grey hardly; blue is a die too, seen only where red lies right of it."""

    def __init__(self) -> None:
        self.widths: list[int] = []
        """Of the pictures it was shown."""

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]) -> list[Any]:
        red, green, blue = (np.asarray(plane) for plane in input_feed["images"][0])
        self.widths.append(red.shape[1])
        rows = [*_patches(green > 0.9, 0.8), *_patches((green > 0.3) & (green < 0.4), 0.1)]
        reds = np.flatnonzero(((red > 0.9) & (green < 0.1)).any(axis=0))
        blues = _patches((blue > 0.9) & (green < 0.1), 0.7)
        rows += [row for row in blues if reds.size and reds.mean() > row[0]]
        return [np.array(rows or np.zeros((0, 5)), np.float32).T[None]]


def _patches(mask: NDArray[np.bool_], score: float) -> list[tuple[float, ...]]:
    _, _, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return [
        (x + w / 2, y + h / 2, w, h, score)
        for x, y, w, h, area in stats[1:].tolist()
        if 2 * area > w * h > 60
    ]


def _table(faint: int) -> Pixels:
    """A sure die, so many faint things, something red at the left edge and a blue die far right of it."""
    pixels = np.zeros((720, 960, 3), np.uint8)
    cv2.rectangle(pixels, (100, 100), (169, 169), WHITE, -1)
    for number in range(faint):
        cv2.rectangle(pixels, (150 + 90 * number, 350), (200 + 90 * number, 400), FAINT, -1)
    cv2.rectangle(pixels, (0, 600), (60, 660), RED, -1)
    x0, y0, x1, y1 = (int(edge) for edge in DIE)
    pixels[y0:y1, x0:x1] = BLUE
    return pixels


@pytest.fixture(name="network")
def _network(monkeypatch: pytest.MonkeyPatch) -> _Things:
    network = _Things()

    def opened(name: str, folder: Path) -> _Things:
        return network

    monkeypatch.setattr(proposals, "open_network", opened)
    return network


def test_a_table_is_busy_by_what_is_not_sure() -> None:
    weak, sure = SURE - 0.1, SURE + 0.1
    assert not busy(np.array([sure] * 20 + [weak] * (BUSY - 1), np.float32))
    assert busy(np.array([sure] + [weak] * BUSY, np.float32))


def test_a_table_of_sure_dice_costs_one_look(network: _Things) -> None:
    ((box, score),) = Proposer().boxes(_table(0))
    assert network.widths == [FINE[0]]
    assert intersection_over_union((100.0, 100.0, 170.0, 170.0), box) > 0.9
    assert score == pytest.approx(0.8)


def test_small_dice_are_looked_at_more_finely_than_at_first(network: _Things) -> None:
    small = np.zeros((720, 960, 3), np.uint8)
    cv2.rectangle(small, (100, 100), (125, 125), WHITE, -1)
    Proposer().boxes(small)
    first, coarse, fine = network.widths
    assert coarse < first < fine


def test_a_quiet_table_costs_two_looks(network: _Things) -> None:
    boxes = Proposer().boxes(_table(BUSY - 1))
    assert len(network.widths) == 2
    assert max(intersection_over_union(DIE, box) for box, _ in boxes) == 0, "seen in the mirror alone"


def test_on_a_busy_table_the_mirror_shows_what_was_not_seen(network: _Things) -> None:
    boxes = Proposer().boxes(_table(BUSY))
    assert len(network.widths) == 3
    (found,) = [pair for pair in boxes if intersection_over_union(DIE, pair[0]) > 0.9]
    assert found[1] == pytest.approx(0.7)
    assert np.abs(np.array(found[0]) - DIE).max() < 1.5, "in the picture's own pixels, not the mirror's"
    assert len(boxes) == 2 + BUSY, "what both looks see is boxed once"
    assert [score for _, score in boxes] == sorted((score for _, score in boxes), reverse=True)


def test_the_look_in_the_mirror_is_finer(network: _Things) -> None:
    Proposer().boxes(_table(BUSY))
    assert network.widths[0] in range(FINE[0], FINE[1] + STRIDE)
    assert network.widths[2] == pytest.approx(FINER * network.widths[0], abs=STRIDE)

"""The verifier's windows: which boxes teach something, what is seen around them, and what a batch is made of."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.windows import MARGIN, STORED, Windows, batches, collect, middle, window
from vision.boxes import CROP, SURROUNDINGS, Box
from vision.propose import Proposer
from vision.pyramid import Pyramid


class _Boxes(Proposer):
    def __init__(self, boxes: list[Box]) -> None:
        self._given = boxes

    def boxes(self, pixels: np.ndarray) -> list[tuple[Box, float]]:
        return [(box, 0.5) for box in self._given]


def _album(folder: Path) -> Path:
    for name in ("images", "labels"):
        (folder / name).mkdir(parents=True)
    pixels = np.full((240, 320, 3), 90, np.uint8)
    cv2.rectangle(pixels, (100, 80), (139, 119), (250, 250, 250), -1)
    cv2.imwrite(str(folder / "images" / "a.png"), pixels)
    (folder / "labels" / "a.txt").write_text("0 0.375 0.41667 0.125 0.16667\n")
    return folder / "images" / "a.png"


def test_boxes_on_a_die_and_far_from_one_teach_and_what_is_between_does_not(tmp_path: Path) -> None:
    on, beside, far = (102.0, 78.0, 141.0, 121.0), (122.0, 80.0, 162.0, 120.0), (220.0, 30.0, 260.0, 70.0)
    windows = collect([_album(tmp_path)], _Boxes([on, beside, far]))
    assert sorted(windows.dice.tolist()) == [False, True, True], (
        "the box on it, the far one, and the label's own"
    )
    refused = windows.pixels[~windows.dice][0]
    assert refused[STORED // 2, STORED // 2].max() < 100
    windows.write(tmp_path / "w.npz")
    again = Windows.join([tmp_path / "w.npz", tmp_path / "w.npz"])
    assert len(again) == 6


def test_a_window_shows_the_box_as_large_as_the_verifier_sees_it() -> None:
    pixels = np.zeros((200, 200, 3), np.uint8)
    pixels[80:120, 80:120] = 255
    seen = middle(window(Pyramid(pixels), (80.0, 80.0, 120.0, 120.0))[None])[0]
    assert seen.shape == (CROP, CROP, 3)
    assert (seen[CROP // 2, :, 0] > 128).sum() == pytest.approx(CROP / (1 + 2 * SURROUNDINGS), abs=1.5)
    assert MARGIN * 2 + CROP == STORED


def test_half_of_a_batch_holds_dice(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    pixels = rng.integers(0, 256, (9, STORED, STORED, 3), dtype=np.uint8)
    windows = Windows(pixels, np.array([True] * 7 + [False] * 2))
    crops, dice = next(batches(windows, 16, rng))
    assert crops.shape == (16, STORED, STORED, 3)
    assert dice.sum() == 8

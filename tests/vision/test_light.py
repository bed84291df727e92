"""A picture that cannot be read well says why."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.boxes import Box
from vision.picture import load_picture
from vision.quality import trouble_of

FRAMES = Path(__file__).parent.parent / "frames" / "cats"
Pixels = NDArray[np.uint8]


def _frame(name: str) -> tuple[Pixels, list[Box]]:
    pixels = load_picture(FRAMES / "images" / f"{name}.jpg")
    height, width = pixels.shape[:2]
    boxes: list[Box] = []
    for line in (FRAMES / "labels" / f"{name}.txt").read_text().splitlines():
        x, y, w, h = (float(value) for value in line.split()[1:5])
        boxes.append(((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height))
    return pixels, boxes


@pytest.mark.parametrize("name", sorted(path.stem for path in (FRAMES / "images").glob("*.jpg")))
def test_a_frame_says_what_is_wrong_with_it(name: str) -> None:
    pixels, boxes = _frame(name)
    width = float(np.median([x1 - x0 for x0, _, x1, _ in boxes]))
    assert trouble_of(pixels, boxes) is None
    assert trouble_of((pixels * 0.08).astype(np.uint8), boxes) == "dark"
    assert (
        trouble_of(np.clip(pixels.astype(np.int32) * 8 + 180, 0, 255).astype(np.uint8), boxes)
        == "overexposed"
    )
    assert (
        trouble_of(np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.05 * width), np.uint8), boxes) == "blurred"
    )


def test_without_dice_the_whole_frame_is_judged() -> None:
    pixels, _ = _frame("0000")
    assert trouble_of(pixels, []) is None
    assert trouble_of(np.zeros((90, 120, 3), np.uint8), []) == "dark"
    assert trouble_of(np.full((90, 120, 3), 255, np.uint8), []) == "overexposed"


def test_boxes_beyond_the_border_are_no_matter() -> None:
    pixels, _ = _frame("0000")
    assert trouble_of(pixels, [(-500.0, -500.0, -100.0, -100.0)]) is None

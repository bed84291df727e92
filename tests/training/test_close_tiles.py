"""Training tiles of a die from very near: what they show, and where they say it lies."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.evaluate.labels import label_lines, label_text
from training.tiles import FILLED, LEAST, close_tile, cut_close
from vision.propose import GREY

SIDE = 384
RED, TABLE = (20, 20, 220), (120, 160, 90)
Box = tuple[float, float, float, float]


def table(*dice: Box) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """A plain table on which dice are red."""
    pixels = np.full((SIDE, SIDE, 3), TABLE, np.uint8)
    for x0, y0, x1, y1 in dice:
        pixels[int(y0) : int(y1), int(x0) : int(x1)] = RED
    return pixels


@pytest.mark.parametrize("seed", range(6))
def test_a_tile_is_filled_by_a_die_and_its_box_is_where_the_die_is(seed: int) -> None:
    die: Box = (150, 120, 240, 200)
    made = close_tile(table(die), [die], SIDE, np.random.default_rng(seed))
    assert made is not None
    tile, (box,) = made
    red = np.argwhere(np.abs(tile.astype(int) - RED).max(axis=2) < 60)
    (top, left), (bottom, right) = red.min(axis=0), red.max(axis=0) + 1
    assert np.abs(np.array(box) - (left, top, right, bottom)).max() < 4
    shown = np.argwhere((tile != GREY).any(axis=2))
    height, width = shown.max(axis=0) + 1 - shown.min(axis=0)
    filled = max(right - left, bottom - top) / min(height, width)
    assert FILLED[0] - 0.05 < filled < FILLED[1] + 0.02


def test_a_neighbour_cut_in_half_is_never_shown() -> None:
    """Nobody could say whether half a die is one."""
    dice: list[Box] = [(100, 100, 190, 190), (192, 100, 282, 190)]
    for seed in range(60):
        made = close_tile(table(*dice), dice, SIDE, np.random.default_rng(seed))
        if made is not None:
            for x0, y0, x1, y1 in made[1]:
                assert min(x1 - x0, y1 - y0) / max(x1 - x0, y1 - y0) > 0.65


def test_tiles_are_cut_from_the_last_pictures_first_and_labelled(tmp_path: Path) -> None:
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
    die: Box = (150, 120, 240, 200)
    small: Box = (150, 120, 150 + LEAST - 1, 160)
    for number in range(5):
        cv2.imwrite(str(tmp_path / "images" / f"{number}.jpg"), table(die) if number > 1 else table())
        label = label_text(0, die if number > 1 else small, SIDE, SIDE) if number else ""
        (tmp_path / "labels" / f"{number}.txt").write_text(label)
    pictures = sorted((tmp_path / "images").glob("*.jpg"))
    assert len(cut_close(pictures, tmp_path / "two", side=SIDE, most=2)) == 2
    written = cut_close(pictures, tmp_path / "all", side=SIDE, most=9)
    assert len(written) == 3, "pictures without dice, or with small ones, have nothing to show"
    for path in written:
        (label,) = label_lines(path.parent.parent / "labels" / f"{path.stem}.txt", SIDE, SIDE)
        assert label.box[2] - label.box[0] > 80

"""Cuts training tiles in which one die nearly fills the picture, as when it is held before the camera to be taught.

A reader looks at such a picture from further away (`vision.propose.FAR`), so the die is as large as others are, but
there is little table around it, and grey beyond the picture's border.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.evaluate.labels import label_lines
from training.photographs import cut_out, inside, write_tile
from training.synth.chance import log_uniform
from vision.boxes import Box
from vision.picture import load_picture
from vision.propose import GREY

Pixels = NDArray[np.uint8]

LEAST: Final = 55.0
"""Pixels of a die's longer side below which it is too coarse to be enlarged."""
FILLED: Final = (0.42, 1.0)
"""Share of the picture's shorter side that the die's longer side fills."""
LONGER: Final = (224.0, 384.0)
"""Pixels of the picture's longer side in its tile."""
SHORTER: Final = (0.56, 1.0)
"""The picture's shorter side as a share of the longer one."""
STRAY: Final = 0.1
"""How far the die may lie from the picture's middle, as a share of its shorter side."""


def cut_close(pictures: Sequence[Path], target: Path, *, side: int, most: int, seed: int = 0) -> list[Path]:
    """Write up to `most` tiles of `side` pixels, with labels of one class; returns their paths.

    Each is cut from another picture, from the last one backwards; beside their folder lies labels/ in YOLO form.
    """
    written: list[Path] = []
    for picture in reversed(pictures):
        if len(written) == most:
            break
        pixels = load_picture(picture)
        lines = label_lines(
            picture.parent.parent / "labels" / f"{picture.stem}.txt", pixels.shape[1], pixels.shape[0]
        )
        rng = np.random.default_rng([seed, len(written)])
        made = close_tile(pixels, [line.box for line in lines], side, rng)
        if made is not None:
            written.append(write_tile(target, f"close-{len(written):05}", *made))
    return written


def close_tile(
    pixels: Pixels, truth: list[Box], side: int, rng: np.random.Generator
) -> tuple[Pixels, list[Box]] | None:
    """One die of (H, W, 3) pixels nearly filling a picture in a (side, side, 3) tile, and the tile's boxes.

    None where all dice are small, or where a neighbour is cut so that nobody can say whether it is a die.
    """
    large = [box for box in truth if max(box[2] - box[0], box[3] - box[1]) >= LEAST]
    if not large:
        return None
    x0, y0, x1, y1 = large[int(rng.integers(len(large)))]
    longer = log_uniform(rng, *LONGER)
    shorter = longer * float(rng.uniform(*SHORTER))
    width, height = (longer, shorter) if rng.random() < 0.6 else (shorter, longer)
    scale = shorter * float(rng.uniform(*FILLED)) / max(x1 - x0, y1 - y0)
    stray = rng.uniform(-STRAY, STRAY, 2) * shorter
    left = (x0 + x1) / 2 * scale - width / 2 + stray[0]
    top = (y0 + y1) / 2 * scale - height / 2 + stray[1]
    boxes = inside(truth, scale, left, top, width, height)
    if not boxes:
        return None
    seen = cut_out(pixels, scale, left, top, (round(width), round(height)), cv2.BORDER_REPLICATE)
    tile = np.full((side, side, 3), GREY, np.uint8)
    across, down = (int(rng.integers(side - edge + 1)) for edge in (seen.shape[1], seen.shape[0]))
    tile[down : down + seen.shape[0], across : across + seen.shape[1]] = seen
    return tile, [(a + across, b + down, c + across, d + down) for a, b, c, d in boxes]

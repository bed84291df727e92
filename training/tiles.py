"""Cuts labelled pictures into training tiles at the sizes that the detector meets.

A reader looks at a picture at two scales and full resolution; a training picture is a small tile. A whole photograph
shrunk into one tile would teach that dice in photographs are tiny. Other tiles are nearly filled by one die, as when it
is held before the camera to be enrolled: a reader looks at such a picture from further away (`vision.propose.FAR`), so
the die is as large as others are, but there is little table around it, and grey beyond the picture's border.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from training.evaluate.labels import jpeg, label_text, labels_of, pictures_in, write_labelled
from training.synth.chance import log_uniform
from vision.boxes import Box
from vision.frame import Pixels
from vision.picture import load_picture
from vision.propose import GREY

SIDES = (360.0, 1100.0)
"""Longer side of the photograph in pixels when a tile is cut from it: what detectors look at, and somewhat beyond."""
MOST_ENLARGED = 1.7
WHOLE, GONE = 0.7, 0.25
"""Shares of a box inside the tile: above the first it is a die, below the second it is none; between, another tile
is cut."""
TRIES = 30


def cut_tiles(
    source: Path, target: Path, *, side: int, each: int, seed: int = 0, pictures: Sequence[Path] | None = None,
    grown: Box = (0.0, 0.0, 0.0, 0.0),
) -> list[Path]:  # fmt: skip
    """Write `each` tiles of `side` pixels a photograph, with labels of one class; returns the tiles' paths.

    `source` holds images/ and labels/ in YOLO form (class and box, fractions of the picture); every class is "die".
    `pictures` are those of it to cut; `grown` moves the edges of each box, in shares of its width and height.
    """
    written: list[Path] = []
    for number, picture in enumerate(pictures_in(source) if pictures is None else pictures):
        rng = np.random.default_rng([seed, number])
        pixels = load_picture(picture)
        boxes = np.array([label.box for label in labels_of(picture, pixels)]).reshape(-1, 4)
        sides = np.tile(boxes[:, 2:] - boxes[:, :2], 2)
        truth = [(x0, y0, x1, y1) for x0, y0, x1, y1 in (boxes + sides * grown).tolist()]
        for count, (tile, inside) in enumerate(_tiles(pixels, truth, side, each, rng)):
            written.append(write_tile(target, f"{number:05}-{count}", tile, inside))
    return written


def write_tile(target: Path, name: str, tile: Pixels, boxes: list[Box]) -> Path:
    """Write a square tile and its labels of one class below `target`; returns the picture's path."""
    write_labelled(target, name, jpeg(tile), (label_text(0, box, len(tile), len(tile)) for box in boxes))
    return target / "images" / f"{name}.jpg"


def _tiles(
    pixels: Pixels, truth: list[Box], side: int, count: int, rng: np.random.Generator
) -> Iterator[tuple[Pixels, list[Box]]]:
    height, width = pixels.shape[:2]
    longer = max(width, height)
    made = 0
    for _ in range(count * TRIES):
        if made == count:
            return
        scale = min(log_uniform(rng, *SIDES) / longer, MOST_ENLARGED)
        # Pictures smaller than a tile lie somewhere in it.
        free = [edge * scale - side for edge in (width, height)]
        x, y = (float(rng.uniform(min(0.0, room), max(0.0, room))) for room in free)
        boxes = inside(truth, scale, x, y, side, side)
        if boxes is None or (truth and not boxes and rng.random() < 0.7):
            continue
        made += 1
        yield cut_out(pixels, scale, x, y, (side, side), cv2.BORDER_CONSTANT), boxes


def cut_out(pixels: Pixels, scale: float, x: float, y: float, size: tuple[int, int], border: int) -> Pixels:
    """A part (H, W, 3) of a picture scaled by `scale`, from x, y of that on; `size` is its width and height.

    Beyond the picture it is grey, or what OpenCV's `border` says.
    """
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    scaled = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=method)
    shift = np.array([[1.0, 0, -round(x)], [0, 1.0, -round(y)]])
    part = cv2.warpAffine(scaled, shift, size, borderMode=border, borderValue=(GREY,) * 3)
    return np.asarray(part, np.uint8)


def inside(truth: list[Box], scale: float, x: float, y: float, width: float, height: float) -> list[Box] | None:
    """The boxes in a part of the scaled picture; None if one is cut so that nobody can say whether it is a die."""
    kept: list[Box] = []
    for x0, y0, x1, y1 in truth:
        box = (x0 * scale - x, y0 * scale - y, x1 * scale - x, y1 * scale - y)
        clipped = (max(box[0], 0.0), max(box[1], 0.0), min(box[2], width), min(box[3], height))
        wide, high = clipped[2] - clipped[0], clipped[3] - clipped[1]
        share = max(wide, 0.0) * max(high, 0.0) / max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)
        if GONE < share < WHOLE:
            return None
        if share >= WHOLE:
            kept.append(clipped)
    return kept


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
        rng = np.random.default_rng([seed, len(written)])
        made = close_tile(pixels, [label.box for label in labels_of(picture, pixels)], side, rng)
        if made is not None:
            written.append(write_tile(target, f"close-{len(written):05}", *made))
    return written


def close_tile(
    pixels: Pixels, truth: list[Box], side: int, rng: np.random.Generator
) -> tuple[Pixels, list[Box]] | None:
    """One die of (H, W, 3) pixels nearly filling a picture in a (side, side, 3) tile, and the tile's boxes.

    None if all dice are small, or where a neighbour is cut so that nobody can say whether it is a die.
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

"""Uses how the table looked without dice: what came with the throw is likelier to be a die than what lay there before.

A live table passes on a mask, smaller than the picture, of where the table differs from how it looked when no die was
found (`vision.settle`). A photograph has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from statistics import median
from typing import Final

import cv2
import numpy as np

from vision.boxes import Box, fill, intersection_over_union
from vision.frame import Mask

MIDDLE: Final = 0.25
"""The middle of a box lies this share of its sides inside its edges, where no other die reaches."""
NEW, OLD, ODDS = 0.4, 0.25, 20.0
"""A box holds something new if at least the first share of its middle has changed, and something old if less than the
second share has. The odds of a die are multiplied or divided by the third: print on a board and things beside the dice
look like dice, but do not come with a throw."""
SURE: Final = 0.5
"""Boxes with at least this score show how large dice are, and explain the changes in them,"""
AROUND: Final = 0.1
"""and up to this share of their sides around them."""
CLEANED: Final = 0.35
"""Changes narrower than this share of a die are shadows and edges."""
SIZES: Final = (0.55, 1.7)
"""Bounds of the sides of a possible die, as shares of the other dice's sides."""
ELSEWHERE: Final = 0.4
"""Boxes with a higher intersection over union than this surround the same thing."""
SCORE: Final = 0.3
"""The score given to boxes that the detector missed."""


def odds(arrived: Mask | None, box: Box, width: int) -> float:
    """Factor on the odds that a box contains a die, because its contents came with the throw or were there before.

    The picture is `width` pixels wide. The factor is 1 if nothing is known and for boxes outside the picture.
    """
    if arrived is None:
        return 1.0
    scale = arrived.shape[1] / width
    inset = MIDDLE * (box[2] - box[0]), MIDDLE * (box[3] - box[1])
    x0, y0 = (max(int((edge + inner) * scale), 0) for edge, inner in zip(box[:2], inset, strict=True))
    x1, y1 = (max(ceil((edge - inner) * scale), 0) for edge, inner in zip(box[2:], inset, strict=True))
    changed = arrived[y0:y1, x0:x1]
    part = float(changed.mean()) / 255 if changed.size else None
    if part is None or OLD <= part < NEW:
        return 1.0
    return ODDS if part >= NEW else 1 / ODDS


def unboxed(arrived: Mask, boxes: Sequence[tuple[Box, float]], width: int) -> list[tuple[Box, float]]:
    """Boxes with scores around things as large as the dice that came with them and are in none of the `boxes`."""
    sure = [box for box, score in boxes if score >= SURE and odds(arrived, box, width) > 1]
    if not sure:
        return []
    scale = arrived.shape[1] / width
    side = median(max(x1 - x0, y1 - y0) for x0, y0, x1, y1 in sure) * scale
    left = arrived.copy()
    fill(left, [(x0 * scale, y0 * scale, x1 * scale, y1 * scale) for x0, y0, x1, y1 in sure], 0, AROUND)
    cleaning = np.ones((max(round(CLEANED * side), 2),) * 2, np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(left, cv2.MORPH_OPEN, cleaning))
    found: list[tuple[Box, float]] = []
    for x, y, wide, high, _ in stats[1:].tolist():
        box = (x / scale, y / scale, (x + wide) / scale, (y + high) / scale)
        fits = SIZES[0] * side <= min(wide, high) and max(wide, high) <= SIZES[1] * side
        if fits and not any(intersection_over_union(box, other) > ELSEWHERE for other, _ in boxes):
            found.append((box, SCORE))
    return found

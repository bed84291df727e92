"""What a table tells that was seen without dice: what came with the throw is likelier to be one than what lay there.

A live table hands on where it differs from how it lay when no die was found, as a mask of the picture made smaller
(`vision.settle`); a photograph has none.
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
"""A box's middle lies so many of its sides inside its edges: there, no other die reaches in."""
NEW, OLD, ODDS = 0.4, 0.25, 20.0
"""Part of a box's middle that must have changed for what is in it to be new on the table, and part below which it was
there when there were no dice; and by how much the odds of a die rise and fall: print on a board and what lies beside
the dice look like some, but do not come with a throw."""
SURE: Final = 0.5
"""Boxes with this score say how large dice are, and explain what has changed in them,"""
AROUND: Final = 0.1
"""and so many of their sides around them."""
CLEANED: Final = 0.35
"""Changes that are narrower than this part of a die are shadows and edges."""
SIZES: Final = (0.55, 1.7)
"""Sides of what may be a die, in those of the others."""
ELSEWHERE: Final = 0.4
"""A box that shares more than this with another one is around the same."""
SCORE: Final = 0.3
"""What the detector would say of what it did not box."""


def odds(arrived: Mask | None, box: Box, width: int) -> float:
    """By how much it is likelier that a box holds a die, as what is in it came with the throw or was there before.

    The picture is `width` pixels wide. 1 where nobody knows, and beyond the picture.
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
    """Boxes, with a score, around what is as large as the dice, came with them, and is not in one of the `boxes`."""
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

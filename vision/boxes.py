"""Upright boxes (x0, y0, x1, y1 in pixels), and the squares that the networks see of them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Doubles, Mask

Box = tuple[float, float, float, float]
Window = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels; x1 and y1 are outside."""


def area(box: Box) -> float:
    """Square pixels of a box."""
    return (box[2] - box[0]) * (box[3] - box[1])


def shared_area(first: Box, second: Box) -> float:
    """Square pixels that two boxes have in common."""
    across = min(first[2], second[2]) - max(first[0], second[0])
    down = min(first[3], second[3]) - max(first[1], second[1])
    return across * down if across > 0 and down > 0 else 0.0


def intersection_over_union(first: Box, second: Box) -> float:
    """What two boxes share, as a part of what they cover together."""
    shared = shared_area(first, second)
    return shared / (area(first) + area(second) - shared) if shared else 0.0


def covered_part(first: Box, second: Box) -> float:
    """Part of the smaller of two boxes that the other covers, 0 … 1."""
    return shared_area(first, second) / max(min(area(first), area(second)), 1e-9)


def nms(boxes: Sequence[Box], scores: Sequence[float], shared: float) -> list[int]:
    """Indices of boxes, surest first, without those that share more with a surer one, of what both cover.

    Non-maximum suppression.
    """
    corners_and_sizes = [(x0, y0, x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes]
    kept = cv2.dnn.NMSBoxes(corners_and_sizes, list(scores), 0.0, shared)
    return np.asarray(kept, np.intp).reshape(-1).tolist()


def fill(mask: Mask, boxes: Sequence[Box], value: int, around: float = 0.0) -> None:
    """Set what lies in boxes (pixels of the mask), and so many of their sides around them, to a value."""
    for x0, y0, x1, y1 in boxes:
        dx, dy = around * (x1 - x0), around * (y1 - y0)
        low, high = (round(x0 - dx), round(y0 - dy)), (round(x1 + dx), round(y1 + dy))
        cv2.rectangle(mask, low, high, (value,), -1)


CROP = 96
"""Side of a crop in pixels."""
PADDING = 0.18
"""How much of the box's longer side is added on each side of it."""
SURROUNDINGS = 0.7
"""The same where what lies around the die is to be seen, too, as the verifier does."""


def crop_map(box: Box, padding: float = PADDING, side: int = CROP, turn: float = 0.0) -> Doubles:
    """(3, 3) map from picture pixels to those of a crop of `side` pixels, which the padded box's longer side fills.

    `turn` in radians is by how much the crop is turned, clockwise as one sees it.
    """
    x0, y0, x1, y1 = box
    scale = side / (max(x1 - x0, y1 - y0, 4.0) * (1 + 2 * padding))
    centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    turned = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.vstack([np.column_stack([turned, (side - 1) / 2 - turned @ centre]), [0, 0, 1.0]])


def scale_of(mapping: Doubles) -> float:
    """How many pixels of a crop one pixel of the picture is long."""
    return float(np.hypot(mapping[0, 0], mapping[1, 0]))


def turn_of(mapping: Doubles) -> float:
    """By how much a crop is turned, in radians, as `crop_map` was told."""
    return float(np.arctan2(mapping[1, 0], mapping[0, 0]))

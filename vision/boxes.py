"""Upright boxes (x0, y0, x1, y1 in pixels), and the square crops that the networks see."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np

from vision.frame import Doubles, Mask

Box = tuple[float, float, float, float]
Window = tuple[int, int, int, int]
"""x0, y0, x1, y1 in whole pixels; x1 and y1 are outside."""


def area(box: Box) -> float:
    """The area of a box in pixels."""
    return (box[2] - box[0]) * (box[3] - box[1])


def shared_area(first: Box, second: Box) -> float:
    """The area of the intersection of two boxes in pixels."""
    across = min(first[2], second[2]) - max(first[0], second[0])
    down = min(first[3], second[3]) - max(first[1], second[1])
    return across * down if across > 0 and down > 0 else 0.0


def intersection_over_union(first: Box, second: Box) -> float:
    """Intersection over union of two boxes, 0 … 1."""
    shared = shared_area(first, second)
    return shared / (area(first) + area(second) - shared) if shared else 0.0


def covered_part(first: Box, second: Box) -> float:
    """Share of the smaller of two boxes that lies inside the other, 0 … 1."""
    return shared_area(first, second) / max(min(area(first), area(second)), 1e-9)


def middles_apart(first: Box, second: Box) -> float:
    """How far the middles of two boxes are from each other, in pixels."""
    return hypot(first[0] + first[2] - second[0] - second[2], first[1] + first[3] - second[1] - second[3]) / 2


def nms(boxes: Sequence[Box], scores: Sequence[float], shared: float) -> list[int]:
    """Indices of boxes, surest first, without those whose intersection over union with a surer one is higher.

    Non-maximum suppression.
    """
    corners_and_sizes = [(x0, y0, x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes]
    kept = cv2.dnn.NMSBoxes(corners_and_sizes, list(scores), 0.0, shared)
    return np.asarray(kept, np.intp).reshape(-1).tolist()


def fill(mask: Mask, boxes: Sequence[Box], value: int, around: float = 0.0) -> None:
    """Set a mask to a value inside boxes (in its pixels) and up to a share of their sides around them."""
    for x0, y0, x1, y1 in boxes:
        dx, dy = around * (x1 - x0), around * (y1 - y0)
        low, high = (round(x0 - dx), round(y0 - dy)), (round(x1 + dx), round(y1 + dy))
        cv2.rectangle(mask, low, high, (value,), -1)


CROP = 96
"""Side of a crop in pixels."""
PADDING = 0.18
"""Share of the box's longer side that is added on each side of it."""
SURROUNDINGS = 0.7
"""The same for the verifier, which also sees the surroundings."""


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
    """Length of a picture's pixel in pixels of a crop."""
    return float(np.hypot(mapping[0, 0], mapping[1, 0]))


def turn_of(mapping: Doubles) -> float:
    """The angle, in radians, by which `crop_map` turned a crop."""
    return float(np.arctan2(mapping[1, 0], mapping[0, 0]))

"""Upright boxes: x0, y0, x1, y1 in pixels."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

Box = tuple[float, float, float, float]


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


def surest(boxes: Sequence[Box], scores: Sequence[float], shared: float) -> list[int]:
    """Indices of boxes, surest first, without those that share more with a surer one, of what both cover."""
    corners_and_sizes = [(x0, y0, x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes]
    return (
        np.asarray(cv2.dnn.NMSBoxes(corners_and_sizes, list(scores), 0.0, shared), np.intp)
        .reshape(-1)
        .tolist()
    )

"""Upright boxes (x0, y0, x1, y1 in pixels), and the squares that the networks see of them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Doubles, Pixels

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


CROP = 96
"""Side of a crop in pixels."""
PADDING = 0.18
"""How much of the box's longer side is added on each side of it."""
SURROUNDINGS = 0.7
"""The same where what lies around the die is to be seen, too, as the verifier does."""
SHRUNK = 0.7
"""Scale below which a crop is smoothed, lest it alias,"""
SMOOTHING = 0.35
"""by a Gaussian of this many of the crop's pixels."""


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


def cut(pixels: Pixels, mapping: Doubles, side: int = CROP) -> Pixels:
    """Cut (side, side, 3) out of a picture, shrunk without aliasing; beyond it, its border is repeated."""
    scale = scale_of(mapping)
    if scale < SHRUNK:
        pixels, mapping = _smoothed(pixels, mapping, side, scale)
    warped = cv2.warpPerspective(pixels, mapping, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def _smoothed(pixels: Pixels, mapping: Doubles, side: int, scale: float) -> tuple[Pixels, Doubles]:
    """The part of a picture that a crop shows, smoothed as the crop's `scale` asks for, and its map to the crop.

    A large part is halved, thirded and so on first: that takes next to no time and does some of the smoothing.
    """
    sigma, whole = SMOOTHING / scale, max(int(0.25 / scale), 1)
    reach = int(3 * sigma) + 2
    corners = cv2.perspectiveTransform(
        np.array([[[0, 0], [side - 1, 0], [side - 1, side - 1], [0, side - 1]]], np.float64), np.linalg.inv(mapping)
    )[0]
    x0, y0 = np.floor(corners.min(0)).astype(int) - reach
    x1, y1 = np.ceil(corners.max(0)).astype(int) + reach
    height, width = pixels.shape[:2]
    x0, y0 = min(max(x0, 0), width - 1), min(max(y0, 0), height - 1)
    x1, y1 = max(min(x1, width), x0 + 1), max(min(y1, height), y0 + 1)
    part = pixels[y0:y1, x0:x1]
    whole = min(whole, *part.shape[:2])
    if whole > 1:
        wide, high = (x1 - x0) // whole, (y1 - y0) // whole
        averaged = cv2.resize(part[: high * whole, : wide * whole], (wide, high), interpolation=cv2.INTER_AREA)
        part = np.asarray(averaged, np.uint8)
    left = np.sqrt(sigma**2 - (whole**2 - 1) / 12) / whole
    part = np.asarray(cv2.GaussianBlur(part, (0, 0), left), np.uint8)
    middle = (whole - 1) / 2
    return part, mapping @ np.array([[whole, 0, x0 + middle], [0, whole, y0 + middle], [0, 0, 1.0]])

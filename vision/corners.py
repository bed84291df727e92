"""From a soft mask of a top face to its corners.

The mask says for each cell how likely it belongs to the face. Its outline is fitted with straight lines, one a
side, and the corners are where neighbouring lines meet: lines use the whole side, so a rounded or worn corner,
where no pixel shows the true one, does not pull them inwards.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

ENLARGE = 4
"""The mask is enlarged this often before its outline is traced, to place it between cells."""
LEVEL = 0.5
ROUNDS = 3
"""Times that outline points are shared out to sides and the sides fitted again."""
END_SHARE = 0.16
"""Part of a side at each end that is left out of its fit: corners are rounded there."""


def fit_polygon(mask: Floats, sides: int) -> Floats | None:
    """The corners of a face with 3 or 4 sides from its mask.

    `mask` is (S, S) in 0 … 1. Returns (sides, 2) corners in cells (the centre of the first cell is (0, 0)),
    clockwise in the picture, or None when there is nothing to fit.
    """
    outline = _outline(mask)
    if outline is None:
        return None
    corners = _first_guess(outline, sides)
    if corners is None:
        return None
    for _ in range(ROUNDS):
        better = _refit(outline, corners)
        if better is None:
            break
        corners = better
    return clockwise(corners)


def clockwise(corners: Floats) -> Floats:
    """The same polygon, clockwise in the picture (y down), from its uppermost corner."""
    x, y = corners[:, 0], corners[:, 1]
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())
    ordered = corners if area > 0 else corners[::-1]
    return np.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0).astype(np.float32)


def _outline(mask: Floats) -> Floats | None:
    """(N, 2) points on the mask's LEVEL line, evenly spaced, of its largest part."""
    side = mask.shape[0]
    large = cv2.resize(mask, (side * ENLARGE, side * ENLARGE), interpolation=cv2.INTER_CUBIC)
    found, _ = cv2.findContours((large > LEVEL).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not found:
        return None
    contour = max(found, key=cv2.contourArea)
    if cv2.contourArea(contour) < (2.5 * ENLARGE) ** 2:
        return None
    hull = cv2.convexHull(contour)[:, 0].astype(np.float32)
    if len(hull) < 3:
        return None
    points = _walk(hull, 160)
    # The traced pixels lie just inside the level line: half an enlarged pixel on average.
    middle = points.mean(axis=0)
    outward = points - middle
    outward /= np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-6)
    points = points + 0.5 * outward
    return ((points + 0.5) / ENLARGE - 0.5).astype(np.float32)


def _walk(polygon: Floats, count: int) -> Floats:
    """`count` points spread evenly along a closed polygon."""
    closed = np.concatenate([polygon, polygon[:1]])
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    stops = np.linspace(0, length[-1], count, endpoint=False)
    return np.stack([np.interp(stops, length, closed[:, i]) for i in (0, 1)], axis=1).astype(np.float32)


def _first_guess(outline: Floats, sides: int) -> Floats | None:
    """The polygon of `sides` corners that covers most of the outline: corners taken away one by one, least loss first."""
    polygon = [point for point in outline[::4]]
    while len(polygon) > sides:
        ring = np.stack(polygon)
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        a, b = ring - before, after - before
        loss = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
        polygon.pop(int(loss.argmin()))
    ring = np.stack(polygon)
    return ring if cv2.contourArea(ring) > 4 else None


def _refit(outline: Floats, corners: Floats) -> Floats | None:
    """Fit a line to each side's outline points and meet neighbouring lines; None when they run away."""
    count = len(corners)
    after = np.roll(corners, -1, axis=0)
    along = after - corners
    length2 = (along**2).sum(axis=1)
    share = ((outline[:, None] - corners) * along).sum(axis=2) / np.maximum(length2, 1e-6)
    foot = corners + np.clip(share, 0, 1)[..., None] * along
    owner = np.linalg.norm(outline[:, None] - foot, axis=2).argmin(axis=1)
    lines: list[tuple[Floats, Floats]] = []
    for i in range(count):
        mine = (owner == i) & (share[:, i] > END_SHARE) & (share[:, i] < 1 - END_SHARE)
        points = outline[mine]
        if len(points) < 3:
            return None
        middle = points.mean(axis=0)
        _, _, axes = np.linalg.svd(points - middle, full_matrices=False)
        lines.append((middle, axes[0]))
    met = [_meet(lines[i - 1], lines[i]) for i in range(count)]
    if any(point is None for point in met):
        return None
    result = np.array(met, np.float32)
    reach = np.sqrt(length2.max())
    return result if np.linalg.norm(result - corners, axis=1).max() < 0.4 * reach else None


def _meet(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats | None:
    """Where two lines (point, direction) cross; None when they are nearly parallel."""
    (p, u), (q, v) = first, second
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.15:
        return None
    step = float((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / cross
    return (p + step * u).astype(np.float32)

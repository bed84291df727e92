"""From a soft mask of a top face to its corners.

The mask says for each cell how likely it belongs to the face. Its outline is fitted with straight lines, one
a side, and the corners are where neighbouring lines meet: lines use the whole side, so a rounded or worn
corner, where no pixel shows the true one, does not pull them inwards.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

ENLARGE = 4
"""The mask is enlarged this often before its outline is traced, to place it between cells."""
LEVEL = 0.5
ROUNDS = 4
"""Times that the sides are fitted again."""
END_SHARE = 0.16
"""Part of a side at each end that is left out of its fit: corners are rounded there."""
STOPS = 20
"""Places along a side where its edge is looked for."""
REACH = 2.5
"""How far on either side of it, in cells."""
STEP = 0.25


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
    corners = clockwise(corners)
    for _ in range(ROUNDS):
        better = _refit(mask, corners)
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
    return ((points + 0.5) / ENLARGE - 0.5).astype(np.float32)


def _walk(polygon: Floats, count: int) -> Floats:
    """`count` points spread evenly along a closed polygon."""
    closed = np.concatenate([polygon, polygon[:1]])
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    stops = np.linspace(0, float(length[-1]), count, endpoint=False)
    return np.stack([np.interp(stops, length, closed[:, i]) for i in (0, 1)], axis=1).astype(np.float32)


def _first_guess(outline: Floats, sides: int) -> Floats | None:
    """The corners that cover most of the outline: the others are taken away one by one, least loss first."""
    polygon = list(outline[::4])
    while len(polygon) > sides:
        ring = np.stack(polygon)
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        a, b = ring - before, after - before
        loss = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
        polygon.pop(int(loss.argmin()))
    ring = np.stack(polygon)
    return ring if cv2.contourArea(ring) > 4 else None


def _refit(mask: Floats, corners: Floats) -> Floats | None:
    """Fit a line to the mask's edge along each side and meet neighbouring lines; None when they run away.

    Across a side the mask falls from one to nothing, however softly; the sum of it along a short
    perpendicular tells where the edge is to a fraction of a cell.
    """
    along = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(along, axis=1, keepdims=True)
    if float(length.min()) < 1:
        return None
    along = along / length
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    stops = np.linspace(END_SHARE, 1 - END_SHARE, STOPS, dtype=np.float32)
    feet = corners[:, None] + stops[None, :, None] * (along * length)[:, None]
    steps = np.arange(-REACH, REACH + 1e-6, STEP, dtype=np.float32)
    across = feet[:, :, None] + steps[None, None, :, None] * outward[:, None, None]
    flat = across.reshape(len(corners) * STOPS, len(steps), 2).astype(np.float32)
    level = cv2.remap(mask, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    inside = level.sum(axis=1).reshape(len(corners), STOPS) * STEP
    crosses = (inside > STEP) & (inside < len(steps) * STEP - STEP)
    edge = feet + (inside - REACH - STEP / 2)[..., None] * outward[:, None]
    lines: list[tuple[Floats, Floats]] = []
    for points, crossed in zip(edge, crosses, strict=True):
        if np.count_nonzero(crossed) < 3:
            return None
        middle = points[crossed].mean(axis=0)
        _, _, axes = np.linalg.svd(points[crossed] - middle, full_matrices=False)
        lines.append((middle, axes[0]))
    met = [_meet(lines[i - 1], lines[i]) for i in range(len(corners))]
    if any(point is None for point in met):
        return None
    better = np.array(met, np.float32)
    return better if np.linalg.norm(better - corners, axis=1).max() < 0.4 * float(length.max()) else None


def _meet(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats | None:
    """Where two lines (point, direction) cross; None when they are nearly parallel."""
    (p, u), (q, v) = first, second
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.15:
        return None
    step = float((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / cross
    return (p + step * u).astype(np.float32)

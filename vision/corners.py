"""From a soft mask of a top face to its corners.

A face that a camera sees is nearly an affine image of a square or an equilateral triangle, so the mask's
moments give it up to a turn; the turn that covers the mask best is the start. Then the sides are laid where
the mask falls, and at last corners are moved as long as the outline agrees better with mask and corner bumps.
Whole areas and whole sides decide: a rounded or worn corner, where no pixel shows the true one, does not pull
the outline inwards.

All coordinates are cells of the mask; the centre of the first cell is (0, 0).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape

Floats = NDArray[np.float32]

LEAST_CELLS = 9
"""A mask of fewer cells is no face."""
TURNS_TRIED = 12
"""Turns at which the first guess is held against the mask, within one symmetry of the shape."""
BUMP_WORTH = 8.0
"""What a corner on top of its bump is worth, in cells of agreement."""
ROUNDS = 3
"""Times that the sides are laid again, as long as it helps."""
END_SHARE = 0.16
"""Part of a side at each end that is left out of its fit: corners are rounded there."""
STOPS = 20
"""Places along a side where its edge is looked for."""
REACH = 2.5
"""How far on either side of it, in cells."""
STEP = 0.25
MOVES = (1.0, 0.5, 0.25, 0.12)
"""Steps of the last search, in cells."""
SWEEPS = 4
"""Moves at each step, as long as they help."""
DIRECTIONS = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], np.float32)
MARGIN = 8
"""Cells around the mask in which outlines may still lie."""
SAMPLES = 16
"""Samples along a side."""
SAMPLED_AT = (np.arange(SAMPLES, dtype=np.float32) + 0.5) / SAMPLES
EVEN = np.full(SAMPLES, 1 / SAMPLES, np.float32)
"""What each sample counts in the mean."""

SLACK = 1.0
"""Agreement given up for sides laid on clean edges, which place them finer than cells can tell."""


def rough_outlines(masks: Floats, bumps: Floats, shape: Shape) -> list[Floats | None]:
    """For each mask (D, S, S) the outline (sides, 2) that its moments tell, clockwise, at the turn that agrees best.

    Rougher than `fit_polygon`'s, and enough to tell how the table is tilted. None where there is nothing to fit.
    """
    moments = {i: told for i, mask in enumerate(masks) if (told := _moments(mask)) is not None}
    found: list[Floats | None] = [None] * len(masks)
    if moments:
        there = list(moments)
        tried = _first_guesses(np.array(list(moments.values())), shape)
        best = Agreement(masks[there], bumps[there]).of(tried).argmax(axis=1)
        for i, turns, turn in zip(there, tried, best, strict=True):
            found[i] = clockwise(turns[turn])
    return found


def fit_polygon(mask: Floats, shape: Shape, bumps: Floats | None = None) -> Floats | None:
    """The corners of a face of a shape.

    `mask` is (S, S) in 0 … 1, `bumps` likewise with a bump on each corner where they are known. Returns
    (sides, 2) corners, clockwise in the picture (y down) from the uppermost left one, or None when there is
    nothing to fit.
    """
    (rough,) = rough_outlines(mask[None], np.zeros_like(mask)[None] if bumps is None else bumps[None], shape)
    return None if rough is None else refine(mask, rough, bumps)


def refine(mask: Floats, outline: Floats, bumps: Floats | None = None) -> Floats:
    """The corners (sides, 2) that agree best with a mask, from a rough outline; clockwise, as `fit_polygon`'s are."""
    agreement = Agreement(mask[None], None if bumps is None else bumps[None])
    corners, best = outline, agreement.of_one(outline)
    for _ in range(ROUNDS):
        laid = _lay_sides(mask, corners)
        worth = float("-inf") if laid is None else agreement.of_one(laid)
        if laid is None or worth <= best:
            break
        corners, best = laid, worth
    corners = _search(agreement, corners, best)
    laid = _lay_sides(mask, corners)
    if laid is not None and agreement.of_one(laid) > agreement.of_one(corners) - SLACK:
        corners = laid
    return clockwise(corners)


def clockwise(corners: Floats) -> Floats:
    """The same polygon, clockwise in the picture (y down), from its uppermost left corner."""
    ordered = corners if cv2.contourArea(corners, oriented=True) > 0 else corners[::-1]
    first = int(ordered.sum(axis=1).argmin())
    return np.concatenate([ordered[first:], ordered[:first]]).astype(np.float32)


class Agreement:
    """How well outlines agree with masks: what they cover above a half less what they cover below.

    The integral over an outline's inside is one along its sides (Green): of the mask summed from the left, times
    the step down. So a candidate costs some dozens of samples, and many of them, for many dice, are held against
    their masks at once: the masks stand below each other in one picture.
    """

    def __init__(self, masks: Floats, bumps: Floats | None) -> None:
        """`masks` (D, S, S) in 0 … 1, `bumps` likewise with a bump on each corner where they are known."""
        count, rows, columns = masks.shape
        self._tall = rows + 2 * MARGIN
        gain = np.full((count, self._tall, columns + 2 * MARGIN), -0.5, np.float32)
        gain[:, MARGIN:-MARGIN, MARGIN:-MARGIN] += masks
        summed = np.zeros((count, self._tall, columns + 2 * MARGIN + 1), np.float32)
        np.cumsum(gain, axis=2, out=summed[:, :, 1:])
        self._summed = summed.reshape(count * self._tall, -1)
        self._bumps: Floats | None = None
        if bumps is not None:
            padded = np.zeros(gain.shape, np.float32)
            padded[:, MARGIN:-MARGIN, MARGIN:-MARGIN] = bumps
            self._bumps = padded.reshape(count * self._tall, -1)
        self._covered = masks.sum(axis=(1, 2))

    def of(self, candidates: Floats, *, bumps: bool = True) -> Floats:
        """Agreement (D, M) of (D, M, K, 2) corners, each clockwise in the picture, with or without the bumps."""
        return self.of_apart(candidates[..., 0], candidates[..., 1], bumps=bumps)

    def of_apart(self, x: Floats, y: Floats, *, bumps: bool = True) -> Floats:
        """Agreement (D, M) of corners whose x and y (D, M, K) stand apart: samples are then the innermost axis, which
        is quick."""
        ground = (MARGIN + np.arange(len(x), dtype=np.float32) * self._tall)[:, None, None]
        x, y = x + np.float32(MARGIN), y + ground
        edges = x + np.float32(0.5)  # where sums stand: at the cells' right edges
        level = self._look(self._summed, _sampled(edges), _sampled(y))
        covered = ((level @ EVEN) * _to_next(y)).sum(axis=2)
        if self._bumps is None or not bumps:
            return covered
        return covered + np.float32(BUMP_WORTH) * self._look(self._bumps, x, y).sum(axis=2)

    def _look(self, tower: Floats, x: Floats, y: Floats) -> Floats:
        """The values at places (D, …) of a tower, each die's in its own storey; beyond that, its rim's."""
        count = len(x)
        floor = (np.arange(count, dtype=np.float32) * self._tall)[:, None]
        down = np.minimum(np.maximum(y.reshape(count, -1), floor), floor + np.float32(self._tall - 1))
        looked = cv2.remap(
            tower, x.reshape(count, -1), down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(looked, np.float32).reshape(x.shape)

    def overlap(self, outlines: Floats) -> list[float]:
        """For each outline (D, K, 2) the share of it and its mask together that both cover, 0 … 1."""
        bare = self.of(outlines[:, None], bumps=False)[:, 0]
        areas = [float(cv2.contourArea(outline)) for outline in outlines]
        shares: list[float] = []
        for area, gained, covered in zip(areas, bare.tolist(), self._covered.tolist(), strict=True):
            both = gained + area / 2
            shares.append(min(max(both / max(area + covered - both, 1e-6), 0.0), 1.0))
        return shares

    def of_some(self, candidates: Floats) -> Floats:
        """Agreement (M,) of (M, K, 2) corners with the only mask."""
        return self.of(candidates[None])[0]

    def of_one(self, corners: Floats) -> float:
        """Agreement of (K, 2) corners with the only mask."""
        return float(self.of(corners[None, None])[0, 0])


def _to_next(values: Floats) -> Floats:
    """What each corner's value lacks of the next one's, corners along the last axis."""
    return np.concatenate([values[..., 1:], values[..., :1]], axis=-1) - values


def _sampled(values: Floats) -> Floats:
    """Values (…, K) of corners at SAMPLES places along each side, (…, K, SAMPLES)."""
    return np.asarray(values[..., None] + _to_next(values)[..., None] * SAMPLED_AT, np.float32)


def _moments(mask: Floats) -> tuple[float, ...] | None:
    """Middle x, y and variances xx, xy, yy of the mask's largest part; None when it is too small for a face."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((mask > 0.4).astype(np.uint8), connectivity=4)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[largest, cv2.CC_STAT_AREA] < LEAST_CELLS:
        return None
    near = cv2.dilate((labels == largest).astype(np.uint8), np.ones((3, 3), np.uint8))
    of = cv2.moments(mask * near)
    return tuple(of[name] / of["m00"] for name in ("m10", "m01", "mu20", "mu11", "mu02"))


def _first_guesses(moments: NDArray[np.float64], shape: Shape) -> Floats:
    """Affine images of a regular polygon with the moments (D, 5) of masks (`_moments`), (D, turns, sides, 2)."""
    sides = shape.corners
    values, axes = np.linalg.eigh(moments[:, [[2, 3], [3, 4]]])
    stretch = axes * np.sqrt(np.maximum(values, 0.1) / shape.variance)[:, None]
    stretch[np.linalg.det(stretch) < 0, :, 0] *= -1  # else they would run the other way around
    ring = np.arange(sides) * (2 * np.pi / sides)
    turns = np.arange(TURNS_TRIED) * (2 * np.pi / sides / TURNS_TRIED)
    angles = turns[:, None] + ring[None]
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=2)
    return (moments[:, None, None, :2] + circle @ stretch.transpose(0, 2, 1)[:, None]).astype(np.float32)


def _lay_sides(mask: Floats, corners: Floats) -> Floats | None:
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
    inside = np.asarray(level, np.float32).sum(axis=1).reshape(len(corners), STOPS) * STEP
    crosses = (inside > STEP) & (inside < len(steps) * STEP - STEP)
    edge = feet + (inside - REACH - STEP / 2)[..., None] * outward[:, None]
    lines: list[tuple[Floats, Floats]] = []
    for points, crossed in zip(edge, crosses, strict=True):
        if np.count_nonzero(crossed) < 3:
            return None
        middle = points[crossed].mean(axis=0)
        _, _, axes = np.linalg.svd(points[crossed] - middle, full_matrices=False)
        lines.append((middle, axes[0]))
    met: list[Floats] = []
    for i in range(len(corners)):
        point = _meet(lines[i - 1], lines[i])
        if point is None:
            return None
        met.append(point)
    laid = np.stack(met)
    return laid if float(np.linalg.norm(laid - corners, axis=1).max()) < 0.4 * float(length.max()) else None


def _meet(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Floats | None:
    """Where two lines (point, direction) cross; None when they are nearly parallel."""
    (p, u), (q, v) = first, second
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.15:
        return None
    step = float((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / cross
    return (p + step * u).astype(np.float32)


def _search(agreement: Agreement, corners: Floats, best: float) -> Floats:
    """Move corners by ever smaller steps while the agreement grows."""
    sides = len(corners)
    which = np.repeat(np.arange(sides), len(DIRECTIONS))
    for step in MOVES:
        for _ in range(SWEEPS):
            moved = np.repeat(corners[None], len(which), axis=0)
            moved[np.arange(len(which)), which] += np.tile(DIRECTIONS * np.float32(step), (sides, 1))
            worth = agreement.of_some(moved)
            if float(worth.max()) <= best + 1e-3:
                break
            of_corner = worth.reshape(sides, -1)
            own = of_corner.argmax(axis=1)
            each = np.where((of_corner.max(axis=1) > best)[:, None], DIRECTIONS[own] * np.float32(step), 0)
            both = np.stack([moved[int(worth.argmax())], corners + each])
            values = agreement.of_some(both)
            corners, best = both[int(values.argmax())], float(values.max())
    return corners

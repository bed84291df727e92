"""From a soft mask of a top face to its corners, alone or on the plane that the dice lie on.

To a camera a face is nearly an affine image of a square or an equilateral triangle, so the mask's moments give it up to
a turn; the turn that covers the mask best is the start. A face by itself gets its sides where the mask ends, and then
its corners are moved as long as the outline agrees better with mask and corner heatmap. On a known plane there are four
unknowns instead of eight or six. Whole areas and whole sides decide, so a rounded or worn corner does not pull the
outline inwards.

On a plane the top face also shows where the rest of the die is. The top of a clear die may be hard to see, while the
whole die stands out from the table, so both are fitted to their masks at once.

Coordinates are cells of the mask unless said otherwise; the centre of the first cell is (0, 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bodies import Facets, facets_of
from vision.boxes import scale_of
from vision.detection import Detection
from vision.dicesets.shapes import Shape, shape_outlined
from vision.frame import Doubles, Floats
from vision.plane import Plane

LEAST_CELLS = 9
"""A mask of fewer cells is no face."""
TURNS_TRIED = 12
"""How many turns of the first guess are compared with the mask, within one symmetry of the shape."""
CORNER_WORTH = 8.0
"""What a corner is worth where the heatmap is 1, in cells of agreement."""
ROUNDS = 3
"""How often the sides are fitted again at most; they are while it helps."""
END_SHARE = 0.16
"""Share of a side that is left out of its fit at each end, where corners are rounded."""
STOPS = 20
"""Places along a side where its edge is looked for."""
REACH = 2.5
"""How far on either side of it, in cells."""
STEP = 0.25
MOVES = (1.0, 0.5, 0.25, 0.12)
"""Steps of the last search, in cells."""
SWEEPS = 4
"""How many moves there are at each step at most; there are more while they help."""
DIRECTIONS = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], np.float32)
MARGIN = 8
"""Outlines may reach this many cells beyond the mask."""
SAMPLES = 16
"""Samples along a side."""
SAMPLED_AT = (np.arange(SAMPLES, dtype=np.float32) + 0.5) / SAMPLES
EVEN = np.full(SAMPLES, 1 / SAMPLES, np.float32)
"""The weight of each sample in the mean."""

SLACK = 1.0
"""How much agreement may be lost to sides that are fitted to clean edges, which are more exact than cells."""


CELL = 2.0
"""Crop pixels in a cell of the mask."""


def rough_outlines(seen: Floats, shape: Shape) -> list[Floats | None]:
    """For each of D dice the outline (sides, 2) by the moments of its mask, clockwise, at the turn that agrees best
    with what was seen (D, 3, S, S, as in `Agreement`).

    It is rougher than that of `refine`, but shows how the table is tilted. None if there is nothing to fit.
    """
    moments = {i: told for i, (mask, *_) in enumerate(seen) if (told := _moments(mask)) is not None}
    found: list[Floats | None] = [None] * len(seen)
    if moments:
        there = list(moments)
        tried = _first_guesses(np.array(list(moments.values())), shape)
        best = Agreement(seen[there]).of(tried).argmax(axis=1)
        for i, turns, turn in zip(there, tried, best, strict=True):
            found[i] = clockwise(turns[turn])
    return found


def fit_polygon(mask: Floats, shape: Shape) -> Floats | None:
    """The corners (sides, 2) of a face of a shape whose mask is (S, S) in 0 … 1, clockwise in the picture (y down) from
    the uppermost left one; None if there is nothing to fit."""
    seen = np.stack([mask, np.zeros_like(mask), mask])
    (rough,) = rough_outlines(seen[None], shape)
    return None if rough is None else refine(seen, rough)


def refine(seen: Floats, outline: Floats) -> Floats:
    """The corners (sides, 2) that agree best with what was seen (3, S, S), from a rough outline; clockwise, from the
    uppermost left one."""
    agreement = Agreement(seen[None])

    def of(corners: Floats) -> float:
        return float(agreement.of(corners[None, None])[0, 0])

    corners, best = outline, of(outline)
    for _ in range(ROUNDS):
        laid = _lay_sides(seen[0], corners)
        if laid is None or (worth := of(laid)) <= best:
            break
        corners, best = laid, worth
    corners = _search(agreement, corners, best)
    laid = _lay_sides(seen[0], corners)
    return clockwise(laid if laid is not None and of(laid) > of(corners) - SLACK else corners)


def clockwise(corners: Floats) -> Floats:
    """The same polygon, clockwise in the picture (y down), from its uppermost left corner."""
    ordered = corners if cv2.contourArea(corners, oriented=True) > 0 else corners[::-1]
    first = int(ordered.sum(axis=1).argmin())
    return np.concatenate([ordered[first:], ordered[:first]]).astype(np.float32)


def to_cells(corners: Floats | Doubles, crop: Doubles) -> Floats:
    """(K, 2) picture pixels, edges at whole numbers, to cells of a die's mask, centres at whole numbers."""
    inside = (corners - 0.5) @ crop[:2, :2].T + crop[:2, 2]
    return ((inside + 0.5) / CELL - 0.5).astype(np.float32)


def to_picture(cells: Floats, crop: Doubles) -> Floats:
    """(K, 2) cells of a die's mask, centres at whole numbers, to picture pixels, edges at whole numbers."""
    inside = (cells.astype(np.float64) + 0.5) * CELL - 0.5
    return ((inside - crop[:2, 2]) @ np.linalg.inv(crop[:2, :2]).T + 0.5).astype(np.float32)


class Agreement:
    """How well outlines agree with what was seen: the sum over their inside of the mask less a half, and the corner
    heatmap at their corners.

    The integral over the inside is one along the sides (Green's theorem): of the mask summed from the left, times the
    step down. A candidate therefore costs some dozens of samples, and many candidates for many dice are compared with
    their masks at once; the masks stand below each other in one picture.
    """

    def __init__(self, seen: Floats) -> None:
        """`seen` (D, 3, S, S) has the masks of top faces, 0 … 1, their corner heatmaps, and the masks of whole dice."""
        count, _, rows, columns = seen.shape
        self._tall = rows + 2 * MARGIN
        self._floors = np.arange(count, dtype=np.float32) * self._tall
        gain, heat = np.zeros((2, count, self._tall, columns + 2 * MARGIN), np.float32)
        inner = (slice(None), slice(MARGIN, -MARGIN), slice(MARGIN, -MARGIN))
        gain[inner], heat[inner], self._whole = seen[:, 0], seen[:, 1], seen[:, 2]
        self._summed = self._summed_up(gain)
        self._heat = heat.reshape(count * self._tall, -1)
        self._covered, self._filled = seen[:, [0, 2]].sum(axis=(2, 3)).T

    def only(self, which: NDArray[np.bool_]) -> Agreement:
        """The same for those of the dice (D,) alone."""
        some = copy(self)
        some._bodies = self._bodies  # summed once, for all of them
        some._floors, some._covered, some._filled = (of[which] for of in (self._floors, self._covered, self._filled))
        return some

    @cached_property
    def _bodies(self) -> Floats:
        """The masks of whole dice, summed; only dice on a plane are compared with them."""
        return self._summed_up(np.pad(self._whole, ((0, 0), (MARGIN, MARGIN), (MARGIN, MARGIN))))

    def of(self, outlines: Floats) -> Floats:
        """Agreement (D, M) of (D, M, K, 2) corners, each clockwise in the picture."""
        return self.of_apart(outlines[..., 0], outlines[..., 1])

    def of_apart(self, x: Floats, y: Floats, *, heat: bool = True) -> Floats:
        """Agreement (D, M) of corners with x and y in arrays of their own (D, M, K), which makes samples the innermost
        axis and is quick; with or without the heatmap."""
        x, y = self._placed(x, y)
        covered = self._along(self._summed, x, y, _to_next(x), _to_next(y)).sum(axis=2)
        if heat:
            covered += np.float32(CORNER_WORTH) * self._look(self._heat, x, y).sum(axis=2)
        return covered

    def of_bodies(self, x: Floats, y: Floats, facets: Facets) -> tuple[Floats, Floats]:
        """How well whole dice with corners at x and y (D, M, K) agree with the masks of whole dice, and how many cells
        they cover, (D, M) each.

        The faces that are turned to the camera decide which edges make up the outline.
        """
        areas = _faces_seen(x, y, facets)
        seen = np.packbits(areas > 0, axis=2, bitorder="little")[..., 0]
        begin, end = np.moveaxis(facets.outlines[seen], 3, 0)
        x, y = self._placed(x, y)
        (ax, bx), (ay, by) = ([np.take_along_axis(at, of, axis=2) for of in (begin, end)] for at in (x, y))
        return self._along(self._bodies, ax, ay, bx - ax, by - ay).sum(axis=2), areas.sum(axis=2)

    def filled(self, x: Floats, y: Floats, facets: Facets) -> Floats:
        """Intersection over union (D, M) of whole dice, with corners as for `of_bodies`, and of their masks, 0 … 1."""
        gained, areas = self.of_bodies(x, y, facets)
        both = gained + areas / 2
        return np.clip(both / np.maximum(areas + self._filled[:, None] - both, 1e-6), 0, 1)

    def _summed_up(self, masks: Floats) -> Floats:
        """What masks (D, rows, columns), each less a half, sum up to from the left, below each other."""
        summed = np.zeros((*masks.shape[:2], masks.shape[2] + 1), np.float32)
        np.cumsum(masks - np.float32(0.5), axis=2, out=summed[:, :, 1:])
        return summed.reshape(masks.shape[0] * masks.shape[1], -1)

    def _placed(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Cells of each die's mask (D, M, K) in the towers."""
        return x + np.float32(MARGIN), y + (MARGIN + self._floors)[:, None, None]

    def _along(self, tower: Floats, x: Floats, y: Floats, right: Floats, down: Floats) -> Floats:
        """The integrals (D, M, K) of a summed tower along straight lines from x, y, as far right and down."""
        edges = x + np.float32(0.5)  # sums stand at the cells' right edges
        places = (at[..., None] + step[..., None] * SAMPLED_AT for at, step in ((edges, right), (y, down)))
        return (self._look(tower, *places) @ EVEN) * down

    def _look(self, tower: Floats, x: Floats | Doubles, y: Floats | Doubles) -> Floats:
        """The values at places (D, …) of a tower, each die's in its own storey; beyond that, its rim's."""
        count, floor = len(x), self._floors[:, None]
        down = np.minimum(np.maximum(y.reshape(count, -1), floor), floor + np.float32(self._tall - 1))
        places = x.reshape(count, -1).astype(np.float32), down.astype(np.float32)
        looked = cv2.remap(tower, *places, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(looked, np.float32).reshape(x.shape)

    def overlap(self, outlines: Floats) -> list[float]:
        """For each outline (D, K, 2) the share of it and its mask together that both cover, 0 … 1."""
        bare = self.of_apart(outlines[:, None, :, 0], outlines[:, None, :, 1], heat=False)[:, 0].tolist()
        shares: list[float] = []
        for outline, gained, covered in zip(outlines, bare, self._covered.tolist(), strict=True):
            area = float(cv2.contourArea(outline))
            both = gained + area / 2
            shares.append(min(max(both / max(area + covered - both, 1e-6), 0.0), 1.0))
        return shares


def _faces_seen(x: Floats, y: Floats, facets: Facets) -> Floats:
    """Cells that each face of dice, corners at x and y (D, M, K), covers, (D, M, F); 0 if it is turned away."""
    first, second = x[..., facets.faces], y[..., facets.faces]
    areas = (first * _to_next(second) - second * _to_next(first)).sum(axis=3) / 2
    return np.maximum(areas, np.float32(0))


def _to_next(values: Floats) -> Floats:
    """What each corner's value lacks of the next one's, corners along the last axis."""
    return np.concatenate([values[..., 1:], values[..., :1]], axis=-1) - values


def _moments(mask: Floats) -> tuple[float, ...] | None:
    """Middle x, y and variances xx, xy, yy of the mask's largest part; None if it is too small for a face."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((mask > 0.4).astype(np.uint8), connectivity=4)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[largest, cv2.CC_STAT_AREA] < LEAST_CELLS:
        return None
    near = cv2.dilate((labels == largest).astype(np.uint8), np.ones((3, 3), np.uint8))
    of = cv2.moments(mask * near)
    return tuple(of[name] / of["m00"] for name in ("m10", "m01", "mu20", "mu11", "mu02"))


def _first_guesses(moments: Doubles, shape: Shape) -> Floats:
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
    """Fit a line to the mask's edge along each side and meet neighbouring lines; None if they run away.

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
    """Where two lines (point, direction) cross; None if they are nearly parallel."""
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
            worth = agreement.of(moved[None])[0]
            if float(worth.max()) <= best + 1e-3:
                break
            of_corner = worth.reshape(sides, -1)
            own = of_corner.argmax(axis=1)
            each = np.where((of_corner.max(axis=1) > best)[:, None], DIRECTIONS[own] * np.float32(step), 0)
            both = np.stack([moved[int(worth.argmax())], corners + each])
            values = agreement.of(both[None])[0]
            corners, best = both[int(values.argmax())], float(values.max())
    return corners


LARGER = (-0.15, 0.0, 0.12)
"""Logarithms of the sizes tried at first, relative to what the mask's area tells."""
STEPS = (1.2, 0.5, 0.2)
"""Steps of the search, in cells at the face's corners."""
PLANE_SWEEPS = 6
FILLING_ROUNDS = 2
"""How often a die is scaled and moved to fill its mask before the search begins."""


_ALONE = np.concatenate([np.eye(4), -np.eye(4)])
_BOTH = [a + b for i, a in enumerate(_ALONE) for b in _ALONE[i + 1 :] if (a + b).any()]
PLANE_MOVES = np.concatenate([_ALONE, _BOTH])
"""(M, 4): each unknown alone, up and down, and each two of them together."""


BODY_WORTH = 0.5
"""The weight of a cell of the whole die's mask beside one of the top face's mask."""


def fit_on_plane(dice: Sequence[Detection], plane: Plane) -> list[Detection]:
    """The same dice, all of one shape, with the top faces on `plane` that best fit what was seen: a face its mask, and
    an octahedron's body the mask of the whole die, too. `overlap` and `fills` say how well they fit.

    The search begins with the dice's own corners and with octahedra that fill their masks, at all turns, for all dice
    at once. A cube's top is found as well without its body.
    """
    if not dice:
        return []
    sides = dice[0].shape.corners
    agreement = Agreement(np.stack([die.seen for die in dice]))
    starts = [to_cells(die.corners, die.crop) for die in dice]
    flat = _Flat(plane, [die.crop for die in dice], sides)
    sizes = flat.sizes(starts)
    angles = np.arange(TURNS_TRIED) * (2 * np.pi / sides / TURNS_TRIED)
    turns = np.array([(larger, angle) for larger in LARGER for angle in angles])
    tried = np.zeros((len(dice), len(turns), 4))
    tried[:, :, :2] = np.stack([start.mean(axis=0) for start in starts])[:, None]
    tried[:, :, 2] = np.log(sizes)[:, None] + turns[:, 0]
    tried[:, :, 3] = turns[:, 1]
    facets, with_bodies = facets_of(dice[0].shape), dice[0].shape.twisted

    def best_of(unknowns: Doubles, which: NDArray[np.bool_]) -> tuple[Doubles, Floats]:
        """What agrees best with what was seen of those dice, of (d, M, 4) tried for each, and how well it does."""
        its, lying = agreement.only(which), flat.only(which)
        if with_bodies:
            x, y = lying.bodies(unknowns)  # tops first
            worth = its.of_apart(x[..., :sides], y[..., :sides])
            worth += np.float32(BODY_WORTH) * its.of_bodies(x, y, facets)[0]
        else:
            worth = its.of_apart(*lying.cells(unknowns))
        found = worth.argmax(axis=1)[:, None]
        return (
            np.take_along_axis(unknowns, found[..., None], axis=1)[:, 0],
            np.take_along_axis(worth, found, axis=1)[:, 0],
        )

    if with_bodies:
        tried = np.concatenate([tried, flat.filling(np.stack([die.seen[2] for die in dice]), facets)], axis=1)
    best, most = best_of(tried, np.ones(len(dice), np.bool_))
    turn = 1 / (sizes * flat.scales)  # what moves the corners of these faces by about one cell
    moves = PLANE_MOVES * np.stack([np.ones_like(turn), np.ones_like(turn), turn, turn], axis=1)[:, None]
    for step in STEPS:
        moving = np.ones(len(dice), np.bool_)
        for _ in range(PLANE_SWEEPS):
            moved, reached = best_of(best[moving, None] + moves[moving] * step, moving)
            better = reached > most[moving] + 1e-3
            moving[moving] = better
            if not better.any():
                break
            best[moving], most[moving] = moved[better], reached[better]
    faces = np.stack(flat.cells(best[:, None]), axis=-1)[:, 0]
    corners = [clockwise(to_picture(face, die.crop)) for face, die in zip(faces, dice, strict=True)]
    filled = agreement.filled(*flat.bodies(best[:, None]), facets)[:, 0].tolist()
    told = zip(dice, corners, agreement.overlap(faces), filled, strict=True)
    return [replace(die, corners=at, overlap=overlap, fills=share) for die, at, overlap, share in told]


def middles_of(masks: Floats) -> Floats:
    """(D, 2) the middle, in cells, of what each of D masks (D, S, S) covers."""
    cells = np.arange(masks.shape[-1], dtype=np.float32)
    much = np.maximum(masks.sum(axis=(1, 2)), np.float32(1e-6))
    return np.stack([masks.sum(axis=1) @ cells, masks.sum(axis=2) @ cells], axis=1) / much[:, None]


class _Flat:
    """Faces that lie flat on a plane, in the cells of each die's mask.

    Four unknowns make one: its middle in cells (x, y), the logarithm of its radius, in pixels of an untilted one there,
    and the angle of its first corner within the plane, in radians.
    """

    def __init__(self, plane: Plane, crops: Sequence[Doubles], sides: int) -> None:
        """`crops` (D) are the maps from picture pixels to the dice's crops."""
        self._ring = np.arange(sides) * (2 * np.pi / sides)
        self._middles = np.stack([to_cells(np.array([plane.middle]), crop) for crop in crops])
        directions = np.column_stack([plane.along, plane.down])
        self._along = np.stack([crop[:2, :2] for crop in crops]) / CELL @ directions[:2]
        self._away = directions[2] / plane.focal
        self._shape = shape_outlined(sides)
        self.scales = np.array([scale_of(crop) for crop in crops]) / CELL
        """(D,) cells in a pixel of the picture."""

    def only(self, which: NDArray[np.bool_]) -> _Flat:
        """The same in the cells of some of the dice (D,) alone."""
        some = copy(self)
        some._middles, some._along, some.scales = (of[which] for of in (self._middles, self._along, self.scales))
        return some

    def cells(self, unknowns: Doubles) -> tuple[Floats, Floats]:
        """x and y (D, M, sides) of the corners of (D, M, 4) faces, clockwise, seen by the plane's pinhole."""
        return self._seen(unknowns, *self._steps(unknowns))

    def bodies(self, unknowns: Doubles) -> tuple[Floats, Floats]:
        """x and y (D, M, 2 · sides) of all corners of the dice with these faces on top, in the order of
        `vision.bodies.bodies`."""
        first, second = self._steps(unknowns)
        edge = 2 * np.sin(np.pi / first.shape[-1]) * np.exp(unknowns[..., 2:3])
        below = np.broadcast_to(self._shape.height * edge, first.shape)
        turn = -1 if self._shape.twisted else 1
        steps = ([first, first * turn], [second, second * turn], [np.zeros_like(first), below])
        return self._seen(unknowns, *(np.concatenate(step, axis=-1) for step in steps))

    def _steps(self, unknowns: Doubles) -> tuple[Doubles, Doubles]:
        """How far corners are from the middle, (D, M, sides), along the plane's two directions."""
        ring, radius = unknowns[..., 3:] + self._ring, np.exp(unknowns[..., 2:3])
        return np.cos(ring) * radius, np.sin(ring) * radius

    def _seen(
        self, unknowns: Doubles, first: Doubles, second: Doubles, below: Doubles | float = 0.0
    ) -> tuple[Floats, Floats]:
        """x and y (D, M, K) of points so far from the middle along the plane's directions, and below it."""
        nearer = 1 / (1 + first * self._away[0] + second * self._away[1] + below * self._away[2])
        ((a, b, deep), (c, d, lower)) = self._along.transpose(1, 2, 0)[..., None, None]
        middle, off = self._middles, unknowns[..., :2] - self._middles
        x = middle[..., :1] + (first * a + second * b + below * deep + off[..., :1]) * nearer
        y = middle[..., 1:] + (first * c + second * d + below * lower + off[..., 1:]) * nearer
        return x.astype(np.float32), y.astype(np.float32)

    def filling(self, masks: Floats, facets: Facets) -> Doubles:
        """(D, TURNS_TRIED, 4) faces at all turns, on dice that cover as much as the masks of whole dice (D, S, S), and
        lie where these do."""
        much, middles = masks.sum(axis=(1, 2))[:, None], middles_of(masks)[:, None]
        unknowns = np.zeros((len(masks), TURNS_TRIED, 4))
        unknowns[..., :2] = middles
        unknowns[..., 3] = np.arange(TURNS_TRIED) * (2 * np.pi / len(self._ring) / TURNS_TRIED)
        for _ in range(FILLING_ROUNDS):
            covered = _faces_seen(*self.bodies(unknowns), facets).sum(axis=2)
            unknowns[..., 2] += np.log(np.maximum(much, 1e-6) / np.maximum(covered, 1e-6)) / 2
            ends = [(at.max(axis=2) + at.min(axis=2)) / 2 for at in self.bodies(unknowns)]
            unknowns[..., :2] -= np.stack(ends, axis=2) - middles
        return unknowns

    def sizes(self, outlines: Sequence[Floats]) -> Doubles:
        """(D,) radius of the faces that cover as much as outlines (sides, 2) in cells."""
        units = np.zeros((len(outlines), 1, 4))
        units[:, 0, :2] = [outline.mean(axis=0) for outline in outlines]
        faces = np.stack(self.cells(units), axis=-1)[:, 0]
        ours, theirs = (np.array([cv2.contourArea(one) for one in some]) for some in (faces, outlines))
        return np.sqrt(theirs / np.maximum(ours, 1e-9))

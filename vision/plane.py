"""The plane that the dice's top faces are parallel to, and the bodies of dice that lie on it.

Dice that lie flat show the camera parallel faces, so their outlines tell together how the table is tilted. One face
alone has eight (or six) free coordinates; a face on a known plane has four: where, how large, how turned. The top face
then tells where the rest of the die is, and so the box that it must fill in the picture: that tells a plane from its
mirror image, and a top face from a side.

The camera is a pinhole that looks along the middle of the picture. Directions are x right, y down, z away from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, area, intersection_over_union
from vision.dicesets.shapes import Shape, shape_outlined
from vision.frame import Doubles

TILTS = np.radians(np.arange(0.0, 70.0, 5.0))
TOWARDS = np.radians(np.arange(0.0, 360.0, 15.0))
FOCALS = np.log((0.8, 1.2, 2.5))
"""Focal lengths tried, in longer sides of the picture: a wide phone, a webcam, a longer lens."""
GRID = np.array([(a, b, c) for a in TILTS for b in TOWARDS for c in FOCALS])
"""The coarse search: tilt, direction, logarithm of the focal length."""
FINER = np.array(
    [(a, b, c) for a in (0.0, -0.05, 0.05) for b in (0.0, -0.12, 0.12) for c in (0.0, -0.2, 0.2)]
)
"""Steps around the best of the coarse search, in radians and in the logarithm of the focal length."""
USUAL = 0.06
"""How far off a similarity (share of the size) a well outlined face is; far beyond, it counts as a stranger."""
LEAST_AGREEMENT = 0.4
"""Share of the votes that must stand behind a plane."""
LIKELY_PLANES, TILTED_OTHERWISE = 6, np.radians(20)
"""How many planes are compared where a side may have been outlined, and by how much they differ at least."""
TILTED, TOLD = 0.15, 0.1
"""A plane tells how the camera is held if the sine of its tilt is at least the first, and the dice fill their boxes
better on it than on its mirror image by at least the second."""
LEAST_DICE = 3
"""Fewer faces do not agree on anything worth believing."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane before a camera."""

    along: Doubles
    """(3, 2): two perpendicular unit directions in the plane."""
    focal: float
    """In pixels."""
    middle: tuple[float, float]
    """Principal point in pixels."""
    told: float = 0.0
    """By how much better the bodies of dice fill their boxes than on its mirror image; 0 where nobody compared."""

    def flat(self, pixels: Doubles) -> Doubles:
        """(…, 2) where points (…, 2) in pixels lie on the plane that is at distance 1, along its two directions."""
        (x, y), down = np.moveaxis((pixels - self.middle) / self.focal, -1, 0), self.down
        away = x * down[0] + y * down[1] + down[2]
        return np.stack([(x * one[0] + y * one[1] + one[2]) / away for one in self.along.T], axis=-1)

    def seen(self, flat: Doubles, below: Doubles | float = 0.0) -> Doubles:
        """(…, 2) pixels of points (…, 2) as `flat` gives them, or of points `below` (…) them under the plane."""
        first, second, deep = flat[..., 0], flat[..., 1], 1 + np.asarray(below)
        x, y, z = (
            one * first + other * second + down * deep
            for (one, other), down in zip(self.along, self.down, strict=True)
        )
        return np.stack([x / z * self.focal + self.middle[0], y / z * self.focal + self.middle[1]], axis=-1)

    def mirrored(self) -> Plane:
        """The plane tilted as much the other way, on which small faces look nearly the same (Necker's reversal)."""
        return Plane(self.along * np.array([[1.0], [1.0], [-1.0]]), self.focal, self.middle)

    def turned(self, quarters: int) -> Plane:
        """The plane in a picture turned counter-clockwise by quarters, of which `middle` is the middle."""
        if quarters % 4 == 0:
            return self
        (x, y, z), (across, down) = self.along, self.middle
        return replace(self, along=np.stack([y, -x, z]), middle=(down, across)).turned(quarters - 1)

    @property
    def quarters(self) -> int:
        """Quarter turns counter-clockwise that bring upright edges closest to upright in the picture; 0 if the plane is
        hardly tilted, or its mirror image fits nearly as well."""
        x, y, _ = self.down
        if np.hypot(x, y) < TILTED or self.told < TOLD:
            return 0
        return round(float(np.arctan2(-x, y)) / (np.pi / 2)) % 4

    @property
    def down(self) -> tuple[float, float, float]:
        """The unit direction that leaves the plane away from the camera."""
        (a, d), (b, e), (c, f) = self.along.tolist()
        x, y, z = b * f - c * e, c * d - a * f, a * e - b * d
        return (x, y, z) if z > 0 else (-x, -y, -z)

    @property
    def up(self) -> tuple[float, float, float]:
        """The other unit direction, towards the camera."""
        x, y, z = self.down
        return (-x, -y, -z)

    def leaning(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """How a die that lies at a pixel is seen: by how much it is turned in the picture, and how slanted.

        The turn is that of the edges that stand upright on the plane, in radians clockwise from the picture's own
        downwards; the slant is the sine of the angle between the view and the plane's normal.
        """
        x, y = ((at - middle) / self.focal for at, middle in zip(pixel, self.middle, strict=True))
        right, down, away = self.down
        right, down = right - x * away, down - y * away
        slant = float(np.linalg.norm(np.cross((x, y, 1.0), self.down)) / np.linalg.norm((x, y, 1.0)))
        return float(np.arctan2(-right, down)), slant

    def strangeness(self, faces: Sequence[Doubles]) -> list[float]:
        """How far each of N > 0 faces (k, 2) in pixels is from lying on the plane, as a share of its size."""
        maps, places = _placed(faces, self.middle)
        return _strangeness(self.along[None], np.array([self.focal]), maps, places)[0].tolist()


def _placed(faces: Sequence[Doubles], middle: tuple[float, float]) -> tuple[Doubles, Doubles]:
    """Maps (N, 2, 2) of faces (`affine`), and where they lie (N, 2) from the middle of the picture."""
    places = np.stack([face.mean(axis=0) for face in faces]) - middle
    return np.stack([affine(face) for face in faces]), places


def affine(corners: Doubles) -> Doubles:
    """(2, 2): the linear map that takes a regular polygon, corners clockwise on the unit circle, to these corners."""
    sides = len(corners)
    ring = np.arange(sides) * (2 * np.pi / sides)
    unit = np.stack([np.cos(ring), np.sin(ring)], axis=1)
    return (corners - corners.mean(axis=0)).T @ unit * (2 / sides)


def find_plane(faces: Sequence[Doubles], weights: Sequence[float], width: int, height: int) -> Plane | None:
    """The plane that most of these faces lie on, each (3 or 4, 2) pixels, clockwise; None when too few agree.

    Coarse search over tilt, its direction and the focal length, then a finer one around the best; strangers
    are outvoted, not averaged in.
    """
    if len(faces) < LEAST_DICE:
        return None
    longer, middle = float(max(width, height)), (width / 2, height / 2)
    maps, places = _placed(faces, middle)
    votes = np.asarray(weights, np.float64)
    best, worth = _best(GRID + np.array([0.0, 0.0, np.log(longer)]), maps, places, votes)
    for finer in (1.0, 0.5, 0.25):
        best, worth = _best(best + FINER * finer, maps, places, votes)
    if worth < LEAST_AGREEMENT * max(float(votes.sum()), 1e-9):
        return None
    return Plane(_directions(best[:1], best[1:2])[0], float(np.exp(best[2])), middle)


def _best(tried: Doubles, maps: Doubles, places: Doubles, votes: Doubles) -> tuple[Doubles, float]:
    """The row of `tried` (columns as in GRID) that most votes stand behind, and how many."""
    off = _strangeness(_directions(tried[:, 0], tried[:, 1]), np.exp(tried[:, 2]), maps, places)
    worths = _nearness(off) @ votes
    best = int(worths.argmax())
    return tried[best], float(worths[best])


def _nearness(off: Doubles) -> Doubles:
    """How nearly faces that are so strange to a plane lie on it, 0 … 1."""
    return 1 / (1 + (off / (2 * USUAL)) ** 2)


def _directions(tilt: Doubles, towards: Doubles) -> Doubles:
    """(M, 3, 2): perpendicular directions in planes tilted away from the camera towards a direction in the picture."""
    away = np.stack([np.cos(towards), np.sin(towards)], axis=1)
    across = np.stack([-np.sin(towards), np.cos(towards), np.zeros_like(tilt)], axis=1)
    steep = np.stack([away[:, 0] * np.cos(tilt), away[:, 1] * np.cos(tilt), np.sin(tilt)], axis=1)
    return np.stack([steep, across], axis=2)


def _strangeness(along: Doubles, focal: Doubles, maps: Doubles, places: Doubles) -> Doubles:
    """(M, N): what is left of each face's map once the plane is taken out and a similarity allowed.

    Close to a point (u, v) from the middle of the picture, a plane with directions E looks like the linear map
    [I | -(u, v) / f] E, but for its scale.
    """
    slope = -places[None] / focal[:, None, None]
    look = along[:, None, :2] + slope[..., None] * along[:, None, 2:]
    # The inverse of a 2 × 2 matrix but for its determinant, which is in both of what is divided below.
    a, b, c, d = look[..., 1, 1], -look[..., 0, 1], -look[..., 1, 0], look[..., 0, 0]
    p, q, r, s = maps[..., 0, 0], maps[..., 0, 1], maps[..., 1, 0], maps[..., 1, 1]
    e, f, g, h = a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s
    alike = (e + h) ** 2 + (g - f) ** 2
    unlike = (e - h) ** 2 + (g + f) ** 2
    return np.sqrt(unlike / np.maximum(alike, 1e-18))


def likely_planes(
    outlines: Sequence[Sequence[Doubles]], boxes: Sequence[Box], weights: Sequence[float], width: int, height: int
) -> list[tuple[Plane, list[int]]]:  # fmt: skip
    """The planes on which most dice may lie with one of their possible top faces, and which of them each die's is.

    Each of N > 0 dice has one or more outlines (3 or 4, 2) in pixels, clockwise. An outline speaks for a plane by how
    nearly it lies on it, times how well the body below it fills the detector's box of that die. It may also be that of
    a side: then it speaks for the plane on which the top beside it lies. The likeliest plane, and the likeliest of
    those that are tilted otherwise, LIKELY_PLANES in all.
    """
    longer, middle = float(max(width, height)), (width / 2, height / 2)
    flat = [outline for own in outlines for outline in own]
    counts = [len(own) for own in outlines]
    begins = np.cumsum([0, *counts[:-1]])
    maps, places = _placed(flat, middle)
    around = np.repeat(np.array(boxes, np.float64), counts, axis=0)

    def said(tried: Doubles) -> tuple[Doubles, Doubles]:
        """(M, outlines) what each outline says of each row of `tried`, and (M,) what all dice say."""
        each = _said(_directions(tried[:, 0], tried[:, 1]), np.exp(tried[:, 2]), maps, places, flat, around)
        return each, np.maximum.reduceat(each, begins, axis=1) @ np.asarray(weights, np.float64)

    grid = GRID + np.array([0.0, 0.0, np.log(longer)])
    _, worth = said(grid)
    normals = np.cross(*np.moveaxis(_directions(grid[:, 0], grid[:, 1]), 2, 0))
    firsts: list[int] = []
    for _ in range(LIKELY_PLANES):
        firsts.append(int(worth.argmax()))
        worth = np.where(normals @ normals[firsts[-1]] > np.cos(TILTED_OTHERWISE), 0.0, worth)
    rows, each = grid[firsts], np.zeros((LIKELY_PLANES, len(flat)))
    for finer in (1.0, 0.5, 0.25):
        tried = (rows[:, None] + FINER * finer).reshape(-1, 3)
        told, worths = said(tried)
        best = worths.reshape(LIKELY_PLANES, -1).argmax(axis=1) + np.arange(LIKELY_PLANES) * len(FINER)
        rows, each = tried[best], told[best]
    planes = (
        Plane(along, focal, middle)
        for along, focal in zip(_directions(rows[:, 0], rows[:, 1]), np.exp(rows[:, 2]).tolist(), strict=True)
    )
    chosen = ([int(own.argmax()) for own in np.split(row, begins[1:])] for row in each)
    return list(zip(planes, chosen, strict=True))


def likeliest(plane: Plane, outlines: Sequence[Doubles], box: Box) -> int:
    """Which of the outlines (3 or 4, 2) of one die, in pixels, is that of its top face on a plane, as `likely_planes`
    judges it."""
    maps, places = _placed(outlines, plane.middle)
    around = np.array([box] * len(outlines), np.float64)
    return int(_said(plane.along[None], np.array([plane.focal]), maps, places, outlines, around)[0].argmax())


def _said(
    along: Doubles, focal: Doubles, maps: Doubles, places: Doubles, outlines: Sequence[Doubles], boxes: Doubles
) -> Doubles:  # fmt: skip
    """(M, N): what each of N outlines says for each of M planes, 0 … 1; see `likely_planes`."""
    said = np.zeros((len(along), len(outlines)))
    for count in sorted({len(outline) for outline in outlines}):
        own = [i for i, outline in enumerate(outlines) if len(outline) == count]
        near = _Near.places(along, focal, places[own])
        faces = np.stack([outlines[i] for i in own], axis=2)[:, :, None]
        around = boxes[own].T.reshape(2, 2, 1, -1)
        off = _strangeness(along, focal, maps[own], places[own])
        best = near.filled(faces, around) * _nearness(off)
        for first in range(count):
            tops, off = near.across(np.roll(faces, -first, axis=0))
            filled = near.filled(tops, around)
            best = np.maximum(best, SIDES_COUNT * np.where(filled >= STRANGE, filled, 0.0) * _nearness(off))
        said[:, own] = best
    return said


@dataclass(frozen=True, eq=False, slots=True)
class _Near:
    """M planes as seen around N places, as if from far away: a step along one is a step in the picture.

    Steps and points are (2, M or 1, N), x and y; faces (k, 2, M or 1, N).
    """

    look: Doubles
    """(2, 2, M, N): what a step along the plane's first direction, and its second, is in the picture."""
    deep: Doubles
    """(2, M, N): a step down from the plane, in the picture."""

    @classmethod
    def places(cls, along: Doubles, focal: Doubles, places: Doubles) -> _Near:
        """Planes along directions (M, 3, 2), focal lengths (M,), and places (N, 2) from the middle of the picture."""
        down = np.cross(along[:, :, 0], along[:, :, 1])
        down *= np.sign(down[:, 2:])
        slope = -places.T[:, None] / focal[:, None]
        first, second, deep = (
            one.T[:2, :, None] + slope * one[:, 2:] for one in (along[:, :, 0], along[:, :, 1], down)
        )
        return cls(np.stack([first, second]), deep)

    def flat(self, steps: Doubles) -> Doubles:
        """Steps in the picture, along the planes."""
        ((a, c), (b, d)), (x, y) = self.look, steps
        size = a * d - b * c
        return np.stack([d * x - b * y, a * y - c * x]) / np.where(np.abs(size) < 1e-9, 1e-9, size)

    def seen(self, flat: Doubles) -> Doubles:
        """Steps along the planes, in the picture."""
        return self.look[0] * flat[0] + self.look[1] * flat[1]

    def across(self, sides: Doubles) -> tuple[Doubles, Doubles]:
        """The top faces that share their first edge with outlines of sides (k, 2, 1, N), and (M, N) how strange the
        outlines are to that, about as `Plane.strangeness`."""
        one, other, away = sides[0], sides[1], sides[2:].mean(axis=0) - sides[:2].mean(axis=0)
        shape, edge, reach = shape_outlined(len(sides)), self.flat(other - one), self.flat(away)
        outwards = np.stack([-edge[1], edge[0]]) * (3**0.5 / 2 if shape.twisted else 1.0)
        outwards *= np.sign((outwards * reach).sum(axis=0))
        along, down = beside(shape)
        leading = self.seen(outwards)
        off = leading * along + self.deep * np.hypot(*outwards) * down - away
        size = np.hypot(*(sides - sides.mean(axis=0)).swapaxes(0, 1)).mean(axis=0)
        ends = [(one + other) / 2 - leading] if shape.twisted else [one - leading, other - leading]
        corners = [np.broadcast_to(corner, leading.shape) for corner in (other, one)]
        return np.stack([*corners, *ends]), np.hypot(*off) / (3 * size)

    def filled(self, tops: Doubles, boxes: Doubles) -> Doubles:
        """(M, N): how well the bodies below top faces fill boxes (2, 2, 1, N), each from its first corner to its
        second."""
        shape = shape_outlined(len(tops))
        below = np.hypot(*self.flat(tops[1] - tops[0])) * shape.height * self.deep
        least, most = tops.min(axis=0), tops.max(axis=0)
        # The face below an octahedron's is turned half round about its middle.
        lower = (2 * tops.mean(axis=0) - most, 2 * tops.mean(axis=0) - least) if shape.twisted else (least, most)
        begin, end = np.minimum(least, lower[0] + below), np.maximum(most, lower[1] + below)
        shared = np.clip(np.minimum(end, boxes[1]) - np.maximum(begin, boxes[0]), 0, None).prod(axis=0)
        both = (end - begin).prod(axis=0) + (boxes[1] - boxes[0]).prod(axis=0) - shared
        return shared / np.maximum(both, 1e-9)


SOUND = 0.65
"""Share of the detector's and the body's boxes that both cover in the middle, for a plane to be believed."""
STRANGE = 0.55
"""Share of detector's and body's box below which a face may not be the top one."""
LEAST_SEEN = 0.15
"""Part of the top face's area in the picture that a side must have at least for what is on it to be seen."""
SIDES_COUNT = 0.8
"""How much an outline that may be a side's counts beside one that may be the top's, which tells more exactly where the
top is."""
AS_LARGE = 0.4
"""Part of the top face's area in the picture that a side must have at least to be taken for it."""


TURNED, FILLING_STEPS, WORSE = 24, 6, 0.2
"""Turns at which a die is tried whose body is to fill a box, the steps in which it is moved and scaled for that, and by
how much less of the two boxes may be shared than at the best turn."""


def mean_edge(faces: NDArray[Any]) -> NDArray[Any]:
    """(…) the mean length of the edges of faces (…, k, 2)."""
    step = faces - np.roll(faces, 1, axis=-2)
    return np.hypot(step[..., 0], step[..., 1]).mean(axis=-1)


def bodies(plane: Plane, tops: Doubles) -> Doubles:
    """(N, 8 or 6, 2) corners in pixels of the dice whose top faces on the plane have the corners (N, 4 or 3, 2)."""
    flat = plane.flat(tops)
    edge = mean_edge(flat)[:, None]
    shape = shape_outlined(tops.shape[1])
    lower = 2 * flat.mean(axis=1, keepdims=True) - flat if shape.twisted else flat
    return np.concatenate([tops, plane.seen(lower, edge * shape.height)], axis=1)


def _ends(plane: Plane, tops: Doubles) -> Doubles:
    """(N, 2, 2) the uppermost left and the lowest right pixel of each die with such a top face (N, 4 or 3, 2)."""
    whole = bodies(plane, tops)
    return np.stack([whole.min(axis=1), whole.max(axis=1)], axis=1)


def boxes_around(plane: Plane, tops: Sequence[Doubles]) -> list[Box]:
    """The box in pixels around each die that has such a top face (4 or 3, 2) on a plane."""
    found: dict[int, Box] = {}
    for corners in sorted({len(top) for top in tops}):
        own = [i for i, top in enumerate(tops) if len(top) == corners]
        around = _ends(plane, np.stack([tops[i] for i in own])).reshape(-1, 4).tolist()
        found |= {i: (x0, y0, x1, y1) for i, (x0, y0, x1, y1) in zip(own, around, strict=True)}
    return [found[i] for i in range(len(tops))]


def fits(plane: Plane, tops: Sequence[Doubles], boxes: Sequence[Box]) -> list[float]:
    """How well each box in pixels is that of a die with this top face: what both cover, of what they cover together."""
    return [intersection_over_union(*pair) for pair in zip(boxes_around(plane, tops), boxes, strict=True)]


def tops_filling(plane: Plane, box: Box, corners: int) -> list[tuple[Doubles, float]]:
    """The top faces (4 or 3, 2) in pixels, at TURNED turns, of dice on a plane whose bodies fill a box, and how well
    each does, without those that do it worse than the best by more than WORSE."""
    ring = np.arange(corners) * (2 * np.pi / corners)
    angles = ring + np.arange(TURNED)[:, None] * (2 * np.pi / corners / TURNED)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    wanted, size = np.array(box, np.float64).reshape(2, 2), np.sqrt(area(box))
    middles, radii = np.repeat(plane.flat(wanted.mean(axis=0))[None], TURNED, axis=0), np.full(TURNED, 1e-3)
    tops, ends = np.zeros((TURNED, corners, 2)), np.zeros((TURNED, 2, 2))
    for _ in range(FILLING_STEPS):
        tops = plane.seen(middles[:, None] + radii[:, None, None] * around)
        ends = _ends(plane, tops)
        middles = plane.flat(plane.seen(middles) + wanted.mean(axis=0) - ends.mean(axis=1))
        radii = radii * size / np.sqrt((ends[:, 1] - ends[:, 0]).prod(axis=-1))
    filled = [intersection_over_union((x0, y0, x1, y1), box) for x0, y0, x1, y1 in ends.reshape(-1, 4).tolist()]
    return [(top, share) for top, share in zip(tops, filled, strict=True) if share >= max(filled) - WORSE]


def right_way_tilted(plane: Plane, tops: Sequence[Doubles], boxes: Sequence[Box]) -> Plane:
    """Of a plane and its mirror image the one on which the bodies below top faces fill the detector's boxes better."""
    mirrored = plane.mirrored()
    better = float(np.median(fits(plane, tops, boxes)) - np.median(fits(mirrored, tops, boxes)))
    return replace(plane if better >= 0 else mirrored, told=abs(better))


def sound_plane(
    tops: Sequence[Doubles], boxes: Sequence[Box], weights: Sequence[float], width: int, height: int
) -> Plane | None:
    """The plane that the top faces lie on (`find_plane`), if the bodies below them fill the detector's boxes."""
    if (found := find_plane(tops, weights, width, height)) is None:
        return None
    plane = right_way_tilted(found, tops, boxes)
    return plane if np.median(fits(plane, tops, boxes)) >= SOUND else None


def across_an_edge(plane: Plane, side: Doubles, box: Box) -> tuple[Doubles, float] | None:
    """The top face, if `side` (4 or 3, 2) is the outline in pixels of a face beside it, and how well it fits the box.

    The likeliest one across one of the outline's edges; None where none fits well, or where the side is too small to
    have been taken for it.
    """
    flat, count, faces = plane.flat(side), len(side), list[Doubles]()
    for i in range(count):
        first, second = flat[i], flat[(i + 1) % count]
        right, down = second - first
        inwards = np.array([-down, right]) @ (flat.mean(axis=0) - first) > 0
        angle = 2 * np.pi / count * (-1 if inwards else 1)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners, step = [second, first], first - second
        while len(corners) < count:
            step = turn @ step
            corners.append(corners[-1] + step)
        faces.append(plane.seen(np.stack(corners)))
    fit = fits(plane, faces, [box] * count)
    best = int(np.argmax(fit))
    ours, theirs = (cv2.contourArea(face.astype(np.float32)) for face in (side, faces[best]))
    return (faces[best], fit[best]) if ours >= AS_LARGE * theirs and fit[best] >= STRANGE else None


def beside(shape: Shape) -> tuple[float, float]:
    """How far a face beside the top leads along the top's plane, and how far down from it, as parts of its own length.

    Faces of an octahedron that meet are turned by the angle whose cosine is a third, those of a cube by a right one.
    """
    return (1 / 3, 8**0.5 / 3) if shape.twisted else (0.0, 1.0)


def facing(plane: Plane, face: Doubles, side: Doubles) -> tuple[float, float, float]:
    """The unit direction to which a face beside another one of a die is turned: to the right, down and away.

    `face` (k, 2) lies on the plane, `side` (k, 2) is one of `faces_beside` it; both are in pixels.
    """
    flat = plane.flat(face)
    middle = flat.mean(axis=0)
    first, second = plane.flat(side[:2])
    outwards = (first + second) / 2 - middle
    outwards /= np.hypot(*outwards)
    rise, level = beside(shape_outlined(len(face)))  # the normal stands at right angles to the face
    x, y, z = (
        level * float(along @ outwards) + rise * up for along, up in zip(plane.along, plane.up, strict=True)
    )
    return x, y, z


def faces_beside(plane: Plane, top: Doubles) -> list[Doubles]:
    """The outlines in pixels, (4 or 3, 2) and clockwise, of the faces beside a top face (4 or 3, 2) that are seen.

    Each begins with the two corners that it shares with the top face.
    """
    count, found = len(top), list[Doubles]()
    lower = bodies(plane, top[None])[0, count:]
    least = LEAST_SEEN * cv2.contourArea(top.astype(np.float32), oriented=True)
    for i in range(count):
        j = (i + 1) % count
        # The lower corner of an octahedron's side lies opposite the upper one that the side has not.
        foot = [lower[j - 2]] if shape_outlined(count).twisted else [lower[i], lower[j]]
        side = np.stack([top[j], top[i], *foot])
        if cv2.contourArea(side.astype(np.float32), oriented=True) >= least:  # negative where it faces away
            found.append(side)
    return found


def apart(plane: Plane, first: Doubles, second: Doubles) -> float:
    """How far the middles of two top faces (4 or 3, 2) in pixels are from each other on the plane, in edges."""
    one, other = plane.flat(first), plane.flat(second)
    distance = float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0))))
    return distance / max(float(mean_edge(one)), float(mean_edge(other)))


def within(plane: Plane, face: Doubles, top: Doubles) -> float:
    """Share of a face's outline (4 or 3, 2) in pixels that lies in the body of the die with this top face."""
    body = np.asarray(cv2.convexHull(bodies(plane, top[None])[0].astype(np.float32)), np.float32)
    outline = face.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(outline, body)
    return float(shared) / max(float(cv2.contourArea(outline)), 1e-6)

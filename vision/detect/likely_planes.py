"""Finds the planes on which dice may lie if each of them has several possible top faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.bodies import STRANGE, beside
from vision.boxes import Box
from vision.dicesets.shapes import shape_outlined
from vision.frame import Doubles
from vision.plane import FINER, GRID, Plane, directions, nearness, placed, strangeness_of

LIKELY_PLANES = 6
"""How many planes are compared if a side may have been outlined."""
TILTED_OTHERWISE = np.radians(20)
"""Two planes are tilted otherwise if they differ by more than this."""
SIZES_DIFFER = 0.25
"""A die whose size on a plane differs from the others' by this (a natural logarithm) supports it half as much: on a
wrong plane, dice that are far away look too large or too small."""
HORIZON = 0.05
"""Anything closer to a plane's horizon than this share of its distance is not on it."""
SIDES_COUNT = 0.8
"""The weight of an outline that may be a side's, beside one that may be the top's and shows more exactly where the top
is."""


def likely_planes(
    outlines: Sequence[Sequence[Doubles]], boxes: Sequence[Box], weights: Sequence[float], width: int, height: int
) -> list[tuple[Plane, list[int]]]:  # fmt: skip
    """The planes on which most dice may lie, each with the place of every die's likeliest outline.

    Each of N > 0 dice has one or more outlines (3 or 4, 2) in pixels, clockwise. An outline supports a plane by how
    closely it lies on it, times how well the body below it fills the detector's box of that die. An outline of a side
    supports the plane on which the top beside it lies. Dice support a plane together if they are equally large on it
    (`agreeing`). There are LIKELY_PLANES planes, each tilted otherwise than those before it.
    """
    longer, middle = float(max(width, height)), (width / 2, height / 2)
    flat = [outline for own in outlines for outline in own]
    counts = [len(own) for own in outlines]
    begins = np.cumsum([0, *counts[:-1]])
    votes = np.asarray(weights, np.float64)
    maps, places = placed(flat, middle)
    around = np.repeat(np.array(boxes, np.float64), counts, axis=0)

    def support(tried: Doubles) -> tuple[Doubles, Doubles]:
        """(M, outlines) how much each outline supports each row of `tried`, and (M,) how much all dice together do."""
        along, focal = directions(tried[:, 0], tried[:, 1]), np.exp(tried[:, 2])
        each, heights = _support(along, focal, maps, places, flat, around)
        best = np.stack([own.argmax(axis=1) for own in np.split(each, begins[1:], axis=1)], axis=1) + begins
        own, high = (np.take_along_axis(of, best, axis=1) for of in (each, heights))
        return each, agreeing(own * votes, high)

    grid = GRID + np.array([0.0, 0.0, np.log(longer)])
    _, worth = support(grid)
    normals = np.cross(*np.moveaxis(directions(grid[:, 0], grid[:, 1]), 2, 0))
    firsts: list[int] = []
    for _ in range(LIKELY_PLANES):
        firsts.append(int(worth.argmax()))
        worth = np.where(normals @ normals[firsts[-1]] > np.cos(TILTED_OTHERWISE), 0.0, worth)
    rows, each = grid[firsts], np.zeros((LIKELY_PLANES, len(flat)))
    for finer in (1.0, 0.5, 0.25):
        tried = (rows[:, None] + FINER * finer).reshape(-1, 3)
        told, worths = support(tried)
        best = worths.reshape(LIKELY_PLANES, -1).argmax(axis=1) + np.arange(LIKELY_PLANES) * len(FINER)
        rows, each = tried[best], told[best]
    planes = (
        Plane(along, focal, middle)
        for along, focal in zip(directions(rows[:, 0], rows[:, 1]), np.exp(rows[:, 2]).tolist(), strict=True)
    )
    chosen = ([int(own.argmax()) for own in np.split(row, begins[1:])] for row in each)
    return list(zip(planes, chosen, strict=True))


def likeliest(plane: Plane, outlines: Sequence[Sequence[Doubles]], boxes: Sequence[Box]) -> list[list[int]]:
    """For each of N > 0 dice the places of its outlines (3 or 4, 2), in pixels, by how much they support a plane
    (`likely_planes`), most first."""
    flat = [outline for own in outlines for outline in own]
    counts = [len(own) for own in outlines]
    maps, places = placed(flat, plane.middle)
    around = np.repeat(np.array(boxes, np.float64), counts, axis=0)
    support, _ = _support(plane.along[None], np.array([plane.focal]), maps, places, flat, around)
    return [np.argsort(-own, kind="stable").tolist() for own in np.split(support[0], np.cumsum(counts)[:-1])]


def agreeing(worths: Doubles, heights: Doubles) -> Doubles:
    """(…) how much N dice support a plane together, by how much each does (…, N) and its height there (…, N).

    A die counts the less, the more its size differs from that of the die that most are like.
    """
    sizes = np.log(heights)
    alike = 1 / (1 + np.square((sizes[..., None] - sizes[..., None, :]) / SIZES_DIFFER))
    together: Doubles = (alike @ worths[..., None])[..., 0].max(axis=-1)
    return together


def _support(
    along: Doubles, focal: Doubles, maps: Doubles, places: Doubles, outlines: Sequence[Doubles], boxes: Doubles
) -> tuple[Doubles, Doubles]:
    """(M, N): how much each of N outlines supports each of M planes, 0 … 1 (`likely_planes`), and how high its die is
    there, with the plane at distance 1."""
    support, heights = np.zeros((len(along), len(outlines))), np.zeros((len(along), len(outlines)))
    for count in sorted({len(outline) for outline in outlines}):
        own = [i for i, outline in enumerate(outlines) if len(outline) == count]
        near = _Near.places(along, focal, places[own])
        faces = np.stack([outlines[i] for i in own], axis=2)[:, :, None]
        around = boxes[own].T.reshape(2, 2, 1, -1)
        off = strangeness_of(along, focal, maps[own], places[own])
        best, high = near.filled(faces, around) * nearness(off), near.height(faces)
        for first in range(count):
            side = np.roll(faces, -first, axis=0)
            tops, off = near.across(side)
            filled = near.filled(tops, around)
            as_side = SIDES_COUNT * np.where(filled >= STRANGE, filled, 0.0) * nearness(off)
            best, high = np.maximum(best, as_side), np.where(as_side > best, near.height(side), high)
        support[:, own], heights[:, own] = best, high
    return support, heights


@dataclass(frozen=True, eq=False, slots=True)
class _Near:
    """M planes near N places, as if seen from far away, so that equal steps along a plane are equal in the picture.

    Steps and points are (2, M or 1, N), x and y; faces (k, 2, M or 1, N).
    """

    look: Doubles
    """(2, 2, M, N): a step along the plane's first and its second direction, in the picture."""
    deep: Doubles
    """(2, M, N): a step down from the plane, in the picture."""
    away: Doubles
    """(M, N): how far away each place on the plane is along the camera's view, with the plane at distance 1, in focal
    lengths."""

    @classmethod
    def places(cls, along: Doubles, focal: Doubles, places: Doubles) -> _Near:
        """Planes along directions (M, 3, 2), focal lengths (M,), and places (N, 2) from the middle of the picture."""
        down = np.cross(along[:, :, 0], along[:, :, 1])
        down *= np.sign(down[:, 2:])
        slope = -places.T[:, None] / focal[:, None]
        first, second, deep = (
            one.T[:2, :, None] + slope * one[:, 2:] for one in (along[:, :, 0], along[:, :, 1], down)
        )
        near = (down[:, :2] @ places.T) / focal[:, None] + down[:, 2:]
        return cls(np.stack([first, second]), deep, 1 / (np.maximum(near, HORIZON) * focal[:, None]))

    def flat(self, steps: Doubles) -> Doubles:
        """Steps in the picture, along the planes."""
        ((a, c), (b, d)), (x, y) = self.look, steps
        size = a * d - b * c
        return np.stack([d * x - b * y, a * y - c * x]) / np.where(np.abs(size) < 1e-9, 1e-9, size)

    def seen(self, flat: Doubles) -> Doubles:
        """Steps along the planes, in the picture."""
        return self.look[0] * flat[0] + self.look[1] * flat[1]

    def height(self, faces: Doubles) -> Doubles:
        """(M, N): how high dice are if outlines (k, 2, 1, N) share their first edge with the top face."""
        edges = np.hypot(*self.flat(faces[1] - faces[0])) * self.away
        return np.maximum(edges * shape_outlined(len(faces)).height, 1e-9)

    def across(self, sides: Doubles) -> tuple[Doubles, Doubles]:
        """The top faces that share their first edge with outlines of sides (k, 2, 1, N), and (M, N) how far the
        outlines are from sides of such dice, about as `Plane.strangeness`."""
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
        """(M, N): intersection over union of the bodies below top faces and boxes (2, 2, 1, N), each given by its first
        corner and its second."""
        shape = shape_outlined(len(tops))
        below = np.hypot(*self.flat(tops[1] - tops[0])) * shape.height * self.deep
        least, most = tops.min(axis=0), tops.max(axis=0)
        # The face below an octahedron's is turned half round about its middle.
        lower = (2 * tops.mean(axis=0) - most, 2 * tops.mean(axis=0) - least) if shape.twisted else (least, most)
        begin, end = np.minimum(least, lower[0] + below), np.maximum(most, lower[1] + below)
        shared = np.clip(np.minimum(end, boxes[1]) - np.maximum(begin, boxes[0]), 0, None).prod(axis=0)
        both = (end - begin).prod(axis=0) + (boxes[1] - boxes[0]).prod(axis=0) - shared
        return shared / np.maximum(both, 1e-9)

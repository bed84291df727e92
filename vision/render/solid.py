"""Dice as rounded convex solids, and their intersections with rays.

A die is the level set ``f(p) = 0`` of a smooth maximum over its faces' half-spaces (and, for tumbled dice, of
a sphere that cuts the corners)::

    f(p) = k · log Σ exp((nᵢ·p − a) / k)

``f`` is convex, so Newton's method along a ray converges from outside without overshooting. ``k`` sets how
round the edges are. Coordinates are the die's own, in units of its face side; ``a`` is the distance of a face
from the centre.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.frame import Floats

Exact = NDArray[np.float64]

NEWTON_STEPS = 6
"""Steps of Newton's method: enough for a thousandth of a side, even at grazing edges."""


@dataclass(frozen=True, eq=False, slots=True)
class Solid:
    """Geometry of one kind of die, with faces of side 1."""

    shape: Shape
    apothem: float
    """Distance from the centre to each face."""
    normals: Floats
    """(F, 3) outward unit normals."""
    corners: Floats
    """(F, K, 3) corners of each face; clockwise seen from outside, in the order of `vision.rectify`."""
    right: Floats
    """(F, 3) the face's x axis, to the right of its symbol."""
    down: Floats
    """(F, 3) the face's y axis, towards the foot of its symbol."""
    centre_v: float
    """The y of the face's centre in its picture, in sides from the top."""

    @property
    def vertices(self) -> Floats:
        """(V, 3) the distinct corners of the solid."""
        flat = self.corners.reshape(-1, 3)
        return np.unique(np.round(flat, 5), axis=0).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Rounding:
    """How a die's edges and corners are rounded."""

    edge: float
    """Softness k of the smooth maximum, in sides; 0.01 is sharp, 0.08 is a pebble."""
    ball: float
    """Radius of the sphere that cuts the corners, in sides; at least the circumradius means none."""


def facets(shape: Shape) -> tuple[Exact, Exact, Exact, Exact]:
    """Normals, rights and downs (F, 3) and corners (F, K, 3) of a shape's faces, with edges of length 1."""
    normals = np.array(shape.normals, np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    ups = np.array(shape.ups, np.float64)
    downs = (ups * normals).sum(1, keepdims=True) * normals - ups
    downs /= np.linalg.norm(downs, axis=1, keepdims=True)
    rights = np.cross(normals, downs)
    flat = np.array(shape.outline) - shape.centre
    across, along = flat[None, :, :1] * rights[:, None], flat[None, :, 1:] * downs[:, None]
    return normals, rights, downs, shape.height / 2 * normals[:, None] + across + along


@cache
def solid(shape: Shape) -> Solid:
    """The solid of a shape, with edges of length 1."""
    normals, rights, downs, corners = (part.astype(np.float32) for part in facets(shape))
    return Solid(shape, shape.height / 2, normals, corners, rights, downs, shape.centre[1])


@dataclass(frozen=True, eq=False, slots=True)
class Hits:
    """Intersections of N rays with a solid."""

    hit: NDArray[np.bool_]
    """(N,) whether the ray meets it."""
    point: Floats
    """(N, 3) points of intersection, in the die's coordinates."""
    normal: Floats
    """(N, 3) outward unit normals."""
    face: NDArray[np.intp]
    """(N,) the nearest face."""


def trace(body: Solid, rounding: Rounding, origin: Floats, directions: Floats) -> Hits:
    """Intersect rays with a rounded die.

    `origin` is (3,), `directions` (N, 3), both in the die's coordinates; directions need not be unit vectors.
    Rays start outside the die.
    """
    normals = body.normals
    heights0 = (normals @ origin - body.apothem)[:, None]
    slopes = normals @ directions.T  # faces first, as the sums below are faster along memory
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = -heights0 / slopes
    enter = np.maximum(np.where(slopes < 0, crossing, -np.inf).max(axis=0), 0).astype(np.float32)
    leave = np.where(slopes > 0, crossing, np.inf).min(axis=0)
    index = np.flatnonzero(enter < leave)
    t, rays, slope = enter[index], directions[index], slopes[:, index]
    value = np.zeros(len(index), np.float32)
    weights = np.zeros((len(normals) + 1, len(index)), np.float32)
    terms = np.empty_like(weights)
    k = np.float32(rounding.edge)
    reach2, along, length2 = float(origin @ origin), rays @ origin, (rays * rays).sum(1)
    for _ in range(NEWTON_STEPS):
        radius = np.sqrt(reach2 + 2 * t * along + t * t * length2)
        np.multiply(slope, t, out=terms[:-1])
        terms[:-1] += heights0
        terms[-1] = radius - rounding.ball
        top = terms.max(axis=0)
        np.exp((terms - top) / k, out=weights)
        total = weights.sum(0)
        value = top + k * np.log(total)
        weights /= total
        rate = np.einsum("fn,fn->n", weights[:-1], slope) + weights[-1] * (along + t * length2) / radius
        ahead = rate < -1e-4
        t = np.minimum(np.where(ahead, t - value / np.where(ahead, rate, -1), t), 1e6)
    point = origin + t[:, None] * rays
    radius = np.sqrt((point * point).sum(1))[:, None]
    normal = weights[:-1].T @ normals + weights[-1][:, None] * point / radius
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    count = len(directions)
    there, outward = np.zeros((2, count, 3), np.float32)
    hits = Hits(np.zeros(count, bool), there, outward, np.zeros(count, np.intp))
    hits.hit[index] = np.abs(value) < 0.01
    hits.point[index], hits.normal[index] = point, normal
    hits.face[index] = (normals @ point.T).argmax(axis=0)
    return hits

"""The solids of dice that are not read: d4, d10, d12 and d20, as `vision.render` draws them.

Each has equal faces at equal distances from its middle, so the directions of its faces say everything.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

import numpy as np

from vision.dicesets.shapes import Shape
from vision.render.solid import Exact, Solid

KINDS: Final = (4, 10, 12, 20)
"""Faces of the dice that shops sell beside cubes and octahedra."""
STEEP: Final = np.deg2rad(43)
"""How far the faces of a d10 are turned from its axis."""


@cache
def polyhedron(faces: int, shape: Shape) -> Solid:
    """The solid with so many faces, as large as lets each of them carry what is drawn for a face of `shape`."""
    normals = _normals(faces)
    points = _corners(normals)
    sides = [_around(normal, points[points @ normal > 1 - 1e-6]) for normal in normals]
    middles = np.array([side.mean(0) for side in sides])
    # What is drawn about a face's middle must not reach its edges.
    inner = min(_room(side, middle) for side, middle in zip(sides, middles, strict=True))
    scale = shape.inradius / inner
    tips = np.array([side[np.linalg.norm(side, axis=1).argmax()] for side in sides])
    downs = middles - tips
    downs /= np.linalg.norm(downs, axis=1, keepdims=True)
    return Solid(
        shape, scale, normals.astype(np.float32), (np.array(sides) * scale).astype(np.float32),
        np.cross(normals, downs).astype(np.float32), downs.astype(np.float32), shape.centre[1],
    )  # fmt: skip


def laid_on(normal: Exact) -> Exact:
    """The (3, 3) rotation that turns a face with this outward normal (3,) down onto the table."""
    turn = np.stack([*np.linalg.svd(normal[None])[2][1:], -normal])
    turn[0] *= np.linalg.det(turn)
    return turn


def _room(side: Exact, middle: Exact) -> float:
    """How far the nearest edge of a face (K, 3) is from its middle."""
    along = np.roll(side, -1, 0) - side
    return float((np.linalg.norm(np.cross(along, middle - side), axis=1) / np.linalg.norm(along, axis=1)).min())


def _normals(faces: int) -> Exact:
    """(F, 3) unit vectors."""
    golden = (1 + 5**0.5) / 2
    signs = np.array([(a, b) for a in (-1, 1) for b in (-1, 1)], np.float64)
    if faces == 4:
        found = np.column_stack([signs, signs.prod(1)])
    elif faces == 10:
        turns = np.pi / 5 * np.arange(10)
        up = np.cos(STEEP) * np.where(np.arange(10) % 2, 1, -1)
        found = np.column_stack([np.sin(STEEP) * np.cos(turns), np.sin(STEEP) * np.sin(turns), up])
    else:
        flat = np.column_stack([signs * (1, golden if faces == 12 else golden**2), np.zeros(4)])
        found = np.concatenate([np.roll(flat, k, axis=1) for k in range(3)])
        if faces == 20:
            cube = np.concatenate([np.column_stack([signs, np.full(4, c)]) for c in (-1, 1)])
            found = np.concatenate([found, golden * cube])
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def _corners(normals: Exact) -> Exact:
    """(V, 3) the corners of the solid whose faces touch the unit ball: where three faces meet and no other cuts off."""
    found: list[Exact] = []
    for three in combinations(range(len(normals)), 3):
        planes = normals[list(three)]
        if abs(np.linalg.det(planes)) > 1e-6:
            corner = np.asarray(np.linalg.solve(planes, np.ones(3)), np.float64)
            if (normals @ corner).max() < 1 + 1e-6:
                found.append(corner)
    return np.unique(np.round(found, 9), axis=0)


def _around(normal: Exact, points: Exact) -> Exact:
    """(K, 3) the corners of one face, clockwise seen from outside."""
    right = points[0] - points.mean(0)
    up = np.cross(normal, right)
    angles = np.arctan2((points - points.mean(0)) @ up, (points - points.mean(0)) @ right)
    return points[np.argsort(-angles)]

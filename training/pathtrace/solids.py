"""Dice as meshes: a cube and an octahedron whose edges are true fillets, and how they lie on a table.

A filleted solid is a smaller one with a ball rolled around it: every point p of the sharp surface goes to
``q + r·(p − q)/|p − q|`` where q is the point of the shrunken solid nearest to p. For a cube that projection is
a clip, for an octahedron it is the projection onto an L1 ball (Duchi et al., 2008, "Efficient projections onto
the l1-ball"). Some dice also have their corners cut by a ball about the centre, which leaves a crease.

Faces are numbered so that face i lies opposite face F − 1 − i, as in a dice set's net.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pathtrace.meshes import Mesh, about_z
from vision.dicesets.shapes import Shape
from vision.render.solid import facets

Floats = NDArray[np.float64]

@dataclass(frozen=True, eq=False, slots=True)
class Frames:
    """The faces of a die whose opposite faces are 1 apart."""

    normals: Floats
    """(F, 3) outward."""
    rights: Floats
    """(F, 3) to the right of the face's picture."""
    downs: Floats
    """(F, 3) to the foot of the face's picture."""
    corners: Floats
    """(F, K, 3) clockwise seen from outside: from top left (d6), from the apex (d8)."""
    side: float
    """Length of an edge."""
    centre: Floats
    """(2,) where a face's centre lies in its canonical picture (`vision.rectify`), in sides."""


ORDER: dict[Shape, tuple[int, ...]] = {
    Shape.CUBE: (0, 5, 2, 3, 4, 1),
    Shape.OCTAHEDRON: (0, 7, 2, 5, 3, 4, 1, 6),
}
"""Which face of `vision.render.solid` each is here. Even numbers of an octahedron make the upper pyramid, so that a
usual net has all odd numerals there."""


@cache
def frames(shape: Shape) -> Frames:
    """The faces of a shape."""
    order, side = list(ORDER[shape]), 1 / shape.height
    normals, rights, downs, corners = (part[order] for part in facets(shape))
    return Frames(normals, rights, downs, corners * side, side, np.array(shape.centre))


@dataclass(frozen=True, slots=True)
class Build:
    """How a die is cut. Lengths are parts of its size."""

    shape: Shape
    size: float
    """Distance between opposite faces in mm."""
    fillet: float = 0.07
    """Radius of the rounded edges."""
    ball: float = 9.0
    """Radius of the ball that cuts the corners; more than the die's half diagonal cuts none."""


@dataclass(frozen=True, eq=False, slots=True)
class Pose:
    """Where a die lies."""

    turn: Floats
    """(3, 3) from the die's axes to the world's."""
    centre: Floats
    """(3,) in mm."""


def resting(shape: Shape, top: int, angle: float, size: float, at: tuple[float, float]) -> Pose:
    """A die lying flat with face `top` up, turned by `angle` radians about the upright axis, on the table at (x, y)."""
    parts = frames(shape)
    upright = np.stack([parts.rights[top], -parts.downs[top], parts.normals[top]])
    return Pose(about_z(angle) @ upright, np.array([at[0], at[1], size / 2]))


def outer_corners(build: Build, pose: Pose) -> Floats:
    """(V, 3) the corners of the sharp solid in the world."""
    points = np.unique(np.round(frames(build.shape).corners.reshape(-1, 3), 9), axis=0)
    return points * build.size @ pose.turn.T + pose.centre


def face_corners(build: Build, pose: Pose, face: int) -> Floats:
    """(K, 3) a face's sharp corners in the world, clockwise, in the order of `vision.rectify`."""
    return frames(build.shape).corners[face] * build.size @ pose.turn.T + pose.centre


def face_points(build: Build, pose: Pose, face: int, uv: Floats) -> Floats:
    """(N, 3) world points of (N, 2) places in a face's canonical picture (0..1, right and down)."""
    parts = frames(build.shape)
    flat = (uv - parts.centre) * parts.side
    local = 0.5 * parts.normals[face] + flat[:, :1] * parts.rights[face] + flat[:, 1:] * parts.downs[face]
    return local * build.size @ pose.turn.T + pose.centre


def shrunken(shape: Shape, points: Floats, inset: float) -> Floats:
    """The points of the solid with faces at `inset` from the centre that are nearest to (N, 3) points outside it."""
    if shape is Shape.CUBE:
        return np.clip(points, -inset, inset)
    radius = inset * np.sqrt(3)  # |x| + |y| + |z| ≤ radius
    size = np.abs(points)
    ordered = -np.sort(-size, axis=1)
    surplus = (np.cumsum(ordered, axis=1) - radius) / np.array([1.0, 2.0, 3.0])
    kept = (ordered > surplus).sum(1)
    threshold = surplus[np.arange(len(points)), kept - 1]
    return np.sign(points) * np.maximum(size - np.maximum(threshold, 0)[:, None], 0)


@cache
def _grid(shape: Shape, fine: bool) -> tuple[Floats, NDArray[np.int64]]:
    """Places in a face, (N, 2) about its centre in sides, and their (T, 3) triangles, denser near the edges."""
    if shape.fills:
        steps = 96 if fine else 36
        line = np.linspace(-1, 1, steps + 1)
        line = np.sign(line) * (1 - (1 - np.abs(line)) ** (1.15 if fine else 1.7)) / 2
        x, y = np.meshgrid(line, line)
        points = np.stack([x.ravel(), y.ravel()], 1)
        i, k = np.meshgrid(np.arange(steps), np.arange(steps), indexing="ij")
        a = (i * (steps + 1) + k).ravel()
        b, c, d = a + 1, a + steps + 2, a + steps + 1
        # y points down the face, so that this order is counter-clockwise seen from outside
        return points, np.concatenate([np.stack([a, c, b], 1), np.stack([a, d, c], 1)])
    steps = 112 if fine else 52
    place = {
        (i, k): n for n, (i, k) in enumerate((i, k) for i in range(steps + 1) for k in range(steps + 1 - i))
    }
    reach = 1 / np.sqrt(3)
    apex, right, left = np.array([[0, -reach], [0.5, reach / 2], [-0.5, reach / 2]])
    points = np.array([apex + (right - apex) * i / steps + (left - apex) * k / steps for i, k in place])
    triangles: list[tuple[int, int, int]] = []
    for i, k in place:
        if i + k < steps:
            triangles.append((place[i, k], place[i, k + 1], place[i + 1, k]))
        if i + k < steps - 1:
            triangles.append((place[i + 1, k], place[i, k + 1], place[i + 1, k + 1]))
    return points, np.array(triangles)


def mesh(build: Build, cut: NDArray[np.float32] | None = None, depth: float = 0.0) -> Mesh:
    """The die about the origin, its texture half its faces wide and two high, each face in its canonical picture.

    `cut` (H, W), laid out as that texture, says where the surface is engraved (1 is `depth` mm deep).
    """
    parts = frames(build.shape)
    grid, triangles = _grid(build.shape, cut is not None)
    half, fillet, ball = 0.5, build.fillet, build.ball
    vertices: list[Floats] = []
    normals: list[Floats] = []
    uv: list[Floats] = []
    faces: list[NDArray[np.int64]] = []
    columns = build.shape.faces // 2
    for face in range(len(parts.normals)):
        flat = grid * parts.side
        sharp = (
            half * parts.normals[face] + flat[:, :1] * parts.rights[face] + flat[:, 1:] * parts.downs[face]
        )
        core = shrunken(build.shape, sharp, half - fillet)
        away: Floats = sharp - core
        away /= np.linalg.norm(away, axis=1, keepdims=True)
        points: Floats = core + fillet * away
        radius: Floats = np.linalg.norm(points, axis=1, keepdims=True)
        beyond = radius > ball
        points = np.where(beyond, points * ball / radius, points)
        away = np.where(beyond, points / ball, away)
        canonical = (
            np.stack([points @ parts.rights[face], points @ parts.downs[face]], 1) / parts.side + parts.centre
        )
        cell = np.array([face % columns, face // columns])
        uv.append((cell + np.clip(canonical, 0.002, 0.998)) / np.array([columns, 2]))
        points = points * build.size
        if cut is not None:
            deep, slope_x, slope_y = _sampled(cut, cell, columns, canonical)
            steep = depth / (parts.side * build.size)
            points = points - depth * deep * away
            away = away + steep * (slope_x * parts.rights[face] + slope_y * parts.downs[face])
            away /= np.linalg.norm(away, axis=1, keepdims=True)
        vertices.append(points)
        normals.append(away)
        faces.append(triangles + face * len(grid))
    return Mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(uv), np.concatenate(faces))


def _sampled(
    cut: NDArray[np.float32], cell: NDArray[np.int64], columns: int, places: Floats
) -> tuple[Floats, Floats, Floats]:
    """One face's engraving and its slopes per side along x and y, each (N, 1), at (N, 2) places of its picture."""
    side = cut.shape[1] // columns
    face = cut[cell[1] * side : (cell[1] + 1) * side, cell[0] * side : (cell[0] + 1) * side]
    down, right = np.gradient(face)
    x, y = (np.clip(places * side - 0.5, 0, side - 1)).T.astype(np.float32)
    found = [
        cv2.remap(np.asarray(layer, np.float32), x[:, None], y[:, None], cv2.INTER_LINEAR)
        for layer in (face, right * side, down * side)
    ]
    deep, slope_x, slope_y = (np.asarray(layer, float).reshape(-1, 1) for layer in found)
    return deep, slope_x, slope_y

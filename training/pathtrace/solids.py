"""Dice as meshes: a cube and an octahedron whose edges are true fillets, and how they lie on a table.

A filleted solid is a smaller one with a ball rolled around it: every point p of the sharp surface goes to
``q + r·(p − q)/|p − q|`` where q is the point of the shrunken solid nearest to p. For a cube that projection is
a clip, for an octahedron it is the projection onto an L1 ball (Duchi et al., 2008, "Efficient projections onto
the l1-ball"). Some dice also have their corners cut by a ball about the centre, which leaves a crease.

Faces are numbered so that face i lies opposite face F − 1 − i, as in a dice set's net.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.render.solid import facets

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Mesh:
    """Triangles with smooth normals and texture coordinates."""

    vertices: Floats
    """(V, 3) mm."""
    normals: Floats
    """(V, 3) unit vectors, outward."""
    uv: Floats
    """(V, 2) 0..1, u to the right and v down in the texture."""
    triangles: NDArray[np.int64]
    """(T, 3) counter-clockwise seen from outside."""

    def moved(self, turn: Floats, shift: Floats) -> Mesh:
        """The mesh after a (3, 3) rotation and a (3,) shift."""
        return replace(self, vertices=self.vertices @ turn.T + shift, normals=self.normals @ turn.T)

    def joined(self, other: Mesh) -> Mesh:
        """Both meshes as one."""
        moved = replace(other, triangles=other.triangles + len(self.vertices))
        return Mesh(*(np.concatenate([getattr(m, part.name) for m in (self, moved)]) for part in fields(Mesh)))


def about_z(angle: float) -> Floats:
    """The (3, 3) rotation about the upright axis, counter-clockwise seen from above, in radians."""
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def prism(outline: Floats, height: float, bevel: float = 0.0) -> Mesh:
    """A plate with the (N, 2) convex outline (counter-clockwise) from z = 0 to `height`, its upper edge bevelled.

    The top carries the texture: u along x, v against y, both over the outline's bounding square.
    """
    outline = np.asarray(outline, float)
    count, centre = len(outline), outline.mean(0)
    low, high = outline.min(0), outline.max(0)
    reach = float(np.linalg.norm(outline - centre, axis=1).min())
    inner = centre + (outline - centre) * (1 - bevel / max(reach, bevel * 2 + 1e-9))
    along = np.roll(outline, -1, 0) - outline
    outward = np.stack([along[:, 1], -along[:, 0]], 1) / np.linalg.norm(along, axis=1, keepdims=True)

    def ring(points: Floats, z: float) -> Floats:
        return np.column_stack([points, np.full(count, z)])

    foot, rim, top = ring(outline, 0.0), ring(outline, height - bevel), ring(inner, height)
    bands = [(foot, rim, 0.0), (rim, top, 1.0)][: 2 if bevel > 0 else 1]
    quads = np.stack([np.stack([a, np.roll(a, -1, 0), np.roll(b, -1, 0), b], 1) for a, b, _ in bands], 1)
    slopes = np.stack([ring(outward, slope) / np.sqrt(1 + slope) for *_, slope in bands], 1)
    vertices = np.concatenate([top, [[*centre, height]], quads.reshape(-1, 3)])
    normals = np.concatenate([np.tile([0.0, 0, 1], (count + 1, 1)), np.repeat(slopes.reshape(-1, 3), 4, 0)])
    unit = (vertices[:, :2] - (low + high) / 2) / float((high - low).max())
    lid = [[i, (i + 1) % count, count] for i in range(count)]
    first = count + 1 + 4 * np.arange(count * len(bands))[:, None]
    sides = np.concatenate([first, first + 1, first + 2, first, first + 2, first + 3], 1).reshape(-1, 3)
    uv = np.stack([unit[:, 0] + 0.5, 0.5 - unit[:, 1]], 1)
    return Mesh(vertices, normals, uv, np.concatenate([lid, sides]))


def turned(profile: Sequence[tuple[float, float]], around: int = 40) -> Mesh:
    """A body turned on a lathe: (radius, height) points from the foot up, the outside to the right of the way.

    Normals are smooth along the profile; repeat a point to make a sharp edge there.
    """
    points = np.array(profile, float)
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    flat = np.stack([steps[:, 1], -steps[:, 0]], 1) / np.maximum(lengths, 1e-9)[:, None]
    flat[lengths < 1e-9] = 0
    slope = np.zeros_like(points)
    slope[:-1] += flat
    slope[1:] += flat
    slope /= np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-9)
    angle = np.linspace(0, 2 * np.pi, around + 1)
    ring = np.stack([np.cos(angle), np.sin(angle)], 1)
    rows = len(points)
    vertices = np.concatenate(
        [np.column_stack([ring * radius, np.full(around + 1, height)]) for radius, height in points]
    )
    normals = np.concatenate([np.column_stack([ring * r, np.full(around + 1, z)]) for r, z in slope])
    uv = np.concatenate(
        [np.column_stack([angle / (2 * np.pi), np.full(around + 1, row / (rows - 1))]) for row in range(rows)]
    )
    i, k = np.meshgrid(np.arange(rows - 1), np.arange(around), indexing="ij")
    a = (i * (around + 1) + k).ravel()
    b, c, d = a + 1, a + around + 2, a + around + 1
    triangles = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    return Mesh(vertices, normals, uv, triangles)


def disc_top(mesh: Mesh, radius: float) -> Mesh:
    """The mesh with its texture laid on from above: a square of twice `radius` about the axis."""
    flat = mesh.vertices[:, :2] / (2 * radius)
    return replace(mesh, uv=np.stack([flat[:, 0] + 0.5, 0.5 - flat[:, 1]], 1))


def plane(half: float, z: float, texture_span: float) -> Mesh:
    """A square of the table, (−half..half)², at height z; its texture repeats every `texture_span` mm."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * half
    vertices = np.column_stack([square, np.full(4, z)])
    uv = np.stack([square[:, 0] / texture_span + 0.5, 0.5 - square[:, 1] / texture_span], 1)
    normals = np.tile([0.0, 0.0, 1.0], (4, 1))
    return Mesh(vertices, normals, uv, np.array([[0, 1, 2], [0, 2, 3]]))


def rounded_rectangle(width: float, height: float, radius: float, steps: int = 5) -> Floats:
    """An (N, 2) outline about the origin, counter-clockwise."""
    points: list[Floats] = []
    for turn, (sx, sy) in enumerate([(1, 1), (-1, 1), (-1, -1), (1, -1)]):
        centre = np.array([sx * (width / 2 - radius), sy * (height / 2 - radius)])
        angles = np.pi / 2 * (turn + np.linspace(0, 1, steps + 1))
        points.append(centre + radius * np.stack([np.cos(angles), np.sin(angles)], 1))
    return np.concatenate(points)


def polygon(corners: int, radius: float, turn: float = 0.0) -> Floats:
    """A regular (N, 2) outline about the origin, counter-clockwise, its first corner at `turn` radians."""
    angles = turn + 2 * np.pi * np.arange(corners) / corners
    return radius * np.stack([np.cos(angles), np.sin(angles)], 1)


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


def vertices(build: Build) -> Floats:
    """(V, 3) the corners of the sharp solid about the origin."""
    return np.unique(np.round(frames(build.shape).corners.reshape(-1, 3), 9), axis=0) * build.size


def outer_corners(build: Build, pose: Pose) -> Floats:
    """(V, 3) the corners of the sharp solid in the world."""
    return vertices(build) @ pose.turn.T + pose.centre


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
    i, k = np.mgrid[: steps + 1, : steps + 1]
    inside, reach = i + k <= steps, 1 / np.sqrt(3)
    number = np.cumsum(inside).reshape(inside.shape) - 1
    apex, right, left = np.array([[0, -reach], [0.5, reach / 2], [-0.5, reach / 2]])
    across, along = i[inside][:, None], k[inside][:, None]
    points = apex + (right - apex) * across / steps + (left - apex) * along / steps
    a, b, c, d = number[:-1, :-1], number[:-1, 1:], number[1:, :-1], number[1:, 1:]
    pairs = np.stack([np.stack([a, b, c], -1), np.stack([c, b, d], -1)], -2)
    return points, pairs[np.stack([inside[:-1, 1:], inside[1:, 1:]], -1)]


def mesh(build: Build, cut: NDArray[np.float32] | None = None, depth: float = 0.0) -> Mesh:
    """The die about the origin, its texture half its faces wide and two high, each face in its canonical picture.

    `cut` (H, W), laid out as that texture, says where the surface is engraved (1 is `depth` mm deep).
    """
    grid, triangles = _grid(build.shape, cut is not None)
    made = [_side(build, face, grid, cut, depth) for face in range(build.shape.faces)]
    vertices, normals, uv = (np.concatenate(part) for part in zip(*made, strict=True))
    faces = [triangles + face * len(grid) for face in range(len(made))]
    return Mesh(vertices, normals, uv, np.concatenate(faces))


def _side(
    build: Build, face: int, grid: Floats, cut: NDArray[np.float32] | None, depth: float
) -> tuple[Floats, Floats, Floats]:
    """Vertices, normals and texture coordinates of one face."""
    parts, columns, half = frames(build.shape), build.shape.faces // 2, 0.5
    right, down = parts.rights[face], parts.downs[face]
    flat = grid * parts.side
    sharp = half * parts.normals[face] + flat[:, :1] * right + flat[:, 1:] * down
    core = shrunken(build.shape, sharp, half - build.fillet)
    away: Floats = sharp - core
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    points: Floats = core + build.fillet * away
    radius: Floats = np.linalg.norm(points, axis=1, keepdims=True)
    beyond = radius > build.ball
    points = np.where(beyond, points * build.ball / radius, points)
    away = np.where(beyond, points / build.ball, away)
    canonical = np.stack([points @ right, points @ down], 1) / parts.side + parts.centre
    cell = np.array([face % columns, face // columns])
    uv = (cell + np.clip(canonical, 0.002, 0.998)) / np.array([columns, 2])
    points = points * build.size
    if cut is not None:
        deep, slope_x, slope_y = _sampled(cut, cell, columns, canonical)
        points = points - depth * deep * away
        away = away + depth / (parts.side * build.size) * (slope_x * right + slope_y * down)
        away /= np.linalg.norm(away, axis=1, keepdims=True)
    return points, away, uv


def _sampled(
    cut: NDArray[np.float32], cell: NDArray[np.int64], columns: int, places: Floats
) -> tuple[Floats, Floats, Floats]:
    """One face's engraving and its slopes per side along x and y, each (N, 1), at (N, 2) places of its picture."""
    side = cut.shape[1] // columns
    face = cut[cell[1] * side : (cell[1] + 1) * side, cell[0] * side : (cell[0] + 1) * side]
    down, right = np.gradient(face)
    x, y = (np.clip(places * side - 0.5, 0, side - 1)).T.astype(np.float32)
    layers = (np.asarray(layer, np.float32) for layer in (face, right * side, down * side))
    found = (cv2.remap(layer, x[:, None], y[:, None], cv2.INTER_LINEAR) for layer in layers)
    deep, slope_x, slope_y = (np.asarray(layer, float).reshape(-1, 1) for layer in found)
    return deep, slope_x, slope_y

"""Triangle meshes: prisms, turned bodies, and moving them. Lengths in mm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
        return Mesh(self.vertices @ turn.T + shift, self.normals @ turn.T, self.uv, self.triangles)

    def joined(self, other: Mesh) -> Mesh:
        """Both meshes as one."""
        return Mesh(
            np.concatenate([self.vertices, other.vertices]),
            np.concatenate([self.normals, other.normals]),
            np.concatenate([self.uv, other.uv]),
            np.concatenate([self.triangles, other.triangles + len(self.vertices)]),
        )


def about_z(angle: float) -> Floats:
    """The (3, 3) rotation about the upright axis, counter-clockwise seen from above, in radians."""
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def prism(outline: Floats, height: float, bevel: float = 0.0) -> Mesh:
    """A plate with the (N, 2) convex outline (counter-clockwise) from z = 0 to `height`, its upper edge bevelled.

    The top carries the texture: u along x, v against y, both over the outline's bounding square.
    """
    outline = np.asarray(outline, float)
    count = len(outline)
    low, high = outline.min(0), outline.max(0)
    extent = float((high - low).max())
    middle = (low + high) / 2
    centre = outline.mean(0)
    inner = centre + (outline - centre) * (
        1 - bevel / max(float(np.linalg.norm(outline - centre, axis=1).min()), bevel * 2 + 1e-9)
    )

    def texture(points: Floats) -> Floats:
        unit = (points - middle) / extent
        return np.stack([unit[:, 0] + 0.5, 0.5 - unit[:, 1]], 1)

    after = np.roll(outline, -1, 0)
    along = after - outline
    outward = np.stack([along[:, 1], -along[:, 0]], 1)
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    vertices: list[Floats] = []
    normals: list[Floats] = []
    uv: list[Floats] = []
    triangles: list[list[int]] = []

    def put(points: Floats, normal: Floats) -> int:
        first = sum(len(part) for part in vertices)
        vertices.append(points)
        normals.append(np.broadcast_to(normal, points.shape).astype(float))
        uv.append(texture(points[:, :2]))
        return first

    top = np.column_stack([inner, np.full(count, height)])
    first = put(np.vstack([top, [*centre, height]]), np.array([0.0, 0.0, 1.0]))
    triangles += [[first + i, first + (i + 1) % count, first + count] for i in range(count)]
    inner_after = np.roll(inner, -1, 0)
    for i in range(count):
        side = np.array([*outward[i], 0.0])
        slope = np.array([*outward[i], 1.0]) / np.sqrt(2)
        rim = height - bevel
        wall = put(
            np.array([[*outline[i], 0.0], [*after[i], 0.0], [*after[i], rim], [*outline[i], rim]]), side
        )
        triangles += [[wall, wall + 1, wall + 2], [wall, wall + 2, wall + 3]]
        if bevel > 0:
            edge = put(
                np.array(
                    [[*outline[i], rim], [*after[i], rim], [*inner_after[i], height], [*inner[i], height]]
                ),
                slope,
            )
            triangles += [[edge, edge + 1, edge + 2], [edge, edge + 2, edge + 3]]
    return Mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(uv), np.array(triangles))


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
    return Mesh(
        mesh.vertices, mesh.normals, np.stack([flat[:, 0] + 0.5, 0.5 - flat[:, 1]], 1), mesh.triangles
    )


def ball(radius: float) -> Mesh:
    """A ball that lies on z = 0."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 25)
    return turned([(radius * float(np.cos(a)), radius * (1 + float(np.sin(a)))) for a in angle])


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

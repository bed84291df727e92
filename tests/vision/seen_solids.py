"""Cubes and octahedra on a table before a pinhole camera, made from their vertices and not as the reader makes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box
from vision.corners import clockwise
from vision.plane import Plane

WIDTH, HEIGHT = 1280, 960
FOCAL = 1.2 * WIDTH
Floats = NDArray[np.float64]

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
CUBE_FACES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))
OCTAHEDRON = 1.5 * np.concatenate([np.eye(3), -np.eye(3)])
OCTAHEDRON_FACES = tuple((a, b, c) for a in (0, 3) for b in (1, 4) for c in (2, 5))


class Table:
    """A table seen under a tilt; `to_camera` has x, y in the table, z up, as columns."""

    def __init__(self, tilt: float, towards: float) -> None:
        a, b = np.radians(tilt), np.radians(towards)
        along = np.array(
            [[np.cos(b) * np.cos(a), -np.sin(b)], [np.sin(b) * np.cos(a), np.cos(b)], [np.sin(a), 0.0]]
        )
        up = np.cross(along[:, 0], along[:, 1])
        up = up if up[2] < 0 else -up
        self.plane = Plane(along, FOCAL, (WIDTH / 2, HEIGHT / 2))
        self.to_camera = np.column_stack([along, up])

    def solid(self, sides: int, turn: float, place: tuple[float, float]) -> tuple[Floats, list[Floats]]:
        """Pixels of a die's vertices, and those of its faces that the camera sees, the top one first."""
        points, faces = (CUBE, CUBE_FACES) if sides == 4 else (OCTAHEDRON, OCTAHEDRON_FACES)
        if sides == 3:
            points = points @ _standing().T
        c, s = np.cos(turn), np.sin(turn)
        points = points @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T
        points = points - (0, 0, points[:, 2].max())  # the top faces of all dice lie on one plane
        ray, up = np.array([place[0], place[1], 1.0]), self.to_camera[:, 2]
        seen = points @ self.to_camera.T + 50 * up[2] / (ray @ up) * ray
        pixels = seen[:, :2] / seen[:, 2:] * FOCAL + (WIDTH / 2, HEIGHT / 2)
        middle = seen.mean(axis=0)
        facing: list[tuple[float, float, Floats]] = []
        for face in faces:
            centre = seen[list(face)].mean(axis=0)
            towards = float(
                (centre - middle) @ -centre / np.linalg.norm(centre - middle) / np.linalg.norm(centre)
            )
            if towards > 0.1:
                facing.append((-points[list(face), 2].min(), -towards, pixels[list(face)]))
        facing.sort(key=lambda one: one[:2])
        return pixels, [clockwise(face.astype(np.float32)).astype(np.float64) for _, _, face in facing]


def _standing() -> Floats:
    """(3, 3) the rotation that puts an octahedron on one of its faces."""
    up = np.ones(3) / 3**0.5
    east = np.array([1, -1, 0]) / 2**0.5
    return np.stack([east, np.cross(up, east), up])


def box_of(pixels: Floats) -> Box:
    (x0, y0), (x1, y1) = pixels.min(axis=0), pixels.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)

"""Where things lie: dice whole in the picture, apart or touching, never in one another."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pathtrace.camera import Camera
from training.pathtrace.labels import Placed
from training.pathtrace.solids import Build, frames, outer_corners, resting

Floats = NDArray[np.float64]

TRIES = 60
TOUCHING = 0.3
"""Share of dice that are pushed against another one."""

RIM = 2.0
"""Pixels between a die's outline and the border of the picture, at least."""


def outline(points: Floats) -> Floats:
    """The (N, 2) convex outline of (M, 2) or (M, 3) points, seen from above."""
    hull = cv2.convexHull(points[:, :2].astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), float)


def apart(first: Floats, second: Floats, gap: float = 0.0) -> bool:
    """Whether two convex (N, 2) outlines keep a gap: some side's direction parts them."""
    for points in (first, second):
        along = np.roll(points, -1, 0) - points
        normals = np.stack([along[:, 1], -along[:, 0]], 1)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        for normal in normals:
            a, b = first @ normal, second @ normal
            if a.min() > b.max() + gap or b.min() > a.max() + gap:
                return True
    return False


def inside(points: Floats, camera: Camera, rim: float = RIM) -> bool:
    """Whether (N, 3) points lie in the picture, `rim` pixels from its border."""
    pixels = camera.project(points)
    return bool((pixels >= rim).all() and (pixels <= np.array([camera.width, camera.height]) - rim).all())


def throw(rng: np.random.Generator, builds: Sequence[Build], camera: Camera) -> list[Placed]:
    """Dice lying on the table in random turns; fewer than asked for where they do not fit."""
    lying: list[Placed] = []
    outlines: list[Floats] = []
    for build in builds:
        for _ in range(TRIES):
            top = int(rng.integers(len(frames(build.shape).normals)))
            angle = float(rng.uniform(0, 2 * np.pi))
            pixel = (float(rng.uniform(0, camera.width)), float(rng.uniform(0, camera.height)))
            spot = camera.on_table(pixel, build.size / 2)
            if lying and rng.random() < TOUCHING:
                spot = _against(rng, build, top, angle, outlines[int(rng.integers(len(outlines)))], spot)
            pose = resting(build.shape, top, angle, build.size, (float(spot[0]), float(spot[1])))
            corners = outer_corners(build, pose)
            mine = outline(corners)
            if inside(corners, camera) and all(apart(mine, other, 0.05) for other in outlines):
                lying.append(Placed(build, pose, top))
                outlines.append(mine)
                break
    return lying


def _against(
    rng: np.random.Generator, build: Build, top: int, angle: float, other: Floats, spot: Floats
) -> Floats:
    """A place on the way from `spot` to another die where they just touch (or nearly)."""
    target = other.mean(0)
    away = spot[:2] - target
    away /= max(float(np.linalg.norm(away)), 1e-6)
    low, high = 0.0, 6 * build.size
    shape = outline(outer_corners(build, resting(build.shape, top, angle, build.size, (0.0, 0.0))))
    for _ in range(24):
        middle = (low + high) / 2
        if apart(shape + target + away * middle, other, 0.08):
            high = middle
        else:
            low = middle
    return np.array([*(target + away * (high + float(rng.exponential(0.5)))), 0.0])

"""What a picture truly shows: boxes, corners, how much of each top face is to be seen. Geometry alone, no renderer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.pathtrace.camera import Camera
from training.pathtrace.solids import Build, Pose, face_corners, face_points, frames, mesh
from vision.dicesets.shapes import Shape

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class Placed:
    """A die on the table."""

    build: Build
    pose: Pose
    top: int
    """The face that is up."""


@dataclass(frozen=True, eq=False, slots=True)
class Label:
    """One die of a picture."""

    face: str
    shape: Shape
    box: tuple[float, float, float, float]
    """x0, y0, x1, y1 of what is to be seen of the whole die, in pixels."""
    corners: Floats
    """(K, 2) of the sharp top face, in pixels, in the order of `vision.rectify`."""
    visible: float
    """Share of the top face that no other die hides."""

    @property
    def side(self) -> float:
        """Length of the top face's side in pixels: the root of its area, as an upright view would show it."""
        x, y = self.corners.T
        area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2
        return float(np.sqrt(area / self.shape.area))

    def line(self, number: int, width: int, height: int) -> str:
        """As labelled folders have it: class, box (middle and size), corners, as fractions of the picture."""
        x0, y0, x1, y1 = self.box
        box = [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height]
        corners = (self.corners / (width, height)).ravel()
        return " ".join([str(number), *(f"{value:.5f}" for value in [*box, *corners])])


def hidden(points: Floats, eye: Floats, others: list[Placed]) -> NDArray[np.bool_]:
    """Which of (N, 3) points a camera at `eye` cannot see for other dice, taken as sharp solids.

    A ray meets a convex solid where it has entered every half-space before leaving any.
    """
    covered = np.zeros(len(points), bool)
    rays = points - eye
    for die in others:
        normals = frames(die.build.shape).normals @ die.pose.turn.T
        height = normals @ (eye - die.pose.centre) - die.build.size / 2
        slope = rays @ normals.T
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -height / slope
        enter = np.where(slope < 0, at, -np.inf).max(axis=1)
        leave = np.where(slope > 0, at, np.inf).min(axis=1)
        parallel_outside = ((slope == 0) & (height > 0)).any(axis=1)
        covered |= (enter < leave) & (enter > 0) & (enter < 1 - 1e-9) & ~parallel_outside
    return covered


def label(die: Placed, face: str, camera: Camera, others: list[Placed]) -> Label:
    """The label of one die among others."""
    shape = die.build.shape
    surface = mesh(die.build).moved(die.pose.turn, die.pose.centre)
    facing = ((camera.position - surface.vertices) * surface.normals).sum(1) > 0
    seen = surface.vertices[facing]
    near = [
        other
        for other in others
        if np.linalg.norm(other.pose.centre - die.pose.centre) < 6 * other.build.size
    ]
    if near:
        shown = seen[~hidden(seen, camera.position, near)]
        seen = shown if len(shown) else seen
    pixels = camera.project(seen)
    (x0, y0), (x1, y1) = pixels.min(0), pixels.max(0)
    box = (
        float(np.clip(x0, 0, camera.width)), float(np.clip(y0, 0, camera.height)),
        float(np.clip(x1, 0, camera.width)), float(np.clip(y1, 0, camera.height)),
    )  # fmt: skip
    top = face_points(die.build, die.pose, die.top, _samples(shape))
    visible = float(1 - hidden(top, camera.position, near).mean()) if near else 1.0
    corners = camera.project(face_corners(die.build, die.pose, die.top))
    return Label(face, shape, box, corners, visible)


def _samples(shape: Shape) -> Floats:
    """Some (N, 2) places spread over a face's canonical picture."""
    steps = (np.arange(13) + 0.5) / 13
    grid = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    outline = np.array(shape.outline)
    along, off = np.roll(outline, -1, axis=0) - outline, grid[:, None] - outline
    return grid[(along[:, 0] * off[..., 1] > along[:, 1] * off[..., 0]).all(axis=1)]

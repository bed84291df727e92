"""What a picture shows: where dice lie, boxes, corners, how much of each top face is seen, whether it is legible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.evaluate.labels import label_text
from training.pathtrace.artwork import CELL
from training.pathtrace.camera import LensCamera
from training.pathtrace.dice import DieTextures
from training.pathtrace.solids import (
    Build,
    Pose,
    face_corners,
    face_points,
    frames,
    mesh,
    outer_corners,
    resting,
)
from vision.dicesets.shapes import Shape
from vision.rectify import face_mask

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
        normals = np.stack([along[:, 1], -along[:, 0]])
        normals /= np.maximum(np.linalg.norm(normals, axis=0), 1e-9)
        a, b = first @ normals, second @ normals
        if ((a.min(0) > b.max(0) + gap) | (b.min(0) > a.max(0) + gap)).any():
            return True
    return False


def inside(points: Floats, camera: LensCamera, rim: float = RIM) -> bool:
    """Whether (N, 3) points lie in the picture, `rim` pixels from its border."""
    pixels = camera.project(points)
    return bool((pixels >= rim).all() and (pixels <= np.array([camera.width, camera.height]) - rim).all())


def throw(rng: np.random.Generator, builds: Sequence[Build], camera: LensCamera) -> list[PlacedDie]:
    """Dice lying on the table in random turns; fewer than asked for where they do not fit."""
    lying: list[PlacedDie] = []
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
                lying.append(PlacedDie(build, pose, top))
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


SIDE = 24
"""Pixels across a face, about what the smallest dice have."""

ALIKE = 0.55
"""The least correlation between the drawing and what is seen of it, in lightness or in colour."""

CONTRAST = 7.0
"""The least deviation that the drawing makes there, in CIELAB units (a just noticeable difference is about 2)."""

VISIBLE = 0.95
"""The least share of a top face that is not hidden."""


def legibility(
    pixels: NDArray[np.uint8], die: PlacedDie, painted: DieTextures, camera: LensCamera
) -> tuple[float, float]:
    """How well a die's drawing shows in (H, W, 3) BGR: correlation (0..1) and contrast (CIELAB units).

    The best of lightness and the two colour axes counts.
    """
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    there = camera.project(face_points(die.build, die.pose, die.top, square))
    over = 4
    matrix = cv2.getPerspectiveTransform(there.astype(np.float32), (square * SIDE * over).astype(np.float32))
    seen = cv2.warpPerspective(pixels, matrix, (SIDE * over, SIDE * over), flags=cv2.INTER_LINEAR)
    colours, ink = painted.face(die.top, die.build.shape)
    truth = colours[..., ::-1]
    if float(ink.std()) > 0.02 and painted.look.ink is not None:
        truth = np.repeat((ink * 255).astype(np.uint8)[..., None], 3, 2)
    mask = (face_mask(die.build.shape, CELL) > 0.5).astype(np.uint8)
    mask[:2], mask[-2:], mask[:, :2], mask[:, -2:] = 0, 0, 0, 0
    mask = cv2.erode(mask, np.ones((CELL // 9,) * 2, np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    y, x = np.nonzero(cv2.resize(mask, (SIDE, SIDE), interpolation=cv2.INTER_AREA))
    slope = np.stack([np.ones_like(x), x, y], 1).astype(np.float32)

    def levels(picture: cv2.typing.MatLike) -> Floats:
        """(3, N) CIELAB inside the mask, each without its mean and slope: light falls unevenly."""
        small = cv2.resize(np.ascontiguousarray(picture), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        flat = [channel - slope @ np.linalg.lstsq(slope, channel, rcond=None)[0] for channel in lab[y, x].T]
        return np.asarray(flat, np.float32)

    best = (0.0, 0.0)
    observed = levels(seen)
    for drawing in levels(truth):
        for shown in observed:
            if drawing.std() >= 4 and shown.std() >= 1e-3:
                alike = abs(float(np.corrcoef(drawing, shown)[0, 1]))
                best = max(best, (alike, alike * float(shown.std())))
    return best


@dataclass(frozen=True, eq=False, slots=True)
class PlacedDie:
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
        """As labelled folders have it."""
        return label_text(number, self.box, width, height, self.corners)


def hidden(points: Floats, eye: Floats, others: list[PlacedDie]) -> NDArray[np.bool_]:
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


def label(die: PlacedDie, face: str, camera: LensCamera, others: list[PlacedDie]) -> Label:
    """The label of one die among others."""
    shape = die.build.shape
    surface = mesh(die.build).moved(die.pose.turn, die.pose.centre)
    facing = ((camera.position - surface.vertices) * surface.normals).sum(1) > 0
    seen = surface.vertices[facing]
    away = [float(np.linalg.norm(other.pose.centre - die.pose.centre)) for other in others]
    near = [other for other, far in zip(others, away, strict=True) if far < 6 * other.build.size]
    if near:
        shown = seen[~hidden(seen, camera.position, near)]
        seen = shown if len(shown) else seen
    pixels = camera.project(seen)
    (x0, y0), (x1, y1) = pixels.min(0), pixels.max(0)
    size = camera.width, camera.height
    x0, y0, x1, y1 = (float(v) for v in np.clip([x0, y0, x1, y1], 0, [*size, *size]))
    steps = (np.arange(13) + 0.5) / 13
    grid, outline = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2), np.array(shape.outline)
    along, off = np.roll(outline, -1, axis=0) - outline, grid[:, None] - outline
    inner = grid[(along[:, 0] * off[..., 1] > along[:, 1] * off[..., 0]).all(axis=1)]
    top = face_points(die.build, die.pose, die.top, inner)
    visible = float(1 - hidden(top, camera.position, near).mean()) if near else 1.0
    corners = camera.project(face_corners(die.build, die.pose, die.top))
    return Label(face, shape, (x0, y0, x1, y1), corners, visible)

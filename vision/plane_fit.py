"""Faces' corners from their soft masks, where the plane they lie on is known: four unknowns instead of eight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import TURNS_TRIED, Agreement, clockwise
from vision.crops import scale_of
from vision.dicesets.shapes import Shape
from vision.plane import Plane

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]

CELL = 2.0
"""Crop pixels in a cell of the mask."""
LARGER = (-0.15, 0.0, 0.12)
"""Logarithms of the sizes tried at first, relative to what the mask's area tells."""
STEPS = (1.2, 0.5, 0.2)
"""Steps of the search, in cells at the face's corners."""
SWEEPS = 6


def _moves() -> Matrix:
    """(M, 4): each unknown alone, up and down, and each two of them together."""
    single = np.concatenate([np.eye(4), -np.eye(4)])
    both = [a + b for i, a in enumerate(single) for b in single[i + 1 :] if np.abs(a + b).any()]
    return np.concatenate([single, np.array(both)])


MOVES = _moves()


@dataclass(frozen=True, eq=False, slots=True)
class Seen:
    """What the face finder saw of one die."""

    mask: Floats
    """(S, S) in 0 … 1."""
    bumps: Floats
    """(S, S), a bump on each corner."""
    mapping: Matrix
    """(3, 3) picture pixels, centres at whole numbers, to crop pixels (`vision.crops`)."""
    start: Floats
    """(sides, 2) cells of the mask: a rough outline."""


def fit_on_plane(dice: Sequence[Seen], plane: Plane, shape: Shape) -> list[tuple[Floats, float]]:
    """For each die the corners (sides, 2) of the face on `plane` that fits its mask best, in picture pixels, clockwise.

    Beside them the share of face and mask together that both cover, 0 … 1. All dice are searched side by side.
    """
    if not dice:
        return []
    sides = shape.corners
    agreement = Agreement(np.stack([die.mask for die in dice]), np.stack([die.bumps for die in dice]))
    flat = _Flat(plane, [die.mapping for die in dice], sides)
    angles = np.arange(TURNS_TRIED) * (2 * np.pi / sides / TURNS_TRIED)
    turns = np.array([(larger, angle) for larger in LARGER for angle in angles])
    sizes = flat.sizes([die.start for die in dice])
    tried = np.zeros((len(dice), len(turns), 4))
    tried[:, :, :2] = np.stack([die.start.mean(axis=0) for die in dice])[:, None]
    tried[:, :, 2] = np.log(sizes)[:, None] + turns[:, 0]
    tried[:, :, 3] = turns[:, 1]
    which = np.arange(len(dice))
    values = agreement.of_apart(*flat.cells(tried))
    found = values.argmax(axis=1)
    best, most = tried[which, found], values[which, found]
    moves = MOVES * flat.steps(sizes)[:, None]
    for step in STEPS:
        for _ in range(SWEEPS):
            moved = best[:, None] + moves * step
            values = agreement.of_apart(*flat.cells(moved))
            found = values.argmax(axis=1)
            reached = values[which, found]
            better = reached > most + 1e-3
            if not better.any():
                break
            best = np.where(better[:, None], moved[which, found], best)
            most = np.where(better, reached, most)
    faces = np.stack(flat.cells(best[:, None]), axis=-1)[:, 0]
    shares = agreement.overlap(faces)
    return [
        (clockwise(to_picture(face, die.mapping).astype(np.float32)), share)
        for face, die, share in zip(faces, dice, shares, strict=True)
    ]


class _Flat:
    """Faces that lie flat on a plane, in the cells of each die's mask.

    Four unknowns make one: its middle in cells (x, y), the logarithm of its radius, in pixels of an untilted one there,
    and the angle of its first corner within the plane, in radians.
    """

    def __init__(self, plane: Plane, maps: Sequence[Matrix], sides: int) -> None:
        """`maps` (D) from picture pixels to the dice's crops."""
        self._ring = np.arange(sides) * (2 * np.pi / sides)
        self._middles = np.stack([to_cells(np.array([plane.middle]), mapping) for mapping in maps])
        self._scales = np.array([scale_of(mapping) for mapping in maps]) / CELL
        self._along = np.stack([mapping[:2, :2] for mapping in maps]) / CELL @ plane.along[:2]
        self._away = plane.along[2] / plane.focal

    def cells(self, unknowns: Matrix) -> tuple[Floats, Floats]:
        """x and y (D, M, sides) of the corners of (D, M, 4) faces, clockwise, seen by the plane's pinhole."""
        ring, radius = unknowns[..., 3:] + self._ring, np.exp(unknowns[..., 2:3])
        first, second = np.cos(ring) * radius, np.sin(ring) * radius
        nearer = 1 / (1 + first * self._away[0] + second * self._away[1])
        ((a, b), (c, d)) = self._along.transpose(1, 2, 0)[..., None, None]
        middle, off = self._middles, unknowns[..., :2] - self._middles
        x = middle[..., :1] + (first * a + second * b + off[..., :1]) * nearer
        y = middle[..., 1:] + (first * c + second * d + off[..., 1:]) * nearer
        return x.astype(np.float32), y.astype(np.float32)

    def sizes(self, outlines: Sequence[Floats]) -> Matrix:
        """(D,) radius of the faces that cover as much as outlines (sides, 2) in cells."""
        units = np.zeros((len(outlines), 1, 4))
        units[:, 0, :2] = [outline.mean(axis=0) for outline in outlines]
        faces = np.stack(self.cells(units), axis=-1)[:, 0]
        areas = [(_area(outline), _area(face)) for outline, face in zip(outlines, faces, strict=True)]
        return np.array([(outline / max(face, 1e-9)) ** 0.5 for outline, face in areas])

    def steps(self, sizes: Matrix) -> Matrix:
        """(D, 4) what moves the corners of faces of these radii by about one cell."""
        turn = 1 / (sizes * self._scales)
        return np.stack([np.ones_like(turn), np.ones_like(turn), turn, turn], axis=1)


def to_cells(corners: Floats | Matrix, mapping: Matrix) -> Floats:
    """(K, 2) picture pixels, edges at whole numbers, to cells of a die's mask, centres at whole numbers."""
    crop = (corners - 0.5) @ mapping[:2, :2].T + mapping[:2, 2]
    return ((crop + 0.5) / CELL - 0.5).astype(np.float32)


def to_picture(cells: Floats, mapping: Matrix) -> Matrix:
    """(K, 2) cells of a die's mask, centres at whole numbers, to picture pixels, edges at whole numbers."""
    crop = (cells.astype(np.float64) + 0.5) * CELL - 0.5
    return (crop - mapping[:2, 2]) @ np.linalg.inv(mapping[:2, :2]).T + 0.5


def _area(corners: Floats) -> float:
    return abs(float(cv2.contourArea(corners)))

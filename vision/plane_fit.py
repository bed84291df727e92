"""Faces' corners from their soft masks, where the plane they lie on is known: four unknowns instead of eight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import TURNS_TRIED, Agreement, clockwise
from vision.crops import scale_of
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


def fit_on_plane(dice: Sequence[Seen], plane: Plane, sides: int) -> list[tuple[Floats, float]]:
    """For each die the corners (sides, 2) of the face on `plane` that fits its mask best, in picture pixels, clockwise.

    Beside them the share of face and mask together that both cover, 0 … 1. All dice are searched side by side.
    """
    if not dice:
        return []
    maps = np.stack([die.mapping for die in dice])
    agreement = Agreement(np.stack([die.mask for die in dice]), np.stack([die.bumps for die in dice]))
    starts = [to_picture(die.start, die.mapping) for die in dice]
    centres = np.stack([start.mean(axis=0) for start in starts])
    units = plane.faces(centres, np.ones(len(dice)), np.zeros(len(dice)), sides)
    areas = [(_area(start), _area(unit)) for start, unit in zip(starts, units, strict=True)]
    sizes = np.array([(start / max(unit, 1e-9)) ** 0.5 for start, unit in areas])

    def cells(unknowns: Matrix) -> Floats:
        flat = unknowns.reshape(-1, 4)
        faces = plane.faces(flat[:, :2], np.exp(flat[:, 2]), flat[:, 3], sides)
        return _to_cells(faces.reshape(*unknowns.shape[:2], sides, 2), maps)

    angles = np.arange(TURNS_TRIED) * (2 * np.pi / sides / TURNS_TRIED)
    turns = np.array([(larger, angle) for larger in LARGER for angle in angles])
    tried = np.zeros((len(dice), len(turns), 4))
    tried[:, :, :2] = centres[:, None]
    tried[:, :, 2] = np.log(sizes)[:, None] + turns[:, 0]
    tried[:, :, 3] = turns[:, 1]
    which = np.arange(len(dice))
    values = agreement.of(cells(tried))
    found = values.argmax(axis=1)
    best, most = tried[which, found], values[which, found]
    cell = CELL / np.array([scale_of(mapping) for mapping in maps])
    steps = np.stack([cell, cell, cell / sizes, cell / sizes], axis=1)
    for step in STEPS:
        for _ in range(SWEEPS):
            moved = best[:, None] + MOVES * (steps * step)[:, None]
            values = agreement.of(cells(moved))
            found = values.argmax(axis=1)
            better = values[which, found] > most + 1e-3
            if not better.any():
                break
            best = np.where(better[:, None], moved[which, found], best)
            most = np.where(better, values[which, found], most)
    faces = plane.faces(best[:, :2], np.exp(best[:, 2]), best[:, 3], sides)
    shares = agreement.overlap(cells(best[:, None])[:, 0])
    return [(clockwise(face.astype(np.float32)), share) for face, share in zip(faces, shares, strict=True)]


def _to_cells(faces: Matrix, maps: Matrix) -> Floats:
    """(D, M, K, 2) picture pixels, edges at whole numbers, to cells of each die's mask, centres at whole numbers."""
    crop = (faces - 0.5) @ maps[:, None, :2, :2].swapaxes(-1, -2) + maps[:, None, None, :2, 2]
    return ((crop + 0.5) / CELL - 0.5).astype(np.float32)


def to_cells(corners: Floats, mapping: Matrix) -> Floats:
    """(K, 2) picture pixels, edges at whole numbers, to cells of a die's mask, centres at whole numbers."""
    return _to_cells(corners[None, None].astype(np.float64), mapping[None])[0, 0]


def to_picture(cells: Floats, mapping: Matrix) -> Matrix:
    """(K, 2) cells of a die's mask, centres at whole numbers, to picture pixels, edges at whole numbers."""
    crop = (cells.astype(np.float64) + 0.5) * CELL - 0.5
    return (crop - mapping[:2, 2]) @ np.linalg.inv(mapping[:2, :2]).T + 0.5


def _area(corners: Matrix) -> float:
    return abs(float(cv2.contourArea(corners.astype(np.float32))))

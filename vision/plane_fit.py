"""A face's corners from its soft mask, where the plane it lies on is known: four unknowns instead of eight."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import Agreement, clockwise, first_guess
from vision.plane import Plane

Floats = NDArray[np.float32]

CELL = 2.0
"""Crop pixels in a cell of the mask."""
LARGER = (-0.15, 0.0, 0.12)
"""Logarithms of the sizes tried at first, relative to what the mask's area tells."""
TURNS_TRIED = 12
STEPS = (1.5, 0.7, 0.35, 0.18, 0.09)
"""Steps of the search, in cells at the face's corners."""
SWEEPS = 6


def _moves() -> NDArray[np.float64]:
    """(M, 4): each unknown alone, up and down, and each two of them together."""
    single = np.concatenate([np.eye(4), -np.eye(4)])
    both = [a + b for i, a in enumerate(single) for b in single[i + 1 :] if np.abs(a + b).any()]
    return np.concatenate([single, np.array(both)])


MOVES = _moves()


def fit_on_plane(
    mask: Floats, bumps: Floats | None, mapping: NDArray[np.float64], plane: Plane, sides: int
) -> tuple[Floats, float] | None:
    """The corners (sides, 2), in picture pixels and clockwise, of the face on `plane` that fits a mask best.

    Beside them the share of face and mask together that both cover, 0 … 1.

    `mask` and `bumps` are (S, S) in 0 … 1; `mapping` (3, 3) takes picture pixels, centres at whole numbers, to crop
    pixels (`vision.crops`). None when there is nothing to fit.
    """
    guess = first_guess(mask, sides)
    if guess is None:
        return None
    start = _to_picture(guess[0], mapping)
    centre = start.mean(axis=0)
    unit = plane.faces(centre[None], np.ones(1), np.zeros(1), sides)[0]
    size = (_area(start) / max(_area(unit), 1e-9)) ** 0.5
    angles = np.arange(TURNS_TRIED) * (2 * np.pi / sides / TURNS_TRIED)
    tried = np.array([(*centre, np.log(size) + larger, angle) for larger in LARGER for angle in angles])
    agreement = Agreement(mask, bumps)

    def worth(unknowns: NDArray[np.float64]) -> Floats:
        faces = plane.faces(unknowns[:, :2], np.exp(unknowns[:, 2]), unknowns[:, 3], sides)
        return agreement.of(_to_cells(faces, mapping))

    values = worth(tried)
    best, most = tried[int(values.argmax())], float(values.max())
    cell = CELL / abs(float(mapping[0, 0]))
    steps = np.array([cell, cell, cell / size, cell / size])
    for step in STEPS:
        for _ in range(SWEEPS):
            moved = best + MOVES * steps * step
            values = worth(moved)
            if float(values.max()) <= most + 1e-3:
                break
            best, most = moved[int(values.argmax())], float(values.max())
    faces = plane.faces(best[None, :2], np.exp(best[2:3]), best[3:], sides)
    return clockwise(faces[0].astype(np.float32)), agreement.overlap(_to_cells(faces, mapping)[0])


def _to_cells(faces: NDArray[np.float64], mapping: NDArray[np.float64]) -> Floats:
    """(M, K, 2) picture pixels, edges at whole numbers, to cells, centres at whole numbers."""
    crop = (faces - 0.5) @ mapping[:2, :2].T + mapping[:2, 2]
    return ((crop + 0.5) / CELL - 0.5).astype(np.float32)


def _to_picture(cells: Floats, mapping: NDArray[np.float64]) -> NDArray[np.float64]:
    crop = (cells.astype(np.float64) + 0.5) * CELL - 0.5
    return (crop - mapping[:2, 2]) @ np.linalg.inv(mapping[:2, :2]).T + 0.5


def _area(corners: NDArray[np.float64]) -> float:
    return abs(float(cv2.contourArea(corners.astype(np.float32))))

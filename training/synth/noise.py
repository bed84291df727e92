"""Smooth noise, as grain, stains and the shade of a table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

TEXELS = 640
"""Side of a table's texture."""


def clouds(
    rng: np.random.Generator, size: int, cells: tuple[int, int], octaves: int = 3
) -> NDArray[np.float32]:
    """(size, size) smooth noise around 0; `cells` across and down at the coarsest octave."""
    total = np.zeros((size, size), np.float32)
    for octave in range(octaves):
        across = min(cells[0] << octave, size)
        down = min(cells[1] << octave, size)
        grain = rng.standard_normal((down, across), dtype=np.float32) / (1 << octave)
        total += cv2.resize(grain, (size, size), interpolation=cv2.INTER_CUBIC)
    return total

"""Random numbers, colours and smooth noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Floats

TEXELS = 640
"""Side of a table's texture in texels."""


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A log-uniform random number between two bounds."""
    return float(np.exp(rng.uniform(float(np.log(low)), float(np.log(high)))))


def hsv(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Floats:
    """A random BGR colour (3,) in 0 … 255 with bounded saturation and value (both 0 … 1)."""
    pixel = np.array(
        [[[rng.integers(0, 180), 255 * rng.uniform(*saturation), 255 * rng.uniform(*value)]]], np.float32
    ).astype(np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


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

"""Random colours."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def hsv(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Floats:
    """A random BGR colour (3,) in 0 … 255 with bounded saturation and value (both 0 … 1)."""
    pixel = np.array(
        [[[rng.integers(0, 180), 255 * rng.uniform(*saturation), 255 * rng.uniform(*value)]]], np.float32
    ).astype(np.uint8)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)

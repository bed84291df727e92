"""One picture from a camera, and the arrays that pictures are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""A picture, (H, W, 3) in OpenCV's order: blue, green, red."""
Mask = NDArray[np.uint8]
"""(h, w) of a picture or of the same made smaller, 255 where something is so, else 0."""
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Point = tuple[float, float]
"""x to the right and y down, in pixels unless said otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture from a camera, and when it was taken.

    `pixels` is (H, W, 3), BGR; `number` counts up from 0 for one camera since it was opened; `taken` is in
    seconds on the monotonic clock, so it orders frames and measures waits but is no time of day; `source`
    names the camera in words a person recognises.

    Raises:
        ValueError: the pixels are not (H, W, 3) bytes, or the picture is empty.
    """

    pixels: Pixels
    number: int
    taken: float
    source: str

    def __post_init__(self) -> None:
        """Refuse what no later stage could read."""
        if self.pixels.ndim != 3 or self.pixels.shape[2] != 3 or self.pixels.dtype != np.uint8:
            raise ValueError(
                f"a frame is (height, width, 3) bytes, got {self.pixels.shape} of {self.pixels.dtype}"
            )
        if 0 in self.pixels.shape:
            raise ValueError(f"a frame has at least one pixel, got {self.pixels.shape}")

"""A pinhole camera over a table.

World coordinates are millimetres: the table is the plane z = 0, z points up. Picture coordinates are pixels,
x to the right and y down, with the centre of the top left pixel at (0, 0).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.frame import Floats

AnyFloats = NDArray[np.floating[Any]]
"""Single precision at run time; NumPy's stubs call a product with a Python float double."""


@dataclass(frozen=True, eq=False, slots=True)
class View:
    """Position, direction and lens of the camera."""

    width: int
    height: int
    focal: float
    """Focal length in pixels."""
    position: Floats
    """(3,) position of the lens, in millimetres."""
    axes: Floats
    """(3, 3) rows: the picture's x, y and viewing directions in the world."""
    tilt: float
    """Degrees between the view and straight down."""
    middle: tuple[float, float] | None = None
    """The principal point in pixels if the picture is part of a larger one; None for its own centre."""

    @classmethod
    def over(
        cls, width: int, height: int, *, focal: float, distance: float, tilt: float, turn: float = 0.0,
        roll: float = 0.0,
    ) -> View:  # fmt: skip
        """A view of the world's origin from `distance` mm, tilted by `tilt` degrees from straight down.

        `turn` walks around the table, `roll` turns the camera about its own axis; both in degrees.
        """
        t, w, r = np.deg2rad([tilt, turn, roll])
        away = np.array([np.sin(t) * np.sin(w), -np.sin(t) * np.cos(w), np.cos(t)])
        forward = -away
        x = np.array([np.cos(w), np.sin(w), 0.0])
        y = np.cross(forward, x)
        x, y = x * np.cos(r) + y * np.sin(r), y * np.cos(r) - x * np.sin(r)
        axes = np.stack([x, y, forward]).astype(np.float32)
        return cls(width, height, focal, (distance * away).astype(np.float32), axes, tilt)

    @property
    def centre(self) -> tuple[float, float]:
        """The principal point in pixels."""
        return self.middle or ((self.width - 1) / 2, (self.height - 1) / 2)

    def project(self, points: AnyFloats) -> Floats:
        """(…, 3) world points to (…, 2) pixels; points behind the lens end up far away."""
        seen = (points - self.position) @ self.axes.T
        depth = np.maximum(seen[..., 2:], 1e-3)
        return (seen[..., :2] / depth * self.focal + np.array(self.centre, np.float32)).astype(np.float32)

    def rays(self, pixels: AnyFloats) -> AnyFloats:
        """(…, 2) pixels to (…, 3) directions in the world, not normalised."""
        flat = (pixels - np.array(self.centre, np.float32)) / np.float32(self.focal)
        return flat[..., :1] * self.axes[0] + flat[..., 1:] * self.axes[1] + self.axes[2]

    def ground(self, pixel: tuple[float, float]) -> Floats | None:
        """The (3,) table point seen at a pixel, or None above the horizon."""
        ray = self.rays(np.array(pixel, np.float32))
        if ray[2] > -0.05:
            return None
        return (self.position - ray * (self.position[2] / ray[2])).astype(np.float32)

    def ground_map(self, millimetres_per_texel: float, texels: int) -> NDArray[np.float64]:
        """(3, 3) homography from a square table texture, centred on the origin, to pixels."""
        half = texels / 2
        place = np.array([[1, 0, -half], [0, -1, half], [0, 0, 1 / millimetres_per_texel]]) * millimetres_per_texel
        columns = np.stack([self.axes[:, 0], self.axes[:, 1], -self.axes @ self.position], axis=1)
        cx, cy = self.centre
        intrinsic = np.array([[self.focal, 0, cx], [0, self.focal, cy], [0, 0, 1.0]])
        return intrinsic @ columns.astype(np.float64) @ place

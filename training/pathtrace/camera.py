"""A camera over the table: where it stands, where points fall in its picture, its lens.

The camera's axes are the picture's: x right, y down, z into the scene. Mitsuba's thin lens agrees with this pinhole for
points in focus, and blurs the others evenly around where they would fall.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True)
class LensCamera:
    """A thin lens in front of a sensor."""

    width: int
    height: int
    focal: float
    """Focal length in pixels."""
    position: Floats
    """(3,) mm."""
    axes: Floats
    """(3, 3) rows right, down, forward: unit vectors in the world."""
    aperture: float
    """Radius of the lens's opening in mm; 0 is a pinhole."""
    focus: float
    """Distance from the lens to the sharp plane in mm."""

    @property
    def tilt(self) -> float:
        """Degrees between the line of sight and straight down."""
        return float(np.degrees(np.arccos(np.clip(-self.axes[2, 2], -1, 1))))

    def project(self, points: Floats) -> Floats:
        """(…, 3) world points to (…, 2) pixels; points behind the lens are undefined."""
        seen = (np.asarray(points, float) - self.position) @ self.axes.T
        middle = np.array([self.width / 2, self.height / 2])
        return seen[..., :2] / seen[..., 2:] * self.focal + middle

    def on_table(self, pixel: tuple[float, float], height: float = 0.0) -> Floats:
        """The (3,) point at a height above the table that a pixel shows; the pixel lies below the horizon."""
        flat = (np.array(pixel, float) - (self.width / 2, self.height / 2)) / self.focal
        ray = flat[0] * self.axes[0] + flat[1] * self.axes[1] + self.axes[2]
        return self.position + ray * ((height - self.position[2]) / ray[2])

    def sensor(self, mi: Any, samples: int, seed: int) -> dict[str, Any]:
        """The camera as Mitsuba wants it."""
        target = self.position + self.axes[2]
        return {
            "type": "thinlens" if self.aperture > 0 else "perspective",
            **({"aperture_radius": self.aperture, "focus_distance": self.focus} if self.aperture > 0 else {}),
            "fov": float(np.degrees(2 * np.arctan(self.width / 2 / self.focal))),
            "fov_axis": "x",
            "near_clip": 1.0,
            "far_clip": 1e5,
            "to_world": mi.ScalarTransform4f().look_at(
                *([float(v) for v in place] for place in (self.position, target, -self.axes[1]))
            ),
            # A box keeps a lucky path's light in one pixel, where the sensor can tell it from a highlight.
            "film": {
                "type": "hdrfilm", "width": self.width, "height": self.height, "pixel_format": "rgb",
                "component_format": "float32", "rfilter": {"type": "box"},
            },
            "sampler": {"type": "independent", "sample_count": samples, "seed": seed},
        }


def camera_over(
    width: int, height: int, focal: float, distance: float, tilt: float, heading: float, roll: float,
    aperture: float = 0.0, focus_error: float = 0.0,
) -> LensCamera:  # fmt: skip
    """A camera that looks at the origin from `distance` mm, `tilt` degrees off the upright.

    `heading` is the direction it stands in and `roll` its turn about the line of sight, both in degrees.
    """
    lean, turn, spin = np.radians([tilt, heading, roll])
    out = np.array([np.sin(lean) * np.cos(turn), np.sin(lean) * np.sin(turn), np.cos(lean)])
    forward = -out
    level = np.array([-np.sin(turn), np.cos(turn), 0.0])
    below = np.cross(forward, level)
    right = np.cos(spin) * level + np.sin(spin) * below
    return LensCamera(
        width, height, focal, out * distance, np.stack([right, np.cross(forward, right), forward]),
        aperture, distance * (1 + focus_error),
    )  # fmt: skip


def random_camera(
    rng: np.random.Generator, pixels: tuple[float, float], size: float = 16.0, *, rolled: bool = False
) -> LensCamera:
    """A camera that sees `size` mm at the middle of its picture so many pixels long (drawn evenly in ratio).

    It is nearly upright and tilted by up to 45°; `rolled`, it is rolled any way and tilted by up to 50°.
    """
    width, height = [(640, 480), (800, 600), (960, 720)][int(rng.choice(3, p=[0.7, 0.22, 0.08]))]
    across = math.exp(rng.uniform(math.log(pixels[0]), math.log(pixels[1])))
    focal = width * math.exp(rng.uniform(math.log(0.75), math.log(2.2)))
    tilt = float(rng.uniform(0, 50 if rolled else 45))
    distance = focal * size / across
    # a phone's or a webcam's opening, now and then a large one close by
    aperture = distance * math.exp(rng.uniform(math.log(0.0008), math.log(0.007)))
    return camera_over(
        width, height, focal, distance, tilt, float(rng.uniform(0, 360)),
        float(rng.uniform(-180, 180) if rolled else rng.normal(0, 6)), aperture, float(rng.normal(0, 0.02)),
    )  # fmt: skip

"""The plane that the dice's top faces are parallel to.

Dice that lie flat show the camera parallel faces, so their outlines tell together how the table is tilted. One face
alone has eight (or six) free coordinates; a face on a known plane has four: where, how large, how turned.

The camera is a pinhole that looks along the middle of the picture. Directions are x right, y down, z away from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.frame import Doubles

TILTS = np.radians(np.arange(0.0, 70.0, 5.0))
TOWARDS = np.radians(np.arange(0.0, 360.0, 15.0))
FOCALS = np.log((0.8, 1.2, 2.5))
"""Focal lengths tried, in longer sides of the picture: a wide phone, a webcam, a longer lens."""
GRID = np.array([(a, b, c) for a in TILTS for b in TOWARDS for c in FOCALS])
"""The coarse search: tilt, direction, logarithm of the focal length."""
FINER = np.array(
    [(a, b, c) for a in (0.0, -0.05, 0.05) for b in (0.0, -0.12, 0.12) for c in (0.0, -0.2, 0.2)]
)
"""Steps around the best of the coarse search, in radians and in the logarithm of the focal length."""
USUAL = 0.06
"""Distance of a well outlined face from a similarity, as a share of its size; far beyond it a face has no vote."""
LEAST_AGREEMENT = 0.4
"""Least share of the votes that a plane must have."""
TILTED, TOLD = 0.15, 0.1
"""A plane shows how the camera is held if the sine of its tilt is at least the first, and the dice fit their boxes
better on it than on its mirror image by at least the second."""
LEAST_DICE = 3
"""Least number of faces that can agree on a plane."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A plane before a camera."""

    along: Doubles
    """(3, 2): two perpendicular unit directions in the plane."""
    focal: float
    """In pixels."""
    middle: tuple[float, float]
    """Principal point in pixels."""
    told: float = 0.0
    """How much better the dice fit their boxes than on its mirror image; 0 if that was not compared."""

    def flat(self, pixels: Doubles) -> Doubles:
        """(…, 2) coordinates on the plane, at distance 1 and along its two directions, of points (…, 2) in pixels."""
        (x, y), down = np.moveaxis((pixels - self.middle) / self.focal, -1, 0), self.down
        away = x * down[0] + y * down[1] + down[2]
        return np.stack([(x * one[0] + y * one[1] + one[2]) / away for one in self.along.T], axis=-1)

    def seen(self, flat: Doubles, below: Doubles | float = 0.0) -> Doubles:
        """(…, 2) pixels of points (…, 2) as `flat` gives them, or of points `below` (…) them under the plane."""
        first, second, deep = flat[..., 0], flat[..., 1], 1 + np.asarray(below)
        x, y, z = (
            one * first + other * second + down * deep
            for (one, other), down in zip(self.along, self.down, strict=True)
        )
        return np.stack([x / z * self.focal + self.middle[0], y / z * self.focal + self.middle[1]], axis=-1)

    def mirrored(self) -> Plane:
        """The plane tilted the other way, on which small faces look nearly the same (Necker's reversal)."""
        return Plane(self.along * np.array([[1.0], [1.0], [-1.0]]), self.focal, self.middle)

    def angle_to(self, other: Plane) -> float:
        """The angle to another plane in radians."""
        return float(np.arccos(np.clip(np.dot(self.down, other.down), -1, 1)))

    def turned(self, quarters: int) -> Plane:
        """The plane in a picture turned counter-clockwise by quarters, of which `middle` is the middle."""
        if quarters % 4 == 0:
            return self
        (x, y, z), (across, down) = self.along, self.middle
        return replace(self, along=np.stack([y, -x, z]), middle=(down, across)).turned(quarters - 1)

    @property
    def tells_how_held(self) -> bool:
        """Whether it shows how the camera is held: it is tilted enough, and its mirror image fits less well."""
        x, y, _ = self.down
        return bool(np.hypot(x, y) >= TILTED and self.told >= TOLD)

    @property
    def quarters(self) -> int:
        """Counter-clockwise quarter turns that make vertical edges most nearly vertical in a picture; 0 if unknown."""
        x, y, _ = self.down
        return round(float(np.arctan2(-x, y)) / (np.pi / 2)) % 4 if self.tells_how_held else 0

    @property
    def down(self) -> tuple[float, float, float]:
        """The unit normal that points away from the camera."""
        (a, d), (b, e), (c, f) = self.along.tolist()
        x, y, z = b * f - c * e, c * d - a * f, a * e - b * d
        return (x, y, z) if z > 0 else (-x, -y, -z)

    @property
    def up(self) -> tuple[float, float, float]:
        """The unit normal that points towards the camera."""
        x, y, z = self.down
        return (-x, -y, -z)

    def leaning(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """How a die at a pixel is seen: how far it leans in the picture, and from how far aside.

        The turn is that of the edges that stand upright on the plane, in radians clockwise from the picture's own
        downwards; the slant is the sine of the angle between the view and the plane's normal.
        """
        x, y = ((at - middle) / self.focal for at, middle in zip(pixel, self.middle, strict=True))
        right, down, away = self.down
        right, down = right - x * away, down - y * away
        slant = float(np.linalg.norm(np.cross((x, y, 1.0), self.down)) / np.linalg.norm((x, y, 1.0)))
        return float(np.arctan2(-right, down)), slant

    def strangeness(self, faces: Sequence[Doubles]) -> list[float]:
        """The distance of each of N > 0 faces (k, 2) in pixels from the plane, as a share of its size."""
        maps, places = placed(faces, self.middle)
        return strangeness_of(self.along[None], np.array([self.focal]), maps, places)[0].tolist()


def placed(faces: Sequence[Doubles], middle: tuple[float, float]) -> tuple[Doubles, Doubles]:
    """Maps (N, 2, 2) of faces (`affine`), and where they lie (N, 2) from the middle of the picture."""
    places = np.stack([face.mean(axis=0) for face in faces]) - middle
    return np.stack([affine(face) for face in faces]), places


def affine(corners: Doubles) -> Doubles:
    """(2, 2): the linear map that takes a regular polygon, corners clockwise on the unit circle, to these corners."""
    sides = len(corners)
    ring = np.arange(sides) * (2 * np.pi / sides)
    unit = np.stack([np.cos(ring), np.sin(ring)], axis=1)
    return (corners - corners.mean(axis=0)).T @ unit * (2 / sides)


def mean_edge(faces: NDArray[Any]) -> NDArray[Any]:
    """(…) the mean length of the edges of faces (…, k, 2)."""
    step = faces - np.roll(faces, 1, axis=-2)
    return np.hypot(step[..., 0], step[..., 1]).mean(axis=-1)


def find_plane(faces: Sequence[Doubles], weights: Sequence[float], width: int, height: int) -> Plane | None:
    """The plane that most of these faces lie on, each (3 or 4, 2) pixels, clockwise; None if too few agree.

    Coarse search over tilt, its direction and the focal length, then a finer one around the best; strangers
    are outvoted, not averaged in.
    """
    if len(faces) < LEAST_DICE:
        return None
    longer, middle = float(max(width, height)), (width / 2, height / 2)
    maps, places = placed(faces, middle)
    votes = np.asarray(weights, np.float64)
    best, worth = _best(GRID + np.array([0.0, 0.0, np.log(longer)]), maps, places, votes)
    for finer in (1.0, 0.5, 0.25):
        best, worth = _best(best + FINER * finer, maps, places, votes)
    if worth < LEAST_AGREEMENT * max(float(votes.sum()), 1e-9):
        return None
    return Plane(directions(best[:1], best[1:2])[0], float(np.exp(best[2])), middle)


def _best(tried: Doubles, maps: Doubles, places: Doubles, votes: Doubles) -> tuple[Doubles, float]:
    """The row of `tried` (columns as in GRID) with the most votes, and its votes."""
    off = strangeness_of(directions(tried[:, 0], tried[:, 1]), np.exp(tried[:, 2]), maps, places)
    worths = nearness(off) @ votes
    best = int(worths.argmax())
    return tried[best], float(worths[best])


def nearness(off: Doubles) -> Doubles:
    """The votes, 0 … 1, of faces with this strangeness to a plane."""
    return 1 / (1 + (off / (2 * USUAL)) ** 2)


def directions(tilt: Doubles, towards: Doubles) -> Doubles:
    """(M, 3, 2): perpendicular directions in planes tilted away from the camera towards a direction in the picture."""
    away = np.stack([np.cos(towards), np.sin(towards)], axis=1)
    across = np.stack([-np.sin(towards), np.cos(towards), np.zeros_like(tilt)], axis=1)
    steep = np.stack([away[:, 0] * np.cos(tilt), away[:, 1] * np.cos(tilt), np.sin(tilt)], axis=1)
    return np.stack([steep, across], axis=2)


def strangeness_of(along: Doubles, focal: Doubles, maps: Doubles, places: Doubles) -> Doubles:
    """(M, N): what is left of each face's map once the plane is taken out and a similarity allowed.

    Close to a point (u, v) from the middle of the picture, a plane with directions E looks like the linear map
    [I | -(u, v) / f] E, but for its scale.
    """
    slope = -places[None] / focal[:, None, None]
    look = along[:, None, :2] + slope[..., None] * along[:, None, 2:]
    # The inverse of a 2 × 2 matrix but for its determinant, which is in both of what is divided below.
    a, b, c, d = look[..., 1, 1], -look[..., 0, 1], -look[..., 1, 0], look[..., 0, 0]
    p, q, r, s = maps[..., 0, 0], maps[..., 0, 1], maps[..., 1, 0], maps[..., 1, 1]
    e, f, g, h = a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s
    alike = (e + h) ** 2 + (g - f) ** 2
    unlike = (e - h) ** 2 + (g + f) ** 2
    return np.sqrt(unlike / np.maximum(alike, 1e-18))

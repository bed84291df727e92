"""A make of dice that no set knows, for the demo table: so that teaching can be tried without dice of one's own.

The drawings are made here from a few lines and curves, so that they come with nothing and from nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.demo.props import FACE_TEXELS, Skin
from vision.dicesets.shapes import Shape
from vision.render.faces import FaceLook, compose
from vision.render.scene import FaceTexture

Floats = NDArray[np.float64]

ART: Final = 96
"""Side of a drawing in pixels."""
FINER: Final = 4
"""Drawn so many times larger, and made small: that smooths the edges."""
STRANGE_SHAPE: Final = Shape.CUBE
STRANGE_LOOK: Final = FaceLook(body=(62.0, 176.0, 232.0), ink=(44.0, 30.0, 52.0), scale=0.72)
"""Amber dice with dark drawings."""


def strange_skin() -> Skin:
    """One die of this make."""
    faces = tuple(DRAWINGS)

    @cache
    def texture(face: int) -> FaceTexture:
        colour, relief = compose(drawing(faces[face]), STRANGE_SHAPE, STRANGE_LOOK, FACE_TEXELS)
        return FaceTexture(colour, relief)

    return Skin(faces, texture)


def drawing(face: str) -> NDArray[np.uint8]:
    """(96, 96, 4) RGBA, black on clear ground."""
    mask = np.zeros((ART * FINER, ART * FINER), np.uint8)
    for points, value in DRAWINGS[face]:
        placed = np.rint((np.asarray(points) * 0.96 + 1) / 2 * len(mask)).astype(np.int32)
        cv2.fillPoly(mask, [placed], value, lineType=cv2.LINE_AA)
    art = np.zeros((ART, ART, 4), np.uint8)
    art[..., 3] = cv2.resize(mask, (ART, ART), interpolation=cv2.INTER_AREA)
    return art


def _disc(x: float, y: float, radius: float) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 90)
    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1)


def _star() -> Floats:
    angles, radii = np.arange(10) * np.pi / 5 - np.pi / 2, np.tile([1.0, 0.42], 5)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)


def _heart() -> Floats:
    t = np.linspace(0, 2 * np.pi, 120)
    up = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    return np.stack([16 * np.sin(t) ** 3 / 17, -(up + 2.5) / 15.5], 1)


INK, CLEAR = 255, 0
DRAWINGS: Final[dict[str, Sequence[tuple[Floats | list[tuple[float, float]], int]]]] = {
    "star": [(_star(), INK)],
    "moon": [(_disc(0, 0, 0.95), INK), (_disc(0.42, -0.18, 0.78), CLEAR)],
    "heart": [(_heart(), INK)],
    "bolt": [
        ([(0.25, -1), (-0.6, 0.12), (-0.05, 0.12), (-0.3, 1), (0.6, -0.25), (0.05, -0.25), (0.55, -1)], INK)
    ],
    "drop": [
        (_disc(0, 0.35, 0.6), INK),
        ([(0, -1), (-0.53, 0.08), (0.53, 0.08)], INK),
        (_disc(0.2, 0.42, 0.16), CLEAR),
    ],
    "house": [
        ([(0, -0.95), (-1, -0.02), (1, -0.02)], INK),
        ([(-0.72, -0.1), (0.72, -0.1), (0.72, 0.9), (-0.72, 0.9)], INK),
        ([(-0.18, 0.3), (0.24, 0.3), (0.24, 0.92), (-0.18, 0.92)], CLEAR),
    ],
}
"""Face → its polygons one over another, in a square from −1 to 1, y down; in the order of the solid's faces."""

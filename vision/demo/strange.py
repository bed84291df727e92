"""A make of dice that no set knows, for the demo table: so that teaching can be tried without dice of one's own.

The drawings are made here from a few lines and curves, so that they come with nothing and from nobody.
"""

from __future__ import annotations

from collections.abc import Callable
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
Mask = NDArray[np.uint8]

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
    side = ART * FINER
    mask = np.zeros((side, side), np.uint8)
    DRAWINGS[face](mask)
    small = cv2.resize(mask, (ART, ART), interpolation=cv2.INTER_AREA)
    art = np.zeros((ART, ART, 4), np.uint8)
    art[..., 3] = small
    return art


def _fill(mask: Mask, points: Floats, value: int = 255) -> None:
    """Fill a polygon; its points lie in a square from −1 to 1, y downwards."""
    side = mask.shape[0]
    placed = np.rint((points * 0.96 + 1) / 2 * side).astype(np.int32)
    cv2.fillPoly(mask, [placed], value, lineType=cv2.LINE_AA)


def _disc(mask: Mask, x: float, y: float, radius: float, value: int = 255) -> None:
    angles = np.linspace(0, 2 * np.pi, 90)
    _fill(mask, np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1), value)


def _star(mask: Mask) -> None:
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    radii = np.where(np.arange(10) % 2 == 0, 1.0, 0.42)
    _fill(mask, np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1))


def _moon(mask: Mask) -> None:
    _disc(mask, 0, 0, 0.95)
    _disc(mask, 0.42, -0.18, 0.78, 0)


def _heart(mask: Mask) -> None:
    t = np.linspace(0, 2 * np.pi, 120)
    across = 16 * np.sin(t) ** 3
    up = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    _fill(mask, np.stack([across / 17, -(up + 2.5) / 15.5], 1))


def _bolt(mask: Mask) -> None:
    corners = [(0.25, -1), (-0.6, 0.12), (-0.05, 0.12), (-0.3, 1), (0.6, -0.25), (0.05, -0.25), (0.55, -1)]
    _fill(mask, np.array(corners, np.float64))


def _drop(mask: Mask) -> None:
    _disc(mask, 0, 0.35, 0.6)
    _fill(mask, np.array([(0, -1), (-0.53, 0.08), (0.53, 0.08)], np.float64))
    _disc(mask, 0.2, 0.42, 0.16, 0)


def _house(mask: Mask) -> None:
    _fill(mask, np.array([(0, -0.95), (-1, -0.02), (1, -0.02)], np.float64))
    _fill(mask, np.array([(-0.72, -0.1), (0.72, -0.1), (0.72, 0.9), (-0.72, 0.9)], np.float64))
    _fill(mask, np.array([(-0.18, 0.3), (0.24, 0.3), (0.24, 0.92), (-0.18, 0.92)], np.float64), 0)


DRAWINGS: Final[dict[str, Callable[[Mask], None]]] = {
    "star": _star,
    "moon": _moon,
    "heart": _heart,
    "bolt": _bolt,
    "drop": _drop,
    "house": _house,
}
"""Face → what draws it, in the order of the solid's faces."""

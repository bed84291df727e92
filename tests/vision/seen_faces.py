"""Faces as a slightly soft camera sees them, and dice that were found where they lie."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import Detection
from vision.dicesets.shapes import Shape
from vision.rectify import canonical_corners, rectify
from vision.render.faces import FaceLook, compose

RED_ON_CREAM = FaceLook(body=(200.0, 225.0, 235.0), ink=(40.0, 30.0, 150.0))
CREAM_ON_BLUE = FaceLook(body=(110.0, 50.0, 20.0), ink=(200.0, 235.0, 240.0))


def seen(art: NDArray[np.uint8], shape: Shape, look: FaceLook, scale: float, turn: int) -> NDArray[np.uint8]:
    """A face of 40 px from a slightly soft camera, its corners 2 % off."""
    texture, _ = compose(art, shape, FaceLook(look.body, look.ink, scale=scale), 40)
    texture = np.asarray(cv2.GaussianBlur(texture, (0, 0), 0.6), np.uint8)
    off = np.array([(0.8, -0.4), (-0.6, 0.7), (0.5, 0.6), (-0.7, -0.5)], np.float32)
    corners = canonical_corners(shape, 40)
    return rectify(texture, corners + off[: len(corners)], turn=turn)


def at(corners: NDArray[np.float32], shape: Shape) -> Detection:
    """A die whose top face was found there."""
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return Detection(shape, corners, 1.0, (x0, y0, x1, y1))

"""Whether a person could read a die in a picture: is what is on its top face to be seen at all?

Pictures in which some die fails are drawn again. The measure knows the true corners and the true drawing, and asks
only whether the drawing is there, not whether it is told from others: a reader has a harder task than this.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pathtrace.artwork import CELL
from training.pathtrace.camera import Camera
from training.pathtrace.dice import Skin
from training.pathtrace.labels import Placed
from training.pathtrace.solids import face_points
from vision.dicesets.shapes import Shape
from vision.rectify import face_mask

Floats = NDArray[np.floating[Any]]

SIDE = 24
"""Pixels across a face, about what the smallest dice have."""

ALIKE = 0.55
"""The least correlation between the drawing and what is seen of it, in lightness or in colour."""

CONTRAST = 7.0
"""The least deviation that the drawing makes there, in CIELAB units (a just noticeable difference is about 2)."""

VISIBLE = 0.95
"""The least share of a top face that is not hidden."""


def legibility(pixels: NDArray[np.uint8], die: Placed, painted: Skin, camera: Camera) -> tuple[float, float]:
    """How well a die's drawing shows in (H, W, 3) BGR: correlation (0..1) and contrast (CIELAB units).

    The best of lightness and the two colour axes counts.
    """
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    there = camera.project(face_points(die.build, die.pose, die.top, square))
    over = 4
    flat = np.array(square * SIDE * over, np.float32)
    matrix = cv2.getPerspectiveTransform(there.astype(np.float32), flat)
    seen = cv2.warpPerspective(pixels, matrix, (SIDE * over, SIDE * over), flags=cv2.INTER_LINEAR)
    colours, ink = painted.face(die.top, die.build.shape)
    truth = colours[..., ::-1]
    if float(ink.std()) > 0.02 and painted.look.ink is not None:
        truth = np.repeat((ink * 255).astype(np.uint8)[..., None], 3, 2)
    mask = _inner(die.build.shape)
    best = (0.0, 0.0)
    observed, expected = _lab(seen), _lab(truth)
    for channel in range(3):
        drawing = _level(expected[..., channel], mask)
        if drawing.std() < 4:
            continue
        for other in range(3):
            shown = _level(observed[..., other], mask)
            if shown.std() < 1e-3:
                continue
            alike = abs(float(np.corrcoef(drawing, shown)[0, 1]))
            best = max(best, (alike, alike * float(shown.std())))
    return best


def _lab(pixels: cv2.typing.MatLike) -> Floats:
    small = cv2.resize(np.ascontiguousarray(pixels), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def _inner(shape: Shape) -> NDArray[np.bool_]:
    mask = (face_mask(shape, CELL) > 0.5).astype(np.uint8)
    mask[:2], mask[-2:], mask[:, :2], mask[:, -2:] = 0, 0, 0, 0
    kernel = np.ones((CELL // 9, CELL // 9), np.uint8)
    shrunk = cv2.erode(mask, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return cv2.resize(shrunk, (SIDE, SIDE), interpolation=cv2.INTER_AREA) > 0


def _level(channel: Floats, mask: NDArray[np.bool_]) -> Floats:
    """The channel inside the mask without its mean and slope: light falls unevenly."""
    y, x = np.nonzero(mask)
    ground = np.stack([np.ones_like(x), x, y], 1).astype(np.float32)
    values = channel[mask]
    fit, *_ = np.linalg.lstsq(ground, values, rcond=None)
    return np.asarray(values - ground @ fit, np.float32)

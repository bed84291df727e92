"""Shadows that dice throw on the table: outlines laid flat, and blurred as wide as the lamp is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.solid import Solid
from vision.render.view import View

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]


class Standing(Protocol):
    """What stands in the light: `vision.render.scene.Die`."""

    @property
    def side(self) -> float:
        """Length of a face's side in millimetres."""
        ...

    @property
    def centre(self) -> Floats:
        """(3,) in millimetres."""
        ...

    @property
    def rotation(self) -> Floats:
        """(3, 3) from the body's coordinates to the world's."""
        ...

    @property
    def body(self) -> Solid:
        """Its geometry."""
        ...


def cast_shadow(view: View, dice: Sequence[Standing], towards: Floats, width: float) -> Floats:
    """(H, W) share of a lamp's light that reaches the table.

    `towards` is the (3,) unit vector to the lamp, `width` its angular half-width in radians.
    """
    shadow = np.zeros((view.height, view.width), np.uint8)
    softness = 1.0
    for die in dice:
        points = die.centre + die.side * 0.93 * die.body.vertices @ die.rotation.T
        fallen = points - towards * (np.maximum(points[:, 2:], 0) / max(float(towards[2]), 0.15))
        outline = cv2.convexHull(np.rint(np.clip(view.project(fallen), -4000, 4000)).astype(np.int32))
        cv2.fillConvexPoly(shadow, outline, 255)
        scale = view.focal / float(np.linalg.norm(die.centre - view.position))
        softness = max(softness, scale * die.side * (0.06 + 0.6 * width))
    return _soft(shadow, min(softness, 25.0))


def ambient_shadow(view: View, dice: Sequence[Standing]) -> Floats:
    """(H, W) share of the ambient light that the dice leave to the table around their feet."""
    shadow = np.zeros((view.height, view.width), np.uint8)
    spread = 1.0
    for die in dice:
        foot = die.centre + die.side * 1.1 * die.body.vertices @ die.rotation.T
        foot[:, 2] = 0
        outline = cv2.convexHull(np.rint(np.clip(view.project(foot), -4000, 4000)).astype(np.int32))
        lift = float(np.clip(1.4 - die.centre[2] / die.side, 0, 1))
        cv2.fillConvexPoly(shadow, outline, int(170 * lift))
        spread = max(spread, 0.16 * die.side * view.focal / float(np.linalg.norm(die.centre - view.position)))
    return _soft(shadow, min(spread, 25.0))


def _soft(shadow: Pixels, sigma: float) -> Floats:
    """One minus a blurred shadow; wide blurs are made at a fraction of the size."""
    if not shadow.any():
        return np.ones(shadow.shape, np.float32)
    step = max(int(sigma / 2.5), 1)
    height, width = shadow.shape
    small = (
        cv2.resize(shadow, (width // step, height // step), interpolation=cv2.INTER_AREA)
        if step > 1
        else shadow
    )
    blurred = cv2.GaussianBlur(small, (0, 0), sigma / step)
    full = cv2.resize(blurred, (width, height), interpolation=cv2.INTER_LINEAR) if step > 1 else blurred
    return 1 - full.astype(np.float32) / np.float32(255)

"""Faces as a slightly soft camera sees them, dice found where they lie, and a set as like them as a test wants."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.comparer import Comparer
from vision.detection import Detection
from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Matcher, Points
from vision.foreign import COSINE_COUNTS
from vision.gallery import Embedded, Gallery
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


def painted(pixels: NDArray[np.uint8], face: NDArray[np.uint8], corners: NDArray[np.floating]) -> None:
    """Paint a whole square face into a picture, at these corners of it."""
    laid = cv2.getPerspectiveTransform(canonical_corners(Shape.CUBE, len(face)), corners.astype(np.float32))
    cv2.warpPerspective(face, laid, pixels.shape[1::-1], dst=pixels, borderMode=cv2.BORDER_TRANSPARENT)


class Says(Comparer):
    """A comparer to which all faces are the same by these log odds."""

    def __init__(self, log_odds: float) -> None:
        self._log_odds = log_odds

    def same(self, seen: Faces, shown: Faces) -> Points:
        return np.full(len(seen), self._log_odds, np.float32)


def showing(
    matcher: Matcher, pixels: NDArray[np.uint8], die: Detection, similarity: float, resembling: float,
    side: tuple[NDArray[np.uint8], float] | None = None,
) -> Gallery:  # fmt: skip
    """An enrolled set whose emu has this cosine to a die and resembles it so much (`vision.foreign`); its koala is
    nothing like it, but so similar to another face, as on the die's `side`."""
    face = rectify(pixels, die.corners)
    beside, alike = side or (face, 0.0)
    points = matcher.embed(np.stack([face, beside]))
    aside = np.linalg.qr(np.column_stack([*points, np.eye(points.shape[1], 2)]))[0][:, -2:].T
    emu, koala = (
        similar * point + (1 - similar**2) ** 0.5 * other
        for similar, point, other in zip((similarity, alike), points, aside, strict=True)
    )
    pictures = np.stack([face, beside])
    own = Embedded(("emu", "koala"), np.stack([emu, koala]).astype(np.float32), np.array([0, 1]), None, pictures)
    return Gallery(matcher.calibration, {Shape.CUBE: own}, comparer=Says(resembling - COSINE_COUNTS * similarity))

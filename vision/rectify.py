"""Cuts out a die's top face, flat and upright, from its corners in a frame.

Everywhere in Tableside a face is a picture of one kind, the *canonical face* of side ``S`` px:

* ``d6``: the square itself, corners TL, TR, BR, BL = ``(0, 0), (S, 0), (S, S), (0, S)``;
* ``d8``: an equilateral triangle as wide as the picture and centred in its height, corners apex, right, left
  = ``(S/2, m), (S, S - m), (0, S - m)`` with ``m = (1 - sqrt(3)/2) / 2 * S``; grey 128 outside it.

Corners run clockwise as seen in the picture. Coordinates are those of the picture plane, in which pixel
``(0, 0)`` covers the square from ``(0, 0)`` to ``(1, 1)``: a face that fills a picture of side ``S`` has its
corners at 0 and at ``S``, not at ``S - 1``.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.dicesets.shapes import Shape, shape_outlined
from vision.frame import Floats, Pixels

FACE_SIZE: Final = 64
"""Side in px of the faces that the matcher reads."""

CLOSE: Final = 2 * FACE_SIZE
"""Side in px of the canonical triangles whose `middle` the matcher reads as a close-up of small symbols."""

SHIFT: Final = 0.12
"""How far corners are shifted for another look, in sides; the commonest error is a tenth of a side."""

GROUND: Final = 128
"""Grey level of a canonical d8 face outside its triangle."""

_SUPERSAMPLE_FROM: Final = 1.3
"""From this many source px per canonical px a single bilinear sample would alias, so several are averaged."""

_SUPERSAMPLE_MOST: Final = 8
"""Most samples per canonical px and axis: for larger faces (400 px and more) aliasing is weaker than the noise."""


@cache
def canonical_corners(shape: Shape, size: int = FACE_SIZE) -> Floats:
    """Corners ``(k, 2)`` in px of the canonical face of side ``size``, clockwise; read-only."""
    corners = np.asarray(np.array(shape.outline) * size, np.float32)
    corners.setflags(write=False)
    return corners


@cache
def middle(shape: Shape, size: int) -> tuple[slice, slice]:
    """Rows and columns of the ``FACE_SIZE`` px in the middle of a canonical face of side ``size``."""
    left, top = (round(float(at)) - FACE_SIZE // 2 for at in canonical_corners(shape, size).mean(axis=0))
    return slice(top, top + FACE_SIZE), slice(left, left + FACE_SIZE)


@cache
def face_mask(shape: Shape, size: int = FACE_SIZE) -> Floats:
    """Coverage ``(size, size)`` in 0..1 of the canonical face in its picture; read-only."""
    over = 8
    mask = np.zeros((size * over, size * over), np.uint8)
    points = np.round(canonical_corners(shape, size * over) - 0.5).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255)
    shrunk = cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA)
    coverage = np.asarray(shrunk / 255, np.float32)
    coverage.setflags(write=False)
    return coverage


def rectify(pixels: Pixels, corners: ArrayLike, size: int = FACE_SIZE, *, turn: int = 0) -> Pixels:
    """Cut out the canonical face at ``corners`` of a picture.

    Args:
        pixels: picture ``(H, W, 3)`` or ``(H, W)``, uint8.
        corners: ``(4, 2)`` for a d6 or ``(3, 2)`` for a d8, px of the picture, clockwise; the first becomes
            TL or the apex. They may lie outside the picture, whose border is then repeated.
        size: side in px of the face to make.
        turn: start at this corner instead of the first: the face turned counter-clockwise that many times.

    Returns:
        ``(size, size, 3)`` (or ``(size, size)``) uint8; a d8 is grey 128 outside its triangle.

    Raises:
        ValueError: if the picture is empty, or the corners are not 3 or 4 finite points that span an area.
    """
    points = np.asarray(corners, np.float32)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"expected corners of shape (3, 2) or (4, 2), got {points.shape}")
    shape = shape_outlined(len(points))
    if not np.isfinite(points).all():
        raise ValueError("expected finite corners")
    if pixels.size == 0:
        raise ValueError("expected a picture with pixels, got an empty one")
    area = float(abs(cv2.contourArea(points)))
    if area < 1e-3:
        raise ValueError("expected corners that span an area, got a line or a point")
    points = np.roll(points, -turn, axis=0)
    target = canonical_corners(shape, size)
    full = float(abs(cv2.contourArea(np.ascontiguousarray(target))))
    shrink = (area / full) ** 0.5
    over = 1 if shrink < _SUPERSAMPLE_FROM else min(_SUPERSAMPLE_MOST, int(np.ceil(shrink)))
    # In OpenCV whole coordinates are centres of pixels, here they are edges.
    source, onto = points - np.float32(0.5), canonical_corners(shape, size * over) - np.float32(0.5)
    if shape.fills:
        matrix = cv2.getPerspectiveTransform(source, onto)
    else:
        # Three points do not determine the two perspective parameters, which are small over one face of a die.
        matrix = np.vstack([cv2.getAffineTransform(source, onto), [0, 0, 1]])
    wide = cv2.warpPerspective(
        pixels, matrix, (size * over, size * over), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if over > 1:
        wide = cv2.resize(wide, (size, size), interpolation=cv2.INTER_AREA)
    face: Pixels = np.asarray(wide, np.uint8)
    return trim(face, shape)


def trim(face: Pixels, shape: Shape) -> Pixels:
    """The same canonical face, ``(S, S, 3)`` or ``(S, S)`` uint8, with everything outside its outline grey 128."""
    if shape.fills:
        return face
    mask = face_mask(shape, face.shape[0])
    if face.ndim == 3:
        mask = mask[..., None]
    return np.asarray(face * mask + GROUND * (1 - mask) + 0.5, np.float32).astype(np.uint8)


def shifted(corners: Floats) -> list[Floats]:
    """The corners moved a little to the face's right, left, foot and head."""
    head = (corners[0] + corners[1]) / 2 if shape_outlined(len(corners)).fills else corners[0]
    right = (corners[-2] - corners[-1]) * SHIFT
    down = ((corners[-1] + corners[-2]) / 2 - head) * SHIFT
    return [np.asarray(corners + by, np.float32) for by in (right, -right, down, -down)]


def turns(face: Pixels, shape: Shape) -> Pixels:
    """Every turn of a canonical face: ``(4, S, S, 3)`` for a d6, ``(3, S, S, 3)`` for a d8."""
    corners = canonical_corners(shape, face.shape[0])
    if shape.fills:
        return np.stack([np.rot90(face, k) for k in range(shape.symmetry)])
    return np.stack(
        [face, *(rectify(face, corners, face.shape[0], turn=k) for k in range(1, shape.symmetry))]
    )

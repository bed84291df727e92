"""Training pictures of single faces: a composed face, as seen by a camera, rectified with slightly wrong corners.

Everything happens in the plane: the face lies in a picture of its plane with plausible neighbours (the die's other
faces, the table), a homography stands for the camera, and the picture is degraded at its native size before it is
rectified. This is not exact, but gives the matcher realistic pictures, at about a millisecond each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.frame import Floats, Pixels
from vision.plane import mean_edge
from vision.rectify import FACE_SIZE, canonical_corners, rectify
from vision.render.faces import Colour, FaceLook, compose

_SMALLEST: Final = 13.0
_LARGEST: Final = 120.0
"""Side of a face in the camera's picture, px."""

_PAD: Final = 0.3
"""Margin around a face in its plane, in sides."""

ROUNDED: Final = {Shape.CUBE: 1.0, Shape.OCTAHEDRON: 0.7}
"""Rounding of corners, relative to a cube's."""

_ERRORS: Final = ((0.0, 0.05), (0.05, 0.09), (0.09, 0.15), (0.15, 0.2))
_ERROR_SHARES: Final = (0.54, 0.26, 0.15, 0.05)
"""Errors of detected corners, in sides of the face, and their probabilities."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How bad pictures get, each 0..1."""

    camera: float = 1.0
    """Blur, noise, compression, light, tilt and smallness."""
    corners: float = 1.0
    """How far the corners given to rectification are off; 1 is up to 20 % of a side, mostly below 6 %."""


def jitter(corners: Floats, rng: np.random.Generator, amount: float) -> Floats:
    """Corners (K, 2) each moved by `amount` of the mean side in a direction of its own."""
    side = float(mean_edge(corners))
    angle = rng.uniform(0, 2 * np.pi, len(corners))
    shift = np.stack([np.cos(angle), np.sin(angle)], axis=1) * amount * side
    return (corners + shift).astype(np.float32)


def _misjudged(corners: Floats, rng: np.random.Generator, hard: float) -> Floats:
    """Corners as a detector gives them: each with an error, and all slightly too large, too small or shifted."""
    low, high = _ERRORS[int(rng.choice(len(_ERRORS), p=_ERROR_SHARES))]
    amount = rng.uniform(low, high)
    out = jitter(corners, rng, amount * hard * rng.uniform(0.5, 1.0))
    middle = out.mean(axis=0)
    side = float(np.linalg.norm(corners[1] - corners[0]))
    across = (corners[1] - corners[0]) / (side + 1e-6)
    down = np.array([-across[1], across[0]])
    wide, tall = 1 + (rng.normal(0.01, 0.05) + rng.normal(0, 0.05, 2)) * hard
    rel = out - middle
    out = middle + np.outer(rel @ across * wide, across) + np.outer(rel @ down * tall, down)
    most = 0.13 if rng.random() < 0.15 else 0.03  # sometimes half of a side face counts as part of the top
    return (out + rng.uniform(-most, most, 2) * side * hard).astype(np.float32)


def _lit_relief(texture: Pixels, relief: Floats, rng: np.random.Generator) -> Pixels:
    """Engravings shaded by a light from one side."""
    angle = rng.uniform(0, 2 * np.pi)
    dy, dx = np.diff(relief, axis=0, append=relief[-1:]), np.diff(relief, axis=1, append=relief[:, -1:])
    shade = (np.cos(angle) * dx + np.sin(angle) * dy) * rng.uniform(0.2, 1.2)
    shade = shade + np.minimum(relief, 0) * rng.uniform(0, 0.35)
    gain = np.clip(1 + shade, 0.2, 2.0)[..., None]
    lift = np.clip(shade, 0, 1)[..., None] * 60
    return np.clip(texture * gain + lift, 0, 255).astype(np.uint8)


def _table(size: int, rng: np.random.Generator) -> Pixels:
    coloured = rng.random() < 0.5
    colour = rng.uniform(0, 255, 3) if coloured else np.repeat(rng.uniform(20, 240), 3) + rng.normal(0, 8, 3)
    ground = np.empty((size, size, 3), np.float32)
    ground[:] = colour
    if rng.random() < 0.4:
        spread, cells = rng.uniform(5, 40), (int(rng.integers(3, 14)), int(rng.integers(3, 14)), 3)
        small = rng.normal(0, spread, cells).astype(np.float32)
        ground += np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_LINEAR))
    return np.clip(ground, 0, 255).astype(np.uint8)


def _neighbours(
    plane: Pixels, corners: Floats, body: Colour, other: Pixels | None, rng: np.random.Generator
) -> None:
    """Draw the die's slanting side faces around its top face into the plane's picture."""
    middle = corners.mean(axis=0)
    side = float(np.linalg.norm(corners[1] - corners[0]))
    lean = rng.normal(0, 1, 2)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        outward = (a + b) / 2 - middle
        outward /= np.linalg.norm(outward) + 1e-6
        depth = float(np.clip(0.22 + 0.25 * float(outward @ lean), 0, 0.8)) * side
        if depth < 2:
            continue
        inward = (middle - (a + b) / 2) * rng.uniform(-0.05, 0.12)
        quad = np.array([a, b, b + outward * depth + inward, a + outward * depth + inward], np.float32)
        shade = rng.uniform(0.35, 1.05)
        cv2.fillConvexPoly(plane, np.round(quad).astype(np.int32), [float(min(255, c * shade)) for c in body])
        if other is not None and rng.random() < 0.7:
            n = other.shape[0]
            source = np.array([(0, 0), (n, 0), (n, n), (0, n)], np.float32)
            if n and rng.random() < 0.5:
                mirrored = rng.random() < 0.3
                source = source[::-1] if mirrored else np.roll(source, int(rng.integers(4)), axis=0)
            matrix = cv2.getPerspectiveTransform(np.ascontiguousarray(source), quad)
            dim, size = np.asarray(cv2.convertScaleAbs(other, alpha=shade), np.uint8), plane.shape[1::-1]
            cv2.warpPerspective(dim, matrix, size, dst=plane, borderMode=cv2.BORDER_TRANSPARENT)


def _rounded(corners: Floats, size: int, radius: float) -> Floats:
    """Coverage (size, size) of a polygon whose corners are rounded by `radius` px."""
    mask = np.zeros((size, size), np.uint8)
    middle = corners.mean(axis=0)
    inradius = float(np.linalg.norm((corners[0] + corners[1]) / 2 - middle))
    inner = middle + (corners - middle) * max(0.05, 1 - radius / inradius)
    points = [np.round(inner * 8).astype(np.int32)]
    cv2.fillPoly(mask, points, 255, cv2.LINE_AA, 3)
    if radius >= 1:
        cv2.polylines(mask, points, True, 255, max(1, round(2 * radius)), cv2.LINE_AA, 3)
    return np.asarray(mask / 255, np.float32)


def _camera(size: int, native: float, span: float, rng: np.random.Generator, hard: float) -> NDArray[np.float64]:
    """Homography from the plane's picture (side `size`, face of `span` px in its middle) to a picture of the face.

    The face turns freely, the camera is tilted 0 to 55 degrees (mostly less) and 4 to 14 sides away.
    """
    spin = rng.uniform(0, 2 * np.pi)
    tilt = np.radians(55 * hard * rng.beta(1.2, 1.8))
    away = rng.uniform(4, 14)
    unit = 1 / span
    to_unit = np.array([[unit, 0, -unit * size / 2], [0, unit, -unit * size / 2], [0, 0, 1]])
    cos, sin = np.cos(spin), np.sin(spin)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    lens = np.array([[away, 0, 0], [0, away * np.cos(tilt), 0], [0, np.sin(tilt), away]])
    scale = np.diag([native, native, 1.0])
    return scale @ lens @ turn @ to_unit


def _degrade(picture: Floats, rng: np.random.Generator, native: float, hard: float) -> Pixels:
    """Light, optics, sensor and compression, at the camera's own resolution."""
    height, width = picture.shape[:2]
    if rng.random() < 0.6:  # uneven light
        across, down = rng.normal(0, 0.25 * hard, 2)
        y, x = np.linspace(-1, 1, height, dtype=np.float32)[:, None], np.linspace(-1, 1, width, dtype=np.float32)
        plane = 1 + down * y + across * x
        picture = picture * np.clip(plane, 0.2, 2)[..., None].astype(np.float32)
    if rng.random() < 0.25 * hard:  # a reflection
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        wide, tall = rng.uniform(0.1, 0.5, 2) * native
        gx = np.exp(-(((np.arange(width, dtype=np.float32) - x) / wide) ** 2))
        gy = np.exp(-(((np.arange(height, dtype=np.float32) - y) / tall) ** 2))
        picture = picture + (gy[:, None] * gx * rng.uniform(40, 260))[..., None].astype(np.float32)
    cast = rng.uniform(0.75, 1.3, 3) if rng.random() < 0.4 else np.ones(3)
    gain = np.exp(rng.normal(-0.1, 0.22)) * cast
    picture = picture * gain.astype(np.float32)
    if rng.random() < 0.08:
        picture = np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < 0.75:
        sigma = rng.uniform(0.2, 1.1) if rng.random() < 0.8 else rng.uniform(0.6, 0.04 * native + 0.7)
        sigma *= 0.4 + 0.6 * hard
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    if rng.random() < 0.12 * hard:
        length = max(2, round(rng.uniform(0.03, 0.11) * native))
        kernel = np.zeros((length, length), np.float32)
        cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
        if rng.random() < 0.5:
            kernel = kernel.T.copy()
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    lift = rng.uniform(0, 50) if rng.random() < 0.3 else 0.0
    picture = picture * (1 - lift / 255) + lift
    if rng.random() < 0.8:
        noise = rng.standard_normal((height, width, 3), np.float32) * (hard * rng.gamma(1.2, 4.0))
        picture = np.asarray(picture + noise, np.float32)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:  # a phone's sharpening
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = np.asarray(cv2.addWeighted(out, 1.8, soft, -0.8, 0), np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.uniform(28 if hard > 0.5 else 70, 96))
        code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        out = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return out


def shoot(
    art: Pixels, shape: Shape, look: FaceLook, rng: np.random.Generator, difficulty: Difficulty, *, turn: int = 0,
    other: Pixels | None = None, astray: bool = False, corner_error: float | None = None,
) -> Pixels:  # fmt: skip
    """One face with `art` (S, S, 4) RGBA as a camera sees it, rectified: (64, 64, 3) BGR.

    `turn` says which corner comes first; `other` is a composed face to show in part on the die's sides; `astray`
    rectifies something beside the face instead (for "unknown"); `corner_error` is the exact length of each corner's
    error in sides, which is otherwise random.
    """
    low = _LARGEST * 0.3 if difficulty.camera < 0.5 else _SMALLEST
    native = low * float((_LARGEST / low) ** rng.beta(1.3, 1.0))
    span = int(np.clip(native * 1.1, 36, 110))
    texture, relief = compose(art, shape, look, span)
    if look.finish == "engraved":
        texture = _lit_relief(texture, relief, rng)
    pad = int(_PAD * span)
    size = span + 2 * pad
    corners = canonical_corners(shape, span) + pad
    plane = _table(size, rng)
    if rng.random() < 0.85:
        _neighbours(plane, corners, look.body, other, rng)
    window = plane[pad : pad + span, pad : pad + span]
    kind = rng.random()
    roundness = rng.uniform(0, 0.08) if kind < 0.62 else rng.uniform(0.08, 0.25 if kind < 0.9 else 0.42)
    cover = _rounded(corners, size, roundness * span * ROUNDED[shape])[..., None]
    if rng.random() < 0.6:  # edges catch the light, or are worn
        rim = np.zeros((size, size), np.uint8)
        thick = max(1, round(span * rng.uniform(0.02, 0.1)))
        cv2.polylines(rim, [np.round(corners * 8).astype(np.int32)], True, 255, thick, cv2.LINE_AA, 3)
        soft = cv2.GaussianBlur(rim, (0, 0), span * 0.02).astype(np.float32)
        line, tone = (soft * rng.uniform(0, 0.5 / 255))[..., None], rng.uniform(0, 255)
    else:
        line, tone = None, 0.0
    part = cover[pad : pad + span, pad : pad + span]
    window[...] = (texture * part + window * (1 - part)).astype(np.uint8)
    picture = plane.astype(np.float32)
    if line is not None:
        picture += line * (tone - picture)
    matrix = _camera(size, native, span, rng, difficulty.camera)
    flat = np.asarray(cv2.perspectiveTransform(corners[None], matrix), np.float32)[0]
    margin = 0.15 * native + 2
    start = flat.min(axis=0) - margin
    extent = np.ceil(flat.max(axis=0) + margin - start).astype(int)
    matrix = np.array([[1, 0, -start[0]], [0, 1, -start[1]], [0, 0, 1]]) @ matrix
    flat = flat - start
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    centred = np.linalg.inv(half) @ matrix @ half
    seen = cv2.warpPerspective(picture, centred, extent.tolist(), borderMode=cv2.BORDER_REPLICATE)
    seen = _degrade(np.asarray(seen, np.float32), rng, native, difficulty.camera)
    if astray:
        angle = rng.uniform(0, 2 * np.pi)
        given = flat + np.array([np.cos(angle), np.sin(angle)]) * native * rng.uniform(0.45, 1.0)
        given = jitter(given.astype(np.float32), rng, rng.uniform(0, 0.2))
    elif corner_error is not None:
        given = jitter(flat, rng, corner_error)
    else:
        given = _misjudged(flat, rng, difficulty.corners)
    return rectify(seen, given, FACE_SIZE, turn=turn)


def library_face(art: Pixels, shape: Shape, look: FaceLook, *, turn: int = 0) -> Pixels:
    """A set's picture of a face, as the gallery shows it to the network: (64, 64, 3) BGR, without degradation."""
    texture, _ = compose(art, shape, look, 2 * FACE_SIZE)
    return rectify(texture, canonical_corners(shape, 2 * FACE_SIZE), FACE_SIZE, turn=turn)

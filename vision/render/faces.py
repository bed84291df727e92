"""Draws a symbol on a die's face: colours, print or engraving, wear, and the texture of the whole face.

`compose` draws one symbol on a canonical face (`vision.rectify`) with a `FaceLook`. Colours are BGR, 0..255.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.frame import Floats
from vision.rectify import GROUND, canonical_corners, face_mask

Grain = Literal["marble", "speckle", "wood", "swirl", "glitter"]
"""Kinds of texture: faint clouds, grains, fibres, two colours poured together, sparks."""


_NOISE: Final = 192
"""Side of the noise fields from which patches are cut."""
@cache
def _fields() -> tuple[Floats, Floats]:
    """A marbled and a speckled noise field, each (`_NOISE`, `_NOISE`) with zero mean and unit variance."""
    rng = np.random.default_rng(7)
    coarse = np.zeros((_NOISE, _NOISE), np.float32)
    for cells, weight in ((6, 1.0), (14, 0.6), (40, 0.3)):
        small = rng.standard_normal((cells, cells)).astype(np.float32)
        coarse += weight * cv2.resize(small, (_NOISE, _NOISE), interpolation=cv2.INTER_CUBIC)
    fine = np.asarray(cv2.GaussianBlur(rng.standard_normal((_NOISE, _NOISE)).astype(np.float32), (0, 0), 1.2))
    out = tuple(((f - f.mean()) / f.std()).astype(np.float32) for f in (coarse, fine))
    return out[0], out[1]


def noise(rng: np.random.Generator, size: int, kind: Grain) -> Floats:
    """A random patch of a noise field, (size, size), with about zero mean and unit variance."""
    fine = kind in ("speckle", "glitter")
    field = _fields()[1 if fine else 0]
    span = min(size, _NOISE - 1) if fine else int(rng.integers(_NOISE // 2, _NOISE))
    x, y = rng.integers(0, _NOISE - span, 2)
    along = span // 16 if kind == "wood" else span  # fibres: a stretched strip of marble
    patch = field[y : y + span, x : x + along]
    return np.asarray(cv2.resize(patch, (size, size), interpolation=cv2.INTER_LINEAR), np.float32)


def cover(rng: np.random.Generator, size: int, kind: Grain) -> Floats:
    """(size, size) share of the second colour at each place, 0 … 1."""
    if kind == "swirl":
        return _swirl(rng, size)
    field = noise(rng, size, kind)
    if kind == "glitter":
        return np.clip((field - 2.0) * 4, 0, 1).astype(np.float32)
    return np.clip((field - 1.2) * 2 if kind == "speckle" else field * 0.5 + 0.2, 0, 1).astype(np.float32)


def _swirl(rng: np.random.Generator, size: int) -> Floats:
    """Clouds that smoother clouds drag about, with a sharp or a soft border."""
    clouds = _smooth(noise(rng, size, "marble"), float(rng.uniform(0.01, 0.06)) * size)
    across, down = (_smooth(noise(rng, size, "marble"), 0.08 * size) for _ in range(2))
    reach = float(rng.uniform(0.1, 0.4)) * size
    y, x = np.mgrid[:size, :size].astype(np.float32)
    dragged = cv2.remap(
        clouds, x + reach * across, y + reach * down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    level, sharpness = float(rng.normal(0, 0.5)), float(rng.uniform(0.7, 5))
    return np.clip((np.asarray(dragged, np.float32) - level) * sharpness + 0.5, 0, 1).astype(np.float32)


def _smooth(field: Floats, sigma: float) -> Floats:
    """The field without details finer than `sigma` pixels, with unit variance again."""
    soft = np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32)
    return (soft / max(float(soft.std()), 1e-6)).astype(np.float32)


Colour = tuple[float, float, float]
"""BGR, 0..255."""

Finish = Literal["printed", "engraved", "sticker"]
Frame = Literal["none", "line", "ring", "disc"]
"""Frames around a symbol: none, a line along the face's outline, a circle, a filled disc behind it."""

@dataclass(frozen=True, slots=True)
class FaceLook:
    """The look of a face; lengths are shares of the diameter of the face's inscribed circle."""

    body: Colour
    """The die's plastic."""
    ink: Colour | None
    """Colour of the symbol; None to print the art in its own colours."""
    finish: Finish = "printed"
    scale: float = 0.75
    """Side of the art's square."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Position of the art's centre relative to the face's, right and down."""
    rotation: float = 0.0
    """Degrees, clockwise in the picture."""
    frame: Frame = "none"
    frame_ink: Colour = (0.0, 0.0, 0.0)
    frame_size: float = 0.9
    frame_width: float = 0.03
    ground: Colour | None = None
    """Colour of the sticker's paper; None without a sticker."""
    wear: float = 0.0
    """Share of the ink that has worn off in spots."""
    grain: float = 0.0
    """Contrast of marbling and speckles in the body, 0..1."""
    grain_colour: Colour = (255.0, 255.0, 255.0)
    grain_kind: Grain = "marble"
    seed: int = 0
    """Seed of the grain and the wear."""


def is_coloured(art: NDArray[np.uint8]) -> bool:
    """Whether the art has more than one tone, so that a single ink cannot print it.

    `art` is (S, S, 4) RGBA.
    """
    step = max(1, art.shape[0] // 40)
    sparse = art[::step, ::step]
    if not sparse[..., :3].any():
        return False
    inside = sparse[sparse[..., 3] > 200][:, :3]
    return bool(len(inside)) and float(inside.std(axis=0).max()) > 18


def _place(art: NDArray[np.uint8], shape: Shape, look: FaceLook, size: int) -> NDArray[np.float32]:
    """Art in the face's plane, 0..255: coverage (S, S) to (size, size), RGBA to premultiplied (size, size, 4)."""
    side = max(2.0, look.scale * 2 * shape.inradius * size)
    layer = art.astype(np.float32)
    if layer.ndim == 3:
        layer[..., :3] *= layer[..., 3:] / 255
    if art.shape[0] > side * 1.25:  # average first, or the samples miss thin lines
        layer = np.asarray(cv2.resize(layer, (round(side),) * 2, interpolation=cv2.INTER_AREA), np.float32)
    centre = np.array(shape.centre) + 2 * shape.inradius * np.array(look.offset)
    k = side / layer.shape[0]
    cos, sin = np.cos(np.radians(look.rotation)) * k, np.sin(np.radians(look.rotation)) * k
    turn = np.array([[cos, -sin], [sin, cos]])
    half = np.full(2, layer.shape[0] / 2)
    # The half pixels take edges (our coordinates) to pixel centres (OpenCV's).
    shift = centre * size - turn @ half + turn @ np.full(2, 0.5) - 0.5
    matrix = np.column_stack([turn, shift])
    return np.asarray(cv2.warpAffine(layer, matrix, (size, size), flags=cv2.INTER_LINEAR), np.float32)


def _frame_mask(shape: Shape, look: FaceLook, size: int) -> NDArray[np.float32]:
    """Coverage of the look's frame, (size, size), 0..1."""
    mask = np.zeros((size, size), np.uint8)
    width = max(1, round(look.frame_width * 2 * shape.inradius * size))
    shift = 4
    if look.frame == "line":
        corners = canonical_corners(shape, size).astype(np.float64)
        middle = corners.mean(axis=0)
        points = (middle + (corners - middle) * look.frame_size - 0.5) * (1 << shift)
        cv2.polylines(mask, [np.asarray(np.round(points), np.int32)], True, 255, width, cv2.LINE_AA, shift)
    else:
        y = shape.centre[1] * size - 0.5
        centre = (round((size / 2 - 0.5) * (1 << shift)), round(y * (1 << shift)))
        radius = round(look.frame_size * shape.inradius * size * (1 << shift))
        cv2.circle(mask, centre, radius, 255, -1 if look.frame == "disc" else width, cv2.LINE_AA, shift)
    return np.asarray(mask / 255, np.float32)


def compose(
    art: NDArray[np.uint8], shape: Shape, look: FaceLook, size: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Draw one face of a die with its symbol, upright on transparent ground in `art` (S, S, 4) RGBA, else ValueError.

    Returns the texture (size, size, 3) BGR and the relief (size, size): below 0 in engravings, -1 at their bottom, and
    above 0 on a sticker. Both cover the square picture; on a d8 only the triangle counts (outside of it the texture is
    grey, 128).
    """
    if art.ndim != 3 or art.shape[2] != 4:
        raise ValueError(f"expected RGBA art of shape (S, S, 4), got {art.shape}")
    rng = np.random.default_rng(look.seed)
    face = np.empty((size, size, 3), np.float32)
    face[:] = look.body
    relief = np.zeros((size, size), np.float32)
    if look.grain > 0:
        veins = cover(rng, size, look.grain_kind) * look.grain
        face += veins[..., None] * (np.array(look.grain_colour, np.float32) - face)
    if look.ground is not None:
        paper = _frame_mask(shape, replace(look, frame="disc", frame_size=look.frame_size), size)
        face += paper[..., None] * (np.array(look.ground, np.float32) - face)
        relief += 0.3 * paper
    if look.frame != "none":
        line = _frame_mask(shape, look, size)
        face += line[..., None] * (np.array(look.frame_ink, np.float32) - face)
        if look.finish == "engraved" and look.frame != "disc":
            relief -= line
    keep = np.ones((size, size), np.float32)
    if look.wear > 0:
        field = noise(rng, size, "marble" if rng.random() < 0.5 else "speckle")
        keep = np.clip((field + 2.2 - 4 * look.wear) * 2 + 0.5, 0.15 * (1 - look.wear), 1).astype(np.float32)
    if look.ink is None:
        layer = _place(art, shape, look, size)
        inked = layer[..., 3] / 255
        face += keep[..., None] * (layer[..., 2::-1] - inked[..., None] * face)
    else:
        if is_coloured(art):  # a single ink prints the dark parts of the picture and leaves out the light ones
            tone = 1 - art[..., :3].mean(axis=2) / 255
            inked = _place((art[..., 3] * tone).astype(np.uint8), shape, look, size) / 255
        else:
            inked = _place(art[..., 3], shape, look, size) / 255
        face += (keep * inked)[..., None] * (np.array(look.ink, np.float32) - face)
    if look.finish == "engraved":
        relief -= inked
        relief = np.asarray(cv2.GaussianBlur(relief, (0, 0), max(0.5, size / 128)), np.float32)
    texture = np.clip(face + 0.5, 0, 255).astype(np.uint8)
    if not shape.fills:
        texture = np.where(face_mask(shape, size)[..., None] > 0, texture, np.uint8(GROUND))
    return texture, relief

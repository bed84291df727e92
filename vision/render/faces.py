"""How a symbol looks on a die: colours, printing or engraving, wear, and the texture of the whole face.

`compose` places one symbol on one canonical face (`vision.rectify`) under a `FaceLook`; `random_look` draws
looks as dice in shops and on kitchen tables have them. Colours are BGR, 0..255.
"""

from __future__ import annotations

import colorsys
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
"""Faint clouds, grains, fibres; two colours poured together; sparks."""


_NOISE: Final = 192
"""Side of the pre-drawn noise fields, from which patches are cut."""
_SHARES: Final[tuple[tuple[Grain, float], ...]] = (
    ("wood", 0.14), ("marble", 0.2), ("speckle", 0.2), ("swirl", 0.36), ("glitter", 0.1),
)  # fmt: skip


def random_kind(rng: np.random.Generator) -> Grain:
    """One of them; poured resin is what most dice with any grain at all are made of."""
    drawn = float(rng.random())
    for kind, share in _SHARES:
        drawn -= share
        if drawn < 0:
            return kind
    return "marble"


@cache
def _fields() -> tuple[Floats, Floats]:
    """A marbled and a speckled noise field, each (`_NOISE`, `_NOISE`) of zero mean and unit deviation."""
    rng = np.random.default_rng(7)
    coarse = np.zeros((_NOISE, _NOISE), np.float32)
    for cells, weight in ((6, 1.0), (14, 0.6), (40, 0.3)):
        small = rng.standard_normal((cells, cells)).astype(np.float32)
        coarse += weight * cv2.resize(small, (_NOISE, _NOISE), interpolation=cv2.INTER_CUBIC)
    fine = np.asarray(cv2.GaussianBlur(rng.standard_normal((_NOISE, _NOISE)).astype(np.float32), (0, 0), 1.2))
    out = tuple(((f - f.mean()) / f.std()).astype(np.float32) for f in (coarse, fine))
    return out[0], out[1]


def noise(rng: np.random.Generator, size: int, kind: Grain) -> Floats:
    """A random patch of a noise field, (size, size), of about zero mean and unit deviation."""
    fine = kind in ("speckle", "glitter")
    field = _fields()[1 if fine else 0]
    span = min(size, _NOISE - 1) if fine else int(rng.integers(_NOISE // 2, _NOISE))
    x, y = rng.integers(0, _NOISE - span, 2)
    along = span // 16 if kind == "wood" else span  # fibres: a strip of marble, drawn out
    patch = field[y : y + span, x : x + along]
    return np.asarray(cv2.resize(patch, (size, size), interpolation=cv2.INTER_LINEAR), np.float32)


def cover(rng: np.random.Generator, size: int, kind: Grain) -> Floats:
    """How much of the second colour shows where, (size, size), 0 … 1."""
    if kind == "swirl":
        return _swirl(rng, size)
    field = noise(rng, size, kind)
    if kind == "glitter":
        return np.clip((field - 2.0) * 4, 0, 1).astype(np.float32)
    return np.clip((field - 1.2) * 2 if kind == "speckle" else field * 0.5 + 0.2, 0, 1).astype(np.float32)


def _swirl(rng: np.random.Generator, size: int) -> Floats:
    """Clouds dragged about by smoother clouds, with a border that is sharp or soft."""
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
    """The field without what is finer than `sigma` pixels, of unit deviation again."""
    soft = np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32)
    return (soft / max(float(soft.std()), 1e-6)).astype(np.float32)


Colour = tuple[float, float, float]
"""BGR, 0..255."""

Finish = Literal["printed", "engraved", "sticker"]
Frame = Literal["none", "line", "ring", "disc"]
"""What surrounds a symbol: nothing, a line along the face's outline, a circle, a filled disc behind it."""

FRAMES: Final[dict[Shape, tuple[Frame, ...]]] = {
    Shape.CUBE: ("ring", "line", "disc"),
    Shape.OCTAHEDRON: ("ring", "line"),
}
SCALES: Final = {Shape.CUBE: (0.5, 0.95), Shape.OCTAHEDRON: (0.65, 1.1)}
"""How large symbols are drawn, as `FaceLook.scale` means it."""


@dataclass(frozen=True, slots=True)
class FaceLook:
    """One way of making a face; lengths are fractions of the diameter of the face's inscribed circle."""

    body: Colour
    """The die's plastic."""
    ink: Colour | None
    """Colour of the symbol; None prints the art in its own colours."""
    finish: Finish = "printed"
    scale: float = 0.75
    """Side of the art's square."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Of the art's centre from the face's centre, right and down."""
    rotation: float = 0.0
    """Degrees, clockwise in the picture."""
    frame: Frame = "none"
    frame_ink: Colour = (0.0, 0.0, 0.0)
    frame_size: float = 0.9
    frame_width: float = 0.03
    ground: Colour | None = None
    """A sticker's paper; None where there is none."""
    wear: float = 0.0
    """Share of the ink that is gone, in spots."""
    grain: float = 0.0
    """Contrast of marbling and speckles in the body, 0..1."""
    grain_colour: Colour = (255.0, 255.0, 255.0)
    grain_kind: Grain = "marble"
    seed: int = 0
    """Of the grain and the wear."""


def is_coloured(art: NDArray[np.uint8]) -> bool:
    """Whether the art's inside has more than one tone, so that one ink cannot print it.

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
    if art.shape[0] > side * 1.25:  # average first, or thin lines fall between the samples
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
    """Coverage (size, size), 0..1, of the look's frame."""
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
    """One face of a die with its symbol, upright on a clear ground in `art` (S, S, 4) RGBA; raises ValueError else.

    Returns the texture (size, size, 3) BGR, and the relief (size, size): below 0 where the face is engraved (-1 is the
    ground of the engraving), above 0 where a sticker lies on it. Both cover the square picture; of a d8 only the
    triangle is meant (the texture is grey 128 outside of it).
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
        if is_coloured(art):  # one ink: the dark parts of the picture are inked, the light ones left free
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


def _hsv(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))
    return 255 * blue, 255 * green, 255 * red


def _grey(rng: np.random.Generator, low: float, high: float) -> Colour:
    """Nearly neutral: white plastic yellows, black plastic is bluish."""
    level = rng.uniform(low, high)
    blue, green, red = np.clip(level + rng.normal(0, 0.02, 3), 0, 1) * 255
    return float(blue), float(green), float(red)


def _luma(colour: Colour) -> float:
    return (0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]) / 255


def _body(rng: np.random.Generator) -> Colour:
    kind = rng.random()
    if kind < 0.35:
        return _grey(rng, 0.78, 1.0)
    if kind < 0.5:
        return _grey(rng, 0.02, 0.2)
    if kind < 0.55:
        return _grey(rng, 0.2, 0.78)
    if kind < 0.63:  # ivory, bone, wood
        return float(rng.uniform(120, 200)), float(rng.uniform(180, 225)), float(rng.uniform(215, 250))
    return _hsv(rng, (0.35, 1.0), (0.25, 1.0))


def _ink(rng: np.random.Generator, against: Colour, contrast: float) -> Colour:
    """An ink that differs from the body by at least `contrast` in luma (0..1)."""
    for _ in range(12):
        kind = rng.random()
        if kind < 0.35:
            ink = _grey(rng, 0.0, 0.15)
        elif kind < 0.65:
            ink = _grey(rng, 0.85, 1.0)
        elif kind < 0.75:  # gold
            ink = (float(rng.uniform(40, 120)), float(rng.uniform(150, 200)), float(rng.uniform(190, 240)))
        else:
            ink = _hsv(rng, (0.3, 1.0), (0.2, 1.0))
        if abs(_luma(ink) - _luma(against)) >= contrast:
            return ink
    return (10.0, 10.0, 10.0) if _luma(against) > 0.5 else (245.0, 245.0, 245.0)


def _second(rng: np.random.Generator, ink: Colour) -> Colour:
    """A second colour for the body, on which the ink can be read."""
    for _ in range(12):
        colour = _body(rng)
        if abs(_luma(colour) - _luma(ink)) >= 0.25:
            return colour
    return _grey(rng, 0.0, 0.2) if _luma(ink) > 0.5 else _grey(rng, 0.8, 1.0)


def _strength(rng: np.random.Generator, kind: Grain) -> float:
    """Contrast of the grain: what is poured together of two colours has both of them, the rest is fainter."""
    return float(rng.uniform(0.5, 1.0) if kind in ("swirl", "glitter") else rng.uniform(0.1, 0.7))


def random_look(
    rng: np.random.Generator, shape: Shape = Shape.CUBE, *, coloured: bool = False, fill: bool = False,
    hard: float = 1.0,
) -> FaceLook:  # fmt: skip
    """A plausible way of making a face.

    `coloured` art has colours of its own and is mostly printed in them; art that should `fill` the face (pips) is
    scaled little; `hard`, 0..1, is how much wear, grain and misplacement there is.
    """
    body = _body(rng)
    finish: Finish = "engraved" if rng.random() < 0.4 and not coloured else "printed"
    own_colours = coloured and rng.random() < 0.85
    ground: Colour | None = None
    if rng.random() < (0.3 if coloured else 0.06):
        finish = "sticker"
        ground = _grey(rng, 0.85, 1.0) if rng.random() < 0.7 else _hsv(rng, (0.1, 0.6), (0.6, 1.0))
    frame: Frame = "none"
    if rng.random() < 0.18:
        frame = FRAMES[shape][int(rng.integers(len(FRAMES[shape])))]
    surface = ground if ground is not None else body
    if frame == "disc":
        frame_ink = _ink(rng, body, 0.12)
        surface = frame_ink
    else:
        frame_ink = _ink(rng, body, 0.2)
    # Unpainted engravings are seen by their shading only: the ink is then nearly the body.
    contrast = 0.1 if finish == "engraved" and rng.random() < 0.15 * hard else 0.3
    ink = None if own_colours else _ink(rng, surface, contrast)
    if frame in ("ring", "line") and rng.random() < 0.7 and ink is not None and ground is None:
        frame_ink = ink
    scale = rng.uniform(*((0.82, 1.0) if fill else SCALES[shape]))
    if frame != "none" or ground is not None:
        scale = min(scale, 0.8 if fill else 0.72)
    spread, kind = 0.03 * hard, random_kind(rng)
    return FaceLook(
        body=body,
        ink=ink,
        finish=finish,
        scale=float(scale),
        offset=(float(rng.normal(0, spread)), float(rng.normal(0, spread))),
        rotation=float(rng.normal(0, 2.5 * hard)),
        frame=frame,
        frame_ink=frame_ink,
        frame_size=float(rng.uniform(0.82, 0.98)),
        frame_width=float(rng.uniform(0.015, 0.05)),
        ground=ground,
        wear=float(rng.uniform(0, 0.45)) * hard if rng.random() < 0.2 else 0.0,
        grain=_strength(rng, kind) * hard if rng.random() < 0.3 else 0.0,
        grain_colour=_second(rng, body if ink is None else ink),
        grain_kind=kind,
        seed=int(rng.integers(1 << 30)),
    )

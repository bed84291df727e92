"""Realistic looks of dice faces. Colours are BGR, 0..255."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from vision.dicesets.shapes import Shape
from vision.render.faces import Colour, FaceLook, Finish, Frame, Grain

SHARES: Final[tuple[tuple[Grain, float], ...]] = (
    ("wood", 0.14), ("marble", 0.2), ("speckle", 0.2), ("swirl", 0.36), ("glitter", 0.1),
)  # fmt: skip


def random_kind(rng: np.random.Generator) -> Grain:
    """One of them; poured resin is what most dice with any grain at all are made of."""
    drawn = float(rng.random())
    for kind, share in SHARES:
        drawn -= share
        if drawn < 0:
            return kind
    return "marble"


FRAMES: Final[dict[Shape, tuple[Frame, ...]]] = {
    Shape.CUBE: ("ring", "line", "disc"),
    Shape.OCTAHEDRON: ("ring", "line"),
}
SCALES: Final = {Shape.CUBE: (0.5, 0.95), Shape.OCTAHEDRON: (0.65, 1.1)}
"""How large symbols are drawn, as `FaceLook.scale` means it."""
GRAINS: Final[dict[Grain, tuple[float, float]]] = {"swirl": (0.5, 1.0), "glitter": (0.5, 1.0)}
"""Contrast of grains that are poured together of two colours and have both of them; the rest is fainter."""


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

    def some() -> Colour:
        kind = rng.random()
        if kind < 0.25:
            return _grey(rng, 0.0, 0.15)
        if kind < 0.5:
            return _grey(rng, 0.85, 1.0)
        if kind < 0.6:  # gold
            return float(rng.uniform(40, 120)), float(rng.uniform(150, 200)), float(rng.uniform(190, 240))
        return _hsv(rng, (0.3, 1.0), (0.2, 1.0))

    plain = (10.0, 10.0, 10.0) if _luma(against) > 0.5 else (245.0, 245.0, 245.0)
    return _differing(some, against, contrast) or plain


def clear_look(look: FaceLook, rng: np.random.Generator) -> FaceLook:
    """The look of clear dice: an almost colourless body, mostly coloured ink, nothing between them."""
    body, ink = look.body, look.ink
    if rng.random() < 0.6:
        body = _hsv(rng, (0.0, 0.2), (0.8, 1.0))
    if ink is not None and rng.random() < 0.6:
        ink = _hsv(rng, (0.5, 1.0), (0.35, 1.0))
    return replace(look, body=body, ink=ink, frame="none", ground=None, grain=0.0)


def _second(rng: np.random.Generator, ink: Colour) -> Colour:
    """A second body colour on which the ink is legible."""
    found = _differing(lambda: _body(rng), ink, 0.25)
    return found or (_grey(rng, 0.0, 0.2) if _luma(ink) > 0.5 else _grey(rng, 0.8, 1.0))


def _differing(some: Callable[[], Colour], other: Colour, contrast: float) -> Colour | None:
    """A colour that differs from another in luma; None if none does in a few tries."""
    drawn = (some() for _ in range(12))
    return next((colour for colour in drawn if abs(_luma(colour) - _luma(other)) >= contrast), None)


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
    # Unpainted engravings are only visible by their shading: the ink has nearly the body's colour.
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
        grain=float(rng.uniform(*GRAINS.get(kind, (0.1, 0.7)))) * hard if rng.random() < 0.3 else 0.0,
        grain_colour=_second(rng, body if ink is None else ink),
        grain_kind=kind,
        seed=int(rng.integers(1 << 30)),
    )

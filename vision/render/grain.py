"""What plastic, resin and wood look like inside: marbling, swirls of two colours, speckles, glitter, fibres."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Grain = Literal["marble", "speckle", "wood", "swirl", "glitter"]
"""Faint clouds, grains, fibres; two colours poured together; sparks."""

Floats = NDArray[np.float32]

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
        coarse += weight * np.asarray(
            cv2.resize(small, (_NOISE, _NOISE), interpolation=cv2.INTER_CUBIC), np.float32
        )
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

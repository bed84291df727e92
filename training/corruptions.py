"""Corruptions of training crops by light, lens and camera: each in some crops, none in most.

A network trained on one renderer's crops alone leans on how it draws; these are the same in every renderer and in
photographs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Floats, Pixels

Light = NDArray[np.floating[Any]]


def corrupted(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """A (H, W, 3) crop as it might look on another day, through another lens."""
    chosen = [change for change, share in CHANGES if rng.random() < share]
    if not chosen:
        return pixels
    light = pixels.astype(np.float32)
    for change in chosen:
        light = change(light, rng).astype(np.float32, copy=False)
    return np.clip(light, 0, 255).astype(np.uint8)


def coarsened(pixels: Pixels, share: float) -> Pixels:
    """A (S, S, 3) crop with the detail of one `share` as large: a thing as it looks from further away."""
    side = len(pixels)
    small = cv2.resize(pixels, (round(side * share),) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


def turned(
    pixels: Pixels, rng: np.random.Generator, degrees: float, scales: float, side: int
) -> tuple[Pixels, cv2.typing.MatLike]:
    """The middle (side, side, 3) of a square crop, turned, scaled and shifted a little, and the (2, 3) map to it."""
    middle = (len(pixels) - 1) / 2
    mapping = cv2.getRotationMatrix2D((middle, middle), degrees, float(np.exp(rng.normal(0, scales))))
    mapping[:, 2] += rng.normal(0, 3, 2) - (len(pixels) - side) // 2
    moved = cv2.warpAffine(pixels, mapping, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8), mapping


def recoloured(pixels: Floats, rng: np.random.Generator) -> Floats:
    """(N, H, W, 3) crops of 0 … 1 in other colours and exposures, each its own: a die is one in all of them."""
    count = len(pixels)
    gamma = np.exp(rng.normal(0, 0.25, (count, 1, 1, 1))).astype(np.float32)
    gain = np.exp(rng.normal(0, 0.1, (count, 1, 1, 3))).astype(np.float32)
    shuffled = pixels[..., rng.permutation(3)] if rng.random() < 0.5 else pixels
    grey = rng.random((count, 1, 1, 1)) < 0.15
    mixed = np.where(grey, shuffled.mean(-1, keepdims=True), shuffled)
    return np.clip(mixed**gamma * gain, 0, 1).astype(np.float32)


def _uneven(light: Floats, rng: np.random.Generator) -> Light:
    """Light that is stronger on one side."""
    coarse = np.exp(rng.normal(0, rng.uniform(0.05, 0.35), (3, 3))).astype(np.float32)
    return light * _spread(coarse, light)


def _shadow(light: Floats, rng: np.random.Generator) -> Light:
    """The shadow of something that stands beside it, with a straight edge."""
    h, w = light.shape[:2]
    angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4) * w
    xs, ys = np.arange(w, dtype=np.float32) - w / 2, np.arange(h, dtype=np.float32) - h / 2
    distance = np.cos(angle) * xs[None] + np.sin(angle) * ys[:, None] - off
    cover = np.clip(0.5 + distance / rng.uniform(1, 15), 0, 1).astype(np.float32)
    return light * (1 - rng.uniform(0.2, 0.6) * cover)[..., None].astype(np.float32)


def _highlight(light: Floats, rng: np.random.Generator) -> Light:
    """A lamp's reflection."""
    h, w = light.shape[:2]
    x, y = rng.uniform(0.1, 0.9, 2) * (w, h)
    wide, tall = np.exp(rng.uniform(np.log(2), np.log(16), 2))
    grid_x, grid_y = np.arange(w, dtype=np.float32) - x, np.arange(h, dtype=np.float32) - y
    spot = np.exp(-((grid_x[None] / wide) ** 2) - (grid_y[:, None] / tall) ** 2) * rng.uniform(0.3, 1.5)
    cover = np.clip(spot, 0, 1).astype(np.float32)[..., None]
    return light + cover * (np.float32(250) - light)


def _grain(light: Floats, rng: np.random.Generator) -> Light:
    """Fibres, weave or stone: brighter and darker spots, often drawn out one way."""
    cells = np.exp(rng.uniform(np.log(6), np.log(80), 2)).astype(int)
    noise = rng.standard_normal((cells[0], cells[1])).astype(np.float32)
    return light * (1 + np.float32(rng.uniform(0.03, 0.18)) * _spread(noise, light))


def _blurred(light: Floats, rng: np.random.Generator) -> Light:
    """Out of focus."""
    return np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 1.8))), np.float32)


def _moved(light: Floats, rng: np.random.Generator) -> Light:
    """Moved while the shutter was open."""
    length, angle = float(rng.uniform(2, 8)), float(rng.uniform(0, np.pi))
    kernel = np.zeros((11, 11), np.float32)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    ends = [tuple(np.rint((5 + sign * reach) * 16).astype(int).tolist()) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)


def _sharpened(light: Floats, rng: np.random.Generator) -> Light:
    """As cameras do to please."""
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.8, 2.0))), np.float32)
    return light + np.float32(rng.uniform(0.3, 1.5)) * (light - soft)


def _noisy(light: Floats, rng: np.random.Generator) -> Light:
    """Little light: noise, of each pixel or in blotches."""
    h, w = light.shape[:2]
    step = int(rng.integers(1, 4))
    noise = rng.standard_normal((-(-h // step), -(-w // step), 3)).astype(np.float32)
    return light + np.float32(rng.uniform(2, 16)) * _spread(noise, light)


def _packed(light: Floats, rng: np.random.Generator) -> Light:
    """JPEG with few bits."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 75))]
    _, packed = cv2.imencode(".jpg", np.clip(light, 0, 255).astype(np.uint8), quality)
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.float32)


def _spread(coarse: Floats, light: Floats) -> Floats:
    """A coarse field over the whole crop, (H, W, channels)."""
    h, w = light.shape[:2]
    fine = np.asarray(cv2.resize(coarse, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)
    return fine.reshape(h, w, -1)


Change = Callable[[Floats, np.random.Generator], Light]
CHANGES: Final[tuple[tuple[Change, float], ...]] = (
    (_uneven, 0.25), (_shadow, 0.1), (_highlight, 0.12), (_grain, 0.15), (_blurred, 0.12), (_moved, 0.08),
    (_sharpened, 0.12), (_noisy, 0.2), (_packed, 0.15),
)  # fmt: skip
"""In the order in which they come about, and how often."""

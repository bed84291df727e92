"""From light to a file: exposure, white balance, noise, sharpening, eight bits."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


def develop(rng: np.random.Generator, radiance: Floats, middle: Floats | None = None) -> NDArray[np.uint8]:
    """(H, W, 3) BGR uint8 of (H, W, 3) linear RGB; `middle` (H, W) weighs what the camera exposes for."""
    light = np.maximum(radiance.astype(np.float32), 0)
    weights = np.ones(light.shape[:2], np.float32)
    if middle is not None:
        weights = np.float32(rng.uniform(0.05, 0.3)) + middle
    balance = (light * weights[..., None]).sum((0, 1)) / weights.sum()
    # Cameras balance most of the light's colour away, not all of it.
    gains = (balance.mean() / np.maximum(balance, 1e-6)) ** float(rng.uniform(0.35, 0.85))
    light = light * gains.astype(np.float32)
    brightness = light @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    level = float(np.exp((weights * np.log(brightness + 1e-4)).sum() / weights.sum()))
    bright = float(np.quantile(brightness[weights > weights.mean() * 0.5], 0.97))
    exposure = float(rng.uniform(0.15, 0.24)) / max(level, 1e-6)
    exposure = min(exposure, float(rng.uniform(0.85, 1.15)) / max(bright, 1e-6))
    exposure *= float(2 ** rng.normal(0, 0.2))
    light = light * np.float32(exposure) * vignette(light.shape[:2], float(rng.uniform(0, 0.3)))[..., None]
    # Photons come by chance (variance grows with light), and reading them out adds its own noise.
    photons, read = math.exp(rng.uniform(math.log(600), math.log(9000))), float(rng.uniform(0.0005, 0.004))
    spread = np.sqrt(light / photons + read**2)
    light = np.maximum(light + spread * rng.standard_normal(light.shape, dtype=np.float32), 0).astype(np.float32)
    if rng.random() < 0.25:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 0.8))), np.float32)
    shown = curve(light, float(rng.uniform(0.0, 0.35)))
    # Cameras smooth noise where there is no edge.
    shown = np.asarray(cv2.bilateralFilter(shown, 5, float(rng.uniform(0.03, 0.08)), 1.5), np.float32)
    sharp = float(rng.uniform(0, 0.7))
    shown = shown + sharp * (shown - cv2.GaussianBlur(shown, (0, 0), 1.0))
    shown = smooth_colour(shown, float(rng.uniform(0.6, 1.6)))
    dithered = shown[..., ::-1] * 255 + rng.uniform(-0.5, 0.5, shown.shape) + 0.5
    return np.asarray(np.clip(dithered, 0, 255), np.uint8)


def vignette(size: tuple[int, ...], strength: float) -> Floats:
    """(H, W) what share of the light reaches the sensor: 1 in the middle, less by `strength` in the corners."""
    y, x = np.linspace(-1, 1, size[0])[:, None], np.linspace(-1, 1, size[1])[None]
    return np.asarray(1 - strength * (x**2 + y**2) / 2, np.float32)


def curve(light: Floats, punch: float) -> Floats:
    """The sRGB curve after a soft shoulder, with some added contrast."""
    knee = 0.8
    over = np.maximum(light - knee, 0)
    soft = np.where(light > knee, knee + (1 - knee) * (1 - np.exp(-over / (1 - knee) * 0.8)), light)
    shown = np.where(soft <= 0.0031308, soft * 12.92, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
    curved = shown * shown * (3 - 2 * shown)
    return np.asarray(shown + punch * (curved - shown), np.float32)


def smooth_colour(shown: Floats, width: float) -> Floats:
    """Less noise in colour than in light: what every camera does before it writes a JPEG."""
    parts = cv2.cvtColor(np.clip(shown, 0, 1).astype(np.float32), cv2.COLOR_RGB2YCrCb)
    for channel in (1, 2):
        parts[..., channel] = cv2.GaussianBlur(parts[..., channel], (0, 0), width)
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2RGB), np.float32)

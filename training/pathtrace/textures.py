"""Noise with a chosen spectrum, and colours: what tables and dice are painted with.

Noise is drawn in the frequency domain, so it repeats without a seam.
"""

from __future__ import annotations

import colorsys
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Pixels = NDArray[np.uint8]
Colour = tuple[float, float, float]
"""Red, green, blue: 0..1, sRGB."""


def spectral(
    rng: np.random.Generator,
    height: int,
    width: int,
    slope: float,
    coarsest: float = 1.0,
    finest: float = 1e9,
    stretch: float = 1.0,
) -> Floats:
    """(height, width) noise of zero mean and unit deviation, amplitude falling as frequency to the `slope`.

    `coarsest` and `finest` bound the frequency in waves across the picture; `stretch` above 1 draws the noise out
    along x.
    """
    waves = np.fft.rfft2(rng.standard_normal((height, width)))
    fy = np.fft.fftfreq(height)[:, None] * height
    fx = np.fft.rfftfreq(width)[None] * width * stretch
    frequency = np.hypot(fx, fy)
    gain = np.where(
        (frequency >= coarsest) & (frequency <= finest), np.maximum(frequency, 0.5) ** -slope, 0.0
    )
    noise = np.fft.irfft2(waves * gain, s=(height, width))
    return ((noise - noise.mean()) / max(float(noise.std()), 1e-9)).astype(np.float32)


def tone(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    """A random colour of any hue."""
    return colorsys.hsv_to_rgb(
        float(rng.random()), float(rng.uniform(*saturation)), float(rng.uniform(*value))
    )


def near(rng: np.random.Generator, colour: Colour, spread: float = 0.04) -> Colour:
    """A colour close to another."""
    red, green, blue = (float(np.clip(c + rng.normal(0, spread), 0.01, 0.99)) for c in colour)
    return red, green, blue


def luminance(colour: Colour) -> float:
    """How light a colour is, 0..1, in the sRGB scale (Rec. 709 weights)."""
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def filled(size: tuple[int, int], colour: Colour) -> Floats:
    """(H, W, 3) of one colour."""
    return np.broadcast_to(np.array(colour, np.float32), (*size, 3)).copy()


def mixed(under: Floats, over: Colour | Floats, share: Floats) -> Floats:
    """`over` laid on (H, W, 3) `under` with (H, W) coverage."""
    return (under + share[..., None] * (np.asarray(over, np.float32) - under)).astype(np.float32)


def bytes_of(values: Floats) -> Pixels:
    """0..1 to uint8."""
    return (np.clip(values, 0, 1) * 255 + 0.5).astype(np.uint8)


def written(
    image: Floats,
    text: str,
    at: tuple[int, int],
    scale: float,
    ink: Colour,
    thick: int = 1,
    font: int = cv2.FONT_HERSHEY_TRIPLEX,
    centred: bool = False,
) -> None:
    """Write into (H, W, 3) or (H, W), the text's foot on the left (or its middle) `at` a texel.

    OpenCV writes into bytes only.
    """
    (w, h), below = cv2.getTextSize(text, font, scale, thick)
    x, y = (at[0] - w // 2, at[1] + h // 2) if centred else at
    rim = thick + 2
    x0, y0 = max(x - rim, 0), max(y - h - rim, 0)
    x1, y1 = min(x + w + rim, image.shape[1]), min(y + below + rim, image.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.putText(mask, text, (x - x0, y - y0), font, scale, 255, thick, cv2.LINE_AA)
    share = mask.astype(np.float32) / 255
    part = image[y0:y1, x0:x1]
    if image.ndim == 3:
        part[:] = mixed(part, ink, share)
    else:
        part[:] += share * (ink[0] - part)

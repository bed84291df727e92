"""Effects of a camera: blur, motion, noise, colour casts, JPEG."""

from __future__ import annotations

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.frame import Pixels


def photograph(pixels: Pixels, rng: np.random.Generator, strength: float = 1.0) -> Pixels:
    """Degrade (H, W, 3) BGR pixels as cheap cameras do; 0 strength leaves them as they are."""
    image = pixels
    if rng.random() < 0.45 * strength:
        image = _pixels(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.5)))
    if rng.random() < 0.1 * strength:
        image = _motion(image, rng)
    if rng.random() < 0.25 * strength:
        image = _sharpen(image, rng)
    if rng.random() < 0.6 * strength:
        image = _cast(image, rng)
    if rng.random() < 0.12 * strength:
        image = _pixels(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))
    if rng.random() < 0.1 * strength:
        image = _porthole(image, rng)
    if rng.random() < 0.6 * strength:
        image = _grain(image, rng)
    if rng.random() < 0.6 * strength:
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
        decoded = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        assert decoded is not None, "OpenCV reads what it has just written"
        image = _pixels(decoded)
    return image


def _pixels(image: MatLike) -> Pixels:
    """The same array: OpenCV keeps the depth of its input, but its stubs do not say so."""
    return np.asarray(image, np.uint8)


def _motion(image: Pixels, rng: np.random.Generator) -> Pixels:
    length = int(rng.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = (length - 1) / 2 * np.array([np.cos(angle), np.sin(angle)])
    middle = (length - 1) / 2
    ends = [np.rint(middle + sign * reach).astype(int).tolist() for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return _pixels(cv2.filter2D(image, -1, kernel / kernel.sum()))


def _sharpen(image: Pixels, rng: np.random.Generator) -> Pixels:
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.0))
    amount = rng.uniform(0.3, 1.5)
    return _pixels(cv2.addWeighted(image, 1 + amount, soft, -amount, 0))


def _cast(image: Pixels, rng: np.random.Generator) -> Pixels:
    """White balance, contrast and saturation through one look-up table a channel."""
    levels = np.arange(256, dtype=np.float32) / 255
    gamma = rng.uniform(0.75, 1.35)
    contrast = rng.uniform(0.75, 1.25)
    tables: list[NDArray[np.float32]] = []
    for gain in rng.normal(1.0, 0.07, 3):
        table = np.clip((levels * gain) ** gamma, 0, 1)
        tables.append(np.clip((table - 0.5) * contrast + 0.5, 0, 1) * 255)
    looked = cv2.LUT(image, np.stack(tables, -1).astype(np.uint8)[None])
    grey = cv2.cvtColor(cv2.cvtColor(looked, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    saturation = rng.uniform(0.4, 1.5)
    return _pixels(cv2.addWeighted(looked, saturation, grey, 1 - saturation, 0))


def _porthole(image: Pixels, rng: np.random.Generator) -> Pixels:
    """A dark vignette or a black surround, as in boxes and through tubes."""
    h, w = image.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    axes = (int(w * rng.uniform(0.4, 0.6)), int(h * rng.uniform(0.4, 0.6)))
    cv2.ellipse(mask, (w // 2, h // 2), axes, 0, 0, 360, 255, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 30))[..., None].astype(np.float32) / 255
    floor = rng.uniform(0.05, 0.6)
    return (image * (floor + (1 - floor) * soft)).astype(np.uint8)


def _grain(image: Pixels, rng: np.random.Generator) -> Pixels:
    h, w = image.shape[:2]
    sigma = rng.uniform(1, 9)
    coarse = rng.random() < 0.3
    shape = (h // 2 + 1, w // 2 + 1, 3) if coarse else (h, w, 3)
    noise = rng.standard_normal(shape, dtype=np.float32) * sigma
    if coarse:
        noise = cv2.resize(noise, (w, h), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        noise = noise[..., :1]
    return np.clip(image + noise, 0, 255).astype(np.uint8)

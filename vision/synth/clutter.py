"""Flat things that have been taken for dice: keys with letters, printed labels, counters in rows."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.colours import hsv

Pixels = NDArray[np.uint8]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-*/<>=?%"


def keyboard(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """Part of a keyboard, (H, W, 3) BGR, and its mask (H, W): square keys with light or dark signs."""
    key = int(rng.integers(18, 52))
    rows, columns = int(rng.integers(2, 6)), int(rng.integers(3, 11))
    dark = rng.random() < 0.7
    plate = hsv(rng, (0, 0.2), (0.05, 0.5) if dark else (0.5, 0.95))
    cap = np.clip(plate * rng.uniform(0.4, 0.9), 0, 255) if dark else np.clip(plate * 1.15, 0, 255)
    sign = hsv(rng, (0, 0.2), (0.7, 1.0) if dark else (0, 0.4)).tolist()
    gap = max(int(key * rng.uniform(0.06, 0.2)), 1)
    image = np.empty((rows * (key + gap) + gap, columns * (key + gap) + gap, 3), np.uint8)
    image[:] = plate
    for row in range(rows):
        for column in range(columns):
            x, y = gap + column * (key + gap), gap + row * (key + gap)
            cv2.rectangle(image, (x, y), (x + key, y + key), cap.tolist(), -1)
            if rng.random() < 0.85:
                letter = LETTERS[int(rng.integers(len(LETTERS)))]
                size = key / 45 * rng.uniform(0.7, 1.4)
                place = (x + int(key * rng.uniform(0.1, 0.4)), y + int(key * rng.uniform(0.55, 0.85)))
                thick = max(round(key / 22), 1)
                cv2.putText(image, letter, place, cv2.FONT_HERSHEY_SIMPLEX, size, sign, thick, cv2.LINE_AA)
    return image, np.full(image.shape[:2], 255, np.uint8)


def printed_label(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """A small paper with a word or a number on it, and its mask."""
    height = int(rng.integers(20, 90))
    word = "".join(LETTERS[int(i)] for i in rng.integers(0, len(LETTERS), int(rng.integers(1, 7))))
    size = height / 45
    thick = max(round(height / 18), 1)
    (length, _), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, size, thick)
    image = np.empty((height, length + height // 2, 3), np.uint8)
    light = rng.random() < 0.7
    image[:] = hsv(rng, (0, 0.25), (0.75, 1.0) if light else (0.05, 0.4))
    ink = hsv(rng, (0, 0.8), (0, 0.4) if light else (0.8, 1.0)).tolist()
    place = (height // 4, int(height * 0.75))
    cv2.putText(image, word, place, cv2.FONT_HERSHEY_DUPLEX, size, ink, thick, cv2.LINE_AA)
    return image, np.full(image.shape[:2], 255, np.uint8)


def counters(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """Round or square counters in rows, as they lie beside boards, and their mask."""
    side = int(rng.integers(14, 44))
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(2, 6))
    pitch = int(side * rng.uniform(1.05, 1.8))
    image = np.empty((rows * pitch, columns * pitch, 3), np.uint8)
    image[:] = hsv(rng, (0, 0.9), (0.2, 1))
    mask = np.zeros(image.shape[:2], np.uint8)
    rim = hsv(rng, (0, 0.9), (0.1, 1)).tolist()
    round_ones = rng.random() < 0.5
    for row in range(rows):
        for column in range(columns):
            x, y = column * pitch + pitch // 2, row * pitch + pitch // 2
            if round_ones:
                cv2.circle(mask, (x, y), side // 2, 255, -1, cv2.LINE_AA)
                cv2.circle(image, (x, y), int(side * 0.36), rim, max(side // 12, 1), cv2.LINE_AA)
            else:
                half = side // 2
                cv2.rectangle(mask, (x - half, y - half), (x + half, y + half), 255, -1)
                cv2.rectangle(image, (x - half // 2, y - half // 2), (x + half // 2, y + half // 2), rim, 1)
    return image, mask

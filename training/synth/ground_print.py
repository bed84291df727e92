"""More tables: stone with grains, terrazzo, leather, tracks of printed fields, pages of print.

Every function returns a square (T, T, 3) BGR texture, as those of `training.synth.ground` do.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training.synth.colours import hsv
from training.synth.noise import TEXELS, clouds

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]


def granite(rng: np.random.Generator) -> Pixels:
    """Polished stone: grains of two to five colours, each kind with a size of its own."""
    image = np.broadcast_to(hsv(rng, (0.0, 0.35), (0.1, 0.9)), (TEXELS, TEXELS, 3)).astype(np.float32)
    for _ in range(int(rng.integers(2, 6))):
        cells = int(rng.uniform(50, 420))
        grains = clouds(rng, TEXELS, (cells, cells), 2)
        sharp = rng.uniform(2, 9)
        share = np.clip((grains - rng.uniform(0.2, 1.4)) * sharp, 0, 1)[..., None]
        image = image * (1 - share) + hsv(rng, (0.0, 0.4), (0.03, 1.0)) * share
    return np.clip(image, 0, 255).astype(np.uint8)


def terrazzo(rng: np.random.Generator) -> Pixels:
    """Chips of stone, often as large as dice, with straight edges, in cement; or confetti on paper."""
    paper = hsv(rng, (0.0, 0.25), (0.15, 1.0))
    image = np.broadcast_to(paper, (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    palette = [hsv(rng, (0.0, 0.8), (0.05, 1.0)).tolist() for _ in range(int(rng.integers(2, 7)))]
    largest = float(rng.uniform(6, 40))
    for _ in range(int(rng.uniform(0.1, 0.5) * TEXELS**2 / (largest * largest))):
        count = int(rng.integers(3, 8))
        turns = np.sort(rng.uniform(0, 2 * np.pi, count))
        reach = rng.uniform(0.2, 0.7, count) * largest * rng.uniform(0.3, 1.0)
        chip = rng.uniform(0, TEXELS, 2) + np.stack([np.cos(turns), np.sin(turns)], 1) * reach[:, None]
        cv2.fillPoly(
            image, [np.rint(chip).astype(np.int32)], palette[rng.integers(len(palette))], cv2.LINE_AA
        )
    tone = 1 + rng.uniform(0, 0.06) * clouds(rng, TEXELS, (200, 200), 1)
    return np.clip(image * tone[..., None], 0, 255).astype(np.uint8)


def leather(rng: np.random.Generator) -> Pixels:
    """Cells between creases: a desk pad, or the floor of a dice tray."""
    cells = int(rng.uniform(30, 160))
    creases = np.abs(clouds(rng, TEXELS, (cells, cells), 2))
    relief = np.clip(creases * rng.uniform(0.8, 2), 0, 1)
    base = hsv(rng, (0.0, 0.8), (0.06, 0.6))
    return np.clip(base * (1 - rng.uniform(0.1, 0.5) * (1 - relief))[..., None], 0, 255).astype(np.uint8)


def fields(rng: np.random.Generator) -> Pixels:
    """A board of framed fields, about as large as dice or much larger; some hold words, dots or a smaller square."""
    ground = hsv(rng, (0.0, 0.7), (0.15, 1.0))
    image = np.broadcast_to(ground, (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    palette = [hsv(rng, (0.1, 0.95), (0.15, 1.0)).tolist() for _ in range(int(rng.integers(2, 8)))]
    side = int(rng.integers(24, 150))
    gap = int(side * rng.uniform(0, 0.3))
    frame, thick = hsv(rng, (0, 0.5), (0, 1)).tolist(), max(int(side * rng.uniform(0, 0.08)), 1)
    full = rng.uniform(0.2, 1.0)
    for y in range(0, TEXELS, side + gap):
        for x in range(0, TEXELS, side + gap):
            if rng.random() > full:
                continue
            cv2.rectangle(image, (x, y), (x + side, y + side), palette[rng.integers(len(palette))], -1)
            cv2.rectangle(image, (x, y), (x + side, y + side), frame, thick)
            _content(rng, image, x, y, side, frame)
    tone = 1 + rng.uniform(0, 0.1) * clouds(rng, TEXELS, (40, 40), 2)
    return np.clip(image * tone[..., None], 0, 255).astype(np.uint8)


def _content(rng: np.random.Generator, image: Pixels, x: int, y: int, side: int, ink: list[float]) -> None:
    kind = rng.integers(0, 6)
    if kind == 0:
        _words(
            rng,
            image,
            (x + side // 8, y + side // 8),
            side * 3 // 4,
            int(rng.integers(1, 5)),
            max(side // 7, 3),
        )
    elif kind == 1:
        inner = int(side * rng.uniform(0.12, 0.3))
        colour = hsv(rng, (0, 0.9), (0.1, 1)).tolist()
        cv2.rectangle(image, (x + inner, y + inner), (x + side - inner, y + side - inner), colour, -1)
    elif kind == 2:
        for _ in range(int(rng.integers(1, 7))):
            spot = (x + int(rng.uniform(0.15, 0.85) * side), y + int(rng.uniform(0.15, 0.85) * side))
            cv2.circle(image, spot, max(side // int(rng.integers(8, 16)), 1), ink, -1, cv2.LINE_AA)


def page(rng: np.random.Generator) -> Pixels:
    """A rule book or score pad: columns of short dark strokes, boxes, empty tables."""
    light = rng.random() < 0.85
    paper = hsv(rng, (0, 0.15), (0.8, 1.0) if light else (0.05, 0.3))
    ink = hsv(rng, (0, 0.6), (0.0, 0.4) if light else (0.6, 1.0)).tolist()
    image = np.broadcast_to(paper, (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    line = int(rng.integers(5, 22))
    wide = int(rng.integers(120, 360))
    for x in range(line, TEXELS, wide + 2 * line):
        y = line
        while y < TEXELS:
            if rng.random() < 0.06:
                tall = line * int(rng.integers(3, 14))
                box = ((x, y), (x + wide, y + tall))
                colour = hsv(rng, (0, 0.8), (0.2, 1)).tolist()
                cv2.rectangle(image, *box, colour, -1 if rng.random() < 0.5 else max(line // 8, 1))
                y += tall + line
            else:
                _words(rng, image, (x, y), wide, 1, line, ink)
                y += line
    return image


def _words(
    rng: np.random.Generator,
    image: Pixels,
    start: tuple[int, int],
    wide: int,
    lines: int,
    line: int,
    ink: list[float] | None = None,
) -> None:
    """Strokes as long as words, `lines` of them below each other, `line` texels apart."""
    colour = ink or hsv(rng, (0, 0.4), (0, 0.35)).tolist()
    tall = max(int(line * 0.45), 1)
    for number in range(lines):
        x, y = start[0], start[1] + number * line
        stop = start[0] + int(wide * rng.uniform(0.5, 1.0))
        while x < stop:
            length = int(rng.uniform(1, 6) * tall)
            for stroke in range(x, min(x + length, stop), max(tall // 2, 2)):
                top = y + int(rng.uniform(0, 0.35) * tall)
                cv2.line(image, (stroke, top), (stroke, y + tall), colour, max(tall // 6, 1))
            x += length + tall

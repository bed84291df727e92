"""Noise with a chosen spectrum, colours, and what tables are covered with, in sRGB.

Noise is drawn in the frequency domain, so it repeats without a seam. Each maker of a `Covering` takes how many texels a
millimetre has: grain, weave and print have true sizes.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.pathtrace.solids import polygon
from vision.frame import Pixels

Floats = NDArray[np.floating[Any]]
Colour = tuple[float, float, float]
"""Red, green, blue: 0..1, sRGB."""


def spectral(
    rng: np.random.Generator, height: int, width: int, slope: float, coarsest: float = 1.0, finest: float = 1e9,
    stretch: float = 1.0,
) -> Floats:  # fmt: skip
    """(height, width) noise of zero mean and unit deviation, amplitude falling as frequency to the `slope`.

    `coarsest` and `finest` bound the frequency in waves across the picture; `stretch` above 1 draws the noise out
    along x.
    """
    waves = np.fft.rfft2(rng.standard_normal((height, width)))
    fy = np.fft.fftfreq(height)[:, None] * height
    fx = np.fft.rfftfreq(width)[None] * width * stretch
    frequency = np.hypot(fx, fy)
    inside = (frequency >= coarsest) & (frequency <= finest)
    gain = np.where(inside, np.maximum(frequency, 0.5) ** -slope, 0.0)
    noise = np.fft.irfft2(waves * gain, s=(height, width))
    return ((noise - noise.mean()) / max(float(noise.std()), 1e-9)).astype(np.float32)


def tone(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    """A random colour of any hue."""
    return colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value))


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
    image: Floats, text: str, at: tuple[int, int], scale: float, ink: Colour, thick: int = 1,
    font: int = cv2.FONT_HERSHEY_TRIPLEX, centred: bool = False,
) -> None:  # fmt: skip
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


SIDE = 1024
"""Texels of a ground's side."""


@dataclass(frozen=True, eq=False, slots=True)
class Covering:
    """A covering."""

    name: str
    colour: Floats
    """(SIDE, SIDE, 3) sRGB."""
    roughness: float
    relief: Floats | None = None
    """(SIDE, SIDE) 0..1, or None if it is smooth."""
    depth: float = 0.0
    """Of the relief, in mm."""
    clearcoat: float = 0.0


Maker = Callable[[np.random.Generator, float], Covering]

WOODS: tuple[Colour, ...] = (
    (0.72, 0.52, 0.33), (0.55, 0.36, 0.22), (0.38, 0.23, 0.14), (0.82, 0.66, 0.46), (0.62, 0.34, 0.2),
    (0.24, 0.15, 0.1), (0.8, 0.74, 0.66),
)  # fmt: skip

FELTS: tuple[Colour, ...] = (
    (0.05, 0.3, 0.16), (0.45, 0.05, 0.09), (0.06, 0.1, 0.3), (0.12, 0.12, 0.13), (0.25, 0.1, 0.3),
)  # fmt: skip
LEATHERS: tuple[Colour, ...] = ((0.2, 0.11, 0.07), (0.08, 0.08, 0.08), (0.35, 0.18, 0.1), (0.1, 0.13, 0.2))
FIELDS: tuple[Colour, ...] = ((0.35, 0.2, 0.12), (0.1, 0.3, 0.2), (0.1, 0.1, 0.1))
"""The dark ones of a chessboard."""


def wood(rng: np.random.Generator, texels: float) -> Covering:
    """Planks: year rings cut lengthwise, pores, joints."""
    base = near(rng, WOODS[int(rng.integers(len(WOODS)))])
    planks = max(1, round(SIDE / texels / float(rng.uniform(60, 160))))
    edges = np.linspace(0, SIDE, planks + 1).astype(int)
    image = filled((SIDE, SIDE), base)
    relief = np.ones((SIDE, SIDE), np.float32)
    pores = spectral(rng, SIDE, SIDE, 0.4, 20, SIDE / 3, stretch=18)
    for top, bottom in pairwise(int(edge) for edge in edges):
        tall = bottom - top
        bow = spectral(rng, tall, SIDE, 2.2, 1, 6, stretch=3)
        heart = rng.uniform(-0.5, 1.5) * tall
        away = np.abs(np.arange(tall)[:, None] - heart) / texels
        rings: Floats = np.sin(2 * np.pi * (away / float(rng.uniform(4, 12)) + 0.8 * bow)) * 0.5
        share = 1 + 0.16 * rings + 0.07 * pores[top:bottom] + float(rng.normal(0, 0.07))
        image[top:bottom] *= share[..., None].astype(np.float32)
        joint = max(1, round(0.7 * texels))
        if planks > 1:
            image[top : top + joint] *= 0.35
            relief[top : top + joint] = 0
    relief -= 0.15 * np.clip(pores - 1, 0, 1)
    polished = float(rng.random()) < 0.5
    return Covering(
        "wood", image, float(rng.uniform(0.15, 0.35) if polished else rng.uniform(0.4, 0.7)), relief, 0.25,
        0.5 if polished and rng.random() < 0.4 else 0.0,
    )  # fmt: skip


def felt(rng: np.random.Generator, texels: float) -> Covering:
    """Short fibres in all directions, as in dice trays and on card tables."""
    base = near(rng, FELTS[int(rng.integers(len(FELTS)))])
    fibres = sum(spectral(rng, SIDE, SIDE, 0.2, 60, SIDE / 2.5, stretch=s) for s in (0.3, 3.0))
    tufts = np.asarray(fibres, np.float32) / np.float32(1.4)
    wide = spectral(rng, SIDE, SIDE, 1.5, 1, 12)
    image = filled((SIDE, SIDE), base) * (1 + 0.14 * tufts + 0.05 * wide)[..., None]
    return Covering("felt", image, 0.95, (0.5 + 0.15 * tufts).astype(np.float32), 0.5)


def cloth(rng: np.random.Generator, texels: float) -> Covering:
    """A woven table cloth, plain, checked or striped."""
    thread = max(2.2, float(rng.uniform(0.45, 1.1)) * texels)
    count = max(8, round(SIDE / thread / 2) * 2)
    t = np.arange(SIDE) / SIDE * count
    across, along = np.cos(2 * np.pi * t / 1)[None] ** 2, np.cos(2 * np.pi * t / 1)[:, None] ** 2
    over = (np.floor(t)[None] + np.floor(t)[:, None]) % 2
    weave = np.where(over > 0, across * 0.7 + 0.3 * along, along * 0.7 + 0.3 * across).astype(np.float32)
    light, dark = near(rng, (0.92, 0.9, 0.86)), tone(rng, (0.2, 0.9), (0.2, 0.8))
    style = int(rng.integers(3))
    image = filled((SIDE, SIDE), dark if style == 0 and rng.random() < 0.6 else light)
    if style:
        bands = max(2, round(SIDE / texels / float(rng.uniform(14, 60)) / 2))
        stripe = (np.floor(np.arange(SIDE) / SIDE * bands * 2) % 2).astype(np.float32)
        share = stripe[None] + 0 * stripe[:, None] if style == 1 else (stripe[None] + stripe[:, None]) / 2
        image = mixed(image, dark, share.astype(np.float32) * 0.9)
    crease = spectral(rng, SIDE, SIDE, 2.0, 1, 5)
    image *= (0.82 + 0.25 * weave + 0.02 * crease)[..., None]
    return Covering("cloth", image, 0.9, weave, 0.3)


def marble(rng: np.random.Generator, texels: float) -> Covering:
    """Polished stone with veins."""
    pale = rng.random() < 0.65
    base = near(rng, (0.88, 0.87, 0.85) if pale else (0.13, 0.14, 0.15))
    vein = near(rng, (0.45, 0.44, 0.45) if pale else (0.75, 0.72, 0.68))
    image = filled((SIDE, SIDE), base) * (1 + 0.05 * spectral(rng, SIDE, SIDE, 1.6, 1, 40))[..., None]
    for width, strength in ((0.05, 0.7), (0.12, 0.35), (0.03, 0.5)):
        bent = spectral(rng, SIDE, SIDE, 1.9, 1, 90)
        share = np.exp(-((bent / width) ** 2)) * np.clip(0.6 + spectral(rng, SIDE, SIDE, 2, 1, 6), 0, 1)
        image = mixed(image, vein, np.asarray(share * strength, np.float32))
    return Covering("marble", image, float(rng.uniform(0.08, 0.25)))


def laminate(rng: np.random.Generator, texels: float) -> Covering:
    """A painted or laminated desk."""
    base = tone(rng, (0.0, 0.12), (0.15, 0.95)) if rng.random() < 0.75 else tone(rng, (0.2, 0.8), (0.2, 0.8))
    fine = spectral(rng, SIDE, SIDE, 0.2, 100)
    scratch = np.clip(spectral(rng, SIDE, SIDE, 0.5, 3, 400, stretch=30) - 2.4, 0, 1)
    image = filled((SIDE, SIDE), base) * (1 + 0.012 * fine + 0.15 * scratch)[..., None]
    return Covering(
        "laminate", image, float(rng.uniform(0.2, 0.6)), (0.5 + 0.1 * fine).astype(np.float32), 0.08
    )


def stone(rng: np.random.Generator, texels: float) -> Covering:
    """Granite, slate or a terrazzo worktop."""
    image = filled((SIDE, SIDE), tone(rng, (0.0, 0.15), (0.2, 0.75)))
    for _ in range(4):
        grains = spectral(rng, SIDE, SIDE, 0.5, 10, SIDE / texels / float(rng.uniform(0.6, 3)))
        share = np.clip((grains - float(rng.uniform(0.5, 1.3))) * 5, 0, 1).astype(np.float32)
        image = mixed(image, tone(rng, (0.0, 0.2), (0.05, 0.95)), share)
    return Covering("stone", image, float(rng.uniform(0.1, 0.5)))


def leather(rng: np.random.Generator, texels: float) -> Covering:
    """A desk pad or the floor of a tray: cells between creases."""
    base = near(rng, LEATHERS[int(rng.integers(len(LEATHERS)))])
    cells = np.abs(spectral(rng, SIDE, SIDE, 0.6, SIDE / texels / 8, SIDE / texels / 1.5))
    relief = np.clip(cells * 1.4, 0, 1).astype(np.float32)
    image = filled((SIDE, SIDE), base) * (0.8 + 0.25 * relief)[..., None]
    return Covering("leather", image, float(rng.uniform(0.35, 0.6)), relief, 0.25)


def playmat(rng: np.random.Generator, texels: float) -> Covering:
    """A printed rubber mat: a painted sky, glows and lines."""
    first, second, third = (tone(rng, (0.3, 0.9), (0.1, 0.8)) for _ in range(3))
    share = 1 / (1 + np.exp(-2 * spectral(rng, SIDE, SIDE, 1.8, 1, 30)))
    image = mixed(filled((SIDE, SIDE), first), second, share.astype(np.float32))
    glow = np.clip(spectral(rng, SIDE, SIDE, 2.2, 1, 8) - 0.8, 0, 1)
    image = mixed(image, third, glow.astype(np.float32))
    canvas = np.ascontiguousarray(image)
    for _ in range(int(rng.integers(0, 9))):
        centre = (int(rng.integers(SIDE)), int(rng.integers(SIDE)))
        radius = int(rng.uniform(10, 60) * texels)
        cv2.circle(canvas, centre, radius, near(rng, third, 0.15), max(1, round(texels)), cv2.LINE_AA)
    weave = spectral(rng, SIDE, SIDE, 0.1, 150)
    return Covering("playmat", canvas, 0.8, (0.5 + 0.15 * weave).astype(np.float32), 0.12)


LAND: tuple[Colour, ...] = (
    (0.24, 0.42, 0.18), (0.85, 0.7, 0.25), (0.65, 0.35, 0.2), (0.55, 0.7, 0.3), (0.5, 0.5, 0.52),
    (0.85, 0.78, 0.55),
)  # fmt: skip


def hexes(rng: np.random.Generator, texels: float) -> Covering:
    """A board of hexagonal lands with number tokens."""
    image = filled((SIDE, SIDE), near(rng, (0.15, 0.4, 0.6)))
    image *= (1 + 0.08 * spectral(rng, SIDE, SIDE, 1.2, 3, 60))[..., None]
    relief = np.zeros((SIDE, SIDE), np.float32)
    radius = float(rng.uniform(22, 46)) * texels
    paint = spectral(rng, SIDE, SIDE, 0.9, 4, 200)
    for row in range(-1, int(SIDE / radius / 1.5) + 2):
        for column in range(-1, int(SIDE / radius / 1.7) + 2):
            centre = np.array([(column + 0.5 * (row % 2)) * radius * np.sqrt(3), row * radius * 1.5])
            if rng.random() < 0.12:
                continue
            corners = np.rint(polygon(6, radius * 0.965, np.pi / 6) + centre).astype(np.int32)
            cv2.fillConvexPoly(image, corners, near(rng, LAND[int(rng.integers(len(LAND)))]), cv2.LINE_AA)
            cv2.fillConvexPoly(relief, corners, 1.0, cv2.LINE_AA)
            if rng.random() < 0.75:
                spot = (round(centre[0]), round(centre[1]))
                cv2.circle(image, spot, round(radius * 0.32), (0.92, 0.86, 0.72), -1, cv2.LINE_AA)
                text, scale = str(int(rng.integers(2, 13))), radius * 0.32 / 24
                ink = (0.7, 0.1, 0.1) if text in ("6", "8") else (0.1, 0.1, 0.1)
                written(image, text, spot, scale, ink, 1 + int(radius / 60), centred=True)
    image *= (1 + 0.1 * np.clip(paint, -2, 2) * relief)[..., None]
    return Covering("hexes", image, float(rng.uniform(0.35, 0.6)), relief, 0.8)


def squares(rng: np.random.Generator, texels: float) -> Covering:
    """A chessboard, or a track of coloured fields around a board."""
    side = max(8, round(float(rng.uniform(25, 55)) * texels))
    light, dark = near(rng, (0.88, 0.78, 0.6)), near(rng, FIELDS[int(rng.integers(len(FIELDS)))])
    chess = rng.random() < 0.5
    image = filled((SIDE, SIDE), light)
    for y in range(0, SIDE, side):
        for x in range(0, SIDE, side):
            end = (x + side - 1, y + side - 1)
            if chess:
                cv2.rectangle(image, (x, y), end, dark if (x // side + y // side) % 2 else light, -1)
                continue
            colour = tone(rng, (0.3, 0.8), (0.5, 0.95)) if rng.random() < 0.5 else light
            cv2.rectangle(image, (x, y), end, colour, -1)
            cv2.rectangle(image, (x, y), end, (0.05, 0.05, 0.05), max(1, side // 40))
            if rng.random() < 0.35:
                words(rng, image, (x + side // 6, y + side // 4), side * 2 // 3, 3)
    image *= (1 + 0.05 * spectral(rng, SIDE, SIDE, 0.8, 3, 300, stretch=5 if chess else 1))[..., None]
    return Covering("squares", image, float(rng.uniform(0.25, 0.55)))


def pages(rng: np.random.Generator, texels: float) -> Covering:
    """Rule books, newspapers, a score pad: lines of print, boxes and pictures."""
    image = filled((SIDE, SIDE), near(rng, (0.94, 0.93, 0.9), 0.02))
    wide, line = round(rng.uniform(45, 90) * texels), max(3, round(rng.uniform(2.6, 5) * texels))
    for x in range(round(6 * texels), SIDE - wide // 2, wide + round(8 * texels)):
        y = line * 2
        while y < SIDE - line:
            if rng.random() < 0.04:
                tall = int(rng.integers(4, 12)) * line
                corner = (min(x + wide, SIDE - 1), min(y + tall, SIDE - 1))
                cv2.rectangle(image, (x, y), corner, tone(rng, (0.1, 0.7), (0.3, 0.9)), -1)
                y += tall + line * 2
                continue
            words(rng, image, (x, y), wide, 1, line)
            y += line * (3 if rng.random() < 0.08 else 1)
    return Covering("pages", image, float(rng.uniform(0.35, 0.8)))


def words(
    rng: np.random.Generator, image: Floats, at: tuple[int, int], wide: int, lines: int, line: int = 0
) -> None:
    """Lines of what looks like print, from `at` down."""
    line = line or max(3, wide // 7)
    dark = float(rng.uniform(0.05, 0.25))
    for row in range(lines):
        text = "".join(rng.choice(list("aeinrst   oludcm ghbpk Vwf"), 60))
        text = text[: max(2, int(wide / line * 1.9))]
        spot = (at[0], at[1] + row * line)
        written(image, text, spot, line / 32, (dark, dark, dark), 1, cv2.FONT_HERSHEY_COMPLEX_SMALL)


PLAIN: tuple[Maker, ...] = (wood, wood, felt, cloth, marble, laminate, laminate, stone, leather, playmat)
PRINTED: tuple[Maker, ...] = (hexes, squares, pages, playmat)
FLOORS: tuple[Maker, ...] = (felt, felt, leather)
"""Of dice trays."""

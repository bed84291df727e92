"""Flat things that are easily mistaken for dice: keys, printed labels, counters, plugs, blocks, playing cards."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Final

import cv2
import numpy as np

from training.synth.chance import hsv
from vision.frame import Floats, Pixels

Point = tuple[int, int]
Place = tuple[float, float]

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_MIDDLE, _SIDES = 0.5, (0.28, 0.72)
SIDE_ROWS: Final = {4: (0.2, 0.8), 6: (0.2, 0.5, 0.8), 8: (0.2, 0.4, 0.6, 0.8)}
"""Heights of the signs in the two columns at the sides."""
MIDDLE_ROWS: Final = {1: (0.5,), 2: (0.2, 0.8), 3: (0.2, 0.5, 0.8), 5: (0.5,), 7: (0.35,), 8: (0.35, 0.65)}
MIDDLE_ROWS_OF_TALL: Final = {9: (0.5,), 10: (0.3, 0.7)}


def playing_card(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """A card from ace to ten, (H, W, 3) BGR, and its mask (H, W)."""
    wide = int(rng.integers(40, 170))
    tall = int(wide * 1.4)
    paper = hsv(rng, (0, 0.12), (0.8, 1.0))
    image = np.broadcast_to(paper, (tall, wide, 3)).astype(np.uint8).copy()
    mask = np.zeros((tall, wide), np.uint8)
    corner = max(wide // 14, 2)
    cv2.rectangle(mask, (corner, corner), (wide - 1 - corner, tall - 1 - corner), 255, -1)
    mask = np.asarray(cv2.dilate(mask, np.ones((2 * corner + 1,) * 2, np.uint8)), np.uint8)
    red = rng.random() < 0.5
    ink = (hsv(rng, (0, 0), (0.1, 0.2)) + np.array((0, 0, 150 if red else 0))).tolist()
    sign = int(rng.integers(2)) if red else 2 + int(rng.integers(2))
    count = int(rng.integers(1, 11))
    size = wide * float(rng.uniform(0.09, 0.13)) * (2 if count == 1 else 1)
    for across, down in places(count):
        _sign(image, sign, (across * wide, down * tall), size if down <= 0.5 else -size, ink)
    for turn in (False, True):
        if turn:
            image = np.ascontiguousarray(image[::-1, ::-1])
        spot = (int(wide * 0.04), int(tall * 0.12))
        cv2.putText(image, RANKS[count - 1], spot, cv2.FONT_HERSHEY_SIMPLEX, wide / 190, ink,
                    max(wide // 70, 1), cv2.LINE_AA)  # fmt: skip
        _sign(image, sign, (wide * 0.09, tall * 0.18), wide * 0.05, ink)
    return image, mask


def places(count: int) -> list[Place]:
    """Positions of so many signs on a card, in shares of its width and height."""
    rows = next((r for least, r in sorted(SIDE_ROWS.items(), reverse=True) if count >= least), ())
    if count == 8:
        rows = SIDE_ROWS[6]
    middle = MIDDLE_ROWS.get(count) or MIDDLE_ROWS_OF_TALL.get(count, ())
    return [*product(_SIDES, rows), *((_MIDDLE, row) for row in middle)]


def _sign(image: Pixels, kind: int, centre: Place, size: float, ink: list[float]) -> None:
    """Draw a heart, diamond, spade or club of `size` pixels from its middle to its top; below 0 upside down."""
    x, y = centre
    reach = max(round(abs(size) * 0.5), 1)

    def discs(*middles: Place) -> None:
        for across, down in middles:
            spot = (round(x + across * abs(size)), round(y + down * size))
            cv2.circle(image, spot, reach, ink, -1, cv2.LINE_AA)

    def shape(*points: Place) -> None:
        drawn = np.rint([(x + a * abs(size), y + b * size) for a, b in points]).astype(np.int32)
        cv2.fillPoly(image, [drawn], ink, cv2.LINE_AA)

    if kind == 0:
        discs((-0.45, -0.4), (0.45, -0.4))
        shape((-0.95, -0.25), (0.95, -0.25), (0, 1))
    elif kind == 1:
        shape((0, -1), (0.75, 0), (0, 1), (-0.75, 0))
    elif kind == 2:
        shape((0, 0), (0.35, 1), (-0.35, 1))
        discs((-0.45, 0.25), (0.45, 0.25))
        shape((-0.95, 0.15), (0.95, 0.15), (0, -1))
    else:
        shape((0, 0), (0.35, 1), (-0.35, 1))
        discs((-0.5, 0.15), (0.5, 0.15), (0, -0.5))


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


def plug(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """The plug of a cable, (H, W, 3) BGR, and its mask (H, W): a body, metal with holes or pins, a piece of cable."""
    wide = int(rng.integers(12, 60))
    body, metal, cable = (int(wide * part) for part in rng.uniform((0.9, 0.6, 0.5), (2.4, 1.3, 6.0)))
    image = np.zeros((body + metal + cable, wide, 3), np.uint8)
    mask = np.zeros(image.shape[:2], np.uint8)
    skin = _sheath(rng)
    half = wide // 2
    thick = max(int(wide * rng.uniform(0.15, 0.45)), 2)
    _cable(image, mask, skin, ((half, metal + body // 2), (half, metal + body + cable)), thick)
    _barrel(rng, image, mask, skin, (metal, metal + body), 0.0)
    inset = int(wide * rng.uniform(0.05, 0.2))
    silver = hsv(rng, (0, 0.12), (0.45, 0.9)) * (0.8 + 0.3 * rng.random())
    image[:metal, inset : wide - inset] = np.clip(silver, 0, 255).astype(np.uint8)
    mask[:metal, inset : wide - inset] = 255
    hole = max(int(wide * rng.uniform(0.08, 0.16)), 1)
    for side in (-1, 1):
        x, y = half + side * int(wide * 0.2), int(metal * rng.uniform(0.4, 0.6))
        cv2.rectangle(image, (x - hole, y - hole), (x + hole, y + hole), (25, 25, 25), -1)
    return image, mask


def joint(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """A thick part in a cable (a switch, a coupling, a ferrite core), (H, W, 3) BGR, and its mask (H, W)."""
    wide = int(rng.integers(14, 64))
    body, ahead, behind = (int(wide * part) for part in rng.uniform((0.7, 1.0, 1.0), (2.0, 6.0, 6.0)))
    span = wide * 3
    image = np.zeros((ahead + body + behind, span, 3), np.uint8)
    mask = np.zeros(image.shape[:2], np.uint8)
    skin, half = _sheath(rng), span // 2
    thick = max(int(wide * rng.uniform(0.1, 0.35)), 2)
    for start, end in ((ahead + 4, 0), (ahead + body - 4, image.shape[0])):
        bend = half + int(rng.uniform(-1.2, 1.2) * wide)
        points = [(half, start), (half, (start * 2 + end) // 3), (bend, end)]
        for one, other in pairwise(points):
            _cable(image, mask, skin, (one, other), thick)
    left = half - wide // 2
    part, part_mask = image[:, left : left + wide], mask[:, left : left + wide]
    _barrel(rng, part, part_mask, skin, (ahead, ahead + body), float(rng.uniform(0, 0.35)))
    if rng.random() < 0.6:  # its seam, or its button
        x, y = half + int(rng.normal(0, wide * 0.12)), ahead + int(body * rng.uniform(0.2, 0.8))
        spot = (skin * rng.uniform(0.3, 1.6)).clip(0, 255).tolist()
        reach = (max(int(wide * rng.uniform(0.04, 0.2)), 1), max(int(wide * rng.uniform(0.03, 0.1)), 1))
        cv2.ellipse(image, (x, y), reach, float(rng.uniform(0, 90)), 0, 360, spot, -1, cv2.LINE_AA)
    return image, mask


def _sheath(rng: np.random.Generator) -> Floats:
    """The colour of a cable: mostly black or white."""
    return hsv(rng, (0, 0.3), (0.03, 0.35) if rng.random() < 0.65 else (0.7, 1.0))


def _cable(image: Pixels, mask: Pixels, skin: Floats, ends: tuple[Point, Point], thick: int) -> None:
    cv2.line(image, *ends, (skin * 0.9).tolist(), thick, cv2.LINE_AA)
    cv2.line(mask, *ends, 255, thick, cv2.LINE_AA)


def _barrel(
    rng: np.random.Generator, image: Pixels, mask: Pixels, skin: Floats, rows: tuple[int, int], round_: float
) -> None:
    """Draw a round body over the picture's whole width, with a sheen along it; `round_` is its corners' share."""
    top, foot = rows
    wide = image.shape[1]
    sheen = 1 + 0.35 * np.cos(np.linspace(-1.5, 1.5, wide)) * rng.uniform(0, 1)
    shape = np.zeros(image.shape[:2], np.uint8)
    corner = int(min(wide, foot - top) * round_)
    cv2.rectangle(shape, (corner, top + corner), (wide - 1 - corner, foot - 1 - corner), 255, -1)
    if corner:
        shape = np.asarray(
            cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * corner + 1,) * 2)), np.uint8
        )
    drawn = np.broadcast_to(np.clip(skin * sheen[None, :, None], 0, 255), image.shape).astype(np.uint8)
    image[shape > 0] = drawn[shape > 0]
    mask[shape > 0] = 255


def block(rng: np.random.Generator) -> tuple[Pixels, Pixels]:
    """A box seen from a corner (eraser, matchbox, charger): three plain sides of different brightness, and its mask."""
    size = int(rng.integers(24, 120))
    image, mask = np.zeros((size * 2, size * 2, 3), np.uint8), np.zeros((size * 2, size * 2), np.uint8)
    top = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size * rng.uniform((0.25, 0.5), (0.7, 1.3))
    top += size * 0.3
    down = np.array([rng.uniform(-0.3, 0.3), rng.uniform(0.1, 0.5)]) * size
    colour = hsv(rng, (0, 0.9), (0.1, 1.0))
    sides = [(top[[3, 2]], 0.7), (top[[1, 2]] if down[0] > 0 else top[[0, 3]], 0.5)]
    for edge, dim in sides:
        quad = np.rint(np.concatenate([edge, edge[::-1] + down])).astype(np.int32)
        cv2.fillConvexPoly(image, quad, (colour * dim).tolist(), cv2.LINE_AA)
        cv2.fillConvexPoly(mask, quad, 255, cv2.LINE_AA)
    lid = np.rint(top).astype(np.int32)
    cv2.fillConvexPoly(image, lid, colour.tolist(), cv2.LINE_AA)
    cv2.fillConvexPoly(mask, lid, 255, cv2.LINE_AA)
    if rng.random() < 0.5:
        ink = hsv(rng, (0, 0.8), (0, 1)).tolist()
        at = (int(top[0, 0] + size * 0.05), int(top[:, 1].mean()))
        cv2.putText(image, "".join(LETTERS[int(i)] for i in rng.integers(0, 26, 3)), at,
                    cv2.FONT_HERSHEY_DUPLEX, size / 110, ink, max(size // 40, 1), cv2.LINE_AA)  # fmt: skip
    return image, mask

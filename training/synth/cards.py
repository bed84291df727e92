"""Playing cards: their clubs and diamonds stand in the places of pips, and have been read as such."""

from __future__ import annotations

from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from training.synth.colours import hsv

Pixels = NDArray[np.uint8]
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
    """Where a card with so many signs has them, in shares of its width and height."""
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

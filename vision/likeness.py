"""How alike two pictures of one face are, pixel by pixel, under any lamp.

The matcher says which symbol is nearest. Whether a die is one of these very dice is another question: a symbol of
another set may be close to one of theirs, and is still drawn differently. Dice of one make have one colour, and one
lamp lights the tops of all dice alike, as they all face the same way.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.frame import Floats, Pixels
from vision.rectify import face_mask

SIDE: Final = 24
"""Side in px of the pictures that are compared; blur takes away anything finer."""
SHIFT: Final = 3
"""How far they are shifted, in these px: an eighth of a face. Corners are rarely off by more."""
DARKEST: Final = 4.0
"""Noise lifts black to at least this grey level."""
PLAIN: Final = 0.05
"""Spread of the logarithms below which nothing is drawn on a face."""
WHOLLY: Final = 0.97
"""A pixel with at least this coverage lies on the face alone."""
RIM: Final = 2
"""Width in these px of a face's rim, which hardly has anything drawn on it."""
BRIGHTER: Final = 0.15
"""How much two rims of one colour may differ in brightness, the mean of all channels, as a natural logarithm."""
TINTED: Final = 0.05
"""How much one channel of theirs may differ beside that mean."""


def shrunk(face: Pixels) -> Pixels:
    """A face as `vision.rectify` makes it, (64, 64, 3) BGR, made small enough to compare: (24, 24, 3)."""
    return np.asarray(cv2.resize(face, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def likeness(seen: Pixels, shown: Pixels, shape: Shape) -> float:
    """The correlation of two `shrunk` faces of a shape, -1 … 1, at the shift where it is greatest.

    It is Pearson's, of the logarithms of all three channels, each about its own mean: the strength and the colour of a
    lamp multiply a channel, so that this takes them out. Two faces with nothing on them are alike.
    """
    inside = _inside(shape)
    fixed = _about_their_mean(_logarithms(shown)[inside])
    moving = np.pad(_logarithms(seen), ((SHIFT, SHIFT), (SHIFT, SHIFT), (0, 0)), mode="edge")
    spread, plain = float((fixed * fixed).sum()), fixed.size * PLAIN**2
    best = -1.0
    for down in range(2 * SHIFT + 1):
        for across in range(2 * SHIFT + 1):
            there = _about_their_mean(moving[down : down + SIDE, across : across + SIDE][inside])
            own = float((there * there).sum())
            if max(own, spread) < plain:
                return 1.0
            best = max(best, float((there * fixed).sum()) / (spread * own + 1e-6) ** 0.5)
    return best


def colour(face: Pixels, shape: Shape) -> Floats:
    """The colour of a die at the rim of its `shrunk` face: the logarithms of blue, green and red, (3,)."""
    return np.asarray(np.median(_logarithms(face)[_rim(shape)], axis=0), np.float32)


def coloured_alike(one: Floats, other: Floats) -> bool:
    """Whether two dice in one picture have the same colour, by their `colour` (3,)."""
    apart = one - other
    brighter = apart.mean()
    return bool(abs(brighter) <= BRIGHTER and np.abs(apart - brighter).max() <= TINTED)


def _logarithms(face: Pixels) -> Floats:
    return np.log(face.astype(np.float32) + np.float32(DARKEST))


def _about_their_mean(channels: Floats) -> Floats:
    return channels - channels.mean(axis=0)


@cache
def _inside(shape: Shape) -> NDArray[np.bool_]:
    """(24, 24): which px lie wholly on a face, without the outermost ones of a triangle."""
    return _eroded(_whole(shape), 1)


@cache
def _rim(shape: Shape) -> NDArray[np.bool_]:
    """(24, 24): which px lie wholly on a face, near its border."""
    whole = np.pad(_whole(shape), 1)
    return (whole & ~_eroded(whole, RIM))[1:-1, 1:-1]


def _whole(shape: Shape) -> NDArray[np.bool_]:
    covered = cv2.resize(face_mask(shape), (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(covered) > WHOLLY


def _eroded(mask: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    return np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=by), np.bool_)

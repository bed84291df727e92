"""Sticker sheets: a dice set as a PDF at true size, to print, cut out and put on blank dice.

All lengths are millimetres on paper, x to the right and y down, as fpdf2 has them. A die's size is the
distance between its opposite faces: what dice are sold by, and what a calliper measures.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from vision.dicesets.model import DiceSetError, Face, Picture
from vision.dicesets.shapes import Shape
from vision.frame import Pixels

Point = tuple[float, float]
Paper = Literal["a4", "letter"]

PAPERS: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of the paper in mm (ISO 216; ANSI A)."""

USUAL_SIZE = 16.0
"""The usual size of a d6, and of a d8, in mm."""

STICKER_PART = 0.875
"""A sticker's side as part of its face's: 14 mm on a 16 mm d6. A real die's edges are rounded, so a sticker
as large as the face would stand off the die."""

CORNER_PART = 0.1
"""The radius of a sticker's corners as part of its side: sharp corners peel off first."""


def face_side(shape: Shape, size: float) -> float:
    """The length of a face's edge for a die that is ``size`` between opposite faces.

    A regular octahedron's opposite faces are edge · √(2/3) apart (twice its inradius, edge · √6/6).
    """
    return size / shape.height


def face_corners(shape: Shape, side: float) -> tuple[Point, ...]:
    """A face's corners about its centre at (0, 0), clockwise on paper: d6 from top left, d8 from the apex."""
    x0, y0 = shape.centre
    return tuple((side * (x - x0), side * (y - y0)) for x, y in shape.outline)


def rounded(corners: Sequence[Point], radius: float, steps: int = 6) -> list[Point]:
    """A convex polygon, clockwise on paper, with its corners rounded to ``radius``; ``steps`` pieces an
    arc."""
    outline: list[Point] = []
    for at, corner in enumerate(corners):
        before, after = (
            np.subtract(corners[at - 1], corner),
            np.subtract(corners[(at + 1) % len(corners)], corner),
        )
        before, after = before / np.linalg.norm(before), after / np.linalg.norm(after)
        bisector = (before + after) / np.linalg.norm(before + after)
        # Half the corner's angle decides how far from the corner the arc's centre lies.
        half = math.acos(float(np.clip(before @ after, -1, 1))) / 2
        centre = np.asarray(corner) + bisector * radius / math.sin(half)
        away = math.atan2(-bisector[1], -bisector[0])
        for step in range(steps + 1):
            angle = away + (math.pi / 2 - half) * (2 * step / steps - 1)
            outline.append((centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)))
    return outline


@dataclass(frozen=True, slots=True)
class Sticker:
    """One kind of sticker: its outline and the picture square, both about the face's centre at (0, 0), in mm.

    ``tile`` is (T, T, 4) RGBA, and covers the square ``square`` = (left, top, side).
    """

    face: Face
    outline: tuple[Point, ...]
    tile: Pixels
    square: tuple[float, float, float]


def chosen_picture(face: Face, shape: Shape, name: str) -> Picture:
    """The picture of a face that goes on the sheet: the one of that name, else art before photographs."""
    pictures = sorted(face.pictures_for(shape), key=lambda picture: picture.kind)
    if not pictures:
        raise DiceSetError(
            "{face:called}: expected a picture for a {shape:shape}, found none", face=face.id, shape=shape
        )
    return next((picture for picture in pictures if picture.name == name), pictures[0])


def sticker(face: Face, shape: Shape, size: float, picture_name: str = "") -> Sticker:
    """The sticker of a face of a die of that size.

    Art keeps the scale that the set gives it, so that a printed die looks to the camera like the set's own
    pictures; it is made smaller only where it would leave the sticker. A picture of a whole face (and art of
    scale 1, as pips are) keeps its place on the face and loses the rim that the sticker does not cover.
    """
    picture = chosen_picture(face, shape, picture_name)
    side = face_side(shape, size)
    outline = rounded(face_corners(shape, side * STICKER_PART), side * STICKER_PART * CORNER_PART)
    pixels = picture.pixels()
    if picture.kind == "art" and picture.scale < 1:
        art = min(picture.scale, STICKER_PART * 0.97) * 2 * shape.inradius * side
        return Sticker(face, tuple(outline), pixels, (-art / 2, -art / 2, art))
    if pixels.shape[2] == 3:
        pixels = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGBA), np.uint8)
    square = (-side * shape.centre[0], -side * shape.centre[1], side)
    return Sticker(face, tuple(outline), cut_to(pixels, outline, square), square)


def cut_to(pixels: Pixels, outline: Sequence[Point], square: tuple[float, float, float]) -> Pixels:
    """The picture with everything outside the outline made transparent."""
    left, top, side = square
    scale = pixels.shape[0] / side
    polygon = np.rint([((x - left) * scale, (y - top) * scale) for x, y in outline]).astype(np.int32)
    inside = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillPoly(inside, [polygon], 255)
    cut = pixels.copy()
    cut[..., 3] = np.minimum(cut[..., 3], inside)
    return cut


def printable(text: str, instead: str = "") -> str:
    """Text in the letters that every PDF reader has (Latin-1). ``instead`` where a sign has no near
    relative."""
    text = text.translate(str.maketrans({"Ł": "L", "ł": "l", "’": "'", "–": "-", "…": "..."}))
    try:
        text.encode("latin-1")
        return text
    except UnicodeEncodeError:
        plain = unicodedata.normalize("NFKD", text).encode("latin-1", "ignore").decode("latin-1")
        return plain if plain.strip() else instead

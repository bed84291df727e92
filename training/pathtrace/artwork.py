"""What stands on a die's faces: the set's pictures, pips as dice have them, numerals in more typefaces.

A `Drawing` covers a face's canonical picture (`vision.rectify`). One die's faces share one `Style`. Pips and numerals
belong to a set by the meaning of its faces (their values), not by its pictures, so they are drawn here anew as well:
pips of many sizes and places, numerals in typefaces that no shipped set has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.dicesets.model import DiceSet, Face
from vision.dicesets.shapes import Shape

Floats = NDArray[np.floating[Any]]

CELL = 240
"""Side in texels of one face's canonical picture."""

HERSHEY = {
    "plain": cv2.FONT_HERSHEY_DUPLEX,
    "complex": cv2.FONT_HERSHEY_COMPLEX,
    "triplex": cv2.FONT_HERSHEY_TRIPLEX,
}
"""Stroke typefaces of OpenCV (A. V. Hershey, 1967)."""


@dataclass(frozen=True, eq=False, slots=True)
class Drawing:
    """One face's drawing."""

    cover: Floats
    """(CELL, CELL) 0..1: where it has ink."""
    colour: Floats | None
    """(CELL, CELL, 3) its own colours, RGB 0..1; None if any ink may print it."""
    whole: bool = False
    """Whether it is a picture of a whole face, ground and all."""


@dataclass(frozen=True, slots=True)
class Style:
    """How all faces of one die are drawn."""

    picture: int
    """Which of a face's pictures, counted around."""
    grown: float
    """Times the size that the set gives its art."""
    typeface: str
    """"set" for the set's own numerals, else a key of `HERSHEY` or "sans"."""
    pip_radius: float
    """In sides."""
    pip_spread: float
    """From the face's centre to a corner pip, along x and along y, in sides."""
    pip_turn: bool
    """Whether two, three and six are turned by a quarter."""
    large_one: float
    """How much larger the single pip is."""
    bold: float
    """Stroke of drawn numerals, as part of their height."""


def random_style(rng: np.random.Generator) -> Style:
    """A style as one maker's dice have it."""
    radius = float(rng.uniform(0.065, 0.115))
    return Style(
        picture=int(rng.integers(64)),
        grown=float(rng.uniform(0.84, 1.04)),
        typeface=str(rng.choice(["set", "set", "set", "sans", *HERSHEY])),
        pip_radius=radius,
        pip_spread=float(rng.uniform(max(0.2, radius * 2.1), 0.37 - radius * 0.9)),
        pip_turn=bool(rng.random() < 0.5),
        large_one=float(rng.choice([1.0, 1.0, 1.0, 1.7])),
        bold=float(rng.uniform(0.1, 0.17)),
    )


def has_pips(dice_set: DiceSet) -> bool:
    """Whether the set is pips: cubes with the values one to six, their pictures covering whole faces."""
    return (
        all(shape.faces == 6 for shape in dice_set.shapes)
        and [face.value for face in dice_set.faces] == [1, 2, 3, 4, 5, 6]
        and all(p.scale == 1.0 and p.kind == "art" for face in dice_set.faces for p in face.pictures)
    )


def draw(dice_set: DiceSet, face: Face, shape: Shape, style: Style) -> Drawing:
    """A face in a style. Raises ValueError for a face that has no picture for the shape."""
    if has_pips(dice_set):
        assert face.value is not None
        return Drawing(pips(face.value, style), None)
    one_digit = all(len(each.id) == 1 and each.id == str(each.value) for each in dice_set.faces)
    if style.typeface != "set" and one_digit:
        return Drawing(numeral(face.id, shape, style), None)
    pictures = sorted(face.pictures_for(shape), key=lambda picture: picture.kind)
    if not pictures:
        raise ValueError(f"{dice_set.id}: expected a picture of {face.id} for a {shape}, found none")
    # Art before photographs; the same drawing on every face where the faces have like drawings.
    usable = [picture for picture in pictures if picture.kind == "art"] or pictures
    picture = usable[style.picture % len(usable)]
    pixels = picture.pixels()
    if picture.kind == "face":
        shown = cv2.resize(pixels, (CELL, CELL), interpolation=cv2.INTER_AREA)[..., ::-1]
        return Drawing(np.ones((CELL, CELL), np.float32), np.asarray(shown / 255, np.float32), whole=True)
    layer = _laid(pixels.astype(np.float32) / 255, 2 * shape.inradius * picture.scale * style.grown * CELL, shape)
    colour = layer[..., :3] / np.maximum(layer[..., 3], 1e-3)[..., None]
    inked = pixels[pixels[..., 3] > 200][:, :3]
    several = bool(len(inked)) and float(inked.max(axis=1).max()) > 60
    return Drawing(layer[..., 3], np.asarray(np.clip(colour, 0, 1), np.float32) if several else None)


def _laid(art: Floats, side: float, shape: Shape) -> Floats:
    """(CELL, CELL, 4) with (S, S, 4) art of `side` texels about the face's middle; colours times coverage."""
    premultiplied = art.copy()
    premultiplied[..., :3] *= art[..., 3:]
    small = cv2.resize(premultiplied, (max(int(side), 2),) * 2, interpolation=cv2.INTER_AREA)
    k = side / small.shape[0]
    x, y = (place * CELL - side / 2 + k / 2 - 0.5 for place in shape.centre)
    matrix = np.array([[k, 0, x], [0, k, y]])
    return np.asarray(cv2.warpAffine(small, matrix, (CELL, CELL), flags=cv2.INTER_LINEAR), np.float32)


def pips(count: int, style: Style) -> Floats:
    """(CELL, CELL) coverage of so many pips."""
    d = style.pip_spread
    corner, other, row = [(-d, -d), (d, d)], [(d, -d), (-d, d)], [(-d, 0.0), (d, 0.0)]
    if style.pip_turn:
        corner, other, row = other, corner, [(y, x) for x, y in row]
    places = [*[(0.0, 0.0)] * (count % 2), *[*corner, *other, *row][: count - count % 2]]
    radius = style.pip_radius * (style.large_one if count == 1 else 1.0)
    y, x = np.mgrid[0:CELL, 0:CELL].astype(np.float32)
    cover = np.zeros((CELL, CELL), np.float32)
    for px, py in places:
        away = np.hypot(x + 0.5 - (0.5 + px) * CELL, y + 0.5 - (0.5 + py) * CELL)
        cover = np.maximum(cover, np.clip(radius * CELL - away + 0.5, 0, 1))
    return cover


def numeral(text: str, shape: Shape, style: Style) -> Floats:
    """(CELL, CELL) coverage of a numeral in a drawn typeface."""
    tall = int(2 * shape.inradius * 0.84 * style.grown * CELL)
    over = 4
    ink: NDArray[np.uint8]
    if style.typeface == "sans":  # Aileron, which comes with Pillow
        canvas = Image.new("L", (3 * tall, 3 * tall), 0)
        font = ImageFont.load_default(tall * 1.4)
        stroke = max(1, round(tall * style.bold * 0.3))
        ImageDraw.Draw(canvas).text((tall, tall), text, 255, font, stroke_width=stroke, stroke_fill=255)
        ink = np.asarray(canvas, np.uint8)
    else:
        canvas = np.zeros((3 * tall * over, 3 * tall * over), np.uint8)
        thick = max(1, round(tall * over * style.bold))
        cv2.putText(
            canvas, text, (tall * over, 2 * tall * over), HERSHEY[style.typeface], tall * over / 22, 255, thick,
            cv2.LINE_AA,
        )  # fmt: skip
        ink = np.asarray(canvas, np.uint8)
    left, top, wide, high = cv2.boundingRect(ink)
    ink = ink[top : top + high, left : left + wide]
    span = max(wide, high)
    square = np.zeros((span, span), np.float32)
    y, x = (span - high) // 2, (span - wide) // 2
    square[y : y + high, x : x + wide] = ink / np.float32(255)
    return _laid(np.repeat(square[..., None], 4, 2), float(tall), shape)[..., 3]

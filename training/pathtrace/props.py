"""What lies on tables beside dice: cards, coins, tiles, pawns, pens, cups, hands. None of it is a die.

A `Prop` stands on z = 0 about the origin.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from training.pathtrace import engine
from training.pathtrace.solids import Mesh, disc_top, polygon, prism, rounded_rectangle, turned
from training.pathtrace.textures import (
    LAND,
    Colour,
    Floats,
    bytes_of,
    filled,
    near,
    spectral,
    tone,
    words,
    written,
)  # fmt: skip

TEXELS = 256
LYING = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
"""Turns what stands upright to lie along x."""
SKINS: tuple[Colour, ...] = ((0.85, 0.62, 0.5), (0.93, 0.75, 0.64), (0.55, 0.36, 0.25), (0.32, 0.2, 0.14))


@dataclass(frozen=True, eq=False, slots=True)
class Prop:
    """A thing and what it is made of."""

    name: str
    mesh: Mesh
    material: dict[str, Any]


Maker = Callable[[np.random.Generator], Prop]


def plain(colour: Colour, roughness: float, **more: Any) -> dict[str, Any]:
    """A principled material of one sRGB colour."""
    linear = [float(c) ** 2.2 for c in colour]
    return {
        "type": "principled", "base_color": {"type": "rgb", "value": linear}, "roughness": roughness, **more
    }  # fmt: skip


def printed(
    image: Floats, roughness: float, relief: Floats | None = None, depth: float = 0.0, **more: Any
) -> dict[str, Any]:
    """A principled material with a picture, (H, W, 3) sRGB, and a relief (H, W) 0..1 that is `depth` mm deep."""
    surface = {
        "type": "principled", "base_color": engine.bitmap(bytes_of(image)), "roughness": roughness, **more
    }  # fmt: skip
    if relief is None:
        return surface
    arbitrary = engine.bitmap(bytes_of(relief), raw=True)
    return {"type": "bumpmap", "scale": depth, "arbitrary": arbitrary, "bsdf": surface}


def card(rng: np.random.Generator) -> Prop:
    """A playing card, its face or its back up."""
    tall, wide = 88.0, 63.0
    image = filled((TEXELS, TEXELS), (0.97, 0.96, 0.94))
    left, right = round(TEXELS * (1 - wide / tall) / 2), round(TEXELS * (1 + wide / tall) / 2)
    ink = (0.75, 0.05, 0.08) if rng.random() < 0.5 else (0.05, 0.05, 0.07)
    if rng.random() < 0.4:
        back = tone(rng, (0.5, 0.9), (0.25, 0.7))
        cv2.rectangle(image, (left + 10, 10), (right - 10, TEXELS - 10), back, -1)
        for at in range(-TEXELS, 2 * TEXELS, int(rng.integers(9, 22))):
            cv2.line(image, (at, 0), (at + TEXELS, TEXELS), (0.95, 0.93, 0.9), 1, cv2.LINE_AA)
            cv2.line(image, (at, 0), (at - TEXELS, TEXELS), (0.95, 0.93, 0.9), 1, cv2.LINE_AA)
    elif rng.random() < 0.5:
        rank = str(rng.choice(["2", "3", "4", "5", "6", "7", "8", "9", "10", "A", "K", "Q"]))
        for flip in (False, True):
            canvas = image[::-1, ::-1] if flip else image
            spot = np.ascontiguousarray(canvas)
            written(spot, rank, (left + 8, 34), 0.9, ink, 2)
            _suit(spot, (left + 20, 52), 9, ink)
            canvas[:] = spot
        count = int(rank) if rank.isdigit() else 1
        rows = [count] if count < 4 else [count // 2, count - count // 2]
        for column, many in enumerate(rows):
            x = TEXELS // 2 + round((column - (len(rows) - 1) / 2) * 74)
            for row in range(many):
                _suit(image, (x, round(TEXELS * (row + 1) / (many + 1))), 14, ink)
    else:
        cv2.rectangle(image, (left + 8, 8), (right - 8, TEXELS - 8), tone(rng, (0.2, 0.8), (0.4, 0.9)), -1)
        cv2.rectangle(image, (left + 16, 30), (right - 16, 130), tone(rng, (0.2, 0.8), (0.3, 0.9)), -1)
        sun, wide_sun = (int(rng.integers(left + 50, right - 50)), 80), int(rng.integers(15, 45))
        cv2.circle(image, sun, wide_sun, tone(rng, (0.3, 0.9), (0.2, 0.9)), -1, cv2.LINE_AA)
        words(rng, image, (left + 18, 150), right - left - 36, 6, 14)
    return Prop(
        "card", prism(rounded_rectangle(wide, tall, 3.5), 0.35), printed(image, float(rng.uniform(0.2, 0.5)))
    )


def _suit(image: Floats, at: tuple[int, int], half: int, ink: Colour) -> None:
    """A diamond or, for black, two leaves and a stalk."""
    x, y = at
    if ink[0] > 0.5:
        points = [(x, y - half), (x + round(half * 0.75), y), (x, y + half), (x - round(half * 0.75), y)]
        cv2.fillConvexPoly(image, np.array(points, np.int32), ink, cv2.LINE_AA)
        return
    cv2.circle(image, (x - half // 2, y), half // 2, ink, -1, cv2.LINE_AA)
    cv2.circle(image, (x + half // 2, y), half // 2, ink, -1, cv2.LINE_AA)
    cv2.circle(image, (x, y - half // 2), half // 2, ink, -1, cv2.LINE_AA)
    cv2.line(image, (x, y), (x, y + half), ink, max(1, half // 4), cv2.LINE_AA)


def coin(rng: np.random.Generator) -> Prop:
    """A coin: raised rim, a number or a head, metal."""
    radius, thick = float(rng.uniform(8, 14)), float(rng.uniform(1.6, 2.4))
    relief = np.zeros((TEXELS, TEXELS), np.float32)
    half = TEXELS // 2
    cv2.circle(relief, (half, half), half - 3, 1.0, 9, cv2.LINE_AA)
    if rng.random() < 0.6:
        text = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
        scale = 3.6 if len(text) == 1 else 2.6
        written(relief, text, (half, half), scale, (1.0, 1.0, 1.0), 8, centred=True)
    else:
        cv2.ellipse(relief, (half, half - 14), (34, 44), 10, 0, 360, 0.9, -1, cv2.LINE_AA)
        cv2.ellipse(relief, (half, half + 70), (62, 40), 0, 180, 360, 0.9, -1, cv2.LINE_AA)
    for angle in np.linspace(0, 2 * np.pi, 12, endpoint=False) if rng.random() < 0.4 else ():
        spot = half + np.array([np.cos(angle), np.sin(angle)]) * (half - 22)
        cv2.circle(relief, (round(spot[0]), round(spot[1])), 5, 1.0, -1, cv2.LINE_AA)
    relief = np.asarray(cv2.GaussianBlur(relief, (0, 0), 1.8), np.float32)
    metal = [(0.8, 0.68, 0.42), (0.72, 0.42, 0.3), (0.75, 0.75, 0.76)][int(rng.integers(3))]
    image = filled((TEXELS, TEXELS), near(rng, metal)) * (0.72 + 0.28 * relief[..., None])
    body = turned([(0.0, 0.0), (radius, 0.0), (radius, 0.0), (radius, thick), (radius, thick), (0.0, thick)])
    body = disc_top(body, radius)
    return Prop("coin", body, printed(image, float(rng.uniform(0.22, 0.42)), relief, 0.25, metallic=0.95))


def tile(rng: np.random.Generator) -> Prop:
    """A hexagonal cardboard land with its number."""
    image = filled((TEXELS, TEXELS), near(rng, LAND[int(rng.integers(len(LAND)))]))
    image *= (1 + 0.12 * spectral(rng, TEXELS, TEXELS, 0.9, 2, 60))[..., None]
    image = np.ascontiguousarray(image)
    if rng.random() < 0.8:
        _number(rng, image, 40)
    return Prop("tile", prism(polygon(6, float(rng.uniform(22, 45))), 2.0, 0.3), printed(image, 0.5))


def _number(rng: np.random.Generator, image: Floats, radius: int) -> None:
    half = TEXELS // 2
    cv2.circle(image, (half, half), radius, (0.93, 0.88, 0.75), -1, cv2.LINE_AA)
    text = str(int(rng.integers(2, 13)))
    ink = (0.75, 0.08, 0.08) if text in ("6", "8") else (0.08, 0.08, 0.08)
    written(image, text, (half, half), radius / 27, ink, 2, centred=True)


def token(rng: np.random.Generator) -> Prop:
    """A round cardboard counter with a number, a ring or a mark."""
    image = filled((TEXELS, TEXELS), tone(rng, (0.1, 0.8), (0.4, 0.95)))
    half = TEXELS // 2
    if rng.random() < 0.6:
        _number(rng, image, int(rng.integers(70, 115)))
    else:
        radius, ink = int(rng.integers(50, 110)), tone(rng, (0.3, 0.9), (0.1, 0.9))
        cv2.circle(image, (half, half), radius, ink, int(rng.integers(6, 30)), cv2.LINE_AA)
        cv2.drawMarker(image, (half, half), tone(rng, (0, 1), (0, 1)), int(rng.integers(0, 6)), 80, 12)
    return Prop("token", prism(polygon(40, float(rng.uniform(8, 16))), 2.0, 0.2), printed(image, 0.5))


def house(rng: np.random.Generator) -> Prop:
    """A wooden house or a road piece."""
    colour, rough = tone(rng, (0.5, 0.95), (0.3, 0.9)), float(rng.uniform(0.3, 0.6))
    if rng.random() < 0.5:
        return Prop("road", prism(rounded_rectangle(5, 25, 0.6), 5.0, 0.4), plain(colour, rough))
    wide, deep, wall, roof = 9.0, 9.0, 7.0, 12.5
    gable = np.array([[-wide / 2, 0], [wide / 2, 0], [wide / 2, wall], [0, roof], [-wide / 2, wall]])
    lying = prism(gable, deep)
    upright = lying.moved(np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]), np.array([0, deep / 2, 0]))
    return Prop("house", upright, plain(colour, rough))


def pawn(rng: np.random.Generator) -> Prop:
    """A pawn: a cone with a head."""
    foot, tall = float(rng.uniform(5.5, 8)), float(rng.uniform(18, 28))
    head = foot * 0.6
    profile = [(0.0, 0.0), (foot, 0.0), (foot, 0.0), (foot, 1.5), (foot * 0.8, 3.0), (head * 0.55, tall - 2 * head)]
    angle = np.linspace(-1.0, np.pi / 2, 14)
    profile += [(head * float(np.cos(a)), tall - head + head * float(np.sin(a))) for a in angle]
    return Prop(
        "pawn", turned(profile), plain(tone(rng, (0.4, 0.95), (0.2, 0.9)), float(rng.uniform(0.1, 0.5)))
    )


def marble(rng: np.random.Generator) -> Prop:
    """A glass or wooden ball."""
    radius, angle = float(rng.uniform(5, 9)), np.linspace(-np.pi / 2, np.pi / 2, 25)
    profile = [(radius * float(np.cos(a)), radius * (1 + float(np.sin(a)))) for a in angle]
    return Prop("ball", turned(profile), plain(tone(rng, (0.2, 0.9), (0.2, 0.9)), 0.08))


def stone(rng: np.random.Generator) -> Prop:
    """A go stone or a glass bead: a flat drop."""
    radius, half = float(rng.uniform(7, 11)), float(rng.uniform(2.5, 4))
    angle = np.linspace(-np.pi / 2, np.pi / 2, 21)
    profile = [(radius * float(np.cos(a)), half * (1 + float(np.sin(a)))) for a in angle]
    colour = (0.03, 0.03, 0.03) if rng.random() < 0.4 else tone(rng, (0, 0.8), (0.3, 0.95))
    return Prop("bead", turned(profile), plain(colour, float(rng.uniform(0.06, 0.4))))


def pencil(rng: np.random.Generator) -> Prop:
    """A pencil lying down: six sides, sharpened."""
    long, radius = float(rng.uniform(90, 170)), 3.6
    profile = [(0.0, 0.0), (radius, 0.0), (radius, 0.0), (radius, long), (radius, long)]
    body = turned([*profile, (0.6, long + 14), (0.0, long + 15)], 6)
    lying = body.moved(LYING, np.array([-long / 2, 0, radius]))
    return Prop("pencil", lying, plain(tone(rng, (0.3, 0.95), (0.2, 0.9)), 0.25))


def mug(rng: np.random.Generator) -> Prop:
    """A cup of tea or a dice cup, from above mostly its rim and what is in it."""
    radius, tall = float(rng.uniform(32, 42)), float(rng.uniform(60, 95))
    inner, level = radius - 3, tall * float(rng.uniform(0.3, 0.85))
    profile = [
        (radius * 0.85, 0.0), (radius, 8.0), (radius, tall - 1), (radius, tall - 1), (radius - 1.5, tall),
        (inner, tall - 1), (inner, tall - 1), (inner, level), (inner, level), (0.0, level),
    ]  # fmt: skip
    return Prop(
        "mug", turned(profile, 64), plain(tone(rng, (0, 0.8), (0.1, 0.95)), float(rng.uniform(0.08, 0.4)))
    )


def pad(rng: np.random.Generator) -> Prop:
    """A score pad or a rule book."""
    wide, tall = float(rng.uniform(80, 150)), float(rng.uniform(100, 210))
    image = filled((512, 512), near(rng, (0.95, 0.94, 0.9), 0.02))
    if rng.random() < 0.5:
        for at in range(0, 512, int(rng.integers(14, 34))):
            cv2.line(image, (0, at), (512, at), (0.4, 0.5, 0.75), 1)
        for at in range(60, 512, int(rng.integers(50, 110))):
            cv2.line(image, (at, 0), (at, 512), (0.4, 0.5, 0.75), 1)
    words(rng, image, (30, 40), 420, int(rng.integers(3, 24)), int(rng.integers(14, 22)))
    return Prop(
        "pad", prism(rounded_rectangle(wide, tall, 1.5), float(rng.uniform(0.3, 8))), printed(image, 0.7)
    )


def phone(rng: np.random.Generator) -> Prop:
    """A phone, its dark glass up."""
    return Prop("phone", prism(rounded_rectangle(72, 148, 9), 8.0, 0.8), plain((0.02, 0.02, 0.025), 0.05))


def keyboard(rng: np.random.Generator) -> Prop:
    """Some rows of a keyboard."""
    image = filled((1024, 1024), (0.1, 0.1, 0.11))
    relief = np.zeros((1024, 1024), np.float32)
    pale = rng.random() < 0.4
    key, ink = ((0.9, 0.9, 0.9), (0.15, 0.15, 0.15)) if pale else ((0.06, 0.06, 0.065), (0.85, 0.85, 0.85))
    step = 1024 // 15
    for row in range(5):
        for column in range(15):
            x, y = column * step + (row * 17) % step // 2, 342 + row * step
            cv2.rectangle(image, (x + 5, y + 5), (x + step - 5, y + step - 5), key, -1)
            cv2.rectangle(relief, (x + 5, y + 5), (x + step - 5, y + step - 5), 1.0, -1)
            sign = chr(int(rng.integers(65, 91))) if row else str(int(rng.integers(10)))
            written(image, sign, (x + 18, y + 44), 0.8, ink, 2, cv2.FONT_HERSHEY_SIMPLEX)
    relief = np.asarray(cv2.GaussianBlur(relief, (0, 0), 2), np.float32)
    return Prop(
        "keyboard", prism(rounded_rectangle(285, 100, 4), 9.0, 1.0), printed(image, 0.45, relief, 2.0)
    )


def finger(rng: np.random.Generator) -> Prop:
    """A finger lying on the table, its tip at the origin; the hand is out of the picture."""
    radius, long = float(rng.uniform(7, 9)), 400.0
    angle = np.linspace(0, np.pi / 2, 12)
    knuckle = [(radius, long - 28), (radius * 1.05, long - 22), (radius, long - 16)]
    tip = [(radius * float(np.cos(a)), long + radius * float(np.sin(a))) for a in angle]
    upright = turned([(0.0, 0.0), (radius * 1.05, 0.0), *knuckle, *tip])
    lying = upright.moved(LYING, np.array([-radius - long, 0, radius]))
    skin = SKINS[int(rng.integers(len(SKINS)))]
    return Prop("finger", lying, plain(near(rng, skin), 0.5))


SMALL: tuple[Maker, ...] = (coin, coin, tile, token, token, house, house, pawn, marble, stone, card)
LARGE: tuple[Maker, ...] = (card, card, card, pencil, mug, pad, phone, keyboard, finger)

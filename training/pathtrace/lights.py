"""Rooms: windows, warm lamps, ceilings. Radiance in arbitrary units; the camera exposes for what it sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from training.pathtrace.textures import Floats, spectral

WARMTH: dict[int, tuple[float, float, float]] = {
    2700: (1.0, 0.56, 0.24), 3200: (1.0, 0.65, 0.36), 4000: (1.0, 0.78, 0.58), 5200: (1.0, 0.92, 0.82),
    6500: (0.98, 0.97, 1.0), 8000: (0.84, 0.9, 1.0),
}  # fmt: skip
"""Linear sRGB of black bodies by their temperature in kelvin (rounded)."""


@dataclass(frozen=True, eq=False, slots=True)
class Emitter:
    """A shining ball, or a rectangle that faces the table's middle."""

    at: list[float]
    """(3,) in mm."""
    size: float | tuple[float, float]
    """A ball's radius, or half the rectangle's width and height, in mm."""
    radiance: Floats
    """(3,) RGB."""


@dataclass(frozen=True, eq=False, slots=True)
class Room:
    """All light of a picture."""

    surroundings: Floats
    """(64, 128, 3) radiance by elevation (from straight up) and direction."""
    lamps: tuple[Emitter, ...]
    name: str


def _light(rng: np.random.Generator, *kelvin: int) -> np.ndarray:
    return np.array(WARMTH[int(rng.choice(kelvin))], np.float32)


def _walls(rng: np.random.Generator, level: float, colour: np.ndarray) -> Floats:
    """Ceiling, walls and floor around the table, dim and uneven."""
    up = np.linspace(1, -1, 64, dtype=np.float32)[:, None]
    shade = np.where(up > 0.35, 1.0, np.where(up > -0.1, 0.55, 0.2)) * level
    uneven = 1 + 0.25 * np.clip(spectral(rng, 64, 128, 1.2, 1, 10), -2, 2)
    paint = 1 + rng.normal(0, 0.06, 3)
    sides = np.asarray(shade * uneven, np.float32)[..., None] * (colour * paint).astype(np.float32)
    # Furniture: dark and light upright patches.
    for _ in range(int(rng.integers(2, 7))):
        x, w, top = int(rng.integers(0, 120)), int(rng.integers(3, 22)), int(rng.integers(16, 32))
        sides[top:, x : x + w] *= float(rng.uniform(0.15, 1.5))
    return sides


def _paint_window(rng: np.random.Generator, walls: Floats, radiance: np.ndarray) -> None:
    """A bright window with its bars, between 10 and 60 degrees up."""
    top, bottom = int(rng.integers(11, 19)), int(rng.integers(23, 30))
    x, wide = int(rng.integers(0, 100)), int(rng.integers(6, 24))
    pane = np.ones((bottom - top, wide, 1), np.float32)
    pane[(bottom - top) // 2] = 0.1
    pane[:, wide // 2] = 0.1
    sky = np.linspace(1.2, 0.7, bottom - top, dtype=np.float32)[:, None, None]
    walls[top:bottom, x : x + wide] = pane * sky * radiance


def random_room(rng: np.random.Generator, reach: float) -> Room:
    """A room; `reach` is how far in mm the camera is from the table, so that lamps do not hang in its way."""
    kind = str(rng.choice(["window", "warm", "office", "desk lamp", "evening", "overcast"]))
    lamps: list[Emitter] = []
    if kind == "window":
        walls = _walls(rng, 0.35, _light(rng, 4000, 5200, 6500))
        for _ in range(int(rng.integers(1, 3))):
            _paint_window(rng, walls, _light(rng, 5200, 6500, 8000) * float(rng.uniform(4, 14)))
        if rng.random() < 0.4:
            lamps.append(_pane(rng, _light(rng, 5200, 6500) * float(rng.uniform(3, 9))))
    elif kind == "warm":
        walls = _walls(rng, 0.25, _light(rng, 2700, 3200, 4000))
        lamps += [_bulb(rng, _light(rng, 2700, 3200), reach) for _ in range(int(rng.integers(1, 4)))]
    elif kind == "office":
        walls = _walls(rng, 0.5, _light(rng, 4000, 5200))
        for _ in range(int(rng.integers(1, 4))):
            x, y = int(rng.integers(0, 108)), int(rng.integers(0, 9))
            walls[y : y + 4, x : x + int(rng.integers(8, 40))] = _light(rng, 4000, 5200) * 9
    elif kind == "desk lamp":
        walls = _walls(rng, 0.3, _light(rng, 2700, 4000, 6500))
        lamps.append(_shade(rng, _light(rng, 2700, 3200, 4000, 5200)))
    elif kind == "evening":
        walls = _walls(rng, 0.2, _light(rng, 3200, 6500, 8000))
        _paint_window(rng, walls, _light(rng, 8000) * float(rng.uniform(1, 3)))
        lamps.append(_bulb(rng, _light(rng, 2700), reach))
    else:
        walls = _walls(rng, 0.8, _light(rng, 5200, 6500, 8000))
        walls[:22] *= float(rng.uniform(1.0, 2.2))
    return Room(np.maximum(walls, 0.01), tuple(lamps), kind)


def _place(rng: np.random.Generator, distance: float, low: float, high: float) -> list[float]:
    elevation, around = np.radians(rng.uniform(low, high)), rng.uniform(0, 2 * np.pi)
    flat = np.cos(elevation) * distance
    return [float(flat * np.cos(around)), float(flat * np.sin(around)), float(np.sin(elevation) * distance)]


def _bulb(rng: np.random.Generator, colour: np.ndarray, reach: float) -> Emitter:
    distance = max(float(rng.uniform(700, 1800)), 1.3 * reach)
    radius = float(rng.uniform(30, 90)) * distance / 1000
    strength = float(rng.uniform(1.0, 3.0)) * (distance / radius) ** 2 / 3
    return Emitter(_place(rng, distance, 35, 85), radius, colour * strength)


def _pane(rng: np.random.Generator, radiance: np.ndarray) -> Emitter:
    half = float(rng.uniform(250, 500)), float(rng.uniform(350, 700))
    return Emitter(_place(rng, float(rng.uniform(1200, 2200)), 25, 55), half, radiance)


def _shade(rng: np.random.Generator, colour: np.ndarray) -> Emitter:
    half = float(rng.uniform(40, 110))
    distance = float(rng.uniform(350, 650))
    strength = float(rng.uniform(1.5, 3.5)) * (distance / half) ** 2 / 4
    return Emitter(_place(rng, distance, 38, 70), (half, half), colour * strength)


def emitters(mi: Any, room: Room) -> dict[str, Any]:
    """The room as Mitsuba wants it."""
    transform = mi.ScalarTransform4f
    around = mi.Bitmap(np.ascontiguousarray(room.surroundings, np.float32))
    upright = transform().rotate([1, 0, 0], 90)
    things: dict[str, Any] = {"surroundings": {"type": "envmap", "bitmap": around, "to_world": upright}}
    for number, lamp in enumerate(room.lamps):
        if isinstance(lamp.size, float):
            form: dict[str, Any] = {"type": "sphere", "center": lamp.at, "radius": lamp.size}
        else:
            turn = transform().look_at(lamp.at, [0, 0, 0], [0, 0, 1])
            form = {"type": "rectangle", "to_world": turn @ transform().scale([*lamp.size, 1.0])}
        light = {"type": "area", "radiance": {"type": "rgb", "value": [float(v) for v in lamp.radiance]}}
        things[f"lamp{number}"] = form | {"emitter": light}
    return things

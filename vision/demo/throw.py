"""How the demo table throws a die: where it comes to lie, what it shows, and the way there, all drawn by lot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.demo.props import BALL, SIDE, Skin
from vision.dicesets.shapes import Shape
from vision.frame import Floats, Point
from vision.render.light import Surface
from vision.render.scene import Die, resting
from vision.render.solid import Rounding
from vision.render.tumble import Tumble
from vision.render.view import View


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """A die on the table or on its way there."""

    face: str
    tumble: Tumble
    model: Die
    """The die as it will lie."""
    thrown: float
    """When, on the camera's clock."""

    def at(self, now: float) -> tuple[Die, bool]:
        """The die at a moment, and whether it still moves."""
        pose = self.tumble.pose(now - self.thrown)
        return replace(self.model, centre=pose.centre, rotation=pose.rotation), pose.moving


@dataclass(frozen=True, slots=True)
class Truth:
    """What a die really shows, for tests: its face and the top face's corners in pixels."""

    face: str
    corners: tuple[Point, ...]


def cast(
    rng: np.random.Generator, view: View, skin: Skin, shape: Shape, order: int, taken: Sequence[Floats], now: float,
    up: int | None = None,
) -> Thrown:  # fmt: skip
    """Draw by lot how a die will lie (or lay face `up`), and find it a free place and a way there.

    `order` is its number among those thrown together, from 0; `taken` are the (2,) places of the others in mm.
    """
    side = SIDE[shape]
    top = int(rng.integers(len(skin.faces))) if up is None else up
    rotation, apothem = resting(shape, top, float(rng.uniform(0, 360)))
    place = free_place(rng, view, taken, side)
    entry = _entry(rng, view, place, taken)
    tumble = Tumble(
        shape=shape,
        side=side,
        entry=entry,
        rest=place,
        rotation=rotation,
        begins=0.05 * order + float(rng.uniform(0, 0.08)),
        lasts=float(rng.uniform(0.85, 1.15)),
        turns=float(rng.uniform(1.6, 2.6)),
        spin=float(rng.uniform(-0.5, 0.5)),
        hop=float(rng.uniform(0.5, 1.1)),
    )
    model = Die(
        shape=shape,
        side=side,
        centre=np.array([place[0], place[1], apothem * side], np.float32),
        rotation=rotation,
        texture=skin.texture,
        rounding=Rounding(edge=0.03, ball=BALL[shape]),
        surface=Surface(gloss=0.25, roughness=0.3, translucence=0.0),
        top=top,
        key=skin.faces[top],
    )
    return Thrown(skin.faces[top], tumble, model, now)


def free_place(rng: np.random.Generator, view: View, taken: Sequence[Floats], side: float) -> Floats:
    """Where a die comes to lie: of many places, the first with room around it, or the one with most."""
    best, room = np.zeros(2, np.float32), -1.0
    for _ in range(300):
        x = float(rng.uniform(0.13, 0.87)) * view.width
        y = float(rng.uniform(0.16, 0.84)) * view.height
        point = view.ground((x, y))
        if point is None:
            continue
        gap = min((distance(point[:2], other) for other in taken), default=np.inf)
        if gap > room:
            best, room = point[:2], gap
        if gap > 2.1 * side:
            break
    return np.asarray(best, np.float32)


def _entry(rng: np.random.Generator, view: View, place: Floats, taken: Sequence[Floats]) -> Floats:
    """Where beyond the picture a die comes from: of a few ways, the one that meets the fewest dice."""
    reach = 0.85 * view.width / view.focal * float(np.linalg.norm(view.position))
    angles = rng.uniform(np.deg2rad(150), np.deg2rad(390), 6)
    reaches = reach * np.stack([np.cos(angles), np.sin(angles)], 1)
    ways = [(place + way).astype(np.float32) for way in reaches]
    return max(ways, key=lambda way: min((_clearance(way, place, t) for t in taken), default=0.0))


def distance(a: Floats | Point, b: Floats | Point) -> float:
    """How far two places are from each other."""
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _clearance(start: Floats, end: Floats, point: Floats) -> float:
    """How far a point lies from a way."""
    way = np.asarray(end - start, np.float32)
    along = float(np.clip((point - start) @ way / max(float(way @ way), 1e-6), 0, 1))
    return distance(point, np.asarray(start + way * along, np.float32))

"""Dice that lie against each other: pushed together until they touch, as a throw into a tray leaves them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.render.scene import Die
from vision.render.view import View

Floats = NDArray[np.float32]

STEP: Final = 0.08
"""How far a die is pushed at a time, in its sides."""
TRIES: Final = 5
"""Directions that a die is pushed in from; the one that brings it closest counts."""
OVER: Final = 0.002
"""Outlines that share less than this part of a die's square only touch."""


def heaped(rng: np.random.Generator, dice: tuple[Die, ...], view: View) -> tuple[Die, ...]:
    """The same dice, turned as they are, moved together around a point of the table that the picture shows.

    Seen from above no two overlap. Where the picture shows no table they stay where they are.
    """
    middle = view.ground(tuple((rng.uniform(0.25, 0.75, 2) * (view.width, view.height)).tolist()))
    if middle is None:
        return dice
    loose = float(rng.exponential(0.04)) if rng.random() < 0.5 else 0.0
    tries = int(rng.integers(1, TRIES + 1))
    moved: list[Die] = []
    for die in dice:
        lying = [_outline(other) for other in moved]
        places = [_pushed(rng, die, middle[:2], lying, loose) for _ in range(tries if moved else 1)]
        x, y = min(places, key=lambda place: float(np.linalg.norm(place - middle[:2])))
        moved.append(replace(die, centre=np.array([x, y, die.centre[2]], np.float32)))
    return tuple(moved)


def _pushed(rng: np.random.Generator, die: Die, middle: Floats, lying: list[Floats], loose: float) -> Floats:
    """Where a die stops that is pushed from afar to near the middle; `loose` sides before it touches."""
    angle = float(rng.uniform(0, 2 * np.pi))
    away = np.array([np.cos(angle), np.sin(angle)], np.float32)
    goal = (middle + die.side * rng.normal(0, 0.3, 2)).astype(np.float32)
    outline = _outline(die) - die.centre[:2]

    def spot(distance: float) -> Floats:
        return (goal + distance * away).astype(np.float32)

    distance = die.side * (2.0 + 1.5 * len(lying))
    step = die.side * STEP
    while distance > 0 and not _meets(outline, spot(distance - step), lying, die.side):
        distance -= step
    return spot(max(distance, 0.0) + die.side * loose)


def _meets(outline: Floats, spot: Floats, lying: list[Floats], side: float) -> bool:
    """Whether a die with this outline around its middle would overlap another if it lay at `spot`."""
    there = outline + spot
    return any(cv2.intersectConvexConvex(there, other)[0] > OVER * side * side for other in lying)


def _outline(die: Die) -> Floats:
    """(K, 2) the die from above, in millimetres of the table."""
    corners = (die.centre + die.side * die.body.vertices @ die.rotation.T)[:, :2]
    return np.asarray(cv2.convexHull(corners.astype(np.float32)), np.float32).reshape(-1, 2)

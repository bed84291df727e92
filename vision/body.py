"""A die's whole body, from its top face and the plane that the dice's top faces lie on.

A top face of a die that lies flat tells where the rest of it is: a cube's lower face as far below as it is wide, an
octahedron's, turned about, by the distance of its opposite faces (√⅔ of an edge). So there is a box that the die must
fill in the picture, and the detector's box says

* which way a plane is tilted: small faces look nearly the same on its mirror image, their bodies stick out elsewhere;
* whether what was taken for the top face is a side of the die, as of octahedra that are seen from low down. The top
  face then lies across one of its edges, and the box tells across which.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, intersection_over_union
from vision.dicesets.shapes import Shape, shape_outlined
from vision.plane import Plane

Floats = NDArray[np.float64]

STRANGE: Final = 0.55
"""Share of detector's and body's box below which a face may not be the top one."""
SOUND: Final = 0.65
"""Share of them that bodies must have in the middle, for their plane to be believed where one of them has not."""
LIKELIER: Final = 0.1
"""By how much the box must fit better for a face across an edge to be believed instead."""
TURNS: Final = 24
"""Turns of a face on the plane that are tried within a box,"""
SETTLED: Final = 8
"""and steps in which it moves to where its die fills the box: each takes most of what is left."""
AS_LARGE: Final = 0.8
"""Part of the top face's area in the picture that a side must have at least to be taken for it."""


def bodies(plane: Plane, tops: Floats) -> Floats:
    """(N, 8 or 6, 2) corners in pixels of the dice whose top faces on the plane have the corners (N, 4 or 3, 2)."""
    flat = plane.flat(tops)
    edge = edges(flat)[:, None]
    shape = shape_outlined(tops.shape[1])
    lower = 2 * flat.mean(axis=1, keepdims=True) - flat if shape.twisted else flat
    below = plane.seen(lower, edge * shape.height)
    return np.concatenate([tops, below], axis=1)


def edges(flat: Floats) -> Floats:
    """(…,) mean length of the edges of faces (…, 4 or 3, 2) on a plane, in its distances (`Plane.flat`)."""
    step = flat - np.roll(flat, 1, axis=-2)
    return np.hypot(step[..., 0], step[..., 1]).mean(axis=-1)


def fits(plane: Plane, tops: Sequence[Floats], boxes: Sequence[Box]) -> list[float]:
    """How well each box in pixels is that of a die with this top face: what both cover, of what they cover together."""
    found = [0.0] * len(tops)
    for corners in sorted({len(top) for top in tops}):
        own = [i for i, top in enumerate(tops) if len(top) == corners]
        if own:
            outer = bodies(plane, np.stack([tops[i] for i in own]))
            around = np.concatenate([outer.min(axis=1), outer.max(axis=1)], axis=1).tolist()
            for i, (x0, y0, x1, y1) in zip(own, around, strict=True):
                found[i] = intersection_over_union((x0, y0, x1, y1), boxes[i])
    return found


def right_way_tilted(plane: Plane, tops: Sequence[Floats], boxes: Sequence[Box]) -> Plane:
    """Of a plane and its mirror image the one on which the bodies below top faces fill the detector's boxes better."""
    mirrored = plane.mirrored()
    better = np.median(fits(mirrored, tops, boxes)) > np.median(fits(plane, tops, boxes))
    return mirrored if better else plane


def across_an_edge(plane: Plane, side: Floats, box: Box) -> tuple[Floats, float] | None:
    """The top face, if `side` (4 or 3, 2) is the outline in pixels of a face beside it, and how well it fits the box.

    The likeliest one across one of the outline's edges; None where none fits well, or where the side is too small to
    have been taken for it.
    """
    faces = [_beyond(plane, side, edge) for edge in range(len(side))]
    fit = fits(plane, faces, [box] * len(faces))
    best = int(np.argmax(fit))
    large = _area(side) >= AS_LARGE * _area(faces[best])
    return (faces[best], fit[best]) if large and fit[best] >= STRANGE else None


def filling(plane: Plane, box: Box, edge: float, shape: Shape) -> tuple[Floats, list[float]]:
    """Top faces (TURNS, sides, 2) in pixels, each turned otherwise, of dice in a box, and how well each fills it.

    `edge` is that of the other dice on the plane, as `edges` tells it.
    """
    sides = shape.corners
    ring = np.arange(TURNS)[:, None] * (2 * np.pi / sides / TURNS) + np.arange(sides) * (2 * np.pi / sides)
    face = np.stack([np.cos(ring), np.sin(ring)], axis=-1) * edge / (2 * np.sin(np.pi / sides))
    wanted = np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2])
    centres = np.repeat(plane.flat(wanted[None]), TURNS, axis=0)
    for _ in range(SETTLED):
        around = bodies(plane, plane.seen(centres[:, None] + face))
        off = wanted - (around.min(axis=1) + around.max(axis=1)) / 2
        centres = plane.flat(plane.seen(centres) + off)
    tops = plane.seen(centres[:, None] + face)
    return tops, fits(plane, list(tops), [box] * TURNS)


def within(plane: Plane, face: Floats, top: Floats) -> float:
    """Share of a face's outline (4 or 3, 2) in pixels that lies in the body of the die with this top face."""
    body = np.asarray(cv2.convexHull(bodies(plane, top[None])[0].astype(np.float32)), np.float32)
    shared, _ = cv2.intersectConvexConvex(face.astype(np.float32), body)
    return float(shared) / max(_area(face), 1e-6)


def _area(corners: Floats) -> float:
    return abs(float(cv2.contourArea(corners.astype(np.float32))))


def _beyond(plane: Plane, side: Floats, edge: int) -> Floats:
    """Corners of the regular face on the plane that shares an edge with `side` and lies beyond it."""
    flat = plane.flat(side)
    first, second = flat[edge], flat[(edge + 1) % len(flat)]
    along = second - first
    away = np.array([-along[1], along[0]])
    turn = 2 * np.pi / len(side) * (-1 if away @ (flat.mean(axis=0) - first) > 0 else 1)
    corners, step = [second, first], first - second
    while len(corners) < len(side):
        step = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ step
        corners.append(corners[-1] + step)
    return plane.seen(np.stack(corners))

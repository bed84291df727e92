"""Solid things that are easily mistaken for dice of a set: balls, keys, pebbles, pawns, a d20.

They are drawn like dice, with light and shadow, but have no label: dice differ from them by their shape.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import cv2
import numpy as np

from training.synth.chance import clouds, hsv
from training.synth.clutter import LETTERS
from training.synth.polyhedra import KINDS as OTHER_DICE
from training.synth.polyhedra import laid_on, polyhedron
from vision.boxes import Box
from vision.dicesets.shapes import Shape
from vision.frame import Floats, Pixels
from vision.render.light import Surface
from vision.render.scene import Die, FaceTexture, resting
from vision.render.solid import Rounding, solid
from vision.render.view import View

TEXELS: Final = 48
BALL: Final = Rounding(0.02, 0.5)
LEVEL: Final = np.eye(3, dtype=np.float32)
ON_EDGE: Final = np.array([[1, 0, 0], [0, 0.5**0.5, -(0.5**0.5)], [0, 0.5**0.5, 0.5**0.5]], np.float32)
"""A turn of 45 degrees about the long axis."""

Dress = Callable[[], tuple[Shape, Callable[[int], FaceTexture]]]
"""Decorates a die: its shape, and what is on each of its faces."""


def random_distractors(
    rng: np.random.Generator, view: View, dice: tuple[Die, ...], side: float, dress: Dress, others: float
) -> tuple[Die, ...]:
    """Things of one kind, about as large as dice of `side` millimetres, away from the dice; in a share `others` of
    scenes, dice of other kinds, decorated like the dice."""
    taken = [(die.centre[:2], die.side * 0.75) for die in dice]
    of_any = KINDS[int(rng.integers(len(KINDS)))]
    kind = partial(_other_dice, dress=dress) if rng.random() < others else of_any
    return tuple(one for one in kind(rng, view, side) if _free(one, taken, view))


def some_places(rng: np.random.Generator, distractors: tuple[Die, ...], view: View, most: int) -> list[Box]:
    """Boxes of up to `most` of the things, chosen at random among those in the picture at a die's size."""
    boxes = [box for one in distractors if (box := place(one, view)) is not None]
    return [boxes[i] for i in rng.permutation(len(boxes))[:most].tolist()]


def place(one: Die, view: View) -> Box | None:
    """A box about as large as the thing; None if it lies outside the picture or is too small or large for a die."""
    x, y = (float(value) for value in view.project(one.centre))
    reach = 1.1 * _radius(one) * view.focal / max(float((one.centre - view.position) @ view.axes[2]), 1.0)
    inside = reach / 2 < x < view.width - reach / 2 and reach / 2 < y < view.height - reach / 2
    return (x - reach, y - reach, x + reach, y + reach) if inside and 5 < reach < 110 else None


def _free(one: Die, taken: list[tuple[Floats, float]], view: View) -> bool:
    clear = all(np.linalg.norm(one.centre[:2] - spot) > reach + _radius(one) * 1.44 for spot, reach in taken)
    return clear and float(np.linalg.norm(one.centre)) < 3 * float(np.linalg.norm(view.position))


def _radius(one: Die) -> float:
    """Its radius in millimetres."""
    return one.side * (0.5 if one.form is None else 0.9 * float(np.linalg.norm(one.form.vertices, axis=1).max()))


def _places(rng: np.random.Generator, view: View, most: int) -> list[Floats]:
    """Points of the table that the picture shows."""
    pixels = rng.uniform((0, 0), (view.width, view.height), (int(rng.integers(1, most + 1)), 2))
    found = [view.ground((float(x), float(y))) for x, y in pixels]
    return [spot for spot in found if spot is not None]


def _plain(colour: Floats | Pixels) -> Callable[[int], FaceTexture]:
    """The same on every face: one colour, or a picture."""
    drawn = FaceTexture(np.broadcast_to(colour, (TEXELS, TEXELS, 3)).astype(np.uint8))
    return lambda face: drawn


def _marbled(rng: np.random.Generator, colour: Floats) -> Callable[[int], FaceTexture]:
    """Veins or clouds of a second colour."""
    cells = int(rng.integers(2, 9))
    share = np.clip(clouds(rng, TEXELS, (cells, cells), 2) * rng.uniform(0.5, 3), 0, 1)[..., None]
    return _plain((colour * (1 - share) + hsv(rng, (0, 1), (0.1, 1)) * share).clip(0, 255))


def _surface(rng: np.random.Generator) -> Surface:
    return Surface(float(rng.uniform(0.1, 1.0)), float(rng.uniform(0.04, 0.3)), 0.0)


def _mirror(rng: np.random.Generator) -> Surface:
    """So polished that the reflection of a lamp is a white spot, as round and sharp as a pip."""
    return Surface(float(rng.uniform(2, 10)), float(rng.uniform(0.01, 0.08)), 0.0)


def _balls(rng: np.random.Generator, view: View, side: float) -> list[Die]:
    """Marbles, beads, ball bearings; some with a sign on them."""
    body, balls = solid(Shape.CUBE), list[Die]()
    for spot in _places(rng, view, 5):
        own = side * float(rng.uniform(0.5, 1.8))
        colour = hsv(rng, (0, 1), (0.05, 1))
        kind = rng.random()
        texture = _plain(colour) if kind < 0.5 else _marbled(rng, colour) if kind < 0.8 else _signed(rng, colour, 1.0)
        rotation, _ = resting(Shape.CUBE, int(rng.integers(len(body.normals))), float(rng.uniform(0, 360)))
        centre = np.array([spot[0], spot[1], own / 2], np.float32)
        surface = _surface(rng) if rng.random() < 0.5 else _mirror(rng)
        balls.append(Die(Shape.CUBE, own, centre, _tipped(rng) @ rotation, texture, BALL, surface))
    return balls


def _pebbles(rng: np.random.Generator, view: View, side: float) -> list[Die]:
    """Stones and sweets: solids worn round, lying anyhow."""
    pebbles: list[Die] = []
    for spot in _places(rng, view, 5):
        own = side * float(rng.uniform(0.4, 1.3))
        colour = hsv(rng, (0, 0.7), (0.1, 1))
        texture = _plain(colour) if rng.random() < 0.4 else _marbled(rng, colour)
        shape = Shape.CUBE if rng.random() < 0.5 else Shape.OCTAHEDRON
        rounding = Rounding(float(rng.uniform(0.06, 0.11)), float(rng.uniform(0.5, 0.62)))
        centre = np.array([spot[0], spot[1], own * 0.4], np.float32)
        pebbles.append(Die(shape, own, centre, _tipped(rng), texture, rounding, _surface(rng)))
    return pebbles


def _pyramids(rng: np.random.Generator, view: View, side: float) -> list[Die]:
    """Pieces with a point on top, and little houses: half an octahedron stands out of the table."""
    pyramids: list[Die] = []
    for spot in _places(rng, view, 4):
        own = side * float(rng.uniform(0.6, 1.3))
        centre = np.array([spot[0], spot[1], 0], np.float32)
        turn = _turned(float(rng.uniform(0, 2 * np.pi)))
        texture = _plain(hsv(rng, (0, 1), (0.1, 1)))
        pyramids.append(Die(Shape.OCTAHEDRON, own, centre, turn, texture, Rounding(0.02, 10.0), _surface(rng)))
    return pyramids


def _keys(rng: np.random.Generator, view: View, side: float) -> list[Die]:
    """Part of a keyboard or a calculator: rows of caps that stand a little out of the table, each row shifted."""
    start = view.ground(tuple((rng.uniform(0.1, 0.9, 2) * (view.width, view.height)).tolist()))
    if start is None:
        return []
    turn = float(rng.uniform(0, 2 * np.pi))
    along, across = _turned(turn)[:, 0], _turned(turn)[:, 1]
    own = side * float(rng.uniform(0.6, 1.3))
    pitch = own * float(rng.uniform(1.06, 1.3))
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(4, 10))
    height = own * float(rng.uniform(0.1, 0.45))
    dark = rng.random() < 0.6
    colour = hsv(rng, (0, 0.25), (0.03, 0.35) if dark else (0.6, 1.0))
    rounding, surface = Rounding(float(rng.uniform(0.02, 0.07)), 10.0), _surface(rng)
    keys: list[Die] = []
    for row in range(rows):
        shift = float(rng.uniform(0, 0.6))
        for column in range(columns):
            spot = start + pitch * ((column - columns / 2 + shift) * along + (row - rows / 2) * across)
            centre = np.array([spot[0], spot[1], height - own / 2], np.float32)
            worn = _signed(rng, colour, 0.5)
            keys.append(Die(Shape.CUBE, own, centre, _turned(turn), worn, rounding, surface))
    return keys


def _pawns(rng: np.random.Generator, view: View, side: float) -> list[Die]:
    """Playing pieces: a head on a body, turned from one piece."""
    pawns: list[Die] = []
    colour, surface = hsv(rng, (0, 1), (0.1, 1)), _surface(rng) if rng.random() < 0.5 else _mirror(rng)
    texture = _plain(colour) if rng.random() < 0.8 else _marbled(rng, colour)
    head = side * float(rng.uniform(0.5, 1.1))
    widths = np.array([1.7, 1.4, 1.15, 0.9, 1.0]) * head
    heights = np.array([0.0, 0.5, 0.9, 1.25, 1.8]) * head * float(rng.uniform(0.8, 1.2))
    for spot in _places(rng, view, 4):
        for width, height in zip(widths, heights, strict=True):
            centre = np.array([spot[0], spot[1], height], np.float32)
            pawns.append(Die(Shape.CUBE, float(width), centre, _tipped(rng), texture, BALL, surface))
    return pawns


def _houses(rng: np.random.Generator, view: View, side: float) -> list[Die]:
    """Little houses as board games have them: a block, and a roof that is a block standing on its edge."""
    houses: list[Die] = []
    surface = _surface(rng)
    for spot in _places(rng, view, 4):
        own = side * float(rng.uniform(0.5, 1.1))
        turn = _turned(float(rng.uniform(0, 2 * np.pi)))
        texture, rounding = _plain(hsv(rng, (0, 1), (0.1, 1))), Rounding(float(rng.uniform(0.01, 0.04)), 10.0)
        height = own * float(rng.uniform(0.1, 0.5))
        for part, middle, tilt in ((own, height - own / 2, LEVEL), (own / 2**0.5, height, ON_EDGE)):
            centre = np.array([spot[0], spot[1], middle], np.float32)
            rotation = (turn @ tilt).astype(np.float32)
            houses.append(Die(Shape.CUBE, float(part), centre, rotation, texture, rounding, surface))
    return houses


def _other_dice(rng: np.random.Generator, view: View, side: float, dress: Dress) -> list[Die]:
    """Dice with four, ten, twelve or twenty faces, all of one design."""
    dice: list[Die] = []
    surface, worn = _surface(rng), dress()
    alike, edge = rng.random() < 0.5, float(rng.uniform(0.008, 0.03))
    for spot in _places(rng, view, 5):
        shape, texture = worn if alike else dress()
        form = polyhedron(OTHER_DICE[int(rng.integers(len(OTHER_DICE)))], shape)
        own = side * float(rng.uniform(0.8, 1.4)) / (2 * form.apothem)
        down = form.normals[int(rng.integers(len(form.normals)))].astype(np.float64)
        turn = _turned(float(rng.uniform(0, 2 * np.pi))) @ laid_on(down)
        centre = np.array([spot[0], spot[1], form.apothem * own], np.float32)
        dice.append(
            Die(shape, own, centre, turn.astype(np.float32), _cycled(texture, shape), Rounding(edge, 10.0), surface,
                form=form)
        )  # fmt: skip
    return dice


def _cycled(texture: Callable[[int], FaceTexture], shape: Shape) -> Callable[[int], FaceTexture]:
    """The same faces repeated, for solids with more faces."""
    return lambda face: texture(face % shape.faces)


def _signed(rng: np.random.Generator, colour: Floats, largest: float) -> Callable[[int], FaceTexture]:
    """A letter or two somewhere on every face."""
    image = np.broadcast_to(colour, (TEXELS, TEXELS, 3)).astype(np.uint8).copy()
    ink = (hsv(rng, (0, 0.6), (0.7, 1)) if colour.mean() < 110 else hsv(rng, (0, 0.9), (0, 0.4))).tolist()
    for _ in range(int(rng.integers(1, 3))):
        word = "".join(LETTERS[int(i)] for i in rng.integers(0, len(LETTERS), 1 if rng.random() < 0.8 else 3))
        at = (rng.uniform(0.1, 0.5, 2) * TEXELS + (0, TEXELS * 0.35)).astype(int)
        size = float(rng.uniform(0.3, 1.0) * largest) * TEXELS / 24
        cv2.putText(image, word, at.tolist(), cv2.FONT_HERSHEY_SIMPLEX, size, ink, 2, cv2.LINE_AA)
    return _plain(image)


def _turned(angle: float) -> Floats:
    """(3, 3) a turn about the vertical, in radians."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], np.float32)


def _tipped(rng: np.random.Generator) -> Floats:
    """(3, 3) a random rotation, uniform over all of them."""
    turn, upper = np.linalg.qr(rng.standard_normal((3, 3)))
    turn *= np.sign(np.diag(upper))
    if np.linalg.det(turn) < 0:
        turn[:, 0] *= -1
    return turn.astype(np.float32)


KINDS: Final = (_balls, _balls, _balls, _keys, _pebbles, _pyramids, _pawns, _houses)

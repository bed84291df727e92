"""Random scenes: which dice, which table, which light, which camera.

Size, background and content are independent of each other, so that none predicts another: if large dice were always
d6, a network would learn to read size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

import cv2
import numpy as np

from training.synth.chance import hsv, log_uniform
from training.synth.distractors import random_distractors
from training.synth.table import ground_texture
from vision.dicesets.shapes import Shape
from vision.frame import Floats, Pixels
from vision.render.light import Lamp, Lighting, Surface
from vision.render.scene import Die, FaceTexture, Ground, Overlay, Scene, resting
from vision.render.solid import Rounding, solid
from vision.render.view import View

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

    def overlaps(there: Floats) -> bool:
        return any(cv2.intersectConvexConvex(there, other)[0] > OVER * die.side**2 for other in lying)

    distance = die.side * (2.0 + 1.5 * len(lying))
    step = die.side * STEP
    while distance > 0 and not overlaps(outline + spot(distance - step)):
        distance -= step
    return spot(max(distance, 0.0) + die.side * loose)


def _outline(die: Die) -> Floats:
    """(K, 2) the die from above, in millimetres of the table."""
    corners = (die.centre + die.side * die.body.vertices @ die.rotation.T)[:, :2]
    return np.asarray(cv2.convexHull(corners.astype(np.float32)), np.float32).reshape(-1, 2)


@dataclass(frozen=True, eq=False, slots=True)
class DressedDie:
    """A decorated die: the texture of each face, and the name of each face's symbol."""

    texture: Callable[[int], FaceTexture]
    keys: tuple[str, ...]
    engraved: bool = False


REACH = {Shape.CUBE: 0.72, Shape.OCTAHEDRON: 0.66}
"""Radius around a die's middle that must be free, in sides."""


class Artist(Protocol):
    """Decorates dice."""

    def shape(self, rng: np.random.Generator) -> Shape:
        """The shape of the next die."""
        ...

    def dress(self, rng: np.random.Generator, shape: Shape, size: int) -> DressedDie:
        """Faces for one die, as textures of `size` pixels a side."""
        ...

    def arts(self, rng: np.random.Generator) -> tuple[Pixels, ...]:
        """Some symbols, (S, S, 4), for cards and tiles on the table."""
        ...


@dataclass(frozen=True, slots=True)
class Ranges:
    """Bounds and probabilities of what is drawn."""

    width: int = 640
    height: int = 480
    dice: tuple[int, int] = (0, 9)
    pixels: tuple[float, float] = (14.0, 190.0)
    """A die's side in pixels at the middle of the picture (drawn log-uniformly)."""
    tilt: tuple[float, float] = (0.0, 58.0)
    clutter: float = 1.0
    camouflage: float = 0.08
    """How often the table has the colour of the first die; worth learning, though rare in reality."""
    distractors: float = 0.2
    """How often balls, keys, pebbles or dice of other kinds lie there, too."""
    others: float = 1 / 3
    """How often these are dice of other kinds, which look most like dice."""
    heaps: float = 0.15
    """How often the dice lie pushed together."""
    rows: float = 0.3
    """How often cubes that are alike lie in rows."""
    boards: float = 0.0
    """How often the table is a board of lands in any case."""
    rolled: float = 0.12
    """How often the camera is rolled any way about its axis; otherwise it is nearly upright."""
    clear: float = 0.0
    """How often dice are clear: their edges are faint, and the ink on their far side shows through."""


GLASS = 0.5
"""Share of the clear dice that are polished, bend light as glass does, and hardly have a colour."""
FACE_WORTH_READING = 0.7
"""Share of a top face that must be visible. Pictures with a die between this and hidden are discarded, as it is unclear
whether that die counts."""


def random_scene(rng: np.random.Generator, artist: Artist, ranges: Ranges | None = None) -> Scene:
    """Draw a scene."""
    bounds = ranges or Ranges()
    count = int(rng.integers(bounds.dice[0], bounds.dice[1] + 1))
    if rng.random() < 0.3:
        count = min(count, 2)
    side = 16.0
    pixels = log_uniform(rng, *bounds.pixels)
    view = _view(rng, bounds, side, pixels)
    texels_across = rng.uniform(0.8, 2.2)
    ground = Ground(
        ground_texture(rng, artist.arts(rng), bounds.clutter, bounds.boards),
        float(view.width / view.focal * np.linalg.norm(view.position) / 640 * texels_across),
        float(rng.uniform(0, 0.35)) if rng.random() < 0.4 else 0.0,
    )
    lighting = _lighting(rng)
    dice = _dice(rng, artist, view, side, pixels, count, bounds)
    if bounds.heaps and rng.random() < bounds.heaps:
        dice = heaped(rng, dice, view)
    if dice and rng.random() < bounds.camouflage:
        # Its mean colour moves to that of the die's face, or close to it.
        wanted = np.median(dice[0].texture(dice[0].top).colour.reshape(-1, 3), axis=0) * rng.uniform(0.8, 1.25)
        shift = (wanted - np.median(ground.colour.reshape(-1, 3), axis=0)).astype(np.float32)
        ground = replace(ground, colour=np.clip(ground.colour.astype(np.float32) + shift, 0, 255).astype(np.uint8))
    field = 1 + rng.uniform(0, 0.25) * rng.standard_normal((3, 4)).astype(np.float32)
    field = np.asarray(cv2.resize(field, (16, 12), interpolation=cv2.INTER_CUBIC), np.float32).clip(0.3, 1.6)
    overlays = tuple(_hand(rng, view) for _ in range(int(rng.random() < 0.12 * bounds.clutter)))
    lamps = (float(lamp.colour.mean() * lamp.towards[2]) for lamp in lighting.lamps)
    strength = float(lighting.ambient.mean()) + sum(lamps)
    exposure = float(rng.uniform(0.45, 1.5)) / strength  # cameras adapt their exposure to the scene, more or less
    distractors: tuple[Die, ...] = ()
    if rng.random() < bounds.distractors:

        def dress() -> tuple[Shape, Callable[[int], FaceTexture]]:
            shape = artist.shape(rng)
            return shape, artist.dress(rng, shape, _texels(pixels)).texture

        distractors = random_distractors(rng, view, dice, side, dress, bounds.others)
    return Scene(view, ground, lighting, dice, field, overlays, exposure, distractors)


def _view(rng: np.random.Generator, bounds: Ranges, side: float, pixels: float) -> View:
    focal = bounds.width * float(rng.uniform(0.75, 2.2))
    low, high = bounds.tilt
    tilt = float(rng.uniform(low, max(low, min(high, 20.0)) if rng.random() < 0.35 else high))
    roll = float(rng.uniform(-180, 180)) if rng.random() < bounds.rolled else float(rng.normal(0, 7))
    distance = max(focal * side / pixels, side * 4)
    turn = float(rng.uniform(0, 360))
    return View.over(bounds.width, bounds.height, focal=focal, distance=distance, tilt=tilt, turn=turn, roll=roll)


def _tint(rng: np.random.Generator, spread: float) -> Floats:
    warmth = rng.normal(0, spread)
    return np.array([1 - warmth, 1 + rng.normal(0, spread / 4), 1 + warmth], np.float32)


def _lamp(
    rng: np.random.Generator, lowest: float, spread: float, strength: tuple[float, float], width: tuple[float, float]
) -> Lamp:
    up, around = np.deg2rad(rng.uniform(lowest, 88)), rng.uniform(0, 2 * np.pi)
    towards = np.array([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)], np.float32)
    colour = _tint(rng, spread) * float(rng.uniform(*strength))
    return Lamp(towards, colour, float(rng.uniform(*width)))


def _lighting(rng: np.random.Generator) -> Lighting:
    ambient = float(rng.uniform(0.18, 0.8))
    lamps = [_lamp(rng, 30, 0.12, (0.15, 1.0), (0.02, 0.5))]
    if rng.random() < 0.5:
        lamps.append(_lamp(rng, 20, 0.15, (0.05, 0.5), (0.05, 0.6)))
    bounce = _tint(rng, 0.06) * ambient, _tint(rng, 0.1) * ambient * float(rng.uniform(0.2, 0.8))
    return Lighting(tuple(lamps), *bounce)


def _surface(rng: np.random.Generator, bounds: Ranges) -> Surface:
    gloss = float(rng.uniform(0.4, 1.0)) if rng.random() < 0.65 else float(rng.uniform(0, 0.3))
    clear = float(rng.uniform(0.2, 0.9)) if rng.random() < 0.2 else 0.0
    roughness = log_uniform(rng, 0.04, 0.4)
    if bounds.clear and rng.random() < bounds.clear:
        if rng.random() < GLASS:
            gloss, roughness = float(rng.uniform(0.8, 1.0)), log_uniform(rng, 0.03, 0.1)
            return Surface(gloss, roughness, 0.0, float(rng.uniform(0.9, 1.0)), float(rng.uniform(1.42, 1.58)))
        return Surface(gloss, roughness, 0.0, float(rng.uniform(0.5, 1.0)), float(rng.uniform(1.1, 1.55)))
    return Surface(gloss, roughness, clear)


def _rounding(rng: np.random.Generator, shape: Shape) -> Rounding:
    edge = log_uniform(rng, 0.008, 0.06)
    if shape is Shape.OCTAHEDRON:
        return Rounding(min(edge, 0.035), 10.0 if rng.random() < 0.7 else float(rng.uniform(0.62, 0.7)))
    ball = float(rng.uniform(0.66, 0.86)) if rng.random() < 0.55 else 10.0
    return Rounding(edge, ball)


def _dice(
    rng: np.random.Generator, artist: Artist, view: View, side: float, pixels: float, count: int, bounds: Ranges
) -> tuple[Die, ...]:
    """Dice that do not intersect; some touch or hide each other."""
    placed: list[tuple[Floats, float]] = []
    dice: list[Die] = []
    alike = rng.random() < 0.4
    shape, surface, rounding = artist.shape(rng), _surface(rng, bounds), None
    style = int(rng.integers(0, 2**32))
    crowd = rng.random() < 0.3
    row = _row(rng, view, side, count) if alike and rng.random() < bounds.rows and shape is Shape.CUBE else None
    for number in range(count):
        if not alike:
            shape, surface, rounding = artist.shape(rng), _surface(rng, bounds), None
        rounding = rounding or _rounding(rng, shape)
        own = side * float(rng.uniform(0.8, 1.25)) if not alike else side
        reach = own * REACH[shape]
        spot = _spot(rng, view, placed, reach, crowd) if row is None else row[0][number]
        if spot is None:
            continue
        placed.append((spot, reach))
        body = solid(shape)
        top = int(rng.integers(0, len(body.normals)))
        spin = float(rng.uniform(0, 360)) if row is None else row[1] + 90.0 * float(rng.integers(0, 4))
        rotation, lift = resting(shape, top, spin + float(rng.normal(0, 2)))
        centre = np.array([spot[0], spot[1], lift * own], np.float32)
        looks = np.random.default_rng(style) if alike else rng
        worn = artist.dress(looks, shape, _texels(pixels))
        depth = float(rng.uniform(0.02, 0.06)) if worn.engraved else 0.0
        die = Die(shape, own, centre, rotation, worn.texture, rounding, surface, depth, top, worn.keys[top])
        dice.append(die)
    return tuple(dice)


def _texels(pixels: float) -> int:
    """Side of a face's texture for dice of this size in the picture."""
    return 64 if pixels < 45 else 128 if pixels < 110 else 192


def _row(rng: np.random.Generator, view: View, side: float, count: int) -> tuple[list[Floats], float] | None:
    """Positions side by side in one to three rows, as in a box or tidied up, and their turn."""
    x, y = rng.uniform(0.2, 0.8, 2)
    start = view.ground((float(x) * view.width, float(y) * view.height))
    if start is None:
        return None
    turn = float(rng.uniform(0, 360))
    along = np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn)), 0])
    across = np.array([-along[1], along[0], 0])
    pitch = side * float(rng.uniform(1.02, 1.25))
    columns = max(-(-count // int(rng.integers(1, 4))), 1)
    places = [(n % columns - columns / 2, n // columns) for n in range(count)]
    return [(start + pitch * (c * along + r * across)).astype(np.float32) for c, r in places], turn


def _spot(
    rng: np.random.Generator, view: View, placed: list[tuple[Floats, float]], reach: float, crowd: bool
) -> Floats | None:
    """A free place on the table, or None if there was none in a few tries."""
    for _ in range(12):
        if placed and (crowd or rng.random() < 0.25):
            near, other = placed[int(rng.integers(0, len(placed)))]
            angle = rng.uniform(0, 2 * np.pi)
            gap = (reach + other) * rng.uniform(0.8, 1.4)
            spot = near + gap * np.array([np.cos(angle), np.sin(angle), 0], np.float32)
        else:
            pixel = (float(rng.uniform(0, view.width)), float(rng.uniform(0, view.height)))
            found = view.ground(pixel)
            if found is None or np.linalg.norm(found) > 3 * np.linalg.norm(view.position):
                continue
            spot = found
        if all(np.linalg.norm(spot - other) > 0.8 * (reach + size) for other, size in placed):
            return spot.astype(np.float32)
    return None


def _hand(rng: np.random.Generator, view: View) -> Overlay:
    """A hand, sleeve or cup that reaches in from the border: soft round shapes, skin or cloth coloured."""
    h, w = view.height, view.width
    mask = np.zeros((h, w), np.uint8)
    side = rng.integers(0, 4)
    along = rng.uniform(0.1, 0.9)
    start = np.array([[along * w, -10], [w + 10, along * h], [along * w, h + 10], [-10, along * h]][side])
    inwards = np.array([w / 2, h / 2]) - start
    inwards /= np.linalg.norm(inwards)
    length = rng.uniform(0.05, 0.3) * w
    thick = int(rng.uniform(0.06, 0.2) * w)
    palm = start + inwards * length
    cv2.line(mask, np.rint(start).astype(int).tolist(), np.rint(palm).astype(int).tolist(), 255, thick)
    for finger in np.linspace(-0.7, 0.7, int(rng.integers(0, 5))):
        turn = np.array([[np.cos(finger), -np.sin(finger)], [np.sin(finger), np.cos(finger)]])
        tip = palm + turn @ inwards * thick * rng.uniform(0.6, 1.4)
        ends = [np.rint(end).astype(int).tolist() for end in (palm, tip)]
        cv2.line(mask, ends[0], ends[1], 255, max(thick // 4, 2))
    skin = np.array([120, 150, 205], np.float32) * rng.uniform(0.35, 1.15)
    colour = skin if rng.random() < 0.6 else hsv(rng, (0, 0.9), (0.05, 0.9))
    distance = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / max(thick / 2, 1)
    round_shade = 0.55 + 0.45 * np.sqrt(np.clip(distance, 0, 1))
    linear = (np.clip(colour, 0, 255) / 255) ** 2 * round_shade[..., None] * float(rng.uniform(0.6, 1.2))
    alpha = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.7, 3)).astype(np.float32) / np.float32(255)
    return Overlay(linear.astype(np.float32), alpha)


def readable(visible: float) -> bool | None:
    """Whether a die is visible (True) or hidden (False), or makes its picture unsuitable for training (None)."""
    if visible >= FACE_WORTH_READING:
        return True
    return False if visible < 0.25 else None

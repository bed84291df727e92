"""How dice fall on a table: rigid bodies by Bullet, which know nothing of how they will be seen.

What lies there when all is quiet is what was thrown: nobody chooses the faces. Throws that no player would count (a die
leant against another, off the picture, hidden) are thrown again before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from training.pathtrace.camera import LensCamera
from training.pathtrace.engine import package
from training.pathtrace.labels import VISIBLE, PlacedDie, apart, inside, label, outline
from training.pathtrace.solids import Build, Floats, Pose, frames, outer_corners, vertices

CENTIMETRE = 10.0
"""Millimetres of Bullet's unit here; it is made for bodies of about one unit."""

RATE = 240.0
"""Poses a second that are kept."""

STEPS = 4
"""Steps of the reckoning between two poses."""

LONGEST = 2.6
"""Seconds after which a throw that has not come to rest is given up."""

STILL = 0.12
"""Millimetres that a corner may still creep when its die counts as lying still: a fifth of a pixel or so."""

SMALLEST = 24.0
"""Pixels of a top face's side."""

TRIES = 400


@dataclass(frozen=True, eq=False, slots=True)
class Fall:
    """One throw's way through time, `RATE` poses a second from the moment the dice leave the hand."""

    centres: Floats
    """(T, N, 3) mm."""
    turns: Floats
    """(T, N, 3, 3) from the dice's axes to the world's."""
    rest: tuple[PlacedDie, ...]
    """How the N dice lie in the end."""
    enters: float
    """Seconds until the first of them comes into the picture."""
    ends: float
    """Seconds until the last of them lies still."""

    def at(self, seconds: float) -> tuple[Pose, ...]:
        """Where the dice are at a time."""
        index = int(np.clip(round(seconds * RATE), 0, len(self.centres) - 1))
        return tuple(Pose(*pose) for pose in zip(self.turns[index], self.centres[index], strict=True))


def throw(
    rng: np.random.Generator, builds: Sequence[Build], camera: LensCamera, lying: Sequence[PlacedDie] = (),
    obstacles: Sequence[Floats] = (),
) -> Fall:  # fmt: skip
    """Throw dice among those that lie there (which stay as they are) and things ((V, 3) points of convex bodies).

    Raises ValueError when in `TRIES` throws the dice never came to lie well: the table is too small or too full.
    """
    for _ in range(TRIES):
        fall = _thrown(rng, builds, camera, lying, obstacles)
        if fall is not None:
            return fall
    raise ValueError(f"expected room for {len(builds)} dice beside {len(lying)}, found none in {TRIES} throws")


def _thrown(
    rng: np.random.Generator, builds: Sequence[Build], camera: LensCamera, lying: Sequence[PlacedDie],
    obstacles: Sequence[Floats],
) -> Fall | None:  # fmt: skip
    """One throw; None if it does not end well."""
    world = _World()
    try:
        world.setGravity(0, 0, -981.0)
        world.setTimeStep(1 / RATE / STEPS)
        world.createMultiBody(0, world.createCollisionShape(world.bullet.GEOM_PLANE))
        for points in [*obstacles, *(outer_corners(die.build, die.pose) for die in lying)]:
            _body(world, points, np.zeros(3), 0.0)
        for number in range(world.getNumBodies()):
            world.changeDynamics(
                number, -1, lateralFriction=0.55, restitution=0.45, rollingFriction=0.002, spinningFriction=0.01
            )
        bodies = [_cast(rng, world, build, start, way) for build, start, way in _hand(rng, builds, camera)]
        centres, turns = _followed(world, bodies)
    finally:
        world.disconnect()
    return _judged(builds, camera, lying, centres, turns)


class _World:
    """Bullet's functions, called in a world of their own."""

    def __init__(self) -> None:
        self.bullet = package("pybullet")
        self._number = self.bullet.connect(self.bullet.DIRECT)

    def __getattr__(self, name: str) -> Any:
        return partial(getattr(self.bullet, name), physicsClientId=self._number)


def _body(world: _World, points: Floats, centre: Floats, mass: float) -> int:
    """The convex body around (V, 3) points about `centre`, in mm; it never moves if it has no mass."""
    hull = world.createCollisionShape(world.bullet.GEOM_MESH, vertices=(points / CENTIMETRE).tolist())
    body = int(world.createMultiBody(mass, hull, basePosition=(centre / CENTIMETRE).tolist()))
    world.changeDynamics(body, -1, collisionMargin=0.004)
    return body


def _hand(
    rng: np.random.Generator, builds: Sequence[Build], camera: LensCamera
) -> list[tuple[Build, Floats, Floats]]:
    """Where each die leaves the hand, which is outside the picture, and its velocity (mm, mm/s)."""
    width, height = camera.width, camera.height
    side = str(rng.choice(["below", "left", "right"], p=[0.6, 0.2, 0.2]))
    along = float(rng.uniform(0.25, 0.75))
    border = {"below": (along * width, height), "left": (0, along * height), "right": (width, along * height)}
    edge = camera.on_table(border[side])
    aim = camera.on_table((float(rng.uniform(0.4, 0.6)) * width, float(rng.uniform(0.35, 0.6)) * height))
    way = (aim - edge)[:2]
    far = float(np.linalg.norm(way))
    way /= far
    across = np.array([-way[1], way[0]])
    speed = far * float(rng.uniform(8.5, 13.0))
    leaving: list[tuple[Build, Floats, Floats]] = []
    spread = (np.arange(len(builds)) - (len(builds) - 1) / 2) * 20.0
    for build, aside in zip(builds, rng.permutation(spread), strict=True):
        place = edge[:2] - way * float(rng.uniform(30, 75)) + across * (aside + float(rng.uniform(-3, 3)))
        start = np.array([*place, float(rng.uniform(18, 60))])
        straight = way + across * float(rng.normal(0, 0.22)) + across * aside / 300
        flat = straight * speed * float(rng.uniform(0.75, 1.2))
        velocity = np.array([*flat, float(rng.uniform(-200, 150))])
        leaving.append((build, start, velocity))
    return leaving


def _cast(rng: np.random.Generator, world: _World, build: Build, start: Floats, velocity: Floats) -> int:
    body = _body(world, vertices(build), start, 4.0)
    turn = rng.standard_normal(4)
    world.resetBasePositionAndOrientation(body, (start / CENTIMETRE).tolist(), (turn / np.linalg.norm(turn)).tolist())
    world.resetBaseVelocity(body, (velocity / CENTIMETRE).tolist(), rng.uniform(-35, 35, 3).tolist())
    world.changeDynamics(
        body, -1, lateralFriction=0.5, restitution=0.4, rollingFriction=0.004, spinningFriction=0.02,
        linearDamping=0.05, angularDamping=0.12,
    )  # fmt: skip
    return body


def _followed(world: _World, bodies: Sequence[int]) -> tuple[Floats, Floats]:
    """The dice's ways until `LONGEST`, or until they have long lain still."""
    centres: list[Floats] = []
    turns: list[Floats] = []
    quiet = 0
    for _ in range(round(LONGEST * RATE)):
        places = [world.getBasePositionAndOrientation(body) for body in bodies]
        centres.append(np.array([place for place, _ in places]) * CENTIMETRE)
        turns.append(np.array([world.getMatrixFromQuaternion(turn) for _, turn in places], float).reshape(-1, 3, 3))
        moved = len(centres) > 1 and float(np.abs(turns[-1] - turns[-2]).max()) > 1e-4
        quiet = 0 if moved or len(centres) < RATE / 4 else quiet + 1
        if quiet > RATE / 4:
            break
        for _ in range(STEPS):
            world.stepSimulation()
    return np.array(centres), np.array(turns)


def _judged(
    builds: Sequence[Build], camera: LensCamera, lying: Sequence[PlacedDie], centres: Floats, turns: Floats
) -> Fall | None:
    """The throw if every die lies flat, whole in the picture, to be seen, and apart from the others."""
    rest: list[PlacedDie] = []
    for build, centre, turn in zip(builds, centres[-1], turns[-1], strict=True):
        heights = frames(build.shape).normals @ turn[2]
        top = int(heights.argmax())
        if heights[top] < 0.9995 or abs(float(centre[2]) - build.size / 2) > 0.6:
            return None
        rest.append(PlacedDie(build, Pose(turn, centre), top))
    everything = [*lying, *rest]
    prints = [outline(outer_corners(die.build, die.pose)) for die in everything]
    for number, die in enumerate(everything):
        others = [*everything[:number], *everything[number + 1 :]]
        if not inside(outer_corners(die.build, die.pose), camera, 12.0):
            return None
        seen = label(die, "", camera, others)
        if seen.visible < VISIBLE or seen.side < SMALLEST:
            return None
        if not all(apart(prints[number], other, 0.3) for other in prints[:number]):
            return None
    away = np.zeros(len(centres))
    """(T,) mm that the farthest corner of any die is from where it ends."""
    for number, build in enumerate(builds):
        there = np.einsum("tij,kj->tki", turns[:, number], vertices(build)) + centres[:, number, None]
        away = np.maximum(away, np.linalg.norm(there - there[-1], axis=2).max(axis=1))
    moving = np.nonzero(away > STILL)[0]
    pixels = camera.project(centres)
    shown = (pixels > -30) & (pixels < (camera.width + 30, camera.height + 30))
    within = np.any(np.all(shown, axis=2), axis=1)
    if not len(moving) or moving[-1] + 1 >= len(centres) - 2 or not within.any():
        return None
    enters, ends = float(np.nonzero(within)[0][0]) / RATE, float(moving[-1] + 1) / RATE
    return Fall(centres, turns, tuple(rest), enters, ends)

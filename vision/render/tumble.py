"""Moves thrown dice: a die flies in, rolls, hops, tips over its last edge and lies still.

This is kinematics, not physics: the final pose is drawn at random first, and the path to it is computed backwards, so
that the die ends exactly there. Lengths are millimetres in the world of `vision.render.view`, times are seconds since
the throw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.dicesets.shapes import Shape
from vision.frame import Floats
from vision.render.solid import solid

LAST_EDGE = 0.8
"""Share of the time after which a die tips over its last edge."""

TIPPING = 0.73
"""Angle by which a die leans on that edge, in radians."""


@dataclass(frozen=True, slots=True, eq=False)
class TumblePose:
    """The pose of a die."""

    centre: Floats
    """(3,) in the world."""
    rotation: Floats
    """(3, 3) from the die's coordinates to the world's."""
    moving: bool


@dataclass(frozen=True, slots=True, eq=False)
class Tumble:
    """The path of one die from outside the picture to its place."""

    shape: Shape
    side: float
    entry: Floats
    """(2,) start, on the table's plane."""
    rest: Floats
    """(2,) end."""
    rotation: Floats
    """(3, 3) final rotation."""
    begins: float
    lasts: float
    turns: float
    """Number of rolls."""
    spin: float
    """Number of turns about the vertical."""
    hop: float
    """Height of its first hop, in sides."""

    @property
    def ends(self) -> float:
        """Time at which it lies still."""
        return self.begins + self.lasts

    def pose(self, time: float) -> TumblePose:
        """The die's pose at a time: at its start before the throw, at rest after it."""
        u = float(np.clip((time - self.begins) / self.lasts, 0.0, 1.0))
        if u == 1.0:
            return self._placed(self.rest, self.rotation, 0.0, moving=False)
        travel = self.rest - self.entry
        place = (self.entry + travel * (1 - (1 - u) ** 2.2)).astype(np.float32)
        heading = travel / max(float(np.linalg.norm(travel)), 1e-6)
        # Rolling forwards turns about the horizontal to the left of the heading.
        axle = np.array([-heading[1], heading[0], 0.0], np.float32)
        # It slows down up to the last edge, then falls.
        if u < LAST_EDGE:
            lean = TIPPING + (2 * np.pi * self.turns - TIPPING) * (1 - u / LAST_EDGE) ** 1.7
        else:
            lean = TIPPING * (1 - ((u - LAST_EDGE) / (1 - LAST_EDGE)) ** 2)
        left = rotation_about(axle, -float(lean))
        spun = rotation_about(np.array([0, 0, 1], np.float32), 2 * np.pi * self.spin * (1 - u) ** 2)
        hop = self.hop * self.side * (1 - u) ** 2 * abs(np.cos(2.5 * np.pi * u))
        rotation = (spun @ left @ self.rotation).astype(np.float32)
        return self._placed(place, rotation, hop if u < LAST_EDGE else 0.0, moving=True)

    def _placed(self, place: Floats, rotation: Floats, hop: float, *, moving: bool) -> TumblePose:
        """Put the die's lowest vertex on the table, and lift it by the hop."""
        lowest = float((solid(self.shape).vertices @ rotation[2]).min())
        height = -lowest * self.side + hop
        centre = np.array([place[0], place[1], height], np.float32)
        return TumblePose(centre, rotation.astype(np.float32), moving)


def rotation_about(axis: Floats, angle: float) -> Floats:
    """The (3, 3) rotation by `angle` radians about a unit (3,) axis (Rodrigues' formula)."""
    x, y, z = (float(v) for v in axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross).astype(np.float32)

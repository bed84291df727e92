"""Matches the dice of two readings: which were left lying, nudged or set aside, and which were thrown again.

Dice of one set look alike, so a die is recognised by its place, its turn and its face. A thrown die may come to rest
where another was and show its face; the limits below are tight enough to make this rare (see `matching`). Lengths are
in widths of the die, so that the camera's distance and resolution do not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import cos, dist, hypot, log, pi, sin
from statistics import median

from table.tracked_die import TrackedDie
from vision.boxes import middles_apart
from vision.frame import Point

LAY_WITHIN, LAY_TURNED = 0.35, 14.0
"""A die that lay still has moved by at most so many widths and turned by at most so many degrees."""

NUDGED_WITHIN, NUDGED_TURNED = 0.45, 20.0
"""The same for a die that was nudged, unless it is known to be held."""

UNTOUCHED_WITHIN, UNTOUCHED_TURNED = 0.15, 6.0
"""The same for an untouched die on which another face is read now. One thrown die in 30,000 comes to rest like that."""

EXPECTED_WITHIN = 2.0
"""A die that is known to be held may have been pushed this far, and turned by any angle."""


class Stay(StrEnum):
    """How a die is recognised."""

    LAY = "lay"
    NUDGED = "nudged"
    SET_ASIDE = "set aside"
    """Carried elsewhere, with the same face up."""


@dataclass(frozen=True, slots=True)
class SamePair:
    """Die `before` of the first reading is die `after` of the second."""

    before: int
    after: int
    stay: Stay


@dataclass(frozen=True, slots=True)
class Matching:
    """The comparison of two readings; numbers are places in them, from 0."""

    pairs: tuple[SamePair, ...]
    """In the order of the second reading."""
    came: tuple[int, ...]
    """Dice of the second reading that were thrown or put there."""
    went: tuple[int, ...]
    """Dice of the first reading that are not recognised."""

    @property
    def stayed(self) -> tuple[int, ...]:
        """The dice of the second reading that were in the first …"""
        return tuple(one.after for one in self.pairs)

    @property
    def order(self) -> tuple[int, ...]:
        """… and the die of the first that each of them is."""
        return tuple(one.before for one in self.pairs)


def apart(first: TrackedDie, second: TrackedDie) -> float:
    """Distance of two dice, in widths of the first."""
    return dist(first.read.centre, second.read.centre) / max(first.width, 1e-6)


def turned(first: TrackedDie, second: TrackedDie) -> float:
    """Angle between two dice in degrees; a square looks the same every 90°, a triangle every 120°."""
    alike = 360.0 / len(first.read.corners)
    return abs((second.turn - first.turn + alike / 2) % alike - alike / 2)


def matching(
    before: Sequence[TrackedDie], after: Sequence[TrackedDie], expected: Collection[int] | None = None
) -> Matching:
    """The dice of `before` that are in `after`.

    `expected` are those of `before` known to be held, because people said so or they lay there alone while the others
    were in somebody's hand. These may have been pushed or set aside, and no others are recognised. Without `expected`,
    only dice that have hardly moved are recognised. By chance about one throw of five dice in a hundred has a thrown
    die at such a place with that face: five times five pairs, 0.6 square widths of some 190 of a table, one face in
    six, one turn in two.
    """
    ways: list[tuple[int, float, int, int, Stay]] = []
    for i, die in enumerate(before):
        if expected is not None and i not in expected:
            continue
        for j, other in enumerate(after):
            stay = _stay(die, other, known=expected is not None)
            if stay is not None:
                ways.append((list(Stay).index(stay), apart(die, other), i, j, stay))
    pairs: list[SamePair] = []
    for _, _, i, j, stay in sorted(ways):
        if all(i != one.before and j != one.after for one in pairs):
            pairs.append(SamePair(i, j, stay))
    known_before, known_after = {one.before for one in pairs}, {one.after for one in pairs}
    return Matching(
        tuple(sorted(pairs, key=lambda one: one.after)),
        tuple(j for j in range(len(after)) if j not in known_after),
        tuple(i for i in range(len(before)) if i not in known_before),
    )


def _stay(die: TrackedDie, other: TrackedDie, *, known: bool) -> Stay | None:
    if die.read.shape != other.read.shape:
        return None
    far, turn = apart(die, other), turned(die, other)
    # A die whose reading people corrected will be misread again.
    alike = other.face in (die.face, die.read.face)
    if far < LAY_WITHIN and turn < LAY_TURNED and (alike or not other.certain):
        return Stay.LAY
    if not other.certain:  # if a side was outlined, the box shows where the die is, but nothing shows how it is turned
        boxes = middles_apart(die.read.box, other.read.box) / max(die.width, 1e-6)
        if min(far, boxes) < NUDGED_WITHIN:
            return Stay.NUDGED
    if not alike:
        return Stay.LAY if far < UNTOUCHED_WITHIN and turn < UNTOUCHED_TURNED else None
    if far < NUDGED_WITHIN and turn < NUDGED_TURNED:
        return Stay.NUDGED
    if known:
        return Stay.NUDGED if far < EXPECTED_WITHIN else Stay.SET_ASIDE
    return None


def only_moved(before: Sequence[TrackedDie], after: Sequence[TrackedDie]) -> Matching | None:
    """The matching if `after` is only what is left of `before`; None if it has a die that was not there.

    Dice may have been taken away, nudged or set aside: each one that is left shows a face that was there.
    """
    found = matching(before, after, expected=range(len(before)))
    return None if found.came else found


def lie_alike(before: Iterable[TrackedDie], after: Iterable[TrackedDie]) -> bool:
    """Whether the same dice lie where they were: each within half its box and with the same face."""
    rest = list(after)
    for die in before:
        x0, y0, x1, y1 = die.read.box
        near = [one for one in rest if one.read.face == die.read.face]
        near = [one for one in near if dist(one.read.centre, die.read.centre) < max(x1 - x0, y1 - y0) / 2]
        if not near:
            return False
        rest.remove(min(near, key=lambda one, die=die: dist(one.read.centre, die.read.centre)))
    return not rest


def held_places(
    faces: Sequence[str], kept: Sequence[str], likely: Collection[int] = ()
) -> frozenset[int]:  # fmt: skip
    """The first places, from 1, of the kept faces; `likely` places come before all others."""
    left, places = list(kept), set[int]()
    for place, face in sorted(enumerate(faces, start=1), key=lambda lying: lying[0] not in likely):
        if face in left:
            left.remove(face)
            places.add(place)
    return frozenset(places)


def leaning(faces: Sequence[Sequence[Point]]) -> tuple[int, ...]:
    """The places (from 0) of cocked dice: top faces, corners in pixels, that are foreshortened unlike the others.

    Foreshortening is the ratio of a face's axes under the affine map from a regular polygon. Flat dice agree on it
    within some hundredths; fewer than three faces do not show it. The camera is assumed to be so far away that the
    whole table has the same tilt.
    """
    if len(faces) < LEAST_TO_COMPARE:
        return ()
    ratios = [_axes(face) for face in faces]
    usual = median(ratios)
    return tuple(i for i, ratio in enumerate(ratios) if abs(log(max(ratio, 1e-3) / max(usual, 1e-3))) > LEANS)


LEAST_TO_COMPARE = 3
LEANS = 0.36
"""A die is cocked if this ratio differs by at least this natural logarithm from the others': it leans by some 45°."""


def _axes(face: Sequence[Point]) -> float:
    """Ratio of the shorter axis of a face to the longer, 1 for a regular polygon."""
    sides = len(face)
    x0, y0 = sum(x for x, _ in face) / sides, sum(y for _, y in face) / sides
    a = b = c = d = 0.0
    for i, (x, y) in enumerate(face):
        turn = 2 * pi * i / sides
        a, b = a + (x - x0) * cos(turn), b + (x - x0) * sin(turn)
        c, d = c + (y - y0) * cos(turn), d + (y - y0) * sin(turn)
    sum_, difference = hypot(a + d, c - b), hypot(a - d, c + b)
    return abs(sum_ - difference) / max(sum_ + difference, 1e-9)

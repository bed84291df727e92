"""Judges what was found by how many dice should lie on the table.

A game knows that number. If exactly as many are found, hardly any of them is something else: a real die would have to
be missed at the same time. If more are found, those that look least like dice are not dice. If fewer are found, things
that look a little like dice are worth a question. The odds are measured in `docs/research/reading.md`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from vision.confidence import LEAST_ODDS
from vision.reading import UNKNOWN, DieReading

IF_ODD: Final = 20.0
"""Factor on the odds that a find is not one of the dice, if it looks odd (`vision.foreign`) and there are too many. 40
of 3,897 dice of the set itself looked odd, and all of 411 dice of other sets among them that were read as surely."""
AS_MANY: Final = 10.0
"""Factor on the odds that a find is a die, if exactly as many are found as should lie there."""


def expected(
    found: Sequence[DieReading], number: int, certain_from: float
) -> tuple[tuple[DieReading, bool], ...]:  # fmt: skip
    """The dice in a reading of a table on which `number` should lie, each with whether it is certain, so that nobody is
    asked about it.

    `certain_from` is the least confidence for that (`Reading.certain_from`). Surplus finds are left out if it is clear
    enough which they are; nothing is added.
    """
    dice = _without_too_many(found, number, certain_from)
    as_many = len(dice) == number
    return tuple((one, one.certain or (as_many and _certain(one, certain_from))) for one in dice)


def missing(found: int, faint: Sequence[DieReading], number: int) -> tuple[DieReading, ...]:
    """The likeliest `faint` finds, just enough to make `number` together with the `found` dice; none if they are too
    few for that, or if no die is missing."""
    likeliest = sorted((one for one in faint if one.face != UNKNOWN), key=lambda one: -one.die)
    enough = 0 < number - found <= len(likeliest)
    return tuple(likeliest[: number - found]) if enough else ()


def _without_too_many(found: Sequence[DieReading], number: int, certain_from: float) -> list[DieReading]:
    """The finds without the surplus ones, if it is clear enough which these are; otherwise all of them."""
    extra = len(found) - number
    doubts = {one: (IF_ODD if one.odd else 1) * (1 - one.die) / max(one.die, LEAST_ODDS) for one in found}
    worst = sorted(found, key=lambda one: -doubts[one])[: max(extra, 0)]
    ways = [1.0] + [0.0] * len(worst)
    """For each number of finds, the odds that so many are not dice, summed over all ways to choose them."""
    for doubt in doubts.values():
        for n in range(len(worst), 0, -1):
            ways[n] += doubt * ways[n - 1]
    surely_none = math.prod(doubts[one] for one in worst) > certain_from * ways[-1]
    if not surely_none or any(one.certain for one in worst):
        return list(found)
    return [one for one in found if one not in worst]


def _certain(one: DieReading, certain_from: float) -> bool:
    """Whether a find becomes certain that was doubted only because it might not be a die, now that this is unlikely."""
    as_die = AS_MANY * one.die / (AS_MANY * one.die + 1 - one.die)
    return one.distinct and min(one.confidence / max(one.die, LEAST_ODDS), 1.0) * as_die >= certain_from

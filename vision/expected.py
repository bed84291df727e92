"""Uses the number of dice that should lie there to judge what was found.

A game says how many dice belong on the table. Where just as many are found, one of them is hardly something else: a
real die would have to be missed at the same time. Where more are found, the ones that look least like dice are none.
Where fewer are, what looks a little like a die is worth asking about. The odds are measured in
`docs/research/reading.md`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from vision.confidence import LEAST_ODDS
from vision.reading import UNKNOWN, DieReading

IF_ODD: Final = 20.0
"""Factor on the odds that a find is none of the dice, if it looks like none of them and there are too many finds. By
their faces alone 40 of 3,873 dice of a set look so, and 154 of 183 dice of other sets that are read as surely."""
AS_MANY: Final = 10.0
"""Factor on the odds that a find is a die, if exactly as many are found as should lie there."""


def expected(
    found: Sequence[DieReading], number: int, certain_from: float
) -> tuple[tuple[DieReading, bool], ...]:  # fmt: skip
    """The dice of one reading of a table on which `number` should lie, each with whether nobody need be asked about it.

    `certain_from` is the least confidence for that (`Reading.certain_from`). Finds that are too many are left out where
    it is sure enough which they are; nothing is added.
    """
    dice = _without_too_many(found, number, certain_from)
    as_many = len(dice) == number
    return tuple((one, one.certain or (as_many and _certain(one, certain_from))) for one in dice)


def missing(found: int, faint: Sequence[DieReading], number: int) -> tuple[DieReading, ...]:
    """The likeliest of what is faint that may be the dice missing of `number` where `found` are there; none of it
    where that does not make them all."""
    likeliest = sorted((one for one in faint if one.face != UNKNOWN), key=lambda one: -one.die)
    enough = 0 < number - found <= len(likeliest)
    return tuple(likeliest[: number - found]) if enough else ()


def _without_too_many(found: Sequence[DieReading], number: int, certain_from: float) -> list[DieReading]:
    """The finds without those that are too many, if it is sure enough which these are; otherwise all of them."""
    extra = len(found) - number
    doubts = {one: (IF_ODD if one.odd else 1) * (1 - one.die) / max(one.die, LEAST_ODDS) for one in found}
    worst = sorted(found, key=lambda one: -doubts[one])[: max(extra, 0)]
    ways = [1.0] + [0.0] * len(worst)
    """For each number of finds, the odds that so many are no dice, summed over all ways to choose them."""
    for doubt in doubts.values():
        for n in range(len(worst), 0, -1):
            ways[n] += doubt * ways[n - 1]
    surely_none = math.prod(doubts[one] for one in worst) > certain_from * ways[-1]
    if not surely_none or any(one.certain for one in worst):
        return list(found)
    return [one for one in found if one not in worst]


def _certain(one: DieReading, certain_from: float) -> bool:
    """Whether a find that is doubted only because it may be no die becomes certain once that is unlikely."""
    as_die = AS_MANY * one.die / (AS_MANY * one.die + 1 - one.die)
    return one.distinct and min(one.confidence / max(one.die, LEAST_ODDS), 1.0) * as_die >= certain_from

"""A second solver of Meet Fate, for small sheets: every outcome of every throw counted one by one, in fractions.

It shares nothing with `advice` but the points of a box: no lattice, no tables, no floating point.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from scoring.games.meet_fate.sheet import FACES, box_points
from scoring.options import Options

Roll = tuple[str, ...]
ROLLS = tuple(combinations_with_replacement(FACES, 6))
EIGHTS: Roll = ("8",) * 6


def ways(roll: Roll) -> int:
    """In how many orders these dice can fall."""
    return factorial(len(roll)) // prod(factorial(n) for n in Counter(roll).values())


@cache
def outcomes() -> dict[Roll, tuple[tuple[Roll, int], ...]]:
    """For every kept multiset, the full rolls that throwing the others can make, with their numbers of ways."""
    found: dict[Roll, tuple[tuple[Roll, int], ...]] = {}
    for size in range(7):
        thrown = [(roll, ways(roll)) for roll in combinations_with_replacement(FACES, 6 - size)]
        for keep in combinations_with_replacement(FACES, size):
            found[keep] = tuple((tuple(sorted(keep + roll)), n) for roll, n in thrown)
    return found


@cache
def keeps() -> dict[Roll, tuple[Roll, ...]]:
    """For every roll, the multisets that can be kept out of it."""
    return {roll: tuple({kept for size in range(7) for kept in combinations(roll, size)}) for roll in ROLLS}


def best_total(
    boxes: tuple[str, ...], options: Options, eights: int | None = None, upper: int = 0
) -> Fraction:
    """The best expected points of a sheet with just these boxes open.

    In whole numbers: three throws of six dice have 8^18 outcomes, so a sheet of n boxes has a unit of 8^-18n.
    """
    one_throw = options.text("f8_mode") == "one-throw"
    bonus, least = options.number("upper_bonus"), options.number("upper_bonus_from")
    throws, keeping = 8**6, outcomes()

    @cache
    def worth(left: tuple[str, ...], upper: int) -> int:
        if not left:
            return 0
        unit = throws ** (3 * (len(left) - 1))

        def filled(box: str, roll: Roll) -> int:
            points = box_points(box, roll, options)
            after = upper + points if bonus and box in FACES else upper
            earned = bonus if upper < least <= after else 0
            return (points + earned) * unit + worth(tuple(one for one in left if one != box), after)

        values = {roll: max(filled(box, roll) for box in left) for roll in ROLLS}
        for again in range(3):
            if eights is not None and not one_throw:
                values[EIGHTS] = eights * unit
            kept = {keep: mean(keep, values, unit) for keep in keeping if again < 2 or not keep}
            unit *= throws
            if again < 2:
                values = {roll: max(kept[keep] for keep in keeps()[roll]) for roll in ROLLS}
        return kept[()]

    def mean(keep: Roll, values: dict[Roll, int], unit: int) -> int:
        found = sum(values[roll] * n for roll, n in keeping[keep])
        if eights is not None and one_throw and not keep:
            found += eights * unit - values[EIGHTS]
        return found * 8 ** len(keep)

    return Fraction(worth(boxes, upper), throws ** (3 * len(boxes)))

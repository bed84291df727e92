"""Exact chances of Outback's groups (RULINGS 5.9), as counts of rolls and as fractions.

Dice are fair and have one of each face. A joker needs a real animal beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial

from scoring.dice import Face
from scoring.games.outback.dice import ANIMALS, FACES, JOKER, biggest


@cache
def distinct_rolls(dice: int) -> tuple[tuple[tuple[Face, ...], int], ...]:
    """Every roll as a multiset, with the number of ways it can come: 462 for six dice, 792 for seven."""
    return tuple((roll, _ways(roll)) for roll in combinations_with_replacement(FACES, dice))


def _ways(roll: tuple[Face, ...]) -> int:
    ways = factorial(len(roll))
    for face in FACES:
        ways //= factorial(roll.count(face))
    return ways


def rolls_with_group(dice: int, size: int, kinds: int = len(ANIMALS)) -> int:
    """Of the 6**dice rolls, how many have a group of `size` or more of one of the first `kinds` animals.

    Which animals are on the jeep makes no difference, only how many kinds there are.
    """
    wanted = ANIMALS[:kinds]
    best = ((max(biggest(roll, animal) for animal in wanted), ways) for roll, ways in distinct_rolls(dice))
    return sum(ways for group, ways in best if group >= size)


def group_chance(
    size: int, dice: int, throws: int, roll: tuple[Face, ...] = (), animal: Face = ANIMALS[0]
) -> Fraction:
    """The chance of a group of `size` or more of one animal with `throws` left, keeping it and all jokers.

    `roll` is what lies there now, all dice of it; () before the first throw. That policy is the one of
    RULINGS 5.9. It is not the best one while no real animal lies there: then spare jokers are better thrown
    again.
    """
    real, jokers = roll.count(animal), roll.count(JOKER)
    left = dice - real - jokers
    chance = Fraction(0)
    for more_real, more_jokers, probability in _outcomes(left, throws):
        if real + more_real and real + more_real + jokers + more_jokers >= size:
            chance += probability
    return chance


def _outcomes(dice: int, throws: int) -> Iterator[tuple[int, int, Fraction]]:
    """How many of so many dice end as the animal and how many as jokers, with the chance of each."""
    missed = Fraction(2, 3) ** throws
    hit = (1 - missed) / 2
    for real in range(dice + 1):
        for jokers in range(dice + 1 - real):
            ways = comb(dice, real) * comb(dice - real, jokers)
            yield real, jokers, ways * hit ** (real + jokers) * missed ** (dice - real - jokers)

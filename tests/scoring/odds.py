"""Exact chances with fair dice that have one of each face, as fractions.

The dice that lie on the table are a multiset, so the engine works on counts: `counts[i]` dice show the i-th
face. All numbers are exact; nothing is rolled and nothing is estimated. A model, not the dice in the hand:
whether real dice are fair is for the table to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, factorial, prod
from typing import TypeAlias

from advice.lattice import parts
from scoring.dice import Dice, Face

Counts: TypeAlias = tuple[int, ...]
"""How many dice show each face, in the order of the dice's faces."""

Worth: TypeAlias = Callable[[Counts], int]
"""What a roll is worth: points, or 1 for what is wanted and 0 for what is not."""


def counted(dice: Dice, faces: tuple[Face, ...]) -> Counts:
    """A roll as counts."""
    return tuple(faces.count(face) for face in dice.faces)


def spread(dice: Dice, counts: Counts) -> tuple[Face, ...]:
    """Counts as a roll."""
    return tuple(face for face, n in zip(dice.faces, counts, strict=True) for _ in range(n))


def of_faces(dice: Dice, worth: Callable[[tuple[Face, ...]], int]) -> Worth:
    """A worth of faces as a worth of counts."""
    return lambda counts: worth(spread(dice, counts))


def throws(dice: Dice) -> Iterator[tuple[Counts, int]]:
    """Every distinct throw of all dice, and in how many of the `total` ordered throws it comes."""
    lattice = _lattice(dice.count, len(dice.faces))
    for counts in lattice.by_size[dice.count]:
        yield counts, factorial(dice.count) // prod(factorial(n) for n in counts)


def total(dice: Dice) -> int:
    """How many ordered throws there are: 8^6, 6^5, …."""
    return len(dice.faces) ** dice.count


def count(dice: Dice, worth: Worth) -> int:
    """The sum of the worth over all ordered throws; for a 0/1 worth, how many throws are wanted."""
    return sum(worth(counts) * ways for counts, ways in throws(dice))


def mean(dice: Dice, worth: Worth) -> Fraction:
    """The mean worth of one throw; for a 0/1 worth, its probability."""
    return Fraction(count(dice, worth), total(dice))


def none_of(wanted: int, deck: int, hand: int) -> Fraction:
    """The probability that a hand out of a shuffled deck holds none of the wanted cards."""
    return Fraction(comb(deck - wanted, hand), comb(deck, hand))


@dataclass(frozen=True)
class _Lattice:
    """Every multiset of up to so many dice, by size, with the multisets that one more die leads to."""

    by_size: tuple[tuple[Counts, ...], ...]
    above: tuple[tuple[tuple[int, ...], ...], ...]
    """above[m][i][f] is the place in by_size[m + 1] of by_size[m][i] with one more die showing face f."""


@cache
def _lattice(dice: int, faces: int) -> _Lattice:
    by_size = tuple(tuple(_multisets(size, faces)) for size in range(dice + 1))
    places = [{counts: i for i, counts in enumerate(level)} for level in by_size]
    above = tuple(
        tuple(
            tuple(places[size + 1][(*counts[:f], counts[f] + 1, *counts[f + 1 :])] for f in range(faces))
            for counts in level
        )
        for size, level in enumerate(by_size[:-1])
    )
    return _Lattice(by_size, above)


def _multisets(size: int, faces: int) -> Iterator[Counts]:
    if faces == 1:
        yield (size,)
        return
    for first in range(size, -1, -1):
        for rest in _multisets(size - first, faces - 1):
            yield (first, *rest)


class Chase:
    """Best play for a worth: which dice to keep with so many throws left, and the mean worth it gives.

    `left` counts throws still to come; a fresh turn of three throws has 3 left and nothing lying. At most
    `rerolled` dice may be thrown again at a time (all of them by default). Standing is always allowed.
    Built once (some milliseconds for six d8), then asked as often as one likes.
    """

    def __init__(self, dice: Dice, worth: Worth, most_left: int, rerolled: int | None = None) -> None:
        """`most_left` is the largest number of throws left that will be asked for."""
        self.dice = dice
        self._fewest = dice.count - (dice.count if rerolled is None else rerolled)
        self._lattice = _lattice(dice.count, len(dice.faces))
        self._places = [{counts: i for i, counts in enumerate(level)} for level in self._lattice.by_size]
        self._worth = [worth(counts) for counts in self._lattice.by_size[-1]]
        self._kept: list[list[list[int]]] = []
        values = self._worth
        for _ in range(most_left):
            self._kept.append(self._after_throwing(values))
            values = self._best_of(self._kept[-1])

    def fresh(self, left: int) -> Fraction:
        """The mean worth of a turn that begins now, with `left` throws, all dice thrown first."""
        return Fraction(self._kept[left - 1][0][0], self._unit(left))

    def best(self, lying: tuple[Face, ...], left: int) -> Fraction:
        """The mean worth under best play from the dice as they lie, with `left` throws to come."""
        if left == 0:
            return Fraction(self._worth[self._place(counted(self.dice, lying))])
        return self.keeping(self.keep(lying, left), left)

    def keeping(self, kept: tuple[Face, ...], left: int) -> Fraction:
        """The mean worth when the others are thrown now, `left` throws counting this one."""
        counts = counted(self.dice, kept)
        return Fraction(self._kept[left - 1][sum(counts)][self._place(counts)], self._unit(left))

    def keep(self, lying: tuple[Face, ...], left: int) -> tuple[Face, ...]:
        """The dice to keep: of the best choices the one that keeps most; all of them is to stand."""
        table, best, found = self._kept[left - 1], -1, counted(self.dice, lying)
        for counts in parts(counted(self.dice, lying)):
            size = sum(counts)
            if size < self._fewest:
                continue
            value = table[size][self._place(counts)]
            if value > best or (value == best and size > sum(found)):
                best, found = value, counts
        return spread(self.dice, found)

    def _after_throwing(self, values: list[int]) -> list[list[int]]:
        """For every kept multiset, the sum of `values` over what the others can show, in one unit for all.

        The unit is 1/faces^dice, so every division below is exact.
        """
        faces, dice = len(self.dice.faces), self.dice.count
        levels = [[value * faces**dice for value in values]]
        for above in reversed(self._lattice.above):
            higher = levels[-1]
            levels.append([sum(higher[i] for i in row) // faces for row in above])
        levels.reverse()
        return levels

    def _best_of(self, table: list[list[int]]) -> list[int]:
        """For every roll, the best of the multisets that can be kept out of it."""
        best = list(table[self._fewest])
        for size in range(self._fewest, self.dice.count):
            higher = list(table[size + 1])
            for row, value in zip(self._lattice.above[size], best, strict=True):
                for place in row:
                    if value > higher[place]:
                        higher[place] = value
            best = higher
        return best

    def _place(self, counts: Counts) -> int:
        return self._places[sum(counts)][counts]

    def _unit(self, left: int) -> int:
        return total(self.dice) ** left


def always_keeping(dice: Dice, worth: Worth, kept: frozenset[Face], left: int) -> Fraction:
    """The mean worth of a turn of `left` throws in which just the dice showing `kept` faces are kept.

    All dice are thrown first; what is kept stays kept.
    """
    held = tuple(face in kept for face in dice.faces)
    lattice = _lattice(dice.count, len(dice.faces))
    reached: dict[Counts, int] = {(0,) * len(dice.faces): 1}
    for throw in range(left):
        following: dict[Counts, int] = {}
        for keep, ways in reached.items():
            again = dice.count - sum(keep)
            # Throws of fewer dice come in fewer ways; the factor brings all of them to one unit.
            unit = ways * len(dice.faces) ** (dice.count - again)
            for thrown in lattice.by_size[again]:
                comes = factorial(again) // prod(factorial(n) for n in thrown)
                after = tuple(a + b for a, b in zip(keep, thrown, strict=True))
                if throw < left - 1:
                    after = tuple(n if stays else 0 for n, stays in zip(after, held, strict=True))
                following[after] = following.get(after, 0) + unit * comes
        reached = following
    return Fraction(sum(worth(counts) * ways for counts, ways in reached.items()), total(dice) ** left)

"""Every possible roll, and the value of keeping some of its dice, for many positions at once.

A roll is a multiset of faces, and dice are thrown one at a time: the value of a kept multiset is the mean, over the
faces of one more die, of the values of the resulting multisets. Working down from full rolls, this takes one addition
for each face instead of one for each roll: 10,296 additions for six eight-sided dice instead of two million. Arrays
have one column for each position ("sheet with these open boxes", "group of four koalas"), so that NumPy handles
thousands of columns in one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from advice.record import NoAdviceError
from scoring.dice import Face

Counts = tuple[int, ...]
"""Number of dice that show each face, in the order of the faces."""

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


class Lattice:
    """The multisets of up to `dice` dice with `faces` faces, and the steps between them.

    `by_size[k]` lists those of k dice, the ones with the most different faces first; `rolls` are the full ones.
    `above[k]` has shape (faces, number of size k): the index, among those of size k + 1, of the multiset with one more
    die of that face. `below[k]` has one array for each j: for the multisets of size k with more than j different faces,
    the index, among those of size k - 1, of the multiset without one die of its j-th face.
    """

    def __init__(self, dice: int, faces: int) -> None:
        """Enumerate them; use `lattice`, which keeps the result."""
        self.dice, self.faces = dice, faces
        self.by_size: list[list[Counts]] = [
            sorted(_multisets(size, faces), key=lambda counts: counts.count(0)) for size in range(dice + 1)
        ]
        self.places = [{counts: i for i, counts in enumerate(level)} for level in self.by_size]
        self.rolls = np.array(self.by_size[-1], dtype=np.int64)
        self.above = [self._above(size) for size in range(dice)]
        self.below: list[list[Places]] = [[], *(self._below(size) for size in range(1, dice + 1))]

    def place(self, counts: Counts) -> int:
        """Index of a multiset among those of its size."""
        return self.places[sum(counts)][counts]

    def chances(self, chances: Sequence[float] | None = None) -> Floats:
        """The probability of each full roll; `chances` are those of the faces, equal by default."""
        ways = np.array([factorial(self.dice) // prod(map(factorial, counts)) for counts in self.by_size[-1]])
        if chances is None:
            return np.asarray(ways / self.faces**self.dice, dtype=np.float64)
        return np.asarray(ways * np.prod(np.asarray(chances) ** self.rolls, axis=1), dtype=np.float64)

    def _above(self, size: int) -> Places:
        higher = self.places[size + 1]
        rows = [[higher[_plus(counts, f, 1)] for counts in self.by_size[size]] for f in range(self.faces)]
        return np.array(rows, dtype=np.intp)

    def _below(self, size: int) -> list[Places]:
        lower = self.places[size - 1]
        shown = [[f for f, n in enumerate(counts) if n] for counts in self.by_size[size]]
        arrays: list[Places] = []
        for j in range(min(size, self.faces)):
            both = zip(self.by_size[size], shown, strict=True)
            row = [lower[_plus(counts, different[j], -1)] for counts, different in both if len(different) > j]
            arrays.append(np.array(row, dtype=np.intp))
        return arrays


@lru_cache(maxsize=8)
def lattice(dice: int, faces: int) -> Lattice:
    """The cached lattice of so many dice."""
    return Lattice(dice, faces)


class Throwing:
    """Working memory for `width` positions at once over a lattice; not thread-safe.

    `chances` are the probabilities of the faces, equal by default. Methods return views of this memory, which the next
    call overwrites.
    """

    def __init__(self, over: Lattice, width: int, chances: Sequence[float] | None = None) -> None:
        """Allocate the memory: 3,003 rows of `width` numbers, twice, for six eight-sided dice."""
        self.over, self.width = over, width
        self._chances = None if chances is None else np.asarray(chances, dtype=np.float64)
        sizes = [len(level) for level in over.by_size]
        self._kept: list[Floats] = [np.empty((number, width)) for number in sizes]
        self._best: list[Floats] = [np.empty((number, width)) for number in sizes]
        self._spare: Floats = np.empty((sizes[-1], width))

    def thrown(self, values: Floats) -> list[Floats]:
        """For every kept multiset, the mean of `values` (rolls, width) after the other dice are thrown; by size."""
        self._kept[-1][...] = values
        for size in range(self.over.dice - 1, -1, -1):
            self._mean_of_next(self._kept[size + 1], self.over.above[size], self._kept[size])
        return self._kept

    def best_kept(self, fewest: int = 0) -> Floats:
        """For every roll, the best result of `thrown` among its subsets of at least `fewest` dice."""
        best = self._kept[fewest]
        for size in range(fewest + 1, self.over.dice + 1):
            here, rows = self._best[size], self.over.below[size]
            np.copyto(here, self._kept[size])
            for places in rows:
                part, spare = here[: len(places)], self._spare[: len(places)]
                np.take(best, places, axis=0, out=spare, mode="clip")  # in place: "raise" would copy first
                np.maximum(part, spare, out=part)
            best = here
        return best

    def _mean_of_next(self, higher: Floats, above: Places, into: Floats) -> None:
        spare = self._spare[: len(into)]
        np.take(higher, above[0], axis=0, out=into, mode="clip")
        if self._chances is None:
            for places in above[1:]:
                np.take(higher, places, axis=0, out=spare, mode="clip")
                np.add(into, spare, out=into)
            into *= 1 / self.over.faces
            return
        into *= self._chances[0]
        for places, chance in zip(above[1:], self._chances[1:], strict=True):
            np.take(higher, places, axis=0, out=spare, mode="clip")
            spare *= chance
            np.add(into, spare, out=into)


def faces_of(known: Sequence[Face], counts: Sequence[int]) -> tuple[Face, ...]:
    """Counts as faces."""
    return tuple(face for face, n in zip(known, counts, strict=True) for _ in range(n))


def counts_of(known: Sequence[Face], faces: Iterable[Face]) -> Counts:
    """Faces as counts."""
    shown = tuple(faces)
    return tuple(shown.count(face) for face in known)


def checked(known: Sequence[Face], dice: int, faces: Sequence[Face]) -> Counts:
    """Dice as counts. Raises NoAdviceError for unknown faces or a wrong number of dice."""
    if strange := [face for face in faces if face not in known]:
        raise NoAdviceError(
            "these dice have no face {strange:quoted}; they show {faces:row}",
            faces=tuple(known),
            strange=strange[0][:40],
        )
    if len(faces) != dice:
        raise NoAdviceError("this roll needs {dice:count die dice}, not {n}", dice=dice, n=len(faces))
    return counts_of(known, faces)


def parts(counts: Counts) -> Iterator[Counts]:
    """Every subset of a multiset, from none of it to all."""
    if not counts:
        yield ()
        return
    for rest in parts(counts[1:]):
        for n in range(counts[0] + 1):
            yield (n, *rest)


def _plus(counts: Counts, face: int, more: int) -> Counts:
    return (*counts[:face], counts[face] + more, *counts[face + 1 :])


def _multisets(size: int, faces: int) -> Iterator[Counts]:
    if faces == 1:
        yield (size,)
        return
    for first in range(size, -1, -1):
        for rest in _multisets(size - first, faces - 1):
            yield (first, *rest)

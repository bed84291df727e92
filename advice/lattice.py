"""Every way so many dice can lie, and what keeping some of them brings, for many positions at once.

Dice that lie there are a multiset of faces, and throwing is one die at a time: a kept multiset is worth the mean, over
the faces one more die can show, of the multiset that it makes. From the full rolls downwards that costs one addition
a face instead of one a throw: 10,296 additions for six eight-sided dice instead of two million. All arrays have a
column a position ("sheet with these open boxes", "group of four koalas"), so that NumPy does thousands of columns
with one call.
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
"""How many dice show each face, in the order of the dice's faces."""

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


class Lattice:
    """The multisets of up to `dice` dice with `faces` faces, and how they lead to one another.

    `by_size[k]` lists those of k dice, the ones with most different faces first; `rolls` are the full ones. `above[k]`
    has shape (faces, number of size k): the place, among those of size k + 1, with one more die showing that face.
    `below[k]` holds for each of the first so many multisets of size k the place, among those of size k - 1, without
    one die of its j-th different face; one array for each j, shorter with every j.
    """

    def __init__(self, dice: int, faces: int) -> None:
        """Lists them all; use `lattice`, which does it once."""
        self.dice, self.faces = dice, faces
        self.by_size: list[list[Counts]] = [
            sorted(_multisets(size, faces), key=lambda counts: counts.count(0)) for size in range(dice + 1)
        ]
        self.places = [{counts: i for i, counts in enumerate(level)} for level in self.by_size]
        self.rolls = np.array(self.by_size[-1], dtype=np.int64)
        self.above = [self._above(size) for size in range(dice)]
        self.below: list[list[Places]] = [[], *(self._below(size) for size in range(1, dice + 1))]

    def place(self, counts: Counts) -> int:
        """Where a multiset stands among those of its size."""
        return self.places[sum(counts)][counts]

    def chances(self, chances: Sequence[float] | None = None) -> Floats:
        """The probability of each full roll; `chances` are those of the faces, even ones by default."""
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
    """The lattice of so many dice, made once."""
    return Lattice(dice, faces)


class Throwing:
    """Room to work in for `width` positions at once over a lattice; not for two threads at a time.

    `chances` are the probabilities of the faces, even ones by default. The arrays that methods return are this
    object's own and are overwritten by the next call.
    """

    def __init__(self, over: Lattice, width: int, chances: Sequence[float] | None = None) -> None:
        """Reserves the room: 3,003 rows of `width` numbers, twice, for six eight-sided dice."""
        self.over, self.width = over, width
        self._chances = None if chances is None else np.asarray(chances, dtype=np.float64)
        sizes = [len(level) for level in over.by_size]
        self._kept: list[Floats] = [np.empty((number, width)) for number in sizes]
        self._best: list[Floats] = [np.empty((number, width)) for number in sizes]
        self._spare: Floats = np.empty((sizes[-1], width))

    def thrown(self, values: Floats) -> list[Floats]:
        """For every kept multiset, the mean of `values` (rolls, width) once the other dice are thrown; by size."""
        self._kept[-1][...] = values
        for size in range(self.over.dice - 1, -1, -1):
            self._mean_of_next(self._kept[size + 1], self.over.above[size], self._kept[size])
        return self._kept

    def best_kept(self, fewest: int = 0) -> Floats:
        """For every roll, the best of what `thrown` gave for the multisets of `fewest` dice or more within it."""
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
    """So many dice as counts. Raises NoAdviceError for other faces or another number of dice."""
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
    """Every multiset within another one, from none of it to all."""
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

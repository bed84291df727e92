"""How well the examples of a set tell its faces apart: leave-one-out, confusion, faces alike, contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.dicesets.shapes import Shape
from vision.embedding import Points
from vision.enrol.shown import likeness

USUAL_LIKENESS: Final = 0.88
"""Cosine assumed for two pictures of one face where a set has one of each; a quarter of rendered dice lie below."""
LEAST_MARGIN: Final = 0.12
"""By how much a face must be more like itself than like another to be told apart for sure."""
SAME_FACE: Final = 0.9
"""Cosine from which two faces are taken for the same picture."""
AGREEING: Final = USUAL_LIKENESS - LEAST_MARGIN
"""Cosine from which two examples may well show one face."""
CONTRADICTS: Final = 0.12
"""By how much an example may look more like another face than like its own before it is pointed out."""


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """One example as the matcher sees it."""

    face: str
    name: str
    shape: Shape
    points: Points
    """(L, T, D): looks and turns."""
    leans: bool = False
    """Whether it was seen turned down, as a die's sides are."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Two faces and how near they come."""

    faces: tuple[str, str]
    likeness: float
    """Cosine of their most alike examples, over all turns."""
    margin: float
    """By how much pictures of one face are more alike than that."""
    names: tuple[str, str]
    """Of the two most alike examples."""

    @property
    def safe(self) -> bool:
        """Whether they can be told apart for sure."""
        return self.margin >= LEAST_MARGIN


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An example that looks more like another face than like its own."""

    face: str
    name: str
    like: str
    own: float
    other: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the examples say about each other."""

    right: int
    """Examples that the others of their face name rightly."""
    judged: int
    """Examples that have another one of their face to be compared with."""
    confusion: Mapping[str, Mapping[str, int]]
    alike: tuple[Alike, ...]
    """Every two faces, the most alike first."""
    contradictions: tuple[Contradiction, ...]

    @property
    def accuracy(self) -> float | None:
        """Share that leaving each one out in turn still names rightly; None with one example a face."""
        return self.right / self.judged if self.judged else None


def compare(samples: Sequence[Sample]) -> Comparison:
    """Hold every example against every other one of its shape."""
    near = _likenesses(samples)
    confusion: dict[str, Counter[str]] = {}
    contradictions: list[Contradiction] = []
    right = judged = 0
    for index, sample in enumerate(samples):
        best = _best(near[index], samples, index)
        own = best.pop(sample.face, None)
        if own is None:
            continue
        other = max(best, key=lambda face: best[face], default=None)
        judged += 1
        named = sample.face if other is None or own >= best[other] else other
        right += named == sample.face
        confusion.setdefault(sample.face, Counter())[named] += 1
        if other is not None and best[other] - own > CONTRADICTS:
            contradictions.append(Contradiction(sample.face, sample.name, other, own, best[other]))
    return Comparison(
        right,
        judged,
        {face: dict(counts) for face, counts in confusion.items()},
        _alike(samples, near),
        tuple(sorted(contradictions, key=lambda c: c.own - c.other)),
    )


def outliers(samples: Sequence[Sample], comparison: Comparison) -> tuple[Contradiction, ...]:
    """Contradicting examples that are probably wrong: a side of the die, or not a die at all.

    Either the example was seen turned down, or two others speak against it: two of its own face that agree with each
    other, or two of the face that it looks like that agree with it. Where only two pictures disagree, and neither is
    turned down, nobody can say which of them is wrong.
    """
    found: list[Contradiction] = []
    against = {(one.face, one.name) for one in comparison.contradictions}
    for one in comparison.contradictions:
        sample = next(s for s in samples if (s.face, s.name) == (one.face, one.name))
        rest = [s for s in samples if s.face == one.face and s is not sample and s.shape == sample.shape]
        agreeing = any(_agree(a, b) for i, a in enumerate(rest) for b in rest[:i])
        alike = sum(_agree(s, sample) for s in samples if s.face == one.like and s.shape == sample.shape)
        undisputed = any((s.face, s.name) not in against for s in rest)
        if agreeing or sample.leans or (alike > 1 and undisputed):
            found.append(one)
    return tuple(found)


def _agree(one: Sample, other: Sample) -> bool:
    return max(likeness(one.points, other.points), likeness(other.points, one.points)) >= AGREEING


def sides(samples: Sequence[Sample], aside: Sequence[Contradiction]) -> tuple[Contradiction, ...]:
    """Lone examples of a face that are turned down and look like another face: that one, at the side of a die.

    `aside` are examples that do not count.
    """
    lost = {(one.face, one.name) for one in aside}
    near = _likenesses(samples)
    found: list[Contradiction] = []
    for index, sample in enumerate(samples):
        alone = all(s is sample or s.face != sample.face or (s.face, s.name) in lost for s in samples)
        if not (alone and sample.leans):
            continue
        best = _best(near[index], samples, index)
        own = best.pop(sample.face, -1.0)
        like = max(best, key=lambda face: best[face], default=sample.face)
        if best.get(like, -1.0) >= AGREEING:
            found.append(Contradiction(sample.face, sample.name, like, own, best[like]))
    return tuple(found)


def contradiction(sample: Sample, others: Sequence[Sample]) -> Contradiction | None:
    """Whether one more example speaks against what is known of its face; None where nothing is known."""
    near = np.array([likeness(sample.points, other.points) for other in others], np.float32)
    known = [i for i, other in enumerate(others) if other.shape == sample.shape]
    best: dict[str, float] = {}
    for i in known:
        best[others[i].face] = max(best.get(others[i].face, -1.0), float(near[i]))
    own = best.pop(sample.face, None)
    if own is None or not best:
        return None
    like = max(best, key=lambda face: best[face])
    found = Contradiction(sample.face, sample.name, like, own, best[like])
    return found if found.other - found.own > CONTRADICTS else None


def usefulness(samples: Sequence[Sample], face: str) -> dict[str, float]:
    """How much each example of a face adds to the others, by name.

    Little for one that looks like another example, and less than nothing for one that contradicts its face.
    """
    near = _likenesses(samples)
    worth: dict[str, float] = {}
    for index, sample in enumerate(samples):
        if sample.face != face:
            continue
        best = _best(near[index], samples, index)
        own = best.pop(face, -1.0)
        other = max(best.values(), default=-1.0)
        worth[sample.name] = own - other if own < other else 1 - own
    return worth


def _likenesses(samples: Sequence[Sample]) -> Points:
    """(N, N) cosines; −1 between shapes, and of an example with itself."""
    near = np.full((len(samples), len(samples)), -1.0, np.float32)
    for i, one in enumerate(samples):
        for j in range(i):
            if one.shape == samples[j].shape:
                near[i, j] = near[j, i] = max(
                    likeness(one.points, samples[j].points), likeness(samples[j].points, one.points)
                )
    return near


def _best(near: Points, samples: Sequence[Sample], index: int) -> dict[str, float]:
    """For each face the cosine of the example of it that is most like this one."""
    best: dict[str, float] = {}
    for j, other in enumerate(samples):
        if j != index and other.shape == samples[index].shape:
            best[other.face] = max(best.get(other.face, -1.0), float(near[j]))
    return best


def _alike(samples: Sequence[Sample], near: Points) -> tuple[Alike, ...]:
    """Every two faces that share a shape."""
    usual: dict[str, float] = {}
    for face in {sample.face for sample in samples}:
        own = [i for i, sample in enumerate(samples) if sample.face == face]
        best = [float(near[i, [j for j in own if j != i]].max()) for i in own] if len(own) > 1 else []
        usual[face] = float(np.median(best)) if best and max(best) > -1 else USUAL_LIKENESS
    nearest: dict[tuple[str, str], tuple[float, int, int]] = {}
    for i, one in enumerate(samples):
        for j in range(i):
            if samples[j].face != one.face and samples[j].shape == one.shape:
                a, b = sorted((i, j), key=lambda index: samples[index].face)
                key = samples[a].face, samples[b].face
                nearest[key] = max(nearest.get(key, (-2.0, 0, 0)), (float(near[i, j]), a, b))
    alike = [
        Alike((a, b), cosine, (usual[a] + usual[b]) / 2 - cosine, (samples[i].name, samples[j].name))
        for (a, b), (cosine, i, j) in nearest.items()
    ]
    return tuple(sorted(alike, key=lambda pair: pair.margin))

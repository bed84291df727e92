"""Measures how well a set's examples tell its faces apart: leave-one-out, confusion, similar faces, contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from vision.dicesets.shapes import Shape
from vision.embedding import Points
from vision.enrol.shown import Shown, likeness_of_looks

USUAL_LIKENESS: Final = 0.88
"""Cosine assumed for two pictures of one face if a set has one of each; a quarter of rendered dice have less."""
LEAST_MARGIN: Final = 0.12
"""Two faces are safely told apart if each is more like itself than like the other by this much."""
SAME_FACE: Final = 0.9
"""Two dice in one picture show the same face if their cosine is at least this."""
PERHAPS_SAME: Final = 0.8
"""From this cosine pictures of two faces may show the same face, once at a die's side, so people should look. Five of
76 made-up sets had such a pair, and in four of these a side had been outlined."""
AGREEING: Final = USUAL_LIKENESS - LEAST_MARGIN
"""Two examples may well show one face if their cosine is at least this."""
UNLIKE: Final = -2.0
"""Less than any cosine; stands for that of an example with itself or with one of another shape."""
CONTRADICTS: Final = 0.12
"""An example is pointed out if it looks more like another face than like its own by more than this."""


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """One example as the matcher sees it."""

    face: str
    name: str
    shape: Shape
    points: Points
    """(L, T, D): looks and turns."""
    leans: bool = False
    """Whether the face was turned down in its picture, as a die's sides are."""

    @classmethod
    def of(cls, die: Shown, name: str = "") -> Sample:
        """A die that is to become an example."""
        return cls(die.face, name, die.shape, die.points, die.leans)


@dataclass(frozen=True, slots=True)
class Alike:
    """Two faces and how similar they are."""

    faces: tuple[str, str]
    likeness: float
    """Cosine of their most alike examples, over all turns."""
    margin: float
    """By how much pictures of the same face are more alike than that."""
    names: tuple[str, str]
    """The two most alike examples."""

    @property
    def safe(self) -> bool:
        """Whether they are safely told apart."""
        return self.margin >= LEAST_MARGIN


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An example that looks more like another face than like its own, in one of its looks at least."""

    face: str
    name: str
    like: str
    own: float
    other: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the examples of a set compare with each other."""

    right: int
    """Examples that are read right by comparing them with all others."""
    judged: int
    """Examples whose face has another example."""
    confusion: Mapping[str, Mapping[str, int]]
    alike: tuple[Alike, ...]
    """All pairs of faces, the most alike first."""
    contradictions: tuple[Contradiction, ...]

    @property
    def accuracy(self) -> float | None:
        """Share of examples read right when each is left out in turn; None if no face has two examples."""
        return self.right / self.judged if self.judged else None


def compare(samples: Sequence[Sample]) -> Comparison:
    """Compare every example with every other one of its shape."""
    looks = _looks(samples)
    near = _whole(looks)
    confusion: dict[str, Counter[str]] = {}
    contradictions: list[Contradiction] = []
    right = judged = 0
    for row, seen, sample in zip(near, looks, samples, strict=True):
        own, like, other = _nearest(row, samples, sample.face)
        if own is None:
            continue
        judged += 1
        named = like if other > own else sample.face
        right += named == sample.face
        confusion.setdefault(sample.face, Counter())[named] += 1
        own, like, other = _most_astray(seen, samples, sample.face) or (own, like, other)
        if other - own > CONTRADICTS:
            contradictions.append(Contradiction(sample.face, sample.name, like, own, other))
    return Comparison(
        right,
        judged,
        {face: dict(counts) for face, counts in confusion.items()},
        _alike(samples, near),
        tuple(sorted(contradictions, key=lambda c: c.own - c.other)),
    )


def outliers(samples: Sequence[Sample], comparison: Comparison) -> tuple[Contradiction, ...]:
    """Contradicting examples that are probably wrong: a side of the die, or not a die at all.

    Either the example's face was turned down, or two others contradict it: two of its own face that agree with each
    other, or two of the face it looks like that agree with it. If only two pictures disagree, and neither face was
    turned down, nobody can tell which is wrong.
    """
    found: list[Contradiction] = []
    against = {(one.face, one.name) for one in comparison.contradictions}
    for one in comparison.contradictions:
        sample = next(s for s in samples if (s.face, s.name) == (one.face, one.name))
        rest = [s for s in samples if s.face == one.face and s is not sample and s.shape == sample.shape]
        agreeing = any(_likeness(a, b) >= AGREEING for a, b in combinations(rest, 2))
        alike = sum(_likeness(s, sample) >= AGREEING for s in samples if s.face == one.like)
        undisputed = any((s.face, s.name) not in against for s in rest)
        if agreeing or sample.leans or (alike > 1 and undisputed):
            found.append(one)
    return tuple(found)


def sides(samples: Sequence[Sample], aside: Sequence[Contradiction]) -> tuple[Contradiction, ...]:
    """Faces whose only example is turned down and looks like another face, which is probably a side of that die.

    Examples in `aside` do not count.
    """
    lost = {(one.face, one.name) for one in aside}
    left = Counter(sample.face for sample in samples if (sample.face, sample.name) not in lost)
    found: list[Contradiction] = []
    for row, sample in zip(_whole(_looks(samples)), samples, strict=True):
        if sample.leans and left[sample.face] == ((sample.face, sample.name) not in lost):
            own, like, other = _nearest(row, samples, sample.face)
            if other >= AGREEING:
                found.append(Contradiction(sample.face, sample.name, like, -1.0 if own is None else own, other))
    return tuple(found)


def contradiction(sample: Sample, others: Sequence[Sample]) -> Contradiction | None:
    """How one more example contradicts the known ones of its face; None if it does not, or none are known."""
    own, like, other = _nearest([_likeness(sample, one) for one in others], others, sample.face)
    if own is None or other - own <= CONTRADICTS:
        return None
    return Contradiction(sample.face, sample.name, like, own, other)


def like_another(sample: Sample, others: Sequence[Sample]) -> bool:
    """Whether an example may well show another face, and looks more like that than like the others of its own."""
    own, _, other = _nearest([_likeness(sample, one) for one in others], others, sample.face)
    return other >= AGREEING and (own is None or other - own > CONTRADICTS)


def usefulness(samples: Sequence[Sample], face: str) -> dict[str, float]:
    """How much each example of a face adds to the others, by name.

    Little if it looks like another example of the face, and less than nothing if it contradicts its face.
    """
    worth: dict[str, float] = {}
    for row, sample in zip(_whole(_looks(samples)), samples, strict=True):
        if sample.face == face:
            own, _, other = _nearest(row, samples, face)
            own = -1.0 if own is None else own
            worth[sample.name] = own - other if own < other else 1 - own
    return worth


def _likeness(one: Sample, other: Sample) -> float:
    """Cosine of two examples over all turns; UNLIKE if they cannot be compared."""
    return float(max(_seen_as(one, other).max(), _seen_as(other, one).max()))


def _seen_as(one: Sample, other: Sample) -> Points:
    """(L,) cosines of an example's looks with another example over all turns; UNLIKE if they cannot be compared."""
    if one is other or one.shape != other.shape:
        return np.full(len(one.points), UNLIKE, np.float32)
    return likeness_of_looks(one.points, other.points)


def _looks(samples: Sequence[Sample]) -> list[Points]:
    """For each of N examples the (L, N) cosines of its looks with every example."""
    return [np.stack([_seen_as(one, other) for other in samples], axis=1) for one in samples]


def _whole(looks: Sequence[Points]) -> Points:
    """(N, N) cosines of every two examples, by their most alike looks."""
    near = np.array([seen.max(axis=0) for seen in looks])
    return np.maximum(near, near.T)


def _nearest(near: Sequence[float] | Points, others: Sequence[Sample], face: str) -> tuple[float | None, str, float]:
    """Cosine of the most alike other example of the same face (None without one), the face it is most like else, and
    the cosine of that (UNLIKE without one); `near` are the cosines of an example of `face` with the others."""
    best: dict[str, float] = {}
    for cosine, other in zip(near, others, strict=True):
        if cosine > UNLIKE:
            best[other.face] = max(best.get(other.face, UNLIKE), float(cosine))
    own = best.pop(face, None)
    like = max(best, key=lambda other: best[other], default="")
    return own, like, best.get(like, UNLIKE)


def _most_astray(looks: Points, samples: Sequence[Sample], face: str) -> tuple[float, str, float] | None:
    """Of the looks (L, N) of an example of `face`, the one that most likely shows another face, as `_nearest` gives it;
    None if no look may do so. A side of the die may have been outlined as well as its top."""
    seen = (_nearest(look, samples, face) for look in looks)
    astray = [(own, like, other) for own, like, other in seen if own is not None and other >= AGREEING]
    return max(astray, key=lambda look: look[2] - look[0], default=None)


def _alike(samples: Sequence[Sample], near: Points) -> tuple[Alike, ...]:
    """All pairs of faces that share a shape, the least safe first."""
    usual: dict[str, float] = {}
    for face in {sample.face for sample in samples}:
        own = [i for i, sample in enumerate(samples) if sample.face == face]
        best = near[np.ix_(own, own)].max(axis=1)
        usual[face] = float(np.median(best)) if best.max() > UNLIKE else USUAL_LIKENESS
    nearest: dict[tuple[str, str], tuple[float, int, int]] = {}
    for pair in combinations(range(len(samples)), 2):
        a, b = sorted(pair, key=lambda index: samples[index].face)
        key = samples[a].face, samples[b].face
        if key[0] != key[1] and near[a, b] > UNLIKE:
            nearest[key] = max(nearest.get(key, (UNLIKE, 0, 0)), (float(near[a, b]), a, b))
    alike = [
        Alike((a, b), cosine, (usual[a] + usual[b]) / 2 - cosine, (samples[i].name, samples[j].name))
        for (a, b), (cosine, i, j) in nearest.items()
    ]
    return tuple(sorted(alike, key=lambda pair: pair.margin))

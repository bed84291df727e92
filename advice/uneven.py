"""The chances of the faces: equal, as entered (for dice that have a face twice), or estimated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from advice.record import NoAdviceError
from messages.message import Message, message
from scoring.dice import Face
from words.speaker import speaker

PRIOR = 1.0
"""Throws of each face that an estimate starts from, so that a face not seen yet is rare, not impossible."""


@dataclass(frozen=True, slots=True)
class Likeliness:
    """The chance of each face, the same for every die; `said` names its source, `exact` says that it is no estimate."""

    chances: tuple[float, ...]
    said: Message
    exact: bool = True

    @property
    def words(self) -> str:
        """The source, in English."""
        return speaker().clause(self.said)

    @property
    def even(self) -> bool:
        """Whether all faces are equally likely."""
        return max(self.chances) - min(self.chances) < 1e-12


def even(faces: Sequence[Face]) -> Likeliness:
    """Dice with one of each face."""
    return Likeliness((1 / len(faces),) * len(faces), message("fair dice with one of each face"))


def entered(faces: Sequence[Face], weights: Mapping[Face, float]) -> Likeliness:
    """Dice whose faces come up in these proportions; a face without a weight has 1. Raises NoAdviceError."""
    if strange := [face for face in weights if face not in faces]:
        raise NoAdviceError(
            "weights: these dice have no face {strange:quoted}; they show {faces:row}",
            faces=tuple(faces),
            strange=strange[0][:40],
        )
    given = [float(weights.get(face, 1.0)) for face in faces]
    if any(not math.isfinite(one) or one < 0 or one > 1e6 for one in given) or not sum(given):
        raise NoAdviceError("weights: use numbers from 0 to a million, at least one of them above 0")
    return Likeliness(tuple(one / sum(given) for one in given), message("the face weights you entered"))


def estimated(faces: Sequence[Face], thrown: Iterable[Face]) -> Likeliness:
    """The chances estimated from throws: the count of each face plus one (Laplace's rule)."""
    seen = list(thrown)
    counts = [seen.count(face) + PRIOR for face in faces]
    said = message("face chances estimated from {n} thrown dice", n=len(seen))
    return Likeliness(tuple(one / sum(counts) for one in counts), said, exact=False)

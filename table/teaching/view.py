"""What a page shows while dice are enrolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import cv2

from vision.enrol.alike import CONTRADICTS, SAME_FACE
from vision.enrol.enrol import Taken, one_face
from vision.enrol.problems import Problem, seen_problems
from vision.enrol.shown import Shown
from vision.settle import TableState
from words.teaching import Saying, asked

MOST_DICE: Final = 12
"""Dice that one offer shows, at most."""


class Step(StrEnum):
    """What an enrolment waits for."""

    NAMING = "naming"
    """Somebody to say which face comes next."""
    WAITING = "waiting"
    """A die to be put under the camera, or turned to the face."""
    LOOKING = "looking"
    """The table lies still; frames are collected."""
    ASKING = "asking"
    """"Keep?"."""
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One die of an offer; the first has number 1."""

    number: int
    face: str
    """The face it shows: the named one, or one that is known already and looks the same. Empty where several
    dice differ and look like no known face: only people can say then."""
    die: Shown
    png: bytes
    """Its rectified face, as a PNG."""
    problems: tuple[Problem, ...]
    source: str
    """Where it was seen: the camera, or the name of a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """What was seen, to be kept or not."""

    face: str
    candidates: tuple[Candidate, ...]
    mixed: bool
    """They may show different faces: each is to be named, or left out."""
    sharpness: float
    """Of the frame that was taken; only comparable within one look."""

    @property
    def asked(self) -> Saying:
        """What is wrong with it in general, and the question."""
        return asked(self.face, len(self.candidates), self.mixed)


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """One example that is kept for the set, by its number."""

    number: int
    png: bytes
    """Its rectified face."""
    source: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How an enrolment stands, for a page."""

    step: Step
    table: TableState
    face: str
    """The face that is being shown; empty before one is named."""
    counts: Mapping[str, int]
    """Examples kept of each face, in the set's order."""
    missing: tuple[str, ...]
    """Faces without an example, blank ones excepted."""
    thin: tuple[str, ...]
    """Faces with fewer examples than are good, blank ones excepted."""
    offer: Offer | None
    saying: Saying
    """What there is to say, for page and voice."""
    version: int
    """Rises with every change."""
    kept: Mapping[str, tuple[Kept, ...]]
    """The examples of each face."""
    blank: tuple[str, ...] = ()
    """Faces that show nothing, and need no example."""

    @property
    def said(self) -> str:
        """What there is to say, in English; what is wrong with an offer comes before the question."""
        problems = self.offer.candidates if self.offer is not None and self.step is Step.ASKING else ()
        return " ".join((*(f"{p.said}." for one in problems for p in one.problems), str(self.saying)))

    @classmethod
    def first(cls, saying: Saying) -> View:
        """Before anything was seen; the faces are still to be counted."""
        return cls(Step.NAMING, TableState.EMPTY, "", {}, (), (), None, saying, 0, {})


def offered(
    face: str, taken: Sequence[Taken], sharpness: float, known: Mapping[str, Sequence[Taken]]
) -> Offer:
    """Dice that were seen, with what is wrong with each; `known` are the examples that are kept already."""
    shown = tuple(taken[:MOST_DICE])
    mixed = not one_face([one.die for one in shown], SAME_FACE)
    candidates = tuple(_candidate(i, one, known, mixed) for i, one in enumerate(shown, 1))
    unnamed = [one for one in candidates if not one.face]
    if len(unnamed) == 1:  # beside faces that are known, it is the one asked for
        candidates = tuple(replace(one, face=one.face or face) for one in candidates)
    return Offer(face, candidates, mixed, sharpness)


def kept(number: int, one: Taken) -> Kept:
    """An example as it is shown afterwards."""
    return Kept(number, _png(one.die), one.source, seen_problems(one.face, one.source, one.die))


def _candidate(number: int, one: Taken, known: Mapping[str, Sequence[Taken]], mixed: bool) -> Candidate:
    """A die as it is offered; among different ones each is taken for what it looks like most."""
    problems = seen_problems(one.face, f"die {number}", one.die)
    like: dict[str, float] = {}
    for face, examples in known.items():
        near = [one.die.likeness(other.die) for other in examples if other.die.shape == one.die.shape]
        if near:
            like[face] = max(near)
    own = like.get(one.face)
    other = max((face for face in like if face != one.face), key=lambda face: like[face], default="")
    guess = one.face if not mixed or (own or 0.0) >= SAME_FACE else ""
    if other and mixed and like[other] >= max(SAME_FACE, own or 0.0):
        guess = other
    elif other and (like[other] - own > CONTRADICTS if own is not None else like[other] >= SAME_FACE):
        problems = (*problems, _like_another(number, one.face, other, like[other], own))
    return Candidate(number, guess, one.die, _png(one.die), problems, one.source)


def _like_another(number: int, face: str, other: str, likeness: float, own: float | None) -> Problem:
    """It looks like a face that is known under another name: the die was not turned, or two faces are one picture."""
    against = "" if own is None else f", like '{face}' only {own:.2f}"
    said = (
        f"die {number} looks like '{other}', which has a picture already (likeness {likeness:.2f}{against})"
    )
    return Problem("same" if own is None else "contradiction", (face, other), said, likeness)


def _png(die: Shown) -> bytes:
    done, coded = cv2.imencode(".png", die.face)
    assert done, "OpenCV writes PNG"
    return coded.tobytes()

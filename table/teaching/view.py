"""The state of an enrolment, for its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import cv2

from messages.message import Message, message
from vision.dicesets.shapes import Shape
from vision.enrol.alike import AGREEING, CONTRADICTS, PERHAPS_SAME, SAME_FACE
from vision.enrol.enrol import one_face
from vision.enrol.problems import Problem, brightness, seen_problems
from vision.enrol.shown import Shown
from vision.settle import TableState

FIRST: Final = message("Put a die under the camera.")
MOST_DICE: Final = 12
"""Most dice in one offer."""
ENOUGH: Final = 3
"""A face with so many examples counts as well known."""


class LessonStep(StrEnum):
    """The step of an enrolment."""

    WAITING = "waiting"
    """A die must be put under the camera or turned to another face."""
    LOOKING = "looking"
    """The table is still, and frames are collected."""
    ASKING = "asking"
    """The question “what is on top?” is open."""
    FINISHED = "finished"


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One die on the page: offered, or kept for the set."""

    number: int
    """Its number, from 1 in an offer; no two kept dice have the same."""
    die: Shown
    """The face people named; of an offered die the requested one, or a known one that it looks like, or empty."""
    problems: tuple[Problem, ...] = ()
    """Its problems when it was offered."""

    @property
    def face(self) -> str:
        """Its face, or empty."""
        return self.die.face

    @property
    def png(self) -> bytes:
        """Its rectified face, as a PNG."""
        done, coded = cv2.imencode(".png", self.die.picture)
        assert done, "OpenCV writes PNG"
        return coded.tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """Dice that people may name and keep."""

    number: int
    """Its number; no two offers of an enrolment have the same."""
    face: str
    """The requested face, or empty."""
    candidates: tuple[Candidate, ...]
    mixed: bool
    """They may show different faces, so each must be named or left out."""


@dataclass(frozen=True, slots=True, eq=False)
class LessonView:
    """The state of an enrolment."""

    kept: Mapping[str, tuple[Candidate, ...]]
    """The examples of each face, in the set's order."""
    settled: frozenset[str] = frozenset()
    """Faces that already have examples in the set that is extended."""
    blank: tuple[str, ...] = ()
    """Faces that show nothing and need no example."""
    step: LessonStep = LessonStep.WAITING
    table: TableState = TableState.EMPTY
    face: str = ""
    """The requested face; empty if any may be shown."""
    offer: Offer | None = None
    saying: Message = FIRST
    """The messages for page and voice."""
    version: int = 0
    """Rises with every change."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of examples kept of each face."""
        return {face: len(kept) for face, kept in self.kept.items()}

    @property
    def missing(self) -> tuple[str, ...]:
        """Faces without an example that need one."""
        return self._with_fewer(1)

    @property
    def thin(self) -> tuple[str, ...]:
        """Faces with fewer examples than are good."""
        return self._with_fewer(ENOUGH)

    def _with_fewer(self, count: int) -> tuple[str, ...]:
        return tuple(
            face for face, kept in self.kept.items()
            if len(kept) < count and face not in self.blank and face not in self.settled
        )  # fmt: skip


def kept_words(kept: Sequence[str], view: LessonView) -> Message:
    """The message after faces were kept: what is missing, or what comes next."""
    faces, missing = tuple(dict.fromkeys(kept)), view.missing
    if len(missing) > 1:
        return message(
            "Kept {faces:called}. {count} faces are missing: {missing:called}.",
            faces=faces, count=len(missing), missing=missing,
        )  # fmt: skip
    if missing:
        return message("Kept {faces:called}. One face is missing: {missing:called}.", faces=faces, missing=missing[0])
    if len(view.kept) > 1:
        return message("Kept {faces:called}. Show another face, or save the dice.", faces=faces)
    return message("Kept {faces:called}. Show the next face.", faces=faces)


def question(offer: Offer) -> Message:
    """The question about an offer."""
    count, first = len(offer.candidates), offer.candidates[0]
    if offer.mixed:
        return message("These {count} dice may show different faces. Name each die or leave it out.", count=count)
    if count > 1:
        return message("What is on top of these {count} dice?", count=count)
    if first.face and not offer.face:
        return message("What is on top? It looks like {face:called}.", face=first.face)
    return message("Is this {face:called}?", face=first.face) if first.face else message("What is on top?")


def offered(number: int, face: str, dice: Sequence[Shown], known: Mapping[str, Sequence[Candidate]]) -> Offer:
    """The offer of dice seen after `face` was requested; `known` are the examples kept already."""
    shown = dice[:MOST_DICE]
    mixed = not one_face(shown, SAME_FACE)
    lit = [(one.die.shape, brightness(one.die)) for examples in known.values() for one in examples]
    candidates = tuple(_candidate(i, one, "" if mixed else face, known, lit) for i, one in enumerate(shown, 1))
    return Offer(number, face, candidates, mixed)


def named(one: Candidate, number: int, face: str) -> Candidate:
    """The die with this face."""
    return replace(one, number=number, die=replace(one.die, face=face))


def _candidate(
    number: int, die: Shown, asked: str, known: Mapping[str, Sequence[Candidate]], lit: Sequence[tuple[Shape, float]]
) -> Candidate:
    """A die for an offer, with the requested face or else the one it looks like most. `lit` are the shapes and
    brightness of the known dice."""
    problems = seen_problems(die, [bright for shape, bright in lit if shape is die.shape])
    like: dict[str, float] = {}
    for face, examples in known.items():
        near = [die.likeness(one.die) for one in examples if one.die.shape == die.shape]
        if near:
            like[face] = max(near)
    own = like.pop(asked, None)
    other = max(like, key=lambda face: like[face], default="")
    if asked and other and (like[other] - own > CONTRADICTS if own is not None else like[other] >= PERHAPS_SAME):
        kind = "same" if own is None else "contradiction"
        problems = (*problems, Problem(kind, (asked, other), like[other]))
    guess = other if other and like[other] >= AGREEING else ""
    return Candidate(number, replace(die, face=asked or guess), problems)

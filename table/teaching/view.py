"""What a page shows while dice are enrolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import cv2

from messages.message import Message, message
from vision.enrol.alike import CONTRADICTS, SAME_FACE
from vision.enrol.enrol import one_face
from vision.enrol.problems import Problem, seen_problems
from vision.enrol.shown import Shown
from vision.settle import TableState

FIRST: Final = message("Which face comes first?")
MOST_DICE: Final = 12
"""Dice that one offer shows, at most."""
ENOUGH: Final = 3
"""Examples of a face from which it counts as well known."""


class LessonStep(StrEnum):
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
    """One die as a page shows it: offered, or kept for the set."""

    number: int
    """From 1 in an offer; among the kept ones no number is used twice."""
    die: Shown
    """Its face is the one named, or a known one that it looks like. Empty where several dice differ and look like no
    known face: only people can say then."""
    problems: tuple[Problem, ...] = ()
    """What was wrong with it when it was offered."""

    @property
    def face(self) -> str:
        """The face it shows, or empty."""
        return self.die.face

    @property
    def png(self) -> bytes:
        """Its rectified face, as a PNG."""
        done, coded = cv2.imencode(".png", self.die.picture)
        assert done, "OpenCV writes PNG"
        return coded.tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """What was seen, to be kept or not."""

    face: str
    candidates: tuple[Candidate, ...]
    mixed: bool
    """They may show different faces: each is to be named, or left out."""


@dataclass(frozen=True, slots=True, eq=False)
class LessonView:
    """The state of an enrolment."""

    kept: Mapping[str, tuple[Candidate, ...]]
    """The examples of each face, in the set's order."""
    settled: frozenset[str] = frozenset()
    """Faces that have examples already, in the set that is added to."""
    blank: tuple[str, ...] = ()
    """Faces that show nothing, and need no example."""
    step: LessonStep = LessonStep.NAMING
    table: TableState = TableState.EMPTY
    face: str = ""
    """The face that is being shown; empty before one is named."""
    offer: Offer | None = None
    saying: Message = FIRST
    """What there is to say, for page and voice."""
    version: int = 0
    """Rises with every change."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many examples of each face are kept."""
        return {face: len(kept) for face, kept in self.kept.items()}

    @property
    def missing(self) -> tuple[str, ...]:
        """Faces without an example that need one."""
        return self._with_fewer(1)

    @property
    def thin(self) -> tuple[str, ...]:
        """Faces with fewer examples than are good."""
        return self._with_fewer(ENOUGH)

    def next_missing(self, face: str) -> str:
        """The next missing face after this one, going round; the same one when none is missing."""
        order = list(self.kept)
        place = order.index(face) if face in order else 0
        return next((one for one in order[place:] + order[:place] if one in self.missing), face)

    def _with_fewer(self, count: int) -> tuple[str, ...]:
        return tuple(
            face for face, kept in self.kept.items()
            if len(kept) < count and face not in self.blank and face not in self.settled
        )  # fmt: skip


def kept_words(kept: Sequence[str], missing: Sequence[str], onward: str = "") -> Message:
    """Some faces were kept, these are missing; `onward` is the one that is shown next."""
    faces = tuple(dict.fromkeys(kept))
    if onward and onward in missing:
        if len(missing) == 1:
            return message(
                "Kept {faces:called}. Now show {face:called}, the last face.", faces=faces, face=onward
            )
        return message(
            "Kept {faces:called}. Now show {face:called}; {count} faces to go.",
            faces=faces,
            face=onward,
            count=len(missing),
        )
    if not missing:
        return message("Kept {faces:called}. Every face has a picture.", faces=faces)
    if len(missing) == 1:
        return message(
            "Kept {faces:called}. One face is missing: {missing:called}.", faces=faces, missing=missing[0]
        )
    return message(
        "Kept {faces:called}. {count} faces are missing: {missing:called}.",
        faces=faces,
        count=len(missing),
        missing=tuple(missing),
    )


def offered(face: str, dice: Sequence[Shown], known: Mapping[str, Sequence[Candidate]]) -> Offer:
    """Dice that were seen, with what is wrong with each; `known` are the examples that are kept already."""
    shown = dice[:MOST_DICE]
    mixed = not one_face(shown, SAME_FACE)
    candidates = tuple(_candidate(number, one, known, mixed) for number, one in enumerate(shown, 1))
    unnamed = [one for one in candidates if not one.face]
    if len(unnamed) == 1:  # beside faces that are known, it is the one asked for
        candidates = tuple(named(one, one.number, one.face or face) for one in candidates)
    return Offer(face, candidates, mixed)


def named(one: Candidate, number: int, face: str) -> Candidate:
    """The same die as showing this face."""
    return replace(one, number=number, die=replace(one.die, face=face))


def _candidate(number: int, die: Shown, known: Mapping[str, Sequence[Candidate]], mixed: bool) -> Candidate:
    """A die as it is offered; among different ones each is taken for what it looks like most."""
    problems = seen_problems(die)
    like: dict[str, float] = {}
    for face, examples in known.items():
        near = [die.likeness(one.die) for one in examples if one.die.shape == die.shape]
        if near:
            like[face] = max(near)
    own = like.pop(die.face, None)
    other = max(like, key=lambda face: like[face], default="")
    guess = die.face if not mixed or (own or 0.0) >= SAME_FACE else ""
    if other and mixed and like[other] >= max(SAME_FACE, own or 0.0):
        guess = other
    elif other and (like[other] - own > CONTRADICTS if own is not None else like[other] >= SAME_FACE):
        kind = "same" if own is None else "contradiction"
        problems = (*problems, Problem(kind, (die.face, other), like[other]))
    return Candidate(number, replace(die, face=guess), problems)

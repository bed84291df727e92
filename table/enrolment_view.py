"""What a page shows while dice are enrolled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import cv2

from vision.enroll.enrol import Taken
from vision.enroll.problems import Problem, seen_problems
from vision.enroll.shown import Shown
from vision.settle import TableState


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
    die: Shown
    png: bytes
    """Its rectified face, as a PNG."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """What the camera saw, to be kept or not."""

    face: str
    candidates: tuple[Candidate, ...]
    mixed: bool
    """They do not all show the same face: each needs a name of its own."""
    sharpness: float
    """Of the frame that was taken; only comparable within one look."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """How an enrolment stands, for a page."""

    step: Step
    table: TableState
    face: str
    """The face that is being shown; empty before one is named."""
    counts: Mapping[str, int]
    """Examples kept of each face."""
    missing: tuple[str, ...]
    """Faces without an example."""
    thin: tuple[str, ...]
    """Faces with fewer examples than are good."""
    offer: Offer | None
    said: str
    """One sentence for page and voice."""
    version: int
    """Rises with every change."""


def candidate(number: int, one: Taken) -> Candidate:
    """A die as it is offered."""
    done, coded = cv2.imencode(".png", one.die.face)
    assert done, "OpenCV writes PNG"
    problems = seen_problems(one.face, f"die {number}", one.die)
    return Candidate(number, one.face, one.die, coded.tobytes(), problems)

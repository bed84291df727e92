"""What an enrolment asks of the networks and the disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vision.dicesets.shapes import Shape
from vision.enrol.enrol import Enrolled, Taken
from vision.frame import Pixels


class Takes(Protocol):
    """Finds the dice that are shown in a picture (`vision.enrol.enrol.take`, its networks bound)."""

    def __call__(self, pixels: Pixels, shapes: Sequence[Shape], face: str, source: str) -> tuple[Taken, ...]:
        """Every die, whatever it shows. EnrolError in one line when there is none."""
        ...


class Keeps(Protocol):
    """Writes the set (`vision.enrol.enrol.keep`, the set's note bound)."""

    def __call__(self, taken: Sequence[Taken], faces: Sequence[str], blank: Sequence[str]) -> Enrolled:
        """The set, as it was made. EnrolError when it cannot be one, OSError when it cannot be written."""
        ...

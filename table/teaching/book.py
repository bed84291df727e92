"""The faces of a set in the making, and the examples that are kept of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from table.teaching.view import Kept, View, kept
from vision.dicesets.model import SET_ID
from vision.enrol.enrol import EnrolError, Taken
from vision.said import Words

ENOUGH: Final = 3
"""Examples of a face from which it counts as well known."""
MOST_FACES: Final = 64
"""Faces of one set, at most (`vision.dicesets.folder`)."""


class Book:
    """Faces in the set's order, each with its numbered examples. Methods raise `EnrolError` and change nothing then."""

    def __init__(self, faces: Sequence[str], blank: Sequence[str], settled: Sequence[str]) -> None:
        """`blank` faces show nothing; `settled` ones have examples already, in the set that is added to."""
        self._taken: dict[str, dict[int, Taken]] = {face: {} for face in faces}
        self._kept: dict[int, Kept] = {}
        self._blank = [face for face in faces if face in blank]
        self._settled = frozenset(settled)
        self._number = 0

    def restore(self, examples: Mapping[str, Mapping[int, Taken]], blank: Sequence[str]) -> None:
        """Go on with these faces and examples, by their numbers, as they were left (`table.teaching.saved`)."""
        self._taken = {face: dict(taken) for face, taken in examples.items()}
        self._kept = {
            number: kept(number, one) for taken in examples.values() for number, one in taken.items()
        }
        self._blank = [face for face in examples if face in blank and not examples[face]]
        self._number = max(self._kept, default=0)

    @property
    def numbered(self) -> Mapping[str, Mapping[int, Taken]]:
        """The examples of each face by their numbers."""
        return {face: dict(taken) for face, taken in self._taken.items()}

    @property
    def faces(self) -> tuple[str, ...]:
        """Every face."""
        return tuple(self._taken)

    @property
    def blank(self) -> tuple[str, ...]:
        """Those that show nothing."""
        return tuple(self._blank)

    @property
    def missing(self) -> list[str]:
        """Those without an example that need one."""
        return [face for face in self._due() if not self._taken[face]]

    @property
    def every(self) -> list[Taken]:
        """All examples, face by face."""
        return [one for taken in self._taken.values() for one in taken.values()]

    @property
    def examples(self) -> Mapping[str, tuple[Taken, ...]]:
        """The examples of each face."""
        return {face: tuple(taken.values()) for face, taken in self._taken.items()}

    def know(self, face: str) -> None:
        """The face is one of the set's from now on."""
        if face in self._taken:
            return
        if not SET_ID.fullmatch(face):
            raise EnrolError(
                "expected a face of small letters, digits and dashes, found '%(found)s'", found=face[:40]
            )
        if len(self._taken) >= MOST_FACES:
            raise EnrolError("expected at most %(most)s faces", most=MOST_FACES)
        self._taken[face] = {}

    def add(self, one: Taken) -> None:
        """Keep an example of a face that is known."""
        self._number += 1
        self._taken[one.face][self._number] = one
        self._kept[self._number] = kept(self._number, one)
        self._blank = [face for face in self._blank if face != one.face]

    def forget(self, face: str, number: int | None = None) -> bool:
        """Let go of every example of a face, or of one; whether there is one left."""
        taken = self._of(face)
        if number is not None and number not in taken:
            raise EnrolError(
                "expected a picture of %(face)s that is kept, found none of this number", face=face
            )
        for gone in [number] if number is not None else list(taken):
            del taken[gone], self._kept[gone]
        return bool(taken)

    def drop(self, face: str) -> None:
        """Take a face out of the set again, with its examples."""
        taken = self._of(face)
        if face in self._settled:
            raise EnrolError("%(face)s is a face of the set that is there, and stays one", face=face)
        for gone in taken:
            del self._kept[gone]
        del self._taken[face]
        self._blank = [one for one in self._blank if one != face]

    def leave_blank(self, face: str, shows_nothing: bool) -> None:
        """A face shows nothing and needs no example, or it does."""
        if self._of(face):
            raise EnrolError(
                "expected no picture of a blank face, found one of %(face)s; let it go first", face=face
            )
        self._blank = [one for one in self._blank if one != face] + ([face] if shows_nothing else [])

    def after(self, face: str) -> str:
        """The next missing face after this one, going round; the same one when none is missing."""
        order, missing = list(self._taken), self.missing
        place = order.index(face) if face in order else 0
        return next((one for one in order[place:] + order[:place] if one in missing), face)

    def counted(self, view: View) -> View:
        """The view with these faces and examples."""
        due, counts = self._due(), {face: len(taken) for face, taken in self._taken.items()}
        return replace(
            view,
            counts=counts,
            missing=tuple(face for face in due if not counts[face]),
            thin=tuple(face for face in due if counts[face] < ENOUGH),
            blank=tuple(face for face in counts if face in self._blank),
            kept={face: tuple(self._kept[n] for n in taken) for face, taken in self._taken.items()},
        )

    def _of(self, face: str) -> dict[int, Taken]:
        if face not in self._taken:
            raise EnrolError(
                "expected one of %(faces)s, found '%(found)s'",
                faces=Words(tuple(self._taken)),
                found=face[:40],
            )
        return self._taken[face]

    def _due(self) -> list[str]:
        return [face for face in self._taken if face not in self._blank and face not in self._settled]

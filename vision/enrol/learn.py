"""A set learns from corrections, and never for good from a wrong one.

A corrected die is kept as an example of the face that people named. If it is clearly more like another face, somebody
may have pressed the wrong button: it is kept and pointed out, but not compared with, until a second one says the same
or somebody trusts it. Any example can be listed, looked at and forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from vision.dicesets.library import with_lessons
from vision.dicesets.model import DiceSet, DiceSetError, Example
from vision.embedding import Matcher
from vision.enrol.alike import Contradiction, Sample, contradiction, likeness, usefulness
from vision.enrol.shown import Shown, embedded
from vision.enrol.store import MOST_EXAMPLES, ExampleStore
from vision.identify import upright_faces
from vision.rectify import turns

AGREES: Final = 0.8
"""Cosine from which a second correction says the same as a doubtful one before it."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What became of a corrected die."""

    example: Example
    against: Contradiction | None
    """Why it is doubtful; None when it is not."""
    dropped: tuple[str, ...]
    """Names of the face's examples that were let go for it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An example as people see it in a list."""

    example: Example
    against: Contradiction | None

    def in_words(self) -> str:
        """One line."""
        one = self.example
        line = f"{one.face}/{one.name}  {one.shape}, {one.side:.0f} px, {one.origin} {one.added} from {one.source}"
        if self.against is not None:
            seen = self.against
            line += f"  ! looks more like {seen.like} ({seen.other:.2f} against {seen.own:.2f})"
        return line + ("  ! not compared with" if one.doubtful else "")

    def record(self) -> dict[str, Any]:
        """Plain values."""
        one = self.example
        return {
            "face": one.face,
            "name": one.name,
            "shape": one.shape,
            "origin": one.origin,
            "source": one.source,
            "added": one.added,
            "side": one.side,
            "doubtful": one.doubtful,
            "looks_like": None if self.against is None else self.against.like,
            "picture": str(one.face_path),
            "around": str(one.path),
        }


class School:
    """The examples of one set's faces, and what is learnt of them."""

    def __init__(self, dice_set: DiceSet, folder: Path, matcher: Matcher | None = None) -> None:
        """Open a set's examples.

        Args:
            dice_set: the set; a shipped one with what was learnt before.
            folder: where its examples are kept (`vision.dicesets.library.lessons`).
            matcher: compares faces; the shipped one is opened when it is needed.
        """
        self._dice_set = dice_set
        self._store = ExampleStore(folder)
        self._matcher = matcher

    @property
    def dice_set(self) -> DiceSet:
        """The set with everything that it has learnt."""
        from vision.dicesets.library import load

        folder = self._dice_set.folder
        return with_lessons(load(folder))

    def teach(self, face: str, die: Shown, source: str) -> Lesson:
        """Keep a corrected die as an example of a face.

        Raises:
            DiceSetError: the set has no such face.
            OSError: it cannot be written.
        """
        self._dice_set = self.dice_set  # a page or a command may have changed it since
        face = self._dice_set.face(face).id
        known = self._samples()
        against = contradiction(Sample(face, "", die.shape, die.points), [s for s, e in known if _counts(e)])
        agreeing = [e for s, e in known if e is not None and e.doubtful and e.face == face and _agree(die, s)]
        if against is not None and agreeing:
            for other in agreeing:
                self._store.trust(face, other.name)
            against = None
        example = self._store.add(face, die, origin="corrected", source=source, doubtful=against is not None)
        return Lesson(example, against, self._make_room(face))

    def forget(self, face: str, name: str) -> None:
        """Delete an example. Raises DiceSetError for the only picture that a face has."""
        example = self._store.find(face, name)
        others = [p for p in self._dice_set.face(face).pictures_for(example.shape) if p.example != example]
        if not others:
            raise DiceSetError(
                "expected another picture of '%(face)s' before its only one is deleted, found none", face=face
            )
        self._store.remove(face, name)
        self._dice_set = self.dice_set

    def trust(self, face: str, name: str) -> None:
        """Compare with a doubtful example after all."""
        self._store.trust(face, name)
        self._dice_set = self.dice_set

    def listed(self) -> list[Listed]:
        """Every example, oldest first of each face, with what speaks against it."""
        known = self._samples() if self._store.examples else []
        listed: list[Listed] = []
        for sample, example in known:
            if example is not None:
                others = [s for s, e in known if s is not sample and _counts(e)]
                listed.append(Listed(example, contradiction(sample, others)))
        order = {face: i for i, face in enumerate(self._dice_set.face_ids)}
        return sorted(listed, key=lambda one: order.get(one.example.face, len(order)))

    def _make_room(self, face: str) -> tuple[str, ...]:
        self._dice_set = self.dice_set
        if len(self._store.of(face)) <= MOST_EXAMPLES:
            return ()
        known = self._samples()
        worth = usefulness([s for s, e in known if _counts(e)], face)
        # What is not compared with goes first.
        worth |= {example.name: -2.0 for example in self._store.of(face) if example.doubtful}
        dropped = self._store.drop_least_useful(face, worth)
        self._dice_set = self.dice_set
        return dropped

    def _samples(self) -> list[tuple[Sample, Example | None]]:
        """Every picture of the set as the matcher sees it, and the example it is; doubtful ones as well."""
        self._matcher = matcher = self._matcher or Matcher()
        samples = list(set_samples(self._dice_set, matcher))
        for example in self._store.examples:
            if example.doubtful and example.path.is_file():
                points = embedded(matcher, example.around(), example.corners(), example.shape)
                samples.append((Sample(example.face, example.name, example.shape, points), example))
        return samples


def set_samples(dice_set: DiceSet, matcher: Matcher) -> Sequence[tuple[Sample, Example | None]]:
    """Every picture that dice of a set are compared with, art too, as the matcher sees it."""
    samples: list[tuple[Sample, Example | None]] = []
    for face in dice_set.faces:
        for shape in dice_set.shapes:
            for picture in face.pictures_for(shape):
                views = [turns(upright, shape) for upright in upright_faces(picture, shape)]
                points = matcher.embed(np.concatenate(views))
                points = points.reshape(-1, shape.symmetry, points.shape[1])
                samples.append((Sample(face.id, picture.name, shape, points), picture.example))
    return samples


def _counts(example: Example | None) -> bool:
    return example is None or not example.doubtful


def _agree(die: Shown, sample: Sample) -> bool:
    return sample.shape == die.shape and likeness(die.points, sample.points) >= AGREES

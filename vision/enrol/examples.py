"""Keeps the examples of a set's faces, and learns from corrections, but not for good from a wrong one.

Besides the rectified face, which every dice set holds, an example keeps the die with its surroundings and the outlines
that were found, so that better networks can make more of it later.

A corrected die becomes an example of the face that people named. If it clearly looks more like another face, somebody
may have pressed the wrong button: it is kept and pointed out, but not compared with until a second correction agrees or
somebody trusts it. Any example can be listed, looked at and forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

import cv2
import msgspec
import numpy as np

from files.atomic import write_whole
from messages.message import message
from vision.detection import Detection
from vision.dicesets.files import DiceSetError, write_index
from vision.dicesets.library import examples_in, lessons, load, with_lessons
from vision.dicesets.model import DiceSet, Example
from vision.embedding import Matcher
from vision.enrol.alike import Contradiction, Sample, contradiction, usefulness
from vision.enrol.shown import Shown, embedded, likeness, outlined
from vision.frame import Pixels
from vision.gallery import upright_faces
from vision.reader import Reader
from vision.reading import DieReading
from vision.rectify import turns

MOST_EXAMPLES: Final = 12
"""Most examples of a face."""
AGREES: Final = 0.8
"""A correction agrees with an earlier, doubtful one if their cosine is at least this."""


class ExampleStore:
    """The examples in one folder: a set's own, or those learnt for a shipped set."""

    def __init__(self, folder: Path) -> None:
        """Read the folder; DiceSetError if it holds anything unreadable."""
        self.folder = folder
        self.examples = examples_in(folder)
        """Every example, oldest first."""

    def of(self, face: str) -> tuple[Example, ...]:
        """The examples of one face, oldest first."""
        return tuple(one for one in self.examples if one.face == face)

    def find(self, face: str, name: str) -> Example:
        """The example with this name; if there is none, DiceSetError names those there are."""
        for one in self.of(face):
            if one.name == name:
                return one
        names = tuple(f"{one.face}/{one.name}" for one in self.of(face))
        raise DiceSetError(
            "there is no example “{found}”; available: {there:ids}",
            there=names if names else message("none of this face"), found=f"{face[:40]}/{name[:40]}",
        )  # fmt: skip

    def add(self, die: Shown, *, origin: Literal["enrolled", "corrected"], doubtful: bool = False) -> Example:
        """Keep a die as an example of the face it is said to show. OSError if it cannot be written."""
        self._read()
        example = Example(
            face=die.face,
            name=self._free_name(die.face, origin),
            shape=die.shape,
            origin=origin,
            source=plain(die.source),
            added=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            side=round(die.side, 1),
            spread=round(die.spread, 4),
            outlines=tuple(
                tuple((round(float(x), 2), round(float(y), 2)) for x, y in outline)
                for outline in die.outlines
            ),
            doubtful=doubtful,
            folder=self.folder,
        )
        # The face comes last: it is what makes the example count.
        _write(example.path, die.around)
        self._put((*self.examples, example))
        _write(example.face_path, die.picture)
        return example

    def remove(self, face: str, name: str) -> None:
        """Forget an example and its pictures."""
        self._read()
        example = self.find(face, name)
        example.face_path.unlink(missing_ok=True)
        example.path.unlink(missing_ok=True)
        self._put(tuple(one for one in self.examples if one != example))

    def trust(self, face: str, name: str, *, doubtful: bool = False) -> Example:
        """Compare with an example that was pointed out as contradicting its face; or, if `doubtful`, stop doing so."""
        self._read()
        example = self.find(face, name)
        changed = msgspec.structs.replace(example, doubtful=doubtful)
        self._put(tuple(changed if one == example else one for one in self.examples))
        return changed

    def drop_least_useful(self, face: str, worth: Mapping[str, float]) -> tuple[str, ...]:
        """Remove the least useful examples of a face beyond `MOST_EXAMPLES`; their names.

        `worth` is how much each example adds, by name (`vision.enrol.alike.usefulness`); of equals the oldest goes.
        """
        kept = self.of(face)
        ranked = sorted(kept, key=lambda one: worth.get(one.name, 0.0))
        gone = tuple(one.name for one in ranked[: max(len(kept) - MOST_EXAMPLES, 0)])
        for name in gone:
            self.remove(face, name)
        return gone

    def _read(self) -> None:
        """Read the folder again, since a page or a command may have changed it."""
        self.examples = examples_in(self.folder)

    def _put(self, examples: Sequence[Example]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write_index(self.folder, examples)
        self.examples = tuple(examples)

    def _free_name(self, face: str, origin: str) -> str:
        # Files missing from the index keep their names, too.
        files = (path.name for path in (self.folder / "faces" / face).glob(f"{origin}-*.png"))
        names = (*(one.name for one in self.of(face)), *files)
        used = [int(found[1]) for name in names if (found := re.match(r"[a-z]+-(\d+)\b", name))]
        return f"{origin}-{max(used, default=0) + 1:02}"


def plain(text: str) -> str:
    """One printable line of at most 100 characters, for the index; never empty."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:100] or "?"


def _write(path: Path, pixels: Pixels) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    done, coded = cv2.imencode(".png", pixels)
    if not done:
        raise OSError(f"{path.name} could not be coded as PNG")
    write_whole(path, coded.tobytes())


@dataclass(frozen=True, slots=True)
class CheckedExample:
    """An example, and the evidence against it."""

    example: Example
    against: Contradiction | None
    """None if it looks most like its own face."""

    @property
    def wrong(self) -> bool:
        """Whether somebody should look at it."""
        return self.against is not None or self.example.doubtful


class SetExamples:
    """The examples of one set's faces: its own, or those learnt for a shipped set."""

    def __init__(self, dice_set: DiceSet, matcher: Matcher | None = None) -> None:
        """`matcher` compares faces; without one the shipped matcher is opened when it is needed.

        Raises DiceSetError if earlier lessons are damaged.
        """
        self._folder = dice_set.folder
        self._store = ExampleStore(lessons(dice_set))
        self._matcher = matcher

    @property
    def dice_set(self) -> DiceSet:
        """The set with everything it has learnt, read again, since a page or a command may have changed it."""
        return with_lessons(load(self._folder))

    def learn(self, die: Shown) -> CheckedExample:
        """Keep a corrected die as an example of the face it is said to show; the least useful example may have to go.

        Raises:
            DiceSetError: the set has no such face.
            OSError: it cannot be written.
        """
        dice_set = self.dice_set
        die = replace(die, face=dice_set.face(die.face).id)
        known = self._samples(dice_set)
        against = contradiction(Sample.of(die), [sample for sample, one in known if _counts(one)])
        agreeing = [
            one for sample, one in known
            if one is not None and one.doubtful and one.face == die.face and sample.shape == die.shape
            and likeness(die.points, sample.points) >= AGREES
        ]  # fmt: skip
        if against is not None and agreeing:
            for other in agreeing:
                self._store.trust(die.face, other.name)
            against = None
        example = self._store.add(die, origin="corrected", doubtful=against is not None)
        self._make_room(die.face)
        return CheckedExample(example, against)

    def forget(self, face: str, name: str) -> None:
        """Delete an example. Raises DiceSetError if it is the only picture of its face."""
        example = self._store.find(face, name)
        pictures = self.dice_set.face(face).pictures_for(example.shape)
        if all(picture.example == example for picture in pictures):
            raise DiceSetError(
                "this is the only picture of {face:called}; add another before you delete it",
                face=face,
            )
        self._store.remove(face, name)

    def trust(self, face: str, name: str) -> None:
        """Compare with a doubtful example after all."""
        self._store.trust(face, name)

    def listed(self) -> list[CheckedExample]:
        """Every example with the evidence against it, face by face, oldest first."""
        dice_set = self.dice_set
        known = self._samples(dice_set) if self._store.examples else []
        listed = [
            CheckedExample(one, contradiction(sample, [s for s, e in known if s is not sample and _counts(e)]))
            for sample, one in known
            if one is not None
        ]
        order = {face: i for i, face in enumerate(dice_set.face_ids)}
        return sorted(listed, key=lambda one: order.get(one.example.face, len(order)))

    def _make_room(self, face: str) -> None:
        if len(self._store.of(face)) <= MOST_EXAMPLES:
            return
        known = self._samples(self.dice_set)
        worth = usefulness([sample for sample, one in known if _counts(one)], face)
        # Those that are not compared with go first.
        worth |= {one.name: -2.0 for one in self._store.of(face) if one.doubtful}
        self._store.drop_least_useful(face, worth)

    def _samples(self, dice_set: DiceSet) -> list[tuple[Sample, Example | None]]:
        """Every picture of the set, doubtful ones too, as the matcher sees it, with its example if it is one."""
        self._matcher = matcher = self._matcher or Matcher()
        aside = [one for one in self._store.examples if one.doubtful and one.path.is_file()]
        return [*set_samples(dice_set, matcher), *((sample_of(one, matcher), one) for one in aside)]


def learning(reader: Reader, dice_set: DiceSet) -> Callable[[Pixels, DieReading, str, str], CheckedExample]:
    """A function that learns a corrected die as an example, with which `reader` compares from the next picture on.

    It takes a (H, W, 3) BGR picture, a die in it, the face the die shows and where it was seen, in one thread at a
    time, and raises as `SetExamples.learn` does. Raises DiceSetError if earlier lessons are damaged.
    """
    examples = SetExamples(dice_set, reader.matcher)

    def learn(pixels: Pixels, die: DieReading, face: str, source: str) -> CheckedExample:
        found = Detection(die.shape, np.array(die.corners, np.float32), 1.0, die.box)
        shown = outlined(reader.detector, reader.matcher, pixels, found)
        learnt = examples.learn(replace(shown, face=face, source=source))
        reader.know(examples.dice_set)
        return learnt

    return learn


def set_samples(dice_set: DiceSet, matcher: Matcher) -> Sequence[tuple[Sample, Example | None]]:
    """Every picture that dice of a set are compared with, including drawings, as the matcher sees it."""
    samples: list[tuple[Sample, Example | None]] = []
    for face in dice_set.faces:
        for shape in dice_set.shapes:
            for picture in face.pictures_for(shape):
                views = [turns(upright, shape) for upright in upright_faces(picture, shape)]
                points = matcher.embed(np.concatenate(views))
                points = points.reshape(-1, shape.symmetry, points.shape[1])
                samples.append((Sample(face.id, picture.name, shape, points), picture.example))
    return samples


def sample_of(example: Example, matcher: Matcher) -> Sample:
    """One kept example as the matcher sees it."""
    points = embedded(matcher, example.around(), example.corners(), example.shape)
    return Sample(example.face, example.name, example.shape, points)


def _counts(example: Example | None) -> bool:
    return example is None or not example.doubtful

"""Lists dice sets for pages and changes them.

Comparing a set's examples takes a second, so the result is kept until the set's folder changes. Only one change happens
at a time; if a page refers to something that is gone, the error is one line.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from msgspec.structs import replace

from table.teaching.names import checked
from vision.dicesets.files import DiceSetError, FaceNote
from vision.dicesets.library import drafted, find, lessons, load, own_sets, survey
from vision.dicesets.model import DiceSet, note_of
from vision.embedding import Matcher
from vision.enrol.alike import LEAST_MARGIN, Alike, compare
from vision.enrol.examples import CheckedExample, ExampleStore, SetExamples, set_samples

__all__ = ["DiceSet", "SetCheck", "SetLibrary"]

MOST_PAIRS: Final = 8
"""Most pairs of similar faces on a page."""

Stamp = tuple[tuple[str, int, int], ...]
"""The files in a set's folders, with their times and sizes."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How well a face can be told from the others."""

    margin: float
    """By how much more it is like itself than like any other face (`Alike.margin`)."""

    @property
    def level(self) -> Literal["strong", "fine", "weak"]:
        """Its rating in one word."""
        return "weak" if self.margin < LEAST_MARGIN else "fine" if self.margin < 2 * LEAST_MARGIN else "strong"

    @property
    def share(self) -> float:
        """Its rating as the length of a bar, 0 to 1: half of it is twice the needed margin."""
        return min(1.0, max(0.05, self.margin / (4 * LEAST_MARGIN)))


@dataclass(frozen=True, slots=True)
class SetCheck:
    """How a set's pictures compare with each other."""

    examples: tuple[CheckedExample, ...]
    pairs: tuple[Alike, ...]
    """The most similar faces first: always the most similar pair, and every other one that is not safe."""
    right: int
    judged: int
    """How many pictures are read right by the others of their face, and how many have others."""
    strengths: Mapping[str, Strength]
    """How well each face with a picture can be told from the others."""


class SetLibrary:
    """All dice sets, for any thread.

    Methods raise `DiceSetError` (a `ValueError`) in one line if a set, a face or a picture does not exist or cannot be
    changed, and `OSError` if it cannot be written; then nothing has changed.
    """

    def __init__(self, matcher: Callable[[], Matcher] = Matcher) -> None:
        """`matcher` opens the network that compares faces, at its first use."""
        self._open = matcher
        self._matcher: Matcher | None = None
        self._lock = threading.RLock()
        self._judged: dict[str, tuple[Stamp, SetCheck]] = {}

    def sets(self) -> tuple[tuple[DiceSet, ...], tuple[DiceSetError, ...]]:
        """All usable sets, and the problem of each of the others."""
        return survey()

    def set(self, set_id: str) -> DiceSet:
        """The set with exactly this id, with learnt examples."""
        found = find(set_id)
        if found.id != set_id:
            raise DiceSetError("there is no dice set “{found}”", found=set_id[:40])
        return found

    def picture(self, set_id: str, face: str, file: str) -> bytes:
        """A face's picture by its file's name, doubtful examples included, as PNG."""
        dice_set = self.set(set_id)
        pictures = [one.path for one in dice_set.face(face).pictures]
        for path in (*pictures, *(one.face_path for one in ExampleStore(lessons(dice_set)).of(face))):
            if path.name == file and path.is_file():
                return path.read_bytes()
        raise DiceSetError(
            "{set} has no picture “{found}” of {face:called}", set=set_id, found=file[:40], face=face
        )

    def around(self, set_id: str, face: str, name: str) -> bytes:
        """An example's picture of the die with its surroundings, as PNG."""
        example = ExampleStore(lessons(self.set(set_id))).find(face, name)
        if not example.path.is_file():
            raise DiceSetError(
                "{set}: the picture of the whole die was not kept for {found}", set=set_id, found=f"{face}/{name}"
            )
        return example.path.read_bytes()

    def judged(self, set_id: str) -> SetCheck:
        """How the pictures of a set compare; computed again if its folder has changed."""
        with self._lock:
            dice_set = self.set(set_id)
            stamp = _stamp(dice_set)
            kept = self._judged.get(set_id)
            if kept is None or kept[0] != stamp:
                self._judged[set_id] = kept = (stamp, self._judge(dice_set))
            return kept[1]

    # --- changes

    def forget(self, set_id: str, face: str, name: str) -> DiceSet:
        """Delete an example, and return the changed set."""
        return self._changed(set_id, lambda examples: examples.forget(face, name))

    def trust(self, set_id: str, face: str, name: str) -> DiceSet:
        """Compare with a doubtful example after all, and return the changed set."""
        return self._changed(set_id, lambda examples: examples.trust(face, name))

    def rename(self, set_id: str, language: str, title: str, labels: Mapping[str, str]) -> DiceSet:
        """Change an own set's title and its faces' labels in one language; an empty label removes it."""
        title = checked(title, optional=True)
        labels = {face: checked(label, optional=True) for face, label in labels.items()}
        with self._lock:
            dice_set = self._own(set_id)
            note = note_of(dice_set)
            faces = tuple(
                replace(one, labels=_labelled(one, language, labels[one.id])) if one.id in labels else one
                for one in note.faces
            )
            titles = {**note.title, language: title} if title else note.title
            with drafted(dice_set.folder, replace(note, title=titles, faces=faces)):
                pass
            return load(dice_set.folder)

    def delete(self, set_id: str, in_use: Sequence[str] = ()) -> None:
        """Delete an own set for good, unless it is `in_use`."""
        with self._lock:
            dice_set = self._own(set_id)
            if set_id in in_use:
                raise DiceSetError(
                    "{set} is on the table now; switch to another set before you delete it", set=dice_set.named
                )
            gone = Path(tempfile.mkdtemp(prefix=".gone-", dir=own_sets()))
            dice_set.folder.rename(gone / set_id)
            shutil.rmtree(gone, ignore_errors=True)

    # --- sets as files

    def packed(self, set_id: str) -> bytes:
        """The set as one file for `take_in` and `tableside sets import`."""
        from vision.dicesets.package import packed

        return packed(self.set(set_id))

    def take_in(self, content: bytes, *, name: str = "", replacing: bool = False) -> DiceSet:
        """Add a set from an untrusted file; `name` is another id for it, if not empty.

        Raises DiceSetError if it is not a set, too large or not to be trusted.
        """
        from vision.dicesets.package import import_set

        with self._lock:
            return import_set(io.BytesIO(content), name=name or None, replacing=replacing)

    def stickers(self, set_id: str, dice: int, size: float, paper: str, language: str) -> bytes:
        """The PDF of stickers for so many dice of `size` mm, as `tableside print` makes it."""
        from vision.dicesets.printing import sheet

        if paper not in ("a4", "letter"):
            raise DiceSetError("choose A4 or Letter paper")
        return sheet(self.set(set_id), (), dice, size, "a4" if paper == "a4" else "letter", "", language)

    # --- the rest

    def _changed(self, set_id: str, change: Callable[[SetExamples], None]) -> DiceSet:
        with self._lock:
            examples = SetExamples(self.set(set_id), self._network())
            change(examples)
            return examples.dice_set

    def _own(self, set_id: str) -> DiceSet:
        dice_set = self.set(set_id)
        if dice_set.shipped:
            raise DiceSetError("{set} comes with Tableside and cannot be changed", set=dice_set.named)
        return dice_set

    def _judge(self, dice_set: DiceSet) -> SetCheck:
        matcher = self._network()
        tried = compare([sample for sample, _ in set_samples(dice_set, matcher)])
        near = tuple(one for i, one in enumerate(tried.alike) if not i or not one.safe)
        listed = tuple(SetExamples(dice_set, matcher).listed())
        strengths: dict[str, Strength] = {}
        for pair in tried.alike:  # the most similar first
            for face in pair.faces:
                strengths.setdefault(face, Strength(pair.margin))
        return SetCheck(listed, near[:MOST_PAIRS], tried.right, tried.judged, strengths)

    def _network(self) -> Matcher:
        self._matcher = self._matcher or self._open()
        return self._matcher


def _labelled(face: FaceNote, language: str, label: str) -> dict[str, str]:
    kept = {code: text for code, text in face.labels.items() if code != language}
    return {**kept, language: label} if label else kept


def _stamp(dice_set: DiceSet) -> Stamp:
    """The files that a comparison depends on."""
    files = [dice_set.folder / "set.toml", lessons(dice_set) / "examples.json"]
    files += [one.path for face in dice_set.faces for one in face.pictures]
    found = [(str(path), path.stat()) for path in files if path.is_file()]
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in found)

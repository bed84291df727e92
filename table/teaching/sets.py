"""The dice sets as pages show and change them: what is in them, what is wrong with them, and what is done about it.

What a set's examples say about each other takes a second to work out, so it is kept until the set's folder changes. One
change is made at a time; what a page was made from may be gone by the time it asks, which is said in one line.
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
"""Pairs of faces alike that a page shows."""

Stamp = tuple[tuple[str, int, int], ...]
"""What a set's folders held when they were looked at: each file, its time and its size."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How surely a face is told from the others."""

    margin: float
    """By how much it is more like itself than like any other face (`Alike.margin`)."""

    @property
    def level(self) -> Literal["strong", "fine", "weak"]:
        """In a word."""
        return "weak" if self.margin < LEAST_MARGIN else "fine" if self.margin < 2 * LEAST_MARGIN else "strong"

    @property
    def share(self) -> float:
        """As the length of a bar, 0 to 1: half of it is twice what is needed."""
        return min(1.0, max(0.05, self.margin / (4 * LEAST_MARGIN)))


@dataclass(frozen=True, slots=True)
class SetCheck:
    """What a set's pictures say about each other."""

    examples: tuple[CheckedExample, ...]
    pairs: tuple[Alike, ...]
    """The nearest faces, the most alike first; always the nearest pair, and every other one that is not safe."""
    right: int
    judged: int
    """Pictures that the others of their face name rightly, of so many that have others."""
    strengths: Mapping[str, Strength]
    """How surely each face is told from the others; none of a face without a picture."""


class SetLibrary:
    """Every dice set there is. Safe to use from any thread.

    Methods raise `DiceSetError` (a `ValueError`) in one line where a set, a face or a picture is not there or cannot be
    changed, and `OSError` where it cannot be written; nothing has changed then.
    """

    def __init__(self, matcher: Callable[[], Matcher] = Matcher) -> None:
        """`matcher` opens the network that compares faces, when it is first needed."""
        self._open = matcher
        self._matcher: Matcher | None = None
        self._lock = threading.RLock()
        self._judged: dict[str, tuple[Stamp, SetCheck]] = {}

    def sets(self) -> tuple[tuple[DiceSet, ...], tuple[DiceSetError, ...]]:
        """Every usable set, and what is wrong with each of the others."""
        return survey()

    def set(self, set_id: str) -> DiceSet:
        """The set with exactly this id, with what was learnt of it."""
        found = find(set_id)
        if found.id != set_id:
            raise DiceSetError("there is no dice set “{found}”", found=set_id[:40])
        return found

    def picture(self, set_id: str, face: str, file: str) -> bytes:
        """A face's picture by its file's name, doubtful examples too: PNG."""
        dice_set = self.set(set_id)
        pictures = [one.path for one in dice_set.face(face).pictures]
        for path in (*pictures, *(one.face_path for one in ExampleStore(lessons(dice_set)).of(face))):
            if path.name == file and path.is_file():
                return path.read_bytes()
        raise DiceSetError(
            "{set} has no picture “{found}” of {face:called}", set=set_id, found=file[:40], face=face
        )

    def around(self, set_id: str, face: str, name: str) -> bytes:
        """An example's picture of the die and what is around it: PNG."""
        example = ExampleStore(lessons(self.set(set_id))).find(face, name)
        if not example.path.is_file():
            raise DiceSetError(
                "{set}: the picture of the whole die was not kept for {found}", set=set_id, found=f"{face}/{name}"
            )
        return example.path.read_bytes()

    def judged(self, set_id: str) -> SetCheck:
        """What the pictures of a set say about each other; worked out anew when its folder has changed."""
        with self._lock:
            dice_set = self.set(set_id)
            stamp = _stamp(dice_set)
            kept = self._judged.get(set_id)
            if kept is None or kept[0] != stamp:
                self._judged[set_id] = kept = (stamp, self._judge(dice_set))
            return kept[1]

    # --- changes

    def forget(self, set_id: str, face: str, name: str) -> DiceSet:
        """Delete an example; the set as it is then."""
        return self._changed(set_id, lambda examples: examples.forget(face, name))

    def trust(self, set_id: str, face: str, name: str) -> DiceSet:
        """Compare with a doubtful example after all; the set as it is then."""
        return self._changed(set_id, lambda examples: examples.trust(face, name))

    def rename(self, set_id: str, language: str, title: str, labels: Mapping[str, str]) -> DiceSet:
        """Give a set of one's own another title, and faces other labels, in one language; an empty label is none."""
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
        """Delete a set of one's own for good; not one that is `in_use`."""
        with self._lock:
            dice_set = self._own(set_id)
            if set_id in in_use:
                raise DiceSetError(
                    "{set} is on the table now; switch to another set before you delete it", set=dice_set.named
                )
            gone = Path(tempfile.mkdtemp(prefix=".gone-", dir=own_sets()))
            dice_set.folder.rename(gone / set_id)
            shutil.rmtree(gone, ignore_errors=True)

    # --- sets that travel

    def packed(self, set_id: str) -> bytes:
        """The set as one file, as `take_in` and `tableside sets import` read it."""
        from vision.dicesets.package import packed

        return packed(self.set(set_id))

    def take_in(self, content: bytes, *, name: str = "", replacing: bool = False) -> DiceSet:
        """Add a set from what may be anybody's file; `name` is another id for it, if not empty.

        Raises DiceSetError for what is no set, too large or not to be trusted.
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
        for pair in tried.alike:  # the most alike first
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
    """The files that a judgement rests on."""
    files = [dice_set.folder / "set.toml", lessons(dice_set) / "examples.json"]
    files += [one.path for face in dice_set.faces for one in face.pictures]
    found = [(str(path), path.stat()) for path in files if path.is_file()]
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in found)

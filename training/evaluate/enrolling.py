"""Measures how well dice are read after enrolment: made-up sets, with one and with three pictures a face."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

import msgspec

from training.evaluate.labels import FolderError
from training.evaluate.run import Verdict, evaluate
from vision.dicesets.files import FaceNote, SetNote
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import SHAPES, Shape, shape_named
from vision.enrol.enrol import EnrolError, Enrolled, SideError, Wish, keep, take
from vision.enrol.shown import Shown
from vision.frame import Pixels
from vision.picture import load_picture
from vision.reader import Reader
from vision.reading import Reading

ENROLLED: Final = (1, 3)
"""Pictures a face."""


@dataclass(frozen=True, eq=False, slots=True)
class Measured:
    """One set's figures."""

    name: str
    shape: Shape
    verdicts: dict[int, Verdict]
    """Pictures a face → how its dice were read."""
    refused: int
    """Pictures to enrol from that were refused, and the next one taken."""
    problems: int
    """Kept pictures with a remark."""
    enrol_seconds: float
    """Processor seconds of enrolment, with three pictures a face."""
    read_ms: list[float] = field(default_factory=list[float])


def measure(
    folder: Path, reader: Reader, say: Callable[[str], None] = lambda _: None, *, evening: bool = False
) -> tuple[Measured, ...]:  # fmt: skip
    """Enrol and read every set in a folder (`training.synth.unseen` says its form).

    `evening`: the pictures of a set are one evening's rolls, in order; dice that counted, and dice that people were
    asked about, are known again.

    Raises FolderError if there is none, or one is damaged.
    """
    homes = sorted(path.parent for path in folder.glob("*/shape.txt"))
    if not homes:
        raise FolderError(f"{folder}: expected folders with shape.txt, examples/ and images/, found none")
    measured: list[Measured] = []
    for home in homes:
        measured.append(one := measure_set(home, reader, evening=evening))
        told = [f"with {count}: {_in_words(one.verdicts[count])}" for count in ENROLLED]
        found = _found_only(one.verdicts[max(ENROLLED)])["found"]
        say(f"{one.name} {one.shape} found {found}; {'; '.join(told)}; refused {one.refused}")
    return tuple(measured)


def measure_set(home: Path, reader: Reader, *, evening: bool = False) -> Measured:
    """Enrol one set from its examples, and read its pictures; see `measure`."""
    shape, faces = _told(home)
    note = SetNote("measured", {}, (shape,), tuple(FaceNote(f"f{i}") for i in range(len(faces))))
    began = time.process_time()
    supplies = [_Supply(home / "examples" / face, f"f{i}", shape, reader) for i, face in enumerate(faces)]
    verdicts: dict[int, Verdict] = {}
    spent, problems, times = 0.0, 0, list[float]()
    for count in ENROLLED:
        for supply in supplies:
            supply.fill(count)
        with tempfile.TemporaryDirectory() as scratch:
            made = _kept(note, supplies, count, reader, Path(scratch))
            spent += time.process_time() - began
            problems = len(made.problems)
            verdicts[count] = _read(home, made.dice_set, faces, reader, times, evening=evening)
            began = time.process_time()
    refused = sum(supply.refused for supply in supplies)
    return Measured(home.name, shape, verdicts, refused, problems, spent, times)


def enrolled(home: Path, reader: Reader, into: Path) -> DiceSet:
    """The set whose pictures lie in `home`, enrolled into a folder from one picture of each face, under its own names.

    Raises FolderError, DiceSetError, EnrolError.
    """
    shape, faces = _told(home)
    note = SetNote(home.name, {}, (shape,), tuple(FaceNote(face) for face in faces))
    supplies = [_Supply(home / "examples" / face, face, shape, reader) for face in faces]
    for supply in supplies:
        supply.fill(1)
    return _kept(note, supplies, 1, reader, into).dice_set


def _told(home: Path) -> tuple[Shape, tuple[str, ...]]:
    """The shape of a folder's dice, and their faces."""
    try:
        called = (home / "shape.txt").read_text(encoding="utf-8").strip()
        faces = tuple((home / "faces.txt").read_text(encoding="utf-8").split())
    except (OSError, ValueError) as error:
        raise FolderError(f"{home}: expected shape.txt and faces.txt ({error!r:.120})") from None
    if (shape := shape_named(called)) is None:
        raise FolderError(f"{home / 'shape.txt'}: expected d6 or d8, found '{called[:20]}'")
    return shape, faces


class _Supply:
    """The pictures of one face; a refused one is replaced by the next, as people would do."""

    def __init__(self, folder: Path, face: str, shape: Shape, reader: Reader) -> None:
        self._pictures = iter(sorted(folder.glob("*.jpg"), key=lambda path: int(path.stem)))
        self._asked = (shape,), face
        self._reader = reader
        self.taken: list[Shown] = []
        self.refused = 0

    def fill(self, count: int) -> None:
        """Take pictures until there are so many, or no more."""
        if len(self.taken) >= count:
            return
        for path in self._pictures:
            try:
                pixels, reader = load_picture(path), self._reader
                found = take(reader.detector, reader.matcher, pixels, *self._asked, path.name)
            except EnrolError:
                self.refused += 1
                continue
            self.taken.append(found[0])
            if len(self.taken) == count:
                return

    def again(self, die: Shown, count: int) -> None:
        """Take another picture instead of this one, if there is one."""
        self.taken.remove(die)
        self.refused += 1
        self.fill(count)

    def instead(self, die: Shown, count: int) -> None:
        """Take another picture instead of this one; keep this one if there is none."""
        self.again(die, count)
        if len(self.taken) < count:
            self.taken.append(die)


def _kept(note: SetNote, supplies: Sequence[_Supply], count: int, reader: Reader, home: Path) -> Enrolled:
    """The set with so many pictures a face; a picture that turns out to be taken from the side is replaced.

    Once for each face, so are a picture that is too bright or may show a side, and the two most similar pictures of
    faces that look the same: the program asks people to check these.
    """
    told: set[tuple[str, ...]] = set()
    while True:
        chosen = [one for supply in supplies for one in supply.taken[:count]]
        # A face of which every picture was refused is missing from the set, and its dice are read wrong.
        there = tuple(face for face, supply in zip(note.faces, supplies, strict=True) if supply.taken)
        wish = Wish(msgspec.structs.replace(note, faces=there), {})
        try:
            made = keep(wish, chosen, reader.matcher, home=home, replacing=True)
        except SideError as error:
            next(one for one in supplies if error.die in one.taken).again(error.die, count)
            continue
        new = [one for one in made.problems if one.faces not in told]
        if poor := next((one for one in new if one.kind in ("bright", "side")), None):
            told.add(poor.faces)
            supply = next(one for one in supplies if one.taken and one.taken[0].face in poor.faces)
            supply.instead(next(die for die in supply.taken if die.source == poor.source), count)
            continue
        same = next((one.faces for one in new if one.kind == "same"), None)
        if same is None:
            return made
        told.add(same)
        one, other = (next(s for s in supplies if s.taken and s.taken[0].face == face) for face in same)
        nearest = max(product(one.taken[:count], other.taken[:count]), key=lambda dice: dice[0].likeness(dice[1]))
        for supply, die in zip((one, other), nearest, strict=True):
            supply.instead(die, count)


def _read(
    home: Path, dice_set: DiceSet, faces: Sequence[str], reader: Reader, times: list[float], *, evening: bool
) -> Verdict:  # fmt: skip
    def read(pixels: Pixels) -> Reading:
        reading = reader.read(pixels)
        times.append(reading.times.identify)
        return reading

    reader.know(dice_set)
    reader.begin_evening()
    named = {index: f"f{index}" for index in range(len(faces))}
    return evaluate(home, dice_set, read, evening=reader if evening else None, faces=named)


def summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """All figures as plain values."""
    rows: dict[str, Any] = {}
    for count in ENROLLED:
        for shape in (*SHAPES, "all"):
            chosen = [one for one in measured if shape in (one.shape, "all")]
            if chosen:
                joined = Verdict(tuple(p for one in chosen for p in one.verdicts[count].pictures), ())
                figures = {"sets": len(chosen), **joined.summary(), **_found_only(joined)}
                rows[f"{count} a face, {shape}"] = figures
    eighteen = [one.enrol_seconds for one in measured if one.shape == Shape.CUBE]
    return {
        "sets": len(measured),
        "rows": rows,
        "refused_pictures": sum(one.refused for one in measured),
        "problems_said": sum(one.problems for one in measured),
        "enrol_seconds_six_faces_three_pictures": round(statistics.median(eighteen), 2) if eighteen else None,
        "identify_ms": round(statistics.median(ms for one in measured for ms in one.read_ms), 2),
        "by_set": [
            {"set": one.name, "shape": one.shape, **{f"{n}": _counts(one.verdicts[n]) for n in ENROLLED}}
            for one in sorted(measured, key=_worst_first)
        ],
    }


def _worst_first(one: Measured) -> tuple[float, float]:
    told = one.verdicts[max(ENROLLED)].summary()
    return told["hands_free_share"] or 0.0, told["accuracy"] or 0.0


def _counts(verdict: Verdict) -> dict[str, int]:
    told = verdict.summary()
    return {name: told[name] for name in ("dice", "right", "pictures", "hands_free", "certain_and_wrong", "uncertain")}


def _found_only(verdict: Verdict) -> dict[str, float | None]:
    """Right dice among those found: errors of the detector do not count against enrolment."""
    found = [one for p in verdict.pictures for one in p.dice if one.label is not None and one.die is not None]
    return {
        "found": len(found),
        "accuracy_of_found": round(sum(one.right for one in found) / len(found), 4) if found else None,
    }


def _in_words(verdict: Verdict) -> str:
    told = verdict.summary()
    return (
        f"right {told['right']} of {told['dice']} dice, hands-free {told['hands_free']} of {told['pictures']} rolls, "
        f"certain and wrong {told['certain_and_wrong']}"
    )

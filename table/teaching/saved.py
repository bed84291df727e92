"""Keeps a lesson on disk, so that a restart, a crash or an empty battery loses nothing.

`lesson/` in the data folder has a file for each example, written once, and `lesson.json`, which describes the lesson
and lists its examples. It is written after these, and each file is written whole or not at all (`files.atomic`), so
that a process killed at any moment leaves the lesson as it was before or after a change. Unlisted files are deleted.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import cv2
import msgspec
import numpy as np
from msgspec import Meta

from files.atomic import write_whole
from files.records import read_record, write_record
from vision.dicesets.files import SET_ID
from vision.dicesets.shapes import Shape
from vision.embedding import Points
from vision.enrol.shown import MOST_AROUND, OUTLINES, Shown
from vision.frame import Floats, Pixels, Point

FOLDER: Final = "lesson"
INDEX: Final = "lesson.json"
LARGEST_INDEX: Final = 256 * 1024
LARGEST_EXAMPLE: Final = 2 * 1024 * 1024
"""Largest example, in bytes; one has some 200,000."""
LARGEST: Final = 96 * 1024 * 1024
"""Largest lesson, in bytes; further examples are not kept on disk until it is finished."""

Looks = Callable[[Pixels, Sequence[Floats], Shape], Points]
"""Computes the points of an example's looks, as `vision.enrol.shown.embedded` does. They are not kept on disk, as
points of different networks cannot be compared."""
Examples = Mapping[str, Mapping[int, Shown]]
"""The examples of each face by number, in the set's order."""
FaceId = Annotated[str, Meta(pattern=rf"^(?:{SET_ID.pattern})\Z")]


class LessonRequest(msgspec.Struct, frozen=True):
    """A lesson's set: a new one, or one that gets more examples."""

    like: str = ""
    """Id of a set whose faces these dice have; empty for none."""
    adds_to: str = ""
    """Id of the set that gets more examples; empty for a new set."""


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """An unfinished lesson."""

    asked: LessonRequest
    face: str
    """The requested face; empty for none."""
    labels: Mapping[str, str]
    blank: tuple[str, ...]
    examples: Examples


class _Face(msgspec.Struct, frozen=True):
    id: FaceId
    label: str
    examples: tuple[int, ...]


class _LessonIndex(msgspec.Struct, frozen=True):
    version: Literal[2]
    asked: LessonRequest
    face: str
    blank: tuple[str, ...]
    faces: tuple[_Face, ...]


class _Example(msgspec.Struct, frozen=True):
    """The fields of `Shown` that are kept, its picture as PNG."""

    source: Annotated[str, Meta(max_length=200)]
    shape: Shape
    likely_shape: Shape
    score: float
    spread: float
    firm: float
    side: float
    leans: bool
    shapely: float
    around: bytes
    outlines: Annotated[tuple[tuple[Point, ...], ...], Meta(min_length=1, max_length=OUTLINES)]
    place: tuple[Point, ...]


class LessonFile:
    """The lesson of one data folder, for one thread at a time."""

    def __init__(self, folder: Path, most: int = LARGEST) -> None:
        """Neither read nor create anything yet."""
        self._folder, self._most = folder / FOLDER, most

    def keep(self, left: Left) -> None:
        """Write the lesson in its current state. Raises OSError; the previous state is then intact."""
        self._folder.mkdir(parents=True, exist_ok=True)
        room = self._most
        faces: list[_Face] = []
        for face, examples in left.examples.items():
            numbers: list[int] = []
            for number, die in examples.items():
                path = self._path(number)
                if not path.exists():
                    write_whole(path, _packed(die))
                room -= path.stat().st_size
                if room < 0:
                    break
                numbers.append(number)
            faces.append(_Face(face, left.labels.get(face, ""), tuple(numbers)))
        write_record(self._folder / INDEX, _LessonIndex(2, left.asked, left.face, left.blank, tuple(faces)))
        named = {self._folder / INDEX, *(self._path(number) for one in faces for number in one.examples)}
        for path in set(self._folder.iterdir()) - named:
            with suppress(OSError):
                path.unlink()

    def read(self, looks: Looks) -> Left | None:
        """The unfinished lesson; None if there is none or the file is not ours. Damaged examples are left out.

        `looks` computes the points of each example.
        """
        index = read_record(self._folder / INDEX, _LessonIndex, LARGEST_INDEX)
        if index is None:
            return None
        examples: dict[str, dict[int, Shown]] = {}
        for one in index.faces:
            read = ((number, self._example(number, one.id, looks)) for number in one.examples)
            examples[one.id] = {number: die for number, die in read if die is not None}
        return Left(
            index.asked,
            index.face if index.face in examples else "",
            {one.id: one.label for one in index.faces if one.label},
            tuple(face for face in index.blank if face in examples),
            examples,
        )

    def forget(self) -> None:
        """Delete the lesson, the index first."""
        with suppress(OSError):
            (self._folder / INDEX).unlink()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.example"

    def _example(self, number: int, face: str, looks: Looks) -> Shown | None:
        path = self._path(number)
        try:
            if path.stat().st_size > LARGEST_EXAMPLE:
                return None
            return _unpacked(face, msgspec.msgpack.decode(path.read_bytes(), type=_Example), looks)
        except (OSError, ValueError, cv2.error):
            return None


def _packed(die: Shown) -> bytes:
    done, around = cv2.imencode(".png", die.around)
    assert done, "OpenCV writes PNG"
    outlines = tuple(_points(outline) for outline in die.outlines)
    return msgspec.msgpack.encode(
        _Example(
            die.source[:200], die.shape, die.likely_shape, die.score, die.spread, die.firm, die.side, die.leans,
            die.shapely, around.tobytes(), outlines, _points(die.place),
        )
    )  # fmt: skip


def _unpacked(face: str, kept: _Example, looks: Looks) -> Shown:
    """Read an example from a file. ValueError if it is not ours."""
    around = cv2.imdecode(np.frombuffer(kept.around, np.uint8), cv2.IMREAD_COLOR)
    outlines = tuple(np.array(outline, np.float32) for outline in kept.outlines)
    place = np.array(kept.place, np.float32)
    corners = (kept.shape.corners, 2)
    if around is None or max(around.shape[:2]) > MOST_AROUND:
        raise ValueError("expected a small picture")
    if any(one.shape != corners or not np.isfinite(one).all() for one in (place, *outlines)):
        raise ValueError("expected outlines of the shape")
    pixels = np.asarray(around, np.uint8)
    return Shown(
        kept.shape, kept.likely_shape, kept.score, pixels, outlines, kept.spread, kept.firm, kept.side, place,
        looks(pixels, outlines, kept.shape), kept.leans, kept.shapely, face, kept.source,
    )  # fmt: skip


def _points(corners: Floats) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)

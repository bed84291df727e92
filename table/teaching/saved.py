"""A lesson on disk, so that a restart, a crash or a flat battery costs nothing that was taught.

`lesson/` in the data folder holds an example a file, each written once, and `lesson.json`, which says what is taught
and which examples belong to it. That file is what counts: it is written after the examples that it names, and each is
whole or not at all (`files.atomic`), so that whoever is killed at any moment leaves the lesson as it was or as it
is. What it does not name is swept.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np

from files.atomic import write_whole
from vision.dicesets.model import SET_ID
from vision.dicesets.shapes import Shape
from vision.embedding import Points
from vision.enrol.enrol import Taken
from vision.enrol.shown import MOST_AROUND, OUTLINES, Floats, Pixels, Shown

FOLDER: Final = "lesson"
INDEX: Final = "lesson.json"
VERSION: Final = 1
LARGEST_INDEX: Final = 256 * 1024
LARGEST_EXAMPLE: Final = 2 * 1024 * 1024
"""Bytes; one has some 200,000."""
LARGEST: Final = 96 * 1024 * 1024
"""Bytes of a lesson: what is taught beyond that is taught, and not kept on disk before it is finished."""

Looks = Callable[[Pixels, Sequence[Floats], Shape], Points]
"""Points of an example's looks, as `vision.enrol.shown.embedded` gives them. They are not kept on disk: points of
another network compare with none of this one's."""
Examples = Mapping[str, Mapping[int, Taken]]
"""The examples of each face, in the set's order, by their numbers."""


@dataclass(frozen=True, slots=True)
class Begun:
    """How a lesson was begun: a new set as it was asked for, or one that is added to."""

    adds_to: str = ""
    title: str = ""
    shapes: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    like: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """A lesson as it was left."""

    begun: Begun
    face: str
    """The face that was to be shown; empty for none."""
    labels: Mapping[str, str]
    blank: tuple[str, ...]
    examples: Examples


class LessonFile:
    """The lesson of one data folder. Not safe from several threads at once."""

    def __init__(self, folder: Path, most: int = LARGEST) -> None:
        """Nothing is read yet, and nothing made."""
        self._folder, self._most = folder / FOLDER, most

    def keep(self, left: Left) -> None:
        """Write the lesson as it stands now. Raises OSError; the lesson of before is then whole."""
        self._folder.mkdir(parents=True, exist_ok=True)
        room = self._most
        listed: list[dict[str, Any]] = []
        for face, examples in left.examples.items():
            numbers: list[int] = []
            for number, one in examples.items():
                path = self._folder / f"{number}.npz"
                if not path.exists():
                    write_whole(path, _packed(one))
                room -= path.stat().st_size
                if room < 0:
                    break
                numbers.append(number)
            listed.append({"face": face, "label": left.labels.get(face, ""), "examples": numbers})
        begun = left.begun
        told = {
            "version": VERSION, "adds_to": begun.adds_to, "title": begun.title, "shapes": list(begun.shapes),
            "asked": list(begun.faces), "like": begun.like, "face": left.face, "blank": list(left.blank),
            "faces": listed,
        }  # fmt: skip
        write_whole(self._folder / INDEX, json.dumps(told, ensure_ascii=False).encode())
        self._sweep({INDEX, *(f"{number}.npz" for one in listed for number in one["examples"])})

    def read(self, looks: Looks) -> Left | None:
        """The lesson that was left; None without one, or where the file is none of ours. A damaged example is left out.

        `looks` looks at each example.
        """
        try:
            with (self._folder / INDEX).open("rb") as file:
                text = file.read(LARGEST_INDEX + 1)
            if len(text) > LARGEST_INDEX:
                return None
            return self._told(json.loads(text.decode("utf-8")), looks)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def forget(self) -> None:
        """There is no lesson any more: the index goes first, the rest is swept."""
        with suppress(OSError):
            (self._folder / INDEX).unlink()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _told(self, told: Any, looks: Looks) -> Left | None:
        if told["version"] != VERSION:
            return None
        examples: dict[str, dict[int, Taken]] = {}
        labels: dict[str, str] = {}
        for one in told["faces"]:
            face = str(one["face"])
            if not SET_ID.fullmatch(face):
                return None
            if one["label"]:
                labels[face] = str(one["label"])
            read = ((int(number), self._example(int(number), face, looks)) for number in one["examples"])
            examples[face] = {number: example for number, example in read if example is not None}
        begun = Begun(
            str(told["adds_to"]), str(told["title"]), _words(told["shapes"]), _words(told["asked"]), str(told["like"])
        )  # fmt: skip
        blank = tuple(face for face in _words(told["blank"]) if face in examples)
        face = str(told["face"])
        return Left(begun, face if face in examples else "", labels, blank, examples)

    def _example(self, number: int, face: str, looks: Looks) -> Taken | None:
        path = self._folder / f"{number}.npz"
        try:
            if path.stat().st_size > LARGEST_EXAMPLE:
                return None
            with path.open("rb") as file, np.load(file, allow_pickle=False) as packed:
                return _unpacked(face, cast("Mapping[str, Any]", packed), looks)
        except (
            Exception
        ):  # a file from outside, through a zip and a PNG reader: whatever is wrong with it, it is out
            return None

    def _sweep(self, wanted: set[str]) -> None:
        for path in self._folder.iterdir():
            if path.name not in wanted:
                with suppress(OSError):
                    path.unlink()


def _words(listed: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(one) for one in listed)


def _packed(one: Taken) -> bytes:
    die = one.die
    done, around = cv2.imencode(".png", die.around)
    assert done, "OpenCV writes PNG"
    told = {
        "source": one.source, "shape": die.shape, "likely": die.likely_shape, "score": die.score,
        "spread": die.spread, "firm": die.firm, "side": die.side, "leans": die.leans, "shapely": die.shapely,
    }  # fmt: skip
    packed = io.BytesIO()
    outlines = np.concatenate(die.outlines).astype(np.float32)
    np.savez_compressed(
        packed, told=np.frombuffer(json.dumps(told).encode(), np.uint8), around=around.ravel(), outlines=outlines,
        place=np.asarray(die.place, np.float32),
    )  # fmt: skip
    return packed.getvalue()


def _unpacked(face: str, packed: Mapping[str, Any], looks: Looks) -> Taken:
    """An example out of a file. Raises anything at all where it is none of ours."""
    told = json.loads(packed["told"].tobytes())
    around = cv2.imdecode(packed["around"], cv2.IMREAD_COLOR)
    shape, likely = Shape(told["shape"]), Shape(told["likely"])
    corners = shape.corners
    outlines, place = packed["outlines"], packed["place"]
    fits = (
        around is not None and max(around.shape[:2]) <= MOST_AROUND
        and outlines.ndim == 2 and outlines.shape[1] == 2 and len(outlines) % corners == 0
        and 0 < len(outlines) <= corners * OUTLINES and place.shape == (corners, 2)
        and all(part.dtype == np.float32 and np.isfinite(part).all() for part in (outlines, place))
    )  # fmt: skip
    if not fits:
        raise ValueError("no example of ours")
    pixels, apart = np.asarray(around, np.uint8), tuple(np.split(outlines, len(outlines) // corners))
    leans, shapely = bool(told.get("leans", False)), float(told.get("shapely", 1.0))
    die = Shown(
        shape, likely, float(told["score"]), pixels, apart, float(told["spread"]), float(told["firm"]),
        float(told["side"]), place, looks(pixels, apart, shape), leans, shapely,
    )  # fmt: skip
    return Taken(face, str(told["source"])[:200], die)

"""Measures a reader: every die of a labelled folder is right, wrong, missed, invented or asked about.

A folder has `images/`, `labels/` (YOLO: class and box as fractions of the picture, one die a line; further
columns may give the top face's corners) and `faces.txt` (one face a line, the classes' names; Label Studio calls it
`classes.txt`). Boxes may be around whole dice or around top faces: a die counts as found when either its own box or
its top face lies where a label says. Dice that need not be read, such as those half out of the picture, are in a
second file (`.aside.txt`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.evaluate.labels import (
    ASIDE,
    FolderError,
    face_tilt,
    label_lines,
    labels_path,
    pictures_in,
    text_lines,
)
from vision.dicesets.files import DiceSetError
from vision.dicesets.model import DiceSet
from vision.frame import Pixels
from vision.picture import PictureError, load_picture
from vision.reader import Reader
from vision.reading import UNKNOWN, DieReading, Reading

SIZE_BINS = (0, 24, 40, 64, 100, 10_000)
"""Bounds of the tables by die size, in pixels of the label's longer side."""
TILT_BINS = (0, 10, 20, 30, 40, 91)
"""Bounds of the tables by tilt, in degrees between the face's normal and the view."""


@dataclass(frozen=True, slots=True)
class TrueDie:
    """The truth about one die of a picture."""

    face: str
    centre: tuple[float, float]
    size: float
    """The longer side of its box in pixels."""
    tilt: float | None = None
    """Degrees between the top face's normal and the view; None if the label does not give its corners."""


@dataclass(frozen=True, slots=True)
class JudgedDie:
    """One die: its label (None for an invented die) and its reading (None for a missed one)."""

    label: TrueDie | None
    die: DieReading | None

    @property
    def right(self) -> bool:
        """Whether the die was found and its face is right."""
        return self.label is not None and self.die is not None and self.label.face == self.die.face


@dataclass(frozen=True, slots=True)
class PictureVerdict:
    """One picture's dice."""

    path: Path
    dice: tuple[JudgedDie, ...]
    milliseconds: float

    @property
    def wholly_right(self) -> bool:
        """Whether every die is right, none missed, none invented."""
        return all(judged.right for judged in self.dice)

    @property
    def hands_free(self) -> bool:
        """Whether everything is right and no die is asked about: the table goes on by itself."""
        return self.wholly_right and all(judged.die.certain for judged in self.dice if judged.die)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A folder's pictures, and the files that could not be read."""

    pictures: tuple[PictureVerdict, ...]
    failed: tuple[str, ...]

    def summary(self) -> dict[str, Any]:
        """Plain counts and shares, for printing and for JSON.

        `dice` are the labelled ones; `read` are the found ones, including invented dice. Shares of dice asked about,
        and of dice certain and wrong, are shares of `read`.
        """
        judged = [die for picture in self.pictures for die in picture.dice]
        labelled = [j for j in judged if j.label is not None]
        found = [j for j in judged if j.die is not None]
        right = sum(j.right for j in labelled)
        missed = sum(j.die is None for j in labelled)
        invented = sum(j.label is None for j in judged)
        uncertain = sum(not j.die.certain for j in found if j.die is not None)
        silent = [j for j in found if j.die is not None and j.die.certain and not j.right]
        rolls = sum(picture.wholly_right for picture in self.pictures)
        hands_free = sum(picture.hands_free for picture in self.pictures)
        times = sorted(picture.milliseconds for picture in self.pictures)
        return {
            "pictures": len(self.pictures),
            "failed": list(self.failed),
            "dice": len(labelled),
            "right": right,
            "wrong": len(labelled) - right - missed,
            "missed": missed,
            "invented": invented,
            "accuracy": _share(right, len(labelled)),
            "rolls_right": rolls,
            "rolls_accuracy": _share(rolls, len(self.pictures)),
            "hands_free": hands_free,
            "hands_free_share": _share(hands_free, len(self.pictures)),
            "read": len(found),
            "certain_and_wrong": len(silent),
            "certain_and_wrong_share": _share(len(silent), len(found)),
            "invented_and_certain": sum(j.label is None for j in silent),
            "uncertain": uncertain,
            "uncertain_share": _share(uncertain, len(found)),
            "median_ms": round(times[len(times) // 2], 1) if times else None,
            "by_size": _binned(labelled, SIZE_BINS, "px", lambda label: label.size),
            "by_tilt": _binned(
                labelled, TILT_BINS, "degrees", lambda label: math.nan if label.tilt is None else label.tilt
            ),
            "confusion": _confusion(labelled),
            "reliability": _reliability(found),
            "asking_curve": _asking_curve(self.pictures),
        }


def _binned(
    labelled: Sequence[JudgedDie], bounds: Sequence[int], unit: str, measure: Callable[[TrueDie], float]
) -> list[dict[str, Any]]:
    """Accuracy in each bin between two bounds that has any dice."""
    rows: list[dict[str, Any]] = []
    for low, high in pairwise(bounds):
        inside = [j for j in labelled if j.label is not None and low <= measure(j.label) < high]
        if inside:
            right, missed = sum(j.right for j in inside), sum(j.die is None for j in inside)
            counts = {"dice": len(inside), "accuracy": _share(right, len(inside)), "missed": missed}
            rows.append({f"from_{unit}": low, f"to_{unit}": high, **counts})
    return rows


def percent(share: float | None) -> str:
    """A share as a percentage."""
    return "–" if share is None else f"{share:.1%}"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _confusion(labelled: Sequence[JudgedDie]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    for judged in labelled:
        assert judged.label is not None
        shown = judged.die.face if judged.die else "missed"
        counts.setdefault(judged.label.face, Counter())[shown] += 1
    return {face: dict(counter.most_common()) for face, counter in sorted(counts.items())}


def _reliability(found: Sequence[JudgedDie]) -> list[dict[str, float | int | None]]:
    """Confidence against correctness in ten bins of confidence."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for judged in found:
        assert judged.die is not None
        confidence = judged.die.confidence
        bins.setdefault(min(int(confidence * 10), 9), []).append((confidence, judged.right))
    return [
        {
            "confidence": round(sum(confidence for confidence, _ in inside) / len(inside), 3),
            "right": _share(sum(right for _, right in inside), len(inside)),
            "dice": len(inside),
        }
        for _, inside in sorted(bins.items())
    ]


def _asking_curve(pictures: Sequence[PictureVerdict]) -> list[dict[str, float | int | None]]:
    """The effect of every threshold of confidence: for each count of dice certain and wrong, the threshold with that
    count that asks least. Dice with at least this confidence are certain.

    Dice that are asked about despite their confidence (the face is unknown, or only a mark tells it from another) are
    asked about at every threshold. The dice that were certain show which ones these are: no threshold is above the
    least confident of them.
    """
    dice = [judged.die for picture in pictures for judged in picture.dice if judged.die is not None]
    least = min((die.confidence for die in dice if die.certain), default=math.inf)

    def bound(judged: JudgedDie) -> float:
        """The highest threshold at which a die is certain; -inf if there is none."""
        die = judged.die
        if die is None or die.face == UNKNOWN or (not die.certain and die.confidence >= least):
            return -math.inf
        return die.confidence

    read = [(bound(judged), judged.right) for p in pictures for judged in p.dice if judged.die is not None]
    # A picture without dice is hands-free at every threshold.
    rolls = [min(map(bound, p.dice), default=math.inf) for p in pictures if p.wholly_right]
    rows: list[dict[str, float | int | None]] = []
    for below in sorted({highest for highest, right in read if not right} | {-math.inf}, reverse=True):
        certain = [(highest, right) for highest, right in read if highest > below]
        asked, wrong = len(read) - len(certain), sum(not right for _, right in certain)
        hands_free = sum(roll > below for roll in rolls)
        rows.append({
            "threshold": round(min((highest for highest, _ in certain), default=1.0), 6),
            "certain_and_wrong": wrong, "certain_and_wrong_share": _share(wrong, len(read)),
            "asked": asked, "asked_share": _share(asked, len(read)),
            "hands_free": hands_free, "hands_free_share": _share(hands_free, len(pictures)),
        })  # fmt: skip
    return rows


Read = Callable[[NDArray[np.uint8]], Reading]

NEAR = 0.5
"""A die belongs to a label if their centres are closer than this share of the label's longer side."""


def evaluate(
    folder: Path,
    dice_set: DiceSet,
    read: Read,
    step: Callable[[], None] = lambda: None,
    *,
    least: float = 0.0,
    pictures: Sequence[Path] | None = None,
    evening: Reader | None = None,
    faces: Mapping[int, str] | None = None,
) -> Verdict:
    """Read every picture of a labelled folder, or some `pictures` of it, and judge it; `step` is called after each.

    If the pictures are one evening's rolls, in order, `evening` is the reader of `read`, and recognises dice again.
    Dice with labels smaller than `least` pixels, or in the file of those aside, are left out of every figure. `faces`
    maps classes to faces, if `faces.txt` has other names for them.

    Raises FolderError if the folder has no pictures, no `faces.txt`, or names faces that the set has not.
    """
    faces = faces_of(folder, dice_set) if faces is None else faces
    pictures = pictures_in(folder) if pictures is None else pictures
    if not pictures:
        raise FolderError(f"{folder}: expected pictures in images/, found none")
    verdicts: list[PictureVerdict] = []
    failed: list[str] = []
    for path in pictures:
        try:
            pixels = load_picture(path)
        except PictureError as error:
            failed.append(str(error))
            step()
            continue
        height, width = pixels.shape[:2]
        there = labels_path(path)
        labels, aside = (read_labels(of, faces, width, height) for of in (there, there.with_suffix(ASIDE)))
        reading = read(pixels)
        judged = judge((*labels, *aside), reading.dice, least)
        if evening is not None:
            answer(evening, pixels, judged)
        counted = tuple(one for one in judged if one.label is None or one.label in labels)
        verdicts.append(PictureVerdict(path, counted, reading.times.total))
        step()
    return Verdict(tuple(verdicts), tuple(failed))


def faces_of(folder: Path, dice_set: DiceSet) -> Mapping[int, str]:
    """The faces of a folder's classes, by number. Raises FolderError."""
    path = next((p for name in ("faces.txt", "classes.txt") if (p := folder / name).is_file()), None)
    if path is None:
        raise FolderError(f"{folder}: expected faces.txt (or classes.txt) with one face a line, found none")
    names = [line.strip() for line in text_lines(path) if line.strip()]
    try:
        return {i: dice_set.resolve(name) for i, name in enumerate(names)}
    except DiceSetError as error:
        raise FolderError(f"{path}: {error}") from error


def read_labels(path: Path, faces: Mapping[int, str], width: int, height: int) -> tuple[TrueDie, ...]:
    """The labels of one picture; a missing file means no dice. Raises FolderError."""
    labels: list[TrueDie] = []
    for one in label_lines(path, width, height, faces):
        x0, y0, x1, y1 = one.box
        tilt = face_tilt(one.corners) if len(one.corners) else None
        labels.append(TrueDie(faces[one.kind], ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0), tilt))
    return tuple(labels)


def judge(labels: Sequence[TrueDie], dice: Iterable[DieReading], least: float = 0.0) -> tuple[JudgedDie, ...]:
    """Pair labels with dice, nearest first; the rest were missed or invented.

    Labels smaller than `least` pixels, and dice read there, do not count.
    """
    read = list(dice)
    pairs = sorted(
        (distance, i, k)
        for i, label in enumerate(labels)
        for k, die in enumerate(read)
        if (distance := _distance(label, die)) < NEAR
    )
    of_label: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, k in pairs:
        if i not in of_label and k not in taken:
            of_label[i] = k
            taken.add(k)
    judged = [
        JudgedDie(label, read[of_label[i]] if i in of_label else None)
        for i, label in enumerate(labels)
        if label.size >= least
    ]
    return (*judged, *(JudgedDie(None, die) for k, die in enumerate(read) if k not in taken))


def _distance(label: TrueDie, die: DieReading) -> float:
    x0, y0, x1, y1 = die.box
    centres = np.array([((x0 + x1) / 2, (y0 + y1) / 2), die.centre])
    return float(np.linalg.norm(centres - label.centre, axis=1).min()) / max(label.size, 1e-6)


def answer(reader: Reader, pixels: Pixels, judged: Sequence[JudgedDie]) -> None:
    """Let a reader recognise dice as at a table: by their reading if it was certain, right or wrong, and by their true
    face if people were asked."""
    for one in judged:
        if one.die is not None and one.die.certain:
            reader.recognise(pixels, one.die, one.die.face)
        elif one.die is not None and one.label is not None:
            reader.recognise(pixels, one.die, one.label.face, named=True)

"""How well a reader reads: every die of a labelled folder, right, wrong, missed, invented, asked about.

A folder has `images/`, `labels/` (YOLO: class and box as fractions of the picture, one die a line; further
columns may give the top face's corners) and `faces.txt` (one face a line, the classes' names; Label Studio calls it
`classes.txt`). Boxes may be around whole dice or around top faces: a die counts as found when either its own box or
its top face lies where a label says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.evaluate.labels import FolderError, label_lines, pictures_in, text_lines
from training.evaluate.verdict import Judged, Label, PictureVerdict, Verdict
from vision.dicesets.model import DiceSet, DiceSetError
from vision.dicesets.shapes import shape_outlined
from vision.picture import PictureError, load_picture
from vision.reading import DieReading, Reading
from vision.rectify import canonical_corners

Read = Callable[[NDArray[np.uint8]], Reading]

NEAR = 0.5
"""A die belongs to a label when their centres are closer than this share of the label's longer side."""


def evaluate(
    folder: Path,
    dice_set: DiceSet,
    read: Read,
    step: Callable[[], None] = lambda: None,
    *,
    least: float = 0.0,
    pictures: Sequence[Path] | None = None,
) -> Verdict:
    """Read every picture of a labelled folder, or some `pictures` of it, and judge it; `step` is called after each.

    Dice whose label is smaller than `least` pixels are left out of every figure.

    Raises FolderError when the folder has no pictures, no `faces.txt`, or names faces that the set has not.
    """
    faces = faces_of(folder, dice_set)
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
        labels = read_labels(folder / "labels" / f"{path.stem}.txt", faces, pixels.shape[1], pixels.shape[0])
        reading = read(pixels)
        verdicts.append(PictureVerdict(path, judge(labels, reading.dice, least), reading.times.total))
        step()
    return Verdict(tuple(verdicts), tuple(failed))


def faces_of(folder: Path, dice_set: DiceSet) -> Mapping[int, str]:
    """The faces that a folder's classes stand for, by number. Raises FolderError."""
    path = next((p for name in ("faces.txt", "classes.txt") if (p := folder / name).is_file()), None)
    if path is None:
        raise FolderError(f"{folder}: expected faces.txt (or classes.txt) with one face a line, found none")
    names = [line.strip() for line in text_lines(path) if line.strip()]
    try:
        return {i: dice_set.resolve(name) for i, name in enumerate(names)}
    except DiceSetError as error:
        raise FolderError(f"{path}: {error}") from error


def read_labels(path: Path, faces: Mapping[int, str], width: int, height: int) -> tuple[Label, ...]:
    """The labels of one picture; a missing file means no dice. Raises FolderError."""
    labels: list[Label] = []
    for one in label_lines(path, width, height, faces):
        x0, y0, x1, y1 = one.box
        tilt = _tilt(one.corners) if len(one.corners) else None
        labels.append(Label(faces[one.kind], ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0), tilt))
    return tuple(labels)


def _tilt(corners: NDArray[np.float64]) -> float:
    """Degrees between a face's normal and the view, from its (4, 2) or (3, 2) corners in pixels.

    Seen from afar, a tilted face is foreshortened by the cosine of its tilt along one direction and by nothing
    across it: the two singular values of the map from the upright face tell.
    """
    upright = canonical_corners(shape_outlined(len(corners)), 1)
    shape = (upright - upright.mean(axis=0)).T @ (corners - corners.mean(axis=0))  # but for a scale
    longer, shorter = (float(value) for value in np.linalg.svd(shape, compute_uv=False))
    return math.degrees(math.acos(min(shorter / max(longer, 1e-9), 1.0)))


def judge(labels: Sequence[Label], dice: Iterable[DieReading], least: float = 0.0) -> tuple[Judged, ...]:
    """Pair labels with dice, nearest first; what is left over was missed or invented.

    Labels smaller than `least` pixels, and what was read there, count neither way.
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
        Judged(label, read[of_label[i]] if i in of_label else None)
        for i, label in enumerate(labels)
        if label.size >= least
    ]
    return (*judged, *(Judged(None, die) for k, die in enumerate(read) if k not in taken))


def _distance(label: Label, die: DieReading) -> float:
    x0, y0, x1, y1 = die.box
    centres = np.array([((x0 + x1) / 2, (y0 + y1) / 2), die.centre])
    return float(np.linalg.norm(centres - label.centre, axis=1).min()) / max(label.size, 1e-6)

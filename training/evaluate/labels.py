"""Label files in YOLO's form: a class and a box as fractions of the picture, one die a line.

Further columns may give the top face's corners. Boxes may be around whole dice or around top faces.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Of pictures."""


class FolderError(ValueError):
    """A labelled folder that cannot be used; the message is one line."""


@dataclass(frozen=True, eq=False, slots=True)
class LabelLine:
    """One die of a label file, in pixels."""

    kind: int
    """Its class, as a line of `faces.txt` counted from 0."""
    box: Box
    corners: NDArray[np.float64]
    """(3 or 4, 2), or (0, 2) where the file tells none."""


def label_lines(
    path: Path, width: int, height: int, kinds: Container[int] | None = None
) -> tuple[LabelLine, ...]:
    """The labels of a picture of so many pixels; a missing file means no dice.

    Raises FolderError for a line that is no label, or whose class is not among `kinds`.
    """
    found: list[LabelLine] = []
    for number, line in enumerate(text_lines(path) if path.is_file() else (), 1):
        columns = line.split()
        if not columns:
            continue
        try:
            found.append(_label(columns, width, height, kinds))
        except ValueError:
            raise FolderError(
                f"{path}:{number}: expected 'class x y width height', found '{line[:60]}'"
            ) from None
    return tuple(found)


def labels_path(picture: Path) -> Path:
    """Where the labels of a picture are: in labels/ beside images/."""
    return picture.parent.parent / "labels" / f"{picture.stem}.txt"


def labels_of(picture: Path, pixels: NDArray[np.uint8]) -> tuple[LabelLine, ...]:
    """The labels of a picture, of which these are the pixels. Raises FolderError."""
    return label_lines(labels_path(picture), pixels.shape[1], pixels.shape[0])


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a labelled folder, in order."""
    return sorted(p for p in (folder / "images").glob("*") if p.suffix.lower() in SUFFIXES)


def text_lines(path: Path) -> list[str]:
    """A file's lines. Raises FolderError for what is no text."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise FolderError(f"{path}: expected text in UTF-8, found something else") from None


def _label(columns: Sequence[str], width: int, height: int, kinds: Container[int] | None) -> LabelLine:
    kind = int(columns[0])
    x, y, w, h, *corners = (_fraction(value) for value in columns[1:])
    if (kinds is not None and kind not in kinds) or len(corners) not in (0, 6, 8):
        raise ValueError(columns)
    left, top = (x - w / 2) * width, (y - h / 2) * height
    return LabelLine(
        kind,
        (left, top, left + w * width, top + h * height),
        np.array(corners).reshape(-1, 2) * (width, height),
    )


def _fraction(text: str) -> float:
    """A share of the picture or a bit beyond it. ValueError for what cannot be one, as "nan" and pixels."""
    value = float(text)
    if not -1 <= value <= 2:
        raise ValueError(text)
    return value

"""Label files in YOLO's format: a class and a box as fractions of the picture, one die in each line.

Further columns may give the top face's corners. Boxes may be around whole dice or around top faces.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from files.atomic import write_whole
from vision.boxes import Box
from vision.dicesets.shapes import shape_outlined
from vision.rectify import canonical_corners

Floats = NDArray[np.floating[Any]]

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})
"""Of pictures."""
ASIDE = ".aside.txt"
"""Suffix of the file with a picture's dice that do not count."""


class FolderError(ValueError):
    """A labelled folder that cannot be used; the message is one line."""


@dataclass(frozen=True, eq=False, slots=True)
class LabelLine:
    """One die of a label file, in pixels."""

    kind: int
    """Its class, as a line of `faces.txt` counted from 0."""
    box: Box
    corners: NDArray[np.float64]
    """(3 or 4, 2), or (0, 2) if the file has none."""


def label_lines(
    path: Path, width: int, height: int, kinds: Container[int] | None = None
) -> tuple[LabelLine, ...]:
    """The labels of a picture of so many pixels; a missing file means no dice.

    Raises FolderError for a line that is not a label, or whose class is not one of `kinds`.
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


def label_text(kind: int, box: Box, width: int, height: int, corners: Floats | None = None) -> str:
    """A die's line in a label file: class, box and top corners (pixels, edges at whole numbers) as fractions."""
    x0, y0, x1, y1 = box
    parts = [(x0 + x1) / 2 / width, (y0 + y1) / 2 / height, (x1 - x0) / width, (y1 - y0) / height]
    if corners is not None:
        parts += (corners / (width, height)).ravel().tolist()
    return " ".join([str(kind), *(f"{part:.5f}" for part in parts)]) + "\n"


def write_labelled(
    folder: Path, name: str, coded: bytes, lines: Iterable[str], aside: Iterable[str] = ()
) -> None:
    """Write a picture (JPEG) and its labels into a labelled folder; dice `aside` are visible but do not count.

    The picture comes last, so that an interrupted run never leaves one without labels.
    """
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "labels" / f"{name}.txt").write_text("".join(lines))
    if text := "".join(aside):
        (folder / "labels" / f"{name}{ASIDE}").write_text(text)
    write_whole(folder / "images" / f"{name}.jpg", coded, 0o644)


def jpeg(pixels: NDArray[np.uint8], quality: int = 92) -> bytes:
    """(H, W, 3) BGR as JPEG."""
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def face_tilt(corners: Floats) -> float:
    """Degrees between a face's normal and the view, from its corners (K, 2) in pixels.

    Seen from afar, a tilted face is foreshortened by the cosine of its tilt in one direction, and not at all across it;
    the two singular values of the map from the upright face show this.
    """
    upright = canonical_corners(shape_outlined(len(corners)), 1).astype(np.float64)
    mapping = (upright - upright.mean(axis=0)).T @ (corners - corners.mean(axis=0))  # up to scale
    longer, shorter = (float(value) for value in np.linalg.svd(mapping, compute_uv=False))
    return math.degrees(math.acos(min(shorter / max(longer, 1e-9), 1.0)))


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
    """A file's lines. Raises FolderError if it is not text."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise FolderError(f"{path}: expected text in UTF-8, found something else") from None


def _label(columns: Sequence[str], width: int, height: int, kinds: Container[int] | None) -> LabelLine:
    kind = int(columns[0])
    x, y, w, h, *corners = (float(value) for value in columns[1:])
    # Fractions of the picture or slightly beyond it, not pixels or "nan".
    if not all(-1 <= value <= 2 for value in (x, y, w, h, *corners)):
        raise ValueError(columns)
    if (kinds is not None and kind not in kinds) or len(corners) not in (0, 6, 8):
        raise ValueError(columns)
    left, top = (x - w / 2) * width, (y - h / 2) * height
    box = (left, top, left + w * width, top + h * height)
    return LabelLine(kind, box, np.array(corners).reshape(-1, 2) * (width, height))

"""Pictures for people: enrolled faces side by side, and all examples of a set on one sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.model import Example
from vision.picture import save_picture

Pixels = NDArray[np.uint8]

CELL: Final = 144
"""Side of a face on a sheet, in pixels."""
GAP: Final = 12
CAPTION: Final = 22
PAPER: Final = (244, 244, 244)
INK: Final = (40, 40, 40)
ALARM: Final = (40, 40, 200)


def captioned(face: Pixels, words: str, *, alarm: bool = False) -> Pixels:
    """A face of any size at `CELL` pixels with its words below, (CELL + CAPTION, CELL, 3) BGR."""
    cell = np.full((CELL + CAPTION, CELL, 3), PAPER, np.uint8)
    large = face.shape[0] > CELL
    cell[:CELL] = cv2.resize(face, (CELL, CELL), interpolation=cv2.INTER_AREA if large else cv2.INTER_CUBIC)
    # OpenCV's letters are ASCII; the words that matter are ids, which are as well.
    said = words.encode("ascii", "replace").decode()[:24]
    cv2.putText(
        cell, said, (2, CELL + 15), cv2.FONT_HERSHEY_SIMPLEX, 0.4, ALARM if alarm else INK, 1, cv2.LINE_AA
    )
    return cell


def side_by_side(faces: Sequence[tuple[Pixels, str]]) -> Pixels:
    """Faces in a row with their names."""
    cells = [captioned(face, words) for face, words in faces]
    return framed([cells])


def framed(rows: Sequence[Sequence[Pixels]]) -> Pixels:
    """Rows of captioned faces on paper, (H, W, 3) BGR."""
    across = max(map(len, rows))
    height = GAP + len(rows) * (CELL + CAPTION + GAP)
    sheet = np.full((height, GAP + across * (CELL + GAP), 3), PAPER, np.uint8)
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            y, x = GAP + r * (CELL + CAPTION + GAP), GAP + c * (CELL + GAP)
            sheet[y : y + cell.shape[0], x : x + CELL] = cell
    return sheet


def examples_sheet(examples: Sequence[Example]) -> Pixels:
    """Every example's face, one row a face, doubtful ones in red. DiceSetError for a picture that does not decode."""
    rows: dict[str, list[Pixels]] = {}
    for one in examples:
        face = cv2.imread(str(one.face_path), cv2.IMREAD_COLOR) if one.face_path.is_file() else None
        shown = np.full((CELL, CELL, 3), 200, np.uint8) if face is None else np.asarray(face, np.uint8)
        cell = captioned(shown, f"{one.face}/{one.name}", alarm=one.doubtful)
        rows.setdefault(one.face, []).append(cell)
    return framed(list(rows.values()) or [[np.full((CELL + CAPTION, CELL, 3), PAPER, np.uint8)]])


def write_pairs(folder: Path, pairs: Mapping[str, Sequence[tuple[Pixels, str]]]) -> list[Path]:
    """Write one picture for each pair of faces; the paths. OSError or PictureError when it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name, faces in pairs.items():
        path = folder / f"{name}.png"
        save_picture(side_by_side(faces), path)
        written.append(path)
    return written

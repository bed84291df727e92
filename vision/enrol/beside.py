"""Makes pictures for people: enrolled faces side by side, and all examples of a set on one sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.dicesets.model import Example
from vision.frame import Pixels
from vision.picture import save_picture

CELL: Final = 144
"""Side of a face on a sheet, in pixels."""
GAP: Final = 12
CAPTION: Final = 22
PAPER: Final = (244, 244, 244)
INK: Final = (40, 40, 40)
ALARM: Final = (40, 40, 200)


def sheet(rows: Sequence[Sequence[tuple[Pixels, str, bool]]]) -> Pixels:
    """Rows of faces on a sheet, (H, W, 3) BGR: each has a picture of any size, a caption, and whether that is red."""
    down, across = CELL + CAPTION + GAP, CELL + GAP
    paper = np.full((GAP + len(rows) * down, GAP + max(map(len, rows)) * across, 3), PAPER, np.uint8)
    for r, row in enumerate(rows):
        for c, (face, words, alarm) in enumerate(row):
            x, y = GAP + c * across, GAP + r * down
            way = cv2.INTER_AREA if face.shape[0] > CELL else cv2.INTER_CUBIC
            paper[y : y + CELL, x : x + CELL] = cv2.resize(face, (CELL, CELL), interpolation=way)
            # OpenCV's letters are ASCII, and so are ids, the words that matter.
            said = words.encode("ascii", "replace").decode()[:24]
            ink = ALARM if alarm else INK
            cv2.putText(
                paper, said, (x + 2, y + CELL + 15), cv2.FONT_HERSHEY_SIMPLEX, 0.4, ink, 1, cv2.LINE_AA
            )
    return paper


def examples_sheet(examples: Sequence[Example]) -> Pixels:
    """All examples, one row a face, doubtful ones in red; a missing picture is grey."""
    rows: dict[str, list[tuple[Pixels, str, bool]]] = {}
    for one in examples:
        face = cv2.imread(str(one.face_path), cv2.IMREAD_COLOR) if one.face_path.is_file() else None
        shown = np.full((CELL, CELL, 3), 200, np.uint8) if face is None else np.asarray(face, np.uint8)
        rows.setdefault(one.face, []).append((shown, f"{one.face}/{one.name}", one.doubtful))
    return sheet(list(rows.values()) or [[]])


def write_pairs(folder: Path, pairs: Mapping[str, Sequence[tuple[Pixels, str]]]) -> list[Path]:
    """Write one picture for each pair of faces; the paths. OSError or PictureError if one cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / f"{name}.png" for name in pairs]
    for path, faces in zip(written, pairs.values(), strict=True):
        save_picture(sheet([[(face, words, False) for face, words in faces]]), path)
    return written

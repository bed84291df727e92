"""Finds what the detector takes for dice: the crops that the face finder must learn to refuse, or to accept.

Any labelled folder will do (YOLO boxes around whole dice): rendered tiles, or photographs. A box far from every
label becomes a crop of no die; a box on a label, in a photograph of cubes, becomes a crop of a cube whose corners
are not known.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, area, shared_area
from vision.crops import CROP, crop_map, cut
from vision.detect import Detector
from vision.picture import load_picture

Pixels = NDArray[np.uint8]

FAR, ON = 0.1, 0.55
"""Overlap (intersection over union) below which a box is far from a label, and above which it is on it."""
NO_DIE, CUBE = 0, 1


def mine(pictures: Iterable[Path], detector: Detector, target: Path, *, cubes: bool, most: int = 6) -> int:
    """Write crops of what the detector finds in labelled pictures to `target` (npz); returns how many.

    `cubes` keeps boxes on labels as cubes, with unknown corners; `most` bounds the wrong boxes of one picture.
    """
    crops: list[Pixels] = []
    kinds: list[int] = []
    for path in pictures:
        pixels = load_picture(path)
        truth = _labels(path.parent.parent / "labels" / f"{path.stem}.txt", pixels.shape[1], pixels.shape[0])
        wrong = 0
        for box, _ in detector.boxes(pixels):
            overlap = max((_overlap(box, label) for label in truth), default=0.0)
            kind = NO_DIE if overlap < FAR else CUBE if cubes and overlap > ON else None
            if kind is None or (kind == NO_DIE and wrong >= most):
                continue
            wrong += kind == NO_DIE
            crops.append(cut(pixels, crop_map(box)))
            kinds.append(kind)
    target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        target,
        pixels=np.stack(crops) if crops else np.zeros((0, CROP, CROP, 3), np.uint8),
        corners=np.full((len(crops), 4, 2), np.nan, np.float32),
        kinds=np.array(kinds, np.uint8),
    )
    return len(crops)


def _labels(path: Path, width: int, height: int) -> list[Box]:
    boxes: list[Box] = []
    for line in path.read_text().splitlines() if path.is_file() else ():
        x, y, w, h = (float(value) for value in line.split()[1:5])
        boxes.append(((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height))
    return boxes


def _overlap(first: Box, second: Box) -> float:
    """Intersection over union."""
    shared = shared_area(first, second)
    return shared / (area(first) + area(second) - shared) if shared else 0.0

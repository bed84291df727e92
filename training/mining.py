"""Finds what the detector takes for dice: the crops that the face finder must learn to refuse, or to accept.

A box far from every label becomes a crop of no die. Photographs of cubes give more: every labelled die becomes a
crop of a cube, and where the present networks read the very face that its label names, the corners they read it
at are taken for true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.evaluate.labels import LabelLine, label_lines, pictures_in
from vision.boxes import CROP, Box, crop_map, cut, intersection_over_union
from vision.detect import Detector
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.identify import Gallery, Matcher, identify
from vision.network import WEIGHTS
from vision.picture import load_picture

Pixels = NDArray[np.uint8]
Corners = NDArray[np.float32]

FAR, ON = 0.1, 0.55
"""Overlap (intersection over union) below which a box is far from a label, and above which it is on it."""
NO_DIE, CUBE = 0, 1
JITTERED = 3
"""Crops around each labelled die, beside those that the detector found."""
JITTER = 0.06
"""Spread of the edges of those crops, in shares of the box."""
SURE = 0.8
"""Confidence from which a face that was read right vouches for its corners."""
SAME_TURNED = ("1",)
"""Faces that look the same however their corners are turned, and so vouch for nothing."""


@dataclass(slots=True)
class Mined:
    """Crops on their way into a file."""

    pixels: list[Pixels] = field(default_factory=list[Pixels])
    corners: list[Corners] = field(default_factory=list[Corners])
    kinds: list[int] = field(default_factory=list[int])

    def add(self, crop: Pixels, kind: int, corners: Corners | None = None) -> None:
        """One crop; `corners` (4, 2) in crop pixels, None where they are not known."""
        self.pixels.append(crop)
        self.kinds.append(kind)
        self.corners.append(np.full((4, 2), np.nan, np.float32) if corners is None else corners)

    def write(self, target: Path) -> None:
        """Write the file (npz) that `training.finder` reads."""
        target.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            target,
            pixels=np.stack(self.pixels) if self.pixels else np.zeros((0, CROP, CROP, 3), np.uint8),
            corners=np.stack(self.corners) if self.corners else np.zeros((0, 4, 2), np.float32),
            kinds=np.array(self.kinds, np.uint8),
        )


def mine_scenes(pictures: Iterable[Path], detector: Detector, *, most: int = 6) -> Mined:
    """Crops of what the detector finds in rendered tiles where no die lies; at most `most` a picture."""
    mined = Mined()
    for path in pictures:
        pixels = load_picture(path)
        truth = _labels(path, pixels)
        _refuse(mined, pixels, detector.boxes(pixels), [label.box for label in truth], most)
    return mined


def mine_photographs(
    folder: Path, dice_set: DiceSet, *, weights: Path = WEIGHTS, most: int = 8, seed: int = 0
) -> Mined:
    """Crops of the dice, and of what is taken for dice, in photographs of one set's cubes.

    `folder` is labelled as `training.evaluate.run` reads it, with boxes around whole dice.
    """
    detector, matcher = Detector(weights), Matcher(weights / "matcher.onnx")
    gallery = Gallery.of(dice_set, matcher)
    faces = [
        dice_set.resolve(line) for line in (folder / "faces.txt").read_text().split("\n") if line.strip()
    ]
    rng = np.random.default_rng(seed)
    mined = Mined()
    for path in pictures_in(folder):
        pixels = load_picture(path)
        truth = _labels(path, pixels)
        found = detector.boxes(pixels)
        _refuse(mined, pixels, found, [label.box for label in truth], most)
        for label in truth:
            tried = [_jittered(label.box, rng) for _ in range(JITTERED)]
            tried += [box for box, _ in found if intersection_over_union(box, label.box) > ON]
            corners = _confirmed(pixels, tried, faces[label.kind], detector, matcher, gallery)
            for box in tried:
                mapping = crop_map(box)
                mined.add(cut(pixels, mapping), CUBE, None if corners is None else _mapped(corners, mapping))
    return mined


def _confirmed(
    pixels: Pixels, boxes: Sequence[Box], face: str, detector: Detector, matcher: Matcher, gallery: Gallery
) -> Corners | None:
    """The corners, in picture pixels, at which `face` is read most surely; None when none of them is sure."""
    if face in SAME_TURNED:
        return None
    best: tuple[float, Corners] | None = None
    for box in boxes:
        for seen in detector.faces(pixels, [(box, 1.0)], (Shape.CUBE,)):
            read = identify(matcher, gallery, pixels, [seen.corners], [seen.shape])[0]
            if read.face == face and read.confidence > max(SURE, best[0] if best else 0.0):
                best = read.confidence, seen.corners
    return None if best is None else best[1]


def _refuse(
    mined: Mined, pixels: Pixels, found: Sequence[tuple[Box, float]], truth: Sequence[Box], most: int
) -> None:
    """Add crops of the surest boxes that lie far from every die."""
    far = [
        b for b, _ in found if max((intersection_over_union(b, label) for label in truth), default=0.0) < FAR
    ]
    for box in far[:most]:
        mined.add(cut(pixels, crop_map(box)), NO_DIE)


def _labels(picture: Path, pixels: Pixels) -> tuple[LabelLine, ...]:
    path = picture.parent.parent / "labels" / f"{picture.stem}.txt"
    return label_lines(path, pixels.shape[1], pixels.shape[0])


def _jittered(box: Box, rng: np.random.Generator) -> Box:
    """A box as a detector would give it."""
    x0, y0, x1, y1 = box
    a, b = rng.normal(0, JITTER, 2) * (x1 - x0)
    c, d = rng.normal(0, JITTER, 2) * (y1 - y0)
    return float(x0 + a), float(y0 + c), float(x1 + b), float(y1 + d)


def _mapped(corners: Corners, mapping: NDArray[np.float64]) -> Corners:
    """Corners in picture pixels (edges at whole numbers) to crop pixels (centres at whole numbers)."""
    return cv2.perspectiveTransform((corners[None] - 0.5).astype(np.float64), mapping)[0].astype(np.float32)

"""Training crops for the face finder: rendered with the scenes, or mined from mistakes of the networks.

Mined crops teach the finder what to refuse and what to accept. A box far from every label becomes a crop without a die.
Photographs of cubes give more: every labelled die becomes a crop of a cube, and if the networks read the face on its
label, their corners count as true.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from training.evaluate.labels import labels_of, pictures_in
from training.evaluate.run import faces_of
from vision.boxes import CROP, Box, crop_map, intersection_over_union
from vision.detect.detector import Detector
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import SHAPES
from vision.embedding import Matcher
from vision.frame import Floats, Pixels
from vision.gallery import Gallery
from vision.identify import identify
from vision.network import WEIGHTS
from vision.picture import load_picture
from vision.pyramid import Pyramid

NO_SHAPE = 0
"""The finder's class for crops without a die; the shapes follow."""
CUBE = 1
MOST_CORNERS = max(shape.corners for shape in SHAPES)
SILHOUETTE = 6
"""Most corners of the silhouette of a cube or an octahedron."""
MINED_SHARE = 0.4
"""Share of mined crops in a batch."""
FAR, ON = 0.1, 0.55
"""A box with less overlap (intersection over union) is far from a label; with more than the second, it is on it."""
JITTERED = 3
"""Extra crops around each labelled die, beside the detector's."""
JITTER = 0.06
"""Spread of the edges of those crops, in shares of the box."""
SURE = 0.8
"""If a face was read right with at least this confidence, its corners count as true."""
SAME_TURNED = ("1",)
"""Faces that look the same in all turns, so that reading them proves nothing about their corners."""


@dataclass(frozen=True, eq=False, slots=True)
class Crop:
    """One training crop."""

    pixels: Pixels
    """(CROP, CROP, 3) BGR."""
    corners: Floats
    """(MOST_CORNERS, 2) in crop pixels, the last repeated; zeros where there is no die, nan where they are unknown."""
    silhouette: Floats
    """(SILHOUETTE, 2) the whole die's, in the same way."""
    kind: int
    """NO_SHAPE, or the number of the shape from 1 on."""

    @classmethod
    def of_nothing(cls, picture: Pyramid, box: Box) -> Crop:
        """The crop of a box without a die."""
        corners, silhouette = np.zeros((MOST_CORNERS, 2), np.float32), np.zeros((SILHOUETTE, 2), np.float32)
        return cls(picture.cut(crop_map(box)), corners, silhouette, NO_SHAPE)


@dataclass(frozen=True, eq=False, slots=True)
class Arrays:
    """Arrays of equal length, stored in one file (npz)."""

    pixels: Pixels
    """(N, S, S, 3) BGR."""

    @classmethod
    def join(cls, files: Sequence[Path]) -> Self:
        """Read some files."""
        loaded = [np.load(path) for path in files]
        return cls(*(np.concatenate([one[part.name] for one in loaded]) for part in fields(cls)))

    def write(self, target: Path) -> None:
        """Write them as one file."""
        target.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(target, **{part.name: getattr(self, part.name) for part in fields(self)})

    def __len__(self) -> int:
        """How many there are."""
        return len(self.pixels)


@dataclass(frozen=True, eq=False, slots=True)
class Crops(Arrays):
    """Many crops in memory."""

    corners: Floats
    """(N, MOST_CORNERS, 2)."""
    silhouettes: Floats
    """(N, SILHOUETTE, 2)."""
    kinds: Pixels
    """(N,)."""

    @classmethod
    def of(cls, crops: Sequence[Crop]) -> Crops:
        """These crops."""
        pixels = [crop.pixels for crop in crops] or np.zeros((0, CROP, CROP, 3), np.uint8)
        corners = [crop.corners for crop in crops] or np.zeros((0, MOST_CORNERS, 2), np.float32)
        silhouettes = [crop.silhouette for crop in crops] or np.zeros((0, SILHOUETTE, 2), np.float32)
        kinds = np.array([crop.kind for crop in crops], np.uint8)
        return cls(np.array(pixels), np.array(corners), np.array(silhouettes), kinds)


def batches(
    crops: Crops, hard: Crops | None, size: int, rng: np.random.Generator
) -> Generator[tuple[Pixels, Floats, Floats, NDArray[np.int64]]]:
    """Endless batches of `size`: crops (N, CROP, CROP, 3), corners (N, MOST_CORNERS, 2), silhouettes (N, SILHOUETTE,
    2), classes (N,)."""
    few = round(size * MINED_SHARE) if hard is not None else 0
    pools = [(of, n) for of, n in ((crops, size - few), (hard, few)) if of is not None]
    while True:
        drawn = [(of, rng.integers(0, len(of), n)) for of, n in pools]
        pixels, corners, silhouettes, kinds = (
            np.concatenate([getattr(of, name)[chosen] for of, chosen in drawn])
            for name in ("pixels", "corners", "silhouettes", "kinds")
        )
        yield pixels, corners, silhouettes, kinds.astype(np.int64)


def mine_scenes(pictures: Iterable[Path], detector: Detector, *, most: int = 6) -> list[Crop]:
    """Crops of false finds of the detector in rendered tiles; at most `most` a picture."""
    mined: list[Crop] = []
    for path in pictures:
        picture = Pyramid(load_picture(path))
        found = detector.proposer.boxes(picture)
        mined += _refused(picture, found, [label.box for label in labels_of(path, picture.pixels)], most)
    return mined


def mine_photographs(
    folder: Path, dice_set: DiceSet, *, weights: Path = WEIGHTS, most: int = 8, seed: int = 0
) -> list[Crop]:
    """Crops of dice and of false finds in photographs of one set's cubes.

    `folder` is labelled as `training.evaluate.run` reads it, with boxes around whole dice.
    """
    detector, matcher = Detector(weights), Matcher(weights / "matcher.onnx")
    gallery, faces = Gallery.of(dice_set, matcher), faces_of(folder, dice_set)
    rng = np.random.default_rng(seed)
    mined: list[Crop] = []
    for path in pictures_in(folder):
        pixels = load_picture(path)
        picture, truth = Pyramid(pixels), labels_of(path, pixels)
        found = detector.proposer.boxes(picture)
        mined += _refused(picture, found, [label.box for label in truth], most)
        for label in truth:
            tried = [jittered(label.box, rng, JITTER) for _ in range(JITTERED)]
            tried += [box for box, _ in found if intersection_over_union(box, label.box) > ON]
            face = faces[label.kind]
            vouching = () if face in SAME_TURNED else tried
            corners = confirmed(pixels, vouching, face, SURE, detector, matcher, gallery)
            for box in tried:
                mapping = crop_map(box)
                unknown = np.full((SILHOUETTE, 2), np.nan, np.float32)
                mined.append(Crop(picture.cut(mapping), mapped(corners, mapping), unknown, CUBE))
    return mined


def mapped(corners: Floats, mapping: NDArray[np.float64]) -> Floats:
    """Corners of a picture (K, 2) in its crop's coordinates; OpenCV would turn unknown ones into zeros."""
    if np.isnan(corners).any():
        return corners
    # Picture pixels have their edges at whole numbers, crop pixels their centres.
    there = cv2.perspectiveTransform((corners[None] - 0.5).astype(np.float64), mapping)[0]
    return there.astype(np.float32)


def confirmed(
    pixels: Pixels, boxes: Sequence[Box], face: str, sure: float, detector: Detector, matcher: Matcher,
    gallery: Gallery,
) -> Floats:  # fmt: skip
    """The corners, in picture pixels, with the most confident reading of `face`; nan if none exceeds `sure`."""
    confidence, best = sure, np.full((MOST_CORNERS, 2), np.nan, np.float32)
    for box in boxes:
        for seen in detector.faces(pixels, [(box, 1.0)], (SHAPES[CUBE - 1],)):
            read = identify(matcher, gallery, pixels, [seen])[0]
            if read.face == face and read.confidence > confidence:
                confidence, best = read.confidence, seen.corners
    return best


def _refused(
    picture: Pyramid, found: Sequence[tuple[Box, float]], truth: Sequence[Box], most: int
) -> list[Crop]:
    """Crops of the surest boxes that are far from every die."""
    far = [box for box, _ in found if all(intersection_over_union(box, label) < FAR for label in truth)]
    return [Crop.of_nothing(picture, box) for box in far[:most]]


def jittered(box: Box, rng: np.random.Generator, spread: float) -> Box:
    """A box with random errors, as a detector would give it: `spread` in shares of its sides."""
    x0, y0, x1, y1 = box
    left, right = rng.normal(0, spread, 2) * (x1 - x0)
    above, below = rng.normal(0, spread, 2) * (y1 - y0)
    return float(x0 + left), float(y0 + above), float(x1 + right), float(y1 + below)

"""Faces of dice with pips, cut from labelled photographs, for training the matcher beside drawn ones.

Drawn pips suffer less from lamps and lenses than real ones; a few hundred photographed faces show the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from training.crops import JITTER, JITTERED, Arrays, confirmed, jittered
from training.evaluate.labels import labels_of, pictures_in
from training.evaluate.run import faces_of
from vision.detect.detector import Detector
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.frame import Pixels
from vision.gallery import Gallery
from vision.network import WEIGHTS
from vision.picture import load_picture
from vision.plane import mean_edge
from vision.rectify import canonical_corners

SIDE: Final = 96
"""Side of a cut-out, in pixels."""
AROUND: Final = 0.25
"""Margin around a face in its plane, in sides."""
SMALLEST: Final = 18
"""Least side of a face in the picture's pixels; below it, pips cannot be counted."""
BELIEVED: Final = 0.3
"""If a face is read as labelled with at least this confidence, its corners count as true."""


@dataclass(frozen=True, eq=False, slots=True)
class Photographed(Arrays):
    """Many photographed faces in their planes, (N, SIDE, SIDE, 3), each with AROUND of its sides around it."""

    pips: Pixels
    """(N,) how many there are."""


def faces_in(folder: Path, pips: DiceSet, weights: Path = WEIGHTS) -> Photographed:
    """The faces in a labelled folder (`training.evaluate.run`) whose corners the networks find.

    `pips` is a set of cubes whose faces are named by their number of pips.
    """
    detector, matcher = Detector(weights), Matcher(weights / "matcher.onnx")
    gallery, named = Gallery.of(pips, matcher), faces_of(folder, pips)
    rng = np.random.default_rng(0)
    square = (canonical_corners(Shape.CUBE, 1) + AROUND) * SIDE / (1 + 2 * AROUND) - 0.5
    cut: list[Pixels] = []
    counts: list[int] = []
    for path in pictures_in(folder):
        pixels = load_picture(path)
        for label in labels_of(path, pixels):
            face = named[label.kind]
            tried = [label.box, *(jittered(label.box, rng, JITTER) for _ in range(JITTERED))]
            corners = confirmed(pixels, tried, face, BELIEVED, detector, matcher, gallery)
            if not mean_edge(corners) >= SMALLEST:
                continue  # too small, or without corners
            mapping = cv2.getPerspectiveTransform((corners - 0.5).astype(np.float32), square.astype(np.float32))
            flat = cv2.warpPerspective(pixels, mapping, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
            cut.append(np.asarray(flat, np.uint8))
            counts.append(int(face))
    return Photographed(np.array(cut).reshape(-1, SIDE, SIDE, 3), np.array(counts, np.uint8))

"""One picture in, one reading out: detect, rectify, identify."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detect import Detection, Detector
from vision.diceset import DiceSet, Shape
from vision.identify import Gallery, Identification, Matcher, identify_at
from vision.reading import Alternative, DieReading, Reading, StageTimes
from vision.runtime import WEIGHTS

Pixels = NDArray[np.uint8]

CERTAIN_DIE = 0.55
"""A die that was only half recognised as one is asked about, however clear its face."""
FAINT_DIE, FAINT_FACE = 0.65, 0.5
"""What looks little like a die and shows no clear face of the set is left out: a key, a label, a harbour on a board.
Measured on photographs and renders, this drops two thirds of what was invented and one in a hundred dice."""


class Reader:
    """Reads pictures of the dice of one set; opens its networks once."""

    def __init__(self, dice_set: DiceSet, weights: Path = WEIGHTS) -> None:
        """Raises WeightsError (see `vision.runtime`) when a network is missing."""
        self.dice_set = dice_set
        self._detector = Detector(weights)
        self._matcher = Matcher(weights / "matcher.onnx")
        self._gallery = Gallery.of(dice_set, self._matcher)

    @property
    def detector(self) -> Detector:
        """What finds the dice."""
        return self._detector

    @property
    def matcher(self) -> Matcher:
        """What compares their faces."""
        return self._matcher

    def know(self, dice_set: DiceSet) -> None:
        """Read with another state of the set from the next picture on: it has learnt something."""
        self._gallery = Gallery.of(dice_set, self._matcher)
        self.dice_set = dice_set

    def read(self, pixels: Pixels) -> Reading:
        """Every die in (H, W, 3) BGR pixels, from left to right."""
        started = time.perf_counter()
        detections = self._detector.detect(pixels, self.dice_set.shapes)
        detected = time.perf_counter()
        corners = [detection.corners for detection in detections]
        shapes: list[Shape] = [detection.shape for detection in detections]
        identified = identify_at(self._matcher, self._gallery, pixels, corners, shapes)
        done = time.perf_counter()
        found = zip(detections, identified, strict=True)
        dice = [_die(*pair) for pair in found if not _faint(*pair)]
        dice.sort(key=lambda die: die.centre)
        times = StageTimes(
            *(round(1000 * t, 2) for t in (detected - started, done - detected, done - started))
        )
        return Reading(pixels.shape[1], pixels.shape[0], tuple(dice), times)


def _faint(detection: Detection, identified: Identification) -> bool:
    return detection.score < FAINT_DIE and identified.confidence < FAINT_FACE


def _die(detection: Detection, identified: Identification) -> DieReading:
    corners = tuple((float(x), float(y)) for x, y in detection.corners)
    alternatives = tuple(Alternative(a.face, a.confidence) for a in identified.alternatives)
    return DieReading(
        detection.shape, identified.face, identified.certain and detection.score >= CERTAIN_DIE,
        identified.confidence, alternatives, corners, detection.box,
    )  # fmt: skip

"""One picture in, one reading out: detect, rectify, identify."""

from __future__ import annotations

import time
from pathlib import Path

from vision.confidence import Doubt, load, signs_of
from vision.corrections import ALL, Corrections
from vision.detect import Detector
from vision.detection import Detection
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.frame import Pixels
from vision.identify import Gallery, Identification, Matcher, identify
from vision.network import WEIGHTS
from vision.numerals import NumeralReader
from vision.quality import trouble_of
from vision.reading import UNKNOWN, Alternative, DieReading, Reading, StageTimes


class Reader:
    """Reads pictures of the dice of one set; opens its networks once."""

    def __init__(
        self, dice_set: DiceSet, weights: Path | None = None, doubt: Doubt | None = None,
        corrections: Corrections = ALL,
    ) -> None:  # fmt: skip
        """Open the networks in a folder, or those in use: a tuned one before a shipped one (`vision.network`).

        `doubt` weighs what was seen; by default as fitted. WeightsError when a network is missing.
        """
        self.dice_set = dice_set
        self._detector = Detector(weights, corrections)
        self._matcher = Matcher((weights or WEIGHTS) / "matcher.onnx")
        self._numerals = NumeralReader(weights or WEIGHTS) if corrections.numerals else None
        self._gallery = Gallery.of(dice_set, self._matcher, self._numerals)
        self._doubt = doubt or load(weights or WEIGHTS)

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
        self._gallery = Gallery.of(dice_set, self._matcher, self._numerals)
        self.dice_set = dice_set

    def read(self, pixels: Pixels) -> Reading:
        """Every die in (H, W, 3) BGR pixels, from left to right."""
        started = time.perf_counter()
        detections = self._detector.detect(pixels, self.dice_set.shapes)
        detected = time.perf_counter()
        corners = [detection.corners for detection in detections]
        shapes: list[Shape] = [detection.shape for detection in detections]
        identified = identify(self._matcher, self._gallery, pixels, corners, shapes)
        done = time.perf_counter()
        found = (self._weighed(*pair) for pair in zip(detections, identified, strict=True))
        dice = [die for die in found if die is not None]
        dice.sort(key=lambda die: die.centre)
        times = StageTimes(
            *(round(1000 * t, 2) for t in (detected - started, done - detected, done - started))
        )
        doubtful = not dice or not all(die.certain for die in dice)
        trouble = trouble_of(pixels, [die.box for die in dice]) if doubtful else None
        return Reading(pixels.shape[1], pixels.shape[0], tuple(dice), times, trouble)

    def _weighed(self, detection: Detection, identified: Identification) -> DieReading | None:
        """The die with the confidence it deserves; None for what is hardly one."""
        signs = signs_of(detection, identified)
        if self._doubt.is_die(signs) < self._doubt.least_die:
            return None
        believed = self._doubt.is_right(signs) if identified.face != UNKNOWN else 0.0
        return DieReading(
            detection.shape, identified.face, believed >= self._doubt.certain and identified.told_apart,
            believed,
            _scaled(identified.alternatives, believed),
            tuple((float(x), float(y)) for x, y in detection.corners), detection.box, signs,
        )  # fmt: skip


def _scaled(ranked: tuple[Alternative, ...], first: float) -> tuple[Alternative, ...]:
    """The same alternatives, the likeliest with another confidence and the rest sharing what it leaves."""
    if not ranked:
        return ()
    left = (1 - first) / max(1 - ranked[0].confidence, 1e-6)
    others = (Alternative(a.face, min(a.confidence * left, first, 1 - first)) for a in ranked[1:])
    return (Alternative(ranked[0].face, first), *others)

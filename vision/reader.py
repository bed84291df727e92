"""Turns a picture into a reading: detect, rectify, identify, weigh."""

from __future__ import annotations

import time
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from vision.combine import combined
from vision.comparer import Comparer
from vision.confidence import ConfidenceModel, features_of, load
from vision.detect.detector import Detector
from vision.detection import Detection
from vision.dicesets.model import DiceSet
from vision.embedding import Matcher
from vision.evening import Evening, known_by
from vision.frame import Mask, Pixels
from vision.gallery import Gallery
from vision.identify import identify, outlined_anew
from vision.network import WEIGHTS
from vision.numerals import NumeralReader
from vision.quality import trouble_of
from vision.reading import UNKNOWN, Alternative, DieReading, Reading, StageTimes

SURELY = 0.97
"""Least confidence of a die that is remembered though nobody named it: more than it takes to count, so that errors do
not breed."""

FAINT = 0.05
"""Least probability of a die of a find that may be the one that is missing (docs/research/reading.md)."""


class Reader:
    """Reads pictures of the dice of one set; opens its networks once."""

    def __init__(
        self, dice_set: DiceSet, weights: Path | None = None, confidence: ConfidenceModel | None = None,
        without: Collection[str] = (), *, frames: bool = False,
    ) -> None:  # fmt: skip
        """Open the networks in a folder, or those in use: a tuned one before a shipped one (`vision.network`).

        `confidence` weighs what was seen; the default is the fitted model. `without` names CORRECTIONS to leave out
        (`vision.detect.detector`). With `frames`, the pictures come from a camera, and `read` skips the slow looks: if
        a question is left, `read_on` takes them with the next frame.
        WeightsError if a network is missing.
        """
        self._frames = frames
        home = weights or WEIGHTS
        with ThreadPoolExecutor(2) as opening:  # each network takes a core some tens of milliseconds
            detector = opening.submit(Detector, weights, without)
            matcher = opening.submit(Matcher, home / "matcher.onnx")
            self._comparer = Comparer(home)
            self._numerals = None if "numerals" in without else NumeralReader(home)
            self._ruled_out = "ruled_out" not in without
            self._by_ink, self._closely = "ink" not in without, "close" not in without
            self._confidence = confidence or load(home)
        self.detector = detector.result()
        """Finds the dice."""
        self.matcher = matcher.result()
        """Compares their faces."""
        self._evening, self._evening_of = Evening(), dice_set.id
        self.know(dice_set)

    def know(self, dice_set: DiceSet) -> None:
        """Read with this set, or with a changed state of it, from the next picture on."""
        known = Gallery.of(dice_set, self.matcher, self._numerals, self._comparer)
        gallery = replace(known, by_ink=self._by_ink, closely=self._closely)
        self._gallery = gallery if self._ruled_out else replace(gallery, not_above={})
        if self._evening_of != dice_set.id:
            self.begin_evening()
            self._evening_of = dice_set.id
        self.dice_set = dice_set

    def begin_evening(self) -> None:
        """Forget all dice that were remembered."""
        self._evening = Evening()

    def recognise(self, pixels: Pixels, die: DieReading, face: str, *, named: bool = False) -> None:
        """Remember for this evening that a die of (H, W, 3) BGR pixels showed this face.

        `named` if people said so; otherwise only a die that was read surely enough is remembered. ValueError if its
        corners are unusable.
        """
        if named:
            self._evening.vouch(die, face)
        if named or die.confidence >= SURELY:
            self._evening.add(die.shape, face, known_by(self.matcher, pixels, die), named=named)

    def counted(self, reading: Reading) -> None:
        """Remember the plane on which the dice of this roll lay, for rolls of only one die or two."""
        self._evening.lay(reading)

    def view_changed(self) -> None:
        """The next picture comes from another camera, or shows another part of the table."""
        self._evening.view_changed()

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        """Every die in (H, W, 3) BGR pixels, from left to right.

        `arrived` is a mask, smaller than the picture, of where dice may lie: elsewhere the table looks as it did
        without dice.
        """
        return self._read(pixels, arrived, quick=self._frames)

    def _read(self, pixels: Pixels, arrived: Mask | None, *, quick: bool) -> Reading:
        started = time.perf_counter()
        table = self._evening.table(pixels.shape[1], pixels.shape[0])
        detections = self.detector.detect(
            pixels, self.dice_set.shapes, table, quick=quick, arrived=arrived
        )
        detected = time.perf_counter()
        detections = outlined_anew(self.matcher, self._gallery, pixels, detections)
        identified = identify(self.matcher, self._gallery, pixels, detections, self._evening)
        done = time.perf_counter()
        weighed = [self._weighed(*pair) for pair in zip(detections, identified, strict=True)]
        weighed.sort(key=lambda die: die.centre)
        dice = tuple(filter(self._confidence.shows, weighed))
        faint = tuple(die for die in weighed if die.die >= FAINT and not self._confidence.shows(die))
        times = [round(1000 * t, 2) for t in (detected - started, done - detected, done - started)]
        doubtful = not dice or not all(die.certain for die in dice)
        trouble = trouble_of(pixels, [die.box for die in dice]) if doubtful else None
        return Reading(
            pixels.shape[1], pixels.shape[0], dice, StageTimes(*times), trouble,
            certain_from=self._confidence.certain, faint=faint,
        )  # fmt: skip

    def read_on(self, pixels: Pixels, before: Reading, arrived: Mask | None = None) -> Reading:
        """Read one more frame of dice that lie still, and combine it with the reading `before`."""
        now = self._read(pixels, arrived, quick=False)
        return combined((*(before.frames or (before,)), now), self._confidence.certain)

    def _weighed(self, detection: Detection, read: DieReading) -> DieReading:
        """The die with its confidence by the fitted models."""
        features = features_of(detection, read, enrolled=self._gallery.enrolled(read.shape))
        die = self._confidence.is_die(features)
        believed = self._confidence.is_right(features) if read.face != UNKNOWN else 0.0
        likely = die >= self._confidence.least_die
        certain = read.certain and likely and believed >= self._confidence.certain
        ranked = read.alternatives
        if ranked:  # the likeliest has another confidence now, and the rest share what it leaves
            left = (1 - believed) / max(1 - ranked[0].confidence, 1e-6)
            others = (Alternative(a.face, min(a.confidence * left, believed, 1 - believed)) for a in ranked[1:])
            ranked = (Alternative(ranked[0].face, believed), *others)
        return replace(
            read, certain=certain, confidence=believed, alternatives=ranked, features=features, die=die,
            distinct=read.certain,
        )  # fmt: skip

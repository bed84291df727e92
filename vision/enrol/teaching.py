"""Joins a reader and its set's school: what is learnt is read with from the next picture on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detection import Detection
from vision.dicesets.library import lessons
from vision.dicesets.model import DiceSet
from vision.enrol.learn import Lesson, School
from vision.enrol.shown import outlined
from vision.reader import Reader
from vision.reading import DieReading

Pixels = NDArray[np.uint8]


class Teacher:
    """Makes examples of corrected dice, and the reader know them. One thread at a time."""

    def __init__(self, reader: Reader, dice_set: DiceSet) -> None:
        """Raises DiceSetError where what was learnt before is damaged."""
        self._reader = reader
        self._school = School(dice_set, lessons(dice_set), reader.matcher)

    def teach(self, pixels: Pixels, die: DieReading, face: str, source: str) -> Lesson:
        """Keep a die of a (H, W, 3) BGR picture as an example of the face that people say it shows.

        Raises:
            DiceSetError: the set has no such face.
            OSError: it cannot be written.
        """
        corners = np.array(die.corners, np.float32)
        found = Detection(die.shape, corners, 1.0, die.box)
        shown = outlined(self._reader.detector, self._reader.matcher, pixels, found)
        lesson = self._school.teach(face, shown, source)
        self._reader.know(self._school.dice_set)
        return lesson

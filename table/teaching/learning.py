"""Remembers readings, so that corrected dice become examples and dice that counted are recognised this evening.

    reader = LearningReader(reader, learning(reader, dice_set))   # `vision.enrol.examples`
    watcher = Watcher(camera, reader, …)
    reader.corrected(die, "emu")                   # as soon as somebody says what a die shows
    reader.counted(thrown, lying)                  # as soon as a roll counts

Learning takes a moment, so it happens in a thread of its own, and nobody has to wait for it.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from table.ports import Knows, ReadsDice, ReadsOn, Recognises
from vision.dicesets.model import DiceSet
from vision.frame import Mask, Pixels
from vision.reading import DieReading, Reading

READINGS: Final = 8
"""Most remembered readings: a correction comes within the turn, and a frame takes six megabytes."""
MOST_BYTES: Final = 48 * 1024 * 1024
"""Most bytes of remembered pictures, apart from the newest one."""


Learns = Callable[[Pixels, DieReading, str, str], object]
"""Learns which face a die in a picture shows, and where it was seen. ValueError or OSError if it cannot."""


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """A die whose face is known."""

    pixels: Pixels
    """The part of the picture around it."""
    die: DieReading
    """Its reading, in pixels of that part."""
    face: str
    corrected: bool
    """Whether people named its face; otherwise it was read for certain and counted."""


class LearningReader:
    """A reader that remembers its pictures, so that it can learn from a die once its face is known.

    It implements `table.ports.Reader`. Every method may be called from any thread.
    """

    def __init__(self, reader: ReadsDice, learns: Learns, *, source: str = "the table") -> None:
        """Read with `reader`; `source` is the name of the camera, for the list of a set's examples."""
        self._reader, self._learns, self._source = reader, learns, source
        self._lock = threading.Lock()
        self._seen: deque[tuple[Pixels, Reading]] = deque()
        self._waiting: queue.Queue[Learnt | Reading | None] = queue.Queue()
        self._thread: threading.Thread | None = None

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        """Every die in a (H, W, 3) BGR picture, which is remembered for a while."""
        reading = self._reader.read(pixels, arrived)
        self._remember(pixels, reading)
        return reading

    def read_on(self, pixels: Pixels, before: Reading, arrived: Mask | None = None) -> Reading:
        """The same dice read in another picture as well; the newest picture is remembered for all of them."""
        if not isinstance(self._reader, ReadsOn):
            return before
        reading = self._reader.read_on(pixels, before, arrived)
        self._remember(pixels, reading, instead_of=before)
        return reading

    def _remember(self, pixels: Pixels, reading: Reading, instead_of: Reading | None = None) -> None:
        with self._lock:
            self._seen = deque(one for one in self._seen if one[1] is not instead_of)
            if reading.dice:
                self._seen.append((pixels, reading))
            while len(self._seen) > 1 and (
                len(self._seen) > READINGS or sum(p.nbytes for p, _ in self._seen) > MOST_BYTES
            ):
                self._seen.popleft()

    def corrected(self, die: DieReading, face: str) -> bool:
        """Somebody said what a die in a recent reading shows; whether that is still remembered. Returns at once."""
        return self._learn(die, face, corrected=True)

    def counted(self, thrown: Iterable[DieReading], lying: Sequence[DieReading]) -> None:
        """Dice of a recent reading count: `thrown` ones, which were read for certain, will be recognised, and all that
        were read right show how the table lies. Returns at once."""
        if not isinstance(self._reader, Recognises):
            return
        for die in thrown:
            self._learn(die, die.face, corrected=False)
        with self._lock:
            of = next((one for _, one in self._seen if any(die in one.dice for die in lying)), None)
        if of is not None:
            self._hand_over(replace(of, dice=tuple(lying)))

    def _learn(self, die: DieReading, face: str, *, corrected: bool) -> bool:
        with self._lock:
            of = next((pixels for pixels, one in reversed(self._seen) if die in (*one.dice, *one.faint)), None)
        if of is None:
            return False
        self._hand_over(Learnt(*_cut_out(of, die), face, corrected))
        return True

    def _hand_over(self, lesson: Learnt | Reading) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="learner", daemon=True)
                self._thread.start()
            self._waiting.put(lesson)

    def know(self, dice_set: DiceSet) -> None:
        """Use another version of the set from the next picture on, if the reader can."""
        if isinstance(self._reader, Knows):
            self._reader.know(dice_set)

    def view_changed(self) -> None:
        """The next picture is from another camera or of another region."""
        if isinstance(self._reader, Knows):
            self._reader.view_changed()

    def close(self) -> None:
        """Learn what is still waiting, then stop."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._waiting.put(None)
            thread.join(timeout=10.0)

    def _run(self) -> None:
        while (lesson := self._waiting.get()) is not None:
            if isinstance(lesson, Reading):
                if isinstance(self._reader, Recognises):
                    self._reader.counted(lesson)
                continue
            pixels, die, face = lesson.pixels, lesson.die, lesson.face
            try:
                if isinstance(self._reader, Recognises):
                    self._reader.recognise(pixels, die, face, named=lesson.corrected)
                if lesson.corrected:
                    self._learns(pixels, die, face, self._source)
            except (ValueError, OSError) as refused:
                # A die that nothing can be learnt from must not stop the evening.
                logging.getLogger(__name__).warning("a corrected die is not learnt: %s", refused)


def _cut_out(pixels: Pixels, die: DieReading) -> tuple[Pixels, DieReading]:
    """Cut out a die with a margin of its own width, and give its reading in pixels of that picture."""
    x0, y0, x1, y1 = die.box
    reach = max(x1 - x0, y1 - y0)
    left, top = max(int(x0 - reach), 0), max(int(y0 - reach), 0)
    part = pixels[top : int(y1 + reach) + 1, left : int(x1 + reach) + 1].copy()
    corners = tuple((x - left, y - top) for x, y in die.corners)
    return part, replace(die, corners=corners, box=(x0 - left, y0 - top, x1 - left, y1 - top))

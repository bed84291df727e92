"""Whether a camera sees well: what is wrong with its picture while dice are read, and what would mend it.

`Health` follows a camera and notices black, dark, frozen, shaking and blurred pictures, a few times a second on few
pixels, and overexposed dice. `trouble_of` judges one picture with dice. `look_over` tells the doctor and the camera's
page all of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import median
from typing import Final, Literal

import cv2
import numpy as np

from messages.message import Message, message
from vision.boxes import Box
from vision.frame import Floats, Frame, Pixels

FROZEN_AFTER = 3.0
"""Seconds of the very same picture: a sensor's noise never repeats."""

SAID_AFTER = 1.0
"""Seconds a dark or blurred picture lasts until it is said: a hand before the lens is no fault of the camera."""

FOCUS_AFTER = 3.0
"""Seconds for a blurred one: cameras hunt for focus."""

LOOK_EVERY = 0.2
FOCUS_EVERY = 1.0

OUT_OF_FOCUS = message("the camera image is out of focus")
TOO_DARK = message("the table is too dark: Tableside may miss dice; add light")
TOO_BRIGHT = message("the dice are too bright to read well: dim the lamp or turn it away")
SHAKING = message("the camera is moving; fix it in place")

FROZEN = message("the camera image is frozen; Tableside reads dice again once it moves")
COVERED = message("the camera image is black; is the lens covered or the light off?")

ONLY_SAID = frozenset({OUT_OF_FOCUS, TOO_DARK, TOO_BRIGHT, SHAKING})
"""Troubles with which dice are read all the same."""

BLACK = 14.0
"""Mean grey level of 255 below which no die can be told."""

FAINT = 45.0
"""Grey level of 255 that the brightest 0.5 % of a picture in which dice lie must reach."""

SHAKE = 0.6 / 320
"""By how much of its width a whole picture is shifted between two looks, at least, when the camera moves."""
CERTAIN_SHIFT = 0.5
"""Response of the phase correlation from which a shift is the whole picture's: dice that roll reach 0.3."""
SHAKES = (10, 15)
"""So many of the last looks must show a shift, of so many."""

SOFT = 0.4
"""A picture is out of focus below this share of the sharpest one since dice were read in it last. Pictures of other
cameras and tables differ too much for a fixed bound: photographs in focus were between 0.02 and 0.5."""


class Health:
    """Follows one camera. `see` every frame; it returns what is wrong in a few words, or None while all is well."""

    def __init__(self, *, live: bool = True) -> None:
        """A camera that is not `live` may show the same picture as long as it likes."""
        self._live = live
        self.restart()

    def restart(self) -> None:
        """The camera was opened anew."""
        self.trouble: Message | None = None
        self._sample: Pixels | None = None
        self._looked = self._focused = -inf
        self._since: dict[str, float] = {}
        """Since when each trouble has lasted; "frozen": when the picture changed last."""
        self._sharpest = 0.0
        self._soft_dice = self._washed_dice = False
        self._small: Floats | None = None
        self._shifts: deque[bool] = deque(maxlen=SHAKES[1])

    def see(self, frame: Frame, *, dice: bool = False) -> Message | None:
        """Look at the next frame; focus is judged while `dice` lie there."""
        now = frame.taken
        if now < self._looked:  # the camera's clock began anew
            self._looked = self._focused = -inf
            self._since["frozen"] = now
        if now - self._looked < LOOK_EVERY:
            return self.trouble
        self._looked = now
        sample = frame.pixels[::24, ::24]
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._since["frozen"] = now
        self._sample = sample.copy()
        self._shifts.append(self._shifted(frame.pixels))
        found = {
            "dark": float(sample.mean()) < BLACK,
            "faint": dice and float(np.percentile(sample, 99.5)) < FAINT,
            "washed dice": dice and self._washed_dice,
            "soft dice": self._soft_dice,
        }
        if (dice or "soft" in self._since) and now - self._focused >= FOCUS_EVERY:
            self._focused = now
            sharp = sharpness(frame.pixels)
            self._sharpest = max(self._sharpest, sharp or 0.0)
            found["soft"] = sharp is not None and sharp < SOFT * self._sharpest
        for trouble, there in found.items():
            if there:
                self._since.setdefault(trouble, now)
            else:
                self._since.pop(trouble, None)
        lasted = {trouble: now - since for trouble, since in self._since.items()}
        self.trouble = next(
            (
                words
                for words, there in (
                    (FROZEN, self._live and lasted["frozen"] >= FROZEN_AFTER),
                    (COVERED, lasted.get("dark", 0.0) >= SAID_AFTER),
                    (TOO_DARK, lasted.get("faint", 0.0) >= SAID_AFTER),
                    (TOO_BRIGHT, lasted.get("washed dice", 0.0) >= SAID_AFTER),
                    (SHAKING, sum(self._shifts) >= SHAKES[0]),
                    (OUT_OF_FOCUS, lasted.get("soft dice", 0.0) >= SAID_AFTER),
                    (OUT_OF_FOCUS, lasted.get("soft", 0.0) >= FOCUS_AFTER),
                )
                if there
            ),
            None,
        )
        return self.trouble

    @property
    def stale(self) -> bool:
        """Whether nothing may be read: the picture is frozen or black, said or not."""
        return "dark" in self._since or not (self.trouble is None or self.trouble in ONLY_SAID)

    def read(self, pixels: Pixels, boxes: Sequence[Box], *, doubted: bool) -> bool:
        """Dice were read in these boxes: whether they are out of focus, or overexposed, is seen best there.

        Bright dice are no trouble unless some are `doubted`. Returns whether they are out of focus.
        """
        self._washed_dice = doubted and _washed(_dice_in(pixels, boxes)) > WASHED_DICE
        sharp = sharpness_of_dice(pixels, boxes)
        self._soft_dice = sharp is not None and sharp < SOFT_DICE
        # What follows is compared with this: another scene may be softer and in focus all the same.
        self._sharpest = sharpness(pixels) or 0.0
        self._since.pop("soft", None)
        return self._soft_dice

    def _shifted(self, pixels: Pixels) -> bool:
        """Whether the whole picture lies elsewhere than at the last look (phase correlation, Kuglin and Hines 1975)."""
        height, width = pixels.shape[:2]
        size = (320, max(8, round(320 * height / width)))
        grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        before, self._small = self._small, grey.astype(np.float32)
        if before is None or before.shape != self._small.shape:
            return False
        (right, down), response = cv2.phaseCorrelate(
            before, self._small, cv2.createHanningWindow(size, cv2.CV_32F)
        )
        return response >= CERTAIN_SHIFT and float(np.hypot(right, down)) >= SHAKE * size[0]


def sharpness_of_dice(pixels: Pixels, boxes: Sequence[Box]) -> float | None:
    """The median sharpness of dice in their boxes (x0, y0, x1, y1 pixels), each made 128 px wide; None without any."""
    found: list[float] = []
    for x0, y0, x1, y1 in boxes[:MOST_JUDGED]:
        rim = 0.1 * (x1 - x0)
        crop = pixels[max(0, int(y0 - rim)) : int(y1 + rim) + 1, max(0, int(x0 - rim)) : int(x1 + rim) + 1]
        if min(crop.shape[:2]) < LEAST_JUDGED:
            continue
        way = cv2.INTER_AREA if crop.shape[1] > 128 else cv2.INTER_LINEAR
        sharp = sharpness(np.asarray(cv2.resize(crop, (128, 128), interpolation=way), np.uint8))
        if sharp is not None:
            found.append(sharp)
    return median(found) if found else None


MOST_JUDGED, LEAST_JUDGED = 6, 12
SOFT_DICE = 0.11
"""Of dice in photographs in focus 98 % have more than 0.15; blurred by a twentieth of their width, fewer than 2 % have
more than 0.08 (29 photographs, 87 dice)."""


def sharpness(pixels: Pixels) -> float | None:
    """How steep the steepest edges are, against how high: about 1 for an edge of one or two pixels; None without edges.

    The steepest gradients of a (H, W, 3) picture over the largest steps it makes within 9 px: blur flattens edges
    and leaves the steps. Noise is small against either. A table without an edge says nothing.
    """
    height, width = pixels.shape[:2]
    middle = pixels[height // 8 : height - height // 8, width // 8 : width - width // 8]
    grey = cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY)
    grey = cv2.GaussianBlur(grey, (3, 3), 0)
    window = np.ones((9, 9), np.uint8)
    step = cv2.subtract(cv2.dilate(grey, window), cv2.erode(grey, window))
    high = float(np.percentile(step[::2, ::2], 99.5))
    if high < LEAST_STEP:
        return None
    near = np.ones((3, 3), np.uint8)
    steep = cv2.subtract(cv2.dilate(grey, near), cv2.erode(grey, near))
    return (float(np.percentile(steep[::2, ::2], 99.5)) / high - FLAT) / (1 - FLAT)


LEAST_STEP = 40.0
"""Grey levels; without such a step there is no edge to judge by."""
FLAT = 0.25
"""What a plain slope gives: 2 px of it against 8."""


Trouble = Literal["dark", "overexposed", "blurred"]

DARK_DICE = 60.0
"""Grey levels of 255 that the lightest parts of dice reach at least, white pips on black ones included."""
DARK_FRAME = 40.0
"""The same for a whole picture in which no dice are found."""
WASHED = 250
WASHED_DICE, WASHED_FRAME = 0.4, 0.7
"""Share of the dice, or of a picture without any, that may be washed out. White dice have shaded sides and pips: whole
sets were read well up to 0.32, and hardly at all from 0.41 (docs/research/reading.md)."""


def trouble_of(pixels: Pixels, boxes: Sequence[Box]) -> Trouble | None:
    """What is wrong with a (H, W, 3) BGR picture with dice in `boxes` (x0, y0, x1, y1 pixels); None for nothing."""
    parts = _dice_in(pixels, boxes)
    seen = parts or [np.asarray(cv2.cvtColor(pixels[::4, ::4], cv2.COLOR_BGR2GRAY), np.uint8)]
    if float(np.median([np.percentile(part, 97) for part in seen])) < (DARK_DICE if parts else DARK_FRAME):
        return "dark"
    if _washed(seen) > (WASHED_DICE if parts else WASHED_FRAME):
        return "overexposed"
    sharp = sharpness_of_dice(pixels, boxes)
    return "blurred" if sharp is not None and sharp < SOFT_DICE else None


def _dice_in(pixels: Pixels, boxes: Sequence[Box]) -> list[Pixels]:
    """Grey levels of what is in each box, (h, w); boxes outside the picture are left out."""
    edges = ([max(round(edge), 0) for edge in box] for box in boxes)
    parts = (pixels[y0:y1, x0:x1] for x0, y0, x1, y1 in edges)
    return [np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8) for part in parts if part.size]


def _washed(parts: Sequence[Pixels]) -> float:
    """The median share of these grey levels that is washed out; 0 without any."""
    return float(np.median([np.mean(part >= WASHED) for part in parts])) if parts else 0.0


NEEDED_PX: Final = 28.0
"""A die's width in pixels from which it is read well (docs/figures.md, by size)."""

NEEDED_RATE: Final = 9.5
"""Frames a second that settling needs."""

SWING: Final = 12.0
"""Grey levels of 255 by which the brightness may go up and down."""

Topic = Literal["picture", "light", "focus", "dice"]

RATE = "%(width)d×%(height)d, %(rate)d fps"
SLOW = "Only %(rate)d fps: choose a lower resolution to reach 10 fps."
STILL = "%(width)d×%(height)d, a recording"
LIGHT = "Bright enough."
DARK = "Too dark: add light or use a longer exposure."
GLARING = "Too bright: turn the lamp away or use a shorter exposure."
SWINGING = "Bright enough, but it keeps changing: lock the exposure if the camera can."
LEVEL = "brightness %(level)d of 255"
SWING_BY = "brightness %(level)d of 255, varying by %(swing)d"
SHARP = "The dice are in focus."
BLURRED = "The dice are out of focus: clean the lens or focus on the table."
NONE = "No dice found: put some on the table."
ENOUGH = "Large enough."
SMALL = "Too small: move the camera closer or choose %(larger)s."
WIDTH = "smallest die %(px)d px wide (minimum %(needed)d px)"

TEMPLATES: Final = (
    RATE, SLOW, STILL, LIGHT, DARK, GLARING, SWINGING, LEVEL, SWING_BY, SHARP, BLURRED, NONE, ENOUGH, SMALL, WIDTH,
)  # fmt: skip
"""Everything that can be said, for translators."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that was looked at: `template` filled with `values` says it in English, `measured` in figures."""

    fine: bool | None
    """None if there was nothing to judge."""
    topic: Topic
    template: str
    values: Mapping[str, int | str] = field(default_factory=dict[str, "int | str"])
    measured: str = ""

    @property
    def words(self) -> str:
        """In English, figures behind it."""
        figures = f" ({self.measured % self.values})" if self.measured and self.measured != self.template else ""
        return self.template % self.values + figures


@dataclass(frozen=True, slots=True)
class Stream:
    """How frames have been coming."""

    width: int
    height: int
    rate: float | None
    """Frames a second; None of a recording, which comes as fast as it is read."""
    levels: tuple[float, ...]
    """The mean grey level (of 255) of each of the last frames."""


def level_of(pixels: Pixels) -> float:
    """The mean grey level of a (H, W, 3) picture, of 255."""
    return float(pixels[::16, ::16].mean())


def look_over(pixels: Pixels, boxes: Sequence[Box], stream: Stream) -> tuple[Remark, ...]:
    """Everything worth saying about a (H, W, 3) BGR picture with dice in `boxes` (x0, y0, x1, y1 pixels), in the order
    in which to mend it."""
    trouble = trouble_of(pixels, boxes)
    remarks = [_stream(stream), _light(stream, trouble)]
    if boxes and trouble in (None, "blurred"):
        remarks.append(Remark(trouble is None, "focus", BLURRED if trouble else SHARP))
    return (*remarks, _dice(boxes, stream.width))


def _stream(stream: Stream) -> Remark:
    size: dict[str, int | str] = {"width": stream.width, "height": stream.height}
    if stream.rate is None:
        return Remark(True, "picture", STILL, size, STILL)
    slow = stream.rate < NEEDED_RATE
    return Remark(not slow, "picture", SLOW if slow else RATE, {**size, "rate": round(stream.rate)}, RATE)


def _light(stream: Stream, trouble: str | None) -> Remark:
    levels = stream.levels or (0.0,)
    told: dict[str, int | str] = {"level": round(float(np.mean(levels)))}
    swing = max(levels) - min(levels)
    if trouble in ("dark", "overexposed"):
        return Remark(False, "light", DARK if trouble == "dark" else GLARING, told, LEVEL)
    if stream.rate is not None and swing > SWING:
        return Remark(True, "light", SWINGING, {**told, "swing": round(swing)}, SWING_BY)
    return Remark(True, "light", LIGHT, told, LEVEL)


def _dice(boxes: Sequence[Box], width: int) -> Remark:
    if not boxes:
        return Remark(None, "dice", NONE)
    least = min(min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes)
    told: dict[str, int | str] = {"px": round(least), "needed": round(NEEDED_PX)}
    if least >= NEEDED_PX:
        return Remark(True, "dice", ENOUGH, told, WIDTH)
    larger = "1920×1080" if width < 1920 else "2560×1440"
    return Remark(False, "dice", SMALL, {**told, "larger": larger}, WIDTH)

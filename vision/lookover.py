"""What keeps a camera's real picture from being read well, and what would mend it: for the doctor and for the page.

Dark, overexposed and blurred are judged by `vision.light` alone, as they are while a match is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from vision.boxes import Box
from vision.frame import Pixels
from vision.light import trouble_of

NEEDED_PX: Final = 28.0
"""A die's width in pixels from which it is read well (docs/figures.md, by size)."""

NEEDED_RATE: Final = 9.5
"""Frames a second that settling needs."""

SWING: Final = 12.0
"""Grey levels of 255 by which the brightness may go up and down."""

Topic = Literal["picture", "light", "focus", "dice"]

RATE = "%(width)d×%(height)d, %(rate)d a second"
SLOW = "%(width)d×%(height)d, %(rate)d a second; 10 a second are needed: choose a smaller --size"
STILL = "%(width)d×%(height)d, a recording"
LIGHT = "brightness %(level)d of 255"
DARK = "brightness %(level)d of 255: too dark; light the table, or let the camera expose longer"
GLARING = "brightness %(level)d of 255: glaring; turn the lamp aside, or expose shorter"
SWINGING = (
    "brightness %(level)d of 255, and it swings by %(swing)d; --lock-exposure holds it where the driver can"
)
SHARP = "the dice are in focus"
BLURRED = "the dice are out of focus: clean the lens, or focus on the table"
NONE = "none found; lay some on the table and look again"
ENOUGH = "%(dice)d found, the smallest %(px)d px wide; %(needed)d px are needed"
SMALL = "%(dice)d found, the smallest %(px)d px wide; move closer or choose %(larger)s: %(needed)d px needed"

TEMPLATES: Final = (RATE, SLOW, STILL, LIGHT, DARK, GLARING, SWINGING, SHARP, BLURRED, NONE, ENOUGH, SMALL)
"""Everything that can be said, for translators."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that was looked at: `template` filled with `values` says it in English."""

    fine: bool
    topic: Topic
    template: str
    values: Mapping[str, int | str] = field(default_factory=dict[str, "int | str"])

    @property
    def words(self) -> str:
        """In English."""
        return self.template % self.values


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
        return Remark(True, "picture", STILL, size)
    slow = stream.rate < NEEDED_RATE
    return Remark(not slow, "picture", SLOW if slow else RATE, {**size, "rate": round(stream.rate)})


def _light(stream: Stream, trouble: str | None) -> Remark:
    levels = stream.levels or (0.0,)
    told: dict[str, int | str] = {"level": round(float(np.mean(levels)))}
    swing = max(levels) - min(levels)
    if trouble in ("dark", "overexposed"):
        return Remark(False, "light", DARK if trouble == "dark" else GLARING, told)
    if stream.rate is not None and swing > SWING:
        return Remark(True, "light", SWINGING, {**told, "swing": round(swing)})
    return Remark(True, "light", LIGHT, told)


def _dice(boxes: Sequence[Box], width: int) -> Remark:
    if not boxes:
        return Remark(False, "dice", NONE)
    least = min(min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes)
    told: dict[str, int | str] = {"dice": len(boxes), "px": round(least), "needed": round(NEEDED_PX)}
    if least >= NEEDED_PX:
        return Remark(True, "dice", ENOUGH, told)
    larger = "1920×1080" if width < 1920 else "2560×1440"
    return Remark(False, "dice", SMALL, {**told, "larger": larger})

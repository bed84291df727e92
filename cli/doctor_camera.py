"""What `tableside doctor --camera` looks at: the real picture, and what would make it better."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from cli.finding import Finding
from cli.looking import Eye, camera_of

if TYPE_CHECKING:
    from vision.detect import Detection
    from vision.frame import Frame

LOOKS_FOR = 2.0
"""Seconds of frames; exposure and focus have settled by then."""

MOST_FRAMES = 120
NEEDED_PX = 28.0
"""A die's width in pixels from which it is read well (docs/figures.md, by size)."""

DIM, BRIGHT = 45.0, 225.0
"""Mean grey levels of 255 outside which faces lose their edges."""


def examine_camera(eye: Eye) -> Iterator[Finding]:
    """Everything worth saying about a camera, in the order in which to mend it."""
    try:
        camera = camera_of(eye)
        camera.open()
    except (OSError, ValueError) as refused:
        yield Finding(False, "camera", str(refused))
        return
    try:
        frames = _frames(camera.read)
    except OSError as refused:
        yield Finding(False, "camera", str(refused))
        return
    finally:
        camera.close()
    if not frames:
        yield Finding(False, "camera", f"{camera.name} opens and gives no picture")
        return
    height, width = frames[-1].pixels.shape[:2]
    lasted = frames[-1].taken - frames[0].taken
    rate = (len(frames) - 1) / lasted if lasted > 0 else 0.0
    often = "" if rate >= 9.5 or not camera.live else "; 10 a second are needed: choose a smaller --size"
    yield Finding(not often, "picture", f"{width}×{height}, {rate:.0f} a second{often}")
    yield from _light(frames)
    yield from _dice(frames[-1], width)


def _frames(read: Callable[[], Frame | None]) -> list[Frame]:
    frames: list[Frame] = []
    began = time.monotonic()
    while (
        len(frames) < MOST_FRAMES and time.monotonic() - began < LOOKS_FOR and (frame := read()) is not None
    ):
        frames.append(frame)
    return frames


def _light(frames: Sequence[Frame]) -> Iterator[Finding]:
    levels = [float(frame.pixels[::16, ::16].mean()) for frame in frames]
    level, swing = statistics.fmean(levels), max(levels) - min(levels)
    words = f"brightness {level:.0f} of 255"
    if level < DIM:
        yield Finding(False, "light", f"{words}: too dark; light the table, or let the camera expose longer")
    elif level > BRIGHT:
        yield Finding(False, "light", f"{words}: glaring; turn the lamp aside, or expose shorter")
    elif swing > 12:
        yield Finding(
            True,
            "light",
            f"{words}, and it swings by {swing:.0f}; --lock-exposure holds it where the driver can",
        )
    else:
        yield Finding(True, "light", words)


def _dice(frame: Frame, width: int) -> Iterator[Finding]:
    from vision.detect import Detector
    from vision.health import SOFT_DICE, sharpness_of_dice

    try:
        found = Detector().detect(frame.pixels)
    except ValueError as refused:
        yield Finding(False, "dice", str(refused))
        return
    if not found:
        yield Finding(False, "dice", "none found; lay some on the table and look again")
        return
    sharp = sharpness_of_dice(frame.pixels, [one.box for one in found])
    if sharp is not None:
        soft = "; out of focus: clean the lens, or focus on the table" if sharp < SOFT_DICE else ""
        yield Finding(not soft, "focus", f"dice {sharp:.2f} sharp of 1, {SOFT_DICE} needed{soft}")
    least = min(_wide(one) for one in found)
    said = f"{len(found)} found, the smallest {least:.0f} px wide"
    if least >= NEEDED_PX:
        yield Finding(True, "dice", said)
        return
    larger = "1920×1080" if width < 1920 else "2560×1440 or more"
    yield Finding(False, "dice", f"{said}; move closer or choose {larger}: {NEEDED_PX:.0f} px needed")


def _wide(detection: Detection) -> float:
    x0, y0, x1, y1 = detection.box
    return min(x1 - x0, y1 - y0)

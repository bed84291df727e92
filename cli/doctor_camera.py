"""What `tableside doctor --camera` looks at: the real picture, and what would make it better (`vision.quality`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from cli.finding import Finding
from cli.looking import Eye, camera_of

if TYPE_CHECKING:
    from vision.frame import Frame

LOOKS_FOR = 2.0
"""Seconds of frames; exposure and focus have settled by then."""

MOST_FRAMES = 120


def examine_camera(eye: Eye) -> Iterator[Finding]:
    """Everything worth saying about a camera, in the order in which to mend it."""
    from vision.detect import Detector
    from vision.quality import Stream, level_of, look_over

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
    last = frames[-1].pixels
    lasted = frames[-1].taken - frames[0].taken
    rate = (len(frames) - 1) / lasted if lasted > 0 else 0.0
    levels = tuple(level_of(frame.pixels) for frame in frames)
    stream = Stream(last.shape[1], last.shape[0], rate if camera.live else None, levels)
    try:
        boxes = [one.box for one in Detector().detect(last)]
    except ValueError as refused:
        yield Finding(False, "dice", str(refused))
        boxes = []
    for remark in look_over(last, boxes, stream):
        yield Finding(remark.fine, remark.topic, remark.words)


def _frames(read: Callable[[], Frame | None]) -> list[Frame]:
    frames: list[Frame] = []
    began = time.monotonic()
    while (
        len(frames) < MOST_FRAMES and time.monotonic() - began < LOOKS_FOR and (frame := read()) is not None
    ):
        frames.append(frame)
    return frames

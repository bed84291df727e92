"""`tableside doctor`: look at this computer, or through a camera, and say what is wrong and what to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

import click

from cli.looking import camera_of, looking
from messages.message import ENGLISH, message, reason
from table.cameras.choice import CameraChoice
from table.checks import VERDICTS, Check, Light, examine, no_camera, seen, worst
from web.network.addresses import lan_addresses

if TYPE_CHECKING:
    from vision.frame import Frame

LOOKS_FOR = 2.0
"""Seconds of frames; exposure and focus have settled by then."""
MOST_FRAMES = 120

COLOURS: Final = {Light.OK: "green", Light.LOOK: "yellow", Light.BROKEN: "red"}


@click.command(name="doctor")
@looking
def command(eye: CameraChoice) -> None:
    """Look at this computer, or through a camera, and say what is wrong and what to do.

    Each line begins with ok, look at this, or broken. Exit 1 when something is broken, or a camera's picture could be
    better.
    """
    fails = {Light.BROKEN, Light.LOOK} if eye.source else {Light.BROKEN}
    checks: list[Check] = []
    for check in examine_camera(eye) if eye.source else examine(lan_addresses()):
        checks.append(check)
        tell(check)
    if worst(checks) in fails:
        raise SystemExit(1)


def tell(check: Check) -> None:
    """Say what was found, and below it what to do."""
    light = click.style(f"{VERDICTS[check.light]:14}", fg=COLOURS[check.light])
    click.echo(f"{light}{check.what}: {check.words}")
    if check.next is not None:
        click.echo(f"{'':14}-> {ENGLISH.sentence([check.next])}")


def examine_camera(eye: CameraChoice) -> Iterator[Check]:
    """Everything worth saying about a camera, in the order in which to mend it."""
    from vision.detect.detector import Detector
    from vision.quality import Stream, level_of, look_over

    try:
        camera = camera_of(eye)
        camera.open()
        try:
            frames = _frames(camera.read)
        finally:
            camera.close()
    except (OSError, ValueError) as refused:
        yield no_camera(reason(refused))
        return
    if not frames:
        yield no_camera(message("{camera} opens and gives no picture", camera=camera.name))
        return
    last = frames[-1].pixels
    lasted = frames[-1].taken - frames[0].taken
    rate = (len(frames) - 1) / lasted if lasted > 0 else 0.0
    levels = tuple(level_of(frame.pixels) for frame in frames)
    stream = Stream(last.shape[1], last.shape[0], rate if camera.live else None, levels)
    try:
        boxes = [one.box for one in Detector().detect(last)]
    except ValueError as refused:
        yield Check(Light.BROKEN, "detector.onnx", reason(refused), message("install Tableside again"))
        boxes = []
    yield from seen(look_over(last, boxes, stream), lambda template, values: template % values)


def _frames(read: Callable[[], Frame | None]) -> list[Frame]:
    frames: list[Frame] = []
    began = time.monotonic()
    while (
        len(frames) < MOST_FRAMES and time.monotonic() - began < LOOKS_FOR and (frame := read()) is not None
    ):
        frames.append(frame)
    return frames

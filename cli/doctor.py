"""`tableside doctor`: look at this computer, or through a camera, and say what is missing."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.looking import camera_of, looking
from files.folders import tables_folder
from table.cameras.choice import CameraChoice

if TYPE_CHECKING:
    from vision.frame import Frame

LOOKS_FOR = 2.0
"""Seconds of frames; exposure and focus have settled by then."""
MOST_FRAMES = 120
PACKAGES = ("numpy", "opencv-python-headless", "onnxruntime", "flask", "cheroot")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    fine: bool
    what: str
    words: str


@click.command(name="doctor")
@looking
def command(eye: CameraChoice) -> None:
    """Look at this computer, or through a camera, and say what is missing. Exit 1 when something is."""
    if not eye.source:
        findings, word = list(examine()), "MISSING"
    else:
        findings, word = list(examine_camera(eye)), "IMPROVE"
    for finding in findings:
        click.echo(f"{'ok     ' if finding.fine else word}  {finding.what}: {finding.words}")
    if not all(finding.fine for finding in findings):
        raise SystemExit(1)


def examine() -> Iterator[Finding]:
    """Everything worth a look, in the order in which it is needed."""
    from vision.dicesets.library import survey

    version = platform.python_version()
    yield Finding(sys.version_info >= (3, 11), "Python", f"{version}, 3.11 or newer is needed")
    for package in PACKAGES:
        try:
            yield Finding(True, package, importlib.metadata.version(package))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(False, package, "not installed; install Tableside again (docs/guide/install.md)")
    yield from _weights()
    yield _shipped_files()
    usable, faulty = survey()
    words = ", ".join(dice_set.id for dice_set in usable)
    yield Finding(not faulty, "dice sets", "; ".join([words, *(str(one) for one in faulty)]))
    yield _folder()
    voice = shutil.which("espeak-ng") or shutil.which("espeak") or shutil.which("say")
    yield Finding(True, "voice", voice or "none (espeak-ng speaks through this computer's loudspeaker)")
    browser = next((found for name in ("chromium", "google-chrome") if (found := shutil.which(name))), None)
    yield Finding(True, "browser for the tests", browser or "none (only the project's own tests want one)")


def _weights() -> Iterator[Finding]:
    """The networks open, and are those that their checksums were made for."""
    from vision.network import WEIGHTS, open_network, tuned_weights

    for name in ("detector", "verifier", "finder", "matcher", "numerals"):
        tuned = (tuned_weights() / f"{name}.onnx").is_file()
        path = (tuned_weights() if tuned else WEIGHTS) / f"{name}.onnx"
        try:
            open_network(name)
        except ValueError as refused:
            yield Finding(False, f"network {name}", str(refused))
        else:
            whose = f", tuned on your photographs: {path}" if tuned else ""
            yield Finding(True, f"network {name}", f"{path.stat().st_size / 1e6:.1f} MB{whose}")


def _shipped_files() -> Finding:
    """Networks, dice sets and tables are those that their checksums were made for."""
    from files.checksums import SUMS, damaged
    from vision.network import WEIGHTS

    try:
        names = damaged(WEIGHTS.parent)
    except OSError as refused:
        return Finding(False, "shipped files", f"{SUMS} cannot be read: {refused.strerror}")
    if not names:
        return Finding(True, "shipped files", f"all as listed in {SUMS}")
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return Finding(False, "shipped files", f"damaged or missing: {', '.join(names[:3])}{more}; install Tableside again")


def _folder() -> Finding:
    """The folder for matches can be written, or the nearest one above it that there is."""
    folder = tables_folder()
    there = next(one for one in (folder, *folder.parents) if one.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as refused:
        return Finding(False, "your matches and sets", f"{folder} cannot be written: {refused.strerror}")
    free = shutil.disk_usage(there).free / 1e9
    chosen = " (from TABLESIDE_DATA)" if os.environ.get("TABLESIDE_DATA") else ""
    return Finding(free > 0.1, "your matches and sets", f"{Path(folder)}{chosen}, {free:.1f} GB free")


def examine_camera(eye: CameraChoice) -> Iterator[Finding]:
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
        yield Finding(bool(remark.fine), remark.topic, remark.words)


def _frames(read: Callable[[], Frame | None]) -> list[Frame]:
    frames: list[Frame] = []
    began = time.monotonic()
    while (
        len(frames) < MOST_FRAMES and time.monotonic() - began < LOOKS_FOR and (frame := read()) is not None
    ):
        frames.append(frame)
    return frames

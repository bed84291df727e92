"""`tableside bench`: how fast reading is on this computer; `bench enroll` and `bench live`: how well and how soon."""

from __future__ import annotations

import importlib
import json
import os
import statistics
import time
from typing import Any

import click


class Benches(click.Group):
    """A group whose measurements are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return list(BENCHES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a measurement, or None when there is no such one."""
        if cmd_name not in BENCHES:
            return None
        command: click.Command = importlib.import_module(BENCHES[cmd_name]).command
        return command


BENCHES = {
    "enroll": "training.commands.bench_enroll",
    "live": "training.commands.bench_live",
    "rescues": "training.commands.bench_rescues",
}
"""A measurement's name and the module it lives in."""


@click.group(name="bench", cls=Benches, invoke_without_command=True)
@click.option("--set", "set_id", default="pips", show_default=True, metavar="ID")
@click.option("--rounds", default=30, show_default=True, type=click.IntRange(3, 10_000))
@click.option("--json", "as_json", is_flag=True)
@click.pass_context
def command(context: click.Context, set_id: str, rounds: int, as_json: bool) -> None:
    """Read one 1920×1080 frame of six rendered dice again and again; medians in milliseconds.

    Where Ultralytics is installed, its own predictor with yolo26n at 640 takes turns on the same frame.
    """
    if context.invoked_subcommand is not None:
        return
    from training.synth.album import frame_of
    from vision.dicesets.library import find
    from vision.reader import Reader

    dice_set = find(set_id)
    started = time.perf_counter()
    reader = Reader(dice_set)
    opened = time.perf_counter() - started
    pixels = frame_of(dice_set, 1920, 1080, seed=3)
    other = _ultralytics()
    reader.read(pixels)
    ours: list[Any] = []
    theirs: list[float] = []
    for _ in range(rounds):
        ours.append(reader.read(pixels))
        if other is not None:
            began = time.perf_counter()
            other(pixels)
            theirs.append(1000 * (time.perf_counter() - began))
    figures: dict[str, Any] = {
        "frame": "1920×1080",
        "dice": len(ours[0].dice),
        "open_ms": round(1000 * opened, 1),
        "detect_ms": round(statistics.median(r.times.detect for r in ours), 1),
        "identify_ms": round(statistics.median(r.times.identify for r in ours), 1),
        "total_ms": round(statistics.median(r.times.total for r in ours), 1),
    }
    if theirs:
        figures["yolo26n_640_ms"] = round(statistics.median(theirs), 1)
        figures["ratio"] = round(figures["total_ms"] / figures["yolo26n_640_ms"], 3)
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False))
        return
    for name, value in figures.items():
        click.echo(f"{name:16} {value}")


def _ultralytics() -> Any:
    """Ultralytics' predictor with an untrained yolo26n (speed does not depend on the weights), or None."""
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")
    try:
        ultralytics: Any = importlib.import_module("ultralytics")  # only in the train extra
    except ImportError:
        return None
    model: Any = ultralytics.YOLO("yolo26n.yaml")

    def predict(pixels: Any) -> Any:
        return model.predict(pixels, imgsz=640, verbose=False, device="cpu")

    return predict

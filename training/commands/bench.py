"""`tableside bench`: how fast dice are read, how well once enrolled, how soon at the table; what corrections give."""

from __future__ import annotations

import importlib
import json
import os
import statistics
import tempfile
import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from training.commands.bench_live import live
from vision.corrections import ALL, NAMES

if TYPE_CHECKING:
    from training.evaluate.run import Verdict

COUNTED = ("dice", "right", "certain_and_wrong", "missed", "invented", "uncertain")
"""What is counted, as `Verdict.summary` calls it."""


@dataclass(frozen=True, slots=True)
class Row:
    """How a folder is read with one correction switched off ("" for none)."""

    folder: str
    without: str
    counts: dict[str, int]
    milliseconds: float
    """A picture, on average."""


@click.group(name="bench", invoke_without_command=True)
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


command.add_command(live)


@command.command("enroll")
@click.option("--sets", "count", default=40, show_default=True, type=click.IntRange(2, 200))
@click.option("--seed", default=5, show_default=True, type=click.IntRange(0, 2**31))
@click.option(
    "--dice",
    default=36,
    show_default=True,
    type=click.IntRange(6, 1000),
    help="Least number of dice read a set.",
)
@click.option(
    "--pictures",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Measure the sets in DIR, or draw them into it.",
)
@click.option("--json", "as_json", is_flag=True)
def enroll(count: int, seed: int, dice: int, pictures: Path | None, as_json: bool) -> None:
    """Enrol made-up sets of symbols no network was trained on, and read their dice: one picture a face, and three.

    Without pictures in DIR they are drawn (needs the train extra, and npm once, for the symbols). The same seed and
    networks give the same figures.
    """
    from training.evaluate.enrolling import measure, summary
    from vision.dicesets.library import find
    from vision.reader import Reader

    scratch = nullcontext(pictures) if pictures is not None else tempfile.TemporaryDirectory()
    with scratch as place:
        folder = Path(place)
        if not any(folder.glob("*/shape.txt")):
            _draw(folder, count, seed, dice)
        measured = measure(folder, Reader(find("pips")), lambda line: click.echo(line, err=True))
    figures = {"seed": seed, **summary(measured)}
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False))
        return
    for line in in_words(figures):
        click.echo(line)


def _draw(folder: Path, count: int, seed: int, dice: int) -> None:
    from training.synth.unseen import collect, draw_album, made_up_sets

    def say(line: str) -> None:
        click.echo(line, err=True)

    for number, made in enumerate(made_up_sets(count, seed, collect(say=say))):
        draw_album(made, folder / made.id, seed * 1000 + number, dice=dice, say=say)


def in_words(figures: dict[str, Any]) -> list[str]:
    """The figures, for people."""
    lines = [f"{figures['sets']} sets, seed {figures['seed']}"]
    for name, row in figures["rows"].items():
        found, certain = row["accuracy_of_found"], row["invented_and_certain"]
        lines.append(
            f"{name:14} {row['dice']:5} dice: right {row['accuracy']:.1%} (of those found {found:.1%}), "
            f"wrong {row['wrong']}, missed {row['missed']}, invented {row['invented']} ({certain} certain), "
            f"asked {row['uncertain_share']:.1%}, certain and wrong {row['certain_and_wrong_share']:.1%}"
        )
    for name, row in figures["rows"].items():
        if name.endswith("all"):
            curve = ", ".join(f"{step['asked']:.0%}: {step['wrong']:.1%}" for step in row["risk_coverage"])
            lines.append(
                f"{name}: wrong among the rest, when this share of found dice is asked about: {curve}"
            )
    lines += [
        f"pictures refused and taken again: {figures['refused_pictures']}; warnings: {figures['problems_said']}",
        f"enrolling six faces, three pictures each: {figures['enrol_seconds_six_faces_three_pictures']} s of computing",
        f"identifying one picture: {figures['identify_ms']} ms",
        "worst sets: " + ", ".join(f"{one['set']} ({one['1']}, {one['3']})" for one in figures["worst_sets"]),
    ]
    return lines


@command.command("rescues")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER=SET…")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="Switch off only these.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
def rescues(folders: tuple[str, ...], only: tuple[str, ...], as_json: bool) -> None:
    """Read labelled folders with every correction on, and with each one switched off."""
    from training.evaluate.run import evaluate
    from vision.dicesets.library import find
    from vision.reader import Reader

    for pair in folders:
        folder, _, set_id = pair.rpartition("=")
        if not folder:
            raise click.UsageError(f"expected FOLDER=SET, found '{pair[:60]}'")
        dice_set = find(set_id)
        whole: Row | None = None
        for name in ("", *(only or NAMES)):
            reader = Reader(dice_set, corrections=ALL.without(name) if name else ALL)
            row = _counted(Path(folder), name, evaluate(Path(folder), dice_set, reader.read))
            whole = whole or row
            click.echo(json.dumps(asdict(row)) if as_json else _rescue_line(row, whole))


def _counted(folder: Path, name: str, verdict: Verdict) -> Row:
    summary = verdict.summary()
    times = [picture.milliseconds for picture in verdict.pictures]
    return Row(
        str(folder), name, {key: int(summary[key]) for key in COUNTED}, sum(times) / max(len(times), 1)
    )


def _rescue_line(row: Row, whole: Row) -> str:
    counts = (
        f"{key.replace('_', ' ')} {row.counts[key]}"
        + (f" ({change:+d})" if (change := row.counts[key] - whole.counts[key]) else "")
        for key in COUNTED
    )
    state = f"without {row.without}" if row.without else "all on"
    return f"{row.folder}: {state}: {', '.join(counts)}, {row.milliseconds:.0f} ms"

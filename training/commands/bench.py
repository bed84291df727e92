"""`tableside bench`: how fast dice are read, how well once enrolled, how soon at the table; what corrections give."""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import tempfile
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from training.commands.bench_live import live
from vision.detect.detector import CORRECTIONS

COUNTED = ("dice", "right", "hands_free", "certain_and_wrong", "missed", "invented", "uncertain")
"""What is counted, as `Verdict.summary` calls it."""
STEPS = 5
"""Points of a curve that are told in words; all of them are in the JSON."""
WORST = 8
"""Sets that are told in words; all of them are in the JSON."""


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
    reader = Reader(dice_set, frames=True)
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
    if importlib.util.find_spec("ultralytics") is None:  # only in the train extra
        return None
    ultralytics: Any = importlib.import_module("ultralytics")
    return partial(ultralytics.YOLO("yolo26n.yaml").predict, imgsz=640, verbose=False, device="cpu")


command.add_command(live)


@command.command("enroll")
@click.option("--sets", "count", default=40, show_default=True, type=click.IntRange(2, 200))
@click.option("--seed", default=5, show_default=True, type=click.IntRange(0, 2**31))
@click.option("--dice", default=36, show_default=True, type=click.IntRange(6, 1000), help="Least dice read a set.")
@click.option(
    "--pictures", type=click.Path(path_type=Path), metavar="DIR", help="Measure the sets in DIR, or draw them into it."
)
@click.option("--evening", is_flag=True, help="A set's pictures are rolls of one evening; dice are known again.")
@click.option("--json", "as_json", is_flag=True)
def enroll(count: int, seed: int, dice: int, pictures: Path | None, evening: bool, as_json: bool) -> None:
    """Enrol made-up sets of symbols no network was trained on, and read their dice: one picture a face, and three.

    Without pictures in DIR they are drawn (needs the train extra, and npm once, for the symbols). The same seed and
    networks give the same figures.
    """
    from training.evaluate.enrolling import measure, summary
    from training.synth.unseen import collect, draw_album, made_up_sets
    from vision.dicesets.library import find
    from vision.reader import Reader

    say = partial(click.echo, err=True)
    scratch = nullcontext(pictures) if pictures is not None else tempfile.TemporaryDirectory()
    with scratch as place:
        folder = Path(place)
        if not any(folder.glob("*/shape.txt")):
            for number, made in enumerate(made_up_sets(count, seed, collect(say=say))):
                draw_album(made, folder / made.id, seed * 1000 + number, dice=dice, say=say)
        measured = measure(folder, Reader(find("pips")), say, evening=evening)
    figures = {"seed": seed, **summary(measured)}
    if as_json:
        click.echo(json.dumps(figures, ensure_ascii=False))
        return
    for line in in_words(figures):
        click.echo(line)


def in_words(figures: dict[str, Any]) -> list[str]:
    """The figures, for people."""
    from training.evaluate.enrolling import ENROLLED
    from training.evaluate.run import percent

    def of_set(one: dict[str, Any]) -> str:
        counts = ((number, one[str(number)]) for number in ENROLLED)
        return f"{one['set']} " + ", ".join(f"{n}: {c['hands_free']} of {c['pictures']} rolls" for n, c in counts)

    lines = [f"{figures['sets']} sets, seed {figures['seed']}"]
    for name, row in figures["rows"].items():
        certain, rolls = row["invented_and_certain"], row["pictures"]
        lines.append(
            f"{name:14} right {row['right']} of {row['dice']} dice, {percent(row['accuracy'])} "
            f"(of the {row['found']} found {percent(row['accuracy_of_found'])}); "
            f"hands-free {row['hands_free']} of {rolls} rolls, {percent(row['hands_free_share'])}; "
            f"certain and wrong {row['certain_and_wrong']} of {row['read']} dice read; "
            f"asked about {row['uncertain']}, {percent(row['uncertain_share'])}; "
            f"wrong {row['wrong']}, missed {row['missed']}, invented {row['invented']} ({certain} certain)"
        )
    for name, row in figures["rows"].items():
        if name.endswith("all"):
            curve = "; ".join(
                f"{step['certain_and_wrong']}: {percent(step['asked_share'])}, {percent(step['hands_free_share'])}"
                for step in row["asking_curve"][:STEPS]
            )
            lines.append(f"{name}: asked about and hands-free, if this many dice may be certain and wrong: {curve}")
    lines += [
        f"pictures refused and taken again: {figures['refused_pictures']}; warnings: {figures['problems_said']}",
        f"enrolling six faces, three pictures each: {figures['enrol_seconds_six_faces_three_pictures']} s of computing",
        f"identifying one picture: {figures['identify_ms']} ms",
        "worst sets, hands-free: " + "; ".join(map(of_set, figures["by_set"][:WORST])),
    ]
    return lines


@command.command("rescues")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER=SET…")
@click.option("--only", multiple=True, type=click.Choice(CORRECTIONS), help="Switch off only these.")
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
        dice_set, whole = find(set_id), dict[str, int]()
        for name in ("", *(only or CORRECTIONS)):
            reader = Reader(dice_set, without=(name,))
            verdict = evaluate(Path(folder), dice_set, reader.read)
            counts: dict[str, int] = {key: verdict.summary()[key] for key in COUNTED}
            whole, times = whole or counts, [picture.milliseconds for picture in verdict.pictures]
            row = {"folder": folder, "without": name, "counts": counts, "milliseconds": sum(times) / max(len(times), 1)}
            told = (
                f"{key.replace('_', ' ')} {count}" + (f" ({count - whole[key]:+d})" if count != whole[key] else "")
                for key, count in counts.items()
            )
            state = f"without {name}" if name else "all on"
            line = f"{folder}: {state}: {', '.join(told)}, {row['milliseconds']:.0f} ms"
            click.echo(json.dumps(row) if as_json else line)

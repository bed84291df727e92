"""`tableside bench enroll`: how well dice are read after enrolling them."""

from __future__ import annotations

import json
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click


@click.command("enroll")
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
    help="Measure the sets that lie in DIR, or draw them into it.",
)
@click.option("--json", "as_json", is_flag=True)
def command(count: int, seed: int, dice: int, pictures: Path | None, as_json: bool) -> None:
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

"""`tableside render`: labelled pictures of a dice set, to measure on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click


@click.command(name="render")
@click.argument("set_id", metavar="SET")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--pictures", default=200, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 2**31))
@click.option("--strangers", "distractors", is_flag=True, help="One to three dice, among balls, keys or other dice.")
@click.option("--clear", is_flag=True, help="Clear dice, seen by a camera that is rolled any way about its axis.")
def command(set_id: str, out: Path, pictures: int, seed: int, *, distractors: bool, clear: bool) -> None:
    """Render pictures of six dice of SET into FOLDER, with labels, in the form that `evaluate` reads."""
    from training.synth.album import AMONG_DISTRACTORS, RANGES, make_album
    from vision.dicesets.library import find

    ranges = AMONG_DISTRACTORS if distractors else RANGES
    if clear:
        ranges = replace(ranges, clear=1.0, rolled=1.0)
    make_album(find(set_id), out, pictures, seed, ranges)
    click.echo(f"{pictures} pictures in {out}")

"""`tableside evaluate`: how well pictures with known faces are read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from cli.main import complain


@click.command(name="evaluate")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--set", "set_id", required=True, metavar="ID", help="The dice set (see `tableside sets`).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every count.")
@click.option("--report", type=click.Path(path_type=Path), metavar="DIR", help="Write a page with the worst pictures.")
@click.option("--least", default=0.0, type=click.FloatRange(0), metavar="PX", help="Leave out smaller dice.")
@click.option("--evening", is_flag=True, help="The pictures are one evening's rolls, in order; dice are known again.")
@click.option("--shipped", is_flag=True, help="Read with the shipped networks, not with one you tuned.")
def command(
    folder: Path, set_id: str, as_json: bool, report: Path | None, least: float, evening: bool, shipped: bool
) -> None:
    """Read every picture of FOLDER and compare with its labels.

    FOLDER holds images/, labels/ (YOLO boxes) and faces.txt (one face a line). Pictures that cannot be opened
    are left out of the figures and named; the exit code is then 2.
    """
    from training.evaluate.run import evaluate
    from vision.dicesets.library import find
    from vision.network import WEIGHTS
    from vision.reader import Reader

    dice_set = find(set_id)
    reader = Reader(dice_set, WEIGHTS if shipped else None)
    count = len(list((folder / "images").glob("*"))) if (folder / "images").is_dir() else 0
    watched = sys.stderr.isatty()
    with click.progressbar(length=count, label=str(folder), file=sys.stderr, hidden=not watched) as bar:
        known = reader if evening else None
        verdict = evaluate(folder, dice_set, reader.read, lambda: bar.update(1), least=least, evening=known)
    summary = {"folder": str(folder), "set": dice_set.id, "least_px": least, **verdict.summary()}
    if report is not None:
        from training.evaluate.report import write_report

        write_report(verdict, summary, report)
    click.echo(json.dumps(summary, ensure_ascii=False) if as_json else _in_words(summary))
    for line in verdict.failed:
        complain(line)
    if verdict.failed:
        raise SystemExit(2)


def _in_words(s: dict[str, Any]) -> str:
    from training.evaluate.run import percent

    rolls, read = f"of {s['pictures']} rolls", f"of {s['read']} dice read"
    lines = [
        f"{s['pictures']} pictures, {s['dice']} dice",
        f"right             {s['right']:5}  {percent(s['accuracy'])} of {s['dice']} dice",
        f"wrong             {s['wrong']:5}",
        f"missed            {s['missed']:5}",
        f"invented          {s['invented']:5}  {s['invented_and_certain']} of them certain",
        f"rolls right       {s['rolls_right']:5}  {percent(s['rolls_accuracy'])} {rolls}",
        f"hands-free        {s['hands_free']:5}  {percent(s['hands_free_share'])} {rolls}",
        f"certain and wrong {s['certain_and_wrong']:5}  {percent(s['certain_and_wrong_share'])} {read}",
        f"asked about       {s['uncertain']:5}  {percent(s['uncertain_share'])} {read}",
    ]
    for name, unit in (("by size in pixels", "px"), ("by tilt in degrees", "degrees")):
        bins = s["by_size" if unit == "px" else "by_tilt"]
        told = (f"{r[f'from_{unit}']}–{r[f'to_{unit}']}: {percent(r['accuracy'])} of {r['dice']}" for r in bins)
        if bins or unit == "px":
            lines.append(f"{name}: {', '.join(told)}")
    return "\n".join(lines)

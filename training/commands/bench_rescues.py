"""`tableside bench rescues`: what each correction of the reading path is worth."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from training.evaluate.run import Verdict, evaluate
from vision.corrections import ALL, NAMES
from vision.dicesets.library import find
from vision.reader import Reader

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


@click.command(name="rescues")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER=SET…")
@click.option("--only", multiple=True, type=click.Choice(NAMES), help="Switch off only these.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a row.")
def command(folders: tuple[str, ...], only: tuple[str, ...], as_json: bool) -> None:
    """Read labelled folders with every correction on, and with each one switched off."""
    for pair in folders:
        folder, _, set_id = pair.rpartition("=")
        if not folder:
            raise click.UsageError(f"expected FOLDER=SET, found '{pair[:60]}'")
        dice_set = find(set_id)
        whole: Row | None = None
        for name in ("", *(only or NAMES)):
            reader = Reader(dice_set, corrections=ALL.without(name) if name else ALL)
            row = _row(Path(folder), name, evaluate(Path(folder), dice_set, reader.read))
            whole = whole or row
            click.echo(json.dumps(asdict(row)) if as_json else _line(row, whole))


def _row(folder: Path, name: str, verdict: Verdict) -> Row:
    summary = verdict.summary()
    times = [picture.milliseconds for picture in verdict.pictures]
    return Row(
        str(folder), name, {key: int(summary[key]) for key in COUNTED}, sum(times) / max(len(times), 1)
    )


def _line(row: Row, whole: Row) -> str:
    counts = (
        f"{key.replace('_', ' ')} {row.counts[key]}"
        + (f" ({change:+d})" if (change := row.counts[key] - whole.counts[key]) else "")
        for key in COUNTED
    )
    state = f"without {row.without}" if row.without else "all on"
    return f"{row.folder}: {state}: {', '.join(counts)}, {row.milliseconds:.0f} ms"

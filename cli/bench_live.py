"""`tableside bench live`: filmed evenings at the demo table, the truth known: throws found, holds right, how soon."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import click


@click.command("live")
@click.option("--throws", default=200, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--rate", default=30.0, show_default=True, type=click.FloatRange(10, 60), help="Frames a second."
)
@click.option("--json", "as_json", is_flag=True)
def command(throws: int, seed: int, rate: float, as_json: bool) -> None:
    """Play Meet Fate before a film: hands, holds, nudges, bumps, flickering lamps. Exit 1 when a bound is missed.

    The bounds: every throw found, none invented, 99 % of the holds right, 95 % noticed within 400 ms of standstill.
    Time that passes while a frame is looked at is processor time, so other programs do not count.
    """
    figures, remarks = rehearse(throws, seed, rate)
    if as_json:
        click.echo(json.dumps(figures | {"remarks": remarks}, ensure_ascii=False))
    else:
        for remark in remarks:
            click.echo(f"  {remark}")
        for name, value in figures.items():
            click.echo(f"{name:22} {value}")
    good = figures["found"] == figures["throws"] and not figures["invented"]
    if not good or figures["holds_right_share"] < 0.99 or figures["notice_p95_ms"] > 400:
        raise SystemExit(1)


def rehearse(throws: int, seed: int, rate: float) -> tuple[dict[str, Any], list[str]]:
    """Play so many throws; the figures, and a line for each thing that was not as it should be."""
    from scoring.games import find as find_game
    from scoring.match import begin
    from table.rehearsal import Judge, Score, evening
    from table.session import Session
    from table.store import Store
    from table.watch import Watcher
    from vision.demo_film import Film, FilmedTable
    from vision.diceset import find as find_set
    from vision.reader import Reader

    dice_set, game = find_set("fate"), find_game("meet-fate")
    reader, score = Reader(dice_set), Score()
    began = time.monotonic()
    number = 0
    with tempfile.TemporaryDirectory() as scratch:
        store = Store.of(Path(scratch))
        while score.throws < throws:
            # An evening of some 60 throws at a time, so that dice, cloth and match change.
            number += 1
            goal = min(throws, score.throws + 60)
            table = FilmedTable(dice_set, seed=1000 * seed + number, rate=rate)
            films: list[Film] = []
            judge = Judge(lambda films=films: films[0], table, score)
            films.append(Film(table, evening(table, lambda films=films: films[0], judge, goal), rate=rate))
            match = begin(game, ["Alice", "Bob", "Cleo"])
            session = Session(match, store.begin(match), dice_set, outputs=[judge])
            judge.watch(session)
            session.greet()
            judge.forget()
            watcher = Watcher(
                films[0],
                reader,
                on_reading=session.saw,
                on_state=lambda _: None,
                on_camera=session.camera_says,
                complete=session.complete,
            )
            watcher.watch_through()
        store.close()
    waits = sorted(score.waits) or [float("inf")]
    figures: dict[str, Any] = {
        "throws": score.throws,
        "found": score.found,
        "invented": score.invented,
        "needless_questions": score.needless,
        "throws_with_holds": score.holding_throws,
        "holds_right": score.holds_right,
        "holds_right_share": round(score.holds_right / max(1, score.holding_throws), 4),
        "throws_asked_about": score.asked,
        "dice": score.dice,
        "dice_misread": score.misread,
        "notice_median_ms": round(1000 * statistics.median(waits)),
        "notice_p95_ms": round(1000 * waits[min(len(waits) - 1, int(0.95 * len(waits)))]),
        "notice_worst_ms": round(1000 * waits[-1]),
        "distractions": ", ".join(f"{count} {kind}" for kind, count in sorted(score.distractions.items())),
        "took_s": round(time.monotonic() - began),
    }
    return figures, score.remarks

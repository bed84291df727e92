"""`tableside bench live`: filmed evenings, the truth known: throws found, holds right, how soon."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from scoring.game import Game
    from training.film.rehearsal import RehearsalScore, Stage
    from vision.dicesets.model import DiceSet

A_MATCH = 60
"""Throws at the demo table until dice, cloth and match change."""


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """One match before one filmed table."""

    dice_set: DiceSet
    game: Game[Any]
    options: Mapping[str, str]
    throws: int
    table: Stage


@click.command("live")
@click.option("--throws", default=200, show_default=True, type=click.IntRange(1, 100_000))
@click.option("--seed", default=1, show_default=True)
@click.option("--rate", default=30.0, show_default=True, type=click.FloatRange(10, 60), help="Frames a second.")
@click.option(
    "--film", "films", multiple=True, type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER", help="Play this film (python -m training.pathtrace.film) instead; may be repeated.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True)
def live(throws: int, seed: int, rate: float, films: tuple[Path, ...], as_json: bool) -> None:
    """Play before a film: hands, holds, nudges, bumps, flickering lamps. Exit 1 when a bound is missed.

    The film is of the demo table and Meet Fate, unless films drawn beforehand are given. The bounds: every throw found,
    none invented, 99 % of the holds right, 95 % noticed within 400 ms of standstill. While a frame is looked at, wall
    time or processor time passes, whichever is less, so that other programs do not count.
    """
    from training.film.folder import FilmFolderError

    try:
        evenings = filmed_evenings(films, seed, rate) if films else demo_evenings(throws, seed, rate)
        figures, remarks = rehearse(evenings, rate)
    except FilmFolderError as refused:
        click.echo(str(refused), err=True)
        raise SystemExit(2) from None
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


def demo_evenings(throws: int, seed: int, rate: float) -> Iterator[LiveMatch]:
    """So many throws of Meet Fate at demo tables."""
    from scoring.games import find as find_game
    from training.film.demo_film import FilmedTable
    from vision.dicesets.library import find

    fate = find("fate")
    for number, done in enumerate(range(0, throws, A_MATCH), start=1):
        table = FilmedTable(fate, seed=1000 * seed + number, rate=rate)
        yield LiveMatch(fate, find_game("meet-fate"), {}, min(A_MATCH, throws - done), table)


def filmed_evenings(folders: tuple[Path, ...], seed: int, rate: float) -> Iterator[LiveMatch]:
    """The films in these folders; dice of a set of their own are enrolled first, from the pictures beside the film.

    Raises FilmFolderError.
    """
    from scoring.games import find as find_game
    from training.film.folder import PlayedTable, load_film
    from vision.dicesets.library import find as find_set

    for folder in folders:
        strip = load_film(folder)
        table, note = PlayedTable(strip, seed=seed, rate=rate), strip.note
        with tempfile.TemporaryDirectory() as scratch:
            if (folder / "game.toml").is_file():
                dice_set, game = _own(folder, Path(scratch))
            else:
                dice_set, game = find_set(note.set_id), find_game(note.game)
            yield LiveMatch(dice_set, game, note.options, len(note.throws), table)


def _own(folder: Path, scratch: Path) -> tuple[DiceSet, Game[Any]]:
    """The dice of a film of their own, enrolled into `scratch`, and their game."""
    from scoring.gamefile.game import game_of
    from scoring.gamefile.reading import GameFileError, read
    from training.evaluate.enrolling import enrolled
    from training.evaluate.labels import FolderError
    from training.film.folder import FilmFolderError
    from vision.dicesets.files import DiceSetError
    from vision.dicesets.library import find
    from vision.enrol.enrol import EnrolError
    from vision.reader import Reader

    try:
        game = game_of(read((folder / "game.toml").read_text(encoding="utf-8")))
        return enrolled(folder, Reader(find("pips")), scratch), game
    except (FolderError, GameFileError, DiceSetError, EnrolError, OSError, UnicodeError) as refused:
        raise FilmFolderError(f"{folder}: {refused}") from None


def rehearse(evenings: Iterator[LiveMatch], rate: float) -> tuple[dict[str, Any], list[str]]:
    """Play them all; the figures, and a line for each thing that was not as it should be."""
    from table.storage.store import Store
    from training.film.rehearsal import RehearsalScore

    score = RehearsalScore()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        store = Store.of(Path(scratch))
        for one in evenings:
            _play(one, score, store, rate)
        store.close()
    waits = sorted(score.waits) or [float("inf")]
    return {
        "throws": score.throws,
        "hands_free": score.hands_free,
        "hands_free_share": round(score.hands_free / max(1, score.throws), 4),
        "dice": score.dice,
        "certain_and_wrong": score.misread,
        "found": score.found,
        "invented": score.invented,
        "needless_questions": score.needless,
        "throws_with_holds": score.holding_throws,
        "holds_right": score.holds_right,
        "holds_right_share": round(score.holds_right / max(1, score.holding_throws), 4),
        "throws_asked_about": score.asked,
        "notice_median_ms": round(1000 * statistics.median(waits)),
        "notice_p95_ms": round(1000 * waits[min(len(waits) - 1, int(0.95 * len(waits)))]),
        "notice_worst_ms": round(1000 * waits[-1]),
        "distractions": ", ".join(f"{count} {kind}" for kind, count in sorted(score.distractions.items())),
        "took_s": round(time.monotonic() - began),
    }, score.remarks


def _play(one: LiveMatch, score: RehearsalScore, store: Any, rate: float) -> None:
    """One match, watched as any camera is."""
    from scoring.match import begin
    from table.session import Session
    from table.table import Table
    from table.teaching.learning import LearningReader
    from table.watcher import OpenMatch, Watcher
    from training.film.demo_film import Film
    from training.film.rehearsal import Judge, evening
    from vision.reader import Reader

    film = Film(one.table, rate=rate)
    judge = Judge(film, one.table, score)
    film.script = evening(one.table, film, judge, score.throws + one.throws)
    reader = LearningReader(Reader(one.dice_set, frames=True), lambda *_: None)  # as at a table, but nothing is kept

    def opened() -> OpenMatch:
        match = begin(one.game, ["Alice", "Bob", "Cleo"], one.options)
        session = Session(
            match, store.begin(match), one.dice_set, outputs=[judge], learns=reader.corrected, counted=reader.counted,
        )  # fmt: skip
        session.greet()
        return OpenMatch(session, reader)

    def another() -> Session:
        table.opened = opened()
        return table.session

    table = Table(opened())
    judge.watch(table.session)
    judge.another = another
    judge.forget()
    Watcher(film, table).watch_through()
    reader.close()

"""Hours of play at a small demo table, as fast as it goes: memory stays flat and no descriptor leaks.

    python tests/proof/long_evening.py 8 [--seed N]

The hours are the film's (ten frames a second, 240 pixels wide). The demo table's renderer draws one film of so many
throws, which is then played again and again, each time as another match with other chance: what is looked for is what
stays behind, not what dice look like. Everything but the networks takes part: settle, tracks, session, store, evidence,
announcer; the reader is told the truth, with a die in twenty unsure. Memory and descriptors are taken after each tenth.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from scoring.games import find as find_game
from scoring.match import begin
from table.session import Session
from table.storage.evidence import Album
from table.storage.store import Store
from table.table import OpenMatch, Table
from table.watcher import Watcher
from training.film.demo_film import Film, FilmedTable
from training.film.folder import FilmStrip, PlayedTable, load_film
from training.film.rehearsal import Judge, Score, evening
from vision.dicesets.library import find as find_set
from vision.dicesets.shapes import Shape
from vision.frame import Pixels
from vision.reading import Alternative, DieReading, Reading, StageTimes
from vision.settle import Settle, SettleSettings
from web.announcer import Announcer

RATE = 10.0
SIZE = (240, 180)
SMALL = SettleSettings(width=120)
"""Small frames, looked at small: they take a third of the time and leave no less behind."""

THROWS = 45
"""Of one match, and of the film that all of them are played from."""

IN_A_TURN = 3


def drawn(folder: Path, seed: int) -> FilmStrip:
    """A film of the demo table: Meet Fate, up to three throws a turn."""
    folder.mkdir()
    table = FilmedTable(find_set("fate"), seed=seed, size=SIZE, rate=RATE)
    chance = np.random.default_rng(seed)
    frame, before = 0, 0

    def keep(name: str, *, small: bool = False) -> str:
        pixels = table.frame(frame).pixels
        if small:
            pixels = cv2.resize(pixels, (SIZE[0] // 2, SIZE[1] // 2), interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / name), pixels)
        return name

    keep("bare.png")
    told: list[dict[str, object]] = []
    for number in range(THROWS):
        name = f"{number:03}"
        held = table.holds(0 < before < IN_A_TURN and chance.random() < 0.65)
        before = before + 1 if held else 1
        table.take([n for n in table.numbers if n not in held])
        if held:
            keep(f"{name}-held.png")
        ends = table.cast([n for n in range(table.count) if n not in held]) - frame / RATE
        keys: list[dict[str, object]] = []
        for key in range(1, int(ends * RATE)):
            frame += 1
            keep(f"{name}-{key - 1:02}.png", small=True)
            keys.append({"after": key / RATE, "spots": [[SIZE[0] / 2, SIZE[1] / 2, SIZE[0]]]})
        frame += 3
        dice = {
            str(n): {"face": one.face, "corners": one.corners}
            for n, one in zip(table.numbers, table.truth(), strict=True)
        }
        rest = keep(f"{name}-rest0.png")
        told.append(
            {"held": list(held), "nudged": None, "ends": ends, "keys": keys, "rest": rest, "dice": dice}
        )
    film: dict[str, object] = {
        "set": "fate", "game": "meet-fate", "options": {}, "width": SIZE[0], "height": SIZE[1], "dice": table.count,
        "throws": told,
    }  # fmt: skip
    (folder / "film.json").write_text(json.dumps(film), encoding="utf-8")
    return load_film(folder)


class Told:
    """A reader that is told what lies there."""

    def __init__(self, table: PlayedTable) -> None:
        """Read this table."""
        self._table = table
        self._read = 0

    def read(self, pixels: Pixels) -> Reading:
        """What really lies there; every twentieth reading has a die that is unsure."""
        self._read += 1
        dice: list[DieReading] = []
        for place, die in enumerate(self._table.truth()):
            xs, ys = zip(*die.corners, strict=True)
            sure = self._read % 20 > 0 or place > 0
            others = (Alternative(die.face, 0.98),)
            box = (min(xs), min(ys), max(xs), max(ys))
            dice.append(DieReading(Shape.OCTAHEDRON, die.face, sure, 0.98 if sure else 0.5, others, die.corners, box))
        return Reading(pixels.shape[1], pixels.shape[0], tuple(dice), StageTimes(0, 0, 0))


def memory() -> float:
    """This process's resident memory in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def descriptors() -> int:
    """How many descriptors are open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def look_on(film: Film, reader: Told, session: Session) -> None:
    """Watch the film to its end."""

    Watcher(film, Table(OpenMatch(session, reader)), Settle(SMALL)).watch_through()


@dataclass(frozen=True, slots=True)
class Look:
    """What the process holds at a moment."""

    hours: float
    throws: int
    megabytes: float
    descriptors: int
    objects: int
    """That Python's collector follows: a leak of our own shows here before it shows in megabytes."""


def looked(played: float, score: Score) -> Look:
    """What the process holds now."""
    return Look(played / 3600, score.throws, memory(), descriptors(), len(gc.get_objects()))


def main() -> int:
    """Play the hours asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hours", type=float)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    goal, played, number, began = asked.hours * 3600, 0.0, 0, time.monotonic()
    score, looks = Score(), list[Look]()
    dice_set, game = find_set("fate"), find_game("meet-fate")
    with tempfile.TemporaryDirectory() as scratch:
        strip = drawn(Path(scratch) / "film", asked.seed)
        store = Store.of(Path(scratch) / "kept")
        album = Album(store, budget=20_000_000)
        while played < goal:
            number += 1
            table = PlayedTable(strip, seed=asked.seed * 1000 + number, rate=RATE)
            films: list[Film] = []
            judge = Judge(lambda films=films: films[0], table, score)
            script = evening(table, lambda films=films: films[0], judge, score.throws + THROWS)
            films.append(Film(table, script, rate=RATE, speed=0.0))
            match = begin(game, ["Alice", "Bob", "Cleo"])
            session = Session(match, store.begin(match), dice_set, outputs=[judge, Announcer()], album=album)
            judge.watch(session)
            session.greet()
            judge.forget()
            look_on(films[0], Told(table), session)
            session.store.mark("over")
            played += films[0].clock
            if played >= goal * (len(looks) + 1) / 10:
                looks.append(looked(played, score))
                print(f"  {time.process_time():.0f} s of processor time:", end="")
                print(f"  {looks[-1]}", flush=True)
        album.close()
        size = sum(path.stat().st_size for path in (Path(scratch) / "kept").iterdir()) / 1e6
        store.close()
    early, late = looks[0], looks[-1]
    print(
        f"{played / 3600:.2f} h of play in {time.monotonic() - began:.0f} s ({time.process_time():.0f} s of processor "
        f"time), {number} matches, {score.throws} throws "
        f"({score.found} found, {score.invented} invented, {score.holds_right} of {score.holding_throws} holds right): "
        f"memory {early.megabytes:.0f} MB after {early.hours:.1f} h, {late.megabytes:.0f} MB at the end, at most "
        f"{max(one.megabytes for one in looks):.0f}; {early.descriptors} and {late.descriptors} descriptors; "
        f"{early.objects} and {late.objects} objects; {size:.1f} MB on disk with 20 MB for pictures"
    )
    for remark in score.remarks[:10]:
        print(f"  {remark}")
    return 1 if late.megabytes > 1.1 * early.megabytes + 10 or late.descriptors > early.descriptors else 0


if __name__ == "__main__":
    sys.exit(main())

"""Hours of play at a small demo table, as fast as it goes: memory stays flat and no descriptor leaks.

    python tests/proof/long_evening.py 8 [--seed N]

The hours are the film's (ten frames a second). Everything but the networks takes part: drawing, settle, tracks,
session, store, evidence, announcer; the reader is told the truth, with a die in twenty unsure. Memory and descriptors
are taken after the first tenth and at the end.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from pathlib import Path

from scoring.games import find as find_game
from scoring.match import begin
from table.evidence import Album
from table.rehearsal import Judge, Score, evening
from table.session import Session
from table.store import Store
from table.watch import Watcher
from vision.demo_film import Film, FilmedTable
from vision.diceset import find as find_set
from vision.frame import Pixels
from vision.reading import Alternative, DieReading, Reading, StageTimes
from web import Announcer

RATE = 10.0
THROWS = 40
"""Of one match of the evening."""


class Told:
    """A reader that is told what lies there."""

    def __init__(self, table: FilmedTable) -> None:
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
            dice.append(DieReading("d8", die.face, sure, 0.98 if sure else 0.5, others, die.corners, box))
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

    def looked(reading: Reading) -> None:
        session.saw(reading, watcher.evidence)

    watcher = Watcher(
        film,
        reader,
        on_reading=looked,
        on_state=lambda _: None,
        on_camera=session.camera_says,
        complete=session.complete,
    )
    watcher.watch_through()


def main() -> int:
    """Play the hours asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hours", type=float)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    goal, played, number, began = asked.hours * 3600, 0.0, 0, time.monotonic()
    score, early = Score(), None
    dice_set, game = find_set("fate"), find_game("meet-fate")
    with tempfile.TemporaryDirectory() as scratch:
        store = Store.of(Path(scratch))
        album = Album(store, budget=20_000_000)
        while played < goal:
            number += 1
            table = FilmedTable(dice_set, seed=asked.seed * 1000 + number, size=(320, 240), rate=RATE)
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
            if early is None and played >= goal / 10:
                early = (memory(), descriptors(), score.throws)
        album.close()
        late, open_late = memory(), descriptors()
        size = sum(path.stat().st_size for path in Path(scratch).iterdir()) / 1e6
        store.close()
    assert early is not None
    print(
        f"{played / 3600:.2f} h of play in {time.monotonic() - began:.0f} s, {number} matches, {score.throws} throws "
        f"({score.found} found, {score.invented} invented, {score.holds_right} of {score.holding_throws} holds right): "
        f"memory {early[0]:.0f} MB after {early[2]} throws, {late:.0f} MB at the end; "
        f"{early[1]} and {open_late} descriptors; {size:.1f} MB on disk with 20 MB for pictures"
    )
    for remark in score.remarks[:10]:
        print(f"  {remark}")
    return 1 if late > 1.1 * early[0] + 10 or open_late > early[1] else 0


if __name__ == "__main__":
    sys.exit(main())

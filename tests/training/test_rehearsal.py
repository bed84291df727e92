"""Short filmed evenings with a perfect reader: every throw found, every hold right; and a judge who notices.

The film is of flat dice (`tests.vision.filmstrip`), because settle, session and judge are what is tested here; one
throw is of the demo table, to show that it takes part as well.
"""

from __future__ import annotations

import gc
import os
from math import dist
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from scoring.games import find
from scoring.match import begin
from table.ports import ReadsDice
from table.session import Session
from table.storage.store import Store
from table.table import Table
from table.watcher import OpenMatch, Watcher
from tests.fakes import TruthfulReader, rolled
from tests.vision.filmstrip import evening_strip
from training.film.demo_film import Film, FilmedTable
from training.film.folder import PlayedTable, load_film
from training.film.rehearsal import Judge, RehearsalScore, Stage, evening
from vision.dicesets.library import find as find_set
from vision.frame import Mask, Pixels
from vision.reading import Reading


class Inattentive:
    """Reads another roll than the one that lies there, every time."""

    def __init__(self) -> None:
        self._looks = 0

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        self._looks += 1
        return rolled(str(1 + self._looks % 8) * 6, y=100.0 + 50 * (self._looks % 9))


def rehearsed(folder: Path, table: Stage, throws: int, reader: ReadsDice, rate: float = 15.0) -> RehearsalScore:
    score = RehearsalScore()
    film = Film(table, rate=rate, speed=0)
    judge = Judge(film, table, score)
    film.script = evening(table, film, judge, throws)
    match = begin(find("meet-fate"), ["Alice", "Bob"])
    session = Session(match, Store.of(folder / "match").begin(match), find_set("fate"), outputs=[judge])
    judge.watch(session)
    session.greet()
    judge.forget()
    Watcher(film, Table(OpenMatch(session, reader))).watch_through()
    return score


@pytest.fixture
def played(tmp_path: Path) -> PlayedTable:
    return PlayedTable(load_film(evening_strip(tmp_path / "film")), seed=3, rate=15.0)


@pytest.mark.slow
def test_every_throw_is_found_and_every_hold_right(tmp_path: Path, played: PlayedTable):
    score = rehearsed(tmp_path, played, 4, TruthfulReader(played))
    assert score.remarks == []
    assert (score.throws, score.found, score.invented) == (4, 4, 0)
    assert score.holds_right == score.holding_throws == 2
    assert score.distractions["nudge"] == 1
    assert score.misread == 0
    assert (score.asked, score.hands_free) == (0, 4)
    assert max(score.waits) < 0.45


@pytest.mark.slow
def test_a_reader_who_sees_what_is_not_there_is_noticed(tmp_path: Path, played: PlayedTable):
    score = rehearsed(tmp_path, played, 2, Inattentive())
    assert score.remarks
    assert score.invented or score.needless or score.found < score.throws
    assert score.hands_free == 0


def test_another_match_begins_when_one_is_over(played: PlayedTable):
    judge = Judge(Film(played), played, RehearsalScore())
    over = cast(Session, SimpleNamespace(match=SimpleNamespace(outcome="won")))
    going_on = cast(Session, SimpleNamespace(match=SimpleNamespace(outcome=None)))
    judge.watch(over)
    judge.renew()
    assert judge.session is over
    judge.another = lambda: going_on
    judge.renew()
    assert judge.session is going_on
    judge.another = lambda: pytest.fail("a match that goes on is not replaced")
    judge.renew()


@pytest.mark.slow
def test_the_demo_table_takes_part(tmp_path: Path):
    table = FilmedTable(find_set("fate"), seed=4, size=(240, 180), rate=10)
    score = rehearsed(tmp_path, table, 1, TruthfulReader(table), rate=10)
    assert (score.throws, score.found, score.invented, score.misread) == (1, 1, 0, 0)


def test_a_demo_table_takes_up_holds_and_pushes():
    table = FilmedTable(find_set("fate"), seed=4, size=(160, 120), rate=10)
    assert table.holds(True) == ()
    table.cast(range(6))
    held = table.holds(True)
    assert 0 < len(held) < 6
    assert table.holds(False) == ()
    table.take([n for n in table.numbers if n not in held])
    faces, before = table.faces(), table.middle(held[0])
    table.nudge(held[0])
    assert table.faces() == faces
    assert 0 < dist(before, table.middle(held[0])) < 12


@pytest.mark.parametrize("rate", [10.0, 30.0])
@pytest.mark.parametrize("longer", ["process_time", "perf_counter"], ids=["two threads", "other programs"])
def test_a_slow_watcher_misses_frames_of_the_film(rate: float, longer: str, monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    for clock in ("process_time", "perf_counter"):
        twice = 1 + (clock == longer)
        monkeypatch.setattr(f"training.film.demo_film.time.{clock}", lambda twice=twice: twice * now[0])
    table = FilmedTable(find_set("fate"), size=(160, 120), rate=rate)
    film = Film(table, rate=rate)
    film.script = iter([2.0])
    numbers: list[int] = []
    while (frame := film.read()) is not None:
        numbers.append(frame.number)
        now[0] += 0.25
    assert numbers[1] - numbers[0] == int(0.25 * rate)


@pytest.mark.proof
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is looked up in /proc")
def test_evenings_without_end_leave_neither_memory_nor_descriptors_behind(tmp_path: Path):
    """Settle, tracker, session and store, over a hundred matches of one film: what is looked for is what stays."""
    strip, held = load_film(evening_strip(tmp_path / "film")), list[tuple[float, int]]()
    for number in range(100):
        table = PlayedTable(strip, seed=number, rate=15.0)
        rehearsed(tmp_path / str(number), table, 4, TruthfulReader(table))
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        held.append((pages * os.sysconf("SC_PAGE_SIZE") / 1e6, len(list(Path("/proc/self/fd").iterdir()))))
    (early, files), (late, files_late) = held[10], held[-1]
    print(f"100 evenings: memory {early:.0f} and {late:.0f} MB, descriptors {files} and {files_late}")
    assert late <= 1.1 * early + 10
    assert files_late <= files + 4

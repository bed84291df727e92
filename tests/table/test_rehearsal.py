"""A short filmed evening with a perfect reader: every throw found, every hold right; and a judge who notices."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.games import find
from scoring.match import begin
from table.rehearsal import Judge, Score, evening
from table.session import Session
from table.store import MatchStore
from table.watch import Watcher
from tests.fakes import TruthfulReader, rolled
from vision.demo_film import Film, FilmedTable
from vision.diceset import find as find_set
from vision.frame import Pixels
from vision.reading import Reading


class Inattentive:
    """Reads another roll than the one that lies there, every time."""

    def __init__(self) -> None:
        self._looks = 0

    def read(self, pixels: Pixels) -> Reading:
        self._looks += 1
        return rolled(str(1 + self._looks % 8) * 6, y=100.0 + 50 * (self._looks % 9))


def rehearsed(folder: Path, throws: int, reader: object | None = None) -> Score:
    table, score = FilmedTable(find_set("fate"), seed=4, size=(240, 180), rate=15), Score()
    films: list[Film] = []
    judge = Judge(lambda: films[0], table, score)
    films.append(Film(table, evening(table, lambda: films[0], judge, throws), rate=15, speed=0))
    match = begin(find("meet-fate"), ["Alice", "Bob"])
    session = Session(match, MatchStore.begin(folder, match), find_set("fate"), outputs=[judge])
    judge.watch(session)
    session.greet()
    judge.forget()
    watcher = Watcher(
        films[0], reader or TruthfulReader(table), on_reading=session.saw, on_state=lambda _: None,
        on_camera=session.camera_says, complete=session.complete,
    )  # fmt: skip
    watcher.watch_through()
    return score


def test_every_throw_is_found_and_every_hold_right(tmp_path: Path):
    score = rehearsed(tmp_path, 4)
    assert (score.throws, score.found, score.invented) == (4, 4, 0)
    assert score.holds_right == score.holding_throws > 0
    assert score.misread == 0
    assert max(score.waits) < 0.5


def test_a_reader_who_sees_what_is_not_there_is_noticed(tmp_path: Path):
    score = rehearsed(tmp_path, 2, Inattentive())
    assert score.remarks
    assert score.invented or score.needless or score.found < score.throws


@pytest.mark.parametrize("rate", [10.0, 30.0])
def test_a_slow_watcher_misses_frames_of_the_film(rate: float, monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    monkeypatch.setattr("vision.demo_film.time.process_time", lambda: now[0])
    table = FilmedTable(find_set("fate"), size=(160, 120), rate=rate)
    film = Film(table, iter([2.0]), rate=rate)  # type: ignore[arg-type]
    numbers: list[int] = []
    while (frame := film.read()) is not None:
        numbers.append(frame.number)
        now[0] += 0.25
    assert numbers[1] - numbers[0] == int(0.25 * rate)

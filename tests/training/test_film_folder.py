"""Films drawn beforehand: loaded, played, and refused in one line."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.vision.filmstrip import evening_strip, picture
from training.film.folder import FilmFolderError, PlayedTable, load_film


@pytest.fixture
def table(tmp_path: Path) -> PlayedTable:
    return PlayedTable(load_film(evening_strip(tmp_path / "film")), rate=30.0)


def seen(table: PlayedTable, seconds: float) -> np.ndarray:
    """The picture at a time."""
    return table.frame(round(seconds * 30)).pixels.astype(np.float32)


def near(first: np.ndarray, second: np.ndarray) -> float:
    """The mean difference in grey levels."""
    return float(np.abs(first - second).mean())


def test_dice_lie_as_told_from_the_moment_they_rest(table: PlayedTable) -> None:
    assert near(seen(table, 1.0), picture([])) < 2.5
    ends = table.cast(range(6))
    assert ends == pytest.approx(1.5)
    assert [len(one.corners) for one in table.truth()] == [4] * 6
    places = [(face, *table.middle(n)) for n, face in table.faces().items()]
    still = seen(table, ends + 0.1)
    assert near(still, picture(places)) < 2.5
    assert near(seen(table, ends + 0.1), still) < 1e-6


def test_dice_on_their_way_move_from_frame_to_frame_and_the_table_beside_them_does_not(
    table: PlayedTable,
) -> None:
    seen(table, 1.0)
    table.cast(range(6))
    frames = [seen(table, 1.0 + k / 30) for k in range(3, 15)]
    steps = [near(a, b) for a, b in pairwise(frames)]
    assert min(steps) > 1.9  # four fields of noise alone differ by this much
    corner = [frame[:25, :60] for frame in frames]
    assert near(corner[0], picture([])[:25, :60]) < 2.5
    assert near(corner[4], corner[8]) > 1.5  # the same field of noise, but moved


def test_one_die_is_taken_up_and_the_others_stay(table: PlayedTable) -> None:
    seen(table, 1.0)
    table.cast(range(6))
    before = seen(table, 2.0)
    there = {n: table.middle(n) for n in table.numbers}
    table.take([0])
    after = seen(table, 2.0)
    for number, (x, y) in there.items():
        around = np.s_[round(y) - 9 : round(y) + 9, round(x) - 9 : round(x) + 9]
        changed = near(before[around], after[around])
        assert changed > 40 if number == 0 else changed < 1
    assert table.numbers == (1, 2, 3, 4, 5)


def test_the_film_says_who_holds_and_pushes_what(table: PlayedTable) -> None:
    held: list[tuple[int, ...]] = []
    nudges: list[bool] = []
    seen(table, 1.0)
    for number in range(4):
        held.append(table.holds(True))
        table.take([n for n in table.numbers if n not in held[-1]])
        nudges.append(table.nudges())
        if nudges[-1]:
            before = seen(table, 3.0 * number)
            table.nudge(held[-1][0])
            assert near(before, seen(table, 3.0 * number)) > 0.05
        assert set(table.faces()) == set(held[-1])
        table.cast([n for n in range(6) if n not in held[-1]])
        seen(table, 3.0 * number + 2)
        assert table.goes_on() == (number < 2)
    assert held == [(), (4, 5), (1, 2, 3, 4), ()]
    assert nudges == [False, False, True, False]


@pytest.mark.parametrize("damage", ["no film.json", "no json", "no throws", "no picture", "another folder"])
def test_what_is_no_film_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    folder = evening_strip(tmp_path / "film")
    told = folder / "film.json"
    if damage == "no film.json":
        told.unlink()
    elif damage == "no json":
        told.write_text("{", encoding="utf-8")
    elif damage == "no throws":
        told.write_text(json.dumps({"set": "fate"}), encoding="utf-8")
    elif damage == "another folder":
        told.write_text(told.read_text("utf-8").replace("000-rest0", "../000-rest0"), encoding="utf-8")
    else:
        (folder / "002-nudged.png").unlink()
    with pytest.raises(FilmFolderError, match=r"expected [^\n]*$"):
        load_film(folder)

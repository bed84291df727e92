"""A match on the demo table, on its page and on the real firmware's LEDs, through faults: tests/proof/board_faults.py,
short."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.hardware.conftest import Boards
from tests.hardware.desk import Desk
from tests.proof.board_faults import RIGHT_WITHIN, Play, measure, pictures_of


@pytest.mark.parametrize(("display", "faults"), [("matrix4", 15), ("matrix8", 8), ("digits8", 8)])
def test_the_leds_show_what_the_page_shows_through_faults(
    sim_board: Boards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, display: str, faults: int
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    figures = measure(sim_board(display), faults, seed=11)
    assert figures.wrong == []
    assert sum(figures.faults.values()) == len(figures.seconds) == faults
    assert max(figures.seconds) <= RIGHT_WITHIN


def test_the_leds_flash_the_winner_of_a_match_that_was_played(
    sim_board: Boards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    board = sim_board("matrix4")
    desk = Desk(board, seed=5)
    play = Play(desk, seed=5)
    while not play.over:
        play.step()
        desk.run(0.2)
    seen = len(board.changes)
    desk.run(4)
    end = play.page()
    assert end.winners, "the match has a winner"
    flashing = pictures_of(board.display, end) - pictures_of(board.display, replace(end, winners=frozenset()))
    shown = {columns for _, columns, _ in board.changes[seen - 1 :]}
    assert shown & flashing, "the winner does not flash"
    assert shown <= pictures_of(board.display, end)

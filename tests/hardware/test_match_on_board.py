"""A match on the demo table, on its page and on the real firmware's LEDs, through faults: tests/proof/board_faults.py,
short."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hardware.conftest import Boards
from tests.proof.board_faults import RIGHT_WITHIN, measure


@pytest.mark.parametrize(("display", "faults"), [("matrix4", 15), ("matrix8", 8), ("digits8", 8)])
def test_the_leds_show_what_the_page_shows_through_faults(
    sim_board: Boards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, display: str, faults: int
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    figures = measure(sim_board(display), faults, seed=11)
    assert figures.wrong == []
    assert sum(figures.faults.values()) == len(figures.seconds) == faults
    assert max(figures.seconds) <= RIGHT_WITHIN

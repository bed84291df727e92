"""Boards of lands: whole textures of many lands, the same for a seed, whatever the size of a land."""

from __future__ import annotations

import numpy as np
import pytest

from training.synth.chance import TEXELS
from training.synth.ground_lands import lands
from training.synth.table import ground_texture


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_board_is_whole_and_of_many_colours(seed: int) -> None:
    board = lands(np.random.default_rng(seed))
    assert board.shape == (TEXELS, TEXELS, 3)
    assert board.dtype == np.uint8
    places = np.random.default_rng(0).integers(0, TEXELS, (400, 2))
    assert len({tuple(board[y, x] // 32) for y, x in places}) > 10
    assert np.array_equal(board, lands(np.random.default_rng(seed)))


def test_boards_can_be_asked_for() -> None:
    """With a share of one the table is the board that the same chance draws."""
    rng, other = np.random.default_rng(4), np.random.default_rng(4)
    asked = ground_texture(rng, (), clutter=0.0, boards=1.0)
    other.random(2)  # which kind it would have been, and whether it is a board
    seen = lands(other)
    turned = np.rot90(seen, -1)
    assert any(np.abs(asked.astype(int) - one).mean() < 1 for one in (seen, turned))

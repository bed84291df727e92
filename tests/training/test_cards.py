from __future__ import annotations

import cv2
import numpy as np
import pytest

from training.synth.clutter import RANKS, places, playing_card


@pytest.mark.parametrize("count", range(1, len(RANKS) + 1))
def test_a_card_has_as_many_signs_as_its_rank_says(count: int) -> None:
    spots = places(count)
    assert len(set(spots)) == count
    assert all(0.1 < across < 0.9 and 0.1 < down < 0.9 for across, down in spots)


@pytest.mark.parametrize("seed", range(10))
def test_signs_lie_on_the_card(seed: int) -> None:
    image, mask = playing_card(np.random.default_rng(seed))
    assert image.shape[:2] == mask.shape
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(float)
    paper = float(np.median(grey))
    inked = grey < paper - 40
    assert 0.01 < inked.mean() < 0.5
    assert not inked[mask == 0].any()

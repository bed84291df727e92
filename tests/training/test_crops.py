"""Crops that are mined: what nobody knows of a die stays unknown."""

from __future__ import annotations

import numpy as np

from training.crops import mapped


def test_unknown_corners_stay_unknown_and_known_ones_go_with_the_crop() -> None:
    """OpenCV makes zeros of what is not a number."""
    mapping = np.array([[2.0, 0, 3], [0, 2.0, -5], [0, 0, 1]])
    assert np.isnan(mapped(np.full((4, 2), np.nan, np.float32), mapping)).all()
    known = np.array([(10, 20), (30, 20), (30, 40), (10, 40)], np.float32)
    assert np.allclose(mapped(known, mapping), (known - 0.5) * 2 + (3, -5))

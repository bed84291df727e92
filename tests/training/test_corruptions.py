from __future__ import annotations

import numpy as np
import pytest

from training.corruptions import CHANGES, Change, corrupted


@pytest.fixture
def crop() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    rng = np.random.default_rng(0)
    coarse = rng.integers(40, 216, (12, 12, 3), dtype=np.uint8)
    return np.kron(coarse, np.ones((8, 8, 1), np.uint8))


@pytest.mark.parametrize("change", [change for change, _ in CHANGES], ids=lambda change: change.__name__)
@pytest.mark.parametrize("seed", range(4))
def test_a_change_changes_and_keeps_the_picture_recognisable(
    change: Change, seed: int, crop: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
) -> None:
    light = crop.astype(np.float32)
    changed = np.clip(change(light.copy(), np.random.default_rng(seed)), 0, 255)
    assert changed.shape == light.shape
    assert np.abs(changed - light).max() > 3
    same = np.corrcoef(changed.ravel(), light.ravel())[0, 1]
    assert same > 0.5


def test_the_same_seed_gives_the_same_weather_and_some_crops_stay_as_they_are(
    crop: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
) -> None:
    first, second = ([corrupted(crop, np.random.default_rng(seed)) for seed in range(40)] for _ in range(2))
    assert all((a == b).all() for a, b in zip(first, second, strict=True))
    kept = sum((one == crop).all() for one in first)
    assert 4 < kept < 36

"""What cameras do to pictures: every degradation keeps the picture's form, and the seed fixes it."""

# pyright: reportPrivateUsage=false
# (each degradation is tried by itself)

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from training.synth import lens
from training.synth.lens import photograph
from vision.frame import Pixels


def _scene(height: int = 90, width: int = 121) -> Pixels:
    """A light square with sharp edges on a darker ramp."""
    ramp = np.linspace(40, 120, width)[None, :, None] * np.ones((height, 1, 3))
    ramp[30:60, 40:80] = (200, 210, 220)
    return ramp.astype(np.uint8)


@pytest.mark.parametrize("seed", range(20))
def test_a_photograph_keeps_its_form(seed: int) -> None:
    taken = photograph(_scene(), np.random.default_rng(seed))
    assert taken.shape == (90, 121, 3)
    assert taken.dtype == np.uint8


@pytest.mark.parametrize("name", ["_motion", "_sharpen", "_cast", "_porthole", "_grain"])
@pytest.mark.parametrize("size", [(90, 121), (33, 32)])
def test_each_degradation_changes_pixels_and_not_the_form(name: str, size: tuple[int, int]) -> None:
    degrade: Callable[[Pixels, np.random.Generator], Pixels] = getattr(lens, name)
    scene = _scene(*size) if size[0] > 60 else np.ascontiguousarray(_scene()[: size[0], : size[1]])
    before = scene.copy()
    degraded = [degrade(scene, np.random.default_rng(seed)) for seed in range(6)]
    assert {picture.shape for picture in degraded} == {(*size, 3)}
    assert {picture.dtype for picture in degraded} == {np.dtype(np.uint8)}
    assert any(not np.array_equal(picture, scene) for picture in degraded)
    assert np.array_equal(scene, before), "the given picture is left alone"


def test_the_seed_fixes_the_photograph() -> None:
    first, again, other = (photograph(_scene(), np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_no_strength_leaves_the_picture_as_it_is() -> None:
    for seed in range(10):
        assert np.array_equal(photograph(_scene(), np.random.default_rng(seed), 0.0), _scene())


def test_what_is_in_a_photograph_stays_where_it_is() -> None:
    """Labels are made before the lens: a degradation that moved things would make them wrong."""
    for seed in range(20):
        grey = photograph(_scene(), np.random.default_rng(seed)).mean(axis=2)
        light = grey[20:70, 30:90] > (grey[35:55, 45:75].mean() + grey[65:, 30:90].mean()) / 2
        ys, xs = np.nonzero(light)
        assert abs(xs.mean() + 30 - 59.5) < 2.5, seed
        assert abs(ys.mean() + 20 - 44.5) < 2.5, seed


def test_a_porthole_darkens_the_border_and_not_the_middle() -> None:
    white = np.full((200, 200, 3), 255, np.uint8)
    dark = lens._porthole(white, np.random.default_rng(1))
    assert dark[95:105, 95:105].min() > 240
    assert dark[:5, :5].max() < 200

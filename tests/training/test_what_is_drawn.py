"""What training pictures are put together from: whole, of many kinds, and the same for a seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from training.synth.chance import TEXELS
from training.synth.lens import photograph
from training.synth.table import KINDS, THINGS, ground_texture
from vision.frame import Pixels


def _crop() -> Pixels:
    """A light square with sharp edges on a darker ramp, (90, 120, 3)."""
    ramp = np.linspace(40, 120, 120)[None, :, None] * np.ones((90, 1, 3))
    ramp[30:60, 40:80] = (200, 210, 220)
    return ramp.astype(np.uint8)


def _photograph(rng: np.random.Generator) -> Pixels:
    return photograph(_crop(), rng)


def _table(rng: np.random.Generator) -> Pixels:
    ring = np.zeros((48, 48, 4), np.uint8)
    ring[10:38, 10:38, 3] = 255
    texture = ground_texture(rng, (ring,), clutter=2.0, boards=0.3)
    assert texture.shape == (TEXELS, TEXELS, 3)
    assert texture.flags.c_contiguous, "OpenCV draws into it"
    return texture


DRAWN: tuple[Callable[[np.random.Generator], Any], ...] = (*KINDS, *THINGS, _table, _photograph)


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_a_seed_gives_the_same_picture_again_and_others_differ(draw: Callable[[np.random.Generator], Any]) -> None:
    first, again, *others = (draw(np.random.default_rng(seed)) for seed in (3, 3, 4, 5))
    pixels, mask = first if isinstance(first, tuple) else (first, None)
    assert pixels.dtype == np.uint8
    assert pixels.shape[2] == 3
    assert pixels.std() > 0.5, "never one flat colour"
    if mask is not None:
        assert mask.shape == pixels.shape[:2]
        assert mask.any()
    same = [
        all(np.array_equal(a, b) for a, b in zip(first, one, strict=True)) if isinstance(first, tuple)
        else np.array_equal(first, one)
        for one in (again, *others)
    ]  # fmt: skip
    assert same[0]
    assert not all(same[1:])


def test_what_is_in_a_photograph_stays_where_it_is() -> None:
    """Labels are made before the lens: a degradation that moved things would make them wrong."""
    for seed in range(20):
        grey = _photograph(np.random.default_rng(seed)).mean(axis=2)
        light = grey[20:70, 30:90] > (grey[35:55, 45:75].mean() + grey[65:, 30:90].mean()) / 2
        ys, xs = np.nonzero(light)
        assert abs(xs.mean() + 30 - 59.5) < 2.5, seed
        assert abs(ys.mean() + 20 - 44.5) < 2.5, seed

"""Tables to learn on: whole textures, the same for a seed, of many kinds."""

# pyright: reportPrivateUsage=false
# (each kind of table is drawn by itself)

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from training.synth import table
from training.synth.chance import TEXELS, clouds, hsv
from training.synth.table import ground_texture
from vision.frame import Pixels


def _symbol() -> Pixels:
    """A ring on clear ground, (S, S, 4) RGBA."""
    y, x = np.mgrid[-1:1:48j, -1:1:48j]
    art = np.zeros((48, 48, 4), np.uint8)
    art[..., 3] = np.where(np.abs(np.hypot(x, y) - 0.6) < 0.2, 255, 0)
    return art


@pytest.mark.parametrize("seed", range(16))
def test_every_texture_is_whole(seed: int) -> None:
    texture = ground_texture(np.random.default_rng(seed), (_symbol(),), clutter=2.0)
    assert texture.shape == (TEXELS, TEXELS, 3)
    assert texture.dtype == np.uint8
    assert texture.flags.c_contiguous, "OpenCV draws into it"
    assert texture.std() > 0.5, "a table is never one flat colour"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["_wood", "_cloth", "_laminate", "_marbled", "_pattern", "lands"])
def test_each_kind_of_table_differs_from_seed_to_seed(kind: str) -> None:
    draw: Callable[[np.random.Generator], Pixels] = getattr(table, kind)
    drawn = [draw(np.random.default_rng(seed)) for seed in (1, 2, 3)]
    assert {texture.shape for texture in drawn} == {(TEXELS, TEXELS, 3)}
    assert {texture.dtype for texture in drawn} == {np.dtype(np.uint8)}
    colours = np.stack([texture.mean(axis=(0, 1)) for texture in drawn])
    assert np.ptp(colours, axis=0).max() > 10


def test_a_seed_gives_the_same_table_again() -> None:
    first, again = (ground_texture(np.random.default_rng(9), (_symbol(),)) for _ in range(2))
    assert np.array_equal(first, again)


def test_no_clutter_needs_no_symbols_and_leaves_the_table_bare() -> None:
    bare = [ground_texture(np.random.default_rng(seed), (), clutter=0.0) for seed in range(4)]
    assert all(texture.shape == (TEXELS, TEXELS, 3) for texture in bare)


def test_cards_can_carry_a_symbol() -> None:
    card: Callable[[np.random.Generator, Pixels | None], tuple[Pixels, Pixels]] = table._card
    plain = [card(np.random.default_rng(seed), None)[0] for seed in range(30)]
    marked = [card(np.random.default_rng(seed), _symbol())[0] for seed in range(30)]
    changed = [not np.array_equal(one, other) for one, other in zip(plain, marked, strict=True)]
    assert 4 < sum(changed) < 20, "about a third of them"


def test_colours_keep_within_their_bounds() -> None:
    rng = np.random.default_rng(0)
    colours = np.stack([hsv(rng, (0.5, 0.6), (0.7, 0.8)) for _ in range(200)])
    brightest = colours.max(axis=1) / 255
    saturation = 1 - colours.min(axis=1) / colours.max(axis=1)
    assert brightest.min() > 0.68
    assert brightest.max() < 0.82
    assert saturation.min() > 0.45
    assert saturation.max() < 0.65


def test_clouds_are_centred_on_nothing_and_coarse_where_asked() -> None:
    noise = clouds(np.random.default_rng(3), 256, (2, 40), octaves=1)
    assert noise.shape == (256, 256)
    assert abs(float(noise.mean())) < 0.5
    across, down = np.abs(np.diff(noise, axis=1)).mean(), np.abs(np.diff(noise, axis=0)).mean()
    assert down > 5 * across, "40 cells down change faster than 2 across"

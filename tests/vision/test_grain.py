"""What plastic looks like inside: within bounds, of the kind that was asked for, the same for the same seed."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from vision.render.faces import Grain, cover, random_kind, random_look

KINDS: tuple[Grain, ...] = get_args(Grain)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [32, 128, 256])
def test_a_cover_is_a_share_and_comes_again(kind: Grain, size: int) -> None:
    first, again = (cover(np.random.default_rng(3), size, kind) for _ in range(2))
    assert first.shape == (size, size)
    assert first.min() >= 0
    assert first.max() <= 1
    assert np.array_equal(first, again)


def test_a_swirl_has_large_parts_of_both_colours_and_glitter_has_sparks() -> None:
    swirls = [cover(np.random.default_rng(n), 96, "swirl") for n in range(30)]
    shares = np.array([(s > 0.5).mean() for s in swirls])
    assert 0.3 < shares.mean() < 0.7
    assert np.mean([((s > 0.9) | (s < 0.1)).mean() for s in swirls]) > 0.5, "poured together, not mixed"
    sparks = [cover(np.random.default_rng(n), 96, "glitter").mean() for n in range(30)]
    assert 0 < np.mean(sparks) < 0.1


def test_fibres_run_one_way() -> None:
    fibres = [cover(np.random.default_rng(n), 96, "wood") for n in range(10)]
    steps = np.array([[np.abs(np.diff(f, axis=axis)).mean() for axis in (0, 1)] for f in fibres]).mean(axis=0)
    assert steps[1] < steps[0] / 3


def test_every_kind_is_drawn() -> None:
    rng = np.random.default_rng(1)
    assert {random_kind(rng) for _ in range(300)} == set(KINDS)


def test_a_symbol_can_be_told_from_both_colours_of_its_die() -> None:
    rng = np.random.default_rng(5)
    grained = [look for look in (random_look(rng) for _ in range(400)) if look.grain and look.ink]
    assert len(grained) > 50
    light = np.array([0.114, 0.587, 0.299]) / 255
    for look in grained:
        assert look.ink is not None
        assert abs(np.dot(light, look.ink) - np.dot(light, look.grain_colour)) >= 0.24

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from training.synth.dressers import SetWardrobe
from training.synth.sampler import Ranges, random_scene
from vision.dicesets.library import find
from vision.render.scene import Scene, render


def _scene(seed: int) -> Scene:
    """A picture with distractors in it; which scenes have some is drawn."""
    ranges = Ranges(320, 240, dice=(3, 3), pixels=(30, 50), tilt=(0, 40), clutter=0.0, distractors=1.0)
    rng = np.random.default_rng(seed)
    while True:
        scene = random_scene(rng, SetWardrobe(find("pips")), ranges)
        if scene.distractors and scene.dice:
            return scene


def _changed(scene: Scene) -> NDArray[np.bool_]:
    """Where distractors are seen in the picture, or their shadows."""
    bare = render(replace(scene, distractors=())).pixels.astype(int)
    return np.abs(render(scene).pixels - bare).max(axis=2) > 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_strangers_are_seen_and_not_labelled(seed: int) -> None:
    scene = _scene(seed)
    assert len(render(scene).labels) == len(scene.dice)
    assert any(_changed(_scene(seed + 10 * more)).sum() > 50 for more in range(3))


@pytest.mark.parametrize("seed", range(20))
def test_no_stranger_stands_in_a_die(seed: int) -> None:
    scene = _scene(100 + seed)
    for die in scene.dice:
        for one in scene.distractors:
            apart = float(np.linalg.norm(one.centre[:2] - die.centre[:2]))
            assert apart > (die.side + one.side) / 2

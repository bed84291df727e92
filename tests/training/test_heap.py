from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.synth.dressers import SetWardrobe
from training.synth.sampler import Ranges, heaped, random_scene
from vision.dicesets.library import find
from vision.render.scene import Die, Scene

RANGES = Ranges(480, 360, dice=(6, 6), pixels=(30, 50), tilt=(0, 40), clutter=0.0, distractors=0.0, heaps=0.0)


def _scene(seed: int, name: str) -> Scene:
    return random_scene(np.random.default_rng(seed), SetWardrobe(find(name)), RANGES)


def _outline(die: Die) -> NDArray[np.float32]:
    """(K, 2) millimetres from above."""
    corners = (die.centre + die.side * die.body.vertices @ die.rotation.T)[:, :2]
    return np.asarray(cv2.convexHull(corners.astype(np.float32)), np.float32).reshape(-1, 2)


def _apart(one: Die, other: Die) -> float:
    """Millimetres between two outlines that do not overlap."""
    first, second = _outline(one), _outline(other)
    near = [-cv2.pointPolygonTest(second, (float(x), float(y)), True) for x, y in first]
    near += [-cv2.pointPolygonTest(first, (float(x), float(y)), True) for x, y in second]
    return min(near)


@pytest.mark.parametrize("name", ["pips", "fate", "outlander"])
@pytest.mark.parametrize("seed", range(5))
def test_heaped_dice_touch_and_do_not_run_into_each_other(seed: int, name: str) -> None:
    scene = _scene(seed, name)
    dice = heaped(np.random.default_rng(seed), scene.dice, scene.view)
    assert [die.key for die in dice] == [die.key for die in scene.dice]
    for one, other in combinations(dice, 2):
        shared, _ = cv2.intersectConvexConvex(_outline(one), _outline(other))
        assert shared < 0.01 * one.side**2
    for die in dice:
        nearest = min(_apart(die, other) for other in dice if other is not die)
        assert nearest < die.side * 0.5, "nobody lies alone"

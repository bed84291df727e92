from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from training.synth.dressers import SetWardrobe
from training.synth.polyhedra import KINDS, polyhedron
from training.synth.sampler import Ranges, random_scene
from vision.dicesets.library import find
from vision.dicesets.shapes import SHAPES, Shape
from vision.render.scene import Scene, render


def _scene(seed: int, others: float = 1 / 3) -> Scene:
    """A picture with distractors in it; which scenes have some is drawn."""
    ranges = Ranges(320, 240, (3, 3), (30, 50), tilt=(0, 40), clutter=0.0, distractors=1.0, others=others)
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


@pytest.mark.parametrize("faces", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_dice_of_other_kinds_have_equal_plane_faces_on_which_a_drawing_just_fits(faces: int, shape: Shape) -> None:
    body = polyhedron(faces, shape)
    assert len(body.normals) == len(body.corners) == faces
    assert len(body.vertices) == {4: 4, 10: 12, 12: 20, 20: 12}[faces]
    for normal, down, right, side in zip(body.normals, body.down, body.right, body.corners, strict=True):
        assert side @ normal == pytest.approx(body.apothem, abs=1e-5)
        assert [down @ normal, right @ normal, right @ down] == pytest.approx([0, 0, 0], abs=1e-5)
        along = np.roll(side, -1, axis=0) - side
        away = np.cross(along, side.mean(0) - side) @ normal / np.linalg.norm(along, axis=1)
        assert np.abs(away).min() == pytest.approx(shape.inradius, abs=1e-4)
        assert (away < 0).all(), "clockwise seen from outside"


@pytest.mark.parametrize("others", [0.0, 1.0])
def test_dice_of_other_kinds_are_drawn_as_often_as_asked_for(others: float) -> None:
    drawn = [one for seed in range(6) for one in _scene(300 + seed, others).distractors]
    assert {one.form is not None for one in drawn} == {others > 0}


def test_dice_of_other_kinds_are_among_the_strangers() -> None:
    scenes = [_scene(200 + seed) for seed in range(12)]
    others = [one for scene in scenes for one in scene.distractors if one.form is not None]
    assert others
    for one in others:
        lowest = (one.centre + one.side * one.body.vertices @ one.rotation.T)[:, 2].min()
        assert lowest == pytest.approx(0, abs=0.01), "it lies on the table"

from __future__ import annotations

import numpy as np
import pytest

from training.pathtrace.labels import Placed
from training.pathtrace.solids import Build, outer_corners, resting
from training.pathtrace.unseen import MARGIN, Box, shown, windows
from vision.dicesets.shapes import Shape


def _shares(window: tuple[int, int, int, int], box: Box) -> bool:
    return window[0] < box[2] and box[0] < window[2] and window[1] < box[3] and box[1] < window[3]


@pytest.mark.parametrize("seed", range(40))
def test_each_die_gets_a_part_of_the_picture_of_its_own(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.uniform((0, 0), (580, 420), (4, 2))
    boxes = [(float(x), float(y), float(x) + 50, float(y) + 40) for x, y in places]
    cut = windows(boxes, 640, 480)
    for index, window in enumerate(cut):
        x0, _, _, y1 = boxes[index]
        assert window[0] <= max(x0 - MARGIN * 50 + 1, 0)
        assert window[3] >= min(y1 + MARGIN * 50 - 1, 480)
        assert not any(_shares(window, other) for k, other in enumerate(boxes) if k != index)
    assert cut or any(
        max(abs(a[0] - b[0]) - 50, abs(a[1] - b[1]) - 40) < MARGIN * 50
        for a in boxes
        for b in boxes
        if a is not b
    ), "only dice that nearly touch cannot be cut apart"


def test_touching_dice_have_no_windows() -> None:
    assert windows([(100, 100, 150, 150), (151, 100, 200, 150)], 640, 480) == []


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
@pytest.mark.parametrize("face", [0, 3, 5])
def test_another_face_up_leaves_the_die_where_it_was(shape: Shape, face: int) -> None:
    build = Build(shape, 16.0)
    die = Placed(build, resting(shape, 1, 0.7, build.size, (3.0, -5.0)), 1)
    other = shown(die, face)
    assert other.top == face
    assert np.allclose(other.pose.centre, die.pose.centre)
    before, after = (np.sort(outer_corners(one.build, one.pose)[:, 2]) for one in (die, other))
    assert np.allclose(before, after, atol=1e-6)
    assert np.allclose(shown(other, 1).pose.turn, die.pose.turn, atol=1e-6)

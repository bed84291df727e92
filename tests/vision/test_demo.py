"""The demo table is a camera over dice that really lie as it says."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.demo.camera import DemoCamera
from vision.demo.throw import Truth
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.frame import Frame
from vision.render.solid import solid
from vision.render.tumble import Tumble, rotation_about
from vision.settle import Settle, TableState

SMALL = (320, 240)


def camera(set_id: str = "fate", **how: int) -> DemoCamera:
    table = DemoCamera(find(set_id), seed=how.pop("seed", 5), size=SMALL, paced=False, **how)
    table.open()
    return table


def frames(table: DemoCamera, count: int) -> list[Frame]:
    return [frame for frame in (table.read() for _ in range(count)) if frame is not None]


def centre(truth: Truth) -> tuple[float, float]:
    x, y = np.mean(truth.corners, axis=0)
    return float(x), float(y)


@pytest.mark.slow
def test_a_throw_is_seen_rolling_then_settled_once_and_lies_still():
    table, settle = camera(), Settle()
    sights = [settle.see(frame) for frame in frames(table, 8)]
    assert sum(sight.fresh for sight in sights) == 1
    settle.found(0)
    table.throw()
    sights = [settle.see(frame) for frame in frames(table, 40)]
    seen = [sight.state for sight in sights]
    assert [sight.fresh for sight in sights].count(True) == 1
    assert TableState.ROLLING in seen
    assert TableState.OBSTRUCTED not in seen
    assert seen[-1] is TableState.SETTLED


@pytest.mark.slow
def test_the_truth_is_where_the_dice_are_drawn():
    table = camera("pips")
    empty = frames(table, 1)[0].pixels.astype(np.int16)
    table.throw()
    rest = frames(table, 40)[-1].pixels.astype(np.int16)
    changed = np.abs(rest - empty).max(axis=2) > 40
    assert len(table.truth()) == 6
    for die in table.truth():
        face = np.zeros(changed.shape, np.uint8)
        cv2.fillConvexPoly(face, np.rint(die.corners).astype(np.int32), 1)
        assert changed[face > 0].mean() > 0.8


@pytest.mark.slow
def test_held_dice_stay_and_the_others_move():
    table = camera()
    table.throw()
    frames(table, 40)
    before = table.truth()
    table.throw(held=[centre(before[1]), centre(before[4])])
    after = table.truth()
    assert [i for i in range(6) if before[i] == after[i]] == [1, 4]


@pytest.mark.slow
def test_dice_do_not_lie_on_each_other():
    for seed in range(6):
        table = camera("cats", seed=seed)
        table.throw()
        middles = [centre(die) for die in table.truth()]
        sides = [cv2.arcLength(np.array(die.corners, np.float32), True) / 4 for die in table.truth()]
        gaps = [np.hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(middles) for b in middles[:i]]
        assert min(gaps) > 1.4 * max(sides)


@pytest.mark.parametrize("set_id", ["fate", "pips", "outlander", "cats", "outback"])
def test_every_face_comes_up(set_id: str):
    table = camera(set_id)
    seen: set[str] = set()
    for _ in range(40):
        table.throw()
        seen |= {die.face for die in table.truth()}
    assert seen == {face.id for face in find(set_id).faces if face.pictures}
    corners = 3 if find(set_id).shapes[0] == Shape.OCTAHEDRON else 4
    assert {len(die.corners) for die in table.truth()} == {corners}


@pytest.mark.slow
def test_a_cleared_table_is_the_empty_table():
    table = camera()
    table.throw()
    frames(table, 40)
    table.clear()
    assert table.truth() == ()
    empty = frames(camera(), 1)[0].pixels.astype(np.int16)
    cleared = frames(table, 1)[0].pixels.astype(np.int16)
    assert np.abs(empty - cleared).mean() < 3


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_a_tumble_never_sinks_into_the_table_and_ends_where_it_should(shape: str):
    turn = rotation_about(np.array([0, 0, 1], np.float32), 0.7)
    rest, entry = np.array([10.0, -20.0], np.float32), np.array([200.0, 90.0], np.float32)
    kind = Shape.CUBE if shape == Shape.CUBE else Shape.OCTAHEDRON
    tumble = Tumble(kind, 16.0, entry, rest, turn, 0.1, 1.0, 2.0, 0.3, 0.8)
    for time in np.linspace(0, 1.2, 60):
        pose = tumble.pose(float(time))
        corners = pose.centre + 16 * solid(kind).vertices @ pose.rotation.T
        assert corners[:, 2].min() > -0.01
        assert pose.rotation @ pose.rotation.T == pytest.approx(np.eye(3), abs=1e-4)
    assert tumble.pose(tumble.ends).moving is False
    assert tumble.pose(9.0).centre[:2] == pytest.approx(rest)
    assert tumble.pose(9.0).rotation == pytest.approx(turn)

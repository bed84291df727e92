"""Drawn dice: solids, what plastic looks like inside, labels that are exact, scenes that are worth learning from."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import cv2
import numpy as np
import pytest

from training.synth.looks import random_kind, random_look
from training.synth.sampler import DressedDie, Ranges, random_scene
from vision.dicesets.shapes import Shape
from vision.render.faces import Grain, cover
from vision.render.light import Lamp, Lighting, Surface, room_light
from vision.render.scene import Die, FaceTexture, Ground, Overlay, Scene, render, resting
from vision.render.solid import Rounding, solid, trace
from vision.render.view import View

SHARP = Rounding(0.004, 10.0)


@pytest.mark.parametrize(
    ("shape", "faces", "vertices", "apothem"), [(Shape.CUBE, 6, 8, 0.5), (Shape.OCTAHEDRON, 8, 6, 1 / 6**0.5)]
)
def test_a_solid_has_the_faces_of_its_shape(shape: Shape, faces: int, vertices: int, apothem: float) -> None:
    body = solid(shape)
    assert len(body.normals) == faces
    assert len(body.vertices) == vertices
    sides = np.linalg.norm(body.corners - np.roll(body.corners, 1, axis=1), axis=2)
    assert np.allclose(sides, 1, atol=1e-5), "every side has length 1"
    heights = np.einsum("fkc,fc->fk", body.corners, body.normals)
    assert np.allclose(heights, apothem, atol=1e-5), "a face's corners lie in its plane"


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_symbols_stand_upright_and_are_not_mirrored(shape: Shape) -> None:
    body = solid(shape)
    # seen from outside, right × down points into the die
    assert np.allclose(np.cross(body.right, body.down), -body.normals, atol=1e-5)
    first = body.corners[:, 0]
    assert (np.einsum("fc,fc->f", first, body.down) < 0).all(), "the first corner is above the middle"


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_a_ray_down_on_a_face_meets_it_at_its_plane(shape: Shape) -> None:
    body = solid(shape)
    for face, normal in enumerate(body.normals):
        hits = trace(body, SHARP, 5 * normal, -normal[None])
        assert hits.hit[0]
        assert np.allclose(hits.point[0], body.apothem * normal, atol=2e-3)
        assert np.allclose(hits.normal[0], normal, atol=1e-3)
        assert hits.face[0] == face


def test_rays_beside_the_die_miss_it() -> None:
    body = solid(Shape.CUBE)
    origins_beside = np.array([[0.6, 0.0, -1.0], [0.0, 5.0, -1.0], [0.0, 0.0, 1.0]], np.float32)
    hits = trace(body, SHARP, np.array([0, 0, 5], np.float32), origins_beside)
    assert not hits.hit.any()


def test_rounding_takes_off_edges_and_leaves_faces() -> None:
    body = solid(Shape.CUBE)
    origin = np.array([0, 0, 20], np.float32)

    def height_at(x: float, y: float, rounding: Rounding) -> float:
        target = np.array([x, y, 0.5], np.float32)
        hits = trace(body, rounding, origin, (target - origin)[None])
        return float(hits.point[0][2]) if hits.hit[0] else float("-inf")

    soft = Rounding(0.05, 0.75)
    assert height_at(0, 0, soft) == pytest.approx(0.5, abs=5e-3)
    assert height_at(0.48, 0, soft) < height_at(0.48, 0, SHARP) - 0.01
    assert height_at(0.46, 0.46, soft) == float("-inf"), "the ball has cut the corner away"


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


TOP = (30, 30, 220)
SIDE = (220, 60, 30)


def _die(shape: Shape, x: float = 0.0, y: float = 0.0, spin: float = 20.0, top: int = 0) -> Die:
    def texture(face: int) -> FaceTexture:
        return FaceTexture(np.full((32, 32, 3), TOP if face == top else SIDE, np.uint8))

    rotation, lift = resting(shape, top, spin)
    centre = np.array([x, y, 16 * lift], np.float32)
    matt = Surface(0.0, 0.3, 0.0)
    return Die(shape, 16.0, centre, rotation, texture, Rounding(0.004, 10.0), matt, 0.0, top, "the top")


def _scene(*dice: Die, tilt: float = 35.0, overlays: tuple[Overlay, ...] = ()) -> Scene:
    view = View.over(480, 360, focal=600, distance=120, tilt=tilt, turn=30, roll=3)
    lamp = Lamp(np.array([0.2, 0.1, 0.97], np.float32), np.full(3, 0.4, np.float32), 0.1)
    white = Ground(np.full((64, 64, 3), 200, np.uint8), 10.0)
    light = Lighting((lamp,), np.full(3, 0.6, np.float32), np.full(3, 0.1, np.float32))
    return Scene(view, white, light, dice, overlays=overlays)


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
@pytest.mark.parametrize("tilt", [0.0, 25.0, 50.0])
def test_the_labelled_corners_outline_the_painted_top_face(shape: Shape, tilt: float) -> None:
    picture = render(_scene(_die(shape), tilt=tilt))
    painted = (picture.pixels[..., 2].astype(int) - picture.pixels[..., 0] > 60).astype(np.uint8)
    labelled = np.zeros_like(painted)
    cv2.fillConvexPoly(labelled, np.rint(picture.labels[0].corners * 16).astype(np.int32), 1, shift=4)
    shared = np.count_nonzero(painted & labelled)
    assert shared / np.count_nonzero(painted | labelled) > 0.93


@pytest.mark.parametrize("top", range(6))
def test_every_face_of_a_cube_can_lie_on_top(top: int) -> None:
    picture = render(_scene(_die(Shape.CUBE, top=top), tilt=10))
    middle = picture.labels[0].corners.mean(axis=0).round().astype(int)
    blue, _, red = picture.pixels[middle[1], middle[0]].astype(int)
    assert red > blue + 60


def test_the_box_holds_the_whole_die_and_the_corners_run_clockwise() -> None:
    label = render(_scene(_die(Shape.CUBE))).labels[0]
    x0, y0, x1, y1 = label.box
    assert (label.corners > np.array([x0, y0]) - 2).all()
    assert (label.corners < np.array([x1, y1]) + 2).all()
    x, y = label.corners[:, 0], label.corners[:, 1]
    assert (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0


def test_a_nearer_die_covers_the_one_behind_it() -> None:
    view = _scene(tilt=50).view
    toward = view.position[:2] / np.linalg.norm(view.position[:2])
    behind, before = _die(Shape.CUBE), _die(Shape.CUBE, *(toward * 17.0))
    alone = render(_scene(behind, tilt=50)).labels[0]
    hidden = render(_scene(behind, before, tilt=50)).labels[0]
    assert alone.whole > 0.99
    assert hidden.whole < alone.whole - 0.1


def test_what_a_hand_covers_is_not_visible() -> None:
    everything = Overlay(np.zeros((360, 480, 3), np.float32), np.ones((360, 480), np.float32))
    picture = render(_scene(_die(Shape.OCTAHEDRON), overlays=(everything,)))
    assert picture.labels[0].visible == 0
    assert picture.pixels.max() == 0


def test_a_die_throws_its_shadow_away_from_the_lamp() -> None:
    view = View.over(300, 300, focal=400, distance=140, tilt=0)
    lamp = Lamp(np.array([0.7, 0, 0.714], np.float32), np.full(3, 0.6, np.float32), 0.02)
    ground = Ground(np.full((64, 64, 3), 200, np.uint8), 10.0)
    light = Lighting((lamp,), np.full(3, 0.3, np.float32), np.zeros(3, np.float32))
    pixels = render(Scene(view, ground, light, (_die(Shape.CUBE, spin=0),))).pixels
    assert pixels[150, 110].mean() < pixels[150, 190].mean() - 30


def _glass(ink: float = 0.0, clear: float = 1.0) -> Die:
    """A die of dark plastic, its faces covered by so much ink but for the top, which has none."""
    cover = {face: np.full((32, 32), 0.0 if face == 0 else ink, np.float32) for face in range(8)}
    dark = np.full((32, 32, 3), 20, np.uint8)
    return replace(
        _die(Shape.OCTAHEDRON),
        texture=lambda face: FaceTexture(dark, None, cover[face]),
        surface=Surface(0.0, 0.3, 0.0, clear),
    )


def _top_of(die: Die, ground: int = 200) -> float:
    """How bright the middle of the top face is, on a table of a brightness."""
    scene = _scene(die, tilt=10.0)
    scene = replace(scene, ground=Ground(np.full((64, 64, 3), ground, np.uint8), 10.0))
    picture = render(scene)
    x, y = picture.labels[0].corners.mean(axis=0).round().astype(int)
    return float(picture.pixels[y - 3 : y + 4, x - 3 : x + 4].mean())


def test_the_table_shows_through_a_clear_die_and_through_no_other() -> None:
    assert _top_of(_glass()) - _top_of(_glass(), ground=40) > 40
    assert _top_of(_glass(clear=0.0)) == _top_of(_glass(clear=0.0), ground=40)


def test_ink_on_the_far_side_of_a_clear_die_is_seen_and_ink_in_front_covers_it() -> None:
    assert _top_of(_glass(ink=1.0)) < _top_of(_glass()) - 40
    inked = FaceTexture(np.full((32, 32, 3), 20, np.uint8), None, np.ones((32, 32), np.float32))
    assert _top_of(replace(_glass(), texture=lambda face: inked)) == _top_of(_glass(clear=0.0))


def test_the_room_is_bright_above_and_brightest_at_its_lamp() -> None:
    towards = np.array([0.6, 0, 0.8], np.float32)
    lamp = Lamp(towards, np.full(3, 0.5, np.float32), 0.05)
    light = Lighting((lamp,), np.full(3, 0.3, np.float32), np.zeros(3, np.float32))
    up, level = np.array([0, 0, 1], np.float32), np.array([-1, 0, 0], np.float32)
    at_lamp, above, aside = room_light(np.stack([towards, up, level]), light)[:, 0].tolist()
    assert at_lamp > 3 * above > 3 * aside > 0


@pytest.mark.slow
def test_the_camera_is_rolled_and_dice_are_clear_as_often_as_asked() -> None:
    ranges = Ranges(320, 240, dice=(2, 2), distractors=0.0)
    drawn = [
        random_scene(np.random.default_rng(seed), _Plain(), replace(ranges, rolled=share, clear=share))
        for share in (0.0, 1.0)
        for seed in range(12)
    ]
    upright, rolled = drawn[:12], drawn[12:]
    # The picture's x axis is level where the camera is upright.
    assert max(abs(float(scene.view.axes[0, 2])) for scene in upright) < 0.5
    assert min(die.surface.clear for scene in rolled for die in scene.dice) >= 0.5
    assert not any(die.surface.clear for scene in upright for die in scene.dice)
    turned = [np.degrees(np.arctan2(-s.view.axes[0, 2], -s.view.axes[1, 2])) for s in rolled]
    assert max(turned) - min(turned) > 180


class _Plain:
    """Grey dice, for the sampler's tests."""

    def shape(self, rng: np.random.Generator) -> Shape:
        return Shape.CUBE if rng.random() < 0.5 else Shape.OCTAHEDRON

    def arts(self, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        return ()

    def dress(self, rng: np.random.Generator, shape: Shape, size: int) -> DressedDie:
        plain = FaceTexture(np.full((size, size, 3), 120, np.uint8))
        return DressedDie(lambda face: plain, ("plain",) * len(solid(shape).normals))


@pytest.mark.slow
def test_scenes_are_the_same_for_the_same_seed_and_stand_apart() -> None:
    ranges = Ranges(320, 240, dice=(6, 6))
    first = render(random_scene(np.random.default_rng(4), _Plain(), ranges))
    again = render(random_scene(np.random.default_rng(4), _Plain(), ranges))
    other = render(random_scene(np.random.default_rng(5), _Plain(), ranges))
    assert np.array_equal(first.pixels, again.pixels)
    assert not np.array_equal(first.pixels, other.pixels)


@pytest.mark.slow
def test_dice_do_not_run_into_each_other() -> None:
    for seed in range(12):
        scene = random_scene(np.random.default_rng(seed), _Plain(), Ranges(320, 240, dice=(9, 9)))
        for i, one in enumerate(scene.dice):
            for other in scene.dice[:i]:
                apart = float(np.linalg.norm(one.centre[:2] - other.centre[:2]))
                assert apart > 0.5 * (one.side + other.side) * 0.85

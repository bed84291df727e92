"""Labels of the second renderer, by geometry alone: Mitsuba is not asked."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from training.evaluate.run import read_labels
from training.pathtrace import __main__ as command
from training.pathtrace import engine, lights, unseen
from training.pathtrace.artwork import CELL, draw, pips, random_style
from training.pathtrace.camera import LensCamera, camera_over, random_camera
from training.pathtrace.dice import DieTextures, dealt, random_build, random_look, skin
from training.pathtrace.labels import (
    ALIKE,
    CONTRAST,
    PlacedDie,
    hidden,
    label,
    legibility,
    outline,
    throw,
)
from training.pathtrace.polyhedra import SIZES, form, lying, solid
from training.pathtrace.scene import TracedScene, random_scene
from training.pathtrace.solids import (
    Build,
    face_corners,
    face_points,
    frames,
    mesh,
    outer_corners,
    resting,
    shrunken,
)
from training.pathtrace.textures import Floats
from training.pathtrace.unseen import MARGIN, VISIBLE, evening, exposed, shown, windows
from vision.dicesets.library import find
from vision.dicesets.shapes import SHAPES, Shape
from vision.picture import load_picture
from vision.rectify import canonical_corners

FRAMES = Path(__file__).parent.parent / "frames" / "pathtrace"
SETS = sorted(path.name for path in FRAMES.iterdir() if path.is_dir())


def _told(set_id: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FRAMES / set_id / "scenes.jsonl").read_text().splitlines()]


def _camera(seed: int) -> LensCamera:
    return random_camera(np.random.default_rng(seed), (28.0, 120.0))


def _tracked(camera: LensCamera, points: np.ndarray) -> np.ndarray:
    """The same projection by OpenCV, whose pixel (0, 0) has its centre at 0 and not at a half."""
    turn, _ = cv2.Rodrigues(camera.axes)
    lens = np.array(
        [[camera.focal, 0, camera.width / 2 - 0.5], [0, camera.focal, camera.height / 2 - 0.5], [0, 0, 1.0]]
    )
    found, _ = cv2.projectPoints(points, turn, -camera.axes @ camera.position, lens, None)
    return found.reshape(-1, 2) + 0.5


@pytest.mark.parametrize("seed", range(3))
def test_points_fall_where_opencv_projects_them(seed: int) -> None:
    camera = _camera(seed)
    points = np.random.default_rng(seed).uniform(-40, 40, (50, 3))
    assert np.allclose(camera.project(points), _tracked(camera, points), atol=1e-6)


def test_the_table_point_of_a_pixel_is_seen_at_that_pixel() -> None:
    camera = _camera(3)
    for pixel in [(10.0, 20.0), (300.5, 240.0), (600.0, 470.0)]:
        point = camera.on_table(pixel, 8.0)
        assert point[2] == pytest.approx(8.0)
        assert np.allclose(camera.project(point), pixel)


@pytest.mark.parametrize("shape", SHAPES)
def test_opposite_faces_are_numbered_as_nets_are(shape: Shape) -> None:
    parts = frames(shape)
    assert np.allclose(parts.normals, -parts.normals[::-1])
    assert np.allclose(np.cross(parts.rights, parts.downs), -parts.normals), "right × down looks into the die"
    for face in range(shape.faces):
        assert np.allclose(parts.corners[face] @ parts.normals[face], 0.5)
        sides = np.linalg.norm(parts.corners[face] - np.roll(parts.corners[face], 1, 0), axis=1)
        assert np.allclose(sides, parts.side)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_die_at_rest_shows_its_top_face_level_and_clockwise(shape: Shape) -> None:
    for top in range(shape.faces):
        build = Build(shape, 16.0)
        pose = resting(shape, top, 1.1, 16.0, (5.0, -7.0))
        corners = face_corners(build, pose, top)
        assert np.allclose(corners[:, 2], 16.0)
        assert np.allclose(face_corners(build, pose, shape.faces - 1 - top)[:, 2], 0.0, atol=1e-9)
        assert np.allclose(corners[:, :2].mean(0), (5.0, -7.0))
        seen = camera_over(640, 480, 700, 300, 0, 0, 0).project(corners)
        assert cv2.contourArea(seen.astype(np.float32), oriented=True) > 0, "clockwise, y down"


@pytest.mark.parametrize("shape", SHAPES)
def test_fillets_have_their_radius_and_faces_stay_flat(shape: Shape) -> None:
    fillet = 0.08
    points = mesh(Build(shape, 1.0, fillet)).vertices
    core = shrunken(shape, points, 0.5 - fillet)
    assert np.allclose(np.linalg.norm(points - core, axis=1), fillet, atol=1e-9)
    height = points @ frames(shape).normals.T
    assert height.max() == pytest.approx(0.5)
    assert (np.abs(height.max(axis=1) - 0.5) < 1e-9).mean() > 0.2


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("fine", [False, True])
def test_a_mesh_is_closed_and_turned_outward(shape: Shape, fine: bool) -> None:
    cut = np.zeros((2 * CELL, shape.faces // 2 * CELL), np.float32) if fine else None
    body = mesh(Build(shape, 1.0, 0.03), cut)
    a, b, c = (body.vertices[body.triangles[:, k]] for k in range(3))
    volume = float((np.cross(a, b) * c).sum() / 6)
    sharp = 1.0 if shape == Shape.CUBE else np.sqrt(2) / 3 * frames(Shape.OCTAHEDRON).side ** 3
    assert 0.95 * sharp < volume < sharp
    outward = np.cross(b - a, c - a)
    assert ((outward * body.normals[body.triangles[:, 0]]).sum(1) > -1e-9).all()


@pytest.mark.parametrize("seed", range(4))
def test_what_hides_a_point_lies_between_it_and_the_eye(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = camera_over(640, 480, 700, 250, 45, float(rng.uniform(0, 360)), 0)
    shape: Shape = SHAPES[seed % 2]
    die = PlacedDie(Build(shape, 16.0), resting(shape, 1, float(rng.uniform(0, 6)), 16.0, (3.0, 4.0)), 1)
    points = np.column_stack([rng.uniform(-30, 30, (300, 2)), rng.uniform(0, 16, 300)])
    normals = frames(shape).normals @ die.pose.turn.T
    steps = np.linspace(0, 1, 1500)[:, None]
    walked: list[bool] = []
    for point in points:  # walk along the ray and look whether any step is inside
        way = camera.position + steps * (point - camera.position)
        depth = ((way - die.pose.centre) @ normals.T).max(axis=1)
        walked.append(bool((depth[:-1] < 7.95).any()))
    wrong = hidden(points, camera.position, [die]) != np.array(walked)
    assert wrong.mean() < 0.03, "but for rays that graze it"


def test_a_label_boxes_the_rounded_die_and_its_sharp_corners_are_the_tops() -> None:
    camera = camera_over(640, 480, 900, 300, 30, 200, 4)
    for shape in SHAPES:
        build = Build(shape, 16.0, 0.05)
        die = PlacedDie(build, resting(shape, 3, 0.7, 16.0, (10.0, -5.0)), 3)
        found = label(die, "x", camera, [])
        seen = _tracked(camera, mesh(build).moved(die.pose.turn, die.pose.centre).vertices)
        assert np.allclose(found.box, (*seen.min(0), *seen.max(0)), atol=0.1), (
            "the outline falls between vertices"
        )
        assert np.allclose(found.corners, _tracked(camera, face_corners(build, die.pose, 3)))
        assert found.visible == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_thrown_dice_are_whole_and_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = _camera(seed)
    dice = throw(rng, [random_build(rng, SHAPES[k % 2], 16.0) for k in range(6)], camera)
    assert len(dice) >= 4
    for die in dice:
        seen = _tracked(camera, outer_corners(die.build, die.pose))
        assert (seen > 0).all()
        assert (seen < (camera.width, camera.height)).all()
    for a, b in combinations(dice, 2):
        first, second = (outline(outer_corners(d.build, d.pose)).astype(np.float32) for d in (a, b))
        assert cv2.intersectConvexConvex(first, second)[0] < 1e-3


@pytest.mark.parametrize("count", range(1, 7))
def test_pips_are_as_many_as_they_say(count: int) -> None:
    for seed in range(4):
        cover = pips(count, random_style(np.random.default_rng(seed)))
        found, _ = cv2.connectedComponents((cover > 0.5).astype(np.uint8))
        assert found - 1 == count


@pytest.mark.parametrize(("set_id", "total"), [("pips", 7), ("fate", 9)])
def test_opposite_faces_add_up(set_id: str, total: int) -> None:
    dice_set = find(set_id)
    values = [face.value or 0 for face in dealt(np.random.default_rng(0), dice_set, dice_set.shapes[0])]
    assert {a + b for a, b in zip(values, values[::-1], strict=True)} == {total}
    if set_id == "fate":
        upper = frames(Shape.OCTAHEDRON).normals[:, 2] > 0
        assert {v for v, up in zip(values, upper, strict=True) if up} == {1, 3, 5, 7}


@pytest.mark.parametrize("set_id", ["cats", "fate", "outback", "outlander", "pips"])
def test_every_face_of_every_set_is_drawn_within_its_face(set_id: str) -> None:
    dice_set = find(set_id)
    for seed in range(2):
        style = random_style(np.random.default_rng(seed))
        for shape in dice_set.shapes:
            inside = cv2.fillConvexPoly(
                np.zeros((CELL, CELL), np.uint8), np.rint(canonical_corners(shape, CELL)).astype(np.int32), 1
            )
            for face in dice_set.faces_for(shape):
                drawing = draw(dice_set, face, shape, style)
                assert 0.003 < drawing.cover.mean() < 0.6
                assert drawing.cover[inside == 0].sum() < 0.01 * drawing.cover.sum() + 1


def _painted(camera: LensCamera, die: PlacedDie, texture: np.ndarray) -> np.ndarray:
    """A grey table on which only the die's top face is drawn, flat."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    there = camera.project(face_points(die.build, die.pose, die.top, square)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform((square * CELL).astype(np.float32), there)
    return np.asarray(
        cv2.warpPerspective(texture, matrix, (camera.width, camera.height), borderValue=(90, 90, 90))
    )


def test_what_is_drawn_is_legible_and_what_is_not_is_not() -> None:
    rng = np.random.default_rng(4)
    pips_set = find("pips")
    camera = camera_over(640, 480, 900, 300, 30, 200, 4)
    die = PlacedDie(Build(Shape.CUBE, 16.0), resting(Shape.CUBE, 4, 0.7, 16.0, (0.0, 0.0)), 4)
    painted = skin(rng, pips_set, Shape.CUBE, random_look(rng, pips_set))
    colours, _ = painted.face(4, Shape.CUBE)
    alike, contrast = legibility(_painted(camera, die, colours[..., ::-1]), die, painted, camera)
    assert alike > 0.85
    assert contrast > CONTRAST
    noise = rng.normal(90, 3, colours.shape).clip(0, 255).astype(np.uint8)
    alike, contrast = legibility(_painted(camera, die, noise), die, painted, camera)
    assert alike < ALIKE or contrast < CONTRAST


def test_a_bad_set_is_one_line_and_exit_2(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(command.main, ["no-such-set", "-o", str(tmp_path / "f")])
    assert outcome.exit_code == 2
    assert outcome.stderr.count("\n") == 1
    assert "no-such-set" in outcome.stderr
    assert not (tmp_path / "f").exists()


def test_without_mitsuba_it_says_what_brings_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(engine.importlib, "import_module", absent)
    engine.engine.cache_clear()
    outcome = CliRunner().invoke(command.main, ["pips", "-o", str(tmp_path / "f")])
    assert outcome.exit_code == 2
    assert "mitsuba" in outcome.stderr
    assert ".[proof]" in outcome.stderr


@pytest.mark.parametrize("set_id", SETS)
def test_frames_are_three_small_pictures_of_six_dice(set_id: str) -> None:
    faces = dict(enumerate((FRAMES / set_id / "faces.txt").read_text().split()))
    assert tuple(faces.values()) == find(set_id).face_ids
    told = _told(set_id)
    assert len(told) == 3
    for scene in told:
        image = FRAMES / set_id / "images" / f"{scene['picture']}.jpg"
        assert image.stat().st_size <= 60_000
        assert load_picture(image).shape == (480, 640, 3)
        labels = read_labels(FRAMES / set_id / "labels" / f"{image.stem}.txt", faces, 640, 480)
        assert [label.face for label in labels] == [die["face"] for die in scene["dice"]]
        assert len(labels) == 6


@pytest.mark.parametrize("set_id", SETS)
def test_a_frame_s_seed_still_gives_its_labels(set_id: str) -> None:
    pytest.importorskip("mitsuba", reason="scenes' materials are built by Mitsuba (extra proof)")
    dice_set, told = find(set_id), _told(set_id)[0]
    stream = [told["seed"], int(told["picture"]), told["attempt"], zlib.crc32(set_id.encode())]
    scene = random_scene(np.random.default_rng(stream), dice_set)
    lines = (FRAMES / set_id / "labels" / f"{told['picture']}.txt").read_text().splitlines()
    for line, one in zip(lines, scene.labels(), strict=True):
        mine = one.line(dice_set.face_ids.index(one.face), 640, 480)
        assert np.allclose(np.array(mine.split(), float), np.array(line.split(), float), atol=2e-4)


@pytest.mark.parametrize("seed", range(20))
def test_each_die_gets_a_part_of_the_picture_of_its_own(seed: int) -> None:
    places = np.random.default_rng(seed).uniform((0, 0), (580, 420), (4, 2))
    boxes = [(float(x), float(y), float(x) + 50, float(y) + 40) for x, y in places]
    cut = windows(boxes, 640, 480)
    for index, (x0, y0, x1, y1) in enumerate(cut):
        assert x0 <= max(boxes[index][0] - MARGIN * 50 + 1, 0)
        assert y1 >= min(boxes[index][3] + MARGIN * 50 - 1, 480)
        others = boxes[:index] + boxes[index + 1 :]
        assert not any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in others)
    close = (max(abs(a[0] - b[0]) - 50, abs(a[1] - b[1]) - 40) for a, b in combinations(boxes, 2))
    assert cut or any(gap < MARGIN * 50 for gap in close), "only dice that nearly touch cannot be cut apart"


def test_a_picture_whose_dice_came_out_black_is_not_exposed_whatever_lies_beside_them() -> None:
    pixels = np.zeros((480, 640, 3), np.uint8)
    pixels[:, 600:] = 255
    dice = [(100.0, 100.0, 160.0, 160.0), (300.0, 200.0, 360.0, 260.0)]
    assert not exposed(pixels, dice)
    pixels[110:140, 110:140] = 90
    assert not exposed(pixels, dice), "one die is still black"
    pixels[210:240, 310:340] = 90
    assert exposed(pixels, dice)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("face", [0, 3, 5])
def test_another_face_up_leaves_the_die_where_it_was(shape: Shape, face: int) -> None:
    die = PlacedDie(Build(shape, 16.0), resting(shape, 1, 0.7, 16.0, (3.0, -5.0)), 1)
    other = shown(die, face)
    assert other.top == face
    before, after = (np.sort(outer_corners(one.build, one.pose)[:, 2]) for one in (die, other))
    assert np.allclose(before, after, atol=1e-6)
    assert np.allclose(other.pose.centre, die.pose.centre)
    assert np.allclose(shown(other, 1).pose.turn, die.pose.turn, atol=1e-6)


def test_a_rolled_camera_turns_any_way_and_crystal_comes_only_where_it_is_asked_for() -> None:
    fate, chance = find("fate"), [np.random.default_rng(seed) for seed in range(40)]
    axes = [random_camera(rng, (28.0, 120.0), rolled=True).axes for rng in chance[:8]]
    assert np.ptp([np.degrees(np.arctan2(-one[0, 2], -one[1, 2])) for one in axes]) > 180
    assert random_look(chance[0], fate, "crystal").stuff == "crystal"
    assert "crystal" not in {random_look(rng, fate).stuff for rng in chance}


@pytest.mark.parametrize(("kind", "sides"), [("d4", 3), ("d10", 4), ("d12", 5), ("d20", 3)])
def test_a_die_of_another_kind_has_its_faces_and_is_closed(kind: str, sides: int) -> None:
    body, sharp = solid(kind, 0.1), form(kind)
    assert sharp.corners.shape == (int(kind[1:]), sides, 3)
    assert (body.vertices @ sharp.normals.T).max(axis=0) == pytest.approx(sharp.apothem, abs=1e-5), "plane faces"
    edges = [edge for a, b, c in body.triangles.tolist() for edge in ((a, b), (b, c), (c, a))]
    assert len({*edges}) == len(edges)
    assert {(b, a) for a, b in edges} == {*edges}
    a, b, c = (body.vertices[body.triangles[:, k]] for k in range(3))
    assert (np.cross(a, b) * c).sum() > 0
    outward = np.cross(b - a, c - a)
    assert ((outward * body.normals[body.triangles[:, 0]]).sum(1) > 0).all()


@pytest.mark.parametrize("kind", SIZES)
def test_a_die_of_another_kind_lies_on_one_of_its_faces(kind: str) -> None:
    heights = lying(np.random.default_rng(3), kind).vertices[:, 2]
    assert heights.min() == pytest.approx(0)
    assert (heights < 1e-6).sum() == form(kind).corners.shape[1]
    assert SIZES[kind][0] <= heights.max() <= SIZES[kind][1]


def test_an_evening_is_rolls_of_the_same_dice_before_one_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[TracedScene] = []

    def leaning() -> float:
        (axes,) = {id(scene.camera): scene.camera.axes for scene in drawn}.values()
        return abs(float(np.degrees(np.arctan2(-axes[0, 2], -axes[1, 2]))))

    def rendered(scene: TracedScene, seed: int, samples: int) -> Floats:
        drawn.append(scene)
        ramp = np.linspace(0.05, 1, scene.camera.width)
        return np.repeat(np.broadcast_to(ramp, (scene.camera.height, scene.camera.width))[..., None], 3, axis=2)

    def bare(
        rng: np.random.Generator, camera: LensCamera, dice: Sequence[PlacedDie], skins: tuple[DieTextures, ...]
    ) -> TracedScene:
        return TracedScene(camera, tuple(dice), skins, (), lights.random_room(rng, 300.0), "plain", ())

    monkeypatch.setattr(unseen, "render", rendered)
    monkeypatch.setattr(unseen, "furnished", bare)
    played = evening(find("cats"), 3, np.random.default_rng(8), 4, 3)
    drawn.clear()
    pictures = [played.picture(number, np.random.default_rng(number)) for number in range(3)]
    assert len({id(scene.camera) for scene in drawn}) == len({id(scene.things) for scene in drawn}) == 1
    assert len({tuple(die.pose.centre.tobytes() for die in scene.dice) for scene in drawn}) == 3
    for scene, (pixels, labels) in zip(drawn, pictures, strict=True):
        assert pixels.shape == (scene.camera.height, scene.camera.width, 3)
        assert len(labels) == 4
        assert all(one.visible >= VISIBLE for one in labels)
        assert len({die.build for die in scene.dice}) == 1
    first, second = (pixels.astype(float) for pixels, _ in pictures[:2])
    assert 0 < np.abs(first - second).mean() < 4, "noise alone: the exposure stays as it is"
    upright = leaning()
    drawn.clear()
    rolled = evening(find("cats"), 3, np.random.default_rng(9), 4, 1, rolled=True)
    rolled.picture(0, np.random.default_rng(0))
    assert leaning() > 25 > upright, "a camera rolled any way"

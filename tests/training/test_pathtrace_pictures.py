"""The second renderer's pictures: what Mitsuba draws lies where the labels say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytest.importorskip("mitsuba", reason="the second renderer needs the extra proof (pip install -e '.[proof]')")
pytest.importorskip("pyoidn", reason="the second renderer needs the extra proof (pip install -e '.[proof]')")

from training.evaluate.run import read_labels
from training.pathtrace import engine
from training.pathtrace.album import make_album
from training.pathtrace.camera import camera_over
from training.pathtrace.labels import PlacedDie, label
from training.pathtrace.lights import random_room
from training.pathtrace.polyhedra import SIZES
from training.pathtrace.scene import OTHERS, TracedScene, random_scene
from training.pathtrace.solids import Build, Floats, mesh, resting
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.picture import load_picture


def _scene(tilt: float, heading: float) -> TracedScene:
    """A cube and an octahedron, apart, under a camera."""
    camera = camera_over(320, 240, 500, 150, tilt, heading, 7)
    kinds: list[tuple[Shape, int, tuple[float, float]]] = [
        (Shape.CUBE, 1, (-18.0, 6.0)),
        (Shape.OCTAHEDRON, 5, (17.0, -9.0)),
    ]
    dice = tuple(
        PlacedDie(Build(s, 16.0, 0.06), resting(s, top, 0.6 + top, 16.0, at), top) for s, top, at in kinds
    )
    return TracedScene(camera, dice, (), (), random_room(np.random.default_rng(0), 150), "nothing", ())


@pytest.mark.parametrize(("tilt", "heading"), [(0.0, 20.0), (25.0, 140.0), (45.0, 290.0)])
def test_top_faces_shine_within_their_labels(tilt: float, heading: float) -> None:
    scene = _scene(tilt, heading)
    seen = render_segments(scene, 32)
    for number, die in enumerate(scene.dice):
        corners = label(die, "x", scene.camera, []).corners
        lit = np.clip(seen / (number + 1), 0, 1) * _near(corners, seen.shape)
        for offset in _offsets(lit, corners):
            assert abs(offset) < 0.5, "pixels between the label's edge and the light's"


def _near(corners: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return cv2.dilate(mask, np.ones((11, 11), np.uint8))


def _offsets(lit: np.ndarray, corners: np.ndarray) -> list[float]:
    """How far beyond each edge of a clockwise polygon the light reaches, at five places of the edge, in pixels."""
    reach = 5.0
    found: list[float] = []
    steps = np.arange(-reach, reach, 0.05) + 0.025
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.array([along[1], -along[0]])
        for share in (0.2, 0.35, 0.5, 0.65, 0.8):
            places = start + share * (end - start) + steps[:, None] * outward
            x, y = (places - 0.5).astype(np.float32).T  # OpenCV counts from the first pixel's centre
            values = cv2.remap(lit.astype(np.float32), x[:, None], y[:, None], cv2.INTER_LINEAR)
            found.append(float(values.sum() * 0.05 - reach))
    return found


def test_boxes_hold_the_dice_that_are_drawn() -> None:
    scene = _scene(35.0, 80.0)
    seen = render_segments(scene, 64, whole=True)
    for number, die in enumerate(scene.dice):
        x0, y0, x1, y1 = label(die, "x", scene.camera, []).box
        mine = np.zeros(seen.shape, bool)
        mine[round(y0) - 6 : round(y1) + 6, round(x0) - 6 : round(x1) + 6] = True
        ys, xs = np.nonzero(mine & (seen > 0.5 * (number + 1)))
        assert np.allclose((xs.min(), ys.min(), xs.max() + 1, ys.max() + 1), (x0, y0, x1, y1), atol=1.0)


@pytest.mark.slow
def test_an_album_has_the_form_that_evaluate_reads(tmp_path: Path) -> None:
    cats = find("cats")
    make_album(cats, cats.face_ids, tmp_path, 1, seed=3, dice=2)
    assert (tmp_path / "faces.txt").read_text().split() == list(cats.face_ids)
    pixels = load_picture(tmp_path / "images" / "0000.jpg")
    labels = read_labels(
        tmp_path / "labels" / "0000.txt", dict(enumerate(cats.face_ids)), pixels.shape[1], pixels.shape[0]
    )
    told = json.loads((tmp_path / "scenes.jsonl").read_text())
    assert [x.face for x in labels] == [die["face"] for die in told["dice"]]
    assert len(labels) == 2
    assert told["seed"] == 3
    assert 0 <= told["tilt"] <= 45
    assert pixels.std() > 5
    before = (tmp_path / "images" / "0000.jpg").stat().st_mtime_ns
    make_album(cats, cats.face_ids, tmp_path, 1, seed=3, dice=2)
    assert (tmp_path / "images" / "0000.jpg").stat().st_mtime_ns == before, "a finished picture is kept"


def render_segments(scene: TracedScene, samples: int = 64, whole: bool = False) -> Floats:
    """(H, W) in which the k-th die's top face alone shines, as bright as k + 1, through a pinhole.

    The proof that labels lie where the renderer draws: nothing but Mitsuba's own camera decides which pixel shines. Top
    faces are those of sharp dice; `whole` lets each rounded die shine on all sides instead.
    """
    mi = engine.engine()
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 2},
        "camera": replace(scene.camera, aperture=0.0).sensor(mi, samples, 0),
    }
    dark = {"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.0}}
    for number, die in enumerate(scene.dice):
        body = mesh(die.build if whole else replace(die.build, fillet=1e-6, ball=9.0))
        share = len(body.vertices) // die.build.shape.faces
        shines = (body.triangles // share == die.top).all(axis=1) | whole
        placed = body.moved(die.pose.turn, die.pose.centre)
        light = {"type": "area", "radiance": {"type": "rgb", "value": float(number + 1)}}
        for name, chosen, emitter in (("lit", shines, light), ("dark", ~shines, None)):
            if chosen.any():
                part = replace(placed, triangles=placed.triangles[chosen])
                parts[f"{name}{number}"] = engine.mesh_object(part, dark, emitter)
    return np.asarray(mi.render(mi.load_dict(parts), spp=samples), np.float32)[..., 0]


@pytest.mark.slow
def test_dice_of_other_kinds_lie_there_where_they_are_asked_for() -> None:
    among = [random_scene(np.random.default_rng(seed), find("pips"), others=True).beside for seed in range(4)]
    kinds = [[name for name in beside if name in SIZES] for beside in among]
    assert all(0 < len(one) < OTHERS[1] for one in kinds)
    assert not {*random_scene(np.random.default_rng(1), find("pips")).beside} & {*SIZES}

"""What the networks are shown: boxes where dice lie, crops that hold the top face, nothing unreadable."""

# pyright: reportPrivateUsage=false
# (a shard's stages are tried by themselves)

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from training import pictures
from training.commands.bench import command as bench
from training.commands.bench_live import live
from training.commands.evaluate import command as evaluate
from training.commands.render import command as render_album
from training.commands.train import command
from training.crops import NO_SHAPE, Crop
from training.pictures import BOUNDS, TILE, make
from training.synth.sampler import DressedDie, Ranges, random_scene
from vision.boxes import CROP
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Pixels
from vision.pyramid import Pyramid
from vision.render.light import Lamp, Lighting, Surface
from vision.render.scene import Die, FaceTexture, Ground, Overlay, Rendering, Scene, render, resting
from vision.render.solid import Rounding, solid
from vision.render.view import View

CUBE, OCTAHEDRON = (1 + SHAPES.index(shape) for shape in (Shape.CUBE, Shape.OCTAHEDRON))

TOP, SIDE = (30, 30, 220), (220, 60, 30)


def _die(shape: Shape, x: float, y: float, spin: float) -> Die:
    def texture(face: int) -> FaceTexture:
        return FaceTexture(np.full((32, 32, 3), TOP if face == 0 else SIDE, np.uint8))

    rotation, lift = resting(shape, 0, spin)
    centre = np.array([x, y, 16 * lift], np.float32)
    return Die(
        shape, 16.0, centre, rotation, texture, Rounding(0.004, 10.0), Surface(0.0, 0.3, 0.0), 0.0
    )


def _picture(*dice: Die, overlays: tuple[Overlay, ...] = ()) -> Rendering:
    """Dice with red tops and blue sides on a white table, 640 × 480."""
    view = View.over(640, 480, focal=800, distance=250, tilt=35, turn=20, roll=3)
    lamp = Lamp(np.array([0.2, 0.1, 0.97], np.float32), np.full(3, 0.2, np.float32), 0.1)
    light = Lighting((lamp,), np.full(3, 0.8, np.float32), np.full(3, 0.1, np.float32))
    return render(
        Scene(view, Ground(np.full((64, 64, 3), 255, np.uint8), 20.0), light, dice, overlays=overlays)
    )


DICE = (_die(Shape.CUBE, -40, 10, 15), _die(Shape.OCTAHEDRON, 20, -25, 70), _die(Shape.CUBE, 45, 30, 40))


@pytest.fixture(scope="module")
def picture() -> Rendering:
    return _picture(*DICE)


def _coloured(pixels: Pixels) -> np.ndarray:
    return np.ptp(pixels.astype(int), axis=2) > 50


@pytest.mark.parametrize("seed", range(6))
def test_a_tile_boxes_the_dice_that_are_in_it_and_nothing_else(picture: Rendering, seed: int) -> None:
    tile, boxes = pictures._tile(picture.pixels, picture.labels, np.random.default_rng(seed))
    assert tile.shape == (TILE, TILE, 3)
    dice = _coloured(tile)
    boxed = np.zeros_like(dice)
    for x0, y0, x1, y1 in boxes:
        assert 0 <= x0 < x1 <= TILE
        assert 0 <= y0 < y1 <= TILE
        inside = dice[max(int(y0) - 1, 0) : int(y1) + 2, max(int(x0) - 1, 0) : int(x1) + 2]
        assert inside.mean() > 0.35, "a die fills its box"
        ys, xs = np.nonzero(inside)
        assert np.ptp(xs) > (x1 - x0) - 4, "and reaches its sides"
        assert np.ptp(ys) > (y1 - y0) - 4
        boxed[max(int(y0) - 2, 0) : int(y1) + 3, max(int(x0) - 2, 0) : int(x1) + 3] = True
    left_out = np.count_nonzero(dice & ~boxed)
    assert left_out < 0.3 * (tile.shape[0] / 10) ** 2, "at most the tip of a die at the border is not boxed"


def _crops(picture: Rendering, seed: int) -> list[Crop]:
    seen = [label for label in picture.labels if pictures.readable(label.visible)]
    return list(pictures._crops(Pyramid(picture.pixels), seen, np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(4))
def test_crops_hold_the_whole_top_face_and_the_whole_die_where_their_corners_say(picture: Rendering, seed: int) -> None:
    crops = _crops(picture, seed)
    assert [crop.kind for crop in crops[:3]] == [CUBE, OCTAHEDRON, CUBE]
    for crop in crops[:3]:
        assert crop.pixels.shape == (CROP, CROP, 3)
        assert (crop.corners > 0).all()
        assert (crop.corners < CROP - 1).all()
        red = crop.pixels[..., 2].astype(int) - crop.pixels[..., 0] > 60
        said = np.zeros((CROP, CROP), np.uint8)
        cv2.fillConvexPoly(said, np.rint(crop.corners * 16).astype(np.int32), 1, shift=4)
        assert np.count_nonzero(red & (said > 0)) / np.count_nonzero(red | (said > 0)) > 0.9
        die = np.ptp(crop.pixels.astype(int), axis=2) > 60
        body = np.zeros((CROP, CROP), np.uint8)
        cv2.fillConvexPoly(body, np.rint(crop.silhouette * 16).astype(np.int32), 1, shift=4)
        assert np.count_nonzero(die & (body > 0)) / np.count_nonzero(die | (body > 0)) > 0.9
        repeated = np.array_equal(crop.corners[2], crop.corners[3])
        assert repeated == (crop.kind == OCTAHEDRON)


def test_crops_without_a_die_may_cut_one_but_hold_none_in_their_middle(picture: Rendering) -> None:
    empty = [crop for seed in range(20) for crop in _crops(picture, seed) if crop.kind == NO_SHAPE]
    assert len(empty) > 10
    for crop in empty:
        assert not crop.corners.any()
        assert not crop.silhouette.any()
        red = (crop.pixels[..., 2].astype(int) - crop.pixels[..., 0] > 60).astype(np.uint8)
        count, _, stats, centres = cv2.connectedComponentsWithStats(red)
        for (x, y, w, h, area), centre in zip(stats[1:count], centres[1:count], strict=True):
            whole = x > 0 and y > 0 and x + w < CROP and y + h < CROP
            central = np.abs(centre - CROP / 2).max() < 0.15 * CROP
            assert not (whole and central and area > 0.1 * CROP**2)


def test_a_die_under_a_hand_is_neither_boxed_nor_cut_out(picture: Rendering) -> None:
    hand = Overlay(np.full((480, 640, 3), 0.2, np.float32), np.zeros((480, 640), np.float32))
    x0, y0, x1, y1 = (int(edge) for edge in picture.labels[0].box)
    hand.alpha[y0 - 5 : y1 + 5, x0 - 5 : x1 + 5] = 1
    covered = _picture(*DICE, overlays=(hand,))
    assert [pictures.readable(label.visible) for label in covered.labels] == [False, True, True]
    assert [crop.kind for crop in _crops(covered, 1)[:2]] == [OCTAHEDRON, CUBE]
    for seed in range(10):
        _, boxes = pictures._tile(covered.pixels, covered.labels, np.random.default_rng(seed))
        assert len(boxes) <= 2


class _Plain:
    """An artist of plain dice, who needs no symbols."""

    def shape(self, rng: np.random.Generator) -> Shape:
        return Shape.CUBE if rng.random() < 0.5 else Shape.OCTAHEDRON

    def arts(self, rng: np.random.Generator) -> tuple[Pixels, ...]:
        return ()

    def dress(self, rng: np.random.Generator, shape: Shape, size: int) -> DressedDie:
        plain = FaceTexture(np.full((size, size, 3), 140, np.uint8))
        return DressedDie(lambda face: plain, ("plain",) * len(solid(shape).normals))


@pytest.mark.slow
def test_a_shard_is_whole_fits_together_and_is_not_made_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "SHARD", 4)
    make(tmp_path, 8, seed=4, artist=_Plain)
    names = [f"{n:06}" for n in range(8)]
    assert sorted(path.stem for path in (tmp_path / "images").iterdir()) == names
    assert sorted(path.stem for path in (tmp_path / "labels").iterdir()) == names
    for path in (tmp_path / "labels").iterdir():
        for line in path.read_text().splitlines():
            kind, *numbers = line.split()
            x, y, w, h = map(float, numbers)
            assert kind == "0"
            assert x - w / 2 >= -1e-4
            assert y + h / 2 <= 1 + 1e-4
            assert min(w, h) > 0
    shards = sorted((tmp_path / "crops").iterdir())
    assert [path.name for path in shards] == ["00000.npz", "00001.npz"]
    first = dict(np.load(shards[0]))
    assert first["pixels"].shape == (len(first["kinds"]), CROP, CROP, 3)
    assert first["corners"].shape == (len(first["kinds"]), 4, 2)
    assert first["silhouettes"].shape == (len(first["kinds"]), 6, 2)
    assert set(first["kinds"].tolist()) <= {NO_SHAPE, CUBE, OCTAHEDRON}

    times = [path.stat().st_mtime_ns for path in shards]
    shards[1].unlink()
    make(tmp_path, 8, seed=4, artist=_Plain)
    assert shards[0].stat().st_mtime_ns == times[0], "what is there is kept"
    make(tmp_path / "again", 4, seed=4, artist=_Plain)
    again = np.load(tmp_path / "again" / "crops" / "00000.npz")
    assert all(np.array_equal(first[name], again[name]) for name in first), "the seed fixes the pictures"


def test_the_command_passes_on_how_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Ranges] = []
    monkeypatch.setattr(pictures, "make", lambda *a, bounds, **k: asked.append(bounds))  # type: ignore[misc]
    monkeypatch.chdir(tmp_path)
    for options in ("--heaps 0.5 --rows 1 --camouflage 0", "--tilt 22", "--most-tilt 32"):
        result = CliRunner().invoke(command, ["pictures", *options.split()])
        assert result.exit_code == 0, result.output
    assert asked == [
        replace(BOUNDS, heaps=0.5, rows=1.0, camouflage=0.0),
        replace(BOUNDS, tilt=(22.0, BOUNDS.tilt[1])),
        replace(BOUNDS, tilt=(BOUNDS.tilt[0], 32.0)),
    ]
    assert CliRunner().invoke(command, ["pictures", "--tilt", "40", "--most-tilt", "20"]).exit_code == 2
    assert CliRunner().invoke(command, ["pictures", "--strangers", "2"]).exit_code == 2


@pytest.mark.parametrize(
    "one", [evaluate, render_album, bench, live, *bench.commands.values(), *command.commands.values()],
    ids=lambda one: f"{one.name}",
)  # fmt: skip
def test_a_command_takes_every_option_that_it_has(one: click.Command) -> None:
    assert one.callback is not None
    takes, names = inspect.signature(one.callback), [str(option.name) for option in one.params]
    takes.bind(**dict.fromkeys([*names, "context"] if "context" in takes.parameters else names))


@pytest.mark.slow
def test_crops_of_things_that_are_no_dice_are_refused_ones_and_show_them() -> None:
    rng = np.random.default_rng(2)
    bounds = replace(BOUNDS, dice=(0, 0), distractors=1.0, pixels=(50.0, 60.0))
    scene = next(
        one for one in (random_scene(rng, _Plain(), bounds) for _ in range(20)) if len(one.distractors) > 3
    )
    drawn = render(scene).pixels
    bare = render(replace(scene, distractors=())).pixels
    taken = [list(pictures._distractors(Pyramid(p), scene, [], np.random.default_rng(5))) for p in (drawn, bare)]
    assert [crop.kind for crop in taken[0]] == [NO_SHAPE] * pictures.DISTRACTORS
    for shown, empty in zip(*taken, strict=True):
        assert np.abs(shown.pixels.astype(float) - empty.pixels).mean() > 3, "the thing fills the crop"
    everywhere = [(0.0, 0.0, float(scene.view.width), float(scene.view.height))]
    assert not list(pictures._distractors(Pyramid(drawn), scene, everywhere, rng)), (
        "a die that it touches would be refused"
    )

"""Albums of rendered dice: labels that agree with the pictures, and the same album for a seed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from training.evaluate.run import evaluate
from training.synth import album
from training.synth.album import AMONG_DISTRACTORS, RANGES, make_album
from training.synth.dressers import SetWardrobe
from training.synth.lens import photograph
from training.synth.sampler import FACE_WORTH_READING, random_scene
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.picture import load_picture
from vision.reading import Alternative, DieReading, Reading, StageTimes
from vision.render.scene import Rendering, Scene, render

SMALL = replace(RANGES, width=320, height=240, pixels=(22.0, 44.0))


def _files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> tuple[DiceSet, Path, list[Rendering]]:
    """An album of cats, and what the renderer drew for it, the pictures that were not used among them."""
    drawn: list[Rendering] = []

    def watched(scene: Scene) -> Rendering:
        drawn.append(render(scene))
        return drawn[-1]

    cats, folder = find("cats"), tmp_path_factory.mktemp("album")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(album, "render", watched)
        make_album(cats, folder, 6, seed=3, ranges=SMALL)
    return cats, folder, drawn


@pytest.mark.slow
def test_an_album_has_the_form_that_evaluate_reads(rendered: tuple[DiceSet, Path, list[Rendering]]) -> None:
    cats, folder, _ = rendered
    assert (folder / "faces.txt").read_text().split() == list(cats.face_ids)
    assert sorted(p.name for p in (folder / "images").iterdir()) == [f"{n:04}.jpg" for n in range(6)]
    for path in (folder / "labels").iterdir():
        for line in path.read_text().splitlines():
            face, *numbers = line.split()
            assert 0 <= int(face) < 6
            assert len(numbers) in (4 + 6, 4 + 8), "a box and three or four corners"
            assert all(re.fullmatch(r"-?\d\.\d{5}", number) for number in numbers)


@pytest.mark.slow
def test_labels_say_what_the_renderer_drew(rendered: tuple[DiceSet, Path, list[Rendering]]) -> None:
    cats, folder, drawn = rendered
    used = [p for p in drawn if any(label.visible >= FACE_WORTH_READING for label in p.labels)]
    used = [
        p for p in used if all(v >= FACE_WORTH_READING or v < 0.25 for v in (x.visible for x in p.labels))
    ]
    assert len(used) == 6
    for number, picture in enumerate(used):
        lines = (folder / "labels" / f"{number:04}.txt").read_text().splitlines()
        shown = [label for label in picture.labels if label.visible >= FACE_WORTH_READING]
        assert len(lines) == len(shown)
        for line, label in zip(lines, shown, strict=True):
            face, *numbers = line.split()
            x, y, w, h = (float(n) * s for n, s in zip(numbers[:4], (320, 240, 320, 240), strict=True))
            assert cats.face_ids[int(face)] == label.key
            assert np.allclose((x - w / 2, y - h / 2, x + w / 2, y + h / 2), label.box, atol=0.02)
            corners = np.array(numbers[4:], float).reshape(-1, 2) * (320, 240)
            # The renderer counts from the first pixel's centre, pictures and readings from its corner.
            assert np.allclose(corners - 0.5, label.corners, atol=0.02)


def _lines(pixels: np.ndarray) -> np.ndarray:
    """What is drawn, whatever the light: each pixel's grey less that of its surroundings, in one row."""
    grey = pixels.mean(axis=2).astype(np.float32)
    return cv2.GaussianBlur(grey - cv2.GaussianBlur(grey, (0, 0), 12), (0, 0), 2).ravel()


def test_the_photographs_show_the_rendered_scenes(rendered: tuple[DiceSet, Path, list[Rendering]]) -> None:
    _, folder, drawn = rendered
    for path in sorted((folder / "images").iterdir()):
        taken = _lines(load_picture(path))
        alike = sorted(abs(float(np.corrcoef(taken, _lines(p.pixels))[0, 1])) for p in drawn)
        assert alike[-1] > max(0.5, 2 * alike[-2]), path.name


def test_a_reader_that_says_what_is_labelled_is_wholly_right(
    rendered: tuple[DiceSet, Path, list[Rendering]],
) -> None:
    cats, folder, _ = rendered
    pages = iter(sorted((folder / "labels").iterdir()))

    def truthful(pixels: np.ndarray) -> Reading:
        height, width = pixels.shape[:2]
        dice: list[DieReading] = []
        for line in next(pages).read_text().splitlines():
            face, *numbers = line.split()
            points = np.array(numbers[4:], float).reshape(-1, 2) * (width, height)
            (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
            key = cats.face_ids[int(face)]
            corners = tuple((float(x), float(y)) for x, y in points)
            shape, alternatives = Shape.CUBE if len(points) == 4 else Shape.OCTAHEDRON, (Alternative(key, 1.0),)
            dice.append(DieReading(shape, key, True, 1.0, alternatives, corners, (x0, y0, x1, y1)))
        return Reading(width, height, tuple(dice), StageTimes(0, 0, 0))

    summary = evaluate(folder, cats, truthful).summary()
    assert summary["accuracy"] == 1.0, "top faces lie within their dice's boxes"
    assert summary["invented"] == 0


@pytest.mark.slow
def test_the_seed_fixes_the_album_and_the_length_does_not_change_its_beginning(tmp_path: Path) -> None:
    fate = find("fate")
    for name, pictures, seed in (("a", 1, 5), ("b", 2, 5), ("c", 1, 6)):
        make_album(fate, tmp_path / name, pictures, seed, SMALL)
    a, b, c = (_files(tmp_path / name) for name in "abc")
    assert a.items() <= b.items()
    assert len(b) == len(a) + 2
    assert a["images/0000.jpg"] != c["images/0000.jpg"]


@pytest.mark.slow
@pytest.mark.parametrize("set_id", ["cats", "fate", "outback", "outlander", "pips"])
def test_every_shipped_set_can_be_dressed_and_rendered(set_id: str) -> None:
    dice_set = find(set_id)
    rng = np.random.default_rng(1)
    picture = render(random_scene(rng, SetWardrobe(dice_set), SMALL))
    assert photograph(picture.pixels, rng).shape == (240, 320, 3)
    assert picture.labels
    assert {label.shape for label in picture.labels} <= set(dice_set.shapes)
    assert {label.key for label in picture.labels} <= set(dice_set.face_ids)


@pytest.mark.slow
def test_an_album_among_strangers_labels_the_dice_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Scene] = []
    monkeypatch.setattr(album, "render", lambda scene: seen.append(scene) or render(scene))  # type: ignore[func-returns-value]
    small = replace(AMONG_DISTRACTORS, width=320, height=240, pixels=(22.0, 44.0))
    make_album(find("pips"), tmp_path, 4, seed=2, ranges=small)
    assert sum(bool(scene.distractors) for scene in seen) >= 3
    for labels in sorted((tmp_path / "labels").iterdir()):
        assert 1 <= len(labels.read_text().splitlines()) <= 3

"""Albums of rendered dice: labels that agree with the pictures, and the same album for a seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from training.evaluate.labels import ASIDE
from training.synth import album
from training.synth.album import AMONG_DISTRACTORS, RANGES, make_album
from training.synth.dressers import SetWardrobe
from training.synth.sampler import FACE_WORTH_READING, random_scene
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
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


@pytest.mark.slow
def test_the_seed_fixes_the_album_and_the_length_does_not_change_its_beginning(tmp_path: Path) -> None:
    fate = find("fate")
    for name, pictures, seed in (("a", 1, 5), ("b", 2, 5), ("c", 1, 6)):
        make_album(fate, tmp_path / name, pictures, seed, SMALL)
    a, b, c = (_files(tmp_path / name) for name in "abc")
    assert a.items() <= b.items()
    counted = [[name for name in one if not name.endswith(ASIDE)] for one in (a, b)]
    assert len(counted[1]) == len(counted[0]) + 2
    assert a["images/0000.jpg"] != c["images/0000.jpg"]


@pytest.mark.parametrize("set_id", ["cats", "fate", "outback", "outlander", "pips"])
def test_every_shipped_set_can_be_dressed(set_id: str) -> None:
    dice_set = find(set_id)
    dice = random_scene(np.random.default_rng(1), SetWardrobe(dice_set), SMALL).dice
    assert {die.shape for die in dice} <= set(dice_set.shapes)
    assert {die.key for die in dice} <= set(dice_set.face_ids)
    assert all(die.texture(die.top).colour.std() > 1 for die in dice)


@pytest.mark.parametrize("set_id", ["fate", "pips"])
def test_opposite_faces_of_drawn_numbered_dice_add_up_and_pairs_are_dealt_by_lot(set_id: str) -> None:
    dice_set = find(set_id)
    shape = dice_set.shapes[0]
    rng, sides = np.random.default_rng(1), shape.faces
    dealt = {SetWardrobe(dice_set).dress(rng, shape, 16).keys for _ in range(9)}
    assert len(dealt) > 6
    for faces in dealt:
        net = [int(faces[place]) for place in shape.net]
        assert sorted(net) == list(range(1, sides + 1))
        assert {one + other for one, other in zip(net, reversed(net), strict=True)} == {sides + 1}


@pytest.mark.slow
def test_an_album_among_strangers_labels_the_dice_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Scene] = []
    monkeypatch.setattr(album, "render", lambda scene: seen.append(scene) or render(scene))  # type: ignore[func-returns-value]
    small = replace(AMONG_DISTRACTORS, width=320, height=240, pixels=(22.0, 44.0))
    make_album(find("pips"), tmp_path, 4, seed=2, ranges=small)
    assert sum(bool(scene.distractors) for scene in seen) >= 3
    for labels in sorted((tmp_path / "labels").glob("????.txt")):
        assert 1 <= len(labels.read_text().splitlines()) <= 3

"""The committed pictures of the second renderer: whole, and of the seed they say."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.evaluate.run import read_labels
from training.pathtrace.scene import random_scene
from vision.dicesets.library import find
from vision.picture import load_picture

FRAMES = Path(__file__).parent.parent / "frames" / "pathtrace"
SETS = sorted(path.name for path in FRAMES.iterdir() if path.is_dir())
LARGEST = 60_000


def _told(set_id: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FRAMES / set_id / "scenes.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("set_id", SETS)
def test_frames_are_three_small_pictures_of_six_dice(set_id: str) -> None:
    faces = dict(enumerate((FRAMES / set_id / "faces.txt").read_text().split()))
    assert tuple(faces.values()) == find(set_id).face_ids
    told = _told(set_id)
    assert len(told) == 3
    for scene in told:
        image = FRAMES / set_id / "images" / f"{scene['picture']}.jpg"
        assert image.stat().st_size <= LARGEST
        assert load_picture(image).shape == (480, 640, 3)
        labels = read_labels(FRAMES / set_id / "labels" / f"{image.stem}.txt", faces, 640, 480)
        assert [label.face for label in labels] == [die["face"] for die in scene["dice"]]
        assert len(labels) == 6


@pytest.mark.parametrize("set_id", SETS)
def test_a_frame_s_seed_still_gives_its_labels(set_id: str) -> None:
    pytest.importorskip("mitsuba", reason="scenes' materials are built by Mitsuba (extra proof)")
    dice_set = find(set_id)
    told = _told(set_id)[0]
    stream = [told["seed"], int(told["picture"]), told["attempt"], zlib.crc32(set_id.encode())]
    scene = random_scene(np.random.default_rng(stream), dice_set)
    lines = (FRAMES / set_id / "labels" / f"{told['picture']}.txt").read_text().splitlines()
    for line, label in zip(lines, scene.labels(), strict=True):
        mine = label.line(dice_set.face_ids.index(label.face), 640, 480)
        assert np.allclose(np.array(mine.split(), float), np.array(line.split(), float), atol=2e-4)

"""`tableside enroll` with real networks and rendered pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.cli.door import Said, tableside
from training.synth.dressers import SetWardrobe
from training.synth.sampler import Ranges, random_scene
from vision.detect.detector import Detector
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.render.scene import render, resting

FACES = ("emu", "koala")


@cache
def drawn(faces: tuple[str, ...], seed: int = 4) -> bytes:
    """A rendered picture (PNG) of one die for each of these faces, all of one make."""
    dice_set = find("outback")
    wardrobe = SetWardrobe(replace(dice_set, faces=tuple(one for one in dice_set.faces if one.id in FACES)))
    count = len(faces)
    ranges = Ranges(
        640, 480, dice=(count, count), pixels=(74.0, 76.0), tilt=(15.0, 25.0), clutter=0.0, distractors=0.0
    )
    rng = np.random.default_rng(seed)
    while True:
        scene = random_scene(rng, wardrobe, ranges)
        if len(scene.dice) != count:
            continue
        dice = []
        for die, face in zip(scene.dice, faces, strict=True):
            dressed = wardrobe.dress(np.random.default_rng(7), Shape.CUBE, 128)
            top = dressed.keys.index(face)
            rotation, _ = resting(Shape.CUBE, top, float(rng.uniform(0, 360)))
            worn = replace(die, rotation=rotation, top=top, key=face, texture=dressed.texture, depth=0.0)
            dice.append(worn)
        picture = render(replace(scene, dice=tuple(dice), overlays=()))
        if all(min(label.visible, label.whole) > 0.97 for label in picture.labels):
            return cv2.imencode(".png", picture.pixels)[1].tobytes()


def picture(path: Path, *faces: str, seed: int = 4) -> Path:
    path.write_bytes(drawn(faces, seed))
    return path


def enroll(*words: str | Path) -> Said:
    return tableside("enroll", *map(str, words))


@pytest.fixture(scope="module")
def network() -> Iterator[None]:
    """The detector is opened once for every command."""
    detector = Detector()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.detect.detector.Detector", lambda *_: detector)
        yield


@pytest.mark.slow
def test_two_faces_are_enrolled_listed_and_read(tmp_path: Path, folder: Path, network: None) -> None:
    emu, koala = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "k.png", "koala")
    made = enroll(
        "My Dice", "--shape", "d6", "--face", f"Emu={emu}", "--face", f"koala={koala}", "--blank", "nothing",
        "--title", "de:Meine Würfel", "--label", "de:emu=Der Emu", "--value", "emu=3", "--mark", "emu,koala",
        "--net", "d6=emu,emu,koala,koala,nothing,nothing",
    )  # fmt: skip
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("my-dice: 3 faces, 2 examples (emu 1, koala 1, nothing 0)")
    mine = find("my dice")
    assert mine.folder == folder / "dicesets" / "my-dice"
    assert (mine.face("emu").label("de"), mine.face("emu").value) == ("Der Emu", 3)
    assert (mine.name("de"), mine.marks) == ("Meine Würfel", (("emu", "koala"),))
    assert mine.net_for(Shape.CUBE) == ("emu", "emu", "koala", "koala", "nothing", "nothing")
    listed = tableside("sets").out
    assert "Meine" not in listed
    assert "my-dice      d6     3 faces, 3 pictures" in listed
    other = picture(tmp_path / "both.png", "koala", "emu", seed=12)
    read = tableside("read", "--set", "my-dice", "--json", str(other))
    assert sorted(die["face"] for die in read.json["dice"]) == ["emu", "koala"]


@pytest.mark.slow
def test_what_will_go_wrong_is_said_and_drawn_side_by_side(tmp_path: Path, network: None) -> None:
    emu, same = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "f.png", "emu", seed=8)
    words = ["--shape", "d6", "--face", f"emu={emu}", "--face", f"ostrich={same}"]
    told = enroll("mine", *words, "--json").json
    assert told["examples"] == {"emu": 1, "ostrich": 1}
    assert told["leave_one_out"]["accuracy"] is None
    assert told["alike"][0]["faces"] == ["emu", "ostrich"]
    (problem,) = told["problems"]
    assert problem["kind"] in ("same", "alike")
    assert problem["said"].startswith("emu ")
    more = enroll("mine", "--add", "--face", f"emu={same}", "--pictures", tmp_path / "side")
    assert more.out.startswith("mine: 2 faces, 3 examples (emu 2, ostrich 1)")
    assert "leaving each example out" in more.out
    assert "! emu" in more.out
    shown = cv2.imread(str(tmp_path / "side" / "emu-and-ostrich.png"))
    assert shown is not None
    assert shown.shape[1] > 280
    empty = np.random.default_rng(1).integers(90, 120, (480, 640, 3)).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "odd.png"), empty)
    refused = enroll("mine", "--add", "--face", f"koala={tmp_path / 'odd.png'}")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "tableside: odd.png: no die found; show a die with koala facing up\n"

"""`tableside enroll`, as a shell sees it: real networks, rendered pictures, one line for whatever does not fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from cli.main import main
from training.synth.dressers import SetWardrobe
from training.synth.sampler import Ranges, random_scene
from vision.detect import Detector
from vision.detection import Detection
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.enrol.shown import OUTLINES
from vision.render.scene import render, resting

FACES = ("emu", "koala")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "home"))
    return tmp_path / "home" / "dicesets"


@cache
def drawn(faces: tuple[str, ...], seed: int = 4) -> bytes:
    """A rendered picture (PNG) of one die for each of these faces, all of one make."""
    wardrobe = SetWardrobe(only(find("outback"), FACES))
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


def only(dice_set: DiceSet, faces: Sequence[str]) -> DiceSet:
    return replace(dice_set, faces=tuple(face for face in dice_set.faces if face.id in faces))


def picture(path: Path, *faces: str, seed: int = 4) -> Path:
    path.write_bytes(drawn(faces, seed))
    return path


@cache
def hand_alone() -> bytes:
    """A hand over an empty table."""
    rng = np.random.default_rng(3)
    wardrobe = SetWardrobe(find("outback"))
    hand = None
    while hand is None:
        hand = next(
            iter(random_scene(rng, wardrobe, Ranges(640, 480, dice=(0, 0), clutter=1.0)).overlays), None
        )
    empty = random_scene(rng, wardrobe, Ranges(640, 480, dice=(0, 0), clutter=0.0, distractors=0.0))
    return cv2.imencode(".png", render(replace(empty, overlays=(hand,))).pixels)[1].tobytes()


def ask(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, list[str]]:
    """Exit code, standard output, and the lines on standard error."""
    with pytest.raises(SystemExit) as left:
        main(list(map(str, words)))
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err.splitlines()


def enroll(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, list[str]]:
    return ask(capsys, "enroll", *words)


@pytest.mark.slow
def test_two_faces_are_enrolled_listed_and_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    emu, koala = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "k.png", "koala")
    code, out, err = enroll(
        capsys, "My Dice", "--shape", Shape.CUBE, "--face", f"Emu={emu}", "--face", f"koala={koala}",
        "--title", "de:Meine Würfel", "--label", "de:emu=Der Emu", "--value", "emu=3",
    )  # fmt: skip
    assert (code, err) == (0, [])
    assert out.startswith("my-dice: 2 faces, 2 examples (emu 1, koala 1)")
    mine = find("my dice")
    assert mine.folder == home / "my-dice"
    assert (mine.face("emu").label("de"), mine.face("emu").value) == ("Der Emu", 3)
    code, out, _ = ask(capsys, "sets")
    assert "Meine" not in out
    assert "my-dice      d6     2 faces, 2 pictures" in out
    other = picture(tmp_path / "both.png", "emu", "koala", "koala", seed=9)
    code, out, err = ask(capsys, "read", "--set", "my-dice", "--json", other)
    assert (code, err) == (0, [])
    assert sorted(die["face"] for die in json.loads(out)["dice"]) == ["emu", "koala", "koala"]


@pytest.mark.slow
@pytest.mark.parametrize("spoilt", [(0,), (2,), (1, 4)], ids=["the first", "one", "two"])
def test_an_outline_without_an_area_is_left_out_and_the_set_is_made(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    spoilt: tuple[int, ...],
) -> None:
    """The networks see a line instead of a face in some of the looks at each die: its first outline, or later ones."""
    looks = iter(range(1000))
    seen = Detector.faces

    def line(one: Detection, flat: bool) -> Detection:
        middle = one.corners.mean(axis=0)
        return replace(one, corners=middle + 0.002 * (one.corners - middle)) if flat else one

    def faces(self: Detector, *given: Any) -> tuple[Detection, ...]:
        flat = next(looks) % (OUTLINES + 1) + 1 in spoilt
        return tuple(line(one, flat) for one in seen(self, *given))

    def detect(self: Detector, *given: Any) -> tuple[Detection, ...]:
        return tuple(line(one, 0 in spoilt) for one in seen(self, given[0], self.boxes(given[0]), *given[1:]))

    emu, koala = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "k.png", "koala")
    with monkeypatch.context() as patch:
        patch.setattr(Detector, "faces", faces)
        patch.setattr(Detector, "detect", detect)
        code, out, err = enroll(
            capsys, "mine", "--shape", Shape.CUBE, "--face", f"emu={emu}", "--face", f"koala={koala}"
        )
    assert (code, err) == (0, [])
    assert out.startswith("mine: 2 faces, 2 examples")
    other = picture(tmp_path / "both.png", "emu", "koala", "koala", seed=9)
    code, out, err = ask(capsys, "read", "--set", "mine", "--json", other)
    assert (code, err) == (0, [])
    assert sorted(die["face"] for die in json.loads(out)["dice"]) == ["emu", "koala", "koala"]


@pytest.mark.slow
def test_json_says_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    emu, koala = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "k.png", "koala")
    code, out, _ = enroll(
        capsys, "mine", "--shape", Shape.CUBE, "--face", f"emu={emu}", "--face", f"koala={koala}", "--json"
    )
    assert code == 0
    told = json.loads(out)
    assert told["examples"] == {"emu": 1, "koala": 1}
    assert told["leave_one_out"]["accuracy"] is None
    assert told["alike"][0]["faces"] == ["emu", "koala"]
    code, out, _ = enroll(
        capsys, "mine", "--add", "--face", f"emu={picture(tmp_path / 'f.png', 'emu', seed=8)}", "--json"
    )
    assert code == 0
    assert json.loads(out)["examples"] == {"emu": 2, "koala": 1}


@pytest.mark.slow
def test_faces_alike_are_drawn_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    emu, same = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "f.png", "emu", seed=8)
    code, out, _ = enroll(
        capsys, "mine", "--shape", Shape.CUBE, "--face", f"emu={emu}", "--face", f"ostrich={same}",
        "--pictures", tmp_path / "side",
    )  # fmt: skip
    assert code == 0
    assert "'emu' and 'ostrich'" in out or "'emu' looks like 'ostrich'" in out
    shown = cv2.imread(str(tmp_path / "side" / "emu-and-ostrich.png"))
    assert shown is not None
    assert shown.shape[1] > 280


BAD = [
    "no die",
    "two faces",
    "a hand",
    "no picture",
    "one file for two faces",
    "no file",
    "no such shape",
    "no equals",
]


@pytest.mark.slow
@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_exit_2_and_no_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], home: Path, case: str
) -> None:
    emu, koala = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "k.png", "koala")
    odd = tmp_path / "odd.png"
    faces, shape, expected = [f"emu={emu}", f"koala={koala}"], Shape.CUBE, "odd.png"
    if case == "no die":
        cv2.imwrite(str(odd), np.random.default_rng(1).integers(90, 120, (480, 640, 3)).astype(np.uint8))
        faces[1], expected = f"koala={odd}", "odd.png: expected a die that shows 'koala', found no die"
    elif case == "two faces":
        faces[1], expected = (
            f"koala={picture(odd, 'emu', 'koala')}",
            "odd.png: expected dice that all show 'koala', found two",
        )
    elif case == "a hand":
        odd.write_bytes(hand_alone())
        faces[1], expected = f"koala={odd}", "odd.png: expected a die that shows 'koala', found no die"
    elif case == "no picture":
        faces[1], expected = "koala=", "expected a picture of the face 'koala', found none"
    elif case == "one file for two faces":
        faces[1], expected = f"koala={emu}", "e.png shows 'emu', given for 'koala', too"
    elif case == "no file":
        faces[1], expected = f"koala={tmp_path / 'gone.png'}", "gone.png: no such file"
    elif case == "no such shape":
        shape, expected = "d20", "d20"
    elif case == "no equals":
        faces[1], expected = str(koala), "NAME=PICTURE"
    code, out, err = enroll(capsys, "mine", "--shape", shape, "--face", faces[0], "--face", faces[1])
    assert (code, out) == (2, "")
    assert len(err) == 1
    assert err[0].startswith("tableside: ")
    assert expected in err[0]
    assert not home.exists() or not list(home.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "",
        "mine",
        "mine --shape d6",
        "mine --add --face a=b",
        "../x --shape d6 --face a=b --face c=d",
        "mine --shape d6 --face a=b --label c=d",
        "mine --shape d6 --face a=b --value a=x",
        "mine --shape d6 --face a=b --net d20=a",
    ],
)
def test_a_call_that_says_too_little_or_nonsense_is_one_line(
    capsys: pytest.CaptureFixture[str], home: Path, words: str
) -> None:
    code, out, err = enroll(capsys, *words.split())
    assert (code, out, len(err)) == (2, "", 1)
    assert not home.exists()


@pytest.mark.slow
def test_what_was_there_stays_when_a_replacement_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    emu, koala = picture(tmp_path / "e.png", "emu"), picture(tmp_path / "k.png", "koala")
    words = ["mine", "--shape", Shape.CUBE, "--face", f"emu={emu}", "--face", f"koala={koala}"]
    assert enroll(capsys, *words)[0] == 0
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert enroll(capsys, *words)[0] == 2
    assert enroll(capsys, *words[:-1], f"koala={tmp_path / 'gone.png'}", "--replace")[0] == 2
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before

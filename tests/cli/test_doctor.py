"""The doctor says what is missing, and nothing that it did not look at."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from cli import doctor
from tests.cli.door import tableside

FRAME = Path(__file__).parents[1] / "frames" / "pips" / "images" / "0000.jpg"


def test_what_is_missing_or_broken_on_this_computer_is_named(monkeypatch: pytest.MonkeyPatch, folder: Path):
    def missing(name: str) -> None:
        raise ValueError(f"expected the network {name}.onnx, found none")

    monkeypatch.setattr("vision.network.open_network", missing)
    monkeypatch.setattr(doctor, "PACKAGES", ("numpy", "no-such-package"))
    found = {finding.what: finding for finding in doctor.examine()}
    matches = found["your matches and sets"]
    assert matches.fine
    assert str(folder) in matches.words
    assert not folder.exists()
    assert (found["numpy"].fine, found["no-such-package"].fine) == (True, False)
    (folder / "dicesets" / "mine").mkdir(parents=True)
    (folder / "dicesets" / "mine" / "set.toml").write_text("this is no toml")
    said = tableside("doctor")
    assert said.code == 1
    assert "MISSING  network finder: expected the network finder.onnx, found none\n" in said.out
    (line,) = [line for line in said.out.splitlines() if line.startswith("MISSING  dice sets")]
    assert "mine" in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "code", "words"),
    [
        (1.0, 0, "ok       dice: Large enough. (smallest die"),
        (0.4, 1, "Too small: move the camera closer or choose 1920×1080. (smallest die"),
    ],
)
def test_dice_too_small_are_said_with_what_to_do(tmp_path: Path, scale: float, code: int, words: str):
    picture = cv2.imread(str(FRAME))
    assert picture is not None
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(tmp_path / "table.png"), small)
    said = tableside("doctor", "--camera", str(tmp_path))
    assert words in said.out
    assert said.out.count("IMPROVE") == said.code == code


def test_a_camera_that_is_not_there_is_one_line(tmp_path: Path):
    said = tableside("doctor", "--camera", str(tmp_path / "none"))
    assert said.code == 1
    assert said.out.startswith("IMPROVE  camera: ")
    assert "is not a camera: give a camera number" in said.out


@pytest.mark.slow
def test_opencv_writes_nothing_of_its_own_on_the_terminal():
    typed = [sys.executable, "-m", "cli.main", "doctor", "--camera", "97"]
    said = subprocess.run(typed, capture_output=True, text=True, check=False)
    assert "camera 97 does not open" in said.stdout
    assert said.stderr == ""

"""The doctor says what is missing, and nothing that it did not look at."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from cli import doctor
from cli.main import doors


def findings() -> dict[str, doctor.Finding]:
    return {finding.what: finding for finding in doctor.examine()}


def test_a_missing_network_is_named(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> None:
        raise ValueError(f"expected the network {name}.onnx, found none")

    monkeypatch.setattr("vision.network.open_network", missing)
    found = findings()["network finder"]
    assert (found.fine, found.words) == (False, "expected the network finder.onnx, found none")


def test_a_package_that_is_not_installed_is_named():
    assert not doctor._package("no-such-package").fine
    assert doctor._package("numpy").fine


@pytest.mark.slow
def test_the_folder_for_matches_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "not" / "yet"))
    found = findings()["your matches and sets"]
    assert found.fine
    assert str(tmp_path / "not" / "yet") in found.words
    assert not (tmp_path / "not").exists()


@pytest.mark.slow
def test_a_broken_dice_set_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    broken = tmp_path / "dicesets" / "mine"
    broken.mkdir(parents=True)
    (broken / "set.toml").write_text("this is no toml")
    found = findings()["dice sets"]
    assert not found.fine
    assert "mine" in found.words


def camera_folder(tmp_path: Path, scale: float) -> Path:
    picture = cv2.imread(str(Path(__file__).parents[1] / "frames" / "pips" / "images" / "0000.jpg"))
    assert picture is not None
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(tmp_path / "table.png"), small)
    return tmp_path


@pytest.mark.slow
def test_a_camera_near_enough_is_fine(tmp_path: Path):
    done = CliRunner().invoke(doors, ["doctor", "--camera", str(camera_folder(tmp_path, 1.0))])
    assert "IMPROVE" not in done.output
    assert "dice: 6 found, the smallest" in done.output
    assert done.exit_code == 0


@pytest.mark.slow
def test_dice_too_small_are_said_with_what_to_do(tmp_path: Path):
    done = CliRunner().invoke(doors, ["doctor", "--camera", str(camera_folder(tmp_path, 0.4))])
    (line,) = [line for line in done.output.splitlines() if line.startswith("IMPROVE")]
    assert line.endswith("px wide; move closer or choose 1920×1080: 28 px needed")
    assert done.exit_code == 1


def test_a_camera_that_is_not_there_is_one_line(tmp_path: Path):
    done = CliRunner().invoke(doors, ["doctor", "--camera", str(tmp_path / "none")])
    assert done.exit_code == 1
    assert done.output.startswith("IMPROVE  camera: expected a camera's number")


@pytest.mark.slow
def test_opencv_writes_nothing_of_its_own_on_the_terminal():
    typed = [sys.executable, "-m", "cli.main", "doctor", "--camera", "97"]
    said = subprocess.run(typed, capture_output=True, text=True, check=False)
    assert "camera 97 does not open" in said.stdout
    assert said.stderr == ""

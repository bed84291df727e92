"""The doctor says what is wrong and what to do, and nothing that it did not look at."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from table import checks
from table.checks import Check, Light, examine, worst
from tests.cli.door import tableside
from vision.camera.webcams import Webcam

FRAME = Path(__file__).parents[1] / "frames" / "pips" / "images" / "0000.jpg"


def found() -> dict[str, Check]:
    return {check.what: check for check in examine(("192.168.7.5",))}


def test_what_is_missing_or_broken_on_this_computer_is_named(monkeypatch: pytest.MonkeyPatch, folder: Path):
    def missing(name: str) -> None:
        raise ValueError(f"expected the network {name}.onnx, found none")

    monkeypatch.setattr("vision.network.open_network", missing)
    monkeypatch.setattr(checks, "PACKAGES", ("numpy", "no-such-package"))
    every = found()
    matches = every["Your matches and sets"]
    assert matches.light is Light.OK
    assert str(folder) in str(matches.words)
    assert not folder.exists(), "who only looks changes nothing"
    assert every["Libraries"].light is Light.BROKEN
    (folder / "dicesets" / "mine").mkdir(parents=True)
    (folder / "dicesets" / "mine" / "set.toml").write_text("this is no toml")
    said = tableside("doctor")
    assert said.code == 1
    assert "broken        Networks that read dice: expected the network finder.onnx, found none\n" in said.out
    assert f"{'':14}-> Install Tableside again.\n" in said.out
    (line,) = [line for line in said.out.splitlines() if line.startswith("broken        Dice sets")]
    assert "mine" in line


def test_whatever_is_not_fine_says_what_to_do(monkeypatch: pytest.MonkeyPatch, folder: Path):
    folder.mkdir()
    (folder / "tables.db").write_bytes(b"no database")
    (folder / "settings.toml").write_text('[network]\nport = "x"')
    monkeypatch.setattr("vision.camera.webcams.webcams", lambda: (Webcam("/dev/nowhere", "Cam"),))
    every = found()
    assert {every[one].light for one in ("Saved matches", "Settings")} == {Light.BROKEN}
    assert "line 2: network.port must be a whole number" in str(every["Settings"].words)
    assert every["Webcams"].light is Light.LOOK
    assert all((one.next is None) is (one.light is Light.OK) for one in every.values())
    assert worst([*every.values()]) is Light.BROKEN


def test_what_was_asked_for_in_the_settings_is_looked_for(monkeypatch: pytest.MonkeyPatch, folder: Path):
    with socket.socket() as silent, socket.socket() as listening:
        silent.bind(("127.0.0.1", 0))
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        folder.mkdir()

        def settings(broker: socket.socket, port: str) -> dict[str, Check]:
            (folder / "settings.toml").write_text(
                f'[mqtt]\nbroker = "mqtt://127.0.0.1:{broker.getsockname()[1]}"\n[scoreboard]\nport = "{port}"\n'
                "[voice]\nspeak = true\n[network]\nlan = true\n"
            )
            return found()

        monkeypatch.setattr("hardware.link.candidates", list)
        monkeypatch.setattr(checks, "speaker", lambda: None)
        bad = settings(silent, "auto")
        assert {bad[one].light for one in ("MQTT broker", "LED scoreboard", "Voice")} == {Light.LOOK}
        assert str(bad["LED scoreboard"].words) == "no USB port has one"
        monkeypatch.setattr("hardware.link.candidates", lambda: ["/dev/ttyUSB0"])
        monkeypatch.setattr(checks, "speaker", lambda: ("/usr/bin/espeak-ng",))
        good = settings(listening, "auto")
        assert {good[one].light for one in ("MQTT broker", "LED scoreboard", "Voice", "Phones and tablets")} == {
            Light.OK
        }
        assert "192.168.7.5" in str(good["Phones and tablets"].words)
        assert settings(listening, "/dev/ttyNowhere")["LED scoreboard"].light is Light.LOOK
        nowhere = {check.what: check for check in examine(())}
        assert nowhere["Phones and tablets"].light is Light.LOOK


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scale", "code", "words"),
    [
        (1.0, 0, "ok            Size of the dice: Large enough. Smallest die"),
        (0.4, 1, "Too small: move the camera closer or choose 1920×1080. Smallest die"),
    ],
)
def test_dice_too_small_are_said_with_what_to_do(tmp_path: Path, scale: float, code: int, words: str):
    picture = cv2.imread(str(FRAME))
    assert picture is not None
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(tmp_path / "table.png"), small)
    said = tableside("doctor", "--camera", str(tmp_path))
    assert words in said.out
    assert said.out.count("look at this") == said.code == code


def test_a_camera_that_is_not_there_is_one_line_and_what_to_do(tmp_path: Path):
    said = tableside("doctor", "--camera", str(tmp_path / "none"))
    assert said.code == 1
    assert said.out.startswith("broken        Camera: ")
    assert "is not a camera: give a camera number" in said.out
    assert len(said.out.splitlines()) == 2


@pytest.mark.slow
def test_opencv_writes_nothing_of_its_own_on_the_terminal():
    typed = [sys.executable, "-m", "cli.main", "doctor", "--camera", "97"]
    said = subprocess.run(typed, capture_output=True, text=True, check=False)
    assert "camera 97 does not open" in said.stdout
    assert said.stderr == ""

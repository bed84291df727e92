"""`tableside evaluate`, as a shell sees it; the networks are stood in for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from cli.main import main
from vision import reader
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.reading import Alternative, DieReading, Reading, StageTimes


class SeesASix:
    """A reader that is certain of one six in the middle of every picture."""

    def __init__(self, dice_set: DiceSet, weights: Path | None = None) -> None:
        assert dice_set.id == "pips"

    def read(self, pixels: NDArray[np.uint8]) -> Reading:
        corners = ((60.0, 40.0), (100.0, 40.0), (100.0, 80.0), (60.0, 80.0))
        six = DieReading(Shape.CUBE, "6", True, 0.9, (Alternative("6", 0.9),), corners, (55.0, 35.0, 105.0, 85.0))
        return Reading(pixels.shape[1], pixels.shape[0], (six,), StageTimes(8.0, 2.0, 10.0))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(reader, "Reader", SeesASix)
    home = tmp_path / "photos"
    for name in ("images", "labels"):
        (home / name).mkdir(parents=True)
    (home / "faces.txt").write_text("1\n2\n3\n4\n5\n6\n")
    for name, face in (("a", 5), ("b", 5), ("c", 3)):
        Image.new("RGB", (160, 120), "white").save(home / "images" / f"{name}.png")
        (home / "labels" / f"{name}.txt").write_text(f"{face} 0.5 0.5 0.3 0.4\n")
    return home


def _ask(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, list[str]]:
    with pytest.raises(SystemExit) as left:
        main(["evaluate", "--set", "pips", *map(str, words)])
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err.splitlines()


def test_the_figures_are_told_in_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _ask(capsys, folder)
    assert (code, err) == (0, [])
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "3 pictures, 3 dice"
    assert "right 2 66.7% of 3 dice" in lines
    assert "wrong 1" in lines
    place = lines.index("hands-free 2 66.7% of 3 rolls")
    assert lines[place + 1] == "certain and wrong 1 33.3% of 3 dice read"
    assert "asked about 0 0.0% of 3 dice read" in lines
    assert lines[-1] == "by size in pixels: 40–64: 66.7% of 3"


def test_json_is_one_object_with_every_count(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _ask(capsys, folder, "--json")
    assert (code, err) == (0, [])
    figures = json.loads(out)
    assert figures["folder"] == str(folder)
    assert figures["set"] == "pips"
    assert figures["accuracy"] == 0.6667
    assert figures["rolls_right"] == figures["hands_free"] == 2
    assert figures["asking_curve"][-1]["certain_and_wrong"] == 1
    assert (figures["missed"], figures["invented"], figures["uncertain_share"]) == (0, 0, 0.0)
    assert figures["confusion"] == {"4": {"6": 1}, "6": {"6": 2}}


def test_a_damaged_picture_is_left_out_named_and_told_by_the_exit_code(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "images" / "b.png").write_bytes(b"")
    code, out, err = _ask(capsys, folder, "--json")
    assert code == 2
    assert json.loads(out)["pictures"] == 2
    assert len(err) == 1
    assert "b.png" in err[0]


def test_a_report_is_written_where_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, _ = _ask(capsys, folder, "--report", folder.parent / "page")
    assert code == 0
    page = (folder.parent / "page" / "index.html").read_text("utf-8")
    assert "should be 4, read as 6 (90%, certain)" in page
    assert (folder.parent / "page" / "worst-01.jpg").is_file()


def test_a_folder_that_cannot_be_judged_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "faces.txt").write_text("emu\n")
    code, out, err = _ask(capsys, folder)
    assert (code, out, len(err)) == (2, "", 1)
    assert "emu" in err[0]

"""`tableside read`, as a shell sees it; the networks are stood in for."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zlib
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

SURE = DieReading(
    Shape.CUBE, "cat", True, 0.98765, (Alternative("cat", 0.98765), Alternative("dd", 0.01)),
    ((10.04, 10.0), (40.0, 10.0), (40.0, 40.0), (10.0, 40.0)), (8.0, 8.0, 44.44, 50.0),
)  # fmt: skip
ASKING = DieReading(
    Shape.OCTAHEDRON, "dd", False, 0.5, (Alternative("dd", 0.5), Alternative("sigil", 0.3), Alternative("cat", 0.2)),
    ((80.0, 10.0), (100.0, 40.0), (60.0, 40.0)), (58.0, 8.0, 102.0, 50.0),
)  # fmt: skip


class TwoDice:
    """A reader that sees the same two dice in every picture, and none in a black one."""

    def __init__(self, dice_set: DiceSet) -> None:
        assert dice_set.id == "cats"

    def read(self, pixels: NDArray[np.uint8]) -> Reading:
        height, width = pixels.shape[:2]
        return Reading(width, height, (SURE, ASKING) if pixels.any() else (), StageTimes(20.5, 4.25, 25.0))


@pytest.fixture(autouse=True)
def two_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "Reader", TwoDice)


def picture(path: Path, colour: str = "white") -> Path:
    Image.new("RGB", (160, 120), colour).save(path)
    return path


def ask(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, list[str]]:
    """Exit code, standard output, and the lines on standard error."""
    with pytest.raises(SystemExit) as left:
        main(["read", "--set", "cats", *map(str, words)])
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err.splitlines()


def test_a_picture_is_answered_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = picture(tmp_path / "a.png")
    assert ask(capsys, path) == (0, f"{path}: cat, dd? (50%, sigil 30%, cat 20%)\n", [])
    empty = picture(tmp_path / "b.png", "black")
    assert ask(capsys, empty) == (0, f"{empty}: no dice found\n", [])


def test_json_has_the_form_that_scripts_rely_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = picture(tmp_path / "a.jpg"), picture(tmp_path / "b.webp", "black")
    code, out, err = ask(capsys, "--json", first, second)
    assert (code, err) == (0, [])
    one, other = (json.loads(line) for line in out.splitlines())
    assert one == {
        "image": str(first),
        "width": 160,
        "height": 120,
        "dice": [
            {
                "face": "cat",
                "shape": Shape.CUBE,
                "certain": True,
                "confidence": 0.9877,
                "alternatives": [
                    {"face": "cat", "confidence": 0.9877},
                    {"face": "dd", "confidence": 0.01},
                ],
                "corners": [[10.0, 10.0], [40.0, 10.0], [40.0, 40.0], [10.0, 40.0]],
                "box": [8.0, 8.0, 44.4, 50.0],
            },
            {
                "face": "dd",
                "shape": Shape.OCTAHEDRON,
                "certain": False,
                "confidence": 0.5,
                "alternatives": [
                    {"face": "dd", "confidence": 0.5},
                    {"face": "sigil", "confidence": 0.3},
                    {"face": "cat", "confidence": 0.2},
                ],
                "corners": [[80.0, 10.0], [100.0, 40.0], [60.0, 40.0]],
                "box": [58.0, 8.0, 102.0, 50.0],
            },
        ],
        "ms": {"detect": 20.5, "identify": 4.25, "total": 25.0},
    }
    assert other["dice"] == []


def _huge() -> bytes:
    """A PNG of a few bytes that claims to have 100 megapixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _coded(side: int, form: str) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((side, side), 80).convert("RGB").save(buffer, form)
    return buffer.getvalue()


BAD = {
    "empty.jpg": (b"", "empty"),
    "cut.jpg": (_coded(200, "JPEG")[:-3000], "damaged"),
    "cut.png": (_coded(200, "PNG")[:-3000], "damaged"),
    "words.png": (b"not a picture\n" * 30, "something else"),
    "dot.png": (_coded(1, "PNG"), "1×1"),
    "huge.png": (_huge(), "10000×10000"),
}


@pytest.mark.parametrize("name", [*BAD, "missing.jpg"])
def test_a_bad_file_gets_one_line_and_exit_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / name
    content, word = BAD.get(name, (None, "no such file"))
    if content is not None:
        path.write_bytes(content)
    code, out, err = ask(capsys, "--json", path)
    assert (code, out) == (2, "")
    assert len(err) == 1
    assert err[0].startswith("tableside: ")
    assert name in err[0]
    assert word in err[0]


def test_a_folder_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = ask(capsys, tmp_path)
    assert code == 2
    assert len(err) == 1


def test_a_batch_goes_on_and_says_at_the_end_which_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = [picture(tmp_path / "a.png"), picture(tmp_path / "z.png")]
    broken = tmp_path / "cut.png"
    broken.write_bytes(BAD["cut.png"][0])
    code, out, err = ask(capsys, "--json", good[0], broken, tmp_path / "gone.png", good[1])
    assert code == 2
    assert [json.loads(line)["image"] for line in out.splitlines()] == [str(path) for path in good]
    assert len(err) == 3
    assert "2 of 4 pictures could not be read" in err[-1]
    assert str(broken) in err[-1]
    assert "gone.png" in err[-1]


def test_draw_writes_one_picture_or_a_folder_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = picture(tmp_path / "one.png"), picture(tmp_path / "two.jpg")
    assert ask(capsys, "--draw", tmp_path / "drawn.webp", one)[0] == 0
    with Image.open(tmp_path / "drawn.webp") as drawn:
        assert drawn.size == (160, 120)
        assert np.asarray(drawn).min() < 100, "something is drawn on the white picture"
    assert ask(capsys, "--draw", tmp_path / "all", one, two)[0] == 0
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["one.png", "two.png"]


def test_a_drawing_that_cannot_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = picture(tmp_path / "one.png")
    code, _, err = ask(capsys, "--draw", tmp_path / "drawn.xyz", one)
    assert code == 2
    assert len(err) == 1
    code, _, err = ask(capsys, "--draw", one / "inside" / "a.png", one)
    assert code == 2
    assert len(err) == 1


@pytest.mark.parametrize(
    "words",
    [["read", "--set", "cats"], ["read", "a.jpg"], ["read", "--set", "nope", "a.jpg"], ["read", "-x"]],
)
def test_a_call_that_says_too_little_or_nonsense_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.slow
def test_no_traceback_reaches_a_real_shell(tmp_path: Path) -> None:
    (tmp_path / "cut.jpg").write_bytes(BAD["cut.jpg"][0])
    shell = subprocess.run(
        [sys.executable, "-m", "cli.main", "read", "--set", "pips", str(tmp_path / "cut.jpg")],
        capture_output=True, text=True, check=False, timeout=300, cwd=Path(__file__).parents[2],
        env={**os.environ, "TABLESIDE_DATA": str(tmp_path)},
    )  # fmt: skip
    assert shell.returncode == 2
    assert shell.stdout == ""
    assert len(shell.stderr.splitlines()) == 1

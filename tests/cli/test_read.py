"""`tableside read`, as a shell sees it; the networks are stood in for."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.cli.door import Said, tableside
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


def read(*words: str | Path) -> Said:
    return tableside("read", "--set", "cats", *map(str, words))


def test_a_picture_is_answered_in_words(tmp_path: Path) -> None:
    path, empty = picture(tmp_path / "a.png"), picture(tmp_path / "b.png", "black")
    assert read(path) == Said(0, f"{path}: cat, dd? (50%, sigil 30%, cat 20%)\n", "")
    assert read(empty) == Said(0, f"{empty}: no dice found\n", "")


def test_json_has_the_form_that_scripts_rely_on(tmp_path: Path) -> None:
    first, second = picture(tmp_path / "a.jpg"), picture(tmp_path / "b.webp", "black")
    said = read("--json", first, second)
    assert (said.code, said.err) == (0, "")
    one, other = (json.loads(line) for line in said.out.splitlines())
    assert one == {
        "image": str(first), "width": 160, "height": 120,
        "dice": [
            {
                "face": "cat", "shape": "d6", "certain": True, "confidence": 0.9877,
                "alternatives": [{"face": "cat", "confidence": 0.9877}, {"face": "dd", "confidence": 0.01}],
                "corners": [[10.0, 10.0], [40.0, 10.0], [40.0, 40.0], [10.0, 40.0]], "box": [8.0, 8.0, 44.4, 50.0],
            },
            {
                "face": "dd", "shape": "d8", "certain": False, "confidence": 0.5,
                "alternatives": [
                    {"face": "dd", "confidence": 0.5}, {"face": "sigil", "confidence": 0.3},
                    {"face": "cat", "confidence": 0.2},
                ],
                "corners": [[80.0, 10.0], [100.0, 40.0], [60.0, 40.0]], "box": [58.0, 8.0, 102.0, 50.0],
            },
        ],
        "ms": {"detect": 20.5, "identify": 4.25, "total": 25.0},
    }  # fmt: skip
    assert other["dice"] == []


def damaged(kind: str) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((200, 200), 80).convert("RGB").save(buffer, kind)
    return buffer.getvalue()[:-3000]


def huge() -> bytes:
    """The head of a PNG that claims to have 100 megapixels."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)


BAD: dict[str, tuple[bytes | None, str]] = {
    "missing.jpg": (None, "does not exist"),
    "empty.jpg": (b"", "empty"),
    "cut.jpg": (damaged("JPEG"), "damaged"),
    "cut.png": (damaged("PNG"), "damaged"),
    "words.png": (b"not a picture\n" * 30, "is not a JPEG, PNG or WebP picture"),
    "huge.png": (huge() + bytes(500), ""),
    "folder": (None, "folder"),
}


def test_a_batch_goes_on_past_bad_files_says_why_and_at_the_end_which(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name, (content, _) in BAD.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    good = [picture(tmp_path / "a.png"), picture(tmp_path / "z.png")]
    said = read("--json", good[0], *(tmp_path / name for name in BAD), good[1])
    assert said.code == 2
    assert [json.loads(line)["image"] for line in said.out.splitlines()] == [str(path) for path in good]
    *each, last = said.err.splitlines()
    for (name, (_, word)), line in zip(BAD.items(), each, strict=True):
        assert line.startswith("tableside: ")
        assert name in line
        assert word in line
    assert f"{len(BAD)} of {len(BAD) + 2} pictures could not be read" in last
    assert all(str(tmp_path / name) in last for name in BAD)


def test_draw_writes_one_picture_or_a_folder_of_them(tmp_path: Path) -> None:
    one, two = picture(tmp_path / "one.png"), picture(tmp_path / "two.jpg")
    assert read("--draw", tmp_path / "drawn.webp", one).code == 0
    with Image.open(tmp_path / "drawn.webp") as drawn:
        assert drawn.size == (160, 120)
        assert np.asarray(drawn).min() < 100, "something is drawn on the white picture"
    assert read("--draw", tmp_path / "all", one, two).code == 0
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["one.png", "two.png"]
    for target in (tmp_path / "drawn.xyz", one / "inside" / "a.png"):
        said = read("--draw", target, one)
        assert (said.code, said.err.count("\n")) == (2, 1)

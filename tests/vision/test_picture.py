"""Files from anywhere: upright pictures, or one line that says what is wrong."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.picture import PictureError, load_picture


def _photo(width: int = 80, height: int = 60) -> Image.Image:
    ramp = np.zeros((height, width, 3), np.uint8)
    ramp[:, : width // 2] = (250, 10, 10)
    ramp[:, width // 2 :] = (10, 10, 250)
    return Image.fromarray(ramp)


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp"])
def test_the_three_formats_are_read_as_bgr(tmp_path: Path, name: str) -> None:
    _photo().save(tmp_path / name, quality=95)
    pixels = load_picture(tmp_path / name)
    assert pixels.shape == (60, 80, 3)
    assert pixels[30, 10, 2] > 200, "red on the left comes out in the last channel"
    assert pixels[30, 70, 0] > 200


def test_a_phone_held_sideways_gives_an_upright_picture(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90° clockwise to see it upright
    _photo().save(tmp_path / "turned.jpg", exif=exif, quality=95)
    pixels = load_picture(tmp_path / "turned.jpg")
    assert pixels.shape == (80, 60, 3)
    assert pixels[10, 30, 2] > 200, "what was left is now on top"


def test_clear_parts_are_laid_on_white(tmp_path: Path) -> None:
    Image.new("RGBA", (64, 64), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    assert load_picture(tmp_path / "clear.png").min() == 255


def _png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


def _cut_short() -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise((200, 200), 80).convert("RGB").save(buffer, "JPEG")
    return buffer.getvalue()[:-4000]


def _tiny() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (1, 1)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: b"", "empty"),
        (lambda: b"these are only words" * 20, "something else"),
        (lambda: b"GIF89a" + b"\0" * 300, "something else"),
        (_cut_short, "damaged"),
        (_tiny, "1×1"),
        (lambda: _png_that_claims(12_000, 9_000), "megapixels"),
        (lambda: _png_that_claims(60_000, 60_000), "megapixels"),
        (lambda: _png_that_claims(100, 100), "damaged"),
    ],
)
def test_what_is_no_picture_is_named_in_one_line(
    tmp_path: Path, make: Callable[[], bytes], words: str
) -> None:
    path = tmp_path / "given.jpg"
    path.write_bytes(make())
    with pytest.raises(PictureError) as refused:
        load_picture(path)
    assert "given.jpg" in str(refused.value)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        load_picture(tmp_path / "nowhere.png")
    with pytest.raises(PictureError, match="not a file"):
        load_picture(tmp_path)

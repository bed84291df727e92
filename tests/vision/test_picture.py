"""Files from anywhere: upright pictures, or one line that says what is wrong; and a reading drawn onto its picture."""

from __future__ import annotations

import contextlib
import io
import os
import re
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from vision.dicesets.shapes import Shape
from vision.picture import ASKING, SURE, PictureError, annotate, decode, load_picture, save_picture
from vision.reading import Alternative, DieReading, Reading, StageTimes


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


def of_many_scans(width: int, height: int, times: int) -> bytes:
    """A progressive JPEG of one grey whose short passes are told over and over."""
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), "grey").save(buffer, "JPEG", progressive=True)
    whole = buffer.getvalue()
    scans = [found.start() for found in re.finditer(rb"\xff\xda", whole)]
    return whole[: scans[-1]] + whole[scans[-1] : -2] * times + whole[-2:]


LOADING = """
import resource, sys, time
from pathlib import Path
from vision.camera.pushed import PictureRefusedError, PushedFrames
from vision.picture import PictureError, decode, load_picture
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = time.process_time()
path, phone = Path(sys.argv[1]), PushedFrames()
phone.open()
for load in (load_picture, lambda path: phone.push(path.read_bytes())):
    try:
        load(path)
        print("taken")
    except (PictureError, PictureRefusedError) as refused:
        print(refused)
print(time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def _loaded(path: Path) -> tuple[list[str], float, float]:
    """What came of a picture as a file and pushed, the seconds of processor that it took, and MB at most."""
    done = subprocess.run(
        [sys.executable, "-c", LOADING, str(path)], capture_output=True, text=True, timeout=300, check=True
    )
    *said, cost = done.stdout.splitlines()
    seconds, kilobytes = cost.split()
    return said, float(seconds), float(kilobytes) / 1024


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="asks how much memory a process took")
def test_a_jpeg_of_a_thousand_passes_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "scans.jpg"
    path.write_bytes(of_many_scans(4096, 2304, 1900))
    assert path.stat().st_size < 250_000
    said, seconds, megabytes = _loaded(path)
    assert len(said) == 2
    assert all(one.endswith(" would take too long to decode; use an ordinary picture") for one in said)
    assert seconds < 0.5  # 12 without the bound
    assert megabytes < 100


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="asks how much memory a process took")
def test_the_largest_picture_takes_a_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    Image.new("RGBA", (4000, 4000), (10, 20, 30, 128)).save(path)
    said, seconds, megabytes = _loaded(path)
    assert said[0] == "taken"
    assert "JPEG or WebP" in said[1]
    assert megabytes < 260  # 450 where it was converted whole
    assert seconds < 15


@pytest.mark.parametrize("progressive", [False, True])
def test_pictures_as_cameras_and_editors_make_them_are_read(tmp_path: Path, progressive: bool) -> None:
    thumbnail = io.BytesIO()
    _photo().save(thumbnail, "JPEG")
    exif = Image.Exif()
    exif[0x010E] = "a preview " * 3000
    path = tmp_path / "edited.jpg"
    noise = Image.effect_noise((640, 480), 80).convert("RGB")
    comment = thumbnail.getvalue() * 20  # whole pictures in a part that no decoder looks into
    noise.save(path, progressive=progressive, exif=exif, comment=comment, icc_profile=b"x" * 200_000)
    assert load_picture(path).shape == (480, 640, 3)


@pytest.mark.parametrize(
    "content", [b"\xff\xd8" + b"\xff" * 3_000_000, b"\xff\xd8" + b"\xff\xfe\0\2" * 1_000_000]
)
def test_what_only_begins_like_a_jpeg_is_looked_at_quickly(content: bytes) -> None:
    began = time.process_time()
    for given in (content, _coded(_photo(), "JPEG")[:-2] + content):
        with contextlib.suppress(PictureError):
            decode(given, "it")
    assert time.process_time() - began < 1


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_is_turned_as_pillow_turns_it(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    buffer = io.BytesIO()
    Image.effect_noise((70, 40), 80).convert("RGB").save(buffer, "PNG", exif=exif)
    upright = ImageOps.exif_transpose(Image.open(buffer))
    assert np.array_equal(decode(buffer.getvalue(), "it")[:, :, ::-1], np.asarray(upright))


def test_a_picture_taller_than_a_strip_is_whole() -> None:
    buffer = io.BytesIO()
    noise = Image.effect_noise((50, 700), 80)
    Image.merge("RGBA", (noise, noise, noise, noise)).save(buffer, "PNG")
    paper = Image.new("RGBA", noise.size, "white")
    expected = np.asarray(Image.alpha_composite(paper, Image.open(buffer).convert("RGBA")).convert("RGB"))
    assert np.array_equal(decode(buffer.getvalue(), "it")[:, :, ::-1], expected)


def _coded(image: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: b"", "empty"),
        (lambda: b"these are only words" * 20, "is not a JPEG, PNG or WebP picture"),
        (lambda: b"GIF89a" + b"\0" * 300, "is not a JPEG, PNG or WebP picture"),
        (lambda: _coded(Image.effect_noise((200, 200), 80), "JPEG")[:-4000], "damaged"),
        (lambda: _coded(Image.new("RGB", (1, 1)), "PNG"), "1×1"),
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
    with pytest.raises(PictureError, match="does not exist"):
        load_picture(tmp_path / "nowhere.png")
    with pytest.raises(PictureError, match="not a file"):
        load_picture(tmp_path)


SQUARE = ((40.0, 60.0), (100.0, 60.0), (100.0, 120.0), (40.0, 120.0))
TRIANGLE = ((250.0, 60.0), (290.0, 130.0), (210.0, 130.0))


def _die(corners: tuple[tuple[float, float], ...], *, certain: bool, face: str = "cat") -> DieReading:
    box = (corners[0][0] - 40, 50.0, corners[0][0] + 60, 140.0)
    shape = Shape.CUBE if len(corners) == 4 else Shape.OCTAHEDRON
    return DieReading(shape, face, certain, 0.6, (Alternative(face, 0.6),), corners, box)


def _drawn(*dice: DieReading, width: int = 320, height: int = 240) -> np.ndarray:
    blank = np.full((height, width, 3), 255, np.uint8)
    drawn = annotate(blank, Reading(width, height, dice, StageTimes(0, 0, 0)))
    assert (blank == 255).all(), "the picture that is given is left alone"
    return drawn


def _near(pixels: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return np.abs(pixels.astype(int) - colour).sum(axis=2) < 90


def test_outlines_follow_the_top_faces() -> None:
    drawn = _drawn(_die(SQUARE, certain=True), _die(TRIANGLE, certain=False))
    for x, y in ((70, 120), (40, 90), (100, 90)):
        assert _near(drawn[y - 2 : y + 3, x - 2 : x + 3], SURE).any(), (x, y)
    for x, y in ((250, 130), (270, 95), (230, 95)):
        assert _near(drawn[y - 3 : y + 4, x - 3 : x + 4], ASKING).any(), (x, y)
    assert (drawn[80:110, 50:90] == 255).all(), "the face itself stays to be seen"


def test_asking_is_told_by_more_words_and_not_by_colour_alone() -> None:
    def width_of_words(drawn: np.ndarray) -> int:
        return int(np.ptp(np.nonzero((drawn[30:58] < 60).all(axis=2))[1]))

    sure, asking = _drawn(_die(SQUARE, certain=True)), _drawn(_die(SQUARE, certain=False))
    assert width_of_words(asking) > width_of_words(sure) + 20, "a question mark and a share follow the name"


@pytest.mark.parametrize("size", [(32, 32), (64, 2000), (3000, 40)])
def test_dice_at_the_border_of_any_picture_can_be_drawn(size: tuple[int, int]) -> None:
    width, height = size
    beyond = ((-20.0, -9.0), (width + 50.0, -9.0), (width + 50.0, height + 30.0), (-20.0, height + 30.0))
    drawn = _drawn(_die(beyond, certain=False, face="monitor-lizard"), width=width, height=height)
    assert drawn.shape == (height, width, 3)


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "deeper/still/a.png"])
def test_pictures_are_written_as_their_names_say_in_their_true_colours(tmp_path: Path, name: str) -> None:
    pixels = np.zeros((60, 80, 3), np.uint8)
    pixels[..., 2] = 200  # red
    save_picture(pixels, tmp_path / name)
    assert np.abs(load_picture(tmp_path / name).astype(int) - pixels).max() < 12
    with Image.open(tmp_path / name) as written:
        assert {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}[written.format or ""] == name.split(".")[-1]


@pytest.mark.parametrize("name", ["a.xyz", "plain", "file/a.png"])
def test_a_name_or_place_that_will_not_do_is_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PictureError) as refused:
        save_picture(np.zeros((40, 40, 3), np.uint8), tmp_path / name)
    assert "\n" not in str(refused.value)
    assert name in str(refused.value)

"""Sets as files: what goes out comes in the same, and nothing that a stranger thought of gets further than one line."""

from __future__ import annotations

import io
import json
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.enrol.shots import enrolled, shots, wish
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import find, load, survey
from vision.dicesets.model import DiceSet
from vision.dicesets.package import import_set, packed
from vision.dicesets.shapes import Shape


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "home"))
    return tmp_path / "home" / "dicesets"


def said(dice_set: DiceSet) -> dict[str, object]:
    """Everything about a set but where it lies."""
    return {
        "title": dict(dice_set.title),
        "shapes": dice_set.shapes,
        "nets": dict(dice_set.nets),
        "marks": dice_set.marks,
        "credits": dice_set.attribution,
        "faces": [(f.id, dict(f.labels), f.value, f.aliases) for f in dice_set.faces],
        "pictures": [[(p.kind, p.shape, p.scale) for p in f.pictures] for f in dice_set.faces],
    }


def arrived(content: bytes, **how: object) -> DiceSet:
    return import_set(io.BytesIO(content), **how)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("set_id", ["cats", "fate", "outback", "outlander", "pips"])
def test_a_shipped_set_travels_whole(set_id: str) -> None:
    there = find(set_id)
    came = arrived(packed(there), name="guest")
    assert packed(there) == packed(there)
    assert (came.id, came.shipped) == ("guest", False)
    expected = said(there)
    got = said(came)
    assert {**got, "title": expected["title"] or got["title"]} == expected
    for face, other in zip(there.faces, came.faces, strict=True):
        for picture, copy in zip(face.pictures, other.pictures, strict=True):
            assert np.array_equal(picture.pixels(), copy.pixels())


def test_an_own_set_travels_with_its_examples(tmp_path: Path, home: Path) -> None:
    own = enrolled(wish(shots(tmp_path, 2))).dice_set
    content = packed(own)
    for face, other in zip(own.faces, arrived(content, name="yours").faces, strict=True):
        for picture, copy in zip(face.pictures, other.pictures, strict=True):
            assert picture.example is not None
            assert copy.example is not None
            assert copy.example.outlines == picture.example.outlines
            assert np.array_equal(copy.example.around(), picture.example.around())
    with pytest.raises(DiceSetError, match="a set named “mine” already exists; replace it or choose another name"):
        arrived(content)
    assert arrived(content, replacing=True).id == "mine"
    assert sorted(p.name for p in home.iterdir()) == ["mine", "yours"]


def png(side: int = 32, colour: int = 255) -> bytes:
    return cv2.imencode(".png", np.full((side, side, 4), colour, np.uint8))[1].tobytes()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_of(side: int, *, rows: bytes, extra: bytes = b"") -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + extra + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


TOML = 'id = "birds"\nshapes = ["d6"]\n[[faces]]\nid = "owl"\n[[faces]]\nid = "wren"\n'
GOOD = {"set.toml": TOML.encode(), "faces/owl/a.png": png(), "faces/wren/a.png": png(colour=9)}


def zipped(files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", how) as archive:
        for name, inner in files.items():
            archive.writestr(name, inner)
    return content.getvalue()


def good(files: dict[str, bytes] | None = None, /, **toml: str) -> bytes:
    """The good set with other files; `toml` replaces words of its set.toml."""
    text = TOML
    for old, new in toml.items():
        text = text.replace(old, new)
    return zipped({**GOOD, "set.toml": text.encode(), **(files or {})})


def test_the_form_that_the_hostile_ones_are_made_of_is_good() -> None:
    assert arrived(good()).face_ids == ("owl", "wren")


def added(entry: zipfile.ZipInfo | str, inner: bytes) -> bytes:
    """The good set with one entry more, whatever it is called."""
    content = io.BytesIO(good())
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(entry, inner)
    return content.getvalue()


def linked(target: str) -> bytes:
    entry = zipfile.ZipInfo("faces/owl/b.png")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return added(entry, target.encode())


def twice() -> bytes:
    with pytest.warns(UserWarning, match="Duplicate"):
        return added("faces/owl/a.png", png())


def encrypted() -> bytes:
    coded = bytearray(good())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := coded.find(signature, at + 1)) >= 0:
            coded[at + offset] |= 1
    return bytes(coded)


def lying() -> bytes:
    """The directory says that a bomb is small."""
    true, small = struct.pack("<I", 30_000_000), struct.pack("<I", 1000)
    return good({"faces/owl/b.png": b"\0" * 30_000_000}).replace(true, small)


SQUARE = [[1, 1], [30, 1], [30, 30], [1, 30]]


def index(**changes: object) -> bytes:
    one = {
        "face": "owl", "name": "enrolled-01", "shape": Shape.CUBE, "origin": "enrolled", "source": "a.jpg",
        "added": "2026-11-21T00:00:00Z", "side": 40.0, "spread": 0.01,
        "outlines": [SQUARE], "doubtful": False,
    }  # fmt: skip
    return json.dumps({"version": 1, "examples": [{**one, **changes}]}).encode()


def with_example(listed: bytes, around: bytes | None = None) -> bytes:
    files = {"faces/owl/enrolled-01.d6.png": png(), "examples.json": listed}
    return good({**files, "examples/owl/enrolled-01.png": png() if around is None else around})


def many(count: int, inner: bytes) -> bytes:
    return good({f"faces/owl/p{i}.png": inner for i in range(count)})


TEXT_BOMB = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * 50_000_000))
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "no archive": (lambda: b"hello", "the file is not a complete dice set (File is not a zip file)"),
    "empty": (lambda: b"", "the file is not a complete dice set (File is not a zip file)"),
    "cut": (lambda: good()[:-40], "the file is not a complete dice set (File is not a zip file)"),
    "an empty archive": (lambda: zipped({}), "the file is not a dice set: set.toml is missing"),
    "no set.toml": (lambda: zipped({"faces/owl/a.png": png()}), "the file is not a dice set: set.toml is missing"),
    "up and out": (lambda: good({"faces/../../../evil.png": b""}), "a dice set may contain only set.toml, examples"),
    "absolute": (lambda: good({"/etc/cron.d/evil": b""}), "a dice set may contain only set.toml, examples"),
    "a drive": (lambda: good({"C:\\evil.png": b""}), "a dice set may contain only set.toml, examples"),
    "backslashes": (lambda: good({"faces\\..\\evil.png": b""}), "a dice set may contain only set.toml, examples"),
    "code": (lambda: good({"setup.py": b"1"}), "a dice set may contain only set.toml, examples"),
    "a pickle": (lambda: good({"faces/owl/a.pkl": b"1"}), "a dice set may contain only set.toml, examples"),
    "hidden": (lambda: good({"faces/owl/.a.png": png()}), "a dice set may contain only set.toml, examples"),
    "a folder": (lambda: good({"faces/owl/": b""}), "a dice set may contain only set.toml, examples"),
    "control characters": (lambda: good({"faces/owl/a\n\x1b[2J.png": b""}), "a dice set may contain only"),
    "a link": (lambda: linked("/etc/passwd"), "a dice set may contain only set.toml, examples"),
    "one file twice": (twice, "the dice set contains “faces/owl/a.png” twice"),
    "encrypted": (encrypted, "“set.toml” is encrypted; save the dice set without a password"),
    "packed otherwise": (lambda: zipped(GOOD, zipfile.ZIP_LZMA), "Tableside cannot unpack “set.toml”"),
    "a bomb": (lambda: many(1, b"\0" * 30_000_000), "“faces/owl/p0.png” is too large"),
    "a bomb that lies": (lying, ""),
    "a bomb of text": (lambda: good({"set.toml": b"#" * 30_000_000}), "“set.toml” is too large"),
    "many small ones": (lambda: many(40, b"\0" * 4_000_000), "“faces/owl/p33.png” is too large"),
    "too many": (lambda: many(4100, b""), "the dice set contains 4103 files; at most 4000 are allowed"),
    "too large a file": (lambda: bytes(65 * 2**20), "at most 64 MiB"),
    "rubbish TOML": (lambda: good({"set.toml": b"\xff\xfe"}), "set.toml is not UTF-8 text (byte 0)"),
    "a path as id": (lambda: good(birds="../x"), "lower-case letters, digits and hyphens"),
    "a later form": (lambda: good({"set.toml": b"version = 2\n" + TOML.encode()}), "a newer Tableside"),
    "a cut picture": (lambda: good({"faces/owl/a.png": png()[:60]}), "is damaged, or is not an 8-bit PNG"),
    "an index of rubbish": (lambda: with_example(b"[[["), "examples.json is not valid JSON"),
    "an index of another form": (lambda: with_example(b'{"version": 9, "examples": []}'), "a newer Tableside"),
    "an example's path": (lambda: with_example(index(face="../owl")), "lower-case letters, digits and hyphens"),
    "an example's name": (lambda: with_example(index(name="../../x")), "lower-case letters, digits and hyphens"),
    "outlines of nothing": (lambda: with_example(index(outlines=[[[1, 1]] * 4])), "outlines of a d6"),
    "endless outlines": (lambda: with_example(index(outlines=[[[1, 9e999], *SQUARE[1:]]])), "outlines"),
    "outlines far away": (lambda: with_example(index(outlines=[[[1, 1e6], *SQUARE[1:]]])), "outlines"),
    "outlines of text": (lambda: with_example(index(outlines="ab")), "outlines"),
    "a side that is none": (lambda: with_example(index(side=True)), "a number"),
    "an example's huge picture": (lambda: with_example(index(), png_of(9000, rows=zlib.compress(b""))), "9000×9000"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_a_stranger_sends_is_refused_in_one_line_and_leaves_nothing(home: Path, case: str) -> None:
    spoil, expected = HOSTILE[case]
    with pytest.raises(DiceSetError) as refused:
        arrived(spoil())
    told = str(refused.value)
    assert expected in told
    assert "/tmp" not in told
    assert ".making-" not in told
    assert told.isprintable()
    assert not home.exists() or not list(home.iterdir())


def test_a_picture_that_carries_more_than_pixels_arrives_as_pixels() -> None:
    rows = zlib.compress(b"".join(b"\0" + b"\x40\x80\xc0\xff" * 32 for _ in range(32)))
    loaded = png_of(32, rows=rows, extra=TEXT_BOMB + chunk(b"eXIf", b"MM\0*GPS" * 20))
    (picture,) = arrived(good({"faces/owl/a.png": loaded})).face("owl").pictures
    kept = picture.path.read_bytes()
    assert b"zTXt" not in kept
    assert b"GPS" not in kept
    assert picture.pixels()[5, 5].tolist() == [0x40, 0x80, 0xC0, 0xFF]


def test_unknown_keys_of_a_stranger_are_not_kept() -> None:
    came = arrived(good({"set.toml": b'run = "rm -rf /"\n' + TOML.encode()}))
    assert "rm -rf" not in (came.folder / "set.toml").read_text()


def test_a_crash_while_importing_leaves_no_set_that_anyone_lists(home: Path) -> None:
    (home / ".making-x" / "birds").mkdir(parents=True)
    (home / ".making-x" / "set.toml").write_text(TOML)
    usable, faulty = survey()
    assert not faulty
    assert "birds" not in {one.id for one in usable}


def test_a_set_with_a_name_that_cannot_travel_is_not_exported(tmp_path: Path) -> None:
    folder = tmp_path / "birds"
    for name in ("owl", "wren"):
        (folder / "faces" / name).mkdir(parents=True)
        (folder / "faces" / name / "My Bird.png").write_bytes(png())
    (folder / "set.toml").write_text(TOML)
    with pytest.raises(DiceSetError, match="lower-case letters, digits and hyphens"):
        packed(load(folder))

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

from tests.vision.enrol.shots import PaperFinder
from tests.vision.enrol.test_enrol import shots, wish
from vision.dicesets.library import find, load
from vision.dicesets.model import DiceSet
from vision.dicesets.package import PackError, export_set, import_set
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.enrol import enrol


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


@pytest.mark.slow
@pytest.mark.parametrize("set_id", ["cats", "fate", "outback", "outlander", "pips"])
def test_a_shipped_set_travels_whole(tmp_path: Path, set_id: str) -> None:
    there = find(set_id)
    export_set(there, tmp_path / "one.tableside-set")
    export_set(there, tmp_path / "two.tableside-set")
    assert (tmp_path / "one.tableside-set").read_bytes() == (tmp_path / "two.tableside-set").read_bytes()
    came = import_set(tmp_path / "one.tableside-set", name="guest")
    assert came.id == "guest"
    assert not came.shipped
    expected = said(there)
    got = said(came)
    assert {**got, "title": expected["title"] or got["title"]} == expected
    for face, other in zip(there.faces, came.faces, strict=True):
        for picture, copy in zip(face.pictures, other.pictures, strict=True):
            assert np.array_equal(picture.pixels(), copy.pixels())


@pytest.mark.slow
def test_an_own_set_travels_with_its_examples(tmp_path: Path, home: Path) -> None:
    own = enrol(wish(shots(tmp_path, 2)), PaperFinder(), Matcher()).dice_set
    export_set(own, tmp_path)
    came = import_set(tmp_path / "mine.tableside-set", name="yours")
    for face, other in zip(own.faces, came.faces, strict=True):
        for picture, copy in zip(face.pictures, other.pictures, strict=True):
            assert picture.example is not None
            assert copy.example is not None
            assert copy.example.outlines == picture.example.outlines
            assert np.array_equal(copy.example.around(), picture.example.around())
    with pytest.raises(PackError, match="expected no set named 'mine'"):
        import_set(tmp_path / "mine.tableside-set")
    assert import_set(tmp_path / "mine.tableside-set", replacing=True).id == "mine"
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


def packed(path: Path, files: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_the_form_that_the_hostile_ones_are_made_of_is_good(tmp_path: Path) -> None:
    assert import_set(packed(tmp_path / "a", GOOD)).face_ids == ("owl", "wren")


def linked(path: Path, target: str) -> Path:
    with zipfile.ZipFile(packed(path, GOOD), "a") as archive:
        entry = zipfile.ZipInfo("faces/owl/b.png")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, target)
    return path


def twice(path: Path) -> Path:
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(packed(path, GOOD), "a") as archive:
        archive.writestr("faces/owl/a.png", png())
    return path


def encrypted(path: Path) -> Path:
    coded = bytearray(packed(path, GOOD).read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := coded.find(signature, at + 1)) >= 0:
            coded[at + offset] |= 1
    path.write_bytes(bytes(coded))
    return path


def lying(path: Path) -> Path:
    """The directory says that a bomb is small."""
    bomb = {**GOOD, "faces/owl/b.png": b"\0" * 30_000_000}
    coded = bytearray(packed(path, bomb).read_bytes())
    true, small = struct.pack("<I", 30_000_000), struct.pack("<I", 1000)
    path.write_bytes(bytes(coded).replace(true, small))
    return path


def cut(path: Path) -> Path:
    path.write_bytes(packed(path, GOOD).read_bytes()[:-40])
    return path


def many(path: Path) -> Path:
    return packed(path, {**GOOD, **{f"faces/owl/p{i}.png": b"" for i in range(4100)}})


SQUARE = [[1, 1], [30, 1], [30, 30], [1, 30]]


def index(**changes: object) -> bytes:
    one = {
        "face": "owl", "name": "enrolled-01", "shape": Shape.CUBE, "origin": "enrolled", "source": "a.jpg",
        "added": "2026-11-21T00:00:00Z", "side": 40.0, "spread": 0.01,
        "outlines": [SQUARE], "doubtful": False,
    }  # fmt: skip
    return json.dumps({"version": 1, "examples": [{**one, **changes}]}).encode()


def with_example(path: Path, listed: bytes, around: bytes | None = None) -> Path:
    files = {**GOOD, "faces/owl/enrolled-01.d6.png": png(), "examples.json": listed}
    return packed(path, {**files, "examples/owl/enrolled-01.png": png() if around is None else around})


TEXT_BOMB = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * 50_000_000))
HOSTILE: dict[str, tuple[Callable[[Path], object], str]] = {
    "no file": (lambda p: None, "expected a file, found none"),
    "no archive": (lambda p: p.write_text("hello"), "a damaged one"),
    "empty": (lambda p: p.write_bytes(b""), "a damaged one"),
    "cut": (cut, "a damaged one"),
    "an empty archive": (lambda p: packed(p, {}), "expected a set.toml"),
    "no set.toml": (lambda p: packed(p, {"faces/owl/a.png": png()}), "expected a set.toml"),
    "up and out": (lambda p: packed(p, {**GOOD, "faces/../../../evil.png": b""}), "found 'faces/../../../evil.png'"),
    "absolute": (lambda p: packed(p, {**GOOD, "/etc/cron.d/evil": b""}), "pictures of faces in it"),
    "a drive": (lambda p: packed(p, {**GOOD, "C:\\evil.png": b""}), "pictures of faces in it"),
    "backslashes": (lambda p: packed(p, {**GOOD, "faces\\..\\evil.png": b""}), "pictures of faces in it"),
    "code": (lambda p: packed(p, {**GOOD, "setup.py": b"1"}), "found 'setup.py'"),
    "a pickle": (lambda p: packed(p, {**GOOD, "faces/owl/a.pkl": b"1"}), "found 'faces/owl/a.pkl'"),
    "hidden": (lambda p: packed(p, {**GOOD, "faces/owl/.a.png": png()}), "pictures of faces in it"),
    "a folder": (lambda p: packed(p, {**GOOD, "faces/owl/": b""}), "pictures of faces in it"),
    "control characters": (lambda p: packed(p, {**GOOD, "faces/owl/a\n\x1b[2J.png": b""}), "owl/a??[2J.png'"),
    "a link": (lambda p: linked(p, "/etc/passwd"), "found 'faces/owl/b.png'"),
    "one file twice": (twice, "every file once"),
    "encrypted": (encrypted, "not encrypted"),
    "packed otherwise": (lambda p: packed(p, GOOD, zipfile.ZIP_LZMA), "stored or deflated"),
    "a bomb": (lambda p: packed(p, {**GOOD, "faces/owl/b.png": b"\0" * 30_000_000}), "expected at most 4194304 bytes"),
    "a bomb that lies": (lying, ""),
    "a bomb of text": (lambda p: packed(p, {**GOOD, "set.toml": b"#" * 30_000_000}), "expected at most 262144 bytes"),
    "many small ones": (
        lambda p: packed(p, {**GOOD, **{f"faces/owl/p{i}.png": b"\0" * 4_000_000 for i in range(40)}}),
        "expected at most",
    ),
    "too many": (many, "at most 4000 files"),
    "too large a file": (lambda p: _sparse(p, 65 * 2**20), "at most 64 MiB"),
    "rubbish TOML": (lambda p: packed(p, {**GOOD, "set.toml": b"\xff\xfe"}), "expected UTF-8"),
    "deep TOML": (lambda p: packed(p, {**GOOD, "set.toml": b"a = " + b"[" * 9000}), "expected TOML"),
    "a path as id": (
        lambda p: packed(p, {**GOOD, "set.toml": TOML.replace("birds", "../x").encode()}), "small letters"
    ),
    "a later form": (lambda p: packed(p, {**GOOD, "set.toml": b"version = 2\n" + TOML.encode()}), "a newer Tableside"),
    "a face without pictures": (lambda p: packed(p, {k: v for k, v in GOOD.items() if "wren" not in k}), "wren"),
    "no picture": (lambda p: packed(p, {**GOOD, "faces/owl/a.png": b"GIF89a" * 20}), "expected a PNG"),
    "a huge picture": (
        lambda p: packed(p, {**GOOD, "faces/owl/a.png": png_of(60_000, rows=zlib.compress(b""))}), "60000×60000",
    ),
    "a cut picture": (lambda p: packed(p, {**GOOD, "faces/owl/a.png": png()[:60]}), "does not decode"),
    "an index of rubbish": (lambda p: with_example(p, b"[[["), "expected JSON"),
    "an index of another form": (lambda p: with_example(p, b'{"version": 9, "examples": []}'), "a newer Tableside"),
    "an example's path": (lambda p: with_example(p, index(face="../owl")), "small letters"),
    "an example's name": (lambda p: with_example(p, index(name="../../x")), "small letters"),
    "outlines of nothing": (lambda p: with_example(p, index(outlines=[[[1, 1]] * 4])), "outlines of a d6"),
    "endless outlines": (lambda p: with_example(p, index(outlines=[[[1, 9e999], *SQUARE[1:]]])), "outlines"),
    "outlines far away": (lambda p: with_example(p, index(outlines=[[[1, 1e6], *SQUARE[1:]]])), "outlines"),
    "outlines of text": (lambda p: with_example(p, index(outlines="ab")), "outlines"),
    "a side that is none": (lambda p: with_example(p, index(side=True)), "a number"),
    "an example's huge picture": (
        lambda p: with_example(p, index(), png_of(9000, rows=zlib.compress(b""))), "9000×9000"
    ),
}  # fmt: skip


def _sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


@pytest.mark.slow
@pytest.mark.parametrize("case", HOSTILE)
def test_what_a_stranger_sends_is_refused_in_one_line_and_leaves_nothing(
    tmp_path: Path, home: Path, case: str
) -> None:
    spoil, expected = HOSTILE[case]
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "set.tableside-set"
    spoil(path)
    with pytest.raises(PackError) as refused:
        import_set(path)
    told = str(refused.value)
    assert expected in told
    assert str(path) in told
    assert ".making-" not in told
    assert told.isprintable()
    assert not home.exists() or not list(home.iterdir())
    assert [p.name for p in (tmp_path / "in").iterdir()] in ([], ["set.tableside-set"])


def test_a_picture_that_carries_more_than_pixels_arrives_as_pixels(tmp_path: Path) -> None:
    rows = zlib.compress(b"".join(b"\0" + b"\x40\x80\xc0\xff" * 32 for _ in range(32)))
    loaded = png_of(32, rows=rows, extra=TEXT_BOMB + chunk(b"eXIf", b"MM\0*GPS" * 20))
    came = import_set(packed(tmp_path / "a", {**GOOD, "faces/owl/a.png": loaded}))
    (picture,) = came.face("owl").pictures
    kept = picture.path.read_bytes()
    assert b"zTXt" not in kept
    assert b"GPS" not in kept
    assert picture.pixels()[5, 5].tolist() == [0x40, 0x80, 0xC0, 0xFF]


def test_unknown_keys_of_a_stranger_are_not_kept(tmp_path: Path) -> None:
    toml = TOML.replace('shapes = ["d6"]', 'shapes = ["d6"]\nrun = "rm -rf /"')
    came = import_set(packed(tmp_path / "a", {**GOOD, "set.toml": toml.encode()}))
    assert "rm -rf" not in (came.folder / "set.toml").read_text()


def test_a_crash_while_importing_leaves_no_set_that_anyone_lists(tmp_path: Path, home: Path) -> None:
    (home / ".making-x" / "birds").mkdir(parents=True)
    (home / ".making-x" / "set.toml").write_text(TOML)
    from vision.dicesets.library import survey

    usable, faulty = survey()
    assert not faulty
    assert "birds" not in {s.id for s in usable}


def test_a_set_with_a_name_that_cannot_travel_is_not_exported(tmp_path: Path) -> None:
    folder = tmp_path / "birds"
    for name in ("owl", "wren"):
        (folder / "faces" / name).mkdir(parents=True)
        (folder / "faces" / name / "My Bird.png").write_bytes(png())
    (folder / "set.toml").write_text(TOML)
    with pytest.raises(PackError, match="small letters"):
        export_set(load(folder), tmp_path / "out.tableside-set")
    assert not list(tmp_path.glob("*.tableside-set"))
    assert not list(tmp_path.glob(".*part"))


def test_an_archive_in_memory_is_what_zipfile_reads(tmp_path: Path) -> None:
    export_set(find("cats"), tmp_path / "cats.tableside-set")
    with zipfile.ZipFile(io.BytesIO((tmp_path / "cats.tableside-set").read_bytes())) as archive:
        assert archive.testzip() is None
        assert "set.toml" in archive.namelist()

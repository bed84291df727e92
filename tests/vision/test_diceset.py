"""Dice sets as folders: the six shipped ones, forgiving names, folders made wrong or on purpose."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from training.synth.unseen import pattern
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import available, find, load, survey
from vision.dicesets.model import FacePicture
from vision.dicesets.shapes import Shape

SHIPPED = {
    "outlander": ((Shape.CUBE, Shape.OCTAHEDRON), "claire jamie bjr laoghaire dougal geillis jenny murtagh"),
    "fate": ((Shape.OCTAHEDRON,), "1 2 3 4 5 6 7 8"),
    "cats": ((Shape.CUBE,), "cat two-cats sigil dd thoromyr manticore"),
    "outback": ((Shape.CUBE,), "emu kangaroo koala platypus monitor-lizard joker"),
    "pips": ((Shape.CUBE,), "1 2 3 4 5 6"),
    "pirates": ((Shape.CUBE,), "skull parrot anchor sabres coin gem"),
}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees the sets of whoever runs it."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "home"))
    (tmp_path / "home" / "dicesets").mkdir(parents=True)
    return tmp_path / "home" / "dicesets"


def png(side: int = 32, channels: int = 4) -> bytes:
    picture = np.full((side, side, channels), 200, np.uint8)
    return cv2.imencode(".png", picture)[1].tobytes()


TOML = """
id = "birds"
shapes = ["d6"]
[title]
en = "Birds"
[[faces]]
id = "owl"
labels = { en = "owl", de = "Eule" }
[[faces]]
id = "wren"
"""


def make(folder: Path, toml: str = TOML, faces: tuple[str, ...] = ("owl", "wren")) -> Path:
    for face in faces:
        (folder / "faces" / face).mkdir(parents=True)
        (folder / "faces" / face / "drawn.png").write_bytes(png())
    (folder / "set.toml").write_text(toml, encoding="utf-8")
    return folder


def ink(picture: FacePicture) -> np.ndarray:
    return (picture.pixels()[..., 3] > 127).astype(np.uint8)


@pytest.mark.parametrize("set_id", SHIPPED)
def test_a_shipped_set_has_the_faces_the_games_name(set_id: str) -> None:
    shapes, faces = SHIPPED[set_id]
    dice_set = find(set_id)
    assert (dice_set.shapes, dice_set.face_ids, dice_set.shipped) == (shapes, tuple(faces.split()), True)
    assert dice_set.attribution, "somebody drew these pictures"
    y, x = np.mgrid[:256, :256] - 127.5
    outside = np.hypot(x, y) > 128
    for picture in (picture for face in dice_set.faces for picture in face.pictures):
        assert picture.pixels().shape == (256, 256, 4)
        assert 0.01 < ink(picture).mean() < 0.95
        assert picture.path.stat().st_size < 32_000
        if Shape.OCTAHEDRON in shapes:
            assert not ink(picture)[outside].any(), "it leaves the circle inscribed in a d8's face"


def test_all_five_sets_are_there_and_none_is_faulty() -> None:
    assert {dice_set.id for dice_set in available()} == set(SHIPPED)
    assert survey()[1] == ()


@pytest.mark.parametrize("set_id", ["fate", "pips"])
def test_numbers_count_as_what_they_show_and_opposite_sides_add_up(set_id: str) -> None:
    dice_set = find(set_id)
    assert [face.value for face in dice_set.faces] == [int(face.id) for face in dice_set.faces]
    net = dice_set.net_for(dice_set.shapes[0])
    assert net is not None
    sums = {int(one) + int(other) for one, other in zip(net, reversed(net), strict=True)}
    assert sums == {dice_set.shapes[0].faces + 1}


def test_a_face_on_a_side_is_not_on_top_nor_is_the_one_opposite_where_that_is_known() -> None:
    pips, cube = find("pips"), Shape.CUBE
    assert pips.not_above("2", cube) == {"2", "5"}, "numbered dice are the usual ones"
    assert find("fate").not_above("8", Shape.OCTAHEDRON) == {"8", "1"}
    unnumbered = replace(pips, faces=tuple(replace(face, value=None) for face in pips.faces))
    assert unnumbered.not_above("2", cube) == set(), "nobody said what is on one die"
    told = replace(unnumbered, nets={cube: ("1", "3", "2", "4", "5", "6")})
    assert told.not_above("3", cube) == {"3", "5"}
    twice = replace(pips, nets={cube: ("1", "1", "2", "2", "3", "6")})
    assert (twice.not_above("1", cube), twice.not_above("6", cube), twice.not_above("3", cube)) == (set(), {"6"}, {"3"})
    assert replace(pips, nets={}).not_above("2", cube) == set()


def test_as_many_dots_or_cats_are_drawn_as_a_face_counts() -> None:
    counted = [(picture, face.value) for face in find("pips").faces for picture in face.pictures]
    for picture, count in (*counted, (find("cats").face("two-cats").pictures[0], 2)):
        assert cv2.connectedComponents(ink(picture))[0] - 1 == count, picture.path
    assert all(picture.scale == 1.0 for picture, _ in counted)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("set_id", "limit"), [("cats", 0.7), ("outback", 0.7), ("outlander", 0.7), ("fate", 0.9), ("pips", 0.9)]
)
def test_no_two_faces_look_alike_however_they_lie(set_id: str, limit: float) -> None:
    # Numerals and pips are what they are: a 5 is an 8 with two gaps. Emblems were chosen to differ.
    for shape in find(set_id).shapes:
        faces = [[p.pixels() for p in face.pictures_for(shape) if p.kind == "art"] for face in find(set_id).faces]
        turns = [cv2.getRotationMatrix2D((127.5, 127.5), 360 * k / shape.symmetry, 1) for k in range(shape.symmetry)]
        turned = [[[pattern(cv2.warpAffine(a, t, (256, 256))) for t in turns] for a in arts] for arts in faces]
        for one, other in combinations(turned, 2):
            assert max(float(a[0] @ view) for a in one for b in other for view in b) < limit


@pytest.mark.parametrize("set_id", SHIPPED)
def test_the_pictures_are_what_the_drawings_show(set_id: str) -> None:
    pytest.importorskip("resvg_py", reason="drawing needs the train extra")
    from training.synth.artwork import ART_SIDE, FITS, OVERSAMPLING, fitted, rasterise

    folder = find(set_id).folder
    drawing = sorted(folder.glob("drawings/*/*.svg"))[0]
    drawn = fitted(rasterise(drawing.read_text(encoding="utf-8"), ART_SIDE * OVERSAMPLING), FITS[set_id])
    kept = find(set_id).face(drawing.parent.name).pictures
    picture = next(each for each in kept if each.name == drawing.stem).pixels()
    assert np.abs(picture[..., 3].astype(int) - drawn[..., 3]).mean() < 1


@pytest.mark.parametrize(
    ("set_id", "said", "meant"),
    [
        ("outback", "Monitor  Lizard", "monitor-lizard"),
        ("outback", "KÄNGURU", "kangaroo"),
        ("outback", "emeu", "emu"),
        ("outback", "Schnabeltier", "platypus"),
        ("outback", "varan", "monitor-lizard"),
        ("cats", "two_cats", "two-cats"),
        ("cats", "dd", "dd"),
        ("outlander", "black jack randall", "bjr"),
        ("fate", "acht", "8"),
        ("pips", " 6 ", "6"),
    ],
)
def test_people_may_say_a_face_in_their_own_way(set_id: str, said: str, meant: str) -> None:
    assert find(set_id).resolve(said) == meant


@pytest.mark.parametrize("said", ["", "  ", "dog", "9", "c" * 5000])
def test_an_unknown_face_is_refused_with_the_faces_there_are(said: str) -> None:
    with pytest.raises(DiceSetError, match="its faces are cat, two-cats, sigil, dd, thoromyr") as refused:
        find("cats").resolve(said)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("name", ["", "nope", "../..", "/etc"])
def test_an_unknown_set_is_refused_with_the_sets_there_are(name: str) -> None:
    with pytest.raises(DiceSetError, match="available: cats, fate, outback, outlander, pips"):
        find(name)


def test_own_sets_are_found_and_a_broken_one_hides_nothing(own_folder: Path) -> None:
    make(own_folder / "birds")
    make(own_folder / "broken", "id = 3")
    assert find("Birds").resolve("eule") == "owl"
    assert not find("birds").shipped
    usable, faulty = survey()
    assert {dice_set.id for dice_set in usable} == {*SHIPPED, "birds"}
    assert "broken" in str(faulty[0])


def test_a_rectified_picture_is_of_its_shape_and_art_of_every_shape(tmp_path: Path) -> None:
    folder = make(tmp_path / "birds", TOML.replace('["d6"]', '["d6", "d8"]'))
    (folder / "faces" / "owl" / "mine.d8.png").write_bytes(png(48, 3))
    (folder / "faces" / "owl" / "notes.txt").write_text("not a picture")
    owl = load(folder).face("owl")
    drawn, mine = owl.pictures
    assert (drawn.kind, drawn.shape, mine.kind, mine.shape) == ("art", None, "face", Shape.OCTAHEDRON)
    assert owl.pictures_for(Shape.CUBE) == (drawn,)
    assert mine.pixels().shape == (48, 48, 3)


WRONG_TOML: dict[str, tuple[str, str]] = {
    "endless number": ("id = " + "9" * 5000, "is not valid TOML"),
    "not TOML": ("id = ", "is not valid TOML"),
    "nested too deeply": ("a = " + "[" * 5000, "is not valid TOML"),
    "key of too many parts": (".".join("a" * 9000) + " = 1", "a line has too many dots"),
    "another name": (TOML.replace('"birds"', '"fish"'), "the folder’s name, “birds”"),
    "id of a path": (TOML.replace('"owl"', '"../owl"'), "lower-case letters, digits and hyphens"),
    "id of a number": (TOML.replace('"wren"', "7"), "one line of text"),
    "unknown shape": (TOML.replace('"d6"', '"d20"'), "d6 and d8"),
    "shapes no list": (TOML.replace('["d6"]', '"d6"'), "a list"),
    "shape no text": (TOML.replace('["d6"]', "[[6]]"), "d6 and d8"),
    "one face": (TOML.split('[[faces]]\nid = "wren"')[0], "2 to 64 faces"),
    "faces no tables": ('id = "birds"\nshapes = ["d6"]\nfaces = [1, 2]', "a list of tables"),
    "faces twice": (TOML.replace('"wren"', '"owl"'), "a name that “owl” does not have"),
    "one name twice": (TOML + 'labels = { fr = "Eule" }', "a name that “owl” does not have"),
    "label a list": (TOML + "labels = { fr = [] }", "one line of text"),
    "label of two lines": (TOML + 'labels = { fr = "a\\nb" }', "one line of text"),
    "value a text": (TOML + 'value = "3"', "a whole number"),
    "scale a truth": ("art_scale = true\n" + TOML, "art_scale: expected a number from 0.2 to 1"),
    "scale too large": ("art_scale = 3.0\n" + TOML, "art_scale: expected a number from 0.2 to 1"),
    "scale not a number": ("art_scale = nan\n" + TOML, "art_scale: expected a number from 0.2 to 1"),
    "net too short": (TOML + '[nets]\nd6 = ["owl"]', "6 ids of faces"),
    "net of another shape": (TOML + "[nets]\nd8 = []", "a shape of this set"),
    "half a credit": (TOML + '[[attribution]]\nwork = "all"', "attribution 1: author"),
    "too long": (TOML + "#" * 300_000, "has 300,131 bytes; at most 262,144 are allowed"),
}


@pytest.mark.parametrize("case", WRONG_TOML)
def test_a_wrong_set_toml_is_refused_in_one_line_that_names_it(tmp_path: Path, case: str) -> None:
    toml, expected = WRONG_TOML[case]
    folder = make(tmp_path / "birds", toml)
    with pytest.raises(DiceSetError) as refused:
        load(folder)
    said = str(refused.value)
    assert str(folder / "set.toml") in said
    assert expected in said
    assert "\n" not in said


def huge_png() -> bytes:
    """A few bytes that claim to be 60,000 pixels square."""
    header = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))


WRONG_PICTURE: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda art: art.unlink(), "contains no PNG picture"),
    "empty": (lambda art: art.write_bytes(b""), "should be a PNG picture but is an empty file"),
    "no picture": (lambda art: art.write_text("GIF89a" * 20), "should be a PNG picture but is something else"),
    "claims to be huge": (lambda art: art.write_bytes(huge_png()), "has 60,000×60,000 pixels; it must be square"),
    "not square": (lambda art: cv2.imwrite(str(art), np.zeros((40, 20, 4), np.uint8)), "has 20×40 pixels; it must be"),
    "a speck": (lambda art: art.write_bytes(png(1)), "has 1×1 pixels; it must be square"),
    "no transparency": (lambda art: art.write_bytes(png(32, 3)), "must be a PNG drawing with transparency"),
    "too many bytes": (lambda art: art.write_bytes(png() + b"\0" * 5_000_000), "has 5,000,155 bytes; at most"),
    "a folder": (lambda art: (art.unlink(), art.mkdir()), "is not a file in the set’s folder"),
    "a link out of the folder": (
        lambda art: (art.rename(art.parents[3] / "away.png"), art.symlink_to(art.parents[3] / "away.png")),
        "is not a file in the set’s folder",
    ),
}


@pytest.mark.parametrize("case", WRONG_PICTURE)
def test_a_wrong_picture_is_refused_in_one_line_that_names_it(tmp_path: Path, case: str) -> None:
    spoil, expected = WRONG_PICTURE[case]
    folder = make(tmp_path / "birds")
    spoil(folder / "faces" / "owl" / "drawn.png")
    with pytest.raises(DiceSetError) as refused:
        load(folder)
    assert str(folder / "faces" / "owl") in str(refused.value)
    assert expected in str(refused.value)


def test_what_is_not_there_or_not_whole_is_refused_when_it_is_looked_at(tmp_path: Path) -> None:
    folder = make(tmp_path / "birds")
    (folder / "faces" / "owl" / "drawn.png").write_bytes(png()[:40])
    with pytest.raises(DiceSetError, match="is damaged, or is not an 8-bit PNG"):
        load(folder).face("owl").pictures[0].pixels()
    with pytest.raises(DiceSetError, match=r"does/not/exist/set\.toml does not exist"):
        load("does/not/exist")

"""Numerals are read by themselves, whatever their typeface, and count beside what the pictures say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from tests.vision.seen_faces import at
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.gallery import Gallery, upright_faces
from vision.identify import identify
from vision.ink import STRONGEST
from vision.network import WeightsError
from vision.numerals import NUMERALS, READ_AT, NumeralReader, written_on
from vision.rectify import FACE_SIZE, canonical_corners, turns
from vision.render.faces import FaceLook, compose

Pixels = NDArray[np.uint8]


@pytest.fixture(scope="module")
def reader() -> NumeralReader:
    return NumeralReader()


def written(text: str) -> Pixels:
    """A numeral (96, 96, 4) in the typeface that Pillow brings, which no training picture has."""
    image = Image.new("L", (96, 96))
    font = ImageFont.load_default(72)
    ImageDraw.Draw(image).text((48, 48), text, 255, font, anchor="mm", stroke_width=1)
    art = np.zeros((96, 96, 4), np.uint8)
    art[..., 3] = np.asarray(image)
    return art


def face(art: Pixels, shape: Shape) -> Pixels:
    """It on a die, as a slightly soft camera sees it, (64, 64, 3)."""
    look = FaceLook(body=(60.0, 90.0, 190.0), ink=(235.0, 240.0, 240.0), scale=1.0)
    drawn, _ = compose(art, shape, look, FACE_SIZE)
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.8), np.uint8)


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_numerals_are_read_in_every_turn(reader: NumeralReader, shape: Shape) -> None:
    wrong: list[tuple[str, str]] = []
    for numeral in "12345678":
        likely = reader.read(np.stack(list(turns(face(written(numeral), shape), shape))), shape)
        assert np.allclose(likely.sum(axis=1), 1, atol=1e-4)
        assert np.ptp(likely, axis=0).max() < 0.02, "all turns of a face count, whichever way it lies"
        wrong += [(numeral, NUMERALS[i]) for i in likely.argmax(axis=1).tolist() if NUMERALS[i] != numeral]
    assert not wrong


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_the_middle_of_a_triangle_is_looked_at_as_finely_as_a_square(shape: Shape) -> None:
    side = READ_AT[shape]
    blank = np.full((1, side, side, 3), 200, np.uint8)
    blank += np.random.default_rng(0).integers(0, 3, blank.shape, np.uint8)
    dot, middle = blank.copy(), canonical_corners(shape, side).mean(axis=0)
    x, y = np.rint(middle).astype(int).tolist()
    dot[0, y - 4 : y + 4, x - 4 : x + 4] = 20
    (ink,) = written_on(dot, shape)[:, 1]
    assert ink.shape == (FACE_SIZE, FACE_SIZE)
    assert np.argwhere(ink > STRONGEST / 2).mean(axis=0) == pytest.approx((FACE_SIZE - 1) / 2, abs=1)


def test_on_a_cube_nobody_knows_a_nine_from_a_six(reader: NumeralReader) -> None:
    nine = face(written("9"), Shape.CUBE)[None]
    assert NUMERALS[int(reader.read(nine, Shape.CUBE).argmax())] == "6"
    assert NUMERALS[int(reader.read(face(written("9"), Shape.OCTAHEDRON)[None], Shape.OCTAHEDRON).argmax())] == "9"


def test_ink_is_told_from_reflections_that_are_stronger() -> None:
    side = READ_AT[Shape.OCTAHEDRON]
    art = cv2.resize(written("4")[..., 3], (FACE_SIZE, FACE_SIZE)).astype(np.float32)[..., None] / 255
    grey = cv2.GaussianBlur(np.random.default_rng(4).normal(0, 900, (side, side)).astype(np.float32), (0, 0), 4)
    glass = np.clip(128 + grey, 20, 235)[..., None] * np.ones(3, np.float32)
    left, top = (round(float(at)) - FACE_SIZE // 2 for at in canonical_corners(Shape.OCTAHEDRON, side).mean(axis=0))
    middle = glass[top : top + FACE_SIZE, left : left + FACE_SIZE]
    middle += art * np.array([-30, 0, 30], np.float32)  # red ink, no brighter and no darker than the glass
    (ink,) = written_on(glass[None].astype(np.uint8), Shape.OCTAHEDRON)
    on_face = ink[0] != 0
    most, _, second = (abs(float(np.corrcoef(plane[on_face], art[..., 0][on_face])[0, 1])) for plane in ink)
    assert most < 0.3 < 0.8 < second


@pytest.mark.slow
def test_only_a_set_whose_faces_are_numerals_is_read(reader: NumeralReader, matcher: Matcher) -> None:
    fate = Gallery.of(find("fate"), matcher, reader).shapes[Shape.OCTAHEDRON]
    assert fate.numerals is not None
    assert tuple(NUMERALS[i] for i in fate.numerals.tolist()) == fate.faces
    for set_id in ("cats", "outback", "outlander", "pips"):
        shapes = Gallery.of(find(set_id), matcher, reader).shapes.values()
        assert shapes
        assert all(one.numerals is None for one in shapes)
    assert Gallery.of(find("fate"), matcher, reader).carries_numerals(Shape.OCTAHEDRON)
    assert not Gallery.of(find("fate"), matcher).carries_numerals(Shape.OCTAHEDRON)
    assert not Gallery.of(find("cats"), matcher, reader).carries_numerals(Shape.CUBE)


def test_a_set_in_which_a_numeral_comes_twice_is_only_compared(reader: NumeralReader) -> None:
    one, two = (np.stack([face(written(numeral), Shape.OCTAHEDRON)]) for numeral in "12")
    assert reader.numerals_of([one, two], Shape.OCTAHEDRON) is not None
    assert reader.numerals_of([one, two, one], Shape.OCTAHEDRON) is None


def test_numerals_are_known_though_a_soft_picture_hardly_shows_one_of_them(reader: NumeralReader) -> None:
    softness = dict.fromkeys("12345678", 1.6) | {"6": 5.0}
    soft = (cv2.GaussianBlur(face(written(of), Shape.OCTAHEDRON), (0, 0), by) for of, by in softness.items())
    pictures = [turns(np.asarray(one, np.uint8), Shape.OCTAHEDRON) for one in soft]
    assert reader.read(pictures[5], Shape.OCTAHEDRON).mean(axis=0).max() < 0.6
    numerals = reader.numerals_of(pictures, Shape.OCTAHEDRON)
    assert numerals is not None
    assert "".join(NUMERALS[i] for i in numerals.tolist()) == "12345678"


@pytest.mark.slow
def test_what_cannot_be_read_speaks_against_all_faces_alike(reader: NumeralReader, matcher: Matcher) -> None:
    gallery = Gallery.of(find("fate"), matcher, reader)
    cat = next(upright_faces(find("cats").faces[0].pictures[0], Shape.OCTAHEDRON))
    told, four = gallery.numerals(np.stack([cat, face(written("4"), Shape.OCTAHEDRON)]), Shape.OCTAHEDRON)
    assert np.ptp(told) < 0.7, "no numeral is twice as likely as another"
    assert told.max() < -1.5, "it is rather none of them"
    assert gallery.shapes[Shape.OCTAHEDRON].faces[int(four.argmax())] == "4"
    assert four.max() - np.sort(four)[-2] > 2
    assert 1.5 < four.max() < np.log(8) + 0.01, "a die of another set shows a four in one of eight throws, too"


class _Reads(NumeralReader):
    """Reads what it was told to, on every face."""

    def __init__(self, told: dict[str, float]) -> None:
        self.likely = np.array([told.get(numeral, 0.0) for numeral in NUMERALS], np.float32)

    def read(self, faces: Pixels, shape: Shape) -> NDArray[np.float32]:
        return np.tile(self.likely, (len(faces), 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("told", "shows", "certain"),
    [
        ({"4": 0.97, "7": 0.03}, "4", True),
        ({"7": 0.99, "4": 0.01}, "7", True),
        ({"4": 0.55, "7": 0.45}, "4", False),
    ],
    ids=["as it looks", "another one", "one of two"],
)
def test_what_is_read_outvotes_the_look_and_is_asked_about_where_it_may_be_another(
    matcher: Matcher, reader: NumeralReader, told: dict[str, float], shows: str, certain: bool
) -> None:
    gallery = replace(Gallery.of(find("fate"), matcher, reader), reader=_Reads(told))
    corners = canonical_corners(Shape.OCTAHEDRON, FACE_SIZE)
    (read,) = identify(matcher, gallery, face(written("4"), Shape.OCTAHEDRON), [at(corners, Shape.OCTAHEDRON)])
    assert (read.face, read.certain) == (shows, certain)
    assert read.written == pytest.approx(told[shows], abs=0.02)


def test_a_missing_network_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"numerals\.onnx"):
        NumeralReader(tmp_path)


def test_ink_is_the_same_in_other_colours_and_dark_on_light_or_light_on_dark() -> None:
    art = written("5")
    looks = [
        FaceLook(body=(60.0, 90.0, 190.0), ink=(235.0, 240.0, 240.0), scale=0.8),
        FaceLook(body=(230.0, 220.0, 225.0), ink=(160.0, 30.0, 20.0), scale=0.8),
    ]
    drawn = [compose(art, Shape.OCTAHEDRON, look, READ_AT[Shape.OCTAHEDRON])[0] for look in looks]
    ink = written_on(np.stack(drawn), Shape.OCTAHEDRON)
    assert np.abs(ink[0] - ink[1]).mean() < 0.05
    assert ink[0, :, 24:40, 24:40].max() > 1.5, "what there is less of is positive"

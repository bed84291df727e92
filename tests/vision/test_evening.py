"""Dice of this evening are known again, and one error breeds no others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.seen_faces import CREAM_ON_BLUE, at, seen, showing
from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher, Points
from vision.evening import MOST_OF_A_FACE, VOUCHED, Evening, known_by
from vision.foreign import OF_ITS_COLOUR
from vision.gallery import Gallery
from vision.identify import identify
from vision.reader import SURELY, Reader
from vision.reading import DieReading, Reading, StageTimes
from vision.rectify import canonical_corners


def towards(*parts: float) -> Points:
    """A die's one point, of length 1."""
    point = np.array([parts], np.float32)
    return point / np.linalg.norm(point)


def test_each_face_is_as_similar_as_its_likest_die_and_only_the_newest_count() -> None:
    evening = Evening()
    assert evening.similarities(Shape.CUBE, ["emu"], towards(1, 0)) is None
    evening.add(Shape.CUBE, "emu", towards(1, 0))
    evening.add(Shape.CUBE, "emu", towards(0, 1))
    assert evening.similarities(Shape.OCTAHEDRON, ["emu"], towards(1, 0)) is None
    told = evening.similarities(Shape.CUBE, ["koala", "emu"], towards(1, 0))
    assert told is not None
    assert told.tolist() == [-1.0, 1.0]
    for _ in range(MOST_OF_A_FACE):
        evening.add(Shape.CUBE, "emu", towards(0, 1))
    told = evening.similarities(Shape.CUBE, ["emu"], towards(1, 0))
    assert told is not None
    assert told.tolist() == [0.0]


def test_a_face_that_people_name_takes_away_what_looks_like_it_under_another_name() -> None:
    evening = Evening()
    evening.add(Shape.CUBE, "koala", towards(1, 0.1))
    evening.add(Shape.CUBE, "koala", towards(0, 1))
    evening.add(Shape.OCTAHEDRON, "koala", towards(1, 0))
    evening.add(Shape.CUBE, "emu", towards(1, 0))
    told = evening.similarities(Shape.CUBE, ["koala"], towards(1, 0))
    assert told is not None
    assert told[0] > 0.9, "one that was only read takes nothing away"
    evening.add(Shape.CUBE, "emu", towards(1, 0), named=True)
    told = evening.similarities(Shape.CUBE, ["koala", "emu"], towards(1, 0))
    assert told is not None
    assert told.tolist() == [0.0, 1.0]
    assert evening.similarities(Shape.OCTAHEDRON, ["koala"], towards(1, 0)) is not None


@pytest.mark.slow
def test_a_die_is_surer_once_its_like_was_seen_and_asked_about_if_that_has_another_name(matcher: Matcher) -> None:
    dice_set = find("outback")
    gallery = Gallery.of(dice_set, matcher)
    picture = dice_set.face("emu").pictures_for(Shape.CUBE)[0]
    first, again = (seen(picture.pixels(), Shape.CUBE, CREAM_ON_BLUE, picture.scale, turn) for turn in (0, 1))
    die = at(canonical_corners(Shape.CUBE, len(again)), Shape.CUBE)

    def read(evening: Evening | None) -> DieReading:
        return identify(matcher, gallery, again, [die], evening)[0]

    def evening_of(face: str) -> Evening:
        evening = Evening()
        evening.add(Shape.CUBE, face, known_by(matcher, first, read(None)))
        return evening

    alone, known, misled = read(None), read(evening_of("emu")), read(evening_of("koala"))
    assert (alone.face, known.face, known.certain) == ("emu", "emu", True)
    assert known.similarity > alone.similarity
    assert (misled.face, misled.certain) == ("emu", False), "the set's own pictures say what it is"


@pytest.mark.parametrize("similarity", [VOUCHED - 0.02, VOUCHED + 0.02])
def test_people_vouch_for_dice_that_look_no_less_like_their_pictures_until_one_is_misread(
    matcher: Matcher, similarity: float
) -> None:
    picture = find("outback").face("emu").pictures_for(Shape.CUBE)[0]
    pixels = seen(picture.pixels(), Shape.CUBE, CREAM_ON_BLUE, picture.scale, 0)
    die = at(canonical_corners(Shape.CUBE, len(pixels)), Shape.CUBE)

    def read(similar: float, evening: Evening, resembling: float = OF_ITS_COLOUR + 0.1) -> DieReading:
        return identify(matcher, showing(matcher, pixels, die, similar, resembling), pixels, [die], evening)[0]

    evening = Evening()
    odd = read(similarity, evening)
    assert (odd.face, odd.similarity, odd.certain) == ("emu", pytest.approx(similarity, abs=1e-3), False)
    evening.vouch(odd, "emu")
    assert not read(VOUCHED - 0.01, evening).certain, "people vouch for no die that looks quite unlike its pictures"
    assert not read(similarity - 0.01, evening).certain
    assert read(max(similarity, VOUCHED) + 0.005, evening).certain
    another = read(max(similarity, VOUCHED) + 0.005, evening, OF_ITS_COLOUR - 0.1)
    assert not another.certain, "nor for one with another drawing"
    evening.vouch(read(similarity, evening), "koala")
    assert not read(max(similarity, VOUCHED) + 0.005, evening).certain


@pytest.mark.slow
def test_a_reader_knows_again_what_people_named_or_it_was_sure_of_until_another_evening_or_set() -> None:
    outback = find("outback")
    reader = Reader(outback)
    picture = outback.face("emu").pictures_for(Shape.CUBE)[0]
    pixels = seen(picture.pixels(), Shape.CUBE, CREAM_ON_BLUE, picture.scale, 0)
    corners = tuple((float(x), float(y)) for x, y in canonical_corners(Shape.CUBE, len(pixels)))
    die = DieReading(Shape.CUBE, "emu", True, SURELY - 0.01, (), corners, (0.0, 0.0, 64.0, 64.0), VOUCHED)

    def known() -> bool:
        points = known_by(reader.matcher, pixels, die)
        evening = reader._evening  # pyright: ignore[reportPrivateUsage]
        return evening.similarities(Shape.CUBE, ["emu"], points) is not None

    def vouched(one: DieReading) -> bool:
        return reader._evening.vouches(one)  # pyright: ignore[reportPrivateUsage]

    reader.recognise(pixels, die, "emu")
    assert not known(), "not sure enough"
    for begin in (reader.begin_evening, lambda: reader.know(find("cats"))):
        reader.recognise(pixels, replace(die, confidence=SURELY), "emu")
        reader.know(outback)
        assert known(), "the same set, perhaps with another example"
        begin()
        assert not known()
        reader.know(outback)
    assert not vouched(die)
    reader.recognise(pixels, die, "emu", named=True)
    assert known()
    assert vouched(die)
    reader.recognise(pixels, die, "koala", named=True)
    assert not vouched(die)


def test_dice_that_counted_tell_how_the_table_lies_until_the_view_is_another() -> None:
    table, evening = Table(40, 200), Evening()
    solids = [table.solid(3, 0.7 + i, place) for i, place in enumerate(((-0.2, -0.1), (0.15, -0.12), (-0.1, 0.1)))]
    dice = [
        DieReading(
            Shape.OCTAHEDRON, "emu", True, 0.99, (), tuple((float(x), float(y)) for x, y in faces[0]), box_of(pixels)
        )
        for pixels, faces in solids
    ]  # fmt: skip

    def counted(*some: DieReading, size: tuple[int, int] = (WIDTH, HEIGHT)) -> None:
        evening.lay(Reading(*size, some, StageTimes(0.0, 0.0, 0.0)))

    counted(*dice[:2])
    assert evening.table(WIDTH, HEIGHT) is None, "two tell nothing"
    counted(dice[2])
    plane = evening.table(WIDTH, HEIGHT)
    assert plane is not None
    assert np.degrees(np.arccos(np.dot(plane.down, table.plane.down))) < 5
    assert evening.table(WIDTH // 2, HEIGHT // 2) is None, "a picture of another size"
    evening.view_changed()
    assert evening.table(WIDTH, HEIGHT) is None
    counted(*dice)
    assert evening.table(WIDTH, HEIGHT) is not None
    counted(dice[0], size=(WIDTH // 2, HEIGHT // 2))
    assert evening.table(WIDTH, HEIGHT) is None


def test_a_camera_that_was_moved_is_believed_after_as_many_dice_as_are_thrown_at_once() -> None:
    evening, places = Evening(), ((-0.2, -0.1), (0.15, -0.12), (-0.1, 0.1), (0.2, 0.08), (0.0, 0.0), (-0.3, 0.05))
    for table in (Table(40, 200), Table(20, 90)):
        for i, place in enumerate(places):
            pixels, faces = table.solid(4, 0.7 + i, place)
            corners = tuple((float(x), float(y)) for x, y in faces[0])
            die = DieReading(Shape.CUBE, "emu", True, 0.99, (), corners, box_of(pixels))
            evening.lay(Reading(WIDTH, HEIGHT, (die,), StageTimes(0.0, 0.0, 0.0)))
        plane = evening.table(WIDTH, HEIGHT)
        assert plane is not None
        assert np.degrees(np.arccos(np.dot(plane.down, table.plane.down))) < 5

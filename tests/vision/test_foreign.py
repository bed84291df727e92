"""Dice that hardly look like their pictures are doubted, unless dice beside them or their sides show whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.seen_faces import CREAM_ON_BLUE, RED_ON_CREAM, Says, at, painted, seen, showing
from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.bodies import faces_beside
from vision.comparer import Comparer
from vision.confidence import FEATURES, ConfidenceModel, logit
from vision.detection import Detection
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Calibration, Faces, Matcher, Points
from vision.foreign import (
    BESIDE,
    COSINE_COUNTS,
    IN_COMPANY,
    LIKE,
    ODD,
    OF_ITS_COLOUR,
    WITH_SIDES,
    in_company,
)  # fmt: skip
from vision.gallery import PAIRS, Embedded, Gallery
from vision.identify import identify
from vision.reader import Reader
from vision.reading import DieReading
from vision.rectify import canonical_corners, rectify
from vision.render.faces import FaceLook

NONE = np.empty((0, 64, 64, 3), np.uint8)
FAR = OF_ITS_COLOUR - 1


class Notes(Comparer):
    """A comparer to which the pictures of a face are the same by these log odds, and which notes what it compares."""

    def __init__(self, *log_odds: float) -> None:
        self._log_odds, self.compared = log_odds, list[tuple[int, int]]()

    def same(self, seen: Faces, shown: Faces) -> Points:
        self.compared += [(int(one[0, 0, 0]), int(other[0, 0, 0])) for one, other in zip(seen, shown, strict=True)]
        return np.array([self._log_odds[int(other[0, 0, 0])] for other in shown], np.float32)


def numbered(count: int) -> Faces:
    """Faces each of which is as grey as its number."""
    return np.arange(count, dtype=np.uint8).repeat(64 * 64 * 3).reshape(count, 64, 64, 3)


def test_the_pairs_of_looks_and_pictures_that_are_most_alike_tell_whether_they_are_the_same_drawing() -> None:
    own = Embedded(("emu", "koala"), np.eye(4, dtype=np.float32), np.array([0, 1]), None, numbered(4))
    notes = Notes(9.0, 1.0, 2.0, 6.0)
    gallery = Gallery(Calibration(), {Shape.CUBE: own}, comparer=notes)
    looks = np.array([[0.9, 0.1, 0.4, 0.3], [0.9, 0.2, 0.05, 0.5]], np.float32)
    assert gallery.same_drawing(numbered(1), looks[:1], Shape.CUBE, "koala") == 2.0
    assert notes.compared == [(0, 2)], "with one look the likest picture counts alone, and never another face's"
    notes.compared.clear()
    assert gallery.same_drawing(numbered(2), looks, Shape.CUBE, "koala") == 3.0
    assert notes.compared == [(1, 3), (0, 2), (0, 3), (1, 1), (0, 1), (1, 2)], "the likest first"
    notes.compared.clear()
    gallery.same_drawing(numbered(6), np.tile(looks, (3, 1)), Shape.CUBE, "koala")
    assert len(notes.compared) == PAIRS
    assert gallery.same_drawing(numbered(1), looks[:1], Shape.CUBE, "emu") == 9.0
    for less in (replace(gallery, comparer=None), replace(gallery, shapes={Shape.CUBE: replace(own, pictures=NONE)})):
        with pytest.raises(ValueError, match="no pictures to compare with"):
            less.same_drawing(numbered(1), looks[:1], Shape.CUBE, "emu")


@pytest.mark.parametrize(("resembling", "certain"), [(ODD[Shape.CUBE] - 0.1, False), (ODD[Shape.CUBE] + 0.1, True)])
def test_a_die_of_another_drawing_than_the_pictures_is_asked_about(
    matcher: Matcher, resembling: float, certain: bool
) -> None:
    emu = find("outback").face("emu").pictures_for(Shape.CUBE)[0]
    pixels = seen(emu.pixels(), Shape.CUBE, CREAM_ON_BLUE, emu.scale, 0)
    die = at(canonical_corners(Shape.CUBE, len(pixels)), Shape.CUBE)
    (read,) = identify(matcher, showing(matcher, pixels, die, 0.7, resembling), pixels, [die])
    assert (read.face, read.certain, read.odd) == ("emu", certain, not certain)
    (like,) = identify(matcher, showing(matcher, pixels, die, LIKE + 0.01, FAR), pixels, [die])
    assert like.certain, "it is like a picture, whatever is drawn there"
    gallery = Gallery.of(find("outback"), matcher, comparer=Says(FAR))
    assert identify(matcher, gallery, pixels, [die])[0].certain, "drawings are on neutral dice"


@pytest.mark.parametrize(
    ("alike", "drawings", "face", "certain"),
    [
        (0.68, (5.0, 5.0), "emu", False), (0.68, (7.0, 5.0), "emu", True), (0.68, (-2.0, 6.0), "koala", True),
        (0.5, (5.0, -5.0), "emu", True), (0.5, (4.0, 6.0), "emu", True), (0.5, (-20.0, 20.0), "emu", False),
        (0.3, (-2.0, 2.0), "emu", False),
    ],
)  # fmt: skip
def test_of_faces_that_are_about_as_alike_a_die_shows_the_one_that_is_drawn_on_it(
    matcher: Matcher, alike: float, drawings: tuple[float, float], face: str, certain: bool
) -> None:
    emu = find("outback").face("emu").pictures_for(Shape.CUBE)[0]
    pixels = seen(emu.pixels(), Shape.CUBE, CREAM_ON_BLUE, emu.scale, 0)
    die = at(canonical_corners(Shape.CUBE, len(pixels)), Shape.CUBE)
    gallery = showing(matcher, pixels, die, 0.7, 0.0, side=(rectify(pixels, die.corners), alike))
    shapes = {Shape.CUBE: replace(gallery.shapes[Shape.CUBE], pictures=numbered(2))}
    (read,) = identify(matcher, replace(gallery, shapes=shapes, comparer=Notes(*drawings)), pixels, [die])
    assert (read.face, read.certain) == (face, certain)


@pytest.mark.parametrize(("beside", "of_the_set"), [(BESIDE - 0.1, False), (BESIDE + 0.1, True)])
def test_a_side_that_shows_another_face_of_the_set_tells_that_a_die_is_of_the_set(
    matcher: Matcher, beside: float, of_the_set: bool
) -> None:
    emu, koala = (find("outback").face(name).pictures_for(Shape.CUBE)[0] for name in ("emu", "koala"))
    table = Table(40, 90)
    solids = [table.solid(4, 0.4 + i, place) for i, place in enumerate(((0.0, 0.0), (-0.2, -0.1), (0.2, 0.1)))]
    top = solids[0][1][0]
    side = max(faces_beside(table.plane, top), key=lambda one: cv2.contourArea(one.astype(np.float32)))
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for drawing, corners in ((emu, top), (koala, side)):
        painted(pixels, seen(drawing.pixels(), Shape.CUBE, CREAM_ON_BLUE, drawing.scale, 0), corners)
    dice = [
        replace(at(faces[0].astype(np.float32), Shape.CUBE), box=box_of(body), plane=table.plane)
        for body, faces in solids
    ]
    seen_beside = rectify(pixels, side)

    class Knows(Comparer):
        """A comparer to which the koala's picture shows the side, by `beside`, and all else resembles the top less."""

        def __init__(self, top: float) -> None:
            self._top = top

        def same(self, seen: Faces, shown: Faces) -> Points:
            koala = (np.stack([seen, shown], axis=1) == seen_beside).all(axis=(1, 2, 3, 4))
            same = np.where(koala, beside - COSINE_COUNTS * 0.5, self._top - COSINE_COUNTS * 0.7)
            return same.astype(np.float32)

    def read(dice: Sequence[Detection], top: float = WITH_SIDES + 0.1) -> DieReading:
        gallery = showing(matcher, pixels, dice[0], 0.7, 0.0, side=(seen_beside, 0.5))
        return identify(matcher, replace(gallery, comparer=Knows(top)), pixels, dice)[0]

    assert (read(dice).face, read(dice).certain) == ("emu", of_the_set)
    assert not read([replace(die, plane=None) for die in dice]).certain, "nobody knows where their sides are"
    assert not read(dice, WITH_SIDES - 0.1).certain, "it may be a face that no picture shows"


def test_a_die_that_has_the_colour_of_dice_that_are_plainly_of_the_set_is_of_the_set(matcher: Matcher) -> None:
    emu, koala = (find("outback").face(name).pictures_for(Shape.CUBE)[0] for name in ("emu", "koala"))
    corners = canonical_corners(Shape.CUBE, 64) + np.float32(20)
    dice = [at(corners + np.array([left, 0], np.float32), Shape.CUBE) for left in (0, 100, 200)]

    def read(resembling: float, look: FaceLook, known: float = 0.95, among: int = 3) -> bool:
        pixels = np.full((104, 304, 3), 90, np.uint8)
        for drawing, worn, left in ((emu, CREAM_ON_BLUE, 20), (koala, look, 120), (koala, look, 220)):
            pixels[20:84, left : left + 64] = seen(drawing.pixels(), Shape.CUBE, worn, drawing.scale, 0)
        beside = rectify(pixels, dice[1].corners)
        gallery = showing(matcher, pixels, dice[0], 0.7, resembling, side=(beside, known))
        odd, *others = identify(matcher, gallery, pixels, dice[:among])
        assert (odd.face, {one.face for one in others}) == ("emu", {"koala"})
        return odd.certain

    assert read(OF_ITS_COLOUR + 0.02, CREAM_ON_BLUE)
    assert not read(OF_ITS_COLOUR + 0.02, RED_ON_CREAM), "dice of another colour say nothing"
    assert not read(OF_ITS_COLOUR - 0.02, CREAM_ON_BLUE), "it may be a face that no picture shows"
    assert not read(OF_ITS_COLOUR + 0.02, CREAM_ON_BLUE, among=2), "one die beside it is not enough"
    assert not read(OF_ITS_COLOUR + 0.02, CREAM_ON_BLUE, known=0.69), "odd dice say nothing about each other"


@pytest.mark.parametrize(
    ("plainly", "alike", "of_the_set"),
    [
        (2, [IN_COMPANY], {0}), (2, [IN_COMPANY - 0.01], set()), (1, [IN_COMPANY], set()),
        (2, [IN_COMPANY, FAR], {0}), (2, [IN_COMPANY, FAR, FAR], set()), (3, [FAR, IN_COMPANY, IN_COMPANY], {1, 2}),
        (3, [], set()),
    ],
)  # fmt: skip
def test_a_die_needs_less_resemblance_among_dice_that_are_plainly_of_the_set(
    plainly: int, alike: Sequence[float], of_the_set: set[int]
) -> None:
    corners = tuple((float(x), float(y)) for x, y in canonical_corners(Shape.CUBE, 64))
    read = DieReading(Shape.CUBE, "emu", True, 0.99, (), corners, (0.0, 0.0, 64.0, 64.0), 0.5)
    dice = [read] * (len(alike) + plainly)
    faces = np.full((len(dice), 64, 64, 3), 128, np.uint8)
    faces[: len(alike)] = 40
    assert in_company(faces, dice, dict(enumerate(alike))) == of_the_set
    doubted = [*dice[: len(alike)], *(replace(one, confidence=0.9) for one in dice[len(alike) :])]
    assert not in_company(faces, doubted, dict(enumerate(alike))), "only dice that are surely read tell"


@pytest.mark.parametrize(("die", "odd", "left_out"), [(0.90, True, True), (0.97, True, False), (0.90, False, False)])
def test_what_looks_like_none_of_the_dice_is_asked_about_only_if_it_plainly_is_one(
    monkeypatch: pytest.MonkeyPatch, die: float, odd: bool, left_out: bool
) -> None:
    weights = (logit(die), *(0.0 for _ in FEATURES[1:]))
    reader = Reader(find("pips"), confidence=ConfidenceModel(weights, weights, 0.5, 0.5))
    found = at(canonical_corners(Shape.CUBE, 64), Shape.CUBE)
    corners = tuple((float(x), float(y)) for x, y in found.corners)
    read = DieReading(Shape.CUBE, "4", not odd, 0.99, (), corners, found.box, 0.6, odd=odd)
    monkeypatch.setattr(reader.detector, "detect", lambda *_, **__: (found,))
    monkeypatch.setattr("vision.reader.identify", lambda *_: [read])
    reading = reader.read(np.zeros((HEIGHT, WIDTH, 3), np.uint8))
    assert (len(reading.dice), len(reading.faint)) == ((0, 1) if left_out else (1, 0))
    assert not any(one.certain for one in (*reading.dice, *reading.faint) if odd)

"""Dice that hardly look like their pictures are doubted, unless dice beside them or their sides show whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.seen_faces import CREAM_ON_BLUE, RED_ON_CREAM, at, painted, seen, showing
from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.bodies import faces_beside
from vision.confidence import FEATURES, ConfidenceModel, logit
from vision.detection import Detection
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.foreign import BESIDE, IN_COMPANY, ODD, OF_ITS_COLOUR, WITH_SIDES, in_company, resemblance
from vision.gallery import Embedded
from vision.identify import identify
from vision.likeness import shrunk
from vision.reader import Reader
from vision.reading import DieReading
from vision.rectify import canonical_corners, rectify
from vision.render.faces import FaceLook


@pytest.mark.parametrize(
    ("similarity", "drawn", "strange"),
    [
        (0.65, "alike", True), (0.70, "alike", False), (0.71, "otherwise", True), (0.82, "otherwise", False),
        (0.84, "the other way round", True), (0.90, "the other way round", False),
    ],
)  # fmt: skip
def test_a_die_unlike_the_pictures_of_the_very_dice_is_strange(similarity: float, drawn: str, strange: bool) -> None:
    rng = np.random.default_rng(3)
    emu, koala, other = (np.kron(rng.uniform(60, 200, (8, 8, 1)), np.ones((8, 8, 3))) for _ in range(3))
    shown = {"alike": koala * 0.8, "otherwise": koala + other, "the other way round": 260 - koala}[drawn]
    seen_so = np.clip(shown, 0, 255).astype(np.uint8)
    points = np.eye(3, dtype=np.float32)
    looks = np.stack([shrunk(one.astype(np.uint8)) for one in (emu, koala)])
    enrolled = Embedded(("emu", "koala"), points[:2], np.array([0, 1]), None, looks)
    drawing = Embedded(("emu", "koala"), points[:2], np.array([0, 1]), None, looks[:0])
    corners = tuple((float(x), float(y)) for x, y in canonical_corners(Shape.CUBE, 64))
    read = DieReading(Shape.CUBE, "koala", True, 0.99, (), corners, (0.0, 0.0, 64.0, 64.0), similarity)
    seen_at = 0.5 * points[1:2] + 0.86 * points[2:]
    assert (resemblance(enrolled, read, seen_so[None], seen_at) < ODD) is strange
    assert resemblance(drawing, read, seen_so[None], seen_at) >= ODD
    closely = np.stack([seen_at[0], points[1]])
    both = np.stack([seen_so, koala.astype(np.uint8)])
    assert resemblance(enrolled, read, both, closely) >= ODD, "the best look counts"
    assert (enrolled.enrolled, drawing.enrolled) == (True, False)


@pytest.mark.parametrize(("shown", "strange"), [("koala", False), ("emu", True)])
def test_a_die_with_small_symbols_may_be_like_its_picture_in_close_up_alone(shown: str, strange: bool) -> None:
    faces, points = ("emu", "koala"), np.eye(3, dtype=np.float32)
    looks = np.random.default_rng(3).integers(60, 200, (2, 24, 24, 3), np.uint8)
    own = Embedded(faces, points[:2], np.array([0, 1]), None, looks, close=points[:2])
    corners = tuple((float(x), float(y)) for x, y in canonical_corners(Shape.OCTAHEDRON, 64))
    read = DieReading(Shape.OCTAHEDRON, "koala", True, 0.99, (), corners, (0.0, 0.0, 64.0, 64.0), 0.5)
    face, far = np.full((1, 64, 64, 3), 128, np.uint8), points[2:]
    assert resemblance(own, read, face, far) < ODD
    assert (resemblance(own, read, face, far, points[faces.index(shown)][None]) < ODD) is strange


@pytest.mark.parametrize(("alike", "of_the_set"), [(BESIDE - 0.02, False), (BESIDE + 0.02, True)])
def test_a_side_that_shows_another_face_of_the_set_tells_that_a_die_is_of_the_set(
    matcher: Matcher, alike: float, of_the_set: bool
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
    beside = rectify(pixels, side)

    def read(similarity: float, dice: Sequence[Detection]) -> DieReading:
        gallery = showing(matcher, pixels, dice[0], similarity, side=(beside, alike))
        return identify(matcher, gallery, pixels, dice)[0]

    assert (read(0.7, dice).face, read(0.7, dice).certain) == ("emu", of_the_set)
    assert not read(0.7, [replace(die, plane=None) for die in dice]).certain, "nobody knows where their sides are"
    assert not read(WITH_SIDES - 0.02, dice).certain, "it may be a face that no picture shows"


def test_a_die_that_has_the_colour_of_dice_that_are_plainly_of_the_set_is_of_the_set(matcher: Matcher) -> None:
    emu, koala = (find("outback").face(name).pictures_for(Shape.CUBE)[0] for name in ("emu", "koala"))
    corners = canonical_corners(Shape.CUBE, 64) + np.float32(20)
    dice = [at(corners + np.array([left, 0], np.float32), Shape.CUBE) for left in (0, 100, 200)]

    def read(similarity: float, look: FaceLook, known: float = 0.95, among: int = 3) -> bool:
        pixels = np.full((104, 304, 3), 90, np.uint8)
        for drawing, worn, left in ((emu, CREAM_ON_BLUE, 20), (koala, look, 120), (koala, look, 220)):
            pixels[20:84, left : left + 64] = seen(drawing.pixels(), Shape.CUBE, worn, drawing.scale, 0)
        beside = rectify(pixels, dice[1].corners)
        gallery = showing(matcher, pixels, dice[0], similarity, side=(beside, known))
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
        (2, [IN_COMPANY, 0.5], {0}), (2, [IN_COMPANY, 0.5, 0.5], set()), (3, [0.5, IN_COMPANY, IN_COMPANY], {1, 2}),
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

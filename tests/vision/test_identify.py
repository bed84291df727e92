"""Faces of shipped sets and of sets never seen before are told apart; strangers are doubted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from training.matcher.measure import Trial, calibrate
from vision.detection import Detection
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet, Face, FacePicture
from vision.dicesets.shapes import Shape
from vision.embedding import Calibration, Matcher
from vision.identify import (
    BESIDE,
    OF_ITS_COLOUR,
    ON_ITS_BODY,
    WITH_SIDES,
    Embedded,
    Gallery,
    confidences,
    identify,
    looks_for,
)
from vision.likeness import shrunk
from vision.network import WeightsError
from vision.plane import faces_beside
from vision.reading import UNKNOWN, DieReading
from vision.rectify import canonical_corners, rectify
from vision.render.faces import FaceLook, compose

RED_ON_CREAM = FaceLook(body=(200.0, 225.0, 235.0), ink=(40.0, 30.0, 150.0))
CREAM_ON_BLUE = FaceLook(body=(110.0, 50.0, 20.0), ink=(200.0, 235.0, 240.0))


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return Matcher()


def seen(art: NDArray[np.uint8], shape: Shape, look: FaceLook, scale: float, turn: int) -> NDArray[np.uint8]:
    """A face of 40 px from a slightly soft camera, its corners 2 % off."""
    texture, _ = compose(art, shape, FaceLook(look.body, look.ink, scale=scale), 40)
    texture = np.asarray(cv2.GaussianBlur(texture, (0, 0), 0.6), np.uint8)
    off = np.array([(0.8, -0.4), (-0.6, 0.7), (0.5, 0.6), (-0.7, -0.5)], np.float32)
    corners = canonical_corners(shape, 40)
    return rectify(texture, corners + off[: len(corners)], turn=turn)


def at(corners: NDArray[np.float32], shape: Shape) -> Detection:
    """A die whose top face was found there."""
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return Detection(shape, corners, 1.0, (x0, y0, x1, y1))


def read(matcher: Matcher, gallery: Gallery, view: NDArray[np.uint8], shape: Shape) -> DieReading:
    """What a rectified face (64, 64, 3) shows."""
    return identify(matcher, gallery, view, [at(canonical_corners(shape, len(view)), shape)])[0]


@pytest.mark.slow
def test_every_face_of_a_shipped_set_is_read_in_every_turn(matcher: Matcher) -> None:
    dice_set = find("outlander")
    gallery = Gallery.of(dice_set, matcher)
    asked: list[tuple[str, Shape, NDArray[np.uint8]]] = []
    for shape in dice_set.shapes:
        for face in dice_set.faces_for(shape):
            picture = face.pictures_for(shape)[0]
            for turn in range(shape.symmetry):
                look = (RED_ON_CREAM, CREAM_ON_BLUE)[turn % 2]
                asked.append((face.id, shape, seen(picture.pixels(), shape, look, picture.scale, turn)))
    found = [(truth, read(matcher, gallery, view, shape).face) for truth, shape, view in asked]
    assert not [pair for pair in found if pair[0] != pair[1]]


def own_set(folder: Path, kind: str) -> DiceSet:
    """Three faces that no icon collection has: strokes drawn by chance."""
    faces: list[Face] = []
    for index in range(3):
        rng = np.random.default_rng(100 + index)
        art = np.zeros((128, 128, 4), np.uint8)
        points = rng.integers(20, 108, (6, 2)).astype(np.int32)
        mask = np.zeros((128, 128), np.uint8)
        cv2.polylines(mask, [points], False, 255, 9, cv2.LINE_AA)
        art[..., 3] = mask
        if kind == "face":
            art, _ = compose(art, Shape.CUBE, RED_ON_CREAM, 128)
        path = folder / f"{index}.png"
        cv2.imwrite(str(path), art)
        picture = FacePicture(path, "art", None, 0.75) if kind == "art" else FacePicture(path, "face", Shape.CUBE)
        faces.append(Face(f"stroke-{index}", {"en": f"stroke {index}"}, None, (picture,)))
    return DiceSet("own", {"en": "Own"}, (Shape.CUBE,), tuple(faces), folder, {})


@pytest.mark.parametrize("kind", ["art", "face"])
def test_symbols_drawn_a_moment_ago_are_told_apart(kind: str, tmp_path: Path, matcher: Matcher) -> None:
    dice_set = own_set(tmp_path, kind)
    gallery = Gallery.of(dice_set, matcher)
    art_set = dice_set if kind == "art" else own_set_art(tmp_path)
    for index, face in enumerate(art_set.faces):
        look = RED_ON_CREAM if kind == "face" else CREAM_ON_BLUE
        for turn in range(4):
            view = seen(face.pictures[0].pixels(), Shape.CUBE, look, 0.75, turn)
            got = read(matcher, gallery, view, Shape.CUBE)
            assert got.face == f"stroke-{index}"
            assert got.alternatives[0].face == got.face
            assert sum(a.confidence for a in got.alternatives) <= 1


def own_set_art(folder: Path) -> DiceSet:
    place = folder / "art"
    place.mkdir(exist_ok=True)
    return own_set(place, "art")


@pytest.mark.slow
def test_what_is_on_no_face_of_the_set_is_not_believed(matcher: Matcher) -> None:
    pips = Gallery.of(find("pips"), matcher)
    strangers = [f.pictures[0] for f in find("outlander").faces]
    views = [seen(p.pixels(), Shape.CUBE, RED_ON_CREAM, p.scale, 0) for p in strangers]
    assert max(read(matcher, pips, view, Shape.CUBE).confidence for view in views) < 0.95


@pytest.mark.slow
def test_a_shape_that_the_set_has_not_is_unknown(matcher: Matcher) -> None:
    pips = Gallery.of(find("pips"), matcher)
    got = read(matcher, pips, np.zeros((64, 64, 3), np.uint8), Shape.OCTAHEDRON)
    assert (got.face, got.certain, got.alternatives) == (UNKNOWN, False, ())


@pytest.mark.slow
def test_points_lie_on_the_unit_sphere_whatever_the_number_of_faces(matcher: Matcher) -> None:
    faces = np.random.default_rng(0).integers(0, 256, (130, 64, 64, 3), dtype=np.uint8)
    points = matcher.embed(faces)
    assert points.dtype == np.float32
    assert np.allclose(np.linalg.norm(points, axis=1), 1, atol=1e-4)
    assert np.allclose(matcher.embed(faces[3:4]), points[3:4], atol=1e-3)
    assert matcher.embed(faces[:0]).shape == (0, points.shape[1])


def test_brightness_of_the_picture_does_not_matter(matcher: Matcher) -> None:
    picture = find("pips").faces[4].pictures[0]
    view = seen(picture.pixels(), Shape.CUBE, RED_ON_CREAM, picture.scale, 0)
    dim = (view * 0.6).astype(np.uint8)
    points = matcher.embed(np.stack([view, dim]))
    assert points[0] @ points[1] > 0.97


def test_confidence_is_shared_with_none_of_these() -> None:
    calibration = Calibration(temperature=0.05, unknown=0.5)
    similar = np.array([[0.9, 0.2, 0.1], [0.1, 0.05, 0.0], [0.8, 0.8, 0.0]], np.float32)
    believed = confidences(similar, calibration)
    assert believed[0, 0] > 0.99
    assert believed[1].sum() < 0.01
    assert believed[2, 0] == pytest.approx(believed[2, 1])
    assert (believed.sum(axis=1) <= 1).all()
    assert np.isfinite(confidences(similar * 1e4, calibration)).all()


@pytest.mark.parametrize(
    ("similarity", "drawn", "strange"),
    [
        (0.71, "alike", True), (0.75, "alike", False), (0.75, "otherwise", True), (0.82, "otherwise", False),
        (0.82, "the other way round", True), (0.86, "the other way round", False),
    ],
)  # fmt: skip
def test_a_die_unlike_the_pictures_of_the_very_dice_is_strange(similarity: float, drawn: str, strange: bool) -> None:
    rng = np.random.default_rng(3)
    emu, koala, other = (np.kron(rng.uniform(60, 200, (8, 8, 1)), np.ones((8, 8, 3))) for _ in range(3))
    shown = {"alike": koala * 0.8, "otherwise": koala + 1.5 * other, "the other way round": 260 - koala}[drawn]
    seen_so = np.clip(shown, 0, 255).astype(np.uint8)
    points = np.eye(2, dtype=np.float32)
    looks = np.stack([shrunk(one.astype(np.uint8)) for one in (emu, koala)])
    enrolled = Embedded(("emu", "koala"), points, np.array([0, 1]), None, looks)
    drawing = Embedded(("emu", "koala"), points, np.array([0, 1]), None, looks[:0])
    corners = tuple((float(x), float(y)) for x, y in canonical_corners(Shape.CUBE, 64))
    read = DieReading(Shape.CUBE, "koala", True, 0.99, (), corners, (0.0, 0.0, 64.0, 64.0), similarity)
    assert enrolled.strange(read, seen_so, points[1]) is strange
    assert not drawing.strange(read, seen_so, points[1])
    assert (enrolled.enrolled, drawing.enrolled) == (True, False)


def test_coloured_art_is_shown_in_its_own_colours() -> None:
    art = np.zeros((64, 64, 4), np.uint8)
    art[10:30, 10:50] = (250, 0, 0, 255)
    art[30:50, 10:50] = (0, 0, 250, 255)
    assert any(look.ink is None for look in looks_for(art, 0.8))


@pytest.mark.parametrize("faces", [np.zeros((64, 64, 3), np.uint8), np.zeros((1, 64, 64, 3), np.float32)])
def test_what_are_no_faces_is_refused(faces: NDArray[np.uint8], matcher: Matcher) -> None:
    with pytest.raises(ValueError, match="expected faces"):
        matcher.embed(faces)


def test_missing_weights_are_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"matcher\.onnx"):
        Matcher(tmp_path / "matcher.onnx")


@pytest.mark.slow
@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_a_die_with_wrong_corners_is_looked_at_beside_them(shape: Shape, matcher: Matcher) -> None:
    dice_set = find("outlander")
    gallery = Gallery.of(dice_set, matcher)
    picture = np.full((200, 200, 3), 90, np.uint8)
    place = canonical_corners(shape, 80) + 60
    art = dice_set.face("jenny").pictures[0]
    texture, _ = compose(art.pixels(), shape, FaceLook(RED_ON_CREAM.body, RED_ON_CREAM.ink, scale=0.7), 80)
    picture[60:140, 60:140] = texture
    off = place + np.array([18, -5], np.float32)  # so far that the first look is not sure
    points = matcher.embed(rectify(picture, off)[None])
    again, right = identify(matcher, gallery, picture, [at(off, shape), at(place, shape)])
    assert again.face == "jenny"
    assert again.similarity > gallery.shapes[shape].similarities(points).max()
    assert right.face == "jenny"
    assert identify(matcher, gallery, picture, []) == []


@pytest.mark.slow
def test_a_calibrated_confidence_is_right_as_often_as_it_says() -> None:
    rng = np.random.default_rng(8)
    dice: list[Trial] = []
    for _ in range(600):
        similar = rng.normal(0.3, 0.1, 6).astype(np.float32)
        truth = int(rng.integers(6))
        similar[truth] = rng.normal(0.8, 0.12)
        foreign = rng.random() < 0.1
        if foreign:
            similar[truth] = rng.normal(0.4, 0.1)
        dice.append(Trial(similar, -1 if foreign else truth))
    fitted = calibrate(dice)
    believed = [confidences(d.similarities[None], fitted)[0] for d in dice]
    stated = np.mean([b.max() for b in believed])
    right = np.mean([int(b.argmax()) == d.truth for b, d in zip(believed, dice, strict=True)])
    assert abs(float(stated) - float(right)) < 0.05


def test_nothing_cannot_be_calibrated_on() -> None:
    with pytest.raises(ValueError, match="none"):
        calibrate([])


def showing(
    matcher: Matcher, pixels: NDArray[np.uint8], die: Detection, similarity: float, unlike: float = 0.6,
    side: tuple[NDArray[np.uint8], float] | None = None,
) -> Gallery:  # fmt: skip
    """An enrolled set whose emu is so similar to a die, its picture so `unlike` it; its koala is nothing like it, but
    so similar to another face, as on the die's `side`."""
    face = rectify(pixels, die.corners)
    beside, alike = side or (face, 0.0)
    points = matcher.embed(np.stack([face, beside]))
    aside = np.linalg.qr(np.column_stack([*points, np.eye(points.shape[1], 2)]))[0][:, -2:].T
    emu, koala = (
        similar * point + (1 - similar**2) ** 0.5 * other
        for similar, point, other in zip((similarity, alike), points, aside, strict=True)
    )
    noise = np.random.default_rng(1).uniform(0, 255, (24, 24, 3))
    looks = np.stack([(1 - unlike) * shrunk(face) + unlike * noise, noise]).astype(np.uint8)
    own = Embedded(("emu", "koala"), np.stack([emu, koala]).astype(np.float32), np.array([0, 1]), None, looks)
    return Gallery(matcher.calibration, {Shape.CUBE: own})


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
        drawn = seen(drawing.pixels(), Shape.CUBE, CREAM_ON_BLUE, drawing.scale, 0)
        source = canonical_corners(Shape.CUBE, len(drawn))
        laid = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
        cv2.warpPerspective(drawn, laid, (WIDTH, HEIGHT), dst=pixels, borderMode=cv2.BORDER_TRANSPARENT)
    dice = [replace(at(faces[0].astype(np.float32), Shape.CUBE), box=box_of(body)) for body, faces in solids]
    beside = rectify(pixels, side)

    def read(similarity: float, dice: Sequence[Detection]) -> DieReading:
        gallery = showing(matcher, pixels, dice[0], similarity, side=(beside, alike))
        return identify(matcher, gallery, pixels, dice)[0]

    assert (read(0.7, dice).face, read(0.7, dice).certain) == ("emu", of_the_set)
    assert not read(0.7, dice[:2]).certain, "two dice do not tell where their sides are"
    assert not read(WITH_SIDES - 0.02, dice).certain, "it may be a face that no picture shows"


def test_a_die_that_has_the_colour_of_one_that_is_plainly_of_the_set_is_of_the_set(matcher: Matcher) -> None:
    emu, koala = (find("outback").face(name).pictures_for(Shape.CUBE)[0] for name in ("emu", "koala"))
    corners = canonical_corners(Shape.CUBE, 64) + np.float32(20)
    dice = [at(corners, Shape.CUBE), at(corners + np.array([100, 0], np.float32), Shape.CUBE)]

    def read(similarity: float, look: FaceLook, known: float = 0.95) -> bool:
        pixels = np.full((104, 204, 3), 90, np.uint8)
        for drawing, worn, left in ((emu, CREAM_ON_BLUE, 20), (koala, look, 120)):
            pixels[20:84, left : left + 64] = seen(drawing.pixels(), Shape.CUBE, worn, drawing.scale, 0)
        beside = rectify(pixels, dice[1].corners)
        gallery = showing(matcher, pixels, dice[0], similarity, side=(beside, known))
        odd, other = identify(matcher, gallery, pixels, dice)
        assert (odd.face, other.face) == ("emu", "koala")
        return odd.certain

    assert read(OF_ITS_COLOUR + 0.02, CREAM_ON_BLUE)
    assert not read(OF_ITS_COLOUR + 0.02, RED_ON_CREAM), "a die of another colour says nothing"
    assert not read(OF_ITS_COLOUR - 0.02, CREAM_ON_BLUE), "it may be a face that no picture shows"
    assert not read(OF_ITS_COLOUR + 0.02, CREAM_ON_BLUE, known=0.71), "one odd die does not speak for another"


@pytest.mark.parametrize(("shape", "asked"), [(Shape.CUBE, False), (Shape.OCTAHEDRON, True)])
def test_an_octahedron_whose_body_does_not_fill_its_box_may_be_outlined_by_a_side(
    matcher: Matcher, shape: Shape, asked: bool
) -> None:
    gallery = Gallery.of(find("outlander"), matcher)
    jamie = find("outlander").face("jamie").pictures_for(shape)[0]
    view = seen(jamie.pixels(), shape, CREAM_ON_BLUE, jamie.scale, 0)
    die = at(canonical_corners(shape, len(view)), shape)
    for fits, certain in ((ON_ITS_BODY + 0.02, True), (ON_ITS_BODY - 0.02, not asked)):
        (one,) = identify(matcher, gallery, view, [replace(die, fits_box=fits)])
        assert (one.face, one.certain) == ("jamie", certain)

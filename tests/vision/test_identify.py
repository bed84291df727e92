"""Faces of shipped sets and of sets never seen before are told apart; strangers are doubted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.seen_faces import CREAM_ON_BLUE, RED_ON_CREAM, at, painted, seen
from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from training.matcher.measure import Trial, calibrate
from vision.bodies import faces_beside
from vision.detection import A_TOP
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet, Face, FacePicture
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Calibration, Matcher
from vision.gallery import Gallery, looks_for
from vision.identify import confidences, identify, outlined_anew
from vision.network import WeightsError
from vision.reading import UNKNOWN, DieReading
from vision.rectify import canonical_corners, rectify
from vision.render.faces import FaceLook, compose


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


@pytest.mark.parametrize("shape", SHAPES)
def test_a_die_that_hardly_fills_box_and_outline_may_be_outlined_by_a_side_and_so_may_dice_on_no_one_plane(
    matcher: Matcher, shape: Shape
) -> None:
    gallery = Gallery.of(find("outlander"), matcher)
    jamie = find("outlander").face("jamie").pictures_for(shape)[0]
    view = seen(jamie.pixels(), shape, CREAM_ON_BLUE, jamie.scale, 0)
    die = at(canonical_corners(shape, len(view)), shape)
    for fits, overlap, certain in (
        (A_TOP + 0.02, 1.0, True), (A_TOP - 0.02, 1.0, False), (1.0, A_TOP - 0.02, False), (0.6, 0.6, True),
        (0.5, 0.5, False),
    ):  # fmt: skip
        (one,) = identify(matcher, gallery, view, [replace(die, fits_box=fits, fills=fits, overlap=overlap)])
        assert (one.face, one.certain) == ("jamie", certain)
    (one,) = identify(matcher, gallery, view, [replace(die, ambiguous=True)])
    assert (one.face, one.certain) == ("jamie", False), "another plane suits the dice as well"


@pytest.mark.parametrize(("on_side", "on_top"), [("1", "4"), ("6", "4"), ("3", "6"), ("4", "6")])
def test_what_a_side_shows_is_not_on_top_nor_is_what_lies_opposite(
    matcher: Matcher, on_side: str, on_top: str
) -> None:
    pips, table = find("pips"), Table(40, 90)
    solids = [table.solid(4, 0.4 + i, place) for i, place in enumerate(((0.0, 0.0), (-0.2, -0.1), (0.2, 0.1)))]
    dice = [
        replace(at(faces[0].astype(np.float32), Shape.CUBE), box=box_of(body), plane=table.plane)
        for body, faces in solids
    ]
    four, six, beside = (
        seen(pips.face(face).pictures_for(Shape.CUBE)[0].pixels(), Shape.CUBE, CREAM_ON_BLUE, 1.0, 0)
        for face in ("4", "6", on_side)
    )
    top = solids[0][1][0]
    side = max(faces_beside(table.plane, top), key=lambda one: cv2.contourArea(one.astype(np.float32)))
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    painted(pixels, np.asarray(cv2.addWeighted(four, 0.765, six, 0.235, 0), np.uint8), top)
    painted(pixels, beside, side)
    gallery = Gallery.of(pips, matcher)
    told, doubtful, alone = (
        identify(matcher, known, pixels, seen)[0]
        for known, seen in (
            (gallery, dice), (replace(gallery, not_above={}), dice), (gallery, [replace(dice[0], plane=None)]),
        )
    )
    assert (told.face, told.confidence > 0.85) == (on_top, True)
    assert doubtful.confidence < 0.7, "nobody knows which faces share a die"
    assert alone.alternatives == doubtful.alternatives, "nobody knows where its sides are"


@pytest.mark.parametrize(("filled", "anew"), [(0.9, True), (0.15, False)])
def test_a_die_that_was_seen_badly_is_outlined_where_its_box_and_the_sets_pictures_suit_it(
    matcher: Matcher, filled: float, anew: bool
) -> None:
    fate = find("fate")
    gallery = Gallery.of(fate, matcher)
    picture = fate.face("4").pictures_for(Shape.OCTAHEDRON)[0]
    pixels = cv2.copyMakeBorder(
        seen(picture.pixels(), Shape.OCTAHEDRON, CREAM_ON_BLUE, picture.scale, 0), 40, 40, 40, 40, cv2.BORDER_REPLICATE
    )
    right = canonical_corners(Shape.OCTAHEDRON, len(pixels) - 80) + 40
    wrong = right[[1, 2, 0]] * 0.8 + np.float32(30)
    badly = replace(at(wrong, Shape.OCTAHEDRON), fits_box=0.6, overlap=0.4, strangeness=0.3)
    others = tuple(replace(at(right + shift, Shape.OCTAHEDRON), fits_box=filled) for shift in (np.float32(25), 0))
    plain = replace(badly, others=())
    first, second = outlined_anew(matcher, gallery, pixels, [replace(badly, others=others), plain])
    assert second is plain
    assert np.array_equal(first.corners, right) == anew
    assert identify(matcher, gallery, pixels, [first])[0].face == "4" or not anew

"""Ink is told from a die by its colour, whatever shines on it or through it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.seen_faces import at
from vision.dicesets.library import find
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Matcher
from vision.gallery import Gallery
from vision.identify import identify
from vision.ink import face_within, ink_alone
from vision.numerals import NumeralReader
from vision.rectify import CLOSE, FACE_SIZE, canonical_corners, middle
from vision.render.faces import FaceLook, compose

Pixels = NDArray[np.uint8]


def glassy(symbol: str, shape: Shape, ink: tuple[float, float, float], seed: int, side: int = FACE_SIZE) -> Pixels:
    """A symbol of outlander (side, side, 3) on a face in which dark and bright patches are seen, and half as much of
    the ink as of them."""
    (picture, *_) = find("outlander").face(symbol).pictures_for(shape)
    body = (128.0, 128.0, 128.0)
    drawn, _ = compose(picture.pixels(), shape, FaceLook(body=body, ink=ink, scale=picture.scale), side)
    patches = np.random.default_rng(seed).normal(0, 1, (8, 8)).astype(np.float32)
    seen = cv2.GaussianBlur(cv2.resize(patches, (side, side)), (0, 0), 2)
    grey = 90 * np.sign(seen) * np.minimum(np.abs(seen), 1)
    return np.clip(0.5 * drawn + 64 + grey[..., None], 0, 255).astype(np.uint8)


@pytest.mark.parametrize("shape", SHAPES)
def test_ink_of_any_colour_is_seen_alone(shape: Shape) -> None:
    for ink in ((30.0, 30.0, 220.0), (40.0, 160.0, 30.0), (200.0, 60.0, 30.0)):
        face = glassy("jamie", shape, ink, 3)
        clean = glassy("jamie", shape, ink, 3).astype(np.float32) - glassy("jamie", shape, (128.0,) * 3, 3)
        drawn = (np.abs(clean).sum(axis=2) > 30)[on_face := face_within(shape, FACE_SIZE)]
        alone = ink_alone(face, shape)
        assert alone.shape == (2, FACE_SIZE, FACE_SIZE, 3)
        assert alone.dtype == np.uint8
        told = [np.corrcoef(drawn, seen)[0, 1] for seen in (face.mean(axis=2)[on_face], *alone[:, on_face, 0])]
        assert -min(told[1:]) > 0.8, "on one of the two it is dark on a light die"
        assert abs(told[0]) < 0.5, "brightness does not tell it"


def test_a_face_of_one_colour_shows_no_ink() -> None:
    plain = np.full((FACE_SIZE, FACE_SIZE, 3), (90, 140, 60), np.uint8)
    assert np.ptp(ink_alone(plain, Shape.CUBE)) == 0


def test_symbols_in_glass_are_told_by_their_ink() -> None:
    outlander, matcher = find("outlander"), Matcher()
    gallery = Gallery.of(outlander, matcher)
    right = sure = 0
    faces = [face.id for face in outlander.faces_for(Shape.CUBE)]
    for seed, symbol in enumerate(faces):
        face = glassy(symbol, Shape.CUBE, (30.0, 30.0, 220.0), seed)
        (read,) = identify(matcher, gallery, face, [at(canonical_corners(Shape.CUBE, FACE_SIZE), Shape.CUBE)])
        right += read.face == symbol
        sure += read.face == symbol and read.confidence > 0.9
    assert (right, sure) == (len(faces), len(faces))


def test_small_symbols_are_told_in_close_up() -> None:
    outlander, matcher = find("outlander"), Matcher()
    gallery = Gallery.of(outlander, matcher)
    likely: dict[bool, list[float]] = {True: [], False: []}
    faces = [face.id for face in outlander.faces_for(Shape.OCTAHEDRON)]
    for seed, symbol in enumerate(faces):
        face = glassy(symbol, Shape.OCTAHEDRON, (30.0, 30.0, 220.0), seed, 2 * CLOSE)
        die = at(canonical_corners(Shape.OCTAHEDRON, 2 * CLOSE), Shape.OCTAHEDRON)
        for closely, told in likely.items():
            (read,) = identify(matcher, replace(gallery, closely=closely), face, [die])
            told.append(next((one.confidence for one in read.alternatives if one.face == symbol), 0.0))
    assert sum(likely[True]) > sum(likely[False])
    assert min(likely[True]) > 0.5


def test_a_close_up_shows_the_middle_of_a_triangle_and_the_whole_of_a_square() -> None:
    rows, columns = middle(Shape.OCTAHEDRON, CLOSE)
    centre = canonical_corners(Shape.OCTAHEDRON, CLOSE).mean(axis=0)
    assert (columns.start + columns.stop, rows.start + rows.stop) == pytest.approx(2 * centre, abs=1)
    assert {columns.stop - columns.start, rows.stop - rows.start} == {FACE_SIZE}
    assert middle(Shape.CUBE, FACE_SIZE) == (slice(0, FACE_SIZE), slice(0, FACE_SIZE))


def test_only_what_is_small_and_no_numeral_is_seen_in_close_up() -> None:
    matcher, reader = Matcher(), NumeralReader()
    outlander, fate = (Gallery.of(find(name), matcher, reader) for name in ("outlander", "fate"))
    drawn = outlander.shapes[Shape.OCTAHEDRON]
    assert drawn.close is not None
    assert drawn.close.shape == drawn.points.shape
    assert outlander.shapes[Shape.CUBE].close is None
    assert fate.shapes[Shape.OCTAHEDRON].close is None, "numerals are read"

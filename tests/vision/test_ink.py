"""Ink is told from a die by its colour, whatever shines on it or through it."""

from __future__ import annotations

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
from vision.rectify import FACE_SIZE, canonical_corners
from vision.render.faces import FaceLook, compose

Pixels = NDArray[np.uint8]


def glassy(symbol: str, shape: Shape, ink: tuple[float, float, float], seed: int) -> Pixels:
    """A symbol of outlander (64, 64, 3) on a face in which dark and bright patches are seen, and half as much of
    the ink as of them."""
    (picture, *_) = find("outlander").face(symbol).pictures_for(shape)
    body = (128.0, 128.0, 128.0)
    drawn, _ = compose(picture.pixels(), shape, FaceLook(body=body, ink=ink, scale=picture.scale), FACE_SIZE)
    patches = np.random.default_rng(seed).normal(0, 1, (8, 8)).astype(np.float32)
    seen = cv2.GaussianBlur(cv2.resize(patches, (FACE_SIZE, FACE_SIZE)), (0, 0), 2)
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

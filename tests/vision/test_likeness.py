"""Pictures of one face are alike in any light and a little aside; another drawing is not. Dice of one make have one
colour, whatever is drawn on them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dicesets.shapes import Shape
from vision.frame import Pixels
from vision.likeness import BRIGHTER, SIDE, colour, coloured_alike, likeness, shrunk
from vision.rectify import canonical_corners, rectify
from vision.render.faces import FaceLook, compose

SHAPES = [Shape.CUBE, Shape.OCTAHEDRON]


def face(
    shape: Shape, points: list[tuple[int, int]], *, light: tuple[float, ...] = (1, 1, 1), aside: int = 0
) -> Pixels:  # fmt: skip
    """A face with a filled polygon on it, in a light of this strength a channel, rectified some pixels beside it."""
    art = np.zeros((64, 64, 4), np.uint8)
    cv2.fillPoly(art, [np.array(points, np.int32)], (255, 255, 255, 255))
    drawn, _ = compose(art, shape, FaceLook(body=(110.0, 120.0, 125.0), ink=(40.0, 35.0, 90.0), scale=0.6), 64)
    lit = np.clip(drawn * np.array(light), 0, 255).astype(np.uint8)
    return shrunk(rectify(lit, canonical_corners(shape, 64) + np.float32(aside)))


ARROW = [(8, 24), (36, 24), (36, 8), (58, 32), (36, 56), (36, 40), (8, 40)]
CORNER = [(8, 8), (56, 8), (56, 20), (20, 20), (20, 56), (8, 56)]


def test_a_face_is_shrunk() -> None:
    assert face(Shape.CUBE, ARROW).shape == (SIDE, SIDE, 3)


@pytest.mark.parametrize("shape", SHAPES)
def test_one_face_is_alike_in_any_light_and_a_little_aside(shape: Shape) -> None:
    shown = face(shape, ARROW)
    assert likeness(shown, shown, shape) > 0.99
    assert likeness(face(shape, ARROW, light=(0.5, 0.5, 0.5)), shown, shape) > 0.95, "dim"
    assert likeness(face(shape, ARROW, light=(0.6, 1, 1.6)), shown, shape) > 0.95, "a warm lamp"
    assert likeness(face(shape, ARROW, aside=5), shown, shape) > 0.9, "aside"


@pytest.mark.parametrize("shape", SHAPES)
def test_another_drawing_is_not_alike(shape: Shape) -> None:
    assert likeness(face(shape, CORNER), face(shape, ARROW), shape) < 0.7


@pytest.mark.parametrize("shape", SHAPES)
def test_faces_with_nothing_on_them_are_alike_and_no_drawing_is_like_them(shape: Shape) -> None:
    nothing = face(shape, [(0, 0), (0, 0), (0, 0)])
    noise = np.random.default_rng(1).normal(0, 1.5, nothing.shape)
    assert likeness(np.clip(nothing + noise, 0, 255).astype(np.uint8), nothing, shape) == 1
    assert likeness(nothing, face(shape, ARROW), shape) < 0.6


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_drawn_on_a_die_does_not_change_its_colour(shape: Shape) -> None:
    plain = colour(face(shape, [(0, 0), (0, 0), (0, 0)]), shape)
    for drawn in (ARROW, CORNER):
        assert coloured_alike(colour(face(shape, drawn), shape), plain)
        assert coloured_alike(colour(face(shape, drawn, aside=3), shape), plain), "rectified aside"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_darker_die_and_one_of_another_tint_are_of_another_colour(shape: Shape) -> None:
    own = colour(face(shape, ARROW), shape)
    for brighter, alike in ((0.9 * BRIGHTER, True), (1.2 * BRIGHTER, False)):
        light = (float(np.exp(-brighter)),) * 3
        assert coloured_alike(colour(face(shape, ARROW, light=light), shape), own) is alike
    assert not coloured_alike(colour(face(shape, ARROW, light=(0.9, 1, 1.1)), shape), own)

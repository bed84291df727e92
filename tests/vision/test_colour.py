"""Dice of one make have one colour, whatever is drawn on them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.colour import BRIGHTER, colour, coloured_alike
from vision.dicesets.shapes import Shape
from vision.frame import Pixels
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
    return rectify(lit, canonical_corners(shape, 64) + np.float32(aside))


ARROW = [(8, 24), (36, 24), (36, 8), (58, 32), (36, 56), (36, 40), (8, 40)]
CORNER = [(8, 8), (56, 8), (56, 20), (20, 20), (20, 56), (8, 56)]


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

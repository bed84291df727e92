"""Blur, glare and a lamp on a die are measured on faces where we know how much there is."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.enrol.shots import paper, shown
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.problems import (
    BRIGHTER,
    GLARE_SHARE,
    LOOKED_AT,
    MOST_BLUR,
    blur,
    brighter,
    brightness,
    glare,
    seen_problems,
)
from vision.rectify import canonical_corners, rectify, trim


def face(set_id: str, name: str, shape: Shape, sigma: float = 0.0) -> NDArray[np.uint8]:
    """A face of 48 px, blurred by so many of its pixels."""
    large = paper(name, set_id, shape)
    if sigma:
        large = np.asarray(cv2.GaussianBlur(large, (0, 0), sigma * 4), np.uint8)
    return trim(rectify(large, canonical_corners(shape, 192), LOOKED_AT), shape)


@pytest.mark.parametrize(("set_id", "name", "shape"), [("outback", "emu", Shape.CUBE), ("fate", "4", Shape.OCTAHEDRON)])
@pytest.mark.parametrize("sigma", [1.5, 2.5, 3.5])
def test_blur_is_about_what_was_put_in(set_id: str, name: str, shape: Shape, sigma: float) -> None:
    measured = blur(face(set_id, name, shape, sigma), shape)
    assert measured is not None
    assert 0.6 * sigma < measured * 48 < 1.7 * sigma


@pytest.mark.parametrize("shape", [Shape.CUBE, Shape.OCTAHEDRON])
def test_a_sharp_face_is_sharp_and_a_blank_one_has_no_edges(shape: Shape) -> None:
    measured = blur(face("outlander", "jenny", shape), shape)
    assert measured is not None
    assert measured < MOST_BLUR
    assert blur(np.full((48, 48, 3), 200, np.uint8), shape) is None


def highlight(pixels: NDArray[np.uint8], radius: float) -> NDArray[np.uint8]:
    ys, xs = np.mgrid[:48, :48]
    light = 500 * np.exp(-((xs - 26) ** 2 + (ys - 28) ** 2) / (2 * radius**2))
    return np.clip(pixels + light[..., None], 0, 255).astype(np.uint8)


def test_a_highlight_glares_and_white_print_does_not() -> None:
    dark = np.full((48, 48, 3), 60, np.uint8)
    assert glare(highlight(dark, 7), Shape.CUBE) > GLARE_SHARE
    assert glare(highlight(dark, 1.5), Shape.CUBE) < GLARE_SHARE
    printed = dark.copy()
    cv2.circle(printed, (24, 24), 14, (255, 255, 255), -1)
    assert glare(printed, Shape.CUBE) == 0
    assert glare(dark, Shape.CUBE) == 0


def test_a_white_die_glares_only_where_nothing_is_left_of_its_picture() -> None:
    white = np.full((48, 48, 3), 244, np.uint8)
    white[14:34, 14:34] = 40
    assert glare(white, Shape.CUBE) == 0
    assert glare(np.full((48, 48, 3), 255, np.uint8), Shape.CUBE) > 0.9


def test_a_die_whose_top_may_be_the_face_beside_the_outlined_one_is_said_to_be_seen_from_the_side(
    matcher: Matcher,
) -> None:
    die = shown(matcher, "emu")
    assert seen_problems(die) == ()
    for doubtful in (replace(die, beside=die.outlines[0]), replace(die, leans=True)):
        assert [one.kind for one in seen_problems(doubtful)] == ["side"]


@pytest.mark.parametrize(("times", "too_bright"), [(1.0, False), (1.3, False), (1.7, True)])
def test_a_die_that_is_much_brighter_than_the_others_is_said_to_be(
    matcher: Matcher, times: float, too_bright: bool
) -> None:
    dim = [shown(matcher, name) for name in ("emu", "koala", "joker", "emu")]
    *dark, first = (replace(one, around=(one.around * 0.5).astype(np.uint8)) for one in dim)
    others = [brightness(one) for one in dark]
    lit = replace(first, around=np.clip(first.around * times, 0, 255).astype(np.uint8))
    assert brighter(lit, others) == pytest.approx(np.log(times), abs=0.03)
    assert [one.kind for one in seen_problems(lit, others)] == (["bright"] if too_bright else [])
    assert (brighter(lit, others) > BRIGHTER) == too_bright
    assert brighter(lit, others[:2]) == 0.0, "two are too few to tell"

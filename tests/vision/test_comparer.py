"""The comparer knows a drawing again in other light and other colours, and tells it from a similar one."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import cv2
import numpy as np
import pytest

from tests.vision.seen_faces import CREAM_ON_BLUE, RED_ON_CREAM
from vision.comparer import COMPARED_AT, Comparer, compared
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.embedding import Faces, Matcher
from vision.frame import Pixels
from vision.rectify import canonical_corners, rectify, turns
from vision.render.faces import FaceLook, compose

SAME = 0.75
"""Log odds from which two drawings may count as the same one."""


@pytest.fixture(scope="module")
def comparer() -> Comparer:
    return Comparer()


def faces_of(dice_set: DiceSet, shape: Shape, look: FaceLook) -> dict[str, Pixels]:
    """Canonical faces as large as they are compared, whose corners are 1 % off."""
    side, pictures = COMPARED_AT[shape], dice_set.faces_for(shape)
    corners = canonical_corners(shape, 80)
    off = np.array([(0.8, -0.4), (-0.6, 0.7), (0.5, 0.6), (-0.7, -0.5)], np.float32)[: len(corners)]
    faces: dict[str, Pixels] = {}
    for face in pictures:
        (drawing, *_) = face.pictures_for(shape)
        drawn, _ = compose(drawing.pixels(), shape, replace(look, scale=drawing.scale), 80)
        faces[face.id] = rectify(drawn, corners + off, side)
    return faces


def photographed(face: Pixels, light: float, blur: float) -> Pixels:
    """A face in other light, by a softer camera."""
    soft = cv2.GaussianBlur(face, (0, 0), blur).astype(np.float32)
    noise = np.random.default_rng(1).normal(0, 3, face.shape)
    return np.clip(soft * light + noise, 0, 255).astype(np.uint8)


def shapes() -> list[tuple[str, Shape]]:
    return [("outback", Shape.CUBE), ("cats", Shape.CUBE), ("fate", Shape.OCTAHEDRON)]


@pytest.mark.parametrize(("name", "shape"), shapes())
@pytest.mark.parametrize(("light", "blur"), [(0.5, 0.6), (1.1, 1.2)])
def test_a_drawing_is_known_again(comparer: Comparer, name: str, shape: Shape, light: float, blur: float) -> None:
    shown = faces_of(find(name), shape, RED_ON_CREAM)
    for worn in (RED_ON_CREAM, CREAM_ON_BLUE):
        dice = faces_of(find(name), shape, worn)
        again: Faces = np.stack([photographed(dice[face], light, blur) for face in shown])
        same = comparer.same(compared(again, shape), compared(np.stack(list(shown.values())), shape))
        assert {face: float(one) for face, one in zip(shown, same, strict=True) if one < SAME} == {}


@pytest.mark.parametrize(("name", "shape"), shapes())
def test_another_drawing_is_another_one_however_alike_the_matcher_finds_them(
    comparer: Comparer, matcher: Matcher, name: str, shape: Shape
) -> None:
    faces = faces_of(find(name), shape, RED_ON_CREAM)
    shown = {face: compared(turns(one, shape), shape) for face, one in faces.items()}
    taken: dict[tuple[str, str], float] = {}
    for one, other in permutations(shown, 2):
        die, *_ = shown[one]
        likest = int((matcher.embed(shown[other]) @ matcher.embed(die[None])[0]).argmax())
        taken[one, other] = float(comparer.same(die[None], shown[other][likest][None])[0])
    assert {pair: same for pair, same in taken.items() if same >= SAME} == {}

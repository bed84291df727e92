"""A black, frozen or unfocused camera is noticed; one that is dim, noisy or looks at a plain table is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.demo import DemoCamera
from vision.diceset_shelf import find
from vision.frame import Frame, Pixels
from vision.health import SOFT_DICE, Health, sharpness, sharpness_of_dice


def noisy(level: float, number: int) -> Pixels:
    chance = np.random.default_rng(number)
    return np.clip(chance.normal(level, 2, (96, 128, 3)), 0, 255).astype(np.uint8)


def shown(health: Health, pictures: list[Pixels], rate: float = 30.0, start: float = 0.0) -> list[str | None]:
    return [health.see(Frame(one, i, start + i / rate, "eye")) for i, one in enumerate(pictures)]


@pytest.mark.parametrize("rate", [10.0, 30.0, 60.0])
def test_the_same_picture_for_three_seconds_stands_still(rate: float):
    said = shown(Health(), [noisy(90, 0)] * round(5 * rate), rate)
    first = next(i for i, words in enumerate(said) if words)
    assert 3.0 <= first / rate < 3.4
    assert "stands still" in str(said[-1])


def test_a_recording_may_stand_still():
    assert set(shown(Health(live=False), [noisy(90, 0)] * 200)) == {None}


def test_it_recovers_when_the_picture_moves_again():
    health = Health()
    shown(health, [noisy(90, 0)] * 150)
    assert health.stale
    said = shown(health, [noisy(90, i) for i in range(30)], start=6)
    assert said[-1] is None
    assert not health.stale


def test_a_dim_table_is_seen_and_a_black_one_is_not():
    assert set(shown(Health(), [noisy(30, i) for i in range(120)])) == {None}
    health = Health()
    said = shown(health, [noisy(3, i) for i in range(120)])
    assert said[0] is None
    assert "black" in str(said[-1])
    assert health.stale


def test_an_empty_table_says_nothing_about_focus():
    assert sharpness(noisy(90, 1)) is None


def test_dice_out_of_focus_are_told_from_dice_in_focus():
    camera = DemoCamera(find("pips"), seed=3, paced=False)
    camera.open()
    camera.throw()
    frames = [camera.read() for _ in range(30)]
    assert frames[-1] is not None
    pixels = frames[-1].pixels
    corners = [np.array(die.corners) for die in camera.truth()]
    boxes = [(*one.min(axis=0), *one.max(axis=0)) for one in corners]
    wide = float(np.median([box[2] - box[0] for box in boxes]))
    blurred = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.06 * wide), np.uint8)
    assert (sharpness_of_dice(pixels, boxes) or 0) > SOFT_DICE
    assert (sharpness_of_dice(blurred, boxes) or 1) < SOFT_DICE
    health = Health()
    health.read(blurred, boxes)
    assert health.see(Frame(blurred, 0, 0.0, "eye")) is None
    assert "out of focus" in str(health.see(Frame(blurred, 1, 1.1, "eye")))
    assert not health.stale

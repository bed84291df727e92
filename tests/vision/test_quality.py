"""A black, dark, frozen, shaking or unfocused picture is noticed; one that is dim, noisy or of a plain table is not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from messages.message import Message
from vision.boxes import Box
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find
from vision.frame import Frame, Pixels
from vision.picture import load_picture
from vision.quality import SOFT_DICE, TOO_BRIGHT, Health, sharpness, sharpness_of_dice, trouble_of

FRAMES = Path(__file__).parent.parent / "frames" / "cats"


def noisy(level: float, number: int) -> Pixels:
    chance = np.random.default_rng(number)
    return np.clip(chance.normal(level, 2, (96, 128, 3)), 0, 255).astype(np.uint8)


def shown(health: Health, pictures: Sequence[Pixels], rate: float = 30.0, start: float = 0.0) -> list[str | None]:
    return [health.see(Frame(one, i, start + i / rate, "eye")) for i, one in enumerate(pictures)]


@pytest.mark.parametrize("rate", [10.0, 30.0, 60.0])
def test_the_same_picture_for_three_seconds_stands_still(rate: float):
    said = shown(Health(), [noisy(90, 0)] * round(5 * rate), rate)
    first = next(i for i, words in enumerate(said) if words)
    assert 3.0 <= first / rate < 3.4
    assert "the camera image is frozen; Tableside reads dice again once it moves" in str(said[-1])


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


@pytest.fixture(scope="module")
def demo() -> DemoCamera:
    camera = DemoCamera(find("fate"), seed=3, size=(640, 480), paced=False)
    camera.open()
    camera.throw()
    return camera


@pytest.fixture(scope="module")
def thrown(demo: DemoCamera) -> list[Pixels]:
    """What the demo's camera sees of a throw, ten pictures a second, until long after the dice lie still."""
    frames = [demo.read() for _ in range(120)]
    return [one.pixels for one in frames[::3] if one is not None]


@pytest.mark.slow
def test_a_table_with_dice_in_hardly_any_light_is_said_to_be_dark_and_read_all_the_same(thrown: list[Pixels]):
    health = Health()
    for i, one in enumerate(thrown):
        health.see(Frame((0.15 * one).astype(np.uint8), i, i / 10, "eye"), dice=True)
    assert "the table is too dark" in str(health.trouble)
    assert not health.stale
    for i, one in enumerate(thrown):
        health.see(Frame((0.3 * one).astype(np.uint8), i, 10 + i / 10, "eye"), dice=True)
    assert health.trouble is None


@pytest.mark.slow
def test_a_camera_that_wobbles_is_said_to_move_and_dice_that_roll_are_not(thrown: list[Pixels]):
    assert set(shown(Health(), thrown, rate=10)) == {None}
    for far in (3, 4, 8):
        chance, wobbling = np.random.default_rng(far), list[Pixels]()
        for one in thrown:
            right, down = chance.uniform(-far, far, 2)
            shift = np.array([[1, 0, right], [0, 1, down]])
            moved = cv2.warpAffine(one, shift, one.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
            wobbling.append(np.clip(moved + chance.normal(0, 4, moved.shape), 0, 255).astype(np.uint8))
        health = Health()
        assert "the camera is moving" in str(shown(health, wobbling, rate=10)[-1])
        assert not health.stale
        assert shown(health, [*thrown[-20:], *thrown[-20:]], rate=10, start=10)[-1] is None


@pytest.mark.slow
def test_dice_out_of_focus_are_told_from_dice_in_focus(demo: DemoCamera, thrown: list[Pixels]):
    assert sharpness(noisy(90, 1)) is None, "an empty table says nothing about focus"
    pixels, corners = thrown[-1], [np.array(die.corners) for die in demo.truth()]
    boxes = [(*one.min(axis=0), *one.max(axis=0)) for one in corners]
    wide = float(np.median([box[2] - box[0] for box in boxes]))
    blurred = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.06 * wide), np.uint8)
    assert (sharpness_of_dice(pixels, boxes) or 0) > SOFT_DICE
    assert (sharpness_of_dice(blurred, boxes) or 1) < SOFT_DICE
    health = Health()
    health.read(blurred, boxes, doubted=True)
    assert health.see(Frame(blurred, 0, 0.0, "eye")) is None
    assert "out of focus" in str(health.see(Frame(blurred, 1, 1.1, "eye")))
    assert not health.stale


def _frame(name: str) -> tuple[Pixels, list[Box]]:
    pixels = load_picture(FRAMES / "images" / f"{name}.jpg")
    height, width = pixels.shape[:2]
    boxes: list[Box] = []
    for line in (FRAMES / "labels" / f"{name}.txt").read_text().splitlines():
        x, y, w, h = (float(value) for value in line.split()[1:5])
        boxes.append(((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height))
    return pixels, boxes


@pytest.mark.parametrize("name", sorted(path.stem for path in (FRAMES / "images").glob("*.jpg")))
def test_a_frame_says_what_is_wrong_with_it(name: str) -> None:
    pixels, boxes = _frame(name)
    width = float(np.median([x1 - x0 for x0, _, x1, _ in boxes]))
    assert trouble_of(pixels, boxes) is None
    assert trouble_of((pixels * 0.08).astype(np.uint8), boxes) == "dark"
    glaring = np.clip(pixels.astype(np.int32) * 8 + 180, 0, 255).astype(np.uint8)
    assert trouble_of(glaring, boxes) == "overexposed"
    blurred = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.05 * width), np.uint8)
    assert trouble_of(blurred, boxes) == "blurred"


def _table(washed: int) -> Pixels:
    """A die with sharp edges, 40 px wide, of which so many rows are white."""
    rows, columns = np.indices((40, 40)) // 10 % 2
    pixels = np.full((90, 120, 3), 60, np.uint8)
    pixels[20:60, 20:60] = np.where(rows == columns, 40, 200)[..., None]
    pixels[20 : 20 + washed, 20:60] = 255
    return pixels


@pytest.mark.parametrize(("washed", "trouble"), [(0.3, None), (0.45, "overexposed")])
def test_white_dice_are_overexposed_once_much_of_them_is_washed_out(washed: float, trouble: str | None) -> None:
    """The box of an octahedron holds table and shaded sides, too; a well lit white die has up to a third of white."""
    assert trouble_of(_table(round(40 * washed)), [(20.0, 20.0, 60.0, 60.0)]) == trouble


def test_dice_that_are_too_bright_are_said_until_they_are_read_in_better_light():
    health, boxes = Health(), [(20.0, 20.0, 60.0, 60.0)]

    def said(washed: int, start: float, *, doubted: bool = True) -> Message | None:
        health.read(_table(washed), boxes, doubted=doubted)
        frames = (Frame(np.maximum(noisy(90, i), 1), i, start + i / 10, "eye") for i in range(15))
        return [health.see(frame, dice=True) for frame in frames][-1]

    assert said(12, 0.0) is None
    assert said(18, 2.0) == TOO_BRIGHT
    assert not health.stale, "dice are read all the same"
    assert said(12, 4.0) is None
    assert said(18, 6.0, doubted=False) is None, "they are read well, however bright they are"


def test_without_dice_the_whole_frame_is_judged() -> None:
    pixels, _ = _frame("0000")
    assert trouble_of(pixels, []) is None
    assert trouble_of(np.zeros((90, 120, 3), np.uint8), []) == "dark"
    assert trouble_of(np.full((90, 120, 3), 255, np.uint8), []) == "overexposed"
    assert trouble_of(pixels, [(-500.0, -500.0, -100.0, -100.0)]) is None

"""The whole reading path, with the shipped networks, on committed frames.

`tests/frames/<set>` were rendered by `tableside render <set> --pictures 3 --seed 101`; training drew from other
streams of chance.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.nearing import SIDE, close_up
from training.evaluate.labels import label_lines
from training.evaluate.run import evaluate
from vision.boxes import Box
from vision.dicesets.library import find
from vision.frame import Pixels
from vision.network import WEIGHTS
from vision.picture import load_picture
from vision.reader import Reader

pytestmark = pytest.mark.slow

FRAMES = Path(__file__).parent.parent / "frames"
Boxes = Callable[..., list[tuple[Box, float]]]
SETS = ("outlander", "fate", "cats", "outback", "pips")


@pytest.fixture(scope="module")
def readers() -> dict[str, Reader]:
    return {set_id: Reader(find(set_id), WEIGHTS) for set_id in SETS}


def test_committed_frames_are_read(readers: dict[str, Reader]) -> None:
    verdicts = {set_id: evaluate(FRAMES / set_id, find(set_id), one.read) for set_id, one in readers.items()}
    counts = {set_id: verdict.summary() for set_id, verdict in verdicts.items()}
    dice, right = (sum(count[key] for count in counts.values()) for key in ("dice", "right"))
    assert dice >= 60
    assert right / dice >= 0.9, {set_id: count["confusion"] for set_id, count in counts.items()}
    assert sum(count["certain_and_wrong"] for count in counts.values()) <= 1, "hardly any die is misread in silence"
    for set_id, count in counts.items():
        assert count["accuracy"] >= 0.75, set_id
        assert count["uncertain_share"] <= 0.5, f"{set_id} is mostly read without asking"


def test_reading_says_where_the_dice_lie_and_how_long_it_took(readers: dict[str, Reader]) -> None:
    pixels = load_picture(FRAMES / "pips" / "images" / "0000.jpg")
    reading = readers["pips"].read(pixels)
    height, width = pixels.shape[:2]
    assert (reading.width, reading.height) == (width, height)
    assert [die.centre for die in reading.dice] == sorted(die.centre for die in reading.dice)
    for die in reading.dice:
        x0, y0, x1, y1 = die.box
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= height
        assert die.alternatives[0].face == die.face
    assert 0 < reading.times.detect + reading.times.identify <= reading.times.total + 0.1


def test_more_frames_of_the_same_dice_are_read_together(readers: dict[str, Reader]) -> None:
    pixels, reader = load_picture(FRAMES / "pips" / "images" / "0000.jpg"), readers["pips"]
    alone = reader.read(pixels)
    twice = reader.read_on(pixels, alone)
    thrice = reader.read_on(pixels, twice)
    assert [len(one.frames) for one in (alone, twice, thrice)] == [0, 2, 3]
    assert alone.faces == twice.faces == thrice.faces
    for first, last in zip(alone.dice, thrice.dice, strict=True):
        assert last.certain == first.certain or first.confidence > 0.99
        assert last.corners == first.corners


def test_only_the_first_frame_of_a_camera_is_read_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = load_picture(FRAMES / "pips" / "images" / "0000.jpg")
    asked: list[bool] = []
    for frames in (True, False):
        reader = Reader(find("pips"), WEIGHTS, frames=frames)
        boxes = reader.detector.proposer.boxes

        def noted(
            pixels: Pixels, *, quick: bool, boxes: Boxes = boxes, **how: Any
        ) -> list[tuple[Box, float]]:  # fmt: skip
            asked.append(quick)
            return boxes(pixels, quick=quick, **how)

        monkeypatch.setattr(reader.detector.proposer, "boxes", noted)
        reader.read_on(pixels, reader.read(pixels))
    assert asked == [True, False, False, False]


def test_a_die_that_fills_the_picture_is_read(readers: dict[str, Reader]) -> None:
    folder = FRAMES / "pips"
    faces = (folder / "faces.txt").read_text().split()
    right: list[bool] = []
    for path in sorted((folder / "images").iterdir()):
        pixels = load_picture(path)
        lines = label_lines(folder / "labels" / f"{path.stem}.txt", pixels.shape[1], pixels.shape[0])
        for line in lines[::2]:
            found = readers["pips"].read(close_up(pixels, line.box, 0.8, np.zeros(2))[0]).dice
            large = [die.face for die in found if die.box[2] - die.box[0] > SIDE / 3]
            right.append(large == [faces[line.kind]])
    assert len(right) >= 8
    assert sum(right) / len(right) >= 0.85, "of dice enlarged many times, so blurred"

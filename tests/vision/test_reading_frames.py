"""The whole reading path, with the shipped networks, on committed frames.

`tests/frames/<set>` were rendered by `tableside render <set> --pictures 3 --seed 101`; training drew from other
streams of chance.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.nearing import SIDE, close_up
from training.evaluate.labels import label_lines
from training.evaluate.run import Verdict, evaluate
from vision.dicesets.library import find
from vision.network import WEIGHTS
from vision.picture import load_picture
from vision.reader import Reader

pytestmark = pytest.mark.slow

FRAMES = Path(__file__).parent.parent / "frames"
SETS = ("outlander", "fate", "cats", "outback", "pips")


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Verdict]:
    return {
        set_id: evaluate(FRAMES / set_id, find(set_id), Reader(find(set_id), WEIGHTS).read) for set_id in SETS
    }


def test_at_least_nine_dice_in_ten_are_read_right(verdicts: dict[str, Verdict]) -> None:
    counts = [verdict.summary() for verdict in verdicts.values()]
    dice, right = sum(c["dice"] for c in counts), sum(c["right"] for c in counts)
    assert dice >= 60
    assert right / dice >= 0.9, {set_id: v.summary()["confusion"] for set_id, v in verdicts.items()}


def test_hardly_any_die_is_misread_in_silence(verdicts: dict[str, Verdict]) -> None:
    silent = sum(verdict.summary()["certain_and_wrong"] for verdict in verdicts.values())
    assert silent <= 1


@pytest.mark.parametrize("set_id", SETS)
def test_every_shipped_set_is_mostly_read_without_asking(verdicts: dict[str, Verdict], set_id: str) -> None:
    summary = verdicts[set_id].summary()
    assert summary["accuracy"] >= 0.75
    assert summary["uncertain_share"] <= 0.5


def test_reading_says_where_the_dice_lie_and_how_long_it_took() -> None:
    pixels = load_picture(FRAMES / "pips" / "images" / "0000.jpg")
    reading = Reader(find("pips"), WEIGHTS).read(pixels)
    height, width = pixels.shape[:2]
    assert (reading.width, reading.height) == (width, height)
    assert [die.centre for die in reading.dice] == sorted(die.centre for die in reading.dice)
    for die in reading.dice:
        x0, y0, x1, y1 = die.box
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= height
        assert die.alternatives[0].face == die.face
    assert 0 < reading.times.detect + reading.times.identify <= reading.times.total + 0.1


def test_a_die_that_fills_the_picture_is_read() -> None:
    folder = FRAMES / "pips"
    read, faces = Reader(find("pips"), WEIGHTS).read, (folder / "faces.txt").read_text().split()
    right: list[bool] = []
    for path in sorted((folder / "images").iterdir()):
        pixels = load_picture(path)
        lines = label_lines(folder / "labels" / f"{path.stem}.txt", pixels.shape[1], pixels.shape[0])
        for line in lines:
            large = [
                die.face
                for die in read(close_up(pixels, line.box, 0.8, np.zeros(2))[0]).dice
                if die.box[2] - die.box[0] > SIDE / 3
            ]
            right.append(large == [faces[line.kind]])
    assert len(right) >= 15
    assert sum(right) / len(right) >= 0.9, "of dice enlarged many times, so blurred"

"""What a table looked like without dice tells what came with the throw."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.boxes import Box, intersection_over_union
from vision.detect.arrived import ODDS, SCORE, odds, unboxed
from vision.frame import Mask

WIDTH, HEIGHT, SMALLER = 1920, 1080, 4.0
DICE: list[Box] = [(300.0, 300.0, 380.0, 380.0), (700.0, 500.0, 775.0, 580.0)]
MISSED: Box = (1200.0, 600.0, 1280.0, 675.0)
FURNITURE: Box = (1500.0, 200.0, 1580.0, 280.0)


def changed(boxes: Sequence[Box]) -> Mask:
    """The table differs in these boxes (pixels of the picture) from how it lay without dice."""
    where = np.zeros((round(HEIGHT / SMALLER), round(WIDTH / SMALLER)), np.uint8)
    for x0, y0, x1, y1 in boxes:
        cv2.rectangle(where, *(tuple(round(e / SMALLER) for e in edge) for edge in ((x0, y0), (x1, y1))), (255,), -1)
    return where


@pytest.mark.parametrize(
    ("box", "times"),
    [
        (DICE[0], ODDS),
        (FURNITURE, 1 / ODDS),
        ((DICE[0][2] - 5, 300.0, DICE[0][2] + 75, 380.0), 1 / ODDS),
        ((DICE[0][2] - 30, 300.0, DICE[0][2] + 50, 380.0), 1.0),
        ((-300.0, -300.0, -200.0, -200.0), 1.0),
    ],
    ids=["new", "old", "beside a die", "partly on it", "beyond the picture"],
)
def test_the_odds_of_a_die_rise_where_the_table_has_changed(box: Box, times: float) -> None:
    assert odds(changed(DICE), box, WIDTH) == times
    assert odds(None, box, WIDTH) == 1.0, "nobody knows what lay there"


def _left(boxes: Sequence[Box], *more: Box) -> list[tuple[Box, float]]:
    """What is found beside the dice and so many more boxes where these have changed."""
    found = [*((box, 0.8) for box in DICE), (FURNITURE, 0.9), *((box, 0.35) for box in more)]
    return unboxed(changed(boxes), found, WIDTH)


def test_what_came_with_the_dice_and_has_no_box_gets_one() -> None:
    ((box, score),) = _left([*DICE, MISSED])
    assert intersection_over_union(box, MISSED) > 0.75
    assert score == SCORE
    badly = (MISSED[0] - 40, MISSED[1] - 60, MISSED[2] + 60, MISSED[3] + 40)
    assert len(_left([*DICE, MISSED], badly)) == 1, "the detector's box is around something else"
    assert not _left([*DICE, MISSED], MISSED), "the detector has boxed it"


@pytest.mark.parametrize(
    "thing",
    [(1200.0, 600.0, 1225.0, 625.0), (1000.0, 600.0, 1300.0, 675.0), (380.0, 300.0, 400.0, 380.0), FURNITURE],
    ids=["a coin", "a hand", "a die's shadow", "what is boxed, but lay there"],
)
def test_what_is_not_as_large_as_the_dice_gets_none(thing: Box) -> None:
    assert not _left([*DICE, thing])


def test_without_a_die_nobody_knows_how_large_they_are() -> None:
    assert not unboxed(changed([MISSED]), [(FURNITURE, 0.9)], WIDTH)
    assert not unboxed(changed([MISSED]), [], WIDTH)

"""A reading drawn onto its picture: outlined where the dice are, told apart by more than colour."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.dicesets.shapes import Shape
from vision.picture import ASKING, SURE, PictureError, annotate, load_picture, save_picture
from vision.reading import Alternative, DieReading, Reading, StageTimes

SQUARE = ((40.0, 60.0), (100.0, 60.0), (100.0, 120.0), (40.0, 120.0))
TRIANGLE = ((250.0, 60.0), (290.0, 130.0), (210.0, 130.0))


def _die(corners: tuple[tuple[float, float], ...], *, certain: bool, face: str = "cat") -> DieReading:
    box = (corners[0][0] - 40, 50.0, corners[0][0] + 60, 140.0)
    shape = Shape.CUBE if len(corners) == 4 else Shape.OCTAHEDRON
    return DieReading(shape, face, certain, 0.6, (Alternative(face, 0.6),), corners, box)


def _drawn(*dice: DieReading, width: int = 320, height: int = 240) -> np.ndarray:
    blank = np.full((height, width, 3), 255, np.uint8)
    return annotate(blank, Reading(width, height, dice, StageTimes(0, 0, 0)))


def _near(pixels: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    return np.abs(pixels.astype(int) - colour).sum(axis=2) < 90


def test_outlines_follow_the_top_faces() -> None:
    drawn = _drawn(_die(SQUARE, certain=True), _die(TRIANGLE, certain=False))
    for x, y in ((70, 120), (40, 90), (100, 90)):
        assert _near(drawn[y - 2 : y + 3, x - 2 : x + 3], SURE).any(), (x, y)
    for x, y in ((250, 130), (270, 95), (230, 95)):
        assert _near(drawn[y - 3 : y + 4, x - 3 : x + 4], ASKING).any(), (x, y)
    assert (drawn[80:110, 50:90] == 255).all(), "the face itself stays to be seen"


def test_the_picture_that_is_given_is_left_alone() -> None:
    blank = np.full((240, 320, 3), 255, np.uint8)
    annotate(blank, Reading(320, 240, (_die(SQUARE, certain=True),), StageTimes(0, 0, 0)))
    assert (blank == 255).all()


def test_asking_is_told_by_more_words_and_not_by_colour_alone() -> None:
    def width_of_words(drawn: np.ndarray) -> int:
        return int(np.ptp(np.nonzero((drawn[30:58] < 60).all(axis=2))[1]))

    sure, asking = _drawn(_die(SQUARE, certain=True)), _drawn(_die(SQUARE, certain=False))
    assert width_of_words(asking) > width_of_words(sure) + 20, "a question mark and a share follow the name"


@pytest.mark.parametrize("size", [(32, 32), (64, 2000), (3000, 40)])
def test_dice_at_the_border_of_any_picture_can_be_drawn(size: tuple[int, int]) -> None:
    width, height = size
    beyond = ((-20.0, -9.0), (width + 50.0, -9.0), (width + 50.0, height + 30.0), (-20.0, height + 30.0))
    drawn = _drawn(_die(beyond, certain=False, face="monitor-lizard"), width=width, height=height)
    assert drawn.shape == (height, width, 3)


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "deeper/still/a.png"])
def test_pictures_are_written_as_their_names_say_in_their_true_colours(tmp_path: Path, name: str) -> None:
    pixels = np.zeros((60, 80, 3), np.uint8)
    pixels[..., 2] = 200  # red
    save_picture(pixels, tmp_path / name)
    assert np.abs(load_picture(tmp_path / name).astype(int) - pixels).max() < 12
    with Image.open(tmp_path / name) as written:
        assert {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}[written.format or ""] == name.split(".")[-1]


@pytest.mark.parametrize("name", ["a.xyz", "plain", "file/a.png"])
def test_a_name_or_place_that_will_not_do_is_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PictureError) as refused:
        save_picture(np.zeros((40, 40, 3), np.uint8), tmp_path / name)
    assert "\n" not in str(refused.value)
    assert name in str(refused.value)

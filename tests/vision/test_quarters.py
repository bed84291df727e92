"""Pictures of a camera that lies on its side or hangs upside down are turned by quarters, and read as if it did not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.seen_solids import HEIGHT, WIDTH, Table, box_of
from vision.bodies import right_way_tilted
from vision.boxes import Box, shared_area
from vision.corners import Agreement, to_cells
from vision.detect.detector import STAGES, Detector
from vision.detect.search import Search
from vision.detection import Detection
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.network import WEIGHTS
from vision.picture import load_picture
from vision.plane import LEAST_DICE, TOLD
from vision.pyramid import Pyramid
from vision.quarters import box_back, points_back, turn_back, turned_by
from vision.reader import Reader
from vision.reading import Reading

PATHTRACE = Path(__file__).parent.parent / "frames" / "pathtrace"
FRAMES = PATHTRACE / "outlander" / "images"
LOW = PATHTRACE / "pips" / "images" / "0004.jpg"
"""Dice seen low: from the side their outlines agree on nothing."""


@pytest.mark.parametrize("quarters", range(-1, 6))
def test_what_lies_in_a_turned_picture_is_found_in_the_one_that_was_turned(quarters: int) -> None:
    pixels = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    turned, back = turned_by(quarters, pixels), turn_back(quarters, 7, 5)
    for y, x in np.ndindex(*turned.shape[:2]):
        ((across, down),) = points_back(back, np.array([[x + 0.5, y + 0.5]], np.float32))
        assert pixels[int(down), int(across)].tolist() == turned[y, x].tolist()
        left, above, right, below = box_back(back, (x, y, x + 1, y + 1))
        assert (left + right, above + below) == pytest.approx((2 * across, 2 * down))
        assert (right - left, below - above) == pytest.approx((1, 1))


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize(("towards", "quarters"), [(80, 2), (170, 3), (260, 0), (350, 1)])
def test_dice_tell_how_the_camera_is_held(sides: int, towards: float, quarters: int) -> None:
    table = Table(35, towards)
    solids = [table.solid(sides, 0.4 * i, (0.1 * i - 0.15, 0.05 * i)) for i in range(4)]
    tops, boxes = [faces[0] for _, faces in solids], [box_of(pixels) for pixels, _ in solids]
    plane = right_way_tilted(table.plane, tops, boxes)
    assert plane.told > TOLD
    assert plane.quarters == quarters
    turned, back = plane.turned(quarters), turn_back(quarters, WIDTH, HEIGHT)
    assert turned.quarters == 0
    assert abs(turned.leaning(turned.middle)[0]) < np.pi / 4
    ends = np.array([[100.0, 200.0], [900.0, 700.0]])
    before = plane.flat(points_back(back, ends.astype(np.float32)).astype(np.float64))
    assert np.allclose(before, turned.flat(ends), atol=1e-5), "the same places on the table"
    assert table.plane.quarters == 0, "nobody compared it with its mirror image"


def test_a_camera_that_looks_straight_down_is_held_any_way() -> None:
    table = Table(5, 80)
    solids = [table.solid(4, 0.4 * i, (0.1 * i - 0.15, 0.05 * i)) for i in range(4)]
    tops, boxes = [faces[0] for _, faces in solids], [box_of(pixels) for pixels, _ in solids]
    assert right_way_tilted(table.plane, tops, boxes).quarters == 0


def _seen(reading: Reading, quarters: int, width: int, height: int) -> list[tuple[str, bool, list[list[float]]]]:
    """Face, certainty and middle and box of each die, as they lie in the picture that was turned."""
    back = turn_back(quarters, width, height)
    found: list[tuple[str, bool, list[list[float]]]] = []
    for die in reading.dice:
        middle = points_back(back, np.array(die.corners, np.float32).mean(axis=0, keepdims=True))
        box = box_back(back, die.box)
        found.append((die.face, die.certain, [[*middle[0].round(1).tolist()], [round(side, 1) for side in box]]))
    return sorted(found)


@pytest.mark.slow
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_camera_on_its_side_reads_what_an_upright_one_reads(quarters: int) -> None:
    reader = Reader(find("outlander"), WEIGHTS)
    for path in sorted(FRAMES.iterdir()):
        pixels = load_picture(path)
        height, width = pixels.shape[:2]
        upright, turned = reader.read(pixels), reader.read(turned_by(quarters, pixels))
        assert len(upright.dice) == 6
        assert (turned.width, turned.height) == ((width, height) if quarters == 2 else (height, width))
        assert _seen(turned, quarters, width, height) == _seen(upright, 0, width, height)


@pytest.mark.slow
@pytest.mark.parametrize("missed", range(6))
def test_a_die_that_the_detector_misses_in_the_turned_picture_keeps_its_box(
    missed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, pixels = Reader(find("outlander"), WEIGHTS), load_picture(min(FRAMES.iterdir()))
    upright, propose = reader.read(pixels), reader.detector.proposer.boxes
    lost, looks = upright.dice[missed].box, list[int]()

    def misses(*picture: Any, **how: Any) -> list[tuple[Box, float]]:
        looks.append(len(looks))
        found = propose(*picture, **how)
        return found if looks == [0] else [one for one in found if not shared_area(one[0], lost)]

    monkeypatch.setattr(reader.detector.proposer, "boxes", misses)
    turned = reader.read(turned_by(2, pixels))
    assert (looks, len(turned.dice)) == ([0, 1], 6)
    assert sorted(turned.faces) == sorted(upright.faces)


@pytest.mark.slow
@pytest.mark.parametrize("quarters", [1, 3])
def test_dice_that_are_seen_low_and_from_the_side_are_read_as_upright_ones(quarters: int) -> None:
    """Whether the picture has to be turned for it or not."""
    reader, pixels = Reader(find("pips"), WEIGHTS), load_picture(LOW)
    height, width = pixels.shape[:2]
    upright, turned = reader.read(pixels), reader.read(turned_by(quarters, pixels))
    assert len(upright.dice) == 6
    there, found = _seen(upright, 0, width, height), _seen(turned, quarters, width, height)
    assert [die[:2] for die in found] == [die[:2] for die in there]
    for (*_, (middle, _)), (*_, (turned_middle, _)) in zip(there, found, strict=True):
        assert np.linalg.norm(np.subtract(middle, turned_middle)) < 2


@pytest.mark.parametrize(
    ("on_its_right", "on_its_left", "counts"),
    [(0.95, 0.7, 0.95), (0.7, 0.95, 0.95), (0.84, 0.8, 0.8), (0.7, 0.6, 0.8)],
)
def test_dice_that_tell_nothing_are_read_as_they_are_seen_most_surely(
    on_its_right: float, on_its_left: float, counts: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = np.zeros((96, 96, 3), np.uint8)
    picture[0, 0] = 255  # tells how it was turned
    scores = {(0, 0): 0.8, (95, 0): on_its_right, (0, 95): on_its_left}

    def seen(search: Search) -> None:
        y, x, _ = np.argwhere(search.picture.pixels)[0]
        corners = np.array([[10, 10], [20, 10], [20, 20], [10, 20]], np.float32)
        search.dice = [Detection(Shape.CUBE, corners, scores[int(y), int(x)], (10, 10, 20, 20))] * LEAST_DICE

    monkeypatch.setattr("vision.detect.detector.STAGES", (seen,))
    detector = Detector(WEIGHTS)
    assert {one.score for one in detector.detect(picture)} == {counts}
    assert {one.score for one in detector.detect(picture, quick=True)} == {0.8}, "more frames follow"


@pytest.mark.slow
def test_what_was_seen_of_a_die_in_a_turned_picture_lies_where_the_die_is() -> None:
    (path, *_), detector = sorted(FRAMES.iterdir()), Detector(WEIGHTS)
    upright = load_picture(path)
    for pixels in (upright, *(turned_by(quarters, upright) for quarters in (1, 2, 3))):
        found = detector.detect(pixels)
        assert len(found) == 6
        for one in found:
            covered = Agreement(one.seen[None]).overlap(to_cells(one.corners, one.crop)[None])[0]
            assert covered == pytest.approx(one.overlap, abs=0.01)


@pytest.mark.slow
def test_no_second_look_is_taken_at_a_picture_that_is_to_be_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[Search] = []
    monkeypatch.setattr("vision.detect.detector.STAGES", (*STAGES, ended.append))
    detector, upright = Detector(WEIGHTS), load_picture(min(FRAMES.iterdir()))
    assert len(detector.detect(turned_by(1, upright))) == 6
    assert [one.picture.pixels.shape for one in ended] == [upright.shape]


@pytest.mark.slow
def test_a_picture_is_searched_once_where_dice_have_told_how_the_camera_is_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = Reader(find("outlander"), WEIGHTS)
    paths = sorted(FRAMES.iterdir())
    turned = [turned_by(1, load_picture(path)) for path in paths]
    shapes: list[tuple[int, ...]] = []
    boxes = reader.detector.proposer.boxes

    def counted(picture: Pyramid, **how: Any) -> list[tuple[Box, float]]:
        shapes.append(picture.pixels.shape)
        return boxes(picture, **how)

    monkeypatch.setattr(reader.detector.proposer, "boxes", counted)
    first = reader.read(turned[0])
    asked = len(shapes)
    reader.counted(first)
    again = reader.read(turned[0])
    assert (asked, len(shapes)) == (2, 3)
    assert shapes[2] == shapes[1] == load_picture(paths[0]).shape, "and it is upright"
    assert [die.face for die in again.dice] == [die.face for die in first.dice]
    reader.view_changed()
    reader.read(load_picture(paths[0]))
    assert len(shapes) == 4, "another camera is upright"

"""Finding dice: boxes and corners come back in the picture's own pixels, however it was shrunk and cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.synth.dressers import SetWardrobe
from training.synth.sampler import Ranges, random_scene, readable
from vision import propose
from vision.boxes import CROP, SURROUNDINGS, Box, crop_map
from vision.detect import detector as detecting
from vision.detect.arrived import ODDS
from vision.detect.detector import Detector
from vision.detect.examine import HARDLY, SURE_BOX
from vision.detect.outline import without_doubles
from vision.detection import Detection
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.network import WEIGHTS, WeightsError
from vision.plane import Plane
from vision.render.scene import DieLabel, render

Pixels = NDArray[np.uint8]


class _Bright:
    """All three networks in one, for pictures of a bright shape on black: it says what it is shown.

    As `detector`: one box round everything bright. As `verifier`: always the same. As `finder`: the bright cells are
    the top face.
    """

    def __init__(
        self, kind: Sequence[float] = (0.02, 0.9, 0.08), verified: float = 0.9, boxed: float = 0.8
    ) -> None:
        self.kind = kind
        self.verified = verified
        self.boxed = boxed
        """The detector's score."""
        self.windows: list[Pixels] = []
        self.crops = 0

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]) -> list[Any]:
        if "images" in input_feed:
            return [self._boxes(input_feed["images"])]
        if "windows" in input_feed:
            self.windows += list(input_feed["windows"])
            return [np.full(len(input_feed["windows"]), self.verified, np.float32)]
        self.crops += len(input_feed["crops"])
        return self._faces(input_feed["crops"])

    def _boxes(self, images: NDArray[np.float32]) -> NDArray[np.float32]:
        ys, xs = np.nonzero(images[0].min(axis=0) > 0.6)
        rows = np.zeros((1, 5, 3), np.float32)
        if len(xs):
            x0, y0, x1, y1 = xs.min(), ys.min(), xs.max() + 1, ys.max() + 1
            rows[0, :, 0] = ((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, self.boxed)
            rows[0, :, 1] = ((x0 + x1) / 2 + 1, (y0 + y1) / 2, x1 - x0, y1 - y0, self.boxed - 0.3)
        return rows

    def _faces(self, crops: Pixels) -> list[Any]:
        half = CROP // 2
        planes = np.zeros((len(crops), 3, half, half), np.float32)
        for plane, crop in zip(planes, crops, strict=True):
            plane[[0, 2]] = cv2.resize(crop[..., 0], (half, half), interpolation=cv2.INTER_AREA) / 255
        return [planes, np.tile(np.array(self.kind, np.float32), (len(crops), 1))]

    def get_inputs(self) -> Sequence[Any]:
        return ()

    def get_modelmeta(self) -> Any:
        return None


def _detector(monkeypatch: pytest.MonkeyPatch, network: _Bright) -> Detector:
    def opened(name: str, folder: Path, **how: bool) -> _Bright:
        return network

    for module in (detecting, propose):
        monkeypatch.setattr(module, "open_network", opened)
    return Detector()


def _shape(width: int, height: int, corners: NDArray[np.float64]) -> Pixels:
    """A white polygon on black; corners in the picture plane, where pixel (0, 0) covers 0 … 1."""
    fine = np.zeros((height * 4, width * 4), np.uint8)
    cv2.fillConvexPoly(fine, np.rint((corners * 4 - 0.5) * 16).astype(np.int32), 255, shift=4)
    grey = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    return np.repeat(grey[..., None], 3, axis=2).astype(np.uint8)


def _regular(sides: int, x: float, y: float, radius: float, turn: float) -> NDArray[np.float64]:
    angles = np.linspace(0, 2 * np.pi, sides, endpoint=False) + turn
    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)


UNSURE = SURE_BOX - 0.1
"""A score of the detector's with which the verifier looks before the finder."""

def test_a_dark_picture_has_no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _detector(monkeypatch, _Bright()).detect(np.zeros((120, 160, 3), np.uint8)) == ()


@pytest.mark.parametrize(("sides", "kind"), [(4, (0.02, 0.9, 0.08)), (3, (0.02, 0.08, 0.9))])
@pytest.mark.parametrize("radius", [14.0, 40.0, 130.0])
def test_corners_come_back_in_the_pictures_pixels(
    monkeypatch: pytest.MonkeyPatch, sides: int, kind: tuple[float, ...], radius: float
) -> None:
    true = _regular(sides, 300.3, 220.8, radius, 0.4)
    (found,) = _detector(monkeypatch, _Bright(kind)).detect(_shape(640, 480, true))
    assert found.shape == (Shape.CUBE if sides == 4 else Shape.OCTAHEDRON)
    side = float(np.linalg.norm(true[1] - true[0]))
    off = min(np.linalg.norm(np.roll(found.corners, k, axis=0) - true, axis=1).max() for k in range(sides))
    assert off < 0.03 * side + 0.15, "and clockwise, as they were drawn"
    x0, y0, x1, y1 = found.box
    assert x0 - 2 < true[:, 0].min() < true[:, 0].max() < x1 + 2
    assert y0 - 2 < true[:, 1].min() < true[:, 1].max() < y1 + 2
    assert found.score == pytest.approx((0.8 * 0.98) ** 0.5, abs=1e-3)


def test_only_the_shapes_on_the_table_are_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = _shape(640, 480, _regular(3, 300, 200, 60, 0.1))
    doubtful = _detector(monkeypatch, _Bright((0.0, 0.6, 0.4)))
    assert [die.shape for die in doubtful.detect(pixels)] == [Shape.CUBE]
    assert [die.shape for die in doubtful.detect(pixels, (Shape.OCTAHEDRON,))] == [Shape.OCTAHEDRON]


@pytest.mark.parametrize("turns", range(4))
def test_what_came_with_a_throw_is_likelier_to_be_a_die_than_what_lay_there(
    monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    """However the camera is held: what is known of the picture as it is holds for the one that was turned."""
    pixels = _shape(640, 480, _regular(4, 500, 100, 60, np.pi / 4))
    tilted = Plane(np.array([[1.0, 0.0], [0.0, 0.8], [0.0, -0.6]]), 600.0, (320.0, 240.0), told=1.0)
    table = replace(tilted.turned(turns), middle=tilted.middle, told=1.0)
    assert table.quarters == -turns % 4
    elsewhere, partly, there = (np.zeros((120, 160), np.uint8) for _ in range(3))
    elsewhere[80:110, 110:140], partly[10:40, 110:123], there[10:40, 110:140] = 255, 255, 255
    verified = list[float]()
    for arrived in (None, elsewhere, partly, there):
        detector = _detector(monkeypatch, _Bright(verified=0.6, boxed=UNSURE))
        (found,) = detector.detect(pixels, table=table, arrived=arrived)
        verified.append(found.verified)
    assert verified == pytest.approx([0.6] + [1.5 * odds / (1.5 * odds + 1) for odds in (1 / ODDS, 1, ODDS)])


def test_the_verifier_sees_a_box_with_what_lies_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = _shape(640, 480, _regular(4, 300, 200, 60, np.pi / 4))
    network = _Bright(verified=0.7, boxed=UNSURE)
    (found,) = _detector(monkeypatch, network).detect(pixels)
    assert found.verified == pytest.approx(0.7)
    (window, *_) = network.windows
    assert window.shape == (CROP, CROP, 3)
    bright = np.flatnonzero(window[CROP // 2, :, 0] > 128)
    assert len(bright) == pytest.approx(CROP / (1 + 2 * SURROUNDINGS), abs=3), (
        "the die fills less than half of it"
    )
    assert bright.mean() == pytest.approx((CROP - 1) / 2, abs=1.5)


@pytest.mark.parametrize(("first", "second", "looks"), [(0.9, 0.5, 2), (0.999, 0.1, 1), (HARDLY / 2, 0.9, 1)])
def test_what_the_verifier_is_not_sure_of_it_sees_in_the_mirror_too(
    monkeypatch: pytest.MonkeyPatch, first: float, second: float, looks: int
) -> None:
    class Turning(_Bright):
        def run(
            self, output_names: Sequence[str] | None, input_feed: Mapping[str, NDArray[Any]]
        ) -> list[Any]:
            self.verified = second if self.windows else first
            return super().run(output_names, input_feed)

    pixels = _shape(640, 480, _regular(4, 300, 200, 60, np.pi / 4))
    pixels[150:160, 250:260, 2] = 0  # not the same in the mirror
    network = Turning(boxed=UNSURE)
    found = _detector(monkeypatch, network).detect(pixels)
    assert len(network.windows) == looks
    if looks == 2:
        assert np.array_equal(network.windows[1], network.windows[0][:, ::-1])
        assert not np.array_equal(network.windows[1], network.windows[0])
        assert found[0].verified == pytest.approx(0.75), "odds of 9 and of 1 are odds of 3 together"


def test_where_detector_and_finder_plainly_see_a_die_the_verifier_does_not_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pixels = _shape(640, 480, _regular(4, 300, 200, 60, 0.1))
    for network, looked in (
        (_Bright((0.01, 0.98, 0.01)), False),
        (_Bright((0.01, 0.98, 0.01), boxed=UNSURE), True),
        (_Bright((0.03, 0.96, 0.01)), True),
    ):
        (found,) = _detector(monkeypatch, network).detect(pixels)
        assert bool(network.windows) == looked
        assert found.verified == pytest.approx(0.9 if looked else 1.0)
    soft = (pixels * 0.8).astype(np.uint8)  # neither inside nor outside the face
    hazy = _Bright((0.01, 0.98, 0.01))
    _detector(monkeypatch, hazy).detect(soft)
    assert hazy.windows


def test_the_verifier_cannot_rule_out_a_die_that_detector_and_finder_plainly_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pixels = _shape(640, 480, _regular(4, 300, 200, 60, 0.1))
    for kind, boxed, dice in (
        ((0.01, 0.98, 0.01), SURE_BOX + 0.1, 1),
        ((0.03, 0.96, 0.01), SURE_BOX + 0.1, 1),
        ((0.2, 0.75, 0.05), SURE_BOX + 0.1, 0),
        ((0.01, 0.98, 0.01), UNSURE, 0),
    ):
        found = _detector(monkeypatch, _Bright(kind, HARDLY / 2, boxed)).detect(pixels)
        assert len(found) == dice
        assert all(die.verified >= HARDLY for die in found)


@pytest.mark.parametrize(
    ("kind", "verified", "dice", "looks"),
    [
        ((0.96, 0.03, 0.01), 0.9, 1, 2),
        ((0.01, 0.98, 0.01), 0.04, 1, 1),
        ((0.96, 0.03, 0.01), 0.1, 0, 2),
        ((0.995, 0.003, 0.002), 0.9, 0, 1),
        ((0.02, 0.9, 0.08), HARDLY / 2, 0, 0),
    ],
    ids=["finder doubts", "verifier doubts", "both doubt", "finder sees none", "verifier sees none"],
)
def test_verifier_and_finder_may_doubt_one_after_the_other_but_not_both(
    monkeypatch: pytest.MonkeyPatch, kind: tuple[float, ...], verified: float, dice: int, looks: int
) -> None:
    network = _Bright(kind, verified, UNSURE)
    found = _detector(monkeypatch, network).detect(_shape(640, 480, _regular(4, 300, 200, 60, 0.1)))
    assert len(found) == dice
    assert network.crops == looks, "what is hardly a die costs no second look"


class _Generous(_Bright):
    """A detector that is surer of a box twice as wide as the die than of the die's own."""

    def __init__(self, wide: Sequence[float]) -> None:
        super().__init__()
        self.wide = wide
        """What the finder sees in the wide box."""

    def _boxes(self, images: NDArray[np.float32]) -> NDArray[np.float32]:
        rows = super()._boxes(images)
        x, width = rows[0, 0, 0], rows[0, 2, 0]
        rows[0, 0, 0], rows[0, 2, 0] = x + width / 2, 2 * width
        rows[0, 0, 1] = x
        return rows

    def _faces(self, crops: Pixels) -> list[Any]:
        planes, kinds = super()._faces(crops)
        half_empty = crops[..., 0].mean(axis=(1, 2)) < 80
        kinds[half_empty] = self.wide
        return [planes, kinds]


def test_what_is_no_die_in_one_box_may_be_one_in_another_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = _shape(640, 480, np.array([(200, 150), (300, 150), (300, 250), (200, 250)], np.float64))
    (found,) = _detector(monkeypatch, _Generous((0.995, 0.003, 0.002))).detect(pixels)
    assert np.abs(np.array(found.box) - (200, 150, 300, 250)).max() < 2
    assert found.boxed == pytest.approx(0.5)
    plain = _Generous((0.005, 0.99, 0.005))
    plain.verified = 0.99
    (found,) = _detector(monkeypatch, plain).detect(pixels)
    assert found.box[2] - found.box[0] == pytest.approx(200, abs=3)
    assert plain.crops == 1, "where a die is plainly seen no other box is examined"


def _found(x: float, score: float, radius: float = 30.0) -> Detection:
    corners = _regular(4, x, 100, radius, 0.2).astype(np.float32)
    box: Box = (x - radius, 100 - radius, x + radius, 100 + radius)
    return Detection(Shape.CUBE, corners, score, box)


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ([_found(100, 0.6), _found(104, 0.9), _found(300, 0.3)], [0.9, 0.3]),
        ([_found(100, 0.9), _found(100, 0.5, radius=15)], [0.9]),
        ([_found(100, 0.9), _found(145, 0.5)], [0.9, 0.5]),
    ],
    ids=["seen twice", "a face within a face", "faces that touch"],
)
def test_each_die_is_kept_once_and_the_surer_one(found: list[Detection], kept: list[float]) -> None:
    assert [die.score for die in without_doubles(found)] == kept


def _octahedron(x: float, score: float, box: Box, shift: float) -> Detection:
    """One whose body was seen `shift` crop pixels beside the middle of its box."""
    crop, body = crop_map(box), np.zeros((3, CROP // 2, CROP // 2), np.float32)
    middle = round((CROP + shift) / 4)
    body[2, 16:32, middle - 8 : middle + 8] = 1
    return Detection(Shape.OCTAHEDRON, _regular(3, x, 100, 12, 0.2).astype(np.float32), score, box, body, crop)


@pytest.mark.parametrize(
    ("shift", "kept"), [(-60.0, [0.9, 0.6]), (60.0, [0.9])], ids=["behind another", "a part of it"]
)
def test_an_octahedron_in_anothers_box_is_another_where_their_bodies_are(shift: float, kept: list[float]) -> None:
    front = _octahedron(140, 0.9, (100.0, 60.0, 180.0, 140.0), 0.0)
    behind = _octahedron(120, 0.6, (90.0, 70.0, 130.0, 130.0), shift)
    assert [die.score for die in without_doubles([front, behind])] == kept


@pytest.mark.parametrize(
    ("around", "back", "kept"),
    [(0.7, 1.0, [0.6, 0.5]), (0.95, 1.0, [0.9]), (0.7, 0.85, [0.9])],
    ids=["a box around two dice", "a die with two faces", "one that may be none"],
)
def test_two_dice_in_one_box_are_two_where_each_is_seen_more_plainly(
    around: float, back: float, kept: list[float]
) -> None:
    found = [_found(130, 0.9, radius=70), _found(100, 0.6), _found(160, 0.5)]
    masks = [np.full((2, 8, 8), sure, np.float32) for sure in (around, 1.0, back)]
    seen = [replace(die, seen=mask) for die, mask in zip(found, masks, strict=True)]
    assert [die.score for die in without_doubles(seen)] == kept


@pytest.mark.slow
@pytest.mark.parametrize("set_id", ["pips", "fate"])
def test_the_shipped_networks_find_dice_on_a_quiet_table(set_id: str) -> None:
    dice_set, rng = find(set_id), np.random.default_rng(7)
    wardrobe, detector = SetWardrobe(dice_set), Detector(WEIGHTS)
    ranges = Ranges(640, 480, dice=(5, 5), pixels=(40, 60), tilt=(10, 30), clutter=0.0, distractors=0.0)
    there, seen, off = 0, 0, list[float]()
    for _ in range(5):
        picture = render(random_scene(rng, wardrobe, ranges))
        found = detector.detect(picture.pixels, dice_set.shapes)
        labels = [label for label in picture.labels if readable(label.visible)]
        off += [min((_off(die, label) for die in found), default=1.0) for label in labels]
        there, seen = there + len(labels), seen + len(found)
    assert there > 8
    assert sum(error < 0.25 for error in off) >= 0.8 * there, "the shape, and corners about where they are"
    assert np.median(off) < 0.12
    assert seen <= 1.5 * there


def _off(die: Detection, label: DieLabel) -> float:
    """Mean distance of corners in sides; far away for another shape."""
    if die.shape != label.shape:
        return 1.0
    true = label.corners + 0.5
    side = float(np.linalg.norm(true[1] - true[0]))
    turns = [np.roll(die.corners, k, axis=0) - true for k in range(len(true))]
    return min(float(np.linalg.norm(turn, axis=1).mean()) for turn in turns) / side


def test_missing_networks_are_named_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"detector\.onnx") as refused:
        Detector(tmp_path)
    assert "\n" not in str(refused.value)
    (tmp_path / "detector.onnx").write_bytes(b"not a network")
    with pytest.raises(WeightsError, match=r"detector\.onnx") as refused:
        Detector(tmp_path)
    assert "\n" not in str(refused.value)
    (tmp_path / "SHA256SUMS").write_text("0" * 64 + "  detector.onnx\n")
    with pytest.raises(WeightsError, match="checksum"):
        Detector(tmp_path)



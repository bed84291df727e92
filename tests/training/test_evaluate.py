"""What counts as right, wrong, missed and invented, and which folders can be judged at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from training.evaluate.labels import ASIDE, FolderError
from training.evaluate.run import JudgedDie, PictureVerdict, TrueDie, Verdict, evaluate, judge, read_labels
from vision.dicesets.library import find
from vision.dicesets.shapes import Shape
from vision.reading import UNKNOWN, Alternative, DieReading, Reading, StageTimes


def _die(
    face: str, x: float, y: float, *, half: float = 20.0, confidence: float = 0.9, certain: bool = True
) -> DieReading:
    """A d6 seen aslant: its top face has its middle at (x, y), its box reaches as far again below it."""
    corners = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    box = (x - half, y - half, x + half, y + 2 * half)
    return DieReading(Shape.CUBE, face, certain, confidence, (Alternative(face, confidence),), corners, box)


def _judged(label: str | None, die: str | None, *, certain: bool = True, confidence: float = 0.9) -> JudgedDie:
    return JudgedDie(
        TrueDie(label, (50, 50), 40) if label else None,
        _die(die, 50, 50, certain=certain, confidence=confidence) if die else None,
    )


def test_every_die_is_right_wrong_missed_or_invented() -> None:
    labels = [TrueDie("1", (50, 50), 60), TrueDie("2", (200, 50), 60), TrueDie("3", (400, 50), 60)]
    dice = [_die("1", 52, 48), _die("6", 200, 50), _die("4", 600, 300)]
    found = judge(labels, dice)
    assert [(j.label.face if j.label else None, j.die.face if j.die else None) for j in found] == [
        ("1", "1"),
        ("2", "6"),
        ("3", None),
        (None, "4"),
    ]
    assert [j.right for j in found] == [True, False, False, False]


@pytest.mark.parametrize(
    ("what", "centre", "size"),
    [("the whole die", (100.0, 110.0), 60.0), ("its top face", (100.0, 100.0), 40.0)],
)
def test_labels_may_go_round_whole_dice_or_round_top_faces(
    what: str, centre: tuple[float, float], size: float
) -> None:
    (found,) = judge([TrueDie("5", centre, size)], [_die("5", 100, 100)])
    assert found.right, what


def test_a_die_half_its_size_away_from_a_label_is_another_die() -> None:
    near = judge([TrueDie("5", (100, 100), 40)], [_die("5", 119, 100)])
    away = judge([TrueDie("5", (100, 100), 40)], [_die("5", 121, 100)])
    assert [j.right for j in near] == [True]
    assert [j.right for j in away] == [False, False], "missed and invented"


def test_two_labels_never_share_a_die_nor_two_dice_a_label() -> None:
    two_labels = judge([TrueDie("1", (100, 100), 60), TrueDie("2", (110, 100), 60)], [_die("2", 108, 100)])
    assert [j.right for j in two_labels] == [False, True], "the nearer label has it"
    two_dice = judge([TrueDie("1", (100, 100), 60)], [_die("1", 112, 100), _die("1", 101, 100)])
    assert len(two_dice) == 2
    assert two_dice[0].die is not None
    assert two_dice[0].die.corners[0][0] == 81, "the nearer die has it"
    assert two_dice[1].label is None


def _verdict() -> Verdict:
    whole = PictureVerdict(Path("a.jpg"), (_judged("1", "1"), _judged("2", "2", confidence=0.8)), 30.0)
    mixed = PictureVerdict(
        Path("b.jpg"),
        (
            _judged("1", "1", certain=False, confidence=0.4),
            _judged("1", "2", confidence=0.95),
            _judged("2", None),
            _judged(None, "2", confidence=0.7),
        ),
        50.0,
    )
    return Verdict((whole, mixed), ("c.jpg: damaged",))


def test_the_summary_counts_what_happened() -> None:
    summary = _verdict().summary()
    assert summary["failed"] == ["c.jpg: damaged"]
    counts = ("pictures", "dice", "right", "wrong", "missed", "invented", "rolls_right", "uncertain")
    assert [summary[name] for name in counts] == [2, 5, 3, 1, 1, 1, 1, 1]
    assert summary["accuracy"] == 0.6
    assert summary["rolls_accuracy"] == 0.5
    assert summary["read"] == 5, "four that lie there, and the invented one"
    assert summary["uncertain_share"] == 0.2, "of the five dice that were read"
    assert summary["certain_and_wrong"] == 2, "the misread one and the invented one"
    assert summary["invented_and_certain"] == 1
    assert summary["confusion"] == {"1": {"1": 2, "2": 1}, "2": {"2": 1, "missed": 1}}
    assert summary["by_size"] == [{"from_px": 40, "to_px": 64, "dice": 5, "accuracy": 0.6, "missed": 1}]


def test_reliability_sets_confidence_beside_what_was_right() -> None:
    rows = {row["confidence"]: row for row in _verdict().summary()["reliability"]}
    assert rows[0.4] == {"confidence": 0.4, "right": 1.0, "dice": 1}
    assert rows[0.925] == {"confidence": 0.925, "right": 0.5, "dice": 2}
    assert sum(row["dice"] for row in rows.values()) == 5


RIGHT = _judged("1", "1")
ASKED = _judged("1", "1", certain=False)


@pytest.mark.parametrize(
    ("why", "dice", "expected"),
    [
        ("every die right, none asked about", (RIGHT, RIGHT), True),
        ("nothing lies there and nothing was seen", (), True),
        ("one is right and asked about", (RIGHT, ASKED), False),
        ("one is wrong", (RIGHT, _judged("1", "2")), False),
        ("one was missed", (RIGHT, _judged("1", None)), False),
        ("one was invented, for certain", (RIGHT, _judged(None, "1")), False),
        ("one was invented, and is asked about", (RIGHT, _judged(None, "1", certain=False)), False),
    ],
)
def test_a_roll_is_hands_free_when_all_its_dice_are_right_and_certain(
    why: str, dice: tuple[JudgedDie, ...], expected: bool
) -> None:
    picture = PictureVerdict(Path("a.jpg"), dice, 1.0)
    assert picture.hands_free is expected, why
    summary = Verdict((picture, PictureVerdict(Path("b.jpg"), (RIGHT,), 1.0)), ()).summary()
    assert (summary["hands_free"], summary["hands_free_share"]) == (1 + expected, (1 + expected) / 2)


def _curve(*rolls: tuple[JudgedDie, ...]) -> list[tuple[float, int, int, int]]:
    """Threshold, dice certain and wrong, dice asked about, hands-free rolls."""
    summary = Verdict(tuple(PictureVerdict(Path("a.jpg"), dice, 1.0) for dice in rolls), ()).summary()
    names = ("threshold", "certain_and_wrong", "asked", "hands_free")
    return [(row[names[0]], *(row[name] for name in names[1:])) for row in summary["asking_curve"]]


def _sure(confidence: float, seen: str = "1") -> JudgedDie:
    return _judged("1", seen, confidence=confidence, certain=confidence >= 0.9)


def test_the_curve_has_the_threshold_that_asks_least_for_each_count_of_silent_misreads() -> None:
    rolls = (_sure(0.97), _sure(0.96)), (_sure(0.95, "2"), _sure(0.93)), (_sure(0.99), _sure(0.6)), (_sure(0.4, "2"),)
    assert _curve(*rolls) == [(0.96, 0, 4, 1), (0.6, 1, 1, 2), (0.4, 2, 0, 2)]
    summary = Verdict(tuple(PictureVerdict(Path("a.jpg"), dice, 1.0) for dice in rolls), ()).summary()
    assert (summary["certain_and_wrong"], summary["uncertain"], summary["hands_free"]) == (1, 2, 1), (
        "the threshold in use asks about one die more than it would have to"
    )
    assert _curve() == [(1.0, 0, 0, 0)]


def test_dice_that_are_not_asked_about_for_their_confidence_are_asked_about_at_every_threshold() -> None:
    marked = _judged("1", "1", confidence=0.95, certain=False)
    unknown = _judged("1", UNKNOWN, confidence=0.0, certain=False)
    assert _curve((_sure(0.92), marked), (_sure(0.91), unknown), (_sure(0.5),)) == [(0.5, 0, 2, 1)]
    assert _curve((marked, unknown)) == [(0.95, 0, 1, 0)], "nothing is certain, so its confidence may be why"


def _folder(home: Path, labels: str = "0 0.5 0.5 0.25 0.25\n", faces: str = "Cat\nTwo Cats\n") -> Path:
    for name in ("images", "labels"):
        (home / name).mkdir(parents=True, exist_ok=True)
    (home / "faces.txt").write_text(faces)
    for name in ("a", "b"):
        Image.new("RGB", (160, 120)).save(home / "images" / f"{name}.png")
    (home / "labels" / "a.txt").write_text(labels)
    return home


def _sees_a_cat(pixels: NDArray[np.uint8]) -> Reading:
    height, width = pixels.shape[:2]
    return Reading(width, height, (_die("cat", 80, 60),), StageTimes(1, 2, 3))


def test_a_folder_is_read_picture_by_picture(tmp_path: Path) -> None:
    steps: list[int] = []
    (_folder(tmp_path) / "images" / "broken.jpg").write_bytes(b"\xff\xd8 cut short")
    (tmp_path / "images" / "notes.txt").write_text("no picture, and not looked at")
    verdict = evaluate(tmp_path, find("cats"), _sees_a_cat, lambda: steps.append(1))
    assert [picture.path.name for picture in verdict.pictures] == ["a.png", "b.png"]
    assert [picture.wholly_right for picture in verdict.pictures] == [True, False], (
        "b has no label, so no dice"
    )
    assert len(verdict.failed) == 1
    assert "broken.jpg" in verdict.failed[0]
    assert len(steps) == 3


def test_dice_aside_count_neither_way(tmp_path: Path) -> None:
    labels = _folder(tmp_path) / "labels"
    (labels / f"b{ASIDE}").write_text((labels / "a.txt").read_text())
    first, second = evaluate(tmp_path, find("cats"), _sees_a_cat).pictures
    assert [len(picture.dice) for picture in (first, second)] == [1, 0]


def test_dice_below_the_least_size_count_neither_way() -> None:
    small, large = TrueDie("cat", (50.0, 50.0), 20.0), TrueDie("cat", (150.0, 50.0), 40.0)
    dice = (_die("dd", 50.0, 50.0), _die("cat", 150.0, 50.0))
    (judged,) = judge((small, large), dice, 24.0)
    assert judged.label is large
    assert judged.right
    assert len(judge((small, large), (), 24.0)) == 1


def test_accuracy_is_told_by_tilt_where_labels_have_corners() -> None:
    flat, steep = TrueDie("cat", (50.0, 50.0), 40.0, 5.0), TrueDie("cat", (150.0, 50.0), 40.0, 43.0)
    dice = judge((flat, steep, TrueDie("cat", (250.0, 50.0), 40.0)), (_die("cat", 50.0, 50.0),))
    summary = Verdict((PictureVerdict(Path("a.jpg"), dice, 1.0),), ()).summary()
    assert summary["by_tilt"] == [
        {"from_degrees": 0, "to_degrees": 10, "dice": 1, "accuracy": 1.0, "missed": 0},
        {"from_degrees": 40, "to_degrees": 91, "dice": 1, "accuracy": 0.0, "missed": 1},
    ]


def test_faces_are_named_as_people_name_them(tmp_path: Path) -> None:
    verdict = evaluate(_folder(tmp_path, faces="Two Cats\nCAT\n"), find("cats"), _sees_a_cat)
    label = verdict.pictures[0].dice[0].label
    assert label is not None
    assert label.face == "two-cats"


def test_labels_are_fractions_of_the_picture_and_may_carry_corners(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("1 0.5 0.25 0.1 0.2 0.4 0.4 0.6 0.4 0.6 0.6 0.4 0.6\n\n")
    (label,) = read_labels(path, {1: "dd"}, 200, 100)
    assert (label.face, label.centre, label.size) == ("dd", (100.0, 25.0), 20.0)
    assert label.tilt == pytest.approx(60), "40 px wide and 20 px high: a square seen at 60 degrees"
    path.write_text("1 0.5 0.25 0.1 0.2\n")
    assert read_labels(path, {1: "dd"}, 200, 100) == (TrueDie("dd", (100.0, 25.0), 20.0, None),)
    assert read_labels(tmp_path / "missing.txt", {}, 200, 100) == ()


@pytest.mark.parametrize(
    "line",
    ["0 0.5 0.5 0.25", "cat 0.5 0.5 0.1 0.1", "7 0.5 0.5 0.1 0.1", "0 nan 0.5 0.1 0.1", "0 320 240 60 60"],
)
def test_a_line_that_is_no_label_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(FolderError, match=r"a\.txt:2: expected 'class x y width height'"):
        evaluate(_folder(tmp_path, labels=f"0 0.5 0.5 0.25 0.25\n{line}\n"), find("cats"), _sees_a_cat)


def test_a_folder_that_cannot_be_judged_says_what_it_lacks(tmp_path: Path) -> None:
    cats = find("cats")
    with pytest.raises(FolderError, match=r"expected faces\.txt"):
        evaluate(tmp_path / "nowhere", cats, _sees_a_cat)
    with pytest.raises(FolderError, match="cats has no face “emu”; its faces are cat, two-cats, sigil, dd, thoromyr"):
        evaluate(_folder(tmp_path / "other", faces="emu\n"), cats, _sees_a_cat)
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "faces.txt").write_text("cat\n")
    with pytest.raises(FolderError, match="expected pictures in images/"):
        evaluate(bare, cats, _sees_a_cat)
    (bare / "faces.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FolderError, match="UTF-8"):
        evaluate(bare, cats, _sees_a_cat)

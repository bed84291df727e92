"""A corrected die reaches whoever teaches, with the picture it was seen in, and nobody waits for it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring.actions import Fill
from scoring.games import find as find_game
from scoring.match import begin
from table.session import Session
from table.storage.store import Store
from table.table import Table
from table.teaching.learning import READINGS, LearningReader
from table.watcher import OpenMatch
from tests.fakes import die, reading, rolled
from tests.vision.enrol.shots import paper
from tests.vision.enrol.shots import table as table_with
from vision.camera.bounded import Bounded
from vision.combine import combined
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.enrol.examples import learning
from vision.frame import Mask, Pixels
from vision.reader import Reader
from vision.reading import DieReading, Reading


class Seer:
    """Sees two dice in every picture, each time anew."""

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        return reading(die("emu", 60.0, shape=Shape.CUBE), die("koala", 200.0, shape=Shape.CUBE))


class Teaching:
    """Keeps what it is taught; holds every lesson until it is let."""

    def __init__(self) -> None:
        self.lessons: list[tuple[Pixels, DieReading, str, str]] = []
        self.may = threading.Event()
        self.may.set()

    def __call__(self, pixels: Pixels, die: DieReading, face: str, source: str) -> None:
        assert self.may.wait(60)
        if face == "unknown":
            raise OSError("the disk is full")
        self.lessons.append((pixels, die, face, source))


def frame(level: int) -> Pixels:
    pixels = np.zeros((240, 320, 3), np.uint8)
    pixels[..., 0] = np.arange(320) // 2
    pixels[..., 1] = level
    return pixels


def test_a_correction_is_learnt_from_the_picture_it_was_seen_in() -> None:
    teaching = Teaching()
    learner = LearningReader(Seer(), teaching, source="the webcam")
    first = learner.read(frame(10))
    learner.read(frame(20))
    assert learner.corrected(first.dice[1], "joker")
    learner.close()
    ((pixels, seen, face, source),) = teaching.lessons
    assert (face, source) == ("joker", "the webcam")
    assert (pixels[..., 1] == 10).all()
    assert pixels.shape[1] < 320
    # What lies under the corners is the same as in the frame.
    (x, y), (fx, fy) = seen.corners[0], first.dice[1].corners[0]
    assert pixels[int(y), int(x), 0] == frame(10)[int(fy), int(fx), 0]


def test_a_faint_die_that_people_name_is_learnt_from_too() -> None:
    class Doubting(Seer):
        def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
            return replace(super().read(pixels), faint=(die("joker", 280.0, shape=Shape.CUBE, certain=False),))

    teaching = Teaching()
    learner = LearningReader(Doubting(), teaching)
    seen = learner.read(frame(10))
    assert learner.corrected(seen.faint[0], "emu")
    learner.close()
    assert [face for _, _, face, _ in teaching.lessons] == ["emu"]


def test_of_dice_read_in_several_frames_the_newest_picture_is_remembered() -> None:
    class ReadingOn(Seer):
        def read_on(self, pixels: Pixels, before: Reading, arrived: Mask | None = None) -> Reading:
            return combined([before, self.read(pixels)], 0.9)

    teaching = Teaching()
    learner = LearningReader(ReadingOn(), teaching)
    first = learner.read(frame(10))
    both = learner.read_on(frame(20), first)
    for level in range(READINGS - 1):
        learner.read(frame(level))
    assert not learner.corrected(first.dice[0], "koala")
    assert learner.corrected(both.dice[0], "koala")
    learner.close()
    assert (teaching.lessons[0][0][..., 1] == 20).all()
    assert LearningReader(Seer(), teaching).read_on(frame(20), first) is first


def test_whoever_corrects_does_not_wait_and_a_die_that_cannot_be_learnt_stops_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    teaching = Teaching()
    teaching.may.clear()
    learner = LearningReader(Seer(), teaching)
    seen = learner.read(frame(1))
    for number, face in ((0, "koala"), (1, "unknown"), (1, "emu")):
        assert learner.corrected(seen.dice[number], face)
    assert not teaching.lessons
    teaching.may.set()
    learner.close()
    assert [face for _, _, face, _ in teaching.lessons] == ["koala", "emu"]
    assert "a corrected die is not learnt: the disk is full" in caplog.text


def test_what_was_seen_long_ago_is_not_known_any_more() -> None:
    learner = LearningReader(Seer(), Teaching())
    seen = learner.read(frame(0))
    for level in range(READINGS):
        learner.read(frame(level))
    assert not learner.corrected(seen.dice[0], "koala")
    assert not learner.corrected(die("emu"), "koala"), "a die that was never read here"


def test_dice_that_counted_are_shown_to_a_reader_that_knows_them_again_and_teach_the_set_nothing() -> None:
    known: list[tuple[str, int, bool]] = []
    lay: list[Reading] = []

    class Knowing(Seer):
        def recognise(self, pixels: Pixels, die: DieReading, face: str, *, named: bool = False) -> None:
            known.append((face, int(pixels[0, 0, 1]), named))

        def counted(self, reading: Reading) -> None:
            lay.append(reading)

    teaching = Teaching()
    learner = LearningReader(Knowing(), teaching)
    first = learner.read(frame(10))
    learner.read(frame(20))
    learner.counted([first.dice[0], die("emu")], first.dice)
    assert learner.corrected(first.dice[1], "joker")
    learner.close()
    assert known == [("emu", 10, False), ("joker", 10, True)]
    (told,) = lay
    assert (told.dice, told.width, told.height) == (first.dice, first.width, first.height)
    assert [face for _, _, face, _ in teaching.lessons] == ["joker"]
    plain = LearningReader(Seer(), teaching)
    dice = plain.read(frame(10)).dice
    plain.counted(dice, dice)
    plain.close()
    assert len(teaching.lessons) == 1


def test_of_a_roll_the_thrown_dice_that_were_certain_count_and_those_read_right_tell_how_they_lie(
    tmp_path: Path,
) -> None:
    match = begin(find_game("meet-fate"), ["Alice", "Bob"])
    counted: list[tuple[str, str]] = []
    session = Session(
        match, Store.of(tmp_path / "matches").begin(match), find("fate"),
        counted=lambda *dice: counted.append(tuple("".join(one.face for one in some) for some in dice)),
    )  # fmt: skip
    sure = rolled("224578")
    session.saw(reading(die("3", 60.0, certain=False), die("2", 120.0, certain=False), *sure.dice[2:]))
    assert counted == []
    session.correct(2, "2")
    assert counted == []
    session.correct(1, "2")
    assert counted == [("4578", "24578")]


@pytest.mark.slow
def test_a_reader_knows_what_was_learnt_from_the_next_picture_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    dice_set = find("outback")
    reader = Reader(dice_set)
    pixels = table_with((paper("emu"), (200, 160), 0), side=80)
    corners = ((160.0, 120.0), (240.0, 120.0), (240.0, 200.0), (160.0, 200.0))
    seen = DieReading(Shape.CUBE, "emu", True, 0.9, (), corners, (150.0, 110.0, 250.0, 210.0))
    learnt = learning(reader, dice_set)(pixels, seen, "emu", "the table")
    assert not learnt.example.doubtful
    assert len(reader.dice_set.face("emu").pictures) == len(dice_set.face("emu").pictures) + 1
    assert reader.dice_set == find("outback")


def test_what_people_say_a_seen_die_shows_reaches_the_learner_and_a_typed_one_does_not(tmp_path: Path) -> None:
    match = begin(find_game("meet-fate"), ["Alice", "Bob"])
    store = Store.of(tmp_path / "matches").begin(match)
    told: list[tuple[DieReading, str]] = []
    session = Session(match, store, find("fate"), learns=lambda die, face: told.append((die, face)))
    sure = rolled("224578")
    doubted = reading(die("3", 60.0, certain=False), *sure.dice[1:])
    session.saw(doubted)
    session.correct(1, "2")
    session.correct(3, "eight")
    expected = [(doubted.dice[0], "2"), (doubted.dice[2], "8")]
    assert told == expected
    session.decide(Fill("chance"))
    session.roll("1 2 3 4 5 6")
    session.correct(1, "2")
    assert told == expected


def test_a_reader_hears_that_another_camera_looks_or_at_another_part_of_the_table(tmp_path: Path) -> None:
    told: list[str] = []

    class Knowing(Seer):
        def know(self, dice_set: DiceSet) -> None:
            told.append(dice_set.id)

        def view_changed(self) -> None:
            told.append("view")

    match = begin(find_game("meet-fate"), ["Alice", "Bob"])
    session = Session(match, Store.of(tmp_path).begin(match), find("fate"))
    table = Table(OpenMatch(session, LearningReader(Knowing(), Teaching())))
    table.view_moved((3.0, 3.0), (320, 240))
    table.camera_turned(Bounded(DemoCamera(find("fate"))))
    table.know(find("fate"))
    assert told == ["view", "view", "fate"]
    Table(OpenMatch(session, LearningReader(Seer(), Teaching()))).view_moved((3.0, 3.0), (320, 240))
    Table(session).view_moved((3.0, 3.0), (320, 240))

"""The watcher: settled frames are read, a camera that fails is said and opened again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from messages.message import Message
from scoring.actions import Roll
from scoring.games import find as find_game
from scoring.match import begin
from table import watcher as watching
from table.session import Session
from table.storage.store import Store
from table.table import Table
from table.watcher import FrameStep, NoDice, OpenMatch, Watcher, next_step
from tests.fakes import TruthfulReader, certain, die, reading, shown
from tests.vision.filmstrip import HEIGHT, WIDTH, Place, lying
from tests.vision.filmstrip import picture as pictured
from tests.waiting import WAIT
from training.film.demo_film import ReachingHand
from vision.boxes import Box
from vision.combine import combined
from vision.demo.camera import DemoCamera
from vision.demo.throw import Truth
from vision.dicesets.library import find
from vision.frame import Frame, Mask, Pixels
from vision.quality import Health
from vision.reading import DieReading, Reading
from vision.settle import Sight, TableState


class Ears:
    """Keeps what a watcher says."""

    def __init__(self) -> None:
        self.readings: list[Reading] = []
        self.states: list[TableState] = []
        self.troubles: list[str | None] = []
        self.on_reading: Callable[[], object] = lambda: None
        self.changed = threading.Condition()

    def hears(self, camera, reader, complete=lambda reading: False) -> Watcher:
        self.complete = complete
        self.opened = OpenMatch(cast(Session, self), reader)
        return Watcher(camera, self)

    def _keep(self, where: list, heard: object) -> None:
        with self.changed:
            where.append(heard)
            self.changed.notify_all()

    def saw(self, reading: Reading, evidence: object) -> None:
        self._keep(self.readings, reading)
        self.on_reading()

    def state_is(self, state: TableState) -> None:
        self._keep(self.states, state)

    def camera_says(self, trouble: Message | None) -> None:
        self._keep(self.troubles, None if trouble is None else str(trouble))

    def wait(self, fulfilled, seconds: float = WAIT) -> None:
        with self.changed:
            assert self.changed.wait_for(fulfilled, timeout=seconds)

    def hears_it_out(self, camera, reader, complete=lambda reading: False) -> None:
        """Look until the camera has stopped sending images."""
        watcher = self.hears(camera, reader, complete)
        watcher.start()
        self.wait(lambda: f"{camera.name} has stopped sending images" in self.troubles)
        watcher.stop()


class FlakyCamera:
    """Opens at the third try, gives a few frames, and ends."""

    name = "old webcam"
    live = True

    def __init__(self) -> None:
        self.opened = 0
        self.closed = 0
        self._left = 0

    def open(self) -> None:
        self.opened += 1
        if self.opened < 3:
            raise OSError("old webcam does not open")
        self._left = 5

    def read(self) -> Frame | None:
        if not self._left:
            return None
        self._left -= 1
        return Frame(np.zeros((48, 64, 3), np.uint8), 5 - self._left, (5 - self._left) * 0.2, self.name)

    def close(self) -> None:
        self.closed += 1


class Sees:
    """Reads what a function makes of a picture."""

    def __init__(self, dice: Callable[[Pixels], Sequence[DieReading]]) -> None:
        self._dice = dice

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        return reading(*self._dice(pixels))


class Faulty:
    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        raise RuntimeError("a fault of ours")


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.mark.slow
def test_each_throw_of_the_demo_table_is_read_once_and_rightly(ears: Ears):
    camera = DemoCamera(find("fate"), seed=2, size=(480, 360), rate=25)
    watcher = ears.hears(camera, TruthfulReader(camera))
    watcher.start()
    try:
        ears.wait(lambda: TableState.EMPTY in ears.states)
        camera.throw()
        ears.wait(lambda: len(ears.readings) == 2)
        assert sorted(ears.readings[-1].faces) == sorted(die.face for die in camera.truth())
        ears.wait(lambda: ears.states[-1] is TableState.SETTLED)
        watcher.look_again()
        ears.wait(lambda: len(ears.readings) == 3)
    finally:
        watcher.stop()
    assert TableState.ROLLING in ears.states
    assert ears.troubles == [None]


def test_a_camera_that_fails_is_said_and_opened_again(ears: Ears, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watching, "RETRY_AFTER", 0.01)
    camera = FlakyCamera()
    watcher = ears.hears(camera, NoDice())
    watcher.start()
    ears.wait(lambda: "old webcam has stopped sending images" in ears.troubles)
    watcher.stop()
    assert ears.troubles[:3] == [
        "old webcam does not open",
        None,
        "old webcam has stopped sending images",
    ]
    assert camera.closed >= 3


class Film:
    """Frames that were made before, and then none."""

    def __init__(self, frames: Iterator[Frame], name: str, *, live: bool) -> None:
        self.name, self.live, self._frames, self.given = name, live, frames, 0

    def open(self) -> None:
        pass

    def read(self) -> Frame | None:
        self.given += 1
        return next(self._frames, None)

    def close(self) -> None:
        pass


def staged(*scenes: tuple[float, Pixels | None]) -> Film:
    """A live camera, thirty frames a second; each scene for so many seconds, None is a picture that stands still."""

    def played() -> Iterator[Frame]:
        chance, number = np.random.default_rng(1), 0
        shown = np.zeros((120, 160, 3), np.uint8)
        for seconds, picture in scenes:
            for _ in range(round(seconds * 30)):
                if picture is not None:
                    noise = chance.normal(0, 2, picture.shape)
                    shown = np.clip(picture + noise, 0, 255).astype(np.uint8)
                yield Frame(shown, number, number / 30, "staged")
                number += 1

    return Film(played(), "staged", live=True)


def lit(level: int) -> Pixels:
    picture = np.full((120, 160, 3), level, np.uint8)
    picture[40:60, 60:80] = 230 if level > 20 else level
    return picture


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "IDLE_PAUSE", 0.0)
    monkeypatch.setattr(watching, "RETRY_AFTER", 0.01)


@pytest.mark.slow
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("fault", "words"),
    [((5.0, None), "is frozen"), ((3.0, lit(3)), "is black")],
    ids=["frozen", "black"],
)
def test_a_camera_that_sees_nothing_is_said_once_and_recovers(
    ears: Ears, fault: tuple[float, Pixels | None], words: str
):
    ears.hears_it_out(staged((2, lit(90)), fault, (2, lit(90))), NoDice())
    said = [one for one in ears.troubles if one]
    assert words in said[0]
    assert said[1] == "staged has stopped sending images"
    assert ears.troubles[:3] == [None, said[0], None]
    assert len(ears.readings) == 2  # before and after, nothing in between


@pytest.mark.slow
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("complete", [True, False])
def test_dice_beside_a_hand_that_lies_still_are_read_when_all_are_there(ears: Ears, complete: bool):
    empty, beside = lit(90), lit(90)
    empty[40:60, 60:80] = 90
    beside[20:100, 100:160] = (60, 90, 160)
    beside[30:90:6, 104:160] = (200, 220, 240)
    sighted = Sees(lambda pixels: [die("1", 70, 50)] * bool(pixels[50, 70, 0] > 150))
    camera = staged((2, empty), (2, beside), (1, lit(90)))
    ears.hears_it_out(camera, sighted, lambda seen: complete and len(seen.dice) == 1)
    assert TableState.OBSTRUCTED in ears.states
    assert [len(one.dice) for one in ears.readings] == ([0, 1, 1] if complete else [0, 1])


@pytest.mark.usefixtures("hurried")
def test_dice_at_the_border_that_look_like_a_hand_are_read_in_more_frames_before_people_are_asked(
    ears: Ears, monkeypatch: pytest.MonkeyPatch
):
    judged, read = list[int](), Health.read

    def judge(health: Health, pixels: Pixels, boxes: Sequence[Box], *, doubted: bool) -> bool:
        judged.append(len(boxes))
        return read(health, pixels, boxes, doubted=doubted)

    monkeypatch.setattr(Health, "read", judge)
    empty, edge = lit(90), lit(90)
    empty[40:60, 60:80] = edge[40:60, 60:80] = 90
    edge[10:50, 120:160], edge[60:100, 120:160] = 230, 230
    boxes = [(120.0, 10.0, 160.0, 50.0), (120.0, 60.0, 160.0, 100.0)]
    two = [replace(die("1", 140, box[1] + 20, certain=False), box=box) for box in boxes]
    sure = [replace(die("1", 140, box[1] + 20), box=box) for box in boxes]
    reader = ReadsOn(reading(), reading(*two), reading(*sure))
    ears.hears_it_out(staged((2, empty), (2, edge)), reader, all_there(2))
    assert TableState.OBSTRUCTED in ears.states
    assert [(len(one.dice), certain(one)) for one in ears.readings] == [(0, True), (2, True)]
    assert judged == [0, 2], "focus is compared with these dice from now on"


@pytest.mark.slow
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("lasts", "said"), [(6.0, True), (0.5, False), (0.8, False)])
def test_a_lens_out_of_focus_is_said_unless_it_passes_and_its_picture_not_taken_for_a_throw(
    ears: Ears, lasts: float, said: bool
):
    sharp = lit(90)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 5), np.uint8)
    ears.hears_it_out(staged((3, sharp), (lasts, soft), (3, sharp)), Sees(lambda _: [die("1", 70, 52)]))
    over = "staged has stopped sending images"
    focus = ["the camera image is out of focus", None] if said else []
    assert ears.troubles[: len(focus) + 2] == [None, *focus, over]


@pytest.mark.parametrize(
    ("state", "still", "fresh", "known", "step"),
    [
        (TableState.ROLLING, 0.0, False, {}, FrameStep.WAIT),
        (TableState.SETTLING, 0.02, False, {}, FrameStep.WAIT),
        (TableState.SETTLING, 0.03, False, {}, FrameStep.PREFETCH),
        (TableState.SETTLING, 0.15, False, {"prefetched": True}, FrameStep.WAIT),
        (TableState.SETTLED, 0.22, True, {"prefetched": True}, FrameStep.DELIVER),
        (TableState.SETTLED, 9.0, False, {}, FrameStep.WAIT),
        (TableState.SETTLED, 9.0, False, {"asked": True}, FrameStep.DELIVER),
        (TableState.OBSTRUCTED, 0.1, False, {}, FrameStep.PREFETCH),
        (TableState.OBSTRUCTED, 0.1, False, {"prefetched": True}, FrameStep.WAIT),
        (TableState.TAKEOUT, 0.22, False, {"prefetched": True}, FrameStep.PEEK),
        (TableState.TAKEOUT, 0.5, False, {"peeked": True}, FrameStep.WAIT),
        (TableState.SETTLING, 0.15, False, {"prefetched": True, "unsure": True}, FrameStep.READ_ON),
        (TableState.SETTLED, 0.22, True, {"prefetched": True, "unsure": True}, FrameStep.DELIVER),
        (TableState.SETTLED, 0.3, False, {"prefetched": True, "unsure": True}, FrameStep.READ_ON),
        (TableState.OBSTRUCTED, 0.1, False, {"prefetched": True, "unsure": True}, FrameStep.WAIT),
    ],
)
def test_what_is_done_with_a_frame(
    state: TableState, still: float, fresh: bool, known: dict[str, bool], step: FrameStep
):
    assert next_step(Sight(state, 0.0, still, fresh), **known) is step


def test_no_frame_is_read_of_which_settle_does_not_know_whether_anything_moves():
    passed = Sight(TableState.SETTLED, 0.0, 0.3, fresh=False, passed=True)
    assert next_step(passed, prefetched=True, unsure=True) is FrameStep.WAIT


class ReadsOn:
    """Says of each frame what it was told to, the last thing again and again; several frames are combined."""

    def __init__(self, *said: Reading) -> None:
        self._said = list(said)
        self.frames: list[Pixels] = []
        self.arrived: list[Mask | None] = []
        self.reading_on: Callable[[], None] = lambda: None

    def read(self, pixels: Pixels, arrived: Mask | None = None) -> Reading:
        self.frames.append(pixels)
        self.arrived.append(arrived)
        return self._said.pop(0) if len(self._said) > 1 else self._said[0]

    def read_on(self, pixels: Pixels, before: Reading, arrived: Mask | None = None) -> Reading:
        self.reading_on()
        return combined([*(before.frames or [before]), self.read(pixels, arrived)], certain=0.9)


SURE = reading(die("1", 70, 50))
DOUBTED = reading(die("1", 70, 50, certain=False, others=["2"]))
TWO = reading(*SURE.dice, die("3", 140, 50))


def all_there(dice: int) -> Callable[[Reading], bool]:
    return lambda seen: certain(seen) and len(seen.dice) == dice


def watched(ears: Ears, reader: ReadsOn, *scenes: tuple[float, Pixels | None], dice: int = 1) -> list[float]:
    """Watch these scenes as a recording; how many seconds of it had passed when each reading came."""
    film, heard = staged(*scenes), list[float]()
    film.live = False
    watcher = ears.hears(film, reader, all_there(dice))
    ears.on_reading = lambda: heard.append(film.given / 30)
    watcher.watch_through()
    return heard


def test_what_the_first_frame_says_for_certain_is_handed_on_at_once(ears: Ears):
    reader = ReadsOn(SURE, DOUBTED)
    (came,) = watched(ears, reader, (2, lit(90)))
    assert came == pytest.approx(watching.ALL_THERE_AFTER + 0.03, abs=0.04), "sooner than the table is settled"
    assert len(reader.frames) == 1
    assert certain(ears.readings[0])


def test_certain_dice_of_which_one_is_missing_are_not_handed_on_sooner(ears: Ears):
    (came,) = watched(ears, ReadsOn(SURE), (0.5, lit(90)), dice=2)
    assert came > 0.22


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("live", [True, False])
def test_what_a_few_more_frames_answer_is_not_asked(ears: Ears, live: bool):
    reader, film = ReadsOn(DOUBTED, SURE), staged((2, lit(90)))
    film.live = live
    ears.hears_it_out(film, reader, all_there(1))
    (heard,) = ears.readings
    assert certain(heard)
    assert len(heard.frames) == len(reader.frames) == 3


def test_what_stays_uncertain_is_asked_within_half_a_second(ears: Ears):
    reader = ReadsOn(DOUBTED)
    (came,) = watched(ears, reader, (3, lit(90)))
    assert 0.25 < came < watching.READS_FOR + 0.1
    assert len(ears.readings[0].frames) == len(reader.frames) == watching.MOST_FRAMES
    assert not certain(ears.readings[0])


def test_a_slow_camera_is_not_waited_for_longer_than_that(ears: Ears, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watching, "READ_APART", 0.2)
    reader = ReadsOn(DOUBTED)
    (came,) = watched(ears, reader, (3, lit(90)))
    assert came == pytest.approx(0.06 + watching.READS_FOR, abs=0.08)
    assert len(reader.frames) == 3


def test_people_are_not_asked_before_a_few_frames_are_read_but_not_for_ever(
    ears: Ears, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(watching, "READ_APART", 0.4)
    reader = ReadsOn(DOUBTED)
    (came,) = watched(ears, reader, (3, lit(90)))
    assert watching.READS_FOR < came < watching.READS_FOR_LONGEST
    assert len(ears.readings[0].frames) == watching.LEAST_FRAMES
    monkeypatch.setattr(watching, "READ_APART", 1.0)
    ears.readings.clear()
    (came,) = watched(ears, reader, (3, lit(90)))
    assert came == pytest.approx(0.06 + watching.READS_FOR_LONGEST, abs=0.08)
    assert len(ears.readings[0].frames) < watching.LEAST_FRAMES


def test_a_die_that_one_frame_misses_is_there(ears: Ears):
    watched(ears, ReadsOn(TWO, SURE, TWO), (2, lit(90)), dice=2)
    assert [heard.faces for heard in ears.readings] == [("1", "3")]
    ears.readings.clear()
    watched(ears, ReadsOn(TWO, SURE), (2, lit(90)), dice=1)
    assert [heard.faces for heard in ears.readings] == [("1",)]


def test_the_reader_is_told_what_was_not_there_before(ears: Ears):
    """Every frame of a roll is read with it, those that follow the first, too."""
    bare, thrown = lit(90), lit(90)
    thrown[20:40, 120:140] = 230
    reader = ReadsOn(reading(), DOUBTED)
    watched(ears, reader, (1, bare), (0.1, np.flip(bare, 1)), (1, thrown))
    first, *then = reader.arrived
    assert first is None
    assert len(then) > 1
    for where in then:
        assert where is not None
        scale = where.shape[1] / bare.shape[1]
        print_on_it, die = (where[round(y * scale), round(x * scale)] for x, y in ((70, 50), (130, 30)))
        assert (print_on_it, die) == (0, 255)


def test_an_empty_table_is_no_riddle(ears: Ears):
    reader = ReadsOn(reading())
    (came,) = watched(ears, reader, (2, lit(90)))
    assert came == pytest.approx(0.25, abs=0.04)
    assert len(reader.frames) == 1


def test_a_picture_that_stands_still_is_read_once_and_not_waited_for(ears: Ears):
    reader = ReadsOn(DOUBTED)
    (came,) = watched(ears, reader, (1 / 30, lit(90)), (2, None))
    assert came == pytest.approx(0.25, abs=0.04)
    assert len(reader.frames) == 1


def elsewhere() -> Pixels:
    picture = lit(90)
    picture[40:60, 60:80], picture[70:90, 20:40] = 90, 230
    return picture


def test_dice_that_move_before_they_are_at_rest_are_read_anew(ears: Ears):
    reader = ReadsOn(DOUBTED)
    came = watched(ears, reader, (0.2, lit(90)), (2, elsewhere()))
    assert len(came) == 1
    assert len(ears.readings[0].frames) == watching.MOST_FRAMES
    assert len(reader.frames) > watching.MOST_FRAMES


def test_dice_that_are_taken_up_while_they_are_read_lay_there_all_the_same(ears: Ears):
    reader = ReadsOn(DOUBTED)
    came = watched(ears, reader, (0.31, lit(90)), (2, elsewhere()))
    assert came[0] == pytest.approx(0.33, abs=0.04)
    first, second = ears.readings
    assert 1 < len(first.frames) < watching.MOST_FRAMES
    assert len(second.frames) == watching.MOST_FRAMES
    assert second.since.lay == pytest.approx(0.3, abs=0.05)


def test_what_was_read_when_a_recording_ends_counts(ears: Ears):
    watched(ears, ReadsOn(DOUBTED), (0.3, lit(90)))
    assert len(ears.readings) == 1


def test_another_match_is_told_nothing_that_was_read_for_the_one_before(ears: Ears):
    reader, other = ReadsOn(DOUBTED), ReadsOn(SURE)
    later = Ears()
    later.complete = all_there(1)
    settling = [True]

    def replaced() -> None:
        if settling.pop():
            ears.opened = OpenMatch(cast(Session, later), other)

    reader.reading_on = replaced
    watched(ears, reader, (2, lit(90)))
    assert not ears.readings
    assert len(reader.frames) == 2
    assert [heard.frames for heard in later.readings] == [()]
    assert len(other.frames) == 1


def test_another_look_reads_more_frames_as_well(ears: Ears):
    reader, film = ReadsOn(DOUBTED), staged((3, lit(90)))
    watcher = ears.hears(film, reader, all_there(1))
    film.live, ears.on_reading = False, lambda: watcher.look_again() if len(ears.readings) == 1 else None
    watcher.watch_through()
    assert [len(heard.frames) for heard in ears.readings] == [watching.MOST_FRAMES] * 2
    assert all(arrived is None for arrived in reader.arrived), "what was read before may have been wrong"


def test_an_onlooker_who_refuses_a_frame_is_offered_the_next_and_what_it_leaves_is_read_anew(ears: Ears):
    offered: list[int] = []

    def takes(frame: Frame) -> bool:
        offered.append(frame.number)
        return 1 <= frame.number < 50  # it is not ready for the very first

    film = staged((3, lit(90)))
    film.live = False
    watcher = ears.hears(film, ReadsOn(SURE), all_there(1))
    watcher.show_to(takes)
    ears.on_reading = lambda: offered.append(-1)
    watcher.watch_through()
    assert [number for number in offered if number >= 0] == list(range(90))
    assert len(ears.readings) == 1
    assert offered.index(-1) > 50


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_ours_is_said_before_the_watcher_ends(ears: Ears):
    camera = DemoCamera(find("fate"), seed=2, size=(320, 240), rate=25)
    watcher = ears.hears(camera, Faulty())
    watcher.start()
    ears.wait(lambda: len(ears.troubles) == 2)
    watcher.stop()
    assert str(ears.troubles[1]).startswith("Tableside stopped watching because of a bug; see the terminal")


def test_a_picture_is_waited_for_and_coded_once(ears: Ears):
    camera = DemoCamera(find("fate"), seed=2, size=(320, 240), rate=10)
    watcher = ears.hears(camera, TruthfulReader(camera))
    assert watcher.picture(-1, wait=0.01) is None
    watcher.start()
    try:
        first = watcher.picture(-1, wait=WAIT)
        assert first is not None
        later = watcher.picture(first[0], wait=WAIT)
        assert later is not None
        assert later[0] > first[0]
        assert later[1][:2] == b"\xff\xd8"
    finally:
        watcher.stop()
    assert not watcher._thread.is_alive()  # pyright: ignore[reportPrivateUsage]


Scene = tuple[float, Sequence[Place], bool]
"""For how many seconds, where dice lie, and whether a hand reaches over them and goes."""


class Rolling(Film):
    """A film of dice that lie, move and lie again, thirty frames a second, which it reads for certain."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        """A film of these scenes."""
        super().__init__(self._played(scenes), "rolling", live=False)
        self._lying: Sequence[Place] = ()

    def _played(self, scenes: Sequence[Scene]) -> Iterator[Frame]:
        number, grain = 0, np.random.default_rng(1).normal(0, 2, (7, HEIGHT, WIDTH, 3))
        for seconds, self._lying, reaching in scenes:
            still, begins = pictured(self._lying), number / 30
            hand = ReachingHand((160, 120), begins, seconds)
            for _ in range(round(seconds * 30)):
                shown = hand(still, number / 30) if reaching else still
                noisy = np.clip(shown + grain[number % 7], 0, 255).astype(np.uint8)
                yield Frame(noisy, number, number / 30, self.name)
                number += 1

    def truth(self) -> tuple[Truth, ...]:
        return tuple(Truth(one[0], tuple((x, y) for x, y in lying(one))) for one in self._lying)


def row(faces: str, y: float = 100.0) -> list[Place]:
    return [(face, 35.0 + 50 * n, y) for n, face in enumerate(faces)]


def rocked(pause: float) -> list[Scene]:
    """Six dice come to rest, and after a pause the last one rocks over and shows another face."""
    first, x = row("235778"), 35.0 + 50 * 5
    thrown = [(1 / 30, row("235778", 20.0 + 8 * step), False) for step in range(11)]
    tips = [(1 / 30, [*first[:5], ("8", x, 100.0 + 5 * step)], False) for step in range(8)]
    return [(1, [], False), *thrown, (pause, first, False), *tips, (2, [*first[:5], ("4", x, 140.0)], False)]


def fetched(pause: float) -> list[Scene]:
    """Six dice come to rest, and after a pause the hand comes back and turns three of them over."""
    first = row("235778")
    turned = [("6", 35.0, 150.0), ("1", 85.0, 160.0), ("1", 135.0, 150.0), *first[3:]]
    thrown = [(1 / 30, row("235778", 20.0 + 8 * step), False) for step in range(11)]
    return [(1, [], False), *thrown, (pause, first, False), (0.5, first, True), (2, turned, False)]


@pytest.mark.slow
@pytest.mark.parametrize("film", [rocked, fetched])
@pytest.mark.parametrize("pause", [0.15, 0.3, 0.6])
def test_dice_that_move_on_right_after_a_pause_are_one_roll_and_a_question(
    tmp_path: Path, film: Callable[[float], list[Scene]], pause: float
):
    camera = Rolling(film(pause))
    ends = [face for face, _, _ in film(pause)[-1][1]]
    match = begin(find_game("meet-fate"), ["Alice", "Bob"])
    session = Session(match, Store.of(tmp_path / "match").begin(match), find("fate"))
    Watcher(camera, Table(OpenMatch(session, TruthfulReader(camera)))).watch_through()
    standing = shown(session)
    assert [type(one.action) for one in session.match.played] == [Roll]
    if standing.question:
        assert standing.question.startswith(
            "The dice moved again just after they stopped. Is this a new throw"
        )
        assert (standing.count, standing.same_throw) == ("New throw", "Same throw")
        session.discount()
    assert session.match.state.throws == 1
    assert sorted(session.match.state.roll) == sorted(ends)
    assert not shown(session).question

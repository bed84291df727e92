"""Another camera takes the place of the one that is looked through: or nothing changes, and nothing leaks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import Mock

import numpy as np
import pytest

from vision.camera import CameraError
from vision.camera.bounded import Bounded
from vision.camera.turnable import Turnable
from vision.frame import Frame
from vision.region import region_at

CORNERS = "0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9"


@dataclass
class Scripted:
    """A camera of which every call is counted."""

    name: str = "webcam"
    live: bool = True
    refuses: str = ""
    """Why it does not open; empty: it does."""
    ends: bool = False
    size: tuple[int, int] = (64, 48)
    opened: int = 0
    closed: int = 0
    isopen: bool = False

    def open(self) -> None:
        if self.refuses:
            raise CameraError(self.refuses)
        self.opened, self.isopen = self.opened + 1, True

    def read(self) -> Frame | None:
        assert self.isopen, f"{self.name} is read while it is closed"
        time.sleep(0.002)
        return (
            None
            if self.ends
            else Frame(np.zeros((self.size[1], self.size[0], 3), np.uint8), 0, 0.0, self.name)
        )

    def close(self) -> None:
        self.closed += self.isopen
        self.isopen = False


class Reader:
    """Reads a camera in a thread of its own, as the watcher does."""

    def __init__(self, camera: Turnable | Bounded) -> None:
        self.camera, self.seen, self.running, self.troubles = camera, list[str](), True, list[str]()
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        while self.running:
            try:
                self.camera.open()
                while self.running and (frame := self.camera.read()) is not None:
                    self.seen.append(frame.source)
            except OSError as broken:
                self.troubles.append(str(broken))
            finally:
                self.camera.close()


@contextmanager
def reading(camera: Turnable | Bounded) -> Iterator[Reader]:
    reader = Reader(camera)
    reader.thread.start()
    until(lambda: len(reader.seen) > 3 or bool(reader.troubles))
    try:
        yield reader
    finally:
        reader.running = False
        reader.thread.join(60)
        assert not reader.thread.is_alive()


def until(true) -> None:
    ends = time.monotonic() + 60
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_another_camera_takes_the_place_and_the_one_before_is_let_go():
    before, after = Scripted("before"), Scripted("after")
    camera = Turnable(before)
    with reading(camera) as reader:
        camera.turn_to(after)
        until(lambda: reader.seen[-1] == "after")
        assert camera.camera is after
        assert (before.opened, before.closed, before.isopen) == (1, 1, False)
        first = reader.seen.index("after")
        assert "before" not in reader.seen[first:], "two tables at once"
    assert (after.opened, after.closed, after.isopen) == (1, 1, False)
    assert reader.troubles == []


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (Scripted("after", refuses="after does not open"), "does not open"),
        (Scripted("after", ends=True), r"after sends no image; is the camera still plugged in\?"),
    ],
)
@pytest.mark.parametrize("alone", [False, True])
def test_a_camera_that_cannot_be_had_is_refused_and_the_old_one_goes_on(
    after: Scripted, words: str, alone: bool
):
    before = Scripted("before")
    camera = Turnable(before)
    with reading(camera) as reader:
        with pytest.raises(CameraError, match=words):
            camera.turn_to(after, alone=alone)
        seen = len(reader.seen)
        until(lambda: len(reader.seen) > seen + 3)
        assert camera.camera is before
        assert not after.isopen
        assert before.opened == (2 if alone else 1), (
            "one device is let go before it is opened with another size"
        )
    assert set(reader.seen) == {"before"}


def test_a_camera_that_is_gone_gives_way_too():
    before, after = Scripted("before", refuses="unplugged"), Scripted("after")
    camera = Turnable(before)
    with reading(camera) as reader:
        camera.turn_to(after)
        until(lambda: "after" in reader.seen)


def test_one_device_is_closed_before_it_is_opened_with_another_size():
    @dataclass
    class Device(Scripted):
        other: Scripted | None = None

        def open(self) -> None:
            assert self.other is None or not self.other.isopen, "the device is busy"
            super().open()

    before = Device("640")
    after = Device("1280", other=before)
    camera = Turnable(before)
    with reading(camera) as reader:
        camera.turn_to(after, alone=True)
        until(lambda: reader.seen[-1] == "1280")


def test_two_at_once_are_not_mixed():
    camera = Turnable(Scripted("before"))
    slow = Scripted("slow")
    begun, waits = threading.Event(), threading.Event()
    slow.open = lambda: (begun.set(), waits.wait(60), setattr(slow, "isopen", True))  # type: ignore[method-assign]
    with reading(camera) as reader:
        turning = threading.Thread(target=camera.turn_to, args=[slow])
        turning.start()
        assert begun.wait(60)
        with pytest.raises(CameraError, match="another camera is just being opened; try again in a moment"):
            camera.turn_to(Scripted("third"))
        assert "third" not in reader.seen
        waits.set()
        turning.join(60)
        until(lambda: reader.seen[-1] == "slow")


def test_a_camera_that_does_not_let_go_keeps_its_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("vision.camera.turnable.LETS_GO_WITHIN", 0.05)
    after = Scripted("after")
    camera = Turnable(Scripted("hanging"))  # nobody reads it
    with pytest.raises(CameraError, match="hanging does not close; its driver may be stuck"):
        camera.turn_to(after)
    assert not after.isopen


def test_a_hundred_changes_leave_no_thread_and_every_camera_closed():
    threads = threading.active_count()
    cameras = [Scripted(f"camera {i}") for i in range(100)]
    camera = Turnable(cameras[0])
    with reading(camera):
        for one in cameras[1:]:
            camera.turn_to(one, alone=one.name.endswith("7"))
    assert [(one.opened, one.closed) for one in cameras] == [(1, 1)] * 100
    assert threading.active_count() == threads


@pytest.mark.parametrize(
    ("like", "size", "kept"), [(True, (128, 96), True), (True, (128, 72), False), (False, (64, 48), False)]
)
def test_the_region_is_anothers_unless_it_is_the_same_camera(like: bool, size: tuple[int, int], kept: bool):
    told: list[str] = []
    region = region_at(CORNERS)
    camera = Bounded(Scripted("before"), region)
    camera.listen(Mock(camera_turned=lambda view: told.append(view.name)))
    with reading(camera):
        camera.turn_to(Scripted("after", size=size), like=like)
        assert camera.region is (region if kept else None)
        assert camera.wanted is camera.region
        assert camera.size == size
    assert told == ["after"]

"""Which frames of a camera pages get to see: all of a die that rolls, none of a table that only has noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from vision.camera.live_picture import LivePicture
from vision.frame import Frame, Pixels

RATE = 30
"""Frames a second."""


def scene(at: float | None = None, level: float = 1.0) -> Pixels:
    """A table at 1280 × 720, with a die of 26 px where one is."""
    table = np.full((720, 1280, 3), (60, 95, 50), np.uint8)
    cv2.rectangle(table, (300, 200), (420, 320), (40, 60, 110), -1)
    if at is not None:
        left = round(at)
        table[400:426, left : left + 26] = (150, 160, 165)
    return np.clip(table * level, 0, 255).astype(np.uint8)


Fault = Callable[[Pixels, float], Pixels]
CHANCE = np.random.default_rng(3)
GRAIN = np.asarray(
    cv2.resize(CHANCE.normal(0, 14, (360, 640, 3)).astype(np.float32), (1280, 720)), np.int8
)  # not finer than two pixels, as after demosaicing


def noisy(pixels: Pixels, _now: float) -> Pixels:
    """A webcam's sensor in a dim room."""
    grain = np.roll(GRAIN, CHANCE.integers(0, 640, 2), axis=(0, 1))
    return np.asarray(cv2.add(pixels, grain, dtype=cv2.CV_8U), np.uint8)


def flickering(pixels: Pixels, now: float) -> Pixels:
    """The bands of a lamp on mains current, wandering over the picture."""
    bands = 1 + 0.06 * np.sin(np.arange(720) / 720 * 2 * np.pi * 3 + now * 11)
    return noisy(np.clip(pixels * bands[:, None, None], 0, 255).astype(np.uint8), now)


def packed(pixels: Pixels, now: float) -> Pixels:
    """A camera that sends JPEG."""
    coded = cv2.imencode(".jpg", noisy(pixels, now), [cv2.IMWRITE_JPEG_QUALITY, 60])[1]
    decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)


FAULTS = pytest.mark.parametrize("fault", [flickering, packed])


class Page:
    """Asks after every frame for what it does not have."""

    def __init__(self) -> None:
        self.live, self.number, self.frames, self.picture = LivePicture(), -1, 0, b""

    def pictures(self, scenes: Iterator[Pixels] | list[Pixels], fault: Fault) -> int:
        """How many pictures these frames make."""
        made = 0
        for pixels in scenes:
            self.frames += 1
            now = self.frames / RATE
            self.live.show(Frame(fault(pixels, now), self.frames, now, "camera"))
            if (got := self.live.after(self.number, 0.0)) is not None:
                self.number, self.picture = got
                made += 1
        return made


@pytest.mark.slow
@FAULTS
def test_a_table_on_which_nothing_moves_makes_no_pictures(fault: Fault):
    page = Page()
    assert page.pictures([scene()] * RATE, fault) == 2, "the first, and one when it rests"
    assert page.pictures([scene()] * (4 * RATE), fault) == 0


@pytest.mark.slow
@FAULTS
def test_every_frame_of_a_rolling_die_is_shown_and_then_its_rest(fault: Fault):
    page = Page()
    page.pictures([scene(100)] * RATE, fault)
    assert page.pictures((scene(100 + 24 * i) for i in range(1, 31)), fault) == 30
    assert page.pictures([scene(820)] * RATE, fault) == 1, "once more when it lies still"
    shown = cv2.imdecode(np.frombuffer(page.picture, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown[405:420, 825:840].mean() > 120
    assert page.pictures([scene(820)] * RATE, fault) == 0


@pytest.mark.slow
def test_light_that_fades_or_goes_out_is_seen():
    page = Page()
    page.pictures([scene()] * RATE, noisy)
    fading = page.pictures((scene(level=1 - i / 300) for i in range(150)), noisy)
    assert 3 < fading < 60
    assert 0 < page.pictures([scene(level=0.05)] * RATE, noisy) < 10
    shown = cv2.imdecode(np.frombuffer(page.picture, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.mean() < 15


def test_who_comes_later_gets_the_present_picture_at_once():
    page = Page()
    page.pictures([scene(100)] * RATE, noisy)
    page.pictures([scene(500)] * RATE, noisy)
    assert page.live.after(-1, 0.0) == (page.number, page.picture)
    assert page.live.after(page.number, 0.05) is None


def test_a_table_nobody_watched_shows_what_lies_there_now():
    page = Page()
    page.pictures([scene(100)] * RATE, noisy)
    page.live.show(Frame(scene(900), 1000, 1000.0, "camera"))
    late = page.live.after(-1, 0.0)
    assert late is not None
    assert late[0] != page.number


def test_another_size_is_another_picture_and_nobody_waits_for_a_closed_one():
    page = Page()
    page.pictures([scene()] * RATE, noisy)
    page.live.show(Frame(scene()[:480, :640].copy(), 1, 0.0, "another camera"))
    assert page.live.after(page.number, 0.0) is not None
    page.live.close()
    assert page.live.after(page.number + 1, 30.0) is None

"""A film of an evening at the demo table, drawn as it is watched: hands, holds, nudges, bumps and flickering lamps.

For measurements and tests: the truth is known (`FilmedTable.faces`, `Event`), the watcher only gets frames. The film
has its own clock; a slow watcher misses frames, as with a camera.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Window
from vision.demo.camera import DemoCamera, overlap, through_a_lens
from vision.demo.props import SIDE
from vision.demo.throw import Thrown, free_place
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.frame import Floats, Frame, Pixels
from vision.render.scene import Die, Scene, render
from vision.render.tumble import rotation_about

Overlay = Callable[[Pixels, float], Pixels]
"""Changes an (H, W, 3) picture, depending on the film's time."""

MOVED = 17
"""Pixels by which noise moves down from frame to frame."""

Act = Generator[float, None, None]
"""A part of the script: does something, then yields the seconds until its next step."""


class FilmedTable(DemoCamera):
    """A demo table whose dice can be taken up, nudged and thrown one by one, with hands and lamps over it."""

    def __init__(
        self, dice_set: DiceSet, *, shape: Shape | None = None, count: int = 6, seed: int = 0,
        size: tuple[int, int] = (640, 480), rate: float = 30.0,
    ) -> None:  # fmt: skip
        """An empty table; see `DemoCamera`."""
        super().__init__(dice_set, shape=shape, count=count, seed=seed, size=size, rate=rate, paced=False)
        self.count, self.size = count, size
        self._lying: dict[int, Thrown] = {}
        self.overlays: list[Overlay] = []
        self.chance = np.random.default_rng(seed + 1)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The dice on the table or on their way."""
        return tuple(self._lying)

    def faces(self, numbers: Iterable[int] | None = None) -> dict[int, str]:
        """What each die really shows, or will when it rests."""
        wanted = self._lying if numbers is None else numbers
        return {number: self._lying[number].face for number in wanted}

    def middle(self, number: int) -> tuple[float, float]:
        """Where a die's top face lies in the picture."""
        x, y = self._outline(self._lying[number]).mean(axis=0)
        return float(x), float(y)

    def goes_on(self) -> bool:
        """Whether the current player throws again: two times in three."""
        return self.chance.random() >= 0.35

    def holds(self, allowed: bool) -> tuple[int, ...]:
        """The dice that stay for the next throw, chosen at random; none if the game does not allow it."""
        numbers = self.numbers
        if not numbers or not allowed:
            return ()
        count = int(self.chance.integers(1, len(numbers)))
        return tuple(int(n) for n in self.chance.choice(numbers, count, replace=False))

    def nudges(self) -> bool:
        """Whether somebody pushes one of the dice that stay: every fifth time."""
        return self.chance.random() < 0.2

    def sets_aside(self) -> bool:
        """Whether somebody moves one of the dice that stay, before the others are taken: every fifth time."""
        return self.chance.random() < 0.2

    def cast(self, numbers: Iterable[int]) -> float:
        """Throw these dice; returns the film's time when the last of them lies still."""
        ends = self._now
        for order, number in enumerate(numbers):
            places = [die.tumble.rest for die in self._lying.values()]
            self._lying[number] = self._cast(self._skins[number], self._shape, order, places)
            ends = max(ends, self._now + self._lying[number].tumble.ends)
        self._laid()
        return ends

    def take(self, numbers: Iterable[int]) -> None:
        """Take these dice off the table."""
        for number in numbers:
            del self._lying[number]
        self._laid()

    def nudge(self, number: int) -> None:
        """Push a die along the table without tipping it over."""
        millimetres, way = float(self.chance.uniform(1.5, 7)), float(self.chance.uniform(0, 2 * math.pi))
        step = np.array([math.cos(way), math.sin(way)], np.float32) * millimetres
        self._push(number, step, float(self.chance.uniform(-17, 17)))

    def set_aside(self, number: int) -> None:
        """Move a die, with the same face up."""
        taken = [die.tumble.rest for die in self._lying.values()]
        place = free_place(self.chance, self._view, taken, SIDE[self._shape])
        self._push(number, place - self._lying[number].tumble.rest, float(self.chance.uniform(-180, 180)))

    def _push(self, number: int, step: Floats, degrees: float) -> None:
        die = self._lying[number]
        turn = rotation_about(np.array([0, 0, 1], np.float32), math.radians(degrees))
        rotation = np.asarray(turn @ die.tumble.rotation, np.float32)
        tumble = replace(die.tumble, rest=np.asarray(die.tumble.rest + step, np.float32), rotation=rotation)
        centre = np.array([*tumble.rest, die.model.centre[2]], np.float32)
        model = replace(die.model, centre=centre, rotation=rotation)
        self._lying[number] = replace(die, tumble=tumble, model=model)
        self._laid()

    def frame(self, number: int) -> Frame:
        """The picture at frame `number` of the film."""
        self._now = number / self._rate
        pixels = self._draw(self._now)
        for overlay in self.overlays:
            pixels = overlay(pixels, self._now)
        return Frame(grainy(pixels, self._noise.result(), number), number, self._now, self.name)

    def _paste_moving(self, pixels: Pixels, box: Window, dice: Sequence[Die]) -> None:
        """Flying dice are drawn at half the resolution, which takes a quarter of the time: motion blurs them anyway."""
        x0, y0, x1, y1 = box
        x0, y0 = max(0, x0 // 2 * 2), max(0, y0 // 2 * 2)
        x1, y1 = min(self._view.width, x1), min(self._view.height, y1)
        wide, high = (x1 - x0) // 2, (y1 - y0) // 2
        if wide < 2 or high < 2:
            return
        view = self._view
        middle = ((view.centre[0] - x0) / 2, (view.centre[1] - y0) / 2)
        window = replace(view, width=wide, height=high, focal=view.focal / 2, middle=middle)
        near = tuple(die for die in dice if overlap(self._box(die), (x0, y0, x1, y1)))
        drawn = render(Scene(window, self._ground, self._lighting, near)).pixels
        pixels[y0 : y0 + 2 * high, x0 : x0 + 2 * wide] = cv2.resize(drawn, (2 * wide, 2 * high))

    def _laid(self) -> None:
        with self._lock:
            self._dice = tuple(self._lying.values())
            self._still = None


@dataclass(frozen=True, slots=True)
class ReachingHand:
    """A hand on a sleeve that reaches in from below towards a point, stays, and goes; times are the film's."""

    towards: tuple[float, float]
    begins: float
    lasts: float
    skin: tuple[int, int, int] = (120, 150, 205)
    sleeve: tuple[int, int, int] = (90, 60, 45)

    def __call__(self, pixels: Pixels, now: float) -> Pixels:
        """The picture with the hand in it."""
        u = (now - self.begins) / self.lasts
        if not 0.0 < u < 1.0:
            return pixels
        height, width = pixels.shape[:2]
        reach = math.sin(math.pi * u) ** 0.6
        start = np.array([0.5 * width + 0.2 * (self.towards[0] - 0.5 * width), 1.35 * height])
        tip = start + (np.array(self.towards) - start) * reach
        along = (tip - start) / max(float(np.linalg.norm(tip - start)), 1e-6)
        across = np.array([-along[1], along[0]])
        covered = pixels.copy()
        palm, arm = 0.10 * width, 0.085 * width
        wrist = tip - along * 1.2 * palm
        sleeve = [start + across * arm, start - across * arm, wrist - across * 0.8 * arm, wrist + across * 0.8 * arm]
        cv2.fillConvexPoly(covered, np.rint(sleeve).astype(np.int32), self.sleeve, cv2.LINE_AA)
        cv2.circle(covered, _point(tip - along * palm * 0.5), round(palm * 0.75), self.skin, -1, cv2.LINE_AA)
        for finger in range(-2, 3):
            base = tip - along * palm * 0.5 + across * finger * palm * 0.28
            end = base + along * palm * (1.1 - 0.12 * abs(finger)) + across * finger * palm * 0.1
            shade = tuple(int(value * (0.92 + 0.03 * finger)) for value in self.skin)
            cv2.line(covered, _point(base), _point(end), shade, round(palm * 0.26), cv2.LINE_AA)
        return np.asarray(through_a_lens(covered), np.uint8)


@dataclass(frozen=True, slots=True)
class Flicker:
    """A lamp that flickers, brighter on one side; or an exposure that pumps (`hertz` below 1)."""

    begins: float
    lasts: float
    hertz: float
    depth: float

    def __call__(self, pixels: Pixels, now: float) -> Pixels:
        """The picture in that light."""
        t = now - self.begins
        if not 0.0 < t < self.lasts:
            return pixels
        swing = self.depth * math.sin(2 * math.pi * self.hertz * t) * math.sin(math.pi * t / self.lasts)
        side = np.linspace(1 + swing, 1 + 0.6 * swing, pixels.shape[1], dtype=np.float32)[None, :, None]
        return np.clip(pixels * side, 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Bump:
    """Someone bumps the table: the picture shakes and comes to rest where it was."""

    begins: float
    pixels: float = 5.0

    def __call__(self, pixels: Pixels, now: float) -> Pixels:
        """The shaken picture."""
        t = now - self.begins
        if not 0.0 < t < 0.6:
            return pixels
        away = self.pixels * math.sin(40 * t) * math.exp(-6 * t)
        move = np.array([[1, 0, away], [0, 1, 0.4 * away]], np.float32)
        size = (pixels.shape[1], pixels.shape[0])
        return np.asarray(cv2.warpAffine(pixels, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


class Drawn(Protocol):
    """A table that a film can show."""

    def frame(self, number: int) -> Frame:
        """The picture at frame `number` of the film."""
        ...


class Film:
    """A camera that shows a table by its `script`, frame after frame of the film's time.

    The time a watcher takes between two frames (`clock`) passes in the film as well: a slow watcher misses frames, but
    other programs on the computer do not matter. Drawing takes no time.
    """

    live = False

    def __init__(self, table: Drawn, *, rate: float = 30.0, speed: float = 1.0) -> None:
        """`speed` below 1 lets less time pass while the watcher works (0: none, so that nothing is ever missed)."""
        self.name = "film"
        self.table = table
        self.script: Iterator[float] = iter(())
        self._rate = rate
        self._speed = speed
        self._number = -1
        self._until = 0.0
        self._returned: tuple[float, float] | None = None

    def open(self) -> None:
        """Begin."""

    def close(self) -> None:
        """End."""

    @property
    def clock(self) -> float:
        """The film's time now: that of the last frame, plus the watcher's time since then.

        That is wall time or processor time, whichever is less: other programs lengthen wall time, a second thread
        lengthens processor time, and an idle computer would have needed no more than either.
        """
        spent = min(np.subtract(_clocks(), self._returned)) if self._returned is not None else 0.0
        return self._number / self._rate + self._speed * spent

    def read(self) -> Frame | None:
        """The next frame; None after the script has ended."""
        number = max(self._number + 1, math.floor(self.clock * self._rate))
        while number / self._rate >= self._until:
            try:
                self._until += next(self.script)
            except StopIteration:
                return None
        self._number = number
        frame = self.table.frame(number)
        self._returned = _clocks()
        return frame


def _clocks() -> tuple[float, float]:
    """Seconds of wall time and of processor time."""
    return time.perf_counter(), time.process_time()


def grainy(pixels: Pixels, noise: NDArray[np.int8], number: int) -> Pixels:
    """The picture (H, W, 3) with the noise of frame `number`: one field of (N, H, W, 3), moved down so that no two
    frames of one picture are the same."""
    own = np.roll(noise[number % len(noise)], MOVED * number, axis=0)
    return np.asarray(cv2.add(pixels, own, dtype=cv2.CV_8U), np.uint8)


def _point(place: Floats | np.ndarray) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))

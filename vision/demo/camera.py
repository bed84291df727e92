"""The demo table: a camera like any other, over a table on which it throws rendered dice itself.

The reading path knows nothing of this: it gets frames. Only tests may ask for the `truth`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Window
from vision.demo.props import Skin, evening_light, felt, skins
from vision.demo.strange import DRAWINGS, STRANGE_SHAPE, strange_skin
from vision.demo.throw import Thrown, Truth, cast, distance
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Floats, Frame, Pixels, Point
from vision.render.scene import Die, Ground, Scene, render
from vision.render.view import View

WINDOW_MARGIN = 30
"""Pixels drawn around a window and thrown away, so that blurred shadows meet without a seam."""


def _grain(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int8]:
    """The sensor's noise, in grey levels."""
    return np.clip(np.rint(1.6 * rng.standard_normal(shape, np.float32)), -8, 8).astype(np.int8)


class DemoCamera:
    """Throws `count` dice of a set on a rendered table; `throw` is safe to call from any thread."""

    name = "demo table"
    live = True

    def __init__(
        self, dice_set: DiceSet, *, shape: Shape | None = None, count: int = 6, seed: int | None = None,
        size: tuple[int, int] = (960, 720), rate: float = 14.0, paced: bool = True,
    ) -> None:  # fmt: skip
        """Set the table, with no dice on it. Raises ValueError if the set has no pictures for this shape.

        `shape` is by default the first the set names. With `paced` false, `read` does not wait and each
        frame moves the camera's clock on by 1/`rate` s, which makes tests quick. `seed` fixes the throws.
        """
        self._shape: Shape = shape or (dice_set.shapes[0] if count else SHAPES[0])
        self._count = count
        self._rng = np.random.default_rng(seed)
        self._rate = rate
        self._paced = paced
        width, height = size
        self._view = View.over(width, height, focal=1.25 * width, distance=305.0, tilt=14.0)
        self._lighting = evening_light()
        self._ground = Ground(felt(self._rng), 1.2)
        self._skins: tuple[Skin, ...] = skins(dice_set, self._shape, count, self._rng) if count else ()
        self._dice: tuple[Thrown, ...] = ()
        self._earlier: deque[tuple[Thrown, ...]] = deque(maxlen=64)
        """What lay there before each of the last throws."""
        self._aside: tuple[Thrown, ...] | None = None
        """The match's dice while others are shown."""
        self._lock = threading.Lock()
        self._still: Pixels | None = None
        self._soft: Pixels | None = None
        """The cached picture as the lens shows it."""
        self._drawn: set[int] = set()
        """The dice that are in the cached picture."""
        self._number = 0
        self._now = 0.0
        self._due = 0.0
        drawing = ThreadPoolExecutor(1, "grain")  # half a second that the table need not wait for
        self._noise = drawing.submit(_grain, self._rng, (4, height, width, 3))
        drawing.shutdown(wait=False)

    @property
    def _lot(self) -> np.random.Generator:
        """What throws are drawn from, after the grain: a seed always means the same throws."""
        self._noise.result()
        return self._rng

    def lay(self, dice_set: DiceSet, count: int, shape: Shape | None = None) -> None:
        """Clear the table for another match and throw these dice from now on; none when `count` is 0.

        `shape` is by default the first the set names. Raises ValueError if the set has no pictures for it.
        """
        with self._lock:
            lot = np.random.default_rng(int(self._lot.integers(1 << 62)))
        of = shape or (dice_set.shapes[0] if count else self._shape)
        made = skins(dice_set, of, count, lot) if count else ()
        with self._lock:
            self._shape, self._count, self._skins = of, count, made
            self._dice, self._aside = (), None
            self._earlier.clear()
            self._still = None

    def open(self) -> None:
        """Look at the table."""
        self._due = self._now = time.monotonic()

    def close(self) -> None:
        """Nothing is held open."""

    def throw(self, held: Sequence[Point] = ()) -> None:
        """Take up every die but those nearest to the `held` points (pixels), and throw them."""
        self.put_away()
        with self._lock:
            self._earlier.append(self._dice)
            staying = self._nearest(held)
            flying = [i for i in range(self._count) if i not in staying]
            before = {i: die for i, die in enumerate(self._dice) if i in staying}
            dice = dict(before)
            for order, index in enumerate(flying):
                taken = [d.tumble.rest for d in dice.values()]
                dice[index] = self._cast(self._skins[index], self._shape, order, taken)
            self._dice = tuple(dice[i] for i in range(self._count))
            self._still = None

    def take_back(self) -> None:
        """Put the dice back as they lay before the last throw."""
        self.put_away()
        with self._lock:
            self._dice = self._earlier.pop() if self._earlier else ()
            self._still = None

    def clear(self) -> None:
        """Take every die off the table."""
        self.put_away()
        with self._lock:
            self._earlier.append(self._dice)
            self._dice = ()
            self._still = None

    def set_out(self, faces: Sequence[str]) -> None:
        """Have dice lie there with these faces up, as if thrown long ago; nothing if the match has no such dice."""
        with self._lock:
            wanted = list(zip(self._skins, faces, strict=False))
            if len(faces) != self._count or any(face not in skin.faces for skin, face in wanted):
                return
            self._lie([(skin, self._shape, face) for skin, face in wanted], self._now - 60.0)

    @property
    def strange_faces(self) -> tuple[str, ...]:
        """What `show` can lay: the faces of dice that no set knows."""
        return tuple(DRAWINGS)

    def show(self, faces: Sequence[str]) -> None:
        """Lay a strange die for each of these faces, with it up, in the stead of what lies there, until `put_away`.

        Raises ValueError if these dice have no such face.
        """
        if unknown := set(faces) - set(DRAWINGS):
            raise ValueError(f"expected one of {', '.join(DRAWINGS)}, found '{min(unknown)[:40]}'")
        skin = strange_skin()
        with self._lock:
            if self._aside is None:
                self._aside = self._dice
            self._lie([(skin, STRANGE_SHAPE, face) for face in faces], self._now)

    def _lie(self, wanted: Sequence[tuple[Skin, Shape, str]], thrown: float) -> None:
        """Dice with these faces up, thrown at a time, in the stead of what lies there."""
        dice: list[Thrown] = []
        for order, (skin, shape, face) in enumerate(wanted):
            taken = [die.tumble.rest for die in dice]
            up = skin.faces.index(face)
            dice.append(cast(self._lot, self._view, skin, shape, order, taken, thrown, up))
        self._dice, self._still = tuple(dice), None

    def put_away(self) -> None:
        """Put the match's dice back as they lay before others were shown."""
        with self._lock:
            if self._aside is not None:
                self._dice, self._aside, self._still = self._aside, None, None

    def truth(self) -> tuple[Truth, ...]:
        """What really lies there (or will, once the dice rest). For tests; the reader never sees it."""
        with self._lock:
            outlines = [(die.face, self._outline(die)) for die in self._dice]
        return tuple(Truth(face, tuple((float(x), float(y)) for x, y in line)) for face, line in outlines)

    def read(self) -> Frame | None:
        """The next frame of (720, 960) pixels or the size asked for; never None."""
        if self._paced:
            self._due = max(self._due + 1 / self._rate, time.monotonic() - 1 / self._rate)
            time.sleep(max(0.0, self._due - time.monotonic()))
            self._now = time.monotonic()
        else:
            self._now += 1 / self._rate
        with self._lock:
            pixels = self._draw(self._now)
        noise = self._noise.result()
        grainy = cv2.add(pixels, noise[self._number % len(noise)], dtype=cv2.CV_8U)
        frame = Frame(np.asarray(grainy, np.uint8), self._number, self._now, self.name)
        self._number += 1
        return frame

    def _draw(self, now: float) -> Pixels:
        """The table now: what rests comes from a cached picture, windows around the rest are drawn."""
        posed = [die.at(now) for die in self._dice]
        if self._still is None:
            self._soft = None
            lying = tuple(die for die, moving in posed if not moving)
            self._still = render(Scene(self._view, self._ground, self._lighting, lying)).pixels
            self._drawn = {i for i, (_, moving) in enumerate(posed) if not moving}
        landed = [i for i, (_, moving) in enumerate(posed) if not moving and i not in self._drawn]
        if landed:
            resting_dice = [die for die, moving in posed if not moving]
            for index in landed:
                self._paste(self._still, self._box(posed[index][0]), resting_dice)
            self._drawn.update(landed)
        if all(not moving for _, moving in posed):
            if self._soft is None or landed:
                self._soft = through_a_lens(self._still)
            return self._soft
        self._soft = None
        pixels = self._still.copy()
        everything = [die for die, _ in posed]
        for box in _merged([self._box(die) for die, moving in posed if moving]):
            self._paste_moving(pixels, box, everything)
        return through_a_lens(pixels)

    def _paste_moving(self, pixels: Pixels, box: Window, dice: Sequence[Die]) -> None:
        """Draw a part of the table in which dice move."""
        self._paste(pixels, box, dice)

    def _paste(self, pixels: Pixels, box: Window, dice: Sequence[Die]) -> None:
        """Draw the part of the table in a box anew."""
        x0, y0, x1, y1 = _clipped(box, 0, self._view)
        if x0 >= x1 or y0 >= y1:
            return
        wide = _clipped(box, WINDOW_MARGIN, self._view)
        middle = (self._view.centre[0] - wide[0], self._view.centre[1] - wide[1])
        view = self._view
        window = replace(view, width=wide[2] - wide[0], height=wide[3] - wide[1], middle=middle)
        near = tuple(die for die in dice if overlap(self._box(die), wide))
        drawn = render(Scene(window, self._ground, self._lighting, near)).pixels
        pixels[y0:y1, x0:x1] = drawn[y0 - wide[1] : y1 - wide[1], x0 - wide[0] : x1 - wide[0]]

    def _box(self, die: Die) -> Window:
        """The box around a die and its shadows."""
        points = die.centre + die.side * die.body.vertices @ die.rotation.T
        seen = [points]
        for lamp in self._lighting.lamps:
            seen.append(points - lamp.towards * (points[:, 2:] / float(lamp.towards[2])))
        outline = self._view.project(np.concatenate(seen).astype(np.float32))
        x0, y0 = np.floor(outline.min(0)).astype(int) - WINDOW_MARGIN
        x1, y1 = np.ceil(outline.max(0)).astype(int) + WINDOW_MARGIN
        return int(x0), int(y0), int(x1), int(y1)

    def _outline(self, die: Thrown) -> Floats:
        return self._view.project(die.model.top_corners())

    def _nearest(self, points: Sequence[Point]) -> set[int]:
        """The dice that lie nearest to the points, each die once."""
        chosen: set[int] = set()
        for point in points:
            free = [i for i in range(len(self._dice)) if i not in chosen]
            if free:
                away = {i: distance(self._outline(self._dice[i]).mean(0), point) for i in free}
                chosen.add(min(free, key=away.__getitem__))
        return chosen

    def _cast(self, skin: Skin, shape: Shape, order: int, taken: Sequence[Floats]) -> Thrown:
        """A die thrown now, the `order`-th of its throw."""
        return cast(self._lot, self._view, skin, shape, order, taken, self._now)


def through_a_lens(pixels: Pixels) -> Pixels:
    """The picture, softened: no lens draws an edge in one pixel."""
    return np.asarray(cv2.GaussianBlur(pixels, (3, 3), 0.65), np.uint8)


def _clipped(box: Window, margin: int, view: View) -> Window:
    x0, y0, x1, y1 = box
    return max(0, x0 - margin), max(0, y0 - margin), min(view.width, x1 + margin), min(view.height, y1 + margin)


def overlap(a: Window, b: Window) -> bool:
    """Whether two boxes share a pixel."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _merged(boxes: Sequence[Window]) -> list[Window]:
    """Boxes that overlap become one, so that no die is drawn twice."""
    merged: list[Window] = []
    for box in boxes:
        while touching := next((other for other in merged if overlap(box, other)), None):
            merged.remove(touching)
            lows = (min(box[0], touching[0]), min(box[1], touching[1]))
            box = (*lows, max(box[2], touching[2]), max(box[3], touching[3]))
        merged.append(box)
    return merged

"""What counts as a throw, on small drawn tables at several frame rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from vision.frame import Frame, Pixels
from vision.settle import Settle, Sight, TableState

WIDTH, HEIGHT = 320, 240
HELD = [(60, 70), (150, 120)]
THROWN = [*HELD, (240, 60), (250, 170)]
EDGE = [(x, y) for x in (12, 36) for y in range(40, 220, 24)]

pytestmark = pytest.mark.slow


def table(dice: Sequence[tuple[int, int]] = (), *, turn: float = 0.0, light: float = 1.0) -> Pixels:
    """A brown table with white dice of 18 px; `light` scales every pixel, as a lamp does."""
    ground = np.empty((HEIGHT, WIDTH, 3), np.float32)
    ground[:] = (60, 90, 120)
    ground += 14 * np.sin(np.arange(WIDTH, dtype=np.float32) / 7)[None, :, None]
    for x, y in dice:
        box = cv2.boxPoints(((float(x), float(y)), (18.0, 18.0), turn))
        cv2.fillPoly(ground, [box.astype(np.int32)], (225, 230, 235))
        cv2.circle(ground, (x, y), 3, (30, 30, 30), -1)
    return np.clip(ground * light, 0, 255).astype(np.uint8)


def hand(pixels: Pixels, reach: float) -> Pixels:
    """A sleeve and fist reaching in from the right by `reach` pixels, and one more."""
    covered, left = pixels.copy(), WIDTH - round(reach) - 1
    cv2.rectangle(covered, (left, 80), (WIDTH, 150), (70, 60, 40), -1)
    cv2.circle(covered, (left, 115), 42, (140, 170, 220), -1)
    return covered


class Film:
    """Feeds a settle stage and keeps what it said of the last scene; time runs on from scene to scene."""

    def __init__(self, rate: int, noise: float = 2.0) -> None:
        self.settle, self.rate, self._number = Settle(), rate, 0
        self.dice: Sequence[tuple[int, int]] = ()
        self.sights: list[Sight] = []
        chance = np.random.default_rng(rate)
        self._grain = [chance.normal(0, noise, (HEIGHT, WIDTH, 3)).astype(np.int8) for _ in range(7)]

    def show(self, seconds: float, picture: Pixels | Callable[[float], Pixels]) -> int:
        """Play a scene: `picture(t)` draws it `t` seconds after its start. How many frames were fresh."""
        self.sights = []
        for step in range(max(1, round(seconds * self.rate))):
            pixels = picture(step / self.rate) if callable(picture) else picture
            noisy = np.asarray(cv2.add(pixels, self._grain[self._number % 7], dtype=cv2.CV_8U), np.uint8)
            sight = self.settle.see(Frame(noisy, self._number, self._number / self.rate, "film"))
            if sight.fresh:
                self.settle.found(len(self.dice), [(x - 9.0, y - 9.0, x + 9.0, y + 9.0) for x, y in self.dice])
            self.sights.append(sight)
            self._number += 1
        return sum(sight.fresh for sight in self.sights)

    def lie(self, seconds: float, dice: Sequence[tuple[int, int]], light: float = 1.0) -> int:
        self.dice = dice
        return self.show(seconds, table(dice, light=light))

    def roll(self, seconds: float, dice: Sequence[tuple[int, int]]) -> int:
        """The dice come in from the left, turning, and slow down."""

        def rolling(t: float) -> Pixels:
            left = (1 - t / seconds) ** 2
            return table([(round(x - 200 * left), y) for x, y in dice], turn=400 * left)

        return self.show(seconds, rolling)

    def reach(self, seconds: float, dice: Sequence[tuple[int, int]], first: float, last: float) -> int:
        """A hand comes in by so many pixels, or goes."""
        return self.show(seconds, lambda t: hand(table(dice), first + (last - first) * t / seconds))

    @property
    def states(self) -> list[TableState]:
        """The states of the last scene, each once."""
        return list(dict.fromkeys(sight.state for sight in self.sights))


@pytest.fixture(params=[10, 60], ids=lambda rate: f"{rate}fps")
def film(request: pytest.FixtureRequest) -> Film:
    return Film(request.param)


def test_one_throw_is_one_reading_soon_after_standstill_however_long_the_dice_lie(film: Film):
    assert film.lie(2, []) == 1
    assert film.sights[-1].state is TableState.EMPTY
    assert film.roll(1, THROWN) == 0
    assert film.states[-1] is TableState.ROLLING
    assert film.lie(5, THROWN) == 1
    assert [sight.fresh for sight in film.sights].index(True) / film.rate <= 0.45
    assert film.states[-2:] == [TableState.SETTLING, TableState.SETTLED]
    film.roll(0.8, [(200, 200), (100, 190)])
    held = [*HELD, (200, 200), (100, 190)]
    assert film.lie(2, held) == 1, "two held, two thrown again"
    assert film.lie(2, [*held[:3], (250, 60)]) == 1, "one die thrown again is enough"


def test_dice_that_roll_by_themselves_are_told_from_dice_that_a_hand_laid_there(film: Film):
    film.lie(2, THROWN)
    film.settle.since_read()
    aside = [*THROWN[:3], (160, 200)]
    film.reach(0.5, THROWN, 0, 160)
    film.reach(0.5, aside, 160, 0)
    assert film.lie(1, aside) == 1
    since = film.settle.since_read()
    assert since.handled
    assert not since.rolled
    film.roll(0.8, [*HELD, (200, 60), (250, 190)])
    assert film.lie(1, [*HELD, (200, 60), (250, 190)]) == 1
    since = film.settle.since_read()
    assert since.rolled
    assert not since.handled
    assert not film.settle.since_read().rolled, "that was read already"


def test_a_table_whose_dice_were_read_comes_to_rest_sooner_and_once(film: Film):
    film.lie(2, [])
    film.roll(1, THROWN)
    assert not film.settle.rest_sooner(), "it moves"
    film.settle.found(len(THROWN))
    while film.settle.state is not TableState.SETTLING:
        assert film.lie(1 / film.rate, THROWN) == 0
    assert film.settle.rest_sooner()
    assert film.settle.state is TableState.SETTLED
    assert not film.settle.rest_sooner()
    assert film.lie(3, THROWN) == 0
    assert film.lie(3, [*HELD, (200, 200)]) == 1


SIDE = np.linspace(0.5, 1.3, WIDTH, dtype=np.float32)[None, :, None]
LIT = {
    "a lamp flickers": lambda t: table(THROWN, light=1 + 0.25 * math.sin(2 * math.pi * 3 * t)),
    "auto-exposure pumps": lambda t: table(THROWN, light=0.55 + 0.45 * math.exp(-t)),
    "a light goes out": lambda t: table(THROWN, light=0.6 if t > 1 else 1.0),
    "a lamp at one side": lambda t: (table(THROWN) * (1 + (SIDE - 1) * min(t, 1))).clip(0, 255).astype(np.uint8),
}


@pytest.mark.parametrize("light", LIT.values(), ids=LIT)
def test_a_change_of_light_is_no_throw(film: Film, light: Callable[[float], Pixels]):
    film.lie(1, THROWN)
    assert film.show(3, light) == 0
    assert film.states == [TableState.SETTLED]


def test_a_bumped_table_and_a_passing_hand_are_no_throw(film: Film):
    film.lie(1, THROWN)
    shaken = table(THROWN)
    assert film.show(1, lambda t: np.roll(shaken, round(6 * math.sin(40 * t) * math.exp(-6 * t)), axis=1)) == 0
    assert film.lie(1.5, THROWN) == 0
    assert film.settle.state is TableState.SETTLED
    assert film.show(1.5, lambda t: hand(table(THROWN), 200 * math.sin(math.pi * t / 1.5))) == 0
    assert TableState.TAKEOUT in film.states
    assert film.lie(1.5, THROWN) == 0
    assert film.settle.state is TableState.SETTLED


def test_a_hand_that_takes_the_dice_away_leaves_an_empty_table(film: Film):
    film.lie(1, THROWN)
    film.reach(0.6, THROWN, 0, 220)
    film.reach(0.6, [], 220, 0)
    assert film.lie(2, []) == 1
    assert film.settle.state is TableState.EMPTY


def test_nothing_is_read_while_a_hand_rests_in_the_picture(film: Film):
    film.lie(1, [])
    film.reach(0.5, THROWN, 0, 150)
    assert film.reach(2, THROWN, 150, 150) == 0
    assert film.settle.state is TableState.OBSTRUCTED
    assert not film.settle.only_dice([(x - 9.0, y - 9.0, x + 9.0, y + 9.0) for x, y in HELD])
    assert film.lie(1, THROWN) == 1


def test_dice_read_past_a_hand_that_lies_still_are_no_second_throw_when_it_leaves(film: Film):
    film.lie(1, [])
    film.reach(0.5, THROWN, 0, 90)
    film.reach(1, THROWN, 90, 90)
    assert film.settle.state is TableState.OBSTRUCTED
    assert film.sights[-1].still > 0.5
    film.settle.accept()
    film.dice = THROWN
    assert film.reach(1, THROWN, 90, 90) == 0
    assert film.states == [TableState.SETTLED]
    film.reach(0.5, THROWN, 90, 0)
    assert film.lie(2, THROWN) == 1, "looked at once more: the session knows that they lie as they lay"
    assert film.settle.state is TableState.SETTLED


def test_a_cup_left_at_the_edge_becomes_part_of_the_table(film: Film):
    film.lie(1, [])
    film.dice = THROWN
    assert film.reach(6, THROWN, 90, 90) == 1
    assert film.reach(3, [(40, 40), (60, 200), (120, 120), (160, 60)], 90, 90) == 1


def test_a_noisy_camera_in_the_dark_is_still():
    film = Film(30, noise=9.0)
    film.lie(1, THROWN, light=0.5)
    assert film.lie(4, THROWN, light=0.5) <= 1
    assert film.settle.state is TableState.SETTLED


def test_another_resolution_starts_anew(film: Film):
    film.lie(1, THROWN)
    assert film.show(1, np.asarray(table(THROWN))) == 0
    larger = np.asarray(cv2.resize(table(THROWN), (400, 360)), np.uint8)
    sights = [film.settle.see(Frame(larger, 0, 2 + n / 20, "film")) for n in range(20)]
    assert sum(sight.fresh for sight in sights) == 1


def test_dice_in_a_heap_at_the_edge_are_no_hand_once_they_were_found(film: Film):
    boxes, elsewhere = ([(x - 9.0, y - 9.0, x + 9.0, y + 9.0) for x, y in dice] for dice in (EDGE, THROWN))
    film.lie(1, [])
    film.lie(1, EDGE)
    assert film.settle.state is TableState.OBSTRUCTED
    assert [film.settle.only_dice(found) for found in ([], elsewhere, boxes)] == [False, False, True]
    film.settle.accept(boxes)
    film.dice = EDGE
    assert film.lie(1, EDGE) == 0
    assert film.states == [TableState.SETTLED]


def test_it_knows_where_the_table_differs_from_how_it_lay_without_dice(film: Film) -> None:
    """What lay there before the first throw is no die that was thrown, however often dice come and go."""

    def arrived() -> list[bool]:
        where = film.settle.arrived()
        assert where is not None
        return [bool(where[round(y * scale), round(x * scale)]) for x, y in THROWN]

    scale = film.settle.settings.width / WIDTH
    assert film.settle.arrived() is None, "nobody knows yet"
    print_on_it = HELD[:1]
    film.show(1, table(print_on_it))
    for dice in (THROWN[1:], THROWN[1:3]):
        film.roll(0.6, [*print_on_it, *dice])
        film.lie(1, [*print_on_it, *dice])
        assert arrived() == [False, *(place in dice for place in THROWN[1:])]
    film.lie(1, [*print_on_it, *THROWN[1:3]], light=0.8)
    assert arrived() == [False, True, True, False], "of another light it knows nothing"

    film.dice = ()
    film.show(1, table([*print_on_it, THROWN[1]]))
    assert not any(arrived()), "what is left when nobody sees a die is none"


def test_what_lies_beside_dice_that_are_all_there_is_none(film: Film) -> None:
    """A piece is put on the table between two throws."""
    scale = film.settle.settings.width / WIDTH
    piece, boxes = (100, 200), [(x - 9.0, y - 9.0, x + 9.0, y + 9.0) for x, y in THROWN]
    film.show(1, table())
    film.dice = THROWN
    for all_there in (False, True):
        film.roll(0.6, [piece, *THROWN])
        film.show(1, table([piece, *THROWN]))
        film.settle.found(len(THROWN), boxes, all_there=all_there)
        where = film.settle.arrived()
        assert where is not None
        assert bool(where[round(piece[1] * scale), round(piece[0] * scale)]) is not all_there
        assert all(where[round(y * scale), round(x * scale)] for x, y in THROWN), "where dice lay nobody knows"

"""What counts as a throw, on small drawn tables at several frame rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np
import pytest

from vision.frame import Frame, Pixels
from vision.settle import Settle, Sight, TableState

WIDTH, HEIGHT = 320, 240
RATES = [10, 30, 60]
HELD = [(60, 70), (150, 120)]
THROWN = [*HELD, (240, 60), (250, 170)]


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


def hand(pixels: Pixels, reach: int) -> Pixels:
    """A sleeve and fist reaching in from the right by `reach` pixels."""
    covered = pixels.copy()
    cv2.rectangle(covered, (WIDTH - reach, 80), (WIDTH, 150), (70, 60, 40), -1)
    cv2.circle(covered, (WIDTH - reach, 115), 42, (140, 170, 220), -1)
    return covered


class Film:
    """Feeds a settle stage and keeps what it said; time runs on from scene to scene."""

    def __init__(self, rate: int, noise: float = 2.0) -> None:
        self.settle = Settle()
        self.sights: list[Sight] = []
        self.rate = rate
        grain = np.random.default_rng(rate).normal(0, noise, (7, HEIGHT, WIDTH, 3))
        self._grain = [np.ascontiguousarray(plane, np.float32) for plane in grain]

    def show(self, seconds: float, picture: Callable[[float], Pixels]) -> list[Sight]:
        """Play a scene: `picture(t)` draws it `t` seconds after its start."""
        shown = []
        for step in range(max(1, round(seconds * self.rate))):
            number = len(self.sights)
            grain = self._grain[number % len(self._grain)]
            pixels = np.clip(picture(step / self.rate) + grain, 0, 255).astype(np.uint8)
            sight = self.settle.see(Frame(pixels, number, number / self.rate, "film"))
            if sight.fresh:
                self.settle.found(self.dice)
            self.sights.append(sight)
            shown.append(sight)
        return shown

    dice = 0

    def lie(self, seconds: float, dice: Sequence[tuple[int, int]], **how: float) -> list[Sight]:
        self.dice = len(dice)
        return self.show(seconds, lambda _: table(dice, **how))

    def roll(self, seconds: float, dice: Sequence[tuple[int, int]]) -> list[Sight]:
        """The dice come in from the left, turning, and slow down."""

        def rolling(t: float) -> Pixels:
            left = (1 - t / seconds) ** 2
            return table([(round(x - 200 * left), y) for x, y in dice], turn=400 * left)

        return self.show(seconds, rolling)


def fresh(sights: Iterable[Sight]) -> int:
    return sum(sight.fresh for sight in sights)


def states(sights: Iterable[Sight]) -> list[TableState]:
    """The states in order, each once."""
    seen: list[TableState] = []
    for sight in sights:
        if not seen or seen[-1] is not sight.state:
            seen.append(sight.state)
    return seen


@pytest.fixture(params=RATES, ids=lambda rate: f"{rate}fps")
def film(request: pytest.FixtureRequest) -> Film:
    return Film(request.param)


@pytest.mark.slow
def test_an_empty_table_is_looked_at_once_and_is_empty(film: Film):
    shown = film.lie(3, [])
    assert fresh(shown) == 1
    assert shown[-1].state is TableState.EMPTY


@pytest.mark.slow
def test_one_throw_is_one_reading_however_long_the_dice_lie(film: Film):
    film.lie(1, [])
    rolled = film.roll(1, THROWN)
    lying = film.lie(6, THROWN)
    assert fresh(rolled) == 0
    assert fresh(lying) == 1
    assert states(rolled + lying)[-3:] == [TableState.ROLLING, TableState.SETTLING, TableState.SETTLED]


@pytest.mark.slow
def test_the_reading_comes_soon_after_standstill(film: Film):
    film.lie(1, [])
    film.roll(1, THROWN)
    lying = film.lie(1, THROWN)
    waited = [sight.fresh for sight in lying].index(True) / film.rate
    assert waited <= 0.45


@pytest.mark.slow
def test_a_second_throw_with_two_dice_held_is_a_second_reading(film: Film):
    film.lie(1, THROWN)
    film.roll(0.8, [(200, 200), (100, 190)])
    assert fresh(film.lie(2, [*HELD, (200, 200), (100, 190)])) == 1


@pytest.mark.slow
def test_one_die_thrown_again_is_enough(film: Film):
    film.lie(1, THROWN)
    assert fresh(film.lie(2, [*THROWN[:3], (100, 200)])) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "light",
    [
        pytest.param(lambda t: 1 + 0.25 * math.sin(2 * math.pi * 3 * t), id="a lamp flickers"),
        pytest.param(lambda t: 0.55 + 0.45 * math.exp(-t), id="auto-exposure pumps"),
        pytest.param(lambda t: 0.6 if t > 1 else 1.0, id="a light goes out"),
    ],
)
def test_a_change_of_light_is_no_throw(film: Film, light: Callable[[float], float]):
    film.lie(1, THROWN)
    shown = film.show(4, lambda t: table(THROWN, light=light(t)))
    assert fresh(shown) == 0
    assert states(shown) == [TableState.SETTLED]


@pytest.mark.slow
def test_a_lamp_at_one_side_is_no_throw(film: Film):
    film.lie(1, THROWN)
    side = np.linspace(0.5, 1.3, WIDTH, dtype=np.float32)[None, :, None]

    def lit(t: float) -> Pixels:
        return (table(THROWN) * (1 + (side - 1) * min(t, 1))).clip(0, 255).astype(np.uint8)

    shown = film.show(3, lit)
    assert fresh(shown) == 0


@pytest.mark.slow
def test_a_bumped_table_is_no_throw(film: Film):
    film.lie(1, THROWN)

    def shaken(t: float) -> Pixels:
        return np.roll(table(THROWN), round(6 * math.sin(40 * t) * math.exp(-6 * t)), axis=1)

    shown = film.show(1, shaken) + film.lie(2, THROWN)
    assert fresh(shown) == 0
    assert shown[-1].state is TableState.SETTLED


@pytest.mark.slow
def test_a_hand_passing_over_lying_dice_is_no_throw(film: Film):
    film.lie(1, THROWN)
    passing = film.show(1.5, lambda t: hand(table(THROWN), round(200 * math.sin(math.pi * t / 1.5)) + 1))
    after = film.lie(2, THROWN)
    assert TableState.TAKEOUT in states(passing)
    assert fresh(passing + after) == 0
    assert after[-1].state is TableState.SETTLED


@pytest.mark.slow
def test_a_hand_that_takes_the_dice_away_leaves_an_empty_table(film: Film):
    film.lie(1, THROWN)
    film.show(0.6, lambda t: hand(table(THROWN), round(220 * t / 0.6) + 1))
    film.show(0.6, lambda t: hand(table(), round(220 * (1 - t / 0.6)) + 1))
    after = film.lie(2, [])
    assert fresh(after) == 1
    assert after[-1].state is TableState.EMPTY


@pytest.mark.slow
def test_nothing_is_read_while_a_hand_rests_in_the_picture(film: Film):
    film.lie(1, [])
    film.show(0.5, lambda t: hand(table(THROWN), round(150 * t / 0.5) + 1))
    resting = film.show(2, lambda _: hand(table(THROWN), 150))
    assert fresh(resting) == 0
    assert resting[-1].state is TableState.OBSTRUCTED
    assert fresh(film.lie(1, THROWN)) == 1


@pytest.mark.slow
def test_dice_read_past_a_hand_that_lies_still_are_no_second_throw_when_it_leaves(film: Film):
    film.lie(1, [])
    film.show(0.5, lambda t: hand(table(THROWN), round(90 * t / 0.5) + 1))
    resting = film.show(1, lambda _: hand(table(THROWN), 90))
    assert resting[-1].state is TableState.OBSTRUCTED
    assert resting[-1].still > 0.5
    film.settle.accept()
    film.dice = len(THROWN)
    after = film.show(1, lambda _: hand(table(THROWN), 90))
    assert states(after) == [TableState.SETTLED]
    assert fresh(after) == 0
    film.show(0.5, lambda t: hand(table(THROWN), round(90 * (1 - t / 0.5)) + 1))
    left = film.lie(2, THROWN)
    assert fresh(left) == 1  # looked at once more: the session knows that they lie as they lay
    assert left[-1].state is TableState.SETTLED


@pytest.mark.slow
def test_a_cup_left_at_the_edge_becomes_part_of_the_table(film: Film):
    film.lie(1, [])
    film.dice = 4
    shown = film.show(7, lambda _: hand(table(THROWN), 90))
    assert fresh(shown) == 1
    again = film.show(3, lambda _: hand(table([(40, 40), (60, 200), (120, 120), (160, 60)]), 90))
    assert fresh(again) == 1


@pytest.mark.slow
def test_a_noisy_camera_in_the_dark_is_still():
    film = Film(30, noise=9.0)
    film.lie(1, THROWN, light=0.5)
    assert fresh(film.lie(4, THROWN, light=0.5)) <= 1
    assert film.settle.state is TableState.SETTLED


def test_another_resolution_starts_anew():
    settle = Settle()
    for number in range(20):
        settle.see(Frame(table(THROWN), number, number / 20, "film"))
    larger = cv2.resize(table(THROWN), (400, 360))
    sights = [settle.see(Frame(np.asarray(larger), 20 + n, 1 + n / 20, "film")) for n in range(20)]
    assert fresh(sights) == 1


EDGE = [(12, y) for y in range(40, 220, 24)] + [(36, y) for y in range(40, 220, 24)]


def boxes(dice: Sequence[tuple[int, int]]) -> list[tuple[float, float, float, float]]:
    return [(x - 9.0, y - 9.0, x + 9.0, y + 9.0) for x, y in dice]


@pytest.mark.slow
def test_dice_in_a_heap_at_the_edge_are_no_hand_once_they_were_found(film: Film):
    film.lie(1, [])
    lying = film.lie(1, EDGE)
    assert lying[-1].state is TableState.OBSTRUCTED
    assert not film.settle.only_dice([])
    assert not film.settle.only_dice(boxes(THROWN))
    assert film.settle.only_dice(boxes(EDGE))
    film.settle.accept(boxes(EDGE))
    film.dice = len(EDGE)
    after = film.lie(1, EDGE)
    assert states(after) == [TableState.SETTLED]
    assert fresh(after) == 0


@pytest.mark.slow
def test_a_hand_beside_dice_is_not_taken_for_them(film: Film):
    film.lie(1, [])
    film.show(0.5, lambda t: hand(table(THROWN), round(150 * t / 0.5) + 1))
    film.show(1, lambda _: hand(table(THROWN), 150))
    assert not film.settle.only_dice(boxes(HELD))

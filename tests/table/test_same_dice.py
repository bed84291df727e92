"""Which dice are the same ones: by where they lie, how they are turned, and what they show."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from table.same_dice import Stay, leaning, matching, only_moved
from table.tracked_die import TrackedDie
from vision.dicesets.shapes import Shape
from vision.reading import DieReading


def lying(
    face: str, x: float, y: float, *, turn: float = 0.0, shape: Shape = Shape.CUBE, certain: bool = True
) -> TrackedDie:
    """A die 60 px wide with its middle at (x, y), turned by so many degrees."""
    sides, radius = (4, 42.4) if shape == Shape.CUBE else (3, 34.6)
    angles = [math.radians(turn + 360 * i / sides) for i in range(sides)]
    corners = tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)
    box = (x - radius, y - radius, x + radius, y + radius)
    return TrackedDie(DieReading(shape, face, certain, 1.0, (), corners, box), face, certain)


BEFORE = [lying("2", 100, 100, turn=10), lying("5", 300, 120, turn=70), lying("5", 500, 300, turn=30)]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lying("3", 101, 100, turn=18), id="another face, and turned"),
        pytest.param(lying("3", 115, 100, turn=10), id="another face, and elsewhere"),
        pytest.param(lying("2", 160, 100, turn=10), id="a width away"),
        pytest.param(lying("2", 130, 100, turn=50), id="turned as well"),
        pytest.param(lying("2", 100, 100, shape=Shape.OCTAHEDRON), id="another solid"),
    ],
)
def test_a_thrown_die_is_not_taken_for_one_that_stayed(other: TrackedDie):
    assert matching(BEFORE[:1], [other]).pairs == ()


def test_a_die_that_nobody_touched_is_known_again_whatever_is_read_on_it_now():
    found = matching(BEFORE, [BEFORE[1], lying("3", 101, 100, turn=11), BEFORE[2]])
    assert [(one.before, one.after, one.stay) for one in found.pairs] == [
        (1, 0, Stay.LAY), (0, 1, Stay.LAY), (2, 2, Stay.LAY)
    ]  # fmt: skip


def test_a_doubtful_die_is_the_one_that_lay_there_rather_than_one_set_aside_that_showed_what_is_read():
    left = only_moved([lying("3", 100, 100, turn=10), lying("8", 400, 300, turn=10)], [
        lying("8", 104, 104, turn=60, certain=False)
    ])  # fmt: skip
    assert left is not None
    assert [(one.before, one.stay) for one in left.pairs] == [(0, Stay.NUDGED)]


@pytest.mark.parametrize(("certain", "known"), [(False, [Stay.NUDGED]), (True, [])])
def test_a_doubtful_die_is_known_again_by_its_box_if_a_side_was_outlined(certain: bool, known: list[Stay]):
    before = lying("3", 100, 100, shape=Shape.OCTAHEDRON)
    side = lying("8", 132, 100, turn=40, shape=Shape.OCTAHEDRON, certain=certain)
    other = replace(side, read=replace(side.read, box=before.read.box))
    assert not matching([before], [side]).pairs, "its middle is too far away"
    assert [one.stay for one in matching([before], [other]).pairs] == known


def test_a_die_that_did_not_move_is_known_again_though_it_is_read_unsurely():
    found = matching(BEFORE[:1], [lying("3", 102, 100, turn=11, certain=False)])
    assert [one.stay for one in found.pairs] == [Stay.LAY]


def test_a_square_is_alike_every_quarter_turn_and_a_triangle_every_third():
    assert matching([lying("2", 0, 0)], [lying("2", 0, 0, turn=88)]).pairs
    assert matching(
        [lying("2", 0, 0, shape=Shape.OCTAHEDRON)], [lying("2", 0, 0, turn=122, shape=Shape.OCTAHEDRON)]
    ).pairs
    assert not matching(
        [lying("2", 0, 0, shape=Shape.OCTAHEDRON)], [lying("2", 0, 0, turn=88, shape=Shape.OCTAHEDRON)]
    ).pairs


def test_each_die_is_known_again_once_the_nearest_first():
    after = [lying("5", 330, 120, turn=75), lying("5", 301, 121, turn=70)]
    found = matching([BEFORE[1]], after)
    assert [one.after for one in found.pairs] == [1]


def test_dice_taken_up_or_set_aside_are_only_moved():
    left = only_moved(BEFORE, [lying("5", 900, 40), lying("2", 940, 40)])
    assert left is not None
    assert left.went == (1,) or left.went == (2,)
    assert only_moved(BEFORE, [lying("2", 900, 40), lying("6", 940, 40)]) is None


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 5])
def test_by_chance_few_thrown_dice_are_taken_for_held(count: int):
    """Dice of 60 px thrown anew on 960 by 720: some are known again by chance, in one of a hundred throws or fewer."""
    chance = np.random.default_rng(count)

    def thrown() -> list[TrackedDie]:
        return [
            lying(str(chance.integers(6)), *chance.uniform((60, 60), (900, 660)), turn=chance.uniform(0, 90))
            for _ in range(count)
        ]

    wrong = sum(bool(matching(thrown(), thrown()).pairs) for _ in range(1000))
    assert wrong <= 10


def tilted(
    x: float, y: float, turn: float, tilt: float, across: float = 30.0
) -> tuple[tuple[float, float], ...]:
    """A square seen from above, foreshortened towards a direction."""
    points = [
        (math.cos(a + math.radians(turn)), math.sin(a + math.radians(turn)))
        for a in np.arange(4) * math.pi / 2
    ]
    c, s = math.cos(math.radians(across)), math.sin(math.radians(across))
    short = math.cos(math.radians(tilt))
    return tuple(
        (
            x + 40 * (short * c * (c * u + s * v) - s * (c * v - s * u)),
            y + 40 * (short * s * (c * u + s * v) + c * (c * v - s * u)),
        )
        for u, v in points
    )


def test_a_cocked_die_is_foreshortened_unlike_the_others():
    flat = [tilted(200 * i, 100, 17 * i, 25) for i in range(5)]
    assert leaning(flat) == ()
    assert leaning([*flat[:2], tilted(500, 500, 40, 60), *flat[2:]]) == (2,)
    assert leaning(flat[:2]) == ()

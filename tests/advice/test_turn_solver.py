"""Advice for games that files tell: figures worked out by hand or published elsewhere, and moves that are legal."""

from __future__ import annotations

import random

import numpy as np
import pytest

from advice import Advisers, advisable
from advice.game_files import advise, solver
from advice.record import NoAdviceError
from scoring.actions import Fill, Hold, Play, Stand
from scoring.anyplay import any_action
from scoring.gamefile.game import FileGame, game_of
from scoring.gamefile.reading import read
from scoring.games import available, find
from scoring.match import begin
from scoring.options import chosen
from tests.cli.door import tableside

FILE = """
id = "x"
title = "X"
blurb = "X"
[dice]
set = "pips"
count = {count}
faces = ["1", "2", "3", "4", "5", "6"]
[turn]
{turn}
[end]
rounds = 5
[[score]]
name = "Sum"
points = "sum"
"""


def game(count: int, turn: str) -> FileGame:
    return game_of(read(FILE.format(count=count, turn=turn)))


def best(told: FileGame, faces: str, left: int) -> tuple[object, float]:
    found = advise(told.rules, chosen(told.options), tuple(faces), left).best
    return found.move, found.worth


def test_one_more_throw_is_worth_three_and_a_half_a_die():
    told = game(2, "throws = 2")
    assert best(told, "63", 1) == (Hold(("6",)), pytest.approx(9.5))
    assert best(told, "44", 1) == (Stand(), pytest.approx(8.0))
    assert best(told, "11", 1) == (Hold(()), pytest.approx(7.0))
    assert best(told, "11", 0) == (Stand(), pytest.approx(2.0))


def test_two_more_throws_are_worth_four_and_a_quarter_a_die():
    assert best(game(2, "throws = 3"), "11", 2) == (Hold(()), pytest.approx(8.5))


def test_without_a_limit_one_throws_on_until_it_does_not_pay():
    """One die, and a 1 loses: a 4 is kept, since throwing on until a 4 or more is worth 15/4."""
    told = game(1, 'throws = 0\nbust = "count(1) >= 1"')
    assert best(told, "3", -1) == (Hold(()), pytest.approx(3.75, abs=0.02))
    assert best(told, "4", -1) == (Stand(), pytest.approx(4.0))
    with pytest.raises(NoAdviceError, match="this turn is over"):
        best(told, "1", -1)


def test_what_is_locked_is_held_in_every_choice():
    told = game(3, 'throws = 0\nlocked = ["1"]\nbust = "count(1) >= 2"\nagain = 2')
    found = advise(told.rules, chosen(told.options), ("1", "2", "6"), -1)
    assert {one.move for one in found.choices} == {Stand(), Hold(("1",))}


def test_five_alike_in_three_throws_come_as_often_as_published():
    """4.6029 %: the chance that text books give for five alike in three throws of five dice."""
    yacht = find("yacht")
    assert isinstance(yacht, FileGame)
    solved = solver(yacht.rules, chosen(yacht.options))
    alike = np.array([[float(max(counts) == 5)] for counts in solved.over.by_size[-1]])
    assert float(solved.thrown(solved.played(alike, 2))[0, 0]) == pytest.approx(0.046029, abs=5e-7)


def test_a_sheet_names_the_chance_of_every_open_box():
    yacht = find("yacht")
    assert isinstance(yacht, FileGame)
    found = advise(yacht.rules, chosen(yacht.options), tuple("66665"), 1, ["yacht", "6", "full-house"])
    odds = dict(found.figures)
    assert odds["yacht"] == pytest.approx(1 / 6)
    assert odds["6"] == 1.0
    assert odds["full-house"] == pytest.approx(1 / 6)  # 6 6 6 5 and another 5; throwing two dice would be 5/36
    assert not found.exact
    assert {one.move.box for one in found.choices if isinstance(one.move, Fill)} == {"yacht", "6", "full-house"}


@pytest.mark.parametrize("told", [one for one in available() if isinstance(one, FileGame)], ids=lambda one: one.id)
def test_every_choice_is_legal_at_the_table(told: FileGame):
    rng, advisers, asked = random.Random(1), Advisers(), 0
    match = begin(told, ["Ann", "Bob"])
    for _ in range(60):
        if match.outcome:
            break
        if advisable(match):
            found, asked = advisers.for_match(match), asked + 1
            for one in rng.sample(found.choices, min(8, len(found.choices))):
                assert one.move
                assert told.can(match.state, Play(match.state.turn, one.move)), one
            if asked % 2:
                match = match.add(Play(match.state.turn, found.choices[0].move or Stand()))
                continue
        match = match.add(any_action(told, match.state, rng.randrange))
    assert bool(asked) == (told.id in ("yacht", "skull-cove"))


def test_the_command_says_it_is_an_estimate():
    said = tableside("advise", "yacht", "--faces", "6,6,6,2,1", "--rolls-left", "1")
    assert said.code == 0, said.err
    assert "estimate" in said.out
    told = tableside("advise", "ten-thousand", "--faces", "1,1,2,3,4,6")
    assert told.code == 2
    assert "no advice for games in which dice are set aside" in told.err
    assert tableside("advise", "yacht", "--faces", "6,6", "--rolls-left", "1").code == 2

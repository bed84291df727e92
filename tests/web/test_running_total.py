"""The board of a game file without boxes: the round, what the turn is worth, and the race."""

from __future__ import annotations

from scoring.actions import Roll
from scoring.games import find as find_game
from scoring.match import begin
from web.boards import board_of
from web.boards.running_total import RunningTotal


def shown(game: str, *rolls: str) -> tuple[RunningTotal, list[str]]:
    match = begin(find_game(game), ("Alice", "Bob"))
    for roll in rolls:
        match = match.add(Roll(tuple(roll)))
    board = board_of(match, "en", {})
    return board.own, [one.detail for group in board.groups for one in group.choices]


def test_a_game_in_rounds_says_which_one_is_played():
    own, _ = shown("tally", "12345", "11111", "66666")
    assert (own.round, own.rounds, own.race, own.goal) == (2, 10, None, 0)


def test_a_race_says_how_far_it_is_and_what_the_turn_is_worth():
    own, worth = shown("ten-thousand", "111526")
    assert own.race is not None
    assert (own.race.target, own.turn) == (10000, 1050)
    assert worth == ["1050"]


def test_a_score_that_may_not_be_taken_is_not_offered():
    own, worth = shown("ten-thousand", "112346")
    assert own.turn is None
    assert not worth

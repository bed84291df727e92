"""Tests a game file: its examples, rules that no roll can meet, and many random matches."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice
from math import comb

from scoring.anyplay import any_action
from scoring.gamefile.game import FileGame
from scoring.gamefile.reading import WorkedExample
from scoring.gamefile.rules import Box, ScoreRule
from scoring.options import Options, chosen

MATCHES = 1000
SECONDS = 20.0
"""Seconds of computing for random matches, as somebody is waiting for the answer."""
MOST_ACTIONS = 5000
"""A random match that takes more actions counts as one that does not end."""
MOST_ROLLS = 50_000
"""Most different rolls to examine before saying that something can never happen."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Minimum, median and maximum of some numbers."""

    least: int
    middle: int
    most: int


@dataclass(frozen=True, slots=True)
class Playouts:
    """Random matches: how many, how many of them ended, the turns they took, the winners' points."""

    matches: int
    ended: int
    turns: Spread
    points: Spread


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of testing a game: examples with their real scores, rules that no roll can meet, and matches."""

    wrong: tuple[tuple[WorkedExample, int], ...]
    never: tuple[str, ...]
    sure: bool
    """Whether every possible roll was examined, so that `never` is complete."""
    played: Playouts


def checked(
    game: FileGame, examples: tuple[WorkedExample, ...], *, matches: int = MATCHES, seconds: float = SECONDS
) -> Checked:
    """Test a game with the default of each option."""
    scored = ((one, game.score(one.dice, declared=one.box or None).points or 0) for one in examples)
    faces, count = len(game.dice.faces), game.dice.count
    return Checked(
        tuple((one, points) for one, points in scored if points != one.points),
        tuple(_never(game)),
        comb(faces + count - 1, count) <= MOST_ROLLS,
        played_by_lot(game, matches, seconds),
    )


def _never(game: FileGame) -> Iterator[str]:
    """The rules that no roll meets, with the default of each option; at most `MOST_ROLLS` are examined."""
    options = chosen(game.options)
    for rule in (*game.rules.boxes, *game.rules.scores):
        if not any(_met(game, rule, faces, options) for faces in _rolls(game, rule)):
            yield rule.name


def _rolls(game: FileGame, rule: Box | ScoreRule) -> Iterator[tuple[str, ...]]:
    count = (rule.take if isinstance(rule, ScoreRule) else 0) or game.dice.count
    return islice(combinations_with_replacement(game.dice.faces, count), MOST_ROLLS)


def _met(game: FileGame, rule: Box | ScoreRule, faces: tuple[str, ...], options: Options) -> bool:
    """Whether a rule gives points for a roll, in some throw of a turn that can produce it."""
    rules = game.rules
    for throw in range(1, (rules.turn.throws or 3) + 1):
        if isinstance(rule, Box):
            met = rules.box_points(rule, faces, options, throw) != 0
        elif rule.take:
            met = rule.when.holds(seen := rules.seen(faces, options)) and rule.points.number(seen) > 0
        else:
            bust = rules.is_bust(faces, options, throw, faces)
            met = bust == rule.bust and any(True for _ in rules.gives(rule, faces, options, throw))
        if met:
            return True
    return False


def played_by_lot(game: FileGame, matches: int, seconds: float) -> Playouts:
    """Play matches in which every throw and every decision is random; fewer if time runs out."""
    until, turns, points, ended, number = time.thread_time() + seconds, list[int](), list[int](), 0, 0
    for number in range(1, matches + 1):
        rng = random.Random(f"{game.id}/{number}")
        low, high = game.seats
        state = game.initial([f"P{seat}" for seat in range(max(low, min(high, 2)))])
        for _ in range(MOST_ACTIONS):
            if not game.awaits(state):
                break
            state = game.apply(state, any_action(game, state, rng.randrange)).state
        if outcome := game.outcome(state):
            ended += 1
            points.append(max(outcome.points[winner] for winner in outcome.winners))
        turns.append(sum(state.turns))
        if time.thread_time() > until:
            break
    return Playouts(number, ended, _spread(turns), _spread(points))


def _spread(numbers: list[int]) -> Spread:
    found = sorted(numbers) or [0]
    return Spread(found[0], found[len(found) // 2], found[-1])

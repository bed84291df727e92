"""Pairs: the value of a declaration, including the set phase it may lead to (RULINGS 3.2), in exact fractions.

In a set phase everyone rolls in turn until a pair or the set comes up again; a roll pays by the number N of rolls
before it. If a roll pays m·N on average and the phase continues with probability q, a player who makes rolls j, j + n,
j + 2n, … among n players gets m·Σ q^t·(N + t) over those t: a geometric series, summed in closed form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import ClassVar

from advice.adviser import Adviser, Asked, Flag, Looked, Moment, Typed, gave_away, steps
from advice.record import Advice, NoAdviceError, RatedChoice, ranked
from advice.spoken import LEFT_OUT, declare, why_best
from messages.message import message
from scoring.actions import Declare, Play, Roll
from scoring.dice import Face
from scoring.games.cats import cat_dice
from scoring.games.cats.pairs import WINS, PairsState, declared_lines, set_lines
from scoring.match import Match
from scoring.options import Options

GAME = "pairs"
UNIT = "points ahead of the others’ average"
MOST_PLAYERS = 12
ROLLS = tuple((one, other) for one in cat_dice.FACES for other in cat_dice.FACES)
SETS = tuple(combinations(cat_dice.FACES, 2))

Worths = tuple[Fraction, ...]
"""Mean points still to come in the round, one for each player, starting with the declarer (or the next to roll)."""


def ask(players: int, options: Options) -> Advice:
    """The best declaration, among so many players (the declarer included).

    Raises NoAdviceError for an impossible number of players.
    """
    if not 1 <= players <= MOST_PLAYERS:
        raise NoAdviceError("expected 1 to {most} players, got {players}", most=MOST_PLAYERS, players=players)
    found: list[RatedChoice] = []
    figures: list[tuple[str, float | str]] = []
    for declared in WINS:
        worths = declared_worths(declared, players, options)
        at_once = immediate(declared)
        others = sum(worths[1:], Fraction(0)) / max(1, players - 1)
        found.append(RatedChoice(declare(declared), Declare(declared), ahead(worths)))
        figures.append((f"{declared}: at once", float(at_once)))
        figures.append((f"{declared}: set phase", float(worths[0] - at_once)))
        figures.append((f"{declared}: each other", float(others)))
    choices = ranked(found)
    assumes = message("fair dice, playing for the biggest lead over the others’ average this round")
    said, why = (choices[0].said,), (why_best(choices, UNIT), LEFT_OUT)
    return Advice(GAME, UNIT, choices, said, why, assumes, figures=tuple(figures))


def ahead(worths: Worths) -> float:
    """The declarer's lead over the mean of the others."""
    return float(worths[0] - sum(worths[1:], Fraction(0)) / max(1, len(worths) - 1))


def immediate(declared: str) -> Fraction:
    """The mean points of the declarer's own roll."""
    paid = [declared_lines(declared, roll) for roll in ROLLS]
    return Fraction(sum(one.points for lines in paid if lines for one in lines), len(ROLLS))


def declared_worths(declared: str, players: int, options: Options) -> Worths:
    """The mean points of each player after the declaration, before the roll; the declarer first."""
    worths = [Fraction(0)] * players
    worths[0] = immediate(declared)
    for faces in SETS:
        came = set_worths(declared, faces, players, options)
        for player, worth in enumerate(came):
            worths[player] += Fraction(2, len(ROLLS)) * worth
    return tuple(worths)


def set_worths(declared: str, faces: Sequence[Face], players: int, options: Options) -> Worths:
    """The mean points of each player after a set came up, before its first roll; the declarer first."""
    before = int(options.flag("count_set_roll"))
    from_roller = rolling_worths(declared, faces, before, players, options)
    first = 0 if options.text("first_roller") == "declarer" else 1
    return tuple(from_roller[(player - first) % players] for player in range(players))


def rolling_worths(
    declared: str, faces: Sequence[Face], before: int, players: int, options: Options
) -> Worths:
    """The mean points of each player in a set with `before` rolls before the next one; the next to roll first."""
    times, on = _rates(declared, tuple(faces), options)
    around = on**players
    worths: list[Fraction] = []
    for place in range(players):
        series = (before + place) / (1 - around) + players * around / (1 - around) ** 2
        worths.append(times * on**place * series)
    return tuple(worths)


@lru_cache(maxsize=1000)
def _rates(declared: str, faces: tuple[Face, ...], options: Options) -> tuple[Fraction, Fraction]:
    """The mean payment of a roll in the set phase, in units of the rolls before it, and the chance that it goes on."""
    paid = [set_lines(declared, faces, 1, roll, options) for roll in ROLLS]
    times = Fraction(sum(one.points for lines in paid if lines for one in lines), len(ROLLS))
    return times, Fraction(sum(lines is None for lines in paid), len(ROLLS))


class PairsAdviser(Adviser):
    """What to declare, for the most points of the round."""

    flags: ClassVar[tuple[Flag, ...]] = (Flag("--seats", "N", "the players, 2 by default", "number"),)

    def at_table(self, match: Match) -> Asked:
        """Before the declaration."""
        if match.state.declared is not None:
            raise NoAdviceError("the call is made: there is nothing to decide until the round ends")
        return lambda: ask(len(match.header.players), match.state.options)

    def typed(self, asked: Typed) -> Advice:
        """For so many players."""
        return ask(asked.given.get("seats", 2), asked.options)

    def look_back(self, match: Match) -> Looked:
        """The points of each round."""
        return Looked(_moments(match))


def _moments(match: Match) -> Iterator[Moment]:
    for number, before, action, after in steps(match):
        players = len(before.players)
        if isinstance(action, Play) and isinstance(action.move, Declare):
            each = {said: ahead(declared_worths(said, players, before.options)) for said in WINS}
            best, said = max(each, key=each.__getitem__), after.declared
            did, better = declare(said), declare(best)
            yield gave_away(number, before.declarer, each[best], each[said], did, better, first=True)
        elif isinstance(action, Roll):
            was, now = _expected(before), _expected(after)
            for player in range(players):
                gained = after.points[player] - before.points[player]
                yield Moment(number, player, luck=gained + now[player] - was[player])


def _expected(state: PairsState) -> list[float]:
    """The expected points of each player for the rest of the round; empty before the declaration."""
    players = len(state.players)
    if state.declared is None:
        return [0.0] * players
    if state.set_roll:
        first = state.roller
        worths = rolling_worths(state.declared, state.set_roll, state.before, players, state.options)
    else:
        first = state.declarer
        worths = declared_worths(state.declared, players, state.options)
    return [float(worths[(player - first) % players]) for player in range(players)]

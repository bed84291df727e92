"""Races to a target: the best declaration in Called Shot, and the odds in Triples, for the points still needed.

Two players are solved exactly: the chance to win of whoever is to roll, for every pair of points needed, from the end
of the race backwards. A roll without points leaves both where they were, so each pair is a small equation in itself.
One player alone wants the fewest turns. With three or more it is an estimate: a race against the one who needs the
fewest turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from scoring.actions import Declare
from scoring.dice import Face
from scoring.games import cat_dice
from scoring.games.called_shot import DECLARATIONS, payoff
from scoring.games.triples import breakdown as triples_line
from scoring.message import Message, message
from table.advice.lattice import Floats
from table.advice.record import Advice, Choice, NoAdviceError, ranked
from table.advice.spoken import EQUAL, declare

DICE = 3
MOST_NEEDED = 100
"""Points of the longest race that is solved."""

ROUNDS = 100
"""Most improvements of a pair of choices; two or three are enough."""

ASSUMES = message("even dice, both players playing their best")


class Race:
    """Two players, some declarations, a target; `points` has a row for each declaration: the chance of 0, 1, 2, …

    `first[a, b]` is the chance to win of the one who begins the rounds, to roll, needing a, the other needing b;
    `second[a, b]` that of the other one, to roll, with the same meaning of a and b. Wins that are shared count half.
    """

    def __init__(self, points: Floats, target: int, finish_round: bool) -> None:
        """Solve it. Raises NoAdviceError for a race too long."""
        if not 1 <= target <= MOST_NEEDED:
            raise NoAdviceError(
                "a race is solved up to {most} points, got {target}", most=MOST_NEEDED, target=target
            )
        self.points, self.target, self.finish_round = points, target, finish_round
        self._most = points.shape[1] - 1
        self.first: Floats = np.zeros((target + 1, target + 1))
        self.second: Floats = np.zeros((target + 1, target + 1))
        for total in range(2, 2 * target + 1):
            for a in range(max(1, total - target), min(target, total - 1) + 1):
                self._solve(a, total - a)

    def by_declaration(self, needs: tuple[int, int], begins: bool = True) -> Floats:
        """For each declaration of the one to roll, the chance to win; `needs` are theirs and the other's points.

        `begins` says whether the one to roll is the one who begins the rounds; it matters where rounds are finished.
        """
        own, other = needs
        after = self._after_first(own, other) if begins else self._after_second(other, own)
        return np.asarray(self.points @ after, dtype=np.float64)

    def catching_up(self, behind: int) -> Floats:
        """For each declaration, the chance of making up so many points in the one roll that finishes the round."""
        above, level = (
            self.points[:, behind + 1 :].sum(axis=1),
            self.points[:, behind : behind + 1].sum(axis=1),
        )
        return np.asarray(above + level / 2, dtype=np.float64)

    def _solve(self, a: int, b: int) -> None:
        """Both chances of a pair of needs: best choices for both, each against the other's."""
        nothing, some = self.points[:, 0], self.points[:, 1:]
        one, two = some @ self._after_first(a, b)[1:], some @ self._after_second(a, b)[1:]
        x, y, chosen = 0.5, 0.5, (-1, -1)
        for _ in range(ROUNDS):
            d, e = int(np.argmax(one + nothing * (1 - y))), int(np.argmax(two + nothing * (1 - x)))
            if (d, e) == chosen:
                break
            chosen = d, e
            z, w = float(nothing[d]), float(nothing[e])
            x = float((one[d] + z - z * (two[e] + w)) / (1 - z * w))
            y = float(two[e] + w * (1 - x))
        self.first[a, b], self.second[a, b] = x, y

    def _after_first(self, a: int, b: int) -> Floats:
        """The beginner's chance after rolling 0, 1, 2, … points."""
        return np.array([1 - self._others_answer(a - x, b) for x in range(self._most + 1)])

    def _after_second(self, a: int, b: int) -> Floats:
        """The other one's chance after rolling 0, 1, 2, … points."""
        return np.array([1.0 if y >= b else 1 - self.first[a, b - y] for y in range(self._most + 1)])

    def _others_answer(self, a: int, b: int) -> float:
        """The second player's chance when the first one needs `a` more, none or less than none if done."""
        if a > 0:
            return float(self.second[a, b])
        return self._last_roll(b - a) if self.finish_round else 0.0

    def _last_roll(self, behind: int) -> float:
        """The chance of making up so many points in the one roll that finishes the round."""
        above, level = (
            self.points[:, behind + 1 :].sum(axis=1),
            self.points[:, behind : behind + 1].sum(axis=1),
        )
        return float((above + level / 2).max())


@lru_cache(maxsize=2)
def points_of(game: str) -> Floats:
    """The chance of 0, 1, 2, … points in a roll, a row for each declaration; Triples has one row."""
    worth: list[Callable[[tuple[Face, ...]], int]]
    if game == "triples":
        worth = [lambda faces: triples_line(faces).points]
    else:
        worth = [lambda faces, said=said: payoff(said, faces)[1] for said in DECLARATIONS]
    rolls = list(product(cat_dice.FACES, repeat=DICE))
    scores = [[of(roll) for roll in rolls] for of in worth]
    most = max(map(max, scores))
    return np.array([np.bincount(row, minlength=most + 1) / len(rolls) for row in scores])


@lru_cache(maxsize=8)
def _solved(game: str, target: int, finish_round: bool) -> Race:
    return Race(points_of(game), target, finish_round)


def race(game: str, target: int = 25, finish_round: bool = False) -> Race:
    """The solved race of two players in a game, made once."""
    return _solved(game, target, finish_round)  # by place: the cache tells 25 from a default that is 25


@lru_cache(maxsize=8)
def fewest_turns(game: str, target: int = 25) -> tuple[Floats, Floats]:
    """The mean number of turns to make so many points, alone: of the best declaration, and of each one first."""
    points = points_of(game)
    best, each = np.zeros(target + 1), np.zeros((target + 1, len(points)))
    for needed in range(1, target + 1):
        later = np.array([0.0 if x >= needed else best[needed - x] for x in range(points.shape[1])])
        later[0] = 0
        best[needed] = float(((1 + points @ later) / (1 - points[:, 0])).min())
        each[needed] = 1 + points @ later + points[:, 0] * best[needed]
    return best, each


def ask(
    game: str, needs: Sequence[int], *, target: int = 25, finish_round: bool = False, begins: bool = True
) -> Advice:
    """The best declaration for the points still needed, one's own first, then the others' in the order they roll.

    Raises NoAdviceError for needs that cannot be.
    """
    done = finish_round and not begins and len(needs) == 2 and needs[1] <= 0 < needs[0] <= target
    if not done and (not needs or any(not 1 <= one <= target for one in needs)):
        raise NoAdviceError(
            "expected points needed from 1 to {target} for each player, got {needs}",
            target=target,
            needs=str(list(needs)[:12]),
        )
    if len(needs) == 1:
        return _alone(game, needs[0], target)
    nearest = needs[1] if len(needs) == 2 else _nearest(game, needs[1:], target)
    solved = race(game, target, finish_round)
    chances = (
        solved.catching_up(needs[0] - needs[1])
        if done
        else solved.by_declaration((needs[0], nearest), begins)
    )
    exact = len(needs) == 2
    assumes = ASSUMES
    if not exact:
        assumes = message(
            "an estimate: a race of two against the one who needs {nearest}; {rest}",
            nearest=nearest,
            rest=assumes,
        )
    choices = _choices(game, chances)
    return Advice(game, "chance to win", choices, (_said(game, choices),), (_why(choices),), assumes, exact)


def _nearest(game: str, needs: Sequence[int], target: int) -> int:
    """The points needed by whoever needs the fewest turns."""
    turns = fewest_turns(game, target)[0]
    return min(needs, key=lambda needed: float(turns[max(0, needed)]))


def _alone(game: str, needed: int, target: int) -> Advice:
    best, each = fewest_turns(game, target)
    choices = _choices(game, -each[needed])
    why = message("the target is then {turns:tenth} turns away on average", turns=float(best[needed]))
    unit = "turns to the target (fewer are better, so they count below zero)"
    return Advice(
        game, unit, choices, (_said(game, choices),), (why,), message("even dice, the fewest turns")
    )


def _choices(game: str, worth: Floats) -> tuple[Choice, ...]:
    if game == "triples":
        return (Choice(message("roll"), None, float(worth[0])),)
    both = zip(DECLARATIONS, worth, strict=True)
    return ranked(Choice(declare(said), Declare(said), float(one)) for said, one in both)


def _said(game: str, choices: Sequence[Choice]) -> Message:
    chance = choices[0].worth
    if game == "triples" and chance >= 0:
        return message("roll: the chance to win is {chance:percent}", chance=chance)
    return choices[0].said


def _why(choices: Sequence[Choice]) -> Message:
    if len(choices) == 1:
        return message("there is nothing to decide")
    chance, following = choices[0].worth, choices[1]
    if following.cost < EQUAL:
        return message(
            "the chance to win is then {chance:percent}; as good: {other}",
            chance=chance,
            other=following.said,
        )
    return message(
        "the chance to win is then {chance:percent}; with the next best, {other}, {then:percent}",
        chance=chance,
        other=following.said,
        then=following.worth,
    )

"""Races to a target: the best declaration in Called Shot, and the odds in Triples, for the points still needed.

A race is solved backwards from its end: everyone's chance to win, for every combination of points needed. A roll
without points changes nothing, so each position is a small equation. For two players the solution covers both rules
for the last round; for more, the table of positions must be small enough: three players to 25, or four near the end.
In larger races, players are assumed not to react to the others' rolls; this is exact in Triples, which has no
decisions. A single player wants the fewest turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from typing import ClassVar

import numpy as np

from advice.adviser import Adviser, Asked, Flag, Looked, Moment, Typed, gave_away, sizes, steps
from advice.lattice import Floats, Places
from advice.record import Advice, NoAdviceError, RatedChoice, ranked
from advice.spoken import CHANCE, declare, why_chance
from messages.message import Message, message
from scoring.actions import Declare, Play, Roll
from scoring.dice import Face
from scoring.games.cats import cat_dice
from scoring.games.cats.called_shot import DECLARATIONS, payoff
from scoring.games.cats.triples import breakdown as triples_line
from scoring.match import Match

DICE = 3
MOST_NEEDED = 100
"""Longest race to solve, in points."""

ROUNDS = 100
"""Most rounds of improving the choices of a position; two or three are enough."""

MOST_POSITIONS = 200_000
"""Most positions of a race of three or more players, solved in a second. Three players to 25 have 46,875."""

TURNS, NEVER = 1000, 1e-15
"""Turns to look ahead if players do not react to each other; a player counts as done when the chance of still racing
falls below the second number."""

PACE, ANSWERS = 0.95, 5
"""The initial chance that a player is still racing after each turn, and how often everyone's play is recomputed."""

ASSUMES = message("fair dice, both players at their best")
EVERYONE = message("fair dice, everyone at their best")
APART = message(
    "everyone at their best, but nobody reacting to the others’ rolls; {rest}",
    rest=message("fair dice"),
)


@dataclass(frozen=True, slots=True)
class RaceRules:
    """A game that is a race: its id, the possible declarations (none in Triples), and the score of a roll."""

    id: str
    declarations: tuple[str, ...]
    scored: Callable[[str, tuple[Face, ...]], int]


TRIPLES = RaceRules("triples", (), lambda _, faces: triples_line(faces).points)
CALLED_SHOT = RaceRules("called-shot", DECLARATIONS, lambda said, faces: payoff(said, faces)[1])


class RaceOfTwo:
    """A race of two players; `points` has a row for each declaration: the chance of 0, 1, 2, … points.

    `first[a, b]` is the chance to win of the player who begins the rounds, before a roll, when that player needs a and
    the other needs b; `second[a, b]` that of the other player, before a roll, with the same meaning of a and b. Shared
    wins count half.
    """

    def __init__(self, points: Floats, target: int, finish_round: bool) -> None:
        """Solve it. Raises NoAdviceError if the race is too long."""
        if not 1 <= target <= MOST_NEEDED:
            raise NoAdviceError(
                "a race to more than {most} points cannot be worked out: expected at most {most}, "
                "got {target}", most=MOST_NEEDED, target=target
            )
        self.points, self.target, self.finish_round = points, target, finish_round
        self._most = points.shape[1] - 1
        self.first: Floats = np.zeros((target + 1, target + 1))
        self.second: Floats = np.zeros((target + 1, target + 1))
        for total in range(2, 2 * target + 1):
            for a in range(max(1, total - target), min(target, total - 1) + 1):
                self._solve(a, total - a)

    def by_declaration(self, needs: tuple[int, int], begins: bool = True) -> Floats:
        """For each declaration of the player to roll, the chance to win; `needs` are their own and the other's points.

        `begins` says whether the player to roll begins the rounds; it matters if the last round is finished.
        """
        own, other = needs
        after = self._after_first(own, other) if begins else self._after_second(other, own)
        return np.asarray(self.points @ after, dtype=np.float64)

    def catching_up(self, behind: int) -> Floats:
        """For each declaration, the chance to catch up so many points in the roll that finishes the last round."""
        above, level = (
            self.points[:, behind + 1 :].sum(axis=1),
            self.points[:, behind : behind + 1].sum(axis=1),
        )
        return np.asarray(above + level / 2, dtype=np.float64)

    def _solve(self, a: int, b: int) -> None:
        """Both chances for a pair of needs, with best play of both against each other."""
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
        """The first player's chance after rolling 0, 1, 2, … points."""
        return np.array([1 - self._others_answer(a - x, b) for x in range(self._most + 1)])

    def _after_second(self, a: int, b: int) -> Floats:
        """The second player's chance after rolling 0, 1, 2, … points."""
        return np.array([1.0 if y >= b else 1 - self.first[a, b - y] for y in range(self._most + 1)])

    def _others_answer(self, a: int, b: int) -> float:
        """The second player's chance when the first one needs `a` more points (0 or less: done)."""
        if a > 0:
            return float(self.second[a, b])
        return float(self.catching_up(b - a).max()) if self.finish_round else 0.0


class RaceOfMany:
    """A race of three players or more; the first to reach the target wins at once.

    `chances[i]` has the shape (points needed by each player, players): everyone's chance to win when player i is to
    roll.
    """

    def __init__(self, points: Floats, needs: Sequence[int]) -> None:
        """Solve it: positions with the same total of points needed are solved together."""
        self.points, self.players = points, len(needs)
        shape = tuple(need + 1 for need in needs)
        places = np.indices(shape).reshape(self.players, -1)
        self._steps = [prod(shape[i + 1 :]) for i in range(self.players)]
        flat = np.zeros((self.players, places.shape[1], self.players))
        for i in range(self.players):
            flat[(i + 1) % self.players, 0, i] = 1.0  # if nobody needs anything, the last to roll has won
        totals = np.where(places.min(axis=0) > 0, places.sum(axis=0), 0)
        order = np.argsort(totals, kind="stable")
        for level in np.split(order, np.flatnonzero(np.diff(totals[order])) + 1)[1:]:
            self._solve(flat, level, places[:, level])
        self.chances: Floats = flat.reshape(self.players, *shape, self.players)

    def by_declaration(self, needs: Sequence[int]) -> Floats:
        """For each declaration of the first player, who is to roll, the chance to win."""
        after = [1.0] * self.points.shape[1]
        for x in range(min(needs[0], len(after))):
            after[x] = float(self.chances[1][(needs[0] - x, *needs[1:])][0])
        return np.asarray(self.points @ np.array(after), dtype=np.float64)

    def _solve(self, flat: Floats, level: Places, needs: Places) -> None:
        """Everyone's chances at these positions, with best play of each player to roll."""
        n, nothing = self.players, self.points[:, 0]
        gains, some = np.flatnonzero(self.points[:, 1:].any(axis=0)) + 1, list[Floats]()
        for i in range(n):
            then = np.where(needs[i] > gains[:, None], level - gains[:, None] * self._steps[i], 0)
            after = flat[(i + 1) % n][then].reshape(len(gains), -1)
            some.append((self.points[:, gains] @ after).reshape(-1, len(level), n))
        rows, found = np.arange(len(level)), np.full((n, len(level), n), 1 / n)
        chosen = np.full((n, len(level)), -1)
        for _ in range(ROUNDS):
            hopes = [some[i][:, :, i] + nothing[:, None] * found[(i + 1) % n][:, i] for i in range(n)]
            best = np.array([one.argmax(axis=0) for one in hopes])
            if (best == chosen).all():
                break
            chosen = best
            won = [some[i][best[i], rows] for i in range(n)]
            again = [nothing[best[i]][:, None] for i in range(n)]
            total, on = np.zeros_like(found[0]), np.ones((len(level), 1))
            for i in range(n):
                total, on = total + on * won[i], on * again[i]
            found[0] = total / (1 - on)
            for i in range(n - 1, 0, -1):
                found[i] = won[i] + again[i] * found[(i + 1) % n]
        flat[:, level] = found


@lru_cache(maxsize=4)
def _many(game: RaceRules, needs: tuple[int, ...]) -> RaceOfMany:
    return RaceOfMany(points_of(game), needs)


def many(game: RaceRules, needs: Sequence[int], target: int) -> RaceOfMany | None:
    """The solved race of three or more, from the start if that is small enough; None if it is too big."""
    for box in ((target,) * len(needs), tuple(needs)):
        if len(needs) * prod(box) <= MOST_POSITIONS:
            return _many(game, box)
    return None


def first_there(game: RaceRules, needs: Sequence[int], target: int) -> Floats:
    """For each declaration of the player to roll, the chance to reach the target first."""
    if len(needs) == 2:
        return race(game, target, False).by_declaration((needs[0], needs[1]))
    solved = many(game, needs, target) if game.declarations else None
    return apart(game, tuple(needs))[0] if solved is None else solved.by_declaration(needs)


def last_there(game: RaceRules, needs: Sequence[int], target: int) -> float:
    """The chance of the player who rolls last to reach the target first, under best play."""
    if len(needs) == 2:
        return 1 - float(first_there(game, needs, target).max())
    solved = many(game, needs, target) if game.declarations else None
    if solved is None:
        return float(apart(game, tuple(needs))[-1].max())
    return float(solved.chances[0][tuple(needs)][-1])


@lru_cache(maxsize=64)
def apart(game: RaceRules, needs: tuple[int, ...]) -> tuple[Floats, ...]:
    """For each player and declaration, the chance to win on that player's turn, after all before them have rolled.

    Everyone plays best against the times at which the others may finish, and does not react to their rolls.
    """
    points = points_of(game)
    pace = np.asarray(PACE ** np.arange(TURNS + 1), dtype=np.float64)
    racing, found = [pace for _ in needs], [np.zeros(len(points)) for _ in needs]
    for _ in range(ANSWERS):
        for place, own in enumerate(needs):
            rivals = [one[1:] if i < place else one[:-1] for i, one in enumerate(racing) if i != place]
            found[place], racing[place] = _against(points, own, np.array(rivals).prod(axis=0))
    return tuple(found)


def _against(points: Floats, own: int, others: Floats) -> tuple[Floats, Floats]:
    """By declaration, the chance to make `own` points first; and the chance that this takes more than so many turns.

    `others` is the chance, for each of the player's turns, that nobody else is done before it.
    """
    last = max(0, int((others > NEVER).sum()) - 1)
    left: Places = np.subtract.outer(range(own + 1), range(points.shape[1])).clip(0)
    after, each, chosen = np.zeros(own + 1), np.zeros((len(points), own + 1)), list[Places]()
    for turn in range(last, -1, -1):
        later = after * (float(others[turn + 1] / others[turn]) if turn < last else 0.0)
        later[0] = 1.0
        each = points @ later[left].T
        after = each.max(axis=0)
        chosen.append(each.argmax(axis=0))
    needing, racing = np.zeros(own + 1), np.zeros(TURNS + 1)
    needing[own] = racing[0] = 1.0
    for turn in range(TURNS):
        rolled = needing[:, None] * points[chosen[-1 - min(turn, last)]]
        needing = np.bincount(left.ravel(), weights=rolled.ravel(), minlength=own + 1)
        needing[0] = 0.0
        racing[turn + 1] = needing.sum()
        if racing[turn + 1] < NEVER:
            break
    return np.asarray(each[:, own] * others[0], dtype=np.float64), racing


@lru_cache(maxsize=2)
def points_of(game: RaceRules) -> Floats:
    """The chance of 0, 1, 2, … points in a roll, one row for each declaration; a single row if nothing is declared."""
    rolls = list(product(cat_dice.FACES, repeat=DICE))
    scores = [[game.scored(said, roll) for roll in rolls] for said in game.declarations or ("",)]
    most = max(map(max, scores))
    return np.array([np.bincount(row, minlength=most + 1) / len(rolls) for row in scores])


@lru_cache(maxsize=8)
def race(game: RaceRules, target: int, finish_round: bool) -> RaceOfTwo:
    """The cached solution of a race of two players."""
    return RaceOfTwo(points_of(game), target, finish_round)


@lru_cache(maxsize=8)
def fewest_turns(game: RaceRules, target: int) -> tuple[Floats, Floats]:
    """The mean number of turns to make so many points, alone: with the best play, and with each declaration first."""
    points = points_of(game)
    best, each = np.zeros(target + 1), np.zeros((target + 1, len(points)))
    for needed in range(1, target + 1):
        later = np.array([0.0 if x >= needed else best[needed - x] for x in range(points.shape[1])])
        later[0] = 0
        best[needed] = float(((1 + points @ later) / (1 - points[:, 0])).min())
        each[needed] = 1 + points @ later + points[:, 0] * best[needed]
    return best, each


def ask(
    game: RaceRules, needs: Sequence[int], *, target: int = 25, finish_round: bool = False, begins: bool = True
) -> Advice:
    """The best declaration for the points still needed: the player's own first, then the others' in rolling order.

    Raises NoAdviceError for impossible needs.
    """
    done = finish_round and not begins and len(needs) == 2 and needs[1] <= 0 < needs[0] <= target
    if not done and (not needs or any(not 1 <= one <= target for one in needs)):
        raise NoAdviceError(
            "expected 1 to {target} points still needed for each player, got {needs}",
            target=target,
            needs=str(list(needs)[:12]),
        )
    if len(needs) == 1:
        return _alone(game, needs[0], target)
    exact, assumes = True, ASSUMES
    if done:
        chances = race(game, target, finish_round).catching_up(needs[0] - needs[1])
    elif len(needs) == 2:
        chances = race(game, target, finish_round).by_declaration((needs[0], needs[1]), begins)
    else:
        chances = first_there(game, needs, target)
        exact = not game.declarations or many(game, needs, target) is not None
        assumes = EVERYONE if exact else APART
        if finish_round:
            exact = False
            assumes = message(
                "the match ending as soon as someone reaches the target; {rest}", rest=assumes
            )
    choices = _choices(game, chances)
    return Advice(game.id, CHANCE, choices, (_said(game, choices),), (why_chance(choices),), assumes, exact)


def _alone(game: RaceRules, needed: int, target: int) -> Advice:
    best, each = fewest_turns(game, target)
    choices = _choices(game, -each[needed])
    why = message("on average you then need {turns:tenth} turns to reach the target", turns=float(best[needed]))
    unit = "turns to the target (shown as minus, because fewer is better)"
    return Advice(
        game.id, unit, choices, (_said(game, choices),), (why,), message("fair dice, playing for "
                                                                         "the fewest turns")
    )


def _choices(game: RaceRules, worth: Floats) -> tuple[RatedChoice, ...]:
    if not game.declarations:
        return (RatedChoice(message("roll"), None, float(worth[0])),)
    both = zip(game.declarations, worth, strict=True)
    return ranked(RatedChoice(declare(said), Declare(said), float(one)) for said, one in both)


def _said(game: RaceRules, choices: Sequence[RatedChoice]) -> Message:
    chance = choices[0].worth
    if not game.declarations and chance >= 0:
        return message("throw: your chance of winning is {chance:percent}", chance=chance)
    return choices[0].said


class RaceAdviser(Adviser):
    """The best declaration, given the points that everyone still needs."""

    game: ClassVar[RaceRules]
    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("--needs", "A,B", "points still needed, yours first", "numbers"),
        Flag("--second", "", "with rounds finished: the other one began", "switch"),
    )

    def at_table(self, match: Match) -> Asked:
        """What to declare; in Triples, the chance to win."""
        state, players = match.state, len(match.header.players)
        if getattr(state, "declared", None) is not None:
            raise NoAdviceError("the call is made: throw the dice")
        target, finish = state.options.number("target"), state.options.flag("finish_round")
        needs = [target - state.points[(state.turn + i) % players] for i in range(players)]
        return lambda: ask(self.game, needs, target=target, finish_round=finish, begins=state.turn == 0)

    def typed(self, asked: Typed) -> Advice:
        """Given the points needed."""
        if "needs" not in asked.given:
            raise ValueError(
                f"{asked.game.id}: expected --needs A,B (points still needed, yours first), got none"
            )
        target, finish = asked.options.number("target"), asked.options.flag("finish_round")
        begins = not asked.given.get("second")
        return ask(self.game, asked.given["needs"], target=target, finish_round=finish, begins=begins)

    def look_back(self, match: Match) -> Looked:
        """The chance to win, in a race of two or more that ends at once; otherwise points."""
        target, finish = match.state.options.number("target"), match.state.options.flag("finish_round")
        if min(sizes(match)) > 1 and not finish and target <= MOST_NEEDED:
            return Looked(self._chances(match, target), CHANCE)
        return Looked(self._points(match))

    def _row(self, said: str | None) -> int:
        return self.game.declarations.index(said) if said else 0

    def _chances(self, match: Match, target: int) -> Iterator[Moment]:
        """The losses of declarations and the luck of rolls, in chances to win. With two players, luck changes both."""
        for number, before, action, after in steps(match):
            player, players = before.turn, len(before.players)
            needs = [target - before.points[(player + i) % players] for i in range(players)]
            chances = first_there(self.game, needs, target)
            if isinstance(action, Play) and isinstance(action.move, Declare):
                yield self._declared(number, player, action.move, chances, int(chances.argmax()))
            elif isinstance(action, Roll):
                now = float(chances[self._row(getattr(before, "declared", None))])
                needs = [*needs[1:], target - after.points[player]]
                then = 1.0 if needs[-1] <= 0 else last_there(self.game, needs, target)
                yield Moment(number, player, luck=then - now)
                if players == 2:
                    yield Moment(number, 1 - player, luck=now - then, did=message("the opponent rolled"))

    def _points(self, match: Match) -> Iterator[Moment]:
        points = points_of(self.game)
        means = points @ range(points.shape[1])
        for number, before, action, after in steps(match):
            if isinstance(action, Play) and isinstance(action.move, Declare):
                yield self._declared(number, before.turn, action.move, means, None)
            elif isinstance(action, Roll):
                gained = after.points[before.turn] - before.points[before.turn]
                mean = float(means[self._row(getattr(before, "declared", None))])
                yield Moment(number, before.turn, luck=gained - mean)

    def _declared(self, number: int, player: int, move: Declare, worths: Floats, best: int | None) -> Moment:
        """A declaration; a better one is named if it is the only best one."""
        said = message("another call") if best is None else declare(self.game.declarations[best])
        worth = float(worths[self._row(move.declaration)])
        did = declare(move.declaration)
        return gave_away(number, player, float(worths.max()), worth, did, said, first=True)


class TriplesAdviser(RaceAdviser):
    """Triples, which has no decisions."""

    game: ClassVar[RaceRules] = TRIPLES


class CalledShotAdviser(RaceAdviser):
    """Called Shot."""

    game: ClassVar[RaceRules] = CALLED_SHOT

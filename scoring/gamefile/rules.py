"""The rules that a game file tells, as records, and what a roll scores by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scoring.account import Line, line
from scoring.dice import Dice, Face, choices, without
from scoring.gamefile.expression import ZERO, Expression, Seen
from scoring.options import Option, Options

SCORING: Final = "scoring"
TURN: Final = "turn"
END: Final = "end"
"""The paragraphs of a game's rules that lines and refusals cite."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a score sheet, filled once by each player; a roll that does not fit scores 0 there."""

    name: str
    when: Expression
    points: Expression


@dataclass(frozen=True, slots=True)
class Bonus:
    """Points for a player whose `boxes` together have at least so many."""

    name: str
    boxes: tuple[str, ...]
    least: Expression
    points: Expression

    def earned(self, sheet: Mapping[str, int], options: Options) -> int:
        """What a sheet, box by box, has earned of it."""
        seen = Seen((), (), numbers(options))
        together = sum(sheet.get(box, 0) for box in self.boxes)
        return self.points.number(seen) if together >= self.least.number(seen) else 0


@dataclass(frozen=True, slots=True)
class ScoreRule:
    """A rule that gives points at the end of a turn.

    `each` are the faces that it looks at one by one. `take` is how many dice it uses up: each die counts in one such
    rule only, and the roll is split in the best way. `others` says that everybody else gets the points, `bust` that
    the rule is about a turn that went bust.
    """

    name: str
    when: Expression
    points: Expression
    each: tuple[Face, ...] = ()
    take: int = 0
    others: bool = False
    bust: bool = False


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What a turn is: `throws` at most (0: as many as one likes), `again` dice at least in a further throw, `locked`
    faces that are never thrown again, `aside` where scoring dice have to be set aside to throw on, `bust` when the turn
    is lost, and `opening` points that a player's first scored turn needs."""

    throws: int = 1
    again: int = 1
    locked: tuple[Face, ...] = ()
    aside: bool = False
    bust: Expression | None = None
    opening: Expression = ZERO


@dataclass(frozen=True, slots=True)
class End:
    """How a match ends: at so many `points` or after so many `rounds` (0: neither), by a roll that `win`s at once, or
    when all but one are `out`, with this many points or fewer. A sheet ends when every box is full."""

    points: Expression = ZERO
    rounds: Expression = ZERO
    finish_round: Expression = ZERO
    win: Expression | None = None
    lowest: bool = False
    start: int = 0
    out: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Everything that a game file tells."""

    id: str
    title: str
    blurb: str
    seats: tuple[int, int]
    dice: Dice
    values: tuple[int, ...]
    """What each face is worth in `sum`."""
    turn: TurnRules
    end: End
    options: tuple[Option, ...] = ()
    boxes: tuple[Box, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    scores: tuple[ScoreRule, ...] = ()
    minutes: int = 0
    showcase: tuple[Face, ...] = ()
    version: int = 1

    def seen(self, faces: Sequence[Face], options: Options, throw: int = 1) -> Seen:
        """The values of some dice that expressions can use."""
        counts = tuple(faces.count(face) for face in self.dice.faces)
        return Seen(counts, self.values, numbers(options), throw)

    def box(self, name: str) -> Box:
        """The box of this name."""
        return next(box for box in self.boxes if box.name == name)

    def box_points(self, box: Box, faces: Sequence[Face], options: Options, throw: int = 1) -> int:
        """What a box gives for a roll."""
        seen = self.seen(faces, options, throw)
        return box.points.number(seen) if box.when.holds(seen) else 0

    def box_line(self, box: Box, faces: Sequence[Face], options: Options, throw: int = 1) -> Line:
        """Why a box gives what it gives."""
        points = self.box_points(box, faces, options, throw)
        if points:
            return line("{box:face}", points, SCORING, box=box.name)
        return line("{box:face}, 0 points", 0, SCORING, box=box.name)

    def is_bust(self, faces: tuple[Face, ...], options: Options, throw: int, new: tuple[Face, ...]) -> bool:
        """Whether a throw loses the turn; `new` are the dice that were thrown, apart from those set aside."""
        if self.turn.bust is not None and self.turn.bust.holds(self.seen(faces, options, throw)):
            return True
        return self.turn.aside and not self.split(new, options).points

    def lines(
        self,
        faces: tuple[Face, ...],
        options: Options,
        throw: int = 1,
        *,
        bust: bool = False,
        others: bool = False,
    ) -> tuple[Line, ...]:
        """The points that the rules give for dice, other than in boxes: to the player, or to everybody else."""
        mine = [score for score in self.scores if (score.bust, score.others) == (bust, others)]
        found = [one for score in mine if not score.take for one in self.gives(score, faces, options, throw)]
        if not bust and not others and self.takes:
            found += self.split(faces, options).lines
        return tuple(found)

    def gives(self, score: ScoreRule, faces: tuple[Face, ...], options: Options, throw: int) -> Iterator[Line]:
        """The points that a rule gives which takes no dice; nothing if it does not fit."""
        seen = self.seen(faces, options, throw)
        if not score.each:
            if score.when.holds(seen) and (points := score.points.number(seen)):
                yield line("{what:rule}", points, SCORING, what=score.name)
            return
        for face in score.each:
            place = self.dice.faces.index(face)
            n = seen.counts[place]
            one = Seen(seen.counts, seen.values, seen.options, seen.throw, n, self.values[place])
            if score.when.holds(one) and (points := score.points.number(one)):
                yield line("{what:rule}: {dice:roll}", points, SCORING, what=score.name, dice=(face,) * n)

    @property
    def takes(self) -> bool:
        """Whether there are rules that use dice up."""
        return any(score.take for score in self.scores)

    def split(self, faces: tuple[Face, ...], options: Options) -> Split:
        """The best way to use dice up, leaving out those that bring nothing."""
        return _split(self, self.dice.ordered(faces), options, False)

    def split_all(self, faces: tuple[Face, ...], options: Options) -> Split | None:
        """The best way to use up every one of these dice; None if some cannot be used."""
        found = _split(self, self.dice.ordered(faces), options, True)
        return found if found.whole else None

    def idle(self, faces: tuple[Face, ...], options: Options) -> tuple[Face, ...]:
        """Those of these dice that have to be left out so that all the others can be used up: as few as can be."""
        return _idle(self, self.dice.ordered(faces), options)


@dataclass(frozen=True, slots=True)
class Split:
    """Dice used up by rules: the points, and a line for each use; `whole` where no die is left over that had to go."""

    points: int
    lines: tuple[Line, ...] = ()
    whole: bool = True


@lru_cache(maxsize=20_000)
def _idle(rules: Rules, faces: tuple[Face, ...], options: Options) -> tuple[Face, ...]:
    used = (some for some in choices(faces) if rules.split_all(some, options) is not None)
    return without(faces, max(used, key=len))


@lru_cache(maxsize=20_000)
def _split(rules: Rules, faces: tuple[Face, ...], options: Options, every: bool) -> Split:
    """The best split of dice in the order of the set: the first die is left over, or used with some of the rest."""
    if not faces:
        return Split(0)
    best = Split(0, (), False) if every else _split(rules, faces[1:], options, every)
    first, rest = faces[:1], faces[1:]
    for some in choices(rest):
        taken = (*first, *some)
        gained = _taken(rules, taken, options)
        if gained is None:
            continue
        after = _split(rules, without(rest, some), options, every)
        if after.whole and (not best.whole or after.points + gained.points > best.points):
            best = Split(after.points + gained.points, (gained, *after.lines))
    return best


def _taken(rules: Rules, dice: tuple[Face, ...], options: Options) -> Line | None:
    """The best use of all of these dice at once, None if no rule takes them."""
    seen = rules.seen(dice, options)
    fitting = (score for score in rules.scores if score.take == len(dice) and score.when.holds(seen))
    points, name = max(((score.points.number(seen), score.name) for score in fitting), default=(0, ""))
    if points <= 0:
        return None
    return line("{what:rule}: {dice:roll}", points, SCORING, what=name, dice=dice)


@lru_cache(maxsize=256)
def numbers(options: Options) -> Mapping[str, int]:
    """The options as expressions see them: yes is 1, no is 0."""
    return {key: int(value) for key, value in options if not isinstance(value, str)}

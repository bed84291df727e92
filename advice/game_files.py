"""Advice for games defined by files: one solver for a turn of any score sheet, symbol game or counting game.

It only looks at this turn. On a sheet, the value of a box is its points minus its par (its average in a turn played for
that box alone), so that rare boxes are not wasted on few points; in other games the points of the turn count. This is
an estimate for the match, and is called one. Games with dice set aside have no advice: the saved points would be part
of the position, and they have no limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import ClassVar

import numpy as np

from advice.adviser import Adviser, Asked, Typed
from advice.lattice import Counts, Floats, Throwing, checked, faces_of, lattice, parts
from advice.record import Advice, NoAdviceError, RatedChoice, ranked
from advice.spoken import hold, told, why_best
from advice.uneven import Likeliness
from messages.message import N_, message
from scoring.actions import Fill, Hold, Stand
from scoring.dice import Face
from scoring.gamefile.game import FileGame, FileGameState
from scoring.gamefile.rules import Rules
from scoring.match import Match
from scoring.options import Options

MOST_WAYS = 250_000
"""Most combinations of a roll and held dice to compute; larger games have no advice."""
MOST_ROUNDS = 200
"""Throws to look ahead in a turn without a limit."""
CLOSE = 0.01
"""Looking one throw further must change a value by this many points; otherwise looking ahead ends."""

FAIR = message("fair dice with one of each face")
UNIT = N_("points this turn")
SHEET_UNIT = N_("points above the average of the box")


class TurnSolver:
    """A turn of one game with its options: the values of held dice, for several goals (columns) at once."""

    def __init__(self, rules: Rules, options: Options, chances: tuple[float, ...] | None = None) -> None:
        """List every roll and every way to hold part of it. Raises NoAdviceError if there are too many."""
        count, faces = rules.dice.count, rules.dice.faces
        if rules.turn.aside:
            raise NoAdviceError("there is no advice for games in which dice are set aside")
        if comb(count + 2 * len(faces) - 1, count) > MOST_WAYS:
            raise NoAdviceError("this game has too many rolls to work out the best move")
        self.rules, self.options = rules, options
        self.over = lattice(count, len(faces))
        self._chances = chances
        self._sizes = np.cumsum([0, *(len(level) for level in self.over.by_size)])
        ways = [self._places(counts) for counts in self.over.by_size[-1]]
        self._ways = np.array([place for places in ways for place in places], dtype=np.intp)
        self._starts = np.cumsum([0, *map(len, ways[:-1])])

    def keeps(self, counts: Counts) -> list[Counts]:
        """The holds of a roll that the rules allow."""
        turn, faces = self.rules.turn, self.rules.dice.faces
        locked = [faces.index(face) for face in turn.locked]
        most = self.rules.dice.count - max(1, turn.again)
        return [
            part for part in parts(counts) if sum(part) <= most and all(part[at] == counts[at] for at in locked)
        ]

    def row(self, counts: Counts) -> int:
        """Index of a held multiset."""
        return int(self._sizes[sum(counts)]) + self.over.place(counts)

    def thrown(self, values: Floats) -> Floats:
        """For every held multiset, the mean of `values` (rolls, goals) after the other dice are thrown; the last row is
        one more, for an impossible hold."""
        kept = Throwing(self.over, values.shape[1], self._chances).thrown(values)
        return np.concatenate([*kept, np.full((1, values.shape[1]), -np.inf)])

    def played(self, ends: Floats, throws: int, final: Floats | None = None) -> Floats:
        """The value of each roll with so many throws left (-1: no limit), played for each goal separately.

        `ends` are the values of stopping; rolls marked in `final` end the turn.
        """
        values = ends
        for _ in range(MOST_ROUNDS if throws < 0 else throws):
            holding = np.maximum.reduceat(self.thrown(values)[self._ways], self._starts, axis=0)
            after = np.maximum(ends, holding)
            if final is not None:
                after[final.astype(bool)] = ends[final.astype(bool)]
            change = float(np.max(np.abs(after - values)))
            values = after
            if throws < 0 and change < CLOSE:
                break
        return values

    def _places(self, counts: Counts) -> list[int]:
        """The rows of the holds of a roll; for a roll that ends the turn, the row of an impossible hold."""
        return [self.row(part) for part in self.keeps(counts)] or [int(self._sizes[-1])]


@lru_cache(maxsize=8)
def solver(rules: Rules, options: Options, chances: tuple[float, ...] | None = None) -> TurnSolver:
    """The cached solver of a game with its options."""
    return TurnSolver(rules, options, chances)


@lru_cache(maxsize=8)
def _ends(rules: Rules, options: Options) -> tuple[Floats, Floats]:
    """The value of stopping with each roll, for each box or in total, and which rolls end the turn."""
    over = lattice(rules.dice.count, len(rules.dice.faces))
    rolls = [faces_of(rules.dice.faces, counts) for counts in over.by_size[-1]]
    late = rules.turn.throws or 2
    if rules.boxes:
        points = [[rules.box_points(box, faces, options, late) for box in rules.boxes] for faces in rolls]
        return np.array(points, dtype=np.float64), np.zeros(len(rolls))
    bust = [rules.is_bust(faces, options, late, faces) for faces in rolls]
    lines = [rules.lines(faces, options, late, bust=lost) for faces, lost in zip(rolls, bust, strict=True)]
    return np.array([[sum(one.points for one in some)] for some in lines], dtype=np.float64), np.array(bust)


def par(solved: TurnSolver) -> Floats:
    """The average of each box in a turn played for it alone."""
    ends, _ = _ends(solved.rules, solved.options)
    throws = solved.rules.turn.throws
    return np.array(solved.thrown(solved.played(ends, throws - 1 if throws else -1))[0], dtype=np.float64)


def advise(
    rules: Rules, options: Options, faces: Sequence[Face], left: int, boxes: Sequence[str] | None = None,
    likely: Likeliness | None = None,
) -> Advice:  # fmt: skip
    """The best move with these dice and so many throws left (-1: no limit); `boxes` are the open ones.

    Raises NoAdviceError if there is nothing to decide, or the answer is unknown.
    """
    counts = checked(rules.dice.faces, rules.dice.count, faces)
    solved = solver(rules, options, None if likely is None or likely.even else likely.chances)
    ends, final = _ends(rules, options)
    roll, figures = solved.over.place(counts), tuple[tuple[str, float], ...]()
    found: list[RatedChoice] = []
    if rules.boxes:
        names = [box.name for box in rules.boxes]
        columns = [at for at, name in enumerate(names) if boxes is None or name in boxes]
        worth = ends[:, columns] - par(solved)[columns]
        chance = solved.played((ends[:, columns] > 0).astype(np.float64), left)[roll]
        figures = tuple((names[at], float(one)) for at, one in zip(columns, chance, strict=True))
        found += [
            RatedChoice(message("fill {box:face}", box=names[at]), Fill(names[at]), float(worth[roll, i]))
            for i, at in enumerate(columns)
        ]
        ends, final = worth.max(axis=1, keepdims=True), np.zeros(len(worth))
    elif final[roll]:
        raise NoAdviceError("this turn is over: there is nothing to decide")
    else:
        found.append(RatedChoice(message("score these dice"), Stand(), float(ends[roll, 0])))
    if left:
        after = solved.thrown(solved.played(ends, left - 1 if left > 0 else -1, final))
        for keep in solved.keeps(counts):
            held = faces_of(rules.dice.faces, keep)
            found.append(RatedChoice(hold(held), Hold(held), float(after[solved.row(keep), 0])))
    choices, unit = ranked(found), SHEET_UNIT if rules.boxes else UNIT
    reasons = (why_best(choices, unit), message("this is an estimate: it looks at this turn alone"))
    said, assumed = (told(choices[0], rules.dice.count),), likely.said if likely else FAIR
    return Advice(rules.id, unit, choices, said, reasons, assumed, False, figures)


class FileGameAdviser(Adviser):
    """The adviser of every game defined by a file."""

    flags: ClassVar = ()

    def at_table(self, match: Match) -> Asked:
        """Asks if there are dice to throw again, or a box to fill."""
        game, state = match.game, match.state
        assert isinstance(game, FileGame)
        assert isinstance(state, FileGameState)
        if state.rolling:
            raise NoAdviceError("throw the dice first: there is nothing to decide yet")
        if game.rules.turn.aside:
            raise NoAdviceError("there is no advice for games in which dice are set aside")
        left = game.rules.turn.throws - state.throws if game.rules.turn.throws else -1
        boxes = game.open_boxes(state, state.turn)
        return lambda: advise(game.rules, state.options, state.roll, left, boxes)

    def typed(self, asked: Typed) -> Advice:
        """The dice on the table, with every box open."""
        game = asked.game
        assert isinstance(game, FileGame)
        throws = game.rules.turn.throws
        left = asked.throws(throws - 1 if throws else -1)
        if not (-1 if throws == 0 else 0) <= left <= max(throws, 20):
            raise NoAdviceError("expected 0 to {most} throws left, got {left}", most=throws or 20, left=left)
        return advise(game.rules, asked.options, asked.roll(), left, likely=asked.likely)

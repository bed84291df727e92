"""Questions about Meet Fate: what to hold, which box to fill, and the loss of every other choice.

Answers are in points, or, in a match that six eights win, in the chance to win it (`rivals`): this turn is computed in
full, including the chance of six eights in it.

A question needs the values of smaller sheets: from a table of the whole game (`table`), or solved on the spot if few
boxes are open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial

import numpy as np

from advice.lattice import Floats, checked, parts
from advice.meet_fate import solve
from advice.meet_fate.rivals import Rivals, Totals
from advice.meet_fate.rules import DICE, EVERY_BOX, FateRules, boxes_of, counted, spread
from advice.meet_fate.table import FateTable
from advice.record import Advice, NoAdviceError, RatedChoice, ranked
from advice.spoken import CHANCE, hold, told, why_best, why_chance
from messages.message import Message, message
from scoring.actions import Confirm, Fill, Hold
from scoring.dice import Face
from scoring.games.meet_fate.game import THROWS
from scoring.games.meet_fate.sheet import BOXES, FACES

GAME = "meet-fate"
UNIT = "points over the rest of the sheet"

ESTIMATE = message(
    "the others play for points; future points are estimated, six eights in later turns ignored"
)

MOST_OPEN = 14
"""Most open boxes to solve on the spot, in about two seconds; more need the table."""

NEAR_THE_END = 5
"""With up to this many open boxes, the chance to win depends on which boxes stay open, not only on their mean.

With more, all share one distribution: choosing boxes by it lost more matches than it won (docs/figures.md).
"""

SOLVE = "tableside advise meet-fate --solve"


@dataclass(frozen=True, slots=True, eq=False)
class FateTurn:
    """One turn of one sheet: the values of final rolls, of kept dice, and of rolls with one and two throws left.

    `fills` has, for each open box, the value of filling it, by its distinct points. `kept[k][size]` has the value of
    keeping each multiset of `size` dice with k throws left, including the next one; `rolls[k]` the value of each roll
    with k throws left. `fresh` is the turn before its first throw.
    """

    fills: Mapping[int, Floats]
    rolls: tuple[Floats, ...]
    kept: tuple[tuple[Floats, ...], ...]
    fresh: float


class FateAdviser:
    """The perfect player, for one set of house rules.

    With `rivals`, six eights win the match, and values are chances to win; otherwise they are points.
    """

    def __init__(self, rules: FateRules, table: FateTable | None = None) -> None:
        """Without a table, only small sheets can be answered."""
        self.rules = rules
        self._worth = table.worth if table else np.zeros(EVERY_BOX + 1)
        self._known = {EVERY_BOX} if table else {0}
        """`_worth` has every sheet whose open boxes are a subset of one of these."""
        self._by_sum: dict[tuple[int, int], dict[int, Floats]] = {}
        self._turns = solve.Turns(rules, 1)
        self.turn = lru_cache(maxsize=64)(self._turn)
        """The turn of a sheet (its number, the points of its filled upper boxes, the match around it); cached."""

    @property
    def solved(self) -> bool:
        """Whether the values of all sheets are known."""
        return EVERY_BOX in self._known

    def worth(self, sheet: int, upper: int = 0) -> float:
        """The points still to come from a sheet with these boxes open, under best play.

        `upper` are the points in the filled boxes 1 to 8; they only matter with an upper bonus.
        Raises NoAdviceError if the sheet is too big to solve on the spot.
        """
        if self.rules.bonus:
            return float(self._with_bonus(sheet, upper)[sheet][0])
        self._prepare(sheet)
        return float(self._worth[sheet])

    def ask(
        self, faces: Sequence[Face], sheet: int, left: int, upper: int = 0, rivals: Rivals | None = None
    ) -> Advice:
        """The best choice with these dice and `left` throws left; no dice means before the first throw.

        Raises NoAdviceError for impossible dice, boxes or throws.
        """
        check_sheet(sheet)
        if not faces:
            if left != THROWS:
                raise NoAdviceError(
                    "before the first throw, throws left must be {throws}, got {left}",
                    throws=THROWS,
                    left=left,
                )
            worth = self.worth(sheet, upper)
            throw = message("throw all six dice")
            said = (throw, message("the sheet should bring {worth:tenth} more points on average", worth=worth))
            why = (message("there is nothing to decide yet"),)
            if rivals is not None:
                worth = self.fresh(sheet, upper, rivals)
                why = (message("chance of winning: {chance:percent}", chance=worth),)
            return self._advice((RatedChoice(throw, None, worth),), said, why, sheet, rivals)
        counts = checked(FACES, DICE, faces)
        if not 0 <= left < THROWS:
            raise NoAdviceError("with dice on the table, throws left must be 0, 1 or 2, got {left}", left=left)
        fills = self._fills(counts, sheet, upper, rivals)
        choices = ranked([*fills, *(self._holds(counts, sheet, left, upper, rivals) if left else ())])
        said = (self._said(choices[0], counts),)
        why = (why_best(choices, UNIT) if rivals is None else why_chance(choices),)
        return self._advice(choices, said, why, sheet, rivals)

    def met(self, rivals: Rivals | None = None) -> Advice:
        """The best choice when six eights wait to be confirmed. Raises NoAdviceError if they do not count."""
        if rivals is not None:
            said, why = message("confirm the six eights"), message("six eights win the match, "
                                                                   "whatever the scores")
            return self._advice((RatedChoice(said, Confirm(True), 1.0),), (said,), (why,), 0, rivals)
        if self.rules.eights is None:
            raise NoAdviceError("first say whether these are six eights")
        said, why = (
            message("confirm the six eights"),
            message("six eights end the sheet at its current total"),
        )
        return self._advice((RatedChoice(said, Confirm(True), self.rules.eights),), (said,), (why,), 0, None)

    def fresh(self, sheet: int, upper: int = 0, rivals: Rivals | None = None) -> float:
        """The value of a turn before its first throw."""
        if rivals is None:
            return self.worth(sheet, upper)
        return self.turn(sheet, self._upper(upper), rivals).fresh

    def hold_worth(
        self, keep: Sequence[Face], sheet: int, left: int, upper: int = 0, rivals: Rivals | None = None
    ) -> float:
        """The value of keeping these dice and throwing the others, with `left` throws left, including that one."""
        counts = counted(keep)
        kept = self.turn(sheet, self._upper(upper), rivals).kept[left]
        return float(kept[sum(counts)][self.rules.lattice.place(counts)])

    def fill_worth(
        self, box: str, faces: Sequence[Face], sheet: int, upper: int = 0, rivals: Rivals | None = None
    ) -> float:
        """The value of filling a box with these dice: its points, any bonus, and the points still to come."""
        number = BOXES.index(box)
        level = self.rules.levels[number][1][self.rules.lattice.place(counted(faces))]
        return float(self.turn(sheet, self._upper(upper), rivals).fills[number][level])

    def roll_worth(
        self, faces: Sequence[Face], sheet: int, left: int, upper: int = 0, rivals: Rivals | None = None
    ) -> float:
        """The value of these dice under best play, with `left` throws left."""
        rolls = self.turn(sheet, self._upper(upper), rivals).rolls[left]
        return float(rolls[self.rules.lattice.place(counted(faces))])

    @cached_property
    def _totals(self) -> Totals:
        return Totals(self.rules)

    @cached_property
    def _winning_turns(self) -> solve.Turns:
        return solve.Turns(replace(self.rules, eights=1.0), 1)

    def _turn(self, sheet: int, upper: int, rivals: Rivals | None = None) -> FateTurn:
        """Compute the choices backwards from the values of filling boxes."""
        check_sheet(sheet)
        if self.rules.bonus:
            filled = partial(solve.filled_with_bonus, self.rules, self._with_bonus(sheet, upper), sheet)
        else:
            self._prepare(sheet)
            filled = partial(solve.filled, self.rules, self._worth, np.array([sheet]))
        both = ((box, filled(box)) for box in range(len(BOXES)))
        fills = {box: worth[:, 0] for box, worth in both if worth is not None}
        turns = self._turns
        if rivals is not None:
            turns, chance = self._winning_turns, self._totals.chances(rivals, self.worth)
            rest = sheet & ~(1 << (sheet.bit_length() - 1))
            mean = self.worth(rest, upper)
            for box, worth in fills.items():
                if sheet.bit_count() <= NEAR_THE_END:
                    rest, mean = sheet & ~(1 << box), float((worth - self.rules.levels[box][0]).mean())
                fills[box] = chance(rivals.own + worth - mean, rest, mean)
        values = turns.final(lambda box: fills[box][:, None] if box in fills else None)
        rolls, kept = [values[:, 0].copy()], [tuple[Floats, ...]()]
        for _ in range(solve.REROLLS):
            by_size, values = turns.choosing(values)
            kept.append(tuple(one[:, 0].copy() for one in by_size))
            rolls.append(values[:, 0].copy())
        return FateTurn(fills, tuple(rolls), tuple(kept), float(turns.fresh(values)[0]))

    def _prepare(self, sheet: int) -> None:
        """Make sure that every smaller sheet within this one is solved."""
        if any(sheet & ~known == 0 for known in self._known):
            return
        if sheet.bit_count() > MOST_OPEN:
            raise NoAdviceError(
                "no advice yet for these house rules with {n} open boxes: run `{command}` once, it "
                "takes about a minute",
                n=sheet.bit_count(),
                command=SOLVE if self.rules.eights is None else f"{SOLVE} --seats 1",
            )
        solve.solve_sheets(self.rules, sheet, self._worth)
        self._known.add(sheet)

    def _with_bonus(self, sheet: int, upper: int) -> dict[int, Floats]:
        upper = self._upper(upper)
        for (known, least), worth in self._by_sum.items():
            if sheet & ~known == 0 and least <= upper:
                return {mask: values[upper - least :] for mask, values in worth.items()}
        self._by_sum[sheet, upper] = solve.solve_with_bonus(self.rules, sheet, upper)
        return self._by_sum[sheet, upper]

    def _upper(self, upper: int) -> int:
        """The sum of the upper boxes, as far as it matters."""
        return min(upper, self.rules.bonus_from) if self.rules.bonus else 0

    def _fills(self, counts: tuple[int, ...], sheet: int, upper: int, rivals: Rivals | None) -> list[RatedChoice]:
        faces = spread(counts)
        worth = {box: self.fill_worth(box, faces, sheet, upper, rivals) for box in boxes_of(sheet)}
        return [RatedChoice(fill(box), Fill(box), one) for box, one in worth.items()]

    def _holds(
        self, counts: tuple[int, ...], sheet: int, left: int, upper: int, rivals: Rivals | None
    ) -> list[RatedChoice]:
        kept, found = self.turn(sheet, self._upper(upper), rivals).kept[left], list[RatedChoice]()
        for part in parts(counts):
            if (size := sum(part)) < DICE:
                worth = float(kept[size][self.rules.lattice.place(part)])
                faces = spread(part)
                found.append(RatedChoice(hold(faces), Hold(faces), worth))
        return found

    def _said(self, best: RatedChoice, counts: tuple[int, ...]) -> Message:
        if not isinstance(best.move, Fill):
            return told(best, DICE)
        box = best.move.box
        points = int(self.rules.points[BOXES.index(box), self.rules.lattice.place(counts)])
        if box in FACES:
            return message("fill the {box}s for {points:points}", box=box, points=points)
        return message("fill {box:face} for {points:points}", box=box, points=points)

    def _advice(
        self,
        choices: tuple[RatedChoice, ...],
        said: tuple[Message, ...],
        why: tuple[Message, ...],
        sheet: int,
        rivals: Rivals | None,
    ) -> Advice:
        """In a match, exact for the last box if all others are done."""
        if rivals is None:
            return Advice(GAME, UNIT, choices, said, why, self._assumes())
        exact = not sheet or (sheet.bit_count() == 1 and rivals.done)
        return Advice(GAME, CHANCE, choices, said, why, message("fair dice") if exact else ESTIMATE, exact)

    def _assumes(self) -> Message:
        if self.rules.eights is None:
            return message("fair dice and play for the most points on your own sheet; six eights "
                           "are ignored")
        if not self.rules.eights:
            return message("fair dice and play for the most points on your own sheet; six eights "
                           "end the sheet")
        return message(
            "fair dice and play for the most points on your own sheet; six eights are a win worth "
            "{eights} points",
            eights=f"{self.rules.eights:g}",
        )


def fill(box: str) -> Message:
    """Fill a box, as in a list."""
    return message("fill {box:face}", box=box)


def check_sheet(sheet: int) -> None:
    """Raises NoAdviceError if no box is open."""
    if not 0 < sheet <= EVERY_BOX:
        raise NoAdviceError("the sheet is full: no box is open")

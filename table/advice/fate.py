"""Questions about Meet Fate: what to hold, which box to fill, and what every other choice costs.

A question needs what the smaller sheets are worth: from a table of the whole game (`fate_table`), or solved on the
spot where few boxes are open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from scoring.actions import Fill, Hold
from scoring.dice import Face
from scoring.games.meet_fate import THROWS
from scoring.games.meet_fate_sheet import BOXES, FACES
from scoring.message import Message, message
from scoring.odds import parts
from table.advice import fate_solve
from table.advice.fate_rules import DICE, EVERY_BOX, UPPER, House, boxes_of, counted, spread
from table.advice.fate_table import FateTable
from table.advice.lattice import Floats
from table.advice.record import Advice, Choice, NoAdviceError, ranked
from table.advice.spoken import hold, told, why_best

GAME = "meet-fate"
UNIT = "points to the end of the sheet"

MOST_OPEN = 14
"""Open boxes that are solved on the spot, in about two seconds; more need the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One turn of one sheet: what final rolls are worth, and keeping and rolls with one and two throws to come.

    `kept[k][size]` has a number for each multiset of `size` dice, the others thrown with k throws left counting that
    one; `rolls[k]` one for each roll with k throws to come. `fresh` is the turn before its first throw.
    """

    rolls: tuple[Floats, ...]
    kept: tuple[tuple[Floats, ...], ...]
    fresh: float


class FateAdviser:
    """The perfect player's head, for one set of house rules."""

    def __init__(self, rules: House, table: FateTable | None = None) -> None:
        """Without a table, only small sheets can be asked about."""
        self.rules = rules
        self._worth = table.worth if table else np.zeros(EVERY_BOX + 1)
        self._known = EVERY_BOX if table else 0
        """Every sheet within this one is in `_worth`."""
        self._by_sum: dict[tuple[int, int], dict[int, Floats]] = {}
        self._turns = fate_solve.Turns(rules, 1)
        self.turn = lru_cache(maxsize=64)(self._turn)
        """The turn of a sheet (its number, the points of its filled upper boxes); remembered."""

    @property
    def solved(self) -> bool:
        """Whether every sheet is known."""
        return self._known == EVERY_BOX

    def worth(self, sheet: int, upper: int = 0) -> float:
        """The points still to come from a sheet with these boxes open, under best play.

        `upper` are the points in the filled boxes 1 to 8; they matter only where the house has an upper bonus.
        Raises NoAdviceError where the sheet is too big to be solved on the spot.
        """
        if self.rules.bonus:
            return float(self._with_bonus(sheet, upper)[sheet][0])
        self._prepare(sheet)
        return float(self._worth[sheet])

    def ask(self, faces: Sequence[Face], sheet: int, left: int, upper: int = 0) -> Advice:
        """The best to do with these dice, `left` throws to come; no dice is before the first throw.

        Raises NoAdviceError for dice, boxes or throws that cannot be.
        """
        check_sheet(sheet)
        if not faces:
            if left != THROWS:
                raise NoAdviceError(
                    "before the first throw there are {throws} throws left, got {left}",
                    throws=THROWS,
                    left=left,
                )
            worth = self.worth(sheet, upper)
            throw = message("throw all six dice")
            said = (throw, message("{worth:tenth} points are still to come on average", worth=worth))
            return Advice(
                GAME, UNIT, (Choice(throw, None, worth),), said, (message("there is no choice yet"),)
            )
        counts = self._checked(faces, left)
        fills = self._fills(counts, sheet, upper)
        choices = ranked([*fills, *(self._holds(counts, sheet, left, upper) if left else ())])
        best = choices[0]
        said = self._said(best, counts)
        return Advice(GAME, UNIT, choices, (said,), (why_best(choices, UNIT),), self._assumes())

    def hold_worth(self, keep: Sequence[Face], sheet: int, left: int, upper: int = 0) -> float:
        """What keeping these dice and throwing the others is worth, `left` throws to come counting that one."""
        counts = counted(keep)
        kept = self.turn(sheet, self._upper(upper)).kept[left]
        return float(kept[sum(counts)][self.rules.lattice.place(counts)])

    def fill_worth(self, box: str, faces: Sequence[Face], sheet: int, upper: int = 0) -> float:
        """What filling a box with these dice is worth: its points, a bonus they earn, and what is to come."""
        number = BOXES.index(box)
        points = int(self.rules.points[number, self.rules.lattice.place(counted(faces))])
        after = upper + points if number < UPPER else upper
        earned = self.rules.bonus if upper < self.rules.bonus_from <= after else 0
        return points + earned + self.worth(sheet & ~(1 << number), after)

    def roll_worth(self, faces: Sequence[Face], sheet: int, left: int, upper: int = 0) -> float:
        """What dice are worth as they lie, under best play, `left` throws to come."""
        rolls = self.turn(sheet, self._upper(upper)).rolls[left]
        return float(rolls[self.rules.lattice.place(counted(faces))])

    def _turn(self, sheet: int, upper: int) -> Turn:
        """Choices are worked out backwards from what the boxes give now."""
        check_sheet(sheet)
        turns = self._turns
        if self.rules.bonus:
            by_sum = self._with_bonus(sheet, upper)

            def after(box: int) -> Floats | None:
                coming = fate_solve.after_with_bonus(self.rules, by_sum, sheet, box)
                return None if coming is None else coming[:, :1]
        else:
            self._prepare(sheet)

            def after(box: int) -> Floats | None:
                bit = 1 << box
                return self._worth[sheet & ~bit].reshape(1, 1) if sheet & bit else None

        values = turns.final(after)
        rolls, kept = [values[:, 0].copy()], [tuple[Floats, ...]()]
        for _ in range(fate_solve.REROLLS):
            by_size, values = turns.choosing(values)
            kept.append(tuple(one[:, 0].copy() for one in by_size))
            rolls.append(values[:, 0].copy())
        return Turn(tuple(rolls), tuple(kept), float(turns.fresh(values)[0]))

    def _prepare(self, sheet: int) -> None:
        """See to it that every sheet within this one is solved."""
        if sheet & ~self._known == 0:
            return
        if sheet.bit_count() > MOST_OPEN:
            raise NoAdviceError(
                "{n} boxes are open and these house rules are not solved yet: `tableside advise meet-fate --solve` "
                "does it once, in about a minute",
                n=sheet.bit_count(),
            )
        fate_solve.solve_sheets(self.rules, sheet, self._worth)
        self._known = sheet

    def _with_bonus(self, sheet: int, upper: int) -> dict[int, Floats]:
        upper = self._upper(upper)
        for (known, least), worth in self._by_sum.items():
            if sheet & ~known == 0 and least <= upper:
                return {mask: values[upper - least :] for mask, values in worth.items()}
        self._by_sum[sheet, upper] = fate_solve.solve_with_bonus(self.rules, sheet, upper)
        return self._by_sum[sheet, upper]

    def _upper(self, upper: int) -> int:
        """The upper sum as far as it matters."""
        return min(upper, self.rules.bonus_from) if self.rules.bonus else 0

    def _checked(self, faces: Sequence[Face], left: int) -> tuple[int, ...]:
        if strange := [face for face in faces if face not in FACES]:
            raise NoAdviceError("expected faces 1 to 8, got {strange!r}", strange=strange[0][:40])
        if len(faces) != DICE:
            raise NoAdviceError("expected {dice} dice, got {n}", dice=DICE, n=len(faces))
        if not 0 <= left < THROWS:
            raise NoAdviceError("with dice on the table 0, 1 or 2 throws are left, got {left}", left=left)
        counts = counted(faces)
        if self.rules.eights is not None and not self.rules.in_one_throw and counts[-1] == DICE:
            raise NoAdviceError("six eights lie there: the game is won, there is nothing to choose")
        return counts

    def _fills(self, counts: tuple[int, ...], sheet: int, upper: int) -> list[Choice]:
        faces = spread(counts)
        boxes = boxes_of(sheet)
        return [Choice(fill(box), Fill(box), self.fill_worth(box, faces, sheet, upper)) for box in boxes]

    def _holds(self, counts: tuple[int, ...], sheet: int, left: int, upper: int) -> list[Choice]:
        kept, found = self.turn(sheet, self._upper(upper)).kept[left], list[Choice]()
        for part in parts(counts):
            if (size := sum(part)) < DICE:
                worth = float(kept[size][self.rules.lattice.place(part)])
                faces = spread(part)
                found.append(Choice(hold(faces), Hold(faces), worth))
        return found

    def _said(self, best: Choice, counts: tuple[int, ...]) -> Message:
        if not isinstance(best.move, Fill):
            return told(best, DICE)
        box = best.move.box
        points = int(self.rules.points[BOXES.index(box), self.rules.lattice.place(counts)])
        if box in FACES:
            return message("fill the {box}s, for {points:points}", box=box, points=points)
        return message("fill {box:face}, for {points:points}", box=box, points=points)

    def _assumes(self) -> Message:
        if self.rules.eights is None:
            return message("even dice, the most points on one's own sheet, six eights ignored")
        return message(
            "even dice, the most points on one's own sheet, six eights a win worth {eights} points",
            eights=f"{self.rules.eights:g}",
        )


def fill(box: str) -> Message:
    """Filling a box, as it stands in a list."""
    return message("fill {box:face}", box=box)


def check_sheet(sheet: int) -> None:
    """Raises NoAdviceError where no box is open."""
    if not 0 < sheet <= EVERY_BOX:
        raise NoAdviceError("no box is open: the sheet is full")

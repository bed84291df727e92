"""Solves Meet Fate backwards: the value of a sheet's open boxes under best play.

Without open boxes no more points can come. Otherwise the value of a final roll is the best sum of its points in a box
and the value of the remaining boxes; before that there are two choices of dice to keep. Sheets are solved by their
number of open boxes, thousands at a time: 524,288 for the whole game.

An upper bonus connects the boxes 1 to 8: the value then also depends on their sum. A position is then an open sheet and
the upper sum, and each sheet is solved for all sums that matter. This is exact and fast near the end of a game; a whole
game has some eighty times as many positions, and `MOST_POSITIONS` refuses it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import local

import numpy as np
from numpy.typing import NDArray

from advice.lattice import Floats, Throwing
from advice.meet_fate.rules import EVERY_BOX, UPPER, FateRules
from advice.record import NoAdviceError

REROLLS = 2
"""Choices of what to keep in a turn of three throws."""

WIDTH = 64
"""Positions solved together: their values just fit into a core's cache (measured: 32 and 128 are slower)."""

MOST_POSITIONS = 30_000
"""Most positions to solve while somebody waits, without a table: some four seconds."""

SHUT = -1e30
"""The value of a box that is not open."""

Progress = Callable[[int, int], None]
"""Called with the number of solved positions and their total."""


class Turns:
    """A turn, solved from its last choice to its first, for `width` positions at once; not thread-safe."""

    def __init__(self, rules: FateRules, width: int = WIDTH) -> None:
        """Allocate memory for so many positions."""
        self.rules = rules
        self.throwing = Throwing(rules.lattice, width)
        self._final: Floats = np.empty((len(rules.lattice.rolls), width))
        self._spare: Floats = np.empty_like(self._final)
        self._chances = rules.lattice.chances()

    def final(self, filled: Callable[[int], Floats | None]) -> Floats:
        """For every final roll (row), the best value of filling a box.

        `filled(box)` is the value of filling the box, by its distinct points (rows) and position; None if no position
        has the box open. The next call overwrites the array.
        """
        best, first = self._final, True
        for box, (_, places) in enumerate(self.rules.levels):
            offers = filled(box)
            if offers is None:
                continue
            np.take(offers, places, axis=0, out=best if first else self._spare, mode="clip")
            if not first:
                np.maximum(best, self._spare, out=best)
            first = False
        if self.rules.eights is not None and not self.rules.in_one_throw:
            best[self.rules.all_eights] = self.rules.eights
        return best

    def choosing(self, values: Floats) -> tuple[list[Floats], Floats]:
        """One choice earlier: the value of each kept multiset, by size, and of each roll with its best one."""
        rules, kept = self.rules, self.throwing.thrown(values)
        if rules.eights is not None and rules.in_one_throw:
            chance = self._chances[rules.all_eights]
            kept[0][0] += chance * (rules.eights - values[rules.all_eights])
        best = self.throwing.best_kept()
        if rules.eights is not None and not rules.in_one_throw:
            best[rules.all_eights] = rules.eights
        return kept, best

    def fresh(self, values: Floats) -> Floats:
        """The value of the turn before its first throw."""
        worth = self._chances @ values
        if self.rules.eights is not None and self.rules.in_one_throw:
            chance = self._chances[self.rules.all_eights]
            worth = worth + chance * (self.rules.eights - values[self.rules.all_eights])
        return np.asarray(worth, dtype=np.float64)

    def worth(self, filled: Callable[[int], Floats | None]) -> Floats:
        """The value of each position before its turn."""
        values = self.final(filled)
        for _ in range(REROLLS):
            _, values = self.choosing(values)
        return self.fresh(values)


def solve(rules: FateRules, progress: Progress | None = None, threads: int | None = None) -> Floats:
    """The value of every sheet: an array of 2^19 points still to come, by the sheet's number.

    Takes about a minute on two cores; NumPy releases Python's lock, so threads share the work. Raises NoAdviceError if
    the house rules have an upper bonus.
    """
    check_solvable(rules)
    worth = np.zeros(EVERY_BOX + 1)
    solve_sheets(rules, EVERY_BOX, worth, progress, threads)
    return worth


def check_solvable(rules: FateRules) -> None:
    """Raises NoAdviceError if a whole sheet is not solved."""
    if rules.bonus:
        raise NoAdviceError(
            "a whole sheet with an upper bonus cannot be solved: set option upper_bonus to 0, or "
            "leave fewer boxes open"
        )


def solve_sheets(
    rules: FateRules, sheet: int, worth: Floats, progress: Progress | None = None, threads: int | None = None
) -> None:
    """Fill in `worth` for a sheet and every smaller sheet within it; `worth[0]` is 0."""
    room = _Room()

    def block(masks: NDArray[np.int64]) -> int:
        turns = room.turns(rules, len(masks))

        worth[masks] = turns.worth(partial(filled, rules, worth, masks))
        return len(masks)

    done = 1
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for level in _within(sheet):
            for count in pool.map(block, _blocks(level)):
                done += count
                if progress is not None:
                    progress(done, 1 << sheet.bit_count())


class _Room(local):
    """Each thread's working memory."""

    def __init__(self) -> None:
        self._turns: Turns | None = None

    def turns(self, rules: FateRules, width: int) -> Turns:
        if self._turns is None or self._turns.throwing.width != width:
            self._turns = Turns(rules, width)
        return self._turns


def filled(rules: FateRules, worth: Floats, masks: NDArray[np.int64], box: int) -> Floats | None:
    """The value of filling `box`, by its points (rows) and the sheet (columns); None if no sheet has it open."""
    bit = 1 << box
    opened = (masks & bit) != 0
    if not opened.any():
        return None
    return rules.levels[box][0][:, None] + np.where(opened, worth[masks & ~bit], SHUT)


def _within(sheet: int) -> list[NDArray[np.int64]]:
    """Every smaller sheet within this one, by its number of open boxes, from one up."""
    masks = np.zeros(1, dtype=np.int64)
    for box in range(sheet.bit_length()):
        if sheet >> box & 1:
            masks = np.concatenate([masks, masks | (1 << box)])
    number = np.bitwise_count(masks)
    return [np.sort(masks[number == n]) for n in range(1, sheet.bit_count() + 1)]


def _blocks(masks: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for i in range(0, len(masks), WIDTH):
        yield masks[i : i + WIDTH]


def solve_with_bonus(rules: FateRules, sheet: int, upper: int) -> dict[int, Floats]:
    """The values of the sheets within `sheet` by the sum of the boxes 1 to 8, of which `upper` is there now.

    For each sheet an array over the sums from `upper` to `bonus_from`, the last of which stands for every sum that has
    earned the bonus. Values include a bonus that is still to be earned. Raises NoAdviceError if there are too many
    positions to wait for.
    """
    sums = max(0, rules.bonus_from - upper) + 1
    positions = sums << sheet.bit_count()
    if positions > MOST_POSITIONS:
        raise NoAdviceError(
            "no advice yet: with an upper bonus, too many boxes are open ({positions} positions, "
            "at most {most} can be solved)",
            positions=positions,
            most=MOST_POSITIONS,
        )
    worth: dict[int, Floats] = {0: np.zeros(sums)}
    turns = Turns(rules, sums)
    for level in _within(sheet):
        for mask in map(int, level):
            worth[mask] = turns.worth(partial(filled_with_bonus, rules, worth, mask))
    return worth


def filled_with_bonus(rules: FateRules, worth: dict[int, Floats], mask: int, box: int) -> Floats | None:
    """The value of filling `box`, by its points (rows) and the upper sum (columns)."""
    if not mask >> box & 1:
        return None
    later, (values, _) = worth[mask & ~(1 << box)], rules.levels[box]
    if box >= UPPER:
        return values[:, None] + later
    last = len(later) - 1
    reached = np.arange(last + 1)[None, :] + values.astype(np.int64)[:, None]
    earned = (reached >= last) & (np.arange(last + 1)[None, :] < last)
    return values[:, None] + later[np.minimum(reached, last)] + rules.bonus * earned

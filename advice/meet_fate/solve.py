"""Meet Fate solved backwards: what a sheet's open boxes are worth when every choice is the best one.

With no box open nothing is to come. With some open, a final roll is worth the best of its points in a box and what
the other boxes are worth then; before that, two choices of what to keep. So sheets are done by their number of open
boxes, thousands at a time: 524,288 of them for the whole game.

An upper bonus couples the boxes 1 to 8: what is to come then depends on their sum too. A position is therefore an open
sheet and the upper sum, and all sums that matter are done for a sheet. That is exact and fast for the end of a
game; for a whole one there are some eighty times as many positions, and `MOST_POSITIONS` refuses it.
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
"""Positions at once: their numbers just fit a core's own memory (measured: 32 and 128 are slower)."""

MOST_POSITIONS = 30_000
"""Positions solved while somebody waits, without a table: some four seconds."""

SHUT = -1e30
"""What a box that is not open is worth."""

Progress = Callable[[int, int], None]
"""Told how many positions are solved, and of how many."""


class Turns:
    """The turn from its last choice to its first, for `width` positions at once; not for two threads at a time."""

    def __init__(self, rules: FateRules, width: int = WIDTH) -> None:
        """Reserves room for so many positions."""
        self.rules = rules
        self.throwing = Throwing(rules.lattice, width)
        self._final: Floats = np.empty((len(rules.lattice.rolls), width))
        self._spare: Floats = np.empty_like(self._final)
        self._chances = rules.lattice.chances()

    def final(self, filled: Callable[[int], Floats | None]) -> Floats:
        """For every final roll (row), the best that filling a box gives.

        `filled(box)` is what filling the box is worth, by points level (rows) and position; None while the box is
        open nowhere. The array is overwritten next time.
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
        """One choice earlier: what each kept multiset is worth, by size, and each roll with its best one."""
        rules, kept = self.rules, self.throwing.thrown(values)
        if rules.eights is not None and rules.in_one_throw:
            chance = self._chances[rules.all_eights]
            kept[0][0] += chance * (rules.eights - values[rules.all_eights])
        best = self.throwing.best_kept()
        if rules.eights is not None and not rules.in_one_throw:
            best[rules.all_eights] = rules.eights
        return kept, best

    def fresh(self, values: Floats) -> Floats:
        """What the turn is worth before its first throw."""
        worth = self._chances @ values
        if self.rules.eights is not None and self.rules.in_one_throw:
            chance = self._chances[self.rules.all_eights]
            worth = worth + chance * (self.rules.eights - values[self.rules.all_eights])
        return np.asarray(worth, dtype=np.float64)

    def worth(self, filled: Callable[[int], Floats | None]) -> Floats:
        """What each position is worth before its turn."""
        values = self.final(filled)
        for _ in range(REROLLS):
            _, values = self.choosing(values)
        return self.fresh(values)


def solve(rules: FateRules, progress: Progress | None = None, threads: int | None = None) -> Floats:
    """What every sheet is worth: an array of 2^19 points still to come, by the sheet's number.

    About a minute on two cores; NumPy lets go of Python's lock, so threads share the work. Raises NoAdviceError where
    the house has an upper bonus.
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
    """Fill in `worth` for a sheet and every sheet that can come of it; `worth[0]` is 0."""
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
    """Each thread's own room to work in."""

    def __init__(self) -> None:
        self._turns: Turns | None = None

    def turns(self, rules: FateRules, width: int) -> Turns:
        if self._turns is None or self._turns.throwing.width != width:
            self._turns = Turns(rules, width)
        return self._turns


def filled(rules: FateRules, worth: Floats, masks: NDArray[np.int64], box: int) -> Floats | None:
    """What filling `box` is worth, by its points (rows) and the sheet (columns); None if it is open in none."""
    bit = 1 << box
    opened = (masks & bit) != 0
    if not opened.any():
        return None
    return rules.levels[box][0][:, None] + np.where(opened, worth[masks & ~bit], SHUT)


def _within(sheet: int) -> list[NDArray[np.int64]]:
    """Every sheet that has only boxes of this one open, by the number of open boxes, from one on."""
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
    """What the sheets within `sheet` are worth by the sum of the boxes 1 to 8, `upper` of it written now.

    For each sheet an array over the sums from `upper` to `bonus_from`, the last of which stands for every sum that has
    earned the bonus. What is to come includes the bonus where it is still to be earned. Raises NoAdviceError when
    those are too many positions to wait for.
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
    """What filling `box` is worth, by its points (rows) and the upper sum (columns)."""
    if not mask >> box & 1:
        return None
    later, (values, _) = worth[mask & ~(1 << box)], rules.levels[box]
    if box >= UPPER:
        return values[:, None] + later
    last = len(later) - 1
    reached = np.arange(last + 1)[None, :] + values.astype(np.int64)[:, None]
    earned = (reached >= last) & (np.arange(last + 1)[None, :] < last)
    return values[:, None] + later[np.minimum(reached, last)] + rules.bonus * earned

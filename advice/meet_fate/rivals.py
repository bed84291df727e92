"""Meet Fate against others: the chance to win with each possible final total.

Six eights win the match and have no points, so their value is a chance to win, not a number of points. The future
points of an open sheet have the mean of the solved game. Their spread is modelled as if each box were filled on its
own, with the best of several turns (a turn that fails one box serves another); the number of turns is chosen to give
the right mean. This is exact for one box (docs/figures.md says how well it fits more). Two sheets of 2^19 states each
cannot be solved against each other, so others are assumed to play for points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from advice.lattice import Floats
from advice.meet_fate.rules import UPPER, FateRules, sheet_of
from advice.meet_fate.solve import SHUT, Turns
from scoring.games.meet_fate.game import MeetFateState
from scoring.games.meet_fate.sheet import BOXES

TRIES = np.arange(1, 9, 0.25)
"""Numbers of turns of which the best one may fill a box."""

NUDGE = 1e-5
"""Extra points for one score, to find how often best play for points reaches it."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """The match around a sheet: the player's points, and the others' points, open boxes and points in 1 to 8."""

    own: int
    others: tuple[tuple[int, int, int], ...]

    @property
    def done(self) -> bool:
        """Whether all the others have filled their sheets."""
        return not any(sheet for _, sheet, _ in self.others)


def upper_of(state: MeetFateState, player: int) -> int:
    """The points written in the boxes 1 to 8."""
    return sum(points or 0 for points in state.sheets[player][:UPPER])


def rivals_of(state: MeetFateState, player: int) -> Rivals:
    """The match around a player's sheet."""
    others = [one for one in range(len(state.players)) if one != player]
    sheets = ((state.total(one), sheet_of(state.open_boxes(one)), upper_of(state, one)) for one in others)
    return Rivals(state.total(player), tuple(sheets))


Chance = Callable[[Floats, int, float], Floats]


class Totals:
    """The distribution of the totals of open sheets, and the chance to win with them, under the house rules."""

    def __init__(self, rules: FateRules) -> None:
        """Takes a tenth of a second."""
        most = int(rules.points.max(axis=1).sum()) + rules.bonus
        self._size = 1 << (2 * most + 2).bit_length()
        self._totals = np.arange(self._size)
        at_most = np.cumsum(_alone(rules, self._size), axis=1)
        tried = np.diff(at_most ** TRIES[:, None, None], axis=2, prepend=0.0)  # tries, boxes, points
        self._means: Floats = tried @ self._totals
        self._waves = np.fft.rfft(tried, axis=2)

    def chances(self, rivals: Rivals, worth: Callable[[int, int], float]) -> Chance:
        """The chance to win, given the points so far, the open boxes, and their expected points.

        A shared win counts half. `worth` gives the expected points of a sheet, by its boxes and its points in 1 to 8.
        """
        below, level = np.ones(self._size), np.ones(self._size)
        for points, sheet, upper in rivals.others:
            wave, moved = self._spread(sheet, worth(sheet, upper))
            at_most = np.concatenate(
                [[0.0], np.cumsum(np.fft.irfft(wave, self._size))]
            )  # at_most[t + 1]: t or less
            moved += points
            below *= np.interp(self._totals - moved, self._totals, at_most[:-1], left=0, right=1)
            level *= np.interp(self._totals - moved + 1, self._totals, at_most[:-1], left=0, right=1)
        won = np.fft.rfft((below + level) / 2)

        @cache
        def curve(sheet: int, mean: float) -> tuple[Floats, float]:
            wave, moved = self._spread(sheet, mean)
            return np.fft.irfft(np.conj(wave) * won, self._size), moved

        def chance(points: Floats, sheet: int, mean: float) -> Floats:
            by_total, moved = curve(sheet, mean)
            return np.clip(np.interp(points + moved, self._totals, by_total), 0, 1)

        return chance

    def _spread(self, sheet: int, mean: float) -> tuple[NDArray[np.complex128], float]:
        """The Fourier transform of the distribution of a sheet's points (sums become products); the missing mean."""
        boxes = [box for box in range(len(BOXES)) if sheet >> box & 1]
        means = self._means[:, boxes].sum(axis=1)
        tries = int(np.abs(means - mean).argmin())
        return self._waves[tries, boxes].prod(axis=0), round(mean - float(means[tries]), 6)


def _alone(rules: FateRules, size: int) -> Floats:
    """For each box, the chance that best play for it alone ends with 0, 1, 2, … points.

    Raising the value of one score a little raises the value of the box in proportion to that score's chance.
    """
    columns = [(box, int(value)) for box, (values, _) in enumerate(rules.levels) for value in values]
    boxes = np.array([box for box, _ in columns] + [*range(len(BOXES))])
    scores = np.array([value for _, value in columns] + [-1] * len(BOXES))

    def filled(box: int) -> Floats:
        values = rules.levels[box][0][:, None]
        return np.where(boxes == box, values + NUDGE * (values == scores), SHUT)

    worth = Turns(replace(rules, eights=None), len(boxes)).worth(filled)
    found = np.zeros((len(BOXES), size))
    for (box, value), raised in zip(columns, worth, strict=False):
        found[box, value] = max(0.0, (raised - worth[len(columns) + box]) / NUDGE)
    return found / found.sum(axis=1, keepdims=True)

"""Meet Fate as numbers: the points of every roll in every box, by the house rules.

The points come from `scoring`, so that advice and score sheet can never disagree.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from advice.lattice import Floats, Lattice, counts_of, faces_of, lattice
from advice.record import NoAdviceError
from scoring.games.meet_fate.sheet import BOXES, FACES, all_boxes
from scoring.options import Options

DICE = 6
spread, counted = partial(faces_of, FACES), partial(counts_of, FACES)

UPPER = len(FACES)
"""The number of boxes, first on the sheet, for single faces; an upper bonus counts these."""

EVERY_BOX = (1 << len(BOXES)) - 1
"""A sheet is a number: bit i is set while BOXES[i] is open."""

FORMAT = 1
"""Increase it when older tables would be wrong."""

MOST_WORTH = 1_000_000
"""Most points that six eights can be worth."""


@dataclass(frozen=True, slots=True, eq=False)
class FateRules:
    """The house rules, for the solver; made by `house`.

    `points` has shape (19, 1716): the points of each box for each roll of the lattice. `eights` is the value of six
    eights as a win, added to the sheet's points, when the rest of the sheet is not played; None if they are ignored.
    With `in_one_throw`, only six eights in a single throw win. `bonus` points are added once, when the boxes 1 to 8
    hold `bonus_from` or more.
    """

    points: NDArray[np.int32]
    eights: float | None
    in_one_throw: bool
    bonus: int
    bonus_from: int
    key: str
    levels: tuple[tuple[Floats, NDArray[np.intp]], ...] = field(repr=False)
    """For each box its distinct points, and the index of the points of each roll."""

    @property
    def lattice(self) -> Lattice:
        """The lattice of the six dice."""
        return lattice(DICE, len(FACES))

    @property
    def all_eights(self) -> int:
        """The index of six eights among the rolls."""
        return self.lattice.place((0,) * (len(FACES) - 1) + (DICE,))


@lru_cache(maxsize=16)
def house(options: Options, eights: float | None = None) -> FateRules:
    """The rules of a match, with six eights as a win worth so many points, or ignored.

    Raises NoAdviceError if the value is out of range.
    """
    if eights is not None and not 0 <= eights <= MOST_WORTH:
        raise NoAdviceError(
            "six eights must be worth 0 to {most} points, got {eights}",
            most=MOST_WORTH,
            eights=f"{eights:g}",
        )
    eights = None if eights is None else float(eights)
    over = lattice(DICE, len(FACES))
    rows = [[points for _, points in all_boxes(spread(counts), options)] for counts in over.by_size[-1]]
    points = np.ascontiguousarray(np.array(rows, dtype=np.int32).T)
    bonus = options.number("upper_bonus")
    told = {
        "format": FORMAT,
        "points": hashlib.sha256(points.astype("<i4").tobytes()).hexdigest(),
        "eights": eights,
        "f8_mode": options.text("f8_mode") if eights is not None else "",
        "bonus": [bonus, options.number("upper_bonus_from")] if bonus else [],
    }
    levels: list[tuple[Floats, NDArray[np.intp]]] = []
    for row in points:
        values, places = np.unique(row, return_inverse=True)
        levels.append((values.astype(np.float64), places.astype(np.intp)))
    return FateRules(
        points=points,
        eights=eights,
        in_one_throw=options.text("f8_mode") == "one-throw",
        bonus=bonus,
        bonus_from=options.number("upper_bonus_from"),
        key=hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest(),
        levels=tuple(levels),
    )


def sheet_of(boxes: Iterable[str]) -> int:
    """The sheet number of some open boxes. Raises NoAdviceError for an unknown box."""
    sheet = 0
    for box in boxes:
        if box not in BOXES:
            raise NoAdviceError("the sheet has no box {box:quoted}, only {boxes:row}", box=box[:40], boxes=BOXES)
        sheet |= 1 << BOXES.index(box)
    return sheet


def boxes_of(sheet: int) -> tuple[str, ...]:
    """The open boxes of a sheet."""
    return tuple(box for i, box in enumerate(BOXES) if sheet >> i & 1)

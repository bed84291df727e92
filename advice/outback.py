"""Outback's dice: the chance of each group for each hold, and the hold with the best expected placements.

The chances are exact for the throws left. The value of a placement depends on a board that is far from full, so it is
an **estimate**: entered, or taken from `by_row` or `by_board` below. Given these values, the best hold is exact: the
value of a final roll is that of the best tiles it can place together, or `LOST` if it can place none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from advice.adviser import Adviser, Asked, Figures, Flag, Given, Typed
from advice.lattice import Counts, Floats, Throwing, checked, counts_of, faces_of, lattice, parts
from advice.record import Advice, NoAdviceError, RatedChoice, ranked
from advice.spoken import hold, told, why_best
from messages.message import Message, message
from scoring.actions import Hold
from scoring.dice import Face, named, within
from scoring.games.outback.dice import ANIMALS, FACES, Group
from scoring.games.outback.game import Outback, OutbackPlus
from scoring.games.outback.state import LOST as LOST_TILE
from scoring.games.outback.state import THROWS, OutbackState
from scoring.match import Match

UNIT = "estimated points"
LOST = -2.0
"""Points of a turn in which nothing can be placed: a field is lost (base game)."""

CLIMB = 0.5
"""Points that `by_board` adds for each row above the lowest, as groups for higher rows are rarer."""

MOST_WORTH = 1000.0

Worths = Mapping[Group, float]
"""The value of placing an animal in a row; missing ones cannot be placed."""


class Plans:
    """Every set of groups that so many dice can make at once, and the rolls that make it.

    `plans` are the sets, `makes` has shape (plans, rolls). By RULINGS 5.2 a set is possible if each group has at least
    one real animal and the jokers fill the gaps.
    """

    def __init__(self, dice: int, rows: Sequence[int]) -> None:
        """Enumerate them; use `plans_of`, which keeps the result."""
        over = lattice(dice, len(FACES))
        groups = list(product(ANIMALS, sorted(rows)))
        most = dice // min(rows)
        self.plans: list[tuple[Group, ...]] = [
            plan
            for size in range(1, most + 1)
            for plan in combinations_with_replacement(groups, size)
            if sum(row for _, row in plan) <= dice
        ]
        self.makes: NDArray[np.bool_] = np.array([_made(plan, over.rolls) for plan in self.plans])
        self.singles = [(self.plans.index((group,)), group) for group in groups]


@lru_cache(maxsize=8)
def plans_of(dice: int, rows: tuple[int, ...]) -> Plans:
    """The cached plans of so many dice on a board with these rows."""
    return Plans(dice, rows)


class Throws:
    """Holds and groups for six dice, or seven for Plus, on a board with these rows."""

    def __init__(self, dice: int = 6, rows: Sequence[int] = (2, 3, 4, 5, 6)) -> None:
        """Compute the chance of every group from every kept multiset."""
        if dice not in (6, 7) or not rows or min(rows) < 2 or max(rows) > dice:
            raise NoAdviceError(
                "expected 6 or 7 dice and rows from 2 up, got {dice} and {rows}",
                dice=dice,
                rows=str(list(rows)[:9]),
            )
        self.dice, self.rows = dice, tuple(sorted(set(rows)))
        self.game = Outback.id if dice == Outback.dice.count else OutbackPlus.id
        self._over = lattice(dice, len(FACES))
        self._all = plans_of(dice, self.rows)
        self._chances = self._group_chances()
        self._throwing = Throwing(self._over, 1)

    def ask(
        self, faces: Sequence[Face], left: int, jeep: Sequence[Face], free: Mapping[int, int], worths: Worths
    ) -> Advice:
        """The best dice to hold for the tiles on the jeep and the free spaces of each row.

        Raises NoAdviceError for impossible dice, tiles or rows, and if no throw is left.
        """
        counts = checked(FACES, self.dice, faces)
        if not 0 <= left < THROWS:
            raise NoAdviceError("with dice on the table, throws left must be 0, 1 or 2, got {left}", left=left)
        if not any(free.values()) or not jeep:
            raise NoAdviceError("nothing to lay: there must be free rows, and animals on the jeep")
        final = self.final_worths(jeep, free, worths)
        if not left:
            return self._plans_now(counts, final, jeep, free, worths)
        values = final
        for _ in range(left - 1):
            self._throwing.thrown(values[:, None])
            values = self._throwing.best_kept()[:, 0].copy()
        kept = [one[:, 0] for one in self._throwing.thrown(values[:, None])]
        wanted = [group for _, group in self._all.singles if group[0] in jeep and free.get(group[1])]
        now = self._named(counts, left, wanted)
        found = [
            RatedChoice(message("stop and lay animals"), None, float(final[self._over.place(counts)]), figures=now)
        ]
        for part in parts(counts):
            if (size := sum(part)) < self.dice:
                worth = float(kept[size][self._over.place(part)])
                found.append(_hold(part, worth, self._named(part, left, wanted)))
        choices = ranked(found)
        best = choices[0]
        said, why = told(best, self.dice), _why(choices)
        return Advice(self.game, UNIT, choices, (said,), why, _assumes(), exact=False, figures=best.figures)

    def _named(self, keep: Counts, left: int, wanted: Sequence[Group]) -> tuple[tuple[str, float], ...]:
        """The chance of each group that the jeep and the rows need, by name: ("koala 4", 0.72)."""
        chances = self.group_chances(keep, left)
        return tuple((f"{animal} {row}", chances[animal, row]) for animal, row in wanted)

    def group_chances(self, keep: Counts, left: int) -> Mapping[Group, float]:
        """The exact chance of each group if these dice are kept and the `left` throws are all made for that group."""
        if sum(keep) == self.dice:
            left = 0
        row = self._chances[left][sum(keep)][self._over.place(keep)]
        return {group: float(row[i]) for i, (_, group) in enumerate(self._all.singles)}

    def final_worths(self, jeep: Sequence[Face], free: Mapping[int, int], worths: Worths) -> Floats:
        """For every final roll, the value of the best tiles it can place together, or `LOST` if it can place none."""
        allowed, worth = self._allowed(jeep, free, worths)
        if not len(worth):
            return np.full(len(self._over.rolls), LOST)
        best = np.where(self._all.makes[allowed], worth[:, None], -np.inf).max(axis=0)
        return np.where(np.isfinite(best), best, LOST)

    def _allowed(
        self, jeep: Sequence[Face], free: Mapping[int, int], worths: Worths
    ) -> tuple[NDArray[np.intp], Floats]:
        """The plans that the tiles and the free spaces allow, with their values."""
        tiles, found, worth = Counter(jeep), list[int](), list[float]()
        for i, plan in enumerate(self._all.plans):
            animals, rows = Counter(a for a, _ in plan), Counter(r for _, r in plan)
            if all(n <= tiles[a] for a, n in animals.items()) and all(
                n <= free.get(r, 0) for r, n in rows.items()
            ):
                found.append(i)
                worth.append(sum(worths.get(group, 0.0) for group in plan))
        return np.array(found, dtype=np.intp), np.array(worth, dtype=np.float64)

    def _plans_now(
        self, counts: Counts, final: Floats, jeep: Sequence[Face], free: Mapping[int, int], worths: Worths
    ) -> Advice:
        allowed, worth = self._allowed(jeep, free, worths)
        place = self._over.place(counts)
        found = [
            RatedChoice(_laying(self._all.plans[i]), None, float(points))
            for i, points in zip(map(int, allowed), worth, strict=True)
            if self._all.makes[i, place]
        ]
        choices = ranked(found or [RatedChoice(message("block a space"), None, float(final[place]))])
        said, why = (choices[0].said,), (why_best(choices, UNIT),)
        return Advice(self.game, UNIT, choices, said, why, _assumes(), exact=False)

    def _group_chances(self) -> list[list[Floats]]:
        """By number of throws left, for every kept multiset, the chance of each single group."""
        now = self._all.makes[[i for i, _ in self._all.singles]].T.astype(np.float64)
        throwing = Throwing(self._over, now.shape[1])
        chances, values = [[np.empty((0, 0))] * self.dice + [now]], now
        for _ in range(THROWS):
            chances.append([one.copy() for one in throwing.thrown(values)])
            values = throwing.best_kept().copy()
        return chances


def by_row(rows: Sequence[int]) -> Worths:
    """An estimate without a board: the value of a placement is the number of its dice."""
    return {(animal, row): float(row) for animal in ANIMALS for row in rows}


def by_board(state: OutbackState, player: int) -> Worths:
    """An estimate from a player's board: the points of the row's best free space now, plus a bonus for its height.

    The points are those of RULINGS 5.3: the size of the connected group that the tile joins.
    """
    layout = state.layout
    if layout is None:
        return by_row(state.rows)
    lying = {space: what for space, what in state.boards[player].holds.items() if what != LOST_TILE}
    free = state.free_spaces(player)
    worths: dict[Group, float] = {}
    for animal in ANIMALS:
        for row in state.rows:
            spaces = [space for space in layout.in_row(row) if space in free]
            sizes = [len(layout.group(space, {**lying, space: animal})) for space in spaces]
            if sizes:
                worths[animal, row] = max(sizes) + CLIMB * (row - state.rows[0])
    return worths


def check_worths(worths: Mapping[Group, float]) -> Worths:
    """Raises NoAdviceError for impossible values."""
    if any(not abs(worth) <= MOST_WORTH for worth in worths.values()):
        raise NoAdviceError("a placement may be worth at most {most} points", most=f"{MOST_WORTH:.0f}")
    return worths


def _made(plan: Sequence[Group], rolls: NDArray[np.int64]) -> NDArray[np.bool_]:
    jokers, made = rolls[:, -1].copy(), np.ones(len(rolls), dtype=np.bool_)
    for animal in {animal for animal, _ in plan}:
        rows = [row for a, row in plan if a == animal]
        real = rolls[:, ANIMALS.index(animal)]
        made &= real >= len(rows)
        jokers -= np.maximum(0, sum(rows) - real)
    return made & (jokers >= 0)


def _hold(keep: Counts, worth: float, figures: tuple[tuple[str, float], ...]) -> RatedChoice:
    faces = faces_of(FACES, keep)
    return RatedChoice(hold(faces), Hold(faces), worth, figures=figures)


def _laying(plan: Sequence[Group]) -> Message:
    return message("lay {groups:faces}", groups=tuple(f"{animal}-in-row-{row}" for animal, row in plan))


def _why(choices: Sequence[RatedChoice]) -> tuple[Message, ...]:
    """The reason, and the two likeliest big groups of the best hold."""
    likely = sorted(choices[0].figures, key=lambda one: (-int(one[0].rpartition(" ")[2]) * one[1], -one[1]))[
        :2
    ]
    groups = [
        message(
            "{animal:face} for row {n} ({chance:percent})",
            n=name.rpartition(" ")[2],
            animal=name.rpartition(" ")[0],
            chance=chance,
        )
        for name, chance in likely
    ]
    if len(groups) < 2:
        return why_best(choices, UNIT), *(
            message("best chance: {one}", one=one) for one in groups
        )
    both = message("best chances: {one} and {other}", one=groups[0], other=groups[1])
    return why_best(choices, UNIT), both


def _assumes() -> Message:
    return message(
        "exact dice chances, but an estimated value for each placement"
    )


class OutbackAdviser(Adviser):
    """Which dice to keep in Outback and Outback Plus."""

    flags: ClassVar[tuple[Flag, ...]] = (
        Flag("--open", "A,B", "free rows, one for each free space: 2,3,3", "numbers", most=21),
        Flag("--jeep", "A,B", "the animals on the jeep", "words"),
        Flag("--worth", "ANIMAL-ROW=POINTS", "what a placement is worth", "amounts"),
        Flag("--hold", "a,b", "the chance of every group when these are kept", "dice"),
    )

    def __init__(self, given: Given | None = None) -> None:
        """Computes nothing until it is asked."""
        super().__init__(given)
        self._heads: dict[tuple[int, tuple[int, ...]], Throws] = {}

    def at_table(self, match: Match) -> Asked:
        """About the dice on the table, before an animal is placed."""
        state: OutbackState = match.state
        if not state.roll or state.rolling or state.placed or state.start is None:
            raise NoAdviceError("ask for advice after a throw, before you lay an animal")
        key = match.game.dice.count, state.rows

        def answer() -> Advice:
            head = self._heads.get(key) or self._heads.setdefault(key, Throws(*key))
            free, worths = state.free(state.turn), by_board(state, state.turn)
            return head.ask(state.roll, THROWS - state.throws, state.jeep, free, worths)

        return answer

    def typed(self, asked: Typed) -> Advice | Figures:
        """The choices; with --hold, the chance of every group."""
        rows = tuple(range(2, asked.game.dice.count + 1))
        head = Throws(asked.game.dice.count, rows)
        if "hold" in asked.given:
            return self._groups(asked, head)
        jeep = [named(word, ANIMALS, "an animal") for word in asked.given.get("jeep", ANIMALS)]
        worths = dict(by_row(rows))
        for name, worth in asked.given.get("worth", {}).items():
            animal, _, row = name.rpartition("-")
            if row not in map(str, rows):
                raise ValueError(
                    f"--worth: expected ANIMAL-ROW=POINTS with a row of {rows}, got {name[:40]!r}"
                )
            worths[named(animal, ANIMALS, "an animal"), int(row)] = worth
        free = dict.fromkeys(rows, 3)
        if (spaces := asked.given.get("open")) is not None:
            if strange := [row for row in spaces if row not in rows]:
                raise ValueError(f"--open: expected rows {rows[0]} to {rows[-1]}, got {strange[0]}")
            free = {row: spaces.count(row) for row in rows}
        return head.ask(asked.roll(), asked.throws(2), jeep, free, check_worths(worths))

    def _groups(self, asked: Typed, head: Throws) -> Figures:
        faces, kept, left = asked.roll(), asked.given["hold"], asked.throws(2)
        if not within(kept, faces) or len(faces) != head.dice:
            raise ValueError(f"--hold: only dice that lie there can be kept: {', '.join(faces)}")
        if left not in range(THROWS):
            raise ValueError(f"with dice on the table 0, 1 or 2 throws are left, got {left}")
        chances = head.group_chances(counts_of(FACES, kept), left).items()
        lines = tuple(f"{chance:9.6f}  {animal} in row {row}" for (animal, row), chance in chances)
        return Figures({f"{animal}-{row}": chance for (animal, row), chance in chances}, lines)


ADVISERS = {"outback": OutbackAdviser, "outback-plus": OutbackAdviser}

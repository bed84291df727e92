"""Outback's dice: which groups a roll makes, and which animals they can bring to which rows (RULINGS 5.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from scoring.dice import Face

ANIMALS: tuple[Face, ...] = ("emu", "kangaroo", "koala", "platypus", "monitor-lizard")
"""The five animals; 18 tiles of each."""

JOKER: Face = "joker"

FACES: tuple[Face, ...] = (*ANIMALS, JOKER)
"""Each die has one of each."""

Group: TypeAlias = "tuple[Face, int]"
"""An animal, and the label of the row its tile goes to: that many dice, one of them showing the animal."""


def jokers_used(groups: Iterable[Group], faces: Sequence[Face]) -> int | None:
    """The fewest jokers with which the dice make all these groups, or None if they cannot.

    Each group needs a real animal die of its own, and jokers fill up what is missing, so that for every
    animal a with m groups: n_a >= m, and the jokers used are the sum of max(0, Σ rows − n_a).
    """
    rows: dict[Face, list[int]] = {}
    for animal, row in groups:
        rows.setdefault(animal, []).append(row)
    used = 0
    for animal, wanted in rows.items():
        real = faces.count(animal)
        if real < len(wanted):
            return None
        used += max(0, sum(wanted) - real)
    return used if used <= faces.count(JOKER) else None


def biggest(faces: Sequence[Face], animal: Face) -> int:
    """The dice in the biggest group of an animal, jokers included; 0 without a real one."""
    real = faces.count(animal)
    return real + faces.count(JOKER) if real else 0


def addable(
    faces: Sequence[Face], jeep: Iterable[Face], rows: Iterable[int], placed: Sequence[Group] = ()
) -> tuple[Group, ...]:
    """Every single group that the dice still make beside those `placed`; `rows` have a free space."""
    waiting = sorted(set(jeep), key=ANIMALS.index)
    candidates = [(animal, row) for animal in waiting for row in sorted(set(rows))]
    return tuple(group for group in candidates if jokers_used((*placed, group), faces) is not None)


def plans(
    faces: Sequence[Face], jeep: Sequence[Face], free: Mapping[int, int]
) -> tuple[tuple[Group, ...], ...]:
    """Every different non-empty set of groups that can be placed at once; `free` spaces by row label."""
    found: list[tuple[Group, ...]] = []
    tiles = Counter(jeep)

    def extend(placed: tuple[Group, ...], candidates: tuple[Group, ...]) -> None:
        for i, group in enumerate(candidates):
            more = (*placed, group)
            animals, rows = Counter(a for a, _ in more), Counter(r for _, r in more)
            enough = animals[group[0]] <= tiles[group[0]] and rows[group[1]] <= free[group[1]]
            if enough and jokers_used(more, faces) is not None:
                found.append(more)
                extend(more, candidates[i:])

    extend((), addable(faces, jeep, [row for row, spaces in free.items() if spaces]))
    return tuple(found)


def widest(all_plans: Sequence[tuple[Group, ...]]) -> tuple[tuple[Group, ...], ...]:
    """The plans that no other one outdoes by placing more tiles, or the same ones in higher rows."""
    return tuple(one for one in all_plans if not any(_outdone(one, other) for other in all_plans))


def _outdone(one: tuple[Group, ...], other: tuple[Group, ...]) -> bool:
    """Whether `other` has for every group of `one` one of its own, of that animal and as high or higher."""
    if one == other:
        return False
    for animal in {animal for animal, _ in one}:
        low = sorted((row for a, row in one if a == animal), reverse=True)
        high = sorted((row for a, row in other if a == animal), reverse=True)
        if len(high) < len(low) or any(mine > theirs for mine, theirs in zip(low, high, strict=False)):
            return False
    return True

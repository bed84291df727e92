"""What happened to the dice between two readings: nothing, some were taken up, some were moved, or they were thrown.

Nothing here decides what counts. What can be understood in two ways is a doubt in words, and people answer it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from scoring.message import Message, message
from table.seen import SeenDie
from vision.dicesets.shapes import Shape
from vision.track import Following, Lying, Stay, follow, only_moved


@dataclass(frozen=True, slots=True)
class Same:
    """The same dice, as they lay or nudged; `order` says which die of before each die of now is."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakenUp:
    """Some dice are in a hand; those that lie there now are `order` of before."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """Every die shows what it showed, and some lie elsewhere: moved, or thrown and lucky."""

    order: tuple[int, ...]
    still: tuple[int, ...]
    """The dice of before that did not move."""
    nudged: bool
    """Whether none was carried farther than a nudge carries it."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """A throw: the dice at the places `kept` (from 0) stayed, each being the die of before that `known` says."""

    kept: tuple[int, ...]
    known: tuple[int, ...]
    doubt: tuple[Message, ...] = ()
    """What to ask before it counts; nothing when all is clear."""

    def without(self, place: int) -> Thrown:
        """The throw when what lies at that place (from 0) is no die."""
        pairs = [(kept, known) for kept, known in zip(self.kept, self.known, strict=True) if kept != place]
        kept = tuple(kept - (kept > place) for kept, _ in pairs)
        return replace(self, kept=kept, known=tuple(known for _, known in pairs))


Happening: TypeAlias = "Same | TakenUp | Moved | Thrown"


def lying(die: SeenDie) -> Lying:
    """A die as tracks know it."""
    shape: Shape = die.read.shape
    return Lying(die.face, die.certain, shape, die.read.corners, die.read.face)


def happened(before: Sequence[SeenDie], stayed: Sequence[int] | None, now: Sequence[SeenDie]) -> Happening:
    """What became of the dice that lay there `before`; `stayed` are those last seen alone, the others in a hand."""
    old, new = [lying(die) for die in before], [lying(die) for die in now]
    strict = follow(old, new)
    if not strict.came and not strict.went and stayed is None:
        return Same(_order(strict))
    left = only_moved(old, new)
    if left is not None and len(new) < len(old):
        return TakenUp(_order(left))
    if stayed is not None:
        known = follow(old, new, expected=stayed)
        return Thrown(known.stayed, _order(known))
    if left is not None and not left.went:
        still = sorted(one.before for one in left.same if one.stay is Stay.LAY)
        nudged = all(one.stay is not Stay.SET_ASIDE for one in left.same)
        return Moved(_order(left), tuple(still), nudged)
    return Thrown(strict.stayed, _order(strict))


def against_holds(held: Sequence[SeenDie], before: Sequence[SeenDie], now: Sequence[SeenDie]) -> Thrown:
    """A throw for which people said what they hold: do those dice, and only those, lie there still?"""
    new = [lying(die) for die in now]
    known = follow([lying(die) for die in held], new, expected=range(len(held)))
    numbers = {one.before: one.after + 1 for one in known.same}
    away = [one for one in known.same if one.stay is Stay.SET_ASIDE]
    strict = follow([lying(die) for die in before], new)
    unmoved = [one.after + 1 for one in strict.same if one.stay is Stay.LAY]
    more = sorted(set(unmoved) - set(numbers.values()))
    doubt: tuple[Message, ...] = ()
    if away:
        face = held[away[0].before].face
        doubt = (
            message("the {face:face} that is held does not lie where it did", face=face),
            message("was it only moved?"),
        )
    elif more:
        doubt = _left_lying(more)
    return Thrown(known.stayed, _order(known), doubt)


def against_all_thrown(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> tuple[Message, ...]:
    """What to ask when all dice were to be thrown and some lie as they lay before; nothing when none does."""
    strict = follow([lying(die) for die in before], [lying(die) for die in now])
    unmoved = sorted(one.after + 1 for one in strict.same if one.stay is Stay.LAY)
    return _left_lying(unmoved) if unmoved else ()


def _left_lying(numbers: Sequence[int]) -> tuple[Message, ...]:
    dice = tuple(str(number) for number in numbers)
    if len(numbers) == 1:
        lies = message("die {n} lies as it lay before the throw", n=dice[0])
    else:
        lies = message("dice {numbers:listed} lie as they lay before the throw", numbers=dice)
    return lies, message("does it count like that?")


def _order(following: Following) -> tuple[int, ...]:
    """For each die of now that is known again, in their order, which of before it is."""
    return tuple(one.before for one in sorted(following.same, key=lambda one: one.after))

"""What came of an action: points with their reasons, and facts worth a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from messages.message import Message, Plain, message
from scoring.options import Options


@dataclass(frozen=True, slots=True)
class Line:
    """One reason in a breakdown: the rule, its points, and the paragraph of the game's rules about it.

    `rule` is an English template ("{n} {face:face} at 3 each"), filled with `values`; `where` is the paragraph's id
    ("pairs"), or "house-" and the key of the option that decides.
    """

    rule: str
    points: int
    where: str
    values: tuple[tuple[str, Plain], ...] = ()

    @property
    def reason(self) -> Message:
        """The rule with its values, for people."""
        return Message(self.rule, self.values)


def line(rule: str, points: int, where: str, **values: Plain) -> Line:
    """A Line with named values."""
    return Line(rule, points, where, tuple(values.items()))


@dataclass(frozen=True, slots=True)
class Score:
    """Points a player got (or lost), why, and the total after them. The lines add up to `points`."""

    player: int
    points: int
    total: int
    breakdown: tuple[Line, ...]


class HasPlayers(Protocol):
    """What every state has: the players' names in order of seating, and the options of the match."""

    @property
    def players(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def options(self) -> Options: ...  # noqa: D102


S = TypeVar("S", bound=HasPlayers)


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The state after an action, the points it brought, and what there is to say about it, in order."""

    state: S
    scores: tuple[Score, ...] = ()
    facts: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: the winners (several share), everyone's final points, and the rule that ended it."""

    winners: tuple[int, ...]
    points: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class ScoredRoll:
    """One roll in isolation.

    `points` is None if a roll alone has none (Quintuples, unless the others' hands are given). `boxes` are the points
    of each box of the sheet, `rank` is the name of the hand. The lines add up to `points`.
    """

    points: int | None
    boxes: tuple[tuple[str, int], ...] = ()
    rank: str | None = None
    breakdown: tuple[Line, ...] = ()


def box_filled(player: int, box: str, points: int, total: int, left: int) -> Message:
    """What is said of a box that was filled: its points, those in all, and how many boxes are left."""
    return message(
        "{player:name} scores {points:points} in box {box}: {total} in all, {left:count box boxes} left."
        if box.isdecimal()
        else "{player:name} scores {points:points} in {box:face}: {total} in all, {left:count box boxes} left.",
        player=player,
        box=box,
        points=points,
        total=total,
        left=left,
    )


def best_boxes(worth: Iterable[tuple[int, str]]) -> tuple[Message, ...]:
    """The best three of the open boxes, each with its points; zeroes are not worth a word, unless all are."""
    best = sorted((one for one in worth if one[0] > 0), key=lambda one: -one[0])[:3]
    if not best:
        return (message("Every open box would score zero."),)
    return tuple(
        message(
            "Box {box} would score {points:points}." if box.isdecimal() else "{box:face} would score {points:points}.",
            box=box,
            points=points,
        )
        for points, box in best
    )

"""What lies on the table, as plain records that any page, voice or scoreboard can show for any game.

A dashboard knows seats, panels and hex boards; it need not know a single game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from messages.message import Message

Cell: TypeAlias = "str | int | Message | None"
"""One field of a panel: an id, a fixed word, a number or a message; None is an empty one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A value beside a player's name: ("boxes left", 12)."""

    label: str
    value: str | int | Message
    said: Message | None = None
    """The same in a few words, as a page shows it; None if the board shows it already or there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One player: name, score so far, whether it is their turn, and what else counts for them."""

    name: str
    score: int
    on_turn: bool
    marks: tuple[Mark, ...] = ()


def seats(
    players: Sequence[str],
    points: Sequence[int],
    on_turn: Collection[int],
    marks: Sequence[tuple[Mark, ...]] | None = None,
) -> tuple[Seat, ...]:
    """Everyone with their points and marks; `on_turn` is nobody when the match is over."""
    rows = zip(players, points, marks or ((),) * len(players), strict=True)
    return tuple(Seat(name, score, i in on_turn, beside) for i, (name, score, beside) in enumerate(rows))


def leading(points: Sequence[int], *, lowest: bool = False) -> frozenset[int]:
    """Who has the most points, or the fewest where the `lowest` win; nobody while all have as many."""
    best = min(points) if lowest else max(points)
    return frozenset(i for i, one in enumerate(points) if one == best) if min(points) < max(points) else frozenset()


@dataclass(frozen=True, slots=True)
class Panel:
    """A table of values: a score sheet, a deck's piles, the jeep. Each row has as many cells as `columns`."""

    title: str | Message
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Hex:
    """One space of a hex board: `row` as labelled, `x` in half hexes from the left, and what lies there."""

    row: int
    x: int
    holds: str | None
    face_down: bool = False


@dataclass(frozen=True, slots=True)
class HexBoard:
    """A player's board of hexes; `note` says what people should know about the layout."""

    title: Message
    player: int
    spaces: tuple[Hex, ...]
    note: Message | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything public about a match: who sits there, the dice as they lie, and the boards.

    `kept` are the dice held for the next throw; `throws` says how many throws of this turn were made, and how many a
    turn has at most.
    """

    seats: tuple[Seat, ...]
    dice: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    panels: tuple[Panel | HexBoard, ...] = ()
    throws: tuple[int, int] = (0, 1)

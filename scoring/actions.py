"""What can happen in a match, and what a table waits for: rolls, draws, decisions.

Shared by all games; a game adds kinds of moves of its own beside its rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn, TypeAlias, TypeVar

from scoring.dice import Face


class IllegalMoveError(ValueError):
    """An action the rules do not allow now; `rule` names the rule, `where` its place in the documents."""

    def __init__(self, rule: str, where: str = "") -> None:
        """`rule` is one plain sentence without a full stop."""
        super().__init__(f"{rule} ({where})" if where else rule)
        self.rule = rule
        self.where = where


def refuse(rule: str, where: str = "") -> NoReturn:
    """Raise IllegalMoveError."""
    raise IllegalMoveError(rule, where)


@dataclass(frozen=True, slots=True)
class Roll:
    """All dice as they lie after a throw, the kept ones among them."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards or tiles that came out of a pile without choice, in order: a deal, a refill, a shuffled deck."""

    pile: str
    cards: tuple[str, ...]


class Move:
    """A player's decision. Each kind is a frozen dataclass with a `kind` and plain fields (scoring.codec)."""

    __slots__ = ()
    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Play:
    """A move and who makes it (an index into the players)."""

    player: int
    move: Move


Action: TypeAlias = "Roll | Draw | Play"
"""What changes a state: what the table showed, or what a player decided."""


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """Say before the roll what it is to be."""

    kind: ClassVar[str] = "declare"
    declaration: str


@dataclass(frozen=True, slots=True)
class Hold(Move):
    """Leave these dice lying and throw the others again; none kept is a whole new throw."""

    kind: ClassVar[str] = "hold"
    keep: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Stand(Move):
    """Take the dice as they lie."""

    kind: ClassVar[str] = "stand"


@dataclass(frozen=True, slots=True)
class Fill(Move):
    """Write the roll into a box of the score sheet."""

    kind: ClassVar[str] = "fill"
    box: str


@dataclass(frozen=True, slots=True)
class Confirm(Move):
    """Answer the question the table is asking: `yes` or not."""

    kind: ClassVar[str] = "confirm"
    yes: bool


@dataclass(frozen=True, slots=True)
class Family:
    """Many legal moves of one kind, too many to list: what its fields may hold, and some legal members.

    `members` are never empty, every one of them is legal, and they are what a page can offer as buttons.
    """

    kind: str
    explanation: str
    members: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class RollAwaited:
    """`player` is to throw until `dice` dice lie there, `kept` among them; each shows one of `faces`."""

    player: int
    dice: int
    faces: tuple[Face, ...]
    kept: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawAwaited:
    """`count` cards are to come out of `pile`, which holds `among` (a multiset; its order means nothing)."""

    pile: str
    count: int
    among: tuple[str, ...]
    player: int | None = None


@dataclass(frozen=True, slots=True)
class MoveAwaited:
    """One of `players` is to decide; `what` in a word: "declaration", "box", "card", "hold or box"."""

    players: tuple[int, ...]
    what: str


Awaited: TypeAlias = "RollAwaited | DrawAwaited | MoveAwaited"


def describe(expected: Sequence[Awaited], players: Sequence[str]) -> str:
    """What the table is waiting for, in English words, for error lines."""
    words: list[str] = []
    for one in expected:
        if isinstance(one, RollAwaited):
            words.append(f"{players[one.player]} is to roll")
        elif isinstance(one, DrawAwaited):
            words.append(f"{one.count} to be drawn from {one.pile}")
        else:
            words.append(f"{' and '.join(players[i] for i in one.players)} to decide: {one.what}")
    return ", or ".join(words) or "the match is over"


T = TypeVar("T")


def changed(items: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], value, *items[index + 1 :])

"""What can happen in a match, and what a table waits for: rolls, draws, decisions.

Shared by all games; a game adds kinds of moves of its own beside its rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeAlias, TypeVar

from messages.message import Message, MessageError, Plain, message
from scoring.dice import Face

if TYPE_CHECKING:
    from scoring.match import Match

T = TypeVar("T")


class IllegalMoveError(MessageError):
    """An action the rules do not allow now; `rule` says why, `where` is the paragraph of the game's rules about it."""

    def __init__(self, rule: str | Message, where: str = "", /, **values: Plain) -> None:
        """`rule` is one plain clause without a full stop, filled in by `values` (`messages.message`)."""
        self.rule = rule if isinstance(rule, Message) else Message(rule, tuple(values.items()))
        self.where = where
        self.tried: tuple[Match, Action] | None = None
        """The refused action and its match; None if it was not an action of a match."""
        super().__init__(self.rule)


def refuse(rule: str | Message, where: str = "", /, **values: Plain) -> NoReturn:
    """Raise IllegalMoveError."""
    raise IllegalMoveError(rule, where, **values)


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
    words: ClassVar[str]
    """Its name where it is offered: a template, filled by its fields."""


@dataclass(frozen=True, slots=True)
class Play:
    """A move and who makes it (an index into the players)."""

    player: int
    move: Move


Action: TypeAlias = "Roll | Draw | Play"
"""What changes a state: what the table showed, or what a player decided."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Other people play from here on: their names in order, and for each the seat they had before (None: a new one)."""

    players: tuple[str, ...]
    seats: tuple[int | None, ...]

    def carried(self, values: tuple[T, ...], new: T) -> tuple[T, ...]:
        """What each player had, one value a seat, in the new order; `new` is what a newcomer has."""
        return tuple(new if seat is None else values[seat] for seat in self.seats)

    def now(self, seat: int) -> int | None:
        """The current seat of the person who had this one; None if they left."""
        return self.seats.index(seat) if seat in self.seats else None

    def between_rounds(self, over: bool) -> None:
        """Raise IllegalMoveError in the middle of a round whose turns depend on each other."""
        if not over:
            refuse("players can join, leave or change seats only between rounds")

    def turn(self, turn: int, *, begun: bool) -> int:
        """Whose turn it is now. A round that has not begun begins with the first; else the turn stays where it was, or
        goes to the next who stayed.

        Raises IllegalMoveError if people change places in the middle of a round: some would play it twice.
        """
        if turn == 0 and not begun:
            return 0
        stayed = [seat for seat in self.seats if seat is not None]
        if stayed != sorted(stayed):
            refuse("players can change seats only between rounds")
        following = [seat for seat in stayed if seat >= turn]
        return self.seats.index(following[0]) if following else 0


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """Say before the roll what it is to be."""

    kind: ClassVar[str] = "declare"
    words: ClassVar[str] = "call {declaration:face}"
    declaration: str


@dataclass(frozen=True, slots=True)
class Hold(Move):
    """Leave these dice lying and throw the others again; none kept is a whole new throw."""

    kind: ClassVar[str] = "hold"
    words: ClassVar[str] = "hold {keep:faces}, throw the others"
    keep: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Stand(Move):
    """Score the dice on the table."""

    kind: ClassVar[str] = "stand"
    words: ClassVar[str] = "score these dice"


@dataclass(frozen=True, slots=True)
class Fill(Move):
    """Write the roll into a box of the score sheet."""

    kind: ClassVar[str] = "fill"
    words: ClassVar[str] = "fill {box:face}"
    box: str


NOT_TYPED = {"typed": False}
"""Metadata of a move's field that people never type: it follows from the others (`Game.recorded`)."""


@dataclass(frozen=True, slots=True)
class Confirm(Move):
    """Answer the question the table is asking: `yes` or not."""

    kind: ClassVar[str] = "confirm"
    words: ClassVar[str] = "{yes:yes}"
    yes: bool


@dataclass(frozen=True, slots=True)
class Family:
    """Many legal moves of one kind, too many to list: what its fields may hold, and some legal members.

    `members` are never empty, every one of them is legal, and they are what a page can offer as buttons.
    """

    kind: str
    members: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class RollAwaited:
    """`player` must throw until `dice` dice are on the table, including `kept`; each shows one of `faces`.

    `stake` is the purpose of a throw outside a turn, in English: "the start marker".
    """

    player: int
    dice: int
    faces: tuple[Face, ...]
    kept: tuple[Face, ...] = ()
    stake: str = ""


@dataclass(frozen=True, slots=True)
class DrawAwaited:
    """`count` cards are to come out of `pile`, which holds `among` (a multiset; its order means nothing)."""

    pile: str
    count: int
    among: tuple[str, ...]
    player: int | None = None
    tiles: bool = False
    """The pile holds tiles, not cards."""


@dataclass(frozen=True, slots=True)
class MoveAwaited:
    """One of `players` is to decide; `what` as one would ask them: "make your call", "hold dice or fill a box"."""

    players: tuple[int, ...]
    what: str | Message


Awaited: TypeAlias = "RollAwaited | DrawAwaited | MoveAwaited"


def describe(expected: Sequence[Awaited], players: Sequence[str]) -> Message:
    """What the table is waiting for, for error lines."""
    said: Message | None = None
    for one in reversed(expected):
        if isinstance(one, RollAwaited):
            clause = message("{player} must throw", player=players[one.player])
        elif isinstance(one, DrawAwaited):
            clause = message("draw {count} from the {pile:pile}", count=one.count, pile=one.pile)
        else:
            names = tuple(players[player] for player in one.players)
            clause = message("{names:listed}, {what:rule}", names=names, what=one.what)
        said = clause if said is None else message("{this}, or {that}", this=clause, that=said)
    return said or message("the match is over")


def held(player: int, keep: tuple[Face, ...]) -> Message:
    """That a player keeps some of the dice that lie there; what is thrown again is said with what is awaited."""
    return message(
        "{player:name} holds {kept:things}." if keep else "{player:name} throws all dice again.",
        player=player,
        kept=keep,
    )


def changed(items: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], value, *items[index + 1 :])

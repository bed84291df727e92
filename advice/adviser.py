"""What an adviser is: one game's questions at the table and on the command line, and where luck came from in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from advice.record import Advice
from advice.uneven import Likeliness
from messages.message import Message, message
from scoring.actions import Action, Seated
from scoring.dice import Face
from scoring.game import AnyGame
from scoring.match import Match
from scoring.options import Options

Asked: TypeAlias = Callable[[], Advice]
"""A question that has been put, with the answer still to be worked out."""

Given: TypeAlias = Mapping[str, Any]
"""What was typed for an adviser's flags, by their keys; what nobody typed is not in it."""


@dataclass(frozen=True, slots=True)
class Flag:
    """What a question may be told on the command line, and as what it is read.

    "number" is a whole one, "switch" is there or not, "words" and "numbers" are parted by commas (at most `most`),
    "dice" are faces, "faces" are FACE=N and "amounts" NAME=NUMBER, both given as often as one likes.
    """

    name: str
    metavar: str
    help: str
    kind: Literal["text", "number", "switch", "words", "numbers", "dice", "faces", "amounts"] = "text"
    most: int = 12

    @property
    def key(self) -> str:
        """Its name in `Given`."""
        return self.name.removeprefix("--").replace("-", "_")


@dataclass(frozen=True, slots=True)
class Typed:
    """A question from the command line: the dice as they lie, the throws left, the flags, how the dice fall."""

    game: AnyGame
    options: Options
    given: Given
    likely: Likeliness
    faces: tuple[Face, ...] | None = None
    left: int | None = None
    progress: Callable[[int, int], None] | None = None
    """Told how much of a long answer is worked out, and of how much."""

    def roll(self) -> tuple[Face, ...]:
        """The dice as they lie. Raises ValueError."""
        if self.faces is None:
            raise ValueError(f"{self.game.id}: expected --faces a,b,c (the dice as they lie), got none")
        return self.faces

    def throws(self, most: int) -> int:
        """The throws left, by default as many as there can be with dice on the table."""
        return most if self.left is None else self.left


@dataclass(frozen=True, slots=True)
class Figures:
    """An answer without choices: the record that `--json` prints, and the lines for people."""

    record: Mapping[str, Any]
    lines: tuple[str, ...]


ROLLED, EVEN = message("rolled"), message("fair dice")


@dataclass(frozen=True, slots=True)
class Moment:
    """One event that moved a player's expectation: by luck (a throw) or by what a choice gave away.

    `number` is the event's in the match; `did` and `better` say what was done, and what would have been better
    where something would. `first` says that a turn began with it, where turns have more than one throw.
    """

    number: int
    player: int
    luck: float = 0.0
    lost: float = 0.0
    did: Message = ROLLED
    better: Message | None = None
    first: bool = False


def gave_away(
    number: int,
    player: int,
    best: float,
    worth: float,
    did: Message,
    better: Message,
    *,
    first: bool = False,
    least: float = 1e-9,
) -> Moment:
    """A choice worth `worth` where the best one, `better`, was worth `best`; a loss below `least` is none."""
    lost = max(0.0, best - worth)
    return Moment(number, player, lost=lost, did=did, better=better if lost > least else None, first=first)


@dataclass(frozen=True, slots=True)
class Looked:
    """The moments of a match, in `unit`, and what they rest on."""

    moments: Iterable[Moment]
    unit: str = "points"
    assumed: Message = EVEN


class Adviser(ABC):
    """The adviser of one game: made once, it keeps what is expensive; not for two threads at a time."""

    flags: ClassVar[tuple[Flag, ...]] = ()
    """What `tableside advise` may be told about this game, beside its dice and options."""

    def __init__(self, given: Given | None = None) -> None:
        """`given` is what was typed for the flags, nothing at a table."""
        self.given: Given = given or {}

    @abstractmethod
    def at_table(self, match: Match) -> Asked:
        """The question that this moment of a match puts; cheap. Raises NoAdviceError if it puts none."""

    @abstractmethod
    def typed(self, asked: Typed) -> Advice | Figures:
        """The answer to a typed question. Raises ValueError (NoAdviceError) for one that cannot be."""

    def look_back(self, match: Match) -> Looked | None:
        """Where luck and losses came from; None if they cannot be told apart. Raises NoAdviceError."""
        return None


def steps(match: Match) -> Iterator[tuple[int, Any, Action, Any]]:
    """Number, state before, action and state after of every roll, draw and decision that counts."""
    before = match.beginning
    for one in match.played:
        if not isinstance(one.action, Seated):
            yield one.number, before, one.action, one.step.state
        before = one.step.state


def sizes(match: Match) -> set[int]:
    """How many played, at one time or another."""
    return {len(match.beginning.players), *(len(change.players) for _, change in match.changes)}

"""An adviser answers questions about one game, at the table and on the command line, and finds its lucky moments."""

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
"""A question whose answer is still to be computed."""

Given: TypeAlias = Mapping[str, Any]
"""The flags given on the command line, by their keys; flags that were not given are missing."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of a question on the command line, and how its value is parsed.

    "number" is an integer, "switch" has no value, "words" and "numbers" are separated by commas (at most `most`),
    "dice" are faces, "faces" are FACE=N and "amounts" NAME=NUMBER, both repeatable.
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
    """A question from the command line: the dice on the table, the throws left, the flags, the chances of the faces."""

    game: AnyGame
    options: Options
    given: Given
    likely: Likeliness
    faces: tuple[Face, ...] | None = None
    left: int | None = None
    progress: Callable[[int, int], None] | None = None
    """Called with the progress of a long computation: the amount done, and the total."""

    def roll(self) -> tuple[Face, ...]:
        """The dice on the table. Raises ValueError."""
        if self.faces is None:
            raise ValueError(f"{self.game.id}: expected --faces a,b,c (the dice as they lie), got none")
        return self.faces

    def throws(self, most: int) -> int:
        """The throws left; by default the most that are possible with dice on the table."""
        return most if self.left is None else self.left


@dataclass(frozen=True, slots=True)
class Figures:
    """An answer without choices: the record that `--json` prints, and lines for people."""

    record: Mapping[str, Any]
    lines: tuple[str, ...]


ROLLED, EVEN = message("rolled"), message("fair dice")


@dataclass(frozen=True, slots=True)
class Moment:
    """One event that changed a player's expected result: by luck (a throw) or by what a choice gave away.

    `number` is the number of the event in the match; `did` names the choice, and `better` a better one if there was
    one. `first` marks the first throw of a turn, in games with several throws a turn.
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
    """A choice worth `worth`, when the best one, `better`, was worth `best`; losses below `least` count as none."""
    lost = max(0.0, best - worth)
    return Moment(number, player, lost=lost, did=did, better=better if lost > least else None, first=first)


@dataclass(frozen=True, slots=True)
class Looked:
    """The moments of a match, in `unit`, and their assumptions."""

    moments: Iterable[Moment]
    unit: str = "points"
    assumed: Message = EVEN


class Adviser(ABC):
    """The adviser of one game. It keeps expensive results between questions; not thread-safe."""

    flags: ClassVar[tuple[Flag, ...]] = ()
    """The flags of `tableside advise` for this game, beside its dice and options."""

    def __init__(self, given: Given | None = None) -> None:
        """`given` holds the flags from the command line; empty at a table."""
        self.given: Given = given or {}

    @abstractmethod
    def at_table(self, match: Match) -> Asked:
        """The question at this moment of a match; cheap. Raises NoAdviceError if there is none."""

    @abstractmethod
    def typed(self, asked: Typed) -> Advice | Figures:
        """The answer to a typed question. Raises ValueError (NoAdviceError) if the question is impossible."""

    def look_back(self, match: Match) -> Looked | None:
        """The moments of luck and of loss; None if they cannot be told apart. Raises NoAdviceError."""
        return None


def steps(match: Match) -> Iterator[tuple[int, Any, Action, Any]]:
    """Number, state before, action and state after, for every roll, draw and decision that counts."""
    before = match.beginning
    for one in match.played:
        if not isinstance(one.action, Seated):
            yield one.number, before, one.action, one.step.state
        before = one.step.state


def sizes(match: Match) -> set[int]:
    """Number of players who took part at any time."""
    return {len(match.beginning.players), *(len(change.players) for _, change in match.changes)}

"""What an adviser says: every choice with its worth, and one sentence with a reason for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from messages.message import Message, MessageError
from scoring.actions import Move
from words.speaker import speaker


class NoAdviceError(MessageError):
    """A question that has no answer; one clear line of what was expected and what came."""


@dataclass(frozen=True, slots=True)
class RatedChoice:
    """One thing that may be done: as a message and as a move, what it is worth, and what it costs against the best.

    `figures` are further numbers by name, as in Outback the chance of each group.
    """

    said: Message
    move: Move | None
    worth: float
    cost: float = 0.0
    figures: tuple[tuple[str, float], ...] = ()

    @property
    def words(self) -> str:
        """The choice in English."""
        return speaker().clause(self.said)


class InEnglish:
    """What is said and why, in English; for records with both."""

    __slots__ = ()
    said: tuple[Message, ...]
    reasons: tuple[Message, ...]

    @property
    def sentence(self) -> str:
        """The sentence."""
        return in_english(self.said)

    @property
    def why(self) -> str:
        """The reasons."""
        return in_english(self.reasons)


@dataclass(frozen=True, slots=True)
class Advice(InEnglish):
    """An answer: the choices, best first, in `unit` ("points", "chance to win", ...).

    `exact` is False where something in it is an estimate; `assumed` says what it rests on. `said` is to be said,
    `reasons` only when asked for. `figures` are further numbers by name, for tables.
    """

    game: str
    unit: str
    choices: tuple[RatedChoice, ...]
    said: tuple[Message, ...]
    reasons: tuple[Message, ...]
    assumed: Message | None = None
    exact: bool = True
    figures: tuple[tuple[str, float | str], ...] = ()

    @property
    def best(self) -> RatedChoice:
        """The choice worth most."""
        return self.choices[0]

    @property
    def assumes(self) -> str:
        """What it rests on, in English."""
        return speaker().clause(self.assumed) if self.assumed else ""


def in_english(said: Iterable[Message]) -> str:
    """Messages as one announcement."""
    return speaker().sentence(said)


def ranked(choices: Iterable[RatedChoice]) -> tuple[RatedChoice, ...]:
    """Best first, each with what it costs against the best; equal ones keep their order. Raises NoAdviceError."""
    ordered = sorted(choices, key=lambda one: -one.worth)
    if not ordered:
        raise NoAdviceError("there is nothing to decide")
    return tuple(replace(one, cost=ordered[0].worth - one.worth) for one in ordered)

"""Advice: every choice with its value, and one sentence with a reason."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from messages.message import Message, MessageError
from scoring.actions import Move
from words.speaker import speaker


class NoAdviceError(MessageError):
    """A question without an answer; the message is one line: what was expected and what was found."""


@dataclass(frozen=True, slots=True)
class RatedChoice:
    """One possible choice: its message and move, its value, and how much worse it is than the best.

    `figures` are more numbers by name, such as the chance of each group in Outback.
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
    """English sentence and reasons; for records with both."""

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

    `exact` is False if anything in it is an estimate; `assumed` names the assumptions. `said` is spoken, `reasons` only
    on request. `figures` are more numbers by name, for tables.
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
        """The best choice."""
        return self.choices[0]

    @property
    def assumes(self) -> str:
        """The assumptions, in English."""
        return speaker().clause(self.assumed) if self.assumed else ""


def in_english(said: Iterable[Message]) -> str:
    """Messages as one announcement."""
    return speaker().sentence(said)


def ranked(choices: Iterable[RatedChoice]) -> tuple[RatedChoice, ...]:
    """The choices, best first, each with its loss against the best; ties keep their order. Raises NoAdviceError."""
    ordered = sorted(choices, key=lambda one: -one.worth)
    if not ordered:
        raise NoAdviceError("there is nothing to decide")
    return tuple(replace(one, cost=ordered[0].worth - one.worth) for one in ordered)

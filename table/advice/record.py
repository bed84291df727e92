"""What an adviser says: every choice with its worth, and one sentence with a reason for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scoring.actions import Move


class NoAdviceError(ValueError):
    """A question that has no answer; one clear line of what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be done: in words and as a move, what it is worth, and what it costs against the best.

    `figures` are further numbers by name, as in Outback the chance of each group.
    """

    words: str
    move: Move | None
    worth: float
    cost: float = 0.0
    figures: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """An answer: the choices, best first, in `unit` ("points", "chance to win", ...).

    `exact` is False where something in it is an estimate; `assumes` says what it rests on. `sentence` is to be said,
    `why` only when asked for. `figures` are further numbers by name, for tables.
    """

    game: str
    unit: str
    choices: tuple[Choice, ...]
    sentence: str
    why: str
    assumes: str = ""
    exact: bool = True
    figures: tuple[tuple[str, float | str], ...] = ()

    @property
    def best(self) -> Choice:
        """The choice worth most."""
        return self.choices[0]


def ranked(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Best first, each with what it costs against the best; equal ones keep their order. Raises NoAdviceError."""
    ordered = sorted(choices, key=lambda one: -one.worth)
    if not ordered:
        raise NoAdviceError("there is nothing to choose between")
    return tuple(replace(one, cost=ordered[0].worth - one.worth) for one in ordered)

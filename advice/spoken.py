"""Advice as messages: an answer and a reason."""

from __future__ import annotations

from collections.abc import Sequence

from advice.record import RatedChoice
from messages.message import Message, message
from scoring.actions import Hold
from scoring.dice import Face

EQUAL = 5e-10
"""Choices that differ by less than this differ only by rounding."""

CHANCE = "chance to win"
"""The unit of races and matches."""

LEFT_OUT = message("this ignores how close everyone is to the target")
"""Added to advice that only considers this round."""


def held(keep: Sequence[Face], dice: int) -> Message:
    """Hold some of so many dice: "hold two 7s, and throw four dice again"."""
    if not keep:
        return message("throw all the dice again")
    return message("hold {faces:roll} and throw {n:dice} again", faces=tuple(keep), n=dice - len(keep))


def hold(keep: Sequence[Face]) -> Message:
    """Hold these dice, as in a list: "hold 7, 7"."""
    return message("hold {faces:row}", faces=tuple(keep)) if keep else message("throw all again")


def declare(declared: str) -> Message:
    """Declare something before the roll."""
    return message("call {declared:face}", declared=declared)


def told(choice: RatedChoice, dice: int) -> Message:
    """A choice of so many dice, as a sentence of its own."""
    return held(choice.move.keep, dice) if isinstance(choice.move, Hold) else choice.said


def why_best(choices: Sequence[RatedChoice], unit: str) -> Message:
    """Why the first choice is best: its value, and how much worse the next one is."""
    worth = choices[0].worth
    if len(choices) == 1:
        return message(
            "expected: {worth:amount} {unit:rule}; there is no other choice", worth=worth, unit=unit
        )
    following = choices[1]
    if following.cost < EQUAL:
        return message(
            "expected: {worth:amount} {unit:rule}; equally good: {other}",
            worth=worth,
            unit=unit,
            other=following.said,
        )
    return message(
        "expected: {worth:amount} {unit:rule}; next best: {other} (costs {cost:amount})",
        worth=worth,
        unit=unit,
        other=following.said,
        cost=following.cost,
    )


def why_chance(choices: Sequence[RatedChoice]) -> Message:
    """Why the first choice is best, in the chance to win."""
    if len(choices) == 1:
        return message("there is nothing to decide")
    chance, following = choices[0].worth, choices[1]
    if following.cost < EQUAL:
        return message(
            "chance to win: {chance:percent}; equally good: {other}",
            chance=chance,
            other=following.said,
        )
    return message(
        "chance to win: {chance:percent}; next best: {other} ({then:percent})",
        chance=chance,
        other=following.said,
        then=following.worth,
    )

"""What the table asks, in words, before dice become a roll."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.message import Message, message
from table.notice import ShownDie
from table.seen import SeenDie
from vision.reading import UNKNOWN
from vision.track import leaning

MOST_LIKELY = 3
"""Faces that are named of those a doubtful die may show."""

MOVED_ON = message("the dice moved on as soon as they had come to rest")


def asked_about(dice: Sequence[ShownDie], due: int) -> tuple[Message, ...]:
    """What to ask about dice of which so many are due; nothing when their number and every face is clear."""
    if len(dice) != due:
        there = message("I see {seen:dice}, and the game needs {due:dice}", seen=len(dice), due=due)
        return (there, *_ways_out(len(dice) - due))
    doubtful = [die for die in dice if not die.certain]
    if not doubtful:
        return ()
    first = doubtful[0]
    asked = [message("what does die {n} show?", n=first.number)]
    likely = tuple(choice.face for choice in first.choices if choice.confidence is not None)[:MOST_LIKELY]
    if first.face == UNKNOWN:
        asked.append(message("it looks like no face of this set: is it a die of another one?"))
    elif likely:
        asked.append(message("I take it for {faces:maybe}", faces=likely))
    if len(doubtful) > 1:
        asked.append(message("{n:number} dice are unclear", n=len(doubtful)))
    return tuple(asked)


def _ways_out(over: int) -> tuple[Message, ...]:
    if over > 0:
        return (message("which of them is none?"),)
    off = (
        message("is one off the table, or on another?")
        if over == -1
        else message("are some off the table, or on others?")
    )
    return off, message("move them apart, or type the roll")


def leaning_dice(dice: Sequence[SeenDie]) -> tuple[int, ...]:
    """The places of dice that do not lie flat, from 0."""
    return leaning([die.read.corners for die in dice])

"""What the table asks, in words, before dice become a roll."""

from __future__ import annotations

from collections.abc import Sequence

from table import words
from table.notice import ShownDie
from table.seen import SeenDie
from vision.reading import UNKNOWN
from vision.track import leaning


def asked_about(dice: Sequence[ShownDie], due: int) -> str:
    """What to ask about dice of which so many are due; empty when their number and every face is clear."""
    if len(dice) != due:
        seen_here, needed = words.dice(len(dice)), words.dice(due)
        return f"I see {seen_here}, and the game needs {needed}. {_way_out(len(dice) - due)}"
    doubtful = [die for die in dice if not die.certain]
    if not doubtful:
        return ""
    first = doubtful[0]
    likely = [choice.label for choice in first.choices if choice.confidence is not None][:3]
    if first.face == UNKNOWN:
        maybe = " It looks like no face of this set: is it a die of another one?"
    else:
        maybe = f" I take it for {words.listed(likely, 'or')}." if likely else ""
    others = f" {words.number(len(doubtful)).capitalize()} dice are unclear." if len(doubtful) > 1 else ""
    return f"What does die {first.number} show?{maybe}{others}"


def _way_out(over: int) -> str:
    if over > 0:
        return "Which of them is none?"
    off = "Is one off the table, or on another?" if over == -1 else "Are some off the table, or on others?"
    return f"{off} Move them apart, or type the roll."


def leaning_dice(dice: Sequence[SeenDie]) -> tuple[int, ...]:
    """The places of dice that do not lie flat, from 0."""
    return leaning([die.read.corners for die in dice])

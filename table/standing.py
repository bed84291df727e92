"""How a table stands at one moment, out of its match, its dice and what it asks."""

from __future__ import annotations

from scoring.actions import Play
from scoring.match import Match
from table import words
from table.advice.ask import advisable
from table.notice import ShownDie, Standing
from table.sheet import answers, holding, prompt, roll_awaited, sheet
from table.tray import Tray


def standing(
    match: Match,
    tray: Tray,
    *,
    awaited: str,
    question: str,
    countable: bool,
    trouble: str,
    paused: bool,
    thrower: bool,
) -> Standing:
    """Everything the table shows.

    `awaited` is what is to be done as the rules put it, `countable` whether "it counts" answers the question, `trouble`
    what is wrong with the camera, `thrower` whether the table throws its own dice.
    """
    view, dice = match.game.table(match.state), tray.shown(match)
    groups, panels = sheet(match)
    due = roll_awaited(match)
    many = match.game.dice.count if due is None else due.dice
    return Standing(
        title=match.game.title,
        players=view.seats,
        on_turn=next((seat.name for seat in view.seats if seat.on_turn), ""),
        prompt=prompt(match, awaited),
        roll_words="" if tray.waiting else words.sentence(words.faces(die.label for die in dice)),
        question=question,
        dice=dice,
        picture_size=tray.picture_size,
        groups=groups,
        panels=panels,
        answers=answers(match),
        too_many=tray.waiting and len(tray.lying) > many,
        can_hold=holding(match) and not tray.waiting,
        throw=_throw_words(match, tray, dice, thrower),
        undo="Take back the last decision" if _can_undo(match) else "",
        camera=trouble,
        over=awaited if match.outcome else "",
        paused=paused,
        count="It counts" if countable else "",
        discount="That throw did not count" if _ends_with_roll(match) else "",
        advice=not paused and not tray.waiting and advisable(match),
        match=match,
    )


def _throw_words(match: Match, tray: Tray, dice: tuple[ShownDie, ...], thrower: bool) -> str:
    """What the throw button says; empty when there is nothing to throw."""
    if roll_awaited(match) is not None:
        # At a real table people throw by hand, and the camera sees it.
        said = "Throw again instead" if tray.waiting else "Throw the dice"
        return said if thrower else ""
    again = len(dice) - sum(die.held for die in dice) if holding(match) and not tray.waiting else 0
    return f"Throw {'all' if again == len(dice) else words.dice(again)} again" if again else ""


def _can_undo(match: Match) -> bool:
    return bool(match.stop) or any(isinstance(one.action, Play) for one in match.played)


def _ends_with_roll(match: Match) -> bool:
    """Whether the last thing that counts is a throw, so that it can be said not to."""
    number = match.last_roll()
    return not match.stop and number is not None and match.played[-1].number == number

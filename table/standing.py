"""How a table stands at one moment, out of its match, its dice and what it asks, in any language."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advice.ask import advisable
from messages.message import Message, message
from scoring.actions import Hold, IllegalMoveError, Play, Seated
from scoring.match import Match
from table.notice import MOVED_ON, ShownDie, Standing
from table.sheet import answers, prompt, sheet
from words.speaker import Speaker


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything a table's standing is made of, before it is put into words."""

    match: Match
    dice: tuple[ShownDie, ...]
    """As people see them; their names are put into each language."""
    waiting: bool
    """What lies there waits for an answer before it can be a roll."""
    lying: int
    """How many dice the camera sees."""
    picture_size: tuple[int, int]
    awaited: tuple[Message, ...]
    """What is to be done as the rules put it."""
    question: tuple[Message, ...]
    countable: bool
    """Whether "it counts" answers the question."""
    trouble: Message | None
    """What is wrong with the camera."""
    paused: bool
    thrower: bool
    """The table throws its own dice."""
    rolling: bool = False
    """They were thrown, and nobody has seen them lie yet."""


def standing(moment: Moment, tongue: Speaker) -> Standing:
    """Everything the table shows, in one language."""
    match, players = moment.match, moment.match.header.players
    view = match.view
    groups, panels = sheet(match, tongue)
    due = match.roll_awaited
    many = match.game.dice.count if due is None else due.dice
    awaited = tongue.among(players).sentence(moment.awaited)
    dice = tuple(_named(die, tongue) for die in moment.dice)
    return Standing(
        title=match.game.title,
        players=tuple(tongue.seat(seat) for seat in view.seats),
        on_turn=next((seat.name for seat in view.seats if seat.on_turn), ""),
        prompt=tongue.sentence([message("the dice are rolling")])
        if moment.rolling
        else prompt(match, awaited, tongue),
        roll_words="" if moment.waiting else tongue.throw([die.face for die in dice]),
        question=tongue.among(players).sentence(moment.question),
        dice=dice,
        picture_size=moment.picture_size,
        groups=groups,
        panels=panels,
        answers=answers(match, tongue),
        too_many=moment.waiting and moment.lying > many,
        can_hold=bool(match.holds) and not moment.waiting,
        throw=_button(_throw(moment), tongue),
        no_throw=_button(_no_throw(moment), tongue),
        rolling=moment.rolling,
        retype=bool(dice) and not moment.waiting,
        undo=_button(_undo(match), tongue),
        camera=tongue.sentence([moment.trouble] if moment.trouble else []),
        over=awaited if match.outcome else "",
        paused=moment.paused,
        winners=match.outcome.winners if match.outcome else (),
        count=_button(_count(moment), tongue),
        same_throw=_button(message("it is the same throw") if MOVED_ON in moment.question else None, tongue),
        discount=_button(message("that throw did not count") if _ends_with_roll(match) else None, tongue),
        advice=not moment.paused and not moment.waiting and advisable(match),
        match=match,
    )


def _named(die: ShownDie, tongue: Speaker) -> ShownDie:
    choices = tuple(replace(choice, label=tongue.name(choice.face)) for choice in die.choices)
    return replace(die, label=tongue.name(die.face), choices=choices)


def _button(said: Message | None, tongue: Speaker) -> str:
    """What a button says: a capital in front and no full stop; nothing where there is none."""
    words = tongue.clause(said) if said else ""
    return words[:1].upper() + words[1:]


def _count(moment: Moment) -> Message | None:
    """What the button says with which a doubted throw counts."""
    if not moment.countable:
        return None
    if MOVED_ON in moment.question:
        return message("they were thrown again")
    return message("it counts") if moment.question else message("the dice that moved were thrown")


def _throw(moment: Moment) -> Message | None:
    """What the throw button says; None when there is nothing to throw."""
    if moment.match.roll_awaited is not None:
        # At a real table people throw by hand, and the camera sees it.
        said = message("throw again instead") if moment.waiting else message("throw the dice")
        return said if moment.thrower else None
    if moment.waiting or not moment.match.holds:
        return None
    keep = tuple(die.face for die in moment.dice if die.held)
    again = len(moment.dice) - len(keep)
    return (
        message("throw all again") if again == len(moment.dice) else message("throw {n:dice} again", n=again)
    )


def _no_throw(moment: Moment) -> Message | None:
    """Why the dice that are not held cannot be thrown again; None where they can."""
    match, player = moment.match, moment.match.decider
    if moment.waiting or player is None or not match.holds:
        return None
    keep = tuple(die.face for die in moment.dice if die.held)
    try:
        match.game.verify(match.state, Play(player, Hold(keep)))
    except IllegalMoveError as refused:
        return refused.rule
    return None


def _undo(match: Match) -> Message | None:
    """What the button says that takes something back; None when there is nothing to take back."""
    decided = next(
        (one.action for one in reversed(match.played) if isinstance(one.action, (Play, Seated))), None
    )
    if isinstance(decided, Seated) and not match.stop:
        return message("take back the change of players")
    return message("take back the last decision") if match.stop or decided else None


def _ends_with_roll(match: Match) -> bool:
    """Whether the last thing that counts is a throw, so that it can be said not to."""
    number = match.last_roll()
    return not match.stop and number is not None and match.played[-1].number == number

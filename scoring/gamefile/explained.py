"""A game file in sentences: the rules as Tableside understands them, for authors and players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from messages.message import Message, message
from scoring.gamefile.expression import ZERO, Expression
from scoring.gamefile.rules import END, SCORING, TURN, Bonus, Box, Rules, ScoreRule

SETUP = "setup"


@dataclass(frozen=True, slots=True)
class Explained:
    """A paragraph of a game's rules: the id that lines and refusals cite, its title, its sentences."""

    id: str
    title: Message
    sentences: tuple[Message, ...]


def explained(rules: Rules) -> tuple[Explained, ...]:
    """What a game file tells, paragraph by paragraph."""
    return (
        Explained(SETUP, message("Set-up"), tuple(_setup(rules))),
        Explained(TURN, message("Your turn"), tuple(_turn(rules))),
        Explained(SCORING, message("What scores"), tuple(_scoring(rules))),
        Explained(END, message("The end"), tuple(_end(rules))),
    )


def _setup(rules: Rules) -> Iterator[Message]:
    low, high = rules.seats
    yield message(
        "{n:count die dice} of the set {set}, for {low} to {high} players.",
        n=rules.dice.count, set=rules.dice.set_id, low=low, high=high,
    )  # fmt: skip
    if rules.end.start:
        yield message("Everybody begins with {n:points}.", n=rules.end.start)


def _turn(rules: Rules) -> Iterator[Message]:
    turn = rules.turn
    if turn.throws == 1:
        yield message("Throw all dice once.")
    elif turn.throws:
        yield message("Throw up to {n:number} times. Hold dice and throw the others again.", n=turn.throws)
    else:
        yield message("Throw as often as you dare. Hold dice and throw the others again.")
    if turn.aside:
        yield message(
            "To throw again, set aside at least one die that scores. When all have scored, throw them all."
        )
        yield message("A throw without a die that scores ends the turn without points.")
    if turn.throws != 1 and turn.again > 1:
        yield message("Throw at least {n:count die dice} again.", n=turn.again)
    if turn.locked:
        yield message("Never thrown again: {faces:faces}.", faces=turn.locked)
    if turn.bust is not None:
        yield message("The turn ends without points when {when}.", when=turn.bust.text)
    if turn.opening != ZERO:
        yield message(
            "A player’s first score needs at least this many points: {n}.", n=_amount(turn.opening, rules)
        )
    if rules.boxes:
        yield message("End your turn by filling an open box of your sheet.")


def _scoring(rules: Rules) -> Iterator[Message]:
    yield from map(_box, rules.boxes)
    yield from map(_bonus, rules.bonuses)
    yield from map(_score, rules.scores)


def _box(box: Box) -> Message:
    if _unconditional(box.when):
        return message("{box:face}: {points} points.", box=box.name, points=box.points.text)
    return message(
        "{box:face}: {points} points when {when}.", box=box.name, points=box.points.text, when=box.when.text
    )


def _bonus(bonus: Bonus) -> Message:
    return message(
        "{what:rule}: {points} points for at least {least} in {boxes:row}.",
        what=bonus.name, points=bonus.points.text, least=bonus.least.text, boxes=bonus.boxes,
    )  # fmt: skip


def _score(score: ScoreRule) -> Message:
    said = (
        message("{what:rule}: {points} points.", what=score.name, points=score.points.text)
        if _unconditional(score.when)
        else message(
            "{what:rule}: {points} points when {when}.",
            what=score.name, points=score.points.text, when=score.when.text,
        )
    )  # fmt: skip
    if score.take:
        said = message("{said} It uses up {n:count die dice}.", said=said, n=score.take)
    if score.each:
        said = message(
            "{said} For each of {faces:row}; n is how many dice show it.", said=said, faces=score.each
        )
    if score.bust:
        said = message("{said} Only when the turn ends without points.", said=said)
    return message("{said} Everybody else gets them.", said=said) if score.others else said


def _end(rules: Rules) -> Iterator[Message]:
    end = rules.end
    if rules.boxes:
        yield message("The match ends when every box is full.")
    if end.points != ZERO:
        yield message("The match ends when somebody has this many points: {n}.", n=_amount(end.points, rules))
    if end.rounds != ZERO:
        yield message("The match ends after this many rounds: {n}.", n=_amount(end.rounds, rules))
    if end.win is not None:
        yield message("A roll wins at once when {when}.", when=end.win.text)
    if end.out is not None:
        yield message("Whoever has {n:points} or fewer is out; the last one in wins.", n=end.out)
    yield message("The fewest points win.") if end.lowest else message("The most points win.")


def _amount(told: Expression, rules: Rules) -> Message:
    """A number of the rules; of an option, what it is by default."""
    option = next((one for one in rules.options if one.key == told.text), None)
    if option is None:
        return message("{n}", n=told.text)
    return message("{n}, or as you choose ({option:rule})", n=str(option.default), option=option.called())


def _unconditional(when: Expression) -> bool:
    return when.text in ("1", "True")

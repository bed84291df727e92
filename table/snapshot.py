"""The state of a table at one moment, and the notice about it: plain values, made once per change.

They have no language: only ids, numbers, and messages with their values. Page, speech and scoreboard say the same
because they are made from the same notice (invariant 5); each asks a `speaker` of its language for the words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from advice import advisable
from messages.message import Message, message
from scoring.actions import Hold, IllegalMoveError, Play, Seated
from scoring.announcement import awaiting
from scoring.match import Match
from scoring.view import Seat
from table.same_dice import held_places
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import Shape
from vision.frame import Point
from words.dice import speaker_of
from words.speaker import Speaker

MOVED_ON = message("the dice moved again just after they stopped")
"""Asks whether the dice were thrown again or are still the same throw."""


@dataclass(frozen=True, slots=True)
class FaceChoice:
    """One of the faces a die may show; lists of them begin with the likeliest."""

    face: str
    confidence: float | None
    """Confidence, 0 to 1; None for a face that was not read."""


@dataclass(frozen=True, slots=True)
class SnapshotDie:
    """A die on the table, as read and as accepted."""

    number: int
    """Its number, from 1, left to right, which is also the key that holds it."""
    face: str
    shape: Shape
    certain: bool
    held: bool
    choices: tuple[FaceChoice, ...]
    corners: tuple[Point, ...]
    """Outline of its top face in the picture, in pixels; empty for a typed die."""


def typed_die(number: int, face: str, dice_set: DiceSet, *, held: bool) -> SnapshotDie:
    """A die without a camera's reading."""
    choices = tuple(FaceChoice(one, None) for one in dice_set.face_ids)
    return SnapshotDie(number, face, dice_set.shapes[0], certain=True, held=held, choices=choices, corners=())


def typed_dice(
    faces: Iterable[str], dice_set: DiceSet, held: Collection[int] = ()
) -> tuple[SnapshotDie, ...]:
    """Typed dice with these faces of the set, held at the places in `held`."""
    known = ((number, face) for number, face in enumerate(faces, start=1) if face in dice_set.face_ids)
    return tuple(typed_die(number, face, dice_set, held=number in held) for number, face in known)


@dataclass(frozen=True)
class Snapshot:
    """Everything the table shows at one moment.

    A tuple of messages is for sentences, a single message for a button; empty or None if there is none.
    """

    match: Match = field(repr=False)
    dice_set: DiceSet = field(repr=False)
    match_id: str
    """The match's id in the store; a different one means that another match is on the table."""
    dice: tuple[SnapshotDie, ...] = ()
    picture_size: tuple[int, int] = (4, 3)
    """Width and height of the picture in which the dice's corners are."""
    waiting: bool = False
    """The dice need an answer before they can be a roll."""
    seen: int = 0
    """Number of dice the camera sees."""
    question: tuple[Message, ...] = ()
    """The question that must be answered before anything is scored."""
    countable: bool = False
    """Whether "it counts" answers the question."""
    camera: tuple[Message, ...] = ()
    """The camera's trouble."""
    paused: bool = False
    """Nothing counts until somebody continues."""
    thrower: bool = False
    """The table throws its own dice."""
    rolling: bool = False
    """Its dice were thrown and have not been seen at rest, so none can be thrown."""

    def speaker(self, language: str) -> Speaker:
        """The speaker of a language, with the names of these players and dice."""
        return speaker_of(self.dice_set, language, self.match.header.players)

    @property
    def log(self) -> str:
        """The match and the number of its last event, with which people who act say what they saw."""
        return f"{self.match_id}:{len(self.match.events)}"

    @property
    def title(self) -> str:
        """The game's title."""
        return self.match.game.title

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players with their scores."""
        return self.match.view.seats

    @property
    def throws(self) -> tuple[int, int]:
        """Number of throws made this turn, and the most a turn may have."""
        return self.match.view.throws

    @property
    def throw_number(self) -> int:
        """The number of the throw that is due or on the table, from 1."""
        return self.throws[0] + (1 if self.match.roll_awaited else 0)

    @property
    def rarest(self) -> Message | None:
        """What to announce of the roll on the table, unless the game has something rarer."""
        return self.match.rarest

    @property
    def on_turn(self) -> str:
        """The player whose turn it is; empty if the match is over."""
        return next((seat.name for seat in self.seats if seat.on_turn), "")

    @property
    def over(self) -> tuple[Message, ...]:
        """The result of the match."""
        return awaiting(self.match) if self.match.outcome else ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, from 0."""
        return self.match.outcome.winners if self.match.outcome else ()

    @property
    def prompt(self) -> tuple[Message, ...]:
        """What the players must do now."""
        return (message("the dice are rolling"),) if self.rolling else awaiting(self.match)

    @property
    def roll(self) -> tuple[str, ...]:
        """The faces of the roll on the table."""
        return () if self.waiting else tuple(die.face for die in self.dice)

    @property
    def retype(self) -> bool:
        """A roll is on the table whose faces can be typed again."""
        return bool(self.roll)

    @property
    def too_many(self) -> bool:
        """More dice are seen than the game has, so some can be dismissed."""
        roll = self.match.roll_awaited
        return self.waiting and self.seen > (self.match.game.dice.count if roll is None else roll.dice)

    @property
    def can_hold(self) -> bool:
        """Dice may be held."""
        return bool(self.match.holds) and not self.waiting

    @property
    def throw(self) -> Message | None:
        """The button that throws."""
        roll = self.match.roll_awaited
        if roll is not None:
            if not self.thrower:  # at a real table people throw by hand and the camera sees it
                return None
            said = message("throw again instead")
            return said if self.waiting else self._throwing(roll.dice - len(roll.kept))
        return self._throwing(sum(not die.held for die in self.dice)) if self.can_hold else None

    def _throwing(self, dice: int) -> Message:
        return message("throw {n:count die dice}", n=dice) if dice else message("throw the dice")

    @cached_property
    def no_throw(self) -> Message | None:
        """Why the rules disable that button now: the dice that are not held cannot be thrown again."""
        player = self.match.decider
        if player is None or not self.can_hold:
            return None
        keep = tuple(die.face for die in self.dice if die.held)
        try:
            self.match.game.verify(self.match.state, Play(player, Hold(keep)))
        except IllegalMoveError as refused:
            return refused.rule
        return None

    @property
    def count(self) -> Message | None:
        """The button that counts a doubted throw, or confirms that doubted dice were read right."""
        if not self.countable:
            return None
        if MOVED_ON in self.question:
            return message("new throw")
        if not all(die.certain for die in self.dice):
            return message("they’re all correct")
        return message("count this roll") if self.question else message("count as a throw")

    @property
    def same_throw(self) -> Message | None:
        """The button that replaces the last throw by the dice on the table."""
        return message("same throw") if MOVED_ON in self.question else None

    @property
    def discount(self) -> Message | None:
        """The button that discards the last throw, if nothing was decided since."""
        number = self.match.last_roll()
        last = number is not None and self.match.played[-1].number == number
        return message("don’t count this throw") if last and not self.match.stop else None

    @property
    def undo(self) -> Message | None:
        """The button that undoes something."""
        decided = (
            one.action for one in reversed(self.match.played) if isinstance(one.action, (Play, Seated))
        )
        last = next(decided, None)
        if isinstance(last, Seated) and not self.match.stop:
            return message("undo player change")
        return message("undo the last decision") if self.match.stop or last else None

    @property
    def advice(self) -> bool:
        """Whether there is a choice to ask the expert about."""
        return not self.paused and not self.waiting and advisable(self.match)


def past_snapshot(match: Match, dice_set: DiceSet, match_id: str) -> Snapshot:
    """The public state of the table when the match had this length."""
    dice = typed_dice(match.view.dice, dice_set, held_places(match.view.dice, match.view.kept))
    question = (match.stop.message,) if match.stop else ()
    return Snapshot(match, dice_set, match_id, dice, seen=len(dice), question=question)


@dataclass(frozen=True, slots=True)
class Notice:
    """An event, the messages to say about it, and the table's state after it.

    `number` counts a table's notices from 1 and continues across matches. A notice without messages is only shown.
    """

    number: int
    said: tuple[Message, ...]
    snapshot: Snapshot
    language: str = "en"
    """The table's language, for outputs other than pages."""

    def sentence(self, language: str = "") -> str:
        """The messages as one announcement, by default in the table's language."""
        return self.snapshot.speaker(language or self.language).sentence(self.said)

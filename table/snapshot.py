"""How a table stands at one moment, and the notice that tells of it: plain values, made once per change.

They have no language: ids, numbers, and messages with their values. Page, speech and scoreboard say the same because
they are made from the same notice (invariant 5); each asks a `speaker` of its language for the words.
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
"""Asked: whether what lies there now was thrown again, or is the same throw."""


@dataclass(frozen=True, slots=True)
class FaceChoice:
    """One of the faces a die may show, likeliest first in any list of them."""

    face: str
    confidence: float | None
    """How sure the camera is of it, 0 to 1; None for a face it did not think of."""


@dataclass(frozen=True, slots=True)
class SnapshotDie:
    """A die on the table, as read and as accepted."""

    number: int
    """From 1, left to right; the key that holds it."""
    face: str
    shape: Shape
    certain: bool
    held: bool
    choices: tuple[FaceChoice, ...]
    corners: tuple[Point, ...]
    """The top face's outline in the picture, in pixels; empty for a typed die."""


def typed_die(number: int, face: str, dice_set: DiceSet, *, held: bool) -> SnapshotDie:
    """A die that no camera saw."""
    choices = tuple(FaceChoice(one, None) for one in dice_set.face_ids)
    return SnapshotDie(number, face, dice_set.shapes[0], certain=True, held=held, choices=choices, corners=())


def typed_dice(
    faces: Iterable[str], dice_set: DiceSet, held: Collection[int] = ()
) -> tuple[SnapshotDie, ...]:
    """Such dice with these faces, those at the places `held` among them; of faces that the set has."""
    known = ((number, face) for number, face in enumerate(faces, start=1) if face in dice_set.face_ids)
    return tuple(typed_die(number, face, dice_set, held=number in held) for number, face in known)


@dataclass(frozen=True)
class Snapshot:
    """Everything the table shows at one moment.

    A tuple of messages is said in sentences, a single message stands on a button; None or nothing where there is
    neither.
    """

    match: Match = field(repr=False)
    dice_set: DiceSet = field(repr=False)
    match_id: str
    """Under which the match is kept; another one, and another match is on the table."""
    dice: tuple[SnapshotDie, ...] = ()
    picture_size: tuple[int, int] = (4, 3)
    """Width and height the dice's corners refer to."""
    waiting: bool = False
    """The dice wait for an answer before they can be a roll."""
    seen: int = 0
    """How many dice the camera sees."""
    question: tuple[Message, ...] = ()
    """What the table asks before it scores anything."""
    countable: bool = False
    """Whether "it counts" answers the question."""
    camera: tuple[Message, ...] = ()
    """What is wrong with the camera."""
    paused: bool = False
    """Nothing counts until somebody goes on."""
    thrower: bool = False
    """The table throws its own dice."""
    rolling: bool = False
    """They were thrown, and nobody has seen them lie yet: none can be thrown."""

    def speaker(self, language: str) -> Speaker:
        """Who says it in a language, with the names of these players and dice."""
        return speaker_of(self.dice_set, language, self.match.header.players)

    @property
    def log(self) -> str:
        """The match and the number of its last event: whoever acts says which state they saw."""
        return f"{self.match_id}:{len(self.match.events)}"

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.match.game.title

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays, with their scores."""
        return self.match.view.seats

    @property
    def throws(self) -> tuple[int, int]:
        """How many throws of this turn were made, and how many a turn has at most."""
        return self.match.view.throws

    @property
    def throw_number(self) -> int:
        """Which throw of this turn is due, or lies there, from 1."""
        return self.throws[0] + (1 if self.match.roll_awaited else 0)

    @property
    def rarest(self) -> Message | None:
        """What to call out of the roll that lies there, where the game has no rarer one."""
        return self.match.rarest

    @property
    def on_turn(self) -> str:
        """Whose turn it is; empty when the match is over."""
        return next((seat.name for seat in self.seats if seat.on_turn), "")

    @property
    def over(self) -> tuple[Message, ...]:
        """How the match ended."""
        return awaiting(self.match) if self.match.outcome else ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, from 0."""
        return self.match.outcome.winners if self.match.outcome else ()

    @property
    def prompt(self) -> tuple[Message, ...]:
        """What is to be done now."""
        return (message("the dice are rolling"),) if self.rolling else awaiting(self.match)

    @property
    def roll(self) -> tuple[str, ...]:
        """The faces of the roll that lies there."""
        return () if self.waiting else tuple(die.face for die in self.dice)

    @property
    def retype(self) -> bool:
        """A roll lies there whose faces can be typed anew."""
        return bool(self.roll)

    @property
    def too_many(self) -> bool:
        """More dice are seen than the game has: some of them can be dismissed."""
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
            if not self.thrower:  # at a real table people throw by hand, and the camera sees it
                return None
            said = message("throw again instead")
            return said if self.waiting else self._throwing(roll.dice - len(roll.kept))
        return self._throwing(sum(not die.held for die in self.dice)) if self.can_hold else None

    def _throwing(self, dice: int) -> Message:
        return message("throw {n:count die dice}", n=dice) if dice else message("throw the dice")

    @cached_property
    def no_throw(self) -> Message | None:
        """Why that button cannot be pressed now, by the rules: the dice that are not held cannot be thrown again."""
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
        """The button that counts a doubted throw, or says that doubted dice were read right."""
        if not self.countable:
            return None
        if MOVED_ON in self.question:
            return message("new throw")
        if not all(die.certain for die in self.dice):
            return message("they’re all correct")
        return message("count this roll") if self.question else message("count as a throw")

    @property
    def same_throw(self) -> Message | None:
        """The button by which what lies there takes the place of the last throw."""
        return message("same throw") if MOVED_ON in self.question else None

    @property
    def discount(self) -> Message | None:
        """The button by which the last throw does not count: where nothing was decided since."""
        number = self.match.last_roll()
        last = number is not None and self.match.played[-1].number == number
        return message("don’t count this throw") if last and not self.match.stop else None

    @property
    def undo(self) -> Message | None:
        """The button that takes something back."""
        decided = (
            one.action for one in reversed(self.match.played) if isinstance(one.action, (Play, Seated))
        )
        last = next(decided, None)
        if isinstance(last, Seated) and not self.match.stop:
            return message("undo player change")
        return message("undo the last decision") if self.match.stop or last else None

    @property
    def advice(self) -> bool:
        """There is something to ask the expert about now."""
        return not self.paused and not self.waiting and advisable(self.match)


def past_snapshot(match: Match, dice_set: DiceSet, match_id: str) -> Snapshot:
    """How the table stood when the match was as long as this: everything that was for all to see."""
    dice = typed_dice(match.view.dice, dice_set, held_places(match.view.dice, match.view.kept))
    question = (match.stop.message,) if match.stop else ()
    return Snapshot(match, dice_set, match_id, dice, seen=len(dice), question=question)


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that happened, what there is to say of it, and how the table stands after it.

    `number` counts a table's notices from 1, from match to match. A notice of which nothing is said is only shown.
    """

    number: int
    said: tuple[Message, ...]
    snapshot: Snapshot
    language: str = "en"
    """The table's own, in which outputs beside the pages say it."""

    def sentence(self, language: str = "") -> str:
        """What is said, as one announcement; by default in the table's own language."""
        return self.snapshot.speaker(language or self.language).sentence(self.said)

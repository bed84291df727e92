"""Tells what happened to the dice between two readings: nothing, put back, moved, thrown, or something to ask about.

A state machine without locks, clock or match: a reading and what is `Due` go in, a `DiceEvent` comes out. It does not
decide what counts. Nothing uncertain and nothing ambiguous becomes a roll (invariant 3).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from messages.message import Message, message
from scoring.actions import Roll, refuse
from scoring.match import Match
from table.same_dice import (
    LAY_WITHIN,
    Matching,
    Stay,
    apart,
    held_places,
    leaning,
    lie_alike,
    matching,
    only_moved,
)
from table.snapshot import MOVED_ON, FaceChoice, SnapshotDie, typed_die
from table.tracked_die import TrackedDie, tracked, written
from vision.dicesets.model import DiceSet
from vision.expected import expected, missing
from vision.frame import Point
from vision.reading import UNKNOWN, DieReading, Reading, Since

Dice = tuple[TrackedDie, ...]

HARDLY = 0.8
"""Dice that move again within this many seconds still belong to the same throw: no player decides that fast."""

MOST_CHOICES = 4
"""Faces offered for a die that was read, before the rest of the set."""

MOST_NAMED = 3
"""Most faces named when asking about a doubtful die."""


@dataclass(frozen=True, slots=True)
class Due:
    """What a match expects of its dice."""

    dice: int
    """How many dice belong on the table."""
    throw: bool = False
    """A throw is due …"""
    kept: tuple[str, ...] = ()
    """… for which people keep these faces (if none, all dice are thrown)."""
    hold: bool = False
    """Players may hold dice without saying so and throw the others again."""
    roll: int | None = None
    """The event number of the last roll that counts …"""
    faces: tuple[str, ...] = ()
    """… and the faces its dice count as."""
    events: int = 0
    """Number of events in the log."""
    lies: bool = False
    """That roll still lies on the table …"""
    held: tuple[str, ...] = ()
    """… and by the rules these faces of it are held."""


def due_of(match: Match) -> Due:
    """What a match expects of its dice."""
    throw, number = match.roll_awaited, match.last_roll()
    rolls = {one.number: one.action.faces for one in match.played if isinstance(one.action, Roll)}
    return Due(
        dice=throw.dice if throw else match.game.dice.count,
        throw=throw is not None,
        kept=throw.kept if throw else (),
        hold=bool(match.holds),
        roll=number,
        faces=rolls[number] if number else (),
        events=len(match.events),
        lies=bool(match.view.dice),
        held=match.view.kept,
    )


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Nothing new happened."""


@dataclass(frozen=True, slots=True)
class Cleared:
    """No dice are left on the table."""


@dataclass(frozen=True, slots=True)
class PutBack:
    """The dice that counted last are on the table, or some of them while the others are in a hand."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The dice that count seem to have been moved; `countable` if they may have been thrown instead."""

    question: tuple[Message, ...] = ()
    countable: bool = False


@dataclass(frozen=True, slots=True)
class Rolled:
    """A throw without any doubt: every die's face, and the faces of the dice that stayed."""

    faces: tuple[str, ...]
    stayed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Something to ask before the dice can count as a throw; `countable` if "it counts" is an answer."""

    question: tuple[Message, ...]
    countable: bool = False


DiceEvent: TypeAlias = "Unchanged | Cleared | PutBack | Moved | Rolled | Doubtful"


@dataclass(frozen=True, slots=True)
class PendingThrow:
    """A throw that waits for an answer: the dice at places `stayed` were at places `known` before (from 0)."""

    stayed: tuple[int, ...] = ()
    known: tuple[int, ...] = ()
    doubt: tuple[Message, ...] = ()
    """What to ask before it counts."""


class DiceTracker:
    """Follows the dice that the camera sees and the rolls they became. People count dice from 1, left to right."""

    def __init__(self, dice_set: DiceSet) -> None:
        """Nothing was seen yet."""
        self.waiting = False
        """The dice on the table need an answer before they can be a roll."""
        self.picture_size = (4, 3)
        self.held: frozenset[int] = frozenset()
        """The dice that people mean to hold."""
        self._dice_set = dice_set
        self._lying: Dice = ()
        """The dice the camera saw last, with people's corrections."""
        self._base: Dice = ()
        """The dice as they lay when they last counted; later readings are compared with them."""
        self._followed = False
        """Whether the base is known; it is not before the first roll the camera saw."""
        self._lay = 0.0
        """The longest time in seconds for which the dice have lain still since then."""
        self._since = Since()
        """What the table did before the dice came to rest as they are now."""
        self._base_roll: int | None = None
        """The event number of the roll that the base is."""
        self._unseen: tuple[str, ...] = ()
        """Faces of that roll that people typed although the camera saw no such dice."""
        self._left: tuple[int, ...] | None = None
        """Places in the base of the dice left on the table while the others were in a hand."""
        self._kept: tuple[int, ...] = ()
        """Places in the base of the dice that people hold for this throw, as they said."""
        self._rolls: dict[int, Dice] = {}
        """The dice of each roll, by the roll's event number, as the camera saw them."""
        self._throw = PendingThrow()
        self._trusted = False
        """People said that it counts: dice that stayed or lean raise no more questions."""
        self._anew = False
        """Another camera is in use, and there is no reading from it yet."""
        self._no_dice: Dice = ()
        """Things that people said are not dice; they are ignored as long as they lie there."""
        self._faint: Dice = ()
        """Things in the last reading that probably are not dice, but are asked about if dice of a throw are missing."""

    # --- what the camera sees

    def update(self, reading: Reading, due: Due, *, asked: bool = False, by_itself: bool = False) -> DiceEvent:
        """Take a reading of settled dice.

        `asked`: the table has a question about these dice. `by_itself`: the table itself threw them, so it is a throw.
        """
        before, now = self._lying, self._dice_in(reading, due)
        self._faint = self._seen(reading.faint)
        self.picture_size = (reading.width, reading.height)
        self._lay = max(self._lay, reading.since.lay)
        self._since = reading.since
        news = not (before and lie_alike(before, now))
        if news or not self.waiting:  # people may have corrected dice that wait for an answer
            self._lying = now
        anew, self._anew = self._anew, False
        if not self._lying:
            self.waiting, self._followed = False, True
            self._base, self._base_roll, self._left, self._kept = (), None, None, ()
            return Cleared()
        if anew and not self.waiting:
            return self._first_look(due)
        if self.waiting and asked and not (news or by_itself):
            return Unchanged()
        if due.throw:
            return self._while_a_throw_is_due(due, by_itself=by_itself)
        if self._is_put_back(due):
            return PutBack()
        if due.hold and self._followed:
            return self._while_deciding(due, by_itself=by_itself)
        if not news or (self._followed and isinstance(self._became(), PutBack)):
            return Unchanged()
        if self._rolled_on(due):
            return Moved((MOVED_ON, message("is this still the same throw?")))
        return Moved((message("the dice moved, but it is not time to throw"),))

    def complete(self, reading: Reading, due: Due) -> bool:
        """Whether a reading shows all dice that are due, each certain, and plainly if the reading is of one frame."""
        dice = self._dice_in(reading, due)
        plain = bool(reading.frames) or all(die.read.plain for die in dice)
        return len(dice) == due.dice and plain and all(die.certain for die in dice)

    def _dice_in(self, reading: Reading, due: Due) -> Dice:
        """The dice in a reading; a faint one counts if a die was there before, since people were asked about that."""
        were = (*self._lying, *self._base)
        faint = (die for die in self._seen(reading.faint) if any(apart(one, die) < LAY_WITHIN for one in were))
        dice = [die.read for die in (*self._seen(reading.dice), *faint)]
        return tracked(expected(dice, due.dice, reading.certain_from))

    def _seen(self, finds: Iterable[DieReading]) -> Dice:
        """Finds without the things that people said are not dice; a die that lies on such a thing counts."""
        return tuple(
            die
            for die in tracked((one, one.certain) for one in finds)
            if not any(
                apart(one, die) < LAY_WITHIN and (die.read.face == one.read.face or not die.certain)
                for one in self._no_dice
            )
        )

    def _while_a_throw_is_due(self, due: Due, *, by_itself: bool) -> DiceEvent:
        """Dice that lie as they last counted are not a throw, nor are those of them that a hand left there."""
        became = self._became() if self._followed else None
        if isinstance(became, PutBack):
            self.waiting = False
            return became
        throw = self._thrown(due.kept)
        if isinstance(became, Matching) and not (by_itself or self._since.rolled):
            doubt = (message("the dice show the same faces as before"), message("were they thrown?"))
            throw = replace(throw, doubt=doubt)
        return self._take(throw, due, by_itself=by_itself)

    def _while_deciding(self, due: Due, *, by_itself: bool) -> DiceEvent:
        """The player may hold dice and throw the others without saying so: dice that stayed are held.

        If all dice show the same faces as before and some lie elsewhere, they were thrown if something was seen to
        roll. If a hand moved last, it set them aside. Hands and elbows do that all evening, so it is shown, but not
        asked aloud.
        """
        became = self._became()
        if isinstance(became, PutBack):
            self.waiting = False
            return became
        if isinstance(became, PendingThrow):
            return self._take(became, due, by_itself=by_itself)
        elsewhere = any(one.stay is Stay.SET_ASIDE for one in became.pairs)
        if elsewhere and self._since.rolled:
            known = matching(self._base, self._lying)
            return self._take(PendingThrow(known.stayed, known.order), due, by_itself=by_itself)
        self._place(became.order)
        still = tuple(sorted(one.before for one in became.pairs if one.stay is Stay.LAY))
        self._throw = PendingThrow(still, still)
        if not elsewhere or self._since.handled:
            return Moved(countable=True)
        moved = len(became.pairs) - len(still)
        alike = (
            message("{n:dice} moved but still shows the same face", n=moved)
            if moved == 1
            else message("{n:dice} moved but still show the same faces", n=moved)
        )
        return Moved((alike, message("if that was a throw, confirm it")), countable=True)

    def _first_look(self, due: Due) -> DiceEvent:
        """Take the first reading of another camera: places mean nothing now, and nobody saw how the dice got there."""
        if self._know_by_faces():
            return PutBack()
        self._forget_rolls()
        if not due.throw:
            return PutBack()
        doubt = (message("these dice were already there when the camera changed"), message("were they thrown?"))
        return self._take(PendingThrow(doubt=doubt), due, by_itself=True)

    def _take(self, throw: PendingThrow, due: Due, *, by_itself: bool) -> DiceEvent:
        """Let a throw wait to be judged. Dice that stayed keep their faces, whatever is read of them now.

        A throw that nobody asked for, right after another, may be the same one still rolling, so people are asked.
        """
        if not by_itself and self._rolled_on(due):
            doubt = (MOVED_ON, message("is this a new throw or still the same one?"))
            throw = replace(throw, doubt=doubt)
        self.waiting, self._throw, self._trusted = True, throw, False
        lying = list(self._lying)
        for now, before in zip(throw.stayed, throw.known, strict=True):
            lying[now] = lying[now].known_as(self._base[before])
        self._lying = tuple(lying)
        self._fill_up(due)
        return self.judged(due)

    def _fill_up(self, due: Due) -> None:
        """If dice of a throw are missing, add the things that may be these dice, to be asked about."""
        lying = [die.read for die in self._lying]
        free = [die.read for die in self._faint if die.read not in lying]
        if perhaps := missing(len(self._lying), free, due.dice):
            before, filled = self._lying, (*self._lying, *tracked((one, False) for one in perhaps))
            self._lying = tuple(sorted(filled, key=lambda die: die.read.centre))
            stayed = tuple(self._lying.index(before[place]) for place in self._throw.stayed)
            self._throw = replace(self._throw, stayed=stayed)

    # --- judging the throw that waits

    def judged(self, due: Due) -> Rolled | Doubtful:
        """The dice on the table as a roll, or the question to ask before they can be one."""
        doubtful = [number for number, die in enumerate(self._lying, start=1) if not die.certain]
        if len(self._lying) != due.dice or doubtful:
            named = len(self._lying) == due.dice and all(die.face != UNKNOWN for die in self._lying)
            return Doubtful(self._unclear(due.dice, doubtful), countable=named and len(doubtful) > 1)
        if not self._trusted:
            if leans := leaning([die.read.corners for die in self._lying]):
                first = message("die {n} is leaning on something", n=leans[0] + 1)
                return Doubtful((first, message("lay it flat, or count this roll")), countable=True)
            if self._throw.doubt:
                return Doubtful(self._throw.doubt, countable=True)
        faces = tuple(die.face for die in self._lying)
        return Rolled(faces, tuple(faces[place] for place in self._throw.stayed))

    def _unclear(self, due: int, doubtful: Sequence[int]) -> tuple[Message, ...]:
        """The question about dice if their number is wrong or some faces are uncertain."""
        over = len(self._lying) - due
        if over:
            there = message(
                "I see {seen:dice}, but the game needs {due:number}", seen=len(self._lying), due=due
            )
            if over > 0:
                return there, message("which one is not a die?")
            off = (
                "is one off the table or on top of another?"
                if over == -1
                else "are some off the table or on top of others?"
            )
            return there, message(off), message("move them apart, or type the roll")
        first = self._lying[doubtful[0] - 1]
        asked = [message("what does die {n} show?", n=doubtful[0])]
        likely = tuple(one.face for one in first.read.alternatives if one.face != UNKNOWN)[:MOST_NAMED]
        if first.face == UNKNOWN:
            asked.append(message("this face is not in this dice set: is the die from another one?"))
        elif likely:
            asked.append(message("it could be {faces:maybe}", faces=likely))
        if len(doubtful) > 1:
            asked.append(message("I’m not sure about {n:number} dice", n=len(doubtful)))
        return tuple(asked)

    def trusted(self, due: Due) -> Rolled | Doubtful:
        """People said that the dice on the table count, or what they show."""
        self.waiting = self._trusted = True
        return self.judged(due)

    def still_the_throw(self, due: Due) -> Rolled | Doubtful:
        """People said that the last throw was not over: the dice on the table are its result."""
        self.waiting, self._throw, self._trusted = True, PendingThrow(), False
        return self.judged(due)

    def correct(self, number: int, face: str) -> None:
        """Correct the face of a die that waits for an answer."""
        self._lying = _changed(self._lying, number, face)

    def dismiss(self, number: int) -> None:
        """Drop a find that is not a die. Raises IllegalMoveError if there is no such number."""
        if not 1 <= number <= len(self._lying):
            refuse("choose a die from 1 to {n}, not {number}", n=len(self._lying), number=number)
        place = number - 1
        self._no_dice = (*self._no_dice, self._lying[place])
        self._lying = (*self._lying[:place], *self._lying[number:])
        left = [pair for pair in zip(self._throw.stayed, self._throw.known, strict=True) if pair[0] != place]
        stayed = tuple(now - (now > place) for now, _ in left)
        self._throw = replace(self._throw, stayed=stayed, known=tuple(known for _, known in left))

    def record(self) -> str:
        """The dice on the table as text, to be kept with the roll they become."""
        return written(self._lying, self.picture_size)

    def thrown(self) -> tuple[DieReading, ...]:
        """The dice of the waiting throw that were read for certain, without those that stayed."""
        dice = (die for place, die in enumerate(self._lying) if place not in self._throw.stayed)
        return tuple(die.read for die in dice if die.read.certain and die.read.face == die.face)

    def read_right(self) -> tuple[DieReading, ...]:
        """The dice of the waiting throw that were read right, whether certain or not, including those that stayed."""
        return tuple(die.read for die in self._lying if die.read.face == die.face)

    def stayed(self) -> frozenset[int]:
        """The numbers, from 1, of dice in the waiting throw that lie where they lay before it."""
        return frozenset(place + 1 for place in self._throw.stayed)

    def became(self, number: int) -> None:
        """The dice on the table were accepted as the roll with this event number."""
        self._rolls[number] = self._lying
        self._follow(number)

    def _follow(self, number: int) -> None:
        """From now on compare readings with the dice on the table, which are the roll with this event number."""
        self._base = self._lying
        self._base_roll, self._left, self._kept, self._lay, self._unseen = number, None, (), 0.0, ()
        self.waiting, self._followed = False, True

    def typed(self, number: int, faces: Sequence[str]) -> None:
        """People typed the roll with this event number: the dice that wait for an answer belong to it.

        Finds beyond the typed faces are not dice. Faces for which no die was seen may turn up later.
        """
        if self.waiting:
            self._lying, over, unseen = _as_typed(self._lying, faces)
            self._no_dice += over
            self._follow(number)
            self._unseen = unseen

    # --- what people do

    def throwing(self, due: Due) -> tuple[Point, ...]:
        """People are about to throw the dice they do not hold: the places in the picture of those that stay."""
        seen = self._in_picture(due)
        self._kept = tuple(number - 1 for number in sorted(self.held)) if seen else ()
        self._left = None
        return tuple(self._lying[place].read.centre for place in self._kept)

    def went_on(self, counting: Collection[int]) -> None:
        """The match moved on or back: nothing is held, and rolls that no longer count are forgotten."""
        self.held = frozenset()
        self._rolls = {number: dice for number, dice in self._rolls.items() if number in counting}

    def correct_roll(self, event: int, number: int, face: str) -> None:
        """Correct the face of a die in an accepted roll."""
        known = self._rolls.get(event)
        if known is None:
            return
        changed = self._rolls[event] = _changed(known, number, face)
        self._lying = changed if self._lying is known else self._lying
        self._base = changed if self._base is known else self._base

    def read(self, number: int, due: Due) -> DieReading | None:
        """The camera's reading of die `number` (from 1); None for a typed one."""
        dice = self._lying if self.waiting else self._rolls.get(due.roll or 0, ())
        return dice[number - 1].read if 1 <= number <= len(dice) else None

    # --- from match to match, from camera to camera

    def restore(self, due: Due, dice: Dice, size: tuple[int, int]) -> None:
        """Recall the dice of the last roll as they lay before a pause or a crash, so that they are not a new throw."""
        self.picture_size = size
        if due.roll is not None and len(dice) == len(due.faces):
            self._lying = tuple(die.corrected(face) for die, face in zip(dice, due.faces, strict=True))
            self.became(due.roll)

    def inherit(self, before: DiceTracker) -> None:
        """Take over the dice on the table from another match with the same set; they are not a throw of this one."""
        if not self._followed:
            held, self._lying, self.picture_size = self.held, before._lying, before.picture_size
            self._forget_rolls()
            self.held = held
        self._no_dice = before._no_dice

    def _forget_rolls(self) -> None:
        """The dice on the table belong to no roll of this match, and are not a throw of it."""
        self._base, self._base_roll, self._rolls = self._lying, None, {}
        self._left, self._kept, self.waiting = None, (), False
        self.held = frozenset()
        self._followed = True

    def shift(self, move: Point, size: tuple[int, int]) -> None:
        """The picture shows another part of the table: the same dice are moved by `move` pixels in it."""
        known = {id(dice): dice for dice in (self._lying, self._base, *self._rolls.values())}
        moved = {one: tuple(die.moved(move) for die in dice) for one, dice in known.items()}
        # Tuples that were one object stay one object, which tells that a roll is what lies on the table.
        self._lying, self._base = moved[id(self._lying)], moved[id(self._base)]
        self._rolls = {number: moved[id(dice)] for number, dice in self._rolls.items()}
        self._no_dice = tuple(die.moved(move) for die in self._no_dice)
        self.picture_size = size

    def camera_changed(self) -> None:
        """Another camera is in use: none of the dice are where they were seen before."""
        self._anew, self._no_dice = True, ()
        if not self.waiting:
            self._lying = ()

    # --- what is shown

    @property
    def count(self) -> int:
        """Number of dice the camera sees."""
        return len(self._lying)

    def shown(self, due: Due) -> tuple[SnapshotDie, ...]:
        """The dice shown to people: those that wait for an answer, or those of the roll."""
        if self.waiting:
            return tuple(self._show(number, die) for number, die in enumerate(self._lying, 1))
        if due.roll is None or not due.lies:
            return ()
        held = self.held or held_places(due.faces, due.held)
        known, outlined = self._rolls.get(due.roll), self._in_picture(due)
        if known is None:
            return tuple(
                typed_die(number, face, self._dice_set, held=number in held)
                for number, face in enumerate(due.faces, 1)
            )
        return tuple(
            self._show(number, replace(die, face=face, certain=True), held=number in held, outlined=outlined)
            for number, (die, face) in enumerate(zip(known, due.faces, strict=True), 1)
        )

    def _show(
        self, number: int, die: TrackedDie, *, held: bool = False, outlined: bool = True
    ) -> SnapshotDie:
        """A die as outputs show it; every face of the set can be chosen, the likeliest first."""
        likely = [one for one in die.read.alternatives if one.face != UNKNOWN][:MOST_CHOICES]
        named = {one.face for one in likely}
        others = (face.id for face in self._dice_set.faces_for(die.read.shape) if face.id not in named)
        choices = (
            *(FaceChoice(one.face, one.confidence) for one in likely),
            *(FaceChoice(face, None) for face in others),
        )
        corners = die.read.corners if outlined else ()
        return SnapshotDie(number, die.face, die.read.shape, die.certain, held, choices, corners)

    # --- following the dice that counted last

    def _became(self) -> PutBack | Matching | PendingThrow:
        """What happened to the dice that counted last.

        PutBack if all or some of them still lie there, and these are followed; a Matching if all show the same faces
        but some lie elsewhere, moved or thrown with luck; otherwise they were thrown.
        """
        if self._unseen and self._left is None and not self._since.rolled:
            self._turn_up()
        old, new = self._base, self._lying
        strict = matching(old, new)
        if not strict.came and not strict.went and self._left is None:
            self._place(strict.order)
            return PutBack()
        left = only_moved(old, new)
        if left is not None and len(new) < len(old):
            self._place(left.order)
            self._left = left.order
            return PutBack()
        if self._left is not None:
            known = matching(old, new, expected=self._left)
            return PendingThrow(known.stayed, known.order)
        if left is not None and not left.went:
            return left
        return PendingThrow(strict.stayed, strict.order)

    def _turn_up(self) -> None:
        """Recognise new dice as those that were not seen when people typed the roll, if their faces agree."""
        came = tuple(self._lying[place] for place in matching(self._base, self._lying).came)
        faces, unseen = Counter(die.face for die in came), Counter(self._unseen)
        if faces <= unseen:
            self._base, self._unseen = (*self._base, *came), tuple((unseen - faces).elements())

    def _rolled_on(self, due: Due) -> bool:
        """Whether the roll that counts had hardly come to rest, and nobody has done anything since."""
        return self._base_roll == due.roll == due.events and not self.held and self._lay < HARDLY

    def _thrown(self, kept: Sequence[str]) -> PendingThrow:
        """The throw on the table, for which people keep these faces, with a doubt unless exactly those dice still lie
        where they were."""
        strict = matching(self._base, self._lying)
        unmoved = {one.after + 1 for one in strict.pairs if one.stay is Stay.LAY}
        if not kept:
            return PendingThrow(doubt=_left_lying(unmoved))
        if len(self._kept) != len(kept):
            return PendingThrow()
        held = [self._base[place] for place in self._kept]
        known = matching(held, self._lying, expected=range(len(held)))
        away = [one for one in known.pairs if one.stay is Stay.SET_ASIDE]
        if away:
            nearest = min(away, key=lambda one: apart(held[one.before], self._lying[one.after]))
            face = held[nearest.before].face
            doubt = (
                message("the held {face:face} has moved", face=face),
                message("was it just nudged?"),
            )
        else:
            doubt = _left_lying(unmoved - {one.after + 1 for one in known.pairs})
        return PendingThrow(known.stayed, tuple(self._kept[place] for place in known.order), doubt)

    def _is_put_back(self, due: Due) -> bool:
        """Whether the dice on the table are the roll that counts, put back after an undo."""
        if due.roll is None:
            return False
        known = self._rolls.get(due.roll)
        if known is None:
            if Counter(due.faces) != Counter(die.face for die in self._lying):
                return False
            self._lying, _, _ = _as_typed(self._lying, due.faces)
            self.became(due.roll)
            return True
        found = matching(known, self._lying)
        if found.came or found.went:
            return False
        self._base, self._base_roll, self._left = known, due.roll, None
        self.waiting, self._followed = False, True
        self._place(found.order)
        return True

    def _know_by_faces(self) -> bool:
        """Whether, by their faces alone, the dice on the table are all or some of those that counted last.

        If so, they are followed from where they lie now. Of dice with the same face, held ones come first.
        """
        if not self._followed or not self._lying or not all(die.certain for die in self._lying):
            return False
        free = sorted(range(len(self._base)), key=lambda place: place not in self._kept)
        order: list[int] = []
        for die in self._lying:
            known = next((place for place in free if self._base[place].face == die.face), None)
            if known is None:
                return False
            free.remove(known)
            order.append(known)
        self._place(order)
        if free:
            self._left = tuple(order)
        self.waiting = False
        return True

    def _place(self, order: Sequence[int]) -> None:
        """Note where dice of the base lie now: die by die, `order` is their place in the base.

        They keep their numbers and the faces that people gave them.
        """
        base = list(self._base)
        for now, before in enumerate(order):
            base[before] = self._lying[now].known_as(base[before])
        known = self._base_roll is not None and self._rolls.get(self._base_roll) is self._base
        self._base = tuple(base)
        if known and self._base_roll is not None:
            self._rolls[self._base_roll] = self._base
        if len(order) == len(base):
            self._lying, self._left = self._base, None

    def _in_picture(self, due: Due) -> bool:
        """Whether the dice on the table are the last roll."""
        return due.roll is not None and self._rolls.get(due.roll) is self._lying


def _left_lying(numbers: Collection[int]) -> tuple[Message, ...]:
    """The question about dice that should have been thrown and have not moved; empty if there are none."""
    if not numbers:
        return ()
    dice = tuple(str(number) for number in sorted(numbers))
    if len(dice) == 1:
        lies = message("die {n} hasn’t moved", n=dice[0])
    else:
        lies = message("dice {numbers:listed} haven’t moved", numbers=dice)
    return lies, message("count this roll anyway?")


def _changed(dice: Dice, number: int, face: str) -> Dice:
    return (*dice[: number - 1], dice[number - 1].corrected(face), *dice[number:])


def _as_typed(dice: Dice, faces: Sequence[str]) -> tuple[Dice, Dice, tuple[str, ...]]:
    """The dice in the order of the `faces` that people typed for them, dice without a face, and faces without a die.

    Dice that were read as none of the faces get those that are left. If more faces are left than dice, nobody knows
    which they show: these dice come last, uncertain.
    """
    free = sorted(dice, key=lambda die: (die.certain, die.read.confidence), reverse=True)
    shows: dict[int, TrackedDie] = {}
    for place, face in enumerate(faces):
        if read := next((die for die in free if die.face == face), None):
            shows[place] = read.corrected(face)
            free.remove(read)
    left = [place for place in range(len(faces)) if place not in shows]
    if len(left) > len(free):
        doubtful = tuple(replace(die, certain=False) for die in free)
        return (*shows.values(), *doubtful), (), tuple(faces[place] for place in left)
    for place in left:
        likely = max(free, key=lambda die: _chance(die, faces[place]))
        shows[place] = likely.corrected(faces[place])
        free.remove(likely)
    return tuple(shows[place] for place in sorted(shows)), tuple(free), ()


def _chance(die: TrackedDie, face: str) -> float:
    return next((one.confidence for one in die.read.alternatives if one.face == face), 0.0)

"""The dice of one table: what the camera saw last, what of it is a roll, and what is held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from scoring.actions import Roll, refuse
from scoring.match import Match
from table.happening import (
    Happening,
    Moved,
    Same,
    TakenUp,
    Thrown,
    against_all_thrown,
    against_holds,
    happened,
)
from table.notice import Point, ShownDie
from table.seen import SeenDie, lie_alike, retold, seen, shifted, shown, typed
from table.storage.store import MatchStore
from vision.dicesets.model import DiceSet
from vision.reading import DieReading, Reading

Dice = tuple[SeenDie, ...]

HARDLY = 0.8
"""Seconds: dice that move on sooner are still the same throw, for nobody decides and reaches in so quickly."""


class Tray:
    """Keeps the dice that were seen beside the rolls they became. Dice are counted from 1, left to right.

    `waiting` says that what lies there waits for an answer before it can be a roll.
    """

    def __init__(self, dice_set: DiceSet) -> None:
        """Nothing was seen yet."""
        self.waiting = False
        self.picture_size = (4, 3)
        self._dice_set = dice_set
        self._lying: Dice = ()
        self._base: Dice = ()
        """The dice as they lay when they last counted; what happened since is told against them."""
        self.followed = False
        """Whether the base is known: not before the first roll that was seen."""
        self._lay = 0.0
        """Seconds for which they lay still at the longest since then."""
        self._base_roll: int | None = None
        """The event number of the roll that the base is."""
        self._stayed: tuple[int, ...] | None = None
        """Places in the base of the dice that lay there alone, the others being in a hand."""
        self._kept: tuple[int, ...] = ()
        """Places in the base of the dice that people said they hold for this throw."""
        self._rolls: dict[int, Dice] = {}
        """The dice of each roll, by the roll's event number, as the camera saw them."""
        self._held: set[int] = set()
        """The dice people mean to hold."""

    @property
    def lying(self) -> Dice:
        """What the camera saw last, put right where people said so."""
        return self._lying

    @property
    def faces(self) -> tuple[str, ...]:
        """Their faces."""
        return tuple(die.face for die in self._lying)

    @property
    def held(self) -> tuple[int, ...]:
        """The dice people mean to hold."""
        return tuple(sorted(self._held))

    def see(self, reading: Reading) -> bool:
        """Take a reading; False when the dice lie as they did, which is no news."""
        before, now = self._lying, seen(reading)
        self.picture_size = (reading.width, reading.height)
        self._lay = max(self._lay, reading.lay)
        if before and lie_alike(before, now):
            if not self.waiting:  # what waits may have been put right by people
                self._lying = now
            return False
        self._lying = now
        return True

    def restore(self, match: Match, kept: MatchStore) -> None:
        """Know the dice of the last roll again, as they lay before a pause or a crash: they are no new throw.

        Raises:
            StoreError: the store cannot be read.
        """
        held = kept.setup().get("held")
        if isinstance(held, dict) and cast("dict[str, Any]", held).get("after") == len(match.events):
            self._held = set(cast("dict[str, Any]", held)["dice"])
        number = match.last_roll()
        seen_then = None if number is None else kept.seen(number)
        if number is None or seen_then is None:
            return
        try:
            dice, self.picture_size = retold(seen_then)
        except ValueError:
            return  # written by hand or by an import: then the dice are simply not known
        faces = _roll(match, number).faces
        if len(dice) == len(faces):
            self._lying = tuple(die.corrected(face) for die, face in zip(dice, faces, strict=True))
            self.became(number)

    def forget(self) -> None:
        """Another match goes on here: the dice that lie there belong to none of its rolls, and are no throw."""
        self._base, self._base_roll, self._rolls = self._lying, None, {}
        self._stayed, self._kept, self.waiting = None, (), False
        self._held.clear()
        self.followed = True

    def inherit(self, before: Tray) -> None:
        """Begin with the dice that lie there from another match with the same set; they are no throw of this one."""
        if not self.followed:
            held, self._lying, self.picture_size = set(self._held), before._lying, before.picture_size
            self.forget()
            self._held = held

    def shift(self, move: Point, size: tuple[int, int]) -> None:
        """The picture shows another part of the table: the same dice lie `move` pixels elsewhere in it."""
        known = {id(dice): dice for dice in (self._lying, self._base, *self._rolls.values())}
        moved = {one: shifted(dice, move) for one, dice in known.items()}
        # What is the same tuple stays the same one: that is how a roll is known to be what lies there.
        self._lying, self._base = moved[id(self._lying)], moved[id(self._base)]
        self._rolls = {number: moved[id(dice)] for number, dice in self._rolls.items()}
        self.picture_size = size

    def elsewhere(self) -> None:
        """Another camera is looked through: the picture shows none of the dice where they were seen."""
        if not self.waiting:
            self._lying = ()

    def know_by_faces(self) -> bool:
        """Whether what lies there are dice that counted last, all or some of them, by what they show alone.

        Then they are followed from where they lie now. Of dice that show the same, those that are held come first.
        """
        if not self.followed or not self._lying or not all(die.certain for die in self._lying):
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
            self._stayed = tuple(order)
        self.waiting = False
        return True

    def emptied(self) -> None:
        """Nothing lies there any more: whatever lies there next was thrown."""
        self.waiting, self.followed = False, True
        self._base, self._base_roll, self._stayed, self._kept = (), None, None, ()

    def happening(self) -> Happening:
        """What became of the dice that counted last; what is merely moved or taken up is followed."""
        found = happened(self._base, self._stayed, self._lying)
        if isinstance(found, (Same, TakenUp)):
            self._place(found.order)
        if isinstance(found, TakenUp):
            self._stayed = found.order
        return found

    def rolled_on(self, match: Match) -> bool:
        """Whether the roll that counts had hardly come to rest, and nobody did anything since."""
        untouched = self._base_roll == match.last_roll() == len(match.events) and not self._held
        return untouched and self._lay < HARDLY

    def thrown(self, kept: Sequence[str]) -> Thrown:
        """The throw that lies there, for which people said they keep these faces (none: all are thrown)."""
        if not kept:
            return Thrown((), (), against_all_thrown(self._base, self._lying))
        if len(self._kept) != len(kept):
            return Thrown((), ())
        throw = against_holds([self._base[place] for place in self._kept], self._base, self._lying)
        return replace(throw, known=tuple(self._kept[place] for place in throw.known))

    def know_again(self, throw: Thrown) -> None:
        """Dice that stayed show what they were taken for, whatever is read of them now."""
        lying = list(self._lying)
        for now, before in zip(throw.kept, throw.known, strict=True):
            lying[now] = lying[now].corrected(self._base[before].face)
        self._lying = tuple(lying)

    def settle_moved(self, found: Moved) -> None:
        """The dice were only moved: they are the roll that counts, where they lie now."""
        self._place(found.order)

    def put_back(self, match: Match) -> bool:
        """Whether what lies there is the roll that counts, put back after an undo."""
        number = match.last_roll()
        if number is None:
            return False
        known = self._rolls.get(number)
        if known is None:
            if _roll(match, number).faces != self.faces:
                return False
            self.became(number)
            return True
        found = happened(known, None, self._lying)
        if not isinstance(found, Same):
            return False
        self._base, self._base_roll, self._stayed = known, number, None
        self.waiting, self.followed = False, True
        self._place(found.order)
        return True

    def became(self, number: int) -> None:
        """What lies there was accepted as the roll with this event number."""
        self._rolls[number] = self._base = self._lying
        self._base_roll, self._stayed, self._kept, self._lay = number, None, (), 0.0
        self.waiting, self.followed = False, True

    def throwing(self, match: Match) -> None:
        """People said that they throw the dice that are not held."""
        self._kept = tuple(place - 1 for place in self.held) if self._in_picture(match) else ()
        self._stayed = None

    def follow(self, match: Match) -> None:
        """The match went on or back: nothing is held, and rolls that do not count any more are forgotten."""
        self._held.clear()
        counting = {one.number for one in match.played}
        self._rolls = {number: dice for number, dice in self._rolls.items() if number in counting}

    def hold(self, number: int, match: Match, kept: MatchStore) -> bool:
        """Hold a die, or let it go; whether it is held now. It is on disk first. Raises StoreError."""
        held = self._held ^ {number}
        kept.set_up({"held": {"after": len(match.events), "dice": sorted(held)}})
        self._held = held
        return number in held

    def read(self, number: int, match: Match) -> DieReading | None:
        """What the camera made of die `number` (from 1), or None for a typed one."""
        roll = match.last_roll()
        dice = self._lying if self.waiting else self._rolls.get(roll, ()) if roll is not None else ()
        return dice[number - 1].read if 1 <= number <= len(dice) else None

    def correct(self, number: int, face: str) -> None:
        """Take a die that waits for another face."""
        self._lying = _changed(self._lying, number, face)

    def correct_roll(self, event: int, number: int, face: str) -> None:
        """Take a die of an accepted roll for another face."""
        known = self._rolls.get(event)
        if known is None:
            return
        changed = self._rolls[event] = _changed(known, number, face)
        self._lying = changed if self._lying is known else self._lying
        self._base = changed if self._base is known else self._base

    def dismiss(self, number: int) -> None:
        """What was taken for this die is none. Raises IllegalMoveError when there is no such die."""
        if not 1 <= number <= len(self._lying):
            refuse("there are dice 1 to {n}, got {number}", n=len(self._lying), number=number)
        self._lying = (*self._lying[: number - 1], *self._lying[number:])

    def staying(self, match: Match) -> tuple[Point, ...]:
        """Where in the picture the held dice lie; nowhere when the picture shows other dice."""
        if not self._in_picture(match):
            return ()
        return tuple(self._lying[number - 1].centre for number in self.held)

    def shown(self, match: Match) -> tuple[ShownDie, ...]:
        """The dice as people see them, named in English: those that wait for an answer, or those of the roll."""
        if self.waiting:
            return tuple(
                self._show(i, die, held=False, outlined=True) for i, die in enumerate(self._lying, 1)
            )
        view, number = match.view, match.last_roll()
        if number is None or not view.dice:
            return ()
        faces = _roll(match, number).faces
        held = self._held or _places(faces, view.kept)
        known = self._rolls.get(number)
        if known is None:
            return tuple(self._show_typed(i, face, i in held) for i, face in enumerate(faces, 1))
        outlined = self._in_picture(match)
        return tuple(
            self._show(i, replace(die, face=face, certain=True), held=i in held, outlined=outlined)
            for i, (die, face) in enumerate(zip(known, faces, strict=True), 1)
        )

    def _place(self, order: Sequence[int]) -> None:
        """The dice of the base lie elsewhere now, and are still the same: die by die, `order` of the base.

        They keep their numbers and the faces people gave them.
        """
        base = list(self._base)
        for now, before in enumerate(order):
            base[before] = replace(self._lying[now], face=base[before].face, certain=True)
        complete = len(order) == len(base)
        known = self._base_roll is not None and self._rolls.get(self._base_roll) is self._base
        self._base = tuple(base)
        if known and self._base_roll is not None:
            self._rolls[self._base_roll] = self._base
        if complete:
            self._lying, self._stayed = self._base, None

    def _in_picture(self, match: Match) -> bool:
        number = match.last_roll()
        return number is not None and self._rolls.get(number) is self._lying

    def _show(self, number: int, die: SeenDie, *, held: bool, outlined: bool) -> ShownDie:
        return shown(number, die, dice_set=self._dice_set, held=held, outlined=outlined)

    def _show_typed(self, number: int, face: str, held: bool) -> ShownDie:
        shape = self._dice_set.shapes[0]
        return typed(number, face, shape, dice_set=self._dice_set, held=held)


def die_by_die(now: Sequence[str], typed: Sequence[str]) -> tuple[str, ...]:
    """Which die shows which of the typed faces: those in their place first, then those that another die shows already;
    the rest in order. So as few dice as can be are said to have been misread."""
    showed: list[str | None] = [face if face == one else None for face, one in zip(now, typed, strict=True)]
    left = [one for one, face in zip(typed, showed, strict=True) if face is None]
    for place, face in enumerate(now):
        if showed[place] is None and face in left:
            left.remove(face)
            showed[place] = face
    rest = iter(left)
    return tuple(face if face is not None else next(rest) for face in showed)


def _roll(match: Match, number: int) -> Roll:
    """The roll with this event number, as it counts."""
    action = next(one.action for one in match.played if one.number == number)
    assert isinstance(action, Roll)
    return action


def _changed(dice: Dice, number: int, face: str) -> Dice:
    return (*dice[: number - 1], dice[number - 1].corrected(face), *dice[number:])


def _places(faces: Sequence[str], kept: Sequence[str]) -> set[int]:
    """The first places, from 1, at which the kept faces lie."""
    places: set[int] = set()
    for face in kept:
        place = next((i for i, one in enumerate(faces, 1) if one == face and i not in places), None)
        if place is not None:
            places.add(place)
    return places

"""The dice of one table: what the camera saw last, what of it is a roll, and what is held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.actions import Roll, refuse
from scoring.match import Match
from table.notice import Point, ShownDie
from table.seen import SeenDie, lie_alike, seen, shown, typed
from vision.diceset import DiceSet
from vision.reading import Reading


class Tray:
    """Keeps the dice that were seen beside the rolls they became. Dice are counted from 1, left to right.

    `waiting` says that what lies there waits for an answer before it can be a roll.
    """

    def __init__(self, dice_set: DiceSet, language: str) -> None:
        """Nothing was seen yet."""
        self.waiting = False
        self.picture_size = (4, 3)
        self._dice_set = dice_set
        self._language = language
        self._lying: tuple[SeenDie, ...] = ()
        self._rolls: dict[int, tuple[SeenDie, ...]] = {}
        """The dice of each roll, by the roll's event number, as the camera saw them."""
        self._held: set[int] = set()
        """The dice people mean to hold."""

    @property
    def lying(self) -> tuple[SeenDie, ...]:
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
        if before and lie_alike(before, now):
            return False
        self._lying = now
        return True

    def put_back(self, match: Match) -> bool:
        """Whether what lies there is the roll that counts, put back after an undo."""
        number = match.last_roll()
        if number is None:
            return False
        known = self._rolls.get(number)
        if known is not None and lie_alike(known, self._lying):
            self._lying = known
            return True
        if _roll(match, number).faces != self.faces:
            return False
        self._rolls[number] = self._lying
        return True

    def became(self, number: int) -> None:
        """What lies there was accepted as the roll with this event number."""
        self._rolls[number] = self._lying
        self.waiting = False

    def follow(self, match: Match) -> None:
        """The match went on or back: nothing is held, and rolls that do not count any more are forgotten."""
        self._held.clear()
        counting = {one.number for one in match.played}
        self._rolls = {number: dice for number, dice in self._rolls.items() if number in counting}

    def hold(self, number: int) -> bool:
        """Hold a die, or let it go; whether it is held now."""
        self._held ^= {number}
        return number in self._held

    def correct(self, number: int, face: str) -> None:
        """Take a die that waits for another face."""
        self._lying = _changed(self._lying, number, face)

    def correct_roll(self, event: int, number: int, face: str) -> None:
        """Take a die of an accepted roll for another face."""
        known = self._rolls.get(event)
        if known is not None:
            self._rolls[event] = _changed(known, number, face)
            self._lying = self._rolls[event] if self._lying is known else self._lying

    def dismiss(self, number: int) -> None:
        """What was taken for this die is none. Raises IllegalMoveError when there is no such die."""
        if not 1 <= number <= len(self._lying):
            refuse(f"there are dice 1 to {len(self._lying)}, got {number}")
        self._lying = (*self._lying[: number - 1], *self._lying[number:])

    def staying(self, match: Match) -> tuple[Point, ...]:
        """Where in the picture the held dice lie; nowhere when the picture shows other dice."""
        if not self._in_picture(match):
            return ()
        return tuple(self._lying[number - 1].centre for number in self.held)

    def shown(self, match: Match) -> tuple[ShownDie, ...]:
        """The dice as people see them: those that wait for an answer, or those of the roll that counts."""
        if self.waiting:
            return tuple(
                self._show(i, die, held=False, outlined=True) for i, die in enumerate(self._lying, 1)
            )
        view, number = match.game.table(match.state), match.last_roll()
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

    def _in_picture(self, match: Match) -> bool:
        number = match.last_roll()
        return number is not None and self._rolls.get(number) is self._lying

    def _show(self, number: int, die: SeenDie, *, held: bool, outlined: bool) -> ShownDie:
        return shown(
            number, die, dice_set=self._dice_set, held=held, outlined=outlined, language=self._language
        )

    def _show_typed(self, number: int, face: str, held: bool) -> ShownDie:
        shape = self._dice_set.shapes[0]
        return typed(number, face, shape, dice_set=self._dice_set, held=held, language=self._language)


def _roll(match: Match, number: int) -> Roll:
    """The roll with this event number, as it counts."""
    action = next(one.action for one in match.played if one.number == number)
    assert isinstance(action, Roll)
    return action


def _changed(dice: tuple[SeenDie, ...], number: int, face: str) -> tuple[SeenDie, ...]:
    return (*dice[: number - 1], dice[number - 1].corrected(face), *dice[number:])


def _places(faces: Sequence[str], kept: Sequence[str]) -> set[int]:
    """The first places, from 1, at which the kept faces lie."""
    places: set[int] = set()
    for face in kept:
        place = next((i for i, one in enumerate(faces, 1) if one == face and i not in places), None)
        if place is not None:
            places.add(place)
    return places

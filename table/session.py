"""One running match, fed by readings and by people.

Whatever happens goes the same way: it becomes an event of the match, the event goes to disk, and then the
outputs are told (invariant 4). What is uncertain, or cannot be, becomes a question instead of an event
(invariant 3). What the camera sees is `table.seeing`, what every match does `table.course`; here is what people say.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from scoring.actions import Hold, Move, Play, Roll, refuse
from scoring.dice import UnknownFaceError
from scoring.match import Match
from scoring.message import message
from table import lots
from table.asking import MOVED_ON
from table.happening import Thrown
from table.seats import seated
from table.seeing import SeenCourse
from table.storage.store import StoreError
from table.tray import die_by_die

ROLLS_AT_MOST = 8.0
"""Seconds for which another throw is refused while the table's own dice roll; they are read after two to four."""


class Session(SeenCourse):
    """The table's evening. Every method may be called from any thread; each ends with at most one notice.

    Methods that people call raise `IllegalMoveError` when the rules say no and `StoreError` when the disk
    does; the match is then as it was.
    """

    def relieve(self, before: Session) -> None:
        """Take the place of another match at the same table, which is kept, paused unless it is over.

        Notices are counted on, so that pages catch up by number; the camera's trouble stays; and dice that lie there
        from the other match are no throw of this one. Nobody is told yet: `greet` does that.
        """
        with before._lock, self._lock:
            before._gone, before._outputs = True, ()
            self._number, self._trouble = before._number, before._trouble
            if before._dice_set.id == self._dice_set.id:
                self._tray.inherit(before._tray)
            if before._match.outcome is None:
                try:
                    before._store.mark("paused")
                except StoreError as refused:  # its events are on disk: only the list will call it running
                    logging.getLogger(__name__).warning("the match before is not marked paused: %s", refused)

    def pause(self) -> None:
        """Stop for now: what lies on the table means nothing until `go_on`, tomorrow perhaps."""
        with self._lock:
            self._playing()
            if self._match.outcome:
                refuse("the match is over")
            self._store.mark("paused")
            self._paused = True
            self._tell(message("paused"), message("the match is kept"))

    def go_on(self) -> None:
        """Play on after a pause."""
        with self._lock:
            self._here()
            if not self._paused:
                refuse("the match is not paused")
            self._store.mark("running")
            self._paused = False
            self.greet()

    def seating(self, players: Sequence[str]) -> tuple[Match, tuple[str, ...]]:
        """The match if these people played on, in this order (`table.seats`), and who would leave with points.

        Raises:
            IllegalMoveError: nothing would change, or the rules do not allow it now.
        """
        names = [name.strip() for name in players if name.strip()]
        match = self._match
        if tuple(names) == match.header.players:
            refuse("these are the players, in this order")
        change = seated(match.header.players, names)
        seats = match.view.seats
        lose = (one.name for i, one in enumerate(seats) if one.score and i not in change.seats)
        return match.seat(change), tuple(lose)

    def seat(self, players: Sequence[str], leaving: Sequence[str] = ()) -> None:
        """Let these people play on, in this order: somebody joins late, leaves, or is called otherwise.

        Everyone keeps what they have. `leaving` are those of whom it was confirmed that they leave with points.
        """
        with self._lock:
            self._playing()
            after, lose = self.seating(players)
            if unsaid := tuple(name for name in lose if name not in leaving):
                refuse("{names:listed} would leave with points: confirm that first", names=unsaid)
            held = self._tray.held
            self._record(after)
            if after.holds:  # a turn that has begun goes on
                for number in held:
                    self._tray.hold(number, after, self._store)
            self._tell(*self._said())

    def hold(self, number: int) -> None:
        """Hold die `number` (from 1) for the next throw, or let it go again."""
        with self._lock:
            self._playing()
            if not self._match.holds:
                refuse("no dice can be held now")
            die = self._die(number)
            if self._tray.hold(number, self._match, self._store):
                self._tell(message("die {n}, {face:face}, held", n=number, face=die.face))
            else:
                self._tell(message("die {n}, {face:face}, not held", n=number, face=die.face))

    def count(self, by: str = "") -> None:
        """Say that what lies there is the throw, whatever was doubted about which dice were held."""
        with self._lock:
            self._playing()
            if not self._countable:
                refuse("nothing lies there that was doubted")
            tray = self._tray
            if not tray.waiting:  # dice that were moved, it seemed, were thrown
                tray.waiting = True
            self._thrown = replace(self._thrown, doubt=())
            self._trusted = True
            self._accept(by=by)

    def discount(self, by: str = "") -> None:
        """Say that the last throw did not count: it is thrown again, or was not over and is what lies there now."""
        with self._lock:
            self._playing()
            event = self._match.last_roll()
            if event is None or not self._match.played or self._match.played[-1].number != event:
                refuse("there is no throw to take back: something was decided since")
            rolled_on = MOVED_ON in self._question
            self._record(self._match.correct(event, ()), by=by)
            self._tray.waiting = rolled_on
            if rolled_on:
                self._thrown, self._trusted = Thrown((), ()), False
                self._accept(message("that throw does not count"), by=by)
                return
            self._tell(message("that throw does not count"), *self._awaited())

    def throw(self) -> None:
        """Throw the dice that are not held; at a real table, say that they are about to be."""
        with self._lock:
            self._playing()
            if self._rolling:
                refuse("the dice are still rolling")
            awaited = self._match.roll_awaited
            if awaited is None:
                if not self._match.holds:
                    refuse("no throw is due")
                keep = tuple(self._die(number).face for number in self._tray.held)
                staying = self._tray.staying(self._match)
                self._tray.throwing(self._match)
                self._record(self._match.add(Play(self._decider(), Hold(keep))))
                self._staying = staying
            elif not awaited.kept:
                self._staying = ()
            self._question, self._tray.waiting = (), False
            if self._thrower is not None:
                self._throws.append(len(self._match.played))
                self._thrower.throw(self._staying)
                self._rolls_until = time.monotonic() + ROLLS_AT_MOST
            self._tell(*self._said() if awaited is None else ())

    def decide(self, move: Move, player: int | None = None) -> None:
        """A player's decision: a box, a declaration, a confirmation. `player` says whose it is, where several may."""
        with self._lock:
            self._playing()
            self._record(self._match.add(Play(self._decider() if player is None else player, move)))
            self._tell(*self._said_with_lots())

    def draw(self, cards: Sequence[str]) -> None:
        """Say which cards or tiles came out of the pile that is to be drawn from, in order."""
        with self._lock:
            self._playing()
            self._record(self._match.add(lots.told(self._match, cards)))
            self._lots = False
            self._tell(*self._said_with_lots())

    def deal(self) -> None:
        """Draw by lot what is to be drawn, now and from now on."""
        with self._lock:
            self._playing()
            self._lots = self._lots or not lots.secretly(self._match)
            self._record(lots.drawn(self._match))
            self._tell(*self._said_with_lots())

    def roll(self, text: str, by: str = "", *, lies: bool = False) -> None:
        """Type what the dice show: of a throw the camera missed, or of the roll that lies there, as a correction of
        every die, where no throw is due or people say that the dice they type already `lies` there."""
        with self._lock:
            self._playing()
            faces = self._typed(text)
            if lies or self._match.roll_awaited is None:
                self._retype(faces, by)
                return
            self._record(self._match.add(Roll(faces)))
            self._question, self._tray.waiting, self._rolls_until = (), False, 0.0
            self._tell(*self._said())

    def _retype(self, faces: tuple[str, ...], by: str) -> None:
        """Take the dice that lie there for others; a throw that waits for an answer gets it so."""
        tray, dice = self._tray, self._tray.shown(self._match)
        if not dice:
            refuse("there are no dice yet")
        if len(faces) != len(dice):
            refuse("type {n} faces, one for each die, not {typed}", n=len(dice), typed=len(faces))
        showed = die_by_die([die.face for die in dice], faces)
        event = self._match.last_roll()
        if tray.waiting or event is None:
            for die, face in zip(dice, showed, strict=True):
                if die.face != face or not die.certain:
                    self._learn(die.number, face)
                    tray.correct(die.number, face)
            self._trusted = True
            self._accept(by=by)
            return
        wrong = [(die.number, face) for die, face in zip(dice, showed, strict=True) if die.face != face]
        if not wrong:
            refuse("the dice count as that already")
        after = self._match.correct(event, showed)
        if after.stop is not None and after.stop.number == event:
            refuse(after.stop.rule)
        for number, face in wrong:
            self._learn(number, face)
        self._record(after, by=by)
        for number, face in wrong:
            tray.correct_roll(event, number, face)
        self._tell(*self._said())

    def correct(self, number: int, face: str, by: str = "") -> None:
        """Say what die `number` (from 1) really shows: an answer to a question, or a correction
        afterwards; `by` is who says so, where that is known."""
        with self._lock:
            self._playing()
            face = self._dice_set.resolve(face)
            self._die(number)
            said = message("die {n} is {face:face}", n=number, face=face)
            self._learn(number, face)
            if self._tray.waiting:
                self._tray.correct(number, face)
                self._accept(said, by=by)
                return
            event = self._match.last_roll()
            assert event is not None, "dice that do not wait are those of a roll"
            faces = tuple(face if one.number == number else one.face for one in self._tray.shown(self._match))
            self._record(self._match.correct(event, faces), by=by)
            self._tray.correct_roll(event, number, face)
            self._tell(said, *self._awaited())

    def _learn(self, number: int, face: str) -> None:
        read = self._tray.read(number, self._match)
        if read is not None and self._learns is not None:
            self._learns(read, face)

    def dismiss(self, number: int) -> None:
        """Say that what was taken for die `number` (from 1) is none, while the table asks."""
        with self._lock:
            self._playing()
            if not self._tray.waiting:
                refuse("nothing is being asked about now")
            self._tray.dismiss(number)
            self._thrown = self._thrown.without(number - 1)
            self._accept()

    def undo(self) -> None:
        """Take back the last decision or change of players, and what came after it."""
        with self._lock:
            self._playing()
            seats = self._match.changes
            self._record(self._match.undo())
            self._question, self._tray.waiting, self._rolls_until = (), False, 0.0
            while self._throws and self._throws[-1] > len(self._match.played):
                self._throws.pop()
                if self._thrower is not None:
                    self._thrower.take_back()
            if seats != self._match.changes:
                self._tell(*self._said())
            else:
                self._tell(message("taken back"), *self._awaited())

    def greet(self) -> None:
        """Tell everyone how the table stands, as at the start or after a pause."""
        with self._lock:
            self._tell(message("{title}", title=self._match.game.title), *self._awaited())

    def _typed(self, text: str) -> tuple[str, ...]:
        """The faces somebody typed, as ids or as the set names them in any language. Raises UnknownFaceError."""
        dice = self._match.game.dice
        try:
            return dice.read(text)
        except UnknownFaceError:
            words = text.replace(";", ",").split(",") if "," in text or ";" in text else text.split()
            return tuple(dice.face(self._dice_set.meant(word)) for word in words if word.strip())

"""One match at a table, fed by readings and by people.

Everything takes the same path: it becomes an event of the match, the event is written to disk, and then the outputs
are told (invariant 4). Anything uncertain or impossible becomes a question instead of an event (invariant 3).
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager

from messages.message import Message, message, reason
from scoring.actions import Hold, IllegalMoveError, Move, Play, Roll, refuse
from scoring.announcement import announced, awaiting
from scoring.dice import UnknownFaceError, within
from scoring.match import Match, replay
from table import draws
from table.dice_tracker import Cleared, DiceTracker, Doubtful, Moved, PutBack, Rolled, Unchanged, due_of
from table.ports import Output, Thrower
from table.same_dice import held_places
from table.seats import seated
from table.snapshot import MOVED_ON, Notice, Snapshot, SnapshotDie
from table.storage.evidence import Album, Evidence
from table.storage.store import MatchStore, StoreError
from table.tracked_die import read_back
from vision.dicesets.model import DiceSet
from vision.frame import Point
from vision.reading import DieReading, Reading
from words.dice import speaker_of
from words.speaker import Speaker

ROLLS_AT_MOST = 8.0
"""Seconds for which another throw is refused while the table's own dice roll; they are read after two to four. After
that people are told and may throw again."""


class Session:
    """Owns the log of one match and the tracker of its dice. Every method may be called from any thread and causes at
    most one notice.

    Only `_record` changes the match, and only `_tell` tells outputs. Methods that people call raise `IllegalMoveError`
    if the rules forbid something and `StoreError` if the disk fails; the match is then unchanged.
    """

    def __init__(
        self,
        match: Match,
        store: MatchStore,
        dice_set: DiceSet,
        *,
        outputs: Sequence[Output] = (),
        thrower: Thrower | None = None,
        language: str = "en",
        album: Album | None = None,
        learns: Callable[[DieReading, str], object] | None = None,
        counted: Callable[[Sequence[DieReading], Sequence[DieReading]], object] | None = None,
    ) -> None:
        """Continue a match whose events are all in `store`. `album` keeps the pictures of rolls. `learns` is told which
        face people say a die shows; `counted` is told which thrown dice of a roll were certain, and which of all dice
        on the table were read right (`table.teaching.learning.LearningReader`)."""
        self.store = store
        """The store that keeps the match."""
        self.dice_set = dice_set
        """The match's dice set."""
        self._outputs = tuple(outputs)
        self._thrower = thrower
        self._language = language
        self._lock = threading.RLock()
        self._number: int = 0
        self._latest: Notice | None = None
        self._album = album
        self._learns, self._counted = learns, counted
        self._evidence: Evidence | None = None
        """The pictures of the waiting reading, until it is a roll."""
        self._throws: list[int] = []
        """Number of effective events at each throw of the demo table, so that an undo puts its dice back."""
        self._rolls_until = 0.0
        """Time after which another throw is allowed even if the table's own dice were not seen at rest; in the past if
        they were."""
        self._threw_itself = False
        """The table threw its own dice, and they have not been seen at rest yet."""
        self._staying: tuple[Point, ...] = ()
        """Places in the picture of the dice that stay for the next throw."""
        self._question: tuple[Message, ...] = ()
        self._countable = False
        """Whether "it counts" answers the question."""
        self._trouble: Message | None = None
        self._paused = False
        self._draws = False
        """People asked Tableside to draw from piles for them."""
        self._gone = False
        """Another match has replaced this one, which now receives nothing and tells nobody."""
        self._take_up(match)

    @property
    def match(self) -> Match:
        """The match in its current state."""
        return self._match

    def speaker(self, language: str) -> Speaker:
        """A language with the names of this match's dice."""
        return speaker_of(self.dice_set, language)

    def latest(self) -> Notice:
        """The last notice, for outputs that connect later."""
        with self._lock:
            return self._latest or self._notice(0, ())

    # --- what the camera sees

    def complete(self, reading: Reading) -> bool:
        """Whether a reading shows all dice that should be there, each for certain."""
        with self._lock:
            return self._tracker.complete(reading, self._due) and not (self._paused or self._gone)

    def saw(self, reading: Reading, evidence: Evidence | None = None) -> None:
        """Take a reading of settled dice, which becomes a roll if one is due and nothing is in doubt.

        `evidence` are the pictures it comes from.
        """
        with self._lock:
            if self._paused or self._gone:
                return
            with contextlib.suppress(StoreError):  # keeping this roll will report it
                self._caught_up()
            self._evidence = evidence
            asked = bool(self._question)
            event = self._tracker.update(reading, self._due, asked=asked, by_itself=self._threw_itself)
            if isinstance(event, (Rolled, Doubtful)):  # otherwise it was read before the thrown dice came to rest
                self._landed()
            match event:
                case Unchanged():
                    pass
                case Cleared():
                    self._asking()
                case PutBack():
                    self._asking(self._stopped())
                case Moved(question, countable):
                    self._asking(question, countable=countable)
                case Rolled() | Doubtful() as event:
                    try:
                        self._accept(event)
                    except StoreError as refused:
                        again = message("fix this, then read the dice again")
                        self._asking((message("this throw was not saved"), reason(refused), again))
                        self._question = ()  # it was not recorded, so the same dice are new when they are seen again

    def _landed(self) -> None:
        """Stop waiting for dice that the table threw by itself."""
        self._threw_itself, self._rolls_until = False, 0.0

    def _overdue(self, until: float) -> None:
        """Announce that the thrown dice have not been seen at rest, unless they have, or were thrown again."""
        with self._lock:
            if self._gone or self._paused or until != self._rolls_until:
                return
            self._rolls_until = 0.0
            self._tell(message("reading the dice takes longer than usual"), message("you can throw again"))

    def _asking(self, question: tuple[Message, ...] = (), *, countable: bool = False) -> None:
        """Set or clear the question; one that is already asked is not said again."""
        fresh = question != self._question
        self._question, self._countable = question, countable
        self._tell(*question if fresh else ())

    def _accept(self, event: Rolled | Doubtful, *said: Message, by: str = "") -> None:
        """Make the dice on the table a roll, or ask what stands in the way; `by` is who answered."""
        if isinstance(event, Rolled):
            before, held = self._match, ()
            try:
                if not self._due.throw:  # the player held the dice that stayed, without saying so
                    before = before.add(Play(self._decider(), Hold(event.stayed)))
                    held = announced(before)
                after = before.add(Roll(event.faces))
            except IllegalMoveError as refused:
                event = Doubtful((refused.rule, message("correct a die, or throw again")))
            else:
                kept = self._due.kept if self._due.throw else event.stayed
                stayed, thrown, right = self._tracker.stayed(), self._tracker.thrown(), self._tracker.read_right()
                self._record(after, seen=self._tracker.record(), by=by)
                if self._counted is not None:
                    self._counted(thrown, right)
                self._tracker.became(len(after.events))
                self._hold_still(kept, event.faces, stayed)
                self._tell(*said, *held, *announced(after))
                if self._album is not None and self._evidence is not None:
                    self._album.add(self.store.id, len(after.events), self._evidence)
                self._evidence = None
                return
        self._question, self._countable = event.question, event.countable
        self._tell(*said, *event.question)

    def camera_changed(self, said: Message, thrower: Thrower | None) -> None:
        """Another camera is in use, which `said` announces; `thrower` if its table throws by itself.

        The match and its question stay. The dice are elsewhere in the picture, perhaps on another table, and do not
        count as a throw unless people say so.
        """
        with self._lock:
            self._thrower = thrower
            self._throws.clear()
            self._landed()
            self._staying, self._trouble = (), None
            self._tracker.camera_changed()
            self._tell(said)

    def camera_says(self, trouble: Message | None) -> None:
        """The camera stopped seeing, in words; None once it sees again."""
        with self._lock:
            if trouble != self._trouble:
                self._trouble = trouble
                self._tell(trouble or message("the camera can see again"))

    def view_moved(self, move: Point, size: tuple[int, int]) -> None:
        """Another region of the camera's picture, of `size` (width, height), is in use, in which the same dice appear
        shifted by `move` pixels."""
        with self._lock:
            self._tracker.shift(move, size)
            self._staying = tuple((x + move[0], y + move[1]) for x, y in self._staying)
            self._tell()

    # --- what people say about dice

    def hold(self, number: int, held: bool | None = None) -> None:
        """Hold die `number` (from 1) for the next throw or release it, as `held` says; None to change its state."""
        with self._playing():
            if not self._due.hold:
                refuse("you can’t hold dice now")
            die = self._die(number)
            if held is die.held:
                return
            self._hold(self._tracker.held ^ {number})
            if number in self._tracker.held:
                self._tell(message("die {n}, {face:a}, held", n=number, face=die.face))
            else:
                self._tell(message("die {n}, {face:a}, not held", n=number, face=die.face))

    def _hold(self, held: frozenset[int]) -> None:
        """Hold these dice, after writing that to disk."""
        self.store.set_up({"held": {"after": len(self._match.events), "dice": sorted(held)}})
        self._tracker.held = held

    def _hold_still(self, kept: Sequence[str], roll: tuple[str, ...], stayed: Collection[int] = ()) -> None:
        """Hold dice that the rules never let anyone throw again and, if no hand is at the dice, those that were `kept`:
        they stay held until somebody releases them. Of dice with the same face, those that `stayed` come first."""
        holds = self._match.holds
        free = self._thrower is None and not all(within(kept, hold.keep) for hold in holds)
        if self._due.hold and (stay := kept_held(() if free else kept, roll, holds)):
            self._hold(held_places(roll, stay, stayed))

    def count(self, by: str = "") -> None:
        """Confirm that the dice on the table are the throw, whatever was doubted about held dice; or, if several faces
        are doubted, that all of them are correct."""
        with self._playing():
            if not self._countable:
                refuse("there is no unclear throw to count")
            tracker = self._tracker
            doubted = [die for die in tracker.shown(self._due) if not die.certain]
            for die in doubted:
                self._learn(die.number, die.face)
                tracker.correct(die.number, die.face)
            self._accept(tracker.judged(self._due) if doubted else tracker.trusted(self._due), by=by)

    def discount(self, by: str = "") -> None:
        """Say that the last throw did not count: it is thrown again, or the dice on the table are its result."""
        with self._playing():
            event = self._match.last_roll()
            if event is None or not self._match.played or self._match.played[-1].number != event:
                refuse("the last throw can’t be removed: a decision came after it")
            rolled_on, said = MOVED_ON in self._question, message("that throw doesn’t count")
            self._record(self._match.correct(event, ()), by=by)
            self._tracker.waiting = rolled_on
            if rolled_on:
                self._accept(self._tracker.still_the_throw(self._due), said, by=by)
            else:
                self._tell(said, *awaiting(self._match))

    def throw(self) -> None:
        """Throw the dice that are not held; at a real table, announce that people will."""
        with self._playing():
            if self._rolling:
                refuse("the dice are still rolling")
            said: tuple[Message, ...] = ()
            if not self._due.throw:
                if not self._due.hold:
                    refuse("nobody needs to throw now")
                keep = tuple(self._die(number).face for number in sorted(self._tracker.held))
                staying = self._tracker.throwing(self._due)
                self._record(self._match.add(Play(self._decider(), Hold(keep))))
                self._staying, said = staying, announced(self._match)
            elif not self._due.kept:
                self._staying = ()
            self._question, self._tracker.waiting = (), False
            if self._thrower is not None:
                self._throws.append(len(self._match.played))
                self._thrower.throw(self._staying)
                self._threw_itself, self._rolls_until = True, time.monotonic() + ROLLS_AT_MOST
                late = threading.Timer(ROLLS_AT_MOST, self._overdue, (self._rolls_until,))
                late.daemon = True
                late.start()
            self._tell(*said)

    def roll(self, text: str, by: str = "", *, lies: bool = False) -> None:
        """Type the faces of a throw that the camera missed, or correct every die of the roll on the table, if no throw
        is due or people say that the dice they type already `lies` there."""
        with self._playing():
            faces = self._typed(text)
            whole = self._tracker.waiting and self._tracker.count == len(faces) == self._due.dice
            if lies or whole or not self._due.throw:
                self._retype(faces, by)
                return
            self._roll_typed(self._match, faces, self._due.kept)

    def _roll_typed(self, before: Match, faces: tuple[str, ...], kept: Sequence[str], by: str = "") -> None:
        """A throw showed these faces, whatever the camera saw, and those `kept` are among them."""
        held = announced(before) if before is not self._match else ()
        self._record(before.add(Roll(faces)), by=by)
        self._tracker.typed(len(self._match.events), faces)
        self._question = ()
        self._landed()
        self._hold_still(kept, faces)
        self._tell(*held, *announced(self._match))

    def _typed(self, text: str) -> tuple[str, ...]:
        """The faces somebody typed, as ids or by their names in any language. Raises UnknownFaceError."""
        dice = self._match.game.dice
        try:
            return dice.read(text)
        except UnknownFaceError:
            words = text.replace(";", ",").split(",") if "," in text or ";" in text else text.split()
            return tuple(dice.face(self.dice_set.meant(word)) for word in words if word.strip())

    def _retype(self, faces: tuple[str, ...], by: str) -> None:
        """Replace the faces of the dice on the table, which also answers the question about a waiting throw."""
        tracker, dice = self._tracker, self._tracker.shown(self._due)
        if not dice:
            refuse("there are no dice yet")
        if tracker.waiting and self._due.hold and len(faces) == self._due.dice != len(dice):
            # Dice of a throw are missing, and the player held those that stayed, without saying so.
            stayed = Counter(die.face for die in dice if die.number in tracker.stayed())
            kept = tuple((stayed & Counter(faces)).elements())
            self._roll_typed(self._match.add(Play(self._decider(), Hold(kept))), faces, kept, by)
            return
        if len(faces) != len(dice):
            refuse("type {n} faces, one for each die, not {typed}", n=len(dice), typed=len(faces))
        showed = die_by_die([die.face for die in dice], faces)
        event = self._match.last_roll()
        if tracker.waiting or event is None:
            for die, face in zip(dice, showed, strict=True):
                if die.face != face or not die.certain:
                    self._learn(die.number, face)
                    tracker.correct(die.number, face)
            self._accept(tracker.trusted(self._due), by=by)
            return
        wrong = [(die.number, face) for die, face in zip(dice, showed, strict=True) if die.face != face]
        if not wrong:
            refuse("the dice already count this way")
        after = self._match.correct(event, showed)
        if after.stop is not None and after.stop.number == event:
            refuse(after.stop.rule)
        for number, face in wrong:
            self._learn(number, face)
        self._record(after, by=by)
        for number, face in wrong:
            tracker.correct_roll(event, number, face)
        self._tell(*announced(self._match))

    def correct(self, number: int, face: str, by: str = "") -> None:
        """Say what die `number` (from 1) really shows, to answer a question or to correct it afterwards; `by` is who
        says so, if known."""
        with self._playing():
            face = self.dice_set.resolve(face)
            self._die(number)
            said = message("die {n} shows {face:face}", n=number, face=face)
            self._learn(number, face)
            if self._tracker.waiting:
                self._tracker.correct(number, face)
                self._accept(self._tracker.judged(self._due), said, by=by)
                return
            event, dice = self._match.last_roll(), self._tracker.shown(self._due)
            assert event is not None, "dice that do not wait are those of a roll"
            faces = tuple(face if one.number == number else one.face for one in dice)
            self._record(self._match.correct(event, faces), by=by)
            self._tracker.correct_roll(event, number, face)
            self._tell(said, *awaiting(self._match))

    def _learn(self, number: int, face: str) -> None:
        """Learn from a correction, but not of dice that the table throws itself, as these are drawn."""
        read = self._tracker.read(number, self._due)
        if read is not None and self._learns is not None and self._thrower is None:
            self._learns(read, face)

    def dismiss(self, number: int) -> None:
        """Say that find `number` (from 1) is not a die, while the table asks."""
        with self._playing():
            if not self._tracker.waiting:
                refuse("there is no question to answer now")
            self._tracker.dismiss(number)
            self._accept(self._tracker.judged(self._due))

    def _die(self, number: int) -> SnapshotDie:
        dice = self._tracker.shown(self._due)
        if not 1 <= number <= len(dice):
            if not dice:
                refuse("there are no dice yet")
            refuse("choose a die from 1 to {n}, not {number}", n=len(dice), number=number)
        return dice[number - 1]

    # --- what people decide

    def decide(self, move: Move, player: int | None = None) -> None:
        """A player's decision: a box, a declaration, a confirmation; `player` says whose, if several may decide."""
        with self._playing():
            self._record(self._match.add(Play(self._decider() if player is None else player, move)))
            self._tell_with_draws()

    def draw(self, cards: Sequence[str]) -> None:
        """Say which cards or tiles were drawn from the pile, in order."""
        with self._playing():
            self._record(self._match.add(draws.told(self._match, cards)))
            self._draws = False
            self._tell_with_draws()

    def deal(self) -> None:
        """Let Tableside draw at random, now and from now on."""
        with self._playing():
            self._draws = self._draws or not draws.secretly(self._match)
            self._record(draws.drawn(self._match))
            self._tell_with_draws()

    def _tell_with_draws(self) -> None:
        """Announce the last event and the random draws that follow it."""
        self._tell(*self._drawn_by_lot(), *announced(self._match))

    def _drawn_by_lot(self) -> list[Message]:
        """Make the draws that Tableside has to make now; the announcements of all but the last."""
        said: list[Message] = []
        draws_all = self._draws or self._thrower is not None  # at a table that throws by itself nobody has piles
        while draws.secretly(self._match) or (draws_all and self._match.draw_awaited):
            said += draws.without_awaited(self._match, announced(self._match))
            self._record(draws.drawn(self._match))
        return said

    def undo(self) -> None:
        """Undo the last decision or change of players and everything after it."""
        with self._playing():
            seats = self._match.changes
            self._record(self._match.undo())
            self._question, self._tracker.waiting = (), False
            self._landed()
            while self._throws and self._throws[-1] > len(self._match.played):
                self._throws.pop()
                if self._thrower is not None:
                    self._thrower.take_back()
            if seats != self._match.changes:
                self._tell(*announced(self._match))
            else:
                self._tell(message("undone"), *awaiting(self._match))

    def _decider(self) -> int:
        """The player who must decide. Raises IllegalMoveError if nobody must."""
        player = self._match.decider
        if player is None:
            refuse(self._match.stop.message if self._match.stop else "there is nothing to decide now")
        return player

    # --- who plays, and when

    def seating(self, players: Sequence[str]) -> tuple[Match, tuple[str, ...]]:
        """The match if these people continued in this order (`table.seats`), and who would leave with points.

        Raises IllegalMoveError if nothing would change or the rules do not allow it now.
        """
        names = [name.strip() for name in players if name.strip()]
        match = self._match
        if tuple(names) == match.header.players:
            refuse("these players are already playing in this order")
        change = seated(match.header.players, names)
        lose = (one.name for i, one in enumerate(match.view.seats) if one.score and i not in change.seats)
        return match.seat(change), tuple(lose)

    def seat(self, players: Sequence[str], leaving: Sequence[str] = ()) -> None:
        """Let these people continue in this order: somebody joins late, leaves, or changes their name.

        Everyone keeps their points. `leaving` are those who leave with points, as people have confirmed.
        """
        with self._playing():
            after, lose = self.seating(players)
            if unsaid := tuple(name for name in lose if name not in leaving):
                refuse("first confirm who leaves with points: {names:listed}", names=unsaid)
            held = self._tracker.held
            self._record(after)
            if self._due.hold and held:  # a turn that has begun continues
                self._hold(held)
            self._tell(*announced(self._match))

    def relieve(self, before: Session) -> None:
        """Replace another match at the same table, which is kept, and paused unless it is over.

        Notices keep counting, so that pages catch up by number; the camera's trouble stays; and dice of the other match
        are not a throw of this one. Nobody is told until `greet`.
        """
        with before._lock, self._lock:
            before._gone, before._outputs = True, ()
            self._number, self._trouble = before._number, before._trouble
            if before.dice_set.id == self.dice_set.id:
                self._tracker.inherit(before._tracker)
            if before._match.outcome is None:
                try:
                    before.store.mark("paused")
                except StoreError as refused:  # its events are on disk, so only the list shows it as running
                    logging.getLogger(__name__).warning("the match before is not marked paused: %s", refused)

    def pause(self) -> None:
        """Pause: dice on the table mean nothing until `go_on`, perhaps tomorrow."""
        with self._playing():
            if self._match.outcome:
                refuse("the match is over")
            self.store.mark("paused")
            self._paused = True
            self._tell(message("paused"), message("the match is saved"))

    def go_on(self) -> None:
        """Continue after a pause."""
        with self._lock:
            self._here()
            if not self._paused:
                refuse("the match is already running")
            self.store.mark("running")
            self._paused = False
            self.greet()

    def greet(self) -> None:
        """Tell everyone the state of the table, as at the start or after a pause."""
        with self._lock:
            title, stood = message("{title}", title=self._match.game.title), self._match
            said = self._drawn_by_lot() if self._thrower is not None else []
            happened = awaiting(stood) if self._match is stood else announced(self._match)
            self._tell(title, *said, *happened)

    # --- the log and its notices

    @contextmanager
    def as_seen(self, seen: str) -> Generator[None]:
        """Act on the match as somebody saw it: `seen` is `Snapshot.log`, or empty to skip this check.

        If two devices decide at the same moment, the second gets an error instead of deciding for the next player.

        Raises IllegalMoveError if the log has grown since.
        """
        with self._lock:
            if seen and seen != f"{self.store.id}:{len(self._match.events)}":
                refuse("someone else was faster; check the table first")
            yield

    @contextmanager
    def _playing(self) -> Generator[None]:
        """Within this context nobody else acts. Raises IllegalMoveError if the match is paused, or had continued
        without anybody knowing."""
        with self._lock:
            self._here()
            if self._paused:
                refuse("the match is paused")
            if self._caught_up():
                refuse("the last move was saved after all; check the table first")
            yield

    def _here(self) -> None:
        """Raise IllegalMoveError if the match was replaced and the page that acts does not know yet."""
        if self._gone:
            refuse("this table is now playing another match")

    def _record(self, after: Match, *, seen: str | None = None, by: str = "") -> None:
        """Change the match, only here, after writing to disk (invariant 4)."""
        players = after.header.players
        self.store.keep(after.events, over=after.outcome is not None, players=players, seen=seen, by=by)
        self._match, self._due = after, due_of(after)
        self._tracker.went_on({one.number for one in after.played})
        self._question, self._countable = self._stopped(), False

    def _take_up(self, match: Match) -> None:
        """Continue a match from the store, and recall the dice of its last roll. Raises StoreError."""
        self._match, self._due = match, due_of(match)
        self._tracker = DiceTracker(self.dice_set)
        held = self.store.setup().get("held")
        match held:
            case {"after": after, "dice": dice} if after == len(match.events):
                self._tracker.held = frozenset(dice)
            case _:
                pass
        record = None if self._due.roll is None else self.store.seen(self._due.roll)
        if record is not None:
            with contextlib.suppress(
                ValueError
            ):  # written by hand or by an import: the dice are unknown
                self._tracker.restore(self._due, *read_back(record))

    def _caught_up(self) -> bool:
        """Take over events that the store kept in spite of an error; whether there were any. Raises StoreError."""
        late = self.store.late()
        if late:
            self._take_up(replay(self._match.game, self._match.opening, late))
            self._question, self._countable = self._stopped(), False
            self._tell(message("the last move was saved after all"), *awaiting(self._match))
        return bool(late)

    def _stopped(self) -> tuple[Message, ...]:
        """Why the match cannot continue after a correction; empty if it can."""
        return (self._match.stop.message,) if self._match.stop else ()

    @property
    def _rolling(self) -> bool:
        """Whether the dice that the table threw by itself have not been seen yet."""
        return time.monotonic() < self._rolls_until

    def _tell(self, *said: Message) -> None:
        """Tell outputs, only here, of what is on disk."""
        self._number += 1
        notice = self._latest = self._notice(self._number, said)
        for output in self._outputs:
            try:
                output.tell(notice)
            except Exception:
                # A broken output must neither stop the table nor keep notices from the others.
                logging.getLogger(__name__).exception("an output failed")

    def _notice(self, number: int, said: tuple[Message, ...]) -> Notice:
        """The current snapshot."""
        snapshot = Snapshot(
            self._match,
            self.dice_set,
            self.store.id,
            dice=self._tracker.shown(self._due),
            picture_size=self._tracker.picture_size,
            waiting=self._tracker.waiting,
            seen=self._tracker.count,
            question=self._question,
            countable=self._countable,
            camera=(self._trouble,) if self._trouble else (),
            paused=self._paused,
            thrower=self._thrower is not None,
            rolling=self._rolling,
        )
        return Notice(number, said, snapshot, self._language)


def kept_held(kept: Sequence[str], roll: Sequence[str], holds: Sequence[Hold]) -> tuple[str, ...]:
    """The faces that were held, and those of which each of these ways to hold dice keeps all that were rolled."""
    rolled = Counter(roll)
    always = (
        Counter({face: n for face, n in rolled.items() if all(hold.keep.count(face) == n for hold in holds)})
        if holds
        else Counter[str]()
    )
    return tuple((Counter(kept) | always).elements())


def die_by_die(now: Sequence[str], typed: Sequence[str]) -> tuple[str, ...]:
    """The typed face of each die: first those that already show the one in their place, then others that show a typed
    face, then the rest in order, so that as few dice as possible count as misread."""
    showed: list[str | None] = [face if face == one else None for face, one in zip(now, typed, strict=True)]
    left = [one for one, face in zip(typed, showed, strict=True) if face is None]
    for place, face in enumerate(now):
        if showed[place] is None and face in left:
            left.remove(face)
            showed[place] = face
    rest = iter(left)
    return tuple(face if face is not None else next(rest) for face in showed)

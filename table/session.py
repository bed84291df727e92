"""One match at a table, fed by readings and by people.

Whatever happens goes the same way: it becomes an event of the match, the event goes to disk, and then the outputs are
told (invariant 4). What is uncertain, or cannot be, becomes a question instead of an event (invariant 3).
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
"""Seconds for which another throw is refused while the table's own dice roll; they are read after two to four. Then
people are told, and may throw again."""


class Session:
    """Owns the log of one match and the tracker of its dice. Every method may be called from any thread; each ends with
    at most one notice.

    The match changes in `_record` alone, and outputs hear of it in `_tell` alone. Methods that people call raise
    `IllegalMoveError` when the rules say no and `StoreError` when the disk does; the match is then as it was.
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
        """Continue a match whose events are all in `store`; `album` keeps the pictures rolls were read from, and
        `learns` is told what people say a die shows, and `counted` which thrown dice of a roll were certain, and which
        of all that lie there were read right (`table.teaching.learning.LearningReader`)."""
        self.store = store
        """Where the match is kept."""
        self.dice_set = dice_set
        """The set the match is played with."""
        self._outputs = tuple(outputs)
        self._thrower = thrower
        self._language = language
        self._lock = threading.RLock()
        self._number: int = 0
        self._latest: Notice | None = None
        self._album = album
        self._learns, self._counted = learns, counted
        self._evidence: Evidence | None = None
        """The pictures of the reading that waits, until it is a roll."""
        self._throws: list[int] = []
        """How many events counted at each throw of the demo table, so that an undo puts its dice back."""
        self._rolls_until = 0.0
        """When another throw may be made although nobody has seen the table's own dice come to rest; in the past once
        they were seen."""
        self._threw_itself = False
        """The table threw its own dice, and nobody has seen them come to rest, however long that takes."""
        self._staying: tuple[Point, ...] = ()
        """Where in the picture the dice lie that stay for the next throw."""
        self._question: tuple[Message, ...] = ()
        self._countable = False
        """Whether "it counts" answers the question."""
        self._trouble: Message | None = None
        self._paused = False
        self._draws = False
        """Tableside draws what comes out of piles, because people asked it to."""
        self._gone = False
        """Another match is on the table now; this one is told nothing more, and tells nobody."""
        self._take_up(match)

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._match

    def speaker(self, language: str) -> Speaker:
        """A language with the names of this match's dice."""
        return speaker_of(self.dice_set, language)

    def latest(self) -> Notice:
        """The last notice, for whoever comes late."""
        with self._lock:
            return self._latest or self._notice(0, ())

    # --- what the camera sees

    def complete(self, reading: Reading) -> bool:
        """Whether a reading shows all the dice there should be, each for certain."""
        with self._lock:
            return self._tracker.complete(reading, self._due) and not (self._paused or self._gone)

    def saw(self, reading: Reading, evidence: Evidence | None = None) -> None:
        """Take a reading of settled dice: a roll, when one may come and nothing is in doubt.

        `evidence` are the pictures it was read from.
        """
        with self._lock:
            if self._paused or self._gone:
                return
            with contextlib.suppress(StoreError):  # keeping this roll will say so
                self._caught_up()
            self._evidence = evidence
            asked = bool(self._question)
            event = self._tracker.update(reading, self._due, asked=asked, by_itself=self._threw_itself)
            if isinstance(event, (Rolled, Doubtful)):  # anything else was read before the thrown dice lay there
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
                        self._question = ()  # it was not taken: the same dice are news when they are seen again

    def _landed(self) -> None:
        """Wait no longer for dice that the table threw by itself."""
        self._threw_itself, self._rolls_until = False, 0.0

    def _overdue(self, until: float) -> None:
        """Say that nobody has seen the thrown dice come to rest, unless they were seen or thrown again."""
        with self._lock:
            if self._gone or self._paused or until != self._rolls_until:
                return
            self._rolls_until = 0.0
            self._tell(message("reading the dice takes longer than usual"), message("you can throw again"))

    def _asking(self, question: tuple[Message, ...] = (), *, countable: bool = False) -> None:
        """Ask, or ask nothing any more; what is asked already is not said again."""
        fresh = question != self._question
        self._question, self._countable = question, countable
        self._tell(*question if fresh else ())

    def _accept(self, event: Rolled | Doubtful, *said: Message, by: str = "") -> None:
        """Make a roll of what lies there, or ask why not; `by` says who answered."""
        if isinstance(event, Rolled):
            before, held = self._match, ()
            try:
                if not self._due.throw:  # the player held what stayed, without a word
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
        """Another camera is looked through from now on, in words; `thrower` where its table throws by itself.

        The match stays as it is, with whatever was asked. The dice lie elsewhere in the picture, perhaps on another
        table; those that lie there are not taken for a throw unless people say so.
        """
        with self._lock:
            self._thrower = thrower
            self._throws.clear()
            self._landed()
            self._staying, self._trouble = (), None
            self._tracker.camera_changed()
            self._tell(said)

    def camera_says(self, trouble: Message | None) -> None:
        """The camera stopped seeing, in words; or None when it sees again."""
        with self._lock:
            if trouble != self._trouble:
                self._trouble = trouble
                self._tell(trouble or message("the camera can see again"))

    def view_moved(self, move: Point, size: tuple[int, int]) -> None:
        """Another part of the camera's picture is looked at: everything lies `move` pixels elsewhere in it, and it is
        `size` (width, height) large. The dice are the same ones."""
        with self._lock:
            self._tracker.shift(move, size)
            self._staying = tuple((x + move[0], y + move[1]) for x, y in self._staying)
            self._tell()

    # --- what people say of dice

    def hold(self, number: int, held: bool | None = None) -> None:
        """Hold die `number` (from 1) for the next throw, or let it go again: as `held` says, else what it is not."""
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
        """Hold these dice; on disk first."""
        self.store.set_up({"held": {"after": len(self._match.events), "dice": sorted(held)}})
        self._tracker.held = held

    def _hold_still(self, kept: Sequence[str], roll: tuple[str, ...], stayed: Collection[int] = ()) -> None:
        """Hold what the rules never let anyone throw again, and what was `kept` where no hand is at the dice: it stays
        held until somebody lets it go. Of dice that show the same, those that `stayed` where they lay come first."""
        holds = self._match.holds
        free = self._thrower is None and not all(within(kept, hold.keep) for hold in holds)
        if self._due.hold and (stay := kept_held(() if free else kept, roll, holds)):
            self._hold(held_places(roll, stay, stayed))

    def count(self, by: str = "") -> None:
        """Say that what lies there is the throw, whatever was doubted about which dice were held; or, where several
        faces are doubted, that they’re all correct."""
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
        """Say that the last throw did not count: it is thrown again, or was not over and is what lies there now."""
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
        """Throw the dice that are not held; at a real table, say that they are about to be."""
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
        """Type what the dice show: of a throw the camera missed, or of the roll that lies there, as a correction of
        every die, where no throw is due or people say that the dice they type already `lies` there."""
        with self._playing():
            faces = self._typed(text)
            whole = self._tracker.waiting and self._tracker.count == len(faces) == self._due.dice
            if lies or whole or not self._due.throw:
                self._retype(faces, by)
                return
            self._roll_typed(self._match, faces, self._due.kept)

    def _roll_typed(self, before: Match, faces: tuple[str, ...], kept: Sequence[str], by: str = "") -> None:
        """A throw showed these faces, whatever the camera sees of it, and those `kept` are among them."""
        held = announced(before) if before is not self._match else ()
        self._record(before.add(Roll(faces)), by=by)
        self._tracker.typed(len(self._match.events), faces)
        self._question = ()
        self._landed()
        self._hold_still(kept, faces)
        self._tell(*held, *announced(self._match))

    def _typed(self, text: str) -> tuple[str, ...]:
        """The faces somebody typed, as ids or as the set names them in any language. Raises UnknownFaceError."""
        dice = self._match.game.dice
        try:
            return dice.read(text)
        except UnknownFaceError:
            words = text.replace(";", ",").split(",") if "," in text or ";" in text else text.split()
            return tuple(dice.face(self.dice_set.meant(word)) for word in words if word.strip())

    def _retype(self, faces: tuple[str, ...], by: str) -> None:
        """Take the dice that lie there for others; a throw that waits for an answer gets it so."""
        tracker, dice = self._tracker, self._tracker.shown(self._due)
        if not dice:
            refuse("there are no dice yet")
        if tracker.waiting and self._due.hold and len(faces) == self._due.dice != len(dice):
            # Dice of a throw are missing, and the player held what stayed, without a word.
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
        """Say what die `number` (from 1) really shows: an answer to a question, or a correction
        afterwards; `by` is who says so, where that is known."""
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
        """Learn from a correction; dice that the table throws itself are drawn, and teach nothing."""
        read = self._tracker.read(number, self._due)
        if read is not None and self._learns is not None and self._thrower is None:
            self._learns(read, face)

    def dismiss(self, number: int) -> None:
        """Say that what was taken for die `number` (from 1) is none, while the table asks."""
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
        """A player's decision: a box, a declaration, a confirmation. `player` says whose it is, where several may."""
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
        """Draw by lot what is to be drawn, now and from now on."""
        with self._playing():
            self._draws = self._draws or not draws.secretly(self._match)
            self._record(draws.drawn(self._match))
            self._tell_with_draws()

    def _tell_with_draws(self) -> None:
        """Tell of the last event, and of what is drawn by lot because of it."""
        self._tell(*self._drawn_by_lot(), *announced(self._match))

    def _drawn_by_lot(self) -> list[Message]:
        """Draw what Tableside is to draw now; what there is to say before the last of it."""
        said: list[Message] = []
        draws_all = self._draws or self._thrower is not None  # nobody has piles at a table that throws by itself
        while draws.secretly(self._match) or (draws_all and self._match.draw_awaited):
            said += draws.without_awaited(self._match, announced(self._match))
            self._record(draws.drawn(self._match))
        return said

    def undo(self) -> None:
        """Take back the last decision or change of players, and what came after it."""
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
        """The player who is to decide. Raises IllegalMoveError when nobody is."""
        player = self._match.decider
        if player is None:
            refuse(self._match.stop.message if self._match.stop else "there is nothing to decide now")
        return player

    # --- who plays, and when

    def seating(self, players: Sequence[str]) -> tuple[Match, tuple[str, ...]]:
        """The match if these people played on, in this order (`table.seats`), and who would leave with points.

        Raises IllegalMoveError: nothing would change, or the rules do not allow it now.
        """
        names = [name.strip() for name in players if name.strip()]
        match = self._match
        if tuple(names) == match.header.players:
            refuse("these players are already playing in this order")
        change = seated(match.header.players, names)
        lose = (one.name for i, one in enumerate(match.view.seats) if one.score and i not in change.seats)
        return match.seat(change), tuple(lose)

    def seat(self, players: Sequence[str], leaving: Sequence[str] = ()) -> None:
        """Let these people play on, in this order: somebody joins late, leaves, or is called otherwise.

        Everyone keeps what they have. `leaving` are those of whom it was confirmed that they leave with points.
        """
        with self._playing():
            after, lose = self.seating(players)
            if unsaid := tuple(name for name in lose if name not in leaving):
                refuse("first confirm who leaves with points: {names:listed}", names=unsaid)
            held = self._tracker.held
            self._record(after)
            if self._due.hold and held:  # a turn that has begun goes on
                self._hold(held)
            self._tell(*announced(self._match))

    def relieve(self, before: Session) -> None:
        """Take the place of another match at the same table, which is kept, paused unless it is over.

        Notices are counted on, so that pages catch up by number; the camera's trouble stays; and dice that lie there
        from the other match are no throw of this one. Nobody is told yet: `greet` does that.
        """
        with before._lock, self._lock:
            before._gone, before._outputs = True, ()
            self._number, self._trouble = before._number, before._trouble
            if before.dice_set.id == self.dice_set.id:
                self._tracker.inherit(before._tracker)
            if before._match.outcome is None:
                try:
                    before.store.mark("paused")
                except StoreError as refused:  # its events are on disk: only the list will call it running
                    logging.getLogger(__name__).warning("the match before is not marked paused: %s", refused)

    def pause(self) -> None:
        """Stop for now: what lies on the table means nothing until `go_on`, tomorrow perhaps."""
        with self._playing():
            if self._match.outcome:
                refuse("the match is over")
            self.store.mark("paused")
            self._paused = True
            self._tell(message("paused"), message("the match is saved"))

    def go_on(self) -> None:
        """Play on after a pause."""
        with self._lock:
            self._here()
            if not self._paused:
                refuse("the match is already running")
            self.store.mark("running")
            self._paused = False
            self.greet()

    def greet(self) -> None:
        """Tell everyone how the table stands, as at the start or after a pause."""
        with self._lock:
            title, stood = message("{title}", title=self._match.game.title), self._match
            said = self._drawn_by_lot() if self._thrower is not None else []
            happened = awaiting(stood) if self._match is stood else announced(self._match)
            self._tell(title, *said, *happened)

    # --- the log, and what is told of it

    @contextmanager
    def as_seen(self, seen: str) -> Generator[None]:
        """Act on the match as somebody saw it: `seen` is `Snapshot.log`, or empty where that is not to be checked.

        Of two devices that decide at the same moment the second is told so, instead of deciding for whoever is next.

        Raises IllegalMoveError: the log has gone on since.
        """
        with self._lock:
            if seen and seen != f"{self.store.id}:{len(self._match.events)}":
                refuse("someone else was faster; check the table first")
            yield

    @contextmanager
    def _playing(self) -> Generator[None]:
        """While this lasts nobody else acts. Raises IllegalMoveError while the match is paused, or when it was further
        than anybody knew."""
        with self._lock:
            self._here()
            if self._paused:
                refuse("the match is paused")
            if self._caught_up():
                refuse("the last move was saved after all; check the table first")
            yield

    def _here(self) -> None:
        """Raise IllegalMoveError when the match was replaced: a page that had not heard of it sent this."""
        if self._gone:
            refuse("this table is now playing another match")

    def _record(self, after: Match, *, seen: str | None = None, by: str = "") -> None:
        """The only place where the match changes: on disk first (invariant 4)."""
        players = after.header.players
        self.store.keep(after.events, over=after.outcome is not None, players=players, seen=seen, by=by)
        self._match, self._due = after, due_of(after)
        self._tracker.went_on({one.number for one in after.played})
        self._question, self._countable = self._stopped(), False

    def _take_up(self, match: Match) -> None:
        """Continue a match as the store has it. The dice of its last roll are known again. Raises StoreError."""
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
            ):  # written by hand or by an import: then the dice are not known
                self._tracker.restore(self._due, *read_back(record))

    def _caught_up(self) -> bool:
        """Take up what the store seemed to refuse and kept; whether there was such a thing. Raises StoreError."""
        late = self.store.late()
        if late:
            self._take_up(replay(self._match.game, self._match.opening, late))
            self._question, self._countable = self._stopped(), False
            self._tell(message("the last move was saved after all"), *awaiting(self._match))
        return bool(late)

    def _stopped(self) -> tuple[Message, ...]:
        """Why the match cannot go on, after a correction; nothing when it can."""
        return (self._match.stop.message,) if self._match.stop else ()

    @property
    def _rolling(self) -> bool:
        """Whether the dice that the table threw by itself are still to be seen."""
        return time.monotonic() < self._rolls_until

    def _tell(self, *said: Message) -> None:
        """The only place where outputs are told; whatever is told is on disk."""
        self._number += 1
        notice = self._latest = self._notice(self._number, said)
        for output in self._outputs:
            try:
                output.tell(notice)
            except Exception:
                # A broken output must not hold up the table, nor keep the others from being told.
                logging.getLogger(__name__).exception("an output failed")

    def _notice(self, number: int, said: tuple[Message, ...]) -> Notice:
        """How things stand now."""
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
    """The faces that were held, and those of which all these ways to hold dice keep every one that was rolled."""
    rolled = Counter(roll)
    always = (
        Counter({face: n for face, n in rolled.items() if all(hold.keep.count(face) == n for hold in holds)})
        if holds
        else Counter[str]()
    )
    return tuple((Counter(kept) | always).elements())


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

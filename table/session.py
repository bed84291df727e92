"""One running match, fed by readings and by people.

Whatever happens goes the same way: it becomes an event of the match, the event goes to disk, and then the
outputs are told (invariant 4). What is uncertain, or cannot be, becomes a question instead of an event
(invariant 3).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from scoring.actions import Hold, IllegalMoveError, Move, Play, Roll, refuse
from scoring.match import Match
from scoring.wording import awaiting, say, sentences
from table import lots, words
from table.asking import asked_about, leaning_dice
from table.evidence import Album, Evidence
from table.happening import Moved, Same, TakenUp, Thrown
from table.notice import Notice, Point, ShownDie, Standing
from table.ports import Output, Thrower
from table.seats import Turns, follow_on, reseated
from table.seen import face_label
from table.seen import told as dice_told
from table.sheet import decider, holding, roll_awaited
from table.standing import standing
from table.store import MatchStore, StoreError
from table.tray import Tray
from vision.diceset import DiceSet
from vision.reading import DieReading, Reading


class Session:
    """The table's evening. Every method may be called from any thread; each ends with at most one notice.

    Methods that people call raise `IllegalMoveError` when the rules say no and `StoreError` when the disk
    does; the match is then as it was.
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
    ) -> None:
        """Go on with a match whose events are all in `store`; `album` keeps the pictures rolls were read from, and
        `learns` is told what people say a die shows (`table.lessons.Learner.corrected`)."""
        self._match = match
        self._store = store
        self._dice_set = dice_set
        self._outputs = tuple(outputs)
        self._thrower = thrower
        self._language = language
        self._labels = {face.id: face.label(language) for face in dice_set.faces}
        self._lock = threading.RLock()
        self._number = 0
        self._latest: Notice | None = None
        self._tray = Tray(dice_set, language)
        self._tray.restore(match, store)
        self._album = album
        self._learns = learns
        self._evidence: Evidence | None = None
        """The pictures of the reading that waits, until it is a roll."""
        self._throws: list[int] = []
        """How many events counted at each throw of the demo table, so that an undo puts its dice back."""
        self._staying: tuple[Point, ...] = ()
        """Where in the picture the dice lie that stay for the next throw."""
        self._question = ""
        self._countable = False
        """Whether "it counts" answers the question."""
        self._thrown = Thrown((), ())
        """The throw that waits, as the tracks understood it."""
        self._trusted = False
        """People said that it counts: tracks and leaning dice are not doubted any more."""
        self._sayings: list[str] = []
        self._trouble = ""
        self._paused = False
        self._lots = False
        """Tableside draws what comes out of piles, because people asked it to."""
        self._gone = False
        """Another match is on the table now; this one is told nothing more, and tells nobody."""
        self._left: Turns = store.left(match)
        """Turns from before somebody joined late that have not followed yet."""

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._match

    @property
    def dice_set(self) -> DiceSet:
        """The set the match is played with."""
        return self._dice_set

    def face_label(self, face: str) -> str:
        """A face's name as people read it."""
        return self._labels.get(face, face_label(self._dice_set, face, self._language))

    # --- what the camera says

    @property
    def store(self) -> MatchStore:
        """Where the match is kept."""
        return self._store

    def complete(self, reading: Reading) -> bool:
        """Whether a reading shows all the dice there should be, each for certain."""
        with self._lock:
            awaited = roll_awaited(self._match)
            due = awaited.dice if awaited else self._match.game.dice.count
            return len(reading.dice) == due and reading.certain and not (self._paused or self._gone)

    def saw(self, reading: Reading, evidence: Evidence | None = None) -> None:
        """Take a reading of settled dice: a roll, when one may come and nothing is in doubt.

        `evidence` are the pictures it was read from.
        """
        with self._lock:
            if self._paused or self._gone:
                return
            self._evidence = evidence
            tray, news = self._tray, self._tray.see(reading)
            if not tray.lying:
                tray.emptied()
                self._asking("")
            elif not news and tray.waiting and self._question:
                return
            elif roll_awaited(self._match) is not None:
                self._saw_a_throw()
            elif tray.put_back(self._match):
                self._asking(self._stopped())
            elif holding(self._match) and tray.followed:
                self._saw_while_deciding()
            elif news and not (tray.followed and isinstance(tray.happening(), (Same, TakenUp))):
                self._asking("The dice were moved, though no throw is due.")

    def _saw_a_throw(self) -> None:
        """A throw is due. Dice that still lie as they counted last are none, nor is what a hand left of them."""
        tray = self._tray
        found = tray.happening() if tray.followed else None
        if isinstance(found, (Same, TakenUp)):
            tray.waiting = False
            self._asking(self._stopped())
            return
        tray.waiting = True
        awaited = roll_awaited(self._match)
        throw = tray.thrown(awaited.kept if awaited else ())
        if isinstance(found, Moved):
            throw = replace(throw, doubt="The dice show what they showed before. Were they thrown?")
        self._take(throw)

    def _saw_while_deciding(self) -> None:
        """The player may hold dice and throw the others, without a word: what stayed is held."""
        tray = self._tray
        found = tray.happening()
        if isinstance(found, (Same, TakenUp)):
            tray.waiting = False
            self._asking("")
        elif isinstance(found, Moved):
            moved = len(found.order) - len(found.still)
            dice = words.dice(moved).capitalize()
            were = "was moved and shows what it" if moved == 1 else "were moved and show what they"
            tray.settle_moved(found)
            self._thrown = Thrown(found.still, found.still)
            self._asking(f"{dice} {were} showed. If thrown, say so.", doubtful_throw=True)
        else:
            tray.waiting = True
            self._take(found)

    def camera_says(self, trouble: str | None) -> None:
        """The camera stopped seeing, in words; or None when it sees again."""
        with self._lock:
            if (trouble or "") != self._trouble:
                self._trouble = trouble or ""
                self._tell(words.sentence(trouble or "The camera sees again"))

    # --- from match to match

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

    # --- what people say

    def pause(self) -> None:
        """Stop for now: what lies on the table means nothing until `go_on`, tomorrow perhaps."""
        with self._lock:
            self._playing()
            if self._match.outcome:
                refuse("the match is over")
            self._store.mark("paused")
            self._paused = True
            self._tell("Paused. The match is kept.")

    def go_on(self) -> None:
        """Play on after a pause."""
        with self._lock:
            self._here()
            if not self._paused:
                refuse("the match is not paused")
            self._store.mark("running")
            self._paused = False
            self.greet()

    def seat(self, players: Sequence[str]) -> None:
        """Let these people play on, in this order: somebody joins late, leaves, or the order changes.

        Whoever joins plays the turns they missed; the others' turns so far stay theirs (`table.seats`). The match as it
        was is kept and over; this one goes on from it.
        """
        with self._lock:
            self._playing()
            names = [name.strip() for name in players if name.strip()]
            if tuple(names) == self._match.header.players:
                refuse("these are the players, in this order")
            after, left = reseated(self._match, names)
            before, self._store = self._store, self._store.store.go_on_from(self._store.id, after)
            self._match, self._left = after, left
            before.mark("over")
            self._tray.forget()
            self._throws.clear()
            self._question, self._countable = self._stopped(), False
            self._tell(words.sentence(f"{words.listed(after.header.players)} play", *self._awaited()))

    def hold(self, number: int) -> None:
        """Hold die `number` (from 1) for the next throw, or let it go again."""
        with self._lock:
            self._playing()
            if not holding(self._match):
                refuse("no dice can be held now")
            die = self._die(number)
            held = "held" if self._tray.hold(number) else "not held"
            self._tell(f"Die {number}, {die.label}, {held}.")

    def count(self, by: str = "") -> None:
        """Say that what lies there is the throw, whatever was doubted about which dice were held."""
        with self._lock:
            self._playing()
            if not self._countable:
                refuse("nothing lies there that was doubted")
            tray = self._tray
            if not tray.waiting:  # dice that were moved, it seemed, were thrown
                tray.waiting = True
            self._thrown = replace(self._thrown, doubt="")
            self._trusted = True
            self._accept(by=by)

    def discount(self, by: str = "") -> None:
        """Say that the last throw did not count: it is thrown again."""
        with self._lock:
            self._playing()
            event = self._match.last_roll()
            if event is None or not self._match.played or self._match.played[-1].number != event:
                refuse("there is no throw to take back: something was decided since")
            self._record(self._match.correct(event, ()), by=by)
            self._tray.waiting = False
            self._tell(words.sentence("That throw does not count", *self._awaited()))

    def throw(self) -> None:
        """Throw the dice that are not held; at a real table, say that they are about to be."""
        with self._lock:
            self._playing()
            awaited = roll_awaited(self._match)
            if awaited is None:
                if not holding(self._match):
                    refuse("no throw is due")
                keep = tuple(self._die(number).face for number in self._tray.held)
                staying = self._tray.staying(self._match)
                self._tray.throwing(self._match)
                self._record(self._match.add(Play(self._decider(), Hold(keep))))
                self._staying = staying
            elif not awaited.kept:
                self._staying = ()
            self._question, self._tray.waiting = "", False
            if self._thrower is not None:
                self._throws.append(len(self._match.played))
                self._thrower.throw(self._staying)
            self._tell(self._said() if awaited is None else "")

    def decide(self, move: Move, player: int | None = None) -> None:
        """A player's decision: a box, a declaration, a confirmation. `player` says whose it is, where several may."""
        with self._lock:
            self._playing()
            self._record(self._match.add(Play(self._decider() if player is None else player, move)))
            self._tell(self._said_with_lots())

    def draw(self, cards: Sequence[str]) -> None:
        """Say which cards or tiles came out of the pile that is to be drawn from, in order."""
        with self._lock:
            self._playing()
            self._record(self._match.add(lots.told(self._match, cards)))
            self._lots = False
            self._tell(self._said_with_lots())

    def deal(self) -> None:
        """Draw by lot what is to be drawn, now and from now on."""
        with self._lock:
            self._playing()
            self._lots = self._lots or not lots.secretly(self._match)
            self._record(lots.drawn(self._match))
            self._tell(self._said_with_lots())

    def roll(self, text: str) -> None:
        """Type what the dice show, for a throw the camera missed."""
        with self._lock:
            self._playing()
            self._record(self._match.add(Roll(self._match.game.dice.read(text))))
            self._question, self._tray.waiting = "", False
            self._tell(self._said())

    def correct(self, number: int, face: str, by: str = "") -> None:
        """Say what die `number` (from 1) really shows: an answer to a question, or a correction
        afterwards; `by` is who says so, where that is known."""
        with self._lock:
            self._playing()
            face = self._dice_set.resolve(face)
            self._die(number)
            said = f"Die {number} is {face_label(self._dice_set, face, self._language)}"
            read = self._tray.read(number, self._match)
            if read is not None and self._learns is not None:
                self._learns(read, face)
            if self._tray.waiting:
                self._tray.correct(number, face)
                self._accept(said, by)
                return
            event = self._match.last_roll()
            assert event is not None, "dice that do not wait are those of a roll"
            faces = tuple(face if one.number == number else one.face for one in self._tray.shown(self._match))
            self._record(self._match.correct(event, faces), by=by)
            self._tray.correct_roll(event, number, face)
            self._tell(words.sentence(said, *self._awaited()))

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
        """Take back the last decision, and what came after it."""
        with self._lock:
            self._playing()
            self._record(self._match.undo())
            self._question, self._tray.waiting = "", False
            while self._throws and self._throws[-1] > len(self._match.played):
                self._throws.pop()
                if self._thrower is not None:
                    self._thrower.take_back()
            self._tell(words.sentence("Taken back", *self._awaited()))

    def greet(self) -> None:
        """Tell everyone how the table stands, as at the start or after a pause."""
        with self._lock:
            self._tell(words.sentence(self._match.game.title, *self._awaited()))

    def latest(self) -> Notice:
        """The last notice, for whoever comes late."""
        with self._lock:
            return self._latest or Notice(0, "", self._standing())

    # --- the rest

    def _playing(self) -> None:
        """Raise IllegalMoveError while the match is paused."""
        self._here()
        if self._paused:
            refuse("the match is paused")

    def _here(self) -> None:
        """Raise IllegalMoveError when the match was replaced: a page that had not heard of it sent this."""
        if self._gone:
            refuse("another match is on the table now")

    def _asking(self, question: str, *, doubtful_throw: bool = False) -> None:
        """Ask, or ask nothing any more; what is asked already is not said again."""
        fresh = question and question != self._question
        self._question, self._countable = question, doubtful_throw
        self._tell(question if fresh else "")

    def _take(self, throw: Thrown) -> None:
        """Make a roll of a throw; a store that refuses is said, and the dice are read again when asked."""
        self._thrown, self._trusted = throw, False
        self._tray.know_again(throw)
        try:
            self._accept()
        except StoreError as refused:
            said = words.sentence("This throw is not kept", str(refused), "Look again when that is mended")
            self._asking(said)
            self._question = (
                ""  # what lies there was not taken, so the same dice are news when they are seen again
            )

    def _accept(self, said: str = "", by: str = "") -> None:
        """Make a roll of what lies there, or ask why not; `by` says who answered."""
        question, countable = self._doubt()
        if not question:
            try:
                after = self._after_throw()
            except IllegalMoveError as refused:
                question = words.sentence(refused.rule, "Correct a die, or throw again")
            else:
                told = [*self._sayings[:-1], *sentences(after, self._language, self._labels)]
                self._record(after, seen=dice_told(self._tray.lying, self._tray.picture_size), by=by)
                self._tray.became(len(after.events))
                self._tell(words.sentence(said, *told))
                if self._album is not None and self._evidence is not None:
                    self._album.add(self._store.id, len(after.events), self._evidence)
                self._evidence = None
                return
        self._question, self._countable = question, countable
        self._tell(words.sentence(said, question))

    def _after_throw(self) -> Match:
        """The match with this throw, and before it what the player held where nobody said so. May be refused."""
        match, faces = self._match, self._tray.faces
        self._sayings = []
        if roll_awaited(match) is None:
            keep = tuple(faces[place] for place in self._thrown.kept)
            match = match.add(Play(self._decider(), Hold(keep)))
            self._sayings = [*sentences(match, self._language, self._labels)]
        self._sayings.append("")
        return match.add(Roll(faces))

    def _doubt(self) -> tuple[str, bool]:
        """What to ask before these dice are a roll, and whether "it counts" is an answer; empty when all is clear."""
        awaited = roll_awaited(self._match)
        due = awaited.dice if awaited else self._match.game.dice.count
        lying = self._tray.shown(self._match)
        question = asked_about(lying, due)
        if question or self._trusted:
            return question, False
        leaning = leaning_dice(self._tray.lying)
        if leaning:
            return f"Die {leaning[0] + 1} leans on something. Lay it flat, or say that it counts.", True
        return self._thrown.doubt, bool(self._thrown.doubt)

    def _record(self, after: Match, *, seen: str | None = None, by: str = "") -> None:
        """The only place where the match changes: on disk first."""
        self._store.keep(after.events, over=after.outcome is not None, seen=seen, by=by)
        self._match = after
        if self._left:
            self._follow_on()
        self._tray.follow(after)
        self._question, self._countable = self._stopped(), False

    def _follow_on(self) -> None:
        """Somebody caught up: the others' turns from before they joined follow by themselves."""
        try:
            after, left = follow_on(self._match, self._left)
        except IllegalMoveError as refused:
            logging.getLogger(__name__).warning("earlier turns do not follow: %s", refused)
            after, left = self._match, {}
        self._store.keep(after.events, over=after.outcome is not None)
        self._match, self._left = after, left

    def _stopped(self) -> str:
        """Why the match cannot go on, after a correction; empty when it can."""
        return str(self._match.stop) if self._match.stop else ""

    def _tell(self, sentence: str) -> None:
        self._number += 1
        notice = self._latest = Notice(self._number, sentence, self._standing())
        for output in self._outputs:
            try:
                output.tell(notice)
            except Exception:
                # A broken output must not hold up the table, nor keep the others from being told.
                logging.getLogger(__name__).exception("an output failed")

    def _said(self) -> str:
        return words.sentence(*sentences(self._match, self._language, self._labels))

    def _said_with_lots(self) -> str:
        """What there is to say about the last event, and about what is drawn by lot because of it."""
        told: list[str] = []
        while lots.secretly(self._match) or (self._lots and lots.draw_awaited(self._match)):
            told += lots.without_awaited(self._match, sentences(self._match, self._language, self._labels))
            self._record(lots.drawn(self._match))
        return words.sentence(*told, *sentences(self._match, self._language, self._labels))

    def _awaited(self) -> tuple[str, ...]:
        players = self._match.header.players
        return tuple(say(one, players, self._language, self._labels) for one in awaiting(self._match))

    def _decider(self) -> int:
        """The player who is to decide. Raises IllegalMoveError when nobody is."""
        player = decider(self._match)
        if player is None:
            refuse(str(self._match.stop) if self._match.stop else "no decision is awaited now")
        return player

    def _die(self, number: int) -> ShownDie:
        """The die with this number. Raises IllegalMoveError when there is none."""
        dice = self._tray.shown(self._match)
        if not 1 <= number <= len(dice):
            refuse(f"there are dice 1 to {len(dice)}, got {number}" if dice else "there are no dice yet")
        return dice[number - 1]

    def _standing(self) -> Standing:
        return standing(
            self._match,
            self._tray,
            awaited=words.sentence(*self._awaited()),
            question=self._question,
            countable=self._countable,
            trouble=self._trouble,
            paused=self._paused,
            thrower=self._thrower is not None,
        )

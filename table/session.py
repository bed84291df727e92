"""One running match, fed by readings and by people.

Whatever happens goes the same way: it becomes an event of the match, the event goes to disk, and then the
outputs are told (invariant 4). What is uncertain, or cannot be, becomes a question instead of an event
(invariant 3).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from scoring.actions import Hold, IllegalMoveError, Move, Play, Roll, RollAwaited, refuse
from scoring.match import Match
from scoring.wording import awaiting, say, sentences
from table import words
from table.notice import Notice, Point, ShownDie, Standing
from table.ports import Output, Thrower
from table.seen import face_label
from table.sheet import answers, decider, holding, prompt, roll_awaited, sheet
from table.store import MatchStore, StoreError
from table.tray import Tray
from vision.diceset import DiceSet
from vision.reading import Reading


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
    ) -> None:
        """Go on with a match whose events are all in `store`."""
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
        self._throws: list[int] = []
        """How many events counted at each throw of the demo table, so that an undo puts its dice back."""
        self._staying: tuple[Point, ...] = ()
        """Where in the picture the dice lie that stay for the next throw."""
        self._question = ""
        self._trouble = ""
        self._paused = False

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._match

    @property
    def dice_set(self) -> DiceSet:
        """The set the match is played with."""
        return self._dice_set

    # --- what the camera says

    def saw(self, reading: Reading) -> None:
        """Take a reading of settled dice: a roll, when one is awaited and nothing is in doubt."""
        with self._lock:
            if self._paused:
                return
            tray, news = self._tray, self._tray.see(reading)
            if not tray.lying:
                tray.waiting, self._question = False, ""
                self._tell("")
            elif roll_awaited(self._match) is not None:
                if news or not (tray.waiting and self._question):
                    tray.waiting = True
                    self._take()
            elif tray.put_back(self._match):
                self._question = self._stopped()
                self._tell("")
            elif news:
                self._question = "The dice were moved, though no throw is due."
                self._tell(self._question)

    def camera_says(self, trouble: str | None) -> None:
        """The camera stopped seeing, in words; or None when it sees again."""
        with self._lock:
            if (trouble or "") != self._trouble:
                self._trouble = trouble or ""
                self._tell(words.sentence(trouble or "The camera sees again"))

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
            if not self._paused:
                refuse("the match is not paused")
            self._store.mark("running")
            self._paused = False
            self.greet()

    def hold(self, number: int) -> None:
        """Hold die `number` (from 1) for the next throw, or let it go again."""
        with self._lock:
            self._playing()
            if not holding(self._match):
                refuse("no dice can be held now")
            die = self._die(number)
            held = "held" if self._tray.hold(number) else "not held"
            self._tell(f"Die {number}, {die.label}, {held}.")

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
                self._record(self._match.add(Play(self._decider(), Hold(keep))))
                self._staying = staying
            elif not awaited.kept:
                self._staying = ()
            self._question, self._tray.waiting = "", False
            if self._thrower is not None:
                self._throws.append(len(self._match.played))
                self._thrower.throw(self._staying)
            self._tell(self._said() if awaited is None else "")

    def decide(self, move: Move) -> None:
        """A player's decision: a box, a declaration, a confirmation."""
        with self._lock:
            self._playing()
            self._record(self._match.add(Play(self._decider(), move)))
            self._tell(self._said())

    def roll(self, text: str) -> None:
        """Type what the dice show, for a throw the camera missed."""
        with self._lock:
            self._playing()
            self._record(self._match.add(Roll(self._match.game.dice.read(text))))
            self._question, self._tray.waiting = "", False
            self._tell(self._said())

    def correct(self, number: int, face: str) -> None:
        """Say what die `number` (from 1) really shows: an answer to a question, or a correction
        afterwards."""
        with self._lock:
            self._playing()
            face = self._dice_set.resolve(face)
            self._die(number)
            said = f"Die {number} is {face_label(self._dice_set, face, self._language)}"
            if self._tray.waiting:
                self._tray.correct(number, face)
                self._accept(said)
                return
            event = self._match.last_roll()
            assert event is not None, "dice that do not wait are those of a roll"
            faces = tuple(face if one.number == number else one.face for one in self._tray.shown(self._match))
            self._record(self._match.correct(event, faces))
            self._tray.correct_roll(event, number, face)
            self._tell(words.sentence(said, *self._awaited()))

    def dismiss(self, number: int) -> None:
        """Say that what was taken for die `number` (from 1) is none, while the table asks."""
        with self._lock:
            self._playing()
            if not self._tray.waiting:
                refuse("nothing is being asked about now")
            self._tray.dismiss(number)
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
        if self._paused:
            refuse("the match is paused")

    def _take(self) -> None:
        """Make a roll of what the camera saw; a store that refuses is said, and the dice are read again when asked."""
        try:
            self._accept()
        except StoreError as refused:
            self._question = words.sentence(
                "This throw is not kept", str(refused), "Look again when that is mended"
            )
            self._tell(self._question)
            self._question = ""

    def _accept(self, said: str = "") -> None:
        """Make a roll of what lies there, or ask why not."""
        awaited = roll_awaited(self._match)
        assert awaited is not None
        self._question = self._doubt(awaited)
        if not self._question:
            try:
                after = self._match.add(Roll(self._tray.faces))
            except IllegalMoveError as refused:
                self._question = words.sentence(refused.rule, "Correct a die, or throw again")
            else:
                self._record(after)
                self._tray.became(len(after.events))
                self._tell(words.sentence(said, *sentences(after, self._language, self._labels)))
                return
        self._tell(words.sentence(said, self._question))

    def _doubt(self, awaited: RollAwaited) -> str:
        """What to ask before these dice are a roll; empty when all is clear."""
        lying = self._tray.shown(self._match)
        if len(lying) != awaited.dice:
            seen_here, due = words.dice(len(lying)), words.dice(awaited.dice)
            more = len(lying) > awaited.dice
            way = "Which of them is none?" if more else "Move them apart, or type the roll."
            return f"I see {seen_here}, and the game needs {due}. {way}"
        doubtful = [die for die in lying if not die.certain]
        if not doubtful:
            return ""
        likely = [choice.label for choice in doubtful[0].choices if choice.confidence is not None][:3]
        maybe = f" I take it for {words.listed(likely, 'or')}." if likely else ""
        others = f" {words.number(len(doubtful)).capitalize()} dice are unclear." if len(doubtful) > 1 else ""
        return f"What does die {doubtful[0].number} show?{maybe}{others}"

    def _record(self, after: Match) -> None:
        """The only place where the match changes: on disk first."""
        self._store.keep(after.events, over=after.outcome is not None)
        self._match = after
        self._tray.follow(after)
        self._question = self._stopped()

    def _stopped(self) -> str:
        """Why the match cannot go on, after a correction; empty when it can."""
        return str(self._match.stop) if self._match.stop else ""

    def _tell(self, sentence: str) -> None:
        self._number += 1
        notice = self._latest = Notice(self._number, sentence, self._standing())
        for output in self._outputs:
            output.tell(notice)

    def _said(self) -> str:
        return words.sentence(*sentences(self._match, self._language, self._labels))

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
        match, view = self._match, self._match.game.table(self._match.state)
        dice, awaited = self._tray.shown(match), words.sentence(*self._awaited())
        groups, panels = sheet(match)
        return Standing(
            title=match.game.title,
            players=view.seats,
            on_turn=next((seat.name for seat in view.seats if seat.on_turn), ""),
            prompt=prompt(match, awaited),
            roll_words="" if self._tray.waiting else words.sentence(words.faces(die.label for die in dice)),
            question=self._question,
            dice=dice,
            picture_size=self._tray.picture_size,
            groups=groups,
            panels=panels,
            answers=answers(match),
            too_many=self._too_many(),
            can_hold=holding(match),
            throw=self._throw_words(dice),
            undo="Take back the last decision" if self._can_undo() else "",
            camera=self._trouble,
            over=awaited if match.outcome else "",
            winners=match.outcome.winners if match.outcome else (),
            paused=self._paused,
        )

    def _throw_words(self, dice: Sequence[ShownDie]) -> str:
        """What the throw button says; empty when there is nothing to throw."""
        if roll_awaited(self._match) is not None:
            # At a real table people throw by hand, and the camera sees it.
            said = "Throw again instead" if self._tray.waiting else "Throw the dice"
            return said if self._thrower is not None else ""
        again = len(dice) - sum(die.held for die in dice) if holding(self._match) else 0
        return f"Throw {'all' if again == len(dice) else words.dice(again)} again" if again else ""

    def _too_many(self) -> bool:
        awaited = roll_awaited(self._match)
        return self._tray.waiting and awaited is not None and len(self._tray.lying) > awaited.dice

    def _can_undo(self) -> bool:
        return bool(self._match.stop) or any(isinstance(one.action, Play) for one in self._match.played)

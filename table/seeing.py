"""What a match makes of what its camera sees: a roll, a hold without a word, or a question (invariant 3)."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from scoring.actions import Hold, IllegalMoveError, Play, Roll
from scoring.match import Match
from scoring.message import Message, message
from scoring.wording import announced
from table.asking import MOVED_ON, asked_about, leaning_dice
from table.course import Course
from table.happening import Moved, Same, TakenUp, Thrown
from table.notice import Point
from table.ports import Thrower
from table.seen import told as dice_told
from table.storage.evidence import Evidence
from table.storage.store import StoreError
from vision.reading import Reading
from words.overheard import heard
from words.tongue import Said


class SeenCourse(Course):
    """A match under a camera. Nothing uncertain is scored, and nothing that can be understood in two ways."""

    def complete(self, reading: Reading) -> bool:
        """Whether a reading shows all the dice there should be, each for certain."""
        with self._lock:
            awaited = self._match.roll_awaited
            due = awaited.dice if awaited else self._match.game.dice.count
            return len(reading.dice) == due and reading.certain and not (self._paused or self._gone)

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
            rolled, self._rolls_until = self._rolling, 0.0
            tray, news = self._tray, self._tray.see(reading)
            anew, self._anew = self._anew, False
            if not tray.lying:
                tray.emptied()
                self._asking()
            elif anew and not tray.waiting:
                self._saw_anew()
            elif not (news or rolled) and tray.waiting and self._question:
                return
            elif self._match.roll_awaited is not None:
                self._saw_a_throw(by_itself=rolled)
            elif tray.put_back(self._match):
                self._asking(*self._stopped())
            elif self._match.holds and tray.followed:
                self._saw_while_deciding(by_itself=rolled)
            elif news and not (tray.followed and isinstance(tray.happening(), (Same, TakenUp))):
                if tray.rolled_on(self._match):
                    self._asking(MOVED_ON, message("is it the same throw?"))
                else:
                    self._asking(message("the dice were moved, though no throw is due"))

    def _saw_a_throw(self, *, by_itself: bool) -> None:
        """A throw is due. Dice that still lie as they counted last are none, nor is what a hand left of them."""
        tray = self._tray
        found = tray.happening() if tray.followed else None
        if isinstance(found, (Same, TakenUp)):
            tray.waiting = False
            self._asking(*self._stopped())
            return
        tray.waiting = True
        awaited = self._match.roll_awaited
        throw = tray.thrown(awaited.kept if awaited else ())
        if isinstance(found, Moved):
            doubt = (message("the dice show what they showed before"), message("were they thrown?"))
            throw = replace(throw, doubt=doubt)
        self._take(throw if by_itself else self._unless_rolled_on(throw))

    def _unless_rolled_on(self, throw: Thrown) -> Thrown:
        """A throw nobody asked for, right after another, may be that one, which had not come to rest: that is asked."""
        if not self._tray.rolled_on(self._match):
            return throw
        return replace(throw, doubt=(MOVED_ON, message("were they thrown again, or is it the same throw?")))

    def _saw_while_deciding(self, *, by_itself: bool) -> None:
        """The player may hold dice and throw the others, without a word: what stayed is held."""
        tray = self._tray
        found = tray.happening()
        if isinstance(found, (Same, TakenUp)):
            tray.waiting = False
            self._asking()
        elif isinstance(found, Moved):
            moved = len(found.order) - len(found.still)
            tray.settle_moved(found)
            self._thrown = Thrown(found.still, found.still)
            alike = (
                message("{n:dice} was moved and shows what it showed", n=moved)
                if moved == 1
                else message("{n:dice} were moved and show what they showed", n=moved)
            )
            # Elbows nudge dice all evening: that is shown, and not asked aloud.
            asked = () if found.nudged else (alike, message("if thrown, say so"))
            self._asking(*asked, doubtful_throw=True)
        else:
            tray.waiting = True
            self._take(found if by_itself else self._unless_rolled_on(found))

    def _saw_anew(self) -> None:
        """The first look through another camera: places say nothing now, and nobody saw how these dice came there."""
        tray = self._tray
        if tray.know_by_faces():
            self._asking(*self._stopped())
            return
        tray.forget()
        if self._match.roll_awaited is None:
            self._asking(*self._stopped())
            return
        tray.waiting = True
        doubt = (
            message("these dice lay there when the camera was changed"),
            message("were they thrown?"),
        )
        self._take(Thrown((), (), doubt))

    def camera_changed(self, said: Message, thrower: Thrower | None) -> None:
        """Another camera is looked through from now on, in words; `thrower` where its table throws by itself.

        The match stays as it is, with whatever was asked. The dice lie elsewhere in the picture, perhaps on another
        table; those that lie there are not taken for a throw unless people say so.
        """
        with self._lock:
            self._thrower, self._anew = thrower, True
            self._throws.clear()
            self._rolls_until = 0.0
            self._staying, self._trouble = (), None
            self._tray.elsewhere()
            self._tell(said)

    def camera_says(self, trouble: Message | str | None) -> None:
        """The camera stopped seeing, in words; or None when it sees again."""
        with self._lock:
            said = heard(trouble) if isinstance(trouble, str) else trouble
            if said != self._trouble:
                self._trouble = said
                self._tell(said or message("the camera sees again"))

    def view_moved(self, move: Point, size: tuple[int, int]) -> None:
        """Another part of the camera's picture is looked at: everything lies `move` pixels elsewhere in it, and it is
        `size` (width, height) large. The dice are the same ones."""
        with self._lock:
            self._tray.shift(move, size)
            self._staying = tuple((x + move[0], y + move[1]) for x, y in self._staying)
            self._tell()

    def _asking(self, *question: Said, doubtful_throw: bool = False) -> None:
        """Ask, or ask nothing any more; what is asked already is not said again."""
        fresh = question != self._question
        self._question, self._countable = question, doubtful_throw
        self._tell(*question if fresh else ())

    def _take(self, throw: Thrown) -> None:
        """Make a roll of a throw; a store that refuses is said, and the dice are read again when asked."""
        self._thrown, self._trusted = throw, False
        self._tray.know_again(throw)
        try:
            self._accept()
        except StoreError as refused:
            self._asking(
                message("this throw is not kept"),
                heard(str(refused)),
                message("look again when that is mended"),
            )
            self._question = ()  # what lies there was not taken: the same dice are news when they are seen again

    def _accept(self, *said: Said, by: str = "") -> None:
        """Make a roll of what lies there, or ask why not; `by` says who answered."""
        question, countable = self._doubt()
        if not question:
            try:
                after = self._after_throw()
            except IllegalMoveError as refused:
                question = (refused.rule, message("correct a die, or throw again"))
            else:
                told = (*self._sayings, *announced(after))
                self._record(after, seen=dice_told(self._tray.lying, self._tray.picture_size), by=by)
                self._tray.became(len(after.events))
                self._tell(*said, *told)
                if self._album is not None and self._evidence is not None:
                    self._album.add(self._store.id, len(after.events), self._evidence)
                self._evidence = None
                return
        self._question, self._countable = question, countable
        self._tell(*said, *question)

    def _after_throw(self) -> Match:
        """The match with this throw, and before it what the player held where nobody said so. May be refused."""
        match, faces = self._match, self._tray.faces
        self._sayings = []
        if match.roll_awaited is None:
            keep = tuple(faces[place] for place in self._thrown.kept)
            match = match.add(Play(self._decider(), Hold(keep)))
            self._sayings = list(announced(match))
        return match.add(Roll(faces))

    def _doubt(self) -> tuple[tuple[Said, ...], bool]:
        """What to ask before these dice are a roll, and whether "it counts" is an answer; nothing when all is clear."""
        awaited = self._match.roll_awaited
        due = awaited.dice if awaited else self._match.game.dice.count
        lying = self._tray.shown(self._match)
        question = asked_about(lying, due)
        if question or self._trusted:
            return question, False
        leaning = leaning_dice(self._tray.lying)
        if leaning:
            leans = message("die {n} leans on something", n=leaning[0] + 1)
            return (leans, message("lay it flat, or say that it counts")), True
        return self._thrown.doubt, bool(self._thrown.doubt)

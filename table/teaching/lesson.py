"""Enrolling at the table: name a face, put a die under the camera, keep what it saw.

    enrolment = begin(note, detector, matcher)   # the set's id, title, shapes and the faces it will have
    enrolment.name("emu")
    enrolment.see(frame)        # every frame; it waits until the table lies still
    enrolment.view.offer        # then: the rectified faces, what is wrong with them, "keep?"
    enrolment.keep()            # or .discard(); then the next face
    enrolment.finish()          # writes the set

The camera's thread calls `see`; pages call the rest. Nothing is written before `finish`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from table.teaching.book import Book
from table.teaching.look import Look, sharpness
from table.teaching.ports import Keeps, Takes
from table.teaching.view import Candidate, Offer, Step, View, offered
from vision.dicesets.shapes import Shape
from vision.enrol.enrol import EnrolError, Enrolled, Taken, one_face
from vision.frame import Frame, Pixels
from vision.said import Words
from vision.settle import Settle
from words import teaching as words
from words.teaching import Saying, kept_words, say

__all__ = ["Candidate", "Enrolment", "Offer", "Step", "View", "sharpness"]


class Enrolment:
    """One set in the making. Every method may be called from any thread.

    Methods that people call raise `EnrolError`, in one line, when they do not fit; nothing has changed then.
    """

    def __init__(
        self,
        shapes: Sequence[Shape],
        faces: Sequence[str],
        *,
        takes: Takes,
        keeps: Keeps,
        settle: Settle | None = None,
        changed: Callable[[View], None] = lambda _: None,
        source: str = "camera",
        blank: Sequence[str] = (),
        settled: Sequence[str] = (),
    ) -> None:
        """Begin with faces that are all missing.

        Args:
            shapes: of the set's dice.
            faces: their ids; more can be named later.
            takes: finds dice in a picture.
            keeps: writes the set.
            settle: follows the camera.
            changed: is told after each change, in the thread that made it.
            source: what the examples are said to come from.
            blank: faces that show nothing, and need no example.
            settled: faces that the set has examples of already.
        """
        self._shapes = tuple(shapes)
        self._takes = takes
        self._keeps = keeps
        self._settle = settle or Settle()
        self._changed = changed
        self._source = source
        self._lock = threading.RLock()
        self._book = Book(faces, blank, settled)
        self._look: Look | None = None
        self._finding = False
        self._known_lying = False
        """What lies there was kept already, or is none of these dice: it is not looked at before it moves."""
        self._pass_over = False
        """The same, before the camera has seen anything at all."""
        self._view = self._book.counted(View.first(say(words.FIRST)))

    @property
    def view(self) -> View:
        """How it stands now."""
        return self._view

    @property
    def numbered(self) -> Mapping[str, Mapping[int, Taken]]:
        """The examples of each face by their numbers."""
        with self._lock:
            return self._book.numbered

    def restore(self, examples: Mapping[str, Mapping[int, Taken]], blank: Sequence[str], face: str) -> None:
        """Go on where somebody left off, before anything was seen or said; `face` was to be shown next."""
        with self._lock:
            self._book.restore(examples, blank)
            self._view = self._book.counted(self._view)
            if face:
                self.name(face)

    # --- what people say

    def name(self, face: str) -> None:
        """The next die shows this face; a new one is added to the set."""
        with self._lock:
            self._going_on()
            if not face.strip():
                raise EnrolError("expected the name of a face, found none")
            self._book.know(face)
            self._look = None
            self._show(Step.WAITING, face=face, offer=None, saying=say(words.SHOW, face=face))
            if not self._known_lying:
                self._settle.restart()  # a die that lies there already is looked at, too

    def pass_over(self) -> None:
        """What lies there now is none of these dice: wait until something else does, or somebody says look."""
        with self._lock:
            self._known_lying = self._pass_over = True

    def keep(self, faces: Mapping[int, str] | None = None, *, onward: bool = False) -> None:
        """Keep what is offered: every die as the named face, or each as the face that is given.

        `faces` maps a candidate's number to the face it shows, "" for a die that is left out. Where dice may differ
        every one must be in it, and dice that look different cannot all be one face. With `onward` the next face that
        is missing is asked for; the die that lies there must move first.
        """
        with self._lock:
            offer = self._offer()
            numbers = {one.number: one for one in offer.candidates}
            if faces is None and offer.mixed:
                raise EnrolError("expected a face for each die, because they differ")
            chosen = dict(faces) if faces is not None else dict.fromkeys(numbers, offer.face)
            if unknown := set(chosen) - set(numbers):
                raise EnrolError(
                    "expected dice 1 to %(most)s, found %(found)s", most=len(numbers), found=min(unknown)
                )
            if offer.mixed and (unnamed := set(numbers) - set(chosen)):
                raise EnrolError(
                    "die %(number)s has no name yet: name it, or leave it out", number=min(unnamed)
                )
            chosen = {number: face for number, face in chosen.items() if face}
            if not chosen:
                raise EnrolError("expected a die to keep, found none")
            for face in set(chosen.values()):
                together = [number for number in chosen if chosen[number] == face]
                if not one_face([numbers[number].die for number in together]):
                    raise EnrolError(
                        "dice %(numbers)s look different: they cannot all be %(face)s",
                        numbers=Words(tuple(str(number) for number in together), "and"), face=face,
                    )  # fmt: skip
            for face in chosen.values():
                self._book.know(face)
            for number, face in chosen.items():
                self._book.add(Taken(face, numbers[number].source, numbers[number].die))
            missing = self._book.missing
            after = self._book.after(offer.face) if onward else offer.face
            told = kept_words(list(chosen.values()), missing, after if onward else "")
            self._known_lying = True
            self._show(Step.WAITING, offer=None, face=after, saying=told)

    def discard(self) -> None:
        """Keep nothing of what is offered; move the die for another look."""
        with self._lock:
            face = self._offer().face
            self._show(Step.WAITING, offer=None, saying=say(words.NOT_KEPT, face=face))

    def look_again(self) -> None:
        """Take other pictures of what lies there."""
        with self._lock:
            self._going_on()
            if not self._view.face:
                raise EnrolError("expected the name of a face first, found none")
            self._look = None
            self._show(Step.WAITING, offer=None, saying=say(words.LOOK_AGAIN, face=self._view.face))
            self._known_lying = self._pass_over = False
            self._settle.restart()

    def forget(self, face: str, number: int | None = None) -> None:
        """Let go of every example kept of a face, or of the one with this number."""
        with self._lock:
            self._going_on()
            left = self._book.forget(face, number)
            self._show(self._view.step, saying=say(words.LET_GO if left else words.MISSING_AGAIN, face=face))

    def drop(self, face: str) -> None:
        """Take a face out of the set again, with its examples."""
        with self._lock:
            self._going_on()
            self._book.drop(face)
            told = say(words.DROPPED, face=face)
            if self._view.face == face:
                self._look = None
                self._show(Step.NAMING, face="", offer=None, saying=told)
            else:
                self._show(self._view.step, saying=told)

    def blank(self, face: str, shows_nothing: bool = True) -> None:
        """Say that a face shows nothing and needs no example, or that it does."""
        with self._lock:
            self._going_on()
            self._book.leave_blank(face, shows_nothing)
            told = say(words.BLANK if shows_nothing else words.NOT_BLANK, face=face)
            self._show(self._view.step, saying=told)

    def finish(self) -> Enrolled:
        """Write the set. EnrolError while faces are missing; OSError when it cannot be written."""
        with self._lock:
            self._going_on()
            if missing := self._book.missing:
                raise EnrolError(
                    "expected a picture of every face, found none of %(missing)s",
                    missing=Words(tuple(missing)),
                )
            made = self._keeps(self._book.every, self._book.faces, self._book.blank)
            told = say(words.MADE, set=made.dice_set.name(), count=len(self._book.faces))
            self._show(Step.FINISHED, offer=None, saying=told)
            return made

    # --- what is seen

    def see(self, frame: Frame) -> View:
        """Look at the next frame. Finding dice happens here, in the camera's thread, once a look."""
        with self._lock:
            sight = self._settle.see(frame)
            fresh, step = sight.fresh, self._view.step
            if fresh:
                fresh, self._pass_over = not self._pass_over, False
                self._known_lying = self._known_lying and not fresh
            if step is Step.WAITING and self._view.face and fresh:
                self._look = Look(frame.taken)
                self._show(Step.LOOKING, saying=say(words.HOLD_STILL))
            elif step is Step.LOOKING and not self._settle.resting:
                self._look = None
                self._show(Step.WAITING, saying=say(words.SHOW, face=self._view.face))
            elif step is Step.ASKING and fresh:
                # Something else lies there now: the offer is out of date, and so is what was seen.
                self._look = Look(frame.taken)
                self._show(Step.LOOKING, offer=None, saying=say(words.HOLD_STILL))
            if sight.state is not self._view.table:
                self._show(self._view.step)
            look = self._look
            if look is None or self._finding:
                return self._view
            if not look.complete(frame):
                return self._view
            self._look = None
            self._finding = True
            face = self._view.face
        try:
            self._find(face, look)
        finally:
            self._finding = False
        return self._view

    def picture(self, face: str, pictures: Sequence[tuple[str, Pixels]]) -> None:
        """Look at pictures, (name, (H, W, 3) BGR) each, of dice that show a face; what is found is offered.

        Raises:
            EnrolError: there is no die in one of them; it is offered nothing then.
        """
        with self._lock:
            self._going_on()
            self._book.know(face)
        found: list[Taken] = []
        for name, pixels in pictures:
            found += self._takes(pixels, self._shapes, face, name)
        if not found:
            raise EnrolError("expected a picture, found none")
        with self._lock:
            self._going_on()
            self._look = None
            self._show(Step.WAITING, face=face)
            self._ask(face, found, 0.0)

    def _find(self, face: str, look: Look) -> None:
        """Find the dice in the sharpest frame, without the lock: people may change their minds meanwhile."""
        sharp, pixels = look.sharpest()
        try:
            taken = self._takes(pixels, self._shapes, face, self._source)
            refused = None
        except EnrolError as error:
            taken, refused = (), error
        with self._lock:
            self._settle.found(len(taken))
            if self._view.step is not Step.LOOKING or self._view.face != face:
                return
            if refused is not None:
                self._show(Step.WAITING, saying=_refusal(refused, self._source, face))
                return
            self._ask(face, taken, sharp)

    def _ask(self, face: str, taken: Sequence[Taken], sharp: float) -> None:
        offer = offered(face, taken, sharp, self._book.examples)
        self._show(Step.ASKING, offer=offer, saying=offer.asked)

    def _offer(self) -> Offer:
        self._going_on()
        if self._view.step is not Step.ASKING or self._view.offer is None:
            raise EnrolError("expected dice that were seen, found none to keep")
        return self._view.offer

    def _going_on(self) -> None:
        if self._view.step is Step.FINISHED:
            raise EnrolError("expected an enrolment that goes on, found a finished one")

    def _show(
        self, step: Step, *, saying: Saying | None = None, face: str | None = None, **changes: Offer | None
    ) -> None:
        shown = replace(
            self._view,
            step=step,
            table=self._settle.state,
            face=self._view.face if face is None else face,
            saying=self._view.saying if saying is None else saying,
            version=self._view.version + 1,
            **changes,
        )
        self._view = self._book.counted(shown)
        self._changed(self._view)


def _refusal(refused: EnrolError, source: str, face: str) -> Saying:
    """Why a look came to nothing."""
    if refused.kind == "no die":
        return say(words.NO_DIE, face=face)
    if refused.kind == "small":
        return say(words.TOO_SMALL, found=refused.said.values["found"], wanted=refused.said.values["wanted"])
    return say(words.REFUSED, refused=refused.said.without(f"{source}: "))

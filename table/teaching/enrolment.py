"""Enrolling at the table: name a face, put a die under the camera, keep what it saw.

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
from typing import Any, Final

import msgspec

from messages.message import Message, message
from table.teaching.view import Candidate, LessonStep, LessonView, Offer, kept_words, named, offered
from vision.dicesets.files import SET_ID, FaceNote, SetNote
from vision.enrol.enrol import EnrolError, Enrolled, Wish, one_face
from vision.enrol.shown import Shown
from vision.frame import Frame, Pixels
from vision.quality import sharpness
from vision.settle import Settle

MOST_FACES: Final = 64
"""Faces of one set, at most (`vision.dicesets.folder`)."""
CAMERA: Final = "camera"
"""Where examples come from that are in no picture file."""
FRAMES: Final = 6
"""Still frames of which the sharpest is taken."""
LONGEST: Final = 1.0
"""Seconds after which the frames there are must do: a slow camera has fewer."""

Takes = Callable[[Pixels, str, str], Sequence[Shown]]
"""Finds the dice in a picture that show a face, of a picture from there. EnrolError where there is none."""
Keeps = Callable[[Wish, Sequence[Shown]], Enrolled]
"""Writes the set. EnrolError when it cannot be one, OSError when it cannot be written."""


class Enrolment:
    """One set in the making. Every method may be called from any thread.

    Methods that people call raise `EnrolError`, in one line, when they do not fit; nothing has changed then.
    """

    def __init__(
        self,
        note: SetNote,
        takes: Takes,
        keeps: Keeps,
        *,
        adding: bool = False,
        labels: Mapping[str, str] | None = None,
        changed: Callable[[LessonView], None] = lambda _: None,
    ) -> None:
        """Begin with the faces of `note`, which are all missing.

        With `adding`, a set of this id is there and keeps its examples, and no face of it is missing. `labels` are what
        people call the faces, where that is not their id. `changed` is told after each change, in the thread that made
        it.
        """
        self.note, self.adding, self.labels = note, adding, dict(labels or {})
        self._takes, self._keeps, self._changed = takes, keeps, changed
        self._settle = Settle()
        self._lock = threading.RLock()
        self._look: list[Frame] = []
        """Still frames while they are collected."""
        self._finding = False
        self._known_lying = False
        """What lies there was kept already, or is none of these dice: it is not looked at before it moves."""
        self._pass_over = False
        """The same, before the camera has seen anything at all."""
        self._last = 0
        """The number of the newest example."""
        faces = [face.id for face in note.faces]
        self._view = LessonView(dict.fromkeys(faces, ()), frozenset(faces if adding else ()))

    @property
    def view(self) -> LessonView:
        """How it stands now."""
        return self._view

    @property
    def set_id(self) -> str:
        """The id of the set that is made or added to."""
        return self.note.id

    @property
    def title(self) -> str:
        """The set's name."""
        return self.note.title.get("en") or next(iter(self.note.title.values()), self.note.id)

    def label(self, face: str) -> str:
        """A face as people read it."""
        return self.labels.get(face, face)

    def restore(self, examples: Mapping[str, Mapping[int, Shown]], blank: Sequence[str], face: str) -> None:
        """Go on where somebody left off, before anything was seen or said; `face` was to be shown next."""
        with self._lock:
            kept = {
                known: tuple(Candidate(number, die) for number, die in dice.items())
                for known, dice in examples.items()
            }
            self._last = max((number for dice in examples.values() for number in dice), default=0)
            self._view = replace(
                self._view, kept=kept, blank=tuple(one for one in kept if one in blank and not kept[one])
            )
            if face:
                self.name(face)

    # --- what people say

    def name(self, face: str) -> None:
        """The next die shows this face; a new one is added to the set."""
        with self._lock:
            self._running()
            if not face.strip():
                raise EnrolError("enter a name for the face")
            self._know(face)
            self._look = []
            self._ask_for(face)
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
            chosen = _chosen(offer, faces)
            for face in chosen.values():
                self._know(face)
            for one in offer.candidates:
                if face := chosen.get(one.number):
                    self._last += 1
                    self._put(face, (*self._view.kept[face], named(one, self._last, face)))
            after = self._view.next_missing(offer.face) if onward else offer.face
            told = kept_words(list(chosen.values()), self._view.missing, after if onward else "")
            self._known_lying = True
            self._show(LessonStep.WAITING, told, offer=None, face=after)

    def discard(self) -> None:
        """Keep nothing of what is offered; move the die for another look."""
        with self._lock:
            face = self._offer().face
            told = message("Not kept. Move the die and show {face:called} again.", face=face)
            self._show(LessonStep.WAITING, told, offer=None)

    def look_again(self) -> None:
        """Take other pictures of what lies there."""
        with self._lock:
            self._running()
            if not self._view.face:
                raise EnrolError("choose a face first")
            self._look = []
            told = message("Looking again at {face:called}.", face=self._view.face)
            self._show(LessonStep.WAITING, told, offer=None)
            self._known_lying = self._pass_over = False
            self._settle.restart()

    def forget(self, face: str, number: int) -> None:
        """Let go of the example with this number."""
        with self._lock:
            kept = self._kept(face)
            left = tuple(one for one in kept if one.number != number)
            if len(left) == len(kept):
                raise EnrolError(
                    "this picture of {face:called} no longer exists", face=face
                )
            self._put(face, left)
            let_go = message("Deleted the picture of {face:called}.", face=face)
            self._show(
                self._view.step, let_go if left else message("Picture deleted; {face:called} is "
                                                             "missing again.", face=face)
            )

    def drop(self, face: str) -> None:
        """Take a face out of the set again, with its examples."""
        with self._lock:
            self._kept(face)
            if face in self._view.settled:
                raise EnrolError("{face:called} is already part of the set and cannot be removed here", face=face)
            kept = {one: examples for one, examples in self._view.kept.items() if one != face}
            blank = tuple(one for one in self._view.blank if one != face)
            told = message("{face:called} is no longer part of this set.", face=face)
            if self._view.face == face:
                self._look = []
                self._show(LessonStep.NAMING, told, kept=kept, blank=blank, face="", offer=None)
            else:
                self._show(self._view.step, told, kept=kept, blank=blank)

    def blank(self, face: str, shows_nothing: bool = True) -> None:
        """Say that a face shows nothing and needs no example, or that it does."""
        with self._lock:
            if self._kept(face):
                raise EnrolError(
                    "{face:called} has a picture; delete it before you mark the face as blank",
                    face=face,
                )
            blank = (*(one for one in self._view.blank if one != face), *([face] if shows_nothing else []))
            told = message("{face:called} is blank and needs no picture.", face=face)
            if not shows_nothing:
                told = message("{face:called} needs a picture.", face=face)
            self._show(self._view.step, told, blank=blank)

    def finish(self) -> Enrolled:
        """Write the set. EnrolError while faces are missing; OSError when it cannot be written."""
        with self._lock:
            self._running()
            view = self._view
            if view.missing:
                raise EnrolError(
                    "every face needs a picture; still missing: {missing:called}", missing=view.missing
                )
            known = {face.id: face for face in self.note.faces}
            labels = {
                face: {"en": self.label(face)} if self.label(face) != face else {} for face in view.kept
            }
            faces = tuple(known.get(face) or FaceNote(face, labels[face]) for face in view.kept)
            blank = tuple(face for face in view.blank if face not in view.settled)
            wish = Wish(msgspec.structs.replace(self.note, faces=faces), {}, blank, tuple(view.settled))
            made = self._keeps(wish, [one.die for kept in view.kept.values() for one in kept])
            told = message("{set} is ready: {count} faces.", set=made.dice_set.name(), count=len(view.kept))
            self._show(LessonStep.FINISHED, told, offer=None)
            return made

    # --- what is seen

    def see(self, frame: Frame) -> LessonView:
        """Look at the next frame. Finding dice happens here, in the camera's thread, once a look."""
        with self._lock:
            sight = self._settle.see(frame)
            fresh, step = sight.fresh, self._view.step
            if fresh:
                fresh, self._pass_over = not self._pass_over, False
                self._known_lying = self._known_lying and not fresh
            if fresh and (step is LessonStep.ASKING or (step is LessonStep.WAITING and self._view.face)):
                # Something else lies there now: an offer is out of date, and so is what was seen.
                self._look = []
                self._show(LessonStep.LOOKING, message("Hold still."), offer=None)
            elif step is LessonStep.LOOKING and not self._settle.resting:
                self._look = []
                self._ask_for(self._view.face)
            if sight.state is not self._view.table:
                self._show(self._view.step)
            if self._finding or self._view.step is not LessonStep.LOOKING:
                return self._view
            self._look.append(frame)
            if len(self._look) < FRAMES and frame.taken - self._look[0].taken < LONGEST:
                return self._view
            sharpest = max(self._look, key=lambda one: sharpness(one.pixels) or 0.0)
            self._look = []
            self._finding = True
            face = self._view.face
        try:
            self._find(face, sharpest.pixels)
        finally:
            self._finding = False
        return self._view

    def picture(self, face: str, pictures: Sequence[tuple[str, Pixels]]) -> None:
        """Look at pictures, (name, (H, W, 3) BGR) each, of dice that show a face; what is found is offered.

        Raises:
            EnrolError: there is no die in one of them; it is offered nothing then.
        """
        with self._lock:
            self._running()
            self._know(face)
        dice = [die for name, pixels in pictures for die in self._takes(pixels, face, name)]
        if not dice:
            raise EnrolError("no picture arrived; choose a picture and send it again")
        with self._lock:
            self._running()
            self._look = []
            self._ask(face, dice)

    def _find(self, face: str, pixels: Pixels) -> None:
        """Find the dice in the sharpest frame, without the lock: people may change their minds meanwhile."""
        dice: Sequence[Shown] = ()
        told: Message | None = None
        try:
            dice = self._takes(pixels, face, CAMERA)
        except EnrolError as refused:
            told = _refusal(refused, face)
        with self._lock:
            self._settle.found(len(dice))
            if self._view.step is not LessonStep.LOOKING or self._view.face != face:
                return
            if told is not None:
                self._show(LessonStep.WAITING, told)
            else:
                self._ask(face, dice)

    # --- the rest; the lock is held

    def _ask(self, face: str, dice: Sequence[Shown]) -> None:
        offer = offered(face, dice, self._view.kept)
        count = len(offer.candidates)
        asked = message("Keep this picture of {face:called}?", face=face)
        if offer.mixed:
            asked = message(
                "These {count} dice may show different faces. Name each die or leave it out.",
                count=count,
            )
        elif count > 1:
            asked = message("Keep these {count} pictures of {face:called}?", face=face, count=count)
        self._show(LessonStep.ASKING, asked, face=face, offer=offer)

    def _offer(self) -> Offer:
        self._running()
        if self._view.step is not LessonStep.ASKING or self._view.offer is None:
            raise EnrolError("there is no die to keep right now; put a die under the camera")
        return self._view.offer

    def _running(self) -> None:
        if self._view.step is LessonStep.FINISHED:
            raise EnrolError("this dice set is already finished")

    def _know(self, face: str) -> None:
        """The face is one of the set's from now on."""
        if face in self._view.kept:
            return
        if not SET_ID.fullmatch(face):
            raise EnrolError(
                "a face id may contain only lower-case letters, digits and hyphens, not “{found}”", found=face[:40]
            )
        if len(self._view.kept) >= MOST_FACES:
            raise EnrolError("a dice set has at most {most} faces", most=MOST_FACES)
        self._put(face, ())

    def _kept(self, face: str) -> tuple[Candidate, ...]:
        """The examples of a face of the set."""
        self._running()
        if face not in self._view.kept:
            raise EnrolError(
                "there is no face “{found}”; the faces are {faces:called}",
                faces=tuple(self._view.kept),
                found=face[:40],
            )
        return self._view.kept[face]

    def _put(self, face: str, examples: tuple[Candidate, ...]) -> None:
        """Other examples of a face, not told yet; one that has any is not blank."""
        kept = {**self._view.kept, face: examples}
        blank = tuple(one for one in self._view.blank if not kept[one])
        self._view = replace(self._view, kept=kept, blank=blank)

    def _ask_for(self, face: str) -> None:
        told = message("Put a die under the camera with {face:called} facing up.", face=face)
        self._show(LessonStep.WAITING, told, face=face, offer=None)

    def _show(self, step: LessonStep, told: Message | None = None, **changes: Any) -> None:
        """The next view; `told` is what there is to say if that changes, `changes` are fields of `LessonView`."""
        self._view = replace(
            self._view,
            step=step,
            table=self._settle.state,
            version=self._view.version + 1,
            saying=told or self._view.saying,
            **changes,
        )
        self._changed(self._view)


def _chosen(offer: Offer, faces: Mapping[int, str] | None) -> dict[int, str]:
    """Which dice of an offer are kept as which face, by their numbers. EnrolError where people must say more."""
    numbers = {one.number: one.die for one in offer.candidates}
    if faces is None and offer.mixed:
        raise EnrolError("the dice look different; name the face of each die")
    chosen = dict(faces) if faces is not None else dict.fromkeys(numbers, offer.face)
    if unknown := set(chosen) - set(numbers):
        raise EnrolError("choose a die from 1 to {most}, not {found}", most=len(numbers), found=min(unknown))
    if offer.mixed and (unnamed := set(numbers) - set(chosen)):
        raise EnrolError("die {number} has no name yet; name it or leave it out", number=min(unnamed))
    chosen = {number: face for number, face in chosen.items() if face}
    if not chosen:
        raise EnrolError("choose at least one die to keep")
    for face in set(chosen.values()):
        together = [number for number in chosen if chosen[number] == face]
        if not one_face([numbers[number] for number in together]):
            raise EnrolError(
                "dice {numbers:listed} look different, so they cannot all be {face:called}",
                numbers=tuple(str(number) for number in together), face=face,
            )  # fmt: skip
    return chosen


def _refusal(refused: EnrolError, face: str) -> Message:
    """Why a look came to nothing."""
    if refused.kind == "no die":
        return message(
            "No die found. Put a die with {face:called} facing up under the camera, on a "
            "background of another colour.",
            face=face,
        )
    if refused.kind == "small":
        told = dict(refused.message.values)
        return message(
            "The die is too far away: its face is {found} pixels wide and should be {wanted}. Move "
            "the camera closer.",
            found=told["found"], wanted=told["wanted"],
        )  # fmt: skip
    return message("{refused}.", refused=refused.message.without(f"{CAMERA}: "))

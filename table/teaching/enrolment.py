"""Enrolling at the table: put a die under the camera, say what is on top, take the next one.

    enrolment.see(frame)            # every frame; it waits until the dice lie still
    enrolment.view.offer            # then: the rectified faces, what is wrong with them, "what is on top?"
    enrolment.keep({1: "emu"})      # or .discard(); then the next die
    enrolment.finish(note)          # writes the set

The camera's thread calls `see`; pages call the rest. Nothing is written before `finish`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from messages.message import Message, message
from table.teaching.view import (
    Candidate,
    LessonStep,
    LessonView,
    Offer,
    kept_words,
    named,
    offered,
    question,
)
from vision.dicesets.files import SET_ID, FaceNote, SetNote
from vision.dicesets.model import names_of, spoken_key
from vision.enrol.enrol import EnrolError, Enrolled, Wish, one_face
from vision.enrol.shown import Shown
from vision.frame import Frame, Pixels
from vision.quality import sharpness
from vision.settle import Settle

MOST_FACES: Final = 64
"""Most faces of one set (`vision.dicesets.folder`)."""
CAMERA: Final = "camera"
"""The source of examples that come from no picture file."""
FRAMES: Final = 6
"""Frames at rest of which the sharpest is used."""
LONGEST: Final = 1.0
"""After this many seconds fewer frames must do, as with a slow camera."""

Takes = Callable[[Pixels, str, str], Sequence[Shown]]
"""Finds the dice in a picture that show a face, or any face if it is empty, given the picture's source. EnrolError if
there are none."""
Keeps = Callable[[Wish, Sequence[Shown]], Enrolled]
"""Writes the set. EnrolError if it cannot be a set, OSError if it cannot be written."""


class Enrolment:
    """One set in the making. Every method may be called from any thread.

    Methods that people call raise `EnrolError`, in one line, if they cannot be called now; then nothing has changed.
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
        """Begin with the faces of `note`, all of them still missing.

        With `adding`, a set with this id exists and keeps its examples, and none of its faces is missing. `labels` are
        people's names for faces that `note` does not have. `changed` is called after each change, in the same thread.
        """
        self.note, self.adding, self.labels = note, adding, dict(labels or {})
        self._takes, self._keeps, self._changed = takes, keeps, changed
        self._settle = Settle()
        self._lock = threading.RLock()
        self._look: list[Frame] = []
        """Frames at rest, while they are being collected."""
        self._due = self._finding = False
        """The dice on the table are to be looked at."""
        self._known_lying = False
        """The dice on the table have been kept, or are not of this set: they are not looked at until they move."""
        self._pass_over = False
        """The same, before the camera has seen anything at all."""
        self._last = self._offers = 0
        """The number of the newest example, and of the newest offer."""
        faces = [face.id for face in note.faces]
        self._view = LessonView(dict.fromkeys(faces, ()), frozenset(faces if adding else ()))

    @property
    def view(self) -> LessonView:
        """The present state."""
        return self._view

    def label(self, face: str, language: str = "en") -> str:
        """A face's name for people."""
        known = next((one for one in self.note.faces if one.id == face), FaceNote(face))
        return self.labels.get(face) or known.labels.get(language) or known.labels.get("en") or face

    def restore(self, examples: Mapping[str, Mapping[int, Shown]], blank: Sequence[str], face: str) -> None:
        """Continue an earlier enrolment, before anything is seen or said; `face` was to be shown next."""
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
            self._know(face)
            self._ask_for(face)
            if not self._known_lying:
                self._settle.restart()  # so that a die already on the table is looked at, too

    def expect(self, faces: Sequence[FaceNote]) -> None:
        """The dice have these faces, those of a game; faces that people gave one of their names become those faces."""
        with self._lock:
            self._running()
            ids = {name: one.id for one in faces for name in names_of(one)}
            self.note = msgspec.structs.replace(self.note, faces=tuple(faces))
            for face in tuple(self._view.kept):
                if (own := ids.get(spoken_key(self.labels.get(face, face)))) is not None:
                    self._move(face, own)
                    self.labels.pop(face, None)
            for one in faces:
                self._know(one.id)
            self._show(self._view.step)

    def pass_over(self) -> None:
        """The dice on the table are not of this set: wait until others lie there, or somebody asks for a look."""
        with self._lock:
            self._known_lying = self._pass_over = True

    def keep(self, faces: Mapping[int, str], offer: int = 0) -> None:
        """Keep the offered dice, each as the given face, or leave it out if that is "".

        Every die must be named or left out, and dice that look different cannot be one face. `offer` is the number of
        the offer that people saw, if there may be a newer one.
        """
        with self._lock:
            chosen = _chosen(self._offer(offer), faces)
            for face in chosen.values():
                self._know(face)
            for one in self._offer().candidates:
                if face := chosen.get(one.number):
                    self._last += 1
                    self._put(face, (*self._view.kept[face], named(one, self._last, face)))
            self._known_lying = True
            told = kept_words(list(chosen.values()), self._view)
            self._show(LessonStep.WAITING, told, offer=None, face="")

    def discard(self) -> None:
        """Keep none of the offered dice; people move the die for another look."""
        with self._lock:
            self._offer()
            told = message("Not kept. Move the die, or show another one.")
            self._show(LessonStep.WAITING, told, offer=None)

    def look_again(self) -> None:
        """Take new pictures of the dice on the table."""
        with self._lock:
            self._running()
            self._look, self._due = [], False
            self._show(LessonStep.LOOKING, message("Looking again."), offer=None)
            self._known_lying = self._pass_over = False
            self._settle.restart()

    def forget(self, face: str, number: int) -> None:
        """Delete the example with this number."""
        with self._lock:
            kept = self._kept(face)
            left = tuple(one for one in kept if one.number != number)
            if len(left) == len(kept):
                raise EnrolError("this picture of {face:called} no longer exists", face=face)
            self._put(face, left)
            told = message("Deleted the picture of {face:called}.", face=face)
            if not left and face not in self._view.settled:
                told = message("Picture deleted; {face:called} is missing again.", face=face)
            self._show(self._view.step, told)

    def rename(self, face: str, other: str, label: str) -> None:
        """Move the examples of a face to another one, which may be new or have pictures already."""
        with self._lock:
            kept, beside = self._kept(face), self._view.kept.get(other, ())
            if face in self._view.settled:
                raise EnrolError("{face:called} is already part of the set and cannot be removed here", face=face)
            if other != face and kept and beside and not one_face([one.die for one in (*beside, *kept)]):
                raise EnrolError(
                    "the pictures of {face:called} and {other:called} look different", face=face, other=other
                )
            called = self.label(face)
            self._move(face, other)
            self.labels.pop(face, None)
            self.labels[other] = label
            told = message("Renamed {before} to {face:called}.", before=called, face=other)
            self._show(self._view.step, told, face="" if self._view.face == face else self._view.face)

    def drop(self, face: str) -> None:
        """Remove a face and its examples from the set."""
        with self._lock:
            self._kept(face)
            if face in self._view.settled:
                raise EnrolError("{face:called} is already part of the set and cannot be removed here", face=face)
            kept = {one: examples for one, examples in self._view.kept.items() if one != face}
            blank = tuple(one for one in self._view.blank if one != face)
            told = message("{face:called} is no longer part of this set.", face=face)
            asked = "" if self._view.face == face else self._view.face
            self._show(self._view.step, told, kept=kept, blank=blank, face=asked)

    def blank(self, face: str, shows_nothing: bool = True) -> None:
        """Say that a face shows nothing and needs no example, or that it does."""
        with self._lock:
            if self._kept(face):
                raise EnrolError(
                    "{face:called} has a picture; delete it before you mark the face as blank", face=face
                )
            blank = (*(one for one in self._view.blank if one != face), *([face] if shows_nothing else []))
            told = message("{face:called} is blank and needs no picture.", face=face)
            if not shows_nothing:
                told = message("{face:called} needs a picture.", face=face)
            self._show(self._view.step, told, blank=blank)

    def finish(self, note: SetNote) -> Enrolled:
        """Write the set with the name, the id and the shapes of `note`. EnrolError while faces are missing; OSError if
        it cannot be written."""
        with self._lock:
            self._running()
            view = self._view
            if view.missing:
                raise EnrolError("every face needs a picture; still missing: {missing:called}", missing=view.missing)
            known = {face.id: face for face in self.note.faces}
            own = {face: {"en": label} for face, label in self.labels.items() if label != face}
            faces = tuple(known.get(face) or FaceNote(face, own.get(face, {})) for face in view.kept)
            blank = tuple(face for face in view.blank if face not in view.settled)
            wish = Wish(msgspec.structs.replace(note, faces=faces), {}, blank, tuple(view.settled))
            made = self._keeps(wish, [one.die for kept in view.kept.values() for one in kept])
            self._show(LessonStep.FINISHED, offer=None)
            return made

    # --- what is seen

    def see(self, frame: Frame) -> LessonView:
        """Look at the next frame. Finding dice happens here, in the camera's thread, once a look."""
        with self._lock:
            sight = self._settle.see(frame)
            step = self._view.step
            if step is LessonStep.FINISHED:
                return self._view
            if sight.fresh:
                self._due, self._pass_over = not self._pass_over, False
                self._known_lying = self._known_lying and not self._due
                self._look = []
                if self._due and step is LessonStep.WAITING:
                    self._show(LessonStep.LOOKING)
            elif self._due and not self._settle.resting:
                self._look, self._due = [], False
                if step is LessonStep.LOOKING:
                    self._show(LessonStep.WAITING)
            if sight.state is not self._view.table:
                self._show(self._view.step)
            if self._finding or not self._due:
                return self._view
            self._look.append(frame)
            if len(self._look) < FRAMES and frame.taken - self._look[0].taken < LONGEST:
                return self._view
            sharpest = max(self._look, key=lambda one: sharpness(one.pixels) or 0.0)
            self._look, self._due = [], False
            self._finding = True
            face = self._view.face
        try:
            self._find(face, sharpest.pixels)
        finally:
            self._finding = False
        return self._view

    def picture(self, face: str, pictures: Sequence[tuple[str, Pixels]]) -> None:
        """Offer the dice in pictures, each (name, (H, W, 3) BGR); all show one face, or any face if it is empty.

        Raises:
            EnrolError: a picture shows no die; then nothing is offered.
        """
        with self._lock:
            self._running()
            if face:
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
            step = self._view.step
            if step is LessonStep.FINISHED or self._view.face != face:
                return
            if told is None:
                self._ask(face, dice)
            elif step is not LessonStep.ASKING:  # a die can still be named after it was taken away
                self._show(LessonStep.WAITING, told)

    # --- the rest; the lock is held

    def _ask(self, face: str, dice: Sequence[Shown]) -> None:
        self._offers += 1
        offer = offered(self._offers, face, dice, self._view.kept)
        self._show(LessonStep.ASKING, question(offer), face=face, offer=offer)

    def _offer(self, number: int = 0) -> Offer:
        self._running()
        offer = self._view.offer
        if self._view.step is not LessonStep.ASKING or offer is None:
            raise EnrolError("there is no die to keep right now; put a die under the camera")
        if number not in (0, offer.number):
            raise EnrolError("other dice are under the camera now; look at them first")
        return offer

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
            faces = tuple(self._view.kept)
            raise EnrolError("there is no face “{found}”; the faces are {faces:called}", faces=faces, found=face[:40])
        return self._view.kept[face]

    def _put(self, face: str, examples: tuple[Candidate, ...]) -> None:
        """Other examples of a face, not told yet; one that has any is not blank."""
        kept = {**self._view.kept, face: examples}
        blank = tuple(one for one in self._view.blank if not kept[one])
        self._view = replace(self._view, kept=kept, blank=blank)

    def _move(self, face: str, other: str) -> None:
        """The examples of a face are another one's, in its place or behind those that one has; not told yet."""
        if face == other:
            return
        moved = tuple(named(one, one.number, other) for one in self._view.kept[face])
        merged = (*self._view.kept.get(other, ()), *moved)
        there = other in self._view.kept
        kept = {
            other if one == face else one: merged if one in (face, other) else examples
            for one, examples in self._view.kept.items()
            if not (one == face and there)
        }
        blank = tuple(one for one in (other if one == face else one for one in self._view.blank) if not kept[one])
        self._view = replace(self._view, kept=kept, blank=blank)

    def _ask_for(self, face: str) -> None:
        self._look, self._due = [], False
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


def _chosen(offer: Offer, faces: Mapping[int, str]) -> dict[int, str]:
    """Which dice of an offer are kept as which face, by their numbers. EnrolError if people must say more."""
    numbers = {one.number: one.die for one in offer.candidates}
    if unknown := set(faces) - set(numbers):
        raise EnrolError("choose a die from 1 to {most}, not {found}", most=len(numbers), found=min(unknown))
    if unnamed := set(numbers) - set(faces):
        raise EnrolError("die {number} has no name yet; name it or leave it out", number=min(unnamed))
    chosen = {number: face for number, face in faces.items() if face}
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
        if not face:
            return message("No die found. Put one under the camera, on a background of another colour.")
        return message(
            "No die found. Put a die with {face:called} facing up under the camera, on a background of another colour.",
            face=face,
        )
    if refused.kind == "small":
        told = dict(refused.message.values)
        return message(
            "The die is too far away: its face is {found} pixels wide and should be {wanted}. Move the camera closer.",
            found=told["found"], wanted=told["wanted"],
        )  # fmt: skip
    return message("{refused}.", refused=refused.message.without(f"{CAMERA}: "))

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
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol

import cv2

from table.enrolment_view import Candidate, Offer, Step, View, candidate
from vision.diceset import Shape
from vision.enroll.describe import FaceNote, SetNote
from vision.enroll.enrol import EnrolError, Enrolled, Taken, Wish, one_face, take
from vision.enroll.enrol import keep as keep_set
from vision.enroll.shown import Finder
from vision.frame import Frame, Pixels
from vision.matcher import Matcher
from vision.settle import Settle, TableState

__all__ = ["Candidate", "Enrolment", "Offer", "Step", "View", "begin", "sharpness"]

FRAMES: Final = 6
"""Still frames of which the sharpest is taken."""
LONGEST_LOOK: Final = 1.0
"""Seconds after which the frames there are must do: a slow camera has fewer."""
ENOUGH: Final = 3
"""Examples of a face from which it counts as well known."""
MOST_DICE: Final = 12
"""Dice that one offer shows, at most."""


class Takes(Protocol):
    """Finds the dice that are shown in a picture (`vision.enroll.enrol.take`, its networks bound)."""

    def __call__(self, pixels: Pixels, shapes: Sequence[Shape], face: str, source: str) -> tuple[Taken, ...]:
        """Every die, whatever it shows. EnrolError in one line when there is none."""
        ...


class Keeps(Protocol):
    """Writes the set (`vision.enroll.enrol.keep`, the set's note bound)."""

    def __call__(self, taken: Sequence[Taken]) -> Enrolled:
        """The set, as it was made. EnrolError when it cannot be one, OSError when it cannot be written."""
        ...


@dataclass(slots=True)
class _Look:
    """Still frames while they are collected."""

    began: float
    frames: list[tuple[float, Pixels]] = field(default_factory=list[tuple[float, Pixels]])


def begin(
    note: SetNote,
    finder: Finder,
    matcher: Matcher,
    *,
    blank: Sequence[str] = (),
    adding: bool = False,
    replacing: bool = False,
    changed: Callable[[View], None] = lambda _: None,
) -> Enrolment:
    """Start a set: `note` names its shapes and faces; those in `blank` show nothing and are not missing.

    With `adding`, a set of this id is there and keeps its examples, and no face of it is missing; with `replacing`, one
    may be there, and is there until the new one is finished.
    """
    kept = tuple(face.id for face in note.faces) if adding else ()
    takes = partial(_take, finder, matcher)
    keeps = partial(_keep, Wish(note, {}, tuple(blank), kept), matcher, adding, replacing)
    asked = [face.id for face in note.faces if face.id not in blank and face.id not in kept]
    return Enrolment(note.shapes, asked, takes=takes, keeps=keeps, changed=changed)


def _take(
    finder: Finder, matcher: Matcher, pixels: Pixels, shapes: Sequence[Shape], face: str, source: str
) -> tuple[Taken, ...]:
    return take(finder, matcher, pixels, shapes, face, source, mixed=True)


def _keep(wish: Wish, matcher: Matcher, adding: bool, replacing: bool, taken: Sequence[Taken]) -> Enrolled:
    """Write the set; faces that were named on the way are added to its note."""
    known = {face.id for face in wish.note.faces}
    fresh = tuple(FaceNote(face) for face in dict.fromkeys(one.face for one in taken) if face not in known)
    note = replace(wish.note, faces=(*wish.note.faces, *fresh))
    return keep_set(replace(wish, note=note), taken, matcher, adding=adding, replacing=replacing)


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
        """
        self._shapes = tuple(shapes)
        self._takes = takes
        self._keeps = keeps
        self._settle = settle or Settle()
        self._changed = changed
        self._source = source
        self._lock = threading.RLock()
        self._taken: dict[str, list[Taken]] = {face: [] for face in faces}
        self._look: _Look | None = None
        self._finding = False
        self._view = View(
            Step.NAMING,
            TableState.EMPTY,
            "",
            {},
            tuple(faces),
            tuple(faces),
            None,
            "Which face comes first?",
            0,
        )

    @property
    def view(self) -> View:
        """How it stands now."""
        return self._view

    # --- what people say

    def name(self, face: str) -> None:
        """The next die shows this face; a new one is added to the set."""
        with self._lock:
            self._going_on()
            if not face.strip():
                raise EnrolError("expected the name of a face, found none")
            self._taken.setdefault(face, [])
            self._look = None
            self._show(
                Step.WAITING, face=face, offer=None, said=f"Put a die under the camera that shows {face}."
            )
            self._settle.restart()  # a die that lies there already is looked at, too

    def keep(self, faces: Mapping[int, str] | None = None) -> None:
        """Keep what is offered: every die as the named face, or only some, each as the face that is given.

        `faces` maps a candidate's number to the face it shows: dice of several faces can lie there at once.
        """
        with self._lock:
            offer = self._offer()
            numbers = {one.number: one for one in offer.candidates}
            if faces is None and offer.mixed:
                raise EnrolError("expected a face for each die, because they differ")
            chosen = dict(faces) if faces is not None else dict.fromkeys(numbers, offer.face)
            if unknown := set(chosen) - set(numbers):
                raise EnrolError(f"expected dice 1 to {len(numbers)}, found {min(unknown)}")
            if not chosen:
                raise EnrolError("expected a die to keep, found none")
            for number, face in chosen.items():
                self._taken.setdefault(face, []).append(Taken(face, self._source, numbers[number].die))
            kept = ", ".join(dict.fromkeys(chosen.values()))
            missing = [face for face, taken in self._taken.items() if not taken]
            left = (
                f"{len(missing)} faces missing: {', '.join(missing)}."
                if missing
                else "Every face has a picture."
            )
            if len(missing) == 1:
                left = f"One face missing: {missing[0]}."
            self._show(Step.WAITING, offer=None, said=f"Kept {kept}. {left}")

    def discard(self) -> None:
        """Keep nothing of what is offered; move the die for another look."""
        with self._lock:
            face = self._offer().face
            self._show(Step.WAITING, offer=None, said=f"Not kept. Move the die that shows {face}.")

    def look_again(self) -> None:
        """Take other pictures of what lies there."""
        with self._lock:
            self._going_on()
            if not self._view.face:
                raise EnrolError("expected the name of a face first, found none")
            self._look = None
            self._show(Step.WAITING, offer=None, said=f"Looking again at {self._view.face}.")
            self._settle.restart()

    def forget(self, face: str) -> None:
        """Let go of every example kept of a face."""
        with self._lock:
            self._going_on()
            if face not in self._taken:
                raise EnrolError(f"expected one of {', '.join(self._taken)}, found '{face[:40]}'")
            self._taken[face] = []
            self._show(self._view.step, said=f"{face} is missing again.")

    def finish(self) -> Enrolled:
        """Write the set. EnrolError while faces are missing; OSError when it cannot be written."""
        with self._lock:
            self._going_on()
            missing = [face for face, taken in self._taken.items() if not taken]
            if missing:
                raise EnrolError(f"expected a picture of every face, found none of {', '.join(missing)}")
            made = self._keeps([one for taken in self._taken.values() for one in taken])
            self._show(
                Step.FINISHED, offer=None, said=f"{made.dice_set.id} is made: {len(self._taken)} faces."
            )
            return made

    # --- what the camera sees

    def see(self, frame: Frame) -> View:
        """Look at the next frame. Finding dice happens here, in the camera's thread, once a look."""
        with self._lock:
            sight = self._settle.see(frame)
            step = self._view.step
            if step is Step.WAITING and sight.fresh:
                self._look = _Look(frame.taken)
                self._show(Step.LOOKING, said="Hold still.")
            elif step is Step.LOOKING and not self._settle.resting:
                self._look = None
                self._show(Step.WAITING, said=f"Put a die under the camera that shows {self._view.face}.")
            elif step is Step.ASKING and sight.fresh:
                # Something else lies there now: the offer is out of date, and so is what was seen.
                self._look = _Look(frame.taken)
                self._show(Step.LOOKING, offer=None, said="Hold still.")
            if sight.state is not self._view.table:
                self._show(self._view.step)
            look = self._look
            if look is None or self._finding:
                return self._view
            look.frames.append((sharpness(frame.pixels), frame.pixels))
            if len(look.frames) < FRAMES and frame.taken - look.began < LONGEST_LOOK:
                return self._view
            self._look = None
            self._finding = True
            face = self._view.face
        try:
            self._find(face, look)
        finally:
            self._finding = False
        return self._view

    def _find(self, face: str, look: _Look) -> None:
        """Find the dice in the sharpest frame, without the lock: people may change their minds meanwhile."""
        sharp, pixels = max(look.frames, key=lambda one: one[0])
        try:
            taken = self._takes(pixels, self._shapes, face, self._source)
            refused = ""
        except EnrolError as error:
            taken, refused = (), str(error).removeprefix(f"{self._source}: ")
        with self._lock:
            self._settle.found(len(taken))
            if self._view.step is not Step.LOOKING or self._view.face != face:
                return
            if refused:
                self._show(Step.WAITING, said=f"{refused[0].upper()}{refused[1:]}.")
                return
            taken = taken[:MOST_DICE]
            offer = Offer(
                face, tuple(candidate(i, one) for i, one in enumerate(taken, 1)), not one_face(taken), sharp
            )
            self._show(Step.ASKING, offer=offer, said=_asked(offer))

    def _offer(self) -> Offer:
        self._going_on()
        if self._view.step is not Step.ASKING or self._view.offer is None:
            raise EnrolError("expected dice that were seen, found none to keep")
        return self._view.offer

    def _going_on(self) -> None:
        if self._view.step is Step.FINISHED:
            raise EnrolError("expected an enrolment that goes on, found a finished one")

    def _show(
        self, step: Step, *, said: str | None = None, face: str | None = None, **changes: Offer | None
    ) -> None:
        counts = {name: len(taken) for name, taken in self._taken.items()}
        self._view = replace(
            self._view,
            step=step,
            table=self._settle.state,
            face=self._view.face if face is None else face,
            counts=counts,
            missing=tuple(name for name, count in counts.items() if not count),
            thin=tuple(name for name, count in counts.items() if count < ENOUGH),
            said=self._view.said if said is None else said,
            version=self._view.version + 1,
            **changes,
        )
        self._changed(self._view)


def _asked(offer: Offer) -> str:
    """What is wrong with an offer, and the question."""
    count = len(offer.candidates)
    troubles = [f"{problem.said}." for one in offer.candidates for problem in one.problems]
    if offer.mixed:
        question = f"These {count} dice show different faces. Which are they?"
    else:
        question = f"{offer.face}: keep it?" if count == 1 else f"{offer.face}: keep these {count}?"
    return " ".join((*troubles, question))


def sharpness(pixels: Pixels) -> float:
    """How much fine detail a (H, W, 3) picture has: the variance of its Laplacian (Pech-Pacheco et al., 2000).

    Only frames of one still scene compare: motion, focus and noise aside, everything else in it is the same.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    # A median takes the sensor's noise out, which would count as detail.
    return float(cv2.Laplacian(cv2.medianBlur(grey, 3), cv2.CV_64F).var())

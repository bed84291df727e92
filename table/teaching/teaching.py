"""Teaching dice at a table: one set at a time, through the table's camera or from pictures, while the match is paused.

The camera's frames go to the enrolment instead of to the match. When somebody lets the match go on, or puts another one
on the table, the match gets its camera back at once, and what was taught so far waits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.actions import IllegalMoveError
from table.ports import Shows
from table.session import Session
from table.table import Table
from table.teaching.asked import LONGEST_NAME, Asked, noted, shown_name, slug
from table.teaching.begin import begin
from table.teaching.lesson import Enrolment
from table.teaching.saved import Begun, Left, LessonFile
from table.teaching.view import View
from vision.dicesets.library import find
from vision.dicesets.model import DiceSetError
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher, Points
from vision.enrol.describe import FaceNote, SetNote
from vision.enrol.enrol import EnrolError, Enrolled
from vision.enrol.shown import Finder, Floats, Pixels, embedded
from vision.frame import Frame
from vision.picture import decode

MOST_PICTURES: Final = 8
"""Pictures that are looked at in one go."""

Eyes = Callable[[], tuple[Finder, Matcher]]
"""Opens what finds dice and what compares their faces."""


def network_eyes() -> tuple[Finder, Matcher]:
    """The shipped networks. Raises WeightsError (a `ValueError`) where one is missing."""
    from vision.detect import Detector

    return Detector(), Matcher()


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A set that is being taught."""

    set_id: str
    title: str
    shapes: tuple[Shape, ...]
    adding: bool
    """It is there already and gets more examples."""
    enrolment: Enrolment
    labels: dict[str, str]
    """What people call the faces, where that is not their id."""

    def label(self, face: str) -> str:
        """A face as people read it."""
        return self.labels.get(face, face)


class Teaching:
    """What is taught at one table. Every method may be called from any thread.

    Methods that people call raise `ValueError` (one line) when they do not fit, and `OSError` when the disk refuses.
    """

    def __init__(self, table: Table, eyes: Eyes = network_eyes, *, file: LessonFile | None = None) -> None:
        """Nothing is being taught, unless `file` holds a lesson that was left: then somebody can go on with it."""
        self._file = file
        self._left = file is not None
        """Whether the file is still to be looked at."""
        self._begun = Begun()
        self._noted: object = None
        """What of the lesson is on disk."""
        self._table = table
        self._eyes = eyes
        self._opened: tuple[Finder, Matcher] | None = None
        self._lock = threading.RLock()
        self._changed = threading.Condition()
        self._version = 0
        self._lesson: Lesson | None = None
        self._made: Enrolled | None = None
        self._looking = False
        self._session: Session | None = None
        self._paused = False
        """We paused the match, and let it go on."""
        self._decoding = threading.Lock()

    @property
    def lesson(self) -> Lesson | None:
        """What is being taught, or was just finished; after a restart, what was left."""
        self._go_on()
        return self._lesson

    @property
    def made(self) -> Enrolled | None:
        """The set that was finished, until another one is begun."""
        return self._made

    @property
    def looking(self) -> bool:
        """Whether the camera's frames come here."""
        return self._looking

    @property
    def version(self) -> int:
        """Rises with every change."""
        return self._version

    @property
    def strange_faces(self) -> tuple[str, ...]:
        """What the demo table can show; empty at other tables."""
        shows = self._shows()
        return shows.strange_faces if shows is not None else ()

    def after(self, version: int, wait: float) -> bool:
        """Whether something changed since that version; waits at most so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._version != version, timeout=wait)

    # --- beginning and ending

    def begin(self, asked: Asked) -> None:
        """Begin a new set."""
        with self._lock:
            self._free()
            note, labels = noted(asked)
            self._start(
                note, labels, Begun("", asked.title, tuple(asked.shapes), tuple(asked.faces), asked.like)
            )

    def add_to(self, set_id: str) -> None:
        """Begin to add examples to a set of one's own."""
        with self._lock:
            self._free()
            dice_set = find(set_id)
            if dice_set.shipped:
                raise DiceSetError("%(set)s comes with Tableside and stays as it is", set=dice_set.named)
            self._start(SetNote.of(dice_set), {}, Begun(set_id))

    def finish(self) -> None:
        """Write the set; the match goes on."""
        with self._lock:
            lesson = self._running()
            self._made = lesson.enrolment.finish()
            self._table.know(self._made.dice_set)
            self._forget()
            self._give_back()

    def throw_away(self) -> None:
        """Keep nothing, or put away what was told of a finished set; the match goes on."""
        with self._lock:
            self._go_on()
            if self._lesson is None:
                raise EnrolError("expected dice that are being taught, found none")
            self._lesson = self._made = None
            self._forget()
            self._give_back()

    def look(self) -> None:
        """Take the camera, once more: the match had gone on, or another one was begun."""
        with self._lock:
            self._running()
            self._take_camera()
            self._tell()

    # --- faces and pictures

    def name(self, text: str) -> str:
        """The next die shows this face, in people's words; its id. A name there is not is a new face."""
        with self._lock:
            lesson = self._running()
            face = self._face(lesson, text)
            lesson.enrolment.name(face)
            return face

    def picture(self, face: str, files: Sequence[tuple[str, bytes]]) -> None:
        """Look for dice that show a face in uploaded files, (name, bytes) each; they may be anything."""
        lesson = self._running()
        if not 1 <= len(files) <= MOST_PICTURES:
            raise EnrolError(
                "expected one to %(most)s pictures at once, found %(found)s",
                most=MOST_PICTURES,
                found=len(files),
            )
        with self._decoding:  # one large picture in memory at a time
            pictures = [(shown_name(name), decode(content, shown_name(name))) for name, content in files]
            lesson.enrolment.picture(self._face(lesson, face), pictures)

    def show(self, faces: Sequence[str]) -> None:
        """Lay dice of the demo table's under its camera."""
        shows = self._shows()
        if shows is None or not self._looking:
            raise EnrolError("expected the demo table, looking at dice to be taught")
        shows.show(faces)

    # --- the rest

    def _start(self, note: SetNote, labels: dict[str, str], begun: Begun) -> None:
        lesson = self._opened_lesson(note, labels, begun)
        self._take_camera()
        self._forget()
        self._made, self._lesson, self._begun = None, lesson, begun
        if note.faces:
            lesson.enrolment.name(note.faces[0].id)
        lesson.enrolment.pass_over()  # the match's dice may lie there still
        self._note(lesson.enrolment.view)
        self._tell()

    def _networks(self) -> tuple[Finder, Matcher]:
        """Opened when they are first asked for."""
        self._opened = self._opened or self._eyes()
        return self._opened

    def _looks(self, around: Pixels, outlines: Sequence[Floats], shape: Shape) -> Points:
        return embedded(self._networks()[1], around, outlines, shape)

    def _opened_lesson(self, note: SetNote, labels: dict[str, str], begun: Begun) -> Lesson:
        finder, matcher = self._networks()
        adding = bool(begun.adds_to)
        enrolment = begin(
            note, finder, matcher, adding=adding, changed=self._heard,
            fresh=lambda face: FaceNote(face, {"en": labels[face]} if labels.get(face, face) != face else {}),
        )  # fmt: skip
        title = note.title.get("en") or next(iter(note.title.values()), note.id)
        for face in note.faces:
            labels.setdefault(face.id, face.labels.get("en") or face.id)
        return Lesson(note.id, title, note.shapes, adding, enrolment, labels)

    # --- on disk

    def _go_on(self) -> None:
        """Once: take up the lesson that was left. The camera stays the match's until somebody says go on."""
        if not self._left:
            return
        with self._lock:
            if not self._left or self._file is None:
                return
            self._left = False
            left = self._file.read(self._looks)
            if left is None:
                return
            begun = left.begun
            try:
                if begun.adds_to:
                    note, labels = SetNote.of(find(begun.adds_to)), dict[str, str]()
                else:
                    note, labels = noted(Asked(begun.title, begun.shapes, begun.faces, begun.like))
                labels |= left.labels
                lesson = self._opened_lesson(note, labels, begun)
            except (
                ValueError
            ) as refused:  # its set is there by now, or gone: nothing that can be gone on with
                logging.getLogger(__name__).warning("a lesson that was left cannot go on: %s", refused)
                return
            self._lesson, self._begun = lesson, begun
            lesson.enrolment.restore(left.examples, left.blank, left.face)

    def _note(self, view: View) -> None:
        """Put on disk what was taught, where it changed; a disk that refuses must not stop the lesson."""
        lesson = self._lesson
        if self._file is None or lesson is None or self._made is not None:
            return
        now = (
            {face: [one.number for one in kept] for face, kept in view.kept.items()},
            view.blank,
            view.face,
        )
        if now == self._noted:
            return
        left = Left(self._begun, view.face, dict(lesson.labels), view.blank, lesson.enrolment.numbered)
        try:
            self._file.keep(left)
            self._noted = now
        except OSError as refused:
            logging.getLogger(__name__).warning("the lesson is not kept on disk: %s", refused)

    def _forget(self) -> None:
        self._noted = None
        if self._file is not None:
            self._file.forget()

    def _take_camera(self) -> None:
        """Let the match rest, and have the frames."""
        watcher, session = self._table.watcher, self._table.session
        if watcher is None or self._looking:
            return
        self._paused = False
        if not session.latest().standing.paused:
            try:
                session.pause()
                self._paused = True
            except IllegalMoveError:
                pass  # it is over, and needs no pause
        self._session, self._looking = session, True
        watcher.show_to(self._see)

    def _give_back(self) -> None:
        """The match has its camera again, and goes on if we paused it."""
        session, paused = self._session, self._paused
        if (shows := self._shows()) is not None:
            shows.put_away()
        self._looking, self._session, self._paused = False, None, False
        self._tell()
        if (
            paused
            and session is not None
            and session is self._table.session
            and session.latest().standing.paused
        ):
            self._table.go_on()

    def _see(self, frame: Frame) -> bool:
        """Take a frame in the match's stead; False once the match wants them itself."""
        lesson = self._lesson
        if not self._looking or lesson is None:
            return False
        session = self._table.session
        rests = session.latest().standing.paused or session.match.outcome is not None
        if session is not self._session or not rests:
            with self._lock:
                self._looking, self._session, self._paused = False, None, False
            if (shows := self._shows()) is not None:
                shows.put_away()
            self._tell()
            return False
        lesson.enrolment.see(frame)
        return True

    def _face(self, lesson: Lesson, text: str) -> str:
        """The face that people mean; a name that no face has becomes one."""
        name = text.strip()
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise EnrolError("expected the name of a face, of at most %(most)s letters", most=LONGEST_NAME)
        face = slug(name)
        if not face:
            raise EnrolError("expected a name with letters or digits, found '%(found)s'", found=name)
        if face not in lesson.enrolment.view.counts and face != name:
            lesson.labels[face] = name
        return face

    def _free(self) -> None:
        self._go_on()
        if self._lesson is not None and self._made is None:
            raise EnrolError(
                "%(set)s is being taught; finish it or throw it away first", set=self._lesson.title
            )

    def _running(self) -> Lesson:
        self._go_on()
        if self._lesson is None or self._made is not None:
            raise EnrolError("expected dice that are being taught, found none; begin a set first")
        return self._lesson

    def _shows(self) -> Shows | None:
        camera = self._table.watcher.camera if self._table.watcher is not None else None
        camera = getattr(camera, "source", camera)  # a part of its picture may be all that is looked at
        return camera if isinstance(camera, Shows) else None

    def _heard(self, view: View) -> None:
        self._note(view)
        self._tell()

    def _tell(self) -> None:
        with self._changed:
            self._version += 1
            self._changed.notify_all()

"""Teaching dice at a table: one set at a time, through the table's camera or from pictures, while the match is paused.

The camera's frames go to the enrolment instead of to the match. When somebody lets the match go on, or puts another one
on the table, the match gets its camera back at once, and what was taught so far waits.
"""

from __future__ import annotations

import logging
import re
import threading
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from scoring.actions import IllegalMoveError
from table.ports import Shows
from table.session import Session
from table.table import Table
from table.teaching.enrolment import Enrolment
from table.teaching.saved import Left, LessonFile, LessonRequest
from table.teaching.view import LessonView
from vision.dicesets.files import DiceSetError, FaceNote, SetNote
from vision.dicesets.library import candidates, find
from vision.dicesets.model import note_like, note_of
from vision.dicesets.shapes import SHAPES
from vision.embedding import Matcher
from vision.enrol.enrol import EnrolError, Enrolled, keep, take
from vision.enrol.shown import FindsDice, embedded
from vision.frame import Frame
from vision.picture import decode

MOST_PICTURES: Final = 8
"""Pictures that are looked at in one go."""
LONGEST_NAME: Final = 60
"""Letters of a set's or a face's name."""

Networks = Callable[[], tuple[FindsDice, Matcher]]
"""Opens what finds dice and what compares their faces."""


def shipped_networks() -> tuple[FindsDice, Matcher]:
    """The shipped networks. Raises WeightsError (a `ValueError`) where one is missing."""
    from vision.detect import Detector

    return Detector(), Matcher()


class Lesson:
    """What is taught at one table. Every method may be called from any thread.

    Methods that people call raise `ValueError` (one line) when they do not fit, and `OSError` when the disk refuses.
    """

    def __init__(
        self, table: Table, networks: Networks = shipped_networks, *, file: LessonFile | None = None
    ) -> None:
        """Nothing is being taught, unless `file` holds a lesson that was left: then somebody can go on with it."""
        self._table, self._networks, self._file = table, networks, file
        self._left = file is not None
        """Whether the file is still to be looked at."""
        self._asked = LessonRequest()
        self._noted: object = None
        """What of the lesson is on disk."""
        self._opened: tuple[FindsDice, Matcher] | None = None
        self._lock = threading.RLock()
        self._changed = threading.Condition()
        self._version = 0
        self._enrolment: Enrolment | None = None
        self._made: Enrolled | None = None
        self._looking = False
        self._session: Session | None = None
        self._paused = False
        """We paused the match, and let it go on."""
        self._decoding = threading.Lock()

    @property
    def enrolment(self) -> Enrolment | None:
        """What is being taught, or was just finished; after a restart, what was left."""
        self._go_on()
        return self._enrolment

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

    def begin(self, asked: LessonRequest) -> None:
        """Begin a new set, or add examples to one of one's own."""
        with self._lock:
            self._go_on()
            if self._enrolment is not None and self._made is None:
                raise EnrolError(
                    "you are still teaching {set}; finish or discard it first", set=self._enrolment.title
                )
            note, labels = _note_of(asked)
            enrolment = self._enrolment_of(note, labels, asked)
            self._take_camera()
            self._forget()
            self._made, self._enrolment, self._asked = None, enrolment, asked
            if note.faces:
                enrolment.name(note.faces[0].id)
            enrolment.pass_over()  # the match's dice may lie there still
            self._note(enrolment.view)
            self._tell()

    def finish(self) -> None:
        """Write the set; the match goes on."""
        with self._lock:
            enrolment = self._running()
            self._made = enrolment.finish()
            self._table.know(self._made.dice_set)
            self._forget()
            self._give_back()

    def throw_away(self) -> None:
        """Keep nothing, or put away what was told of a finished set; the match goes on."""
        with self._lock:
            self._go_on()
            if self._enrolment is None:
                raise EnrolError("no dice are being taught right now")
            self._enrolment = self._made = None
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
            enrolment = self._running()
            face = _face_of(enrolment, text)
            enrolment.name(face)
            return face

    def picture(self, face: str, files: Sequence[tuple[str, bytes]]) -> None:
        """Look for dice that show a face in uploaded files, (name, bytes) each; they may be anything."""
        enrolment = self._running()
        if not 1 <= len(files) <= MOST_PICTURES:
            raise EnrolError(
                "send 1 to {most} pictures at once, not {found}", most=MOST_PICTURES, found=len(files)
            )
        with self._decoding:  # one large picture in memory at a time
            pictures = [(_shown_name(name), decode(content, _shown_name(name))) for name, content in files]
            enrolment.picture(_face_of(enrolment, face), pictures)

    def show(self, faces: Sequence[str]) -> None:
        """Lay dice of the demo table's under its camera."""
        shows = self._shows()
        if shows is None or not self._looking:
            raise EnrolError("this works only at the demo table, while dice are being taught")
        shows.show(faces)

    # --- the rest

    def _open(self) -> tuple[FindsDice, Matcher]:
        """The networks, opened when they are first asked for."""
        self._opened = self._opened or self._networks()
        return self._opened

    def _enrolment_of(self, note: SetNote, labels: dict[str, str], asked: LessonRequest) -> Enrolment:
        (finder, matcher), adding = self._open(), bool(asked.adds_to)
        return Enrolment(
            note,
            lambda pixels, face, source: take(finder, matcher, pixels, note.shapes, face, source, mixed=True),
            lambda wish, dice: keep(wish, dice, matcher, adding=adding, confirmed=True),
            adding=adding,
            labels={face.id: face.labels.get("en") or face.id for face in note.faces} | labels,
            changed=self._heard,
        )

    # --- on disk

    def _go_on(self) -> None:
        """Once: take up the lesson that was left. The camera stays the match's until somebody says go on."""
        if not self._left:
            return
        with self._lock:
            if not self._left or self._file is None:
                return
            self._left = False
            left = self._file.read(
                lambda around, outlines, shape: embedded(self._open()[1], around, outlines, shape)
            )
            if left is None:
                return
            try:
                note, labels = _note_of(left.asked)
                enrolment = self._enrolment_of(note, labels | dict(left.labels), left.asked)
            except ValueError as refused:  # its set is there by now, or gone: nobody can go on with it
                logging.getLogger(__name__).warning("a lesson that was left cannot go on: %s", refused)
                return
            self._enrolment, self._asked = enrolment, left.asked
            enrolment.restore(left.examples, left.blank, left.face)

    def _note(self, view: LessonView) -> None:
        """Put on disk what was taught, where it changed; a disk that refuses must not stop the lesson."""
        enrolment = self._enrolment
        if self._file is None or enrolment is None or self._made is not None:
            return
        examples = {face: {one.number: one.die for one in kept} for face, kept in view.kept.items()}
        now = {face: list(kept) for face, kept in examples.items()}, view.blank, view.face
        if now == self._noted:
            return
        try:
            self._file.keep(Left(self._asked, view.face, dict(enrolment.labels), view.blank, examples))
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
        if not session.latest().snapshot.paused:
            try:
                session.pause()
                self._paused = True
            except IllegalMoveError:
                pass  # it is over, and needs no pause
        self._session, self._looking = session, True
        watcher.show_to(self._see)

    def _give_back(self) -> None:
        """The match has its camera again, and goes on if we paused it."""
        session = self._session if self._paused else None
        self._release()
        if session is not None and session is self._table.session and session.latest().snapshot.paused:
            self._table.go_on()

    def _release(self) -> None:
        """Want no frames any more."""
        if (shows := self._shows()) is not None:
            shows.put_away()
        with self._lock:
            self._looking, self._session, self._paused = False, None, False
        self._tell()

    def _see(self, frame: Frame) -> bool:
        """Take a frame in the match's stead; False once the match wants them itself."""
        enrolment, session = self._enrolment, self._table.session
        if not self._looking or enrolment is None:
            return False
        rests = session.latest().snapshot.paused or session.match.outcome is not None
        if session is not self._session or not rests:
            self._release()
            return False
        enrolment.see(frame)
        return True

    def _running(self) -> Enrolment:
        self._go_on()
        if self._enrolment is None or self._made is not None:
            raise EnrolError("no dice are being taught right now; start a new set first")
        return self._enrolment

    def _shows(self) -> Shows | None:
        camera = self._table.watcher.camera if self._table.watcher is not None else None
        camera = getattr(camera, "source", camera)  # a part of its picture may be all that is looked at
        return camera if isinstance(camera, Shows) else None

    def _heard(self, view: LessonView) -> None:
        self._note(view)
        self._tell()

    def _tell(self) -> None:
        with self._changed:
            self._version += 1
            self._changed.notify_all()


def slug(text: str) -> str:
    """An id of a name as people write it: "Zwei Füße!" → "zwei-fusse"; empty where nothing is left."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    ascii_only = plain.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:40].strip("-")


def _shown_name(name: str) -> str:
    """What an uploaded file is called on the page and in the set: one short printable line without folders."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(sign for sign in last if sign.isprintable())[:40] or "picture"


def _fits(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and name.isprintable()


def _face_of(enrolment: Enrolment, text: str) -> str:
    """The face that people mean; a name that no face has becomes one."""
    name = text.strip()
    if not _fits(name):
        raise EnrolError("enter a name for the face, at most {most} characters", most=LONGEST_NAME)
    face = slug(name)
    if not face:
        raise EnrolError("“{found}” cannot be a face’s name; use a short name with a letter from A "
                         "to Z or a digit", found=name)
    if face not in enrolment.view.kept and face != name:
        enrolment.labels[face] = name
    return face


def _note_of(asked: LessonRequest) -> tuple[SetNote, dict[str, str]]:
    """What was asked for as a set, and what people call the faces they named. DiceSetError, EnrolError."""
    if asked.adds_to:
        dice_set = find(asked.adds_to)
        if dice_set.shipped:
            raise DiceSetError("{set} comes with Tableside and cannot be changed", set=dice_set.named)
        return note_of(dice_set), {}
    title = " ".join(asked.title.split())
    if not _fits(title):
        raise EnrolError("enter a name for the set, at most {most} characters", most=LONGEST_NAME)
    set_id = slug(title)
    if not set_id:
        raise EnrolError("the set’s name needs a letter from A to Z or a digit")
    if any(folder.name == set_id for folder in candidates()):
        raise EnrolError(
            "a set named “{set}” already exists; add pictures to it or choose another name", set=set_id
        )
    shapes = tuple(shape for shape in SHAPES if shape in asked.shapes)
    if not shapes or not set(asked.shapes) <= set(SHAPES):
        raise EnrolError("choose the shape of the dice: d6, d8 or both")
    labels: dict[str, str] = {}
    for name in asked.faces:
        written = " ".join(name.split())
        face = slug(written)
        if not face or not _fits(written):
            raise EnrolError(
                "“{found}” cannot be a face’s name; use a short name with a letter from A to Z or a digit",
                found=written[:40]
            )
        if face in labels:
            raise EnrolError("you listed {found} twice; name each face once", found=written)
        labels[face] = written
    faces = [FaceNote(face, {"en": name} if name != face else {}) for face, name in labels.items()]
    if asked.like:
        like = find(asked.like)
        faces += [FaceNote(face) for face in like.face_ids if face not in labels]
        return note_like(SetNote(set_id, {"en": title}, shapes, tuple(faces)), like), labels
    return SetNote(set_id, {"en": title}, shapes, tuple(faces)), labels

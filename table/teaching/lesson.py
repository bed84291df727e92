"""Teaching dice at a table: one set at a time, through the table's camera or from pictures, while the match is paused.

The camera's frames go to the enrolment instead of the match. When somebody continues the match or starts another one,
the match gets its camera back at once, and the lesson waits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from scoring.actions import IllegalMoveError
from table.ports import Shows
from table.session import Session
from table.table import Table
from table.teaching.enrolment import Enrolment
from table.teaching.names import checked, id_of
from table.teaching.saved import Left, LessonFile, LessonRequest
from table.teaching.view import LessonView
from vision.dicesets.files import DiceSetError, SetNote
from vision.dicesets.library import candidates, find, survey
from vision.dicesets.model import DiceSet, note_of, spoken_key
from vision.dicesets.shapes import SHAPES
from vision.embedding import Matcher
from vision.enrol.enrol import EnrolError, keep, take
from vision.enrol.shown import FindsDice, embedded
from vision.frame import Frame
from vision.picture import decode

MOST_PICTURES: Final = 8
"""Most pictures in one upload."""
NEW: Final = "new"
"""The id of a set without a name yet."""

Networks = Callable[[], tuple[FindsDice, Matcher]]
"""Opens the networks that find dice and compare their faces."""


def shipped_networks() -> tuple[FindsDice, Matcher]:
    """The shipped networks. Raises WeightsError (a `ValueError`) if one is missing."""
    from vision.detect.detector import Detector

    return Detector(), Matcher()


class Lesson:
    """The lesson at one table. Every method may be called from any thread.

    Methods that people call raise `ValueError` (one line) if they cannot be called now, `OSError` if the disk fails.
    """

    def __init__(
        self, table: Table, networks: Networks = shipped_networks, *, file: LessonFile | None = None
    ) -> None:
        """Start without a lesson, unless `file` has an unfinished one, which can be continued."""
        self._table, self._networks, self._file = table, networks, file
        self._left = file is not None
        """Whether the file has yet to be read."""
        self._asked = LessonRequest()
        self._noted: object = None
        """The part of the lesson that is on disk."""
        self._opened: tuple[FindsDice, Matcher] | None = None
        self._lock = threading.RLock()
        self._changed = threading.Condition()
        self._version = 0
        self._enrolment: Enrolment | None = None
        self._looking = False
        self._session: Session | None = None
        self._paused = False
        """Whether the lesson paused the match and will continue it."""
        self._decoding = threading.Lock()

    @property
    def enrolment(self) -> Enrolment | None:
        """The running enrolment; after a restart, the unfinished one."""
        self._go_on()
        return self._enrolment

    @property
    def looking(self) -> bool:
        """Whether the camera's frames come here."""
        return self._looking

    @property
    def like(self) -> str:
        """Id of the set whose faces these dice have; empty for none."""
        return self._asked.like

    @property
    def version(self) -> int:
        """Rises with every change."""
        return self._version

    @property
    def strange_faces(self) -> tuple[str, ...]:
        """Faces that the demo table can show; empty at other tables."""
        shows = self._shows()
        return shows.strange_faces if shows is not None else ()

    def after(self, version: int, wait: float) -> bool:
        """Whether something changed since that version; waits at most so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self._version != version, timeout=wait)

    # --- beginning and ending

    def begin(self, adds_to: str = "") -> None:
        """Begin a new set, continue the one that was begun, or add examples to an own set, given by its id."""
        with self._lock:
            self._go_on()
            if self._enrolment is not None and self._asked.adds_to == adds_to:
                self.look()
                return
            if self._enrolment is not None:
                raise EnrolError("you are still teaching other dice; save or discard them first")
            asked = LessonRequest(adds_to=adds_to)
            enrolment = self._enrolment_of(asked)
            enrolment.pass_over()  # the match's dice may still be on the table
            self._take_camera()
            self._forget()
            self._enrolment, self._asked = enrolment, asked
            self._note(enrolment.view)
            self._tell()

    def finish(self, title: str = "", shapes: Sequence[str] = (), like: str = "") -> DiceSet:
        """Write the set and continue the match. A new set gets the title `title` and the faces of the set `like`."""
        with self._lock:
            enrolment = self._running()
            note = enrolment.note
            if not enrolment.adding:
                note = _new_note(title, shapes, enrolment)
                if like:
                    self.expect(like)
            made = enrolment.finish(note).dice_set
            self._table.know(made)
            self._enrolment = None
            self._forget()
            self._give_back()
            return made

    def throw_away(self) -> None:
        """Discard the lesson and continue the match."""
        with self._lock:
            self._go_on()
            if self._enrolment is None:
                raise EnrolError("no dice are being taught right now")
            self._enrolment = None
            self._forget()
            self._give_back()

    def look(self) -> None:
        """Take the camera again, after the match continued or another one began."""
        with self._lock:
            self._running()
            self._take_camera()
            self._tell()

    # --- faces and pictures

    def name(self, text: str) -> None:
        """The next die shows this face, in people's words. An unknown name is a new face."""
        with self._lock:
            enrolment = self._running()
            enrolment.name(_face_of(enrolment, text))

    def keep(self, names: Mapping[int, str], left_out: Collection[int] = (), offer: int = 0) -> None:
        """Keep dice of an offer by their numbers, each as a face, in people's words, or leave them out."""
        with self._lock:
            enrolment = self._running()
            faces = {number: _face_of(enrolment, text) for number, text in names.items() if text.strip()}
            enrolment.keep({**faces, **dict.fromkeys(left_out, "")}, offer)

    def rename(self, face: str, text: str) -> None:
        """Examples kept as a face show another one, in people's words."""
        with self._lock:
            enrolment, label = self._running(), checked(text)
            enrolment.rename(face, _id_of(enrolment, label, face), label)

    def expect(self, like: str) -> None:
        """These dice have the faces of an existing set."""
        with self._lock:
            enrolment = self._running()
            enrolment.expect(note_of(find(like)).faces)
            self._asked = replace(self._asked, like=like)
            self._note(enrolment.view)

    def picture(self, face: str, files: Sequence[tuple[str, bytes]]) -> None:
        """Find dice that show a face, or any if it is empty, in uploaded files (name, bytes), which are untrusted."""
        enrolment = self._running()
        if not 1 <= len(files) <= MOST_PICTURES:
            raise EnrolError("send 1 to {most} pictures at once, not {found}", most=MOST_PICTURES, found=len(files))
        with self._decoding:  # one large picture in memory at a time
            pictures = [(_shown_name(name), decode(content, _shown_name(name))) for name, content in files]
            enrolment.picture(face, pictures)

    def show(self, faces: Sequence[str]) -> None:
        """Show the demo table's dice to its camera."""
        shows = self._shows()
        if shows is None or not self._looking:
            raise EnrolError("this works only at the demo table, while dice are being taught")
        shows.show(faces)

    # --- the rest

    def _open(self) -> tuple[FindsDice, Matcher]:
        """The networks, opened at their first use."""
        self._opened = self._opened or self._networks()
        return self._opened

    def _enrolment_of(self, asked: LessonRequest, labels: Mapping[str, str] | None = None) -> Enrolment:
        (finder, matcher), note, adding = self._open(), _note_of(asked), bool(asked.adds_to)
        return Enrolment(
            note,
            lambda pixels, face, source: take(finder, matcher, pixels, note.shapes, face, source, mixed=True),
            lambda wish, dice: keep(wish, dice, matcher, adding=adding, confirmed=True),
            adding=adding, labels=labels, changed=self._heard,
        )  # fmt: skip

    # --- on disk

    def _go_on(self) -> None:
        """Load an unfinished lesson, once. The match keeps the camera until somebody continues the lesson."""
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
                enrolment = self._enrolment_of(left.asked, left.labels)
            except ValueError as refused:  # its set is gone, so nobody can continue it
                logging.getLogger(__name__).warning("a lesson that was left cannot go on: %s", refused)
                return
            self._enrolment, self._asked = enrolment, left.asked
            enrolment.restore(left.examples, left.blank, left.face)

    def _note(self, view: LessonView) -> None:
        """Write the lesson to disk if it has changed; a disk error must not stop it."""
        enrolment = self._enrolment
        if self._file is None or enrolment is None:
            return
        examples = {face: {one.number: one.die for one in kept} for face, kept in view.kept.items()}
        numbers = {face: list(kept) for face, kept in examples.items()}
        now = numbers, dict(enrolment.labels), view.blank, view.face, self._asked
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
        """Pause the match and take its frames."""
        watcher, session = self._table.watcher, self._table.session
        if watcher is None or self._looking:
            return
        self._paused = False
        if not session.latest().snapshot.paused:
            try:
                session.pause()
                self._paused = True
            except IllegalMoveError:
                pass  # it is over and needs no pause
        self._session, self._looking = session, True
        watcher.show_to(self._see)

    def _give_back(self) -> None:
        """Return the camera to the match, and continue it if we paused it."""
        session = self._session if self._paused else None
        self._release()
        if session is not None and session is self._table.session and session.latest().snapshot.paused:
            self._table.go_on()

    def _release(self) -> None:
        """Stop taking frames."""
        if (shows := self._shows()) is not None:
            shows.put_away()
        with self._lock:
            self._looking, self._session, self._paused = False, None, False
        self._tell()

    def _see(self, frame: Frame) -> bool:
        """Take a frame instead of the match; False once the match wants frames itself."""
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
        if self._enrolment is None:
            raise EnrolError("no dice are being taught right now; start a new set first")
        return self._enrolment

    def _shows(self) -> Shows | None:
        camera = self._table.watcher.camera if self._table.watcher is not None else None
        camera = getattr(camera, "source", camera)  # its region may be only a part of the picture
        return camera if isinstance(camera, Shows) else None

    def _heard(self, view: LessonView) -> None:
        self._note(view)
        self._tell()

    def _tell(self) -> None:
        with self._changed:
            self._version += 1
            self._changed.notify_all()


def _shown_name(name: str) -> str:
    """The name of an uploaded file for the page and the set: one short printable line without folders."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(sign for sign in last if sign.isprintable())[:40] or "picture"


def _face_of(enrolment: Enrolment, text: str) -> str:
    """The face that people mean; an unknown name becomes a new face."""
    label = checked(text)
    face = _id_of(enrolment, label)
    if face not in enrolment.view.kept:
        enrolment.labels[face] = label
    return face


def _id_of(enrolment: Enrolment, label: str, but: str = "") -> str:
    """The face with this name, or a new id for it, which no face has `but` this one."""
    faces = [face for face in (*enrolment.view.kept, *enrolment.labels) if face != but]
    for face in faces:
        labels = next((one.labels.values() for one in enrolment.note.faces if one.id == face), ())
        if spoken_key(label) in map(spoken_key, (face, enrolment.label(face), *labels)):
            return face
    return id_of(label, "face", faces)


def _note_of(asked: LessonRequest) -> SetNote:
    """The set that gets examples. DiceSetError if there is none, or it came with Tableside."""
    if asked.adds_to:
        dice_set = find(asked.adds_to)
        if dice_set.shipped:
            raise DiceSetError("{set} comes with Tableside and cannot be changed", set=dice_set.named)
        return note_of(dice_set)
    return SetNote(NEW, {}, SHAPES, note_of(find(asked.like)).faces if asked.like else ())


def _new_note(title: str, shapes: Sequence[str], enrolment: Enrolment) -> SetNote:
    """A new set with its name. DiceSetError, EnrolError."""
    name = checked(title)
    if any(spoken_key(name) in map(spoken_key, one.title.values()) for one in survey()[0]):
        raise EnrolError("a set named “{set}” already exists; add pictures to it or choose another name", set=name)
    wanted = tuple(shape for shape in SHAPES if shape in shapes)
    if not wanted or not set(shapes) <= set(SHAPES):
        raise EnrolError("choose the shape of the dice: d6, d8 or both")
    seen = {one.die.shape for kept in enrolment.view.kept.values() for one in kept}
    if other := seen - set(wanted):
        raise EnrolError("some pictures show a {shape:shape}: choose it too, or delete them", shape=min(other))
    return SetNote(id_of(name, "dice", [folder.name for folder in candidates()]), {"en": name}, wanted)

"""Begins an enrolment with the networks that find and compare dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from table.teaching.lesson import Enrolment
from table.teaching.view import View
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.describe import FaceNote, SetNote
from vision.enrol.enrol import Enrolled, Taken, Wish, take
from vision.enrol.enrol import keep as keep_set
from vision.enrol.shown import Finder
from vision.frame import Pixels


def begin(
    note: SetNote,
    finder: Finder,
    matcher: Matcher,
    *,
    blank: Sequence[str] = (),
    adding: bool = False,
    replacing: bool = False,
    changed: Callable[[View], None] = lambda _: None,
    fresh: Callable[[str], FaceNote] = FaceNote,
) -> Enrolment:
    """Start a set: `note` names its shapes and faces; those in `blank` show nothing and are not missing.

    With `adding`, a set of this id is there and keeps its examples, and no face of it is missing; with `replacing`, one
    may be there, and is there until the new one is finished. `fresh` says what is known of a face that is named on the
    way.
    """
    kept = tuple(face.id for face in note.faces) if adding else ()
    takes = partial(_take, finder, matcher)
    keeps = partial(_keep, Wish(note, {}, (), kept), matcher, adding, replacing, fresh)
    faces = [face.id for face in note.faces]
    return Enrolment(
        note.shapes, faces, takes=takes, keeps=keeps, changed=changed, blank=blank, settled=kept
    )  # fmt: skip


def _take(
    finder: Finder, matcher: Matcher, pixels: Pixels, shapes: Sequence[Shape], face: str, source: str
) -> tuple[Taken, ...]:
    return take(finder, matcher, pixels, shapes, face, source, mixed=True)


def _keep(
    wish: Wish,
    matcher: Matcher,
    adding: bool,
    replacing: bool,
    fresh: Callable[[str], FaceNote],
    taken: Sequence[Taken],
    faces: Sequence[str],
    blank: Sequence[str],
) -> Enrolled:
    """Write the set with these faces; those that were named on the way are added to its note."""
    known = {face.id: face for face in wish.note.faces}
    note = replace(wish.note, faces=tuple(known.get(face) or fresh(face) for face in faces))
    drawn = tuple(face for face in blank if face not in wish.kept)
    drawn_wish = replace(wish, note=note, blank=drawn)
    return keep_set(drawn_wish, taken, matcher, adding=adding, replacing=replacing, confirmed=True)

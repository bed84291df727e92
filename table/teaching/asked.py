"""What somebody asks for who teaches dice, and what they send: names, and pictures that may be anything."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.dicesets.library import candidates, find
from vision.dicesets.model import DiceSet
from vision.dicesets.shapes import SHAPES, Shape
from vision.enrol.describe import FaceNote, SetNote, note_like
from vision.enrol.enrol import EnrolError

LONGEST_NAME: Final = 60
"""Letters of a set's or a face's name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A set that somebody wants to teach; nothing of it is checked yet."""

    title: str
    shapes: Sequence[str]
    faces: Sequence[str] = ()
    """Names as people write them."""
    like: str = ""
    """Id of a set whose faces these dice have; empty for none."""


def slug(text: str) -> str:
    """An id of a name as people write it: "Zwei Füße!" → "zwei-fusse"; empty where nothing is left."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    ascii_only = plain.encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:40].strip("-")


def shown_name(name: str) -> str:
    """What an uploaded file is called on the page and in the set: one short printable line without folders."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(sign for sign in last if sign.isprintable())[:40] or "picture"


def noted(asked: Asked) -> tuple[SetNote, dict[str, str]]:
    """What was asked for as a set, and the labels of its faces."""
    title = " ".join(asked.title.split())
    if not title or len(title) > LONGEST_NAME or not title.isprintable():
        raise EnrolError("expected a name for the set, of 1 to %(most)s letters", most=LONGEST_NAME)
    set_id = slug(title)
    if not set_id:
        raise EnrolError("expected a name with letters or digits for the set")
    if any(folder.name == set_id for folder in candidates()):
        raise EnrolError(
            "there is a set named '%(set)s' already; add pictures to it, or choose another name", set=set_id
        )
    shapes: tuple[Shape, ...] = tuple(shape for shape in SHAPES if shape in asked.shapes)
    if not shapes or not set(asked.shapes) <= set(SHAPES):
        raise EnrolError("expected the shape of the dice: d6, d8 or both")
    labels: dict[str, str] = {}
    faces: list[FaceNote] = []
    for name in asked.faces:
        written = " ".join(name.split())
        face = slug(written)
        if not face or len(written) > LONGEST_NAME or not written.isprintable():
            raise EnrolError(
                "expected names of faces with letters or digits, found '%(found)s'", found=written[:40]
            )
        if face in labels:
            raise EnrolError("expected every face once, found %(found)s twice", found=written)
        labels[face] = written
        faces.append(FaceNote(face, {"en": written} if written != face else {}))
    if asked.like:
        like: DiceSet = find(asked.like)
        known = {face.id for face in faces}
        faces += [FaceNote(face) for face in like.face_ids if face not in known]
        return note_like(SetNote(set_id, {"en": title}, shapes, tuple(faces)), like), labels
    return SetNote(set_id, {"en": title}, shapes, tuple(faces)), labels

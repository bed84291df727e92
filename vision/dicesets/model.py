"""Dice sets: the faces of a kind of die, with pictures of each.

A set is not a trained list of classes. It is a folder, shipped in ``models/dicesets`` or made by the players::

    cats/set.toml                   names, shapes, labels, credits
    cats/faces/cat/sitting.png      art: an RGBA symbol on transparent ground, for a face of either shape
    cats/faces/cat/mine.d6.png      a rectified picture of a whole d6 face (``.d8.png`` for a d8)
    cats/examples.json              where enrolled pictures are from, and the outlines of their dice
    cats/examples/cat/mine.png      such a die with its surroundings

Players' folders come from anywhere, so everything in one is checked before any picture is decoded: sizes, types, names,
and that no path leads out of the folder. An error is one line.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import cv2
import msgspec
import numpy as np
from PIL import Image

from messages.message import Named
from vision.dicesets.files import (
    DEFAULT_ART_SCALE,
    Credit,
    DiceSetError,
    ExampleNote,
    FaceNote,
    SetNote,
)
from vision.dicesets.shapes import Shape
from vision.frame import Floats, Pixels
from vision.picture import MOST_PIXELS

SHIPPED_SETS = Path(__file__).resolve().parents[2] / "models" / "dicesets"
"""The folder of the sets that come with Tableside."""

SHOWN = 128
"""Longest side of pictures on pages, in pixels: enough for a television and for a phone with triple resolution."""

PNG = b"\x89PNG\r\n\x1a\n"
"""How a PNG begins; its width and height follow at bytes 16 and 20."""


class Example(ExampleNote, frozen=True, kw_only=True):
    """An example and the folder it is kept in."""

    folder: Path
    """The set's folder, or that of a shipped set's examples."""

    @property
    def path(self) -> Path:
        """The picture of the die with its surroundings."""
        return self.folder / "examples" / self.face / f"{self.name}.png"

    @property
    def face_path(self) -> Path:
        """Its rectified face."""
        return self.folder / "faces" / self.face / f"{self.name}.{self.shape}.png"

    def around(self) -> Pixels:
        """(S, S, 3) BGR: the die with a little of the table. DiceSetError if it cannot be decoded."""
        return FacePicture(self.path, "face", self.shape).pixels()

    def corners(self) -> list[Floats]:
        """Its outlines, each (4, 2) or (3, 2)."""
        return [np.array(outline, np.float32) for outline in self.outlines]


@dataclass(frozen=True, slots=True)
class FacePicture:
    """One picture of one face.

    ``kind`` "art" is an RGBA symbol on transparent ground, for a face of either shape (``shape`` is None) and
    upright; "face" is a rectified picture of a whole top face of ``shape``, in the canonical frame of
    ``vision.rectify``. ``scale`` is how large art is on its face: the side of its square as a share
    of the side of a d6 face, or of the diameter of the circle inscribed in a d8 face. It is 1 for "face".
    """

    path: Path
    kind: Literal["art", "face"]
    shape: Shape | None
    scale: float = 1.0
    example: Example | None = None
    """The example of an enrolled face."""

    @property
    def name(self) -> str:
        """The file's name without its endings, which similar pictures of several faces share."""
        return self.path.name.split(".")[0]

    def pixels(self) -> Pixels:
        """(H, W, 4) RGBA for art, (H, W, 3) BGR for a face. DiceSetError if it cannot be decoded."""
        content = self.path.read_bytes()
        coded = np.frombuffer(content, np.uint8)
        flag = cv2.IMREAD_UNCHANGED if self.kind == "art" else cv2.IMREAD_COLOR
        width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
        sound = content.startswith(PNG) and width * height <= MOST_PIXELS
        try:
            decoded = cv2.imdecode(coded, flag) if sound else None
        except cv2.error:
            decoded = None
        if decoded is None or decoded.dtype != np.uint8 or decoded.ndim != 3:
            raise DiceSetError(
                "{path} is damaged, or is not an 8-bit PNG", path=str(self.path)
            )
        if self.kind == "face":
            return np.asarray(decoded, np.uint8)
        if decoded.shape[2] != 4:
            raise DiceSetError(
                "{path} must be a PNG drawing with transparency (8-bit RGBA)", path=str(self.path)
            )
        return np.asarray(cv2.cvtColor(decoded, cv2.COLOR_BGRA2RGBA), np.uint8)


@lru_cache(maxsize=256)
def _small(picture: FacePicture, _written: int) -> bytes:
    """A WebP picture with sides of at most SHOWN pixels, by Pillow, as that keeps transparency."""
    pixels = picture.pixels()
    if pixels.shape[2] == 3:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    if (zoom := SHOWN / max(pixels.shape[:2])) < 1:
        pixels = cv2.resize(pixels, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    coded = io.BytesIO()
    Image.fromarray(pixels).save(coded, "webp", quality=75, alpha_quality=60, method=6)
    return coded.getvalue()


@dataclass(frozen=True, slots=True)
class Face:
    """One face: its id, its label in each language, its number (if any), and its pictures."""

    id: str
    labels: Mapping[str, str]
    value: int | None
    pictures: tuple[FacePicture, ...]
    aliases: tuple[str, ...] = ()

    def label(self, language: str = "en") -> str:
        """The label in a language, else in English, else the id."""
        return self.labels.get(language) or self.labels.get("en") or self.id

    def shown(self) -> bytes | None:
        """A small WebP picture for people: a drawing, else an enrolled picture; None if it has neither.

        DiceSetError if the picture cannot be decoded.
        """
        drawn = sorted(self.pictures, key=lambda picture: picture.kind != "art")
        return _small(drawn[0], drawn[0].path.stat().st_mtime_ns) if drawn else None

    def pictures_for(self, shape: Shape) -> tuple[FacePicture, ...]:
        """The pictures that show this face on dice of a shape."""
        return tuple(picture for picture in self.pictures if picture.shape in (None, shape))


@dataclass(frozen=True, slots=True)
class DiceSet:
    """A named collection of faces. ``nets``: per shape, the faces of one die in the order of `net_for`."""

    id: str
    title: Mapping[str, str]
    shapes: tuple[Shape, ...]
    faces: tuple[Face, ...]
    folder: Path
    nets: Mapping[Shape, tuple[str, ...]]
    attribution: tuple[Credit, ...] = ()
    printed: str = ""
    """Name of the pictures on sticker sheets, if faces have several; the first one if empty."""
    marks: tuple[tuple[str, ...], ...] = ()
    """Groups of faces that only a mark tells apart, such as 6 and 9; readers are careful with them."""

    @property
    def face_ids(self) -> tuple[str, ...]:
        """The ids of the faces, in the set's order."""
        return tuple(face.id for face in self.faces)

    @property
    def shipped(self) -> bool:
        """Whether this set came with Tableside and is not one of the players' own."""
        return self.folder.is_relative_to(SHIPPED_SETS)

    def name(self, language: str = "en") -> str:
        """The title in a language, else in English, else the id."""
        return self.named.spoken(language)

    @property
    def named(self) -> Named:
        """Its title in every language, for use in sentences."""
        return Named(self.title, self.id)

    def face(self, face_id: str) -> Face:
        """The face with exactly this id; DiceSetError if there is none (`resolve` is more forgiving)."""
        for face in self.faces:
            if face.id == face_id:
                return face
        raise DiceSetError(
            "{set} has no face “{found}”; its faces are {faces:called}",
            set=self.id, faces=self.face_ids, found=face_id,
        )  # fmt: skip

    def faces_for(self, shape: Shape) -> tuple[Face, ...]:
        """The faces that have a picture for dice of a shape."""
        return tuple(face for face in self.faces if face.pictures_for(shape))

    def net_for(self, shape: Shape) -> tuple[str, ...] | None:
        """The face ids of one die, or None if the set does not say which faces are on one die.

        A d6 has the order top, front, right, left, back, bottom: the first is opposite the last, the second the
        fifth, the third the fourth. On a d8, too, the first is opposite the eighth, and so on inwards.
        """
        return self.nets.get(shape)

    def not_above(self, face_id: str, shape: Shape) -> frozenset[str]:
        """The faces that cannot be on top of a die that shows this one at a side: itself and the opposite one.

        The opposite face is known if people entered the net or the faces are numbered, as opposite numbers add up to
        one more than there are sides. Empty unless the net has the face exactly once.
        """
        net, faces = self.nets.get(shape, ()), self.faces_for(shape)
        told = net != tuple(face.id for face in faces)
        numbered = [face.value for face in faces] == list(range(1, shape.faces + 1))
        if not (told or numbered) or net.count(face_id) != 1:
            return frozenset()
        return frozenset(one for one in (face_id, net[-1 - net.index(face_id)]) if net.count(one) == 1)

    def meant(self, text: str) -> str:
        """The id of the face that people mean, found like `resolve` does; the text itself if they mean none."""
        key = spoken_key(text)
        return next((face.id for face in self.faces if key and key in names_of(face)), text)

    def resolve(self, text: str) -> str:
        """The id of the face that people mean by ``text``, whatever its case, accents, dashes or language.

        Raises DiceSetError, which lists the ids, if there is none.
        """
        meant = self.meant(text)
        if meant in self.face_ids:
            return meant
        shown = text if len(text) <= 40 else text[:40] + "…"
        raise DiceSetError(
            "{set} has no face “{found}”; its faces are {faces:called}",
            set=self.id, faces=self.face_ids, found=shown,
        )  # fmt: skip


def spoken_key(text: str) -> str:
    """A name for comparison: letters and digits, without case and accents. "Two Cats" → "twocats"."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if sign.isalnum())


def names_of(face: Face | FaceNote) -> frozenset[str]:
    """Every name of a face, as `spoken_key` writes it."""
    return frozenset(spoken_key(name) for name in (face.id, *face.labels.values(), *face.aliases))


def note_of(dice_set: DiceSet, set_id: str | None = None) -> SetNote:
    """The `set.toml` of a set, under its own id or another."""
    scales = {p.path.stem: p.scale for face in dice_set.faces for p in face.pictures if p.kind == "art"}
    return SetNote(
        id=set_id or dice_set.id,
        title=dice_set.title,
        shapes=dice_set.shapes,
        faces=tuple(FaceNote(f.id, f.labels, f.value, f.aliases) for f in dice_set.faces),
        # A net that has every face once is implied; writing it would prevent adding a face.
        nets={
            shape: net
            for shape, net in dice_set.nets.items()
            if net != tuple(face.id for face in dice_set.faces_for(shape))
        },
        marks=dice_set.marks,
        credits=dice_set.attribution,
        art_scale=scales if len(set(scales.values())) > 1 else next(iter(scales.values()), DEFAULT_ART_SCALE),
        printed=dice_set.printed,
    )


def note_like(note: SetNote, other: DiceSet) -> SetNote:
    """The note with labels, values and aliases of faces taken from another set if it gives none."""
    known = {spoken_key(face.id): face for face in other.faces}
    faces: list[FaceNote] = []
    for face in note.faces:
        like = known.get(spoken_key(face.id))
        if like is None:
            faces.append(face)
            continue
        value = face.value if face.value is not None else like.value
        faces.append(FaceNote(face.id, {**like.labels, **face.labels}, value, face.aliases or like.aliases))
    return msgspec.structs.replace(note, faces=tuple(faces), title=note.title or other.title)

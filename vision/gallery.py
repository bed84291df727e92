"""A dice set as the matcher sees it: every picture of every face, embedded once in every turn.

A die therefore costs one run of the network however it lies. A set known by drawings is shown on neutral dice; an
enrolled set is shown by pictures of the very dice, cut out along several outlines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

import vision.comparer
import vision.embedding
import vision.ink
import vision.numerals
import vision.rectify
import vision.render.faces
from vision.comparer import COMPARED_AT, Comparer, compared
from vision.dicesets.model import DiceSet, Face, FacePicture
from vision.dicesets.shapes import Shape
from vision.embedding import Calibration, Faces, Matcher, Points
from vision.frame import Pixels
from vision.numerals import NumeralReader
from vision.rectify import FACE_SIZE, canonical_corners, rectify, shifted, turns
from vision.remembered import digest_of, keep, recall
from vision.render.faces import FaceLook, compose, is_coloured

LIGHT: Final = 228.0
DARK: Final = 38.0
"""Grey levels of the neutral dice that art is placed on, light with dark ink and dark with light ink."""

HUED: Final = 60
"""The hue of a drawing tells something if its strongest and weakest colour channels differ by more than this."""

LEAST_READ: Final = 0.002
"""Least share of what was read that each face gets."""

PAIRS: Final = 8
"""So many pairs of looks at a die and pictures of a face are compared."""


@dataclass(frozen=True, eq=False, slots=True)
class Embedded:
    """A set's pictures for one shape, as the matcher sees them."""

    faces: tuple[str, ...]
    points: Points
    """(R, D) one row for each picture, look and turn."""
    begins: NDArray[np.intp]
    """(F,) the first row of each face; the rows of a face lie together."""
    numerals: NDArray[np.intp] | None
    """(F,) the place in `vision.numerals.NUMERALS` of each face's numeral; None unless each has one of its own."""
    pictures: Pixels
    """(R, 64, 64, 3) the `compared` parts of the faces that the points come from; empty if any picture is not a
    photograph."""
    close: Points | None = None
    """(R, D) the same in close-up, if the symbols are small and no numerals."""

    @property
    def enrolled(self) -> bool:
        """Whether all pictures are of the very dice."""
        return len(self.pictures) > 0

    def similarities(self, points: Points, pictures: Points | None = None) -> Points:
        """Each face's best cosine to each point, (N, F); `pictures` (R, D) stand in for the set's own points."""
        pictures = self.points if pictures is None else pictures
        return np.maximum.reduceat(points @ pictures.T, self.begins, axis=1)


@dataclass(frozen=True, eq=False)
class Gallery:
    """A dice set as the matcher sees it."""

    calibration: Calibration
    shapes: Mapping[Shape, Embedded] = field(repr=False)
    marks: tuple[frozenset[str], ...] = ()
    """Groups of faces that differ only by a mark."""
    not_above: Mapping[Shape, Points] = field(default_factory=dict[Shape, Points], repr=False)
    """(F, F) for each shape that anything is known of: 1 if the second face cannot be on top of a die that shows the
    first on a side, else 0."""
    reader: NumeralReader | None = field(default=None, repr=False)
    comparer: Comparer | None = field(default=None, repr=False)
    """Tells dice of an enrolled set from those of another; without one they count as the set's."""
    by_ink: bool = True
    """Whether the ink of dice is also compared alone if one look leaves a doubt,"""
    closely: bool = True
    """and small symbols in close-up."""

    @classmethod
    def of(
        cls, dice_set: DiceSet, matcher: Matcher, reader: NumeralReader | None = None, comparer: Comparer | None = None
    ) -> Gallery:  # fmt: skip
        """Embed every picture of a set, on light and dark dice, in every turn; a `reader` says which are numerals.

        Raises:
            DiceSetError: if a picture does not decode.
        """
        shapes = {
            shape: _embedded(dice_set, shape, matcher, reader)
            for shape in dice_set.shapes
            if dice_set.faces_for(shape)
        }
        not_above = {
            shape: np.array(
                [[top in dice_set.not_above(side, shape) for top in own.faces] for side in own.faces], np.float32
            )
            for shape, own in shapes.items()
        }
        told = {shape: ruled for shape, ruled in not_above.items() if ruled.any()}
        marks = tuple(map(frozenset, dice_set.marks))
        return cls(matcher.calibration, shapes, marks, told, reader, comparer)

    def enrolled(self, shape: Shape) -> bool:
        """Whether all pictures for a shape are of the very dice."""
        return shape in self.shapes and self.shapes[shape].enrolled

    def compares(self, shape: Shape) -> bool:
        """Whether dice of a shape can be compared with pictures of the very dice."""
        return self.comparer is not None and self.enrolled(shape)

    def same_drawing(self, views: Faces, points: Points, shape: Shape, face: str) -> float:
        """The mean log odds that looks at a die show the drawing of a face: their `compared` parts (V, 64, 64, 3) and
        their points (V, D).

        The PAIRS pairs of a look and a picture that the matcher finds most alike count; if there is only one look, the
        likest pair alone. ValueError if there is nothing to compare with (`compares`).
        """
        own = self.shapes[shape]
        if self.comparer is None or not own.enrolled:
            raise ValueError("this set has no pictures to compare with")
        place = own.faces.index(face)
        first, *after = own.begins[place : place + 2]
        shown = slice(first, after[0] if after else None)
        cosines = own.points[shown] @ points.T
        pairs = np.argsort(-cosines, axis=None)[: PAIRS if len(views) > 1 else 1]
        pictures, looks = np.unravel_index(pairs, cosines.shape)
        return float(self.comparer.same(views[looks], own.pictures[shown][pictures]).mean())

    def carries_numerals(self, shape: Shape) -> bool:
        """Whether each face for a shape carries a numeral of its own, and there is a reader for numerals."""
        return shape in self.shapes and self.shapes[shape].numerals is not None

    def numerals(self, views: Faces, shape: Shape) -> Points:
        """Logarithm of how much likelier each face is than none of them (N, F), by the numerals read in views
        (N, S, S, 3), N > 0.

        A face that is none of them may carry any numeral, or none that can be read. ValueError if the set's faces carry
        no numerals (`carries_numerals`).
        """
        own = self.shapes[shape]
        if self.reader is None or own.numerals is None:
            raise ValueError("the faces of this set carry no numerals")
        likely = self.reader.read(views, shape)
        told = likely[:, own.numerals] + LEAST_READ
        unread, any_numeral = likely[:, :1], 1 / told.shape[1]
        on_faces = (1 - unread) * told / told.sum(axis=1, keepdims=True) + unread * any_numeral
        return np.log(on_faces / (unread + (1 - unread) * any_numeral)).astype(np.float32)


def looks_for(art: Pixels, scale: float) -> tuple[FaceLook, ...]:
    """The neutral dice that a symbol is shown on: one ink, dark on light and light on dark, and its own colours.

    Args:
        art: (S, S, 4) RGBA.
        scale: side of the art, as `vision.render.faces.FaceLook` means it.
    """
    light, dark = (LIGHT, LIGHT, LIGHT), (DARK, DARK, DARK)
    drawn = art[art[..., 3] > 200][:, :3].astype(np.int16)
    hued = bool(len(drawn)) and float(np.ptp(drawn, axis=1).mean()) > HUED
    looks = [FaceLook(body=light, ink=dark, scale=scale), FaceLook(body=dark, ink=light, scale=scale)]
    if is_coloured(art):
        looks[1] = FaceLook(body=dark, ink=None, scale=scale)
    if is_coloured(art) or hued:
        looks.append(FaceLook(body=light, ink=None, scale=scale))
    return tuple(looks)


def upright_faces(picture: FacePicture, shape: Shape, side: int = FACE_SIZE) -> Iterator[Faces]:
    """The upright canonical faces (side, side, 3) BGR, made from a picture of a set, that dice are compared with.

    Raises DiceSetError if it does not decode.
    """
    pixels = picture.pixels()
    if picture.example is not None:
        yield from example_looks(picture.example.around(), picture.example.corners(), side)
        return
    if picture.kind == "face":
        yield rectify(pixels, canonical_corners(shape, pixels.shape[0]), side)
        return
    for look in looks_for(pixels, picture.scale):
        drawn, _ = compose(pixels, shape, look, 2 * FACE_SIZE)
        yield rectify(drawn, canonical_corners(shape, 2 * FACE_SIZE), side)


def example_looks(around: Pixels, outlines: Sequence[Points], side: int = FACE_SIZE) -> list[Faces]:
    """The faces (side, side, 3) that dice are compared with: an enrolled die at each of its outlines, and at the first
    one shifted to each side. It has several outlines if enrolling was not sure of the corners.

    Args:
        around: (S, S, 3) BGR, the die and what is around it.
        outlines: (4, 2) or (3, 2) pixels of `around` each.
    """
    return [rectify(around, corners, side) for corners in (*outlines, *shifted(outlines[0]))]


def _embedded(dice_set: DiceSet, shape: Shape, matcher: Matcher, reader: NumeralReader | None) -> Embedded:
    """A set's pictures for one shape; from disk if these very pictures were embedded before."""
    shown = dice_set.faces_for(shape)
    faces = tuple(face.id for face in shown)
    digest = digest_of(_made_of(shown, shape, matcher, reader))
    known = recall(digest)
    kinds = {"points", "begins", "numerals", "pictures", "close"}
    if known is not None and {*known} == kinds and len(known["begins"]) == len(faces):
        numerals, close = (known[name] if len(known[name]) else None for name in ("numerals", "close"))
        return Embedded(faces, known["points"], known["begins"], numerals, known["pictures"], close)
    made = _newly_embedded(shown, shape, matcher, reader)
    written = np.empty(0, np.intp) if made.numerals is None else made.numerals
    close = np.empty((0, 0), np.float32) if made.close is None else made.close
    named = {"points": made.points, "begins": made.begins, "pictures": made.pictures}
    keep(digest, {**named, "numerals": written, "close": close})
    return made


def _newly_embedded(
    shown: Sequence[Face], shape: Shape, matcher: Matcher, reader: NumeralReader | None
) -> Embedded:
    of_face: list[Faces] = []
    straight: list[Faces] = []
    different: list[list[int]] = []
    enrolled = all(picture.example is not None for face in shown for picture in face.pictures_for(shape))
    for face in shown:
        turned = [_turned(picture, shape, FACE_SIZE) for picture in face.pictures_for(shape)]
        views = np.concatenate(turned)
        once = {view.tobytes(): i for i, view in enumerate(views)}  # a four turned by a quarter is the same
        different.append(list(once.values()))
        of_face.append(views[different[-1]])
        straight.append(np.concatenate([looks[: shape.symmetry] for looks in turned]))
    views = np.concatenate(of_face)
    begins = np.cumsum([0, *(len(views) for views in of_face[:-1])])
    written = reader.numerals_of(straight, shape) if reader else None
    faces, finely = tuple(face.id for face in shown), views
    if COMPARED_AT[shape] > FACE_SIZE and (enrolled or written is None):
        all_turned = (
            np.concatenate([_turned(one, shape, COMPARED_AT[shape]) for one in face.pictures_for(shape)])
            for face in shown
        )
        own = [compared(views[these], shape) for views, these in zip(all_turned, different, strict=True)]
        finely = np.concatenate(own)
    close = matcher.embed(finely) if written is None and not shape.fills else None
    return Embedded(faces, matcher.embed(views), begins, written, finely if enrolled else views[:0], close)


def _turned(picture: FacePicture, shape: Shape, side: int) -> Faces:
    """(N, side, side, 3) a picture's faces, each in every turn."""
    return np.concatenate([turns(upright, shape) for upright in upright_faces(picture, shape, side)])


def _made_of(
    shown: Sequence[Face], shape: Shape, matcher: Matcher, reader: NumeralReader | None
) -> Iterator[bytes]:
    """Everything that an Embedded depends on: the networks, the pictures, and the code that turns them into faces."""
    yield f"{shape} {matcher.fingerprint} {reader.fingerprint if reader else ''} {cv2.__version__}".encode()
    yield from _code()
    for face in shown:
        yield face.id.encode()
        for picture in face.pictures_for(shape):
            example = picture.example
            yield f"{picture.kind} {picture.scale} {example.outlines if example else ''}".encode()
            yield (example.path if example else picture.path).read_bytes()


@cache
def _code() -> tuple[bytes, ...]:
    modules = (vision.comparer, vision.embedding, vision.ink, vision.numerals, vision.rectify, vision.render.faces)
    return tuple(Path(path).read_bytes() for path in (__file__, *(one.__file__ for one in modules)) if path)

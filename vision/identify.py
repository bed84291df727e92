"""Which face of a dice set a die shows.

The matcher turns a face into a point on a sphere; near points are the same symbol. A set's pictures are embedded once,
in every turn of the face, so that a die costs one run of the network however it lies. Confidences are calibrated on
symbols the network was never trained on; "none of these" is one of the possibilities.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

import vision.embedding
import vision.likeness
import vision.numerals
import vision.rectify
import vision.render.faces
from vision.detection import Detection
from vision.dicesets.model import DiceSet, Face, FacePicture
from vision.dicesets.shapes import Shape, shape_outlined
from vision.embedding import Calibration, Faces, Matcher, Points
from vision.frame import Pixels
from vision.likeness import colour, coloured_alike, likeness, shrunk
from vision.numerals import NumeralReader
from vision.plane import faces_beside, sound_plane
from vision.reading import UNKNOWN, Alternative, DieReading
from vision.rectify import FACE_SIZE, canonical_corners, rectify, turns
from vision.remembered import digest_of, keep, recall
from vision.render.faces import FaceLook, compose, is_coloured

LIGHT: Final = 228.0
DARK: Final = 38.0
"""Grey levels of the neutral dice that art is placed on, light with dark ink and dark with light ink."""

HUED: Final = 60
"""Mean difference between a drawing's strongest and weakest colour channel from which its hue tells something."""

MOST_ALTERNATIVES: Final = 8

SHIFT: Final = 0.12
"""How far, in sides, corners are shifted to look again: a tenth of a side off is the commonest error."""

MARK_GAP: Final = 0.08
"""Cosine by which a face must beat one that only a mark tells it from: a dot under a 6 is little of its picture."""

ON_ITS_BODY: Final = 0.5
"""An octahedron may be outlined by a side, and is asked about, if its box and the body below its outline share less
than this of what they cover together."""

SURE_AT_ONCE: Final = 0.97
"""Confidence of a first look that spares the others: they would take four times as long, and change nothing."""

READ: Final = 2.0
"""Weight of what was read beside what was compared."""
LEAST_READ: Final = 0.002
"""Share of what was read that each face has at least."""

MOST_OF_A_FACE: Final = 4
"""Dice of this evening that are kept of each face: one is nearly enough, and the lamp may be moved
(docs/research/reading.md)."""
SAME_FACE: Final = 0.9
"""Cosine from which two dice of an evening show the same face."""

OTHERWISE: Final = 0.2
"""Correlation below which a face is drawn otherwise than the picture it is nearest to."""
STRANGE: Final = ((0.72, 1.0), (0.80, 0.7), (0.84, OTHERWISE))
"""A die may be of another set, and is asked about, if its best cosine to the pictures of these very dice is below the
first of any pair, and its correlation with the nearest of them (`vision.likeness`) below the second."""
DOUBTED: Final = max(cosine for cosine, _ in STRANGE)
BESIDE: Final = 0.76
"""A side that is this similar (cosine) to a picture of another face shows that the die is of the set,"""
WITH_SIDES: Final = 0.62
"""provided that its top face is at least this similar to its own pictures."""
OF_ITS_COLOUR: Final = 0.72
"""A die that is at least this similar (cosine) to its pictures, and has the colour of one beside it that is plainly of
the set, is of the set."""
VOUCHED: Final = 0.7
"""People's word for one die counts for no other that is less similar (cosine) to its pictures than this."""


class Evening:
    """Faces that were read for certain this evening, or that people named, under tonight's lamp and camera.

    The newest are last. They are compared with beside the set's own pictures. One error must not breed others: a die is
    taken for nothing that the set's own pictures would not take it for, a face that people name takes away what looks
    like it and was kept under another name, and only the newest of each face are kept. One thread may add while others
    compare.

    Under an odd lamp all dice look unlike their pictures. Once people have said of one that it was read right, they
    vouch for those that look no less like theirs, until one is misread.
    """

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._seen: Mapping[tuple[Shape, str], tuple[Points, ...]] = {}
        self._vouched = math.inf

    def vouch(self, die: DieReading, face: str) -> None:
        """People said which face a die shows: that it was read right, or that it was misread."""
        self._vouched = min(self._vouched, max(die.similarity, VOUCHED)) if die.face == face else math.inf

    def vouches(self, die: DieReading) -> bool:
        """Whether a die looks no less like its pictures than one of which people said that it was read right."""
        return die.similarity >= self._vouched

    def add(self, shape: Shape, face: str, points: Points, *, named: bool = False) -> None:
        """Keep a die that showed `face`, by its points (T, D) in every turn; `named` if people said what it shows."""
        seen = dict(self._seen)
        if named:
            for other in seen.keys() - {(shape, face)}:
                if other[0] is shape:
                    seen[other] = tuple(one for one in seen[other] if float((points @ one.T).max()) < SAME_FACE)
        seen[shape, face] = (*seen.get((shape, face), ()), points)[-MOST_OF_A_FACE:]
        self._seen = seen

    def similarities(self, shape: Shape, faces: Sequence[str], points: Points) -> Points | None:
        """The best cosine of each face's dice to any of some points (V, D), (F,); -1 for a face that was not seen.

        None where nothing of the shape was seen.
        """
        seen = self._seen
        shown = [seen.get((shape, face), ()) for face in faces]
        if not any(shown):
            return None
        best = [float((points @ np.concatenate(dice).T).max()) if dice else -1.0 for dice in shown]
        return np.array(best, np.float32)


@dataclass(frozen=True, eq=False, slots=True)
class Embedded:
    """A set's pictures for one shape, as the matcher sees them."""

    faces: tuple[str, ...]
    points: Points
    """(R, D) one row for each picture, look and turn."""
    begins: NDArray[np.intp]
    """(F,) the first row of each face; a face's rows follow each other."""
    numerals: NDArray[np.intp] | None
    """(F,) places in `vision.numerals.NUMERALS` of what is on each face, where each has another one."""
    looks: Pixels
    """(R, 24, 24, 3) what the points are of, `shrunk`; none where any picture is drawn, and not of the very dice."""

    @property
    def enrolled(self) -> bool:
        """Whether all pictures are of the very dice."""
        return len(self.looks) > 0

    def strange(self, read: DieReading, face: Pixels, point: Points, *, vouched: bool = False) -> bool:
        """Whether a die that reads so may be of another set: its top face as (64, 64, 3) BGR, and that face's (D,).

        One that is `vouched` for (`Evening`) may be so only if it is drawn otherwise.
        """
        if not self.enrolled or read.similarity >= DOUBTED:
            return False
        place = self.faces.index(read.face)
        first, *after = self.begins[place : place + 2]
        nearest = first + int((self.points[first : after[0] if after else None] @ point).argmax())
        drawn = likeness(shrunk(face), self.looks[nearest], read.shape)
        most = OTHERWISE if vouched else 1.0
        return any(read.similarity < cosine and drawn < min(correlation, most) for cosine, correlation in STRANGE)

    def similarities(self, points: Points) -> Points:
        """Each face's best cosine to each point, (N, F)."""
        return np.maximum.reduceat(points @ self.points.T, self.begins, axis=1)


@dataclass(frozen=True, eq=False)
class Gallery:
    """A dice set as the matcher sees it."""

    calibration: Calibration
    shapes: Mapping[Shape, Embedded] = field(repr=False)
    marks: tuple[frozenset[str], ...] = ()
    """Groups of faces that only a mark tells apart."""
    reader: NumeralReader | None = field(default=None, repr=False)

    @classmethod
    def of(cls, dice_set: DiceSet, matcher: Matcher, reader: NumeralReader | None = None) -> Gallery:
        """Embed every picture of a set, on dice light and dark, in every turn; a `reader` says which are numerals.

        Raises:
            DiceSetError: if a picture does not decode.
        """
        shapes = {
            shape: _embedded(dice_set, shape, matcher, reader)
            for shape in dice_set.shapes
            if dice_set.faces_for(shape)
        }
        return cls(matcher.calibration, shapes, tuple(map(frozenset, dice_set.marks)), reader)

    def enrolled(self, shape: Shape) -> bool:
        """Whether all pictures for a shape are of the very dice."""
        return shape in self.shapes and self.shapes[shape].enrolled

    def numeral(self, view: Pixels, shape: Shape) -> Points | None:
        """Logarithms of how likely each face is (F,), by the numeral read in a view (64, 64, 3) of a die.

        None where the set's faces carry no numerals, or not each another one.
        """
        own = self.shapes.get(shape)
        if self.reader is None or own is None or own.numerals is None:
            return None
        (likely,) = self.reader.read(view[None], shape)
        told = likely[own.numerals] + LEAST_READ
        unread = likely[0]
        return np.log((1 - unread) * told / told.sum() + unread / len(told)).astype(np.float32)


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


def upright_faces(picture: FacePicture, shape: Shape) -> Iterator[Faces]:
    """A picture of a set as the upright canonical faces (64, 64, 3) BGR that dice are compared with.

    Raises DiceSetError if it does not decode.
    """
    pixels = picture.pixels()
    if picture.example is not None:
        yield from example_looks(picture.example.around(), picture.example.corners())
        return
    if picture.kind == "face":
        side = pixels.shape[0]
        yield rectify(pixels, canonical_corners(shape, side), FACE_SIZE)
        return
    for look in looks_for(pixels, picture.scale):
        drawn, _ = compose(pixels, shape, look, 2 * FACE_SIZE)
        yield rectify(drawn, canonical_corners(shape, 2 * FACE_SIZE), FACE_SIZE)


def example_looks(around: Pixels, outlines: Sequence[Points]) -> list[Faces]:
    """The faces (64, 64, 3) that an enrolled die is compared by: each of its outlines, and the first one's shifts.

    Enrolling finds several outlines where it is not sure of the corners.

    Args:
        around: (S, S, 3) BGR, the die and what is around it.
        outlines: (4, 2) or (3, 2) pixels of `around` each.
    """
    return [rectify(around, corners) for corners in (*outlines, *shifted(outlines[0]))]


def _embedded(dice_set: DiceSet, shape: Shape, matcher: Matcher, reader: NumeralReader | None) -> Embedded:
    """A set's pictures for one shape; what was made of the very same pictures before is taken from disk."""
    shown = dice_set.faces_for(shape)
    faces = tuple(face.id for face in shown)
    digest = digest_of(_made_of(shown, shape, matcher, reader))
    known = recall(digest)
    kinds = {"points", "begins", "numerals", "looks"}
    if known is not None and {*known} == kinds and len(known["begins"]) == len(faces):
        numerals = known["numerals"] if len(known["numerals"]) else None
        return Embedded(faces, known["points"], known["begins"], numerals, known["looks"])
    made = _newly_embedded(shown, shape, matcher, reader)
    written = np.empty(0, np.intp) if made.numerals is None else made.numerals
    keep(digest, {"points": made.points, "begins": made.begins, "numerals": written, "looks": made.looks})
    return made


def _newly_embedded(
    shown: Sequence[Face], shape: Shape, matcher: Matcher, reader: NumeralReader | None
) -> Embedded:
    of_face: list[Faces] = []
    straight: list[Faces] = []
    enrolled = all(picture.example is not None for face in shown for picture in face.pictures_for(shape))
    for face in shown:
        turned = [
            [turns(upright, shape) for upright in upright_faces(picture, shape)] for picture in face.pictures_for(shape)
        ]
        views = (view for looks in turned for look in looks for view in look)
        different = {view.tobytes(): view for view in views}  # a four turned by a quarter is the same
        of_face.append(np.stack(list(different.values())))
        straight.append(np.concatenate([looks[0] for looks in turned]))
    views = np.concatenate(of_face)
    begins = np.cumsum([0, *(len(views) for views in of_face[:-1])])
    written = reader.numerals_of(straight, shape) if reader else None
    looks = [shrunk(view) for view in views] if enrolled else []
    faces = tuple(face.id for face in shown)
    return Embedded(faces, matcher.embed(views), begins, written, np.array(looks, np.uint8))


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
    modules = (vision.embedding, vision.likeness, vision.numerals, vision.rectify, vision.render.faces)
    return tuple(Path(path).read_bytes() for path in (__file__, *(one.__file__ for one in modules)) if path)


def confidences(similarities: Points, calibration: Calibration) -> Points:
    """How likely each face is, (N, F) in 0..1; rows sum to less than 1, the rest is "none of these"."""
    scaled = similarities.astype(np.float64) / calibration.temperature
    none = np.full((len(scaled), 1), calibration.unknown / calibration.temperature)
    top = np.maximum(scaled.max(axis=1, keepdims=True), none)
    worth = np.exp(scaled - top)
    return (worth / (worth.sum(axis=1, keepdims=True) + np.exp(none - top))).astype(np.float32)


def identify(
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection], evening: Evening | None = None
) -> list[DieReading]:  # fmt: skip
    """What each die in (H, W, 3) BGR pixels shows, looked at five times unless one look is enough.

    The other four looks have their corners shifted to the four sides, and for each face of the set the most
    similar look counts. Where the faces are numerals, the one that is read in the unshifted look counts, too
    (`vision.numerals`). Dice of this evening count beside the set's pictures, unless they name another face than those:
    then `certain` is False. Otherwise it only tells the face from those that a mark makes another and from the die's
    sides, and the die from another set's.

    Raises:
        ValueError: if corners are unusable (`vision.rectify`).
    """
    if not dice:
        return []
    faces = np.stack([rectify(pixels, die.corners) for die in dice])
    points = matcher.embed(faces)
    alone = [_compared(gallery, points[i : i + 1], die) for i, die in enumerate(dice)]
    found = [_compared(gallery, points[i : i + 1], die, evening=evening) for i, die in enumerate(dice)]
    unsure = [i for i, first in enumerate(found) if first.confidence < SURE_AT_ONCE]
    if unsure:
        views = np.stack([rectify(pixels, moved) for i in unsure for moved in shifted(dice[i].corners)])
        more = matcher.embed(views).reshape(len(unsure), -1, points.shape[1])
        for i, others in zip(unsure, more, strict=True):
            numeral = gallery.numeral(faces[i], dice[i].shape)
            every = np.concatenate([points[i : i + 1], others])
            alone[i] = _compared(gallery, every, dice[i], numeral)
            looked = _compared(gallery, every, dice[i], numeral, evening)
            found[i] = replace(looked, steady=looked.face == found[i].face)
    read: list[DieReading] = []
    odd: dict[int, DieReading] = {}
    for own, one, face, point in zip(alone, found, faces, points, strict=True):
        die = one if one.face == own.face else replace(own, certain=False)
        known = gallery.shapes.get(die.shape)
        vouched = evening is not None and evening.vouches(die)
        if die.certain and known is not None and known.strange(die, face, point, vouched=vouched):
            odd[len(read)] = die
        read.append(die)
    of_the_set = _coloured_as_others(faces, read, odd)
    of_the_set |= _known_by_sides(matcher, gallery, pixels, dice, {i: odd[i] for i in odd.keys() - of_the_set})
    for i in odd:
        read[i] = replace(read[i], certain=i in of_the_set)
    return read


def _coloured_as_others(faces: Faces, read: Sequence[DieReading], odd: Mapping[int, DieReading]) -> set[int]:
    """Which of the `odd` dice, by their places in `read` and among the `faces` (N, 64, 64, 3), have the colour of a die
    of their shape that is surely read, and not odd."""
    likely = {i for i, die in odd.items() if die.similarity >= OF_ITS_COLOUR}
    if not likely:
        return set()
    colours = [colour(shrunk(face), die.shape) for face, die in zip(faces, read, strict=True)]
    known = [i for i, die in enumerate(read) if i not in odd and die.certain and die.confidence >= SURE_AT_ONCE]
    return {
        i
        for i in likely
        if any(read[k].shape is read[i].shape and coloured_alike(colours[i], colours[k]) for k in known)
    }


def _known_by_sides(
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection], odd: Mapping[int, DieReading]
) -> set[int]:
    """Which of the `odd` dice, by their places in `dice`, have a side that looks like another face of the set than the
    one they show, in (H, W, 3) BGR pixels; none of them does where the dice do not tell how the table lies."""
    likely = {i: read for i, read in odd.items() if read.similarity >= WITH_SIDES}
    if not likely:
        return set()
    tops, (height, width) = [die.corners.astype(np.float64) for die in dice], pixels.shape[:2]
    plane = sound_plane(tops, [die.box for die in dice], [die.score for die in dice], width, height)
    if plane is None:
        return set()
    found: set[int] = set()
    for i, read in likely.items():
        if sides := [rectify(pixels, side) for side in faces_beside(plane, tops[i])]:
            own = gallery.shapes[read.shape]
            alike = own.similarities(matcher.embed(np.stack(sides)))
            if (np.delete(alike, own.faces.index(read.face), axis=1) >= BESIDE).any():
                found.add(i)
    return found


def known_by(matcher: Matcher, pixels: Pixels, die: DieReading) -> Points:
    """The points (T, D) by which a die in (H, W, 3) BGR pixels is known again in any turn (`Evening`)."""
    return matcher.embed(turns(rectify(pixels, np.array(die.corners, np.float32)), die.shape))


def shifted(corners: Points) -> list[Points]:
    """The same face a little to its right, left, foot and head."""
    head = (corners[0] + corners[1]) / 2 if shape_outlined(len(corners)).fills else corners[0]
    right = (corners[-2] - corners[-1]) * SHIFT
    down = ((corners[-1] + corners[-2]) / 2 - head) * SHIFT
    return [np.asarray(corners + by, np.float32) for by in (right, -right, down, -down)]


def _compared(
    gallery: Gallery, points: Points, die: Detection, numeral: Points | None = None, evening: Evening | None = None
) -> DieReading:  # fmt: skip
    """What the views (V, D) of one die show: for each face the most similar view counts, and what was read."""
    corners = tuple((float(x), float(y)) for x, y in die.corners)
    own = gallery.shapes.get(die.shape)
    if own is None:
        return DieReading(die.shape, UNKNOWN, False, 0.0, (), corners, die.box, similarity=-1.0)
    similar = own.similarities(points).max(axis=0)
    seen = evening.similarities(die.shape, own.faces, points) if evening is not None else None
    if seen is not None:
        similar = np.maximum(similar, seen)
    weighed = similar if numeral is None else similar + READ * gallery.calibration.temperature * numeral
    (believed,) = confidences(weighed[None], gallery.calibration)
    order: list[int] = np.argsort(-believed, kind="stable")[:MOST_ALTERNATIVES].tolist()
    alternatives = tuple(Alternative(own.faces[i], float(believed[i])) for i in order)
    best = dict(zip(own.faces, similar.tolist(), strict=True))
    face, confidence = alternatives[0].face, alternatives[0].confidence
    marked = {other for group in gallery.marks if face in group for other in group} - {face}
    told = all(best[face] - best.get(other, -1.0) >= MARK_GAP for other in marked)
    certain = told and not (die.shape.twisted and die.fits_box < ON_ITS_BODY)
    return DieReading(die.shape, face, certain, confidence, alternatives, corners, die.box, best[face])

"""Which face of a dice set a rectified top face shows.

The matcher turns a face into a point on a sphere; near points are the same symbol. A set's pictures are
embedded once, in every turn of the face, so that a die costs one run of the network however it lies. What
the network cannot tell is said: a confidence is calibrated on symbols it was never trained on, "none of
these" is one of the possibilities it is shared out to, and below a threshold an identification is not
certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.dicesets.model import DiceSet, FacePicture
from vision.dicesets.shapes import SHAPES, Shape, shape_outlined
from vision.embedding import Calibration, Faces, Matcher, Points
from vision.frame import Pixels
from vision.gallery import remembered
from vision.numerals import NumeralReader
from vision.reading import UNKNOWN, Alternative
from vision.rectify import FACE_SIZE, canonical_corners, rectify, turns
from vision.render.faces import FaceLook, compose, is_coloured

__all__ = ["Calibration", "Gallery", "Identification", "Matcher", "identify"]

LIGHT: Final = 228.0
DARK: Final = 38.0
"""Grey levels of the neutral dice that art is placed on, light with dark ink and dark with light ink."""

HUED: Final = 60
"""Mean difference between a drawing's strongest and weakest colour channel from which its hue tells
something."""

MOST_ALTERNATIVES: Final = 8

SHIFT: Final = 0.12
"""How far, in sides, corners are shifted to look again. Corners a tenth of a side off are the commonest
reason for misreading; of 0.07, 0.1, 0.12 and 0.15 this read the most real dice."""

MARK_GAP: Final = 0.08
"""Cosine by which a face must beat one that only a mark tells it from: a dot under a 6 is little of its picture."""

VIEWS: Final = 5
"""Looks at each die."""

SURE_AT_ONCE: Final = 0.97
"""Confidence of a first look that spares the others: they would take four times as long, and change nothing."""

READ: Final = 2.0
"""Weight of what was read beside what was compared. Of 341 drawn faces in typefaces that no network had seen, and of
which the matcher was not sure, it misread 62 and the reader of numerals 53; together, with weights of 0.5, 1 and 2,
45, 43 and 39."""
LEAST_READ: Final = 0.002
"""Share of what was read that each face has at least."""


@dataclass(frozen=True, slots=True)
class Identification:
    """What a top face shows: the best guess, and how far it is to be believed."""

    face: str
    """Id of the likeliest face of the set (also where not certain); `UNKNOWN` if the set has no die of
    this shape."""
    confidence: float
    certain: bool
    alternatives: tuple[Alternative, ...]
    """Ranked, likeliest first, beginning with `face`."""
    similarity: float
    """Cosine to the most similar picture, -1..1."""
    turn: int
    """Index of the given corner that is the symbol's own first corner (top left, or apex)."""
    steady: bool = True
    """Whether the unshifted look alone names the same face."""
    told_apart: bool = True
    """Whether it is clearly no face that only a mark tells it from."""


@dataclass(frozen=True, eq=False, slots=True)
class _Shelf:
    """A set's pictures for one shape."""

    points: Points
    """(R, D) one row for each picture, look and turn."""
    owners: NDArray[np.intp]
    """(R,) index of the face, rising: each has rows of its own."""
    turns: NDArray[np.intp]
    """(R,) which corner of a face like this is the symbol's own first corner."""
    faces: tuple[str, ...]
    numerals: NDArray[np.intp] | None
    """(F,) places in `vision.numerals.NUMERALS` of what is on each face, where each has another one."""


@dataclass(frozen=True, eq=False)
class Gallery:
    """A dice set as the matcher sees it."""

    set_id: str
    calibration: Calibration
    shelves: Mapping[Shape, _Shelf] = field(repr=False)
    marks: tuple[frozenset[str], ...] = ()
    """Groups of faces that only a mark tells apart."""
    reader: NumeralReader | None = field(default=None, repr=False)

    @classmethod
    def of(cls, dice_set: DiceSet, matcher: Matcher, reader: NumeralReader | None = None) -> Gallery:
        """Embed every picture of a set, on dice light and dark, in every turn; a `reader` says which are numerals.

        Raises:
            DiceSetError: if a picture does not decode.
        """
        shelves: dict[Shape, _Shelf] = {}
        for shape in SHAPES:
            if shape in dice_set.shapes and dice_set.faces_for(shape):
                shelves[shape] = _shelf(dice_set, shape, matcher, reader)
        return cls(dice_set.id, matcher.calibration, shelves, tuple(map(frozenset, dice_set.marks)), reader)

    def told_apart(self, face: str, similar: Mapping[str, float]) -> bool:
        """Whether a face is clearly likelier than those that only a mark tells it from."""
        rivals = {other for group in self.marks if face in group for other in group} - {face}
        return all(similar[face] - similar.get(rival, -1.0) >= MARK_GAP for rival in rivals)

    def similarities(self, points: Points, shape: Shape) -> tuple[Points, NDArray[np.intp]]:
        """Each face's best cosine to each point (N, F), and the turn that gave it (N, F).

        Raises:
            KeyError: if the set has no die of this shape.
        """
        shelf = self.shelves[shape]
        cosines = points @ shelf.points.T
        begins = np.flatnonzero(np.diff(shelf.owners, prepend=-1))  # a face's rows follow each other
        best = np.maximum.reduceat(cosines, begins, axis=1)
        rows = np.where(cosines == best[:, shelf.owners], np.arange(len(shelf.owners)), len(shelf.owners))
        return best, shelf.turns[np.minimum.reduceat(rows, begins, axis=1)]

    def read(self, view: Pixels, shape: Shape) -> Points | None:
        """Logarithms of how likely each face is (F,), by the numeral read in a view (64, 64, 3) of a die.

        None where the set's faces carry no numerals, or not each another one.
        """
        shelf = self.shelves.get(shape)
        if self.reader is None or shelf is None or shelf.numerals is None:
            return None
        (likely,) = self.reader.read(view[None], shape)
        told = likely[shelf.numerals] + LEAST_READ
        unread = likely[0]
        return np.log((1 - unread) * told / told.sum() + unread / len(told)).astype(np.float32)


def looks_for(art: Pixels, scale: float) -> tuple[FaceLook, ...]:
    """The neutral dice that a symbol is shown on: one ink, dark on light and light on dark, and its own
    colours.

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

    Enrolling finds several outlines where it is not sure of the corners. On 256 dice of 14 made-up sets with one
    picture a face, all of them read 96.1 %, the first alone 94.1 %, the true corners 96.9 %.

    Args:
        around: (S, S, 3) BGR, the die and what is around it.
        outlines: (4, 2) or (3, 2) pixels of `around` each.
    """
    return [rectify(around, corners) for corners in (*outlines, *shifted(outlines[0]))]


def _shelf(dice_set: DiceSet, shape: Shape, matcher: Matcher, reader: NumeralReader | None) -> _Shelf:
    faces: list[Faces] = []
    owners: list[int] = []
    turned: list[int] = []
    shown = dice_set.faces_for(shape)
    for index, face in enumerate(shown):
        seen: set[bytes] = set()
        for picture in face.pictures_for(shape):
            for upright in upright_faces(picture, shape):
                for turn, view in enumerate(turns(upright, shape)):
                    key = view.tobytes()
                    if key in seen:
                        continue  # a four looks the same in every turn
                    seen.add(key)
                    faces.append(view)
                    owners.append(index)
                    turned.append(-turn % shape.symmetry)
    enrolled = any(picture.example for face in shown for picture in face.pictures)
    every, owned = np.stack(faces), np.array(owners, np.intp)
    points = (remembered if enrolled else Matcher.embed)(matcher, every)
    numerals = None
    if reader is not None:
        numerals = reader.numerals_of([every[owned == index] for index in range(len(shown))], shape)
    return _Shelf(points, owned, np.array(turned, np.intp), tuple(f.id for f in shown), numerals)


def confidences(similarities: Points, calibration: Calibration) -> Points:
    """What each face is believed to be worth, (N, F) in 0..1; rows sum to less than 1, the rest is "none
    of these"."""
    scaled = similarities.astype(np.float64) / calibration.temperature
    none = np.full((len(scaled), 1), calibration.unknown / calibration.temperature)
    top = np.maximum(scaled.max(axis=1, keepdims=True), none)
    worth = np.exp(scaled - top)
    return (worth / (worth.sum(axis=1, keepdims=True) + np.exp(none - top))).astype(np.float32)


def identify(
    matcher: Matcher,
    gallery: Gallery,
    pixels: Pixels,
    corners: Sequence[Points],
    shapes: Sequence[Shape],
) -> tuple[Identification, ...]:
    """The faces that lie at the given corners of a picture, each looked at five times unless one look is enough.

    The other four looks have their corners shifted to the four sides, and for each face of the set the most
    similar look counts. Where the faces are numerals, the one that is read in the unshifted look counts, too
    (`vision.numerals`). An identification is certain only where the unshifted look, compared, names the same face.

    Args:
        matcher: the network that also embedded the gallery.
        gallery: the dice set.
        pixels: (H, W, 3) BGR uint8.
        corners: (4, 2) or (3, 2) px of the picture for each die, clockwise.
        shapes: the shape of each.

    Returns:
        One identification each, in order.

    Raises:
        ValueError: if there are not as many shapes as corners, or corners are unusable (`vision.rectify`).
    """
    if len(shapes) != len(corners):
        raise ValueError(f"expected a shape for each of {len(corners)} faces, got {len(shapes)}")
    if not corners:
        return ()
    faces = np.stack([rectify(pixels, given) for given in corners])
    points = matcher.embed(faces)
    found = [_identification(gallery, points[i : i + 1], shape) for i, shape in enumerate(shapes)]
    unsure = [i for i, first in enumerate(found) if first.confidence < SURE_AT_ONCE]
    if not unsure:
        return tuple(found)
    views = np.stack([rectify(pixels, moved) for i in unsure for moved in shifted(corners[i])])
    more = matcher.embed(views).reshape(len(unsure), VIEWS - 1, -1)
    for i, others in zip(unsure, more, strict=True):
        read = gallery.read(faces[i], shapes[i])
        every = _identification(gallery, np.concatenate([points[i : i + 1], others]), shapes[i], read)
        steady = every.face == found[i].face
        found[i] = replace(every, certain=every.certain and steady, steady=steady)
    return tuple(found)


def shifted(corners: Points) -> list[Points]:
    """The same face a little to its right, left, foot and head."""
    head = (corners[0] + corners[1]) / 2 if shape_outlined(len(corners)).fills else corners[0]
    right = (corners[-2] - corners[-1]) * SHIFT
    down = ((corners[-1] + corners[-2]) / 2 - head) * SHIFT
    return [np.asarray(corners + by, np.float32) for by in (right, -right, down, -down)]


def _identification(
    gallery: Gallery, points: Points, shape: Shape, read: Points | None = None
) -> Identification:
    """What the views (V, D) of one die show: for each face the most similar view counts, and what was `read`."""
    if shape not in gallery.shelves:
        return Identification(UNKNOWN, 0.0, False, (), -1.0, 0)
    similar, turned = gallery.similarities(points, shape)
    view = similar.argmax(axis=0)
    faces = list(range(similar.shape[1]))
    best = similar[view, faces]
    weighed = best.copy()
    if read is not None:
        weighed += READ * gallery.calibration.temperature * read
    believed = confidences(weighed[None], gallery.calibration)[0]
    return _named(gallery, shape, best, believed, turned[view, faces])


def _named(
    gallery: Gallery, shape: Shape, similar: Points, believed: Points, turned: NDArray[np.intp]
) -> Identification:
    names = gallery.shelves[shape].faces
    order = np.argsort(-believed, kind="stable")[:MOST_ALTERNATIVES]
    best = int(order[0])
    confidence, similarity = float(believed[best]), float(similar[best])
    calibration = gallery.calibration
    apart = not gallery.marks or gallery.told_apart(
        names[best], dict(zip(names, map(float, similar), strict=True))
    )
    return Identification(
        face=names[best],
        confidence=confidence,
        certain=confidence >= calibration.certain and similarity >= calibration.alike and apart,
        alternatives=tuple(Alternative(names[int(i)], float(believed[i])) for i in order),
        similarity=similarity,
        turn=int(turned[best]),
        told_apart=apart,
    )

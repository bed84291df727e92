"""Which face of a dice set a rectified top face shows.

The matcher turns a face into a point on a sphere; near points are the same symbol. A set's pictures are
embedded once, in every turn of the face, so that a die costs one run of the network however it lies. What
the network cannot tell is said: a confidence is calibrated on symbols it was never trained on, "none of
these" is one of the possibilities it is shared out to, and below a threshold an identification is not
certain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.diceset import SHAPES, DiceSet, Picture, Shape
from vision.reading import UNKNOWN, Alternative
from vision.rectify import FACE_SIZE, canonical_corners, rectify, turns, turns_of
from vision.runtime import WEIGHTS, WeightsError, open_network
from vision.synth.faces import FaceLook, compose, is_coloured

__all__ = ["Calibration", "Gallery", "Identification", "Matcher", "identify"]

Faces = NDArray[np.uint8]
Points = NDArray[np.float32]

LIGHT: Final = 228.0
DARK: Final = 38.0
"""Grey levels of the neutral dice that art is placed on, light with dark ink and dark with light ink."""

BATCH: Final = 64
"""Faces in one run of the network: a whole gallery at once would take its memory all at once, too."""

MOST_ALTERNATIVES: Final = 8


@dataclass(frozen=True, slots=True)
class Calibration:
    """How similarities become confidences; fitted on held-out symbols and kept in the network's file.

    The confidence of face f, whose most similar picture has cosine s_f, is
    ``exp(s_f / temperature) / (exp(unknown / temperature) + sum over faces of exp(s / temperature))``.
    """

    temperature: float = 0.06
    unknown: float = 0.35
    """Cosine that "none of these" bids with."""
    certain: float = 0.9
    """Least confidence of a certain identification."""
    alike: float = 0.4
    """Least cosine of a certain identification, whatever its confidence."""


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


class Matcher:
    """The network, from its ONNX file."""

    def __init__(self, weights: Path = WEIGHTS / "matcher.onnx") -> None:
        """Open the network.

        Raises:
            WeightsError: if the file is missing, or is no matcher.
        """
        self._session: Any = open_network(weights.stem, weights.parent)
        inputs = self._session.get_inputs()
        if len(inputs) != 1 or list(inputs[0].shape[1:]) != [FACE_SIZE, FACE_SIZE, 3]:
            found = [i.shape for i in inputs]
            raise WeightsError(
                f"expected {weights.name} to take faces (n, {FACE_SIZE}, {FACE_SIZE}, 3), found {found}"
            )
        self._input: str = inputs[0].name
        stored: Mapping[str, str] = self._session.get_modelmeta().custom_metadata_map
        self.calibration = Calibration(**json.loads(stored.get("calibration", "{}")))

    def embed(self, faces: Faces) -> Points:
        """Points of rectified faces.

        Args:
            faces: (N, 48, 48, 3) uint8 BGR, as `vision.rectify` makes them; N may be 0.

        Returns:
            (N, D) float32, rows of length 1.

        Raises:
            ValueError: if the faces have another shape or type.
        """
        if faces.ndim != 4 or faces.shape[1:] != (FACE_SIZE, FACE_SIZE, 3) or faces.dtype != np.uint8:
            expected = f"(n, {FACE_SIZE}, {FACE_SIZE}, 3) uint8"
            raise ValueError(f"expected faces {expected}, got {faces.shape} {faces.dtype}")
        parts = [np.ascontiguousarray(faces[i : i + BATCH]) for i in range(0, max(1, len(faces)), BATCH)]
        return np.concatenate([self._session.run(None, {self._input: part})[0] for part in parts])


@dataclass(frozen=True, eq=False, slots=True)
class _Shelf:
    """A set's pictures for one shape."""

    points: Points
    """(R, D) one row for each picture, look and turn."""
    owners: NDArray[np.intp]
    """(R,) index of the face."""
    turns: NDArray[np.intp]
    """(R,) which corner of a face like this is the symbol's own first corner."""
    faces: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Gallery:
    """A dice set as the matcher sees it."""

    set_id: str
    calibration: Calibration
    shelves: Mapping[Shape, _Shelf] = field(repr=False)

    @classmethod
    def of(cls, dice_set: DiceSet, matcher: Matcher) -> Gallery:
        """Embed every picture of a set, on dice light and dark, in every turn.

        Raises:
            DiceSetError: if a picture does not decode.
        """
        shelves: dict[Shape, _Shelf] = {}
        for shape in SHAPES:
            if shape in dice_set.shapes and dice_set.faces_for(shape):
                shelves[shape] = _shelf(dice_set, shape, matcher)
        return cls(dice_set.id, matcher.calibration, shelves)

    def similarities(self, points: Points, shape: Shape) -> tuple[Points, NDArray[np.intp]]:
        """Each face's best cosine to each point (N, F), and the turn that gave it (N, F).

        Raises:
            KeyError: if the set has no die of this shape.
        """
        shelf = self.shelves[shape]
        cosines = points @ shelf.points.T
        best = np.full((len(points), len(shelf.faces)), -1.0, np.float32)
        turned = np.zeros(best.shape, np.intp)
        rows = np.arange(len(points))
        for index in range(len(shelf.faces)):
            own = np.flatnonzero(shelf.owners == index)
            first = own[cosines[:, own].argmax(axis=1)]
            best[:, index] = cosines[rows, first]
            turned[:, index] = shelf.turns[first]
        return best, turned


def looks_for(art: NDArray[np.uint8], scale: float) -> tuple[FaceLook, ...]:
    """The neutral dice that a symbol is shown on: its own colours on light and dark, or one ink either way
    round."""
    grey = {True: (LIGHT, LIGHT, LIGHT), False: (DARK, DARK, DARK)}
    if is_coloured(art):
        own = tuple(FaceLook(body=grey[light], ink=None, scale=scale) for light in (True, False))
        return (*own, FaceLook(body=grey[True], ink=grey[False], scale=scale))
    return tuple(FaceLook(body=grey[light], ink=grey[not light], scale=scale) for light in (True, False))


def _pictures(picture: Picture, shape: Shape) -> Iterator[Faces]:
    """A picture of a set as upright canonical faces (48, 48, 3) BGR."""
    pixels = picture.pixels()
    if picture.kind == "face":
        side = pixels.shape[0]
        yield rectify(pixels, canonical_corners(shape, side), FACE_SIZE)
        return
    for look in looks_for(pixels, picture.scale):
        drawn, _ = compose(pixels, shape, look, 2 * FACE_SIZE)
        yield rectify(drawn, canonical_corners(shape, 2 * FACE_SIZE), FACE_SIZE)


def _shelf(dice_set: DiceSet, shape: Shape, matcher: Matcher) -> _Shelf:
    faces: list[Faces] = []
    owners: list[int] = []
    turned: list[int] = []
    shown = dice_set.faces_for(shape)
    for index, face in enumerate(shown):
        seen: set[bytes] = set()
        for picture in face.pictures_for(shape):
            for upright in _pictures(picture, shape):
                for turn, view in enumerate(turns(upright, shape)):
                    key = view.tobytes()
                    if key in seen:
                        continue  # a four looks the same in every turn
                    seen.add(key)
                    faces.append(view)
                    owners.append(index)
                    turned.append(-turn % turns_of(shape))
    points = matcher.embed(np.stack(faces))
    return _Shelf(points, np.array(owners, np.intp), np.array(turned, np.intp), tuple(f.id for f in shown))


def confidences(similarities: Points, calibration: Calibration) -> Points:
    """What each face is believed to be worth, (N, F) in 0..1; rows sum to less than 1, the rest is "none
    of these"."""
    scaled = similarities.astype(np.float64) / calibration.temperature
    none = np.full((len(scaled), 1), calibration.unknown / calibration.temperature)
    top = np.maximum(scaled.max(axis=1, keepdims=True), none)
    worth = np.exp(scaled - top)
    return (worth / (worth.sum(axis=1, keepdims=True) + np.exp(none - top))).astype(np.float32)


def identify(
    matcher: Matcher, gallery: Gallery, faces: Faces, shapes: Sequence[Shape]
) -> tuple[Identification, ...]:
    """The faces that rectified top faces show.

    Args:
        matcher: the network that also embedded the gallery.
        gallery: the dice set.
        faces: (N, 48, 48, 3) uint8 BGR rectified top faces.
        shapes: the shape of each.

    Returns:
        One identification each, in order.

    Raises:
        ValueError: if there are not as many shapes as faces.
    """
    if len(shapes) != len(faces):
        raise ValueError(f"expected a shape for each of {len(faces)} faces, got {len(shapes)}")
    found: list[Identification] = [Identification(UNKNOWN, 0.0, False, (), -1.0, 0)] * len(faces)
    if not len(faces):
        return ()
    points = matcher.embed(faces)
    for shape in set(shapes) & set(gallery.shelves):
        which = [i for i, s in enumerate(shapes) if s == shape]
        similar, turned = gallery.similarities(points[which], shape)
        believed = confidences(similar, gallery.calibration)
        for row, index in enumerate(which):
            found[index] = _named(gallery, shape, similar[row], believed[row], turned[row])
    return tuple(found)


def _named(
    gallery: Gallery, shape: Shape, similar: Points, believed: Points, turned: NDArray[np.intp]
) -> Identification:
    names = gallery.shelves[shape].faces
    order = np.argsort(-believed, kind="stable")[:MOST_ALTERNATIVES]
    best = int(order[0])
    confidence, similarity = float(believed[best]), float(similar[best])
    calibration = gallery.calibration
    return Identification(
        face=names[best],
        confidence=confidence,
        certain=confidence >= calibration.certain and similarity >= calibration.alike,
        alternatives=tuple(Alternative(names[int(i)], float(believed[i])) for i in order),
        similarity=similarity,
        turn=int(turned[best]),
    )

"""Tells which face of a dice set a die shows.

The matcher maps a face to a point on a sphere, and points of the same symbol lie close together. Confidences are
calibrated on symbols that the network was never trained on, and "none of these" is one of the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from vision.bodies import SOUND, sides_of
from vision.comparer import COMPARED_AT, compared
from vision.detection import A_TOP, Detection
from vision.dicesets.shapes import Shape
from vision.embedding import Calibration, Faces, Matcher, Points
from vision.evening import Evening
from vision.foreign import LIKE, SAME_AT_ONCE, of_another_set, resemblance
from vision.frame import Pixels
from vision.gallery import Embedded, Gallery
from vision.ink import ink_alone
from vision.numerals import READ_AT
from vision.reading import UNKNOWN, Alternative, DieReading
from vision.rectify import CLOSE, FACE_SIZE, rectify, shifted

MOST_ALTERNATIVES: Final = 8

MARK_GAP: Final = 0.08
"""A face must beat a face that differs only by a mark by this much cosine: the dot under a 6 is a small part of its
picture."""

PLAINLY, PLAINER = 0.85, 0.1
"""Least cosine at which another outline plainly shows one of the set's faces, and by how much its cosine times the fit
of its body to the box must exceed that of the first outline."""

READ_COUNTS: Final = 3.0
"""Weight of the numeral that is read, beside the face's likeness to the set's pictures: typefaces differ, and glass
hides how a face is drawn before it hides what is written there."""

INK_COUNTS: Final = 0.5
"""Weight of the ink's likeness alone, beside that of the whole face, if one look leaves a doubt. Only likeness above
that of "none of these" counts."""

DRAWING_COUNTS: Final = 0.75
"""Weight of a face's `resemblance` (`vision.foreign`), beside its likeness to the set's pictures, if one look leaves a
doubt. Only what speaks for one face rather than another counts here;"""
TELLING: Final = (-5.0, 14.0)
"""beyond these it says nothing more."""
MORE_ALIKE: Final = 1.0
"""People are asked if it does not resemble its face by so much more than any other,"""
NO_RIVAL: Final = 0.9
"""unless all evidence together gives that face at least this probability."""

READ_SURELY: Final = 2 / 3
"""People are asked if the face's numeral has a lower probability than this: another numeral may then be half as likely.
Pictures of these very dice are evidence enough without it."""

SIDE_SEEN, SIDE_TRUSTED = 0.5, 0.9
"""A side counts if it shows a face with at least the first probability, and rules that face out with at most the
second: a side is seen aslant, and another die may lie in front of it."""

SURE_AT_ONCE: Final = 0.97
"""A first look with at least this confidence is the only one: four more would take four times as long and change
nothing."""


def confidences(similarities: Points, calibration: Calibration) -> Points:
    """(N, F) the probability of each face, 0 … 1; each row sums to less than 1, and the rest is "none of these"."""
    scaled = similarities.astype(np.float64) / calibration.temperature
    none = np.full((len(scaled), 1), calibration.unknown / calibration.temperature)
    top = np.maximum(scaled.max(axis=1, keepdims=True), none)
    worth = np.exp(scaled - top)
    return (worth / (worth.sum(axis=1, keepdims=True) + np.exp(none - top))).astype(np.float32)


def outlined_anew(
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection]
) -> list[Detection]:  # fmt: skip
    """The dice; one that was seen badly may get another outline, if that suits its box and the set better."""
    outlined = list(dice)
    for i, die in enumerate(dice):
        if not die.others or die.shape not in gallery.shapes:
            continue
        tried = (die, *die.others)
        points = matcher.embed(np.stack([rectify(pixels, one.corners) for one in tried]))
        alike = gallery.shapes[die.shape].similarities(points).max(axis=1)
        worth = alike * np.array([one.fits_box for one in tried])
        best = int(worth.argmax())
        if alike[best] >= PLAINLY and worth[best] >= worth[0] + PLAINER:
            outlined[i] = replace(
                tried[best], overlap=max(tried[best].overlap, float(alike[best])), plane=die.plane
            )
    return outlined


def identify(
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection], evening: Evening | None = None
) -> list[DieReading]:  # fmt: skip
    """The face of each die in (H, W, 3) BGR pixels, from five looks where one is not enough.

    The other four looks shift the corners to each side. For each face of the set the most similar look counts, as does
    the likeness of the ink alone (`vision.ink`); small symbols are also compared in close-up. If the faces are
    numerals, the numeral read in the unshifted look counts READ_COUNTS times as much (`vision.numerals`). Faces seen
    on the sides of a doubtful die are ruled out (`DiceSet.not_above`). Doubtful dice of an enrolled set are compared
    with the pictures of every face (`vision.comparer`). Dice of this evening count beside the set's pictures.

    A reading is not certain if the set's pictures alone name another face, if another face is resembled about as much
    or differs only by a mark that was hardly seen, if the outline may be a side's, or if the die looks like one of
    another set.

    Raises:
        ValueError: if corners are unusable (`vision.rectify`).
    """
    if not dice:
        return []
    faces = np.stack([rectify(pixels, die.corners) for die in dice])
    points = matcher.embed(faces)
    numerals = _numerals(gallery, pixels, dice)
    alone = [_compared(gallery, points[i : i + 1], die, numerals[i]) for i, die in enumerate(dice)]
    found = [_compared(gallery, points[i : i + 1], die, numerals[i], evening) for i, die in enumerate(dice)]
    unsure = [
        i
        for i, one in enumerate(found)
        if one.confidence < SURE_AT_ONCE
        or _hardly_read(one)
        or _hardly_resembles(gallery, pixels, dice[i], one, faces[i : i + 1], points[i : i + 1])
    ]
    looks = _looks_around(matcher, pixels, dice, unsure)
    alike: dict[int, float] = {}
    for i, (more, more_points) in looks.items():
        views, at = np.concatenate([faces[i : i + 1], more]), np.concatenate([points[i : i + 1], more_points])
        first, left = found[i], _left_by_sides(matcher, gallery, pixels, dice[i])
        if left is not None:
            first = _compared(gallery, points[i : i + 1], dice[i], numerals[i], evening, left)
        ink, close = _ink_of(matcher, gallery, faces[i], dice[i].shape), _close_up(matcher, gallery, pixels, dice[i])
        weighed = partial(_compared, gallery, at, dice[i], numerals[i], left=left, ink=ink, close=close)
        alone[i], looked = weighed(), weighed(evening=evening)
        doubtful = min(alone[i].confidence, looked.confidence) < SURE_AT_ONCE
        if gallery.compares(dice[i].shape) and (doubtful or looked.similarity < LIKE):
            told = [one.face for one in looked.alternatives] if doubtful else [looked.face]
            like = _resembling(gallery, pixels, dice[i], views, at, told)
            if doubtful:
                alone[i], looked = weighed(like=like), weighed(evening=evening, like=like)
            if looked.certain and looked.similarity < LIKE:
                # Likeness to a die of this evening counts as that to a picture does.
                alike[i] = resemblance(like.pop(looked.face), looked.similarity - alone[i].similarity)
                rivalled = any(value > alike[i] - MORE_ALIKE for value in like.values())
                looked = replace(looked, certain=looked.confidence >= NO_RIVAL or not rivalled)
        found[i] = replace(looked, steady=looked.face == first.face)
    read = [
        one if one.face == own.face else replace(own, certain=False) for own, one in zip(alone, found, strict=True)
    ]
    agreed = {i: value for i, value in alike.items() if found[i].face == alone[i].face}
    vouched = {i for i in agreed if evening is not None and evening.vouches(read[i])}
    for i in of_another_set(matcher, gallery, pixels, dice, faces, read, agreed, vouched):
        read[i] = replace(read[i], certain=False, odd=True)
    return read


def _hardly_resembles(
    gallery: Gallery, pixels: Pixels, die: Detection, read: DieReading, face: Faces, point: Points
) -> bool:
    """Whether a die's first look (1, 64, 64, 3), with its point (1, D), resembles the pictures of its face so little
    that it must be looked at more closely."""
    if not gallery.compares(die.shape) or read.similarity >= LIKE:
        return False
    same = gallery.same_drawing(_compared_views(pixels, die, face), point, die.shape, read.face)
    return resemblance(same, read.similarity) < SAME_AT_ONCE


def _looks_around(
    matcher: Matcher, pixels: Pixels, dice: Sequence[Detection], which: Sequence[int]
) -> dict[int, tuple[Faces, Points]]:
    """Four more looks (4, 64, 64, 3) at some of the dice, and their points (4, D)."""
    if not which:
        return {}
    around = np.stack([rectify(pixels, moved) for i in which for moved in shifted(dice[i].corners)])
    seen = zip(np.split(around, len(which)), np.split(matcher.embed(around), len(which)), strict=True)
    return dict(zip(which, seen, strict=True))


def _numerals(gallery: Gallery, pixels: Pixels, dice: Sequence[Detection]) -> list[Points | None]:
    """(F,) for each die, the evidence of the numeral read on it for each face; None if the faces are not numerals."""
    told: list[Points | None] = [None] * len(dice)
    for shape in gallery.shapes:
        own = [i for i, die in enumerate(dice) if die.shape == shape and gallery.carries_numerals(shape)]
        if own:
            views = np.stack([rectify(pixels, dice[i].corners, READ_AT[shape]) for i in own])
            for i, numeral in zip(own, gallery.numerals(views, shape), strict=True):
                told[i] = numeral
    return told


def _ink_of(matcher: Matcher, gallery: Gallery, face: Pixels, shape: Shape) -> Points | None:
    """The views (2, D) of the ink alone of a face (S, S, 3); None if faces are numerals or ink is not compared."""
    if not gallery.by_ink or gallery.carries_numerals(shape):
        return None
    return matcher.embed(ink_alone(face, shape))


def _close_up(matcher: Matcher, gallery: Gallery, pixels: Pixels, die: Detection) -> Points | None:
    """(3, F) the likeness of each face to a close-up of a die, and to the ink alone there; None if the set's symbols
    are not small."""
    own = gallery.shapes.get(die.shape)
    if own is None or own.close is None or not gallery.closely:
        return None
    face = rectify(pixels, die.corners, CLOSE)
    views = [compared(face[None], die.shape), *([ink_alone(face, die.shape, close=True)] if gallery.by_ink else [])]
    return own.similarities(matcher.embed(np.concatenate(views)), own.close)


def _resembling(
    gallery: Gallery, pixels: Pixels, die: Detection, faces: Faces, points: Points, told: Sequence[str]
) -> dict[str, float]:
    """The `resemblance` of a die's looks (V, 64, 64, 3), with their points (V, D), to each of some faces."""
    own, views = gallery.shapes[die.shape], _compared_views(pixels, die, faces)
    cosines = dict(zip(own.faces, own.similarities(points).max(axis=0).tolist(), strict=True))
    return {
        face: resemblance(gallery.same_drawing(views, points, die.shape, face), cosines[face]) for face in told
    }


def _compared_views(pixels: Pixels, die: Detection, faces: Faces) -> Faces:
    """What is compared (`vision.comparer`) of a die's looks (V, 64, 64, 3), the same shape."""
    size = COMPARED_AT[die.shape]
    if size == FACE_SIZE:
        return faces
    outlines = (die.corners, *shifted(die.corners))[: len(faces)]
    return compared(np.stack([rectify(pixels, corners, size) for corners in outlines]), die.shape)


def _alike(own: Embedded, points: Points, shape: Shape, evening: Evening | None) -> Points:
    """(F,) the likeness of views (V, D) to each face, by the set's pictures and the dice of this evening."""
    similar = own.similarities(points).max(axis=0)
    seen = evening.similarities(shape, own.faces, points) if evening is not None else None
    return similar if seen is None else np.maximum(similar, seen)


def _left_by_sides(matcher: Matcher, gallery: Gallery, pixels: Pixels, die: Detection) -> Points | None:
    """(F,) the logarithm of the share of each face's probability that the die's sides leave. None if no side is seen,
    or if the set does not tell which faces share a die."""
    shape = die.shape
    if shape not in gallery.not_above or not (sides := sides_of(die, pixels)):
        return None
    shown = gallery.shapes[shape].similarities(matcher.embed(np.stack([rectify(pixels, side) for side in sides])))
    if gallery.carries_numerals(shape):
        views = np.stack([rectify(pixels, side, READ_AT[shape]) for side in sides])
        shown = _with_numerals(gallery, shown, gallery.numerals(views, shape))
    likely = confidences(shown, gallery.calibration)
    ruled_out = np.where(likely >= SIDE_SEEN, likely, 0) @ gallery.not_above[shape]
    left = np.log(1 - SIDE_TRUSTED * ruled_out).sum(axis=0)
    return np.maximum(left, np.log(1 - SIDE_TRUSTED)).astype(np.float32)


def _with_numerals(gallery: Gallery, similar: Points, numerals: Points) -> Points:
    """Cosines (…, F) plus the evidence of the numerals that were read for the same faces (`Gallery.numerals`)."""
    return similar + np.asarray(READ_COUNTS * gallery.calibration.temperature * numerals, np.float32)


def _compared(
    gallery: Gallery, points: Points, die: Detection, numeral: Points | None = None, evening: Evening | None = None,
    left: Points | None = None, ink: Points | None = None, close: Points | None = None,
    like: Mapping[str, float] | None = None,
) -> DieReading:  # fmt: skip
    """The reading of one die from its views (V, D), of which the most similar counts for each face.

    Further evidence, where given: the numeral that was read, what the sides leave, the views (2, D) of the ink alone,
    the likeness of the close-up (`_close_up`), and the resemblance to some of the faces (`_resembling`), of which the
    least stands for the others.
    """
    corners = tuple((float(x), float(y)) for x, y in die.corners)
    own = gallery.shapes.get(die.shape)
    if own is None:
        return DieReading(die.shape, UNKNOWN, False, 0.0, (), corners, die.box, similarity=-1.0)
    similar = _alike(own, points, die.shape, evening)
    weighed = similar if numeral is None else _with_numerals(gallery, similar, numeral)
    inks = [] if ink is None else [_alike(own, ink, die.shape, evening)]
    if close is not None:
        weighed = np.maximum(weighed, close[0])
        inks += [close[1:].max(axis=0)] if len(close) > 1 else []
    for alike in inks:
        weighed = weighed + np.float32(INK_COUNTS) * np.maximum(alike - np.float32(gallery.calibration.unknown), 0)
    if like:
        drawn = np.clip([like.get(face, min(like.values())) for face in own.faces], *TELLING)
        counts = DRAWING_COUNTS * gallery.calibration.temperature
        weighed = weighed + (counts * (drawn - drawn.max())).astype(np.float32)
    if left is not None:
        weighed = weighed + gallery.calibration.temperature * left
        numeral = None if numeral is None else numeral + left
    (believed,) = confidences(weighed[None], gallery.calibration)
    order: list[int] = np.argsort(-believed, kind="stable")[:MOST_ALTERNATIVES].tolist()
    alternatives = tuple(Alternative(own.faces[i], float(believed[i])) for i in order)
    best = dict(zip(own.faces, similar.tolist(), strict=True))
    face, confidence = alternatives[0].face, alternatives[0].confidence
    marked = {other for group in gallery.marks if face in group for other in group} - {face}
    told = all(best[face] - best.get(other, -1.0) >= MARK_GAP for other in marked)
    side = die.ambiguous or die.as_top < A_TOP
    written = None if numeral is None else float(np.exp(numeral)[order[0]] / np.exp(numeral).sum())
    plain = not die.shape.twisted or die.fits_box >= SOUND
    read = DieReading(
        die.shape, face, told and not side, confidence, alternatives, corners, die.box, best[face], written, plain=plain
    )
    return replace(read, certain=False) if _hardly_read(read) and not own.enrolled else read


def _hardly_read(read: DieReading) -> bool:
    """Whether the face's numeral was read with too low a probability."""
    return read.written is not None and read.written < READ_SURELY

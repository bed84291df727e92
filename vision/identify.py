"""Which face of a dice set a die shows.

The matcher turns a face into a point on a sphere; near points are the same symbol. Confidences are calibrated on
symbols the network was never trained on; "none of these" is one of the possibilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.bodies import SOUND, sides_of
from vision.detection import A_TOP, Detection
from vision.dicesets.shapes import Shape
from vision.embedding import Calibration, Matcher, Points
from vision.evening import Evening
from vision.foreign import coloured_as_others, known_by_sides, looks_odd
from vision.frame import Pixels
from vision.gallery import Embedded, Gallery
from vision.ink import ink_alone
from vision.numerals import READ_AT
from vision.reading import UNKNOWN, Alternative, DieReading
from vision.rectify import CLOSE, middle, rectify, shifted

MOST_ALTERNATIVES: Final = 8

MARK_GAP: Final = 0.08
"""Cosine by which a face must beat one that only a mark tells it from: a dot under a 6 is little of its picture."""

PLAINLY, PLAINER = 0.85, 0.1
"""Cosine from which another outline plainly shows one of the set's faces, and by how much its cosine must be greater,
times how well the body below it fills the box."""

READ_COUNTS: Final = 3.0
"""How much the numeral that is read counts beside how much a face looks like the set's pictures of it: typefaces
differ, and glass hides how a face is drawn before it hides what is written there."""

INK_COUNTS: Final = 0.5
"""How much the likeness of the ink alone counts beside that of the whole face, where one look leaves a doubt: by how
much more alike it is than what is none of the faces."""

READ_SURELY: Final = 2 / 3
"""How likely the numeral of a face must be read, else people are asked: other numerals may be half as likely. Pictures
of these very dice tell enough."""

SIDE_SEEN, SIDE_TRUSTED = 0.5, 0.9
"""How likely a side must show a face to count, and how far that is believed at most: a side is seen aslant, and another
die may lie before it."""

SURE_AT_ONCE: Final = 0.97
"""Confidence of a first look that spares the others: they would take four times as long, and change nothing."""


def confidences(similarities: Points, calibration: Calibration) -> Points:
    """How likely each face is, (N, F) in 0..1; rows sum to less than 1, the rest is "none of these"."""
    scaled = similarities.astype(np.float64) / calibration.temperature
    none = np.full((len(scaled), 1), calibration.unknown / calibration.temperature)
    top = np.maximum(scaled.max(axis=1, keepdims=True), none)
    worth = np.exp(scaled - top)
    return (worth / (worth.sum(axis=1, keepdims=True) + np.exp(none - top))).astype(np.float32)


def outlined_anew(
    matcher: Matcher, gallery: Gallery, pixels: Pixels, dice: Sequence[Detection]
) -> list[Detection]:  # fmt: skip
    """The same dice; one that was seen badly has that of its other outlines that suits its box and the set better."""
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
    """What each die in (H, W, 3) BGR pixels shows, looked at five times where one look is not enough.

    The other four looks have their corners shifted to the four sides, and for each face of the set the most
    similar look counts, and how alike it is to the ink alone (`vision.ink`); what is small is seen in close-up, too.
    Where the faces are numerals, the one that is read in the unshifted look counts READ_COUNTS times as much, also
    against none of them (`vision.numerals`). What such a die's sides show is ruled out (`DiceSet.not_above`). Dice of
    this evening count beside the set's pictures, unless they name another face than those: then `certain` is False.
    Otherwise it only tells the face from those that a mark makes another and from the die's sides, and the die from
    another set's.

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
    looks = [(faces[i : i + 1], points[i : i + 1]) for i in range(len(dice))]

    def look_around(which: Sequence[int]) -> None:
        """Add the other four looks at these dice."""
        if which:
            around = np.stack([rectify(pixels, moved) for i in which for moved in shifted(dice[i].corners)])
            seen = zip(np.split(around, len(which)), np.split(matcher.embed(around), len(which)), strict=True)
            for i, more in zip(which, seen, strict=True):
                looks[i] = np.concatenate([looks[i][0], more[0]]), np.concatenate([looks[i][1], more[1]])

    unsure = [i for i, one in enumerate(found) if one.confidence < SURE_AT_ONCE or _hardly_read(one)]
    look_around(unsure)
    for i in unsure:
        first, left = found[i], _left_by_sides(matcher, gallery, pixels, dice[i])
        if left is not None:
            first = _compared(gallery, points[i : i + 1], dice[i], numerals[i], evening, left)
        ink, close = _ink_of(matcher, gallery, faces[i], dice[i].shape), _close_up(matcher, gallery, pixels, dice[i])
        alone[i] = _compared(gallery, looks[i][1], dice[i], numerals[i], left=left, ink=ink, close=close)
        looked = _compared(gallery, looks[i][1], dice[i], numerals[i], evening, left, ink, close)
        found[i] = replace(looked, steady=looked.face == first.face)
    read = [
        one if one.face == own.face else replace(own, certain=False) for own, one in zip(alone, found, strict=True)
    ]

    def seems_odd(i: int) -> bool:
        known, vouched = gallery.shapes.get(read[i].shape), evening is not None and evening.vouches(read[i])
        return read[i].certain and known is not None and looks_odd(known, read[i], *looks[i], vouched=vouched)

    doubted = [i for i in range(len(read)) if seems_odd(i)]
    look_around([i for i in doubted if i not in unsure])
    odd = {i: read[i] for i in doubted if seems_odd(i)}
    of_the_set = coloured_as_others(faces, read, odd)
    of_the_set |= known_by_sides(matcher, gallery, pixels, dice, {i: odd[i] for i in odd.keys() - of_the_set})
    for i in odd:
        if i not in of_the_set:
            read[i] = replace(read[i], certain=False, odd=True)
    return read


def _numerals(gallery: Gallery, pixels: Pixels, dice: Sequence[Detection]) -> list[Points | None]:
    """What the numeral read on each die says of the set's faces (F,); None where they are no numerals."""
    told: list[Points | None] = [None] * len(dice)
    for shape in gallery.shapes:
        own = [i for i, die in enumerate(dice) if die.shape == shape and gallery.carries_numerals(shape)]
        if own:
            views = np.stack([rectify(pixels, dice[i].corners, READ_AT[shape]) for i in own])
            for i, numeral in zip(own, gallery.numerals(views, shape), strict=True):
                told[i] = numeral
    return told


def _ink_of(matcher: Matcher, gallery: Gallery, face: Pixels, shape: Shape) -> Points | None:
    """The views (2, D) of the ink of a face (S, S, 3) alone. None where it is read as a numeral, or not compared."""
    if not gallery.by_ink or gallery.carries_numerals(shape):
        return None
    return matcher.embed(ink_alone(face, shape))


def _close_up(matcher: Matcher, gallery: Gallery, pixels: Pixels, die: Detection) -> Points | None:
    """How alike each face (F,) is to a close-up of a die, and to its ink alone there: (3, F). None where what is on its
    faces is not looked at closely."""
    own = gallery.shapes.get(die.shape)
    if own is None or own.close is None or not gallery.closely:
        return None
    face, (rows, columns) = rectify(pixels, die.corners, CLOSE), middle(die.shape, CLOSE)
    views = [face[rows, columns][None], *([ink_alone(face, die.shape, close=True)] if gallery.by_ink else [])]
    return own.similarities(matcher.embed(np.concatenate(views)), own.close)


def _alike(own: Embedded, points: Points, shape: Shape, evening: Evening | None) -> Points:
    """(F,) how alike each face is to views (V, D), by the set's pictures and the dice of this evening."""
    similar = own.similarities(points).max(axis=0)
    seen = evening.similarities(shape, own.faces, points) if evening is not None else None
    return similar if seen is None else np.maximum(similar, seen)


def _left_by_sides(matcher: Matcher, gallery: Gallery, pixels: Pixels, die: Detection) -> Points | None:
    """How much of each face's likelihood to be on top (F,) is left by what the sides of a die show: its logarithm. None
    where no side is seen, or nobody knows which faces share a die."""
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
    """Cosines (…, F) with what the numerals that were read say of the same faces (`Gallery.numerals`)."""
    return similar + np.asarray(READ_COUNTS * gallery.calibration.temperature * numerals, np.float32)


def _compared(
    gallery: Gallery, points: Points, die: Detection, numeral: Points | None = None, evening: Evening | None = None,
    left: Points | None = None, ink: Points | None = None, close: Points | None = None,
) -> DieReading:  # fmt: skip
    """What the views (V, D) of one die show: for each face the most similar view counts, what was read, what its sides
    have left, the views (2, D) of its ink alone, and how alike its close-up is (`_close_up`)."""
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
    """Whether the numeral of the face that was read is not surely there."""
    return read.written is not None and read.written < READ_SURELY

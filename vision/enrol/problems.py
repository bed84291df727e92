"""What will go wrong with a picture of a face, measured before a game shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dicesets.shapes import Shape
from vision.enrol.alike import PERHAPS_SAME, Comparison
from vision.enrol.shown import SHAPELY, Shown
from vision.frame import Pixels
from vision.likeness import colour, shrunk
from vision.rectify import face_mask, rectify

LOOKED_AT: Final = 48
"""Side in pixels of a rectified face as it is measured here."""
WANTED_SIDE: Final = 32.0
"""Side of a face in pixels from which reading is as good as it gets."""
MOST_BLUR: Final = 0.035
"""Blur of the sharpest edges (standard deviation) that does no harm, in sides of the face."""
LEAST_CONTRAST: Final = 24.0
"""Grey levels between the lightest and darkest parts; with less there is no edge to measure blur on."""
GLARE_LEVEL: Final = 250
GLARE_SHARE: Final = 0.08
"""Share of a face in one washed-out patch that hides its picture."""
FADING: Final = 0.5
"""How bright the surroundings of glare are, from 0 (as the body) to 1 (white)."""
BODY_LEVEL: Final = 215
"""A face that is lighter than this all over is a white die, not a glaring one."""
WHITE_SHARE: Final = 0.75
"""Washed-out share of a white die from which its picture is lost, too."""
MOST_SPREAD: Final = 0.07
"""Disagreement of the outlines, in sides: of 140 rendered dice, two in five above it were off by a tenth of a side
or more, and one in twenty below it."""

BRIGHTER: Final = 0.4
"""By how much brighter a die's body is than those of the other faces' dice, in natural logarithms (0.4: half as bright
again), when a lamp is reflected in it and washes out what is drawn there (docs/research/enrolment.md)."""
LEAST_OTHERS: Final = 3
"""Other dice that it takes to tell."""

Kind = Literal["small", "blurred", "glare", "bright", "outline", "side", "shape", "alike", "same", "contradiction"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that will make reading worse; `words.problems` says it."""

    kind: Kind
    faces: tuple[str, ...]
    measured: float
    """What it is about: pixels, a share, a cosine."""
    source: str = ""
    """The picture or the example it is about; empty where it is about two faces."""


def blur(face: Pixels, shape: Shape) -> float | None:
    """How far the sharpest edges of a face are smeared, in sides; None where there is no edge.

    A step of height h that is blurred by a Gaussian of standard deviation σ rises by h / (σ √(2π)) a pixel where it is
    steepest. The height is the range of the face's grey levels.

    Args:
        face: (LOOKED_AT, LOOKED_AT, 3) BGR, rectified.
        shape: d6 or d8.
    """
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY).astype(np.float32)
    inside = _inside(shape, LOOKED_AT // 12)
    height = float(np.ptp(np.percentile(grey[inside], [3, 97])))
    if height < LEAST_CONTRAST:
        return None
    steep = (
        np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)) / 8
    )
    steepest = float(np.percentile(steep[inside], 99))
    return height / (max(steepest, 1e-3) * float(np.sqrt(2 * np.pi))) / LOOKED_AT


def glare(face: Pixels, shape: Shape) -> float:
    """Share of a face that is washed out by a light: its largest patch, or all of it on a white die.

    White print ends at once; glare fades, so what lies around it is bright, too.

    Args:
        face: (LOOKED_AT, LOOKED_AT, 3) BGR, rectified.
        shape: d6 or d8.
    """
    inside = _inside(shape, 0)
    faintest = face.min(axis=2).astype(np.float32)
    body = float(np.median(faintest[inside]))
    white = np.asarray((faintest >= GLARE_LEVEL) & inside, np.uint8)
    if body >= BODY_LEVEL:
        share = float(white.sum() / inside.sum())
        return share if share > WHITE_SHARE else 0.0
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(white)
    if count < 2:
        return 0.0
    areas = np.asarray(stats[:, cv2.CC_STAT_AREA], np.int64)
    largest = 1 + int(areas[1:].argmax())
    patch = np.asarray(pieces == largest, np.uint8)
    ring = (cv2.dilate(patch, np.ones((7, 7), np.uint8)) > 0) & (
        cv2.dilate(patch, np.ones((3, 3), np.uint8)) == 0
    )
    ring &= inside
    fades = bool(ring.any()) and float(np.median(faintest[ring])) > body + FADING * (255 - body)
    return int(areas[largest]) / int(inside.sum()) if fades else 0.0


def brightness(die: Shown) -> float:
    """How bright a die's body is around what is drawn on its face: the mean of its colour's logarithms."""
    return float(colour(shrunk(die.picture), die.shape).mean())


def brighter(die: Shown, others: Sequence[float]) -> float:
    """By how much brighter a die's body is than those of `others` of its shape usually are, by their `brightness`.

    0 where fewer than LEAST_OTHERS tell.
    """
    return brightness(die) - float(np.median(others)) if len(others) >= LEAST_OTHERS else 0.0


def _inside(shape: Shape, border: int) -> NDArray[np.bool_]:
    """(LOOKED_AT, LOOKED_AT) the face without a border of so many pixels."""
    mask = (face_mask(shape, LOOKED_AT) > 0.9).astype(np.uint8)
    edged = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    shrunk = cv2.erode(edged, np.ones((2 * border + 1, 2 * border + 1), np.uint8))
    return np.asarray(shrunk[1:-1, 1:-1] > 0)


def seen_problems(die: Shown, others: Sequence[float] = ()) -> tuple[Problem, ...]:
    """What is wrong with one die as it is seen in one picture; `others` are the `brightness` of those of its shape."""
    view = rectify(die.around, die.outlines[0], LOOKED_AT)
    smeared, washed, lit = blur(view, die.shape) or 0.0, glare(view, die.shape), brighter(die, others)
    looked_for: tuple[tuple[Kind, float, bool], ...] = (
        ("small", die.side, die.side < WANTED_SIDE),
        ("blurred", smeared, smeared > MOST_BLUR),
        ("glare", washed, washed > GLARE_SHARE),
        ("bright", lit, lit > BRIGHTER and washed <= GLARE_SHARE),
        ("outline", die.spread, die.spread > MOST_SPREAD or die.shapely < SHAPELY),
        ("side", die.score, die.leans),
        ("shape", die.score, die.likely_shape != die.shape),
    )
    return tuple(Problem(kind, (die.face,), measured, die.source) for kind, measured, wrong in looked_for if wrong)


def set_problems(marks: Sequence[Sequence[str]], comparison: Comparison) -> tuple[Problem, ...]:
    """What will go wrong between the faces of a set, the worst first; `marks` are groups that a mark tells apart."""
    found: list[Problem] = []
    for pair in comparison.alike:
        if not pair.safe:
            marked = any(set(pair.faces) <= set(group) for group in marks)
            kind = "same" if pair.likeness >= PERHAPS_SAME and not marked else "alike"
            found.append(Problem(kind, pair.faces, pair.margin))
    for one in comparison.contradictions:
        found.append(
            Problem("contradiction", (one.face, one.like), one.other - one.own, f"{one.face}/{one.name}")
        )
    return tuple(found)

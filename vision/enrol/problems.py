"""Finds problems in pictures of faces before they cause trouble in a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import colour
from vision.dicesets.shapes import Shape
from vision.enrol.alike import PERHAPS_SAME, Comparison
from vision.enrol.shown import SHAPELY, Shown
from vision.frame import Pixels
from vision.rectify import face_mask, rectify

LOOKED_AT: Final = 48
"""Side of a rectified face as it is measured here, in pixels."""
WANTED_SIDE: Final = 32.0
"""Side of a face in pixels above which reading gets no better."""
MOST_BLUR: Final = 0.035
"""Harmless blur of the sharpest edges: its standard deviation in sides of the face."""
LEAST_CONTRAST: Final = 24.0
"""Least difference between the lightest and darkest grey levels; with less there is no edge to measure blur on."""
GLARE_LEVEL: Final = 250
GLARE_SHARE: Final = 0.08
"""A washed-out patch with at least this share of a face hides its picture."""
FADING: Final = 0.5
"""Least brightness of the surroundings of glare, from 0 (as bright as the body) to 1 (white)."""
BODY_LEVEL: Final = 215
"""A face that is lighter than this all over belongs to a white die and does not glare."""
WHITE_SHARE: Final = 0.75
"""The picture on a white die is lost if at least this share is washed out."""
MOST_SPREAD: Final = 0.07
"""Disagreement of the outlines, in sides. Of 140 rendered dice, two in five above it were off by a tenth of a side or
more, and one in twenty below it."""

BRIGHTER: Final = 0.4
"""A lamp reflected in a die washes out what is drawn there if its body is brighter than those of the other faces' dice
by this natural logarithm (0.4: half as bright again; docs/research/enrolment.md)."""
LEAST_OTHERS: Final = 3
"""Least number of other dice for that comparison."""

Kind = Literal["small", "blurred", "glare", "bright", "outline", "side", "shape", "alike", "same", "contradiction"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that will make reading worse; `words.problems` puts it into words."""

    kind: Kind
    faces: tuple[str, ...]
    measured: float
    """Measured value: pixels, a share or a cosine, depending on the problem."""
    source: str = ""
    """The picture or example with the problem; empty if it is about two faces."""


def blur(face: Pixels, shape: Shape) -> float | None:
    """Blur of the sharpest edges of a face, in sides; None if there is no edge.

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
    """Share of a face that a light washes out: the largest patch, or all patches on a white die.

    White print has a sharp edge; glare fades, so its surroundings are bright as well.

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
    """Brightness of a die's body around the drawing on its face: the mean of its colour's logarithms."""
    return float(colour(die.picture, die.shape).mean())


def brighter(die: Shown, others: Sequence[float]) -> float:
    """By how much brighter a die's body is than the median `brightness` of `others` of its shape.

    0 if there are fewer than LEAST_OTHERS.
    """
    return brightness(die) - float(np.median(others)) if len(others) >= LEAST_OTHERS else 0.0


def _inside(shape: Shape, border: int) -> NDArray[np.bool_]:
    """(LOOKED_AT, LOOKED_AT) mask of the face without a border of so many pixels."""
    mask = (face_mask(shape, LOOKED_AT) > 0.9).astype(np.uint8)
    edged = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    shrunk = cv2.erode(edged, np.ones((2 * border + 1, 2 * border + 1), np.uint8))
    return np.asarray(shrunk[1:-1, 1:-1] > 0)


def seen_problems(die: Shown, others: Sequence[float] = ()) -> tuple[Problem, ...]:
    """Problems of one die in one picture; `others` are the `brightness` values of dice of its shape."""
    view = rectify(die.around, die.outlines[0], LOOKED_AT)
    smeared, washed, lit = blur(view, die.shape) or 0.0, glare(view, die.shape), brighter(die, others)
    looked_for: tuple[tuple[Kind, float, bool], ...] = (
        ("small", die.side, die.side < WANTED_SIDE),
        ("blurred", smeared, smeared > MOST_BLUR),
        ("glare", washed, washed > GLARE_SHARE),
        ("bright", lit, lit > BRIGHTER and washed <= GLARE_SHARE),
        ("outline", die.spread, die.spread > MOST_SPREAD or die.shapely < SHAPELY),
        ("side", die.score, die.leans or die.beside is not None),
        ("shape", die.score, die.likely_shape != die.shape),
    )
    return tuple(Problem(kind, (die.face,), measured, die.source) for kind, measured, wrong in looked_for if wrong)


def set_problems(marks: Sequence[Sequence[str]], comparison: Comparison) -> tuple[Problem, ...]:
    """Problems between the faces of a set, worst first; `marks` are groups of faces that only a mark tells apart."""
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

"""A die that somebody shows to be learnt: found in a picture, outlined more carefully than in a game.

Reading has a twentieth of a second for all dice of a throw; a die that is enrolled is outlined nine times, each time
cut out a little differently. Where the outlines agree they are right; where they differ, all of them are kept, and the
reader compares with each.

A face that is turned down in the picture is probably a side of the die and not its top: where a camera stands upright
the table recedes upwards in its picture, so tops lie above sides. How much a face is compressed, and which way, tells
how it is turned but for its mirror image (Necker's reversal); the body below it, which fills the die's box on one of
the two only, tells the rest (`vision.bodies`), and where the other faces are: a side that was outlined is no loss, for
the top is the face beside it that is turned up. Where the body leaves it open, a face that is turned down gives doubt.
Measurements behind the constants: `docs/research/enrolment.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bodies import faces_beside, facing, fits, right_way_tilted
from vision.boxes import Box
from vision.detection import Detection
from vision.dicesets.shapes import SHAPES, Shape
from vision.embedding import Matcher, Points
from vision.frame import Floats, Pixels
from vision.gallery import example_looks
from vision.plane import Plane, affine, mean_edge
from vision.quarters import box_back, points_back, turn_back, turned_by
from vision.rectify import FACE_SIZE, rectify, turns

SURE_DIE: Final = 0.72
"""Score from which a detection is a die beside others; of things that are none, one in a hundred pictures has it."""
LIKELY_DIE: Final = 0.28
"""Score that the best detection of a picture must have."""
FIRM: Final = ((SURE_DIE, 0.35), (0.6, 0.15), (0.42, 0.1), (LIKELY_DIE, 0.05))
"""Score from which, and disagreement of the outlines up to which, a detection is believed; one that is not sure must
also be found in every cut."""
VERIFIED: Final = 0.3
"""A detection that is not sure must look like a die with what lies around it by this much, or"""
OUTLINED: Final = 0.85
"""be outlined this clearly (`Detection.overlap`): around a die that fills the picture there is nothing to see."""
TURNED_DIE: Final = 0.8
"""`LIKELY_DIE` for a picture that was turned: four looks at an empty table find something four times as often."""
UNCLEAR: Final = 0.1
"""Disagreement of the outlines, in sides, above which a die is not outlined clearly."""
SHAPELY: Final = 0.04
"""By how much more of what was seen a face of the die's shape must cover than one of the other shape: two triangles of
an octahedron seen as one face look like a square."""
AGREE: Final = 0.5
"""Cosine below which an outline shows another face than the first one: a side of the die was outlined as well as its
top (docs/research/enrolment.md)."""
LEAST_SIDE: Final = 12.0
"""Side of a face in pixels below which nothing can be learnt from it."""
SIZE_RATIO: Final = 1.8
"""By how much dice of one set differ in size in one picture, at most: one may be nearer."""
OUTLINES: Final = 9
"""Times that a die is cut out and outlined."""
OTHER_OUTLINE: Final = 0.03
"""Outlines closer than this share of a side to one already kept are the same."""
FLAT: Final = 0.05
"""Area of an outline, in squares of the side, below which it is no face: the corners fell on a line or a point."""
MARGIN: Final = 0.3
"""Of the die's box, kept around it in an example's picture."""
MOST_AROUND: Final = 320
"""Side of an example's picture in pixels, at most."""
FACE_SIDES: Final = (FACE_SIZE, 192)
"""Bounds of the side in pixels of a rectified face that is kept."""
FAR: Final = 12.0
"""Focal length, in radii of the face: from so far away lines that are parallel look it."""
WHOLE: Final = 0.7
"""Share of the box and of a whole die with this face that both must cover; a squeezed picture of a die from above looks
tilted, but nothing is to be seen beside its top."""
WIDE: Final = 0.8
"""Focal length of a wide camera, in longer sides of its picture."""
DOWN: Final = 0.35
"""Sine of the angle by which a face must be turned down."""
ASIDE: Final = (0.6, 0.1)
"""Sine of the angle by which it must be turned anywhere, if it is turned down at least by the other one."""
TOLD: Final = 0.4
"""By how much better the body must fill the box on one of the two than on the other to tell how a face is turned."""
STRAYS: Final = (0.3, 0.15)
"""Sines by which tops are turned to the side and down before a camera that somebody holds upright: deviations."""
STEEP: Final = (50.0, 10.0)
"""Degrees by which tops are turned from the camera at most, and the deviation beyond."""
BESIDE: Final = 2.0
"""Squares of those deviations by which a face beside the outlined one may stray more than that and still be the top, if
the outlined one looks like another face (docs/research/enrolment.md)."""
UNLIKELY: Final = 3.0
"""Squares of those deviations from which a face is hardly the top, and by how many less another must stray to be it."""
MOST: Final = 2 / 3
"""Share of the outlines that must tell the top to be believed."""


class FindsDice(Protocol):
    """What finds dice: `vision.detect.detector.Detector`."""

    def detect(self, pixels: Pixels, shapes: Sequence[Shape] = SHAPES) -> tuple[Detection, ...]:
        """Every die, surest first."""
        ...

    def faces(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape] = SHAPES
    ) -> tuple[Detection, ...]:
        """The top face in each box."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class Shown:
    """One die that shows a face to be learnt."""

    shape: Shape
    """Of the set's shapes, the likelier one."""
    likely_shape: Shape
    """Of all shapes."""
    score: float
    around: Pixels
    """(S, S, 3) BGR: the die and a little of the table."""
    outlines: tuple[Floats, ...]
    """(4, 2) or (3, 2) pixels of `around` each, clockwise; the first is the likeliest."""
    spread: float
    """By how much the outlines differ, in sides (median of the largest corner distance)."""
    firm: float
    """Share of the cuts in which it is a die, 0 … 1."""
    side: float
    """Mean side of the face in pixels of the original picture."""
    place: Floats
    """Corners in pixels of the original picture."""
    points: Points
    """(L, T, D) of L looks in each of T turns, the outlines' own first."""
    leans: bool = False
    """Whether the face is turned down in the picture, as a die's sides are and its top is not."""
    shapely: float = 1.0
    """By how much more of what was seen a face of its shape covers than one of the other shape."""
    face: str = ""
    """Id of the face that people say it shows; empty before anybody said."""
    source: str = ""
    """Where it was seen: a picture's name, or the camera."""
    beside: Floats | None = None
    """(4 or 3, 2) pixels of `around`: the face beside the outlined one that may be the top instead, if there is one."""

    @property
    def clear(self) -> bool:
        """Whether it is outlined clearly enough to be learnt unless somebody looks at it."""
        outlined = self.points[: len(self.outlines)]
        agree = float(likeness_of_looks(outlined, outlined[:1]).min()) >= AGREE
        return agree and self.spread <= UNCLEAR and self.shapely >= SHAPELY

    @property
    def picture(self) -> Pixels:
        """The rectified face at about its own resolution, as it is kept: (S, S, 3) BGR."""
        return rectify(self.around, self.outlines[0], int(np.clip(round(self.side), *FACE_SIDES)))

    def likeness(self, other: Shown) -> float:
        """Cosine of the most alike looks of two dice, over all turns."""
        return likeness(self.points, other.points)


def likeness(one: Points, other: Points) -> float:
    """Cosine of the most alike of (L, T, D) looks, over all turns."""
    return float(likeness_of_looks(one, other).max())


def likeness_of_looks(one: Points, other: Points) -> Points:
    """Cosine of each of (L, T, D) looks with the one of another die that is most like it, over all turns: (L,)."""
    return (one[:, 0] @ other.reshape(-1, other.shape[-1]).T).max(axis=1)


def embedded(matcher: Matcher, around: Pixels, outlines: Sequence[Floats], shape: Shape) -> Points:
    """Points (L, T, D) of an example's looks in every turn."""
    points = matcher.embed(np.concatenate([turns(look, shape) for look in example_looks(around, outlines)]))
    return points.reshape(-1, shape.symmetry, points.shape[1])


def shown_dice(
    finder: FindsDice, matcher: Matcher, pixels: Pixels, shapes: Sequence[Shape]
) -> tuple[Shown, ...]:
    """The dice in a (H, W, 3) BGR picture that somebody shows, surest first; none where there is no die.

    Where nothing is found, the picture is looked at turned by quarters, too: cameras lie on their side. A die that is
    sure only then is outlined as it was faintly seen upright, if it was: in a turned picture a side lies above the top.
    """
    faint: list[Shown] = []
    for quarter in range(4):
        upright = turned_by(quarter, pixels)
        least = TURNED_DIE if quarter else LIKELY_DIE
        found = [d for d in finder.detect(upright, shapes) if d.score >= least and _fits_in(d)]
        # A die too small to be learnt comes after all others: it is named only where there is none else.
        found.sort(key=lambda d: (side_of(d.corners) < LEAST_SIDE, -d.score))
        found = [d for d in found if d is found[0] or (d.score >= SURE_DIE and _as_large(d, found[0]))]
        dice = [outlined(finder, matcher, upright, detection, quarter) for detection in found]
        believed = [die for die in dice if _believed(die)]
        if believed:
            return tuple(_upright(die, faint) for die in believed)
        if not quarter:
            faint = dice
    return ()


def _upright(die: Shown, faint: Sequence[Shown]) -> Shown:
    """The same die as it was seen in the picture that was not turned, where it was outlined clearly there."""
    middle = die.place.mean(axis=0)
    near = (one for one in faint if one.clear and np.linalg.norm(one.place.mean(axis=0) - middle) < die.side)
    return next(near, die)


def _fits_in(found: Detection) -> bool:
    """Whether a detection is sure, or looks like a die among what lies around it, or is outlined as clearly as one."""
    return found.score >= SURE_DIE or found.verified >= VERIFIED or found.overlap >= OUTLINED


def _believed(die: Shown) -> bool:
    """Whether a detection is a die: by its score, by how well its outlines agree, by whether every cut shows one."""
    allowed = next((spread for score, spread in FIRM if die.score >= score), 0.0)
    return die.spread <= allowed and (die.score >= SURE_DIE or die.firm >= 1)


def _as_large(one: Detection, other: Detection) -> bool:
    """Whether two dice may be of one set: what is much larger or smaller is something else."""
    return 1 / SIZE_RATIO < side_of(one.corners) / max(side_of(other.corners), 1e-6) < SIZE_RATIO


def outlined(finder: FindsDice, matcher: Matcher, pixels: Pixels, found: Detection, quarter: int = 0) -> Shown:
    """A die that was found in a (H, W, 3) BGR picture, looked at as carefully as for enrolling.

    `quarter` says how often the picture was turned counter-clockwise from what people see.
    """
    outlines = [found.corners]
    for box in _boxes_about(found.box):
        again = finder.faces(pixels, [(box, 1.0)], (found.shape,))
        if again:
            outlines.append(_aligned(again[0].corners, found.corners))
    firm = (len(outlines) - 1) / (OUTLINES - 1)
    height, width = np.rot90(pixels, -quarter).shape[:2]
    if not quarter:
        outlines = _of_top(outlines, found.box, width, height)
    every = np.stack(outlines)
    whole = _whole(outlines) or [found.corners]
    corners, side = whole[0], side_of(whole[0])
    middle = np.median(every, axis=0)
    spread = float(np.median(np.linalg.norm(every - middle, axis=-1).max(axis=-1))) / max(side, 1e-6)
    anyway = finder.faces(pixels, [(found.box, 1.0)], SHAPES)
    around, scale, origin = _cut(pixels, found.box)
    beside = None if quarter else perhaps_top(corners.astype(np.float64), found.box, width, height)
    kept = [((one - origin) * scale).astype(np.float32) for one in _differing(whole, side)]
    back = turn_back(quarter, width, height)
    place = points_back(back, corners)
    return Shown(
        shape=found.shape,
        likely_shape=anyway[0].shape if anyway else found.shape,
        score=found.score,
        around=around,
        outlines=tuple(kept),
        spread=spread,
        firm=firm,
        side=side,
        place=place,
        points=embedded(matcher, around, kept, found.shape),
        leans=turned_down(place.astype(np.float64), box_back(back, found.box), width, height),
        shapely=found.shapely,
        beside=None if beside is None else ((beside - origin) * scale).astype(np.float32),
    )


def upturned(die: Shown, top: Floats, matcher: Matcher) -> Shown:
    """The same die with another top (4 or 3, 2), in pixels of `around`."""
    before = die.outlines[0]
    place = die.place[0] + (top - before[0]) * (die.side / side_of(before))
    points = embedded(matcher, die.around, (top,), die.shape)
    return replace(
        die, outlines=(top,), points=points, place=place, side=side_of(place), leans=False, beside=None
    )


def _of_top(outlines: Sequence[Floats], box: Box, width: int, height: int) -> list[Floats]:
    """Outlines of a die's top, where some of these outlines (4 or 3, 2), or all of them, are of a side of it.

    They stay as they are where too few tell what they are of.
    """
    faces = [one.astype(np.float64) for one in _whole(outlines)]
    tops = [(face, top_of(face, box, width, height)) for face in faces]
    beside = [top.astype(np.float32) for face, top in tops if top is not None and top is not face]
    itself = [face.astype(np.float32) for face, top in tops if top is face]
    told = len(beside) + len(itself)
    if told < MOST * len(outlines):
        return list(outlines)
    chosen = beside if len(beside) >= MOST * told else itself
    middle = np.median([_aligned(one, chosen[0]) for one in chosen], axis=0)
    chosen.sort(key=lambda one: float(((_aligned(one, middle) - middle) ** 2).sum()))
    return [_aligned(one, chosen[0]) for one in chosen]


def side_of(corners: Floats) -> float:
    """Mean length of an outline's sides."""
    return float(mean_edge(corners))


def _boxes_about(box: Box) -> list[Box]:
    """The same box a little shifted and grown or shrunk, always in the same ways."""
    rng = np.random.default_rng(1)
    x0, y0, x1, y1 = box
    side = max(x1 - x0, y1 - y0)
    boxes: list[Box] = []
    for _ in range(OUTLINES - 1):
        dx, dy = (float(v) for v in rng.uniform(-0.08, 0.08, 2) * side)
        grown = float(rng.uniform(-0.06, 0.12)) * side
        boxes.append((x0 + dx - grown, y0 + dy - grown, x1 + dx + grown, y1 + dy + grown))
    return boxes


def _aligned(corners: Floats, like: Floats) -> Floats:
    """The same polygon, starting at the corner that belongs to the other one's first."""
    turned = [np.roll(corners, turn, axis=0) for turn in range(len(corners))]
    return min(turned, key=lambda c: float(((c - like) ** 2).sum()))


def _whole(outlines: Sequence[Floats]) -> list[Floats]:
    """The outlines without those that hardly span an area, which no face has."""
    least = FLAT * float(np.median([side_of(outline) for outline in outlines])) ** 2
    return [outline for outline in outlines if cv2.contourArea(outline) > least]


def _differing(outlines: Sequence[Floats], side: float) -> list[Floats]:
    kept: list[Floats] = []
    for corners in outlines:
        apart = [float(np.linalg.norm(corners - other, axis=1).max()) for other in kept]
        if min(apart, default=np.inf) > OTHER_OUTLINE * side:
            kept.append(corners)
    return kept


def _cut(pixels: Pixels, box: Box) -> tuple[Pixels, float, Floats]:
    """The square around a box, its scale, and where its corner lies in the picture."""
    x0, y0, x1, y1 = box
    side = max(round(max(x1 - x0, y1 - y0) * (1 + 2 * MARGIN)), 16)
    left, top = round((x0 + x1) / 2 - side / 2), round((y0 + y1) / 2 - side / 2)
    move = np.array([[1, 0, -left], [0, 1, -top]], np.float64)
    square = cv2.warpAffine(
        pixels, move, (side, side), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    )
    scale = min(MOST_AROUND / side, 1.0)
    if scale < 1:
        square = cv2.resize(square, (MOST_AROUND, MOST_AROUND), interpolation=cv2.INTER_AREA)
    return np.asarray(square, np.uint8), scale, np.array([left, top], np.float32)


def plane_alone(face: NDArray[np.float64]) -> Plane:
    """One of the two planes on which an outline (4 or 3, 2) in pixels is a regular face, the other being its mirror."""
    turned, (long, short), _ = np.linalg.svd(affine(face))
    turned[:, 1] *= np.linalg.det(turned)  # no mirror image in the plane itself
    cosine = short / long
    across = np.array([[1.0, 0.0], [0.0, cosine]])
    along = np.vstack([turned @ across, [0.0, np.sqrt(1 - cosine**2)]])
    x, y = face.mean(axis=0).tolist()
    return Plane(along, FAR * float(long), (x, y))


def turned_down(face: NDArray[np.float64], box: Box, width: int, height: int) -> bool:
    """Whether a die's outlined face (4 or 3, 2) is turned down, by the box of the whole die.

    Both are in pixels of a picture of `width` times `height`.
    """
    plane = right_way_tilted(plane_alone(face), [face], [box])
    right, down, _ = _before_the_middle(plane.up, face, width, height)
    turned_away = down > ASIDE[1] and float(np.hypot(right, down)) > ASIDE[0]
    return (down > DOWN or turned_away) and fits(plane, [face], [box])[0] >= WHOLE


def top_of(face: NDArray[np.float64], box: Box, width: int, height: int) -> NDArray[np.float64] | None:
    """The top of a die of which one face (4 or 3, 2) was outlined, before a camera that somebody holds upright: that
    face, or one beside it, whichever is turned up; None where the body does not tell how they are turned.

    `box` is that of the whole die; all are in pixels of a picture of `width` times `height`.
    """
    plane, strays, beside = _ways(face, box, width, height)
    if plane.told < TOLD or fits(plane, [face], [box])[0] < WHOLE:
        return None
    best = int(np.argmin(strays))
    if strays[best] < strays[0] - UNLIKELY:
        return beside[best - 1]
    return face if strays[0] < UNLIKELY else None


def perhaps_top(face: NDArray[np.float64], box: Box, width: int, height: int) -> NDArray[np.float64] | None:
    """The face beside an outlined one that is likeliest to be the top; None if it strays more by BESIDE."""
    _, (own, *others), beside = _ways(face, box, width, height)
    best = min(range(len(others)), key=lambda i: others[i], default=None)
    return beside[best] if best is not None and others[best] < own + BESIDE else None


def _ways(
    face: NDArray[np.float64], box: Box, width: int, height: int
) -> tuple[Plane, list[float], list[NDArray[np.float64]]]:
    """The plane of a face, how far it and each of the faces beside it stray from usual for a top, and these faces."""
    plane = right_way_tilted(plane_alone(face), [face], [box])
    beside = list(faces_beside(plane, face))
    ways = [plane.up, *(facing(plane, face, side) for side in beside)]
    return plane, [_strays(_before_the_middle(way, face, width, height)) for way in ways], beside


def _before_the_middle(
    way: tuple[float, float, float], face: NDArray[np.float64], width: int, height: int
) -> tuple[float, float, float]:  # fmt: skip
    """A direction at a face's place as it would be at the middle of the picture: below it, all tops are turned down."""
    right, down, away = way
    beneath = max(float(face[:, 1].mean()) - height / 2, 0.0) / (WIDE * max(width, height))
    long = float(np.hypot(1.0, beneath))
    return right, (down + away * beneath) / long, (away - down * beneath) / long


def _strays(way: tuple[float, float, float]) -> float:
    """How far from usual it is for a top to be turned that way, in squares of deviations."""
    right, down, away = way
    steep, more = STEEP
    tilt = float(np.degrees(np.arccos(np.clip(-away, -1.0, 1.0))))
    return (right / STRAYS[0]) ** 2 + (max(down, 0.0) / STRAYS[1]) ** 2 + (max(tilt - steep, 0.0) / more) ** 2

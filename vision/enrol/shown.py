"""Finds a die that somebody shows for enrolment, and outlines it more carefully than in a game.

In a game there is a twentieth of a second for all dice of a throw. A die to be enrolled is outlined nine times, each
time cut out a little differently. If the outlines agree, they are right; if they differ, all of them are kept and the
reader compares with each.

A face that is turned down in the picture is probably a side of the die and not its top: to an upright camera the table
recedes upwards in the picture, so tops lie above sides. How a face is foreshortened shows how it is turned, except that
its mirror image looks the same (Necker's reversal). The body below it fills the die's box in only one of the two cases,
which decides between them and shows where the other faces are (`vision.bodies`). So an outlined side is no loss: the
top is the face beside it that is turned up. If the body cannot decide, a face that is turned down is doubtful.
The measurements behind the constants are in `docs/research/enrolment.md`.
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
"""Least score of a die beside others. One picture in a hundred shows something else that has it."""
LIKELY_DIE: Final = 0.28
"""Least score of the best detection in a picture."""
FIRM: Final = ((SURE_DIE, 0.35), (0.6, 0.15), (0.42, 0.1), (LIKELY_DIE, 0.05))
"""A detection with at least this score whose outlines disagree by at most this much is a die; unless it is sure, it
must also be found in every cut."""
VERIFIED: Final = 0.3
"""A detection that is not sure must have at least this probability of a die, judging by its surroundings, or"""
OUTLINED: Final = 0.85
"""be outlined at least this clearly (`Detection.overlap`): a die that fills the picture has no surroundings."""
TURNED_DIE: Final = 0.8
"""`LIKELY_DIE` for a picture that was turned: four looks at an empty table find something four times as often."""
UNCLEAR: Final = 0.1
"""Disagreement of the outlines, in sides, above which a die is not outlined clearly."""
SHAPELY: Final = 0.04
"""By how much more of the mask a face of the die's shape must cover than one of the other shape: two triangles of an
octahedron that are seen as one face look like a square."""
AGREE: Final = 0.5
"""An outline whose cosine to the first one is lower shows another face: a side of the die was outlined as well as its
top (docs/research/enrolment.md)."""
LEAST_SIDE: Final = 12.0
"""Least side of a face, in pixels, from which anything can be learnt."""
SIZE_RATIO: Final = 1.8
"""Largest ratio of the sizes of dice of one set in one picture: one may be nearer to the camera."""
OUTLINES: Final = 9
"""How many times a die is cut out and outlined."""
OTHER_OUTLINE: Final = 0.03
"""Outlines are the same if they differ by less than this share of a side."""
FLAT: Final = 0.05
"""Least area of a face, in squares of its side; with less the corners lie on a line or in a point."""
MARGIN: Final = 0.3
"""Margin around the die in an example's picture, as a share of its box."""
MOST_AROUND: Final = 320
"""Longest side of an example's picture, in pixels."""
FACE_SIDES: Final = (FACE_SIZE, 192)
"""Bounds of the side of a rectified face that is kept, in pixels."""
FAR: Final = 12.0
"""Focal length in radii of the face, at which parallel lines look parallel."""
WHOLE: Final = 0.7
"""Least intersection over union of the box and a whole die with this face. A squeezed picture of a die seen from above
looks tilted, although no side can be seen."""
WIDE: Final = 0.8
"""Focal length of a wide-angle camera, as a share of the longer side of its picture."""
DOWN: Final = 0.35
"""Sine of the least angle by which a face that counts as turned down is turned down."""
ASIDE: Final = (0.6, 0.1)
"""Sine of the least angle by which it is turned in any direction."""
TOLD: Final = 0.4
"""By how much better the body must fill the box on one of the two planes than on the other to decide between them."""
STRAYS: Final = (0.3, 0.15)
"""Standard deviations of the sines by which tops are turned to the side and down before a camera held upright."""
STEEP: Final = (50.0, 10.0)
"""Tops are turned away from the camera by at most so many degrees, with this standard deviation beyond."""
BESIDE: Final = 2.0
"""If the outlined face looks like another face, one beside it may be the top although it strays more, by at most this
many squared deviations (docs/research/enrolment.md)."""
UNLIKELY: Final = 3.0
"""A face that strays by so many squared deviations is hardly the top; another must stray by so many fewer to be it."""
MOST: Final = 2 / 3
"""Least share of the outlines that must agree on which face is the top."""


class FindsDice(Protocol):
    """Finds dice: `vision.detect.detector.Detector`."""

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
    """One die that shows a face to be enrolled."""

    shape: Shape
    """The likeliest of the set's shapes."""
    likely_shape: Shape
    """The likeliest of all shapes."""
    score: float
    around: Pixels
    """(S, S, 3) BGR: the die and a little of the table."""
    outlines: tuple[Floats, ...]
    """Each (4, 2) or (3, 2), in pixels of `around`, clockwise; the first is the likeliest."""
    spread: float
    """By how much the outlines differ, in sides (median of the largest corner distance)."""
    firm: float
    """Share of the cuts in which it is a die, 0 … 1."""
    side: float
    """Mean side of the face in pixels of the original picture."""
    place: Floats
    """Corners in pixels of the original picture."""
    points: Points
    """(L, T, D) points of L looks in each of T turns, the outlines' own first."""
    leans: bool = False
    """Whether the face is turned down in the picture, as a die's sides are and its top is not."""
    shapely: float = 1.0
    """By how much more of the mask a face of its shape covers than one of the other shape."""
    face: str = ""
    """Id of the face that people say it shows; empty until they have."""
    source: str = ""
    """The picture's name, or the camera's."""
    beside: Floats | None = None
    """(4 or 3, 2) in pixels of `around`: the face beside the outlined one that may be the top instead, if any."""

    @property
    def clear(self) -> bool:
        """Whether it is outlined clearly enough to be enrolled before anybody has looked at it."""
        outlined = self.points[: len(self.outlines)]
        agree = float(likeness_of_looks(outlined, outlined[:1]).min()) >= AGREE
        return agree and self.spread <= UNCLEAR and self.shapely >= SHAPELY

    @property
    def picture(self) -> Pixels:
        """The rectified face at about its own resolution, (S, S, 3) BGR."""
        return rectify(self.around, self.outlines[0], int(np.clip(round(self.side), *FACE_SIDES)))

    def likeness(self, other: Shown) -> float:
        """Highest cosine of a look of each of two dice, over all turns."""
        return likeness(self.points, other.points)


def likeness(one: Points, other: Points) -> float:
    """Highest cosine of two of (L, T, D) looks, over all turns."""
    return float(likeness_of_looks(one, other).max())


def likeness_of_looks(one: Points, other: Points) -> Points:
    """(L,) the highest cosine of each of (L, T, D) looks with a look of another die, over all turns."""
    return (one[:, 0] @ other.reshape(-1, other.shape[-1]).T).max(axis=1)


def embedded(matcher: Matcher, around: Pixels, outlines: Sequence[Floats], shape: Shape) -> Points:
    """Points (L, T, D) of an example's looks in every turn."""
    points = matcher.embed(np.concatenate([turns(look, shape) for look in example_looks(around, outlines)]))
    return points.reshape(-1, shape.symmetry, points.shape[1])


def shown_dice(
    finder: FindsDice, matcher: Matcher, pixels: Pixels, shapes: Sequence[Shape]
) -> tuple[Shown, ...]:
    """The dice in a (H, W, 3) BGR picture that somebody shows, surest first.

    If none is found, the picture is also turned by quarters, since a camera may lie on its side. A die that is sure
    only then keeps its outline from the upright picture, if it was faintly seen there: in a turned picture a side lies
    above the top.
    """
    faint: list[Shown] = []
    for quarter in range(4):
        upright = turned_by(quarter, pixels)
        least = TURNED_DIE if quarter else LIKELY_DIE
        found = [d for d in finder.detect(upright, shapes) if d.score >= least and _fits_in(d)]
        # Dice too small to be enrolled come last: they are mentioned only if there are no others.
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
    """The same die as it was seen before the picture was turned, if it was outlined clearly there."""
    middle = die.place.mean(axis=0)
    near = (one for one in faint if one.clear and np.linalg.norm(one.place.mean(axis=0) - middle) < die.side)
    return next(near, die)


def _fits_in(found: Detection) -> bool:
    """Whether a detection is sure, looks like a die in its surroundings, or is outlined as clearly as one."""
    return found.score >= SURE_DIE or found.verified >= VERIFIED or found.overlap >= OUTLINED


def _believed(die: Shown) -> bool:
    """Whether a detection is a die, judging by its score, how well its outlines agree, and how many cuts show one."""
    allowed = next((spread for score, spread in FIRM if die.score >= score), 0.0)
    return die.spread <= allowed and (die.score >= SURE_DIE or die.firm >= 1)


def _as_large(one: Detection, other: Detection) -> bool:
    """Whether two dice are of similar size and so may be of one set."""
    return 1 / SIZE_RATIO < side_of(one.corners) / max(side_of(other.corners), 1e-6) < SIZE_RATIO


def outlined(finder: FindsDice, matcher: Matcher, pixels: Pixels, found: Detection, quarter: int = 0) -> Shown:
    """A die that was found in a (H, W, 3) BGR picture, outlined as carefully as for enrolment.

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
    """Outlines of a die's top, although some or all of these outlines (4 or 3, 2) may be of one of its sides.

    They stay as they are if too few show which face they are of.
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
    """The box, slightly shifted and grown or shrunk, always in the same ways."""
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
    """The polygon, starting at the corner that belongs to the other one's first."""
    turned = [np.roll(corners, turn, axis=0) for turn in range(len(corners))]
    return min(turned, key=lambda c: float(((c - like) ** 2).sum()))


def _whole(outlines: Sequence[Floats]) -> list[Floats]:
    """The outlines without those whose area is too small for a face."""
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
    """The square around a box, its scale, and its top left corner in the picture."""
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
    """One of the two planes on which an outline (4 or 3, 2) in pixels is a regular face; the other mirrors it."""
    turned, (long, short), _ = np.linalg.svd(affine(face))
    turned[:, 1] *= np.linalg.det(turned)  # no mirror image in the plane itself
    cosine = short / long
    across = np.array([[1.0, 0.0], [0.0, cosine]])
    along = np.vstack([turned @ across, [0.0, np.sqrt(1 - cosine**2)]])
    x, y = face.mean(axis=0).tolist()
    return Plane(along, FAR * float(long), (x, y))


def turned_down(face: NDArray[np.float64], box: Box, width: int, height: int) -> bool:
    """Whether a die's outlined face (4 or 3, 2) is turned down, judging by the box of the whole die.

    Both are in pixels of a picture of `width` times `height`.
    """
    plane = right_way_tilted(plane_alone(face), [face], [box])
    right, down, _ = _before_the_middle(plane.up, face, width, height)
    turned_away = down > ASIDE[1] and float(np.hypot(right, down)) > ASIDE[0]
    return (down > DOWN or turned_away) and fits(plane, [face], [box])[0] >= WHOLE


def top_of(face: NDArray[np.float64], box: Box, width: int, height: int) -> NDArray[np.float64] | None:
    """The top of a die of which one face (4 or 3, 2) was outlined, if the camera was held upright: that face or one
    beside it, whichever is turned up; None if the body does not show how they are turned.

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
    """The plane of a face, how far it and each of the faces beside it stray from a usual top, and these faces."""
    plane = right_way_tilted(plane_alone(face), [face], [box])
    beside = list(faces_beside(plane, face))
    ways = [plane.up, *(facing(plane, face, side) for side in beside)]
    return plane, [_strays(_before_the_middle(way, face, width, height)) for way in ways], beside


def _before_the_middle(
    way: tuple[float, float, float], face: NDArray[np.float64], width: int, height: int
) -> tuple[float, float, float]:  # fmt: skip
    """A direction at a face's place, as if in the middle of the picture: below that, all tops are turned down."""
    right, down, away = way
    beneath = max(float(face[:, 1].mean()) - height / 2, 0.0) / (WIDE * max(width, height))
    long = float(np.hypot(1.0, beneath))
    return right, (down + away * beneath) / long, (away - down * beneath) / long


def _strays(way: tuple[float, float, float]) -> float:
    """How unusual it is for a top to be turned that way, in squared deviations."""
    right, down, away = way
    steep, more = STEEP
    tilt = float(np.degrees(np.arccos(np.clip(-away, -1.0, 1.0))))
    return (right / STRAYS[0]) ** 2 + (max(down, 0.0) / STRAYS[1]) ** 2 + (max(tilt - steep, 0.0) / more) ** 2

"""The bodies of dice that lie on a plane.

The top face shows where the rest of the die is, and so which box the die must fill in the picture. That tells a plane
from its mirror image, and a top face from a side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Box, area, intersection_over_union
from vision.detection import Detection
from vision.dicesets.shapes import Shape, shape_outlined
from vision.frame import Doubles, Pixels
from vision.plane import Plane, find_plane, mean_edge

SOUND = 0.65
"""A plane is believed if the detector's boxes and those of the bodies have at least this median intersection over
union."""
STRANGE = 0.55
"""A face may not be the top if the boxes of its body and of the detector have less intersection over union."""
LEAST_SEEN = 0.15
"""What is on a side can be seen if its area in the picture is at least this share of the top face's."""
AS_LARGE = 0.4
"""A side can be mistaken for the top face if its area in the picture is at least this share of the top face's."""
OUTER = 6
"""Most edges in the outline of a cube or an octahedron."""
TURNED = 24
"""How many turns are tried for a die whose body is to fill a box."""
FILLING_STEPS = 6
"""How often such a die is moved and scaled to fit."""
WORSE = 0.2
"""A turn is kept if its intersection over union with the box is at most this much below that of the best turn."""


def bodies(plane: Plane, tops: Doubles) -> Doubles:
    """(N, 8 or 6, 2) corners in pixels of the dice whose top faces on the plane have the corners (N, 4 or 3, 2)."""
    flat = plane.flat(tops)
    edge = mean_edge(flat)[:, None]
    shape = shape_outlined(tops.shape[1])
    lower = 2 * flat.mean(axis=1, keepdims=True) - flat if shape.twisted else flat
    return np.concatenate([tops, plane.seen(lower, edge * shape.height)], axis=1)


@dataclass(frozen=True, eq=False, slots=True)
class Facets:
    """Which corners of a die, in the order of `bodies`, make its faces and its outline."""

    faces: NDArray[np.intp]
    """(F, 4 or 3) each face's, clockwise as seen from outside."""
    outlines: NDArray[np.intp]
    """(2 ** F, OUTER, 2) where each edge of the outline begins and ends, clockwise, for every combination of faces that
    the camera sees; the first face is the lowest bit. Unused rows run from the first corner to itself."""


@cache
def facets_of(shape: Shape) -> Facets:
    """The faces and edges of a die of a shape."""
    count = shape.corners
    top = list(range(count))
    faces = [top, [count + i for i in reversed(top)]]
    for i in top:
        j = (i + 1) % count
        if shape.twisted:  # the lower corner of a side lies opposite the upper one that the side has not
            k = (i + 2) % count
            faces += [[j, i, count + k], [count + i, count + j, k]]
        else:
            faces.append([j, i, count + i, count + j])
    owner = {(a, b): n for n, face in enumerate(faces) for a, b in pairwise([*face, face[0]])}
    outlines = np.zeros((2 ** len(faces), OUTER, 2), np.intp)
    for seen, outline in enumerate(outlines):
        # It runs along the faces that are seen where they meet those that are not.
        edges = [(a, b) for (a, b), face in owner.items() if seen >> face & 1 and not seen >> owner[b, a] & 1]
        if 0 < len(edges) <= OUTER:  # others are seen from nowhere
            outline[: len(edges)] = edges
    return Facets(np.array(faces, np.intp), outlines)


def _ends(plane: Plane, tops: Doubles) -> Doubles:
    """(N, 2, 2) the uppermost left and the lowest right pixel of each die with such a top face (N, 4 or 3, 2)."""
    whole = bodies(plane, tops)
    return np.stack([whole.min(axis=1), whole.max(axis=1)], axis=1)


def boxes_around(plane: Plane, tops: Sequence[Doubles]) -> list[Box]:
    """The box in pixels around each die with such a top face (4 or 3, 2) on a plane."""
    found: dict[int, Box] = {}
    for corners in sorted({len(top) for top in tops}):
        own = [i for i, top in enumerate(tops) if len(top) == corners]
        around = _ends(plane, np.stack([tops[i] for i in own])).reshape(-1, 4).tolist()
        found |= {i: (x0, y0, x1, y1) for i, (x0, y0, x1, y1) in zip(own, around, strict=True)}
    return [found[i] for i in range(len(tops))]


def fits(plane: Plane, tops: Sequence[Doubles], boxes: Sequence[Box]) -> list[float]:
    """Intersection over union of each box in pixels and the box of a die with this top face."""
    return [intersection_over_union(*pair) for pair in zip(boxes_around(plane, tops), boxes, strict=True)]


def tops_filling(plane: Plane, box: Box, corners: int) -> list[tuple[Doubles, float]]:
    """The top faces (4 or 3, 2) in pixels, at up to TURNED turns, of dice on a plane whose bodies fill a box, and how
    well each does; those worse than the best by more than WORSE are left out."""
    ring = np.arange(corners) * (2 * np.pi / corners)
    angles = ring + np.arange(TURNED)[:, None] * (2 * np.pi / corners / TURNED)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    wanted, size = np.array(box, np.float64).reshape(2, 2), np.sqrt(area(box))
    middles, radii = np.repeat(plane.flat(wanted.mean(axis=0))[None], TURNED, axis=0), np.full(TURNED, 1e-3)
    tops, ends = np.zeros((TURNED, corners, 2)), np.zeros((TURNED, 2, 2))
    for _ in range(FILLING_STEPS):
        tops = plane.seen(middles[:, None] + radii[:, None, None] * around)
        ends = _ends(plane, tops)
        middles = plane.flat(plane.seen(middles) + wanted.mean(axis=0) - ends.mean(axis=1))
        radii = radii * size / np.sqrt((ends[:, 1] - ends[:, 0]).prod(axis=-1))
    filled = [intersection_over_union((x0, y0, x1, y1), box) for x0, y0, x1, y1 in ends.reshape(-1, 4).tolist()]
    return [(top, share) for top, share in zip(tops, filled, strict=True) if share >= max(filled) - WORSE]


def right_way_tilted(plane: Plane, tops: Sequence[Doubles], boxes: Sequence[Box]) -> Plane:
    """A plane or its mirror image, whichever lets the bodies below the top faces fill the detector's boxes better."""
    mirrored = plane.mirrored()
    better = float(np.median(fits(plane, tops, boxes)) - np.median(fits(mirrored, tops, boxes)))
    return replace(plane if better >= 0 else mirrored, told=abs(better))


def common_plane(
    tops: Sequence[Doubles], boxes: Sequence[Box], weights: Sequence[float], width: int, height: int
) -> Plane | None:
    """The plane that most top faces lie on (`find_plane`), the right way tilted; None when too few agree."""
    found = find_plane(tops, weights, width, height)
    return right_way_tilted(found, tops, boxes) if found is not None else None


def sound_plane(
    tops: Sequence[Doubles], boxes: Sequence[Box], weights: Sequence[float], width: int, height: int
) -> Plane | None:
    """The `common_plane`, if the bodies below the top faces fill the detector's boxes."""
    plane = common_plane(tops, boxes, weights, width, height)
    return plane if plane is not None and np.median(fits(plane, tops, boxes)) >= SOUND else None


def across_an_edge(plane: Plane, side: Doubles, box: Box) -> tuple[Doubles, float] | None:
    """The top face, if `side` (4 or 3, 2) outlines in pixels a face beside it, and how well it fits the box.

    Of the faces across the outline's edges the likeliest. None if none fits well, or if the side is too small to have
    been mistaken for it.
    """
    flat, count, faces = plane.flat(side), len(side), list[Doubles]()
    for i in range(count):
        first, second = flat[i], flat[(i + 1) % count]
        right, down = second - first
        inwards = np.array([-down, right]) @ (flat.mean(axis=0) - first) > 0
        angle = 2 * np.pi / count * (-1 if inwards else 1)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        corners, step = [second, first], first - second
        while len(corners) < count:
            step = turn @ step
            corners.append(corners[-1] + step)
        faces.append(plane.seen(np.stack(corners)))
    fit = fits(plane, faces, [box] * count)
    best = int(np.argmax(fit))
    ours, theirs = (cv2.contourArea(face.astype(np.float32)) for face in (side, faces[best]))
    return (faces[best], fit[best]) if ours >= AS_LARGE * theirs and fit[best] >= STRANGE else None


def beside(shape: Shape) -> tuple[float, float]:
    """How far a face beside the top reaches along the top's plane, and how far down from it, as shares of its length.

    Faces of an octahedron that meet are turned by the angle whose cosine is a third, those of a cube by a right one.
    """
    return (1 / 3, 8**0.5 / 3) if shape.twisted else (0.0, 1.0)


def facing(plane: Plane, face: Doubles, side: Doubles) -> tuple[float, float, float]:
    """The unit direction in which a face beside another one of a die looks: right, down and away.

    `face` (k, 2) lies on the plane, `side` (k, 2) is one of `faces_beside` it; both are in pixels.
    """
    flat = plane.flat(face)
    middle = flat.mean(axis=0)
    first, second = plane.flat(side[:2])
    outwards = (first + second) / 2 - middle
    outwards /= np.hypot(*outwards)
    rise, level = beside(shape_outlined(len(face)))  # the normal stands at right angles to the face
    x, y, z = (
        level * float(along @ outwards) + rise * up for along, up in zip(plane.along, plane.up, strict=True)
    )
    return x, y, z


def faces_beside(plane: Plane, top: Doubles) -> list[Doubles]:
    """The outlines in pixels, (4 or 3, 2) and clockwise, of the visible faces beside a top face (4 or 3, 2).

    Each begins with the two corners that it shares with the top face.
    """
    count, found = len(top), list[Doubles]()
    lower = bodies(plane, top[None])[0, count:]
    least = LEAST_SEEN * cv2.contourArea(top.astype(np.float32), oriented=True)
    for i in range(count):
        j = (i + 1) % count
        # The lower corner of an octahedron's side lies opposite the upper one that the side has not.
        foot = [lower[j - 2]] if shape_outlined(count).twisted else [lower[i], lower[j]]
        side = np.stack([top[j], top[i], *foot])
        if cv2.contourArea(side.astype(np.float32), oriented=True) >= least:  # negative where it faces away
            found.append(side)
    return found


def sides_of(die: Detection, pixels: Pixels) -> list[Doubles]:
    """The outlines (4 or 3, 2) of a die's sides that lie wholly in (H, W, 3) pixels; none if its plane is unknown."""
    if die.plane is None:
        return []
    height, width = pixels.shape[:2]
    sides = faces_beside(die.plane, die.corners.astype(np.float64))
    return [side for side in sides if ((side >= 0) & (side <= (width, height))).all()]


def apart(plane: Plane, first: Doubles, second: Doubles) -> float:
    """How far apart the middles of two top faces (4 or 3, 2) in pixels are on the plane, in edges."""
    one, other = plane.flat(first), plane.flat(second)
    distance = float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0))))
    return distance / max(float(mean_edge(one)), float(mean_edge(other)))


def within(plane: Plane, face: Doubles, top: Doubles) -> float:
    """Share of a face's outline (4 or 3, 2) in pixels that lies in the body of the die with this top face."""
    body = np.asarray(cv2.convexHull(bodies(plane, top[None])[0].astype(np.float32)), np.float32)
    outline = face.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(outline, body)
    return float(shared) / max(float(cv2.contourArea(outline)), 1e-6)

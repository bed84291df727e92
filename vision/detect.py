"""Finds dice in a picture: boxes first, then each top face's corners at the picture's own resolution.

Three networks see three things: the detector the whole picture, the verifier a box with what lies around it, the
finder the die alone, as closely as the picture shows it.

Picture coordinates are pixels with the left edge of the first pixel at 0 (its centre is at 0.5), as in
`vision.rectify`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.body import LIKELIER, SOUND, STRANGE, across_an_edge, fits, right_way_tilted
from vision.boxes import Box, area, shared_area
from vision.corners import Agreement, clockwise, refine, rough_outlines
from vision.crops import SURROUNDINGS, crop_map, cut
from vision.diceset import SHAPES, Shape
from vision.plane import Plane, find_plane
from vision.plane_fit import Seen, fit_on_plane, to_cells, to_picture
from vision.proposals import Proposer
from vision.runtime import WEIGHTS, open_network

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

LEAST_DIE: Final = 0.1
"""A crop must look like a die at least this much; what is between is for `vision.doubt` to weigh."""
COVERED: Final = 0.25
"""A cell of a mask above this is counted as seen, however faintly."""
HARDLY: Final = 0.02
"""Where the verifier sees a die less likely than this the finder does not look, nor look again where it does itself."""
CLEAR: Final = 0.85
"""Masks less sure than this, on average over what is seen, are looked at again; most are surer (0.9 in the middle)."""
SURE_KIND: Final = 0.97
"""Crops whose shape is less sure than this are looked at again."""
FURTHER: Final = 0.32
"""Padding of a crop that is looked at from further away."""
SAME_FACE: Final = 0.35
"""Top faces never overlap; two outlines that do are one die seen twice."""
INSIDE: Final = 0.7
"""A box of which more than this lies in a surer die's box is a side face of that die."""
KIND: Final[dict[Shape, int]] = {"d6": 1, "d8": 2}
"""Where the finder's classes stand; 0 is no die."""
SIDES: Final[dict[Shape, int]] = {"d6": 4, "d8": 3}
"""Corners of a top face."""


@dataclass(frozen=True, eq=False, slots=True)
class Detection:
    """One die in one frame."""

    shape: Shape
    corners: Floats
    """(4, 2) or (3, 2) pixels of its top face, clockwise in the picture."""
    score: float
    """0 … 1, how sure it is that a die lies there."""
    box: Box
    """x0, y0, x1, y1 of the whole die in pixels."""
    strangeness: float = 0.0
    """How far its outline alone is from lying on the plane that the other dice lie on, as a share of its size; 0 where
    too few dice lie there to tell."""
    boxed: float = 1.0
    """0 … 1, how sure the detector was of the box."""
    die: float = 1.0
    """0 … 1, how much like a die of the expected shapes the crop looked to the face finder."""
    verified: float = 1.0
    """0 … 1, how much like a die the box looked with what lies around it."""
    fits_box: float = 1.0
    """Share of its box and of a whole die's with this top face that both cover; 1 where no plane tells."""
    overlap: float = 1.0
    """Share of outline and mask together that both cover: how clearly a face was seen there."""


class Detector:
    """Finds dice; holds three networks."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Open `detector.onnx`, `verifier.onnx` and `finder.onnx` in a folder. WeightsError when one is missing."""
        self._proposer = Proposer(weights)
        self._verifier = open_network("verifier", weights)
        self._finder = open_network("finder", weights)

    def detect(self, pixels: Pixels, shapes: Sequence[Shape] = SHAPES) -> tuple[Detection, ...]:
        """Every die in (H, W, 3) BGR pixels, surest first; only `shapes` are expected on the table."""
        return self.faces(pixels, self.boxes(pixels), shapes)

    def boxes(self, pixels: Pixels) -> list[tuple[Box, float]]:
        """Whole dice, as (box, score), surest first; some of them may turn out to be none."""
        return self._proposer.boxes(pixels)

    def faces(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape] = SHAPES
    ) -> tuple[Detection, ...]:
        """The top face in each box; boxes that hold no die, and dice seen twice, are left out."""
        verified = self._verified(pixels, [box for box, _ in boxes])
        likely: list[int] = np.flatnonzero(verified >= HARDLY).tolist()
        boxes, verified = [boxes[i] for i in likely], verified[likely]
        if not boxes:
            return ()
        maps = [crop_map(box) for box, _ in boxes]
        planes, kinds = self._top_faces(pixels, [box for box, _ in boxes], maps)
        found: dict[Detection, Seen] = {}
        expected = kinds[:, [KIND[shape] for shape in shapes]]
        wanted, alike = expected.argmax(axis=1), expected.sum(axis=1)
        for index, shape in enumerate(shapes):
            own = np.flatnonzero(((1 - kinds[:, 0]) * verified >= LEAST_DIE**2) & (wanted == index))
            outlines = rough_outlines(planes[own, 0], planes[own, 1], SIDES[shape])
            for i, cells in zip(own.tolist(), outlines, strict=True):
                if cells is None:
                    continue
                (box, score), die = boxes[i], float(alike[i])
                corners = to_picture(cells, maps[i]).astype(np.float32)
                detection = Detection(
                    shape,
                    corners,
                    (score * die) ** 0.5,
                    box,
                    boxed=score,
                    die=die,
                    verified=float(verified[i]),
                )
                found[detection] = Seen(planes[i, 0], planes[i, 1], maps[i], cells)
        kept = _without_doubles(found)
        return on_one_plane(kept, [found[one] for one in kept], pixels.shape[1], pixels.shape[0])

    def _verified(self, pixels: Pixels, boxes: Sequence[Box]) -> Floats:
        """(N,) how likely a die lies in each box, 0 … 1, by what lies around it."""
        if not boxes:
            return np.zeros(0, np.float32)
        windows = np.stack([cut(pixels, crop_map(box, SURROUNDINGS)) for box in boxes])
        return np.asarray(self._verifier.run(None, {"windows": windows})[0], np.float32)

    def _top_faces(
        self, pixels: Pixels, boxes: Sequence[Box], maps: Sequence[NDArray[np.float64]]
    ) -> tuple[Floats, Floats]:
        """Planes and kinds of what is in each box; `maps` lead to their crops.

        What is not clear is looked at twice more: in the mirror, whose planes count as much as the first, and in the
        mirror from further away, for its kind. One look alone errs in 84 of 1,370 boxes about which a detector was
        wrong or not sure, two in 72, three in 68.
        """
        crops = np.stack([cut(pixels, mapping) for mapping in maps])
        planes, kinds = self._found(crops)
        masks = planes[:, 0]
        covered = masks > COVERED
        clear = (np.abs(2 * masks - 1) * covered).sum(axis=(1, 2)) / np.maximum(covered.sum(axis=(1, 2)), 1)
        unsure = (clear < CLEAR) | (kinds.max(axis=1) < SURE_KIND)
        again: list[int] = np.flatnonzero(unsure & (1 - kinds[:, 0] >= HARDLY)).tolist()
        if again:
            mirrored, mirrored_kinds = self._found(crops[again][:, :, ::-1])
            further = np.stack([cut(pixels, crop_map(boxes[i], FURTHER)) for i in again])
            _, further_kinds = self._found(further[:, :, ::-1])
            planes[again] = (planes[again] + mirrored[..., ::-1]) / 2
            kinds[again] = _agreed(kinds[again], mirrored_kinds, further_kinds)
        return planes, kinds

    def _found(self, crops: Pixels) -> tuple[Floats, Floats]:
        """The finder's planes and kinds of (N, CROP, CROP, 3) crops."""
        planes, kinds = self._finder.run(None, {"crops": np.ascontiguousarray(crops)})
        return np.array(planes), np.array(kinds)


def _agreed(*kinds: Floats) -> Floats:
    """(N, 3) what several looks say together: the mean of their logarithms, summing to 1."""
    likely = np.exp(np.mean([np.log(np.maximum(kind, 1e-4)) for kind in kinds], axis=0))
    return (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)


def _alone(seen: Seen) -> tuple[Floats, float]:
    """The corners (sides, 2) in picture pixels that fit best, and the overlap with the mask."""
    cells = refine(seen.mask, seen.start, seen.bumps)
    overlap = Agreement(seen.mask[None], None).overlap(cells[None])[0]
    return to_picture(cells, seen.mapping).astype(np.float32), overlap


def on_one_plane(
    found: Sequence[Detection], seen: Sequence[Seen], width: int, height: int
) -> tuple[Detection, ...]:
    """The same dice, their outlines laid on the plane that most of them agree on; where they do not, each alone."""
    outlines = [detection.corners.astype(np.float64) for detection in found]
    plane = find_plane(outlines, [detection.score for detection in found], width, height)
    if plane is not None:
        plane = right_way_tilted(plane, outlines, [detection.box for detection in found])
    fitted: dict[Detection, tuple[Floats, float]] = {}
    for shape, sides in SIDES.items():
        own = [(one, face) for one, face in zip(found, seen, strict=True) if one.shape == shape]
        faces = [face for _, face in own]
        laid = [_alone(face) for face in faces] if plane is None else fit_on_plane(faces, plane, sides)
        fitted |= {one: outline for (one, _), outline in zip(own, laid, strict=True)}
    made = [replace(one, corners=fitted[one][0], overlap=fitted[one][1]) for one in found]
    if plane is None:
        return tuple(made)
    filled = fits(plane, [one.corners.astype(np.float64) for one in made], [one.box for one in made])
    made = [
        replace(one, strangeness=plane.strangeness(outline), fits_box=share)
        for one, outline, share in zip(made, outlines, filled, strict=True)
    ]
    if np.median(filled) < SOUND:
        return tuple(made)
    for i, one in enumerate(made):
        if one.fits_box < STRANGE:
            made[i] = _turned_up(one, seen[i], plane, made[:i] + made[i + 1 :])
    return tuple(made)


def _turned_up(one: Detection, seen: Seen, plane: Plane, others: Sequence[Detection]) -> Detection:
    """The same die with its top face, where what was taken for it is clearly a side of it; else as it is."""
    side, _ = _alone(seen)
    top = across_an_edge(plane, side.astype(np.float64), one.box)
    if top is None or top[1] < one.fits_box + LIKELIER:
        return one
    corners = clockwise(top[0].astype(np.float32))
    if any(_overlap(corners, other.corners) >= SAME_FACE for other in others):
        return one
    covered = Agreement(seen.mask[None], None).overlap(to_cells(corners, seen.mapping)[None])[0]
    return replace(one, corners=corners, overlap=covered, fits_box=top[1])


def _without_doubles(found: Iterable[Detection]) -> tuple[Detection, ...]:
    kept: list[Detection] = []
    for detection in sorted(found, key=lambda d: -d.score):
        if not any(_same_die(detection, other) for other in kept):
            kept.append(detection)
    return tuple(kept)


def _same_die(fainter: Detection, surer: Detection) -> bool:
    """Whether a fainter detection is the surer one's die again: the same face, or one of its side faces."""
    if _overlap(fainter.corners, surer.corners) >= SAME_FACE:
        return True
    shared = shared_area(fainter.box, surer.box)
    return shared > 0 and shared > INSIDE * area(fainter.box)


def _overlap(first: Floats, second: Floats) -> float:
    """Shared area of two convex polygons over the smaller one's."""
    shared, _ = cv2.intersectConvexConvex(first, second)
    least = min(cv2.contourArea(first), cv2.contourArea(second))
    return float(shared) / least if least > 0 else 0.0

"""Finds dice in a picture: boxes first, then the corners of each top face at the picture's own resolution.

Three networks take part: the detector sees the whole picture, the verifier a box with its surroundings, and the finder
the die alone, as closely as the picture shows it. Because dice lie on one table, their outlines are then laid on the
plane that most of them agree on. The plane shows which dice lean in the picture, and which outline is only a side.

A picture goes through STAGES, functions that each change a Search. Those in CORRECTIONS are second looks; each can be
left out to measure what it is worth (`tableside bench rescues`, docs/research/rescues.md).

Picture coordinates are pixels with the left edge of the first pixel at 0 (its centre is at 0.5), as in
`vision.rectify`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np

from vision.bodies import right_way_tilted
from vision.boxes import Box, intersection_over_union
from vision.corners import clockwise
from vision.detect.arrived import unboxed
from vision.detect.examine import examine, rivals
from vision.detect.lay import lay, sized
from vision.detect.outline import outline
from vision.detect.search import Search
from vision.detect.second_looks import centred, parted, upright
from vision.detect.tops import LIKELY, doubtful, filling, sides, top
from vision.detect.turned import turned
from vision.detection import Detection
from vision.dicesets.shapes import SHAPES, Shape
from vision.frame import Doubles, Mask, Pixels
from vision.network import open_network
from vision.plane import LEAST_DICE, Plane
from vision.propose import FAINT, RIVAL, Proposer
from vision.pyramid import Pyramid
from vision.quarters import box_back, points_back, turn_back, turned_by

SURER: Final = 0.08
"""A turned picture is the right way up if its dice score higher than before by at least this on average. In five
photographs that lay on their side they scored at least 0.11 higher."""

Stage = Callable[[Search], None]
STAGES: Final[tuple[Stage, ...]] = (
    examine, rivals, outline, lay, turned, upright, top, centred, parted, sides, doubtful, filling,
)  # fmt: skip
CORRECTIONS: Final = (
    "far", "busy", "upside_down", "quarters", "rivals", "turned", "parted", "upright", "top", "centred", "sides",
    "doubtful", "filling", "numerals", "ruled_out", "ink", "close",
)  # fmt: skip
"""What can be left out. `vision.propose` handles the first three, the Detector the fourth, `vision.reader` the last
four, and the others are stages."""


class Detector:
    """Finds dice with three networks."""

    def __init__(self, weights: Path | None = None, without: Collection[str] = ()) -> None:
        """Open `detector.onnx`, `verifier.onnx` and `finder.onnx` in a folder, or those in use; WeightsError if one is
        missing. `without` names the CORRECTIONS to leave out.
        """
        self.proposer = Proposer(weights, without)
        """Proposes the boxes of whole dice."""
        self._verifier, self._finder = open_network("verifier", weights), open_network("finder", weights)
        self._quarters = "quarters" not in without
        self._stages = [stage for stage in STAGES if stage.__name__ not in without]

    def detect(
        self, pixels: Pixels, shapes: Sequence[Shape] = SHAPES, table: Plane | None = None, *, quick: bool = False,
        arrived: Mask | None = None,
    ) -> tuple[Detection, ...]:  # fmt: skip
        """Every die in (H, W, 3) BGR pixels, surest first; only `shapes` are expected on the table.

        `quick`: another frame follows if this one leaves a question, so further looks can wait. `arrived` is a mask,
        smaller than the picture, of where dice may lie: elsewhere the table looks as it did without dice.

        `table` is the plane of the top faces in earlier rolls, seen by the same camera. It shows how the camera is held
        and tells a top from a side if too few dice lie there to show it. If the dice show that the camera is on its
        side, the picture is turned by quarters and searched again. If they agree on no plane, as with a low camera on
        its side, the picture is tried turned either way, unless the search is `quick`.
        """
        quarters = table.quarters if table is not None and self._quarters else 0
        look = partial(self._search_turned, pixels, shapes, table, arrived, quick)
        search = look(quarters, upright=not self._quarters)
        if self._quarters and (more := _askew(search)):
            quarters += more
            search = look(quarters, upright=True, before=(search, more))
        elif self._quarters and not quick and search.plane is None and len(search.dice) >= LEAST_DICE:
            on_its_side = [(turn, look(turn, upright=True)) for turn in (quarters + 1, quarters - 1)]
            turn, surest = max(on_its_side, key=lambda one: _surely_upright(one[1]))
            if _surely_upright(surest) > _surely_upright(search) + SURER:
                search, quarters = surest, turn
        if quarters % 4 == 0:
            return tuple(search.dice)
        back = turn_back(quarters, *pixels.shape[1::-1])
        return tuple(_back(one, back, quarters) for one in search.dice)

    def faces(
        self, pixels: Pixels, boxes: Sequence[tuple[Box, float]], shapes: Sequence[Shape] = SHAPES,
        table: Plane | None = None,
    ) -> tuple[Detection, ...]:  # fmt: skip
        """The top face in each box, surest first; boxes without a die and dice seen twice are left out."""
        search = Search(Pyramid(pixels), boxes, shapes, self._verifier, self._finder, table)
        return tuple(self._searched(search, upright=True).dice)

    def _search_turned(
        self, pixels: Pixels, shapes: Sequence[Shape], table: Plane | None, arrived: Mask | None, quick: bool,
        quarters: int, *, upright: bool, before: tuple[Search, int] | None = None,
    ) -> Search:  # fmt: skip
        """Search a picture turned by quarters; `table` is a plane in the picture itself.

        Unless the picture is `upright` for certain, the search ends as soon as the dice show that it must be turned.
        `before` is such a search, and how many quarters the picture was turned since: its dice get a box in this one,
        too.
        """
        picture = Pyramid(turned_by(quarters, pixels))
        lying = table.turned(quarters) if table is not None else None
        arrived = turned_by(quarters, arrived) if arrived is not None else None
        search = Search(picture, [], shapes, self._verifier, self._finder, lying, arrived)
        search.boxes = self.proposer.boxes(picture, quick=quick, odds=search.odds)
        if before is not None:
            search.before_turning = before[0].plane and before[0].plane.turned(before[1])
            search.boxes += _found_before(*before, search)
        if arrived is not None:
            search.boxes += unboxed(arrived, search.boxes, picture.size[0])
        return self._searched(search, upright=upright)

    def _searched(self, search: Search, *, upright: bool) -> Search:
        for stage in self._stages:
            stage(search)
            if not upright and stage in (lay, turned) and _askew(search):
                break
        if search.plane is not None:
            search.dice = sized([replace(one, plane=search.plane) for one in search.dice], search.plane)
        return search


def _found_before(before: Search, more: int, search: Search) -> list[tuple[Box, float]]:
    """The boxes, with scores, of dice that were found before the picture was turned by `more` quarters and have no box
    in this search: the detector rarely misses a die both ways up. If a faint box is there, the one from before is its
    rival (`vision.detect.examine.rivals`)."""
    there = turn_back(-more, *search.picture.size)
    found: list[tuple[Box, float]] = []
    for one in before.dice:
        if min(one.die, one.verified) >= LIKELY:
            box = box_back(there, one.box)
            scores = [score for other, score in search.boxes if intersection_over_union(box, other) > RIVAL]
            if max(scores, default=0.0) < FAINT:
                found.append((box, 0.0 if scores else one.boxed))
    return found


def _held(search: Search) -> Plane | None:
    """The plane of a searched picture's dice, which shows how the camera is held; None if too few dice were found."""
    if search.plane is None or len(search.dice) < LEAST_DICE:
        return None
    tops = [one.corners.astype(np.float64) for one in search.dice]
    return right_way_tilted(search.plane, tops, [one.box for one in search.dice])


def _askew(search: Search) -> int:
    """Quarter turns that a searched picture still needs, judging by its dice."""
    held = _held(search)
    return held.quarters if held is not None else 0


def _surely_upright(search: Search) -> float:
    """The mean score of the dice, plus twice SURER if their plane shows that the picture is upright; 0 if too few dice
    were found."""
    if len(search.dice) < LEAST_DICE:
        return 0.0
    held = _held(search)
    told = held is not None and held.tells_how_held and not held.quarters
    return fmean(one.score for one in search.dice) + (2 * SURER if told else 0.0)


def _back(one: Detection, back: Doubles, quarters: int) -> Detection:
    """A die of a turned picture, in the coordinates of the picture itself."""
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])  # crops count from the middle of the first pixel
    crop = one.crop @ np.linalg.inv(np.linalg.inv(half) @ back @ half)
    others = tuple(_back(other, back, quarters) for other in one.others)
    plane = one.plane.turned(-quarters) if one.plane is not None else None
    corners = clockwise(points_back(back, one.corners))
    return replace(one, corners=corners, others=others, box=box_back(back, one.box), crop=crop, plane=plane)

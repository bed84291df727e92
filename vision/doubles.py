"""Dice that were found twice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2

from vision.boxes import area, shared_area
from vision.detection import Detection, Floats

SAME_FACE: Final = 0.35
"""Top faces never overlap; two outlines that do are one die seen twice."""
INSIDE: Final = 0.7
"""A box of which more than this lies in a surer die's box is a side face of that die."""


def without_doubles(found: Iterable[Detection]) -> tuple[Detection, ...]:
    """Each die once, surest first."""
    kept: list[Detection] = []
    for detection in sorted(found, key=lambda d: -d.score):
        if not any(same_die(detection, other) for other in kept):
            kept.append(detection)
    return tuple(kept)


def same_die(fainter: Detection, surer: Detection) -> bool:
    """Whether a fainter detection is the surer one's die again: the same face, or one of its side faces."""
    if overlap_of(fainter.corners, surer.corners) >= SAME_FACE:
        return True
    shared = shared_area(fainter.box, surer.box)
    return shared > 0 and shared > INSIDE * area(fainter.box)


def overlap_of(first: Floats, second: Floats) -> float:
    """Shared area of two convex polygons over the smaller one's."""
    shared, _ = cv2.intersectConvexConvex(first, second)
    least = min(cv2.contourArea(first), cv2.contourArea(second))
    return float(shared) / least if least > 0 else 0.0

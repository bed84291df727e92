"""What finder and verifier see in the detector's boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.boxes import SURROUNDINGS, Box, crop_map, intersection_over_union, nms
from vision.detect.search import Examined, Search, expected
from vision.frame import Floats
from vision.propose import RIVAL

HARDLY: Final = 0.02
"""Where the verifier sees a die less likely than this the finder does not look, nor look again where it does itself."""
CLEAR: Final = 0.85
"""Masks less sure than this, on average over what is seen, are looked at again; most are surer (0.9 in the middle)."""
SURE_BOX: Final = 0.7
"""Boxes of which the detector is as sure as this are shown to the finder before the verifier,"""
SURE_THOROUGH: Final = 0.5
"""or as this, where a search is thorough;"""
SURE_DIE: Final = 0.98
"""which need not look where the finder is as sure as this that it sees a die, and its mask is clear."""
SURE_KIND: Final = 0.97
"""Crops whose shape is less sure than this are looked at again."""
PLAIN: Final = 0.85
"""Where a die is seen less plainly than this in a box its rivals are examined, too."""


def examine(search: Search) -> None:
    """See what is in the boxes, but for those that share much with a surer one."""
    firsts = nms([box for box, _ in search.boxes], [score for _, score in search.boxes], RIVAL)
    search.rivals = [pair for i, pair in enumerate(search.boxes) if i not in firsts]
    search.examined = look_into(search, [search.boxes[i] for i in firsts])


def rivals(search: Search) -> None:
    """Where no die is plainly seen, see what is in the other boxes around it, too."""
    plainly = ((one, one.verified * max(expected(one.kinds, search.shapes)) * one.clear) for one in search.examined)
    unclear = [one.box for one, plain in plainly if plain < PLAIN]
    if unclear:
        around = [
            pair
            for pair in search.rivals
            if any(intersection_over_union(pair[0], box) > RIVAL for box in unclear)
        ]
        search.examined += look_into(search, around)


def look_into(search: Search, boxes: Sequence[tuple[Box, float]]) -> list[Examined]:
    """What is seen in boxes (with the detector's scores), but for those that hardly hold a die.

    Where the detector is sure the finder looks first, and what it plainly sees there the verifier need not look at.
    Unclear boxes are also shown to the finder as mirror images.
    """
    looks: dict[int, Examined] = {}

    def look(which: Sequence[int]) -> None:
        crops = [crop_map(boxes[i][0]) for i in which]
        pixels = [search.picture.cut(crop) for crop in crops]
        found = search.found(pixels)
        for i, crop, inside, (seen, kinds) in zip(which, crops, pixels, found, strict=True):
            looks[i] = Examined(*boxes[i], crop, inside, seen, kinds)

    sure = SURE_THOROUGH if search.thorough else SURE_BOX
    look([i for i, (_, score) in enumerate(boxes) if score >= sure])
    doubted = [
        i
        for i in range(len(boxes))
        if i not in looks or looks[i].clear < CLEAR or 1 - looks[i].kinds[0] < SURE_DIE
    ]
    verified = dict(zip(doubted, verify(search, [boxes[i][0] for i in doubted]), strict=True))
    likely = [i for i in range(len(boxes)) if verified.get(i, 1.0) >= HARDLY]
    look([i for i in likely if i not in looks])
    unclear = [
        i
        for i in likely
        if 1 - looks[i].kinds[0] >= HARDLY and (looks[i].clear < CLEAR or looks[i].kinds.max() < SURE_KIND)
    ]
    mirrored = search.found([looks[i].pixels[:, ::-1] for i in unclear])
    for i, (seen, kinds) in zip(unclear, mirrored, strict=True):
        first = looks[i]
        both = _agreed(first.kinds[None], kinds[None])[0]
        looks[i] = replace(first, seen=(first.seen + seen[..., ::-1]) / 2, kinds=both)
    return [
        replace(looks[i], verified=verified.get(i, 1.0), kinds=_weighed(looks[i].kinds, search.odds(boxes[i][0])))
        for i in likely
    ]


def verify(search: Search, boxes: Sequence[Box]) -> list[float]:
    """Probability, 0 … 1, that each box contains a die, by its surroundings and whether it was there before.

    Unclear boxes are mirrored, too.
    """
    if not boxes:
        return []
    windows = np.stack([search.picture.cut(crop_map(box, SURROUNDINGS)) for box in boxes])
    likely = search.likely(windows)
    again: list[int] = np.flatnonzero(likely.min(axis=1) >= HARDLY).tolist()
    if again:
        likely[again] = _agreed(likely[again], search.likely(windows[again][:, :, ::-1]))
    return [float(_weighed(die, search.odds(box))[1]) for die, box in zip(likely, boxes, strict=True)]


def _weighed(kinds: Floats, odds: float) -> Floats:
    """(K,) kinds, no die first, when it is so much likelier that there is one."""
    likely = kinds * np.array([1.0] + [odds] * (len(kinds) - 1), np.float32)
    return likely / likely.sum()


def _agreed(*kinds: Floats) -> Floats:
    """(N, K) what several looks say together: the mean of their logarithms, summing to 1."""
    likely = np.exp(np.mean([np.log(np.maximum(kind, 1e-4)) for kind in kinds], axis=0))
    return (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)

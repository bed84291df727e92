"""Shows the detector's boxes to the finder and the verifier."""

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
"""The finder skips a box that the verifier gives a lower probability of a die, and takes no second look if it gives a
lower one itself."""
CLEAR: Final = 0.8
"""A box whose mask is less clear than this (`Examined.clear`) gets a second look; the median is 0.9."""
SURE_BOX: Final = 0.5
"""Boxes with at least this score are shown to the finder first;"""
SURE_DIE: Final = 0.98
"""the verifier skips them if the finder gives a die at least this probability and its mask is clear."""
SURE_KIND: Final = 0.97
"""A crop whose likeliest kind has a lower probability than this gets a second look."""
PLAIN: Final = 0.85
"""A die is plainly seen from this probability on. If it is not, the rivals of its box are examined, too; if the finder
looks first and plainly sees it, the verifier cannot give it less than HARDLY."""


def examine(search: Search) -> None:
    """Examine the boxes, but leave the rivals of surer boxes for later."""
    firsts = nms([box for box, _ in search.boxes], [score for _, score in search.boxes], RIVAL)
    search.rivals = [pair for i, pair in enumerate(search.boxes) if i not in firsts]
    search.examined = look_into(search, [search.boxes[i] for i in firsts])


def rivals(search: Search) -> None:
    """Examine the rivals of boxes in which no die is plainly seen."""
    plainly = ((one, one.verified * max(expected(one.kinds, search.shapes))) for one in search.examined)
    unclear = [one.box for one, plain in plainly if plain < PLAIN]
    if unclear:
        around = [
            pair
            for pair in search.rivals
            if any(intersection_over_union(pair[0], box) > RIVAL for box in unclear)
        ]
        search.examined += look_into(search, around)


def look_into(search: Search, boxes: Sequence[tuple[Box, float]]) -> list[Examined]:
    """Examine boxes, given with the detector's scores; those that hardly contain a die are left out.

    If the detector is sure, the finder looks first; the verifier skips the dice that the finder is sure of, and cannot
    rule out those it plainly sees. Unclear boxes are shown to the finder again, mirrored.
    """
    looks: dict[int, Examined] = {}

    def look(which: Sequence[int]) -> None:
        crops = [crop_map(boxes[i][0]) for i in which]
        pixels = [search.picture.cut(crop) for crop in crops]
        found = search.found(pixels)
        for i, crop, inside, (seen, kinds) in zip(which, crops, pixels, found, strict=True):
            looks[i] = Examined(*boxes[i], crop, inside, seen, kinds)

    look([i for i, (_, score) in enumerate(boxes) if score >= SURE_BOX])
    doubted = [
        i
        for i in range(len(boxes))
        if i not in looks or looks[i].clear < CLEAR or looks[i].die < SURE_DIE
    ]
    verified = dict(zip(doubted, verify(search, [boxes[i][0] for i in doubted]), strict=True))
    plainly = [i for i in doubted if i in looks and looks[i].die >= PLAIN]
    verified |= {i: max(verified[i], HARDLY) for i in plainly}
    likely = [i for i in range(len(boxes)) if verified.get(i, 1.0) >= HARDLY]
    look([i for i in likely if i not in looks])
    unclear = [
        i
        for i in likely
        if looks[i].die >= HARDLY and (looks[i].clear < CLEAR or looks[i].kinds.max() < SURE_KIND)
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
    """Probability, 0 … 1, that each box contains a die, judging by its surroundings and by what was there before.

    Windows that may contain a die are shown again, mirrored.
    """
    if not boxes:
        return []
    windows = np.stack([search.picture.cut(crop_map(box, SURROUNDINGS)) for box in boxes])
    likely = search.likely(windows)
    again: list[int] = np.flatnonzero(likely.min(axis=1) >= HARDLY).tolist()
    if again:
        likely[again] = _agreed(likely[again], search.likely(windows[again][:, :, ::-1]))
    return [float(_weighed(die, search.odds(box))[1]) for box, die in zip(boxes, likely, strict=True)]


def _weighed(kinds: Floats, odds: float) -> Floats:
    """(K,) probabilities of the kinds, no die first, after multiplying the odds of a die."""
    likely = kinds * np.array([1.0] + [odds] * (len(kinds) - 1), np.float32)
    return likely / likely.sum()


def _agreed(*kinds: Floats) -> Floats:
    """(N, K) the geometric mean of the probabilities that several looks give, summing to 1."""
    likely = np.exp(np.mean([np.log(np.maximum(kind, 1e-4)) for kind in kinds], axis=0))
    return (likely / likely.sum(axis=1, keepdims=True)).astype(np.float32)

"""Combines several frames of dice that lie still.

Each frame gives a probability for each face. For every die the frames' log odds are averaged face by face: a
logarithmic opinion pool (Genest and Zidek, Statistical Science 1, 1986) with equal weights. They are not added up, as
for independent looks, because the frames share the lamp, the angle and the die's wear: five frames with the same error
are no surer than one. The average removes what differs from frame to frame: noise, focus, exposure and the position of
the pixel grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean

from vision.boxes import Box, middles_apart
from vision.confidence import logistic, logit
from vision.dicesets.shapes import Shape
from vision.reading import Alternative, DieReading, Reading

SAME_PLACE = 0.4
"""Boxes in two frames are of the same die if their centres are closer than this share of a box's longer side."""

Shown = tuple[Shape, str]


def combined(readings: Sequence[Reading], certain: float) -> Reading:
    """One reading of all dice that at least half of these frames show, the newest frame last.

    A die's place comes from the frame that is surest of its face. `certain` is the least confidence without a question,
    as for a single frame. Finds in fewer frames, or only among the faint ones, are faint.
    """
    followed = _followed([one.dice for one in readings])
    dice = _ordered(_pooled(die, certain) for die in followed if 2 * len(die) >= len(readings))
    anything = _followed([(*one.dice, *one.faint) for one in readings])
    unlike = [die for die in anything if not any(_here(die[0], one) for one in dice)]
    faint = _ordered(replace(_pooled(die, certain), certain=False) for die in unlike)
    newest = readings[-1]
    troubles = (one.trouble for one in reversed(readings) if one.trouble)
    doubtful = not all(die.certain for die in dice)
    trouble = next(troubles, None) if doubtful or not dice else None
    return replace(newest, dice=dice, trouble=trouble, faint=faint, frames=tuple(readings))


def _ordered(dice: Iterable[DieReading]) -> tuple[DieReading, ...]:
    return tuple(sorted(dice, key=lambda die: die.centre))


def _here(first: DieReading, second: DieReading) -> bool:
    return _apart(first.box, second.box) < SAME_PLACE


def _followed(frames: Sequence[Sequence[DieReading]]) -> list[list[DieReading]]:
    """For each die, its readings in the frames that show it."""
    found: list[list[DieReading]] = []
    for frame in frames:
        free = list(found)
        for die in frame:
            near = min(free, key=lambda one: _apart(one[0].box, die.box), default=None)
            if near is not None and _here(near[0], die):
                near.append(die)
                free.remove(near)
            else:
                found.append([die])
    return found


def _apart(first: Box, second: Box) -> float:
    """Distance between the centres of two boxes, as a share of the first one's longer side."""
    return middles_apart(first, second) / max(first[2] - first[0], first[3] - first[1], 1.0)


def _pooled(seen: Sequence[DieReading], certain: float) -> DieReading:
    """One die with the frames' average log odds of each face; a face that a frame does not name is unlikely there."""
    named: list[dict[Shown, float]] = [
        {(die.shape, one.face): one.confidence for one in die.alternatives} for die in seen
    ]
    odds = {shown: fmean(logit(one.get(shown, 0.0)) for one in named) for frame in named for shown in frame}
    if not odds:
        return seen[-1]
    shape, face = best = max(odds, key=lambda shown: odds[shown])
    surest = max(
        (pair for pair in zip(seen, named, strict=True) if pair[0].shape is shape),
        key=lambda pair: pair[1].get(best, 0.0),
    )[0]
    ranked = sorted((shown for shown in odds if shown[0] is shape), key=lambda shown: -odds[shown])
    distinct = 2 * sum(die.distinct and die.face == face for die in seen) > len(seen)
    believed = logistic(odds[best])
    return replace(
        surest,
        face=face,
        certain=distinct and believed >= certain,
        confidence=believed,
        alternatives=tuple(Alternative(one, logistic(odds[shape, one])) for _, one in ranked),
        die=logistic(fmean(logit(one.die) for one in seen)),
        distinct=distinct,
        odd=2 * sum(die.odd for die in seen) > len(seen),
    )

"""Fits `vision.confidence` on labelled folders: when is a reading right, and when is it no die at all?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.evaluate.run import evaluate
from vision.confidence import SIGNS, ConfidenceModel
from vision.dicesets.model import DiceSet
from vision.reader import Reader

Floats = NDArray[np.float64]

RIDGE = 1.0
"""On every weight but the first."""
ROUNDS = 40
SILENT = 0.003
"""Share of all dice that may be silently wrong: `certain` is the least threshold that keeps to it."""
LEAST_DIE = 0.6
"""Chance of a die below which nothing is shown. Of ten things between a half and this, in the folders it was fitted on,
four were no dice, and three were dice that were read right."""
EVERYTHING = ConfidenceModel((0.0,) * len(SIGNS), (0.0,) * len(SIGNS), least_die=0.0, certain=1.0)
"""Leaves nothing out and is sure of nothing."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One die that was found in a labelled picture."""

    signs: tuple[float, ...]
    is_die: bool
    is_right: bool


def collect(folder: Path, dice_set: DiceSet, weights: Path) -> list[Judgement]:
    """Read a labelled folder with nothing left out, and judge every die that was found."""
    verdict = evaluate(folder, dice_set, Reader(dice_set, weights, EVERYTHING).read)
    return [
        Judgement(judged.die.signs, judged.label is not None, judged.right)
        for picture in verdict.pictures
        for judged in picture.dice
        if judged.die is not None
    ]


def fit_confidence(
    folders: Sequence[Sequence[Judgement]], strange: Sequence[Sequence[Judgement]] = ()
) -> ConfidenceModel:
    """The two models and their thresholds; every folder counts the same, however many dice lie in it.

    `strange` folders, whose tables are full of things that are no dice, teach what is none; when to believe a reading
    is learnt from the others, where dice lie as they do on people's tables.
    """
    signs, votes, judged = _table([*folders, *strange])
    die = _logistic(signs, np.array([one.is_die for one in judged], np.float64), votes)
    signs, votes, judged = _table(folders)
    is_right = np.array([one.is_right for one in judged], np.float64)
    right = _logistic(signs, is_right, votes)
    kept = _shares(signs @ die) >= LEAST_DIE
    certain = _threshold(_shares(signs @ right)[kept], is_right[kept], votes[kept])
    return ConfidenceModel(tuple(die.tolist()), tuple(right.tolist()), round(LEAST_DIE, 4), round(certain, 4))


def _table(folders: Sequence[Sequence[Judgement]]) -> tuple[Floats, Floats, list[Judgement]]:
    """(N, signs) of all that was found, the (N,) weight of each, and what it was; votes are 1 on average."""
    judged = [one for folder in folders for one in folder]
    shares = np.concatenate([np.full(len(folder), 1 / max(len(folder), 1)) for folder in folders])
    return np.array([one.signs for one in judged]), shares * (len(judged) / len(folders)), judged


def _logistic(signs: Floats, true: Floats, votes: Floats) -> Floats:
    """Weights of a ridge-regularised logistic regression, by Newton's method."""
    weights = np.zeros(signs.shape[1])
    ridge = np.full(signs.shape[1], RIDGE)
    ridge[0] = 1e-3
    for _ in range(ROUNDS):
        likely = _shares(signs @ weights)
        slope = signs.T @ (votes * (true - likely)) - ridge * weights
        bend = (signs * (votes * likely * (1 - likely))[:, None]).T @ signs + np.diag(ridge)
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def _threshold(likely: Floats, true: Floats, votes: Floats) -> float:
    """The least confidence above which at most SILENT of all dice are wrong."""
    order = np.argsort(-likely)
    wrong = np.cumsum(votes[order] * (1 - true[order])) / max(float(votes.sum()), 1e-9)
    allowed = np.flatnonzero(wrong <= SILENT)
    return float(likely[order][allowed[-1]]) if len(allowed) else 1.0


def _shares(sums: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(sums, -30, 30)))

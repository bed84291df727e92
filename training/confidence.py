"""Fits `vision.confidence` to labelled folders: the probabilities that a find is a die, and that it was read right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from training.evaluate.enrolling import ENROLLED, measure
from training.evaluate.run import PictureVerdict, evaluate
from vision.confidence import FEATURES, ConfidenceModel
from vision.dicesets.library import find
from vision.dicesets.model import DiceSet
from vision.reader import Reader

Floats = NDArray[np.float64]

RIDGE = 1.0
"""Ridge penalty on every weight but the first."""
ROUNDS, CLOSE = 40, 1e-6
"""Most steps of Newton's method, and the change of a weight below which it stops."""
FOLDS = 5
SILENT = 0.004
"""Allowed share of dice that are certain and wrong, on pictures that are harder than a table at home."""
SURE = 0.95
"""Confidence level of that bound."""
STRANGE = 5.0
"""Weight of a folder full of other things; an ordinary one has 1. There are more kinds of things than of dice."""
LEAST_DIE = 0.5
"""Finds with a lower probability of a die are not shown. Of thirteen finds between this and 0.6, in unused pictures,
seven were dice read right, and three were not dice."""
AGAINST: Final = ("strangeness", "odd_size")
"""Features that can only lower a probability;"""
EITHER: Final = ("one", "enrolled", "twisted")
"""features that may raise or lower it. All others can only raise it: similarity is never evidence against a face."""
EVERYTHING = ConfidenceModel((0.0,) * len(FEATURES), (0.0,) * len(FEATURES), least_die=0.0, certain=1.0, least_odd=0.0)
"""Shows everything and is certain of nothing."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One find in a labelled picture."""

    features: tuple[float, ...]
    is_die: bool
    is_right: bool
    distinct: bool = True
    """False for a die that is asked about whatever its confidence: one that hardly resembles its set's pictures."""


def collect(folder: Path, dice_set: DiceSet, weights: Path) -> list[Judgement]:
    """Read a labelled folder, leaving nothing out, and judge every find."""
    verdict = evaluate(folder, dice_set, Reader(dice_set, weights, EVERYTHING).read)
    return [one for picture in verdict.pictures for one in judgements(picture)]


def judgements(picture: PictureVerdict) -> list[Judgement]:
    """Every find in a judged picture."""
    return [
        Judgement(one.die.features, one.label is not None, one.right, one.die.distinct)
        for one in picture.dice
        if one.die is not None
    ]


def collect_enrolled(folder: Path, weights: Path) -> list[list[Judgement]]:
    """Judge the dice of made-up sets (`training.synth.unseen`), enrolled from one and from three pictures a face."""
    reader = Reader(find("pips"), weights, EVERYTHING)
    measured = measure(folder, reader)
    return [
        [die for one in measured for picture in one.verdicts[count].pictures for die in judgements(picture)]
        for count in ENROLLED
    ]


def fit_confidence(
    folders: Sequence[Sequence[Judgement]], strange: Sequence[Sequence[Judgement]] = ()
) -> ConfidenceModel:
    """The two models and their thresholds; every folder of dice has the same weight.

    The `strange` folders, whose tables are full of other things, only teach the model for dice. The model for a right
    reading learns from the other folders, but not from dice that are asked about whatever their confidence. The
    threshold for a certain reading is set by cross-validation: each fifth of every folder is judged by models fitted
    to the other four.
    """
    likely: list[float] = []
    truly: list[bool] = []
    for fold in range(FOLDS):
        apart = [one for folder in folders for one in _fifth(folder, fold)]
        others = [[one for k in range(FOLDS) if k != fold for one in _fifth(folder, k)] for folder in folders]
        judge = _models(others, strange)
        kept = [one for one in apart if judge.is_die(one.features) >= LEAST_DIE]
        likely += [judge.is_right(one.features) if one.distinct else 0.0 for one in kept]
        truly += [one.is_right for one in kept]
    certain = _threshold(np.array(likely), np.array(truly))
    return replace(_models(folders, strange), certain=round(certain, 4))


def _models(
    folders: Sequence[Sequence[Judgement]], strange: Sequence[Sequence[Judgement]]
) -> ConfidenceModel:
    """The two models, without a threshold for certain readings."""
    features, votes, judged = _table([*folders, *strange])
    votes[sum(map(len, folders)) :] *= STRANGE
    # Prints and cards are large, but that is no evidence against a large die.
    die = _signed(features, np.array([one.is_die for one in judged], np.float64), votes, unused=("size",))
    features, votes, judged = _table([[one for one in folder if one.distinct] for folder in folders])
    right = _signed(features, np.array([one.is_right for one in judged], np.float64), votes)
    return ConfidenceModel(tuple(die.tolist()), tuple(right.tolist()), LEAST_DIE, certain=1.0)


def _fifth(folder: Sequence[Judgement], fold: int) -> Sequence[Judgement]:
    """Consecutive dice, so that dice of one picture and of one enrolled set mostly stay together."""
    return folder[fold * len(folder) // FOLDS : (fold + 1) * len(folder) // FOLDS]


def _table(folders: Sequence[Sequence[Judgement]]) -> tuple[Floats, Floats, list[Judgement]]:
    """The features (N, FEATURES) of all finds, their weights (N,), 1 on average, and the judgements."""
    judged = [one for folder in folders for one in folder]
    shares = np.concatenate([np.full(len(folder), 1 / max(len(folder), 1)) for folder in folders])
    return np.array([one.features for one in judged]), shares * (len(judged) / len(folders)), judged


def _signed(features: Floats, true: Floats, votes: Floats, unused: Sequence[str] = ()) -> Floats:
    """Weights of a logistic regression in which each feature has its allowed sign (AGAINST, EITHER).

    The feature that violates its sign most is removed (weight 0), until none does.
    """
    senses = np.array([0 if name in EITHER else -1 if name in AGAINST else 1 for name in FEATURES])
    used = [i for i, name in enumerate(FEATURES) if name not in unused]
    while True:
        weights = np.zeros(len(FEATURES))
        weights[used] = _logistic(features[:, used], true, votes)
        sense = weights * senses * features.std(axis=0)
        if sense.min() >= 0:
            return weights
        used.remove(int(sense.argmin()))


def _logistic(features: Floats, true: Floats, votes: Floats) -> Floats:
    """Weights of a ridge-regularised logistic regression, by Newton's method; the first feature is 1."""
    weights = np.zeros(features.shape[1])
    ridge = np.full(features.shape[1], RIDGE)
    ridge[0] = 1e-3
    for _ in range(ROUNDS):
        likely = _shares(features @ weights)
        slope = features.T @ (votes * (true - likely)) - ridge * weights
        bend = (features * (votes * likely * (1 - likely))[:, None]).T @ features + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if np.abs(step).max() < CLOSE:
            break
    return weights


def _threshold(likely: Floats, right: NDArray[np.bool_]) -> float:
    """The least confidence above which, with the probability SURE, at most SILENT of all dice are wrong."""
    order = np.argsort(-likely)
    allowed = -1
    while most_share(allowed + 1, len(right)) <= SILENT:
        allowed += 1
    within = np.flatnonzero(np.cumsum(~right[order]) <= allowed)
    return float(likely[order][within[-1]]) if len(within) else 1.0


def most_share(count: int, of: int) -> float:
    """The upper end of the exact one-sided confidence interval of a share that was seen `count` times in `of`.

    Clopper and Pearson, Biometrika 26 (1934): the share at which so few would be seen with the probability 1 - SURE.
    """
    low, high = count / of, 1.0
    while high - low > 1e-6:
        share = (low + high) / 2
        few = sum(math.comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(count + 1))
        low, high = (share, high) if few > 1 - SURE else (low, share)
    return high


def _shares(sums: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(sums, -30, 30)))

"""The probability that a die was read right, from everything that was seen of it.

The matcher only knows how alike two pictures are. It does not know that the outline was ragged, that the thing hardly
looked like a die, or that no other die lies on its plane. Two logistic models weigh all of this: one gives the
probability of a die, the other that it is a die and read right. `training.confidence` fits them to labelled folders.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.detection import Detection
from vision.network import WEIGHTS, WeightsError, verify
from vision.reading import DieReading

FILE = "confidence.json"
SIDE = 40.0
"""Side in pixels from which a face is not small."""
LIKENESS = 0.85
"""Cosine of a typical face to its picture."""
WELL = 0.8
"""A box that fits a die's body better than this counts no more."""
LEAST_ODDS = 0.005
"""Probabilities are held this far from 0 and 1, so that a single feature or frame never outvotes all others."""
SIZES_VARY = (0.2, 0.6)
"""Differences in size between dice that lie together, as logarithms: up to the first they mean nothing, then ever more,
and beyond the second no more, so that a die twice as large as the others is asked about, not left out."""
ALIKE = 0.94
"""A face with at least this cosine to a picture of these very dice, and no rival, surely is one of theirs;"""
KNOWN_DIE = 0.9
"""its probability of a die is then at least this, since finder and verifier never saw these dice."""


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """The two models, with one weight for each of FEATURES, and their thresholds."""

    die: tuple[float, ...]
    right: tuple[float, ...]
    least_die: float
    """Things with a lower probability of a die are left out of the reading."""
    certain: float
    """Readings with at least this confidence raise no question."""
    least_odd: float = 0.95
    """The same as `least_die`, for things that look like none of the set's dice."""

    def is_die(self, features: tuple[float, ...]) -> float:
        """Probability of a die of the set, 0 … 1."""
        return logistic(_weighed(self.die, features))

    def shows(self, read: DieReading) -> bool:
        """Whether a reading may be one of the set's dice, certain or not."""
        return read.die >= (self.least_odd if read.odd else self.least_die)

    def is_right(self, features: tuple[float, ...]) -> float:
        """Probability of a die that shows the face it was read as, 0 … 1.

        It is at most the probability of a die, whose model alone has learnt from tables full of other things.
        """
        return min(self.is_die(features), logistic(_weighed(self.right, features)))


FEATURES = (
    "one", "face", "margin", "similarity", "steady", "boxed", "die", "verified", "overlap", "strangeness", "box",
    "size", "enrolled", "twisted", "odd_size",
)  # fmt: skip
"""The features that the models weigh, in order. If a numeral was read, the face's likeness to a drawing does not count
(`vision.identify.READ_COUNTS` says why); its likeness to a picture of these very dice does."""


def features_of(detection: Detection, read: DieReading, *, enrolled: bool = False) -> tuple[float, ...]:
    """The features of one die, scaled to about the same size; FEATURES names them.

    `enrolled` if the set is known by pictures of these very dice. A drawing may also lie printed on the table.
    """
    ranked = [alternative.confidence for alternative in read.alternatives[:2]] + [0.0, 0.0]
    corners = detection.corners
    around = zip(corners, [*corners[1:], corners[0]], strict=True)
    side = sum(math.dist(a, b) for a, b in around) / len(corners)
    alike = enrolled and read.similarity >= ALIKE and read.confidence >= 1 - 2 * LEAST_ODDS
    known = KNOWN_DIE if alike else 0.0
    least, most = SIZES_VARY
    odd = (min(max(detection.odd_size, least), most) - least) / (most - least)
    return (
        1.0,
        logit(read.confidence),
        ranked[0] - ranked[1],
        read.similarity - LIKENESS if read.written is None or enrolled else 0.0,
        1.0 if read.steady else 0.0,
        logit(detection.boxed),
        logit(max(detection.die, known)),
        logit(max(detection.verified, known)),
        detection.overlap,
        min(detection.strangeness, 0.3) / 0.1,
        min(detection.fits_box, WELL),
        min(max(math.log(max(side, 1.0) / SIDE), -1.5), 0.0),
        1.0 if enrolled else 0.0,
        1.0 if read.shape.twisted else 0.0,
        4 * odd**3,
    )


def load(weights: Path = WEIGHTS) -> ConfidenceModel:
    """The fitted models beside the networks. WeightsError, in one line, if they are missing or damaged."""
    path = weights / FILE
    if not path.is_file():
        raise WeightsError(
            "{file} is missing from {folder}; create it with `tableside train confidence`",
            file=FILE, folder=str(weights),
        )  # fmt: skip
    verify(path)
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if tuple(stored["features"]) != FEATURES:
            raise ValueError("other features")
        die, right = (tuple(float(w) for w in stored[name]) for name in ("die", "right"))
        if not len(die) == len(right) == len(FEATURES):
            raise ValueError("other features")
        return ConfidenceModel(die, right, float(stored["least_die"]), float(stored["certain"]))
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            "{file} needs one weight for each of {features}: {why}",
            features=", ".join(FEATURES), file=FILE, why=str(error),
        ) from error  # fmt: skip


def save(model: ConfidenceModel, target: Path) -> None:
    """Write the models to a file that `load` reads."""
    stored = {
        "features": FEATURES,
        "die": [round(w, 4) for w in model.die],
        "right": [round(w, 4) for w in model.right],
        "least_die": model.least_die,
        "certain": model.certain,
    }
    target.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def logit(share: float) -> float:
    """The log odds of a probability, held LEAST_ODDS away from 0 and 1."""
    kept = min(max(share, LEAST_ODDS), 1 - LEAST_ODDS)
    return math.log(kept / (1 - kept))


def logistic(odds: float) -> float:
    """The probability with these log odds."""
    return 1 / (1 + math.exp(-odds))


def _weighed(weights: tuple[float, ...], features: tuple[float, ...]) -> float:
    return sum(w * s for w, s in zip(weights, features, strict=True))

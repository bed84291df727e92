"""How far a reading is to be believed, from everything that was seen of the die.

The matcher knows how alike two pictures are; it does not know that the outline was ragged, that the die was hardly one,
or that no other die lies on that plane. Two logistic models weigh all of it: one says whether a die lies there at all,
the other whether its face is read right. `training.confidence` fits them on labelled folders.
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
"""Side of a face, in pixels, that is neither small nor large."""
WELL = 0.8
"""A box that fits a die's body as well as this fits it well, or no plane says otherwise."""
LEAST_ODDS = 0.005
"""Least share of doubt, and of belief, that a single sign or frame has: none outvotes all the others."""
SIZES_VARY = (0.2, 0.6)
"""By how much dice that lie together differ in size, as a logarithm, before it tells anything, and where it tells no
more: a die twice as large as the others is asked about, not left out."""
ALIKE = 0.94
"""Cosine to a picture of these very dice from which a face, if it can be no other, surely is on one of them."""
KNOWN_DIE = 0.9
"""Least probability of a die for such a face, whatever finder and verifier say: they never saw these dice."""


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """The two models: a weight for each sign, and where to stop asking."""

    die: tuple[float, ...]
    right: tuple[float, ...]
    least_die: float
    """What is less likely a die than this is left out of the reading."""
    certain: float
    """Least confidence of a reading that nobody is asked about."""
    least_odd: float = 0.95
    """What looks like none of the set's dice, and is less likely a die than this, is left out, too."""

    def is_die(self, signs: tuple[float, ...]) -> float:
        """How likely a die of the set lies there, 0 … 1."""
        return logistic(_weighed(self.die, signs))

    def shows(self, read: DieReading) -> bool:
        """Whether what was read may be one of the set's dice, certain or not."""
        return read.die >= (self.least_odd if read.odd else self.least_die)

    def is_right(self, signs: tuple[float, ...]) -> float:
        """How likely a die lies there and shows the face it was read as, 0 … 1."""
        return logistic(_weighed(self.right, signs))


SIGNS = (
    "one", "face", "margin", "similarity", "steady", "boxed", "die", "verified", "overlap", "strangeness", "box",
    "size", "enrolled", "written", "twisted", "odd_size",
)  # fmt: skip
"""What the models weigh, in order. Where a numeral was read, it does not count how alike the face and a drawing of it
are (`vision.identify.READ_COUNTS` says why); a picture of these very dice does."""


def signs_of(detection: Detection, read: DieReading, *, enrolled: bool = False) -> tuple[float, ...]:
    """What was seen of one die, as numbers of about the same size; SIGNS names them.

    `enrolled` where the set is known by pictures of these very dice. A drawing may lie printed on the table as well.
    """
    ranked = [alternative.confidence for alternative in read.alternatives[:2]] + [0.0, 0.0]
    corners = detection.corners
    around = zip(corners, [*corners[1:], corners[0]], strict=True)
    side = sum(math.dist(a, b) for a, b in around) / len(corners)
    alike = enrolled and read.similarity >= ALIKE and read.confidence >= 1 - 2 * LEAST_ODDS
    known = KNOWN_DIE if alike else 0.0
    least, most = SIZES_VARY
    return (
        1.0,
        logit(read.confidence),
        ranked[0] - ranked[1],
        read.similarity if read.written is None or enrolled else 0.0,
        1.0 if read.steady else 0.0,
        logit(detection.boxed),
        logit(max(detection.die, known)),
        logit(max(detection.verified, known)),
        detection.overlap,
        min(detection.strangeness, 0.3) / 0.1,
        min(detection.fits_box, WELL),
        min(max(math.log(max(side, 1.0) / SIDE), -1.5), 1.5),
        1.0 if enrolled else 0.0,
        0.0 if read.written is None else logit(read.written),
        1.0 if read.shape.twisted else 0.0,
        (min(max(detection.odd_size, least), most) - least) / least,
    )


def load(weights: Path = WEIGHTS) -> ConfidenceModel:
    """The fitted models beside the networks. WeightsError, in one line, when they are missing or damaged."""
    path = weights / FILE
    if not path.is_file():
        raise WeightsError(
            "{file} is missing from {folder}; create it with `tableside train confidence`",
            file=FILE, folder=str(weights),
        )  # fmt: skip
    verify(path)
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if tuple(stored["signs"]) != SIGNS:
            raise ValueError("other signs")
        die, right = (tuple(float(w) for w in stored[name]) for name in ("die", "right"))
        if not len(die) == len(right) == len(SIGNS):
            raise ValueError("other signs")
        return ConfidenceModel(die, right, float(stored["least_die"]), float(stored["certain"]))
    except (ValueError, KeyError, TypeError) as error:
        raise WeightsError(
            "{file} needs one weight for each of {signs}: {why}",
            signs=", ".join(SIGNS), file=FILE, why=str(error),
        ) from error  # fmt: skip


def save(model: ConfidenceModel, target: Path) -> None:
    """Write the models where `load` finds them."""
    stored = {
        "signs": SIGNS,
        "die": [round(w, 4) for w in model.die],
        "right": [round(w, 4) for w in model.right],
        "least_die": model.least_die,
        "certain": model.certain,
    }
    target.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def logit(share: float) -> float:
    """The log odds of a probability, held to LEAST_ODDS on both sides."""
    kept = min(max(share, LEAST_ODDS), 1 - LEAST_ODDS)
    return math.log(kept / (1 - kept))


def logistic(odds: float) -> float:
    """The probability that log odds stand for."""
    return 1 / (1 + math.exp(-odds))


def _weighed(weights: tuple[float, ...], signs: tuple[float, ...]) -> float:
    return sum(w * s for w, s in zip(weights, signs, strict=True))

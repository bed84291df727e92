"""The five games with the cat dice."""

from __future__ import annotations

from advice.cats.hands import EveryoneScoresAdviser, QuintuplesAdviser
from advice.cats.pairs import PairsAdviser
from advice.cats.race import CalledShotAdviser, TriplesAdviser

ADVISERS = {
    "pairs": PairsAdviser,
    "triples": TriplesAdviser,
    "called-shot": CalledShotAdviser,
    "quintuples": QuintuplesAdviser,
    "everyone-scores": EveryoneScoresAdviser,
}

"""The five games with cat dice."""

from __future__ import annotations

from scoring.games.cats.called_shot import CalledShot
from scoring.games.cats.everyone_scores import EveryoneScores
from scoring.games.cats.pairs import Pairs
from scoring.games.cats.quintuples import Quintuples
from scoring.games.cats.triples import Triples

GAMES = (Pairs(), Triples(), CalledShot(), Quintuples(), EveryoneScores())

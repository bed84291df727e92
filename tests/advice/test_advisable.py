"""Whether there is something to ask the expert about, known without asking."""

from __future__ import annotations

from pathlib import Path

import pytest

from advice import Advisers, advisable
from advice.record import NoAdviceError
from scoring.games import available
from scoring.match import replay
from tests.playthroughs.transcript import played

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"

NOTHING_TO_DECIDE = {"destiny", "everyone-scores", "ten-thousand", "tally"}
"""Destiny has no adviser, nor has a game file whose dice are set aside; the recorded match of Everyone Scores is played
without re-rolls; in Tally there is nothing to choose."""


@pytest.mark.parametrize("game", [one.id for one in available()])
def test_what_is_not_offered_is_refused_when_asked(game: str):
    match, _ = played((PLAYTHROUGHS / f"{game}.txt").read_text(encoding="utf-8"))
    heads, offered = Advisers(), 0
    for count in range(len(match.events)):
        so_far = replay(match.game, match.header, match.events[:count])
        offered += advisable(so_far)
        if not advisable(so_far):
            with pytest.raises(NoAdviceError):
                heads.for_match(so_far)
    assert (offered > 0) == (game not in NOTHING_TO_DECIDE)
    assert not advisable(match), "the match is over"

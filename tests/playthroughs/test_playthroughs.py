"""Every registered game has a golden match, short enough to read in a diff, and still plays it so."""

from __future__ import annotations

from pathlib import Path

import pytest
from transcript import played

from scoring.games import available, find
from scoring.logfile import read, written

HERE = Path(__file__).parent
GAMES = [game.id for game in available()]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_a_playthrough(game: str):
    assert (HERE / f"{game}.txt").is_file(), (
        f"no playthrough of {game}: see transcript.py on how to write one"
    )


@pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_it_is_played_as_written(path: Path):
    text = path.read_text(encoding="utf-8")
    match, again = played(text)
    assert again == text
    assert match.outcome, "a playthrough goes on to the end of the match"
    assert len(text.splitlines()) < 320
    assert read(written(match), find).state == match.state

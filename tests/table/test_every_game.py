"""Every game sits down at this table: its dice are read, its decisions taken, its state shown."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from scoring.actions import DrawAwaited, Family, Move, RollAwaited
from scoring.game import AnyGame
from scoring.games import available
from scoring.logfile import read
from tests.fakes import Evening

GAMES = [game for game in available() if game.dice.count]


def rolled(game: AnyGame, awaited: RollAwaited, chance: random.Random) -> str:
    again = awaited.dice - len(awaited.kept)
    return ", ".join((*awaited.kept, *(chance.choice(game.dice.faces) for _ in range(again))))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_game_is_played_by_rolls_and_offered_decisions(game: AnyGame, tmp_path: Path):
    chance = random.Random(game.id)
    evening = Evening(tmp_path, game.id, ["Alice", "Bob", "Cleo", "Dan"][: max(2, game.seats[0])])
    session, output = evening.session, evening.output
    for _ in range(60):
        expected = game.awaits(session.match.state)
        rolling = next((one for one in expected if isinstance(one, RollAwaited)), None)
        if not expected or any(isinstance(one, DrawAwaited) for one in expected):
            break
        if rolling is not None:
            session.roll(rolled(game, rolling, chance))
            continue
        player = session.match.decider
        assert player is not None
        legal = game.legal_moves(session.match.state, player)
        others: list[Move] = [
            move for one in legal for move in (one.members if isinstance(one, Family) else (one,))
        ]
        session.decide(chance.choice(others))
        assert output.last.sentence()
    told = evening.shown
    assert told.title == game.title
    assert told.prompt or told.over
    assert read(evening.store.store.log(evening.store.id), lambda _: game).events == session.match.events

"""What comes out of a pile: said by the people who have it, or drawn by Tableside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring.actions import Draw, IllegalMoveError, Move, Play
from scoring.games.outback.state import EndTurn, Place
from table.session import Session
from tests.fakes import Evening, ListeningOutput


def sitting(folder: Path, game: str, **options: object) -> tuple[Session, ListeningOutput]:
    evening = Evening(folder, game, ["Ann", "Bob"], options=options)
    return evening.session, evening.output


def test_people_say_which_tiles_came_in_any_language(tmp_path: Path):
    session, output = sitting(tmp_path, "outback", start="first")
    session.draw(["Koala", "Känguru", "emu", "emu", "Waran"])
    assert session.match.state.jeep == ("koala", "kangaroo", "emu", "emu", "monitor-lizard")
    assert output.sentences[-1].startswith("On the jeep: two emus, a kangaroo, a koala and a monitor lizard.")
    with pytest.raises(IllegalMoveError, match="there is nothing to draw now"):
        session.draw(["koala"])


def test_what_cannot_have_come_is_refused_and_nothing_changes(tmp_path: Path):
    session, _ = sitting(tmp_path, "outback", start="first")
    for cards in (["koala"], ["koala"] * 6, ["unicorn"] * 5, ["joker"] * 5):
        with pytest.raises(IllegalMoveError):
            session.draw(cards)
    assert session.match.events == ()


def test_once_asked_tableside_goes_on_drawing_until_people_say_what_came(tmp_path: Path):
    session, output = sitting(tmp_path, "outback", start="first")
    session.deal()
    assert len(session.match.state.jeep) == 5
    while session.match.state.turn == 0:  # Ann's turn, with whatever can be laid
        session.roll("koala, koala, emu, emu, kangaroo, joker")
        for move in session.match.game.legal_moves(session.match.state, 0):
            if isinstance(move, Place):
                session.decide(move)
                break
        else:
            continue
        if session.match.state.turn == 0 and session.match.state.placed:
            session.decide(EndTurn())
    assert len(session.match.state.jeep) == 5
    assert "New: " in output.sentences[-1]
    assert output.sentences[-1].endswith("Bob, throw the dice.")


def test_hands_are_dealt_and_never_said(tmp_path: Path):
    session, output = sitting(tmp_path, "destiny", cards="dealt")
    session.deal()
    hands = [side.hand for side in session.match.state.sides]
    assert [len(hand) for hand in hands] == [7, 7]
    said = " ".join(output.sentences)  # whole words: a dragon in hand, the dragons' hoard on the table
    assert not any(re.search(rf"\b{card.replace('-', ' ')}\b", said) for hand in hands for card in hand)
    assert sum(isinstance(one.action, Draw) for one in session.match.played) >= 2


def test_an_undo_takes_what_was_drawn_back_with_the_decision(tmp_path: Path):
    session, _ = sitting(tmp_path, "destiny", cards="dealt")
    session.deal()
    before = session.match.state
    move = session.match.game.legal_moves(before, 0)[0]
    assert isinstance(move, Move)
    session.decide(move, 0)
    session.undo()
    assert session.match.state == before
    with pytest.raises(IllegalMoveError):
        session.decide(EndTurn(), 1)
    assert not any(isinstance(one.action, Play) for one in session.match.played)

"""What devices and other programs are told of a table: everything a page for everybody shows, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from hardware.public_state import PublicEvent, PublicNotice
from messages.message import message
from scoring.actions import Confirm, Fill
from scoring.games import available
from scoring.games import find as find_game
from scoring.match import begin
from table.new_match import dice_for
from table.outlets import PublicOutput
from table.session import Session
from table.storage.store import Store
from tests.fakes import rolled
from tests.web.tables import played


def seated(
    folder: Path, game: str, *players: str, language: str = "en", **options: object
) -> tuple[Session, list[PublicNotice]]:
    told: list[PublicNotice] = []
    match = begin(find_game(game), players or ("Ann", "Bob"), options)
    store = Store.of(folder).begin(match)
    output = PublicOutput(told.append)
    session = Session(match, store, dice_for(match.game), outputs=(output,), language=language)
    session.greet()
    return session, told


@pytest.fixture
def fate(tmp_path: Path) -> tuple[Session, list[PublicNotice]]:
    return seated(tmp_path, "meet-fate")


def test_a_throw_and_its_points_are_events(fate: tuple[Session, list[PublicNotice]]):
    session, told = fate
    assert told[-1].events == (), "a match that begins is none"
    session.roll("2 2 2 2 5 5")
    assert told[-1].events == (PublicEvent("throw", faces=("2", "2", "2", "2", "5", "5")),)
    state = told[-1].state
    assert [die.name for die in state.dice] == ["2", "2", "2", "2", "5", "5"]
    assert (state.throw, state.throws, state.turn) == (1, 3, "Ann")
    session.hold(1)
    assert told[-1].events == ()
    assert told[-1].state.dice[0].held
    session.decide(Fill("chance"))
    assert told[-1].events == (PublicEvent("points", "Ann", 18),)
    assert (told[-1].state.points, told[-1].state.leader) == (18, "Ann")


def test_an_undo_and_a_correction_are_no_events(fate: tuple[Session, list[PublicNotice]]):
    session, told = fate
    session.roll("2 2 2 2 5 5")
    session.decide(Fill("chance"))
    session.undo()
    assert (told[-1].events, told[-1].state.points) == ((), None)
    session.correct(1, "3", "")
    assert told[-1].events == ()
    assert told[-1].state.dice[0].face == "3"
    session.decide(Fill("chance"))
    assert told[-1].events == (PublicEvent("points", "Ann", 19),)


def test_a_win_is_told_once(fate: tuple[Session, list[PublicNotice]]):
    session, told = fate
    session.roll("8 8 8 8 8 8")
    session.decide(Confirm(yes=True))
    assert told[-1].events[-1] == PublicEvent("win", "Ann")
    assert (told[-1].state.over != "", told[-1].state.prompt) == (True, "")
    session.camera_says(message("camera {n} does not open", n=0))
    assert "camera 0" in told[-1].state.camera.lower()
    assert sum(event.type == "win" for notice in told for event in notice.events) == 1


def test_the_last_sentence_stays_until_the_next(fate: tuple[Session, list[PublicNotice]]):
    session, told = fate
    said = told[-1].sentence
    session.saw(rolled(""))  # no die lies there: shown, and nothing is said of it
    assert (told[-1].number, told[-1].sentence, told[-1].state.sentence) == (2, "", said)


def test_a_doubted_throw_is_a_question_and_no_event(fate: tuple[Session, list[PublicNotice]]):
    session, told = fate
    session.saw(rolled("22225"))
    assert told[-1].state.question
    assert told[-1].events == ()


def test_who_leaves_and_comes_keeps_the_id(fate: tuple[Session, list[PublicNotice]]):
    session, told = fate
    ids = {one.name: one.id for one in told[-1].state.players}
    session.seat(["Cleo", "Bob", "Ann"])
    after = {one.name: one.id for one in told[-1].state.players}
    assert list(after) == ["Cleo", "Bob", "Ann"]
    assert ids.items() <= after.items()


def test_texts_are_in_the_tables_language(tmp_path: Path):
    session, told = seated(tmp_path, "triples", language="de")
    session.roll("cat, two-cats, manticore")
    assert [die.name for die in told[-1].state.dice] == ["Katze", "zwei Katzen", "Mantikor"]
    assert [die.face for die in told[-1].state.dice] == ["cat", "two-cats", "manticore"]


def words_of(value: object) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from words_of(one)


def test_no_hand_is_ever_told(tmp_path: Path):
    """Destiny's hands are for one player's eyes: played by lot to the end, no notice names a card that only a hand
    holds."""
    session, told = seated(tmp_path, "destiny", cards="dealt")
    checked = 0
    for _ in played(session, 400):
        state = session.match.state
        public = msgspec.json.decode(msgspec.json.encode(told[-1]))
        text = " ".join(words_of({**public, "state": {**public["state"], "sentence": ""}}))
        shown = json.dumps([str(panel) for panel in session.match.view.panels])
        for side in state.sides:
            for card in set(side.hand):
                if session.match.outcome is None and f"'{card}'" not in shown and card not in shown:
                    checked += 1
                    assert not re.search(rf"\b{re.escape(card.replace('-', ' '))}\b", text), (card, text)
    assert checked > 100


@pytest.mark.parametrize("game", [one.id for one in available()])
def test_every_game_can_be_told(tmp_path: Path, game: str):
    players = ("Ann", "Bob", "Cleo")[: max(find_game(game).seats[0], 2)]
    session, told = seated(tmp_path, game, *players)
    for _ in played(session, 60):
        notice = told[-1]
        assert msgspec.json.decode(msgspec.json.encode(notice), type=PublicNotice) == notice
        assert [one.name for one in notice.state.players] == list(session.match.header.players)
    happened = {event.type for notice in told for event in notice.events}
    assert "points" in happened or session.match.outcome is None
    if session.match.game.dice.count:
        assert "throw" in happened

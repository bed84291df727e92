"""Notices become what a scoreboard shows and what a broker is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hardware.board_state import BoardState
from hardware.protocol import Show, line
from hardware.public_state import PublicNotice
from scoring.actions import Confirm, Fill
from scoring.games import find
from scoring.match import Match, begin
from scoring.view import Seat
from table.outlets import BoardOutput, PublicOutput
from table.session import Session
from table.snapshot import Notice, Snapshot
from table.storage.store import Store
from vision.dicesets.library import find as find_set

FATE = find_set("fate")


@pytest.fixture
def session(tmp_path: Path) -> tuple[Session, list[BoardState], list[PublicNotice]]:
    match = begin(find("meet-fate"), ["Alice", "Jean-François Öz"])
    states: list[BoardState] = []
    messages: list[PublicNotice] = []
    outputs = (BoardOutput(states.append), PublicOutput(messages.append))
    store = Store.of(tmp_path).begin(match)
    return Session(match, store, FATE, outputs=outputs), states, messages


def test_a_turn_as_board_and_broker_get_it(session: tuple[Session, list[BoardState], list[PublicNotice]]):
    table, states, messages = session
    table.greet()
    assert [(seat.name, seat.score) for seat in states[-1].seats] == [("Alice", 0), ("Jean-Françoi", 0)]
    assert states[-1].turn == 0
    assert states[-1].points is None
    table.roll("2 2 2 2 5 5")
    table.decide(Fill("chance"))
    assert states[-1].seats[0].score == 18
    assert (states[-1].points, states[-1].event, states[-1].turn) == (18, 1, 1)
    alice, jean = messages[-1].state.players
    assert (alice.name, alice.score, alice.on_turn, alice.leads) == ("Alice", 18, False, True)
    assert (jean.name, jean.on_turn) == ("Jean-François Öz", True)
    assert (messages[-1].state.points, messages[-1].state.leader) == (18, "Alice")
    assert messages[-1].sentence
    table.undo()
    assert (states[-1].points, states[-1].event, states[-1].turn) == (-18, 2, 0)
    assert len(states) == len(messages)


def notice(*seats: Seat, winners: tuple[int, ...] = ()) -> Notice:
    outcome = SimpleNamespace(winners=winners) if winners else None
    match = cast(Match, SimpleNamespace(view=SimpleNamespace(seats=seats), outcome=outcome))
    return Notice(1, (), Snapshot(match, FATE, "one"))


def shown(*notices: Notice) -> BoardState:
    states: list[BoardState] = []
    output = BoardOutput(states.append)
    for one in notices:
        output.tell(one)
    return states[-1]


def test_the_winner_of_a_match_that_was_played_is_lit(
    session: tuple[Session, list[BoardState], list[PublicNotice]],
):
    table, states, messages = session
    table.roll("8 8 8 8 8 8")
    assert states[-1].winners == frozenset()
    assert not any(player.won for player in messages[-1].state.players)
    table.decide(Confirm(yes=True))
    assert states[-1].winners == {0}
    assert [player.won for player in messages[-1].state.players] == [True, False]
    table.undo()
    assert states[-1].winners == frozenset()


def test_equal_points_twice_are_news_twice():
    before, once, twice = (notice(Seat("A", score, True)) for score in (0, 5, 10))
    assert shown(before, once).points == shown(before, once, twice).points == 5
    assert shown(before, once).event != shown(before, once, twice).event


def test_of_several_changes_the_players_own_counts():
    before = notice(Seat("A", 0, False), Seat("B", 0, True))
    after = notice(Seat("A", 3, True), Seat("B", 9, False))
    assert shown(before, after).points == 9


def test_another_match_is_nobodys_gain():
    state = shown(notice(Seat("A", 50, True)), notice(Seat("C", 0, True)))
    assert (state.points, state.event) == (None, 0)


@pytest.mark.slow
def test_whatever_the_table_says_the_board_can_show():
    """More seats than it has, scores beyond its range, names in any script; every event after 255 others."""
    seats = tuple(
        Seat(f"Łukasz 🎲 {number}" * 3, 10**7 * (-1) ** number, number == 14) for number in range(15)
    )
    state = shown(notice(*seats, winners=(0, 14)))
    assert len(state.seats) == 12
    assert {seat.score for seat in state.seats} == {99_999, -9_999}
    assert state.winners == {0}
    assert line(Show(1, state))
    many = [notice(Seat("A", score, True)) for score in range(300)]
    assert shown(*many).event == 299 % 256
    assert shown(replace(notice(), number=7)).seats == ()

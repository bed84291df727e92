"""What holds for every registered game, whatever is played."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Draw, Family, IllegalMoveError, MoveAwaited, Play, Roll, RollAwaited
from scoring.announcement import offered
from scoring.anyplay import any_action
from scoring.codec import plain
from scoring.game import AnyGame
from scoring.gamefile.game import FileGame
from scoring.games import available, find
from scoring.logfile import read, written
from scoring.match import Correction, Match, Undo, begin, effective
from scoring.options import Option
from scoring.standing import standing
from scoring.view import Panel
from tests.saying import sentences
from words.speaker import speaker

GAMES = {game.id: game for game in available()}

DICE = ["outlander", "meet-fate", "pairs", "triples", "called-shot", "quintuples", "everyone-scores"]

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
seeds = st.integers(0, 2**32)


def any_value(option: Option, rng: random.Random) -> Any:
    if isinstance(option.default, bool):
        return rng.random() < 0.5
    return rng.choice(option.values) if option.values else option.default


def any_match(game: AnyGame, rng: random.Random) -> Match:
    low, high = game.seats
    players = [f"P{i}" for i in range(rng.randint(low, min(high, 5)))]
    options = {option.key: any_value(option, rng) for option in game.options if rng.random() < 0.4}
    return begin(game, players, options)


def some_events(match: Match, rng: random.Random, most: int) -> Match:
    for _ in range(rng.randint(1, most)):
        if match.outcome:
            break
        match = match.add(any_action(match.game, match.state, rng.randrange))
    return match


def corrected(match: Match, rng: random.Random) -> Match:
    """A correction of some earlier throw or draw, keeping the number of dice and cards; seldom to nothing."""
    told = [one for one in match.played if not isinstance(one.action, Play)]
    if not told:
        return match
    one = rng.choice(told)
    if rng.random() < 0.1:
        return match.correct(one.number, ())
    if isinstance(one.action, Draw):
        drawn = [card for other in told if isinstance(other.action, Draw) for card in other.action.cards]
        return match.correct(one.number, [rng.choice(drawn) for _ in one.action.cards])
    assert isinstance(one.action, Roll)
    faces = [rng.choice(match.game.dice.faces) for _ in one.action.faces]
    return match.correct(one.number, faces)


@pytest.mark.slow
@every_game
@settings(max_examples=12, deadline=None)
@given(seed=seeds)
def test_random_play_replays_to_the_same_state(game: AnyGame, seed: int):
    match = some_events(any_match(game, random.Random(seed)), random.Random(seed), 80)
    again = read(written(match), find)
    assert again.state == match.state
    assert again.events == match.events
    assert again.outcome == match.outcome


@pytest.mark.proof
@every_game
def test_a_thousand_whole_matches_end_and_replay_to_the_same_state(game: AnyGame):
    events = 0
    for seed in range(1000):
        rng = random.Random(f"whole/{seed}")
        match, doubtful = any_match(game, rng), seed % 20 == 0
        while not match.outcome:
            match = some_events(match, rng, 50)
            if doubtful and rng.random() < 0.5 and len(match.events) < 2000:
                with contextlib.suppress(IllegalMoveError):
                    match = match.undo() if rng.random() < 0.5 else corrected(match, rng)
                match = match.undo() if match.stop else match
            assert len(match.events) < 20_000, f"match {seed} does not end"
        assert read(written(match), find).state == match.state, f"match {seed}"
        events += len(match.events)
    print(f"{game.id}: 1000 matches ended and replayed, {events} events")


@every_game
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_every_move_on_offer_is_legal_and_the_table_goes_on_until_the_outcome(game: AnyGame, seed: int):
    rng = random.Random(seed)
    match = any_match(game, rng)
    for _ in range(25):
        awaited = game.awaits(match.state)
        assert bool(awaited) == (match.outcome is None)
        for one in awaited:
            for player in one.players if isinstance(one, MoveAwaited) else ():
                legal = game.legal_moves(match.state, player)
                assert legal, f"{player} is asked for {one.what} and can do nothing"
                for move in legal:
                    members = move.members if isinstance(move, Family) else (move,)
                    assert members
                    for member in rng.sample(members, min(len(members), 12)):
                        game.verify(match.state, Play(player, member))
        if not awaited:
            break
        match = match.add(any_action(game, match.state, rng.randrange))


@every_game
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_what_comes_of_play_can_be_shown_and_said(game: AnyGame, seed: int):
    rng = random.Random(seed)
    match = some_events(any_match(game, rng), rng, 60)
    players = match.header.players
    for one in match.played:
        for score in one.step.scores:
            assert sum(line.points for line in score.breakdown) == score.points
            assert all(speaker().say(line.reason) and line.where for line in score.breakdown)
        assert all(speaker("en", players).say(fact) for fact in one.step.facts)
        if isinstance(one.action, Play):
            assert speaker("en", players).say(offered(one.action.move))
    view = game.table(match.state)
    assert [seat.name for seat in view.seats] == list(players)
    for panel in (*view.panels, *game.private(match.state, 0)):
        if isinstance(panel, Panel):
            assert all(len(row) == len(panel.columns) for row in panel.rows)
            written = {panel.title, *panel.columns, *(row[i] for row in panel.rows for i in range(len(row)))}
            marks = {one for seat in view.seats for mark in seat.marks for one in (mark.label, mark.value)}
            assert all(map(said_everywhere, (written | marks) - {*players}))
    assert sentences(match)
    assert len(standing(match).spoken) == len(players)
    assert plain(match.state)


def said_everywhere(cell: object) -> bool:
    """Whether a field of a board is said in every language: figures are the same everywhere."""
    known = isinstance(cell, str) and any(sign.isalpha() for sign in cell)
    return not known or all(
        cell in one.catalogue.said or cell in one.catalogue.names for one in map(speaker, ("de", "fr"))
    )


DICE_GAMES = [game for game in GAMES.values() if game.id in DICE]


@pytest.mark.parametrize("game", DICE_GAMES, ids=[game.id for game in DICE_GAMES])
@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_no_point_is_lost_or_invented(game: AnyGame, seed: int):
    rng = random.Random(seed)
    match = some_events(any_match(game, rng), rng, 120)
    if rng.random() < 0.3:
        match = corrected(match, rng)
    gained = [0] * len(match.header.players)
    for one in match.played:
        for score in one.step.scores:
            gained[score.player] += score.points
            assert score.total == gained[score.player]
    assert gained == [seat.score for seat in game.table(match.state).seats]


@pytest.mark.slow
@every_game
@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_undo_and_correction_append_and_nothing_is_lost(game: AnyGame, seed: int):
    rng = random.Random(seed)
    match = some_events(any_match(game, rng), rng, 40)
    for _ in range(6):
        before = match
        try:
            match = match.undo() if rng.random() < 0.5 else corrected(match, rng)
        except IllegalMoveError:
            continue
        assert match.events[: len(before.events)] == before.events
        if match is not before:
            assert isinstance(match.events[-1], (Undo, Correction))
            assert sentences(match)
        assert read(written(match), find).state == match.state
        if match.stop:
            with pytest.raises(IllegalMoveError):
                match.add(Roll(()))
            match = match.undo()
            assert match.stop is None
        match = some_events(match, rng, 10)
    assert len(effective(match.events)) == len(match.played)


@every_game
@settings(max_examples=6, deadline=None)
@given(seed=seeds)
def test_what_is_not_awaited_is_refused_and_changes_nothing(game: AnyGame, seed: int):
    rng = random.Random(seed)
    match = some_events(any_match(game, rng), rng, 30)
    state = match.state
    awaited = game.awaits(state)
    with pytest.raises(IllegalMoveError):
        match.add(Draw("the moon", ("cheese",)))
    with pytest.raises(IllegalMoveError):
        match.add(Roll(("no such face",) * game.dice.count))
    for one in awaited:
        if isinstance(one, RollAwaited):
            with pytest.raises(IllegalMoveError, match="dice"):
                match.add(Roll((*one.kept, *one.faces[:1] * (one.dice - len(one.kept) + 1))))
        if isinstance(one, MoveAwaited):
            move = any_move_of(game, state, one.players[0])
            outsider = len(match.header.players)
            assert not game.can(state, Play(outsider, move))
            assert not game.can(state, Play(-1, move))
    assert match.state == state


def any_move_of(game: AnyGame, state: Any, player: int) -> Any:
    first = game.legal_moves(state, player)[0]
    return first.members[0] if isinstance(first, Family) else first


@every_game
def test_options_have_a_default_they_accept_an_explanation_and_a_ruling(game: AnyGame):
    keys = [option.key for option in game.options]
    assert len(set(keys)) == len(keys)
    for option in (*game.options, *game.circumstances):
        assert option.read(option.default) == option.default
        assert option.explanation.endswith((".", "?"))
        assert option.ruling or isinstance(game, FileGame)


def test_the_ids_are_those_that_scripts_rely_on():
    assert list(GAMES)[:7] == DICE
    told_by_files = {"yacht", "ten-thousand", "skull-cove", "tally"}
    assert set(GAMES) - set(DICE) <= {"destiny", "outback", "outback-plus"} | told_by_files
    assert find("Called shot") is GAMES["called-shot"]
    with pytest.raises(ValueError, match="expected a game"):
        find("chess")

"""Boards of every game: what they offer is legal, what is legal is offered, and a hand is on none of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from cli.compose import House, pages_of
from scoring.actions import Confirm, Declare, Draw, Family, Fill, Move, Play, Roll
from scoring.anyplay import any_action
from scoring.codec import plain
from scoring.game import AnyGame
from scoring.games import available
from scoring.games import find as find_game
from scoring.games.cats.called_shot import DECLARATIONS
from scoring.games.outlander.cards import Card
from scoring.logfile import move_from
from scoring.match import Match, begin
from table.new_match import dice_for
from table.session import Session
from table.storage.store import Store
from table.table import Table
from web.announcer import Announcer
from web.boards import GameBoard, board_of, hand_of
from web.boards.cats import odds
from web.boards.fields import move_of
from web.boards.race import shortened

OWN_FIELDS = {"hold", "fill", "faces", "change", "points", "tell", "tell-each", "place-in-row", "lose-in-row"}
"""Decisions for which a board has fields, boxes or the dice themselves."""

OPTIONS: dict[str, tuple[dict[str, object], ...]] = {
    "quintuples": ({}, {"reroll": True}),
    "everyone-scores": ({"reroll": True},),
    "outback": ({"start": "first", "jeep_swap": True}, {"board": "unknown"}),
    "outback-plus": ({}, {"board_plus": "2:3 3:4 4:3", "scoring_tile": "drawn"}),
    "outlander": ({"card_timing": "either", "card_optional": True},),
}


def moments(game: AnyGame, options: dict[str, object], most: int) -> Iterator[Match]:
    """A match played by lot, moment by moment."""
    chance, match = random.Random(game.id), begin(game, ["Ann", "Bob", "Cleo"], options)
    for _ in range(most):
        yield match
        if match.outcome:
            return
        match = match.add(any_action(game, match.state, chance.randrange))


def offered(board: GameBoard) -> set[str]:
    """Every decision that a board has a button for."""
    found = {choice.move for group in board.groups for choice in group.choices}
    if board.kind in ("pairs", "called-shot"):
        found |= {one.choice.move for section in board.own.sections for one in section.calls}
    if board.kind == "outlander":
        found |= {choice.move for choice in board.own.cards}
    if board.kind == "outback":
        hexes = [one for shown in board.own.boards for _, row in shown.rows for one in row]
        found |= {lay.move for one in hexes for lay in one.lays}
    return found


def legal(match: Match) -> list[Move]:
    player = match.decider
    listed = () if player is None else match.game.legal_moves(match.state, player)
    return [move for one in listed for move in (one.members if isinstance(one, Family) else (one,))]


CASES = [(game, options) for game in available() for options in OPTIONS.get(game.id, ({},))]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), CASES, ids=lambda one: getattr(one, "id", ""))
def test_every_decision_is_offered_and_every_offer_is_legal(game: AnyGame, options: dict[str, object]):
    for i, match in enumerate(moments(game, options, 150)):
        if i % 3:
            continue
        board, moves = board_of(match, "en", {}), legal(match)
        there = {json.dumps(plain(move), ensure_ascii=False) for move in moves}
        buttons = offered(board)
        assert {json.dumps(json.loads(one)) for one in buttons} <= {
            json.dumps(json.loads(one)) for one in there
        }
        by_button = {json.dumps(plain(move)) for move in moves if move.kind not in OWN_FIELDS}
        assert by_button <= {json.dumps(json.loads(one)) for one in buttons}
        labels = [choice.label for group in board.groups for choice in group.choices]
        assert all(label and "{" not in label for label in labels)


@pytest.mark.slow
@pytest.mark.parametrize("game", available(), ids=lambda game: game.id)
@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_board_is_made_in_every_language(game: AnyGame, language: str):
    for match in moments(game, {}, 60):
        board = board_of(match, language, {})
        assert len(board.stands) == len(match.header.players)


@pytest.mark.parametrize(("game", "options"), CASES, ids=lambda one: getattr(one, "id", ""))
def test_a_move_comes_out_of_a_form_as_it_went_in(game: AnyGame, options: dict[str, object]):
    seen: set[str] = set()
    for match in moments(game, options, 150):
        for move in legal(match):
            if move.kind in seen and random.Random(repr(move)).random() > 0.02:
                continue
            seen.add(move.kind)
            fields: list[tuple[str, str]] = [("kind", move.kind)]
            for name, value in plain(move).items():
                values: list[Any] = [*value] if isinstance(value, list) else [value]
                fields += [(name, str(one).lower() if isinstance(one, bool) else str(one)) for one in values]
            assert move_of(MultiDict(fields), game) == move


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "fly"}, "Outback has no such choice"),
        ({"kind": "tell", "points": "many"}, "Type a whole number, not"),
        ({"kind": "tell", "points": "9" * 300}, "Type a whole number, not"),
        ({"kind": "place", "animal": "x" * 500, "space": "2a"}, "at most 400 characters"),
        ({"kind": "place", "animal": "emu"}, "the field 'space' is missing"),
    ],
)
def test_fields_that_are_no_move_are_refused_in_one_line(fields: dict[str, str], words: str):
    with pytest.raises(ValueError, match=words) as refused:
        move_of(MultiDict(fields), find_game("outback"))
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_a_hand_is_on_no_board_and_only_its_player_gets_it():
    game, chance = find_game("destiny"), random.Random(3)
    match = begin(game, ["Ann", "Bob"], {"cards": "dealt"})
    for _ in range(120):
        if match.outcome:
            break
        board = board_of(match, "en", {})
        assert board.groups == ()
        if board.pile and board.pile.secret:
            assert board.pile.kinds == ()
        asked = dict(board.decides_by_hand)
        for player in range(2):
            hand = hand_of(match, player, "en", {})
            assert (hand is not None) == (player in asked)
            if hand is not None:
                offers = {choice.move for group in hand.groups for choice in group.choices}
                for offer in offers:
                    assert game.can(match.state, Play(player, move_from(json.loads(offer), game)))
        match = match.add(any_action(game, match.state, chance.randrange))
    assert any(isinstance(one.action, Draw) for one in match.played)


@pytest.mark.slow
def test_everybody_may_look_through_the_treasures_to_come_at_any_time(tmp_path: Path):
    game, chance = find_game("destiny"), random.Random(3)
    match = begin(game, ["Ann", "Bob"], {"cards": "dealt"})
    kept = Store.of(tmp_path).begin(match)
    session = Session(match, kept, dice_for(game))
    client = pages_of(Table(session), Announcer()).test_client()
    seen = set[int]()
    for step in range(160):
        if session.match.outcome:
            break
        state, page = session.match.state, client.get("/").get_data(as_text=True)
        listed = re.findall(
            r"<li>([^<]*): \d points?</li>",
            page.partition('id="treasure-order"')[2].partition("</details>")[0],
        )
        assert [one.lower().replace("’", "").replace("'", "").replace(" ", "-") for one in listed] == list(
            state.treasures
        )
        seen.add(len(listed))
        action = any_action(game, session.match.state, chance.randrange)
        session.draw(action.cards) if isinstance(action, Draw) else session.decide(action.move, action.player)
        assert step < 159 or len(seen) > 1
    assert 20 in seen or 19 in seen


def test_where_people_have_the_treasure_deck_before_them_they_are_told_that_they_may_look(tmp_path: Path):
    match = begin(find_game("destiny"), ["Ann", "Bob"])
    session = Session(match, Store.of(tmp_path).begin(match), dice_for(match.game))
    page = pages_of(Table(session), Announcer()).test_client().get("/").get_data(as_text=True)
    assert "The treasure deck is face up: anyone may look through it at any time." in page
    assert 'id="treasure-order"' not in page


@pytest.mark.parametrize("path", ["/", "/spectator"])
def test_the_winners_seat_says_so_in_words_until_that_is_taken_back(
    house: House, client: FlaskClient, path: str
):
    def marked(language: str = "en") -> list[str]:
        page = client.get(path, headers={"Accept-Language": language}).get_data(as_text=True)
        seats = re.findall(r'<li class="seat won">(.*?)</li>', page, re.DOTALL)
        return [" ".join(re.sub(r"<[^>]*>", " ", seat).split()) for seat in seats]

    session = house.table.session
    session.roll("1 2 3 4 5 6")
    session.decide(Fill("chance"))
    session.roll("8 8 8 8 8 8")
    assert marked() == []
    session.decide(Confirm(True))
    assert [seat.split()[:2] for seat in marked()] == [["Bob", "winner"]]
    assert [seat.split()[:2] for seat in marked("de")] == [["Bob", "gewonnen"]]
    assert [seat.split()[:2] for seat in marked("fr")] == [["Bob", "a"]]
    moment = f"/history/{session.store.id}/{len(session.match.events)}"
    assert 'class="seat won"' in client.get(moment).get_data(as_text=True)
    session.undo()
    assert marked() == []


def test_everyones_sheet_is_on_the_board_and_the_box_that_was_filled_last_is_marked():
    match = begin(find_game("meet-fate"), ["Ann", "Bob"])
    match = match.add(Roll(("4", "4", "4", "7", "7", "8"))).add(Play(0, Fill("full-house")))
    own = board_of(match, "en", {}).own
    rows = {box.id: box for section in own.sections for box in section.boxes}
    assert [(one.player, one.total, one.left, one.now, one.leads) for one in own.columns] == [
        ("Ann", 25, 18, False, True),
        ("Bob", 0, 19, True, False),
    ]
    assert [(cell.filled, cell.last) for cell in rows["full-house"].cells] == [(25, True), (None, False)]
    assert own.fresh
    assert own.highest == ()
    own = board_of(match.add(Roll(("1", "1", "2", "2", "3", "3"))), "en", {}).own
    rows = {box.id: box for section in own.sections for box in section.boxes}
    assert [[cell.offer for cell in rows[box].cells] for box in ("2", "three-pair")] == [[None, 4], [None, 12]]
    assert rows["full-house"].cells[0].last
    assert not own.fresh


def test_called_shot_shows_what_each_call_pays_for_and_how_often():
    for declared in DECLARATIONS:
        met = odds(declared)
        assert sum(met.values()) == pytest.approx(1)
        if not declared.startswith("no-"):  # RULINGS 3.1
            assert sum(216 * chance * points for (_row, points), chance in met.items()) == pytest.approx(216)
    match = begin(find_game("called-shot"), ["Ann", "Bob"])
    groups, faces, others = board_of(match, "en", {}).own.sections
    cats = groups.calls[0]
    assert [len(one.calls) for one in (groups, faces, others)] == [4, 6, 6]
    assert (cats.choice.label, [face for face, _ in cats.faces], cats.pays) == (
        "Cats", ["cat", "two-cats", "manticore"], (10, 1, 1, 1, 1, 1),
    )  # fmt: skip
    assert cats.chance == pytest.approx(7 / 8)
    assert all(one.without for one in others.calls)
    called = match.add(Play(0, Declare("cats")))
    assert board_of(called, "en", {}).own.sections == ()
    own = board_of(called.add(Roll(("cat", "cat", "dd"))), "en", {}).own
    assert (own.rolled.name, own.rolled.player, own.rolled.points, own.called) == ("Double cat", "Ann", 1, "Cats")
    assert [lane.to_go for lane in own.race.lanes] == [24, 25]


def test_outlanders_steps_say_what_is_left_and_its_faces_what_they_give():
    match = begin(find_game("outlander"), ["Ann", "Bob"])
    thrown = match.add(Roll(("jamie", "jamie", "claire", "geillis", "laoghaire", "bjr")))

    def now(one: Match) -> list[str]:
        return [step.name for step in board_of(one, "en", {}).own.steps if step.now]

    assert now(match) == ["Throw"]
    assert now(thrown) == ["Throw again", "Card"]
    assert now(thrown.add(Play(0, Card("hand")))) == ["Throw again", "Card", "Score"]
    faces = {one.id: one for one in board_of(thrown, "en", {}).own.faces}
    assert faces["jamie"].gives == ("1 point", "+2 with Claire")
    assert faces["bjr"].gives == ("takes one Claire", "−3 with Laoghaire")
    assert faces["dougal"].gives == ("brings one Jamie back", "+3 with Geillis")
    assert [faces[one].count for one in ("jamie", "murtagh")] == [2, 0]
    swapped = begin(find_game("outlander"), ["Ann"], {"removal": "swapped"})
    assert board_of(swapped, "en", {}).own.faces[2].gives[0] == "takes one Jamie"


@pytest.mark.parametrize(
    ("names", "room", "short"),
    [
        (["Ann", "Bob"], 12, ("Ann", "Bob")),
        (["Maximiliane Alexandra", "Bo"], 12, ("Maximiliane", "Bo")),
        (["Alexandra", "Alexander", "Al"], 4, ("Alex", "Ale2", "Al")),
        (["👩‍👩‍👧‍👦", "Zoe\u0301"], 3, ("👩‍👩‍👧‍👦", "Zoe\u0301")),
    ],
)
def test_names_are_shortened_where_there_is_no_room_and_stay_different(
    names: list[str], room: int, short: tuple[str, ...]
):
    assert shortened(names, room) == short

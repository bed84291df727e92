"""The best move on the Table page: said once, on the page that asked, with the reason as a second sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from flask.testing import FlaskClient

from advice.counsel import Expert
from cli.compose import House
from scoring.actions import Confirm, Fill, Hold, Play, Roll, Stand
from scoring.games import find
from scoring.games.outlander.cards import Card, Faces
from scoring.match import Match, begin
from tests.fakes import rolled
from tests.web.serving import Served, serving
from tests.web.tables import app_of
from words.speaker import speaker

if TYPE_CHECKING:
    from playwright.sync_api import Page

BEST = "Hold two 7s and an 8, and throw three dice again."
ASKED = {"Best move", "hear the best move; Y says why"}
"""All that is called the best on a page: what the adviser says when asked."""


def test_the_best_move_and_why(house: House, client: FlaskClient):
    house.table.session.saw(rolled("235778"))
    told = house.table.session.latest().number
    answer = client.get("/advice").get_json()
    assert answer["sentence"] == BEST
    assert (
        answer["why"]
        .replace("\N{NO-BREAK SPACE}", " ")
        .startswith("The chance to win is then 49.7 %; with the next best, hold 7, 7, 49.5 %. An estimate:")
    )
    assert house.table.session.latest().number == told, "nobody else is told"


@pytest.mark.slow
def test_what_gives_most_now_is_never_called_best(house: House, client: FlaskClient):
    house.table.session.saw(rolled("444778"))
    pages = {path: client.get(path).get_data(as_text=True) for path in ("/", "/television", "/spectator")}
    assert [pages[path].count("points, among the highest now") for path in ("/", "/spectator")] == [3, 3]
    assert "B goes to the box that gives most now. Highest now: Two pair, 34;" in " ".join(pages["/"].split())
    assert '<li class="label">Highest now</li><li>Two pair <b>34</b></li>' in pages["/television"]
    for page in pages.values():
        assert {one.strip() for one in re.findall(r">([^<>]*\bbest\b[^<>]*)<", page)} <= ASKED
    assert client.get("/advice").get_json()["sentence"].startswith("Hold three 4s")


def test_before_the_first_throw_it_says_what_is_to_come(client: FlaskClient):
    assert client.get("/advice").get_json()["sentence"].startswith("Throw all six dice. 415.4 points")


def test_how_good_the_last_turn_was(house: House, client: FlaskClient):
    nothing = client.get("/last-turn")
    assert nothing.status_code == 409
    assert nothing.get_data(as_text=True) == "Nothing has been decided yet.\n"
    house.table.session.saw(rolled("235778"))
    house.table.session.decide(Fill("six-of-a-kind"))
    said = client.get("/last-turn").get_json()["sentence"]
    assert said.startswith("This turn's choices lost ")
    assert "better: hold 7, 7, 8" in said


def last_boxes(house: House, boxes: set[str]) -> None:
    """Everyone has filled all boxes but these, and Alice is to throw."""
    session = house.table.session
    while len(session.match.state.open_boxes(session.match.state.turn)) > len(boxes):
        session.roll("1 2 3 4 6 7")
        state = session.match.state
        session.decide(Fill(next(one for one in state.open_boxes(state.turn) if one not in boxes)))


@pytest.mark.slow
def test_six_eights_win_the_match_for_the_adviser_too(house: House, client: FlaskClient):
    last_boxes(house, {"1", "2", "3", "chance", "five-of-a-kind"})
    session = house.table.session
    session.roll("8 8 8 1 2 3")
    session.decide(Hold(("8", "8", "8")))
    session.roll("8 8 8 8 8 1")
    answer = client.get("/advice").get_json()
    assert answer["sentence"] == "Hold five 8s, and throw one die again."
    assert "with the next best, fill five of a kind" in answer["why"]
    assert answer["why"].endswith("and six eights in later turns are left out.")
    session.decide(Hold(("8",) * 5))
    session.roll("8 8 8 8 8 8")
    assert client.get("/advice").get_json() == {
        "sentence": "Confirm the six eights.",
        "why": "They win the match, whatever the totals.",
    }
    assert client.get("/last-turn").get_json()["sentence"] == "Perfectly played."
    session.decide(Confirm(True))
    assert session.match.outcome is not None
    assert session.match.outcome.winners == (0,)
    assert "per cent of a win" in client.get("/history").get_data(as_text=True)


@pytest.mark.slow
def test_a_race_of_three_is_told_as_it_is(data: Path):
    match = begin(find("triples"), ["Ann", "Bob", "Cem"])
    answer = playing(match).get("/advice").get_json()
    assert answer["sentence"] == "Roll: the chance to win is 35.7\N{NO-BREAK SPACE}%."
    assert "estimate" not in answer["why"]
    match = begin(find("called-shot"), ["Ann", "Bob", "Cem", "Dora", "Emil"])
    answer = playing(match).get("/advice").get_json()
    assert "An estimate: everyone is taken to play their best without answering" in answer["why"]
    match = begin(find("pairs"), ["Ann", "Bob", "Cem"])
    answer = playing(match).get("/advice").get_json()
    assert answer["why"].endswith("How far everyone is from the target is left out.")


def test_outlanders_re_roll_knows_what_the_card_added(data: Path):
    match = begin(find("outlander"), ["Ann", "Bob"], {"card_timing": "either"})
    match = match.add(Roll(("claire", "jamie", "bjr", "bjr", "geillis", "murtagh")))
    before = playing(match).get("/advice").get_json()
    for move in (Card("hand"), Faces("jamie", 6), Stand()):
        match = match.add(Play(0, move))
    client = playing(match)
    lying = sum(one.points for one in match.state.lines())
    answer = client.get("/advice").get_json()
    worth = float(re.findall(r"worth (\d+\.\d) points", answer["why"])[0])
    assert worth > lying > 6
    assert worth - float(re.findall(r"worth (\d+\.\d) points", before["why"])[0]) > 6


def test_one_who_plays_alone_is_not_sent_after_the_end_of_the_sheet(data: Path):
    match = begin(find("meet-fate"), ["Ann"])
    client = playing(match)
    assert client.get("/advice").get_json()["sentence"].startswith("Throw all six dice. 414.0 points")
    client = playing(match.add(Roll(("8",) * 6)))
    assert client.get("/advice").get_json()["why"] == "They end the sheet with the points that it has."


def test_faces_are_called_as_the_table_calls_them(house: House):
    house.table.session.saw(rolled("235778"))
    tongue = speaker("en", (), {"7": "seven", "8": "eight"})
    counsel = Expert().best_move(house.table.session.match, tongue)
    assert counsel.sentence == "Hold seven twice and eight, and throw three dice again."


def playing(match: Match) -> FlaskClient:
    """The pages of a table at which this match is played."""
    return app_of(match).test_client()


@pytest.fixture
def served(house: House, data: Path) -> Iterator[Served]:
    with serving(house, data, watched=False) as one:
        yield one


def test_a_key_asks_and_another_says_why(house: House, served: Served, page: Page):
    from playwright.sync_api import expect

    house.table.session.saw(rolled("235778"))
    page.goto(served.at())
    page.wait_for_selector("#link[data-link=live]")
    said = page.locator("#announcer")
    page.keyboard.press("y")
    expect(said).to_have_text("Ask for the best move first.", timeout=120_000)
    page.keyboard.press("h")
    expect(said).to_have_text(BEST, timeout=120_000)
    page.keyboard.press("y")
    expect(said).to_contain_text("The chance to win is then 49.7\N{NO-BREAK SPACE}%", timeout=120_000)


def test_two_buttons_do_the_same_and_history_fits_a_phone(house: House, served: Served, page: Page):
    from playwright.sync_api import expect

    house.table.session.saw(rolled("235778"))
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(served.at())
    page.wait_for_selector("#link[data-link=live]")
    said, why = page.locator("#announcer"), page.locator("#why")
    expect(why).to_be_hidden()
    page.click("#best-move")
    expect(said).to_have_text(BEST, timeout=120_000)
    why.click()
    expect(said).to_contain_text("The chance to win is then 49.7\N{NO-BREAK SPACE}%", timeout=120_000)
    for button in (page.locator("#best-move"), why):
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    house.table.session.decide(Fill("chance"))
    expect(said).to_contain_text("Alice writes", timeout=120_000)
    expect(why).to_be_hidden()

    page.click("#history")
    page.wait_for_selector("svg.chart")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Back to the table"
    page.keyboard.press("Enter")
    page.wait_for_selector("#best-move")

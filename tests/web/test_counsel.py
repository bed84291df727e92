"""The best move on the Table page: said once, on the page that asked, with the reason as a second sentence."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from advice.counsel import Expert
from cli.compose import House
from scoring.actions import Fill
from tests.fakes import rolled
from tests.web.serving import Served
from tests.web.visitor import Visitor
from words.speaker import speaker

BEST = "Hold two 7s and an 8 and throw three dice again."
ASKED = {"Best move", "hear the best move; Y says why"}
"""All that is called the best on a page: what the adviser says when asked."""


def test_the_best_move_and_why(house: House, client: FlaskClient):
    assert client.get("/advice").get_json()["sentence"].startswith("Throw all six dice.")
    house.table.session.saw(rolled("235778"))
    told = house.table.session.latest().number
    answer = client.get("/advice").get_json()
    assert answer["sentence"] == BEST
    why = answer["why"].replace("\N{NO-BREAK SPACE}", " ")
    assert why.startswith("Chance to win: 49.7 %; next best: hold 7, 7 (49.5 %). An estimate:")
    assert house.table.session.latest().number == told, "nobody else is told"


@pytest.mark.slow
def test_what_gives_most_now_is_never_called_best(house: House, client: FlaskClient):
    house.table.session.saw(rolled("444778"))
    pages = {path: client.get(path).get_data(as_text=True) for path in ("/", "/television", "/spectator")}
    assert [pages[path].count("points, one of the highest boxes now") for path in ("/", "/spectator")] == [3, 3]
    assert "Press B for the box with the most points. Most points now: Two pair, 34;" in " ".join(pages["/"].split())
    assert '<li class="label">Most points now</li><li>Two pair <b>34</b></li>' in pages["/television"]
    for page in pages.values():
        assert {one.strip() for one in re.findall(r">([^<>]*\bbest\b[^<>]*)<", page)} <= ASKED
    assert client.get("/advice").get_json()["sentence"].startswith("Hold three 4s")


def test_how_good_the_last_turn_was(house: House, client: FlaskClient):
    nothing = client.get("/last-turn")
    assert nothing.status_code == 409
    assert nothing.get_data(as_text=True) == "Nothing has been decided yet.\n"
    house.table.session.saw(rolled("235778"))
    house.table.session.decide(Fill("six-of-a-kind"))
    said = client.get("/last-turn").get_json()["sentence"]
    assert said.startswith("This turn’s choices cost ")
    assert "better: hold 7, 7, 8" in said


def test_faces_are_called_as_the_table_calls_them(house: House):
    house.table.session.saw(rolled("235778"))
    tongue = speaker("en", (), {"7": "seven", "8": "eight"})
    counsel = Expert().best_move(house.table.session.match, tongue)
    assert counsel.sentence == "Hold seven twice and eight and throw three dice again."


def test_a_key_asks_and_another_says_why_as_two_buttons_do(serve: Callable[..., Served], visit: Callable[..., Visitor]):
    served = serve()
    served.house.table.session.saw(rolled("235778"))
    chance = "Chance to win: 49.7\N{NO-BREAK SPACE}%"
    listener = visit(served)
    assert listener.tells("y") == "Ask for the best move first."
    listener.press("h")
    listener.hears(BEST)
    listener.press("y")
    listener.hears(chance)
    heard = listener.said

    phone = visit(served, width=390, height=800)
    page, why = phone.page, phone.page.locator("#why")
    assert why.is_hidden()
    page.click("#best-move")
    phone.hears(BEST)
    why.click()
    phone.hears(chance)
    assert listener.said == heard, "only the page that asked hears it"
    for button in (page.locator("#best-move"), why):
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    served.house.table.session.decide(Fill("chance"))
    phone.hears("Alice")
    assert why.is_hidden()
    page.click(".menu summary")
    page.click(".menu a[href='/history']")
    page.wait_for_selector("main.history")
    assert phone.sideways <= 0
    phone.press("Tab")
    assert phone.focused("innerText") == "Back to the table"
    phone.press("Enter")
    page.wait_for_selector("#best-move")

"""The best move on the Table page: said once, on the page that asked, with the reason as a second sentence."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from cheroot.wsgi import Server
from flask.testing import FlaskClient

from cli.compose import House
from scoring.actions import Fill
from table.counsel import Expert
from table.tongue import LANGUAGES, Tongue
from tests.fakes import rolled
from tests.web.serving import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")
BEST = "Hold two 7s and an 8, and throw three dice again."
ASKED = {"Best move", "hear the best move; Y says why"}
"""All that is called the best on a page: what the adviser says when asked."""


def test_the_best_move_and_why(house: House, client: FlaskClient):
    house.table.session.saw(rolled("235778"))
    told = house.table.session.latest().number
    answer = client.get("/advice").get_json()
    assert answer["sentence"] == BEST
    assert answer["why"].startswith("That is worth 414.8 points to the end of the sheet; the next best")
    assert house.table.session.latest().number == told, "nobody else is told"


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


def test_where_nobody_knows_it_says_so(house: House, client: FlaskClient):
    house.table.session.saw(rolled("888888"))
    answer = client.get("/advice")
    assert answer.status_code == 409
    assert "six eights" in answer.get_data(as_text=True)
    assert answer.get_data(as_text=True).count("\n") == 1


def test_faces_are_called_as_the_table_calls_them(house: House):
    house.table.session.saw(rolled("235778"))
    tongue = Tongue(LANGUAGES["en"], {"7": "seven", "8": "eight"})
    counsel = Expert().best_move(house.table.session.match, tongue)
    assert counsel.sentence == "Hold seven twice and eight, and throw three dice again."


@pytest.fixture
def page(house: House, browser: Browser) -> Iterator[Page]:
    """The house's pages in a browser, `page.goto("/")`; fails its test when the browser complains."""
    server = Server(("127.0.0.1", 0), house.app, numthreads=8, shutdown_timeout=1)
    server.prepare()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    complaints: list[str] = []
    try:
        page = browser.new_page(base_url=f"http://127.0.0.1:{server.bind_addr[1]}/")
        page.set_default_timeout(120_000)
        page.on("console", lambda said: complaints.append(said.text))
        yield page
        page.close()
    finally:
        house.close()
        server.stop()
        thread.join(10)
    assert complaints == []


@needs_browser
def test_a_key_asks_and_another_says_why(house: House, page: Page):
    from playwright.sync_api import expect

    house.table.session.saw(rolled("235778"))
    page.goto("/")
    page.wait_for_selector("#link[data-link=live]")
    said = page.locator("#announcer")
    page.keyboard.press("y")
    expect(said).to_have_text("Ask for the best move first.", timeout=120_000)
    page.keyboard.press("h")
    expect(said).to_have_text(BEST, timeout=120_000)
    page.keyboard.press("y")
    expect(said).to_contain_text("That is worth 414.8 points", timeout=120_000)


@needs_browser
def test_two_buttons_do_the_same_and_history_fits_a_phone(house: House, page: Page):
    from playwright.sync_api import expect

    house.table.session.saw(rolled("235778"))
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/")
    page.wait_for_selector("#link[data-link=live]")
    said, why = page.locator("#announcer"), page.locator("#why")
    expect(why).to_be_hidden()
    page.click("#best-move")
    expect(said).to_have_text(BEST, timeout=120_000)
    why.click()
    expect(said).to_contain_text("That is worth 414.8 points", timeout=120_000)
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

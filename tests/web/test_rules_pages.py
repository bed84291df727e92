"""The rules for players as pages: what scores cite is there, what the table plays is said, and search finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from scoring.actions import Fill, Hold
from scoring.games import available
from scoring.match import begin
from tests.playthroughs.transcript import played
from tests.web.inspecting import hidden_focus, small_targets, too_wide, violations
from tests.web.serving import Served
from tests.web.tables import app_of, bare, html_of, post
from tests.web.visitor import Visitor
from words import LANGUAGES

PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.txt"))
GAMES = {game.id: game for game in available()}


@pytest.fixture
def client() -> FlaskClient:
    options = {"full_house": "B", "set_values.trips": 60}
    return app_of(begin(GAMES["meet-fate"], ("Ann", "Ben"), options)).test_client()


def section(html: str, anchor: str) -> str:
    """The paragraph with this id, without its tags."""
    found = re.search(rf'<(section|tr)[^>]* id="{re.escape(anchor)}".*?</\1>', html, re.DOTALL)
    assert found, anchor
    return " ".join(re.sub("<[^>]+>", " ", found[0]).split())


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_every_point_of_a_match_leads_to_its_paragraph(path: Path):
    match, _ = played(path.read_text(encoding="utf-8"))
    house = bare(match)
    client = house.app.test_client()
    cited = re.findall(
        r"<cite>(.*?)</cite>", html_of(client, f"/history/{house.table.session.store.id}/events")
    )
    ways = {found[1] for one in cited if (found := re.match(r'<a href="([^"]+)">[^<]+</a>', one))}
    assert cited
    assert all(one.startswith('<a href="/rules/') for one in cited)
    for way in ways:
        to = urlsplit(way)
        assert f'id="{to.fragment}"' in html_of(client, to.path)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_page_shows_every_face_as_a_picture_and_leaves_no_mark(
    client: FlaskClient, game: str, language: str
):
    html = html_of(client, f"/rules/{game}", language)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)
    text = re.sub("<pre.*?</pre>|<[^>]+>", " ", html, flags=re.DOTALL)
    assert not re.search(r":[a-z\d-]+=?:|\{#|\{[a-z]+[.}]|\]\(", text)
    for picture in set(re.findall(r'src="(/face/[^"]+)"', html)):
        assert client.get(picture).status_code == 200


def test_the_running_match_says_what_is_played(client: FlaskClient):
    html = html_of(client, "/rules/meet-fate")
    assert "Your table plays" in html
    assert re.search(
        r"Played here: five or six of a kind, too not the usual rule", section(html, "house-full_house")
    )
    assert section(html, "house-set_values.trips").endswith("60 not the usual rule")
    assert re.search(r"Trips .* 60", section(html, "sets"))
    assert "Your table plays" not in html_of(client, "/rules/triples")


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "The booklet’s first example says 1 point. Why do we get 0?"),
        ("de", "Im ersten Beispiel des Hefts steht 1 Punkt. Warum sind es hier 0?"),
        ("fr", "Le premier exemple du livret donne 1 point. Pourquoi 0 ici\u202f?"),
    ],
)
def test_reasons_are_one_fold_away_in_the_reader_s_language(client: FlaskClient, language: str, question: str):
    html = html_of(client, "/rules/outlander", language)
    reasons = re.search(r'id="villains".*?<details class="why fold">(.*?)</details>', html, re.DOTALL)
    assert reasons
    assert question in reasons[1]
    assert "lang=" not in reasons[1]


@pytest.mark.parametrize(
    ("language", "words", "way"),
    [
        ("en", "six EIGHTS", "/rules/meet-fate#six-eights"),
        ("en", "full house", "/rules/meet-fate#house-full_house"),
        ("en", "monitor lizard", None),
        ("en", "restores claire", None),
        ("de", "strasse", "/rules/meet-fate#sets"),
        ("de", "jeep beutel", "/rules/outback#setup"),
        ("fr", "emeu", "/rules/outback#groups"),
    ],
)
def test_search_finds_without_case_and_accents(
    client: FlaskClient, language: str, words: str, way: str | None
):
    client.set_cookie("language", language)
    answer = client.get("/rules", query_string={"q": words}).get_data(as_text=True)
    assert (f'href="{way}"' in answer) == (way is not None)
    assert answer.count('class="found"') == 1
    assert f'value="{words}"' in answer


def test_what_is_searched_for_is_no_html(client: FlaskClient):
    assert "<b>x" not in html_of(client, "/rules?q=<b>x</b>")
    assert "Nothing in the rules has" in html_of(client, "/rules?q=zzz")


def test_the_game_on_the_table_comes_first_and_no_other_page_is_there(client: FlaskClient):
    games = re.findall(r'href="/rules/([\w-]+)"', html_of(client, "/rules"))
    assert games[0] == "meet-fate"
    assert set(games) == set(GAMES)
    assert client.get("/rules/chess").status_code == 404


def test_a_refused_decision_leads_to_its_paragraph():
    match = begin(GAMES["outlander"], ("Ann", "Ben"))
    house = bare(match)
    house.table.session.roll("jamie jamie geillis geillis laoghaire bjr")
    client = house.app.test_client()
    answer = post(client, "/move", move='{"kind": "hold", "keep": ["jamie"]}')
    assert answer.status_code == 409
    assert answer.headers["X-Rule"] == "/rules/outlander#throwing"
    assert 'id="throwing"' in html_of(client, "/rules/outlander")
    browser = client.post(
        "/move",
        data={"move": '{"kind": "hold", "keep": ["jamie"]}'},
        headers={"Origin": "http://localhost", "Accept": "text/html"},
    )
    assert '<a class="quiet" href="/rules/outlander#throwing">' in browser.get_data(as_text=True)


def test_a_refused_decision_leads_to_the_house_rule_that_would_allow_it():
    house = bare(begin(GAMES["outlander"], ("Ann", "Ben")))
    house.table.session.roll("jamie jamie geillis geillis laoghaire bjr")
    client = house.app.test_client()
    answer = post(client, "/move", move='{"kind": "stand"}')
    assert answer.status_code == 409
    assert answer.get_data(as_text=True).strip() == (
        "Play a card first, from your hand or the draw pile. "
        "Your table plays “Card is optional: no”. With “yes” this would be allowed."
    )
    assert answer.headers["X-House-Rule"] == "/rules/outlander#house-card_optional"
    assert 'id="house-card_optional"' in html_of(client, "/rules/outlander")
    client.set_cookie("language", "de")
    assert "Karte" in post(client, "/move", move='{"kind": "stand"}').get_data(as_text=True)
    hold = post(client, "/move", move='{"kind": "hold", "keep": ["jamie"]}')
    assert "X-House-Rule" not in hold.headers


def test_the_sheet_says_why_a_box_would_be_worth_nothing():
    house = bare(begin(GAMES["meet-fate"], ("Ann", "Ben")))
    house.table.session.roll("3 3 3 3 3 5")
    html = html_of(house.app.test_client(), "/")
    noughts = re.search(r'id="noughts".*?</details>', html, re.DOTALL)
    assert noughts
    told = " ".join(re.sub("<[^>]+>", " ", noughts[0]).split())
    assert "Full house, 0 points: five 3s are one number; it takes two of another, too" in told
    assert "With “five or six of a kind, too” this would be 25 points." in told
    assert "Five of a kind" not in told
    assert 'href="/rules/meet-fate#house-full_house"' in noughts[0]


def test_table_new_match_dispute_and_spectator_lead_to_the_rules():
    house = bare(begin(GAMES["meet-fate"], ("Ann", "Ben")))
    house.table.session.roll("1 2 3 4 5 6")
    house.table.session.decide(Hold(("1",)))
    house.table.session.roll("1 2 3 4 5 6")
    house.table.session.decide(Fill("1"))
    client = house.app.test_client()
    for path in ("/", "/new", client.get("/dispute/").location):
        assert 'href="/rules/meet-fate"' in html_of(client, path), path
    assert 'href="/rules"' in html_of(client, "/spectator")


def test_a_score_that_a_house_rule_decided_says_so_on_the_table_and_in_a_dispute():
    house = bare(begin(GAMES["meet-fate"], ("Ann", "Ben")))
    house.table.session.roll("3 3 3 3 3 5")
    house.table.session.decide(Fill("full-house"))
    client = house.app.test_client()
    for path in ("/", client.get("/dispute/").location, "/spectator"):
        html = html_of(client, path)
        assert "five 3s are one number; it takes two of another, too" in html, path
        assert "this would be 25 points." in html, path
        assert '<a href="/rules/meet-fate#house-full_house">' in html, path


@pytest.mark.slow
@pytest.mark.parametrize("games", [("meet-fate",), pytest.param(GAMES, marks=pytest.mark.proof)])
def test_axe_finds_nothing_in_the_rules(
    serve: Callable[..., Served], visit: Callable[..., Visitor], games: Iterable[str]
):
    """With every fold open, at 1280 and at 320 pixels."""
    visitor, found = visit(serve(), reduced_motion="reduce"), list[str]()
    for path in ("/rules", "/rules?q=points", *(f"/rules/{game}" for game in games)):
        page = visitor.open(path).page
        page.set_viewport_size({"width": 1280, "height": 800})
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        wrong = violations(page, enhanced=True) + hidden_focus(page) + small_targets(page)
        page.set_viewport_size({"width": 320, "height": 800})
        found += [f"{path}: {one}" for one in (*wrong, *too_wide(page), *small_targets(page))]
    assert found == []

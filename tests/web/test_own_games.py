"""The page "Your own game": a game is put together, tried, kept, played, passed on and taken in, by keyboard alone."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from scoring import games
from scoring.games import find
from scoring.match import begin
from table.game_draft import beginning, game_toml, id_for
from table.game_files import KINDS, kind_text, own
from tests.web.inspecting import hidden_focus, small_targets, too_wide, violations
from tests.web.serving import Served
from tests.web.tables import app_of
from tests.web.visitor import Visitor
from words import LANGUAGES

SHEET = [
    ("kind", "sheet"), ("title", "Küste"), ("set", "pips"), ("count", "5"), ("throws", "3"),
    ("name", ""), ("pattern", "face:6"), ("points", "6"),
    ("name", "Big"), ("pattern", "full-house"), ("points", "25"),
]  # fmt: skip
LUCK = [
    ("kind", "push"), ("title", "Luck"), ("set", "pips"), ("count", "6"), ("target", "500"), ("rounds", ""),
    ("name", ""), ("pattern", "face:1"), ("points", "100"), ("name", ""), ("pattern", "three"), ("points", "500"),
]  # fmt: skip
SKULLS = [
    ("kind", "symbols"), ("title", "Skulls"), ("set", "pirates"), ("count", "8"), ("target", "900"), ("rounds", ""),
    ("bad", "skull"), ("bad_dice", "3"), ("name", ""), ("pattern", "face:coin"), ("points", "100"),
]  # fmt: skip
COUNT = [
    ("kind", "count"), ("title", "Few %s"), ("set", "pips"), ("count", "2"), ("target", ""), ("rounds", "2"),
    ("lowest", "yes"), ("name", ""), ("pattern", "any"), ("points", ""),
]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of whoever runs the test, and a registry of its own."""
    monkeypatch.setattr(games, "GAMES", dict(games.GAMES))
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def client() -> FlaskClient:
    return app_of(begin(find("tally"), ["Ann", "Bob"])).test_client()


def html(client: FlaskClient, fields: list[tuple[str, str]], language: str = "en", **more: str) -> str:
    answer = client.get(f"/games?{urlencode([*fields, *more.items()])}", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_begins_as_a_game(client: FlaskClient, kind: str, language: str):
    page = html(client, [("kind", kind), ("do", "try")], language)
    assert 'class="trouble"' not in page
    assert 'id="told"' in page


@pytest.mark.parametrize(
    ("fields", "roll", "there"),
    [
        (SHEET, "6,6,6,1,1", ['Each 6</th><td>18', 'Big</th><td>25']),
        (LUCK, "1,1,1,1,3,4", ['Three alike: three 1s</th><td>500', 'Each 1: a 1</th><td>100', '<b>600</b>']),
        (SKULLS, "coin,coin,skull,gem,gem,anchor,parrot,parrot", ['Each coin</th><td>200']),
        (SKULLS, "skull,skull,skull,gem,gem,anchor,parrot,coin", ["No points this turn", "<b>0</b>"]),
        (COUNT, "2 5", ["<b>7</b>"]),
        (COUNT, "2 9", ["no face “9”"]),
        (COUNT, "2", ["needs 2 dice, not 1"]),
    ],
)  # fmt: skip
def test_a_typed_roll_is_scored_at_once(
    client: FlaskClient, fields: list[tuple[str, str]], roll: str, there: list[str]
):
    page = html(client, fields, do="try", dice=roll)
    assert all(one in page for one in there), page[page.find('id="dice"') :][:1500]


def test_rows_come_and_go(client: FlaskClient):
    assert html(client, SHEET, do="add").count('name="points"') == 3
    assert 'value="Big"' not in html(client, SHEET, do="remove:1")
    assert html(client, SHEET * 30, do="add").count('name="points"') == 30


@pytest.mark.parametrize("fields", [SHEET, LUCK, SKULLS, COUNT], ids=lambda one: one[0][1])
def test_a_game_is_kept_played_passed_on_deleted_and_taken_in(client: FlaskClient, fields: list[tuple[str, str]]):
    answer = client.post("/games/keep", data=urlencode(fields), content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 303, answer.get_data(as_text=True)
    (game,) = own()
    for path in ("/games", "/new", f"/new?game={game.id}", "/rules", f"/rules/{game.id}"):
        for language in LANGUAGES:
            page = client.get(path, headers={"Accept-Language": language})
            assert page.status_code == 200
            assert game.title in page.get_data(as_text=True)
    file = client.get(f"/games/{game.id}.toml").data
    again = client.post("/games/keep", data=urlencode(fields), content_type="application/x-www-form-urlencoded")
    assert again.status_code == 303
    assert {one.id for one in own()} == {game.id, f"{game.id}-2"}
    assert client.post("/games/delete", data={"game": game.id}).status_code == 303
    assert client.get(f"/games/{game.id}.toml").status_code == 404
    taken = client.post("/games/import", data={"file": (io.BytesIO(file), "x.toml")})
    assert taken.status_code == 303
    assert find(game.id).version == game.version
    twice = client.post("/games/import", data={"file": (io.BytesIO(file), "x.toml")})
    assert twice.status_code == 422
    assert "already exists" in twice.get_data(as_text=True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\0\xff", "not UTF-8 text"),
        (b"id = ", "not TOML"),
        (b'id = "../../x"\ntitle = "x"\nblurb = "x"', "lower-case letters"),
        (b"x" * 200_000, "at most"),
        (kind_text("sheet").replace("my-sheet", "meet-fate").encode(), "already exists"),
    ],
)
def test_a_file_that_is_no_game_is_refused_and_nothing_is_kept(
    client: FlaskClient, folder: Path, content: bytes, words: str
):
    answer = client.post("/games/import", data={"file": (io.BytesIO(content), "x.toml")})
    assert answer.status_code == 422
    assert words in answer.get_data(as_text=True)
    assert not list((folder / "games").glob("*"))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"count": "99"}, "expected a whole number from 1 to 12"),
        ({"count": "x"}, "expected a whole number from 1 to 12"),
        ({"set": "nope"}, "expected 2 to 20 different faces"),
        ({"points": "import os"}, "is not an expression"),
        ({"title": "\u202e"}, "the text cannot contain the character U+202E"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_kept(client: FlaskClient, changed: dict[str, str], words: str):
    fields = [(key, changed.get(key, value)) for key, value in SHEET]
    answer = client.post("/games/keep", data=urlencode(fields), content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 422
    assert words in answer.get_data(as_text=True).lower() or words in answer.get_data(as_text=True)
    assert own() == ()


def test_the_game_on_the_table_is_not_deleted():
    client = app_of(begin(find("tally"), ["Ann"])).test_client()
    assert client.post("/games/delete", data={"game": "tally"}).status_code == 409
    assert client.post("/games/delete", data={"game": "yacht"}).status_code == 409
    assert find("yacht")


def test_an_id_is_made_of_the_title():
    taken = ["kuste", "kuste-2"]
    assert id_for("Küste!", taken) == "kuste-3"
    assert id_for("10 000", []) == "game-10-000"
    assert id_for("骰子", []) == "game"
    assert id_for("Straße", []) == "strasse"
    assert game_toml(beginning("count"), ("1", "2")).startswith('id = "game"')


@pytest.mark.slow
def test_nothing_is_found_on_the_page_in_any_language(serve: Callable[..., Served], visit: Callable[..., Visitor]):
    found: list[str] = []
    page = visit(serve()).open("/games").page
    for language in LANGUAGES:
        page.context.add_cookies([{"name": "language", "value": language, "url": page.url}])
        for kind, fields in (("sheet", SHEET), ("push", LUCK), ("symbols", SKULLS), ("count", COUNT)):
            page.set_viewport_size({"width": 1280, "height": 900})
            page.goto(f"{page.url.split('/games')[0]}/games?{urlencode([*fields, ('do', 'try'), ('dice', '1')])}")
            wrong = violations(page, enhanced=True) + hidden_focus(page) + small_targets(page)
            page.set_viewport_size({"width": 320, "height": 800})
            found += [f"{language} {kind}: {one}" for one in (*wrong, *too_wide(page), *small_targets(page))]
    assert found == []


@pytest.mark.slow
def test_a_game_is_made_and_begun_by_keyboard_alone(serve: Callable[..., Served], visit: Callable[..., Visitor]):
    visitor = visit(serve()).open("/games?kind=count")
    page = visitor.page
    page.locator("#title").focus()
    visitor.type("Dozen")
    page.locator("#dice").focus()
    visitor.type("1 2 3 4 6")
    visitor.press("Enter")
    page.wait_for_selector("#tried")
    assert "16" in page.inner_text("#tried")
    assert page.input_value("#title") == "Dozen"
    page.locator("#keep").focus()
    visitor.press("Enter")
    page.wait_for_selector("#done")
    assert page.inner_text("#done") == "Game saved. You can play it now."
    page.locator(".kept-games a").first.focus()
    visitor.press("Enter")
    page.wait_for_selector("#draft")
    assert page.is_checked("#game-dozen")

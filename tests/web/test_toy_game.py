"""docs/add-a-game.md, followed to the letter: its game on every page and in every command, in every language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from cli.compose import House, pages_of
from scoring import games
from scoring.games import GameError, register
from scoring.match import Match, begin
from table.new_match import dice_for
from table.session import Session
from table.storage.store import Store
from table.table import Table
from tests.cli.door import tableside
from web.announcer import Announcer

PAGE = (Path(__file__).parents[2] / "docs" / "add-a-game.md").read_text(encoding="utf-8")
ROLLS = ("2 2 5 2", "1 2 3 4", "6 6 6 6")

PAGES = (
    "/", "/new", "/new?game=four-alike", "/television", "/spectator", "/history", "/history/{match}",
    "/history/{match}/events", "/history/{match}/2", "/history/{match}/log.jsonl", "/dispute/", "/dice",
    "/camera", "/devices",
)  # fmt: skip


def written(folder: Path, code: str) -> None:
    """A game's folder, with nothing in it but `game.py`."""
    folder.mkdir()
    (folder / "game.py").write_text(code, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where games can be added for one test."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path / "games")])
    monkeypatch.setattr(games, "GAMES", dict(games.GAMES))
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "data"))
    (tmp_path / "games").mkdir()
    return tmp_path / "games"


@pytest.fixture
def code() -> str:
    """The game as the page prints it."""
    return re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]


@pytest.fixture
def match(folder: Path, code: str) -> Match:
    """A match of the page's game that has just begun."""
    (line,) = re.findall(r'^    "(\w+)",$', PAGE, re.MULTILINE)
    written(folder / line, code)
    (folder / line / "words").mkdir()
    catalogues = re.findall(r"```po\n(.*?)```", PAGE, re.DOTALL)
    for language, catalogue in zip(("de", "fr"), catalogues, strict=True):
        (folder / line / "words" / f"{language}.po").write_text(catalogue, encoding="utf-8")
    register(line)
    return begin(games.find("four-alike"), ["Ann", "Bob"])


def client_of(match: Match, folder: Path) -> tuple[FlaskClient, Session]:
    session = Session(match, Store.of(folder).begin(match), dice_for(match.game))
    return pages_of(Table(session), Announcer()).test_client(), session


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_every_page_shows_it(match: Match, tmp_path: Path, language: str):
    client, session = client_of(match, tmp_path)
    for roll in (None, *ROLLS):
        if roll:
            session.roll(roll)
        for path in PAGES if roll in (None, ROLLS[1], ROLLS[-1]) else ("/",):
            where = path.format(match=session.store.id)
            answer = client.get(where, headers={"Accept-Language": language})
            fine = {302 if path == "/dispute/" else 200} if roll else {200, 404}
            assert answer.status_code in fine, (where, answer.get_data(as_text=True)[-300:])
    page = client.get("/", headers={"Accept-Language": language}).get_data(as_text=True)
    assert "Four Alike" in page
    assert session.match.outcome


def test_a_new_match_of_it_begins_from_its_page(match: Match, house: House, client: FlaskClient):
    assert "the more of them are alike, the better" in client.get("/new").get_data(as_text=True)
    fields = {"game": "four-alike", "of": "four-alike", "player": ["Ann", "Bob"], "set": "pips"}
    instead = house.table.session.store.id
    answer = client.post("/new", data=fields | {"rule.target": "12", "instead": instead})
    assert answer.status_code == 303, answer.get_data(as_text=True)
    assert "Four Alike" in client.get("/").get_data(as_text=True)
    assert house.table.session.match.state.options.number("target") == 12


def test_its_own_words_are_said_in_each_language(match: Match, tmp_path: Path):
    client, session = client_of(match, tmp_path)
    session.roll(ROLLS[0])
    facts = session.match.played[-1].step.facts
    said = {code: session.speaker(code).among(["Ann", "Bob"]).sentence(facts) for code in ("en", "de", "fr")}
    assert said["en"].endswith("3 of them are alike: 9 points.")
    assert said["de"].endswith("3 davon sind gleich: 9 Punkte.")
    assert said["fr"].replace("\xa0", " ").endswith("3 sont pareils : 9 points.")
    page = client.get("/", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "3 gleiche Würfel" in page
    page = client.get("/new", headers={"Accept-Language": "de"}).get_data(as_text=True)
    assert "Vier Würfel, ein Wurf: Je mehr davon gleich sind, desto besser." in page


@pytest.mark.parametrize("path", ["/advice", "/last-turn"])
def test_who_asks_for_advice_is_told_that_there_is_none(match: Match, tmp_path: Path, path: str):
    answer = client_of(match, tmp_path)[0].get(path)
    assert answer.status_code == 409
    assert len(answer.get_data(as_text=True).splitlines()) == 1


def test_every_command_knows_it(match: Match, tmp_path: Path):
    for asked, printed in re.findall(r"^\$ tableside (.*)\n((?:[^$`].*\n)*)", PAGE, re.MULTILINE):
        log = tmp_path / "log.jsonl"
        words = asked.split()
        said = tableside(*words, *(["--log", str(log)] if words[0] == "play" else []), typed="\n".join(ROLLS))
        assert said.code == 0, said.err
        assert printed.strip() in said.out
    told = tableside("replay", str(tmp_path / "log.jsonl"), "--json").json
    assert (told["points"], told["winners"]) == ({"Ann": 25, "Bob": 1}, ["Ann"])
    record = tableside("score", "four-alike", "--faces", "6,6,1,1", "--json").json
    assert (record["points"], record["breakdown"][0]["rule"]) == (4, "2 dice alike")
    assert [one["id"] for one in tableside("games", "--json").json][-1] == "four-alike"
    assert json.loads((tmp_path / "log.jsonl").read_text().splitlines()[0])["match"] == "four-alike"
    assert "for this game there is no advice" in tableside("advise", "four-alike", "--faces", "1,1,2,2").err


@pytest.mark.parametrize("field", ["title", "blurb", "dice", "seats"])
def test_a_game_that_forgets_something_is_refused_by_its_name_and_the_field(
    folder: Path, code: str, field: str
):
    written(folder / f"no_{field}", re.sub(rf"^    {field}: .*\n", "", code, flags=re.MULTILINE))
    with pytest.raises(GameError, match=f"^game four-alike: expected a {field}, got none$"):
        register(f"no_{field}")


def test_two_games_of_one_name_are_refused(match: Match, folder: Path, code: str):
    written(folder / "again", code.replace('"four-alike"', '"fouralike"'))
    with pytest.raises(
        GameError, match=r"^game fouralike: expected an id of its own, got one that is taken$"
    ):
        register("again")

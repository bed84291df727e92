"""A walk over every page in each language: whatever is the same as in English is a name, or a fault.

Pages are asked of the application, as in `test_accessibility`, so that a new one is walked over from its first day.
What a page says is its text and what stands in attributes for ears, tooltips and scripts (`words_on`); parts that are
marked as being in another language are left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from flask import Flask

from cli.compose import House
from messages.message import MessageError, message
from scoring.actions import Move
from scoring.games import available
from tests.web.marks import others_as_proof
from tests.web.serving import serving
from tests.web.test_accessibility import NO_PAGES
from tests.web.words_on import words_on
from vision.dicesets.library import available as sets_available
from web.language import LANGUAGES, WRITTEN
from words.speaker import speaker

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OTHERS = [language for language in LANGUAGES if language != WRITTEN]
PARTS = ("table.advice", "table.last_turn", "camera.advice", "table.hand", "table.events")
"""What is no page and says something all the same; streams are read where a browser is at hand."""

PLAYERS = ("Alice", "Bob")
SAME = {
    "de": "Tableside PIN RULINGS Letter Enter Esc Name Chance Jeep rtsp Alchemist Paladin",
    "fr": "Tableside PIN RULINGS Letter Enter Esc rtsp Jeep Pages Table Score scores Face Faces face faces points "
    "Chance Corrections Verdict triple point total Dragon Assassin Paladin Oracle",
}
"""Words that are the same as in English, names of things among them."""

ENGLISH = re.compile(
    r"\b(the|and|with|expected|which|this|that|from|throw|throws|is|are|your|you|of|nothing|yet|hold|held|"
    r"row|rows|wins|each|here|dice|picture|pictures|nobody|somebody|rolls)\b"
)
"""English words that are neither German nor French."""


MATCH_ID = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-[\w-]+")


def names(language: str) -> frozenset[str]:
    """Words that people and makers chose: of players, games, sets and their faces, and what is drawn for them."""
    chosen = [*PLAYERS, *(game.title for game in available())]
    for one in sets_available():
        chosen += [one.id, *one.title.values(), *one.face_ids]
        for face in one.faces:
            chosen += [*face.labels.values(), *(picture.name for picture in face.pictures)]
    chosen.append(SAME[language])
    return frozenset(word for name in chosen for word in re.findall(r"[^\W\d_]+", name))


def english_in(words: list[str], written: set[str], known: frozenset[str]) -> list[str]:
    """What of a page in another language is English: the same as on the English page, or with English words in it."""
    found: list[str] = []
    for one in words:
        if MATCH_ID.fullmatch(one):
            continue
        rest = [word for word in re.findall(r"[^\W\d_]{3,}", one) if word not in known]
        if rest and (one in written or ENGLISH.search(" ".join(rest))):
            found.append(one)
    return found


def test_what_is_english_is_noticed():
    known = names("de")
    page = ["Zum Tisch", "To the table", "Alice: +3", "Grund: expected a file", "Meet Fate", "12 px"]
    assert english_in(page, {"To the table", "Alice: +3", "Meet Fate", "12 px"}, known) == [
        "To the table",
        "Grund: expected a file",
    ]


def test_words_are_found_wherever_they_stand():
    html = (
        '<html lang="de"><head><title>Titel</title></head><body data-said="Satz" data-view="table">'
        '<img alt="Foto"><button aria-label="Knopf" title="Tipp">×</button><cite lang="en">rules</cite>'
        '<input placeholder="Name"><p>Text <b>fett</b></p><script>code</script></body></html>'
    )
    assert list(words_on(html, "de")) == [
        "Titel",
        "Satz",
        "Foto",
        "Knopf",
        "Tipp",
        "×",
        "Name",
        "Text",
        "fett",
    ]


# --- the walk


def seated(lay: Callable[..., House], game: str) -> House:
    return lay(game, PLAYERS, seed=3)


def play(house: House, steps: int, chance: random.Random) -> None:
    """Throws, draws and decisions, whatever may be."""
    session = house.table.session
    for _ in range(steps):
        match = session.match
        due, player = match.roll_awaited, match.decider
        if match.outcome:
            return
        if due is not None:
            thrown = [chance.choice(due.faces) for _ in range(due.dice - len(due.kept))]
            session.roll(", ".join((*due.kept, *thrown)))
        elif player is None:
            session.deal()
        else:
            moves = cast("list[Move]", list(match.game.legal_moves(match.state, player)))
            chance.shuffle(moves)
            for move in moves:
                try:
                    session.decide(move)
                    break
                except MessageError:  # one that must be filled in by hand: what a board prints, for instance
                    continue
            else:
                return


def paths(app: Flask, house: House) -> dict[str, str]:
    """Every address that may say something, by its endpoint."""
    session = house.table.session
    values: dict[str, object] = {
        "set_id": session.dice_set.id, "face": (*session.dice_set.face_ids, "1")[0], "match_id": session.store.id,
        "event": max(len(session.match.events) - 1, 1), "section": "2.4", "player": 0, "before": 0,
        "file": "sans.png", "name": "sans",
    }  # fmt: skip
    adapter = app.url_map.bind("localhost")
    return {
        rule.endpoint: adapter.build(
            rule.endpoint, {name: values[name] for name in cast("set[str]", rule.arguments)}
        )
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and (rule.endpoint not in NO_PAGES or rule.endpoint in PARTS[:3])
    }


def said_by(app: Flask, path: str, language: str) -> list[str]:
    client = app.test_client()
    client.set_cookie("language", language)
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code < 500, f"{path}: {answer.status}"
    words = (
        answer.get_data(as_text=True)
        if (answer.mimetype or "").startswith(("text/", "application/json"))
        else ""
    )
    return list(words_on(words, language))


def found_on(house: House) -> list[str]:
    """The English on every page as the table stands now."""
    app, found = house.app, list[str]()
    for path in paths(app, house).values():
        written = set(said_by(app, path, WRITTEN))
        for language in OTHERS:
            found += [
                f"{language} {path}: {one[:200]}"
                for one in english_in(said_by(app, path, language), written, names(language))
            ]
    return found


@pytest.mark.slow
def test_every_page_at_the_start_and_in_the_middle(lay: Callable[..., House]):
    house = seated(lay, "meet-fate")
    found = found_on(house)
    play(house, 5, random.Random(4))
    house.table.session.undo()
    found += found_on(house)
    assert not found, "\n".join(found)


WALKED = ("pairs", "called-shot", "outback-plus", "outlander", "destiny", "triples")

TOLD = (
    "table.page",
    "table.television",
    "table.spectator",
    "table.match",
    "replay.events",
    "replay.moment",
)


@pytest.mark.slow
@pytest.mark.parametrize("game", others_as_proof(WALKED, "outback-plus", "destiny"))
def test_what_a_game_shows_and_tells(lay: Callable[..., House], game: str):
    house, found = seated(lay, game), list[str]()
    chance = random.Random(2)
    for steps in (1, 12):
        play(house, steps, chance)
        every = paths(house.app, house)
        for endpoint in (one for one in TOLD if one in every):
            written = set(said_by(house.app, every[endpoint], WRITTEN))
            for language in OTHERS:
                said = said_by(house.app, every[endpoint], language)
                found += [
                    f"{language} {endpoint}: {one[:200]}"
                    for one in english_in(said, written, names(language))
                ]
    assert not found, "\n".join(dict.fromkeys(found))


TROUBLES = (
    message("the camera's picture stands still; nothing is read until it moves again"),
    message("the camera's picture is black; is the lens covered, or the light off?"),
    message("the camera's picture is out of focus"),
    message("{camera} gives no picture; is it still plugged in?", camera="camera 0"),
)


@pytest.mark.parametrize("language", OTHERS)
def test_what_ails_the_camera(lay: Callable[..., House], language: str):
    house, known = seated(lay, "meet-fate"), names(language)
    for trouble in TROUBLES:
        house.table.session.camera_says(trouble)
        words = said_by(house.app, "/", language)
        assert speaker().say(trouble) not in " ".join(words)
        assert not english_in(words, set(), known)


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_what_goes_wrong(lay: Callable[..., House], language: str):
    client = seated(lay, "meet-fate").app.test_client()
    client.set_cookie("language", language)
    for asked in (
        "GET /nowhere", "GET /roll", "POST /roll", "POST /language", "GET /dice/nothing", "POST /move",
        "GET /match/nothing", "GET /rulings/99.9", "POST /enter",
    ):  # fmt: skip
        method, path = asked.split()
        answer = client.open(path, method=method, headers={"Accept": "text/html", "Origin": "http://localhost"})
        assert answer.status_code >= 400
        words = list(words_on(answer.get_data(as_text=True), language))
        assert not english_in(words, set(), names(language)), asked


# --- what scripts make of it

LIVE = ("/", "/television", "/spectator", "/camera", "/tonight", "/dice/teach", "/history")

SHOWN = """() => {
  const words = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const foreign = (one) => one.closest("[lang]")?.lang !== document.documentElement.lang;
  while (walk.nextNode()) {
    const one = walk.currentNode;
    if (!["SCRIPT", "STYLE"].includes(one.parentElement.tagName) && !foreign(one.parentElement)) words.push(one.data);
  }
  for (const one of document.querySelectorAll("*")) {
    if (foreign(one)) continue;
    for (const name of ["aria-label", "alt", "title", "placeholder"])
      if (one.hasAttribute(name)) words.push(one.getAttribute(name));
  }
  return words.map((one) => one.trim().replace(/\\s+/g, " ")).filter(Boolean);
}"""


def shown(page: Page, address: str) -> list[str]:
    page.goto(address)
    page.wait_for_function(
        "() => !document.getElementById('link') || document.getElementById('link').dataset.link === 'live'"
    )
    if page.locator("#advice").count():
        page.wait_for_selector("#advice ul li")
    return page.evaluate(SHOWN)


def test_pages_in_a_browser(lay: Callable[..., House], browser: Browser, tmp_path: Path):
    """With scripts: what they write, and a throw that comes while they listen."""
    house, found = seated(lay, "meet-fate"), list[str]()
    house.table.session.roll("1 2 3 4 5 6")
    with serving(house, tmp_path) as served:
        windows = {code: browser.new_context(locale=code).new_page() for code in LANGUAGES}
        for page in windows.values():
            page.set_default_timeout(60_000)
        for path in LIVE:
            said = {code: shown(page, served.at(path)) for code, page in windows.items()}
            for code in OTHERS:
                assert windows[code].evaluate("document.documentElement.lang") == code
                found += [
                    f"{code} {path}: {one}" for one in english_in(said[code], set(said[WRITTEN]), names(code))
                ]
    assert not found, "\n".join(found)

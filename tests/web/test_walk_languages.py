"""A walk over every page in each language: whatever is the same as in English is a name, or a fault.

What a page says is its text and what stands in attributes for ears, tooltips and scripts; parts that are marked as
being in another language are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from html.parser import HTMLParser

import pytest

from cli.compose import House
from messages.message import message
from scoring.games import available
from tests.marks import others_as_proof
from tests.web.serving import Served
from tests.web.tables import addresses, every_page, played
from tests.web.visitor import Visitor
from vision.dicesets.library import available as sets_available
from words import LANGUAGES, WRITTEN
from words.speaker import speaker

OTHERS = [language for language in LANGUAGES if language != WRITTEN]
PARTS = ("table.advice", "table.last_turn", "camera.advice")
"""What is no page and says something all the same; streams are read where a browser is at hand."""

PLAYERS = ("Alice", "Bob")
SAME = {
    "de": "Port Webcams Python Tableside PIN Letter Enter Esc Name Chance Jeep rtsp Alchemist Paladin Live Pause",
    "fr": "Port Webcams Python Tableside PIN Letter Enter Esc rtsp Jeep Pages Table Score scores Face Faces face faces "
    "points Chance Corrections Verdict triple point total Total Pause min Dragon Assassin Paladin Oracle Manticore",
}
"""Words that are the same as in English, names of things among them."""

ENGLISH = re.compile(
    r"\b(the|and|with|expected|which|this|that|from|throw|throws|is|are|your|you|of|nothing|yet|hold|held|"
    r"row|rows|wins|each|here|dice|picture|pictures|nobody|somebody|rolls)\b"
)
"""English words that are neither German nor French."""

MATCH_ID = re.compile(r"\d{4}-\d\d-\d\d-\d{6}-[\w-]+")

VOID = {"br", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "use", "image", "line"}
HEARD = {"aria-label", "aria-description", "aria-roledescription", "alt", "title", "placeholder", "content"}
NOT_FOR_PEOPLE = re.compile(
    "data-(table|view|link|to|picture|log|group|enter|may|instead|own|number|version|run|corner|choose|kind|state|opens"
    "|lays)"
)
"""Attributes by which scripts know what is what."""


class Words(HTMLParser):
    """Collects the words of a page, in its language; parts in a language of their own are left out."""

    def __init__(self, language: str) -> None:
        super().__init__(convert_charrefs=True)
        self.language = language
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _ours(self) -> bool:
        return all(ours for _, ours in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        ours = given.get("lang") in (None, self.language) and tag not in ("script", "style")
        if ours and self._ours and not (tag == "meta" and given.get("name") in ("viewport", "color-scheme")):
            said = HEARD | {name for name in given if name.startswith("data-") and not NOT_FOR_PEOPLE.fullmatch(name)}
            self.found += [" ".join(value.split()) for name, value in attrs if value and name in said]
        if tag not in VOID:
            self._open.append((tag, ours))

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag in [one for one, _ in self._open]:
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._ours and data.strip():
            self.found.append(" ".join(data.split()))


def words_on(html: str, language: str) -> list[str]:
    """Each text and each attribute that people come to know, in the order of the page."""
    reader = Words(language)
    reader.feed(html)
    return reader.found


@cache
def names(language: str) -> frozenset[str]:
    """Words that people and makers chose: of players, games, sets and their faces, and what is drawn for them."""
    chosen = [*PLAYERS, *(game.title for game in available())]
    for one in sets_available():
        chosen += [one.id, *one.title.values(), *one.face_ids]
        for face in one.faces:
            chosen += [*face.labels.values(), *(picture.name for picture in face.pictures)]
    chosen.append(SAME[language])
    return frozenset(word for name in chosen for word in re.findall(r"[^\W\d_]+", name))


def english_in(words: Iterable[str], written: Iterable[str], language: str) -> list[str]:
    """What of a page in another language is English: the same as on the English page, or with English words in it."""
    found, written = list[str](), set(written)
    for one in words:
        rest = [word for word in re.findall(r"[^\W\d_]{3,}", one) if word not in names(language)]
        if rest and not MATCH_ID.fullmatch(one) and (one in written or ENGLISH.search(" ".join(rest))):
            found.append(one)
    return found


def test_what_is_english_is_noticed_wherever_it_stands():
    page = ["Zum Tisch", "To the table", "Alice: +3", "Grund: expected a file", "Meet Fate", "12 px"]
    written = {"To the table", "Alice: +3", "Meet Fate", "12 px"}
    assert english_in(page, written, "de") == ["To the table", "Grund: expected a file"]
    html = (
        '<html lang="de"><head><title>Titel</title></head><body data-said="Satz" data-view="table">'
        '<img alt="Foto"><button aria-label="Knopf" title="Tipp">×</button><cite lang="en">rules</cite>'
        '<input placeholder="Name"><p>Text <b>fett</b></p><script>code</script></body></html>'
    )
    assert " ".join(words_on(html, "de")) == "Titel Satz Foto Knopf Tipp × Name Text fett"


# --- the walk


def said_by(house: House, path: str, language: str) -> list[str]:
    client = house.app.test_client()
    client.set_cookie("language", language)
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code < 500, f"{path}: {answer.status}"
    says = (answer.mimetype or "").startswith(("text/", "application/json"))
    return words_on(answer.get_data(as_text=True), language) if says else []


def english_on(house: House, paths: Iterable[str]) -> list[str]:
    """The English on these pages as the table stands now."""
    found: list[str] = []
    for path in paths:
        written = said_by(house, path, WRITTEN)
        for language in OTHERS:
            english = english_in(said_by(house, path, language), written, language)
            found += [f"{language} {path}: {one[:200]}" for one in english]
    return found


@pytest.mark.slow
def test_every_page_at_the_start_and_in_the_middle(lay: Callable[..., House]):
    house, found = lay("meet-fate", PLAYERS, seed=3), list[str]()
    for steps in (0, 5):
        *_, last = played(house.table.session, steps)
        if last:
            house.table.session.undo()
        every = addresses(house)
        found += english_on(house, (*every_page(house).values(), *(every[part] for part in PARTS)))
    assert found == []


WALKED = ("pairs", "called-shot", "outback-plus", "outlander", "destiny", "triples")
TOLD = ("table.page", "table.television", "table.spectator", "replay.events", "replay.moment")


@pytest.mark.slow
@pytest.mark.parametrize("game", others_as_proof(WALKED, "outback-plus", "destiny"))
def test_what_a_game_shows_and_tells(lay: Callable[..., House], game: str):
    house, found = lay(game, PLAYERS, seed=3), list[str]()
    for steps in (1, 12):
        *_, _last = played(house.table.session, steps)
        every = addresses(house)
        found += english_on(house, (every[endpoint] for endpoint in TOLD if endpoint in every))
    assert found == []


TROUBLES = (
    message("the camera image is frozen; Tableside reads dice again once it moves"),
    message("the camera image is black; is the lens covered or the light off?"),
    message("the camera image is out of focus"),
    message("{camera} sends no image; is the camera still plugged in?", camera="camera 0"),
)


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_what_ails_the_camera_and_what_goes_wrong(lay: Callable[..., House], language: str):
    house = lay("meet-fate", PLAYERS, seed=3)
    for trouble in TROUBLES:
        house.table.session.camera_says(trouble)
        words = said_by(house, "/", language)
        assert speaker().say(trouble) not in " ".join(words)
        assert english_in(words, (), language) == []
    client = house.app.test_client()
    client.set_cookie("language", language)
    for asked in (
        "GET /nowhere", "GET /roll", "POST /roll", "POST /language", "GET /dice/nothing", "POST /move",
        "GET /match/nothing", "GET /rulings/99.9", "POST /enter",
    ):  # fmt: skip
        method, path = asked.split()
        answer = client.open(path, method=method, headers={"Accept": "text/html", "Origin": "http://localhost"})
        assert answer.status_code >= 400
        assert english_in(words_on(answer.get_data(as_text=True), language), (), language) == [], asked


# --- what scripts make of it

LIVE = ("/", "/television", "/spectator", "/camera", "/new", "/dice/teach", "/history")

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


@pytest.mark.proof
def test_pages_in_a_browser(serve: Callable[..., Served], visit: Callable[..., Visitor]):
    """With scripts: what they write."""
    served, found = serve(seed=3), list[str]()
    served.house.table.session.roll("1 2 3 4 5 6")
    windows = {code: visit(served, locale=code) for code in LANGUAGES}
    for path in LIVE:
        said = {code: one.open(path).page.evaluate(SHOWN) for code, one in windows.items()}
        for code in OTHERS:
            assert windows[code].page.evaluate("document.documentElement.lang") == code
            found += [f"{code} {path}: {one}" for one in english_in(said[code], said[WRITTEN], code)]
    assert found == []

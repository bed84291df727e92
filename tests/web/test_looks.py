"""Every game on every screen, for people who enlarge it, space it out or let the system choose colours.

What axe-core has no rule for: nothing scrolls sideways and nothing is cut off at 320 CSS pixels (1280 at 400 %), with
the text spacing of WCAG 1.4.12, and with text twice its size; targets are large; what has the focus is seen, beside
things that stay in place, too; contrast is AAA on drawn boards; the table's main button is seen without scrolling, and
so is all of the television; and in forced colours what is chosen differs by more than its colour.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import cv2
import pytest

from scoring.anyplay import any_action
from scoring.games import available
from scoring.games import find as find_game
from scoring.match import Match, begin
from tests.marks import others_as_proof
from tests.web.inspecting import cut_off, hidden_focus, pale, small_targets, too_wide
from tests.web.serving import Served
from tests.web.tables import bare, played
from tests.web.visitor import Visitor
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set

GAMES = [one.id for one in available()]

SCREENS = (
    (390, 664), (390, 844), (820, 1180), (1024, 768), (1280, 720), (1366, 657), (1440, 900), (1920, 1080),
)  # fmt: skip
TELEVISIONS = ((1280, 720), (1366, 768), (1920, 1080), (3840, 2160))

READABLE = 0.014
"""The smallest letters of a television, as a part of its height: to be read from across the room."""

ACTIONS = 40
"""After so many actions a match has shown most of its states; its end is looked at besides."""

STATES = 9
"""States of a game that are looked at at most."""

LONG = ["Maximiliane-Alexandrina von Hohenberg II", "Wolfeschlegelsteinhausenbergerdorffwelle", "Bo"]
"""Two names as long as names may be, one of them a single word."""

SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }"""
"""WCAG 1.4.12: what a reader may set, and lose nothing."""

TWICE = "html { font-size: 200% !important }"

MAIN = (
    "#go-on, .then-what .throw, #count, #throw.throw, #deal, .hand-over .answer, "
    ".group:is(.confirm, .stand, .done) .answer"
)
"""The button that goes on with the match, where there is one: else people choose among boxes, cards or spaces."""

LOOKS = """main => {
  const shown = [...document.querySelectorAll(main)].filter((one) => one.checkVisibility());
  const groups = [...document.querySelectorAll("main [data-group]")].map((one) => one.dataset.group);
  const kinds = [...new Set(groups.map((one) => one.replace(/[0-9]+/g, "")))];
  return `${shown.map((one) => one.id)}|${document.querySelectorAll(".dice > li").length}|${kinds}`;
}"""

HIDDEN = """main => {
  window.scrollTo(0, 0);
  const one = [...document.querySelectorAll(main)].find((one) => one.checkVisibility());
  if (!one) return "";
  const box = one.getBoundingClientRect();
  const whole = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  const there = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  if (whole && one.contains(there)) return "";
  return `${one.id || one.className} at ${Math.round(box.top)} to ${Math.round(box.bottom)}${whole ? ", covered" : ""}`;
}"""

BEYOND = """() => {
  const page = document.documentElement;
  const beyond = [...document.querySelectorAll(".television *")].filter((one) => {
    if (!one.checkVisibility() || one.matches(".hidden, .hidden *, .long, svg *")) return false;
    const box = one.getBoundingClientRect();
    const ink = 1 + 0.04 * parseFloat(getComputedStyle(one).fontSize);
    const cut = one.scrollHeight > one.clientHeight + ink || one.scrollWidth > one.clientWidth + 1;
    const outside = box.top < -1 || box.left < -1 || box.bottom > innerHeight + 1 || box.right > innerWidth + 1;
    return ("fit" in one.dataset && cut) || (box.width > 1 && outside);
  });
  const scrolls = page.scrollHeight > page.clientHeight || page.scrollWidth > page.clientWidth;
  if (!scrolls && !beyond.length) return "";
  return `${page.scrollWidth}×${page.scrollHeight}: ${beyond.slice(0, 2).map((one) => one.outerHTML.slice(0, 90))}`;
}"""

SMALL = """least => [...document.querySelectorAll(".television *")].filter((one) => one.checkVisibility()
  && !one.matches(".hidden, .hidden *, .long, .hex *, svg *")
  && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  && parseFloat(getComputedStyle(one).fontSize) < least * innerHeight).map((one) => one.outerHTML.slice(0, 90))"""

ALONE = """selector => {
  const rows = {};
  for (const one of document.querySelectorAll(selector)) {
    const top = Math.round(one.getBoundingClientRect().top);
    rows[top] = (rows[top] ?? 0) + 1;
  }
  return Object.values(rows).slice(1).includes(1);
}"""

OPEN = "open => document.querySelectorAll('main details').forEach((one) => { one.open = open; })"


def ended(game: str, names: list[str]) -> Match:
    """A match that was played to its end by lot."""
    chance, match = random.Random(game), begin(find_game(game), names)
    while not match.outcome:
        match = match.add(any_action(match.game, match.state, chance.randrange))
    return match


@cache
def picture() -> bytes:
    """Of an empty table."""
    return cv2.imencode(".jpg", DemoCamera(find_set("pips"), seed=1).read().pixels)[1].tobytes()


class Judge(Visitor):
    """Looks at a page in German, whose words are long; the picture of its table is there."""

    def __init__(self, *what: object) -> None:
        super().__init__(*what)  # pyright: ignore[reportArgumentType]
        self.told: list[str] = []
        sent: dict[str, Any] = {"content_type": "image/jpeg", "headers": {"X-Frame": "1"}}
        self.page.route("**/picture?after=*", lambda route: route.fulfill(body=picture(), **sent))

    def at(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def beyond(self) -> list[str]:
        """What a television does not show, once the page has fitted itself to it."""
        for _ in range(20):
            self.page.wait_for_timeout(30)
            if not (beyond := self.page.evaluate(BEYOND)):
                return []
        return [beyond]

    def enlarged(self, state: str, *looks: tuple[int, str]) -> None:
        """Everything open at 320 pixels; then at other widths with a style of people's own."""
        self.page.evaluate(OPEN, True)
        for width, css in ((320, ""), *looks):
            self.at(width, 640)
            style = self.page.add_style_tag(content=css) if css else None
            checks = (too_wide, cut_off) if css else (too_wide, cut_off, small_targets)
            self.told += [
                f"{state}, {width} px {css[:6]}: {one}" for check in checks for one in check(self.page)
            ]
            if style:
                style.evaluate("one => one.remove()")
        self.page.evaluate(OPEN, False)

    def is_all_there(self, state: str) -> None:
        """The main button on every screen, whatever is enlarged, and contrast."""
        for width, height in SCREENS:
            self.at(width, height)
            if hidden := self.page.evaluate(HIDDEN, MAIN):
                self.told.append(f"{state} at {width}×{height}: {hidden}")
        self.told += [f"{state}: {one}" for one in pale(self.page)]
        self.enlarged(state)


@pytest.fixture
def judge(serve: Callable[..., Served], visit: Callable[..., Judge]) -> Callable[..., Judge]:
    """Somebody looks at a page of a table with this match on it."""

    def come(match: Match, path: str = "/", **how: object) -> Judge:
        how = {"locale": "de", "bypass_csp": True, "reduced_motion": "reduce", **how}
        return visit(serve(match=match, seed=3), path, kind=Judge, **how)

    return come


@pytest.mark.parametrize("game", others_as_proof(GAMES, "outback-plus"))
def test_a_table_is_all_there_on_every_screen_enlarged_and_spaced_out(judge: Callable[..., Judge], game: str):
    names, seen = ["Alexandrina", "Bo", "Cleo"], set[str]()
    alice = judge(begin(find_game(game), names))
    for number in played(alice.session, ACTIONS):
        alice.catches_up()
        state = alice.page.evaluate(LOOKS, MAIN)
        if state not in seen and len(seen) < STATES:
            seen.add(state)
            alice.is_all_there(f"after {number} ({state})")
    alice.enlarged("in the middle", (390, SPACED), (1280, TWICE))
    if not alice.session.match.outcome:
        alice.is_told(lambda session: session.pause())
        alice.is_all_there("paused")
    over = judge(ended(game, names))
    over.is_all_there("over")
    over.enlarged("over", (390, SPACED), (1280, TWICE))
    assert any(not state.startswith("|") for state in seen), "it has a main button in some state"
    assert alice.told + over.told == []


@pytest.mark.parametrize("camera", [True, pytest.param(False, marks=pytest.mark.proof)])
@pytest.mark.parametrize("game", others_as_proof(GAMES, "meet-fate"))
def test_a_television_shows_all_of_every_state(
    serve: Callable[..., Served], visit: Callable[..., Judge], game: str, camera: bool
):
    """As many people as may play, eight at most, two with names of forty letters."""
    names = [*LONG, "Alexandrina", "Cleo", "Dorothea", "Emil", "Friederike"][
        : min(8, find_game(game).seats[1])
    ]
    told = list[str]()
    for match, actions in ((begin(find_game(game), names), 3 * ACTIONS), (ended(game, names), 0)):
        house = None if camera else bare(match)
        screen = visit(
            serve(match=match, house=house), "/television", kind=Judge, locale="de", reduced_motion="reduce"
        )
        for number in played(screen.session, actions):
            if number > 8 and number % 20:
                continue
            screen.catches_up()
            for width, height in TELEVISIONS:
                screen.at(width, height)
                told += [f"after {number} at {width}×{height}: {one}" for one in screen.beyond()]
                told += [
                    f"after {number} at {width}×{height}, too small: {one}"
                    for one in screen.page.evaluate(SMALL, READABLE)
                ]
        told += pale(screen.page)
    assert told == []


@pytest.mark.parametrize(
    ("game", "paths"),
    [
        (
            "meet-fate",
            "new / camera dice dice/cats dice/teach history spectator television nowhere dispute/",
        ),
        ("quintuples", "/ spectator"),
        pytest.param("called-shot", "/ spectator", marks=pytest.mark.proof),
    ],
)
def test_every_page_enlarged_and_spaced_out_loses_nothing_of_long_names(
    judge: Callable[..., Judge], game: str, paths: str
):
    alice = judge(begin(find_game(game), LONG))
    alice.pardon = "status of 404"
    for _ in played(alice.session, 7):
        pass
    for path in paths.split():
        alice.open(f"/{path.strip('/')}" + "/" * (path == "dispute/"))
        alice.enlarged(path, (390, SPACED), (1280 if path == "dice/cats" else 320, TWICE))
    assert alice.told == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), pytest.param(320, 256, marks=pytest.mark.proof)])
def test_what_has_the_focus_is_seen_though_something_stays_in_place(
    judge: Callable[..., Judge], width: int, height: int
):
    alice = judge(begin(find_game("outlander"), ["Alexandrina", "Bo", "Cleo"]), locale="en")
    for _ in played(alice.session, 7):
        pass
    for path in ("/new", "/", "/history"):
        alice.open(path).at(width, height)
        alice.page.evaluate(OPEN, True)
        assert hidden_focus(alice.page) == [], path


def test_nothing_stands_alone_in_a_row(judge: Callable[..., Judge]):
    """The head of the page, the dice of Outback and the animals of its jeep; and whose turn it is in one piece."""
    alice, told = judge(begin(find_game("outback"), ["Alice", "Bob", "Carla"])), list[str]()
    for _ in played(alice.session, 12):
        pass
    watching = alice.beside("/spectator")
    watching.at(1280, 720)
    tops = watching.page.evaluate("[...document.querySelectorAll('#board, #sheet')].map((one) => one.offsetTop)")
    assert len(set(tops)) == 1, "the board begins beside the sheets"
    alice.catches_up()
    for width, height in (*SCREENS, (1152, 800), (430, 932)):
        alice.at(width, height)
        told += [f"{width} {one}" for one in (".dice > li", ".jeep li") if alice.page.evaluate(ALONE, one)]
        broken = "[...document.querySelectorAll('.turn')].some((one) => one.getClientRects().length > 1)"
        told += [f"{width} turn"] * alice.page.evaluate(broken)
    alice = judge(begin(find_game("outlander"), ["Alice", "Bob"]))
    alice.at(1280, 720)
    rows = alice.page.evaluate("[...document.querySelectorAll('.brand, .ways')].map((one) => one.offsetTop)")
    assert max(rows) - min(rows) < 20, "the ways to the pages stand beside the title"
    assert told == []


def test_in_forced_colours_what_is_chosen_differs_by_more_than_colour(judge: Callable[..., Judge]):
    alice = judge(begin(find_game("meet-fate"), ["Ann", "Bob"]), locale="en", forced_colors="active")
    page = alice.page
    alice.rolls("8 8 8 2 3 4")
    page.click("#die-1")
    page.wait_for_selector("#die-1[aria-pressed=true]")
    form = """selector => { const s = getComputedStyle(document.querySelector(selector));
        return [s.borderWidth, s.borderStyle, s.outlineStyle, s.outlineWidth, s.fontWeight].join(" "); }"""
    pairs = [(".seat.now", ".seat:not(.now)"), ("#die-1", "#die-2"),
             (".ways [aria-current]", ".ways a:not([aria-current])")]  # fmt: skip
    assert [pair for pair in pairs if page.evaluate(form, pair[0]) == page.evaluate(form, pair[1])] == []
    edgeless = """() => [...document.querySelectorAll("button, summary, a.throw, a.quiet")].filter((one) =>
        one.checkVisibility() && !one.matches(".hex, .die, details.amend summary, details.fold summary")
        && parseFloat(getComputedStyle(one).borderTopWidth) < 1).map((one) => one.outerHTML.slice(0, 90))"""
    assert page.evaluate(edgeless) == []
    assert page.evaluate("getComputedStyle(document.querySelector('.die path')).forcedColorAdjust") == "none"

"""What has to be seen without scrolling: the table's main button on every usual screen, and all of the television.

One browser plays each game by posting its moves; in every state that looks different from those before, the page is
resized to every screen and asked where its main button is.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from scoring.actions import Draw, Roll
from scoring.anyplay import any_action
from scoring.games import available
from scoring.games import find as find_game
from scoring.match import Match, begin
from table.new_match import dice_for
from tests.web.inspecting import cut_off, too_wide
from tests.web.marks import others_as_proof
from tests.web.serving import Served, serving
from tests.web.tables import furnished
from vision.demo.camera import DemoCamera

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.usefixtures("data")

SCREENS = (
    (390, 664), (390, 844), (820, 1180), (1024, 768), (1280, 720), (1366, 657), (1440, 900), (1920, 1080),
)  # fmt: skip

ACTIONS = 40
"""After so many actions a match has shown most of its states; its end is looked at besides."""

STATES = 9
"""States of a game that are looked at at most."""

MAIN = (
    "#go-on, .then-what .throw, #count, #throw.throw, #deal, .hand-over .answer, "
    ".group:is(.confirm, .stand, .done) .answer"
)
"""The button that goes on with the match, where there is one: else people choose among boxes, cards or spaces."""

LOOKS = """main => {
  const shown = [...document.querySelectorAll(main)].filter((one) => one.checkVisibility());
  const groups = [...document.querySelectorAll("#board [data-group]")].map((one) => one.dataset.group);
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


@contextmanager
def laid(match: Match, folder: Path) -> Generator[Served]:
    """A demo table with this match on it; nothing moves there but what the test moves."""
    with serving(furnished(match=match, seed=3, heartbeat=10.0), folder, watched=False) as served:
        yield served


def ended(game: str, names: list[str]) -> Match:
    """A match that was played to its end by lot."""
    chance, match = random.Random(game), begin(find_game(game), names)
    while not match.outcome:
        match = match.add(any_action(match.game, match.state, chance.randrange))
    return match


def played(served: Served, actions: int) -> Iterator[int]:
    """Play on by lot, and tell after each action how many there were."""
    session, chance = served.house.table.session, random.Random(served.house.table.session.match.game.id)
    for number in range(actions + 1):
        yield number
        match = session.match
        if match.outcome:
            return
        action = any_action(match.game, match.state, chance.randrange)
        if isinstance(action, Roll):
            session.roll(", ".join(action.faces))
        elif isinstance(action, Draw):
            session.draw(action.cards)
        else:
            session.decide(action.move, action.player)


@contextmanager
def following(browser: Browser, address: str, width: int, height: int) -> Generator[Page]:
    """A page in German, whose words are long; the picture of its table is there."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="de", reduced_motion="reduce"
    )
    page = context.new_page()
    picture = DemoCamera(dice_for(find_game("pairs")), seed=1)
    coded = cv2.imencode(".jpg", picture.read().pixels)[1].tobytes()
    page.route(
        "**/picture?after=*",
        lambda route: route.fulfill(body=coded, content_type="image/jpeg", headers={"X-Frame": "1"}),
    )
    page.goto(address)
    page.wait_for_selector("#link[data-link=live]", state="attached")
    yield page
    context.close()


def up_to_date(page: Page, served: Served) -> None:
    """Wait until a page shows what happened last."""
    page.wait_for_function(
        "number => document.getElementById('table').dataset.number.split('-').pop() === number",
        arg=str(served.house.table.session.latest().number),
    )


def not_on_screen(page: Page) -> list[str]:
    told: list[str] = []
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        if hidden := page.evaluate(HIDDEN, MAIN):
            told.append(f"{width}×{height}: {hidden}")
    return told


@pytest.mark.parametrize("game", others_as_proof([one.id for one in available()], "meet-fate", "outback"))
def test_the_main_button_is_on_every_screen_in_every_state(
    game: str, browser: Browser, tmp_path: Path
):
    names = ["Alexandrina", "Bo", "Cleo"]
    told: list[str] = []
    seen: set[str] = set()
    with (
        laid(begin(find_game(game), names), tmp_path) as served,
        following(browser, served.at(), 390, 664) as page,
    ):

        def look(after: str) -> None:
            up_to_date(page, served)
            state = page.evaluate(LOOKS, MAIN)
            if state not in seen and len(seen) < STATES:
                seen.add(state)
                told.extend(f"{after} ({state}): {one}" for one in not_on_screen(page))

        for number in played(served, ACTIONS):
            look(f"after {number}")
        session = served.house.table.session
        if not session.match.outcome:
            session.pause()
            look("paused")
    with laid(ended(game, names), tmp_path) as served, following(browser, served.at(), 390, 664) as page:
        look("over")
    assert any(not state.startswith("|") for state in seen), "it has a main button in some state"
    assert told == []


TWICE = "html { font-size: 200% !important }"

LONG = ["Maximiliane-Alexandrina von Hohenberg II", "Wolfeschlegelsteinhausenbergerdorffwelle", "Bo"]
"""Two names as long as names may be, one of them a single word."""


@pytest.mark.parametrize(
    ("game", "paths"),
    [
        ("meet-fate", ("", "tonight", "camera")),
        pytest.param("meet-fate", ("dispute/", "television", "history", "dice"), marks=pytest.mark.proof),
        ("quintuples", ("", "spectator")),
        pytest.param("called-shot", ("", "spectator"), marks=pytest.mark.proof),
    ],
)
def test_nothing_scrolls_sideways_with_long_names_and_text_twice_its_size(
    game: str, paths: tuple[str, ...], browser: Browser, tmp_path: Path
):
    told: list[str] = []
    with laid(begin(find_game(game), LONG), tmp_path) as served:
        for _ in played(served, 7):
            pass
        for path in paths:
            page = browser.new_context(locale="de", bypass_csp=True, reduced_motion="reduce").new_page()
            page.goto(served.at(f"/{path}"))
            page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
            for width, css in ((390, ""), (320, ""), (320, TWICE)):
                page.set_viewport_size({"width": width, "height": 640})
                if css:
                    page.add_style_tag(content=css)
                told += [f"/{path} {width} px {css}: {one}" for one in (*too_wide(page), *cut_off(page))]
            page.context.close()
    assert told == []


TELEVISIONS = ((1920, 1080), (1280, 720))

BEYOND = """() => {
  const page = document.documentElement;
  const beyond = [...document.querySelectorAll(".television *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return one.checkVisibility() && box.width > 1 && !one.matches(".hidden, .hidden *")
      && (box.bottom > innerHeight + 1 || box.right > innerWidth + 1);
  });
  if (page.scrollHeight <= page.clientHeight && page.scrollWidth <= page.clientWidth && !beyond.length) return "";
  return `${page.scrollWidth}×${page.scrollHeight}: ${beyond.slice(0, 2).map((one) => one.outerHTML.slice(0, 60))}`;
}"""


@pytest.mark.parametrize("game", others_as_proof([one.id for one in available()], "meet-fate", "destiny"))
def test_a_television_shows_all_of_every_state(
    game: str, browser: Browser, tmp_path: Path
):
    """As many people as may play, eight at most, two with names of forty letters."""
    names = [*LONG, "Alexandrina", "Cleo", "Dorothea", "Emil", "Friederike"][
        : min(8, find_game(game).seats[1])
    ]
    told: list[str] = []
    seen: set[str] = set()
    for match, actions in ((begin(find_game(game), names), 3 * ACTIONS), (ended(game, names), 0)):
        with (
            laid(match, tmp_path) as served,
            following(browser, served.at("/television"), *TELEVISIONS[0]) as page,
        ):
            for number in played(served, actions):
                if number > 8 and number % 20:
                    continue
                up_to_date(page, served)
                for width, height in TELEVISIONS:
                    page.set_viewport_size({"width": width, "height": height})
                    page.wait_for_timeout(30)
                    if beyond := page.evaluate(BEYOND):
                        told.append(f"after {number} at {width}×{height}: {beyond}")
                seen.add(page.evaluate("document.getElementById('table').style.getPropertyValue('--fit')"))
    assert told == []
    assert min(float(one or 1) for one in seen) > 0.45, "it can still be read from across the room"


ALONE = """selector => {
  const rows = {};
  for (const one of document.querySelectorAll(selector)) {
    const top = Math.round(one.getBoundingClientRect().top);
    rows[top] = (rows[top] ?? 0) + 1;
  }
  return Object.values(rows).slice(1).includes(1);
}"""


def test_nothing_stands_alone_in_a_row(browser: Browser, tmp_path: Path):
    """The head of the page, the dice of Outback and the animals of its jeep; and whose turn it is in one piece."""
    told: list[str] = []
    with laid(begin(find_game("outback"), ["Alice", "Bob", "Carla"]), tmp_path) as served:
        for _ in played(served, 12):
            pass
        with following(browser, served.at("/spectator"), 1280, 720) as page:
            tops = page.evaluate("[...document.querySelectorAll('.seen > *')].map((one) => one.offsetTop)")
            assert len(set(tops)) == 1, "no hole above the dice"
        with following(browser, served.at(), 390, 664) as page:
            for width, height in (*SCREENS, (1152, 800), (430, 932)):
                page.set_viewport_size({"width": width, "height": height})
                told += [f"{width} {one}" for one in (".dice > li", ".jeep li") if page.evaluate(ALONE, one)]
                broken = (
                    "[...document.querySelectorAll('.turn')].some((one) => one.getClientRects().length > 1)"
                )
                told += [f"{width} turn"] * page.evaluate(broken)
    with (
        laid(begin(find_game("outlander"), ["Alice", "Bob"]), tmp_path) as served,
        following(browser, served.at(), 1280, 720) as page,
    ):
        rows = page.evaluate("[...document.querySelectorAll('.brand, .ways')].map((one) => one.offsetTop)")
        assert max(rows) - min(rows) < 20, "the ways to the pages stand beside the title"
    assert told == []

"""Every game's table in many states, for people who enlarge it, space it out or let the system choose colours.

What axe-core has no rule for: nothing scrolls sideways and nothing is cut off at 320 CSS pixels (1280 at 400 %), with
the text spacing of WCAG 1.4.12, and with text twice its size; targets are large; what has the focus is seen, beside
things that stay in place, too; and in forced colours what is chosen differs by more than its colour.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring.anyplay import any_action
from scoring.games import available
from scoring.games import find as find_game
from scoring.match import Match, begin
from tests.web.inspecting import cut_off, hidden_focus, small_targets, too_wide
from tests.web.marks import others_as_proof
from tests.web.serving import serving
from tests.web.tables import bare

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.usefixtures("data")

SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }"""
"""WCAG 1.4.12: what a reader may set, and lose nothing."""

TWICE = "html { font-size: 200% !important }"

MOMENTS = (0, 7, 26, 2000)
"""After how many actions the table is looked at; the last is the end of every match."""

PAGES = (
    "tonight",
    "",
    "camera",
    "dice",
    "dice/cats",
    "dice/teach",
    "history",
    "spectator",
    "television",
    "nowhere",
)


@contextmanager
def shown(match: Match, folder: Path) -> Generator[str]:
    """The address of a table with this match on it; its rolls are typed."""
    with serving(bare(match), folder, watched=False) as served:
        yield served.at()


def moments(game: str) -> Generator[tuple[int, Match]]:
    """A match played by lot, as it stands after so many actions."""
    chance = random.Random(game)
    match = begin(find_game(game), ["Alexandrina", "Bo", "Cleo"])
    for number in range(MOMENTS[-1] + 1):
        if number in MOMENTS or match.outcome:
            yield number, match
        if match.outcome:
            return
        match = match.add(any_action(match.game, match.state, chance.randrange))


def opened(
    browser: Browser, address: str, width: int, height: int, language: str = "en", css: str = ""
) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=language, bypass_csp=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(address, wait_until="load")
    if css:
        page.add_style_tag(content=css)
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    return page


def found(page: Page, what: str, *checks: Callable[[Page], list[str]]) -> list[str]:
    said = [f"{what}: {check.__name__}: {one}" for check in checks for one in check(page)]
    page.context.close()
    return said


@pytest.mark.parametrize("game", others_as_proof([one.id for one in available()], "meet-fate", "outback-plus"))
def test_a_table_enlarged_and_spaced_out_loses_nothing(game: str, browser: Browser, tmp_path: Path):
    told: list[str] = []
    for number, match in moments(game):
        with shown(match, tmp_path / str(number)) as address:
            page = opened(browser, address, 320, 640, "de")
            told += found(page, f"320 px after {number}", too_wide, cut_off, small_targets)
            if number == 7 or match.outcome:
                page = opened(browser, address, 390, 844, "fr", SPACED)
                told += found(page, f"spaced after {number}", too_wide, cut_off)
                page = opened(browser, address, 1280, 800, "de", TWICE)
                told += found(page, f"twice as large after {number}", too_wide, cut_off)
    assert told == []


@pytest.mark.parametrize(
    ("width", "height", "language", "css"),
    [
        (320, 640, "de", ""),
        pytest.param(390, 844, "fr", SPACED, marks=pytest.mark.proof),
        pytest.param(1280, 800, "de", TWICE, marks=pytest.mark.proof),
    ],
)
def test_every_page_enlarged_and_spaced_out_loses_nothing(
    browser: Browser, tmp_path: Path, width: int, height: int, language: str, css: str
):
    match = list(moments("meet-fate"))[2][1]
    checks = (too_wide, cut_off) if css else (too_wide, cut_off, small_targets)
    told: list[str] = []
    with shown(match, tmp_path) as address:
        for path in PAGES:
            page = opened(browser, address + path, width, height, language, css)
            told += found(page, f"/{path} {width} px {css}", *checks)
    assert told == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), pytest.param(320, 256, marks=pytest.mark.proof)])
def test_what_has_the_focus_is_seen_though_something_stays_in_place(
    width: int, height: int, browser: Browser, tmp_path: Path
):
    match = list(moments("outlander"))[1][1]
    with shown(match, tmp_path) as address:
        for path in ("tonight", "", "history"):
            page = opened(browser, address + path, width, height)
            told = hidden_focus(page, most=70)
            page.context.close()
            assert told == [], path


def test_in_forced_colours_what_is_chosen_differs_by_more_than_colour(browser: Browser, tmp_path: Path):
    match = begin(find_game("meet-fate"), ["Ann", "Bob"])
    with shown(match, tmp_path) as address:
        context = browser.new_context(forced_colors="active", viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(address)
        page.fill("#faces", "8 8 8 2 3 4")
        page.click("#typed")
        page.click("#hold-1")
        page.wait_for_selector("#hold-1[aria-pressed=true]")
        form = """selector => { const s = getComputedStyle(document.querySelector(selector));
            return [s.borderWidth, s.borderStyle, s.outlineStyle, s.outlineWidth, s.fontWeight].join(" "); }"""
        pairs = [("#hold-1", "#hold-2"), (".seat.now", ".seat:not(.now)"), ("#die-1", "#die-2"),
                 (".ways [aria-current]", ".ways a:not([aria-current])")]  # fmt: skip
        same = [pair for pair in pairs if page.evaluate(form, pair[0]) == page.evaluate(form, pair[1])]
        edged = """() => [...document.querySelectorAll("button, summary, a.throw, a.quiet")].filter((one) =>
            one.checkVisibility() && !one.matches(".hex, .die, details.amend summary, details.given summary")
            && parseFloat(getComputedStyle(one).borderTopWidth) < 1).map((one) => one.outerHTML.slice(0, 90))"""
        edgeless = page.evaluate(edged)
        drawn = page.evaluate("getComputedStyle(document.querySelector('.die path')).forcedColorAdjust")
        context.close()
    assert same == []
    assert edgeless == []
    assert drawn == "none"

"""Every page, in every state and by day and by night: axe-core finds nothing, and neither do checks of our own.

The pages are not listed here: they are asked of the application, so that a new one is looked at from its first day. One
whose address needs a value that nobody knows fails until `VALUES` says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from flask import Flask

from cli.compose import House, furnish
from messages.message import message
from tests.fakes import TruthfulReader
from tests.web.inspecting import (
    ENHANCED,
    filled_live_regions,
    hidden_focus,
    inline_code,
    moves,
    small_targets,
    too_wide,
    violations,
)
from tests.web.serving import Served, serving
from tests.web.tables import PIN, furnished
from vision.camera import PushedFrames
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from web.app import WAYS
from web.network.addresses import Neighbourhood
from web.settings import WebSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WAIT = 120_000

NO_PAGES = frozenset(
    {
        "static", "table.events", "table.live_picture", "table.face", "replay.evidence", "table.advice",
        "table.last_turn",
        "dice.face_picture", "dice.around", "dice.pack", "dice.stickers", "teach.events",
        "teach.offered", "teach.kept", "replay.log", "replay.match_picture",
        "tonight.set_face", "camera.live_picture", "camera.advice", "camera.printed_markers",
    }
)  # fmt: skip
"""What is asked for by GET and known to be no page: streams, pictures, downloads, answers to a script."""


@dataclass
class Demo:
    """A demo table that is served, and what its dice really show."""

    house: House
    camera: DemoCamera
    reader: TruthfulReader
    base: str

    def values(self) -> dict[str, str]:
        """What stands in the addresses of pages."""
        return {
            "set_id": "fate", "face": "1", "match_id": self.house.table.session.store.id, "event": "1",
            "section": "2.4", "player": "0", "before": "0", "file": "sans.png", "name": "sans",
        }  # fmt: skip


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Demo]]:
    """Starts a demo, with a PIN or without; all of them end with the module."""
    patch = pytest.MonkeyPatch()
    open_ones: list[object] = []

    def start(pin: str | None = None, game: str = "meet-fate", set_id: str = "fate") -> Demo:
        folder = tmp_path_factory.mktemp("table")
        patch.setenv("TABLESIDE_DATA", str(folder))
        dice_set = find_set(set_id)
        camera = DemoCamera(dice_set, seed=11)
        reader = TruthfulReader(camera)
        house = furnish(
            camera, game=game, dice_set=dice_set, players=["Alice", "Bob"], reader=reader, thrower=camera,
            settings=WebSettings(pin=pin),
        )  # fmt: skip
        served = serving(house, folder)
        open_ones.append(served)
        return Demo(house, camera, reader, served.__enter__().at(""))

    yield start
    for one in open_ones:
        one.__exit__(None, None, None)  # type: ignore[attr-defined]
    patch.undo()


@pytest.fixture(scope="module")
def demo(serve: Callable[..., Demo]) -> Demo:
    """A match of Meet Fate in its second turn, with an event of each kind, on a table that anybody may use."""
    one = serve()
    session = one.house.table.session
    session.roll("1 2 3 4 5 6")
    session.correct(1, "2")
    session.decide(next(iter(_fills(one))))
    session.undo()
    session.decide(next(iter(_fills(one))))
    session.roll("2 2 3 4 5 6")
    return one


def _fills(demo: Demo) -> list[object]:
    from scoring.actions import Fill

    match = demo.house.table.session.match
    player = 0 if len(match.played) < 3 else 1
    return [one for one in match.game.legal_moves(match.state, player) if isinstance(one, Fill)]


class Watched:
    """A page in a window that remembers what it asked for and what it complained about."""

    def __init__(self, browser: Browser, demo: Demo, **options: object) -> None:
        self.demo = demo
        self.context = browser.new_context(viewport={"width": 1280, "height": 860}, **options)  # type: ignore[arg-type]
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda said: self._complains(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _complains(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "the server responded with a status of" not in text:
            self.complaints.append(text)

    def open(self, path: str) -> Page:
        """A page as it stands when its scripts have begun."""
        self.page.goto(self.demo.base + path, wait_until="load")
        self.page.wait_for_function(
            """() => {
              const link = document.getElementById("link"), advice = document.getElementById("advice");
              return (!link || link.dataset.link === "live") && (!advice || advice.querySelector("ul"));
            }"""
        )
        return self.page

    def elsewhere(self) -> list[str]:
        """Addresses of other hosts that were asked for."""
        own = urlsplit(self.demo.base).netloc
        return [url for url in self.asked if url.startswith("http") and urlsplit(url).netloc != own]


def addresses(app: Flask, values: dict[str, str]) -> dict[str, str]:
    """The address of every page there is, by its endpoint."""
    found: dict[str, str] = {}
    with app.test_request_context("/"):
        adapter = app.url_map.bind("localhost")
        for rule in app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()) or rule.endpoint in NO_PAGES:
                continue
            unknown = set(rule.arguments) - set(values)
            assert not unknown, f"{rule.endpoint}: say in `Demo.values` what {unknown} may be, or in NO_PAGES"
            given = {
                name: int(values[name]) if values[name].isdecimal() and name != "face" else values[name]
                for name in rule.arguments
            }
            found[rule.endpoint] = adapter.build(rule.endpoint, given)
    return found


def pages_of(demo: Demo) -> dict[str, str]:
    """Every address that answers with a whole page."""
    client = demo.house.app.test_client()
    every = addresses(demo.house.app, demo.values())
    answers = {end: client.get(path, headers={"Accept": "text/html"}) for end, path in every.items()}
    pages = {end: every[end] for end, answer in answers.items() if answer.data.startswith(b"<!doctype html>")}
    broken = {end: answer.status for end, answer in answers.items() if answer.status_code >= 500}
    assert not broken
    return pages


def found_on(page: Page, endpoint: str) -> list[str]:
    """What axe-core says of a page by day and by night."""
    found: list[str] = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found += [f"{scheme} {one}" for one in violations(page, enhanced=endpoint in ENHANCED)]
    page.emulate_media(color_scheme="light")
    return found


@pytest.mark.slow
def test_every_way_leads_to_a_page(demo: Demo):
    pages = pages_of(demo)
    there = {end for end, _ in WAYS if end in demo.house.app.view_functions}
    assert there <= set(pages)
    assert {
        "table.page",
        "dice.page",
        "dice.one",
        "teach.page",
        "history.page",
        "replay.moment",
    } <= set(pages)


def test_nothing_is_found_on_any_page(demo: Demo, browser: Browser):
    """One walk over all pages: axe-core by day and by night, the focus, targets, no motion, 320 pixels (400 % zoom)."""
    one = Watched(browser, demo, reduced_motion="reduce")
    found: list[str] = []
    for endpoint, path in pages_of(demo).items():
        one.page.set_viewport_size({"width": 1280, "height": 860})
        page = one.open(path)
        told = found_on(page, endpoint)
        told += [f"focus: {what}" for what in hidden_focus(page)]
        told += [f"moves: {what}" for what in moves(page)]
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        told += [f"small: {what}" for what in small_targets(page)]
        page.set_viewport_size({"width": 320, "height": 800})
        told += [f"too wide at 320: {what}" for what in too_wide(page)]
        told += [f"small at 320: {what}" for what in small_targets(page)]
        found += [f"{path}: {what}" for what in told]
    one.context.close()
    assert not found, "\n".join(found)
    assert one.complaints == []
    assert one.elsewhere() == []


@pytest.mark.slow
def test_pages_hold_no_code_and_their_live_regions_are_empty_at_first(demo: Demo):
    client = demo.house.app.test_client()
    for path in pages_of(demo).values():
        html = client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)
        assert inline_code(html) == [], path
        assert filled_live_regions(html) == [], path
        assert html.count('id="announcer"') <= 1, path
        if "EventSource" in html or 'type="module"' in html:
            assert "aria-live=" in html or "moment.js" in html or "enter.js" in html, (
                f"{path} changes and has nothing to say it with"
            )


# --- states that a page has only while something happens


@pytest.fixture(scope="module")
def stage(serve: Callable[..., Demo]) -> Demo:
    """A demo table of its own, for states that others must not meet."""
    return serve()


def test_the_table_at_the_start_with_a_question_paused_lost_and_over(stage: Demo, browser: Browser):
    one = Watched(browser, stage)
    page = one.open("/")
    page.wait_for_selector("#link[data-link=live]")
    found = {"start": found_on(page, "table.page")}

    stage.reader.unsure_of = {str(face) for face in range(1, 9)}
    page.click("#throw")
    page.wait_for_selector("#question .choice")
    found["question"] = found_on(page, "table.page")
    small = small_targets(page)
    stage.reader.unsure_of = set()
    stage.house.table.session.roll("8 8 8 8 8 7")
    page.wait_for_selector("button.box")
    found["roll"] = found_on(page, "table.page")

    session = stage.house.table.session
    session.pause()
    page.wait_for_selector("#paused")
    found["paused"] = found_on(page, "table.page")
    session.go_on()
    page.wait_for_selector("#paused", state="detached")

    session.camera_says(message("the camera gives no pictures"))
    page.wait_for_selector(".play .trouble")
    found["camera"] = found_on(page, "table.page")
    session.camera_says(None)

    for path, endpoint in (("/television", "table.television"), ("/spectator", "table.spectator")):
        found[endpoint] = found_on(one.open(path), endpoint)

    _play_out(stage)
    page = one.open("/")
    page.wait_for_selector("#over, .over")
    found["over"] = found_on(page, "table.page")
    for path, endpoint in (("/television", "table.television"), ("/history", "history.page")):
        found[f"over {endpoint}"] = found_on(one.open(path), endpoint)

    page = one.open("/")
    page.wait_for_selector("#link[data-link=live]")
    stage.house.announcer.close()
    page.wait_for_selector("#link[data-link=lost]")
    found["lost"] = found_on(page, "table.page")
    one.context.close()
    assert {state: what for state, what in found.items() if what} == {}
    assert small == []


def test_a_roll_that_was_seen_tonight_and_the_reasons_for_points(
    serve: Callable[..., Demo], browser: Browser
):
    """What a page has only after something happened: pictures beside each other, reasons that were opened."""
    demo = serve()
    one = Watched(browser, demo)
    page = one.open("/")
    page.wait_for_selector("#link[data-link=live]")
    page.click("#throw")
    page.wait_for_selector(".die")
    page = one.open("/dispute/")
    page.wait_for_selector(".before img")
    page.set_viewport_size({"width": 1000, "height": 800})
    found = {"dispute": found_on(page, "table.dispute")}
    found["tonight"] = found_on(one.open("/tonight"), "tonight.page")
    one.context.close()
    demo = serve(game="everyone-scores", set_id="cats")
    demo.house.table.session.roll("cat cat dd sigil manticore")
    demo.house.table.session.roll("cat cat dd dd manticore")
    one = Watched(browser, demo)
    for path in ("/", "/spectator"):
        page = one.open(path)
        page.click("#given summary")
        found[f"points on {path}"] = found_on(page, "table.page")
    one.context.close()
    assert {state: what for state, what in found.items() if what} == {}


def _play_out(stage: Demo) -> None:
    """To the match's end: six eights win at once."""
    session = stage.house.table.session
    from scoring.actions import Confirm, Fill

    for _ in range(200):
        match = session.match
        if match.outcome:
            return
        if match.roll_awaited is not None:
            session.roll("8 8 8 8 8 8")
            continue
        player = match.decider
        assert player is not None
        moves_now = match.game.legal_moves(match.state, player)
        yes = [move for move in moves_now if isinstance(move, Confirm) and move.yes]
        fills = [move for move in moves_now if isinstance(move, Fill)]
        session.decide((yes or fills)[0])
    raise AssertionError("the match has no end")


def test_every_step_of_teaching(serve: Callable[..., Demo], browser: Browser):
    demo = serve()
    one = Watched(browser, demo)
    page = one.open("/dice/teach")
    page.fill("#title", "Weather")
    page.fill("#faces", "Star, Moon")
    page.click("#start")
    page.wait_for_selector("#link[data-link=live]")
    found = {"waiting": found_on(page, "teach.page")}
    page.click("#show-star")
    page.wait_for_selector("#keep")
    found["asking"] = found_on(page, "teach.page")
    small = small_targets(page)
    page.click("#keep")
    page.wait_for_selector("#keep", state="detached")
    page.click("#show-all")
    page.wait_for_selector("#die-6")
    found["asking of six"] = found_on(page, "teach.page")
    page.set_viewport_size({"width": 320, "height": 800})
    wide = too_wide(page)
    small += small_targets(page)
    page.set_viewport_size({"width": 1280, "height": 860})
    demo.house.table.go_on()
    page.wait_for_selector("#resting")
    found["the match goes on"] = found_on(page, "teach.page")
    page.click("#camera")
    page.wait_for_selector("#resting", state="detached")
    page.click("#show-moon")
    page.wait_for_selector("#keep")
    page.click("#keep")
    page.wait_for_selector("#finish")
    found["ready"] = found_on(page, "teach.page")
    page.click("#finish")
    page.wait_for_selector("#done")
    page.wait_for_load_state("load")
    found["made"] = found_on(page, "teach.page")
    page.click("#done")
    page.wait_for_selector("#faces")
    found["its set"] = found_on(page, "dice.one")
    page.set_viewport_size({"width": 320, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    wide += too_wide(page)
    small += small_targets(page)
    one.context.close()
    assert {state: what for state, what in found.items() if what} == {}
    assert (wide, small) == ([], [])
    assert one.complaints == []
    assert one.elsewhere() == []


def test_whoever_only_watches_sees_pages_as_good(serve: Callable[..., Demo], browser: Browser):
    demo = serve(PIN)
    one = Watched(browser, demo)
    found: list[str] = []
    for path in ("/", "/tonight", "/camera", "/dice/fate", "/enter", "/devices"):
        endpoint, page = "table.page" if path == "/" else "", one.open(path)
        found += [f"{path}: {what}" for what in violations(page, enhanced=endpoint in ENHANCED)]
        found += [f"{path}: {what}" for what in small_targets(page)]
    one.context.close()
    assert not found, "\n".join(found)
    assert one.complaints == []


@pytest.fixture(scope="module")
def rights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLESIDE_DATA", str(folder))
        around = Neighbourhood(lambda: ("192.168.7.5",), names=())
        house = furnished(camera=PushedFrames(), pin=PIN, neighbourhood=around)
        with serving(house, folder) as one:
            yield one


@pytest.mark.parametrize(("who", "width"), [("watcher", 390), ("host", 1280)])
def test_nothing_is_found_where_devices_get_their_rights(rights: Served, browser: Browser, who: str, width: int):
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    if who == "host":
        page.goto(rights.at("/enter#" + PIN))
        page.click("#enter")
        page.wait_for_url(rights.at("/"))
    found: list[str] = []
    for path in ("/enter", "/devices", "/phone", "/nowhere"):
        page.goto(rights.at(path))
        page.evaluate(
            "() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })"
        )
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{path} {scheme} {one}" for one in violations(page, enhanced=False)]
        found += [f"{path} {one}" for one in small_targets(page)]
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        found += [f"{path} is {wide} px wide"] if wide > width else []
        found += [f"{path} {one}" for one in hidden_focus(page)]
    context.close()
    assert found == []


def test_without_script_a_pin_is_entered_all_the_same(rights: Served, browser: Browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(rights.at("/history"))
    page.fill("#pin", PIN)
    page.click("#pin-enter")
    page.wait_for_url(rights.at("/history"))
    assert page.locator(".watching").count() == 0
    page.goto(rights.at("/enter"))
    page.click("#leave")
    page.goto(rights.at("/history"))
    assert page.locator(".watching").count() == 1
    page.fill("#pin", "999999")
    page.click("#pin-enter")
    assert "That is not the PIN." in page.locator(".trouble").inner_text()
    context.close()

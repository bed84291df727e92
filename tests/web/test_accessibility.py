"""Every page, in every state and by day and by night: axe-core finds nothing, and neither do checks of our own.

The pages are not listed here: they are asked of the application, so that a new one is looked at from its first day.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest

from cli.compose import House
from messages.message import message
from scoring.actions import Confirm, Fill
from table.session import Session
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
from tests.web.serving import Served
from tests.web.tables import PIN, every_page
from tests.web.visitor import Visitor
from vision.camera import PushedFrames
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from web.app import WAYS
from web.network.addresses import Neighbourhood

Serve = Callable[..., Served]
Visit = Callable[..., "Inspector"]


class Inspector(Visitor):
    """Looks at pages, and keeps what is wrong with them."""

    pardon = "status of 4"

    def __init__(self, *what: object) -> None:
        super().__init__(*what)  # pyright: ignore[reportArgumentType]
        self.found: list[str] = []

    def looks(self, state: str, endpoint: str = "") -> None:
        """At a page as it is now: axe-core, and what can be tapped."""
        found = violations(self.page, enhanced=endpoint in ENHANCED) + small_targets(self.page)
        self.found += [f"{state}: {what}" for what in found]

    def narrow(self, state: str) -> None:
        """At 320 pixels, which are 1280 at 400 %, with everything open."""
        wide = self.page.viewport_size
        assert wide is not None
        self.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        self.page.set_viewport_size({"width": 320, "height": 800})
        self.found += [f"{state} at 320: {what}" for what in too_wide(self.page) + small_targets(self.page)]
        self.page.set_viewport_size(wide)

    def elsewhere(self) -> list[str]:
        """Addresses of other hosts that were asked for."""
        own = urlsplit(self.served.at()).netloc
        return [url for url in self.asked if url.startswith("http") and urlsplit(url).netloc != own]


def pages_of(house: House) -> dict[str, bytes]:
    """Every address that answers with a whole page, and the page."""
    client, pages = house.app.test_client(), dict[str, bytes]()
    for path in every_page(house).values():
        answer = client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code < 500, path
        if answer.data.startswith(b"<!doctype html>"):
            pages[path] = answer.data
    return pages


def after_some_moves(session: Session) -> None:
    """A match of Meet Fate in its second turn, with an event of each kind."""
    session.roll("1 2 3 4 5 6")
    session.correct(1, "2")
    session.decide(Fill("chance"))
    session.undo()
    session.decide(Fill("chance"))
    session.roll("2 2 3 4 5 6")


@pytest.mark.slow
def test_every_way_leads_to_a_page_without_code_whose_live_regions_are_empty_at_first(house: House):
    after_some_moves(house.table.session)
    pages, every = pages_of(house), every_page(house)
    ways = {end for end, _ in WAYS if end in house.app.view_functions}
    known = {"table.page", "dice.page", "dice.one", "teach.page", "history.page", "replay.moment"}
    assert {every[end] for end in ways | known} <= set(pages)
    for path, sent in pages.items():
        html = sent.decode()
        assert inline_code(html) == [], path
        assert filled_live_regions(html) == [], path
        assert html.count('id="announcer"') <= 1, path
        if "EventSource" in html or 'type="module"' in html:
            says = ("aria-live=", 'role="alert"', "moment.js", "enter.js")
            assert any(one in html for one in says), f"{path} changes and has nothing to say it with"


def test_nothing_is_found_on_any_page(serve: Serve, visit: Visit):
    """One walk over all pages: axe-core by day and by night, the focus, targets, no motion, 320 pixels (400 % zoom)."""
    served = serve(watched=True)
    after_some_moves(served.house.table.session)
    inspector = visit(served, kind=Inspector, reduced_motion="reduce")
    endpoints = {path: endpoint for endpoint, path in every_page(served.house).items()}
    for path in pages_of(served.house):
        page = inspector.open(path).page
        inspector.looks(path, endpoints[path])
        inspector.found += [f"{path}: {one}" for one in hidden_focus(page) + moves(page)]
        inspector.narrow(path)
    assert inspector.found == []
    assert inspector.elsewhere() == []


def test_the_table_at_the_start_with_a_question_paused_lost_and_over(serve: Serve, visit: Visit):
    """What pages have only while something happens, and only after it did."""
    camera = DemoCamera(find_set("fate"), seed=11, size=(480, 360))
    reader = TruthfulReader(camera)
    served = serve(camera=camera, reader=lambda _: reader, watched=True)
    session = served.house.table.session
    inspector = visit(served, kind=Inspector)
    page = inspector.page
    inspector.looks("start", "table.page")

    reader.unsure_of = {str(face) for face in range(1, 9)}
    page.click("#throw")
    page.wait_for_selector("#question .choice")
    inspector.looks("question", "table.page")
    for number in range(1, 7):
        page.locator(f"[id^=ask-{number}-]").first.click()
    page.wait_for_selector("button.box")
    page.click("#amend summary")
    inspector.looks("a mistake", "table.page")
    inspector.press("Escape")
    page.click("#die-2", button="right")
    inspector.looks("roll", "table.page")
    inspector.narrow("roll")

    session.pause()
    page.wait_for_selector("#paused")
    inspector.looks("paused", "table.page")
    session.go_on()
    session.camera_says(message("the camera gives no pictures"))
    page.wait_for_selector(".play .trouble")
    inspector.looks("camera", "table.page")
    session.camera_says(None)

    for path, endpoint in (
        ("/dispute/", "table.dispute"), ("/new", "new_match.page"), ("/television", "table.television"),
        ("/spectator", "table.spectator"),
    ):  # fmt: skip
        inspector.open(path).looks(path, endpoint)
    inspector.open("/dispute/").page.wait_for_selector(".frames img")
    play_out(session)
    for path, endpoint in (("/television", "table.television"), ("/history", "history.page"), ("/", "table.page")):
        inspector.open(path).looks(f"over {path}", endpoint)
    assert page.locator("#over").count() == 1
    served.house.announcer.close()
    inspector.linked("lost")
    inspector.looks("lost", "table.page")
    assert inspector.found == []


def play_out(session: Session) -> None:
    """To the match's end: six eights win at once."""
    while not session.match.outcome:
        if session.match.roll_awaited is not None:
            session.roll("8 8 8 8 8 8")
            continue
        player = session.match.decider
        assert player is not None
        legal = session.match.game.legal_moves(session.match.state, player)
        yes = [move for move in legal if isinstance(move, Confirm) and move.yes]
        session.decide((yes or [move for move in legal if isinstance(move, Fill)])[0])


@pytest.mark.proof
def test_the_reasons_for_points(serve: Serve, visit: Visit):
    served = serve("everyone-scores")
    served.house.table.session.roll("cat cat dd sigil manticore")
    served.house.table.session.roll("cat cat dd dd manticore")
    inspector = visit(served, kind=Inspector)
    for path in ("/", "/spectator"):
        inspector.open(path).page.click("#given summary")
        inspector.looks(path, "table.page")
    assert inspector.found == []


@pytest.mark.proof
def test_every_step_of_teaching(serve: Serve, visit: Visit):
    served = serve(seed=11, size=(960, 720), watched=True)
    table = served.house.table
    inspector = visit(served, "/dice/teach", kind=Inspector)
    page = inspector.page
    inspector.looks("begin", "teach.page")
    page.click("#start")
    page.wait_for_selector("#link[data-link=live]")
    inspector.looks("waiting", "teach.page")
    assert table.session.latest().snapshot.paused
    page.click("#show-star")
    page.wait_for_selector("#face")
    inspector.looks("asking", "teach.page")
    page.fill("#face", "Star")
    page.click("#keep")
    page.wait_for_selector("#keep", state="detached")
    page.click("#show-all")
    page.wait_for_selector("#die-6")
    inspector.looks("asking of six", "teach.page")
    inspector.narrow("asking of six")
    table.go_on()
    page.wait_for_selector("#resting")
    assert not table.session.latest().snapshot.paused
    inspector.open("/dice/teach").looks("the match took its camera back", "teach.page")
    page.click("#camera")
    page.wait_for_selector("#resting", state="detached")
    assert table.session.latest().snapshot.paused
    page.click("#show-moon")
    page.wait_for_selector("#face")
    page.fill("#face", "Moon")
    page.click("#keep")
    page.wait_for_selector("#save-ask")
    page.click("#face-star > summary")
    page.click("#save-ask > summary")
    inspector.looks("ready", "teach.page")
    inspector.narrow("ready")
    page.click("#finish")
    page.wait_for_selector("#faces")
    assert not table.session.latest().snapshot.paused
    inspector.looks("its set", "dice.one")
    inspector.narrow("its set")
    assert inspector.found == []
    assert inspector.elsewhere() == []


@pytest.fixture
def guarded_by(serve: Serve) -> Callable[[str], Served]:
    """A table for the whole network, whose camera is a phone or the demo's."""
    around = Neighbourhood(lambda: ("192.168.7.5",), names=())

    def start(camera: str) -> Served:
        phone = camera == "phone"
        return serve(camera=PushedFrames() if phone else None, pin=PIN, neighbourhood=around, watched=not phone)

    return start


@pytest.mark.parametrize(
    ("who", "width", "camera", "paths"),
    [
        ("watcher", 390, "phone", "/enter /devices /phone /nowhere"),
        ("watcher", 1280, "demo", "/ /new /camera /dice/fate"),
        ("host", 1280, "phone", "/enter /devices /phone /nowhere"),
    ],
)
def test_nothing_is_found_where_devices_get_their_rights(
    guarded_by: Callable[..., Served], visit: Visit, who: str, width: int, camera: str, paths: str
):
    served = guarded_by(camera)
    inspector = visit(served, f"/enter#{PIN if who == 'host' else ''}", kind=Inspector, width=width)
    page = inspector.page
    if who == "host":
        page.click("#enter")
        page.wait_for_url(served.at("/"))
    for path in paths.split():
        inspector.open(path)
        page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        inspector.looks(path, "table.page" if path == "/" else "")
        inspector.found += [f"{path}: {one}" for one in hidden_focus(page)]
        assert inspector.sideways <= 0, path
    assert inspector.found == []


def test_without_script_a_pin_is_entered_all_the_same(guarded_by: Callable[..., Served], visit: Visit):
    rights = guarded_by("phone")
    page = visit(rights, "/history", java_script_enabled=False, kind=Inspector).page
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
    assert "Wrong PIN. Try again." in page.locator(".trouble").inner_text()

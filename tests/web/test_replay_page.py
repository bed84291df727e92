"""Replay in a browser: steps without a new page, by slider, key and by itself; the film of a roll; dice to tap."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from cli.compose import House
from scoring.actions import Fill
from table.storage.evidence import Album, Evidence
from tests.fakes import rolled
from tests.web.inspecting import violations
from tests.web.serving import Served
from tests.web.visitor import Visitor

NOTICED = """new MutationObserver(() => {
    if (document.querySelector("#shot .frame")) window.played = true;
}).observe(document, { childList: true, subtree: true });"""
"""Has a page note that a frame of the film was shown."""
SHOT = cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture
def replayed(house: House, serve: Callable[..., Served], visit: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Somebody at the replay of a match with two rolls, the first in pictures."""

    def at(event: int, **about: object) -> Visitor:
        served = serve(watched=True)
        session = served.house.table.session
        session.saw(rolled("222255"))
        session.decide(Fill("chance"))
        session.roll("1 2 3 4 5 6")
        frames = tuple((200 * i, SHOT) for i in range(1, 4))
        Album(session.store.store).keep(session.store.id, 1, Evidence(SHOT, frames))
        return visit(served, f"/history/{session.store.id}/{event}", **about)

    return at


def place(visitor: Visitor) -> str:
    return visitor.page.locator("#place").inner_text()


def is_at(visitor: Visitor, event: int) -> None:
    visitor.page.wait_for_selector(f"#moment[data-event='{event}']", state="attached")
    assert visitor.page.url.endswith(f"/{event}")


def test_steps_are_taken_on_one_page_by_key_slider_and_strip(replayed: Callable[..., Visitor]):
    ann = replayed(1)
    ann.page.evaluate("window.same = true")
    ann.press("ArrowRight")
    is_at(ann, 2)
    assert ann.said == ann.page.locator("#happened").inner_text()
    ann.press("Home")
    is_at(ann, 1)
    ann.page.focus("#scrub")
    ann.press("ArrowRight", "ArrowRight")
    is_at(ann, 3)
    assert ann.focus == "scrub", "the slider keeps the keyboard"
    ann.page.click("#step-2")
    is_at(ann, 2)
    assert ann.focus == "step-2"
    ann.page.click("#back")
    is_at(ann, 1)
    assert ann.page.evaluate("window.same")


def test_it_plays_by_itself_to_the_end_and_from_there_from_the_first_roll(replayed: Callable[..., Visitor]):
    ann = replayed(2)
    ann.press("p")
    is_at(ann, 3)
    ann.page.wait_for_selector("#run:not(.playing)")
    ann.page.click("#run")
    is_at(ann, 1)
    ann.press("p")
    assert ann.page.locator("#run.playing").count() == 0


def test_the_seconds_before_a_roll_play_unless_somebody_wants_no_motion(replayed: Callable[..., Visitor]):
    ann = replayed(1)
    ann.page.add_init_script(NOTICED)  # a short film may be over before anybody looks
    ann.page.reload()
    ann.page.wait_for_function("window.played")
    ann.page.wait_for_selector("#shot .frame", state="detached")
    ann.page.evaluate("window.played = false")
    ann.page.click("#film-play")
    ann.page.wait_for_function("window.played")
    still = replayed(1, reduced_motion="reduce")
    still.page.wait_for_timeout(300)
    assert still.page.locator("#shot .frame").count() == 0
    still.press("f")
    still.page.wait_for_selector("#shot .frame")


def test_a_tapped_die_shows_how_it_was_read_and_nothing_is_found(replayed: Callable[..., Visitor]):
    ann = replayed(1, reduced_motion="reduce")
    ann.page.locator(".outline").nth(2).click()
    assert ann.page.locator("#die-3").get_attribute("open") is not None
    assert "Read as 2" in ann.page.locator("#die-3").inner_text()
    assert violations(ann.page, enhanced=False) == []


def test_without_script_the_links_lead_from_event_to_event(replayed: Callable[..., Visitor]):
    ann = replayed(1, java_script_enabled=False)
    assert not ann.page.locator("#scrub").is_visible()
    ann.page.click("#forward")
    assert place(ann) == "Event 2 of 3"


def test_a_die_is_corrected_where_it_is_checked(
    house: House, serve: Callable[..., Served], visit: Callable[..., Visitor]
):
    served = serve(watched=True)
    session = served.house.table.session
    session.saw(rolled("222255"))
    Album(session.store.store).keep(session.store.id, 1, Evidence(SHOT, ()))
    ann = visit(served, "/dispute/", reduced_motion="reduce")
    ann.page.click("#die-6 summary")
    ann.page.click("#die-6 button[value='8']")
    ann.sees("corrected, read as 5", "#die-6")
    assert session.match.state.roll == tuple("222258")

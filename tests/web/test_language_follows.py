"""One device, one language: changed on one page, the others that are open follow without a hand being laid on them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.compose import House
from tests.web.serving import Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WAIT = 120_000


@pytest.fixture
def served(house: House, tmp_path: Path) -> Iterator[Served]:
    with serving(house, tmp_path) as one:
        yield one


def language_of(page: Page) -> str:
    return page.evaluate("document.documentElement.lang")


def becomes(page: Page, language: str) -> None:
    page.wait_for_function("code => document.documentElement.lang === code", arg=language, timeout=WAIT)


def choose(page: Page, language: str) -> None:
    page.click(f".languages button[value={language}]")
    becomes(page, language)


def test_open_pages_follow_the_devices_language(browser: Browser, served: Served):
    device = browser.new_context(locale="en-GB")
    table, television, dice = (device.new_page() for _ in range(3))
    table.goto(served.at())
    television.goto(served.at("/television"))
    dice.goto(served.at("/dice"))
    other = browser.new_context(locale="en-GB").new_page()
    other.goto(served.at())
    choose(dice, "de")
    for page in (table, television):
        becomes(page, "de")
    assert table.get_by_role("link", name="Würfel", exact=True).count() == 1
    choose(table, "fr")
    for page in (television, dice):
        becomes(page, "fr")
    assert language_of(other) == "en"  # another device has its own


def test_what_is_being_typed_is_not_lost(browser: Browser, served: Served):
    device = browser.new_context(locale="en-GB")
    teach, dice = device.new_page(), device.new_page()
    teach.goto(served.at("/dice/teach"))
    teach.fill("#title", "Wooden animals")
    dice.goto(served.at("/dice"))
    choose(dice, "de")
    dice.wait_for_timeout(500)
    assert language_of(teach) == "en"
    assert teach.input_value("#title") == "Wooden animals"
    teach.fill("#title", "")
    teach.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # looked at again
    becomes(teach, "de")


def test_a_page_out_of_the_browsers_memory_follows(browser: Browser, served: Served):
    page = browser.new_context(locale="en-GB").new_page()
    page.goto(served.at("/dice"))
    page.goto(served.at("/history"))
    choose(page, "de")
    page.goto(served.at("/dice"))
    becomes(page, "de")
    page.go_back()
    becomes(page, "de")


def test_the_answer_to_a_form_is_not_asked_for_again(house: House):
    client = house.app.test_client()
    assert "language.js" in client.get("/tonight").get_data(as_text=True)
    refused = client.post("/tonight", data={"game": "meet-fate", "players": ""})
    assert "language.js" not in refused.get_data(as_text=True)

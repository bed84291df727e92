"""Outback and Outback Plus on the pages, in a real browser: who throws for the start, whole matches, a drawn board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hardware.board_state import BoardState
from hardware.mqtt import Message
from table.outlets import BoardOutput, MessageOutput
from tests.web.playing import WAIT, Player, World, world
from tests.web.serving import CHROMIUM, complaints_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")

SHORT = {"e": "emu", "r": "kangaroo", "k": "koala", "p": "platypus", "m": "monitor-lizard", "j": "joker"}


def dice(text: str) -> str:
    return ", ".join(SHORT[letter] for letter in text)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tablet's page that can be touched; what the browser complains about fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    complaints = complaints_of(page)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture(autouse=True)
def kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))


def roll(player: Player, text: str) -> None:
    """Type a roll by tapping."""
    page = player.page
    if not page.locator("#faces").is_visible():
        page.tap("#amend summary")
    page.fill("#faces", dice(text))
    player.changed(lambda: page.tap("#typed"))


def named_everywhere(page: Page, place: World, name: str) -> None:
    """Every page and output names this player, and nobody else, as the one who throws for the start."""
    prompt = f"{name}, throw the dice for the start marker."
    assert page.locator("#prompt").inner_text() == prompt
    assert page.locator(".seat.now .name").all_inner_texts() == [f"{name} to play"]
    assert page.locator("#field").inner_text() == f"{name}’s board"
    other = page.context.new_page()
    other.goto(place.address + "television")
    assert other.locator(".tv-turn").inner_text() == name
    assert other.locator(".tv-prompt").inner_text() == prompt
    assert other.locator("tr[aria-current] th").inner_text().split()[1] == name
    other.goto(place.address + "spectator")
    assert other.locator(".seat.now .name").all_inner_texts() == [f"{name} to play"]
    assert other.locator(".prompt").inner_text() == prompt
    other.close()
    states: list[BoardState] = []
    messages: list[Message] = []
    for output in (BoardOutput(states.append), MessageOutput(messages.append)):
        output.tell(place.session.latest())
    turn = states[0].turn
    assert turn is not None
    assert states[0].seats[turn].name == name
    assert messages[0].turn == name
    assert [one["name"] for one in messages[0].players if one["on_turn"]] == [name]
    assert messages[0].sentence.endswith(f"{name} rolls for the start marker.")


def test_whoever_throws_for_the_start_is_named_on_every_page_and_why(page: Page):
    with world("outback", throws=0, players=3) as place:
        player = Player(page, place)
        player.open()
        player.changed(lambda: page.tap("#deal"))
        rule = "Everyone rolls for the start marker: whoever rolls the most equal animals starts. Jokers do not count."
        assert rule in player.said()
        assert page.locator(".opening p").all_inner_texts() == [rule]
        named_everywhere(page, place, "Alice")
        roll(player, "eeekjj")
        assert "Alice rolled three emus, a koala and two jokers. That counts as three." in player.said()
        named_everywhere(page, place, "Bob")
        assert page.locator(".opening li").all_inner_texts() == ["Alice: 3", "Bob: –", "Cleo: –"]
        roll(player, "kkkpmr")
        named_everywhere(page, place, "Cleo")
        roll(player, "jjjjpp")
        tie = "Alice and Bob tied with three; they throw again."
        assert tie in player.said()
        assert tie in page.locator(".opening p").all_inner_texts()
        named_everywhere(page, place, "Alice")
        roll(player, "ekprmj")
        named_everywhere(page, place, "Bob")
        roll(player, "eekprm")
        assert player.said().endswith("Bob rolled the most equal animals, two, and starts. Bob to roll.")
        assert page.locator(".seat.now .name").all_inner_texts() == ["Bob to play"]
        assert page.locator("#prompt").inner_text() == "Bob, throw the dice."
        assert page.locator(".opening").count() == 0
        assert "Everyone begins at −9" in page.locator("#sheet").inner_text()
        page.goto("about:blank")

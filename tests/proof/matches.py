"""Thirty whole matches in Chromium, by the rules' own targets: each game by touch, by keyboard and ear, and in German.

Run by `make proof` (training/proof.py), not by the test suite: `python -m pytest tests/proof/matches.py -s`.
Each match has its first throw on the demo table; later rolls are typed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring.games import available
from tests.web.playing import WAIT, Listener, Toucher, world
from tests.web.serving import CHROMIUM, complaints_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")

GAMES = [game.id for game in available()]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.parametrize("way", ["touch", "keyboard", "german"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match(
    game: str, way: str, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    context = browser.new_context(
        viewport={"width": 820, "height": 1180},
        has_touch=True,
        locale="de-DE" if way == "german" else "en-GB",
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    complaints = complaints_of(page)
    began = time.monotonic()
    with world(game) as place:
        player = Toucher(page, place) if way == "touch" else Listener(page, place, hurries=game == "destiny")
        player.play()
        events = len(place.session.match.events)
    context.close()
    assert complaints == []
    print(f"{game}, {way}: {events} events in {time.monotonic() - began:.0f} s; at last: {player.heard[-1]}")
    if way == "german":
        assert any("Punkt" in said or "würfel" in said.lower() or "wirft" in said for said in player.heard)

"""A whole match of every game in a real browser, by touch, with the keyboard alone and by ear, and in German."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.playing import WAIT, Listener, Toucher, world
from tests.web.serving import CHROMIUM, complaints_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")

SHORT: Mapping[str, Mapping[str, object]] = {
    "outlander": {"target": 12},
    "meet-fate": {},
    "pairs": {"target": 12},
    "triples": {"target": 4},
    "called-shot": {"target": 5},
    "quintuples": {"target": 2},
    "everyone-scores": {"target": 8},
    "destiny": {"deck_end": "stop"},
    "outback": {"board": "2:2 3:1", "start": "first"},
    "outback-plus": {"board_plus": "2:2 3:1", "start": "first"},
}
"""The shortest match of each game by options that it has anyway."""


@pytest.fixture(autouse=True)
def kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))


@pytest.mark.parametrize("game", SHORT)
def test_a_match_by_keyboard_and_ear(game: str, page: Page):
    with world(game, SHORT[game], players=1 if game == "meet-fate" else 2) as place:
        player = Listener(page, place, hurries=game == "destiny")
        player.play()
        assert player.heard[-1]


@pytest.mark.parametrize("game", ["called-shot", "outback"])
def test_a_match_by_touch(game: str, page: Page):
    with world(game, SHORT[game]) as place:
        Toucher(page, place).play()


@pytest.mark.proof
@pytest.mark.parametrize("way", ["touch", "keyboard", "german"])
@pytest.mark.parametrize("game", SHORT)
def test_a_match_by_the_rules_own_targets(game: str, way: str, browser: Browser):
    """The first throw comes from the demo table; later rolls are typed."""
    context = browser.new_context(
        viewport={"width": 820, "height": 1180}, has_touch=True, locale="de-DE" if way == "german" else "en-GB"
    )
    page = context.new_page()
    page.set_default_timeout(WAIT)
    complaints = complaints_of(page)
    with world(game) as place:
        player = Toucher(page, place) if way == "touch" else Listener(page, place, hurries=game == "destiny")
        player.play()
        print(f"{game}, {way}: {len(place.session.match.events)} events; at last: {player.heard[-1]}")
    context.close()
    assert complaints == []
    if way == "german":
        assert any("Punkt" in said or "würfel" in said.lower() or "wirft" in said for said in player.heard)

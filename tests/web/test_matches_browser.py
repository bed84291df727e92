"""A whole match of every game in a real browser, with the keyboard alone and by ear. The full thirty matches (touch,
keyboard, German, by the rules' own targets) are in `tests/proof/matches.py`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.playing import Listener, Toucher, world
from tests.web.serving import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Page

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

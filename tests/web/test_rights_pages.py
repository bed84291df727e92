"""The pages of rights with everything on them (codes to scan, devices, a phone as the camera): anybody can use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from cli.compose import furnish
from tests.fakes import rolled
from tests.web.inspecting import hidden_focus, small_targets, violations
from tests.web.serving import CHROMIUM, Served, serving
from vision.camera import PushedFrames
from vision.dicesets.library import find as find_set
from vision.frame import Pixels
from vision.reading import Reading
from web.network.addresses import Neighbourhood
from web.settings import WebSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")

PIN = "314159"


class Blind:
    def read(self, pixels: Pixels) -> Reading:
        return rolled("")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLESIDE_DATA", str(folder))
        around = Neighbourhood(lambda: ("192.168.7.5",), names=())
        house = furnish(
            PushedFrames(), game="meet-fate", dice_set=find_set("fate"), players=["Alice", "Bob"], reader=Blind(),
            settings=WebSettings(pin=PIN, neighbourhood=around),
        )  # fmt: skip
        with serving(house, folder) as one:
            yield one


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("who", ["watcher", "host"])
def test_nothing_is_found(served: Served, browser: Browser, who: str, width: int):
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    if who == "host":
        page.goto(served.at("/enter#" + PIN))
        page.click("#enter")
        page.wait_for_url(served.at("/"))
    found: list[str] = []
    for path in ("/enter", "/devices", "/phone", "/nowhere"):
        page.goto(served.at(path))
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


def test_without_script_a_pin_is_entered_all_the_same(served: Served, browser: Browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(served.at("/history"))
    page.fill("#pin", PIN)
    page.click("#pin-enter")
    page.wait_for_url(served.at("/history"))
    assert page.locator(".watching").count() == 0
    page.goto(served.at("/enter"))
    page.click("#leave")
    page.goto(served.at("/history"))
    assert page.locator(".watching").count() == 1
    page.fill("#pin", "999999")
    page.click("#pin-enter")
    assert "That is not the PIN." in page.locator(".trouble").inner_text()
    context.close()

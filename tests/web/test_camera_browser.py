"""Another camera from the page Camera, in Chromium: by keyboard, announced, refused; and a phone that takes over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from cli.compose import House, furnish
from table.cameras.choice import Choice
from tests.fakes import TruthfulReader
from tests.web.serving import CHROMIUM, Served, serving
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from web.settings import WebSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

WAIT = 120_000


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    camera = DemoCamera(find_set("fate"), seed=1, size=(320, 240))
    house: House = furnish(
        camera, game="meet-fate", dice_set=find_set("fate"), players=["Alice", "Bob"], thrower=camera,
        reader=TruthfulReader(camera), settings=WebSettings(), choice=Choice("demo"),
    )  # fmt: skip
    with serving(house, tmp_path) as one:
        yield one


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "evening"
    folder.mkdir()
    for number in range(40):
        cv2.imwrite(str(folder / f"{number:02}.jpg"), np.full((240, 320, 3), 60 + number, np.uint8))
    return folder


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_context().new_page()
    opened.set_default_timeout(WAIT)
    yield opened
    opened.context.close()


def until(true: Callable[[], bool]) -> None:
    ends = time.monotonic() + WAIT / 1000
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.05)


def says(page: Page, words: str) -> None:
    page.wait_for_function(
        "words => document.getElementById('announcer')?.textContent.includes(words)", arg=words
    )


def test_another_camera_by_keyboard_is_announced_and_the_page_stays(
    served: Served, page: Page, pictures: Path
):
    served.house.table.session.roll("1 1 1 2 2 2")
    events = served.house.table.session.match.events
    page.goto(served.at("/camera"))
    assert page.locator("#looks").inner_text().startswith("Now: the demo table")
    assert not page.locator("#address").is_visible()
    assert not page.locator("#live-only").is_visible(), "a size is a webcam's"
    page.locator("#camera-1").focus()
    page.keyboard.press("ArrowDown")  # the last of the list: an address
    assert page.evaluate("document.activeElement.id") == "address", (
        "focus goes where the next thing is to be done"
    )
    page.keyboard.type(str(pictures))
    page.evaluate("window.mark = true")
    page.keyboard.press("Enter")
    says(page, "Now: evening, 320×240.")
    assert page.locator("#looks").inner_text() == "Now: evening, 320×240."
    assert page.evaluate("window.mark"), "the page was not loaded anew"
    assert served.house.table.session.match.events == events

    page.check("#camera-address")
    page.fill("#address", "/nowhere.mp4")
    page.click("#use-camera")
    page.wait_for_function("() => (document.getElementById('choice-refusal')?.textContent ?? '') !== ''")
    assert page.locator("#choice-refusal").inner_text() == (
        "There is no stream, video or folder of pictures at /nowhere.mp4."
    )
    assert page.locator("#choice-refusal").get_attribute("role") == "alert"
    assert page.locator("#looks").inner_text() == "Now: evening, 320×240."
    assert page.input_value("#address") == "/nowhere.mp4", "what was typed is there to be put right"


@pytest.mark.parametrize(
    ("language", "now", "refusal"),
    [
        (
            "de",
            "Jetzt: der Probetisch",
            "Unter /nowhere.mp4 ist kein Stream, kein Video und kein Ordner mit Bildern.",
        ),
        ("fr", "Maintenant : la table", "Il n’y a ni flux, ni vidéo, ni dossier d’images à /nowhere.mp4."),
    ],
)
def test_without_script_and_in_other_languages(
    served: Served, browser: Browser, language: str, now: str, refusal: str
):
    page = browser.new_context(java_script_enabled=False, locale=language).new_page()
    page.goto(served.at("/camera"))
    assert page.locator("#looks").inner_text().startswith(now)
    page.check("#camera-address")
    page.fill("#address", "/nowhere.mp4")
    page.click("#use-camera")
    assert page.locator("#trouble").inner_text() == refusal
    page.context.close()


def test_a_phone_takes_over_with_its_first_picture(served: Served, page: Page, playwright: Playwright):
    """Two browsers: the host's page, and a phone whose camera Chromium makes up."""
    table = served.house.table
    page.goto(served.at("/camera"))
    page.click("#use-phone")
    page.wait_for_selector("#waits")
    says(page, "Waiting for a phone")
    words = page.locator("#waits").inner_text()
    assert "Tableside was started for this computer alone." in words
    assert "tableside serve --camera phone --lan --resume" in words
    assert table.eye is not None
    assert table.eye.name == "demo table", "until then the camera of now looks"

    flags = ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    other = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
    try:
        phone = other.new_page()
        phone.set_default_timeout(WAIT)
        phone.goto(served.at("/phone"))
        phone.click("#start")
        until(lambda: table.eye is not None and table.eye.name == "phone")
        phone.wait_for_function(
            "() => document.getElementById('state')?.textContent.startsWith('The table sees')"
        )
        page.wait_for_function(
            "() => document.getElementById('looks')?.textContent.startsWith('Now: a phone')"
        )
        says(page, "Now: a phone")
        assert page.locator("#waits").count() == 0
        told = [notice.sentence() for notice in served.house.announcer.after(0, None, 0.1, "").notices]
        assert "The phone is the camera now." in told  # on a slow machine more may have been said since
        # Back to the demo table, while the phone still sends.
        page.check("#camera-1")
        page.click("#use-camera")
        page.wait_for_function(
            "() => document.getElementById('looks')?.textContent.startsWith('Now: the demo table')"
        )
        phone.wait_for_function(
            "() => document.getElementById('state')?.textContent.includes('another camera')"
        )
        assert table.eye.name == "demo table"
    finally:
        other.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_is_cut_off(served: Served, browser: Browser, width: int):
    page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
    page.goto(served.at("/camera"))
    page.click("#use-phone")
    page.wait_for_selector("#waits")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()

"""One Chromium for all tests that look at pages, and the table that most of them sit at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from cli.compose import House
from tests.web.playing import WAIT
from tests.web.serving import CHROMIUM, Served, complaints_of, serving
from tests.web.tables import PIN, furnished
from web.network.addresses import Neighbourhood

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright


@pytest.fixture(scope="session")
def playwright(request: pytest.FixtureRequest) -> Iterator[Playwright]:
    """Playwright itself, for tests that start browsers of their own. With --slow-browser, pages are slowed down."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running, pytest.MonkeyPatch.context() as patch:
        times = float(request.config.getoption("--slow-browser"))
        if times > 1:
            _slow_down(patch, times)
        yield running


def _slow_down(patch: pytest.MonkeyPatch, times: float) -> None:
    """Every page that is opened from now on runs so many times slower."""
    from playwright.sync_api import Browser, BrowserContext

    def slowed(page: Page) -> Page:
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": times})
        return page

    of_browser, of_context = Browser.new_page, BrowserContext.new_page

    def from_browser(self: Browser, **options: Any) -> Page:
        return slowed(of_browser(self, **options))

    def from_context(self: BrowserContext) -> Page:
        return slowed(of_context(self))

    patch.setattr(Browser, "new_page", from_browser)
    patch.setattr(BrowserContext, "new_page", from_context)


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[list[Browser]]:
    """The browser that is running, if any."""
    running: list[Browser] = []
    yield running
    for one in running:
        one.close()


@pytest.fixture
def browser(playwright: Playwright, chromium: list[Browser]) -> Iterator[Browser]:
    """Chromium with no window open; it is the same one for all, and started anew should it have crashed."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian: apt install chromium)")
    if not chromium or not chromium[0].is_connected():
        chromium[:] = [playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])]
    yield chromium[0]
    for context in chromium[0].contexts:  # left open where a test failed: its pages would go on asking
        context.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tablet's page that can be touched; what the browser complains about fails the test, unless it is a refusal."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(WAIT)
    complaints = complaints_of(page)
    yield page
    context.close()
    assert [one for one in complaints if "status of 409" not in one] == []


@pytest.fixture
def rough_page(browser: Browser) -> Iterator[Page]:
    """A page to which bad things happen: only a script's own errors fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(WAIT)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The players' folder, of this test alone."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def lay(data: Path) -> Iterator[Callable[..., House]]:
    """`tests.web.tables.furnished`; every table is closed in the end."""
    houses: list[House] = []

    def laid(*what: Any, **how: Any) -> House:
        houses.append(furnished(*what, **how))
        return houses[-1]

    yield laid
    for house in houses:
        house.close()


@pytest.fixture
def house(lay: Callable[..., House]) -> House:
    """Alice and Bob at Meet Fate, served as people have it. The camera is not running: readings are handed to the
    session."""
    return lay(heartbeat=10.0, picture_wait=2.0)


@pytest.fixture
def guarded(lay: Callable[..., House], data: Path) -> House:
    """The same for the whole network: who has not entered a code only watches."""
    around = Neighbourhood(lambda: ("192.168.7.5",), names=())
    return lay(pin=PIN, neighbourhood=around, devices=data / "devices.db")


@pytest.fixture
def client(house: House) -> FlaskClient:
    return house.app.test_client()


@pytest.fixture
def served(house: House, data: Path) -> Iterator[Served]:
    """The table as it is really served, and watched."""
    with serving(house, data / "certificate") as one:
        yield one

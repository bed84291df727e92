"""One Chromium for all tests of a worker; tables, and people who visit them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask.testing import FlaskClient

from cli.compose import House
from tests.web.serving import CHROMIUM, Served, serving
from tests.web.tables import PIN, furnished
from tests.web.visitor import Visitor
from web.network.addresses import Neighbourhood

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright itself, for tests that start browsers of their own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running


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
        flags = ["--no-sandbox", "--use-fake-device-for-media-stream"]
        chromium[:] = [playwright.chromium.launch(executable_path=CHROMIUM, args=flags)]
    yield chromium[0]
    for context in chromium[0].contexts:  # their pages would go on asking
        context.close()


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
def serve(lay: Callable[..., House], data: Path) -> Iterator[Callable[..., Served]]:
    """Serves a table, by default one of a game that `lay` takes: `serve("triples", players=["Ann"])`. Nothing moves
    on it but what the test moves, unless it is `watched`."""
    with ExitStack() as running:

        def start(
            game: str = "meet-fate", players: Sequence[str] = ("Alice", "Bob"), *, house: House | None = None,
            watched: bool = False, heartbeat: float = 10.0, picture_wait: float = 2.0, **how: Any,
        ) -> Served:  # fmt: skip
            house = house or lay(game, players, heartbeat=heartbeat, picture_wait=picture_wait, **how)
            return running.enter_context(serving(house, data / "certificate", watched=watched))

        yield start


@pytest.fixture
def visit(browser: Browser, serve: object, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Sends somebody with a device of their own to a page of a table: `visit(served, "/history", width=390)`.

    `kind` is who comes, `script` runs before those of the page, and what else is said is for the browser's context
    (`locale`, `has_touch`). What the console complains about fails the test; of `rough` visitors, to whom bad things
    happen, only what scripts throw. They leave before the table does. With --slow-browser, pages are slowed down.
    """
    slower = float(request.config.getoption("--slow-browser"))

    def come(
        served: Served, path: str = "/", *, kind: type[Visitor] = Visitor, width: int = 1280, height: int = 900,
        script: str = "", rough: bool = False, **options: Any,
    ) -> Visitor:  # fmt: skip
        page = browser.new_context(viewport={"width": width, "height": height}, **options).new_page()
        if slower > 1:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        if script:
            page.add_init_script(script)
        visitor = kind(page, served)
        request.addfinalizer(lambda: _leave(visitor, rough))
        if options.get("java_script_enabled", True):
            return visitor.open(path)
        page.goto(served.at(path))
        return visitor

    return come


def _leave(visitor: Visitor, rough: bool) -> None:
    visitor.page.context.close()
    assert visitor.uncaught == []
    assert rough or visitor.complaints == []

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
    from playwright.sync_api import Browser, BrowserContext, Playwright


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright itself, for tests that start browsers of their own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running


class Chromium:
    """The browser of a worker, started anew should it have crashed, and the devices in it that nobody uses now.

    A device is a context with a process of its own, whose start costs more than two pages do: those that were given
    back are lent again.
    """

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._running: Browser | None = None
        self._free: dict[str, list[BrowserContext]] = {}

    def lend(self, about: dict[str, Any]) -> BrowserContext:
        """A device of which Playwright is told this."""
        if CHROMIUM is None:
            pytest.skip("no Chromium here (Debian: apt install chromium)")
        if self._running is None or not self._running.is_connected():
            flags = ["--no-sandbox", "--use-fake-device-for-media-stream"]
            self._running, self._free = self._playwright.chromium.launch(executable_path=CHROMIUM, args=flags), {}
        free = self._free.setdefault(repr(sorted(about.items())), [])
        return free.pop() if free else self._running.new_context(**about)

    def give_back(self, context: BrowserContext, about: dict[str, Any]) -> None:
        """Nothing of what was done is left, and no page goes on asking; the first stays, empty, and its process with
        it."""
        from playwright.sync_api import Error

        try:
            first, *others = context.pages
            context.set_offline(False)
            first.evaluate("localStorage.clear()")
            first.goto("about:blank")
            for page in others:
                page.close()
            context.clear_cookies()
        except (Error, ValueError):
            context.close()
        else:
            self._free.setdefault(repr(sorted(about.items())), []).append(context)

    def close(self) -> None:
        if self._running:
            self._running.close()


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Chromium]:
    running = Chromium(playwright)
    yield running
    running.close()


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
def visit(chromium: Chromium, serve: object, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Sends somebody with a device of their own to a page of a table: `visit(served, "/history", width=390)`.

    `kind` is who comes, `script` runs before those of the page, and what else is said is for the browser's context
    (`locale`, `has_touch`). What the console complains about fails the test; of `rough` visitors, to whom bad things
    happen, only what scripts throw. They leave before the table does. With --slow-browser, pages are slowed down.
    """
    slower = float(request.config.getoption("--slow-browser"))

    def come(
        served: Served, path: str = "/", *, kind: type[Visitor] = Visitor, width: int = 1280, height: int = 900,
        script: str = "", rough: bool = False, **about: Any,
    ) -> Visitor:  # fmt: skip
        context = chromium.lend(about)
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        if slower > 1:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        if script:
            page.add_init_script(script)
        visitor = kind(page, served)

        def leave() -> None:
            chromium.give_back(context, about)
            assert visitor.uncaught == []
            assert rough or visitor.complaints == []

        request.addfinalizer(leave)
        if about.get("java_script_enabled", True):
            return visitor.open(path)
        page.goto(served.at(path))
        return visitor

    return come

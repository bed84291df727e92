"""Answers and news that come when it suits a test: what old tablets and busy networks do by accident."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from playwright.sync_api import Error

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Page, Route

NEWS = """
window.news = 0;
window.EventSource = class extends EventSource {
  constructor(...about) {
    super(...about);
    for (const kind of ["notice", "lesson"]) this.addEventListener(kind, () => { window.news += 1; });
  }
};
"""
"""Counts the news that reached a page, whatever the page makes of it; for `add_init_script`."""

WAIT = 120_000


class Answers:
    """The table's answers to what a page asks at an address: each is on its way until `arrive`."""

    def __init__(self, page: Page, path: str) -> None:
        """From now on; the table itself hears of everything at once."""
        self._page = page
        self._waiting: list[tuple[Route, APIResponse]] = []
        self._held = True
        page.route(path, self._take)

    def _take(self, route: Route) -> None:
        if self._held:
            self._waiting.append((route, route.fetch()))
        else:
            route.continue_()

    def there(self, count: int = 1) -> None:
        """Wait until the table has given so many answers, and none of them has arrived."""
        until(self._page, lambda: len(self._waiting) >= count)

    def arrive(self) -> None:
        """All answers arrive, the first one first; what is asked from now on is answered at once."""
        self._held = False
        for route, answer in self._waiting:
            with self._page.expect_response(lambda one, asked=route.request: one.request == asked):
                route.fulfill(response=answer)
        settle(self._page)


def settle(page: Page) -> None:
    """Whatever the page had to do by now is done, or it has gone on to another page."""
    with suppress(Error):
        page.evaluate("new Promise((done) => { setTimeout(done, 0); })")


def until(page: Page, true: Callable[[], bool]) -> None:
    """Wait for something that is no part of the page."""
    for _ in range(WAIT // 20):
        if true():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it never came to be")


def told(page: Page, act: Callable[[], object]) -> None:
    """Do something at the table, and wait until its news has reached the page; it may not be shown yet."""
    before = page.evaluate("window.news")
    act()
    page.wait_for_function("before => window.news > before", arg=before)

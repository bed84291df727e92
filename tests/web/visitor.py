"""Somebody at a page of a table that is served: what people do there, what they see, and what they hear."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from table.session import Session
from tests.web.serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

WAIT = 60_000
"""Milliseconds: a demo throw takes two seconds, and ten times that on a busy machine."""

BEGUN = """() => {
  const link = document.getElementById("link"), advice = document.getElementById("advice");
  return (!link || link.dataset.link === "live") && (!advice || advice.querySelector("ul"));
}"""
"""The scripts of a page have done what they do at first."""


class Visitor:
    """One page of a device, and who sits before it."""

    pardon = "status of 409"
    """The complaint that is none: the table refused something in a sentence."""

    def __init__(self, page: Page, served: Served) -> None:
        self.page, self.served = page, served
        self.complaints: list[str] = []
        """What the browser's console had to say: errors, warnings, and what scripts threw."""
        self.uncaught: list[str] = []
        """Errors that scripts did not catch."""
        self.asked: list[str] = []
        """The addresses of all that the page asked for."""
        self.sent: list[str] = []
        """The paths of all that it sent."""
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: self.uncaught.append(str(error)))
        page.on("console", lambda one: self._complains(one.type, one.text))
        page.on("request", lambda one: self._asks(one.method, one.url))

    def _complains(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and self.pardon not in text:
            self.complaints.append(text)

    def _asks(self, method: str, url: str) -> None:
        self.asked.append(url)
        if method == "POST":
            self.sent.append("/" + url.split("/", 3)[3])

    @property
    def session(self) -> Session:
        return self.served.house.table.session

    # --- where

    def open(self, path: str = "/") -> Self:
        """Go to a page, and wait until its scripts have begun."""
        self.page.goto(self.served.at(path))
        self.page.wait_for_function(BEGUN)
        return self

    def beside(self, path: str) -> Self:
        """Another page of the same device."""
        return type(self)(self.page.context.new_page(), self.served).open(path)

    def linked(self, state: str) -> None:
        """Wait until the page says how it stands with the table: "live" or "lost"."""
        self.page.wait_for_selector(f"#link[data-link={state}]", state="attached")

    # --- doing

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        self.page.keyboard.insert_text(text)

    def does(self, act: Callable[[], object]) -> str:
        """Do something, wait until the page shows that it is in the log, and tell what it said. A refusal fails.

        Any notice will not do: the camera has news of its own, which may come between.
        """
        before = self.page.locator("#table").get_attribute("data-log")
        act()
        self.page.wait_for_function(
            """before => document.getElementById('table').dataset.log !== before
                || document.getElementById('refusal')?.textContent""",
            arg=before,
        )
        refused = self.page.locator("#refusal").inner_text()
        assert not refused, f"{refused} (after {self.said})"
        return self.said

    def presses(self, *keys: str) -> str:
        """Press keys of which the last one does something; what the page said of it."""
        self.press(*keys[:-1])
        return self.does(lambda: self.press(keys[-1]))

    def rolls(self, faces: str) -> str:
        """Type a roll, with the keyboard alone."""
        self.press("e")
        self.type(faces)
        return self.presses("Enter")

    def tells(self, key: str) -> str:
        """Press a key that only says something; what it said."""
        self.press(key)
        return self.said

    # --- hearing

    @property
    def said(self) -> str:
        """What the live region says."""
        return (self.page.locator("#announcer").text_content() or "").strip()

    def hears(self, words: str) -> None:
        """Wait until the live region says these words."""
        self.page.wait_for_function(
            "words => document.getElementById('announcer')?.textContent.includes(words)", arg=words
        )

    # --- seeing

    def sees(self, words: str, where: str = "body") -> None:
        """Wait until these words are to be read, in a part of the page that a selector names."""
        self.page.wait_for_function(
            "([words, where]) => document.querySelector(where)?.innerText.includes(words)", arg=[words, where]
        )

    def catches_up(self) -> None:
        """Wait until the page shows what the table told last."""
        self.page.wait_for_function(
            "number => document.getElementById('table')?.dataset.number.split('-').pop() === number",
            arg=str(self.session.latest().number),
        )

    def is_told(self, act: Callable[[Session], object]) -> None:
        """Something happens at the table; wait until the page shows it."""
        act(self.session)
        self.catches_up()

    @property
    def focus(self) -> str:
        """The id of what the keyboard is at."""
        return self.page.evaluate("document.activeElement.id")

    def focused(self, what: str) -> Any:
        """Something about what the keyboard is at, as scripts ask for it."""
        return self.page.evaluate(f"document.activeElement.{what}")

    def faces(self) -> list[str]:
        """The faces of the dice on the page, sorted."""
        return sorted(self.page.locator(".die .label").all_inner_texts())

    @property
    def sideways(self) -> int:
        """Pixels by which the page can be scrolled sideways."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

"""A page is never stuck: a lost server, a restart, a dead line, two who act at once, the back button."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.compose import House, free_port
from scoring.actions import Fill
from tests.fakes import rolled
from tests.web.playing import WAIT
from tests.web.serving import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page



@pytest.fixture
def page(rough_page: Page) -> Page:
    return rough_page


@pytest.fixture
def laid(lay: Callable[..., House]) -> Callable[..., House]:
    return partial(lay, heartbeat=1.0)


def a_port() -> int:
    """A port that can be listened on again: sockets that took any free one leave it blocked for a minute."""
    return free_port("127.0.0.1", random.randrange(20_000, 30_000))


def linked(page: Page, state: str) -> None:
    page.wait_for_selector(f"#link[data-link={state}]")


def now_plays(page: Page, name: str) -> None:
    page.wait_for_function(
        "name => document.querySelector('[aria-current=true], .now')?.textContent.includes(name)", arg=name
    )


def test_a_server_that_went_and_came_back(laid: Callable[..., House], page: Page, tmp_path: Path):
    """It says so, comes back by itself, and shows what is there now, though the numbers of notices began anew."""
    with serving(laid(), tmp_path, port=a_port()) as served:
        page.goto(served.at())
        linked(page, "live")
        for _ in range(5):  # so that the old numbers are ahead of the new ones
            served.house.table.session.greet()
        before = page.locator("#table").get_attribute("data-number")
    linked(page, "lost")
    assert page.locator("#link-words").inner_text() != ""
    with serving(laid(players=("Cleo", "Dan")), tmp_path, port=served.port) as again:
        again.house.table.session.saw(rolled("222255"))
        linked(page, "live")
        page.wait_for_function("() => document.body?.innerText.includes('Cleo')")
        page.wait_for_selector("button.box, #box-chance")
        assert page.locator("#table").get_attribute("data-number") != before
        again.house.table.session.decide(Fill("chance"))
        now_plays(page, "Dan")


def test_that_the_table_did_not_answer_is_taken_back_when_it_does(
    laid: Callable[..., House], page: Page, tmp_path: Path
):
    with serving(laid(), tmp_path, port=a_port()) as served:
        page.goto(served.at())
        linked(page, "live")
    linked(page, "lost")
    page.keyboard.press("t")
    page.locator("#refusal", has_text="The table did not answer.").wait_for()
    with serving(laid(), tmp_path, port=served.port):
        linked(page, "live")
        page.locator("#refusal", has_text="The table did not answer.").wait_for(state="detached")
        assert page.locator("#refusal").inner_text() == ""


def test_a_restart_with_as_many_notices_is_noticed(laid: Callable[..., House], page: Page, tmp_path: Path):
    """The same number means another notice after a restart."""
    with serving(laid(), tmp_path, port=a_port()) as served:
        page.goto(served.at())
        linked(page, "live")
    linked(page, "lost")
    with serving(laid(players=("Cleo", "Dan")), tmp_path, port=served.port):
        page.wait_for_function("() => document.body?.innerText.includes('Cleo')")


class Wire:
    """Passes bytes between a page and the server, until it falls silent without closing anything."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.silent = False
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._open: list[socket.socket] = [self._door]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self._open += [near, far]
                dead = [False]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(source, target, dead), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, dead: list[bool]) -> None:
        with suppress(OSError):
            while came := source.recv(65536):
                dead[0] = (
                    dead[0] or self.silent
                )  # a line that died stays dead; new ones are as good as the wire
                if not dead[0]:
                    target.sendall(came)
            if not dead[0]:
                target.shutdown(socket.SHUT_WR)


def test_a_line_that_is_dead_though_nobody_closed_it(laid: Callable[..., House], page: Page, tmp_path: Path):
    """A laptop was shut, a wireless network fell silent: no error ever comes."""
    with serving(laid(), tmp_path) as served:
        wire = Wire(served.port)
        page.goto(f"http://127.0.0.1:{wire.port}/")
        linked(page, "live")
        wire.silent = True
        linked(page, "lost")
        served.house.table.session.saw(rolled("222255"))
        served.house.table.session.decide(Fill("chance"))
        wire.silent = False
        linked(page, "live")
        now_plays(page, "Bob")
        page.goto("about:blank")
        wire.close()


def test_the_network_goes_and_comes(laid: Callable[..., House], page: Page, tmp_path: Path):
    with serving(laid(), tmp_path) as served:
        page.goto(served.at())
        linked(page, "live")
        page.context.set_offline(True)
        linked(page, "lost")
        served.house.table.session.saw(rolled("222255"))
        served.house.table.session.decide(Fill("chance"))
        page.context.set_offline(False)
        linked(page, "live")
        now_plays(page, "Bob")


def test_of_two_tablets_the_second_is_told(laid: Callable[..., House], browser: Browser, tmp_path: Path):
    house = laid()
    with serving(house, tmp_path) as served:
        house.table.session.saw(rolled("222255"))
        first, second = browser.new_page(), browser.new_page()
        for page in (first, second):
            page.set_default_timeout(WAIT)
            page.goto(served.at())
            linked(page, "live")
            page.wait_for_selector("#box-chance")
        # The second has not heard yet when its finger comes down.
        second.evaluate(
            """() => {
                const send = window.fetch;
                window.fetch = async (to, how) => {
                    how?.body?.set("seen", how.body.get("seen").replace(/\\d+$/, (n) => n - 1));
                    return send(to, how);
                };
            }"""
        )
        first.click("#box-chance")
        now_plays(second, "Bob")
        session = house.table.session
        events = len(session.match.events)
        second.keyboard.press("u")
        second.locator("#refusal", has_text="Somebody else was quicker").wait_for()
        assert len(session.match.events) == events
        for page in (first, second):
            now_plays(page, "Bob")
            page.close()


def test_of_many_who_decide_at_once_one_does(laid: Callable[..., House]):
    """Twenty devices write the same roll into a box in the same moment; the next player's turn is left alone."""
    house = laid()
    session = house.table.session
    session.saw(rolled("222255"))
    seen = f"{session.store.id}:{len(session.match.events)}"
    start, answers = threading.Barrier(20), list[tuple[int, str]]()

    def tap() -> None:
        client = house.app.test_client()
        start.wait()
        fields = {"move": json.dumps({"kind": "fill", "box": "chance"}), "seen": seen}
        answer = client.post("/move", data=fields, headers={"X-Requested-With": "tableside"})
        answers.append((answer.status_code, answer.get_data(as_text=True)))

    threads = [threading.Thread(target=tap) for _ in range(20)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(status for status, _ in answers) == [204] + [409] * 19
    told = {words for status, words in answers if status == 409}
    assert told == {"Somebody else was quicker, look at what the table shows now.\n"}
    assert session.match.state.turn == 1


def test_a_device_that_acts_twice_is_not_its_own_rival(laid: Callable[..., House]):
    """The answer to a write says how the log stands after it."""
    house = laid()
    session = house.table.session
    client = house.app.test_client()
    seen = f"{session.store.id}:{len(session.match.events)}"
    for path, fields in (
        ("/roll", {"faces": "2 2 2 2 5 5"}),
        ("/hold", {"die": "1"}),
        ("/move", {"move": '{"kind": "fill", "box": "chance"}'}),
        ("/undo", {}),
    ):
        answer = client.post(path, data={**fields, "seen": seen}, headers={"X-Requested-With": "tableside"})
        assert answer.status_code == 204, path
        seen = answer.headers["X-Log"]


def test_the_back_button_shows_now_and_not_then(laid: Callable[..., House], page: Page, tmp_path: Path):
    house = laid()
    with serving(house, tmp_path) as served:
        house.table.session.saw(rolled("222255"))
        page.goto(served.at())
        linked(page, "live")
        page.goto(served.at("/history"))
        house.table.session.decide(Fill("chance"))
        page.go_back()
        linked(page, "live")
        now_plays(page, "Bob")
        page.go_forward()
        page.wait_for_url(served.at("/history"))

"""A page is never stuck: a lost server, a restart, a dead line, two who act at once, the back button."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cli.compose import House, free_port
from scoring.actions import Fill
from table.session import Session
from tests.fakes import rolled
from tests.web.serving import Served, serving
from tests.web.visitor import Visitor

Lay = Callable[..., House]


@pytest.fixture
def lay(lay: Lay) -> Lay:
    return partial(lay, heartbeat=1.0)


@pytest.fixture
def visit(visit: Callable[..., Visitor]) -> Callable[..., Visitor]:
    return partial(visit, rough=True)


Visit = Callable[..., Visitor]


def a_turn(session: Session) -> None:
    session.saw(rolled("222255"))
    session.decide(Fill("chance"))


@pytest.mark.parametrize("notices", [0, 5], ids=["with as many notices", "with fewer"])
def test_a_server_that_went_and_came_back(lay: Lay, visit: Visit, tmp_path: Path, notices: int):
    """It says so, comes back by itself, and shows what is there now, though the numbers of notices began anew."""
    # A port that can be listened on again: sockets that took any free one leave it blocked for a minute.
    port = free_port("127.0.0.1", random.randrange(20_000, 30_000))
    with serving(lay(), tmp_path, port=port, watched=False) as served:
        alice = visit(served)
        for _ in range(notices):
            alice.is_told(lambda session: session.greet())
    alice.linked("lost")
    assert alice.page.locator("#link-words").inner_text() != ""
    alice.press("t")
    alice.sees("Tableside is not answering.", "#refusal")
    with serving(lay(players=("Cleo", "Dan")), tmp_path, port=served.port, watched=False) as again:
        alice.linked("live")
        alice.sees("Cleo")
        alice.page.locator("#refusal", has_text="Tableside is not answering.").wait_for(state="detached")
        alice.served = again
        alice.is_told(a_turn)
        alice.sees("Dan", ".now")
        alice.page.goto("about:blank")


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
                dead[0] = dead[0] or self.silent  # a line that died stays dead; new ones are as good as the wire
                if not dead[0]:
                    target.sendall(came)
            if not dead[0]:
                target.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("how", ["a laptop is shut", "the network goes"])
def test_a_line_that_died_is_noticed_and_another_one_made(lay: Lay, visit: Visit, tmp_path: Path, how: str):
    """Of a laptop that was shut or a wireless network that fell silent, no error ever comes."""
    with serving(lay(), tmp_path, watched=False) as served:
        wire = Wire(served.port)
        alice = visit(replace(served, port=wire.port))

        def cut(off: bool) -> None:
            if how == "the network goes":
                alice.page.context.set_offline(off)
            else:
                wire.silent = off

        cut(True)
        alice.linked("lost")
        a_turn(alice.session)
        cut(False)
        alice.linked("live")
        alice.sees("Bob", ".now")
        alice.page.goto("about:blank")
        wire.close()


def test_of_two_tablets_the_second_is_told(serve: Callable[..., Served], visit: Visit):
    served = serve()
    session = served.house.table.session
    session.saw(rolled("222255"))
    first, second = visit(served), visit(served)
    # The second has not heard yet when its finger comes down.
    second.page.evaluate(
        """() => {
            const send = window.fetch;
            window.fetch = async (to, how) => {
                how?.body?.set("seen", how.body.get("seen").replace(/\\d+$/, (n) => n - 1));
                return send(to, how);
            };
        }"""
    )
    first.page.click("#box-chance")
    second.sees("Bob", ".now")
    events = len(session.match.events)
    second.press("u")
    second.sees("Someone else was faster", "#refusal")
    assert len(session.match.events) == events
    for one in (first, second):
        one.sees("Bob", ".now")


def test_of_many_who_decide_at_once_one_does(house: House):
    """Twenty devices write the same roll into a box in the same moment; the next player's turn is left alone."""
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
    assert told == {"Someone else was faster; check the table first.\n"}
    assert session.match.state.turn == 1


def test_a_device_that_acts_twice_is_not_its_own_rival(house: House):
    """The answer to a write says how the log stands after it."""
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


def test_the_back_button_shows_now_and_not_then(serve: Callable[..., Served], visit: Visit):
    alice = visit(serve())
    alice.is_told(lambda session: session.saw(rolled("222255")))
    alice.open("/history")
    alice.session.decide(Fill("chance"))
    alice.page.go_back()
    alice.linked("live")
    alice.sees("Bob", ".now")
    alice.page.go_forward()
    alice.page.wait_for_url(alice.served.at("/history"))

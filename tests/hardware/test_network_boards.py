"""AWTRIX 3 and WLED as scoreboards, before stand-ins that are unplugged, slow, restarted, and answer nonsense."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from cli.outlets import outlets
from hardware import http, network_board
from hardware.awtrix import LIFETIME, Awtrix, app, notification
from hardware.http import HttpAddress, http_address
from hardware.network_board import SEAT_COLOURS, BoardDriver, NetworkBoard
from hardware.public_state import PublicEvent
from hardware.wled import FIREWORKS, SOLID, Wled
from tests.hardware.devices import AwtrixStandIn, HttpDevice, WledStandIn
from tests.hardware.told import notice, state, turn, won
from tests.waiting import soon

Plug = Callable[[HttpDevice, type], NetworkBoard]
ANN, BOB = SEAT_COLOURS[:2]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    """Starts a board before a stand-in, with an evening's waits in tenths of a second."""
    monkeypatch.setattr(http, "TIMEOUT", 0.3)
    monkeypatch.setattr(http, "DEADLINE", 0.6)
    monkeypatch.setattr(network_board, "RETRY", (0.05, 0.2))
    running: list[tuple[NetworkBoard, HttpDevice]] = []

    def start(device: HttpDevice, kind: Any) -> NetworkBoard:
        board: BoardDriver = kind(http_address(f"http://127.0.0.1:{device.port}"))
        board.beat_every = 0.1
        made = NetworkBoard(board)
        made.start()
        running.append((made, device))
        return made

    yield start
    for made, device in running:
        made.close()
        device.unplug()


def test_awtrix_shows_everyone_and_whose_turn_it_is(plug: Plug):
    display = AwtrixStandIn()
    board = plug(display, Awtrix)
    board.tell(turn(1, 1))
    assert soon(lambda: display.shown == ">Bob 7  Ann 0  ")
    assert soon(lambda: display.current == "tableside")
    assert display.apps["tableside"]["lifetime"] == LIFETIME
    assert [one["c"] for one in display.apps["tableside"]["text"]] == ["FF5A00", "008CFF"]
    assert soon(lambda: str(board.words) == f"Connected to AWTRIX at 127.0.0.1:{display.port}")


def test_awtrix_shows_points_for_a_moment_and_who_won(plug: Plug):
    display = AwtrixStandIn()
    board = plug(display, Awtrix)
    board.tell(turn(1, 0))
    assert soon(lambda: display.shown != "")
    board.tell(turn(2, 1, events=(PublicEvent("throw"), PublicEvent("points", "Ann", 18))))
    assert soon(lambda: [one["text"] for one in display.notifications] == ["Ann +18"])
    assert display.notifications[0]["color"] == "#008CFF"
    board.tell(won(3, 0))
    assert soon(lambda: display.notifications[-1]["text"] == "The match is over. Ann won.")
    assert display.apps["tableside"] == {"text": "Ann 0  Bob 7", "rainbow": True, "lifetime": LIFETIME, "duration": 15}


def test_awtrix_gets_its_app_again_after_a_restart_and_loses_it_in_the_end(plug: Plug):
    display = AwtrixStandIn()
    board = plug(display, Awtrix)
    board.tell(turn(1, 0))
    assert soon(lambda: display.shown != "")
    display.restart()
    assert soon(lambda: display.shown == ">Ann 0  Bob 7  ")
    board.close()
    assert display.apps == {}


def test_wled_has_the_colour_of_whose_turn_it_is_and_fireworks_at_a_win(plug: Plug):
    strip = WledStandIn()
    board = plug(strip, Wled)
    board.tell(turn(1, 0))
    assert soon(lambda: (strip.state["on"], strip.colour, strip.effect) == (True, ANN, SOLID))
    board.tell(turn(2, 1))
    assert soon(lambda: strip.colour == BOB)
    board.tell(won(3, 0))
    assert soon(lambda: (strip.colour, strip.effect) == (ANN, FIREWORKS))


def test_wled_is_left_as_it_was_found(plug: Plug):
    strip = WledStandIn()
    before = {**strip.state, "seg": [dict(strip.state["seg"][0])]}
    board = plug(strip, Wled)
    board.tell(turn(1, 0))
    assert soon(lambda: strip.colour == ANN)
    board.close()
    assert strip.state == before


@pytest.mark.slow
def test_wled_is_told_nothing_while_nothing_changes_and_everything_after_a_restart(plug: Plug):
    strip = WledStandIn()
    board = plug(strip, Wled)
    board.tell(turn(1, 0))
    assert soon(lambda: strip.colour == ANN)
    board.tell(turn(2, 0))
    strip.state["on"] = False  # somebody switches it off
    time.sleep(0.5)
    assert len(strip.posted("/json/state")) == 1
    assert not strip.state["on"]
    time.sleep(0.5)
    strip.restart()
    assert soon(lambda: strip.colour == ANN)


@pytest.mark.parametrize(("stand_in", "kind"), [(AwtrixStandIn, Awtrix), (WledStandIn, Wled)])
def test_a_board_that_comes_late_or_again_gets_the_newest_state_and_no_old_event(
    plug: Plug, stand_in: type[HttpDevice], kind: type
):
    device = stand_in()
    device.unplug()
    board = plug(device, kind)
    board.tell(turn(1, 0))
    assert soon(lambda: str(board.words).endswith("isn’t answering; still trying"))
    board.tell(turn(2, 1, events=(PublicEvent("points", "Ann", 18),)))
    device.plug_in()
    assert soon(lambda: str(board.words).startswith("Connected to "))
    if isinstance(device, AwtrixStandIn):
        assert soon(lambda: device.shown.startswith(">Bob"))
        assert device.notifications == []
    if isinstance(device, WledStandIn):
        assert soon(lambda: device.colour == BOB)


def slowly(device: HttpDevice) -> None:
    device.slow = 0.5


def trickling(device: HttpDevice) -> None:
    device.trickles = True


def failing(device: HttpDevice) -> None:
    device.status = 503


def elsewhere(device: HttpDevice) -> None:
    device.status = 302


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (slowly, "isn’t answering; still trying"),
        (trickling, "isn’t answering; still trying"),
        (failing, "answered with HTTP status 503; still trying"),
        (elsewhere, "answered with HTTP status 302; still trying"),
    ],
)
@pytest.mark.parametrize(("stand_in", "kind"), [(AwtrixStandIn, Awtrix), (WledStandIn, Wled)])
def test_a_board_with_a_fault_holds_up_nobody_and_shows_the_newest_once_it_is_mended(
    plug: Plug, stand_in: type[HttpDevice], kind: type, fault: Callable[[HttpDevice], None], words: str
):
    device = stand_in()
    fault(device)
    board = plug(device, kind)
    began = time.thread_time(), time.monotonic()
    for number in range(2000):
        board.tell(turn(number, number % 2))
    assert time.thread_time() - began[0] < 2, "telling does work that is not its own"
    assert time.monotonic() - began[1] < 30, "telling waits"
    assert soon(lambda: str(board.words).endswith(words))
    board.tell(turn(3000, 1))
    device.slow, device.trickles, device.status = 0.0, False, 0
    assert soon(lambda: str(board.words).startswith("Connected to "))
    assert all(one.path != "/elsewhere" for one in device.heard), "a redirect leads anywhere"


@pytest.mark.parametrize("nonsense", [b"", b"<html>", b"[]", b'{"on": "yes"}', b'{"on": true, "bri": 1, "seg": 7}'])
def test_what_is_no_wled_is_said_so(plug: Plug, nonsense: bytes):
    class Other(HttpDevice):
        def answer(self, request: object) -> tuple[int, bytes]:
            return 200, nonsense

    other = Other()
    board = plug(other, Wled)
    board.tell(turn(1, 0))
    assert soon(lambda: "doesn’t seem to be WLED" in str(board.words))
    assert other.posted("/json/state") == []


def test_a_password_is_sent_and_never_said(plug: Plug):
    display = AwtrixStandIn()
    board = NetworkBoard(Awtrix(http_address(f"http://me:s3cret@127.0.0.1:{display.port}")))
    board.tell(turn(1, 0))
    board.start()
    assert soon(lambda: display.shown != "")
    assert display.heard[0].headers["Authorization"] == "Basic bWU6czNjcmV0"
    assert "s3cret" not in str(board.words) + repr(http_address("http://me:s3cret@h/s3cret?s3cret"))
    board.close()
    display.unplug()


def test_awtrix_can_show_whatever_a_table_says():
    """Any name, any number of players; a question is marked, and a throw is no notification."""
    many = state(1, "{{a/b}}", *(f"Łukasz 🎲 {n}" for n in range(14)), question="Is this a die?")
    assert "".join(one["t"] for one in app(many)["text"]).isascii()
    assert app(many)["text"][0] == {"t": "? ", "c": "FFA000"}
    assert app(many)["text"][1]["t"] == ">((a/b)) 0  ", "the display would look up the topic a/b"
    assert notification(PublicEvent("throw", faces=("1",)), many) is None
    assert notification(PublicEvent("points", "Ann", 0), many) is None
    lost = notification(PublicEvent("points", "who left", -3), many)
    assert lost is not None
    assert lost["text"] == "who left -3"


def test_nobody_on_turn_has_a_colour_too(plug: Plug):
    strip = WledStandIn()
    board = plug(strip, Wled)
    nobody = notice(1)
    board.tell(replace(nobody, state=replace(nobody.state, players=tuple(
        replace(one, on_turn=False) for one in nobody.state.players))))  # fmt: skip
    assert soon(lambda: strip.colour == (255, 160, 60))


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://host", HttpAddress("host", 80)),
        ("https://host/a/b?c=d", HttpAddress("host", 443, True, "/a/b?c=d")),
        ("http://me:p%40ss@host:8080/", HttpAddress("host", 8080, False, "/", "me", "p@ss")),
        ("http://[::1]:81", HttpAddress("::1", 81)),
    ],
)
def test_an_address_is_read(url: str, address: HttpAddress):
    assert http_address(url) == address


@pytest.mark.parametrize(
    "url",
    ["", "host", "ftp://host", "http://", "http://h:port", "http://me:secret/@h", "http://h/#secret", "http://h/a b",
     "http://h/\n", "http://hä"],
)  # fmt: skip
def test_what_is_no_address_is_refused_without_its_password(url: str):
    with pytest.raises(ValueError, match="expected http://") as refused:
        http_address(url)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "named",
    ["awtrix", "awtrix:", "wled:", "wled:h/path", "wled:a b", "awtrix:me:secret@h:x", "auto,", ",", "auto,wled"],
)
def test_what_is_no_scoreboard_is_refused(named: str):
    with pytest.raises(ValueError, match="expected") as refused:
        outlets(named, 6, None)
    assert "secret" not in str(refused.value)


def test_several_scoreboards_can_be_named():
    made = outlets("virtual, awtrix:display.local, wled:10.0.0.7:8080", 6, None)
    assert [str(one.device.words) for one in made] == [
        "Looking for the scoreboard",
        "Connecting to AWTRIX at display.local",
        "Connecting to WLED at 10.0.0.7:8080",
    ]

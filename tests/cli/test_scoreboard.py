"""`tableside scoreboard`, and a table that is served with one."""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from cli.compose import House
from cli.outlets import Outlet, outlets
from files.folders import data_id
from hardware.board_state import BoardSeat, BoardState
from hardware.leds import terminal
from hardware.network_board import SEAT_COLOURS
from hardware.picture import DISPLAYS, Display, LedScene, picture
from hardware.virtual import VirtualBoard
from tests.cli.door import Said, tableside
from tests.fakes import alice_and_bob, rolled
from tests.hardware.devices import AwtrixStandIn, HttpDevice, WledStandIn
from tests.waiting import WAIT, soon
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set

TABLESIDE = Path(sys.executable).with_name("tableside")


class Virtual:
    """`tableside scoreboard --virtual` in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        command = [TABLESIDE, "scoreboard", "--virtual", "--listen", "127.0.0.1:0", *arguments]
        unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self._running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=unbuffered)
        assert self._running.stdout is not None
        first = self._running.stdout.readline()
        self.address = re.search(r" is at (\S+)", first)[1]  # type: ignore[index]
        self.drawn: list[str] = []
        self._reading = threading.Thread(target=lambda: self.drawn.extend(self._running.stdout or ()))
        self._reading.start()

    @property
    def text(self) -> str:
        return "".join(self.drawn)

    def close(self) -> int:
        self._running.send_signal(signal.SIGINT)
        code = self._running.wait(WAIT)
        self._reading.join(WAIT)
        assert self._running.stdout is not None
        self._running.stdout.close()
        return code


@pytest.mark.slow
def test_a_board_is_tried_out_drawn_and_ends_with_ctrl_c(tmp_path: Path):
    matrix = DISPLAYS["matrix4"]
    virtual = Virtual("--png", str(tmp_path / "leds.png"), "--fault", "drop=0.001", "--seed", "1")
    try:
        said = tableside("scoreboard", "--port", virtual.address, "Alice=42", "Bob=7", "--turn", "1")
        assert said == Said(0, f"The scoreboard is connected (matrix4), at {virtual.address}\n", "")
        columns = picture(matrix, LedScene(BoardState((BoardSeat("Alice", 42), BoardSeat("Bob", 7)), 0)))
        assert soon(lambda: terminal(matrix, columns) in virtual.text)
        assert "brightness" in virtual.text
        with Image.open(tmp_path / "leds.png") as drawn:
            assert drawn.size == (32 * 12, 8 * 12)
            assert drawn.convert("L").getextrema()[1] > 80, "no LED is lit"
    finally:
        assert virtual.close() == 0


def test_nobody_there_is_one_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("cli.scoreboard.ANSWER_WITHIN", 0.5)
    said = tableside("scoreboard", "--port", "/dev/not-there", "Alice=1")
    assert said.code == 2
    assert said.err.startswith("tableside: No scoreboard at /dev/not-there: ")
    assert said.err.count("\n") == 1


Furnished = Callable[..., House]


@pytest.fixture
def table() -> Iterator[Furnished]:
    """A demo table whose camera is not running, with outlets that are."""
    running: list[Outlet] = []

    def furnished(*made: Outlet) -> House:
        house = alice_and_bob(DemoCamera(find_set("fate"), seed=1, size=(320, 240)), outlets=made)
        for outlet in made:
            outlet.start(0)
            running.append(outlet)
        return house

    yield furnished
    for outlet in running:
        outlet.device.close()


@pytest.mark.slow
def test_a_table_with_a_virtual_board(
    table: Furnished, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    boards: list[VirtualBoard] = []

    class Noted(VirtualBoard):
        def __init__(self, display: Display, now: int = 0) -> None:
            super().__init__(display, now)
            boards.append(self)

    monkeypatch.setattr("hardware.virtual.VirtualBoard", Noted)
    alone = table().app.test_client().get("/").get_data(as_text=True)
    assert '<p class="devices" id="devices"></p>' in alone, "without a board nothing is said of one"
    house = table(*outlets("virtual", 9, None))
    (board,) = boards
    assert soon(
        lambda: board.state == BoardState((BoardSeat("Alice", 0), BoardSeat("Bob", 0)), 0, brightness=9)
    )
    house.table.session.saw(rolled("222255"))
    house.app.test_client().post("/move", data={"move": '{"kind": "fill", "box": "chance"}'})
    assert soon(lambda: board.state is not None and board.state.seats[0].score == 18)
    assert soon(
        lambda: [str(one) for one in house.announcer.devices] == ["The scoreboard is connected (matrix4)"]
    )
    page = house.app.test_client().get("/").get_data(as_text=True)
    assert '<p class="devices" id="devices">The scoreboard is connected (matrix4).</p>' in page
    assert capsys.readouterr().err == "The scoreboard is connected (matrix4).\n"
    answer = house.app.test_client().get("/events?after=0", buffered=False)
    heard = itertools.accumulate(one.decode() if isinstance(one, bytes) else str(one) for one in answer.response)
    expected = "event: devices\ndata: The scoreboard is connected (matrix4).\n\n"
    assert any(expected in so_far for so_far in heard), "the page hears it"
    answer.close()


def test_a_table_whose_board_is_missing_plays_on_with_one_quiet_line(
    table: Furnished, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("hardware.scoreboard.GRACE", 0.3)
    house = table(*outlets("/dev/not-there", 6, None))
    house.table.session.saw(rolled("222255"))
    assert soon(lambda: "No scoreboard at /dev/not-there" in " ".join(map(str, house.announcer.devices)))
    time.sleep(1)
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert house.table.session.match.state.roll == tuple("222255")


@pytest.mark.slow
def test_a_table_with_a_display_a_light_and_a_webhook_that_all_say_the_same(table: Furnished):
    display, strip, receiver = devices = AwtrixStandIn(), WledStandIn(), HttpDevice()
    boards = f"awtrix:127.0.0.1:{display.port},wled:127.0.0.1:{strip.port}"
    house = table(*outlets(boards, 6, None, f"http://127.0.0.1:{receiver.port}/hook"))
    house.table.session.saw(rolled("222255"))
    house.app.test_client().post("/move", data={"move": '{"kind": "fill", "box": "chance"}'})
    assert soon(lambda: display.shown == ">Bob 0  Alice 18  ")
    assert soon(lambda: [one["text"] for one in display.notifications] == ["Alice +18"])
    assert soon(lambda: strip.colour == SEAT_COLOURS[1])
    assert soon(lambda: bool(receiver.heard) and receiver.posted("/hook")[-1]["state"]["turn"] == "Bob")
    sent = receiver.posted("/hook")
    assert [event["type"] for one in sent for event in one["events"]] == ["throw", "points"]
    assert sent[-1]["sentence"] == house.announcer.said("en")
    assert receiver.heard[0].headers["X-Tableside-Table"] == f"{data_id()}-0"
    assert soon(lambda: all("onnected to" in str(one) for one in house.announcer.devices[:2]))
    for device in devices:
        device.unplug()


def test_the_firmware_is_copied_for_whoever_has_no_compiler(tmp_path: Path):
    said = tableside("scoreboard", "--firmware", str(tmp_path / "hex"))
    assert said.code == 0, said.err
    for display in DISPLAYS:
        lines = (tmp_path / "hex" / f"{display}.hex").read_text().splitlines()
        assert lines[-1] == ":00000001FF"  # Intel HEX: the end of the file
        assert all(sum(bytes.fromhex(line[1:])) % 256 == 0 for line in lines)
    assert f"flash:w:{tmp_path}/hex/matrix4.hex:i" in said.out


def test_firmware_that_cannot_be_copied_is_refused_in_one_line(tmp_path: Path):
    (tmp_path / "file").write_text("")
    said = tableside("scoreboard", "--firmware", str(tmp_path / "file"))
    assert (said.code, len(said.err.splitlines())) == (2, 1)

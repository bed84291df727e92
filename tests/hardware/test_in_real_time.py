"""The scoreboard in real time: the thread, ordinary serial ports, and the real firmware behind one."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware.board_state import BoardSeat, BoardState
from hardware.faults import Faults
from hardware.link import Link
from hardware.picture import DISPLAYS, LedScene, picture
from hardware.scoreboard import Scoreboard
from hardware.standin import PortEnd, StandIn, TcpEnd
from tests.hardware.boards import SimBoard
from tests.hardware.conftest import Boards
from tests.hardware.scenes import TWO, golden, written
from tests.waiting import WAIT, soon

MATRIX = DISPLAYS["matrix4"]
ALICE = BoardState((BoardSeat("Alice", 1), BoardSeat("Bob", 2)), 0)

unix = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals on Windows")


@contextmanager
def standing_in(end: PortEnd, faults: Faults | None = None) -> Iterator[StandIn]:
    """A virtual board that runs in a thread."""
    stand = StandIn(MATRIX, end, faults, seed=1, now=time.monotonic() * 1000)
    done = threading.Event()

    def run() -> None:
        while not done.wait(0.002):
            stand.step(time.monotonic() * 1000)

    thread = threading.Thread(target=run)
    thread.start()
    yield stand
    done.set()
    thread.join()
    stand.close()


@contextmanager
def scoreboard(name: str, heard: list[str] | None = None) -> Iterator[Scoreboard]:
    board = Scoreboard(Link(name))
    if heard is not None:
        board.on_change = lambda: heard.append(str(board.words))
    board.start()
    yield board
    board.close()


@contextmanager
def rfc2217_server(behind: str) -> Iterator[str]:
    """What ser2net does: a serial port, here one that is itself an address, offered over the network."""
    import serial
    from serial.rfc2217 import PortManager

    done = threading.Event()
    door = socket.create_server(("127.0.0.1", 0))
    door.settimeout(WAIT)

    class Connection:
        def __init__(self, guest: socket.socket) -> None:
            self.write = guest.sendall

    def run() -> None:
        guest, _ = door.accept()
        guest.settimeout(0.005)
        with guest, serial.serial_for_url(behind, timeout=0) as port:
            manager = PortManager(port, Connection(guest))
            while not done.is_set():
                try:
                    received = guest.recv(1024)
                except TimeoutError:
                    received = b""
                except OSError:
                    return  # the host has gone
                port.write(b"".join(manager.filter(received)))
                with contextlib.suppress(OSError):
                    guest.sendall(b"".join(manager.escape(port.read(1024))))

    thread = threading.Thread(target=run)
    thread.start()
    yield f"rfc2217://127.0.0.1:{door.getsockname()[1]}"
    done.set()
    thread.join()
    door.close()


# pyserial 3.5 still names its thread the old way.
@pytest.mark.filterwarnings("ignore:set(Daemon|Name)..:DeprecationWarning")
def test_over_the_network_as_rfc_2217_has_it():
    with (
        standing_in(TcpEnd("127.0.0.1", 0)) as stand,
        rfc2217_server(stand.address) as address,
        scoreboard(address) as board,
    ):
        board.show(ALICE)
        assert soon(lambda: board.showing)
        assert stand.board.state == ALICE


@unix
def test_a_serial_port_that_goes_and_comes_back_as_another(tmp_path: Path):
    from hardware.standin import PtyEnd

    with standing_in(PtyEnd(tmp_path / "board")) as stand, scoreboard(str(tmp_path / "board")) as board:
        board.show(ALICE)
        assert soon(lambda: board.showing)
        stand.cable.strike("disconnect")
        assert soon(lambda: not (tmp_path / "board").exists())
        holding = os.openpty()  # so that the number it had is taken
        assert soon(lambda: (tmp_path / "board").exists() and board.showing and stand.board.state == ALICE)
        for end in holding:
            os.close(end)


def test_a_missing_board_is_one_line_and_costs_the_table_nothing():
    heard: list[str] = []
    with scoreboard("/dev/no-such-port", heard) as board:
        began = time.thread_time(), time.monotonic()
        for score in range(10_000):
            board.show(BoardState((BoardSeat("A", score),)))
        assert time.thread_time() - began[0] < 2, "showing does work that is not its own"
        assert time.monotonic() - began[1] < 30, "showing waits"
        assert soon(lambda: len(heard) == 1)
        time.sleep(1)
    assert len(heard) == 1
    assert heard[0].startswith("No scoreboard at /dev/no-such-port: ")


@contextmanager
def firmware_behind_a_port(board: SimBoard) -> Iterator[str]:
    """Run the firmware at the speed of the clock, its serial line bound to a pseudo-terminal."""
    import tty

    near, far = os.openpty()
    tty.setraw(far)
    os.set_blocking(near, False)
    done = threading.Event()

    def run() -> None:
        began = time.monotonic()
        while not done.is_set():
            try:
                received = os.read(near, 4096)
            except BlockingIOError:
                received = b""
            board.receive(received, int((time.monotonic() - began) * 1000))
            if said := board.said():
                os.write(near, said)
            time.sleep(0.002)

    thread = threading.Thread(target=run)
    thread.start()
    yield os.ttyname(far)
    done.set()
    thread.join()
    os.close(near)
    os.close(far)


def lights(firmware: SimBoard) -> str:
    """The LEDs as the golden files have them."""
    return written(MATRIX, firmware.leds.lit, firmware.leds.intensity)


@unix
def test_the_real_firmware_behind_an_ordinary_serial_port(sim_board: Boards):
    """Hex file, simavr, pseudo-terminal, pyserial, link: and the decoded LEDs show what the host wanted."""
    firmware = sim_board("matrix4")
    with firmware_behind_a_port(firmware) as name, scoreboard(name) as board:
        for score in (7, 42, 107):
            state = BoardState((BoardSeat("Zoë", score),), 0)
            board.show(state)
            assert soon(lambda: board.showing)
            shown = picture(MATRIX, LedScene(state))
            assert soon(lambda shown=shown: firmware.leds.lit == shown)
        board.show(TWO)
        assert soon(lambda: lights(firmware) == golden(MATRIX)["Alice is to throw"])
        assert soon(lambda: lights(firmware) == golden(MATRIX)["the other page"])
        assert str(board.words) == "The scoreboard is connected (matrix4)"

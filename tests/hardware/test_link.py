"""The link: finds the board, repeats what is lost, says only what changes, and survives whatever the cable does."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from hardware import link as link_module
from hardware.board_state import BoardSeat, BoardState
from hardware.faults import NAMED, Cable, CablePort, Faults
from hardware.link import ASK_AGAIN, PATIENCE, Link, Port, candidates, open_port
from hardware.picture import DISPLAYS
from hardware.virtual import VirtualBoard
from tests.hardware.desk import Desk
from tests.hardware.states import any_state

MATRIX = DISPLAYS["matrix4"]
ALICE = BoardState((BoardSeat("Alice", 1), BoardSeat("Bob", 2)), 0)


def desk(faults: Faults | None = None, *, seed: int = 1, version: int = 1) -> tuple[Desk, VirtualBoard]:
    board = VirtualBoard(MATRIX, version=version)
    made = Desk(board, faults, seed)
    made.link.wanted = ALICE
    return made, board


def test_it_finds_the_board_and_shows_the_state_at_once():
    table, board = desk()
    assert table.run(1, lambda: table.link.showing)
    assert table.now < 0.1
    assert board.state == ALICE
    assert str(table.link.words) == "The scoreboard is connected (matrix4)"


def test_what_does_not_change_is_not_sent_again():
    table, _ = desk()
    table.run(10)
    kinds = Counter(sent[1:2] for _, sent in table.sent)
    assert kinds[b"S"] == 1
    assert 8 <= kinds[b"P"] <= 11


def test_only_the_newest_of_many_states_is_sent_and_no_faster_than_the_board_can_show():
    table, board = desk()
    table.run(1)
    before = len(table.sent)
    for score in range(1000):
        table.link.wanted = replace(ALICE, seats=(BoardSeat("Alice", score),))
        table.wake()
        table.run(0.001)
    assert table.run(1, lambda: table.link.showing)
    assert board.state is not None
    assert board.state.seats[0].score == 999
    shows = [when for when, sent in table.sent[before:] if sent.startswith(b"$S")]
    assert 10 < len(shows) <= 26
    assert min(later - earlier for earlier, later in pairwise(shows)) >= 0.040


@pytest.mark.parametrize("name", NAMED)
def test_after_each_fault_the_board_is_right_within_two_seconds(name: str):
    table, board = desk(seed=3)
    chance = random.Random(name)
    table.run(1)
    for _ in range(12):
        table.cable.strike(name)
        table.link.wanted = any_state(chance)
        table.wake()
        assert table.run(10, lambda: table.now * 1000 >= table.cable.quiet_at)
        assert table.run(2, lambda: board.state == table.link.wanted and table.link.showing)


def test_another_name_after_replugging():
    table, board = desk()
    table.run(1)
    assert table.link.port == "/dev/ttyUSB1"
    table.cable.strike("disconnect")
    table.run(4)
    assert table.link.port == "/dev/ttyUSB2"
    assert table.link.showing
    assert board.state == ALICE


def test_a_port_that_was_named_and_comes_back_under_another_name():
    table = Desk(VirtualBoard(MATRIX), name="/dev/ttyUSB1")
    table.link.wanted = ALICE
    table.run(1)
    assert table.link.showing
    table.cable.strike("disconnect")
    table.run(4)
    assert table.link.port == "/dev/ttyUSB2"
    assert table.link.showing


def test_while_it_is_away_one_line_says_so():
    table, _ = desk()
    table.run(1)
    table.cable.strike("disconnect")
    table.run(0.1)
    assert str(table.link.words) == "The scoreboard is disconnected; still looking"


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (0, "The scoreboard’s firmware is too old: flash it again (it speaks version 0, Tableside speaks 1)"),
        (
            2,
            "The scoreboard’s firmware is too new: update Tableside (it speaks version 2, "
            "Tableside speaks 1)",
        ),
    ],
)
def test_a_board_of_another_version_is_named_and_shown_nothing(version: int, words: str):
    table, board = desk(version=version)
    table.run(5)
    assert str(table.link.words) == words
    assert board.state is None
    assert board.scene(5000).other_version
    assert len(table.sent) < 8


class Shelf:
    """Several ports, of which one may have the board; each is opened only when somebody asks it."""

    def __init__(self, silent: Sequence[str], board_at: str) -> None:
        self.now = 0.0
        self.names = [*silent, board_at]
        self.opened: list[str] = []
        self._board_at = board_at
        self.cable = Cable(VirtualBoard(MATRIX))

    def looking(self) -> list[str]:
        return self.names

    def opening(self, name: str) -> Port:
        self.opened.append(name)
        if name == "/dev/forbidden":
            raise PermissionError(13, "Permission denied", name)
        return CablePort(self.cable, lambda: self.now) if name == self._board_at else Mute()

    def run(self, link: Link, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += max(0.001, link.step(self.now))


class Mute:
    """A port with something on it that is no scoreboard: it echoes."""

    def __init__(self) -> None:
        self._heard = b""

    def read(self, size: int) -> bytes:
        heard, self._heard = self._heard, b"ok\r\n\xff" if self._heard else b""
        return heard

    def write(self, sent: bytes) -> None:
        self._heard = sent

    def close(self) -> None:
        pass


def test_the_board_is_found_by_asking_whichever_port_it_is_on():
    shelf = Shelf(["/dev/printer", "/dev/forbidden", "/dev/modem"], "/dev/board")
    link = Link("auto", opening=shelf.opening, looking=shelf.looking)
    shelf.run(link, 1)
    assert link.port == "/dev/board"


def test_what_does_not_answer_is_left_alone_for_a_while():
    shelf = Shelf(["/dev/printer"], "/dev/board")
    shelf.names = ["/dev/printer"]
    link = Link("auto", opening=shelf.opening, looking=shelf.looking)
    shelf.run(link, PATIENCE + ASK_AGAIN / 2)
    assert shelf.opened == ["/dev/printer"]
    shelf.names = []
    shelf.run(link, 1)
    shelf.names = ["/dev/printer"]
    shelf.run(link, 1)
    assert shelf.opened == ["/dev/printer"] * 2, "plugged in anew, it may be something else"
    shelf.run(link, ASK_AGAIN + 2 * PATIENCE)
    assert len(shelf.opened) == 3


def test_a_port_that_cannot_be_opened_is_named_with_the_reason():
    shelf = Shelf(["/dev/forbidden"], "/dev/board")
    link = Link("/dev/forbidden", opening=shelf.opening, looking=shelf.looking)
    shelf.run(link, 2)
    assert str(link.words) == (
        "No scoreboard at /dev/forbidden: permission denied (on Linux, join the group dialout); still trying"
    )


def test_its_own_echo_is_no_board():
    """`loop://` gives back what is sent."""
    now, link = 0.0, Link("loop://")
    link.wanted = ALICE
    for _ in range(200):
        now += max(0.01, link.step(now))
    assert link.port == ""
    link.close()


@pytest.mark.parametrize(
    "name", ["/dev/nothing-here", "nonsense://x", "socket://127.0.0.1:1", "socket://x:y", ""]
)
def test_a_port_that_is_none_is_an_oserror(name: str):
    with pytest.raises(OSError, match=r"."):
        open_port(name)


def test_lasting_names_come_first_and_no_port_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Listed:
        def __init__(self, device: str, vid: int | None) -> None:
            self.device, self.vid = device, vid

    by_id = tmp_path / "by-id"
    by_id.mkdir()
    for name in ("ttyUSB7", "ttyACM0"):
        (tmp_path / name).touch()
    (by_id / "usb-1a86_USB_Serial-if00-port0").symlink_to(tmp_path / "ttyUSB7")
    listed = [
        Listed(str(tmp_path / "ttyACM0"), 0x2341),
        Listed(str(tmp_path / "ttyUSB7"), 0x1A86),
        Listed("ttyS0", None),
    ]
    monkeypatch.setattr(link_module, "BY_ID", by_id)
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: listed)
    assert candidates() == [str(by_id / "usb-1a86_USB_Serial-if00-port0"), str(tmp_path / "ttyACM0")]

"""The firmware's own code against its Python twin: the same bytes at the same times, the same answers and pictures."""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from hardware import HEX_FILES
from hardware.board_state import BoardSeat, BoardState
from hardware.picture import DISPLAYS, Display, LedScene, picture
from hardware.protocol import Hello, Ping, Show, line
from hardware.virtual import VirtualBoard
from tests.hardware.boards import FIRMWARE, Native, SimBoard, build_firmware
from tests.hardware.conftest import Boards
from tests.hardware.desk import Desk
from tests.hardware.states import any_packet, any_state, damaged
from tools.firmware_font import header

Request = tuple[str, int, bytes]

BUILT_WITH = "5.4.0"
"""The avr-gcc of Debian 12 and 13. Another version makes other code of the same sources."""


def twin(display: Display, requests: list[Request]) -> list[tuple[bytes, tuple[int, ...], int]]:
    """What the Python board answers and shows."""
    board = VirtualBoard(display)
    board.said()
    answers: list[tuple[bytes, tuple[int, ...], int]] = []
    for kind, now, received in requests:
        if kind == "reset":
            board.reset(now)
        board.receive(received, now)
        answers.append((board.said(), board.picture(now), board.intensity(now)))
    return answers


def evening(chance: random.Random, steps: int) -> list[Request]:
    """Packets, most of them whole, and pauses, a few of them longer than a host may be silent."""
    requests: list[Request] = [("hear", 0, line(Hello(1)))]
    now = 0
    for _ in range(steps):
        now += chance.choice([0, 1, 7, 40, 300, 499, 1500, 3000, 10_000, chance.randint(0, 30_000)])
        roll = chance.random()
        if roll < 0.02:
            requests.append(("reset", now, b""))
        elif roll < 0.05:
            requests.append(("hear", now, line(Hello(1))))
        elif roll < 0.5:
            requests.append(("hear", now, b""))
        else:
            sent = line(any_packet(chance))
            requests.append(("hear", now, damaged(sent, chance) if chance.random() < 0.3 else sent))
    return requests


def test_the_same_bytes_are_answered_and_shown_alike(native: Native):
    for seed in range(2):
        requests = evening(random.Random(seed), 600)
        for request, theirs, ours in zip(
            requests, native.ask(requests), twin(native.display, requests), strict=True
        ):
            assert theirs == ours, request


def test_the_firmwares_font_is_the_one_we_draw_with():
    assert (FIRMWARE / "font.h").read_text(encoding="ascii") == header(), "run `make firmware`"


def test_the_firmware_leaves_a_quarter_of_flash_and_ram_free(firmware: tuple[Path, str]):
    sizes = re.findall(r"(\w+): (\d+) of 32768 bytes of flash .*, (\d+) of 2048 bytes of RAM", firmware[1])
    assert [name for name, _, _ in sizes] == list(DISPLAYS)
    for _, flash, ram in sizes:
        assert int(flash) <= 32768 * 3 // 4
        assert int(ram) <= 2048 * 3 // 4


def test_the_stack_leaves_a_quarter_of_the_ram_free_too(sim_board: Boards):
    """The longest lines, as fast as the line goes, while names scroll: the deepest the stack gets."""
    chance = random.Random(3)
    for name in DISPLAYS:
        board = sim_board(name)
        board.run(10)
        board.receive(line(Hello(1)), 40)
        for number in range(20):
            crowd = replace(any_state(chance), seats=tuple(BoardSeat("ÿ" * 12, -9999) for _ in range(12)))
            board.receive(line(Show(number, crowd)) + line(Ping(number)), round(board.now) + 120)
        assert board.said().count(b"$A|") == 40
        assert board.untouched > 2048 // 4


def test_the_processor_itself_answers_noise_and_damage_as_its_twin(sim_board: Boards):
    """Through the real serial line, where an int has 16 bits and bytes come by interrupt."""
    board, twin_board, chance = sim_board("matrix4"), VirtualBoard(DISPLAYS["matrix4"]), random.Random(12)
    board.run(20)
    board.said()
    twin_board.said()
    for _ in range(250):
        sent = damaged(line(any_packet(chance)), chance) if chance.random() < 0.7 else chance.randbytes(60)
        sent = b"\n" + sent + b"\n"
        now = round(board.now) + 1
        board.receive(sent, now + 15 + len(sent) // 8)
        twin_board.receive(sent, now)
        assert board.said() == twin_board.said(), sent


def test_a_chain_hung_upside_down(simulator: ctypes.CDLL, tmp_path: Path):
    build_firmware(tmp_path, "-DTURNED", "matrix4")
    board = SimBoard(simulator, tmp_path / "matrix4.hex", DISPLAYS["matrix4"])
    board.run(60)
    turned = tuple(int(f"{column:08b}"[::-1], 2) for column in reversed(board.leds.lit))
    assert turned == VirtualBoard(DISPLAYS["matrix4"]).picture(50)
    board.close()


def test_an_old_board_says_so_and_so_does_the_host(simulator: ctypes.CDLL, tmp_path: Path):
    build_firmware(tmp_path, "-DPROTOCOL_VERSION=0", "matrix4")
    board = SimBoard(simulator, tmp_path / "matrix4.hex", DISPLAYS["matrix4"])
    desk = Desk(board)
    desk.link.wanted = BoardState((BoardSeat("Alice", 1),))
    desk.run(3)
    assert "firmware is too old: flash it again" in str(desk.link.words)
    assert not desk.link.showing
    update = VirtualBoard(DISPLAYS["matrix4"], version=0)
    update.receive(line(Hello(1)), 0)
    assert board.leds.lit == update.picture(100)
    board.close()


def test_from_notice_to_lit_leds_takes_less_than_a_tenth_of_a_second(sim_board: Boards):
    """Simulated time at 115,200 baud: the newest state is handed over, and every LED is as it should be."""
    for name, display in DISPLAYS.items():
        board = sim_board(name)
        desk = Desk(board)
        desk.link.wanted = BoardState((BoardSeat("Alice", 0), BoardSeat("Bob", 0)), 0)
        assert desk.run(3, lambda desk=desk: desk.link.showing)
        for score in range(1, 12):
            desk.run(0.5 + 0.01 * score)
            before = len(board.changes)
            told = BoardState((BoardSeat("Alice", score), BoardSeat("Bob", 0)), 0)
            began, desk.link.wanted = desk.now, told
            desk.wake()
            assert desk.run(1, lambda desk=desk: desk.link.showing)
            changed = [change for change in board.changes[before:] if change[0] > began * 1000]
            assert picture(display, LedScene(told)) == changed[0][1]
            assert changed[0][0] - began * 1000 < 100


def test_the_hex_files_that_come_with_tableside_are_built_from_these_sources(firmware: tuple[Path, str]):
    version = subprocess.run(["avr-gcc", "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()
    if version != BUILT_WITH:
        pytest.skip(f"the hex files were built with avr-gcc {BUILT_WITH}, here is {version}")
    for display in DISPLAYS:
        built = (firmware[0] / f"{display}.hex").read_bytes()
        shipped = (HEX_FILES / f"{display}.hex").read_bytes()
        assert shipped == built, "run `make firmware` and commit hardware/firmware/hex"

"""The real firmware in simavr, its three LED pins decoded, against golden pictures; and the virtual board as well."""

from __future__ import annotations

import pytest

from hardware.board_state import BoardSeat, BoardState
from hardware.font import CODES
from hardware.picture import DISPLAYS, Display, LedScene, picture, text
from hardware.protocol import line
from hardware.virtual import VirtualBoard
from tests.hardware.conftest import Boards
from tests.hardware.max7219 import SEGMENT_AMPS
from tests.hardware.scenes import PICTURES, Picture, golden, written

DRAWN = [pytest.param(display, id=display.name) for display in DISPLAYS.values()]
SHOWN = [pytest.param(picture, id=picture.name) for picture in PICTURES]
SCRIPTS = [
    pytest.param(sorted(scenes, key=lambda scene: scene.look), id=scenes[0].name)
    for packets in dict.fromkeys(scene.packets for scene in PICTURES)
    if (scenes := [scene for scene in PICTURES if scene.packets == packets])
]
"""Scenes of one script together."""
USB_AMPS = 0.5


@pytest.mark.parametrize("scene", SHOWN)
@pytest.mark.parametrize("display", DRAWN)
def test_the_virtual_board_shows_it(display: Display, scene: Picture):
    board = VirtualBoard(display)
    for at, packet in scene.packets:
        if at <= scene.look:
            board.receive(line(packet), at)
    shown = written(display, board.picture(scene.look), board.intensity(scene.look))
    assert shown == golden(display)[scene.name]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("display", DRAWN)
def test_the_firmware_lights_it(sim_board: Boards, display: Display, script: list[Picture]):
    """One board lives through a script, and is looked at wherever there is a golden picture of it."""
    board = sim_board(display.name)
    packets = list(script[0].packets)
    for scene in script:
        while packets and packets[0][0] <= scene.look:
            at, packet = packets.pop(0)
            board.run(at)
            board.receive(line(packet), at)
        board.run(scene.look)
        lit = written(display, board.leds.lit, board.leds.intensity)
        assert lit == golden(display)[scene.name], scene.name
    assert board.amps < USB_AMPS
    assert board.untouched > 512, "a quarter of the RAM must stay free, stack included"


@pytest.mark.parametrize("display", DRAWN)
def test_no_picture_draws_more_than_a_usb_port_gives(display: Display):
    """At full brightness, names and scores of whatever lights most: below 500 mA with 50 mA for the board itself."""
    greedy = sorted((chr(code) for code in CODES), key=lambda letter: -density(display, letter))[:3]
    most = 0
    for letter in greedy:
        for score in (88_888, 888, 8):
            seats = tuple(BoardSeat(letter * 12, score) for _ in range(2))
            for state in (BoardState(seats, 0), BoardState(seats, winners=frozenset({0, 1}))):
                for age in range(0, 9_000, 210):
                    columns = picture(display, LedScene(state, age))
                    most = max(most, sum(column.bit_count() for column in columns))
    amps = SEGMENT_AMPS * most / 8 * (2 * display.full + 1) / 32
    assert amps < USB_AMPS - 0.05


def density(display: Display, letter: str) -> float:
    columns = text(display, letter)
    return sum(column.bit_count() for column in columns) / len(columns)

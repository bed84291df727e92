"""The real firmware in simavr, its three LED pins decoded, against golden pictures; and the virtual board as well."""

from __future__ import annotations

import pytest

from hardware.picture import DISPLAYS, Display
from hardware.protocol import line
from hardware.virtual import VirtualBoard
from tests.hardware.conftest import Boards
from tests.hardware.scenes import PICTURES, Picture, golden, written

DRAWN = [pytest.param(display, id=display.name) for display in DISPLAYS.values()]
SHOWN = [pytest.param(picture, id=picture.name) for picture in PICTURES]
USB_AMPS = 0.5


@pytest.mark.parametrize("display", DRAWN)
def test_every_golden_picture_is_looked_at(display: Display):
    assert list(golden(display)) == [picture.name for picture in PICTURES]


@pytest.mark.parametrize("picture", SHOWN)
@pytest.mark.parametrize("display", DRAWN)
def test_the_virtual_board_shows_it(display: Display, picture: Picture):
    board = VirtualBoard(display)
    for at, packet in picture.packets:
        if at <= picture.look:
            board.receive(line(packet), at)
    shown = written(display, board.picture(picture.look), board.intensity(picture.look))
    assert shown == golden(display)[picture.name]


@pytest.mark.parametrize("picture", SHOWN)
@pytest.mark.parametrize("display", DRAWN)
def test_the_firmware_lights_it(sim_board: Boards, display: Display, picture: Picture):
    board = sim_board(display.name)
    for at, packet in picture.packets:
        if at <= picture.look:
            board.run(at)
            board.receive(line(packet), at)
    board.run(picture.look)
    assert written(display, board.leds.lit, board.leds.intensity) == golden(display)[picture.name]
    assert board.amps < USB_AMPS
    assert board.untouched > 512, "a quarter of the RAM must stay free, stack included"

"""What the scoreboard's tests build once."""

from __future__ import annotations

import ctypes
import functools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.picture import DISPLAYS
from tests.hardware.boards import (
    Native,
    SimBoard,
    build_firmware,
    build_native,
    build_simulator,
    missing_for_avr,
)

Boards = Callable[[str], SimBoard]


@pytest.fixture(scope="session")
def firmware(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder with every hex file, and what the build printed."""
    if missing := missing_for_avr():
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("firmware")
    return folder, build_firmware(folder)


@pytest.fixture(scope="session")
def simulator(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    if missing := missing_for_avr():
        pytest.skip(missing)
    return build_simulator(tmp_path_factory.mktemp("simulator"))


@pytest.fixture
def sim_board(firmware: tuple[Path, str], simulator: ctypes.CDLL) -> Iterator[Boards]:
    """Makes the real firmware run: `sim_board("matrix4")`."""
    running: list[SimBoard] = []

    def make(name: str) -> SimBoard:
        running.append(SimBoard(simulator, firmware[0] / f"{name}.hex", DISPLAYS[name]))
        return running[-1]

    yield make
    for board in running:
        board.close()


@pytest.fixture(scope="session")
def natives(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Native]:
    """The firmware's logic compiled for this machine, for a kind of LEDs; once each."""
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler here (Debian: apt install gcc libc6-dev)")
    return functools.cache(lambda name: build_native(tmp_path_factory.mktemp(name), DISPLAYS[name]))


@pytest.fixture(scope="session", params=DISPLAYS)
def native(request: pytest.FixtureRequest, natives: Callable[[str], Native]) -> Native:
    """For each kind of LEDs."""
    return natives(request.param)


@pytest.fixture(scope="session")
def native_matrix4(natives: Callable[[str], Native]) -> Native:
    """For one kind, where it does not matter which: they share the decoder."""
    return natives("matrix4")

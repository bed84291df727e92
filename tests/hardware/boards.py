"""The firmware, twice: run in simavr from its hex file, and its sources compiled for this machine."""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.picture import DISPLAYS, Columns, Display
from tests.hardware.max7219 import SHUTDOWN, Chain

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "hardware" / "firmware"
CLOCK = 16_000_000
CYCLES_PER_MS = CLOCK // 1000
LATCHES = 8192
SAID = 4096

Latch = struct.Struct("<QI16s4x")
SaidByte = struct.Struct("<QB7x")


def missing_for_avr() -> str:
    """What is not here to build the firmware and run it; empty when all is."""
    if shutil.which("avr-gcc") is None or not any(Path(avr, "avr/io.h").is_file() for avr in AVR_LIBC):
        return "no AVR compiler here (Debian: apt install gcc-avr avr-libc)"
    if shutil.which("gcc") is None or not Path("/usr/include/simavr/sim_avr.h").is_file():
        return "no simavr here (Debian: apt install gcc libsimavr-dev libelf-dev)"
    return "" if shutil.which("make") else "no make here"


AVR_LIBC = ("/usr/lib/avr/include", "/usr/avr/include")


def build_firmware(folder: Path, flags: str = "", displays: str = " ".join(DISPLAYS)) -> str:
    """The hex files into `folder`; returns what was printed."""
    command = ["make", "-C", str(FIRMWARE), f"BUILD={folder}", f"FLAGS={flags}", f"DISPLAYS={displays}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def build_simulator(folder: Path) -> ctypes.CDLL:
    """The library that runs a hex file."""
    library = folder / "simboard.so"
    command = [
        "gcc",
        "-O2",
        "-shared",
        "-fPIC",
        "-I/usr/include/simavr",
        "-o",
        str(library),
        str(HERE / "simboard.c"),
    ]
    subprocess.run([*command, "-lsimavr", "-lelf"], check=True, capture_output=True)
    loaded = ctypes.CDLL(str(library))
    loaded.sim_new.restype = ctypes.c_void_p
    loaded.sim_new.argtypes = [ctypes.c_char_p]
    loaded.sim_run.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
    loaded.sim_hear.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32]
    loaded.sim_cycle.restype = ctypes.c_uint64
    for name in ("sim_cycle", "sim_reset", "sim_free", "sim_untouched"):
        getattr(loaded, name).argtypes = [ctypes.c_void_p]
    for name in ("sim_said", "sim_latches"):
        getattr(loaded, name).argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    return loaded


class SimBoard:
    """The compiled firmware on a simulated ATmega328P, wired to simulated LEDs.

    The same three methods as the VirtualBoard, so that it fits on the same wire; times are milliseconds.
    """

    def __init__(self, library: ctypes.CDLL, hex_file: Path, display: Display) -> None:
        self._library, self.display = library, display
        self._sim = library.sim_new(str(hex_file).encode())
        assert self._sim, f"cannot load {hex_file}"
        self.leds = Chain(display)
        self.changes: list[tuple[float, Columns, int]] = []
        """Every picture that was ever lit, with its intensity and when its last row was latched; ms."""
        self.amps = 0.0
        """The most current drawn so far."""
        self._said = bytearray()
        self._cut = False
        """The button was pressed, perhaps in the middle of a row: what LOAD latches when it rises again is part of
        one, and the firmware sets up every register after it."""
        self._said_buffer = ctypes.create_string_buffer(SAID * SaidByte.size)
        self._latch_buffer = ctypes.create_string_buffer(LATCHES * Latch.size)

    @property
    def now(self) -> float:
        """Milliseconds since power-up, of the board's own clock."""
        return self._library.sim_cycle(self._sim) / CYCLES_PER_MS

    @property
    def untouched(self) -> int:
        """Bytes of RAM that were never written: what the stack left."""
        return int(self._library.sim_untouched(self._sim))

    def receive(self, received: bytes, now: int) -> None:
        """Put bytes on its line, and let it run until `now`."""
        self._library.sim_hear(self._sim, received, len(received))
        self.run(now)

    def run(self, until: float) -> None:
        """Let it run."""
        assert self._library.sim_run(self._sim, int(until * CYCLES_PER_MS)), "the firmware crashed"
        for place in range(self._library.sim_said(self._sim, self._said_buffer)):
            self._said.append(SaidByte.unpack_from(self._said_buffer, place * SaidByte.size)[1])
        for place in range(self._library.sim_latches(self._sim, self._latch_buffer)):
            cycle, bits, shifted = Latch.unpack_from(self._latch_buffer, place * Latch.size)
            if not self._cut or bits in (0, 16 * len(self.leds.chips)):
                assert bits % 8 == 0, f"{bits} bits between two latches"
                self._latched(cycle / CYCLES_PER_MS, shifted[: bits // 8])
            self._cut = False

    def said(self) -> bytes:
        """What it said since the last question."""
        said, self._said = bytes(self._said), bytearray()
        return said

    def reset(self, now: int) -> None:
        """The reset button."""
        self.run(now)
        self._said.clear()
        self._library.sim_reset(self._sim)
        self._cut = True

    def close(self) -> None:
        self._library.sim_free(self._sim)

    def _latched(self, when: float, shifted: bytes) -> None:
        self.leds.latch(shifted)
        if not shifted or shifted[0] & 0xF != SHUTDOWN:
            return  # the firmware ends a picture by switching the chips on: pictures half drawn are not judged
        self.amps = max(self.amps, self.leds.amps)
        lit = (self.leds.lit, self.leds.intensity)
        if not self.changes or self.changes[-1][1:] != lit:
            self.changes.append((when, *lit))


@dataclass(frozen=True)
class Native:
    """board.c and picture.c as a program of this machine, with every check a compiler has for them."""

    program: Path
    display: Display

    def ask(self, requests: Iterable[tuple[str, int, bytes]]) -> list[tuple[bytes, Columns, int]]:
        """Answers to requests, in one run: what was said, the columns and the intensity after each.

        A request is ("reset", now, b"") or ("hear", now, bytes).
        """
        written = bytearray()
        count = 0
        for kind, now, received in requests:
            written += struct.pack("<BII", kind == "reset", now, len(received)) + received
            count += 1
        run = subprocess.run([self.program], input=bytes(written), capture_output=True, check=False)
        assert run.returncode == 0, f"exit {run.returncode}: {run.stderr.decode()[-2000:]}"
        answers: list[tuple[bytes, Columns, int]] = []
        place = 0
        for _ in range(count):
            (length,) = struct.unpack_from("<I", run.stdout, place)
            said = run.stdout[place + 4 : place + 4 + length]
            place += 4 + length
            columns = tuple(run.stdout[place : place + self.display.width])
            answers.append((said, columns, run.stdout[place + self.display.width]))
            place += self.display.width + 1
        assert place == len(run.stdout)
        return answers


def build_native(folder: Path, display: Display, flags: Sequence[str] = ()) -> Native:
    """Compile the firmware's logic for this machine, under the address and undefined-behaviour sanitizers."""
    program = folder / f"native-{display.name}"
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1", "-g"]
    sources = [str(HERE / "native.c"), str(FIRMWARE / "board.c"), str(FIRMWARE / "picture.c")]
    command = [
        "gcc",
        "-std=gnu99",
        "-Wall",
        "-Wextra",
        "-Werror",
        *checks,
        f"-I{FIRMWARE}",
        f"-D{display.name.upper()}",
    ]
    subprocess.run([*command, *flags, "-o", str(program), *sources], check=True, capture_output=True)
    return Native(program, display)

"""A chain of MAX7219s as their data sheet describes them (Maxim 19-4452): what was latched, back to lit LEDs.

Written from the data sheet and the modules' layout, and knowing nothing of the firmware.
"""

from __future__ import annotations

from hardware.picture import Columns, Display

DIGITS = range(1, 9)
DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 0x9, 0xA, 0xB, 0xC, 0xF
SEGMENT_AMPS = 0.040
"""The peak current of a segment with the modules' 10 kΩ resistor."""


class Chip:
    """The registers of one MAX7219, as they are after power-up."""

    def __init__(self) -> None:
        self.registers = {**dict.fromkeys((*DIGITS, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST), 0), DECODE: 0xFF}

    def take(self, register: int, value: int) -> None:
        """One 16-bit word; its four highest bits do not count."""
        assert register & 0xF in (0, *self.registers), f"the MAX7219 has no register {register & 0xF}"
        self.registers[register & 0xF] = value

    @property
    def lit(self) -> list[int]:
        """Its eight digits, from the first; dark unless it is on, decodes nothing and scans all of them."""
        has = self.registers
        assert not has[TEST] & 1, "a display test lights everything"
        shown = has[SHUTDOWN] & 1 and not has[DECODE] and has[SCAN_LIMIT] & 7 == 7
        return [has[digit] if shown else 0 for digit in DIGITS]


class Chain:
    """Modules one after the other; the first one hangs on the board's pins."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self.chips = [Chip() for _ in range(display.width // 8 if display.matrix else 1)]

    def latch(self, shifted: bytes) -> None:
        """What was shifted in while LOAD was low: the last two bytes stay in the first module."""
        if not shifted:
            return  # LOAD rose by itself, as when the pins are set up: the words from before, once more
        assert len(shifted) == 2 * len(self.chips), f"{len(shifted)} bytes for {len(self.chips)} modules"
        for place, chip in enumerate(self.chips):
            register, value = shifted[len(shifted) - 2 * place - 2 : len(shifted) - 2 * place]
            chip.take(register, value)

    @property
    def lit(self) -> Columns:
        """The lit columns, left to right, in the form of `hardware.picture`; dark where a chip is off."""
        if not self._display.matrix:
            return tuple(reversed(self.chips[0].lit))
        columns: list[int] = []
        # FC-16: the first module is the rightmost; a digit is a row, from the top; bit 7 is its left pixel.
        for chip in reversed(self.chips):
            rows = chip.lit
            columns += [sum((rows[y] >> (7 - x) & 1) << y for y in range(8)) for x in range(8)]
        return tuple(columns)

    @property
    def intensity(self) -> int:
        """The one intensity of all of them."""
        [intensity] = {chip.registers[INTENSITY] & 0xF for chip in self.chips}
        return intensity

    @property
    def amps(self) -> float:
        """The current drawn: lit segments share each digit's eighth of the time, at (2n + 1)/32 of that."""
        lit = sum(chip.registers[digit].bit_count() for chip in self.chips for digit in DIGITS)
        return SEGMENT_AMPS * lit / 8 * (2 * self.intensity + 1) / 32

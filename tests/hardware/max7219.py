"""A chain of MAX7219s as their data sheet describes them (Maxim 19-4452): what was latched, back to lit LEDs.

Written from the data sheet and the modules' layout, and knowing nothing of the firmware.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hardware.picture import Columns, Display

DIGITS = range(1, 9)
DECODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, TEST = 0x9, 0xA, 0xB, 0xC, 0xF
SEGMENT_AMPS = 0.040
"""The peak current of a segment with the modules' 10 kΩ resistor."""


@dataclass
class Chip:
    """The registers of one MAX7219, as they are after power-up."""

    digits: dict[int, int] = field(default_factory=lambda: dict.fromkeys(DIGITS, 0))
    decode: int = 0xFF
    intensity: int = 0
    scan_limit: int = 0
    on: bool = False
    test: bool = False

    def take(self, register: int, value: int) -> None:
        """One 16-bit word; its four highest bits do not count."""
        match register & 0xF:
            case 0:
                return
            case digit if digit in DIGITS:
                self.digits[digit] = value
            case 0x9:
                self.decode = value
            case 0xA:
                self.intensity = value & 0xF
            case 0xB:
                self.scan_limit = value & 7
            case 0xC:
                self.on = bool(value & 1)
            case 0xF:
                self.test = bool(value & 1)
            case other:
                raise AssertionError(f"the MAX7219 has no register {other}")


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
        for chip in self.chips:
            assert not chip.test, "a display test lights everything"
        if not self._display.matrix:
            [chip] = self.chips
            shown = chip.on and chip.decode == 0 and chip.scan_limit == 7
            return tuple(chip.digits[digit] if shown else 0 for digit in reversed(DIGITS))
        columns: list[int] = []
        # FC-16: the first module is the rightmost; a digit is a row, from the top; bit 7 is its left pixel.
        for chip in reversed(self.chips):
            shown = chip.on and chip.decode == 0 and chip.scan_limit == 7
            for x in range(8):
                column = sum((chip.digits[y + 1] >> (7 - x) & 1) << y for y in range(8))
                columns.append(column if shown else 0)
        return tuple(columns)

    @property
    def intensity(self) -> int:
        """The one intensity of all of them."""
        [intensity] = {chip.intensity for chip in self.chips}
        return intensity

    @property
    def amps(self) -> float:
        """The current drawn: lit segments share each digit's eighth of the time, at (2n + 1)/32 of that."""
        lit = sum(value.bit_count() for chip in self.chips for value in chip.digits.values())
        return SEGMENT_AMPS * lit / 8 * (2 * self.intensity + 1) / 32

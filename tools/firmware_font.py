"""Write hardware/firmware/font.h from hardware/font.py (`make firmware` does)."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.font import CODES, GLYPHS, segments


def table(name: str, kind: str, numbers: Sequence[int], form: str) -> str:
    """A constant table in flash."""
    rows = [
        "    " + ", ".join(form.format(number) for number in numbers[start : start + 16])
        for start in range(0, len(numbers), 16)
    ]
    return f"static const {kind} {name}[{len(numbers)}] FLASH = {{\n" + ",\n".join(rows) + ",\n};\n"


def header() -> str:
    """The whole file."""
    columns: list[int] = []
    starts: list[int] = []
    for code in CODES:
        starts.append(len(columns))
        columns += GLYPHS[chr(code)]
    starts.append(len(columns))
    return "\n".join(
        [
            "/* Written by tools/firmware_font.py from hardware/font.py; change that. Characters are Latin-1:",
            "   0x20 to 0x7E, then 0xC0 to 0xFF. */",
            '#include "flash.h"',
            "",
            "#ifdef DIGITS8",
            "/* Lit segments as a MAX7219 takes them: bit 6 is a, bit 0 is g. */",
            table("font_segments", "uint8_t", [segments(chr(code)) for code in CODES], "0x{:02X}"),
            "#else",
            "/* Where each letter begins, and where the last one ends. */",
            table("font_starts", "uint16_t", starts, "{}"),
            "/* Columns from left to right; bit 0 is the top pixel. */",
            table("font_columns", "uint8_t", columns, "0x{:02X}"),
            "#endif",
            "",
        ]
    )


if __name__ == "__main__":
    print(header(), end="")

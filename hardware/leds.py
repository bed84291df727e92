"""LEDs to look at: as text for a terminal, and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware.picture import Columns, Display

if TYPE_CHECKING:
    from PIL.Image import Image

ROWS = 8
PITCH = 12
"""Pixels of a picture from one LED to the next."""
HALVES = " ▀▄█"
"""Two LEDs above each other, by which of them are lit."""
LIT, UNLIT, GROUND = (255, 64, 32), (52, 20, 18), (18, 14, 14)
"""Red LEDs on a black board."""


def terminal(display: Display, columns: Columns) -> str:
    """Four lines of block characters for matrices, three of segments for digits; in a frame."""
    lines = _blocks(columns) if display.matrix else _segments(columns)
    edge = "─" * len(lines[0])
    return "\n".join([f"┌{edge}┐", *(f"│{row}│" for row in lines), f"└{edge}┘"])


def image(display: Display, columns: Columns, intensity: int) -> Image:
    """A picture of the LEDs, 12 pixels apart; the darkest intensity is still visible, as in a room."""
    from PIL import Image, ImageDraw

    glow = 0.35 + 0.65 * (intensity + 1) / (display.full + 1)
    lit = (round(LIT[0] * glow), round(LIT[1] * glow), round(LIT[2] * glow))
    # Drawn four times as large, then made smaller: that is what rounds the LEDs.
    fine = 4 * PITCH
    wide = len(columns) * (fine if display.matrix else 5 * fine)
    drawn = Image.new("RGB", (wide, ROWS * fine), GROUND)
    pen = ImageDraw.Draw(drawn)
    for place, column in enumerate(columns):
        if not display.matrix:
            _draw_digit(pen, place * 5 * fine, fine, column, lit)
            continue
        for y in range(ROWS):
            corner = (place * fine + fine // 10, y * fine + fine // 10)
            far = (corner[0] + fine * 4 // 5, corner[1] + fine * 4 // 5)
            pen.ellipse((*corner, *far), fill=lit if column >> y & 1 else UNLIT)
    return drawn.resize((wide // 4, ROWS * PITCH), Image.Resampling.LANCZOS)


def _blocks(columns: Columns) -> list[str]:
    return [
        "".join(HALVES[(column >> y & 1) + 2 * (column >> y + 1 & 1)] for column in columns)
        for y in range(0, ROWS, 2)
    ]


def _segments(columns: Columns) -> list[str]:
    rows = ["", "", ""]
    for column in columns:
        a, b, c, d, e, f, g = (bool(column >> bit & 1) for bit in range(6, -1, -1))
        rows[0] += f" {'_' if a else ' '}  "
        rows[1] += f"{'|' if f else ' '}{'_' if g else ' '}{'|' if b else ' '} "
        rows[2] += f"{'|' if e else ' '}{'_' if d else ' '}{'|' if c else ' '}{'.' if column & 0x80 else ' '}"
    return rows


def _draw_digit(pen: object, x: int, unit: int, column: int, lit: tuple[int, int, int]) -> None:
    """A digit three units wide and six high: each segment a bar with pointed ends."""
    from PIL.ImageDraw import ImageDraw

    assert isinstance(pen, ImageDraw)
    left, right, top, middle, low = x + unit, x + unit * 3, unit, unit * 4, unit * 7
    ends = [
        ((left, top), (right, top)),
        ((right, top), (right, middle)),
        ((right, middle), (right, low)),
        ((left, low), (right, low)),
        ((left, middle), (left, low)),
        ((left, top), (left, middle)),
        ((left, middle), (right, middle)),
    ]
    thick, tip = unit // 4, unit // 6
    for place, ((x0, y0), (x1, y1)) in enumerate(ends):
        colour = lit if column >> (6 - place) & 1 else UNLIT
        if y0 == y1:
            inner = [(x0 + tip + thick, y0 - thick), (x1 - tip - thick, y0 - thick), (x1 - tip, y0)]
            outer = [(x1 - tip - thick, y0 + thick), (x0 + tip + thick, y0 + thick), (x0 + tip, y0)]
        else:
            inner = [(x0 - thick, y0 + tip + thick), (x0, y0 + tip), (x0 + thick, y0 + tip + thick)]
            outer = [(x0 + thick, y1 - tip - thick), (x0, y1 - tip), (x0 - thick, y1 - tip - thick)]
        pen.polygon([*inner, *outer], fill=colour)
    centre = right + unit * 4 // 5
    pen.ellipse(
        (centre - unit // 3, low - unit // 3, centre + unit // 3, low + unit // 3),
        fill=lit if column & 0x80 else UNLIT,
    )

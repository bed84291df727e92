"""A colour for each seat, the same on every device: bright on LEDs, and told apart as well as twelve can be."""

from __future__ import annotations

Colour = tuple[int, int, int]

SEAT_COLOURS: tuple[Colour, ...] = (
    (0, 140, 255), (255, 90, 0), (0, 200, 60), (255, 40, 140), (255, 200, 0), (140, 60, 255),
    (0, 210, 210), (255, 0, 0), (160, 230, 0), (255, 140, 170), (90, 110, 255), (255, 255, 255),
)  # fmt: skip


def seat_colour(seat: int) -> Colour:
    """The colour of a seat, from 0."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]

"""What the LEDs show at a moment: the same pictures as the firmware's `picture.c`, column for column.

A picture is a tuple of columns from left to right. On matrices a column is eight pixels, bit 0 the top one; on the
seven-segment module it is one digit, its segments as the MAX7219 takes them. Everything else is the same for both: a
digit is a letter one column wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hardware.board_state import BoardSeat, BoardState
from hardware.font import GLYPHS, POINT, segments

Columns: TypeAlias = "tuple[int, ...]"

HOLD_MS = 800
"""How long a name that scrolls rests at either end."""
PAGE_MS = 3000
"""How long a page stays that has nothing to scroll."""
POINTS_MS = 1500
"""How long the points of a roll fill the board."""
WIN_MS = 6000
"""How long a winner's cell flashes before the next page."""
WIN_BEAT_MS, WIN_LIT_MS = 500, 300
"""A flash: so long from one to the next, so long lit."""
LOST_BEAT_MS, LOST_TEXT_MS = 6000, 2000
"""Without a host: the words for so long out of every beat, the last scores for the rest."""

TURN = (0, 0x1C, 0x08, 0)
"""An arrow beside the player on turn; dark on both sides, as another player's score may end left of it."""
WON = (0, 0x7F, 0x7F, 0)
"""A bar beside a winner; it blinks."""

READY, UPDATE, NO_HOST, EMPTY = "Ready", "Update", "No host", "Tableside"


@dataclass(frozen=True, slots=True)
class Display:
    """A kind of LEDs that the firmware can be built for."""

    name: str
    width: int
    """Columns."""
    cell: int
    """Columns one player gets."""
    matrix: bool
    step_ms: int
    """How long a name that scrolls stands at each column."""
    full: int
    """The MAX7219 intensity of brightness 15, so that text drawn from a USB port stays below its 500 mA."""

    @property
    def gap(self) -> int:
        """Columns between two letters."""
        return 1 if self.matrix else 0

    @property
    def mark(self) -> int:
        """Columns left of a name, for the mark."""
        return 4 if self.matrix else 0

    @property
    def space(self) -> int:
        """Columns between name and score."""
        return 2 if self.matrix else 1


DISPLAYS = {
    one.name: one
    for one in (
        Display("matrix4", 32, 32, matrix=True, step_ms=60, full=10),
        Display("matrix8", 64, 32, matrix=True, step_ms=60, full=4),
        Display("digits8", 8, 8, matrix=False, step_ms=350, full=15),
    )
}
"""By the name a board says of itself."""


@dataclass(frozen=True, slots=True)
class LedScene:
    """The state to show and its age; ages are in milliseconds."""

    state: BoardState | None
    pages_age: int = 0
    """Since these pages began."""
    points: bool = False
    """Whether the points fill the board."""
    other_version: bool = False
    """The host speaks another version."""
    lost_age: int | None = None
    """Since the host was given up for lost."""


def picture(display: Display, scene: LedScene) -> Columns:
    """The columns of a scene."""
    lost = scene.lost_age
    if lost is not None and (scene.state is None or lost % LOST_BEAT_MS < LOST_TEXT_MS):
        return _message(display, NO_HOST, lost % LOST_BEAT_MS if scene.state else lost)
    if scene.other_version:
        return _message(display, UPDATE, scene.pages_age)
    if scene.state is None:
        return _message(display, READY, scene.pages_age)
    if not scene.state.seats:
        return _message(display, EMPTY, scene.pages_age)
    if scene.points and scene.state.points is not None:
        return _message(display, f"{scene.state.points:+d}", 0)
    return _pages(display, scene.state, scene.pages_age)


def intensity(display: Display, scene: LedScene) -> int:
    """The MAX7219's intensity, 0 to 15; the darkest without a host."""
    if scene.lost_age is not None:
        return 0
    brightness = BoardState().brightness if scene.state is None else scene.state.brightness
    return brightness * (display.full + 1) >> 4


def text(display: Display, words: str) -> Columns:
    """Words as columns, without a margin."""
    if not display.matrix:
        return tuple(segments(letter) for letter in words)
    columns: list[int] = []
    for letter in words:
        columns += [*([0] * display.gap if columns else ()), *GLYPHS[letter]]
    return tuple(columns)


def _message(display: Display, words: str, age: int) -> Columns:
    """Words in the middle, or scrolling through over and over."""
    columns = text(display, words)
    left = max(0, (display.width - len(columns)) // 2)
    period = 2 * HOLD_MS + _overflow(columns, display.width) * display.step_ms
    shown = _window(display, columns, display.width - left, age % period)
    return (*([0] * left), *shown)


def _pages(display: Display, state: BoardState, age: int) -> Columns:
    """The page of cells that is up after `age`: that of the winner, or of the player on turn, first."""
    cells = display.width // display.cell
    first = min(state.winners) if state.winners else state.turn or 0
    pages = [
        range(start, min(start + cells, len(state.seats))) for start in range(0, len(state.seats), cells)
    ]
    page, time, flash = first // cells, age, False
    if state.winners and age < WIN_MS:
        flash = age % WIN_BEAT_MS >= WIN_LIT_MS
    else:
        time -= WIN_MS if state.winners else 0
        lasting = [_lasts(display, [state.seats[seat] for seat in seats]) for seats in pages]
        time %= sum(lasting)
        while time >= lasting[page]:
            time -= lasting[page]
            page = (page + 1) % len(pages)
    columns: list[int] = []
    for seat in pages[page]:
        dark = flash and seat in state.winners
        columns += [0] * display.cell if dark else _cell(display, state, seat, time)
    return (*columns, *([0] * (display.width - len(columns))))


def _lasts(display: Display, seats: Sequence[BoardSeat]) -> int:
    """How long a page stays: until its longest name has been read."""
    scrolls = (_overflow(text(display, seat.name), _name_width(display, seat)) for seat in seats)
    return max(PAGE_MS, *(2 * HOLD_MS + scroll * display.step_ms for scroll in scrolls))


def _name_width(display: Display, seat: BoardSeat) -> int:
    return display.cell - display.mark - display.space - len(text(display, str(seat.score)))


def _cell(display: Display, state: BoardState, number: int, time: int) -> list[int]:
    """One player: mark, name and score."""
    seat = state.seats[number]
    won, turn = number in state.winners, number == state.turn
    name = _window(display, text(display, seat.name), _name_width(display, seat), time)
    score = text(display, str(seat.score))
    if not display.matrix:
        # Points of light for marks: the first one is the turn, all of them a win.
        columns = [*name, *([0] * display.space), *score]
        lit = range(len(columns)) if won and time % 1000 < 500 else range(1 if turn and not won else 0)
        return [column | (POINT if place in lit else 0) for place, column in enumerate(columns)]
    bar = WON if won and time % 1000 < 500 else TURN if turn and not won else (0, 0, 0, 0)
    return [*bar, *name, *([0] * display.space), *score]


def _overflow(columns: Columns, width: int) -> int:
    return max(0, len(columns) - width)


def _window(display: Display, columns: Columns, width: int, time: int) -> Columns:
    """`width` columns of a text: from its left, and scrolled to its end when it is longer."""
    offset = min(max(0, time - HOLD_MS) // display.step_ms, _overflow(columns, width))
    shown = columns[offset : offset + width]
    return (*shown, *([0] * (width - len(shown))))

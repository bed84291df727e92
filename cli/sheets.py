"""What lies on the table as text: seats, score sheets and hex boards, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from scoring.view import Cell, HexBoard, Panel, TableView
from words.speaker import speaker

HALF_HEX = 3
"""Characters of half a hex; the name of an animal is cut to fit a whole one."""

LOST = "▒▒▒"
"""A tile lying face down."""


def drawn(view: TableView, language: str = "en") -> str:
    """Everything public about a match, a line each, boards and sheets below."""
    spoken = speaker(language)
    lines: list[str] = []
    for seat in view.seats:
        marks = ", ".join(f"{spoken.words(one.label)} {_cell(one.value, language)}" for one in seat.marks)
        turn = "→" if seat.on_turn else " "
        lines.append(f"{turn} {seat.name}  {_cell(seat.score, language)}{f'  ({marks})' if marks else ''}")
    if view.dice:
        lines.append("  " + ", ".join(_cell(face, language) for face in view.dice))
    for panel in view.panels:
        lines.append("")
        lines.extend(_board(panel, language) if isinstance(panel, HexBoard) else panel_lines(panel, language))
    lines.extend(f"\n{note}" for note in notes(view, language))
    return "\n".join(lines)


def notes(view: TableView, language: str) -> tuple[str, ...]:
    """What people should know about the boards they play on, each said once."""
    boards = (panel for panel in view.panels if isinstance(panel, HexBoard))
    said = (speaker(language).say(board.note) for board in boards if board.note)
    return tuple(dict.fromkeys(said))


def options_told(options: Iterable[tuple[str, bool | int | str]]) -> str:
    """What is played, in one line: "target=25, finish_round=no"."""
    answers = {True: "yes", False: "no"}
    told = ((key, answers[value] if isinstance(value, bool) else str(value)) for key, value in options)
    return ", ".join(f"{key}={value}" for key, value in told).replace("\n", " / ")


def panel_lines(panel: Panel, language: str) -> Iterator[str]:
    """A table of values, its columns under each other."""
    spoken = speaker(language)
    yield spoken.heading(panel.title)
    rows = [[spoken.words(column) for column in panel.columns]]
    rows += [[_cell(cell, language) for cell in row] for row in panel.rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(panel.columns))]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _board(board: HexBoard, language: str) -> Iterator[str]:
    """The hexes row by row from the top, a free one by its name."""
    yield speaker(language).heading(board.title)
    labels = list(dict.fromkeys(space.row for space in board.spaces))
    for row in reversed(labels):
        line = f"  {row}: "
        spaces = sorted((space for space in board.spaces if space.row == row), key=lambda space: space.x)
        for letter, space in zip(ascii_lowercase, spaces, strict=False):
            held = speaker(language).name(space.holds)[:3] if space.holds else f"{row}{letter}"
            cell = f"[{LOST if space.face_down else held}]"
            line = line.ljust(5 + space.x * HALF_HEX) + cell
        yield line


def _cell(cell: Cell, language: str) -> str:
    if cell is None:
        return "·"
    if isinstance(cell, int):
        return str(cell).replace("-", "−")
    return str(speaker(language).cell(cell))

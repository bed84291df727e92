"""Layouts of hex boards, parsed from a few lines of text.

Two ways to write one. **Drawn**, a row a line as the board looks, the top one first; a space is an `o`, and a
column of the text is half a hex:

    # where this layout comes from
    4:  o o o
    3: o o o o
    2:  o o o

**Counted**, rows from bottom to top with their numbers of spaces: `2:3 3:4 4:3`. Rows are then centred; one
that would lie straight above its lower neighbour is shifted half a hex to the right.

A space has the name of its row and a letter from the left: `3b`. Lines after `#` are the layout's note, which
is shown beside the board.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

from messages.message import MessageError

MOST_SPACES = 21
"""Outback has 90 tiles: four boards and the five on the jeep leave room for no more than 21 (RULINGS 5.1)."""

MOST_ACROSS = 14
"""Half hexes from the left edge of a board to the right: what every page can show, and wider than any board of 21."""

_DRAWN = re.compile(r"([1-9])\s*[:=]([ .o]*)\Z")
_COUNTED = re.compile(r"([1-9])\s*[:=]\s*([0-9]{1,2})\Z")


class BoardError(MessageError):
    """A layout that cannot be read; one line that says what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Space:
    """One hex: the label of its row, `x` in half hexes from the left edge of the board, and its name."""

    row: int
    x: int
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A board: labels of the rows from bottom to top, the spaces in that order and from the left, a note.

    `touching` holds for each space the names of those that touch it: two half hexes apart in its own row, one
    half hex in the rows above and below.
    """

    rows: tuple[int, ...]
    spaces: tuple[Space, ...]
    touching: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def guessed(self) -> bool:
        """Whether its note marks it as a guess."""
        return "UNVERIFIED" in self.note

    def names(self) -> tuple[str, ...]:
        """The names of all spaces."""
        return tuple(space.name for space in self.spaces)

    def in_row(self, row: int) -> tuple[str, ...]:
        """The names of the spaces in the row labelled `row`, from the left."""
        return tuple(space.name for space in self.spaces if space.row == row)

    def beside(self, name: str) -> tuple[str, ...]:
        """The names of the spaces that touch a space."""
        return self.touching[self.names().index(name)]

    def group(self, name: str, holds: Mapping[str, str]) -> frozenset[str]:
        """The connected spaces, `name` among them, that hold the same as it does."""
        found, edge = {name}, [name]
        while edge:
            for other in self.beside(edge.pop()):
                if other not in found and holds.get(other) == holds[name]:
                    found.add(other)
                    edge.append(other)
        return frozenset(found)

    @property
    def across(self) -> int:
        """Half hexes from the left edge to the right."""
        return max(space.x for space in self.spaces) + 2

    def drawn(self, changed: tuple[int, int] | None = None) -> str:
        """The layout as a text that draws it; `changed` is a row and an x where a space comes or goes."""
        spaces = {(space.row, space.x) for space in self.spaces}
        if changed:
            spaces ^= {changed}
        edge = min((x for _, x in spaces), default=0)
        lines: list[str] = []
        for row in reversed(self.rows):
            columns = [x - edge for label, x in spaces if label == row]
            marks = ("o" if x in columns else " " for x in range(max(columns, default=-1) + 1))
            lines.append(f"{row}: {''.join(marks)}")
        return "\n".join(lines)


@lru_cache(maxsize=64)
def parsed(text: str) -> Layout:
    """The layout that a text draws or counts. Raises BoardError."""
    lines = [line.rstrip() for line in text.splitlines()]
    note = " ".join(line.lstrip("# ").strip() for line in lines if line.startswith("#"))
    body = [line for line in lines if line and not line.startswith("#")]
    drawn = any("o" in line for line in body)
    rows = _drawn(body) if drawn else _counted(" ".join(body))
    return _checked(rows, note)


def _drawn(body: list[str]) -> list[tuple[int, list[int]]]:
    """Rows from bottom to top: the label, and the columns of its spaces."""
    rows: list[tuple[int, list[int]]] = []
    for line in reversed(body):
        found = _DRAWN.match(line)
        if not found:
            raise BoardError("board: write each row like “4:  o o o”, not {line:quoted}", line=line[:40])
        start = found.start(2)
        rows.append((int(found[1]), [i + start for i, mark in enumerate(found[2]) if mark == "o"]))
    return rows


def _counted(text: str) -> list[tuple[int, list[int]]]:
    rows: list[tuple[int, list[int]]] = []
    for word in re.split(r"[\s,;/]+", re.sub(r"\s*([:=])\s*", r"\1", text).strip()):
        found = _COUNTED.match(word)
        if not found:
            raise BoardError(
                "board: write rows and their spaces like “2:3 3:4 4:3”, not {word:quoted}", word=word[:40]
            )
        rows.append((int(found[1]), list(range(int(found[2])))))
    rows.sort()
    placed: list[tuple[int, list[int]]] = []
    for label, spaces in rows:
        left = 1 - len(spaces)
        if placed and placed[-1][1] and (left - placed[-1][1][0]) % 2 == 0:
            left += 1
        placed.append((label, [left + 2 * i for i in spaces]))
    return placed


def _checked(rows: list[tuple[int, list[int]]], note: str) -> Layout:
    labels = tuple(label for label, _ in rows)
    if not rows or any(not spaces for _, spaces in rows):
        raise BoardError("board: every row needs at least one space; one row is empty")
    if labels not in (tuple(sorted(set(labels))), tuple(sorted(set(labels), reverse=True))):
        got = ", ".join(map(str, labels))
        raise BoardError(
            "board: row numbers must rise or fall, each only once; from the bottom they are {got}", got=got
        )
    if (total := sum(len(spaces) for _, spaces in rows)) > MOST_SPACES:
        raise BoardError(
            "board: use at most {most} spaces, not {total}", most=MOST_SPACES, total=total
        )
    edge = min(x for _, spaces in rows for x in spaces)
    if (across := max(x for _, spaces in rows for x in spaces) - edge + 2) > MOST_ACROSS:
        raise BoardError(
            "board: a row can be at most {most} half hexes wide, not {across}",
            most=MOST_ACROSS,
            across=across,
        )
    parity = rows[0][1][0] % 2
    for level, (label, spaces) in enumerate(rows):
        if any((x - parity - level) % 2 for x in spaces):
            raise BoardError(
                "board: row {label} does not fit between the hexes of the rows beside it", label=label
            )
    made = tuple(
        Space(label, x - edge, f"{label}{ascii_lowercase[i]}")
        for label, spaces in rows
        for i, x in enumerate(spaces)
    )
    return Layout(labels, made, tuple(_touching(space, made, labels) for space in made), note)


def _touching(here: Space, spaces: tuple[Space, ...], rows: tuple[int, ...]) -> tuple[str, ...]:
    level = rows.index(here.row)
    apart = {level - 1: 1, level: 2, level + 1: 1}
    return tuple(one.name for one in spaces if apart.get(rows.index(one.row)) == abs(one.x - here.x))

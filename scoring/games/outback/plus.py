"""Outback Plus: the fourteen bonus tiles, and the four scoring tiles for lost fields (RULINGS 5.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from scoring.account import Line, line
from scoring.games.outback.dice import ANIMALS
from scoring.layout import Layout
from scoring.options import Option, Options

ROWS = (2, 3, 4, 5, 6, 7)
"""The rows of the board's back; fourteen tiles less the eight others leave six row tiles (RULINGS 5.1)."""

FIRST_COMPLETE, LEFT_START, TWO_ON_TOP = "first-complete", "left-start", "two-on-top"

VALUES: Mapping[str, int] = {FIRST_COMPLETE: 3, LEFT_START: 2, TWO_ON_TOP: 2} | {
    f"five-{animal}": 2 for animal in ANIMALS
}
"""The tiles whose points the rules print."""

TILES = (*VALUES, *(f"row-{row}" for row in ROWS))
"""All fourteen; each exists once."""

DRAWN_TILES = 5
"""So many are drawn when people play with fewer."""

LOST = "lost"
"""What a space with a face-down tile holds."""

SCORING_TILES = ("A", "B", "C", "D")

UNKNOWN = -1
"""A value that is printed on a tile and in no rule document: asked for at the table."""

KOALA_ON_C = 2
"""The one value of the scoring tiles C and D that the rules print: each koala beside a lost field."""

OPTIONS = (
    Option(
        "bonus_tiles",
        "all",
        "Do you play with all fourteen bonus tiles, or with five drawn at random?",
        "RULINGS 5.5",
        values=("all", "five"),
        title="Bonus tiles",
        answers=("all fourteen", "five at random"),
    ),
    *(
        Option(
            f"row_tiles.{row}",
            UNKNOWN,
            f"Points on the bonus tile for row {row}. With −1, Tableside asks when someone wins the tile.",
            "RULINGS 5.7 Q6",
            low=UNKNOWN,
            high=99,
            title=f"Row {row} bonus tile",
        )
        for row in ROWS
    ),
    Option(
        "scoring_tile",
        "none",
        "What each blocked space costs: 2 points without a scoring tile, 3 with A, the number of "
        "its row with B, a value for each neighbouring animal with C or D.",
        "RULINGS 5.5",
        values=("none", *SCORING_TILES, "drawn"),
        title="Scoring tile",
        answers=("no scoring tile", *SCORING_TILES, "one at random"),
    ),
    *(
        Option(
            f"scoring_tile.{animal}",
            UNKNOWN,
            f"What each {animal.replace('-', ' ')} next to a blocked space costs with scoring tile C or D. With −1, "
            "Tableside asks at the start.",
            "RULINGS 5.7 Q6",
            low=UNKNOWN,
            high=99,
            title=f"Scoring tile: {animal.replace('-', ' ')}",
        )
        for animal in ANIMALS
    ),
)


def points_of(tile: str, options: Options) -> int:
    """The points printed on a bonus tile, UNKNOWN where they are to be asked for."""
    if tile in VALUES:
        return VALUES[tile]
    return options.number(f"row_tiles.{tile.removeprefix('row-')}")


def beside_values(tile: str, options: Options) -> tuple[int, ...]:
    """What each animal beside a lost field costs by the scoring tile C or D; UNKNOWN where to be asked."""
    told = [options.number(f"scoring_tile.{animal}") for animal in ANIMALS]
    koala = ANIMALS.index("koala")
    if tile == "C" and told[koala] == UNKNOWN:
        told[koala] = KOALA_ON_C
    return tuple(told)


def needs_board(tile: str) -> bool:
    """Whether a scoring tile asks what lies beside a lost field."""
    return tile in ("C", "D")


def claimable(
    tiles: Sequence[str],
    *,
    steps: Sequence[int],
    up: int,
    placed: Sequence[str],
    full: bool,
    full_rows: Sequence[int],
) -> tuple[str, ...]:
    """The ones of `tiles` whose condition holds for a player at the end of their own turn.

    `steps` are their markers', `up` how many stand on the upper track, `placed` the animals on their board,
    `full` whether it is full (face-down tiles count), `full_rows` the rows full with animals only.
    """
    held = {
        FIRST_COMPLETE: full,
        LEFT_START: all(steps),
        TWO_ON_TOP: up >= 2,
        **{f"five-{animal}": placed.count(animal) >= 5 for animal in ANIMALS},
        **{f"row-{row}": row in full_rows for row in ROWS},
    }
    return tuple(tile for tile in tiles if held[tile])


def tile_line(tile: str, points: int) -> Line:
    """The reason for a bonus tile's points."""
    where = "bonus"
    if tile.startswith("five-"):
        animal = tile.removeprefix("five-")
        return line("bonus tile: first with five {animal:face} tiles", points, where, animal=animal)
    if tile.startswith("row-"):
        row = tile.removeprefix("row-")
        return line("bonus tile: first to fill row {row} with animals", points, where, row=row)
    rules = {
        FIRST_COMPLETE: "bonus tile: first full board",
        LEFT_START: "bonus tile: first with no marker on −3",
        TWO_ON_TOP: "bonus tile: first with two markers on the upper track",
    }
    return line(rules[tile], points, where)


COST_EACH: Mapping[str, int] = MappingProxyType({"none": 2, "A": 3})
"""What each blocked space costs without a scoring tile, and with one of which it does not matter where the space is."""


def lost_lines(
    tile: str, holds: Mapping[str, str], layout: Layout | None, values: Sequence[int]
) -> tuple[Line, ...]:
    """What each lost field costs by a scoring tile A to D.

    `holds` says by space (by row label and a running number where there is no layout, "4.2") what lies there.
    An animal beside two lost fields counts for both.
    """
    lines: list[Line] = []
    for space, what in holds.items():
        if what != LOST:
            continue
        if tile == "A":
            lines.append(line("blocked space {space}, scoring tile A", -COST_EACH[tile], "lost-fields", space=space))
        elif tile == "B":
            rule = "blocked space {space}, scoring tile B: the number of its row"
            lines.append(line(rule, -int(space[0]), "lost-fields", space=space))
        elif layout:
            beside = [holds[other] for other in layout.beside(space) if holds.get(other, LOST) != LOST]
            cost = sum(values[ANIMALS.index(animal)] for animal in beside)
            rule = "blocked space {space}, scoring tile {tile}: neighbours: {beside:things}"
            lines.append(line(rule, -cost, "lost-fields", space=space, tile=tile, beside=tuple(beside)))
    return tuple(lines)

"""What a match of Outback is played with: its options, and the board, tiles and jeep they mean."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.dice import Face, named
from scoring.games.outback import plus as plus
from scoring.games.outback.dice import ANIMALS
from scoring.games.outback.tracks import TRACKS
from scoring.layout import MOST_SPACES, Layout, parsed
from scoring.options import Option, OptionError, Options

UNVERIFIED_BASE = """\
# UNVERIFIED guess: the rules do not show the board. Two databases print 3-4-2-4-1 (14 hexes, a misprint), two
# other pages count 15 hexes; 3-4-3-4-1 is the one-digit repair. Compare it with yours, and enter your rows.
6:    o
5: o o o o
4:  o o o
3: o o o o
2:  o o o
"""
"""Rows 2 to 6 from the bottom with 3, 4, 3, 4 and 1 hexes."""

UNVERIFIED_PLUS = """\
# UNVERIFIED guess: the rules do not show the back of the board. Its rows are 2 to 7, of at most 21 hexes; this is the
# guess of the front with one more row below. Compare it with yours, and enter your rows.
7:    o
6: o o o o
5:  o o o
4: o o o o
3:  o o o
2: o o o o
"""
"""Rows 2 to 7 from the bottom with 4, 3, 4, 3, 4 and 1 hexes."""

UNKNOWN = "unknown"
"""The name of no layout: rows are only counted, and players say how big a group became."""

SHIPPED: Mapping[str, str] = MappingProxyType(
    {"base-unverified": UNVERIFIED_BASE, "plus-unverified": UNVERIFIED_PLUS}
)
"""The layouts that have a name, by which an option can choose them."""


def layout(chosen: str) -> Layout | None:
    """The layout an option means: the name of a shipped one, a text of rows, or None for "unknown".

    Raises BoardError.
    """
    name = chosen.strip().casefold()
    if name == UNKNOWN:
        return None
    return parsed(SHIPPED.get(name, chosen))


ALL_ROWS = 9
"""As many spaces in a row as a single roll can ask for, and more."""

PLACES = tuple(f"{animal}-in-row-{row}" for animal in ANIMALS for row in range(2, 8))
"""A tile laid in a row, as one id."""

BOARD = (
    "The rows of your board from top to bottom, with an o for each space (“4:  o o o”), or just "
    "the number of spaces in each row (2:3 3:4 4:3). The default is a guess, because the rules do "
    "not show the board. With “unknown”, you enter the size of each group yourselves."
)

SHARED = (
    *TRACKS,
    Option(
        "end",
        "round",
        "When one board is full, do you finish the round or play until every board is full?",
        "RULINGS 5.4",
        values=("round", "each-full"),
        title="End of the match",
        answers=("finish the round", "until every board is full"),
    ),
    Option(
        "start",
        "roll",
        "Does the player who rolls the most matching animals start, or the first player on the list?",
        "RULINGS 5.2",
        values=("roll", "first"),
        title="Who starts?",
        answers=("most matching animals", "first on the list"),
    ),
    Option(
        "may_pass",
        False,
        "May a player who could lay an animal block a space instead?",
        "RULINGS 5.7 Q9",
        title="Passing",
    ),
    Option(
        "jeep_swap",
        False,
        "If all five animals on the jeep match, may a player put them back and draw again before "
        "the first throw?",
        "RULINGS 5.7 Q11",
        title="Five matching animals",
    ),
)

CIRCUMSTANCES = (
    Option(
        "jeep",
        "emu, kangaroo, koala, platypus, monitor-lizard",
        "The animals on the jeep, for scoring one roll.",
        "RULINGS 5.2",
    ),
    Option(
        "markers",
        "",
        "To count at the end, with no faces: where the markers stand, as 'emu=5, koala=-3, platypus=upper 8'; "
        "those not named stand at -3.",
        "RULINGS 5.4",
    ),
    Option(
        "lost",
        0,
        "To count at the end: lost fields.",
        "RULINGS 5.4",
        high=MOST_SPACES,
    ),
)


def layout_of(options: Options, key: str, dice: int) -> Layout | None:
    """The board's layout by the option `key`, None where rows are only counted. Raises BoardError, OptionError."""
    found = layout(options.text(key))
    if found and max(found.rows) > dice:
        raise OptionError(
            "option {key}: row {row} needs {row} dice, but this game has {dice}",
            key=key,
            dice=dice,
            row=max(found.rows),
        )
    return found


def rows_of(layout: Layout | None, dice: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The labels of the rows and their numbers of spaces, 0 if they are to be told."""
    if layout is None:
        rows = tuple(range(plus.ROWS[0], dice + 1))
        return rows, (0,) * len(rows)
    return layout.rows, tuple(len(layout.in_row(row)) for row in layout.rows)


def jeep_of(told: Options) -> tuple[Face, ...]:
    """The animals on the jeep, as told for one roll. Raises UnknownFaceError."""
    words = [word for word in told.text("jeep").replace(";", ",").split(",") if word.strip()]
    return tuple(named(word, ANIMALS, "an animal") for word in words)


def beside_of(tile: str, options: Options) -> tuple[int, ...]:
    """What each animal beside a lost field costs, where the scoring tile asks."""
    return plus.beside_values(tile, options) if plus.needs_board(tile) else ()

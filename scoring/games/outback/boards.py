"""The Outback boards that come with Tableside.

No document and no page says how the board's hexes lie, so both layouts are guesses and say so wherever they are
shown (RULINGS 5.3 and 5.7). People enter their own board's rows instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from scoring.layout import Layout, parsed

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

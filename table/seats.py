"""Who sits where when other people are to play: the names somebody typed, matched with the seats there are."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from scoring.actions import Seated

ALIKE = 0.6
"""From this likeness on, a new name is taken for another spelling of an old one."""


def seated(players: Sequence[str], names: Sequence[str]) -> Seated:
    """Who of `players` each of `names` is, so that nobody loses a sheet by a typo.

    A name that plays already keeps its seat. Any other name takes a seat whose own name was not typed: the seat whose
    name is most like it, else the nearest one. Names for which no seat is left are newcomers.
    """
    seats = [players.index(name) if name in players else None for name in names]
    free = {seat for seat in range(len(players)) if seat not in seats}
    pairs = [(place, seat) for place, taken in enumerate(seats) if taken is None for seat in free]

    def distance(pair: tuple[int, int]) -> tuple[float, int]:
        place, seat = pair
        alike = SequenceMatcher(None, names[place].casefold(), players[seat].casefold()).ratio()
        return (-alike if alike >= ALIKE else 0.0, abs(place - seat))

    for place, seat in sorted(pairs, key=distance):
        if seats[place] is None and seat in free:
            seats[place] = seat
            free.remove(seat)
    return Seated(tuple(names), tuple(seats))

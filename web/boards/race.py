"""Everyone on the way to the goal: how far it is, what the last points were, and names that fit."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.match import Match
from scoring.view import leading
from web.boards.record import Names


@dataclass(frozen=True, slots=True)
class Lane:
    """One player on the way to the goal."""

    player: str
    token: str
    """The first letter of the name."""
    marks: str
    """What counts beside the points, in a few words."""
    points: int
    to_go: int
    gained: int
    """This player's share of the last points in the match, or 0."""
    before: float
    """How far the player was before those, in per cent of the way."""
    reached: float
    """How far the player is now, in per cent of the way."""
    now: bool
    leads: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Race:
    """Everyone on the way to so many points."""

    target: int
    lanes: tuple[Lane, ...]
    fresh: bool
    """The last event of the match brought points."""


def race_to(target: int, match: Match, names: Names) -> Race:
    """Everyone on the way to the goal, as a match stands."""
    seats = match.view.seats
    gained, ahead = match.last_points, leading([seat.score for seat in seats])
    winners = match.outcome.winners if match.outcome else ()

    def along(points: int) -> float:
        return round(100 * min(max(points, 0), target) / target, 1)

    lanes = tuple(
        Lane(
            seat.name, letters(seat.name)[0].upper(), names.marks(seat), seat.score, max(0, target - seat.score),
            gained.get(i, 0), along(seat.score - gained.get(i, 0)), along(seat.score),
            seat.on_turn, i in ahead, i in winners,
        )
        for i, seat in enumerate(seats)
    )  # fmt: skip
    return Race(target, lanes, bool(match.played and match.played[-1].step.scores))


def shortened(names: Sequence[str], room: int) -> tuple[str, ...]:
    """Names in at most so many letters, no two alike: as they are, their first word, or their beginning."""
    found: list[str] = []
    for number, name in enumerate(names, start=1):
        first = name.split()[0]
        short = name if len(letters(name)) <= room else first if len(letters(first)) <= room else ""
        short = short or "".join(letters(name)[:room])
        found.append(f"{''.join(letters(short)[: room - 1])}{number}" if short in found else short)
    return tuple(found)


def letters(name: str) -> list[str]:
    """The letters of a name, each with the marks and the signs that are joined to it."""
    found: list[str] = []
    for sign in name:
        joined = (
            unicodedata.combining(sign)
            or sign in "\u200c\u200d\ufe0f"
            or "\U0001f3fb" <= sign <= "\U0001f3ff"
        )
        if found and (joined or found[-1].endswith("\u200d")):
            found[-1] += sign
        else:
            found.append(sign)
    return found

"""Meet Fate's board: everyone's score sheet side by side, with what the dice would give in each open box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from scoring.actions import Confirm, Fill, Play
from scoring.games.meet_fate.game import MeetFateState
from scoring.games.meet_fate.sheet import BOXES, FACES, OPTIONS, SET_VALUES, SUM_BOXES, box_line, box_points
from scoring.match import Match
from scoring.otherwise import deciding
from scoring.view import leading
from web.boards.race import shortened
from web.boards.record import Maker, Names, Reason, decisions, house_rules, reason
from web.language import N_
from web.language import gettext as _

HIGHEST = 3
"""How many of the open boxes are called the highest now (RULINGS 2.5); advice is only for those who ask."""

SECTIONS = (("Numbers", FACES), ("Sum of all dice", SUM_BOXES), ("Set points", tuple(SET_VALUES)))
"""The parts of the sheet, each under its heading in English."""

PATTERNS: Mapping[str, str] = {
    "two-pair": "aabb..",
    "three-pair": "aabbcc",
    "three-of-a-kind": "aaa...",
    "four-of-a-kind": "aaaa..",
    "chance": "??????",
    "small-straight": "12345.",
    "large-straight": "123456",
    "full-house": "aaabb.",
    "five-of-a-kind": "aaaaa.",
    "six-of-a-kind": "aaaaaa",
    "trips": "aaabbb",
}
"""What six dice show in each box: letters are faces that are alike, figures are faces in a row, `.` and `?` are any."""

ROOM = (20, 12, 8, 7, 6, 5, 5, 4)
"""Letters of a name at the head of a column, by how many columns there are; of more columns the last."""


@dataclass(frozen=True, slots=True)
class Column:
    """A player's sheet."""

    player: str
    short: str
    total: int
    left: int
    """Boxes that are open."""
    bonus: int
    now: bool
    leads: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A box of a player's sheet."""

    filled: int | None
    """What was written into it, or None while it is open."""
    offer: int | None
    """What the dice would give; None if nothing may be written now."""
    high: bool
    """Among the open boxes that give most points now; says nothing of what is best to do."""
    last: bool
    """It was filled last of all."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of the sheets: a box, and what everyone has in it."""

    id: str
    label: str
    pattern: str
    """What dice it asks for; empty if the picture of its face or its name says it."""
    pictured: bool
    """It is the box of one face."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Boxes that belong together, under one heading."""

    title: str
    boxes: tuple[SheetRow, ...]


@dataclass(frozen=True, slots=True)
class Nought:
    """An open box that the dice do not fit."""

    reason: Reason
    """What the dice lack."""
    otherwise: tuple[Reason, ...]
    """The house rules with which the box would give points."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """Everyone's sheet, and the open boxes that give most now, the best first; none where every box would score 0."""

    columns: tuple[Column, ...]
    sections: tuple[Section, ...]
    highest: tuple[tuple[str, int], ...]
    """Name and points."""
    noughts: tuple[Nought, ...]
    """Why other open boxes would be zeroes; those of one number need no reason."""
    open: bool
    """There are boxes to write into now."""
    fresh: bool
    """A box was filled by the last event of the match."""
    bonus_from: int
    """The sum of the faces that earns the bonus; 0 if the table plays without one."""


def _sheets(match: Match, names: Names) -> Sheets:
    state: MeetFateState = match.state
    fills = [move for move in match.legal if isinstance(move, Fill)]
    offers = {move.box: box_points(move.box, state.roll, state.options) for move in fills}
    least = sorted((points for points in offers.values() if points), reverse=True)[:HIGHEST]
    last, fresh = last_filled(match)

    def cell(player: int, box: str) -> Cell:
        offer = offers.get(box) if player == state.turn else None
        filled = state.sheets[player][BOXES.index(box)]
        return Cell(filled, offer, offer in least, (player, box) == last)

    players = range(len(state.players))
    sections = tuple(
        Section(
            names.speaker.words(title),
            tuple(
                SheetRow(
                    box, names.title(box), PATTERNS.get(box, ""), box in FACES,
                    tuple(cell(one, box) for one in players),
                )
                for box in boxes
            ),
        )
        for title, boxes in SECTIONS
    )
    high = sorted((one for one in offers.items() if one[1] in least), key=lambda one: -one[1])
    options = state.options
    return Sheets(
        _columns(match),
        sections,
        tuple((_("Box %(n)s", n=box) if box in FACES else names.title(box), points) for box, points in high),
        tuple(_nought(box, state, names) for box, points in offers.items() if not points and box not in FACES),
        bool(offers),
        fresh,
        options.number("upper_bonus_from") if options.number("upper_bonus") else 0,
    )


def _nought(box: str, state: MeetFateState, names: Names) -> Nought:
    others = deciding(OPTIONS, state.options, 0, lambda answers: box_points(box, state.roll, answers))
    return Nought(reason(box_line(box, state.roll, state.options), names), house_rules(others, names))


def _columns(match: Match) -> tuple[Column, ...]:
    state: MeetFateState = match.state
    totals = [state.total(player) for player in range(len(state.players))]
    short = shortened(state.players, ROOM[min(len(state.players), len(ROOM)) - 1])
    ahead, winners = leading(totals), match.outcome.winners if match.outcome else ()
    return tuple(
        Column(
            name, short[i], totals[i], len(state.open_boxes(i)), state.bonus(i),
            i == state.turn and not match.outcome, i in ahead, i in winners,
        )
        for i, name in enumerate(state.players)
    )  # fmt: skip


def last_filled(match: Match) -> tuple[tuple[int | None, str] | None, bool]:
    """Whose box was filled last, and whether nothing has happened since."""
    for one in reversed(match.played):
        if isinstance(one.action, Play) and isinstance(one.action.move, Fill):
            seat = match.seat_now(one.number, one.action.player)
            return (seat, one.action.move.box), one is match.played[-1]
    return None, False


HEADINGS = {Confirm.kind: N_("Are these really six eights?")}

BOARDS = {"meet-fate": Maker(_sheets, partial(decisions, headings=HEADINGS))}

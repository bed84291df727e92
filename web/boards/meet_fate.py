"""Meet Fate's board: the score sheet of whoever is on turn, with what the dice would give in each open box."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from scoring.actions import Confirm, Fill
from scoring.games.meet_fate.game import MeetFateState
from scoring.games.meet_fate.sheet import BOXES, FACES, SET_VALUES, SUM_BOXES, box_points
from scoring.match import Match
from web.boards.record import Maker, Names, decisions
from web.language import N_

HIGHEST = 3
"""How many of the open boxes are called the highest now (RULINGS 2.5); advice is only for those who ask."""

SECTIONS = (("Faces", FACES), ("Sum of all dice", SUM_BOXES), ("Set points", tuple(SET_VALUES)))
"""The parts of the sheet, each under its heading in English."""


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a score sheet."""

    id: str
    label: str
    filled: int | None
    """What was written into it, or None while it is open."""
    offer: int | None
    """What the dice as they lie would give; None when nothing may be written now."""
    high: bool
    """Among the open boxes that give most points now; says nothing of what is best to do."""


@dataclass(frozen=True, slots=True)
class Section:
    """Boxes that belong together, under one heading."""

    title: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The sheet, and the open boxes that give most now, the best first; none where every one would be a zero."""

    sections: tuple[Section, ...]
    highest: tuple[Box, ...]
    open: bool
    """There are boxes to write into now."""


def _sheet(match: Match, names: Names) -> Sheet:
    state: MeetFateState = match.state
    fills = [move for move in match.legal if isinstance(move, Fill)]
    offers = {move.box: box_points(move.box, state.roll, state.options) for move in fills}
    least = sorted((points for points in offers.values() if points), reverse=True)[:HIGHEST]
    filled = dict(zip(BOXES, state.sheets[0 if match.outcome else state.turn], strict=True))
    sections = tuple(
        Section(
            names.speaker.words(title),
            tuple(
                Box(box, names.title(box), filled[box], offers.get(box), offers.get(box, 0) in least)
                for box in boxes
            ),
        )
        for title, boxes in SECTIONS
    )
    high = [box for section in sections for box in section.boxes if box.high]
    return Sheet(sections, tuple(sorted(high, key=lambda box: -(box.offer or 0))), bool(offers))


HEADINGS = {Confirm.kind: N_("Are these really six eights?")}

BOARDS = {"meet-fate": Maker(_sheet, partial(decisions, headings=HEADINGS))}

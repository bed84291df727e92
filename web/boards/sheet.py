"""The score sheet of whoever is on turn, with what the dice would give."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.actions import Fill
from scoring.games.meet_fate.sheet import SET_VALUES, SUM_BOXES
from scoring.match import Match
from scoring.view import Panel
from words.speaker import Speaker

HIGHEST = 3
"""How many of the open boxes are called the highest now (RULINGS 2.5); advice is only for those who ask."""

SECTIONS = {**dict.fromkeys(SUM_BOXES, "Sum of all dice"), **dict.fromkeys(SET_VALUES, "Set points")}
"""The heading of a box, in English; those with a face's name stand under `FACES`."""

FACES = "Faces"


@dataclass(frozen=True, slots=True)
class Box:
    """One box of a score sheet."""

    id: str
    label: str
    filled: int | None
    """What was written into it, or None while it is open."""
    offer: int | None
    """What the dice as they lie would give; None when nothing may be written now."""
    high: bool = False
    """Among the open boxes that give most points now; says nothing of what is best to do."""


@dataclass(frozen=True, slots=True)
class BoxGroup:
    """Boxes that belong together, under one heading."""

    title: str
    boxes: tuple[Box, ...]


def sheet(match: Match, tongue: Speaker) -> tuple[tuple[BoxGroup, ...], tuple[Panel, ...]]:
    """The score sheet of whoever is on turn, as groups of boxes, and the panels that are no such sheet."""
    view = match.view
    players = match.header.players
    panels = tuple(tongue.among(players).panel(panel) for panel in view.panels if isinstance(panel, Panel))
    if Fill not in match.game.moves:
        return (), panels
    sheets = [one for one in view.panels if isinstance(one, Panel) and one.columns[1:] == players]
    if not sheets:
        return (), panels
    column = 1 + next((i for i, seat in enumerate(view.seats) if seat.on_turn), 0)
    offers = _offers(match, view.dice)
    highest = sorted((points for points in offers.values() if points), reverse=True)[:HIGHEST]
    groups: dict[str, list[Box]] = {}
    for row in sheets[0].rows:
        box, filled = str(row[0]), row[column]
        offer = offers.get(box)
        entry = Box(
            id=box,
            label=tongue.title(box),
            filled=filled if isinstance(filled, int) else None,
            offer=offer,
            high=bool(offer) and offer in highest,
        )
        groups.setdefault(tongue.words(SECTIONS.get(box, FACES)), []).append(entry)
    return tuple(BoxGroup(title, tuple(boxes)) for title, boxes in groups.items()), ()


def _offers(match: Match, faces: tuple[str, ...]) -> dict[str, int]:
    """What each box that may be filled now would give."""
    fills = {move.box for move in match.legal if isinstance(move, Fill)}
    if not fills:
        return {}
    scored = match.game.score_roll(faces, match.state.options, None, ())
    return {box: points for box, points in scored.boxes if box in fills}

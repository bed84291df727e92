"""How a match stands, from its state: score sheets with what the dice would give, boards, and what to do
now."""

from __future__ import annotations

import json

from messages.message import message
from scoring.actions import Fill, Move
from scoring.codec import plain
from scoring.game import Family
from scoring.games.meet_fate.sheet import SET_VALUES, SUM_BOXES
from scoring.match import Match
from scoring.view import Panel
from table.notice import Answer, Box, BoxGroup
from words.speaker import Speaker

HIGHEST = 3
"""How many of the open boxes are called the highest now (RULINGS 2.5); advice is only for those who ask."""

SECTIONS = {**dict.fromkeys(SUM_BOXES, "Sum of all dice"), **dict.fromkeys(SET_VALUES, "Set points")}
"""The heading of a box, in English; those with a face's name stand under `FACES`."""

FACES = "Faces"


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


def answers(match: Match, tongue: Speaker) -> tuple[Answer, ...]:
    """The decisions that are neither a box of the sheet nor holding dice: declarations, yes and no.

    None of those that a hand would give away: what can be decided by secret cards is for one player's eyes.
    """
    player = match.decider
    if player is not None and match.game.private(match.state, player):
        return ()
    given = [move for move in match.legal if not isinstance(move, (Fill, Family))]
    return tuple(Answer(_label(move, tongue), json.dumps(plain(move), ensure_ascii=False)) for move in given)


def prompt(match: Match, awaited: str, tongue: Speaker) -> str:
    """What is to be done now, in a sentence; `awaited` is how the rules put it."""
    rolling = match.roll_awaited
    if rolling is not None:
        again, name = rolling.dice - len(rolling.kept), match.header.players[rolling.player]
        if rolling.stake:
            said = message("{name}, throw the dice for {stake:rule}.", name=name, stake=rolling.stake)
            return tongue.clause(said)
        if not rolling.kept:
            return tongue.clause(message("{name}, throw the dice.", name=name))
        return tongue.clause(message("{name}, throw {n:dice} again.", name=name, n=again))
    filling = any(isinstance(move, Fill) for move in match.legal)
    holds = match.holds
    if holds and filling:
        return tongue.clause(message("Hold dice and throw the others again, or choose a box."))
    if holds and (fewest := min(len(move.keep) for move in holds)):
        return tongue.clause(
            message("Hold at least {n} dice and throw the others again, or choose what to do.", n=fewest)
        )
    if holds:
        return tongue.clause(message("Hold dice and throw the others again, or choose what to do."))
    return tongue.clause(message("Choose a box.")) if filling else awaited


def _offers(match: Match, faces: tuple[str, ...]) -> dict[str, int]:
    """What each box that may be filled now would give."""
    fills = {move.box for move in match.legal if isinstance(move, Fill)}
    if not fills:
        return {}
    scored = match.game.score_roll(faces, match.state.options, None, ())
    return {box: points for box, points in scored.boxes if box in fills}


def _label(move: Move, tongue: Speaker) -> str:
    """A word or two for a decision."""
    record = plain(move)
    values = [value for key, value in record.items() if key != "kind"]
    if values == [True] or values == [False]:
        said = tongue.yes if values[0] else tongue.no
    else:
        said = " ".join(tongue.name(str(value)) for value in values if isinstance(value, (str, int)))
    said = said or str(record.get("kind", ""))
    return said[:1].upper() + said[1:]

"""The board of a game file with boxes: everyone's score sheet side by side, as Meet Fate's."""

from __future__ import annotations

from typing import cast

from scoring.actions import Fill
from scoring.gamefile.game import FileGame, FileGameState
from scoring.match import Match
from scoring.view import leading
from web.boards.meet_fate import HIGHEST, ROOM, Cell, Column, Section, SheetRow, Sheets, last_filled
from web.boards.race import shortened
from web.boards.record import Maker, Names, decisions


def _sheets(match: Match, names: Names) -> Sheets:
    game, state = cast("FileGame", match.game), cast("FileGameState", match.state)
    fills = [move for move in match.legal if isinstance(move, Fill)]
    offers = {move.box: game.box_points(state, move.box) for move in fills}
    high = sorted((points for points in offers.values() if points > 0), reverse=True)[:HIGHEST]
    last, fresh = last_filled(match)

    def cell(player: int, at: int, box: str) -> Cell:
        offer = offers.get(box) if player == state.turn else None
        return Cell(state.sheets[player][at], offer, offer in high, (player, box) == last)

    players = range(len(state.players))
    boxes = tuple(
        SheetRow(one.name, names.title(one.name), "", one.name in game.dice.faces,
            tuple(cell(player, at, one.name) for player in players))
        for at, one in enumerate(game.rules.boxes)
    )  # fmt: skip
    bonus = game.rules.bonuses[0] if game.rules.bonuses else None
    above = (
        len(bonus.boxes) if bonus and bonus.boxes == tuple(one.id for one in boxes[: len(bonus.boxes)]) else 0
    )
    seen = game.rules.seen((), state.options)
    best = sorted((one for one in offers.items() if one[1] in high), key=lambda one: -one[1])
    return Sheets(
        _columns(match, game, state),
        tuple(Section("", some) for some in (boxes[:above], boxes[above:]) if some),
        tuple((names.title(box), points) for box, points in best),
        (),
        bool(offers),
        fresh,
        bonus.least.number(seen) if bonus and bonus.points.number(seen) else 0,
    )


def _columns(match: Match, game: FileGame, state: FileGameState) -> tuple[Column, ...]:
    totals = [game.total(state, player) for player in range(len(state.players))]
    short = shortened(state.players, ROOM[min(len(state.players), len(ROOM)) - 1])
    ahead = leading(totals, lowest=game.lowest_wins)
    winners = match.outcome.winners if match.outcome else ()
    return tuple(
        Column(
            name, short[i], totals[i], len(game.open_boxes(state, i)), game.bonus(state, i),
            i == state.turn and not match.outcome, i in ahead, i in winners,
        )
        for i, name in enumerate(state.players)
    )  # fmt: skip


BOARDS = {"score-sheet": Maker(_sheets, decisions)}

"""What lies on Outback's table, for everyone to see."""

from __future__ import annotations

from collections.abc import Sequence

from messages.message import message
from scoring.account import Outcome
from scoring.actions import Awaited, DrawAwaited, RollAwaited
from scoring.games.outback import plus as plus
from scoring.games.outback.dice import ANIMALS
from scoring.games.outback.state import Board, OutbackState
from scoring.games.outback.tracks import Tracks, track_lines
from scoring.games.outback.turn import missing_cost, total
from scoring.view import Cell, Hex, HexBoard, Mark, Panel, TableView, seats


def table_view(state: OutbackState, awaited: Sequence[Awaited], outcome: Outcome | None) -> TableView:
    """Jeep, markers, boards, tiles; the seats' scores are what they would have if it ended now."""
    asked = missing_cost(state)
    on_turn = state.turn if asked is None else asked
    everyone = range(len(state.players))
    points, marks = [total(state, one) for one in everyone], [_marks(state, one) for one in everyone]
    shown = seats(state.players, points, (on_turn,) if outcome is None else (), marks)
    bag = Panel("Jeep", ("animal", "tiles"), tuple((a, state.jeep.count(a)) for a in ANIMALS))
    panels = [bag, _markers(state)]
    boards = [_board(state, player) for player in range(len(state.players))]
    tiles = [_tiles(state)] if state.variant.laid_out else []
    phase = "over" if outcome else _phase(state, awaited)
    dice = state.roll if state.throws or state.start is None else ()
    return TableView(phase, shown, dice, state.kept, (*panels, *boards, *tiles))


def _marks(state: OutbackState, player: int) -> tuple[Mark, ...]:
    bonus, lost = len(state.boards[player].bonus), state.boards[player].count(plus.LOST)
    starts = player == state.start
    return (
        Mark("bonus tiles", bonus, message("{n:count bonus~tile bonus~tiles}", n=bonus) if bonus else None),
        Mark("lost fields", lost, message("{n:count lost~field lost~fields}", n=lost) if lost else None),
        Mark("start marker", "yes" if starts else "no", message("start marker") if starts else None),
    )


def _phase(state: OutbackState, awaited: Sequence[Awaited]) -> str:
    first = awaited[0]
    if isinstance(first, DrawAwaited):
        return f"{first.count} from the {first.pile}"
    if isinstance(first, RollAwaited):
        return "start roll" if state.start is None else f"throw {state.throws + 1}"
    return str(first.what)


def _markers(state: OutbackState) -> Panel:
    """Where each marker stands, and whether it would count: "−3", "left 4", "upper 2", "left 9 (dropped)"."""
    columns = [_standing(board, state.tracks) for board in state.boards]
    rows = tuple((animal, *(column[i] for column in columns)) for i, animal in enumerate(ANIMALS))
    return Panel("Markers", ("animal", *state.players), rows)


def _standing(board: Board, tracks: Tracks) -> tuple[str, ...]:
    cells: list[str] = []
    for steps, counted in zip(board.markers, track_lines(board.markers, tracks), strict=True):
        value = str(tracks.value(steps)).replace("-", "−")
        where = "upper " if tracks.is_up(steps) else "left " if steps else ""
        cells.append(f"{where}{value}{' (dropped)' if 'does not count' in counted.rule else ''}")
    return tuple(cells)


def _board(state: OutbackState, player: int) -> HexBoard | Panel:
    layout, board, name = state.layout, state.boards[player], state.players[player]
    if layout is None:
        return Panel(f"{name}'s rows", ("row", "tiles", "spaces"), _rows(state, board))
    lying = board.holds
    spaces = tuple(
        Hex(space.row, space.x, None if what == plus.LOST else what, what == plus.LOST)
        for space in layout.spaces
        for what in (lying.get(space.name),)
    )
    return HexBoard(f"{name}'s board", player, spaces, layout.note)


def _rows(state: OutbackState, board: Board) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (
            row,
            ", ".join(what for place, what in board.tiles if place == str(row)),
            state.size(row) or "not told yet",
        )
        for row in reversed(state.rows)
    )


def _tiles(state: OutbackState) -> Panel:
    rows: list[tuple[Cell, ...]] = []
    for tile in state.tiles or ():
        points = plus.points_of(tile, state.options)
        rows.append((tile, None if points == plus.UNKNOWN else points))
    return Panel("Bonus tiles", ("tile", "points"), tuple(rows))

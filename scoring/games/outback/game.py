"""Outback and Outback Plus: dice bring animals from the jeep to a board of hexes (outback, RULINGS 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from messages.message import N_, Message, message
from scoring.account import Outcome, ScoredRoll, Step, line
from scoring.actions import (
    Action,
    Awaited,
    Draw,
    DrawAwaited,
    Family,
    Hold,
    Move,
    MoveAwaited,
    Roll,
    RollAwaited,
    changed,
    held,
)
from scoring.dice import Dice, Face, choices
from scoring.game import Added, Game
from scoring.games.outback import plus as plus
from scoring.games.outback import state as moves
from scoring.games.outback import turn as turn
from scoring.games.outback.dice import ANIMALS, FACES, JOKER, biggest, plans, widest
from scoring.games.outback.legal import GETTING, TAKING, check_move, filled_in, losses, placements, swappable
from scoring.games.outback.options import (
    ALL_ROWS,
    BOARD,
    CIRCUMSTANCES,
    PLACES,
    SHARED,
    beside_of,
    jeep_of,
    layout,
    layout_of,
    rows_of,
)
from scoring.games.outback.state import THROWS, TILES_EACH, Board, OutbackState, Variant
from scoring.games.outback.tracks import Tracks, count_told, track_lines
from scoring.options import Option, Options
from scoring.view import Cell, Hex, HexBoard, Mark, Panel, TableView, seats

ROW_TILE = N_("enter the points on the bonus tile for row {row}")


class Outback(Game[OutbackState]):
    """Up to three throws, groups of animals and jokers, tiles laid side by side; the last three count."""

    id: ClassVar[str] = "outback"
    title: ClassVar[str] = "Outback"
    variant: ClassVar[Variant] = Variant("board", laid_out=False)
    blurb: ClassVar[str] = "Throw matching animals and settle them side by side on your board."
    minutes: ClassVar[int] = 30
    showcase: ClassVar[tuple[Face, ...]] = ("kangaroo", "kangaroo", "koala", "emu")
    board: ClassVar[str] = "outback"
    names: ClassVar[tuple[str, ...]] = (*plus.TILES, *PLACES, "open", "full")
    dice: ClassVar[Dice] = Dice("outback", 6, FACES)
    seats: ClassVar[tuple[int, int]] = (2, 4)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "board",
            "base-unverified",
            BOARD,
            "RULINGS 5.3 and 5.7 Q4",
            ask=True,
            layout=layout,
            title="Rows of the board",
        ),
        *SHARED,
    )
    circumstances: ClassVar[tuple[Option, ...]] = CIRCUMSTANCES
    moves: ClassVar[tuple[type[Move], ...]] = (
        Hold,
        moves.Place,
        moves.PlaceInRow,
        moves.EndTurn,
        moves.Lose,
        moves.LoseInRow,
        moves.Swap,
        moves.Tell,
        moves.TellEach,
    )

    def start(self, players: tuple[str, ...], options: Options) -> OutbackState:
        """Empty boards, all tiles in the bag, markers at −3. Raises BoardError for rows of no board."""
        rows, sizes = rows_of(layout_of(options, self.variant.board, self.dice.count), self.dice.count)
        by_roll = options.text("start") == "roll"
        return OutbackState(
            players,
            options,
            self.variant,
            (Board(),) * len(players),
            (TILES_EACH,) * len(ANIMALS),
            (),
            rows,
            sizes,
            start=None if by_roll else 0,
            contenders=tuple(range(len(players))) if by_roll else (),
            costs=(None,) * len(players),
        )

    def awaits(self, state: OutbackState) -> tuple[Awaited, ...]:
        """Tiles for the jeep; a throw; dice to keep or tiles to lay; what only the table can see."""
        everyone = tuple(range(len(state.players)))
        if (asked := turn.missing_cost(state)) is not None:
            return (MoveAwaited((asked,), "enter what your blocked spaces cost"),)
        if state.finished:
            return ()
        if state.scoring_tile is None:
            return (DrawAwaited("scoring tiles", 1, plus.SCORING_TILES, tiles=True),)
        if state.values_missing:
            return (
                MoveAwaited(
                    everyone, message("enter the values on scoring tile {tile}", tile=state.scoring_tile)
                ),
            )
        if state.tiles is None:
            return (DrawAwaited("bonus tiles", plus.DRAWN_TILES, plus.TILES, tiles=True),)
        if state.claiming:
            return (MoveAwaited((state.turn,), message(ROW_TILE, row=state.claiming.removeprefix("row-"))),)
        if number := turn.needs_refill(state):
            return (DrawAwaited("bag", number, state.unseen_tiles, tiles=True),)
        if state.start is None:
            return (RollAwaited(state.turn, self.dice.count, FACES, stake="the start marker"),)
        if not state.rolling:
            return (MoveAwaited((state.turn,), self._question(state)),)
        throw = RollAwaited(state.turn, self.dice.count, FACES, state.kept)
        return (
            (throw, MoveAwaited((state.turn,), "swap the animals on the jeep if you like"))
            if swappable(state)
            else (throw,)
        )

    def _question(self, state: OutbackState) -> str:
        if state.placed:
            return "lay another animal or end your turn"
        lay = bool(turn.open_groups(state))
        if state.throws < THROWS:
            return "hold dice or lay an animal" if lay else "hold dice and throw the others again"
        if not lay:
            return "choose a space to block"
        return "lay an animal or block a space" if state.options.flag("may_pass") else "lay an animal"

    def legal_moves(self, state: OutbackState, player: int) -> tuple[Move | Family, ...]:
        """Dice to keep, animals with their free spaces, fields to lose."""
        asked = [one for one in self.awaits(state) if isinstance(one, MoveAwaited)]
        if not asked or player not in asked[0].players:
            return ()
        if turn.missing_cost(state) is not None or state.claiming:
            return (Family(moves.Tell.kind, tuple(moves.Tell(n) for n in range(10))),)
        if state.values_missing:
            members = tuple(moves.TellEach(filled_in(state, n)) for n in range(1, 4))
            return (Family(moves.TellEach.kind, members),)
        if swappable(state):
            return (moves.Swap(),)
        found: list[Move | Family] = list(placements(state))
        if state.placed:
            return (*found, moves.EndTurn())
        if state.throws < THROWS:
            holds = tuple(Hold(kept) for kept in choices(state.roll) if len(kept) < len(state.roll))
            return (*found, Family(Hold.kind, holds))
        if not found or state.options.flag("may_pass"):
            found.extend(losses(state))
        return tuple(found)

    def check(self, state: OutbackState, action: Action) -> None:
        """Groups need a real animal each, a tile on the jeep and a free space in their row."""
        check_move(state, action)

    def advance(self, state: OutbackState, action: Action) -> Step[OutbackState]:
        """A tile comes out of the bag, dice come to lie, tiles are laid."""
        if isinstance(action, Draw):
            return self._drawn(state, action)
        if isinstance(action, Roll):
            return (turn.started if state.start is None else turn.thrown)(state, action.faces)
        move, player = action.move, action.player
        if isinstance(move, Hold):
            after = replace(state, rolling=True, kept=move.keep)
            return Step(after, (), (held(player, move.keep),))
        if isinstance(move, (moves.Place, moves.PlaceInRow)):
            return turn.placed(state, move)
        if isinstance(move, (moves.Lose, moves.LoseInRow)):
            return turn.lost(state, move)
        if isinstance(move, moves.Swap):
            return turn.swapped(state)
        if isinstance(move, moves.TellEach):
            costs = {animal.replace("-", "_"): n for animal, n in zip(ANIMALS, move.values, strict=True)}
            said = message(
                (
                    "Scoring tile {tile}: emu {emu}, kangaroo {kangaroo}, koala {koala}, platypus "
                    "{platypus}, monitor lizard {monitor_lizard}."
                ),
                tile=state.scoring_tile or "",
                **costs,
            )
            return Step(replace(state, beside=move.values), (), (said,))
        if isinstance(move, moves.Tell):
            return self._told(state, player, move.points)
        return turn.turn_ended(state)

    def _drawn(self, state: OutbackState, draw: Draw) -> Step[OutbackState]:
        if draw.pile == "scoring tiles":
            (tile,) = draw.cards
            after = replace(state, scoring_tile=tile, beside=beside_of(tile, state.options))
            return Step(after, (), (message("Scoring tile {tile} applies to blocked spaces.", tile=tile),))
        if draw.pile == "bonus tiles":
            tiles = tuple(tile for tile in plus.TILES if tile in draw.cards)
            return Step(
                replace(state, tiles=tiles),
                (),
                (message("Bonus tiles in this match: {tiles:faces}.", tiles=tiles),),
            )
        return turn.refilled(state, draw.cards)

    def _told(self, state: OutbackState, player: int, points: int) -> Step[OutbackState]:
        if state.claiming:
            said = message(
                "{player:name} wins the bonus tile “{tile:face}”: {points:points}.",
                player=player,
                tile=state.claiming,
                points=points,
            )
            after = turn.claimed(state, state.claiming, points)
            return turn.followed(turn.turn_ended(after), (), (said,))
        after = replace(state, costs=changed(state.costs, player, points))
        return turn.followed(
            turn.finished(after),
            (),
            (message("{player:name}’s blocked spaces: {points:points}.", player=player, points=-points),),
        )

    def outcome(self, state: OutbackState) -> Outcome | None:
        """The highest total; then more bonus tiles; then the win is shared."""
        if not state.finished or turn.missing_cost(state) is not None:
            return None
        points = tuple(turn.total(state, player) for player in range(len(state.players)))
        keys = [(points[player], len(board.bonus)) for player, board in enumerate(state.boards)]
        winners = tuple(player for player, key in enumerate(keys) if key == max(keys))
        reason = "the highest total wins"
        if points.count(max(points)) > 1:
            reason = (
                "the totals are tied, so more bonus tiles win"
                if len(winners) == 1
                else ("it is a tie, so the win is shared")
            )
        return Outcome(winners, points, reason)

    def table(self, state: OutbackState) -> TableView:
        """Jeep, markers, boards, tiles; the seats' scores are those of a match that ended now."""
        outcome = self.outcome(state)
        asked = turn.missing_cost(state)
        on_turn = state.turn if asked is None else asked
        everyone = range(len(state.players))
        points, marks = [turn.total(state, one) for one in everyone], [_marks(state, one) for one in everyone]
        shown = seats(state.players, points, (on_turn,) if outcome is None else (), marks)
        bag = Panel("Jeep", ("animal", "tiles"), tuple((a, state.jeep.count(a)) for a in ANIMALS))
        panels = [bag, _markers(state)]
        boards = [_board(state, player) for player in range(len(state.players))]
        tiles = [_tiles(state)] if state.variant.laid_out else []
        dice = state.roll if state.throws or state.start is None else ()
        throws = (0, 1) if state.start is None else (state.throws, THROWS)
        return TableView(shown, dice, state.kept, (*panels, *boards, *tiles), throws)

    def rarest(self, state: OutbackState, faces: tuple[Face, ...]) -> Message | None:
        """One group of all dice."""
        groups = {biggest(faces, animal): animal for animal in ANIMALS}
        if whole := groups.get(len(faces)):
            return message("{animals:things}!", animals=(whole,) * len(faces))
        return None

    def score_end(self, told: Options) -> ScoredRoll | None:
        """The count of one board at the end, where the markers are told."""
        return count_told(told)

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The biggest group of each animal, and the widest ways to lay tiles on an empty board; no points."""
        jeep = jeep_of(told)
        boxes = tuple((animal, biggest(faces, animal)) for animal in ANIMALS)
        board = layout_of(told, self.variant.board, self.dice.count)
        rows, sizes = rows_of(board, len(faces))
        free = {row: size or ALL_ROWS for row, size in zip(rows, sizes, strict=True)}
        ways = plans(faces, jeep, free)
        where = TAKING
        lines = [line("{n:count way ways} to lay animals from the jeep", 0, where, n=len(ways))]
        if not ways and not {*faces} - {JOKER}:
            lines.append(line("a joker only counts together with an animal, and you rolled none", 0, GETTING))
        elif not ways:
            lines.append(
                line("no animal on the jeep has enough dice for a row with a free space", 0, GETTING)
            )
        for groups in widest(ways):
            words = tuple(f"{animal}-in-row-{row}" for animal, row in groups)
            lines.append(line("lay {groups:faces}", 0, where, groups=words))
        return ScoredRoll(None, boxes, None, tuple(lines))


class OutbackPlus(Outback):
    """Seven dice, the board's back with rows 2 to 7, and fourteen bonus tiles instead of the animals' own."""

    id: ClassVar[str] = "outback-plus"
    title: ClassVar[str] = "Outback Plus"
    variant: ClassVar[Variant] = Variant("board_plus", laid_out=True)
    blurb: ClassVar[str] = "Outback with seven dice, the back of the board and fourteen bonus tiles."
    minutes: ClassVar[int] = 40
    showcase: ClassVar[tuple[Face, ...]] = ("platypus", "monitor-lizard", "joker", "kangaroo")
    dice: ClassVar[Dice] = Dice("outback", 7, FACES)
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "board_plus",
            "plus-unverified",
            BOARD,
            "RULINGS 5.7 Q5",
            ask=True,
            layout=layout,
            title="Rows on the back of the board",
        ),
        *SHARED,
        *plus.OPTIONS,
    )

    def start(self, players: tuple[str, ...], options: Options) -> OutbackState:
        """As in Outback, with the bonus tiles laid out and a scoring tile, if one is played with."""
        tile = options.text("scoring_tile")
        return replace(
            Outback.start(self, players, options),
            tiles=plus.TILES if options.text("bonus_tiles") == "all" else None,
            scoring_tile=None if tile == "drawn" else tile,
            beside=beside_of(tile, options),
        )


def _marks(state: OutbackState, player: int) -> tuple[Mark, ...]:
    bonus, lost = len(state.boards[player].bonus), state.boards[player].count(plus.LOST)
    starts = player == state.start
    return (
        Mark("bonus tiles", bonus, message("{n:count bonus~tile bonus~tiles}", n=bonus) if bonus else None),
        Mark(
            "blocked spaces",
            lost,
            message("{n:count blocked~space blocked~spaces}", n=lost) if lost else None,
        ),
        Mark("start marker", "yes" if starts else "no", message("start marker") if starts else None),
    )


def _markers(state: OutbackState) -> Panel:
    """Where each marker stands, and whether it would count: −3, "left 4", "upper 2", "left 9, does not count"."""
    columns = [_standing(board, state.tracks) for board in state.boards]
    rows = tuple((animal, *(column[i] for column in columns)) for i, animal in enumerate(ANIMALS))
    return Panel("Markers", ("animal", *state.players), rows)


def _standing(board: Board, tracks: Tracks) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for steps, counted in zip(board.markers, track_lines(board.markers, tracks), strict=True):
        stands = message(
            "upper {value}" if tracks.is_up(steps) else "left {value}" if steps else "{value}",
            value=tracks.value(steps),
        )
        dropped = not counted.points
        cells.append(message("{stands}, does not count", stands=stands) if dropped else stands)
    return tuple(cells)


def _board(state: OutbackState, player: int) -> HexBoard | Panel:
    layout, board, name = state.layout, state.boards[player], state.players[player]
    if layout is None:
        return Panel(message("{player}’s rows", player=name), ("row", "tiles", "spaces"), _rows(state, board))
    lying = board.holds
    spaces = tuple(
        Hex(space.row, space.x, None if what == plus.LOST else what, what == plus.LOST)
        for space in layout.spaces
        for what in (lying.get(space.name),)
    )
    guess = message(
        "This board is a guess: the rules do not show it. You can draw your own when you start a match."
    )
    return HexBoard(
        message("{player}’s board", player=name), player, spaces, guess if layout.guessed else None
    )


def _rows(state: OutbackState, board: Board) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (
            row,
            message("{tiles:row}", tiles=tuple(what for place, what in board.tiles if place == str(row))),
            state.size(row) or "not known yet",
        )
        for row in reversed(state.rows)
    )


def _tiles(state: OutbackState) -> Panel:
    rows: list[tuple[Cell, ...]] = []
    for tile in state.tiles or ():
        points = plus.points_of(tile, state.options)
        rows.append((tile, None if points == plus.UNKNOWN else points))
    return Panel("Bonus tiles", ("tile", "points"), tuple(rows))


GAMES = (Outback(), OutbackPlus())

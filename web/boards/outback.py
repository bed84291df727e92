"""Outback's boards: the jeep, every player's hexes with what can be laid on them, and the markers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial

from messages.message import message
from scoring.codec import plain
from scoring.games.outback import plus as plus
from scoring.games.outback import state as moves
from scoring.games.outback.dice import ANIMALS, biggest
from scoring.games.outback.state import JEEP, OutbackState
from scoring.games.outback.tracks import track_lines
from scoring.games.outback.turn import open_groups, total
from scoring.layout import Space
from scoring.match import Match
from web.boards.record import Maker, Names, decisions, each
from web.language import N_


@dataclass(frozen=True, slots=True)
class Lay:
    """What may be laid on a space: the animal (empty for a lost field), the move, and its points."""

    animal: str
    name: str
    move: str
    points: int
    """The size of the group it would be in; 0 for a lost field."""


@dataclass(frozen=True, slots=True)
class ShownHex:
    """A space of a board: its tile, its position in half hexes, and what may be placed on it."""

    name: str
    row: int
    x: int
    holds: str
    label: str
    lost: bool
    lays: tuple[Lay, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of a board that nobody drew: the animals in it, and its number of spaces (0 if unknown)."""

    row: int
    holds: tuple[tuple[str, str], ...]
    size: int


@dataclass(frozen=True, slots=True)
class Marker:
    """An animal's marker: its value, whether on the upper track, and whether it would be left out of the count."""

    animal: str
    name: str
    value: int
    upper: bool
    dropped: bool


@dataclass(frozen=True, slots=True)
class TrackSpace:
    """A number of a track, and the markers on it."""

    value: int
    here: tuple[Marker, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """One player's board, its rows from the top, and its tracks; `own` is the one on turn."""

    player: str
    number: int
    own: bool
    across: int
    """Half hexes from the left edge to the right."""
    rows: tuple[tuple[int, tuple[ShownHex, ...]], ...] = ()
    counted: tuple[ShownRow, ...] = ()
    left: tuple[TrackSpace, ...] = ()
    """The track at its left, from −3 up; nothing of tracks that are too long to draw."""
    upper: tuple[TrackSpace, ...] = ()
    """The track above it, which begins at 1 again."""

    @property
    def laid(self) -> bool:
        """Something lies on it already."""
        return any(one.holds or one.lost for _row, hexes in self.rows for one in hexes)


@dataclass(frozen=True, slots=True)
class RowLay:
    """Without a layout: an animal that may be laid in a row, how big its group may be, whether the row may be full.

    `animal` is empty for a field that is lost.
    """

    animal: str
    name: str
    row: int
    most: int
    may_fill: bool


LONGEST_TRACKS = (14, 20)
"""So many numbers of the left and of the upper track can be drawn along a board; longer ones are a table only."""


@dataclass(frozen=True, slots=True)
class OutbackSide:
    """One player's markers, tiles and blocked spaces, and the points of a match that ended now."""

    player: str
    markers: tuple[Marker, ...]
    bonus: int
    lost: int
    points: int
    starts: bool


@dataclass(frozen=True, slots=True)
class OutbackBoard:
    """Everything on Outback's table but the dice."""

    jeep: tuple[tuple[str, str, int, int], ...]
    """Each animal: id, name, tiles on the jeep, and the biggest group of it in the dice as they lie."""
    places: int
    boards: tuple[ShownBoard, ...]
    animals: tuple[tuple[str, str], ...]
    sides: tuple[OutbackSide, ...]
    laying: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    """The animals that can be laid now, each with the rows it may go to."""
    losing: bool = False
    losing_costs: int = 0
    """The cost of each blocked space; 0 if that depends on the space."""
    in_rows: tuple[RowLay, ...] = ()
    tell: str = ""
    """A number that only the table can see: "tile" for what a bonus tile prints, "cost" for what lost fields cost."""
    tell_of: str = ""
    tell_each: tuple[tuple[str, str, int], ...] = ()
    """The animals whose values on the scoring tile are asked for, with what is known (−1: nothing)."""
    tiles: tuple[tuple[str, int], ...] = ()
    """Plus: the bonus tiles still open, with their points (−1: printed on the tile only)."""
    face_down: bool = False
    """Plus, before the end: bonus tiles that were won lie face down and are in nobody's points yet."""
    unverified: bool = False
    """The layout is a guess."""
    opening: tuple[tuple[str, int | None], ...] = ()
    """While the start marker is rolled for: who rolls for it, and their equal animals; None before they roll."""
    opening_said: tuple[str, ...] = ()
    """What is rolled for, and who tied."""

    @property
    def guided(self) -> bool:
        """The board's own help says how to go to the choices as well."""
        return bool(self.laying)


def _made(match: Match, names: Names) -> OutbackBoard:
    """The boards with what the deciding player may place."""
    state, legal = match.state, each(match.legal)
    lays = tuple(move for move in legal if isinstance(move, (moves.Place, moves.Lose)))
    groups: dict[str, list[int]] = {}
    if legal and any(isinstance(move, (moves.Place, moves.PlaceInRow)) for move in legal):
        for animal, row in open_groups(state):
            groups.setdefault(animal, []).append(row)
    telling = any(isinstance(move, moves.Tell) for move in legal)
    dice = state.roll if state.throws and not state.rolling else ()
    everyone = range(len(state.players))
    return OutbackBoard(
        jeep=tuple((a, names.of(a), state.jeep.count(a), biggest(dice, a)) for a in ANIMALS),
        places=JEEP,
        boards=tuple(_board(state, (state.turn + i) % len(everyone), lays, names) for i in everyone),
        animals=tuple((animal, names.of(animal)) for animal in ANIMALS),
        sides=tuple(_side(state, one, names) for one in everyone),
        laying=tuple((animal, names.of(animal), tuple(rows)) for animal, rows in groups.items()),
        losing=any(isinstance(move, (moves.Lose, moves.LoseInRow)) for move in legal),
        losing_costs=plus.COST_EACH.get(state.scoring_tile or "none", 0),
        in_rows=_row_lays(state, legal, names),
        tell=("tile" if state.claiming else "cost") if telling else "",
        tell_of=names.of(state.claiming) if state.claiming else "",
        tell_each=tuple((a, names.of(a), known) for a, known in zip(ANIMALS, state.beside, strict=True))
        if any(isinstance(move, moves.TellEach) for move in legal)
        else (),
        tiles=tuple((names.of(tile), plus.points_of(tile, state.options)) for tile in state.tiles or ())
        if state.variant.laid_out
        else (),
        face_down=state.variant.laid_out and not state.finished,
        unverified=state.layout is not None and state.layout.guessed,
        opening=tuple(
            (state.players[one], state.start_rolls[i] if i < len(state.start_rolls) else None)
            for i, one in enumerate(state.contenders)
        ),
        opening_said=_opening(state, names),
    )


def _opening(state: OutbackState, names: Names) -> tuple[str, ...]:
    said = (
        [
            message(
                "Throw to see who starts: whoever has the most matching animals. Jokers do not count."
            )
        ]
        if state.start is None
        else []
    )
    if state.tied is not None:
        said.append(
            message(
                "{players:names} tie at {n} and throw again.",
                players=state.contenders,
                n=state.tied,
            )
        )
    return tuple(names.speaker.say(one) for one in said)


def _board(
    state: OutbackState, player: int, lays: tuple[moves.Place | moves.Lose, ...], names: Names
) -> ShownBoard:
    layout, own = state.layout, player == state.turn
    left, upper = _tracks(state, player, names)
    if layout is None:
        counted = tuple(_counted(state, player, row, names) for row in reversed(state.rows))
        return ShownBoard(state.players[player], player, own, 0, counted=counted, left=left, upper=upper)
    lying = state.boards[player].holds
    rows: list[tuple[int, tuple[ShownHex, ...]]] = []
    for row in reversed(layout.rows):
        spaces = sorted((one for one in layout.spaces if one.row == row), key=lambda one: one.x)
        shown = tuple(
            _hex(one, lying.get(one.name, ""), _lays(state, one.name, lays if own else (), names), names)
            for one in spaces
        )
        rows.append((row, shown))
    return ShownBoard(state.players[player], player, own, layout.across, tuple(rows), left=left, upper=upper)


def _tracks(state: OutbackState, player: int, names: Names) -> tuple[tuple[TrackSpace, ...], tuple[TrackSpace, ...]]:
    """The left track from −3 up and the upper one, with the player's markers."""
    tracks = state.tracks
    if tracks.left > LONGEST_TRACKS[0] or tracks.upper > LONGEST_TRACKS[1]:
        return (), ()
    markers = _markers(state, player, names)
    stops = [
        TrackSpace(value, tuple(one for one in markers if (one.value, one.upper) == (value, tracks.is_up(steps))))
        for steps, value in ((steps, tracks.value(steps)) for steps in range(tracks.end + 1))
    ]
    return tuple(stops[: tracks.left + 1]), tuple(stops[tracks.left + 1 :])


def _markers(state: OutbackState, player: int, names: Names) -> tuple[Marker, ...]:
    """A player's markers, in the order of ANIMALS."""
    steps, tracks = state.boards[player].markers, state.tracks
    return tuple(
        Marker(animal, names.of(animal), tracks.value(one), tracks.is_up(one), "does not count" in counted.rule)
        for animal, one, counted in zip(ANIMALS, steps, track_lines(steps, tracks), strict=True)
    )


def _hex(space: Space, held: str, lays: tuple[Lay, ...], names: Names) -> ShownHex:
    lost = held == plus.LOST
    name = names.of(held) if held and not lost else ""
    return ShownHex(space.name, space.row, space.x, "" if lost else held, name, lost, lays)


def _lays(
    state: OutbackState, space: str, lays: tuple[moves.Place | moves.Lose, ...], names: Names
) -> tuple[Lay, ...]:
    found: list[Lay] = []
    for move in lays:
        if move.space != space:
            continue
        written = json.dumps(plain(move))
        if isinstance(move, moves.Lose):
            found.append(Lay("", "", written, 0))
        else:
            assert state.layout is not None
            holds = {**state.boards[state.turn].holds, space: move.animal}
            points = len(state.layout.group(space, holds))
            found.append(Lay(move.animal, names.of(move.animal), written, points))
    return tuple(found)


def _counted(state: OutbackState, player: int, row: int, names: Names) -> ShownRow:
    board = state.boards[player]
    held = tuple(what for place, what in board.tiles if place == str(row))
    return ShownRow(
        row, tuple((one, "" if one == plus.LOST else names.of(one)) for one in held), state.size(row)
    )


def _row_lays(state: OutbackState, legal: tuple[object, ...], names: Names) -> tuple[RowLay, ...]:
    found: dict[tuple[str, int], RowLay] = {}
    for move in legal:
        if isinstance(move, moves.PlaceInRow):
            most, filled = (
                state.boards[state.turn].count(move.animal) + 1,
                state.fillable(state.turn, move.row),
            )
            found[move.animal, move.row] = RowLay(move.animal, names.of(move.animal), move.row, most, filled)
        elif isinstance(move, moves.LoseInRow):
            found["", move.row] = RowLay("", "", move.row, 0, state.fillable(state.turn, move.row))
    return tuple(found.values())


def _side(state: OutbackState, player: int, names: Names) -> OutbackSide:
    board = state.boards[player]
    return OutbackSide(
        state.players[player],
        _markers(state, player, names),
        len(board.bonus),
        board.count(plus.LOST),
        total(state, player),
        player == state.start,
    )


HEADINGS = {moves.Swap.kind: N_("Five matching animals"), moves.EndTurn.kind: N_("Finish")}
ON_BOARD = (moves.Place, moves.Lose, moves.PlaceInRow, moves.LoseInRow, moves.Tell, moves.TellEach)

BOARDS = {"outback": Maker(_made, partial(decisions, headings=HEADINGS, elsewhere=ON_BOARD))}

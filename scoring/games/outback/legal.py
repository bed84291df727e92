"""What Outback allows now, and why it does not allow something else: narrow errors that name the rule."""

from __future__ import annotations

from messages.message import message
from scoring.actions import Action, Hold, Play, refuse
from scoring.dice import within
from scoring.games.outback import state as moves
from scoring.games.outback.dice import ANIMALS, JOKER, jokers_used
from scoring.games.outback.plus import UNKNOWN
from scoring.games.outback.state import JEEP, THROWS, OutbackState
from scoring.games.outback.turn import missing_cost, needs_refill, open_groups

ROLLING = "rolling"
GETTING = "groups"
TAKING = "groups"
LOSING = "lost"
PRINTED = "lost-fields"
MOST_POINTS = 99
"""No tile prints more."""


def swappable(state: OutbackState) -> bool:
    """Whether five equal animals wait on the jeep and may be put back before the first throw."""
    ready = state.options.flag("jeep_swap") and not state.throws and state.start is not None
    return ready and not state.finished and len(state.jeep) == JEEP and len(set(state.jeep)) == 1


def placements(state: OutbackState) -> tuple[moves.Place | moves.PlaceInRow, ...]:
    """Every animal on every free space that the dice still allow."""
    player, spaces = state.turn, state.free_spaces(state.turn)
    found: list[moves.Place | moves.PlaceInRow] = []
    for animal, row in open_groups(state):
        if state.layout:
            found.extend(moves.Place(animal, space) for space in spaces if space[0] == str(row))
            continue
        biggest = state.boards[player].count(animal) + 1
        for group in range(1, biggest + 1):
            found.append(moves.PlaceInRow(animal, row, group))
            if state.fillable(player, row):
                found.append(moves.PlaceInRow(animal, row, group, "full"))
    return tuple(found)


def losses(state: OutbackState) -> tuple[moves.Lose | moves.LoseInRow, ...]:
    """Every space that can be lost."""
    spaces = state.free_spaces(state.turn)
    if state.layout:
        return tuple(moves.Lose(space) for space in spaces)
    open_rows = tuple(moves.LoseInRow(int(row)) for row in spaces)
    full_rows = tuple(
        moves.LoseInRow(int(row), "full") for row in spaces if state.fillable(state.turn, int(row))
    )
    return (*open_rows, *full_rows)


def check_move(state: OutbackState, action: Action) -> None:
    """Raise IllegalMoveError unless a decision that is awaited keeps to the rules."""
    if not isinstance(action, Play):
        return
    move = action.move
    telling = state.claiming or missing_cost(state) is not None
    if isinstance(move, moves.Tell) != bool(telling):
        refuse(
            "enter the points on the bonus tile first"
            if state.claiming
            else "enter what the blocked spaces cost first"
            if telling
            else "there are no points to enter now",
            PRINTED,
        )
    if isinstance(move, moves.TellEach) != state.values_missing:
        asked = state.values_missing
        refuse(
            "enter the values on the scoring tile first"
            if asked
            else "there are no tile values to enter now",
            PRINTED,
        )
    if isinstance(move, moves.Tell):
        if not 0 <= move.points <= MOST_POINTS:
            refuse(
                "enter points from 0 to {most}, not {points}",
                PRINTED,
                most=MOST_POINTS,
                points=move.points,
            )
    elif isinstance(move, moves.TellEach):
        _check_values(state, move)
    elif isinstance(move, moves.Swap):
        if not swappable(state):
            refuse(
                "you can swap the animals only before your first throw, and only if all five match",
                "house-jeep_swap",
            )
    elif state.rolling or needs_refill(state):
        refuse("throw the dice first", ROLLING)
    elif isinstance(move, (moves.Place, moves.PlaceInRow)):
        _check_place(state, move)
    elif isinstance(move, (moves.Lose, moves.LoseInRow)):
        _check_lose(state, move)
    elif isinstance(move, Hold):
        _check_hold(state, move)
    elif isinstance(move, moves.EndTurn) and not state.placed:
        refuse("you have not laid an animal yet; if you cannot, block a space after your third throw", LOSING)


def _check_hold(state: OutbackState, move: Hold) -> None:
    if state.placed:
        refuse("you have laid an animal, so you cannot throw again this turn", ROLLING)
    if state.throws == THROWS:
        refuse("you have used all three throws", ROLLING)
    if not within(move.keep, state.roll):
        refuse(
            "you can only hold dice on the table ({lying:row}), not {got:row}",
            ROLLING,
            lying=state.roll,
            got=move.keep[:12],
        )
    if len(move.keep) == len(state.roll):
        refuse("leave at least one die to throw", ROLLING)


def _check_place(state: OutbackState, move: moves.Place | moves.PlaceInRow) -> None:
    animal = move.animal
    if animal not in ANIMALS:
        refuse(
            "“{animal}” is not an animal; choose from {animals:row}",
            TAKING,
            animals=ANIMALS,
            animal=animal[:40],
        )
    row = _checked_row(state, move)
    if animal not in state.jeep:
        refuse("there is no {animal:face} on the jeep", ROLLING, animal=animal)
    groups = (*state.placed, (animal, row))
    if jokers_used(groups, state.roll) is None:
        rolled = tuple(face for face in (animal, JOKER) for lying in state.roll if lying == face)
        lack = message(
            "row {row} needs {row} dice: at least one {animal:face}, the rest {animal:face} or "
            "joker; you have {rolled:things}",
            row=row,
            animal=animal,
            rolled=rolled,
        )
        laid = tuple(f"{one}-in-row-{to}" for one, to in state.placed)
        refuse(message("{lack}; already laid: {laid:row}", lack=lack, laid=laid) if laid else lack, TAKING)
    most = state.boards[state.turn].count(animal) + 1
    if isinstance(move, moves.PlaceInRow) and not 1 <= move.group <= most:
        refuse(
            "enter a group size from 1 to {most}, not {group}",
            "scoring",
            most=most,
            group=move.group,
        )


def _check_lose(state: OutbackState, move: moves.Lose | moves.LoseInRow) -> None:
    if state.placed:
        refuse("you laid an animal this turn, so you do not block a space", LOSING)
    if state.throws < THROWS:
        refuse("you can only block a space after your third throw", LOSING)
    if open_groups(state) and not state.options.flag("may_pass"):
        animal, row = open_groups(state)[0]
        refuse(
            "you can still lay an animal: {animal:face} in row {row}",
            LOSING,
            animal=animal,
            row=row,
        )
    _checked_row(state, move)


def _checked_row(
    state: OutbackState, move: moves.Place | moves.Lose | moves.PlaceInRow | moves.LoseInRow
) -> int:
    """The label of the row a tile goes to, when there is room."""
    by_row = isinstance(move, (moves.PlaceInRow, moves.LoseInRow))
    if by_row and state.layout:
        refuse(
            "choose a space on the board, like {name}",
            "groups",
            name=state.layout.spaces[0].name,
        )
    space, free = str(move.row) if by_row else move.space, state.free_spaces(state.turn)
    if by_row and space not in free:
        refuse("row {row} has no free space; choose row {rows:maybe}", TAKING, row=space[:40], rows=free)
    if space not in free:
        refuse("{space} is not free; choose from {free:row}", TAKING, free=free, space=space[:40])
    if not by_row and not state.layout:
        refuse("enter a row and the size of the group: this match has no drawn board", "groups")
    if by_row and move.then == "full" and not state.fillable(state.turn, move.row):
        refuse(
            "row {row} cannot be full now: all boards are alike, and earlier tiles give row {row} "
            "another size",
            "groups",
            row=space,
        )
    return int(space[0])


def _check_values(state: OutbackState, move: moves.TellEach) -> None:
    fits = len(move.values) == len(ANIMALS) and all(0 <= value <= MOST_POINTS for value in move.values)
    if not fits:
        refuse(
            "enter five values from 0 to {most}, for {animals:row}",
            PRINTED,
            most=MOST_POINTS,
            animals=ANIMALS,
        )
    for animal, known, told in zip(ANIMALS, state.beside, move.values, strict=True):
        if known not in (UNKNOWN, told):
            refuse(
                "{animal:face} costs {known} on this scoring tile, not {told}",
                "lost-fields",
                animal=animal,
                known=known,
                told=told,
            )


def filled_in(state: OutbackState, value: int) -> tuple[int, ...]:
    """The values known of the scoring tile, and `value` for the others."""
    return tuple(value if known == UNKNOWN else known for known in state.beside)

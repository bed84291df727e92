"""What follows in Outback: throws, tiles laid and scored, bonus tiles, the turn's and the match's end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from messages.message import N_, Message, message
from scoring.account import Line, Score, Step, line
from scoring.actions import changed
from scoring.dice import Face, without
from scoring.games.outback import plus as plus
from scoring.games.outback import state as moves
from scoring.games.outback.dice import ANIMALS, FACES, JOKER, addable, biggest
from scoring.games.outback.state import JEEP, Board, OutbackState, start_count
from scoring.games.outback.tracks import BONUS_AT, lost_lines, track_lines
from scoring.layout import Layout

Turn = Step[OutbackState]


FULL = {
    "round": N_("{player:name}’s board is full. Play to the end of the round."),
    "each-full": N_("{player:name}’s board is full. The others play on."),
}
"""What is said of a full board, by when the match ends."""


def open_groups(state: OutbackState) -> tuple[tuple[Face, int], ...]:
    """Every animal and row that the dice still allow beside the tiles laid this turn."""
    rows = [row for row, room in state.free(state.turn).items() if room]
    return addable(state.roll, state.jeep, rows, state.placed)


def final_lines(state: OutbackState, player: int) -> tuple[Line, ...]:
    """A player's points if the match ended now: markers and blocked spaces; Plus tiles stay face down until the end."""
    board = state.boards[player]
    lines = list(track_lines(board.markers, state.tracks))
    tile, lost = state.scoring_tile or "none", board.count(plus.LOST)
    if tile == "none":
        lines.extend(lost_lines(lost))
    elif plus.needs_board(tile) and not state.layout:
        cost = state.costs[player] or 0
        if cost:
            rule = (
                "{n:count blocked~space blocked~spaces}, scoring tile {tile}: neighbouring "
                "animals, as entered"
            )
            lines.append(line(rule, -cost, "lost-fields", n=lost, tile=tile))
    else:
        values = tuple(max(value, 0) for value in state.beside)
        lines.extend(plus.lost_lines(tile, board.holds, state.layout, values))
    if state.variant.laid_out and state.finished:
        lines.extend(plus.tile_line(one, points) for one, points in board.bonus)
    return tuple(lines)


def total(state: OutbackState, player: int) -> int:
    """The sum of a player's points if the match ended now."""
    return sum(one.points for one in final_lines(state, player))


def refilled(state: OutbackState, tiles: tuple[Face, ...]) -> Turn:
    """Tiles come out of the bag onto the jeep."""
    unseen = tuple(number - tiles.count(animal) for animal, number in zip(ANIMALS, state.unseen, strict=True))
    after = replace(state, unseen=unseen, jeep=(*state.jeep, *tiles))
    opening = (
        (message(("Throw to see who starts: whoever has the most matching animals. Jokers do not count.")),)
        if state.start is None
        else ()
    )
    said = "New: {tiles:things}. On the jeep: {jeep:things}." if state.jeep else "On the jeep: {jeep:things}."
    return Step(after, (), (message(said, tiles=_ordered(tiles), jeep=_ordered(after.jeep)), *opening))


def swapped(state: OutbackState) -> Turn:
    """Five equal animals go back into the bag."""
    back = tuple(
        number + state.jeep.count(animal) for animal, number in zip(ANIMALS, state.unseen, strict=True)
    )
    said = message(
        "{player:name} puts five {animal:face} tiles back in the bag.",
        player=state.turn,
        animal=state.jeep[0],
    )
    return Step(replace(state, unseen=back, jeep=()), (), (said,))


def started(state: OutbackState, faces: tuple[Face, ...]) -> Turn:
    """A throw for the start marker; those who tie for the best throw again."""
    count = start_count(faces)
    rolls = (*state.start_rolls, count)
    said = [
        message(
            "{player:name} rolled {faces:things}. Matching animals: {n}.",
            player=state.turn,
            faces=_ordered(faces),
            n=count,
        )
    ]
    if len(rolls) < len(state.contenders):
        after = replace(state, turn=state.contenders[len(rolls)], start_rolls=rolls, roll=faces)
        return Step(after, (), tuple(said))
    both = zip(state.contenders, rolls, strict=True)
    best = [one for one, count in both if count == max(rolls)]
    after = replace(state, turn=best[0], contenders=tuple(best), start_rolls=(), tied=max(rolls), roll=faces)
    if len(best) > 1:
        said.append(message("{players:names} tie at {n} and throw again.", players=tuple(best), n=max(rolls)))
        return Step(after, (), tuple(said))
    said.append(
        message(
            "{player:name} has the most matching animals, {n}, and starts.",
            player=best[0],
            n=max(rolls),
        )
    )
    return Step(replace(after, start=best[0], contenders=(), tied=None, roll=()), (), tuple(said))


def thrown(state: OutbackState, faces: tuple[Face, ...]) -> Turn:
    """A throw of the turn comes to lie."""
    after = replace(state, throws=state.throws + 1, rolling=False, roll=faces, kept=())
    said: list[Message] = [
        message(
            "{player:name}, throw {throw}: {faces:things}.",
            player=state.turn,
            throw=after.throws,
            faces=_ordered(faces),
        )
    ]
    groups = open_groups(after)
    for animal in ANIMALS:
        if rows := tuple(str(row) for one, row in groups if one == animal):
            jokers = tuple(face for face in faces if face == JOKER)
            group = (
                "{animal:face}: {n:dice}, including {jokers:things}, for row {rows:maybe}."
                if jokers
                else "{animal:face}: {n:dice}, for row {rows:maybe}."
            )
            n = biggest(faces, animal)
            said.append(message(group, player=state.turn, animal=animal, n=n, jokers=jokers, rows=rows))
    if not groups:
        said.append(message("No animal from the jeep fits these dice and your free rows."))
    return Step(after, (), tuple(said))


def placed(state: OutbackState, move: moves.Place | moves.PlaceInRow) -> Turn:
    """A tile is laid, and its group scored on that animal's marker."""
    player, animal, (space, fills) = state.turn, move.animal, _where(move)
    row = int(space[0])
    board, layout = state.boards[player], state.layout
    tiles = (*board.tiles, (space, animal))
    group = move.group if isinstance(move, moves.PlaceInRow) else _group(layout, space, tiles)
    where = "scoring"
    rule = "{animal:face} in a group of {n}" if group > 1 else N_("{animal:face} on its own")
    lines = [line(rule, group, where, animal=animal, n=group)]
    bonus = board.bonus
    nth = sum(what == animal for _, what in tiles)
    if nth == BONUS_AT and not state.variant.laid_out:
        points = len(bonus) + 1
        bonus = (*bonus, (animal, points))
        rule = "third {animal:face}: bonus tile number {n}"
        lines.append(line(rule, points, "bonus", animal=animal, n=points))
    index = ANIMALS.index(animal)
    earned = sum(one.points for one in lines)
    old, new = board.markers[index], min(board.markers[index] + earned, state.tracks.end)
    if lost := old + earned - new:
        rule = "{animal:face} marker at the end of the track: the other points are lost"
        lines.append(line(rule, -lost, "track", animal=animal))
    after = replace(
        state,
        boards=changed(state.boards, player, Board(tiles, changed(board.markers, index, new), bonus)),
        jeep=without(state.jeep, (animal,)),
        placed=(*state.placed, (animal, row)),
    )
    if fills:
        after = _sized(after, player, row)
    tracks = state.tracks
    said = [
        message(
            "{player:name} lays {animal:a} in row {space}: {points:points}."
            if layout is None
            else "{player:name} lays {animal:a} on {space}: {points:points}.",
            player=player,
            animal=animal,
            space=space,
            points=group,
        ),
        message(
            "The {animal:face} marker moves from {old} to {new}.",
            animal=animal,
            old=tracks.value(old),
            new=tracks.value(new),
        ),
    ]
    if len(bonus) > len(board.bonus):
        said.insert(
            1,
            message(
                "{nth:nth} {animal:face}: bonus tile, {points:points}.",
                nth=nth,
                animal=animal,
                points=bonus[-1][1],
            ),
        )
    if tracks.is_up(new) and not tracks.is_up(old):
        said.append(
            message(
                "The marker is now on the upper track: it is worth {new:points} and always counts.",
                animal=animal,
                new=tracks.value(new),
            )
        )
    if not any(board.markers) and total(after, player) == total(state, player):
        said.append(
            message(
                "The total stays at {n}: on the left track only the three lowest markers count.",
                n=total(after, player),
            )
        )
    score = Score(player, new - old, total(after, player), tuple(lines))
    if open_groups(after):
        return Step(after, (score,), tuple(said))
    return followed(turn_ended(after), (score,), said)


def lost(state: OutbackState, move: moves.Lose | moves.LoseInRow) -> Turn:
    """An unseen tile is laid face down, and the turn is over."""
    player, board, (space, fills) = state.turn, state.boards[state.turn], _where(move)
    tiles = (*board.tiles, (space, plus.LOST))
    after = replace(state, boards=changed(state.boards, player, replace(board, tiles=tiles)))
    if fills:
        after = _sized(after, player, int(space[0]))
    said = message(
        "{player:name} blocks space {space}."
        if state.layout
        else "{player:name} blocks a space in row {space}.",
        player=player,
        space=space,
    )
    costs = plus.COST_EACH.get(state.scoring_tile or "none")
    priced = [message("That costs {n:points} at the end.", n=costs)] if costs else []
    return followed(turn_ended(after), (), [said, *priced])


def turn_ended(state: OutbackState) -> Turn:
    """In Plus, claim bonus tiles; then the next player's turn, or the end of the match."""
    player, said = state.turn, list[Message]()
    while state.variant.laid_out:
        board, tracks = state.boards[player], state.tracks
        open_tiles = plus.claimable(
            state.tiles or (),
            steps=board.markers,
            up=sum(tracks.is_up(steps) for steps in board.markers),
            placed=[what for _, what in board.tiles],
            full=state.full(player),
            full_rows=state.full_rows(player),
        )
        if not open_tiles:
            break
        tile = open_tiles[0]
        points = plus.points_of(tile, state.options)
        if points == plus.UNKNOWN:
            said.append(
                message(
                    "{player:name} wins the bonus tile “{tile:face}”. How many points does it show?",
                    player=player,
                    tile=tile,
                )
            )
            return Step(replace(state, claiming=tile), (), tuple(said))
        state = claimed(state, tile, points)
        said.append(
            message(
                "{player:name} wins the bonus tile “{tile:face}”: {points:points}.",
                player=player,
                tile=tile,
                points=points,
            )
        )
    return followed(_passed(state), (), said)


def claimed(state: OutbackState, tile: str, points: int) -> OutbackState:
    """The player on turn takes a Plus tile."""
    board = state.boards[state.turn]
    boards = changed(state.boards, state.turn, replace(board, bonus=(*board.bonus, (tile, points))))
    left = without(state.tiles or (), (tile,))
    return replace(state, boards=boards, tiles=left, claiming=None)


def finished(state: OutbackState) -> Turn:
    """After the last turn, with everything told: the count, player by player."""
    if missing_cost(state) is not None:
        return Step(state)
    scores: list[Score] = []
    said: list[Message] = []
    for player in range(len(state.players)):
        lines = final_lines(state, player)
        points = sum(one.points for one in lines)
        scores.append(Score(player, points, points, lines))
        said.append(message("{player:name} ends with {points:points}.", player=player, points=points))
        board = state.boards[player]
        dropped = [
            dict(one.values)["animal"] for one in lines[: len(ANIMALS)] if one.rule.count("does not count")
        ]
        animals = tuple(str(animal) for animal in dropped)
        if animals:
            said.append(
                message(
                    "Markers that do not count for {player:name}: {animals:faces}.",
                    player=player,
                    animals=animals,
                )
            )
        if n := board.count(plus.LOST):
            said.append(
                message("{player:name} has {n:count blocked~space blocked~spaces}.", player=player, n=n)
            )
        if state.variant.laid_out and board.bonus:
            won = sum(points for _, points in board.bonus)
            said.append(
                message(
                    "{player:name} reveals bonus tiles ({tiles:faces}): {points:points}.",
                    player=player,
                    tiles=tuple((tile for tile, _ in board.bonus)),
                    points=won,
                )
            )
    return Step(state, tuple(scores), tuple(said))


def missing_cost(state: OutbackState) -> int | None:
    """The first player who must still say what their lost fields cost, after the last turn."""
    if not state.finished or state.layout or not plus.needs_board(state.scoring_tile or "none"):
        return None
    for player, board in enumerate(state.boards):
        if board.count(plus.LOST) and state.costs[player] is None:
            return player
    return None


def followed(step: Turn, scores: Sequence[Score], said: Sequence[Message]) -> Turn:
    """A step with what came before it."""
    return Step(step.state, (*scores, *step.scores), (*said, *step.facts))


def _group(layout: Layout | None, space: str, tiles: tuple[tuple[str, str], ...]) -> int:
    assert layout is not None
    return len(layout.group(space, dict(tiles)))


def _where(move: moves.Place | moves.Lose | moves.PlaceInRow | moves.LoseInRow) -> tuple[str, bool]:
    """The space, or the row as text, and whether the row was said to be full now."""
    if isinstance(move, (moves.PlaceInRow, moves.LoseInRow)):
        return str(move.row), move.then == "full"
    return move.space, False


def _ordered(faces: tuple[Face, ...]) -> tuple[Face, ...]:
    return tuple(sorted(faces, key=FACES.index))


def _sized(state: OutbackState, player: int, row: int) -> OutbackState:
    """The row is full, and so everybody knows how many spaces it has."""
    size = state.boards[player].in_row(row)
    return replace(state, sizes=changed(state.sizes, state.rows.index(row), size))


def _passed(state: OutbackState) -> Turn:
    players = len(state.players)
    ending = state.ending or state.full(state.turn)
    fresh = replace(state, ending=ending, throws=0, rolling=True, roll=(), kept=(), placed=())
    said: list[Message] = []
    if ending and not state.ending:
        said.append(message(FULL[state.options.text("end")], player=state.turn))
    each = state.options.text("end") == "each-full"
    order = [(state.turn + i) % players for i in range(1, players + 1)]
    if each:
        left = [player for player in order if not state.full(player)]
        if not left:
            return followed(finished(replace(fresh, finished=True)), (), said)
        return Step(replace(fresh, turn=left[0]), (), tuple(said))
    if ending and order[0] == state.start:
        return followed(finished(replace(fresh, finished=True)), (), said)
    return Step(replace(fresh, turn=order[0]), (), tuple(said))


def needs_refill(state: OutbackState) -> int:
    """How many tiles are to come onto the jeep before the turn begins; none if the bag is empty."""
    if state.throws or state.finished:
        return 0
    return min(JEEP - len(state.jeep), state.in_bag)

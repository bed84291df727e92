"""The board of a game file without boxes: the round, what the turn brings so far, and the race to the goal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from scoring.actions import Play, Stand
from scoring.gamefile.game import FileGame, FileGameState
from scoring.match import Match
from scoring.view import Panel
from web.boards.race import Race, race_to
from web.boards.record import Group, Maker, Names, decisions


@dataclass(frozen=True, slots=True)
class RunningTotal:
    """How far a match is, and what lies on the table."""

    round: int
    """The current round, from 1; 0 if a match has no rounds."""
    rounds: int
    """Number of rounds of a match; 0 if it has none."""
    race: Race | None
    """Everyone's progress towards the points that end the match; None if no points do, or if few points win."""
    goal: int
    """The points that end the match if few points win; 0 if no points do."""
    turn: int | None
    """What the turn brings if it ends now; None if it cannot."""
    panels: tuple[Panel, ...]
    """What it brings so far, line by line."""


def _made(match: Match, names: Names) -> RunningTotal:
    game, state = cast("FileGame", match.game), cast("FileGameState", match.state)
    rounds, goal = game.rounds(state), game.goal(state)
    race = race_to(goal, match, names) if goal and not game.lowest_wins else None
    played = min(state.turns[player] for player in game.playing(state) or range(len(state.players)))
    return RunningTotal(
        min(played + 1, rounds), rounds, race, goal if race is None else 0, _worth(match, state.turn),
        names.panels(match.view),
    )  # fmt: skip


def _groups(match: Match, player: int, names: Names) -> tuple[Group, ...]:
    """Every decision; beside the one that ends the turn what it brings."""
    return tuple(
        replace(group, choices=tuple(replace(one, detail=str(points)) for one in group.choices))
        if group.kind == Stand.kind and (points := _worth(match, player)) is not None
        else group
        for group in decisions(match, player, names)
    )


def _worth(match: Match, player: int) -> int | None:
    """What the turn brings if it ends now; None if it cannot."""
    if not any(isinstance(move, Stand) for move in match.legal):
        return None
    scores = match.add(Play(player, Stand())).played[-1].step.scores
    return next((one.points for one in scores if one.player == player), None)


BOARDS = {"running-total": Maker(_made, _groups)}

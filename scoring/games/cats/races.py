"""What Triples and Called Shot share: three dice in turn, points added up, first to the target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from messages.message import Message, message
from scoring.account import Line, Outcome, Score, Step
from scoring.actions import Awaited, Roll, RollAwaited, Seated, changed
from scoring.dice import Dice, Face
from scoring.game import Game
from scoring.games.cats import cat_dice
from scoring.options import Options
from scoring.view import TableView, seats


@dataclass(frozen=True, slots=True)
class RaceState:
    """Points so far, whose turn it is, and the last roll."""

    players: tuple[str, ...]
    options: Options
    points: tuple[int, ...]
    turn: int = 0
    roll: tuple[Face, ...] = ()


R = TypeVar("R", bound=RaceState)


class RaceGame(Game[R]):
    """A race of rolls of three dice; the next player rolls after each."""

    dice: ClassVar[Dice] = cat_dice.dice(3)
    seats: ClassVar[tuple[int, int]] = (1, 12)

    def awaits(self, state: R) -> tuple[Awaited, ...]:
        """Always a roll."""
        if self.outcome(state):
            return ()
        return (RollAwaited(state.turn, self.dice.count, self.dice.faces),)

    def scored(self, state: R, roll: Roll, reason: Line, *facts: Message, **changes: Any) -> Step[R]:
        """The roll's points to whoever is on turn, and the dice passed on; `facts` are said before the points."""
        following = (state.turn + 1) % len(state.players)
        step = gained(state, state.turn, (reason,), turn=following, roll=roll.faces, **changes)
        rolled = message("{player:name} rolled {faces:faces}.", player=state.turn, faces=roll.faces)
        return replace(step, facts=(rolled, *facts, *step.facts))

    def outcome(self, state: R) -> Outcome | None:
        """First to the target, at once unless the round is to be finished."""
        options = state.options
        return cat_dice.race(
            state.points, options.number("target"), state.turn == 0, options.flag("finish_round")
        )

    def table(self, state: R) -> TableView:
        """Points and the last roll."""
        over = self.outcome(state) is not None
        shown = seats(state.players, state.points, () if over else (state.turn,))
        return TableView(shown, state.roll)

    def rarest(self, state: R, faces: tuple[Face, ...]) -> Message | None:
        """All dice alike."""
        return message("A triple!") if len(set(faces)) == 1 else None

    def reseat(self, state: R, change: Seated) -> R:
        """Newcomers begin without points."""
        turn = change.turn(state.turn, begun=False)
        return replace(state, points=change.carried(state.points, 0), turn=turn)


def gained(state: Any, player: int, lines: tuple[Line, ...], **changes: Any) -> Step[Any]:
    """The step that adds the points of a breakdown to a player's, says so, and changes what else there is to change."""
    points = sum(one.points for one in lines)
    total = state.points[player] + points
    said = message(
        "{player:name} scores {points:points}, {total} in all.", player=player, points=points, total=total
    )
    after = replace(state, points=changed(state.points, player, total), **changes)
    return Step(after, (Score(player, points, total, lines),), (said,))

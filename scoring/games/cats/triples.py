"""Triples: three cat dice, two points for a pair and six for a triple; first to 25 (RULINGS 3.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import message
from scoring.account import Line, Outcome, Score, ScoredRoll, Step, line
from scoring.actions import Action, Awaited, Family, Move, Roll, RollAwaited, Seated, changed
from scoring.dice import Dice, Face
from scoring.game import Added, Game
from scoring.games.cats import cat_dice
from scoring.options import Option, Options
from scoring.view import TableView


def breakdown(faces: tuple[Face, ...]) -> Line:
    """The column Triples of the score table."""
    pair = cat_dice.paired(faces)
    if pair is None:
        return line("three different faces", 0, "cat-dice, Triples")
    if faces.count(pair) == 3:
        return line("a triple of {face:face}", 6, "cat-dice, Triples", face=pair)
    return line("a pair of {face:face}", 2, "cat-dice, Triples", face=pair)


@dataclass(frozen=True, slots=True)
class TriplesState:
    """Points so far, whose turn it is, and the last roll."""

    players: tuple[str, ...]
    options: Options
    points: tuple[int, ...]
    turn: int = 0
    roll: tuple[Face, ...] = ()


class Triples(Game[TriplesState]):
    """Roll, score, pass the dice."""

    id: ClassVar[str] = "triples"
    title: ClassVar[str] = "Triples"
    blurb: ClassVar[str] = "Roll, score, pass the dice: the quickest of the cat games."
    board: ClassVar[str] = "triples"
    dice: ClassVar[Dice] = cat_dice.dice(3)
    seats: ClassVar[tuple[int, int]] = (1, 12)
    options: ClassVar[tuple[Option, ...]] = (cat_dice.target(25, "cat-dice, Triples"), cat_dice.FINISH_ROUND)
    moves: ClassVar[tuple[type[Move], ...]] = ()

    def start(self, players: tuple[str, ...], options: Options) -> TriplesState:
        """Nobody has a point."""
        return TriplesState(players, options, (0,) * len(players))

    def awaits(self, state: TriplesState) -> tuple[Awaited, ...]:
        """Always a roll."""
        if self.outcome(state):
            return ()
        return (RollAwaited(state.turn, self.dice.count, self.dice.faces),)

    def legal_moves(self, state: TriplesState, player: int) -> tuple[Move | Family, ...]:
        """There is nothing to decide."""
        return ()

    def check(self, state: TriplesState, action: Action) -> None:
        """Any three dice will do."""

    def advance(self, state: TriplesState, action: Action) -> Step[TriplesState]:
        """Score the roll and pass the dice."""
        assert isinstance(action, Roll)
        player = state.turn
        reason = breakdown(action.faces)
        total = state.points[player] + reason.points
        after = replace(
            state,
            points=changed(state.points, player, total),
            turn=(player + 1) % len(state.players),
            roll=action.faces,
        )
        facts = (
            message("{player:name} rolled {faces:faces}.", player=player, faces=action.faces),
            message(
                "{player:name} scores {points:points}, {total} in all.",
                player=player,
                points=reason.points,
                total=total,
            ),
        )
        return Step(after, (Score(player, reason.points, total, (reason,)),), facts)

    def outcome(self, state: TriplesState) -> Outcome | None:
        """First to the target, at once unless the round is to be finished."""
        options = state.options
        return cat_dice.race(
            state.points, options.number("target"), state.turn == 0, options.flag("finish_round")
        )

    def table(self, state: TriplesState) -> TableView:
        """Points and the last roll."""
        over = self.outcome(state) is not None
        turn = None if over else state.turn
        return TableView(
            "over" if over else "roll", cat_dice.seats(state.players, state.points, turn), state.roll
        )

    def reseat(self, state: TriplesState, change: Seated) -> TriplesState:
        """Newcomers begin without points."""
        turn = change.turn(state.turn, begun=False)
        return replace(state, points=change.carried(state.points, 0), turn=turn)

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """A pair, a triple or nothing."""
        reason = breakdown(faces)
        return ScoredRoll(reason.points, breakdown=(reason,))

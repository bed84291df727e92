"""Called Shot: declare, roll three cat dice, score by the table; first to 25 (cat-dice, RULINGS 3.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from messages.message import Message, message
from scoring.account import Line, ScoredRoll, Step, line
from scoring.actions import Action, Awaited, Declare, Family, Move, MoveAwaited, Play, Roll, Seated
from scoring.dice import Face
from scoring.game import Added
from scoring.games.cats import cat_dice
from scoring.games.cats.races import RaceGame, RaceState
from scoring.options import Option, Options

DECLARATIONS = tuple(cat_dice.GROUPS)

ROWS = ("triple", "pair/all", "pair/only", "single/all", "single/two", "single/only", "nothing")
"""The rows of the score table."""


def payoff(declared: str, faces: tuple[Face, ...]) -> tuple[str, int]:
    """The row of the score table that a roll of three meets, and its points.

    "Pair" is always a pair of a declared face; the sums of 216 prove it (RULINGS 3.4).
    """
    group = cat_dice.GROUPS[declared]
    inside = sum(face in group for face in faces)
    pair = cat_dice.paired(faces)
    if declared in cat_dice.FACES:
        return (("nothing", 0), ("single/only", 1), ("pair/only", 8), ("triple", 21))[inside]
    if pair and pair in group:
        if faces.count(pair) == 3:
            return "triple", {"family": 9, "no-family": 21, "cats": 10}.get(declared, 7)
        table = {"family": (3, 2), "no-family": (5, 5), "cats": (1, 1), "no-cats": (1, 1)}
        with_odd, without_odd = table.get(declared, (2, 0))
        return ("pair/all", with_odd) if inside == 3 else ("pair/only", without_odd)
    if inside == 3:
        return "single/all", 25 if declared == "no-cats" else 1
    row = ("nothing", "single/only", "single/two")[inside]
    paid = (declared == "cats" and inside > 0) or (declared == "no-family" and inside == 2)
    return row, int(paid)


def breakdown(declared: str, faces: tuple[Face, ...]) -> Line:
    """The row that applies, as the one line of the breakdown."""
    row, points = payoff(declared, faces)
    return line(
        "{declared:face}: {row:face}"
        if points or row == "nothing"
        else "{declared:face}: {row:face}, which is not enough",
        points,
        "scoring",
        declared=declared,
        row=row,
    )


@dataclass(frozen=True, slots=True)
class CalledShotState(RaceState):
    """What whoever is on turn declared, beside the race."""

    declared: str | None = None


class CalledShot(RaceGame[CalledShotState]):
    """Declare a goal; the roll decides what it is worth."""

    id: ClassVar[str] = "called-shot"
    title: ClassVar[str] = "Called Shot"
    blurb: ClassVar[str] = "Call what you will roll, then throw: the dice decide what your call is worth."
    minutes: ClassVar[int] = 10
    showcase: ClassVar[tuple[Face, ...]] = ("sigil", "sigil", "thoromyr")
    board: ClassVar[str] = "called-shot"
    names: ClassVar[tuple[str, ...]] = ROWS
    options: ClassVar[tuple[Option, ...]] = (
        cat_dice.target(25, "RULINGS 3.4"),
        cat_dice.FINISH_ROUND,
    )
    declarations: ClassVar[tuple[str, ...]] = DECLARATIONS
    moves: ClassVar[tuple[type[Move], ...]] = (Declare,)

    def start(self, players: tuple[str, ...], options: Options) -> CalledShotState:
        """Nobody has a point; the first player declares."""
        return CalledShotState(players, options, (0,) * len(players))

    def awaits(self, state: CalledShotState) -> tuple[Awaited, ...]:
        """A declaration, then a roll."""
        awaited = super().awaits(state)
        if awaited and state.declared is None:
            return (MoveAwaited((state.turn,), "make your call"),)
        return awaited

    def legal_moves(self, state: CalledShotState, player: int) -> tuple[Move | Family, ...]:
        """Every declaration, before the roll."""
        if self.outcome(state) or player != state.turn or state.declared is not None:
            return ()
        return tuple(Declare(declaration) for declaration in DECLARATIONS)

    def check(self, state: CalledShotState, action: Action) -> None:
        """A declaration must be one of the table's columns."""
        if isinstance(action, Play) and isinstance(action.move, Declare):
            cat_dice.check_declaration(action.move.declaration, DECLARATIONS, "calling")

    def advance(self, state: CalledShotState, action: Action) -> Step[CalledShotState]:
        """Lock the declaration; or score the roll and pass the dice."""
        if isinstance(action, Play) and isinstance(action.move, Declare):
            declared = action.move.declaration
            said = message(
                "{player:name} calls “{declaration:face}”.", player=state.turn, declaration=declared
            )
            return Step(replace(state, declared=declared), (), (said,))
        assert isinstance(action, Roll)
        assert state.declared is not None
        reason = breakdown(state.declared, action.faces)
        met = message("{reason}.", reason=reason.reason)
        return self.scored(state, action, reason, met, declared=None)

    def rarest(self, state: CalledShotState, faces: tuple[Face, ...]) -> Message | None:
        """All dice alike, and called."""
        called = state.declared and payoff(state.declared, faces)[0] == "triple"
        return super().rarest(state, faces) if called else None

    def reseat(self, state: CalledShotState, change: Seated) -> CalledShotState:
        """Newcomers begin without points; a declaration stands while its player stays."""
        return replace(
            state,
            points=change.carried(state.points, 0),
            turn=change.turn(state.turn, begun=state.declared is not None),
            declared=None if change.now(state.turn) is None else state.declared,
            roll=(),
        )

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The row that applies."""
        assert declared is not None
        reason = breakdown(declared, faces)
        return ScoredRoll(reason.points, breakdown=(reason,))

"""Triples: three cat dice, two points for a pair and six for a triple; first to 25 (RULINGS 3.3)."""

from __future__ import annotations

from typing import ClassVar

from messages.message import message
from scoring.account import Line, ScoredRoll, Step, line
from scoring.actions import Action, Move, Roll
from scoring.dice import Face
from scoring.game import Added
from scoring.games.cats import cat_dice
from scoring.games.cats.races import RaceGame, RaceState
from scoring.options import Option, Options


def breakdown(faces: tuple[Face, ...]) -> Line:
    """The column Triples of the score table."""
    pair = cat_dice.paired(faces)
    if pair is None:
        return line("three different faces", 0, "scoring")
    if faces.count(pair) == 3:
        return line("{face:face} triple", 6, "scoring", face=pair)
    return line("{face:face} pair", 2, "scoring", face=pair)


class Triples(RaceGame[RaceState]):
    """Roll, score, pass the dice."""

    id: ClassVar[str] = "triples"
    title: ClassVar[str] = "Triples"
    blurb: ClassVar[str] = "Throw, score, pass the dice: the fastest of the cat games."
    minutes: ClassVar[int] = 5
    showcase: ClassVar[tuple[Face, ...]] = ("cat", "cat", "cat")
    board: ClassVar[str] = "triples"
    options: ClassVar[tuple[Option, ...]] = (cat_dice.target(25, "RULINGS 3.3"), cat_dice.FINISH_ROUND)
    moves: ClassVar[tuple[type[Move], ...]] = ()

    def start(self, players: tuple[str, ...], options: Options) -> RaceState:
        """Nobody has a point."""
        return RaceState(players, options, (0,) * len(players))

    def advance(self, state: RaceState, action: Action) -> Step[RaceState]:
        """Score the roll and pass the dice."""
        assert isinstance(action, Roll)
        reason = breakdown(action.faces)
        told = () if self.rarest(state, action.faces) else (message("{why}.", why=reason.reason),)
        return self.scored(state, action, reason, *told)

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """A pair, a triple or nothing."""
        reason = breakdown(faces)
        return ScoredRoll(reason.points, breakdown=(reason,))

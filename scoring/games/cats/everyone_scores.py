"""Everyone Scores: a hand of five cat dice each round, points by its rank; to 100 (RULINGS 3.6)."""

from __future__ import annotations

from typing import ClassVar

from scoring.account import Line, ScoredRoll, Step, line
from scoring.dice import Face
from scoring.game import Added
from scoring.games.cats import cat_dice
from scoring.games.cats.five_dice import (
    REROLL,
    REROLLED_FROM,
    Hand,
    HandsGame,
    HandsState,
    Turn,
    scored_hand,
)
from scoring.games.cats.races import gained
from scoring.options import Option, Options

POINTS = dict(zip(cat_dice.HANDS, (1, 2, 3, 5, 12, 24, 600), strict=True))
"""What each hand scores; over all rolls each rank brings the same 3600 (RULINGS 3.1)."""


def breakdown(hand: Hand) -> Line:
    """The row of the table that the hand stands in; a re-roll that did not improve scores nothing."""
    if hand.failed:
        rule = "{hand:face}, no better than {before:face} before throwing again: no points"
        return line(rule, 0, "reroll", hand=hand.name, before=hand.before or "")
    return line("{hand:face}", POINTS[hand.name], "hands", hand=hand.name)


class EveryoneScores(HandsGame):
    """Every hand scores points by its rank."""

    id: ClassVar[str] = "everyone-scores"
    title: ClassVar[str] = "Everyone Scores"
    blurb: ClassVar[str] = (
        "Every throw scores. Throw five dice: the rarer your hand, the more points you get."
    )
    minutes: ClassVar[int] = 10
    showcase: ClassVar[tuple[Face, ...]] = ("cat", "two-cats", "sigil", "manticore", "dd")
    options: ClassVar[tuple[Option, ...]] = (
        cat_dice.target(100, "RULINGS 3.6"),
        REROLL,
        cat_dice.TIE,
    )
    circumstances: ClassVar[tuple[Option, ...]] = (REROLLED_FROM,)

    def finished(self, state: HandsState, hands: tuple[Hand, ...]) -> Step[HandsState]:
        """Score the hand, and pass the dice."""
        player, over = state.turn.player, len(hands) == len(state.players)
        return gained(
            state,
            player,
            (breakdown(hands[-1]),),
            turn=Turn((player + 1) % len(state.players)),
            hands=() if over else hands,
            last=hands if over else state.last,
        )

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The hand's points."""
        hand = scored_hand(faces, told)
        reason = breakdown(hand)
        return ScoredRoll(reason.points, rank=hand.name, breakdown=(reason,))

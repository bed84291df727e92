"""Quintuples: a hand of five cat dice each; a point for every player beaten (cat-dice, RULINGS 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from messages.message import message
from scoring.account import Line, Score, ScoredRoll, Step, line
from scoring.dice import Face, named
from scoring.game import Added
from scoring.games.cats import cat_dice
from scoring.games.cats.five_dice import REROLL, REROLLED_FROM, Hand, HandsGame, HandsState, Turn, scored_hand
from scoring.options import Option, Options

NO_RANK = -1
"""Beneath every hand."""

OPTIONS = (
    Option(
        "target",
        0,
        "The score that ends the game. 0 means five points for each player beyond the first.",
        "RULINGS 3.5",
        title="Points to reach",
        zero="5 for each other player",
    ),
    REROLL,
    Option(
        "failed_reroll_rank",
        "table",
        "A second throw was no better: do the others compare with the hand on the table, with the "
        "hand before it, or with nothing, so that everyone beats it?",
        "RULINGS 3.7 Q5",
        values=("table", "before", "nothing"),
        title="When a second throw is no better",
        answers=("the hand on the table", "the hand before", "nothing"),
    ),
    cat_dice.TIE,
)


def standing(hand: Hand, failed_rank: str) -> int:
    """The rank others compare with."""
    if not hand.failed or failed_rank == "table":
        return cat_dice.rank(hand.name)
    return cat_dice.rank(hand.before) if failed_rank == "before" and hand.before else NO_RANK


def beaten(hands: Sequence[Hand], failed_rank: str) -> tuple[int, ...]:
    """For each hand, how many it beats: those of strictly lower rank. A failed re-roll beats none."""
    ranks = [standing(hand, failed_rank) for hand in hands]
    return tuple(
        0 if hand.failed else sum(other < own for other in ranks)
        for hand, own in zip(hands, ranks, strict=True)
    )


def breakdown(hand: Hand, points: int) -> Line:
    """One point for each player beaten."""
    if hand.failed:
        return line("{hand:face}: the second throw is no better", 0, "reroll", hand=hand.name)
    if not points:
        return line("{hand:face} beats nobody", 0, "scoring", hand=hand.name)
    return line("{hand:face} beats {n:count player players}", points, "scoring", hand=hand.name, n=points)


class Quintuples(HandsGame):
    """All roll, all compare."""

    id: ClassVar[str] = "quintuples"
    title: ClassVar[str] = "Quintuples"
    blurb: ClassVar[str] = "Everyone throws five dice. You score a point for every player you beat."
    minutes: ClassVar[int] = 5
    showcase: ClassVar[tuple[Face, ...]] = ("manticore",) * 5
    seats: ClassVar[tuple[int, int]] = (2, 12)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    circumstances: ClassVar[tuple[Option, ...]] = (
        Option("others", "", "The other players' hands, by name, parted by commas.", "RULINGS 3.5"),
        REROLLED_FROM,
    )

    def target(self, state: HandsState) -> int:
        """Five points for each player beyond the first, unless the table chose."""
        return state.options.number("target") or 5 * (len(state.players) - 1)

    def finished(self, state: HandsState, hands: tuple[Hand, ...]) -> Step[HandsState]:
        """Pass the dice; after the last hand of the round, compare."""
        if len(hands) < len(state.players):
            return Step(replace(state, turn=Turn(state.turn.player + 1), hands=hands))
        beat = beaten(hands, state.options.text("failed_reroll_rank"))
        points = tuple(old + new for old, new in zip(state.points, beat, strict=True))
        scores = tuple(
            Score(player, new, points[player], (breakdown(hands[player], new),))
            for player, new in enumerate(beat)
        )
        said = tuple(
            message(
                "{player:name}’s {hand:face} beats {n:count player players}: {total:points} in all."
                if new
                else "{player:name}’s {hand:face} beats nobody: still {total:points}.",
                player=player,
                hand=hands[player].name,
                n=new,
                total=points[player],
            )
            for player, new in enumerate(beat)
        )
        return Step(replace(state, points=points, turn=Turn(), hands=(), last=hands), scores, said)

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The hand, and, when the others' hands are told, how many of them it beats."""
        hand = scored_hand(faces, told)
        names = [word for word in told.text("others").split(",") if word.strip()]
        if not names:
            if hand.failed:
                return ScoredRoll(0, rank=hand.name, breakdown=(breakdown(hand, 0),))
            ranked = line(
                "{hand:face}: one point for each player with a lower hand", 0, "scoring", hand=hand.name
            )
            return ScoredRoll(None, rank=hand.name, breakdown=(ranked,))
        ranks = [cat_dice.rank(named(name, cat_dice.HANDS, "a hand of five")) for name in names]
        points = 0 if hand.failed else sum(other < cat_dice.rank(hand.name) for other in ranks)
        return ScoredRoll(points, rank=hand.name, breakdown=(breakdown(hand, points),))

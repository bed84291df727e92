"""Everyone Scores: a hand of five cat dice each round, points by its rank; to 100 (RULINGS 3.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from messages.message import message
from scoring.account import Line, Outcome, Score, ScoredRoll, Step, line
from scoring.actions import Action, Draw, Hold, Move, Seated, Stand, changed
from scoring.dice import Dice, Face
from scoring.game import Added
from scoring.games.cats import cat_dice
from scoring.games.cats.five_dice import (
    DICE,
    REROLL,
    REROLLED_FROM,
    WHERE,
    Hand,
    HandsGame,
    HandsState,
    Turn,
    dice_on_table,
    scored_hand,
)
from scoring.options import Option, Options
from scoring.view import Panel, TableView

POINTS = dict(zip(cat_dice.HANDS, (1, 2, 3, 5, 12, 24, 600), strict=True))
"""What each hand scores; over all rolls each rank brings the same 3600 (RULINGS 3.1)."""


def breakdown(hand: Hand) -> Line:
    """The row of the table that the hand stands in; a re-roll that did not improve scores nothing."""
    if hand.failed:
        rule = "{hand:face} after a re-roll from {before:face}: no improvement, no points"
        return line(rule, 0, WHERE, hand=hand.name, before=hand.before or "")
    return line("{hand:face}", POINTS[hand.name], "cat-dice, Everyone Scores, table", hand=hand.name)


class EveryoneScores(HandsGame[HandsState]):
    """Nobody rolls nothing."""

    id: ClassVar[str] = "everyone-scores"
    title: ClassVar[str] = "Everyone Scores"
    blurb: ClassVar[str] = "Nobody rolls nothing: each roll brings points to somebody."
    board: ClassVar[str] = "hands"
    names: ClassVar[tuple[str, ...]] = cat_dice.HANDS
    dice: ClassVar[Dice] = DICE
    seats: ClassVar[tuple[int, int]] = (1, 12)
    options: ClassVar[tuple[Option, ...]] = (
        cat_dice.target(100, "cat-dice, Everyone Scores (a short game: 20)"),
        REROLL,
        cat_dice.TIE,
    )
    circumstances: ClassVar[tuple[Option, ...]] = (REROLLED_FROM,)
    moves: ClassVar[tuple[type[Move], ...]] = (Stand, Hold)

    def start(self, players: tuple[str, ...], options: Options) -> HandsState:
        """Nobody has a point."""
        return HandsState(players, options, (0,) * len(players))

    def advance(self, state: HandsState, action: Action) -> Step[HandsState]:
        """Score a hand once it is final, and pass the dice."""
        assert not isinstance(action, Draw)
        player = state.turn.player
        turn, hand, facts = state.turn.after(action, state.options.flag("reroll"))
        if hand is None:
            return Step(replace(state, turn=turn), (), facts)
        reason = breakdown(hand)
        total = state.points[player] + reason.points
        hands = (*state.hands, hand)
        over = len(hands) == len(state.players)
        after = replace(
            state,
            points=changed(state.points, player, total),
            turn=Turn((player + 1) % len(state.players)),
            hands=() if over else hands,
            last=hands if over else state.last,
        )
        said = (
            *facts,
            *(
                (message("The re-roll did not improve the hand: no points this round."),)
                if hand.failed
                else ()
            ),
        )
        scored = message(
            "{player:name} scores {points:points}, {total} in all.",
            player=player,
            points=reason.points,
            total=total,
        )
        return Step(after, (Score(player, reason.points, total, (reason,)),), (*said, scored))

    def outcome(self, state: HandsState) -> Outcome | None:
        """The best score after the round in which someone reached the target."""
        options = state.options
        at_round_end = not state.hands and state.turn == Turn()
        return cat_dice.best_of_rounds(
            state.points, options.number("target"), at_round_end, options.text("tie")
        )

    def table(self, state: HandsState) -> TableView:
        """Points, and the hands of the round."""
        over = self.outcome(state) is not None
        seats = cat_dice.seats(state.players, state.points, None if over else state.turn.player)
        rows = tuple((state.players[i], hand.name) for i, hand in enumerate(state.hands or state.last))
        panels = (Panel("Hands", ("player", "hand"), rows),) if rows else ()
        dice = dice_on_table(state.turn, state.hands, state.last)
        return TableView("over" if over else "roll", seats, dice, state.turn.kept or (), panels)

    def reseat(self, state: HandsState, change: Seated) -> HandsState:
        """Newcomers begin without points, at the beginning of a round: its hands are compared."""
        change.between_rounds(not state.hands and state.turn == Turn())
        return replace(state, points=change.carried(state.points, 0), last=())

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The hand's points."""
        hand = scored_hand(faces, told)
        reason = breakdown(hand)
        return ScoredRoll(reason.points, rank=hand.name, breakdown=(reason,))

"""What Quintuples and Everyone Scores share: each player's hand of five, and the one re-roll."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeVar

from messages.message import Message, message
from scoring.actions import (
    Action,
    Awaited,
    Family,
    Hold,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    Stand,
    refuse,
)
from scoring.dice import Face, choices, within, without
from scoring.game import Game
from scoring.games.cats import cat_dice
from scoring.options import Option, OptionError, Options

DICE = cat_dice.dice(5)

WHERE = "cat-dice, Re-Rolls"

REROLL = Option(
    "reroll",
    False,
    "Whether, by agreement, some or all dice may be rolled once more to improve the hand.",
    "RULINGS 3.6, 3.7 Q5",
    title="Rolling once more",
)


REROLLED_FROM = Option(
    "rerolled_from",
    "",
    "The hand before the re-roll, if it was re-rolled.",
    "RULINGS 3.6",
    values=("", *cat_dice.HANDS),
)
"""For scoring one roll: without it, nothing was rolled again."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One player's hand in a round: the dice, and the rank they had before the re-roll, if there was one."""

    faces: tuple[Face, ...]
    before: str | None = None

    @property
    def name(self) -> str:
        """What the dice on the table are."""
        return cat_dice.hand(self.faces)

    @property
    def failed(self) -> bool:
        """Whether the dice were rolled again and did not become a higher hand."""
        return self.before is not None and cat_dice.rank(self.name) <= cat_dice.rank(self.before)


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is and how far: no roll yet, a hand to stand on or improve, a re-roll awaited."""

    player: int = 0
    roll: tuple[Face, ...] = ()
    kept: tuple[Face, ...] | None = None

    def awaits(self) -> tuple[Awaited, ...]:
        """A roll, a decision, or the roll again."""
        if not self.roll:
            return (RollAwaited(self.player, DICE.count, DICE.faces),)
        if self.kept is None:
            return (MoveAwaited((self.player,), "stand or re-roll"),)
        return (RollAwaited(self.player, DICE.count, DICE.faces, self.kept),)

    def legal_moves(self, player: int) -> tuple[Move | Family, ...]:
        """Stand, or keep some of the dice."""
        if player != self.player or not self.roll or self.kept is not None:
            return ()
        holds = tuple(Hold(kept) for kept in choices(self.roll) if len(kept) < DICE.count)
        return (Stand(), Family(Hold.kind, "keep any dice and roll the others once more, together", holds))

    def check(self, action: Play) -> None:
        """Only dice that lie there can be kept, and at least one is rolled again."""
        if isinstance(action.move, Hold):
            if not within(action.move.keep, self.roll):
                refuse("only dice that lie there can be kept: {roll:row}", WHERE, roll=self.roll)
            if len(action.move.keep) == DICE.count:
                refuse("keeping all dice is to stand", WHERE)

    def after(self, action: Roll | Play, reroll: bool) -> tuple[Turn, Hand | None, tuple[Message, ...]]:
        """The turn after an action, the hand if it is final now, and what there is to say."""
        if isinstance(action, Play):
            if isinstance(action.move, Hold):
                kept = action.move.keep
                n = len(without(self.roll, kept))
                return (
                    replace(self, kept=kept),
                    None,
                    (
                        message(
                            "{player:name} keeps {kept:faces} and throws {n:count die dice} again.",
                            player=self.player,
                            kept=kept,
                            n=n,
                        ),
                    ),
                )
            return (
                self,
                Hand(self.roll),
                (message("{player:name} takes the dice as they lie.", player=self.player),),
            )
        name = cat_dice.hand(action.faces)
        said = message(
            "{player:name} rolled {faces:faces}: {hand:face}.",
            player=self.player,
            faces=action.faces,
            hand=name,
        )
        if self.kept is not None:
            return self, Hand(action.faces, cat_dice.hand(self.roll)), (said,)
        if reroll:
            return replace(self, roll=action.faces), None, (said,)
        return self, Hand(action.faces), (said,)


def scored_hand(faces: tuple[Face, ...], told: Options) -> Hand:
    """The hand of one roll, with the hand it was re-rolled from, where that is told. Raises OptionError."""
    before = told.text(REROLLED_FROM.key)
    if before and not told.flag(REROLL.key):
        raise OptionError("option rerolled_from: re-rolls are not agreed on (option reroll is no)")
    return Hand(faces, before or None)


def dice_on_table(turn: Turn, hands: tuple[Hand, ...], last: tuple[Hand, ...]) -> tuple[Face, ...]:
    """The dice that lie there: this turn's, else those of the hand before."""
    return turn.roll or (hands or last or (Hand(()),))[-1].faces


@dataclass(frozen=True, slots=True)
class HandsState:
    """Points so far, the turn, this round's finished hands, and those of the round before."""

    players: tuple[str, ...]
    options: Options
    points: tuple[int, ...]
    turn: Turn = field(default_factory=Turn)
    hands: tuple[Hand, ...] = ()
    last: tuple[Hand, ...] = ()


H = TypeVar("H", bound=HandsState)


class HandsGame(Game[H]):
    """A game in which everyone rolls a hand of five in turn, until somebody has won."""

    def awaits(self, state: H) -> tuple[Awaited, ...]:
        """A roll each; where re-rolls are agreed on, whether to stand."""
        return () if self.outcome(state) else state.turn.awaits()

    def legal_moves(self, state: H, player: int) -> tuple[Move | Family, ...]:
        """Stand, or keep some of the dice."""
        return () if self.outcome(state) else state.turn.legal_moves(player)

    def check(self, state: H, action: Action) -> None:
        """Only dice that lie there can be kept."""
        if isinstance(action, Play):
            state.turn.check(action)

"""What Quintuples and Everyone Scores share: each player's hand of five, and the one re-roll."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar

from messages.message import Message, message
from scoring.account import Outcome, Step
from scoring.actions import (
    Action,
    Awaited,
    Draw,
    Family,
    Hold,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    Seated,
    Stand,
    held,
    refuse,
)
from scoring.dice import Dice, Face, choices, within
from scoring.game import Game
from scoring.games.cats import cat_dice
from scoring.options import Option, OptionError, Options
from scoring.view import Panel, TableView, seats

DICE = cat_dice.dice(5)

REROLL = Option(
    "reroll",
    False,
    "May players throw some or all of their dice once more to improve their hand?",
    "RULINGS 3.6, 3.7 Q5",
    title="Throwing again",
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
            return (MoveAwaited((self.player,), "score these dice or throw again"),)
        return (RollAwaited(self.player, DICE.count, DICE.faces, self.kept),)

    def legal_moves(self, player: int) -> tuple[Move | Family, ...]:
        """Stand, or keep some of the dice."""
        if player != self.player or not self.roll or self.kept is not None:
            return ()
        holds = tuple(Hold(kept) for kept in choices(self.roll) if len(kept) < DICE.count)
        return (Stand(), Family(Hold.kind, holds))

    def check(self, action: Play) -> None:
        """Only dice that lie there can be kept, and at least one is rolled again."""
        if isinstance(action.move, Hold):
            if not within(action.move.keep, self.roll):
                refuse("you can only hold dice on the table: {roll:row}", "reroll", roll=self.roll)
            if len(action.move.keep) == DICE.count:
                refuse("all dice are held: score them instead", "reroll")

    def after(self, action: Roll | Play, reroll: bool) -> tuple[Turn, Hand | None, tuple[Message, ...]]:
        """The turn after an action, the hand if it is final now, and what there is to say."""
        if isinstance(action, Play) and isinstance(action.move, Hold):
            kept = action.move.keep
            return replace(self, kept=kept), None, (held(self.player, kept),)
        if isinstance(action, Play):
            said = message("{player:name} scores these dice.", player=self.player)
            return self, Hand(self.roll), (said,)
        name = cat_dice.hand(action.faces)
        said = message(
            "{player:name} rolled {faces:roll}: {hand:face}.",
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
        raise OptionError(
            "option rerolled_from needs the house rule that allows throwing again (option reroll)"
        )
    return Hand(faces, before or None)


@dataclass(frozen=True, slots=True)
class HandsState:
    """Points so far, the turn, this round's finished hands, and those of the round before."""

    players: tuple[str, ...]
    options: Options
    points: tuple[int, ...]
    turn: Turn = field(default_factory=Turn)
    hands: tuple[Hand, ...] = ()
    last: tuple[Hand, ...] = ()


class HandsGame(Game[HandsState]):
    """A game in rounds in which everyone rolls a hand of five in turn; the best score after the target wins."""

    board: ClassVar[str] = "hands"
    names: ClassVar[tuple[str, ...]] = cat_dice.HANDS
    dice: ClassVar[Dice] = DICE
    seats: ClassVar[tuple[int, int]] = (1, 12)
    moves: ClassVar[tuple[type[Move], ...]] = (Stand, Hold)

    def start(self, players: tuple[str, ...], options: Options) -> HandsState:
        """Nobody has a point."""
        return HandsState(players, options, (0,) * len(players))

    def awaits(self, state: HandsState) -> tuple[Awaited, ...]:
        """A roll each; where re-rolls are agreed on, whether to stand."""
        return () if self.outcome(state) else state.turn.awaits()

    def legal_moves(self, state: HandsState, player: int) -> tuple[Move | Family, ...]:
        """Stand, or keep some of the dice."""
        return () if self.outcome(state) else state.turn.legal_moves(player)

    def check(self, state: HandsState, action: Action) -> None:
        """Only dice that lie there can be kept."""
        if isinstance(action, Play):
            state.turn.check(action)

    def advance(self, state: HandsState, action: Action) -> Step[HandsState]:
        """The roll comes to lie, or a hand is final."""
        assert not isinstance(action, Draw)
        turn, hand, facts = state.turn.after(action, state.options.flag("reroll"))
        if hand is None:
            return Step(replace(state, turn=turn), (), facts)
        if hand.failed:
            facts = (*facts, message("The second throw is no better: no points this round."))
        step = self.finished(state, (*state.hands, hand))
        return replace(step, facts=(*facts, *step.facts))

    @abstractmethod
    def finished(self, state: HandsState, hands: tuple[Hand, ...]) -> Step[HandsState]:
        """What follows from the last of these hands."""

    def target(self, state: HandsState) -> int:
        """The score that ends the game."""
        return state.options.number("target")

    def between_rounds(self, state: HandsState) -> bool:
        """Whether nobody has rolled in this round."""
        return not state.hands and state.turn == Turn()

    def outcome(self, state: HandsState) -> Outcome | None:
        """The best score after the round in which someone reached the target."""
        at_end, tie = self.between_rounds(state), state.options.text("tie")
        return cat_dice.best_of_rounds(state.points, self.target(state), at_end, tie)

    def table(self, state: HandsState) -> TableView:
        """Points, and the hands of the round, or of the last one; the dice of this turn, else of the hand before."""
        over, hands = self.outcome(state) is not None, state.hands or state.last
        shown = seats(state.players, state.points, () if over else (state.turn.player,))
        rows = tuple((state.players[i], hand.name) for i, hand in enumerate(hands))
        panels = (Panel("Hands", ("player", "hand"), rows),) if rows else ()
        dice = state.turn.roll or (hands[-1].faces if hands else ())
        throws = (bool(state.turn.roll), 2 if state.options.flag("reroll") else 1)
        return TableView(shown, dice, state.turn.kept or (), panels, throws)

    def rarest(self, state: HandsState, faces: tuple[Face, ...]) -> Message | None:
        """The highest hand."""
        return message("Five of a kind!") if cat_dice.hand(faces) == cat_dice.HANDS[-1] else None

    def reseat(self, state: HandsState, change: Seated) -> HandsState:
        """Newcomers begin without points, at the beginning of a round: its hands are compared."""
        change.between_rounds(self.between_rounds(state))
        return replace(state, points=change.carried(state.points, 0), last=())

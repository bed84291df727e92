"""Destiny's state: what lies face up, and, where the assistant deals, what is in the hands and the pile.

Hands are secret. When people hold the cards (option cards=held) a hand is a number of unknown cards ("?"),
and `pile` holds every card that does not lie face up, wherever it is. When the assistant deals (cards=dealt)
hands have names, `pile` is the draw pile and `discards` the cards discarded. Either way they are 73 cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.actions import Move
from scoring.games.destiny.cards import TREASURE_POINTS
from scoring.games.destiny.total import Powers, Stack
from scoring.options import Options

HAND = 7

PHASES = (
    "identity", "first-aid", "treasure", "draw", "hit", "second-aid",
    "action", "base", "bonus", "multiplier", "total",
)  # fmt: skip
"""The set-up, and the phases of a round; the total leads on to the Destiny phase at once."""

ACTIONS = ("thief", "jester", "merchant", "magic-tome", "assassin", "oracle", "crystal-ball")
"""Powers of the action phase, each used once in it (RULINGS 4.6 Q9)."""


@dataclass(frozen=True, slots=True)
class Identify(Move):
    """Choose the character to be for the whole match."""

    kind: ClassVar[str] = "identity"
    words: ClassVar[str] = "be the {card:face}"
    card: str


@dataclass(frozen=True, slots=True)
class PlayAid(Move):
    """Play a character from the hand: its power is at work for this round."""

    kind: ClassVar[str] = "aid"
    words: ClassVar[str] = "play the {card:face} as Aid"
    card: str


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Discard cards from a dealt hand: any number in the Hit phase, one after a draw or a theft."""

    kind: ClassVar[str] = "discard"
    words: ClassVar[str] = "discard {cards:faces}"
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Steal(Move):
    """The Thief: a random card out of an opponent's hand, then discard one."""

    kind: ClassVar[str] = "steal"
    words: ClassVar[str] = "steal a card from {victim:name}"
    victim: int


@dataclass(frozen=True, slots=True)
class Jest(Move):
    """The Jester: two other players give each other a random card."""

    kind: ClassVar[str] = "jest"
    words: ClassVar[str] = "make {one:name} and {other:name} swap a card"
    one: int
    other: int


@dataclass(frozen=True, slots=True)
class Trade(Move):
    """The Merchant or the Magic Tome: draw one card and discard one."""

    kind: ClassVar[str] = "trade"
    words: ClassVar[str] = "{power:face}: draw a card, then discard one"
    power: str


@dataclass(frozen=True, slots=True)
class Assassinate(Move):
    """The Assassin: an Aid card that lies before `owner` is discarded."""

    kind: ClassVar[str] = "assassinate"
    words: ClassVar[str] = "assassinate {owner:name}’s {card:face}"
    owner: int
    card: str


@dataclass(frozen=True, slots=True)
class Look(Move):
    """The Oracle or the Crystal Ball: look at all hands."""

    kind: ClassVar[str] = "look"
    words: ClassVar[str] = "{power:face}: look at all hands"
    power: str


@dataclass(frozen=True, slots=True)
class PlayBase(Move):
    """Play a base card."""

    kind: ClassVar[str] = "base"
    words: ClassVar[str] = "play {card:face}"
    card: str


@dataclass(frozen=True, slots=True)
class PlayBonus(Move):
    """Play a bonus card on a base."""

    kind: ClassVar[str] = "bonus"
    words: ClassVar[str] = "play {card:face} on {base:face}"
    card: str
    base: str


@dataclass(frozen=True, slots=True)
class PlayMultiplier(Move):
    """Play a multiplier card on a base."""

    kind: ClassVar[str] = "multiplier"
    words: ClassVar[str] = "play {card:face} on {base:face}"
    card: str
    base: str


@dataclass(frozen=True, slots=True)
class Transmute(Move):
    """The Alchemist: one card, played or still to be played, has another alignment in this round."""

    kind: ClassVar[str] = "transmute"
    words: ClassVar[str] = "change {card:face} to {alignment:face}"
    card: str
    alignment: str


@dataclass(frozen=True, slots=True)
class Leave(Move):
    """With Paladin and Necromancer both: a card keeps its alignment in this round (RULINGS 4.6 Q6)."""

    kind: ClassVar[str] = "leave"
    words: ClassVar[str] = "leave {card:face} unchanged"
    card: str


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Nothing more in this phase."""

    kind: ClassVar[str] = "done"
    words: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class AllDone(Move):
    """Nobody plays anything more in this phase, as a table agrees that holds its own cards."""

    kind: ClassVar[str] = "all-done"
    words: ClassVar[str] = "everyone passes"


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side of the table."""

    identity: str | None = None
    aid: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    stacks: tuple[Stack, ...] = ()
    treasures: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    left: tuple[str, ...] = ()
    used: tuple[str, ...] = ()

    @property
    def powers(self) -> Powers:
        """Everything at work for this player: identity, Aid, owned treasures."""
        identity = (self.identity,) if self.identity else ()
        return Powers(frozenset({*identity, *self.aid, *self.treasures}), self.changed, self.left)

    @property
    def max_hand(self) -> int:
        """7, one more with the Emperor, one more with the Philosophers Stone."""
        return HAND + ("emperor" in self.powers) + ("philosophers-stone" in self.powers)

    @property
    def points(self) -> int:
        """Treasure points."""
        return sum(TREASURE_POINTS[treasure] for treasure in self.treasures)

    @property
    def played(self) -> tuple[str, ...]:
        """The cards in the stacks."""
        return tuple(card for stack in self.stacks for card in stack.cards)


@dataclass(frozen=True, slots=True)
class DestinyState:
    """Everything on the table, and what is under way.

    `drawing` are players who draw, with how many cards; `picks` random cards that go from a hand to a player,
    and `picked` those already told; `discarding` the player who must discard one. `treasures` is the treasure
    deck in its order where that is known, `unordered` the rest of it; `prize` the current treasure. `totals`
    are those of the last round.
    """

    players: tuple[str, ...]
    options: Options
    sides: tuple[Side, ...]
    pile: tuple[str, ...]
    phase: str = PHASES[0]
    done: tuple[int, ...] = ()
    first: int = 0
    discards: tuple[str, ...] = ()
    drawing: tuple[tuple[int, int], ...] = ()
    picks: tuple[tuple[int, int], ...] = ()
    picked: tuple[tuple[int, str], ...] = ()
    discarding: int | None = None
    treasures: tuple[str, ...] = ()
    unordered: tuple[str, ...] = ()
    prize: str | None = None
    buried: tuple[str, ...] = ()
    round: int = 1
    totals: tuple[int, ...] = ()
    finished: bool = False

    @property
    def dealt(self) -> bool:
        """Whether the assistant deals and so knows the hands."""
        return self.options.text("cards") == "dealt"

    @property
    def order(self) -> tuple[int, ...]:
        """All players in the order of this round."""
        n = len(self.players)
        return tuple((self.first + i) % n for i in range(n))

    def hands_seen(self, player: int) -> tuple[int, ...]:
        """Whose hands a player sees: their own, and everyone's after Oracle or Crystal Ball."""
        looked = self.phase == "action" and {"oracle", "crystal-ball"} & {*self.sides[player].used}
        return tuple(range(len(self.sides))) if looked else (player,)

    def usable(self, player: int) -> tuple[str, ...]:
        """The powers that a player can still use in this action phase."""
        side = self.sides[player]
        others = [other for i, other in enumerate(self.sides) if i != player and other.hand]
        possible = {
            "thief": bool(others),
            "jester": len(others) >= 2,
            "merchant": bool(self.pile or self.discards),
            "magic-tome": bool(self.pile or self.discards),
            "assassin": any(other.aid for other in self.sides),
            "oracle": bool(others),
            "crystal-ball": bool(others),
        }
        return tuple(one for one in ACTIONS if one in side.powers and one not in side.used and possible[one])

    def transmutable(self, player: int) -> bool:
        """Whether the Alchemist still may change a card of this player."""
        side = self.sides[player]
        return "alchemist" in side.powers and not side.changed and bool(side.hand or side.stacks)

    def waiting(self) -> tuple[int, ...]:
        """The players who still have something to decide in this phase, in order.

        Only what everybody sees lets a player be skipped (no cards, no bases, no power), never what is in a
        hand.
        """
        left = [player for player in self.order if player not in self.done]
        return tuple(player for player in left if self._has_choice(player))

    def _has_choice(self, player: int) -> bool:
        side = self.sides[player]
        if self.phase == "identity":
            return side.identity is None
        if self.phase in ("first-aid", "second-aid"):
            return bool(side.hand)
        if self.phase == "hit":
            return self.dealt and bool(side.hand)
        if self.phase == "action":
            return bool(self.usable(player))
        if self.phase == "base":
            return bool(side.hand) or self.transmutable(player)
        if self.phase in ("bonus", "multiplier"):
            room = bool(side.hand) and any(self.room(player, stack) for stack in side.stacks)
            return room or (bool(side.stacks) and self.transmutable(player))
        return False

    @property
    def passable(self) -> bool:
        """Whether one word can end the phase for several players: never where hands are the assistant's to know."""
        asked = self.phase not in ("identity", "hit") and self.discarding is None
        return asked and not self.dealt and len(self.waiting()) > 1

    def room(self, player: int, stack: Stack) -> bool:
        """Whether this phase's type of card may still be laid on a stack, by numbers alone."""
        powers = self.sides[player].powers
        bonuses, multipliers = len(stack.bonuses), len(stack.multipliers)
        if self.phase == "bonus":
            return "dragon" not in powers and bonuses < 1 + ("rogue" in powers)
        return bonuses < 2 and multipliers < 1 + ("dragon" in powers)

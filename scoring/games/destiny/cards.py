"""Destiny's cards: 73 of the Destiny deck, 20 treasures (destiny, deck lists; RULINGS 4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ALIGNMENTS = ("good", "evil", "law", "chaos", "nature")

OPPOSED = frozenset({frozenset({"good", "evil"}), frozenset({"law", "chaos"})})
"""Nature opposes nothing."""

CHARACTERS: Mapping[str, str] = MappingProxyType(
    {
        "king": "base cards +2",
        "warrior": "bonus cards +2",
        "wizard": "multiplier cards +1",
        "lover": "matching cards get +1 more",
        "barbarian": "Chaos cards +1",
        "knight": "Law cards +1",
        "dragon": "no bonus cards, but two multipliers on a base, added together",
        "alchemist": "change the alignment of one card",
        "thief": "steal a random card in the action phase, then discard one",
        "jester": "two other players swap a random card in the action phase",
        "merchant": "draw one card and discard one in the action phase",
        "amazon": "bonus cards count as Nature",
        "assassin": "discard any one Aid card in the action phase",
        "ranger": "Nature cards +1",
        "warlord": "Chaos cards count as Law",
        "paladin": "Evil cards count as Good",
        "oracle": "look at all hands in the action phase",
        "rogue": "two bonus cards on a base without a multiplier",
        "druid": "multiplier cards count as Nature",
        "necromancer": "Good cards count as Evil",
        "wraith-lord": "Evil cards +1",
        "overlord": "total +3",
        "emperor": "one more card in hand",
    }
)
"""All 23 and their powers, in the order of the document."""

VALUES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"base": (1, 2, 3, 4), "bonus": (1, 2, 3), "multiplier": (2, 3, 4)}
)
"""The values that each alignment has of each type, one card of each."""

PLAIN_CARDS = tuple(
    f"{alignment}-{type_}-{value}"
    for alignment in ALIGNMENTS
    for type_, values in VALUES.items()
    for value in values
)
"""The fifty cards that are no characters: "good-base-4", "law-bonus-2", "nature-multiplier-3"."""

DECK = (*CHARACTERS, *PLAIN_CARDS)
"""One of each."""

TREASURE_POINTS: Mapping[str, int] = MappingProxyType(
    {
        "lesser-hoard": 1,
        "greater-hoard": 2,
        "kings-crown": 1,
        "philosophers-stone": 1,
        "crystal-ball": 1,
        "magic-tome": 1,
        "dragons-hoard": 3,
    }
)

TREASURES = (
    *("lesser-hoard",) * 10,
    *("greater-hoard",) * 5,
    "kings-crown",
    "philosophers-stone",
    "crystal-ball",
    "magic-tome",
    "dragons-hoard",
)
"""All twenty, in the order of the document: 27 points."""

GOAL = 5
"""Treasure points that win."""

UNKNOWN = "?"
"""A card that somebody holds and the table has not seen."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A base, bonus or multiplier card as printed."""

    id: str
    alignment: str
    type: str
    value: int


CARDS: Mapping[str, Plain] = MappingProxyType(
    {
        card: Plain(card, parts[0], parts[1], int(parts[2]))
        for card in PLAIN_CARDS
        for parts in (card.split("-"),)
    }
)
"""What is printed on each of the fifty."""


def opposed(one: str, other: str) -> bool:
    """Whether two alignments oppose each other."""
    return frozenset({one, other}) in OPPOSED

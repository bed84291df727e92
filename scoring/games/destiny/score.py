"""One player's Destiny cards in isolation, for people who argue about a total (RULINGS 4.4)."""

from __future__ import annotations

from messages.message import MessageError
from scoring.account import ScoredRoll
from scoring.dice import named
from scoring.games.destiny.cards import ALIGNMENTS, CARDS, CHARACTERS, TREASURE_POINTS
from scoring.games.destiny.total import Powers, Stack, broken_rule, destiny_total
from scoring.options import OptionError, Options


def score_cards(cards: tuple[str, ...], told: Options) -> ScoredRoll:
    """The total of cards in the order they were played; `told` holds the powers at work.

    Raises ValueError where the cards may not lie so, naming the rule and its place.
    """
    powers = powers_of(told)
    stacks = stacked(cards)
    if broken := broken_rule(stacks, powers, told.flag("strict_opposition")):
        raise MessageError("destiny: {broken} ({where:place})", broken=broken[0], where=broken[1])
    total = destiny_total(
        stacks, powers, match_bonus=told.text("match_bonus"), match_scope=told.text("match_scope")
    )
    return ScoredRoll(total.points, breakdown=total.lines)


def stacked(cards: tuple[str, ...]) -> tuple[Stack, ...]:
    """Cards as stacks: each base begins one, what follows lies on it. Raises ValueError."""
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise MessageError("destiny: there is one of each card, got {twice} twice", twice=twice)
    stacks: list[Stack] = []
    for card in cards:
        if CARDS[card].type == "base":
            stacks.append(Stack(card))
            continue
        if not stacks:
            raise MessageError("destiny: expected a base card first, got {card}", card=card)
        lying = stacks.pop()
        bonuses, multipliers = lying.bonuses, lying.multipliers
        if CARDS[card].type == "bonus":
            bonuses += (card,)
        else:
            multipliers += (card,)
        stacks.append(Stack(lying.base, bonuses, multipliers))
    return tuple(stacks)


def powers_of(told: Options) -> Powers:
    """The powers at work, as told. Raises UnknownFaceError, OptionError."""
    possible = (*CHARACTERS, *TREASURE_POINTS)
    names = frozenset(named(word, possible, "a character or treasure") for word in _words(told, "powers"))
    changed: list[tuple[str, str]] = []
    for word in _words(told, "transmuted"):
        card, equals, alignment = word.partition("=")
        if not equals or "alchemist" not in names or changed:
            raise OptionError(
                "option transmuted: expected one CARD=ALIGNMENT, with the Alchemist among the powers, got {word!r}",
                word=word[:40],
            )
        changed.append((named(card, CARDS, "a card"), named(alignment, ALIGNMENTS, "an alignment")))
    left = tuple(named(word, CARDS, "a card") for word in _words(told, "left"))
    if left and not {"paladin", "necromancer"} <= names:
        raise OptionError("option left: only with Paladin and Necromancer together is a card left as it is")
    return Powers(names, tuple(changed), left)


def _words(told: Options, key: str) -> list[str]:
    return [word for word in told.text(key).replace(";", ",").split(",") if word.strip()]

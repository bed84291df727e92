"""Destiny's total, in its order: alignments first, matching second, arithmetic last (RULINGS 4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from messages.message import Message, MessageError, message
from scoring.account import Line, ScoredRoll, line
from scoring.dice import named
from scoring.games.destiny.cards import ALIGNMENTS, CARDS, CHARACTERS, TREASURE_POINTS, opposed
from scoring.options import OptionError, Options

BY_TYPE: Mapping[str, tuple[str, int]] = MappingProxyType(
    {"king": ("base", 2), "warrior": ("bonus", 2), "wizard": ("multiplier", 1)}
)
"""Powers that raise the cards of a type."""

BY_ALIGNMENT: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "barbarian": ("chaos", 1),
        "knight": ("law", 1),
        "kings-crown": ("law", 1),
        "ranger": ("nature", 1),
        "wraith-lord": ("evil", 1),
    }
)
"""Powers that raise the cards of an alignment; Knight and Kings Crown add up."""

TREATED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"warlord": ("chaos", "law"), "paladin": ("evil", "good"), "necromancer": ("good", "evil")}
)
"""Powers that treat one alignment as another; each card changes once."""

CHANGERS = frozenset({"amazon", "druid", *TREATED})
"""Powers that change alignments by themselves; the Alchemist says which card."""

OVERLORD = 3


@dataclass(frozen=True, slots=True)
class Stack:
    """A base card and what lies on it."""

    base: str
    bonuses: tuple[str, ...] = ()
    multipliers: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """All its cards, the base first."""
        return (self.base, *self.bonuses, *self.multipliers)


@dataclass(frozen=True, slots=True)
class Powers:
    """What changes a player's cards: powers at work, and what was said of single cards.

    `names` are characters (identity and Aid) and treasures; `changed` what the Alchemist made of a card;
    `left` the cards that neither Paladin nor Necromancer changes, where a player has both.
    """

    names: frozenset[str] = frozenset()
    changed: tuple[tuple[str, str], ...] = ()
    left: tuple[str, ...] = ()

    def __contains__(self, name: str) -> bool:
        """Whether a character or treasure is at work."""
        return name in self.names

    def alignment(self, card: str) -> str:
        """The alignment of a card under these powers."""
        return self.treated(card)[0]

    def treated(self, card: str) -> tuple[str, str | None]:
        """The alignment of a card under these powers, and the power that changed it, if one did."""
        if not self.changed and self.names.isdisjoint(CHANGERS):
            return CARDS[card].alignment, None
        for one, alignment in self.changed:
            if one == card:
                return alignment, "alchemist"
        printed = CARDS[card]
        for name, type_ in (("amazon", "bonus"), ("druid", "multiplier")):
            if name in self and printed.type == type_:
                return "nature", name
        if card in self.left and {"paladin", "necromancer"} <= self.names:
            return printed.alignment, None
        for name, (before, after) in TREATED.items():
            if name in self and printed.alignment == before:
                return after, name
        return printed.alignment, None


@dataclass(frozen=True, slots=True)
class AlignmentGroup:
    """Cards with one alignment: how many, and what each of them gets."""

    alignment: str
    n: int
    each: int


@dataclass(frozen=True, slots=True)
class Sum:
    """What one stack comes to, its arithmetic as people write it, and the matching that went in."""

    stack: Stack
    points: int
    text: str
    matches: tuple[AlignmentGroup, ...]


@dataclass(frozen=True, slots=True)
class Total:
    """A player's Destiny total; the lines add up to it."""

    points: int
    sums: tuple[Sum, ...]
    lines: tuple[Line, ...]


def destiny_total(
    stacks: Sequence[Stack],
    powers: Powers = Powers(),
    *,
    match_bonus: str = "cards",
    match_scope: str = "stack",
) -> Total:
    """The total of everything a player has played.

    `match_bonus` "cards" adds the matching bonus to each card, "after" adds it once a card after multiplying;
    `match_scope` "stack" counts matching cards stack by stack, "all" over all cards played.
    """
    everything = [card for stack in stacks for card in stack.cards]
    sums: list[Sum] = []
    lines: list[Line] = []
    for stack in stacks:
        among = everything if match_scope == "all" else stack.cards
        bonus = _matching(stack.cards, among, powers)
        on_cards = bonus if match_bonus == "cards" else dict.fromkeys(stack.cards, 0)
        values = {card: _value(card, on_cards[card], powers, lines) for card in stack.cards}
        after = 0 if match_bonus == "cards" else sum(bonus.values())
        if after:
            lines.append(line("matching cards add {n} after multiplying", 0, "total", n=after))
        points, text = _arithmetic(stack, values, after)
        sums.append(Sum(stack, points, text, _matches(stack.cards, bonus, powers)))
        lines.append(line("stack on {base:face}: {sum}", points, "total", base=stack.base, sum=text))
    if "overlord" in powers:
        lines.append(line("Overlord", OVERLORD, "characters"))
    return Total(sum(one.points for one in lines), tuple(sums), tuple(lines))


def _matching(cards: Iterable[str], among: Iterable[str], powers: Powers) -> dict[str, int]:
    """What each card gets for others of its alignment."""
    alignments = [powers.alignment(card) for card in among]
    found: dict[str, int] = {}
    for card in cards:
        same = alignments.count(powers.alignment(card))
        found[card] = 0 if same < 2 else min(same, 3) - 1 + ("lover" in powers)
    return found


def _matches(cards: Iterable[str], bonus: Mapping[str, int], powers: Powers) -> tuple[AlignmentGroup, ...]:
    alignments: dict[str, list[str]] = {}
    for card in cards:
        alignments.setdefault(powers.alignment(card), []).append(card)
    return tuple(
        AlignmentGroup(alignment, len(same), bonus[same[0]])
        for alignment, same in alignments.items()
        if bonus[same[0]]
    )


def _value(card: str, matching: int, powers: Powers, lines: list[Line]) -> int:
    """A card's modified value; what raised it becomes a line without points of its own."""
    printed, (alignment, changer) = CARDS[card], powers.treated(card)
    raised = [("matching", matching)] if matching else []
    raised += [
        (name, plus) for name, (type_, plus) in BY_TYPE.items() if name in powers and type_ == printed.type
    ]
    raised += [
        (name, plus) for name, (which, plus) in BY_ALIGNMENT.items() if name in powers and which == alignment
    ]
    value = printed.value + sum(plus for _, plus in raised)
    if changer and alignment != printed.alignment:
        rule = "{card:face} counts as {alignment:face} ({power:face})"
        lines.append(line(rule, 0, "characters", card=card, alignment=alignment, power=changer))
    if raised:
        why = tuple(f"{name}+{plus}" for name, plus in raised)
        rule = "{card:face} counts as {value}: {printed} on the card, {why:plus}"
        where = "total" if matching else "characters"
        lines.append(line(rule, 0, where, card=card, value=value, printed=printed.value, why=why))
    return value


def _arithmetic(stack: Stack, values: Mapping[str, int], after: int) -> tuple[int, str]:
    """(base + bonuses) × (sum of multipliers, or 1), and as people write it."""
    add = [values[card] for card in (stack.base, *stack.bonuses)]
    by = [values[card] for card in stack.multipliers]
    points = sum(add) * (sum(by) if by else 1) + after
    text = " + ".join(map(str, add))
    if by:
        factor = " + ".join(map(str, by))
        text = f"({text})" if len(add) > 1 else text
        text += f" × ({factor})" if len(by) > 1 else f" × {factor}"
    if after:
        text += f" + {after}"
    return points, f"{text} = {points}" if len(add) + len(by) > 1 or after else text


def broken_rule(stacks: Sequence[Stack], powers: Powers, strict: bool = False) -> tuple[Message, str] | None:
    """The rule that cards played together break, and where it stands; None if they may lie so.

    Judged on the alignments under the powers (RULINGS 4.3); `strict` lets no two cards at all oppose.
    """
    bases = [stack.base for stack in stacks]
    if found := _clash(bases, powers):
        return message("opposing base cards cannot be played together: {found}", found=found), "stacks"
    if strict and (found := _clash([card for stack in stacks for card in stack.cards], powers)):
        return message(
            "opposing cards cannot be played together: {found}", found=found
        ), "house-strict_opposition"
    for stack in stacks:
        if found := _clash(stack.cards, powers):
            return (
                message("opposing cards cannot be in one stack: {found}", found=found),
                "stacks",
            )
        if found := _too_many(stack, powers):
            return found
    return None


def _too_many(stack: Stack, powers: Powers) -> tuple[Message, str] | None:
    bonuses, multipliers = len(stack.bonuses), len(stack.multipliers)
    if "dragon" in powers:
        if bonuses:
            return message("the Dragon does not allow bonus cards"), "characters"
        if multipliers > 2:
            return message("the Dragon allows at most two multipliers on a base"), "characters"
        return None
    if multipliers > 1:
        return message("only one multiplier on each base"), "stacks"
    if bonuses > 1 and "rogue" not in powers:
        return message("only one bonus card on each base"), "stacks"
    if bonuses > 2 or (bonuses == 2 and multipliers):
        return message("the Rogue allows two bonus cards only on a base without a multiplier"), "characters"
    return None


def _clash(cards: Sequence[str], powers: Powers) -> Message | None:
    """The first two cards that oppose each other: "good bonus 3 and evil base 2"."""
    alignments = [powers.alignment(card) for card in cards]
    if len(set(alignments)) < 2:
        return None
    for i, one in enumerate(cards):
        for j, other in enumerate(cards[i + 1 :], start=i + 1):
            if opposed(alignments[i], alignments[j]):
                return message("{this} and {that}", this=_said(other, powers), that=_said(one, powers))
    return None


def _said(card: str, powers: Powers) -> Message:
    printed, alignment = CARDS[card], powers.alignment(card)
    return message(
        "{alignment:face} {type:rule} {value}", alignment=alignment, type=printed.type, value=printed.value
    )


def score_cards(cards: tuple[str, ...], told: Options) -> ScoredRoll:
    """The total of cards in the order they were played; `told` holds the powers at work.

    Raises ValueError if the cards may not lie so, naming the rule and its place.
    """
    powers = powers_of(told)
    stacks = stacked(cards)
    if broken := broken_rule(stacks, powers, told.flag("strict_opposition")):
        raise MessageError(broken[0])
    total = destiny_total(
        stacks, powers, match_bonus=told.text("match_bonus"), match_scope=told.text("match_scope")
    )
    return ScoredRoll(total.points, breakdown=total.lines)


def stacked(cards: tuple[str, ...]) -> tuple[Stack, ...]:
    """Cards as stacks: each base begins one, what follows lies on it. Raises ValueError."""
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise MessageError("there is only one of each card, but you named {twice:face} twice", twice=twice)
    stacks: list[Stack] = []
    for card in cards:
        if CARDS[card].type == "base":
            stacks.append(Stack(card))
            continue
        if not stacks:
            raise MessageError("start with a base card, not {card:face}", card=card)
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
                "option transmuted: give CARD=ALIGNMENT once, with the Alchemist among the powers, "
                "not {word:quoted}",
                word=word[:40],
            )
        changed.append((named(card, CARDS, "a card"), named(alignment, ALIGNMENTS, "an alignment")))
    left = tuple(named(word, CARDS, "a card") for word in _words(told, "left"))
    if left and not {"paladin", "necromancer"} <= names:
        raise OptionError("option left: needs both the Paladin and the Necromancer among the powers")
    return Powers(names, tuple(changed), left)


def _words(told: Options, key: str) -> list[str]:
    return [word for word in told.text(key).replace(";", ",").split(",") if word.strip()]

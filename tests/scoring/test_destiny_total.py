"""Destiny's total: every case of RULINGS 4.4, the open questions of 4.6, and what may lie together (4.3)."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from scoring.games.destiny.cards import CHARACTERS, DECK, PLAIN_CARDS, TREASURE_POINTS, TREASURES, opposed
from scoring.games.destiny.total import Powers, Stack, broken_rule, destiny_total
from words.speaker import speaker


def card(text: str) -> str:
    """A card in short: "L3" is the Law base 3, "N+2" a bonus, "Gx4" a multiplier."""
    alignment = {"G": "good", "E": "evil", "L": "law", "C": "chaos", "N": "nature"}[text[0]]
    type_ = {"+": "bonus", "x": "multiplier"}.get(text[1], "base")
    return f"{alignment}-{type_}-{text[-1]}"


def stack(text: str) -> Stack:
    """L3 L+2 Nx3."""
    cards = [card(word) for word in text.split()]
    bonuses = tuple(one for one in cards if "bonus" in one)
    return Stack(cards[0], bonuses, tuple(one for one in cards if "multiplier" in one))


def powers(*names: str) -> Powers:
    return Powers(frozenset(names))


S1 = "L3 L+2 Nx3"
TRIPLE = "G4 G+3 Gx4"


@pytest.mark.parametrize(
    ("cards", "names", "expected"),
    [
        (S1, "", 21),
        (S1, "king", 27),
        (S1, "warrior", 27),
        (S1, "knight", 27),
        (S1, "kings-crown", 27),
        (S1, "lover", 27),
        (S1, "wizard", 28),
        (S1, "ranger", 28),
        (S1, "knight kings-crown", 33),
        (S1, "barbarian", 21),
        (S1, "druid", 21),
        (S1, "amazon", 24),
        (S1, "overlord", 24),
        (f"{S1} / N4", "", 25),
        ("L3 C+2 Cx3", "warlord", 45),
        ("G3 E+2 Ex3", "paladin", 45),
        (TRIPLE, "", 66),
        (TRIPLE, "lover", 91),
        (TRIPLE, "king", 78),
        (TRIPLE, "wizard", 77),
        (TRIPLE, "necromancer wraith-lord", 91),
        ("N4", "", 4),
        ("N4 Nx4", "", 25),
        ("N4 Gx3 Lx4", "dragon", 28),
        ("N4 Nx3 Nx4", "dragon", 66),
        ("N4 G+3 L+3", "rogue", 10),
        ("", "", 0),
        ("", "overlord", 3),
        (S1, "thief jester merchant assassin oracle emperor philosophers-stone crystal-ball magic-tome", 21),
    ],
)
def test_totals(cards: str, names: str, expected: int):
    stacks = [stack(text) for text in cards.split("/") if text.strip()]
    at_work = powers(*names.split())
    assert broken_rule(stacks, at_work) is None
    total = destiny_total(stacks, at_work)
    assert total.points == expected
    assert sum(line.points for line in total.lines) == expected
    assert all(speaker().say(line.reason) for line in total.lines)


def test_the_arithmetic_is_written_as_people_do():
    assert destiny_total([stack(S1)]).sums[0].text == "(4 + 3) × 3 = 21"
    assert destiny_total([stack("N4 Gx3 Lx4")], powers("dragon")).sums[0].text == "4 × (3 + 4) = 28"
    assert destiny_total([stack("N4")]).sums[0].text == "4"
    match = destiny_total([stack(S1)]).sums[0].matches[0]
    assert (match.alignment, match.n, match.each) == ("law", 2, 1)


def test_the_breakdown_names_every_power_that_changed_a_card():
    lines = destiny_total([stack("L3 C+2 Cx3")], powers("warlord", "king")).lines
    told = [speaker().say(line.reason) for line in lines]
    assert "Chaos bonus 2 counts as Law (Warlord)" in told
    assert "Law base 3 counts as 7: 3 on the card, matching cards +2 and King +2" in told
    after = destiny_total([stack(S1)], match_bonus="after").lines
    assert "Matching cards add 2 after multiplying" in [speaker().say(line.reason) for line in after]


def test_open_questions_have_their_other_readings():
    assert destiny_total([stack(S1)], match_bonus="after").points == 17
    assert destiny_total([stack(TRIPLE)], match_bonus="after").points == 34
    two = [stack(S1), stack("N4")]
    assert destiny_total(two, match_scope="all").points == 33


def test_paladin_and_necromancer_change_each_card_once_unless_it_is_left():
    both = powers("paladin", "necromancer")
    assert (both.alignment(card("G3")), both.alignment(card("E3"))) == ("evil", "good")
    left = Powers(both.names, left=(card("G3"),))
    assert left.alignment(card("G3")) == "good"
    assert Powers(frozenset({"paladin"}), left=(card("E3"),)).alignment(card("E3")) == "good"


def test_the_alchemist_has_the_last_word():
    changed = Powers(frozenset({"amazon", "alchemist"}), ((card("L+2"), "chaos"),))
    assert changed.alignment(card("L+2")) == "chaos"
    assert changed.alignment(card("L+1")) == "nature"


@pytest.mark.parametrize(
    ("cards", "names", "rule"),
    [
        ("E2 G+3", "", "good bonus 3 and evil base 2"),
        ("L1 / C2", "", "opposing base cards"),
        ("N4 L+1 Cx2", "", "opposing cards cannot be in one stack"),
        ("N4 L+1 L+2", "", "one bonus card"),
        ("N4 L+1 L+2 Lx2", "rogue", "without a multiplier"),
        ("N4 Lx2 Lx3", "rogue", "one multiplier"),
        ("N4 L+1", "dragon rogue", "does not allow bonus cards"),
        ("N4 Lx2 Lx3 Lx4", "dragon", "two multipliers"),
    ],
)
def test_what_may_not_lie_together(cards: str, names: str, rule: str):
    broken = broken_rule([stack(text) for text in cards.split("/")], powers(*names.split()))
    assert broken
    assert rule in str(broken[0])
    assert broken[1]


def test_opposition_across_stacks_only_by_option():
    stacks = [stack("N4 G+1"), stack("N3 E+1")]
    assert broken_rule(stacks, powers()) is None
    assert broken_rule(stacks, powers(), strict=True)


def test_the_decks():
    assert (len(DECK), len(set(DECK)), len(CHARACTERS), len(PLAIN_CARDS)) == (73, 73, 23, 50)
    assert (len(TREASURES), sum(TREASURE_POINTS[one] for one in TREASURES)) == (20, 27)
    assert not any(opposed("nature", other) for other in ("good", "evil", "law", "chaos", "nature"))
    assert Fraction(comb(50, 7), comb(73, 7)) == Fraction(361900, 5903437), "a first hand without a character"

"""Every vector of RULINGS 1, Outlander: rolls through `tableside score … --json`, courses of play
typed into `tableside play` and read back by `tableside replay`.

- 1.3 special payoffs 12, 10 (5+1 and 6+0 changed by them), range −9 … 54, helpers that also pair.
- 1.5 000-1, 1a, 2a, 2; further: 6C 3C3J 4C2J 5C1J 3M3N 6M 3B3L CCBBGJ CJBLDG CJBLNM CCBGGG JJJLLD CCJJNM.
- 1.6 Q1 Q2 Q3 Q4; 1.7 mean of a roll, ways to 12 and to 10, 20 and 44 by the special line only. (The mean after the
  best re-roll is no score: tests/scoring/test_odds.py.)
- In play: 1.2 one re-roll of at most two; 1.5 000-1 and 000-2 as turns; 1.6 Q5 Q7 Q8 Q9 Q10 Q11; 40 wins at once.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from door import dice, evening, points, refused, score, scored, ways

OUTLANDER = dict(
    zip(
        "CJBLDGNM",
        ["claire", "jamie", "bjr", "laoghaire", "dougal", "geillis", "jenny", "murtagh"],
        strict=True,
    )
)

JJGGLB = "JJGGLB --add jamie=2 --add BJR=1"


@pytest.mark.parametrize(
    ("where", "roll", "points"),
    [
        ("1.5 000-1", JJGGLB, 0),
        ("1.5 000-1a", "JJGGLB", -2),
        ("1.5 000-2a", "BLGGGD", 0),
        ("1.5 000-2", "LGGGDN", 6),
        ("1.5", "CCCCCC", 10),
        ("1.5", "CCCJJJ", 12),
        ("1.5", "CCCCJJ", 10),
        ("1.5", "CCCCCJ", 10),
        ("1.5", "MMMNNN", 54),
        ("1.5", "MMMMMM", 30),
        ("1.5", "BBBLLL", -9),
        ("1.5", "CCBBGJ", 4),
        ("1.5", "CJBLDG", 4),
        ("1.5", "CJBLNM", 15),
        ("1.5", "CCBGGG", 2),
        ("1.5", "JJJLLD", 2),
        ("1.5", "CCJJNM", 26),
        ("1.6 Q1 a", f"{JJGGLB} --option removal=text --option bl_pair=plain", 0),
        ("1.6 Q1 b", f"{JJGGLB} --option bl_pair=absorbs", 1),
        ("1.6 Q1 c", f"{JJGGLB} --option removal=swapped", 1),
        ("1.6 Q2 after", "CJBNNN", 10),
        ("1.6 Q2 before", "CJBNNN --option cj_pairs=before", 12),
        ("1.6 Q3 final", "CCCJJJ --add jamie=1", 13),
        ("1.6 Q3 dice", "CCCJJJ --add jamie=1 --option special_scope=dice", 12),
        ("1.6 Q4 added", "CCCCCC --option card_points=4", 14),
        ("1.6 Q4 blocked", "CCCCCC --option card_points=4 --option special_blocks_card=yes", 10),
        ("1.4 change a face", "NNNNNB --add bjr=-1 --add claire=1", 16),
    ],
)
def test_outlander(where: str, roll: str, points: int):
    letters, _, rest = roll.partition(" ")
    told = score(f"outlander --faces {dice(letters, OUTLANDER)} {rest}")
    assert told["points"] == points == sum(line["points"] for line in told["breakdown"]), where
    assert all(line["where"] for line in told["breakdown"])


def test_outlanders_contradiction_is_said_once_with_what_changes_it():
    told = score(f"outlander --faces {dice('JJGGLB', OUTLANDER)} --add jamie=2 --add bjr=1")["breakdown"]
    doubts = [line for line in told if "contradicts" in line["rule"]]
    assert len(doubts) == 1
    assert "1 with option bl_pair=absorbs, 1 with option removal=swapped" in doubts[0]["rule"]


def test_outlander_over_all_rolls_of_the_model():
    rolls = ["".join(roll) for roll in combinations_with_replacement("CJBLDGNM", 6)]
    told = scored([dice(roll, OUTLANDER) for roll in rolls], "outlander")
    points = Counter[int]()
    special = Counter[int]()
    for roll, one in zip(rolls, told, strict=True):
        points[one["points"]] += ways(roll)
        if "no additional scoring" in one["breakdown"][0]["rule"]:
            special[one["points"]] += ways(roll)
    assert Fraction(sum(score * n for score, n in points.items()), 8**6) == Fraction(687053, 65536)
    assert (points[12], points[10], special) == (6450, 15086, {12: 20, 10: 44})
    assert (min(points), max(points)) == (-9, 54)


# Courses of play

ONE = "jamie jamie geillis geillis laoghaire bjr"
CAPTURED = ("card hand Claire is captured", "stand")
TURN = ("card hand", "stand")
WORTH_54 = "murtagh murtagh murtagh jenny jenny jenny"
WORTH_MINUS_9 = "bjr bjr bjr laoghaire laoghaire laoghaire"


@pytest.mark.parametrize(
    ("where", "option", "gained"),
    [
        ("1.5 000-1", "", 0),
        ("1.6 Q1 b", "--option bl_pair=absorbs", 1),
        ("1.6 Q1 c", "--option removal=swapped", 1),
    ],
)
def test_outlander_example_one_as_a_turn(where: str, option: str, gained: int):
    assert points(f"outlander --players Ann,Bob {option}", ONE, *CAPTURED) == [gained, 0], where


def test_outlander_example_two_as_a_turn():
    typed = (
        "bjr laoghaire geillis geillis geillis dougal",
        "card pile Searching for Jamie",
        "keep laoghaire geillis geillis geillis dougal",
        "jenny",
        "stand",
    )
    played = evening("outlander --players Ann,Bob", *typed)
    assert played.told["points"] == {"Ann": 6, "Bob": 0}
    assert [(one["rule"], one["points"]) for one in played.told["scores"][0]["breakdown"]] == [
        ("1 Jenny at 3 each", 3),
        ("1 pair of Dougal and Geillis at +3", 3),
    ]


def test_outlander_cards_change_faces_and_give_points_to_anyone():
    typed = (ONE, "card hand", "change bjr jenny 1", "points Ann 2", "points Bob -3 a fine", "stand")
    assert points("outlander --players Ann,Bob", *typed) == [1 + 3 + 2, -3]


@pytest.mark.parametrize(
    ("where", "option", "source", "hand"),
    [
        ("1.6 Q5", "", "hand", 2),
        ("1.6 Q5", "", "pile", 2),
        ("1.6 Q5", "--option draw_rule=always-one", "pile", 3),
    ],
)
def test_outlander_draws_at_the_end_of_the_turn(where: str, option: str, source: str, hand: int):
    played = evening(f"outlander --players Ann,Bob {option}", ONE, f"card {source}", "stand")
    assert played.state["hands"] == [hand, 2], where
    assert sum(played.state["hands"]) + played.state["pile"] + played.state["discard"] == 36


def test_outlander_the_card_comes_after_the_reroll_or_before_it_by_option():
    """1.6 Q7."""
    assert evening("outlander --players Ann,Bob", ONE, *TURN).state["turn"] == 1
    either = evening("outlander --players Ann,Bob --option card_timing=either", ONE, *TURN)
    assert (either.state["turn"], either.state["stage"]) == (0, "dice")


def test_outlander_a_total_may_be_below_zero_or_stop_there():
    """1.6 Q8."""
    assert points("outlander --players Ann,Bob", WORTH_MINUS_9, *TURN) == [-9, 0]
    assert points("outlander --players Ann,Bob --option clamp_zero=yes", WORTH_MINUS_9, *TURN) == [0, 0]


def test_outlander_the_discard_is_shuffled_when_the_pile_is_empty():
    """1.6 Q9: forty turns of a card off the pile are more than it ever held."""
    typed = ("dougal dougal dougal dougal dougal dougal", "card pile", "stand") * 40
    state = evening("outlander --players Ann", *typed).state
    assert (state["hands"], state["pile"] + state["discard"]) == ([2], 34)


def test_outlander_forty_wins_at_once_or_with_the_round():
    """1.1, 1.6 Q10."""
    assert evening("outlander --players Ann,Bob", WORTH_54, *TURN).told["winners"] == ["Ann"]
    finish = "outlander --players Ann,Bob --option finish_round=yes"
    assert evening(finish, WORTH_54, *TURN).told["winners"] is None
    assert evening(finish, *(WORTH_54, *TURN) * 2).told["winners"] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("where", "typed", "rule"),
    [
        ("1.2", (ONE, "keep jamie jamie geillis"), "hold at least 4 dice: at most 2 are thrown again"),
        (
            "1.2",
            (ONE, "keep jamie jamie geillis geillis", "jenny jenny", "keep jamie jamie geillis geillis"),
            "one re-roll",
        ),
        ("1.6 Q11", (ONE, "stand"), "a card is played each turn"),
        ("1.4", (ONE, "faces jamie 2"), "nothing changes the dice but a card"),
        ("1.4", (ONE, "card hand", "card hand"), "one card is played each turn"),
    ],
)
def test_outlander_refuses_by_rule(where: str, typed: tuple[str, ...], rule: str):
    assert rule in refused("outlander --players Ann,Bob", *typed), where


def test_outlander_a_card_may_be_optional():
    assert evening("outlander --players Ann,Bob --option card_optional=yes", ONE, "stand").state["turn"] == 1

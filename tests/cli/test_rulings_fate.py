"""Every vector of RULINGS 2, Meet Fate: rolls through `tableside score … --json`, courses of play
typed into `tableside play` and read back by `tableside replay`.

- 2.2/2.3 001-1, 2, 4, 5, 6, 7, 2.4 Q1 Q2 Q5; 2.6 counts over 8^6. (Best play in three rolls:
  tests/scoring/test_odds.py.)
- In play: 2.1 three throws, a held die thrown again, kept dice lie still; 2.2 each box once, nineteen turns, shared
  ties; 2.3 001-3, 001-7; 2.4 Q3 Q4 Q6 Q7.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from door import evening, points, refused, score, scored, ways

SUMS = ("two-pair", "three-pair", "three-of-a-kind", "four-of-a-kind", "chance")
SETS = {
    "small-straight": 30, "large-straight": 40, "full-house": 25, "five-of-a-kind": 50,
    "six-of-a-kind": 100, "trips": 45,
}  # fmt: skip


@pytest.mark.parametrize(
    ("where", "roll", "boxes"),
    [
        ("001-1", "224578", {"2": 4, "4": 4, "5": 5, "7": 7, "8": 8, "chance": 28}),
        ("001-2", "222255", {"2": 8, "5": 10, **dict.fromkeys(SUMS, 18), "full-house": 25}),
        ("001-3", "145678", {**{f: int(f) for f in "145678"}, "chance": 31, "small-straight": 30}),
        (
            "001-4",
            "333333",
            {"3": 18, **dict.fromkeys(SUMS, 18), "five-of-a-kind": 50, "six-of-a-kind": 100, "trips": 45},
        ),
        (
            "001-5",
            "333335",
            {"3": 15, "5": 5, **dict.fromkeys(set(SUMS) - {"three-pair"}, 20), "five-of-a-kind": 50},
        ),
        (
            "001-6",
            "333555",
            {"3": 9, "5": 15, **dict.fromkeys(("two-pair", "three-of-a-kind", "chance"), 24),
             "full-house": 25, "trips": 45},
        ),
    ],
)  # fmt: skip
def test_fate(where: str, roll: str, boxes: dict[str, int]):
    told = score(f"meet-fate --faces {','.join(roll)}")
    assert len(told["boxes"]) == 19
    assert {box: points for box, points in told["boxes"].items() if points} == boxes, where


def test_fate_six_eights_win_and_say_what_the_document_says():
    rules = score("meet-fate --faces 8,8,8,8,8,8")["breakdown"]
    assert [line["rule"] for line in rules if "six eights" in line["rule"].casefold()] == [
        "Six eights: the player wins, game over"
    ]
    assert "option f8_mode" in rules[-1]["where"]


@pytest.mark.parametrize(
    ("where", "line", "points"),
    [
        ("2.3 any box may be a zero", "224578 --declare six-of-a-kind", 0),
        ("2.3 001-3 box 1", "145678 --declare 1", 1),
        ("2.3 001-3 six of a kind", "145678 --declare six-of-a-kind", 0),
        ("2.3 001-3 not large", "145678 --declare large-straight", 0),
        ("2.2 large is small too", "123456 --declare small-straight", 30),
        ("2.4 Q1 own sheet", "145678 --declare small-straight --option set_values.small-straight=33", 33),
        ("2.4 Q2 A", "333335 --declare full-house", 0),
        ("2.4 Q2 B", "333335 --declare full-house --option full_house=B", 25),
        ("2.4 Q2 B", "333333 --declare full-house --option full_house=B", 25),
        ("2.4 Q2 C", "222255 --declare full-house --option full_house=C", 0),
        ("2.4 Q2 C", "222556 --declare full-house --option full_house=C", 25),
        ("2.4 Q5 yes", "222256 --declare two-pair", 19),
        ("2.4 Q5 distinct", "222256 --declare two-pair --option pairs_distinct=yes", 0),
    ],
)
def test_fate_boxes(where: str, line: str, points: int):
    roll, _, rest = line.partition(" ")
    assert score(f"meet-fate --faces {','.join(roll)} {rest}")["points"] == points, where


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        (
            "",
            {"two-pair": 107584, "three-pair": 5888, "three-of-a-kind": 60544, "four-of-a-kind": 6224,
             "five-of-a-kind": 344, "six-of-a-kind": 8, "small-straight": 13680, "large-straight": 2160,
             "full-house": 21560, "trips": 568},
        ),
        ("--option pairs_distinct=yes --option full_house=B",
         {"two-pair": 102200, "three-pair": 5040, "full-house": 21904}),
        ("--option full_house=C", {"full-house": 20160}),
    ],
)  # fmt: skip
def test_fate_counts_over_all_rolls(options: str, counts: dict[str, int]):
    rolls = ["".join(roll) for roll in combinations_with_replacement("12345678", 6)]
    found = Counter[str]()
    for roll, told in zip(
        rolls, scored([",".join(roll) for roll in rolls], f"meet-fate {options}"), strict=True
    ):
        for box, gained in told["boxes"].items():
            found[box] += ways(roll) * bool(gained)
    assert {box: found[box] for box in counts} == counts


# Courses of play

RELEASED = ("2 3 5 7 7 8", "keep 7 7", "1 4 5 6", "keep 4 5 6 7", "1 8")


@pytest.mark.parametrize(("box", "gained"), [("small straight", 30), ("1", 1), ("six of a kind", 0)])
def test_fate_a_held_seven_is_released(box: str, gained: int):
    assert points("meet-fate --players Ann,Bob", *RELEASED, f"fill {box}") == [gained, 0]


@pytest.mark.parametrize(
    ("where", "typed", "rule"),
    [
        ("2.3", ("2 3 5 7 7 8", "keep 7 7", "1 2 3 4 5 6"), "the kept dice (7, 7) must lie there still"),
        ("2.1", (*RELEASED, "keep 1"), "all three throws of the turn are used"),
        ("2.2", (*RELEASED, "fill 1", *RELEASED, "fill 1"), "filled already"),
        ("2.2", (*RELEASED, "fill yahtzee"), "no box 'yahtzee'"),
        ("2.4 Q3", ("8 8 8 8 8 8", "fill 8"), "six eights wait to be confirmed"),
    ],
)
def test_fate_refuses_by_rule(where: str, typed: tuple[str, ...], rule: str):
    assert rule in refused("meet-fate --players Ann", *typed), where


def test_fate_six_eights_end_the_match_once_confirmed():
    """2.3 001-7; 2.4 Q3, Q4: held eights count, and Bob, who sits later, does not finish."""
    typed = ("8 8 8 8 8 1", "keep 8 8 8 8 8", "8", "confirm yes")
    assert evening("meet-fate --players Ann,Bob", *typed).told["winners"] == ["Ann"]
    denied = evening("meet-fate --players Ann,Bob", *typed[:-1], "confirm no", "fill 8")
    assert (denied.told["winners"], denied.told["points"]["Ann"]) == (None, 48)
    one_throw = evening("meet-fate --players Ann,Bob --option f8_mode=one-throw", *typed[:-1], "fill 8")
    assert one_throw.told["points"]["Ann"] == 48


def test_fate_nineteen_turns_each_and_a_tie_is_shared():
    """2.2; 2.4 Q6: every turn stops after one throw."""
    boxes = "12345678"
    rest = (
        "two-pair three-pair three-of-a-kind four-of-a-kind chance small-straight large-straight full-house "
        "five-of-a-kind six-of-a-kind trips"
    )
    typed = [line for box in (*boxes, *rest.split()) for line in ("2 2 4 5 7 8", f"fill {box}") * 2]
    told = evening("meet-fate --players Ann,Bob", *typed).told
    assert (told["winners"], told["points"]) == (["Ann", "Bob"], {"Ann": 56, "Bob": 56})
    assert len(told["scores"]) == 38


def test_fate_the_upper_bonus_is_none_unless_the_table_has_one():
    """2.4 Q7."""
    typed = ("8 8 8 8 1 1", "fill 8")
    assert points("meet-fate --players Ann", *typed) == [32]
    bonus = "meet-fate --players Ann --option upper_bonus=35 --option upper_bonus_from=32"
    assert points(bonus, *typed) == [67]

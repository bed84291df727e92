"""Every vector of RULINGS 1 and 2 that concerns a roll, through `tableside score … --json`.

Which vectors there are, by paragraph; those marked → are courses of play, in test_rulings_matches.py.

- 1.3 special payoffs 12, 10 (5+1 and 6+0 changed by them), range −9 … 54, helpers that also pair.
- 1.5 000-1, 1a, 2a, 2; further: 6C 3C3J 4C2J 5C1J 3M3N 6M 3B3L CCBBGJ CJBLDG CJBLNM CCBGGG JJJLLD CCJJNM.
- 1.6 Q1 Q2 Q3 Q4 (→ 000-1 and 000-2 as turns; Q5 Q7 Q8 Q9 Q10 Q11).
- 1.7 mean of a roll, ways to 12 and to 10, 20 and 44 by the special line only. (The mean after the best re-roll is
  no score: tests/scoring/test_odds.py.)
- 2.2/2.3 001-1, 2, 4, 5, 6, 7 (→ 001-3 as a turn, six eights, the end), 2.4 Q1 Q2 Q5 (→ Q3 Q4 Q6 Q7).
- 2.6 counts over 8^6. (Best play in three rolls: tests/scoring/test_odds.py.)
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from door import dice, score, scored, ways

OUTLANDER = dict(
    zip(
        "CJBLDGNM",
        ["claire", "jamie", "bjr", "laoghaire", "dougal", "geillis", "jenny", "murtagh"],
        strict=True,
    )
)

# 1 Outlander

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


# 2 Meet Fate

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
        for box, points in told["boxes"].items():
            found[box] += ways(roll) * bool(points)
    assert {box: found[box] for box in counts} == counts

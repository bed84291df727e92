"""Every vector of RULINGS 3 that concerns a roll, through `tableside score … --json`.

Which vectors there are, by paragraph; those marked → are courses of play, in test_rulings_matches.py.

- 3.1 sums of 216, 215 and 3600. (170, 688 and 300 are what other groups would sum to: arguments, no rules.)
- 3.2 the five vectors of N = 12, immediate outcomes of 36 (→ N in play, who declares next).
- 3.3 Triples; 3.4 the whole table with its vectors, and how often each declaration pays.
- 3.5 the five hands, counts of 7776 (→ targets); 3.6 points, mean, the re-roll (→ re-rolls in play). (Best keeps:
  tests/scoring/test_odds.py.)
- 3.7 Q1 Q3 Q5 (→ Q2 Q4 Q6 Q7).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from door import dice, score, scored, ways

CATS = {"c": "cat", "C": "two-cats", "s": "sigil", "d": "DD", "t": "thoromyr", "m": "manticore"}

THREE = ["".join(roll) for roll in product(CATS, repeat=3)]
POSITIVE = ("cats", "no-cats", "family", "no-family", *(name.casefold() for name in CATS.values()))


@pytest.mark.parametrize(
    ("where", "line", "points"),
    [
        ("3.2 N=12", "CC --declare no~cats --option set_roll=sigil,DD --option rolls_before=12", 12),
        ("3.2 N=12", "ss --declare cats --option set_roll=sigil,DD --option rolls_before=12", 24),
        ("3.2 N=12", "ss --declare no~cats --option set_roll=sigil,DD --option rolls_before=12", 48),
        ("3.2 N=12", "ds --declare no~cats --option set_roll=sigil,DD --option rolls_before=12", 24),
        ("3.2 N=12", "dd --declare DD --option set_roll=sigil,DD --option rolls_before=12", 48),
        ("3.7 Q1", "ss --declare person --option set_roll=sigil,DD --option rolls_before=12", 48),
        (
            "3.7 Q3 x4",
            "sd --declare no~cats --option set_roll=sigil,DD --option rolls_before=12 --option repeat_x4=yes",
            48,
        ),
        ("3.2 goes on", "cs --declare DD --option set_roll=sigil,DD --option rolls_before=3", 0),
    ],
)
def test_pairs(where: str, line: str, points: int):
    roll, _, rest = line.partition(" ")
    assert score(f"pairs --faces {dice(roll, CATS)} {rest}")["points"] == points, where


@pytest.mark.parametrize(
    ("declared", "pays", "wins"),
    [
        ("cats", 15, 3),
        ("no-cats", 15, 3),
        ("family", 10, 4),
        ("no-family", 20, 2),
        ("dd", 50, 1),
        ("no-dd", 5, 5),
    ],
)
def test_pairs_immediate_outcomes_of_36(declared: str, pays: int, wins: int):
    rolls = [dice("".join(roll), CATS) for roll in product(CATS, repeat=2)]
    told = scored(rolls, f"pairs --declare {declared}")
    rules = [one["breakdown"][0]["rule"] for one in told]
    assert Counter(one["points"] for one in told) == {0: 36 - wins, pays: wins}
    assert sum("set" in rule for rule in rules) == 30
    assert sum("loses" in rule for rule in rules) == 6 - wins


@pytest.mark.parametrize(("roll", "points"), [("ccs", 2), ("ccc", 6), ("cst", 0)])
def test_triples(roll: str, points: int):
    assert score(f"triples --faces {dice(roll, CATS)}")["points"] == points


def test_triples_sum_to_216():
    assert sum(one["points"] for one in scored([dice(roll, CATS) for roll in THREE], "triples")) == 216


@pytest.mark.parametrize(
    ("declared", "rolls"),
    [
        ("DD", "ddd 21  ddc 8  cdC 1  ccd 1  cst 0  ccs 0"),
        ("two cats", "CCC 21  CCd 8  cCm 1  ccs 0"),
        ("family", "ttt 9  ccs 3  ccd 2  cst 1  ddc 0  cdm 0  csd 0"),
        ("no family", "ddd 21  ddm 5  mmd 5  ddc 5  dmc 1  dst 0  ccd 0  mcc 0"),
        ("cats", "mmm 10  ccC 1  ccs 1  cCm 1  cCs 1  sdc 1  ssc 1  ssd 0  sdt 0"),
        ("no cats", "ttt 7  ddt 1  ddc 1  dst 25  dsc 0  scm 0  ccd 0"),
        ("no DD", "sss 7  ccs 2  ccd 0  cst 1  cdt 0  ddc 0  ddd 0"),
        ("no manticore", "ddd 7  ddc 2  ddm 0  dst 1  mmd 0  mmm 0"),
    ],
)
def test_called_shot_row_by_row(declared: str, rolls: str):
    for vector in rolls.split("  "):
        roll, points = vector.split()
        told = score(f"called-shot --faces {dice(roll, CATS)} --declare {declared.replace(' ', '~')}")
        assert told["points"] == int(points), vector
        assert "the table's row" in told["breakdown"][0]["where"]


@pytest.mark.parametrize(
    ("declared", "total", "paying"),
    [("cats", 216, 189), ("no-cats", 216, 54), ("family", 216, 88), ("no-family", 216, 56)]
    + [(face, 216, 91) for face in POSITIVE[4:]]
    + [(f"no-{face}", 215, 125) for face in POSITIVE[4:]],
)
def test_called_shot_sums_and_how_often_it_pays(declared: str, total: int, paying: int):
    points = [
        one["points"] for one in scored([dice(r, CATS) for r in THREE], f"called-shot --declare {declared}")
    ]
    assert (sum(points), sum(point > 0 for point in points)) == (total, paying)


HANDS = {
    "pair": ("ccsdm", 1, 3600), "two-pair": ("ccssm", 2, 1800), "three-of-a-kind": ("cccsm", 3, 1200),
    "run": ("cCsdm", 5, 720), "three-and-pair": ("cccss", 12, 300), "four-of-a-kind": ("ccccs", 24, 150),
    "five-of-a-kind": ("ccccc", 600, 6),
}  # fmt: skip


@pytest.mark.parametrize("hand", HANDS)
def test_hands_of_five(hand: str):
    roll, points, _ = HANDS[hand]
    told = score(f"everyone-scores --faces {dice(roll, CATS)}")
    assert (told["rank"], told["points"]) == (hand, points)
    alone = score(f"quintuples --faces {dice(roll, CATS)}")
    assert (alone["rank"], alone["points"]) == (hand, None)


def test_hands_of_five_over_all_7776_rolls():
    rolls = ["".join(roll) for roll in combinations_with_replacement(CATS, 5)]
    assert len(rolls) == 252
    counts, points = Counter[str](), Counter[str]()
    for roll, one in zip(rolls, scored([dice(r, CATS) for r in rolls], "everyone-scores"), strict=True):
        counts[one["rank"]] += ways(roll)
        points[one["rank"]] += ways(roll) * one["points"]
    assert counts == {hand: n for hand, (_, _, n) in HANDS.items()}
    assert set(points.values()) == {3600}
    assert Fraction(sum(points.values()), 7776) == Fraction(175, 54)


@pytest.mark.parametrize(
    ("hand", "others", "points"),
    [
        ("pair", ("pair", "two-pair", "three-of-a-kind", "three-of-a-kind"), 0),
        ("two-pair", ("pair", "pair", "three-of-a-kind", "three-of-a-kind"), 2),
        ("three-of-a-kind", ("pair", "pair", "two-pair", "three-of-a-kind"), 3),
    ],
)
def test_quintuples_of_five_players(hand: str, others: tuple[str, ...], points: int):
    line = f"quintuples --faces {dice(HANDS[hand][0], CATS)} --option others={','.join(others)}"
    assert score(line)["points"] == points


@pytest.mark.parametrize("game", ["everyone-scores", "quintuples --option others=pair,pair"])
def test_a_reroll_that_does_not_improve_scores_nothing(game: str):
    for roll, before, better in (
        ("ccccs", "run", True),
        ("ccssm", "two-pair", False),
        ("ccsdm", "run", False),
    ):
        told = score(f"{game} --faces {dice(roll, CATS)} --option reroll=yes --option rerolled_from={before}")
        assert bool(told["points"]) is better

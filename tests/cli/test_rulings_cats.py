"""Every vector of RULINGS 3, the cat dice: rolls through `tableside score … --json`, courses of play
typed into `tableside play` and read back by `tableside replay`.

- 3.1 sums of 216, 215 and 3600. (170, 688 and 300 are what other groups would sum to: arguments, no rules.)
- 3.2 the five vectors of N = 12, immediate outcomes of 36; 3.3 Triples; 3.4 the whole table with its vectors, and how
  often each declaration pays; 3.5 the five hands, counts of 7776; 3.6 points, mean, the re-roll. (Best keeps:
  tests/scoring/test_odds.py.) 3.7 Q1 Q3 Q5.
- In play: 3.2 N = 12 as a round, who rolls and who declares next; 3.4 declare before the roll; 3.5 five players,
  targets by number of players; 3.6 the re-roll, only by agreement; 3.7 Q1 Q2 Q4 Q5 Q6 Q7.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from door import dice, evening, points, refused, score, scored, ways

CATS = {"c": "cat", "C": "two-cats", "s": "sigil", "d": "DD", "t": "thoromyr", "m": "manticore"}

THREES = ["".join(roll) for roll in product(CATS, repeat=3)]
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
    assert sum(one["points"] for one in scored([dice(roll, CATS) for roll in THREES], "triples")) == 216


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
        one["points"] for one in scored([dice(r, CATS) for r in THREES], f"called-shot --declare {declared}")
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


# Courses of play

NOTHING = "cat manticore"
TWELVE = ("sigil DD", *(NOTHING,) * 11)


@pytest.mark.parametrize(
    ("where", "option", "declared", "last", "gained"),
    [
        ("3.2", "", "no cats", "two-cats two-cats", 12),
        ("3.2", "", "cats", "sigil sigil", 24),
        ("3.2", "", "no cats", "sigil sigil", 48),
        ("3.2", "", "no cats", "DD sigil", 24),
        ("3.2", "", "DD", "DD DD", 48),
        ("3.7 Q1", "", "person", "sigil sigil", 48),
        ("3.7 Q2", "--option count_set_roll=no", "no cats", "sigil sigil", 44),
        ("3.7 Q3", "--option repeat_x4=yes", "no cats", "DD sigil", 48),
    ],
)
def test_pairs_a_round_of_twelve(where: str, option: str, declared: str, last: str, gained: int):
    """Ann declares; Bob rolls first after her, so that the thirteenth roll is Ann's again."""
    told = evening(f"pairs --players Ann,Bob {option}", f"declare {declared}", *TWELVE, last).told
    assert told["points"] == {"Ann": gained, "Bob": 0}, where
    assert told["state"]["declarer"] == 1, "the next declarer sits left of the last one, whoever won"


def test_pairs_wins_and_losses_at_once_pass_the_dice():
    played = evening("pairs --players Ann,Bob", "declare family", "cat cat", "declare no cats", "cat cat")
    assert (played.told["points"], played.state["declarer"]) == ({"Ann": 10, "Bob": 0}, 0)


@pytest.mark.parametrize(("option", "roller"), [("", 1), ("--option first_roller=declarer", 0)])
def test_pairs_who_rolls_first_after_a_set(option: str, roller: int):
    """3.7 Q4."""
    played = evening(f"pairs --players Ann,Bob,Cy {option}", "declare DD", "sigil DD")
    assert played.state["roller"] == roller


def test_a_declaration_comes_before_the_roll():
    assert "is none of the moves" in refused("called-shot --players Ann", "DD,DD,cat")
    locked = refused("called-shot --players Ann", "declare no cats", "declare DD")
    assert "no face 'declare'" in locked
    assert points("called-shot --players Ann", "declare no cats", "DD,DD,cat") == [1]


@pytest.mark.parametrize(
    ("game", "turn"),
    [("triples", ("cat cat cat",)), ("called-shot", ("declare no cats", "DD,sigil,thoromyr"))],
)
def test_twenty_five_wins_at_once_or_with_the_round(game: str, turn: tuple[str, ...]):
    """3.3, 3.4, 3.7 Q7."""
    rounds = 5 if game == "triples" else 1
    first = (*turn * 2 * (rounds - 1), *turn)
    assert evening(f"{game} --players Ann,Bob", *first).told["winners"] == ["Ann"]
    finish = f"{game} --players Ann,Bob --option finish_round=yes"
    assert evening(finish, *first).told["winners"] is None
    assert evening(finish, *first, *turn).told["winners"] == ["Ann", "Bob"]


PAIR, TWO_PAIR, THREE = "cat cat sigil DD manticore", "cat cat sigil sigil DD", "cat cat cat sigil DD"
RUN, FOUR = "cat two-cats sigil DD manticore", "cat cat cat cat sigil"


def test_quintuples_five_players():
    """3.5: pair, pair, two pair, three, three."""
    assert points("quintuples --players A,B,C,D,E", PAIR, PAIR, TWO_PAIR, THREE, THREE) == [0, 0, 2, 3, 3]


@pytest.mark.parametrize(("players", "rounds"), [("A,B", 5), ("A,B,C", 5), ("A,B,C,D", 5)])
def test_quintuples_targets_by_number_of_players(players: str, rounds: int):
    """5, 10, 15: whoever beats all others has reached it after five rounds, and not after four."""
    one = (FOUR, *(PAIR,) * (len(players.split(",")) - 1))
    assert evening(f"quintuples --players {players}", *one * (rounds - 1)).told["winners"] is None
    told = evening(f"quintuples --players {players}", *one * rounds).told
    assert (told["winners"], told["points"]["A"]) == (["A"], 5 * (len(players.split(",")) - 1))


@pytest.mark.parametrize(("rank", "gained"), [("table", [0, 1]), ("before", [0, 0]), ("nothing", [0, 1])])
def test_quintuples_after_a_failed_reroll(rank: str, gained: list[int]):
    """3.7 Q5: Ann has a run and rolls two pair; Bob has three of a kind."""
    line = f"quintuples --players Ann,Bob --option reroll=yes --option failed_reroll_rank={rank}"
    assert points(line, RUN, "keep cat sigil DD", "cat sigil", THREE, "stand") == gained


def test_everyone_scores_a_reroll_scores_only_a_higher_hand_and_only_by_agreement():
    """3.6."""
    line = "everyone-scores --players Ann --option reroll=yes"
    assert points(line, PAIR, "keep cat cat", "cat sigil DD") == [3]
    assert points(line, PAIR, "keep cat cat", "sigil DD manticore") == [0]
    assert points(line, RUN, "stand") == [5]
    assert evening("everyone-scores --players Ann,Bob", PAIR).state["turn"]["player"] == 1


@pytest.mark.parametrize(("tie", "winners"), [("shared", ["Ann", "Bob"]), ("play-on", None)])
def test_everyone_scores_a_tie_at_the_end_of_the_round(tie: str, winners: list[str] | None):
    """3.6 a short game to 20; 3.7 Q6."""
    line = f"everyone-scores --players Ann,Bob --option target=20 --option tie={tie}"
    assert evening(line, FOUR, FOUR).told["winners"] == winners

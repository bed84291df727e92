"""Vectors of RULINGS 1 to 3 that are courses of play, typed into `tableside play` and read back by `tableside replay`.

- 1.2 one re-roll of at most two; 1.5 000-1 and 000-2 as turns; 1.6 Q5 Q7 Q8 Q9 Q10 Q11; 40 wins at once.
- 2.1 three throws, a held die thrown again, kept dice lie still; 2.2 each box once, nineteen turns, shared ties;
  2.3 001-3, 001-7; 2.4 Q3 Q4 Q6 Q7.
- 3.2 N = 12 as a round, who rolls and who declares next; 3.4 declare before the roll; 3.5 five players, targets by
  number of players; 3.6 the re-roll, only by agreement; 3.7 Q1 Q2 Q4 Q5 Q6 Q7.
"""

from __future__ import annotations

import pytest
from door import evening, refused

ONE = "jamie jamie geillis geillis laoghaire bjr"
CAPTURED = ("card hand Claire is captured", "stand")
TURN = ("card hand", "stand")
WORTH_54 = "murtagh murtagh murtagh jenny jenny jenny"
WORTH_MINUS_9 = "bjr bjr bjr laoghaire laoghaire laoghaire"


def points(line: str, *typed: str) -> list[int]:
    return list(evening(line, *typed).told["points"].values())


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


# Meet Fate

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


# The cat dice

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

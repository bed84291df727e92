"""The five games with the cat dice: every vector of RULINGS 3, and the sums that prove its groups."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from scoring.actions import Declare, Hold, IllegalMoveError, Play, Roll, Stand
from scoring.dice import Face
from scoring.games import find
from scoring.games.cats.called_shot import payoff
from scoring.games.cats.cat_dice import FACES, HANDS, hand, rank
from scoring.games.cats.everyone_scores import POINTS
from scoring.games.cats.five_dice import Hand
from scoring.games.cats.pairs import WINS, declared_lines
from scoring.games.cats.quintuples import beaten
from scoring.games.cats.triples import breakdown as triples_line
from scoring.match import Match, begin

SHORT = {"c": "cat", "C": "two-cats", "s": "sigil", "d": "dd", "t": "thoromyr", "m": "manticore"}
POSITIVE = ("cats", "no-cats", "family", "no-family", *FACES)


def faces(letters: str) -> tuple[Face, ...]:
    return tuple(SHORT[letter] for letter in letters)


THREE = list(product(FACES, repeat=3))
FIVE = Counter(hand(roll) for roll in product(FACES, repeat=5))


# The sum test (RULINGS 3.1): a fair value of one point a roll proves the groups and the reading of the table.


def test_triples_sum_to_216():
    assert sum(triples_line(roll).points for roll in THREE) == 216


@pytest.mark.parametrize("declared", POSITIVE)
def test_positive_declarations_sum_to_216(declared: str):
    assert sum(payoff(declared, roll)[1] for roll in THREE) == 216


@pytest.mark.parametrize("face", FACES)
def test_no_face_sums_to_215(face: Face):
    assert sum(payoff(f"no-{face}", roll)[1] for roll in THREE) == 215


@pytest.mark.parametrize("name", HANDS)
def test_each_rank_brings_3600_in_everyone_scores(name: str):
    assert POINTS[name] * FIVE[name] == 3600


def test_how_often_each_hand_comes():
    assert [FIVE[name] for name in HANDS] == [3600, 1800, 1200, 720, 300, 150, 6]


@pytest.mark.parametrize(
    ("declared", "paying"),
    [("cats", 189), ("family", 88), ("no-family", 56), ("no-cats", 54)]
    + [(face, 91) for face in FACES]
    + [(f"no-{face}", 125) for face in FACES],
)
def test_how_often_a_declaration_pays(declared: str, paying: int):
    assert sum(payoff(declared, roll)[1] > 0 for roll in THREE) == paying


# Called Shot


@pytest.mark.parametrize(
    ("declared", "rolls"),
    [
        ("DD", "ddd 21, ddc 8, cdC 1, ccd 1, cst 0, ccs 0"),
        ("two cats", "CCC 21, CCd 8, cCm 1, ccs 0"),
        ("family", "ttt 9, ccs 3, ccd 2, cst 1, ddc 0, cdm 0, csd 0"),
        ("no family", "ddd 21, ddm 5, mmd 5, ddc 5, dmc 1, dst 0, ccd 0, mcc 0"),
        ("cats", "mmm 10, ccC 1, ccs 1, cCm 1, cCs 1, sdc 1, ssc 1, ssd 0, sdt 0"),
        ("No Cats", "ttt 7, ddt 1, ddc 1, dst 25, dsc 0, scm 0, ccd 0"),
        ("no DD", "sss 7, ccs 2, ccd 0, cst 1, cdt 0, ddc 0, ddd 0"),
        ("no manticore", "ddd 7, ddc 2, ddm 0, dst 1, mmd 0, mmm 0"),
    ],
)
def test_called_shot_row_by_row(declared: str, rolls: str):
    for vector in rolls.split(", "):
        roll, points = vector.split()
        scored = find("called-shot").score(faces(roll), declared=declared)
        assert scored.points == int(points), vector


def test_a_shot_is_called_before_the_roll():
    match = begin(find("called-shot"), ["Ann"])
    with pytest.raises(IllegalMoveError, match="nobody needs to throw now"):
        match.add(Roll(faces("ddc")))
    with pytest.raises(IllegalMoveError, match="“dogs” is not a call"):
        match.add(Play(0, Declare("dogs")))
    match = match.add(Play(0, Declare("cats")))
    with pytest.raises(IllegalMoveError, match="there is nothing to decide now"):
        match.add(Play(0, Declare("dd")))


@pytest.mark.parametrize(("roll", "points"), [("ccs", 2), ("ccc", 6), ("cst", 0)])
def test_triples(roll: str, points: int):
    assert find("triples").score(faces(roll)).points == points


@pytest.mark.parametrize("game", ["triples", "called-shot"])
def test_a_race_is_won_at_once_or_with_the_round(game: str):
    """RULINGS 3.7 Q7: Ann is at the target; Bob has the same points once the round is finished."""
    for finish, winners in ((False, (0,)), (True, (0, 1))):
        match = begin(find(game), ["Ann", "Bob"], {"target": 6, "finish_round": finish})
        for turn in range(2 if finish else 1):
            if game == "called-shot":
                match = match.add(Play(turn, Declare("cats")))
            assert match.outcome is None
            match = match.add(Roll(faces("mmm" if game == "called-shot" else "ccc")))
        assert match.outcome
        assert match.outcome.winners == winners


# Pairs


@pytest.mark.parametrize(
    ("declared", "roll", "points"),
    [
        ("no cats", "CC", 12),
        ("cats", "ss", 24),
        ("no cats", "ss", 48),
        ("person", "ss", 48),
        ("no cats", "sd", 24),
        ("no cats", "ds", 24),
        ("DD", "dd", 48),
        ("DD", "cs", 0),
    ],
)
def test_twelve_rolls_after_a_set_of_sigil_and_dd(declared: str, roll: str, points: int):
    told = {"set_roll": "sigil, DD", "rolls_before": 12}
    assert find("pairs").score(faces(roll), declared=declared, options=told).points == points


def test_the_set_roll_again_may_pay_fourfold():
    told = {"set_roll": "sigil,dd", "rolls_before": 12, "repeat_x4": True}
    pairs = find("pairs")
    assert pairs.score(faces("sd"), declared="no cats", options=told).points == 48
    assert pairs.score(faces("sd"), declared="DD", options=told).points == 24


@pytest.mark.parametrize(
    ("declared", "win", "lose"),
    [("cats", 3, 3), ("no-cats", 3, 3), ("family", 4, 2), ("no-family", 2, 4), ("dd", 1, 5), ("no-dd", 5, 1)],
)
def test_immediate_outcomes_of_36(declared: str, win: int, lose: int):
    outcomes = [declared_lines(declared, roll) for roll in product(FACES, repeat=2)]
    points = [lines[0].points for lines in outcomes if lines is not None]
    assert points.count(WINS[declared]) == win
    assert points.count(0) == lose
    assert outcomes.count(None) == 30


def pairs_after(*rolls: str, players: int = 3, **options: object) -> Match:
    match = begin(find("pairs"), [f"P{i}" for i in range(players)], options)
    for roll in rolls:
        if match.state.declared is None:
            match = match.add(Play(match.state.declarer, Declare("no-cats")))
        match = match.add(Roll(faces(roll)))
    return match


def test_the_declaring_roll_passes_clockwise_whoever_wins():
    match = pairs_after("sd", "cs", "mm")
    assert match.state.points == (0, 0, 2)
    assert match.state.declarer == 1


@pytest.mark.parametrize(("count_set_roll", "points"), [(True, 2), (False, 1)])
def test_whether_the_set_roll_counts(count_set_roll: bool, points: int):
    assert pairs_after("sd", "cs", "mm", count_set_roll=count_set_roll).state.points[2] == points


def test_a_round_of_twelve_counts_every_roll_before_the_winning_one():
    match = pairs_after("sd", *["cm"] * 11, "ss", players=2)
    assert match.state.points == (48, 0)
    assert match.state.declarer == 1, "the next declarer sits left of the last one, whoever won"


def test_who_rolls_first_after_a_set():
    assert pairs_after("sd").state.roller == 1
    assert pairs_after("sd", first_roller="declarer").state.roller == 0


def test_person_may_be_left_out():
    with pytest.raises(ValueError, match="person"):
        find("pairs").score(faces("ss"), declared="person", options={"person_alias": "no"})


# Quintuples and Everyone Scores


@pytest.mark.parametrize(
    ("roll", "name"),
    [
        ("ccsdm", "pair"),
        ("ccssm", "two-pair"),
        ("cccsm", "three-of-a-kind"),
        ("cCsdm", "run"),
        ("cccss", "three-and-pair"),
        ("ccccs", "four-of-a-kind"),
        ("ccccc", "five-of-a-kind"),
    ],
)
def test_hands(roll: str, name: str):
    assert hand(faces(roll)) == name
    assert find("quintuples").score(faces(roll)).rank == name
    assert find("everyone-scores").score(faces(roll)).points == POINTS[name]


def test_everyone_is_paid_for_those_they_beat():
    hands = [Hand(faces(roll)) for roll in ("ccsdm", "ssdct", "ccssm", "cccsm", "dddsm")]
    assert beaten(hands, "table") == (0, 0, 2, 3, 3)
    told = {"others": "pair, pair, two pair, three of a kind"}
    assert find("quintuples").score(faces("dddsm"), options=told).points == 3


def test_a_quintuples_roll_alone_has_no_points():
    assert find("quintuples").score(faces("ccccc")).points is None


@pytest.mark.parametrize(("players", "target"), [(2, 5), (3, 10), (4, 15), (7, 30)])
def test_the_target_goes_by_the_number_of_players(players: int, target: int):
    match = begin(find("quintuples"), [f"P{i}" for i in range(players)])
    assert match.game.target(match.state) == target  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("failed_rank", "gained"), [("table", (0, 1)), ("before", (0, 0)), ("nothing", (0, 1))]
)
def test_after_a_failed_reroll_others_compare_with(failed_rank: str, gained: tuple[int, ...]):
    """Ann had a run and rolled two pair; Bob has three of a kind."""
    assert beaten([Hand(faces("ccssm"), "run"), Hand(faces("cccsm"))], failed_rank) == gained


def everyone(*actions: object, **options: object) -> Match:
    match = begin(find("everyone-scores"), ["Ann"], {"reroll": "yes"} | options)
    for action in actions:
        done = Roll(faces(action)) if isinstance(action, str) else Play(0, action)  # type: ignore[arg-type]
        match = match.add(done)
    return match


def test_a_reroll_scores_only_if_the_hand_is_higher():
    keep = Hold(faces("cc"))
    assert everyone("ccsdm", keep, "ccctm").state.points == (3,)
    assert everyone("ccsdm", keep, "ccstm").state.points == (0,)
    assert everyone("ccsdm", Stand()).state.points == (1,)


@pytest.mark.parametrize("game", ["everyone-scores", "quintuples"])
@pytest.mark.parametrize(("roll", "before", "better"), [("ccccs", "run", True), ("ccssm", "two-pair", False)])
def test_a_roll_alone_is_told_the_hand_before_its_reroll(game: str, roll: str, before: str, better: bool):
    told: dict[str, object] = {"reroll": "yes", "rerolled_from": before}
    told |= {"others": "pair, pair"} if game == "quintuples" else {}
    assert bool(find(game).score(faces(roll), options=told).points) is better
    with pytest.raises(ValueError, match="needs the house rule that allows throwing again"):
        find(game).score(faces(roll), options={"rerolled_from": before})


def test_quintuples_in_play_and_its_failed_reroll():
    """RULINGS 3.5, 3.7 Q5: Ann has a run and rolls two pair; Bob has three of a kind."""
    match = begin(find("quintuples"), ["Ann", "Bob"], {"reroll": "yes"})
    match = match.add(Roll(faces("cCsdm"))).add(Play(0, Hold(faces("csd")))).add(Roll(faces("csdcs")))
    match = match.add(Roll(faces("cccsd"))).add(Play(1, Stand()))
    assert match.state.points == (0, 1)


def test_there_is_no_reroll_unless_agreed():
    with pytest.raises(IllegalMoveError, match="there is nothing to decide now"):
        everyone("ccsdm", Stand(), reroll="no")


def test_a_reroll_is_once_and_all_together():
    with pytest.raises(IllegalMoveError, match="there is nothing to decide now"):
        everyone("ccsdm", Hold(()), Hold(()))
    with pytest.raises(IllegalMoveError, match="all dice are held"):
        everyone("ccsdm", Hold(faces("ccsdm")))


def race(tie: str) -> Match:
    match = begin(find("everyone-scores"), ["Ann", "Bob"], {"target": 20, "tie": tie})
    for _ in range(2):
        match = match.add(Roll(faces("ccccm")))
    return match


def test_equal_best_scores_are_shared_or_played_on():
    shared = race("shared").outcome
    assert shared
    assert shared.winners == (0, 1)
    assert race("play-on").outcome is None


def test_ranks_are_in_order():
    assert [rank(name) for name in HANDS] == list(range(7))


@pytest.mark.parametrize("faces", ["sigil sigil", "sigil dd"])
def test_which_rolls_count_before_a_winning_one_is_cited(faces: str):
    told = {"set_roll": "sigil, dd", "rolls_before": 12}
    scored = find("pairs").score(faces.split(), declared="cats", options=told)
    assert scored.breakdown[0].where == "set"

"""Meet Fate: RULINGS 2.2 to 2.6 and the document's own examples."""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.actions import Confirm, Fill, Hold, IllegalMoveError, Play, Roll
from scoring.games import find
from scoring.games.meet_fate.sheet import BOXES, FACES, all_boxes, qualifies
from scoring.match import Match, begin
from scoring.options import chosen
from scoring.standing import standing
from words.speaker import speaker

FATE = find("meet-fate")
SUMS = {"two-pair", "three-pair", "three-of-a-kind", "four-of-a-kind", "chance"}
SETS = set(BOXES[13:])


def boxes(roll: str, **options: object) -> dict[str, int]:
    """What is not zero; `roll` is six digits."""
    scored = FATE.score(tuple(roll), options=options)
    return {box: points for box, points in scored.boxes if points}


def test_nineteen_boxes():
    assert len(BOXES) == 19


@pytest.mark.parametrize(
    ("roll", "sums", "sets", "faces"),
    [
        ("224578", {"chance": 28}, set(), {"2": 4, "4": 4, "5": 5, "7": 7, "8": 8}),
        ("222255", dict.fromkeys(SUMS, 18), {"full-house"}, {"2": 8, "5": 10}),
        ("145678", {"chance": 31}, {"small-straight"}, {"1": 1, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8}),
        ("333333", dict.fromkeys(SUMS, 18), {"five-of-a-kind", "six-of-a-kind", "trips"}, {"3": 18}),
        ("333335", dict.fromkeys(SUMS - {"three-pair"}, 20), {"five-of-a-kind"}, {"3": 15, "5": 5}),
        (
            "333555",
            {"two-pair": 24, "three-of-a-kind": 24, "chance": 24},
            {"trips", "full-house"},
            {"3": 9, "5": 15},
        ),
    ],
)
def test_worked_examples(roll: str, sums: dict[str, int], sets: set[str], faces: dict[str, int]):
    found = boxes(roll)
    assert {box: points for box, points in found.items() if box in FACES} == faces
    assert {box: points for box, points in found.items() if box in SUMS} == sums
    assert found.keys() & SETS == sets


def rolls() -> list[tuple[tuple[str, ...], int]]:
    """Every multiset of six eight-sided dice, and in how many of the 8^6 throws it comes."""
    found = []
    for roll in combinations_with_replacement(FACES, 6):
        found.append((roll, factorial(6) // prod(factorial(n) for n in Counter(roll).values())))
    return found


@pytest.mark.parametrize(
    ("box", "options", "count"),
    [
        ("two-pair", {}, 107584),
        ("two-pair", {"pairs_distinct": True}, 102200),
        ("three-pair", {}, 5888),
        ("three-pair", {"pairs_distinct": True}, 5040),
        ("three-of-a-kind", {}, 60544),
        ("four-of-a-kind", {}, 6224),
        ("five-of-a-kind", {}, 344),
        ("six-of-a-kind", {}, 8),
        ("small-straight", {}, 13680),
        ("large-straight", {}, 2160),
        ("full-house", {}, 21560),
        ("full-house", {"full_house": "B"}, 21904),
        ("full-house", {"full_house": "C"}, 20160),
        ("trips", {}, 568),
        ("chance", {}, 8**6),
    ],
)
def test_counts_over_all_throws(box: str, options: dict[str, object], count: int):
    told = chosen(FATE.options, options)
    counted = sum(
        ways for roll, ways in rolls() if qualifies(box, tuple(roll.count(face) for face in FACES), told)
    )
    assert counted == count


def test_all_rolls_in_all_boxes_take_well_under_a_second():
    told, began = chosen(FATE.options), time.thread_time()
    scored = [all_boxes(roll, told) for roll in combinations_with_replacement(FACES, 6)]
    assert len(scored) == 1716
    assert time.thread_time() - began < 1


@given(st.lists(st.sampled_from(FACES), min_size=6, max_size=6))
def test_what_a_box_gives_does_not_depend_on_the_order_of_the_dice(faces: list[str]):
    assert FATE.score(faces).boxes == FATE.score(sorted(faces)).boxes


@given(st.lists(st.sampled_from(FACES), min_size=6, max_size=6))
def test_higher_boxes_imply_lower_ones(faces: list[str]):
    found = dict(FATE.score(faces).boxes)
    assert sum(found[face] for face in FACES) == found["chance"] == sum(map(int, faces))
    for higher, lower in (
        ("large-straight", "small-straight"),
        ("six-of-a-kind", "five-of-a-kind"),
        ("six-of-a-kind", "trips"),
        ("five-of-a-kind", "four-of-a-kind"),
        ("four-of-a-kind", "three-of-a-kind"),
        ("three-pair", "two-pair"),
    ):
        assert not found[higher] or found[lower]


def test_set_values_are_the_tables_own():
    assert boxes("145678", **{"set_values.small-straight": 33})["small-straight"] == 33
    with pytest.raises(ValueError, match=r"set_values\.trips must be a whole number"):
        boxes("145678", **{"set_values.trips": "many"})


def played(*actions: object, players: tuple[str, ...] = ("Ann",), **options: object) -> Match:
    match = begin(FATE, players, options)
    for action in actions:
        match = match.add(Roll(tuple(action)) if isinstance(action, str) else Play(0, action))  # type: ignore[arg-type]
    return match


def test_a_held_seven_may_be_released():
    match = played("235778", Hold(("7", "7")), "145677", Hold(("4", "5", "6", "7")), "145678")
    for box, points in (("small-straight", 30), ("1", 1), ("six-of-a-kind", 0)):
        assert (
            match.add(Play(0, Fill(box))).game.table(match.add(Play(0, Fill(box))).state).seats[0].score
            == points
        )


@pytest.mark.parametrize(
    ("actions", "rule"),
    [
        (("235778", Hold(("9",))), "you can only hold dice on the table"),
        (("235778", Hold(("7", "7", "7"))), "you can only hold dice on the table"),
        (("235778", Hold(tuple("235778"))), "holding all the dice"),
        (("235778", Hold(("7", "7")), "123456"), "the held dice"),
        (("235778", Hold(()), "235778", Hold(()), "235778", Hold(())), "all three throws"),
        (("235778", Fill("yahtzee")), "no box"),
        (("235778", Fill("1"), "235778", Fill("1")), "is already filled"),
        (("235778", Confirm(True)), "nothing to confirm"),
        (("888888", Fill("8")), "first say whether"),
        ((Fill("8"),), "there is nothing to decide now"),
        (("23577",), "needs 6 dice, not"),
    ],
)
def test_what_is_illegal_says_the_rule(actions: tuple[object, ...], rule: str):
    with pytest.raises(IllegalMoveError, match=rule):
        played(*actions)


def test_six_eights_win_at_once_when_confirmed():
    match = played("888881", Hold(tuple("88888")), "888888", Confirm(True), players=("Ann", "Bob"))
    assert match.outcome
    assert match.outcome.winners == (0,)


def test_who_wins_by_six_eights_is_first_however_many_points_others_have():
    match = played("111111", Fill("1"), "888888", players=("Ann", "Bob")).add(Play(1, Confirm(True)))
    spoken = speaker("en", match.header.players)
    assert [spoken.say(one) for one in standing(match).spoken] == ["Bob, first, 0 points.", "Ann, second, 6 points."]


def test_six_eights_denied_go_on():
    match = played("888888", Confirm(False), Fill("8"), players=("Ann", "Bob"))
    assert match.outcome is None
    assert match.state.total(0) == 48


def test_in_one_throw_mode_held_eights_do_not_win():
    match = played("888881", Hold(tuple("88888")), "888888", f8_mode="one-throw")
    assert not match.state.asking
    assert played("888888", f8_mode="one-throw").state.asking


def test_six_eights_cite_their_paragraph():
    scored = FATE.score(tuple("888888"))
    assert scored.breakdown[-1].rule == "six eights: instant win"
    assert scored.breakdown[-1].where == "six-eights"


def test_the_upper_bonus_is_none_unless_the_table_has_one():
    """RULINGS 2.4 Q7."""
    assert played("888811", Fill("8")).state.total(0) == 32
    with_bonus = played("888811", Fill("8"), upper_bonus=35, upper_bonus_from=32)
    assert with_bonus.state.total(0) == 67
    assert [line.points for line in with_bonus.played[-1].step.scores[0].breakdown] == [32, 35]


def test_ties_are_shared():
    match = begin(FATE, ("Ann", "Bob"))
    for box in BOXES:
        for player in (0, 1):
            match = match.add(Roll(tuple("224578"))).add(Play(player, Fill(box)))
    assert match.outcome
    assert match.outcome.winners == (0, 1)


@pytest.mark.parametrize(
    ("faces", "box", "why"),
    [
        ("333335", "full-house", "five 3s are one number; it takes two of another, too"),
        ("333456", "full-house", "three 3s are one number; it takes two of another, too"),
        ("334456", "full-house", "at most two 3s; it takes three of one number and two of another"),
        ("123456", "full-house", "no two dice are alike"),
        ("334456", "four-of-a-kind", "at most two 3s; it takes four alike"),
        ("333335", "six-of-a-kind", "at most five 3s; it takes six alike"),
        ("123568", "large-straight", "the longest run is 1, 2, 3; it takes six in a row"),
        ("124568", "small-straight", "the longest run is 4, 5, 6; it takes five in a row"),
        ("334567", "two-pair", "two 3s make 1 pair; it takes two"),
        ("222256", "three-pair", "four 2s make 2 pairs; it takes three"),
        ("123456", "three-pair", "no two dice are alike"),
        ("333335", "trips", "five 3s are only one three of a kind; it takes two"),
        ("334455", "trips", "at most two 3s; it takes three of a kind twice"),
    ],
)
def test_a_zero_says_what_the_roll_lacks(faces: str, box: str, why: str):
    (told,) = FATE.score(tuple(faces), declared=box).breakdown
    assert told.points == 0
    assert speaker().say(told.reason).endswith(f", 0 points: {why}")


def test_a_zero_by_a_house_rule_says_what_that_asks_for():
    exact = FATE.score(tuple("333555"), declared="full-house", options={"full_house": "C"}).breakdown[0]
    assert speaker().say(exact.reason).endswith("are not exactly three, two and one")
    apart = FATE.score(tuple("222256"), declared="two-pair", options={"pairs_distinct": True}).breakdown[0]
    assert speaker().say(apart.reason).endswith("four 2s make 1 pair; it takes two")

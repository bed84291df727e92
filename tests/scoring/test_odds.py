"""The chances against counts made by other code: RULINGS 1.7, 2.6, 3 and 5.9."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from scoring.dice import Dice
from scoring.games import find
from scoring.games.cats.cat_dice import FACES
from scoring.options import chosen
from tests.scoring import chances
from tests.scoring.odds import Chase, count, counted, mean, none_of, spread, throws, total

FATE = chosen(find("meet-fate").options)
SMALL = Dice("small", 3, ("a", "b", "c"))


def test_throws_are_all_throws():
    assert sum(ways for _, ways in throws(chances.FATE_DICE)) == total(chances.FATE_DICE) == 8**6
    assert len(list(throws(chances.FATE_DICE))) == 1716
    assert spread(SMALL, counted(SMALL, ("c", "a", "c"))) == ("a", "c", "c")


@pytest.mark.parametrize(
    ("box", "ways"),
    [
        ("two-pair", 107584),
        ("three-pair", 5888),
        ("small-straight", 13680),
        ("full-house", 21560),
        ("trips", 568),
    ],
)
def test_one_throw_counts(box: str, ways: int):
    assert chances.fate_chase(box, FATE).fresh(1) == Fraction(ways, 8**6)


@pytest.mark.parametrize(
    ("box", "options", "chance"),
    [
        ("two-pair", {}, ".894091"),
        ("three-pair", {}, ".186781"),
        ("three-of-a-kind", {}, ".762104"),
        ("four-of-a-kind", {}, ".321439"),
        ("five-of-a-kind", {}, ".071647"),
        ("six-of-a-kind", {}, ".006472"),
        ("small-straight", {}, ".406175"),
        ("large-straight", {}, ".136820"),
        ("full-house", {}, ".576619"),
        ("full-house", {"full_house": "B"}, ".584725"),
        ("trips", {}, ".081570"),
    ],
)
def test_three_throws_for_one_box(box: str, options: dict[str, object], chance: str):
    found = chances.fate_chase(box, chosen(find("meet-fate").options, options)).fresh(3)
    assert f"{float(found):.6f}" == f"0{chance}"


def test_six_eights():
    assert chances.eights_chase().fresh(3) == Fraction(169**6, 512**6)


def test_from_the_dice_as_they_lie():
    found = dict(chances.box_chances(tuple("145677"), 1, FATE))
    assert found["small-straight"] == 1 - Fraction(6, 8) ** 2  # keep 4 5 6 7; a 3 or an 8 out of two dice
    assert found["five-of-a-kind"] == Fraction(4 * 7 + 1, 8**4)  # keep 7 7; three or four more sevens
    assert found["six-of-a-kind"] == Fraction(1, 8**4)
    chase = chances.fate_chase("small-straight", FATE)
    assert sorted(chase.keep(tuple("145677"), 1)) == ["4", "5", "6", "7"]
    assert chase.keep(tuple("145678"), 1) == tuple("145678")
    assert dict(chances.box_chances((), 3, FATE))["trips"] == chances.fate_chase("trips", FATE).fresh(3)


def best_by_brute_force(lying: tuple[str, ...], left: int) -> Fraction:
    """The chance of three c's, by trying every keep and every throw."""
    if left == 0:
        return Fraction(int(lying == ("c", "c", "c")))
    best = Fraction(0)
    for mask in product((True, False), repeat=3):
        kept = [face for face, stays in zip(lying, mask, strict=True) if stays]
        again = 3 - len(kept)
        ends = [best_by_brute_force((*kept, *more), left - 1) for more in product("abc", repeat=again)]
        best = max(best, sum(ends, Fraction(0)) / len(ends))
    return best


def test_best_play_is_what_brute_force_finds():
    chase = Chase(SMALL, lambda counts: int(counts[2] == 3), 2)
    for lying in product("abc", repeat=3):
        assert chase.best(lying, 1) == best_by_brute_force(lying, 1)
    assert chase.best(("a", "b", "c"), 2) == best_by_brute_force(("a", "b", "c"), 2)


@pytest.mark.parametrize("declared", ["cats", "no-cats", "family", "no-family", *FACES])
def test_a_positive_declaration_is_worth_one_point(declared: str):
    assert chances.declaration_chances(declared).mean == 1


@pytest.mark.parametrize(("declared", "paying"), [("cats", 189), ("no-sigil", 125), ("family", 88)])
def test_a_declaration_pays(declared: str, paying: int):
    found = chances.declaration_chances(declared)
    assert found.any_points == Fraction(paying, 216)
    if declared == "no-sigil":
        assert found.mean == Fraction(215, 216)


def test_pairs():
    found = chances.pairs_chances("family")
    assert (found.win, found.lose, found.goes_on) == (Fraction(4, 36), Fraction(2, 36), Fraction(30, 36))
    phase = chances.set_phase_chances(("sigil", "dd"))
    assert (phase.matching_pair, phase.other_pair, phase.repeat, phase.goes_on) == (
        Fraction(2, 36),
        Fraction(4, 36),
        Fraction(2, 36),
        Fraction(28, 36),
    )
    assert phase.mean_before == Fraction(9, 2)
    assert chances.set_phase_chances(("sigil", "dd"), count_set_roll=False).mean_before == Fraction(7, 2)


@pytest.mark.parametrize(
    ("lying", "kept", "best"),
    [
        ("cat cat sigil dd thoromyr", 2, Fraction(125, 18)),
        ("cat cat sigil sigil thoromyr", 2, Fraction(115, 18)),
        ("cat cat cat sigil thoromyr", 3, Fraction(25)),
        ("cat two-cats sigil dd thoromyr", 5, Fraction(5)),
        ("cat cat cat sigil sigil", 3, Fraction(70, 3)),
        ("cat cat cat cat sigil", 4, Fraction(100)),
        ("cat cat cat cat cat", 5, Fraction(600)),
    ],
)
def test_best_keeps_in_everyone_scores(lying: str, kept: int, best: Fraction):
    advice = chances.best_reroll(tuple(lying.split()))
    assert len(advice.keep) == kept
    assert advice.mean == best


def test_mean_hands_of_everyone_scores():
    assert chances.everyone_scores_mean(reroll=False) == Fraction(175, 54)
    assert chances.everyone_scores_mean(reroll=True) == Fraction(7975, 648)


def test_outlander_by_the_model_of_fair_dice():
    chase = chances.outlander_chase(chosen(find("outlander").options))
    assert chase.fresh(1) == Fraction(687053, 65536)
    assert chase.fresh(2) == Fraction(66308807, 4194304)


@pytest.mark.parametrize(("score", "ways"), [(12, 6450), (10, 15086)])
def test_how_often_outlander_scores_twelve_and_ten(score: int, ways: int):
    outlander = find("outlander")
    dice = chances.OUTLANDER_DICE
    assert count(dice, lambda counts: int(outlander.score(spread(dice, counts)).points == score)) == ways


@pytest.mark.parametrize(
    ("number", "ways"),
    [(6, [46655, 37835, 17235, 3735, 315]), (7, [279935, 254735, 155615, 52715, 9035, 635])],
)
def test_biggest_groups_of_outback(number: int, ways: list[int]):
    assert [chances.group_count(number, size) for size in range(2, number + 1)] == ways


def test_groups_with_few_kinds_on_the_jeep():
    found = [f"{float(chances.group_chance(6, 3, kinds)):.4f}" for kinds in range(1, 6)]
    assert found == ["0.2865", "0.4851", "0.6255", "0.7293", "0.8109"]


def test_one_chosen_animal_in_three_throws():
    found = [f"{float(chances.chosen_animal_chance(6, size)):.5f}" for size in range(2, 7)]
    assert found == ["0.92104", "0.87810", "0.71947", "0.41673", "0.11954"]


def test_a_first_hand_of_destiny_without_a_character():
    assert none_of(23, 73, 7) == Fraction(361900, 5903437)


def test_mean_of_a_count_of_faces():
    assert mean(SMALL, lambda counts: counts[0]) == 1

"""Outlander Destiny Dice by the fan rules: RULINGS 1.3 to 1.6 and the booklet's own examples."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.actions import Hold, IllegalMoveError, Play, Roll, Stand
from scoring.dice import Face
from scoring.games import find
from scoring.games.outlander.cards import Card, Change, Faces, Points
from scoring.games.outlander.score import FACES
from scoring.games.outlander.turn import DECK
from scoring.match import Match, begin, replay

OUTLANDER = find("outlander")
LETTERS = dict(zip("CJBLDGNM", FACES, strict=True))


def faces(letters: str) -> tuple[Face, ...]:
    return tuple(LETTERS[letter] for letter in letters)


def points(letters: str, added: dict[str, int] | None = None, **options: object) -> int:
    found = OUTLANDER.score(faces(letters), added=added, options=options).points
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("roll", "score"),
    [
        ("JJGGLB", -2),
        ("BLGGGD", 0),
        ("LGGGDN", 6),
        ("CCCCCC", 10),
        ("CCCJJJ", 12),
        ("CCCCJJ", 10),
        ("CCCCCJ", 10),
        ("MMMNNN", 54),
        ("MMMMMM", 30),
        ("BBBLLL", -9),
        ("CCBBGJ", 4),
        ("CJBLDG", 4),
        ("CJBLNM", 15),
        ("CCBGGG", 2),
        ("JJJLLD", 2),
        ("CCJJNM", 26),
    ],
)
def test_vectors(roll: str, score: int):
    assert points(roll) == score


CAPTURED = {"jamie": 2, "BJR": 1}
"""Claire is captured: add 2 Jamies and 1 BJR."""


@pytest.mark.parametrize(
    ("options", "score"), [({}, 0), ({"bl_pair": "absorbs"}, 1), ({"removal": "swapped"}, 1)]
)
def test_the_first_example_contradicts_its_rules(options: dict[str, object], score: int):
    assert points("JJGGLB", CAPTURED, **options) == score


def test_nothing_is_said_where_all_readings_agree():
    assert len(OUTLANDER.score(faces("BLGGGD")).breakdown) == 2


@pytest.mark.parametrize(
    ("roll", "added", "options", "score"),
    [
        ("CCCJJJ", {"jamie": 1}, {}, 13),
        ("CCCJJJ", {"jamie": 1}, {"special_scope": "dice"}, 12),
        ("CCCCCC", {}, {"card_points": 4}, 14),
        ("CCCCCC", {}, {"card_points": 4, "special_blocks_card": "yes"}, 10),
        ("CJBBGN", {}, {}, 7),
        ("CJBNNN", {}, {}, 10),
        ("CJBNNN", {}, {"cj_pairs": "before"}, 12),
        ("NNNNNB", {"bjr": -1}, {}, 15),
    ],
)
def test_options(roll: str, added: dict[str, int], options: dict[str, object], score: int):
    assert points(roll, added, **options) == score


def test_more_faces_cannot_be_taken_than_lie_there():
    with pytest.raises(ValueError, match="cannot remove 2 bjr"):
        points("NNNNNB", {"bjr": -2})


@given(st.lists(st.sampled_from(FACES), min_size=6, max_size=6))
def test_the_formula_of_rulings(roll: list[Face]):
    c, j, b, l, d, g, n, m = (roll.count(face) for face in FACES)  # noqa: E741
    if c + j == 6:
        expected = 12 if c == 3 else 10
    else:
        left_c = c - max(0, min(c, b) - g)
        left_j = j - max(0, min(j, l) - d)
        expected = left_c + left_j + 3 * n + 5 * m + 2 * min(left_c, left_j)
        expected += 3 * min(d, g) + 10 * min(m, n) - 3 * min(b, l)
    scored = OUTLANDER.score(roll)
    assert scored.points == expected == sum(line.points for line in scored.breakdown)


def test_the_plain_formula_gives_the_printed_payoffs():
    """RULINGS 1.3: 3+3 and 4+2 score 12 and 10 by the plain formula, which proves how pairs add."""
    for roll, special in (("CCCJJJ", 12), ("CCCCJJ", 10), ("CCJJJJ", 10)):
        c, j = roll.count("C"), roll.count("J")
        assert c + j + 2 * min(c, j) == special == points(roll)


def test_the_scores_of_all_rolls_of_fair_dice():
    """RULINGS 1.7: the mean of a roll, its range, and how often it is 12 and 10, by the special line alone too."""
    points, special = Counter[int](), Counter[int]()
    for roll in combinations_with_replacement(FACES, 6):
        scored = OUTLANDER.score(roll)
        ways = factorial(6) // prod(map(factorial, Counter(roll).values()))
        assert scored.points is not None
        points[scored.points] += ways
        special[scored.points] += ways * ("no additional scoring" in scored.breakdown[0].rule)
    assert Fraction(sum(score * n for score, n in points.items()), 8**6) == Fraction(687053, 65536)
    assert (points[12], points[10], +special) == (6450, 15086, {12: 20, 10: 44})
    assert (min(points), max(points)) == (-9, 54)


def played(*actions: object, players: tuple[str, ...] = ("Ann", "Bob"), **options: object) -> Match:
    match = begin(OUTLANDER, players, options)
    for action in actions:
        done = Roll(faces(action)) if isinstance(action, str) else Play(match.state.turn, action)  # type: ignore[arg-type]
        match = match.add(done)
    return match


def test_example_one_as_a_turn():
    assert played("JJGGLB", Card("hand", "Claire is captured"), Stand()).state.points == (0, 0)
    told = (Card("hand"), Faces("jamie", 2), Faces("bjr", 1))
    assert played("JJGGLB", *told, Stand()).state.points == (0, 0)


def test_cards_change_faces_and_give_points_to_anyone():
    card = (Card("hand"), Change("bjr", "jenny", 1), Points(0, 2), Points(1, -3, "a fine"))
    assert played("JJGGLB", *card, Stand()).state.points == (1 + 3 + 2, -3)


def test_example_two_as_a_turn():
    keep = Hold(faces("LGGGD"))
    match = played("BLGGGD", Card("pile", "Searching for Jamie"), keep, "NLGGGD", Stand())
    assert match.state.points == (6, 0)


def test_a_card_that_is_printed_is_known_however_its_title_is_written():
    match = played("JJGGLB", Card("hand", "  claire IS captured "))
    assert match.played[-1].action == Play(0, Card("hand", "Claire is captured", "claire-is-captured"))
    assert match.state.faces()["jamie"] == 4


def test_a_log_from_before_the_printed_cards_were_known_scores_as_it_did():
    """Its people told what the card does, move by move."""
    match = played("JJGGLB")
    events = [Card("hand", "Claire is captured"), Faces("jamie", 2), Faces("bjr", 1), Stand()]
    old = replay(match.game, match.header, [*match.events, *(Play(0, move) for move in events)])
    assert old.stop is None
    assert old.state.points == (0, 0)


@pytest.mark.parametrize(
    ("actions", "rule"),
    [
        (("BLGGGD", Hold(faces("GGG"))), "hold at least 4 dice: you may throw at most 2 again"),
        (("BLGGGD", Card("hand"), Hold(()), "BLGGGD", Hold(())), "does not let you"),
        (("BLGGGD", Card("hand", "Claire is captured"), Hold(faces("GGG"))), "does not let you"),
        (("BLGGGD", Card("hand", "Searching for Jamie"), Hold(faces("GGGD"))), "all dice of one face"),
        (("BLGGGD", Card("hand", "Searching for Jamie"), Hold(faces("BLGGD"))), "all dice of one face"),
        (("BLGGGD", Card("hand", "", "queen-of-hearts")), "no card “queen-of-hearts”"),
        (("BLGGGD", Hold(faces("GGGD")), "GGGDNN", Hold(faces("GGGD"))), "this turn"),
        (("BLGGGD", Hold(faces("BLGGGD"))), "you are holding all the dice"),
        (("BLGGGD", Hold(faces("NN"))), "you can only hold dice on the table"),
        (("BLGGGD", Stand()), "play a card first"),
        (("BLGGGD", Faces("jamie", 1)), "only a card can change the dice"),
        (("BLGGGD", Card("hand"), Card("hand")), "already played a card"),
        (("BLGGGD", Card("hand"), Faces("jamie", -1)), "you cannot remove 1 jamie"),
        (("BLGGGD", Card("hand"), Change("jenny", "jamie", 1)), "you cannot change 1 jenny"),
        (("BLGGGD", Card("hand"), Points(7, 1)), "a card gives or takes at most 99 points"),
    ],
)
def test_what_is_illegal_says_the_rule(actions: tuple[object, ...], rule: str):
    with pytest.raises(IllegalMoveError, match=rule):
        played(*actions)


def test_a_card_before_the_reroll_where_the_table_plays_so():
    turn = ("BLGGGD", Card("hand"), Stand())
    assert played(*turn).state.turn == 1
    either = played(*turn, card_timing="either")
    assert either.state.turn == 0
    assert played(*turn, Hold(faces("GGGD")), "GGGDNN", Stand(), card_timing="either").state.points == (9, 0)


def test_a_card_may_be_optional():
    assert played("BLGGGD", Stand(), card_optional="yes").state.turn == 1


def test_the_total_may_stop_at_zero():
    turn = ("BBBLLL", Card("hand"), Stand())
    assert played(*turn).state.points == (-9, 0)
    assert played(*turn, clamp_zero="yes").state.points == (0, 0)
    assert (
        sum(line.points for line in played(*turn, clamp_zero="yes").played[-1].step.scores[0].breakdown) == 0
    )


@pytest.mark.parametrize(
    ("draw_rule", "source", "hand"),
    [("refill", "pile", 2), ("refill", "hand", 2), ("always-one", "pile", 3), ("always-one", "hand", 2)],
)
def test_drawing_at_the_end_of_the_turn(draw_rule: str, source: str, hand: int):
    state = played("BLGGGD", Card(source), Stand(), draw_rule=draw_rule).state  # type: ignore[arg-type]
    assert state.hands[0] == hand
    assert sum(state.hands) + state.pile + state.discard == DECK


def test_an_empty_pile_is_the_shuffled_discard():
    match = begin(OUTLANDER, ["Ann"])
    for _ in range(100):
        match = match.add(Roll(faces("BLGGGD"))).add(Play(0, Card("pile"))).add(Play(0, Stand()))
        assert sum(match.state.hands) + match.state.pile + match.state.discard == DECK
    assert match.state.hands == (2,)


def test_forty_ends_it_at_once_or_with_the_round():
    turn = ("MMMNNN", Card("hand"), Stand())
    assert played(*turn).outcome
    assert played(*turn, finish_round="yes").outcome is None
    assert played(*turn, *turn, finish_round="yes").outcome.winners == (0, 1)  # type: ignore[union-attr]

"""Whether dice were kind: fairness with few false verdicts and much power, and luck that adds up with skill."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

from advice import Advisers, fairness, luck
from advice.cats import pairs, race
from advice.fairness import FEWEST, LEVEL, CountedThrow, p_value, report, throws_of
from advice.record import Advice, NoAdviceError
from scoring.actions import Confirm, Declare, Fill, Hold, Play, Roll
from scoring.anyplay import any_action
from scoring.games import find
from scoring.match import Match, begin

EIGHT = tuple("12345678")
FAIR = (1 / 8,) * 8
LOADED = (1 / 4, *(3 / 28,) * 7)


def played(game: str, options: Mapping[str, Any] | None = None, seed: int = 3, players: int = 2) -> Match:
    """A match of random choices, to its end."""
    rng, rules = random.Random(seed), find(game)
    match = begin(rules, ["Ann", "Bob", "Cem", "Dora"][:players], options)
    while not match.outcome:
        match = match.add(any_action(rules, match.state, rng.randrange))
    return match


def thrown(faces: list[int], **given: Any) -> CountedThrow:
    return CountedThrow(tuple(EIGHT[i] for i in faces), **given)


# --- fairness


def test_small_evenings_are_counted_out():
    def chance(row: tuple[int, ...]) -> float:
        return factorial(sum(row)) / prod(map(factorial, row)) / 3 ** sum(row)

    seen = (5, 1, 0)
    rows = [row for row in product(range(7), repeat=3) if sum(row) == 6]
    least = sum(n * n for n in seen)
    exact = sum(chance(row) for row in rows if sum(n * n for n in row) >= least)
    assert p_value(seen, (1 / 3,) * 3) == pytest.approx(exact, abs=1e-12)


def test_drawn_chances_agree_with_the_exact_ones(monkeypatch: pytest.MonkeyPatch):
    seen, chances = (9, 2, 3, 2), (0.4, 0.2, 0.2, 0.2)
    exact = p_value(seen, chances)
    monkeypatch.setattr(fairness, "MOST_COUNTED", 0)
    assert p_value(seen, chances) == pytest.approx(exact, abs=0.02)
    assert p_value(seen, chances) == p_value(seen, chances), "the same question has the same answer"


def test_a_loaded_die_is_found_and_a_fair_one_seldom_called_unfair():
    rng = np.random.default_rng(1)
    loaded = [p_value(rng.multinomial(300, LOADED), FAIR) <= LEVEL for _ in range(200)]
    fair = [p_value(rng.multinomial(300, FAIR), FAIR) <= LEVEL for _ in range(400)]
    assert np.mean(loaded) >= 0.95
    assert np.mean(fair) <= LEVEL + 3 * (LEVEL * (1 - LEVEL) / 400) ** 0.5


def test_among_six_dice_the_loaded_one_is_named():
    rng = np.random.default_rng(4)
    chances = [FAIR, FAIR, LOADED, FAIR, FAIR, FAIR]
    throws = [
        thrown([int(rng.choice(8, p=one)) for one in chances], set_id="fate", dice=tuple("abcdef"))
        for _ in range(300)
    ]
    found = report(throws, EIGHT)
    unfair = [one for one in found.tallies if one.unfair]
    assert ("die", "c") in [(one.what, one.name) for one in unfair]
    assert not [one for one in unfair if one.what == "die" and one.name != "c"]
    assert found.told_apart
    assert "Die c" in found.sentence
    assert "1 came" in found.why


def test_looking_at_many_dice_is_allowed_for():
    rng = np.random.default_rng(9)
    wrong = 0
    for _ in range(60):
        throws = [thrown(list(rng.integers(0, 8, 6)), dice=tuple("abcdef")) for _ in range(FEWEST)]
        wrong += any(one.unfair for one in report(throws, EIGHT).tallies)
    assert wrong <= 8  # at 3 % more than eight of sixty come once in 10,000


def test_few_throws_get_no_verdict():
    found = report([thrown([0] * 6, player="Ann", set_id="fate") for _ in range(FEWEST // 6)], EIGHT)
    assert all(one.p is None and one.corrected is None and one.unfair is None for one in found.tallies)
    assert str(FEWEST) in found.sentence
    assert report([thrown([0] * 6, player="Ann") for _ in range(FEWEST)], EIGHT).tallies[0].unfair


def test_dice_that_cannot_be_told_apart_are_not_looked_at_alone():
    found = report([thrown([1, 2], player="Ann", set_id="s")] * 60, EIGHT)
    assert {one.what for one in found.tallies} == {"set", "player"}
    assert not found.told_apart
    assert "no die can be checked on its own" in found.why


def test_uneven_dice_are_held_against_their_own_chances():
    rng = np.random.default_rng(3)
    throws = [thrown([int(rng.choice(8, p=LOADED))]) for _ in range(400)]
    assert report(throws, EIGHT).tallies[0].unfair
    assert not report(throws, EIGHT, LOADED).tallies[0].unfair
    assert p_value([0, 300], [0.0, 1.0]) == 1.0
    assert p_value([1, 299], [0.0, 1.0]) < 0.001


def test_nothing_thrown_says_nothing():
    found = report([], EIGHT)
    assert found.tallies == ()
    assert not found.told_apart


@pytest.mark.parametrize("throw", [CountedThrow(("9",)), CountedThrow(("1", "2"), dice=("a",))])
def test_throws_that_cannot_be(throw: CountedThrow):
    with pytest.raises(NoAdviceError):
        report([throw], EIGHT)


def test_only_dice_that_were_in_the_hand_count():
    match = begin(find("meet-fate"), ["Ann", "Bob"])
    match = match.add(Roll(tuple("877123"))).add(Play(0, Hold(("7", "7")))).add(Roll(tuple("177456")))
    throws = throws_of(match)
    assert [sorted(one.faces) for one in throws] == [sorted("877123"), sorted("1456")]
    assert {one.player for one in throws} == {"Ann"}
    assert {one.set_id for one in throws} == {"fate"}


def test_a_corrected_throw_counts_as_corrected():
    match = begin(find("triples"), ["Ann", "Bob"]).add(Roll(("cat", "cat", "dd")))
    match = match.correct(1, ("cat", "cat", "sigil"))
    assert throws_of(match)[0].faces == ("cat", "cat", "sigil")


# --- luck


def test_a_whole_sheet_is_what_it_is_worth_plus_luck_less_what_was_lost():
    match = played("meet-fate")
    heads = Advisers({"eights": "ignored"})
    head, looked = heads.of(match.game).head(match.state.options, 2), luck.look_back(match, heads)
    for player, account in enumerate(looked.accounts):
        expected = head.worth((1 << 19) - 1)
        assert expected + account.luck - account.lost == pytest.approx(match.state.total(player), abs=1e-5)
        assert account.lost > 20, "random choices cost a lot"
        assert all(one.better for one in account.moments if one.lost > 1e-6)


@pytest.mark.parametrize("players", [["Ann"], ["Ann", "Bob", "Cem"]])
def test_who_follows_the_advice_loses_nothing(players: list[str]):
    rng, heads = random.Random(5), Advisers()
    match = begin(find("meet-fate"), players)
    for _ in range(14):
        if match.state.rolling:
            again = [rng.choice(EIGHT) for _ in range(6 - len(match.state.kept))]
            match = match.add(Roll((*match.state.kept, *again)))
        else:
            best = heads.for_match(match).best.move
            assert best is not None
            match = match.add(Play(match.state.turn, best))
    looked = luck.look_back(match, heads)
    assert looked.unit == ("points" if len(players) == 1 else "chance to win")
    for account in looked.accounts:
        assert account.lost == pytest.approx(0, abs=1e-6)
        assert account.luck


def test_six_eights_are_the_whole_match():
    match = begin(find("meet-fate"), ["Ann", "Bob"]).add(Roll(tuple("888888")))
    (moment,) = luck.look_back(match, Advisers()).accounts[0].moments
    assert moment.luck == pytest.approx(0.5, abs=0.02), "level before, won after"
    assert Advisers().for_match(match).best.move == Confirm(True)
    (moment,) = luck.look_back(match, Advisers({"eights": "ignored"})).accounts[0].moments
    assert 50 < moment.luck < 100, "six of a kind, in points"


def test_the_last_turns_choices_are_told():
    match, heads = begin(find("meet-fate"), ["Ann"]), Advisers()
    match = match.add(Roll(tuple("777123"))).add(Play(0, Fill("three-of-a-kind")))
    match = match.add(Roll(tuple("888888"))).add(Play(0, Confirm(False))).add(Play(0, Fill("1")))
    said = str(luck.last_turn(match, 0, heads))
    assert said.startswith("this turn’s choices cost ")
    assert "better: fill six of a kind" in said
    assert "three of a kind" not in said
    good = begin(find("triples"), ["Ann", "Bob"]).add(Roll(("cat", "cat", "dd")))
    assert str(luck.last_turn(good, 0, heads)) == "perfectly played"


@pytest.mark.parametrize("game", ["called-shot", "triples"])
def test_a_race_of_two_adds_up_to_the_win(game: str):
    match = played(game)
    looked = luck.look_back(match, Advisers())
    assert looked.unit == "chance to win"
    begins = race.race(race.TRIPLES if game == "triples" else race.CALLED_SHOT, 25, False).first[25, 25]
    lost = [one.lost for one in looked.accounts]
    end = begins + looked.accounts[0].luck - lost[0] + lost[1]
    assert match.outcome is not None
    assert end == pytest.approx(1.0 if match.outcome.winners == (0,) else 0.0, abs=1e-9)
    assert looked.accounts[0].luck == pytest.approx(-looked.accounts[1].luck)


def test_what_was_better_in_a_race_of_three_is_what_was_advised():
    match = begin(find("called-shot"), ["Ann", "Bob", "Cem"])
    best = Advisers().for_match(match).best
    match = match.add(Play(0, Declare("cats")))
    looked = luck.look_back(match, Advisers())
    assert looked.unit == "chance to win"
    (moment,) = looked.accounts[0].moments
    assert moment.better == best.said
    assert moment.lost > 0


@pytest.mark.parametrize("options", [{}, {"reroll": True}])
def test_everyone_scores_adds_up_to_the_points(options: dict[str, Any]):
    match = played("everyone-scores", options | {"target": 40})
    mean = 7975 / 648 if options else 175 / 54
    rounds = sum(isinstance(one.action, Roll) and not one.step.scores for one in match.played)
    for player, account in enumerate(luck.look_back(match, Advisers()).accounts):
        hands = sum(score.player == player for one in match.played for score in one.step.scores)
        points = hands * mean + account.luck - account.lost
        assert points == pytest.approx(match.state.points[player], abs=1e-9)
    assert rounds >= 0


@pytest.mark.slow
def test_pairs_adds_up_to_the_points():
    match = played("pairs", players=3)
    looked = luck.look_back(match, Advisers())
    expected = [0.0] * 3
    for one in match.played:
        state = one.step.state
        if isinstance(one.action, Play):
            worths = pairs.declared_worths(state.declared, 3, state.options)
            for player in range(3):
                expected[player] += float(worths[(player - state.declarer) % 3])
    for player, account in enumerate(looked.accounts):
        assert expected[player] + account.luck == pytest.approx(match.state.points[player], abs=1e-9)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("outlander", {}),
        ("quintuples", {}),
        ("quintuples", {"reroll": True}),
        ("called-shot", {"finish_round": True}),
    ],
)
def test_every_other_game_of_dice_has_luck_and_losses(game: str, options: dict[str, Any]):
    looked = luck.look_back(played(game, options), Advisers())
    assert looked.unit == "points"
    assert all(one.lost >= 0 for account in looked.accounts for one in account.moments)
    assert any(account.luck for account in looked.accounts)
    assert looked.sentence.casefold().count(" luck ") == 2
    assert looked.why.startswith("Weaker moves cost Ann ")


@pytest.mark.parametrize("game", ["outback", "destiny"])
def test_where_luck_cannot_be_told_it_says_so(game: str):
    with pytest.raises(NoAdviceError, match="cannot separate luck from skill"):
        luck.look_back(begin(find(game), ["Ann", "Bob"]), Advisers())


# --- advice on a running match


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("meet-fate", {}),
        ("outlander", {}),
        ("called-shot", {}),
        ("called-shot", {"finish_round": True}),
        ("triples", {}),
        ("pairs", {}),
        ("everyone-scores", {"reroll": True}),
        ("quintuples", {"reroll": True}),
        ("outback", {"start": "first"}),
        ("outback-plus", {"start": "first"}),
        ("destiny", {}),
    ],
)
def test_every_moment_of_a_match_has_advice_that_is_legal_or_a_reason(game: str, options: dict[str, Any]):
    rng, rules, heads = random.Random(8), find(game), Advisers()
    match = begin(rules, ["Ann", "Bob"], options)
    answered = refused = 0
    for _ in range(60):
        if match.outcome:
            break
        advice = advised(heads, match)
        if isinstance(advice, str):
            refused += 1
            assert advice.count("\n") == 0
        else:
            answered += 1
            assert advice.game == game
            assert advice.sentence.endswith(".")
            assert advice.why.endswith(".")
            asked = [one for one in rules.awaits(match.state) if hasattr(one, "players")]
            for choice in advice.choices:
                if choice.move is not None:
                    assert rules.can(match.state, Play(asked[0].players[0], choice.move)), choice.words
        match = match.add(any_action(rules, match.state, rng.randrange))
    assert answered if game != "destiny" else refused


def advised(heads: Advisers, match: Match) -> Advice | str:
    """The advice, or why there is none."""
    try:
        return heads.for_match(match)
    except NoAdviceError as refused:
        return str(refused)


def test_a_finished_match_has_no_advice():
    with pytest.raises(NoAdviceError, match="nothing to decide"):
        Advisers().for_match(played("triples"))

"""What another answer to a house rule would have changed about points: said where it would, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.actions import Action, Declare, Fill, Hold, IllegalMoveError, Play, Roll, Stand
from scoring.games import find
from scoring.games.outlander.cards import Card
from scoring.match import Match, begin
from scoring.otherwise import allowing, otherwise
from tests.playthroughs.transcript import played
from words.rules import title
from words.speaker import speaker

PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "playthroughs").glob("*.txt"))


def match_of(game: str, *actions: Action, **options: object) -> Match:
    match = begin(find(game), ("Ann", "Ben"), options)
    for action in actions:
        match = match.add(action)
    return match


def told(match: Match) -> list[str]:
    """What is said about the last points."""
    event = next(one.number for one in reversed(match.played) if one.step.scores)
    return [speaker().say(one.said) for ones in otherwise(match, event).values() for one in ones]


def fate(faces: str, box: str, **options: object) -> Match:
    return match_of("meet-fate", Roll(tuple(faces)), Play(0, Fill(box)), **options)


FULL = "Your table plays “Full house: 25”. Another number would change these points."


def test_five_alike_would_be_a_full_house_by_another_answer():
    assert told(fate("333335", "full-house")) == [
        "Your table plays “Full house: three of one number, two of another”. "
        "With “five or six of a kind, too” this would be 25 points."
    ]
    assert told(fate("333335", "full-house", full_house="B")) == [
        FULL,
        "Your table plays “Full house: five or six of a kind, too”. "
        "With “three of one number, two of another” this would be 0 points.",
        "Your table plays “Full house: five or six of a kind, too”. "
        "With “exactly three, two and one” this would be 0 points.",
    ]


@pytest.mark.parametrize(
    ("faces", "box"),
    [("333335", "four-of-a-kind"), ("112345", "full-house"), ("123456", "1")],
)
def test_nothing_is_said_where_every_answer_gives_the_same(faces: str, box: str):
    assert told(fate(faces, box)) == []


def test_a_number_that_is_itself_the_score_is_named_once():
    assert told(fate("333552", "full-house")) == [FULL]
    assert told(fate("333335", "five-of-a-kind", **{"set_values.five-of-a-kind": 0})) == [
        "Your table plays “Five of a kind: 0”. Another number would change these points."
    ]


def test_a_number_that_is_a_threshold_is_named_with_the_nearest_that_changes_the_score():
    def bonus(threshold: int) -> list[str]:
        return told(fate("888887", "8", upper_bonus=35, upper_bonus_from=threshold))

    assert bonus(41) == [
        "Your table plays “Upper bonus from: 41”. With “40” this would be 75 points.",
    ]
    assert bonus(30) == [
        "Your table plays “Upper bonus: 35”. Another number would change these points.",
        "Your table plays “Upper bonus from: 30”. With “0” this would be 40 points.",
        "Your table plays “Upper bonus from: 30”. With 41 or more this would be 40 points.",
    ]


def refused(match: Match, action: Action) -> list[str]:
    """What is said about house rules when this action is refused."""
    with pytest.raises(IllegalMoveError) as error:
        match.add(action)
    assert error.value.tried
    return [speaker().say(one.said) for one in allowing(*error.value.tried)]


DICE = ("jamie", "jamie", "geillis", "geillis", "laoghaire", "bjr")


def test_a_refusal_names_the_house_rule_that_would_allow_it():
    match = match_of("outlander", Roll(DICE))
    assert refused(match, Play(0, Stand())) == [
        "Your table plays “Card is optional: no”. With “yes” this would be allowed."
    ]
    assert refused(match, Play(0, Hold(("jamie",)))) == []
    assert refused(match_of("outlander", Roll(DICE), card_optional=True), Play(0, Fill("1"))) == []


def test_a_decision_before_the_refused_one_is_played_back_by_the_other_answer():
    """Whether a hand may be thrown again was decided when it came to lie."""
    match = match_of("quintuples", Roll(("cat", "cat", "dd", "sigil", "thoromyr")))
    assert refused(match, Play(0, Hold(("cat", "cat")))) == [
        "Your table plays “Throwing again: no”. With “yes” this would be allowed."
    ]


def test_a_match_that_is_over_would_go_on_with_another_number():
    match = match_of("triples", Roll(("cat", "cat", "cat")), target=5)
    assert refused(match, Roll(("cat", "cat", "dd"))) == [
        "Your table plays “Points to reach: 5”. With 7 or more this would be allowed.",
        "Your table plays “Finish the round: no”. With “yes” this would be allowed.",
    ]


def test_an_answer_that_worked_earlier_in_the_round_is_played_back():
    """Whether the roll that set the goal counts was decided when it came; the points came later."""
    rolls = [Roll(("sigil", "dd")), Roll(("cat", "dd")), Roll(("cat", "cat"))]
    (said,) = told(match_of("pairs", Play(0, Declare("no-cats")), *rolls))
    assert said.endswith("With “no” this would be 1 point.")


def test_the_first_example_of_outlander_counts_otherwise_by_two_answers():
    taken = (Roll(DICE), Play(0, Card("pile", "Claire is captured")), Play(0, Stand()))
    said = told(match_of("outlander", *taken))
    assert len(said) == 2
    assert all(one.endswith("this would be 1 point.") for one in said)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_every_house_rule_that_is_named_decided_and_has_its_paragraph(path: Path):
    match, _ = played(path.read_text(encoding="utf-8"))
    for event in match.played:
        if event.step.scores:
            given = {score.player: 0 for score in event.step.scores}
            for score in event.step.scores:
                given[score.player] += score.points
            for player, ones in otherwise(match, event.number).items():
                assert all(one.points != given[player] and one.answer != one.played for one in ones)
                assert all(title(match.game, one.where, "de") for one in ones)

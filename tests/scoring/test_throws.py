"""What people look up for: which throw of a turn it is, and the rarest roll of each game."""

from __future__ import annotations

import pytest

from messages.message import Message
from scoring.actions import Action, Declare, Hold, Play, Roll
from scoring.announcement import announced
from scoring.games import available, find
from scoring.match import Match, begin

EIGHTS = Roll(("8",) * 6)
CATS = ("cat",) * 5


def after(game: str, *actions: Action, **options: object) -> Match:
    """Ann's turn, so far."""
    match = begin(find(game), ["Ann", "Bob"], options)
    for one in actions:
        match = match.add(one)
    return match


@pytest.mark.parametrize(
    ("game", "actions", "said"),
    [
        ("meet-fate", [EIGHTS], "Six eights!"),
        ("meet-fate", [Roll((*"888887",))], None),
        ("quintuples", [Roll(CATS)], "Five of a kind!"),
        ("everyone-scores", [Roll((*CATS[1:], "dd"))], None),
        ("triples", [Roll(CATS[:3])], "A triple!"),
        ("called-shot", [Play(0, Declare("cat")), Roll(CATS[:3])], "A triple!"),
        ("called-shot", [Play(0, Declare("dd")), Roll(CATS[:3])], None),
        ("pairs", [Play(0, Declare("dd")), Roll(("dd", "dd"))], "A pair of {face:face}, as called!"),
        ("pairs", [Play(0, Declare("cats")), Roll(("cat", "cat"))], None),
        ("outlander", [Roll(("claire", "jamie") * 3)], "Three Claires and three Jamies!"),
        ("outlander", [Roll(("claire",) * 6)], None),
    ],
)
def test_the_rarest_roll_of_a_game_is_called_out_first(game: str, actions: list[Action], said: str | None):
    match = after(game, *actions)
    assert (match.rarest.template if match.rarest else None) == said
    assert (announced(match)[0].template == said) is (said is not None)


@pytest.mark.parametrize(
    ("faces", "said"),
    [
        (("emu",) * 6, Message("{animals:things}!", (("animals", ("emu",) * 6),))),
        (("joker", *("koala",) * 5), Message("{animals:things}!", (("animals", ("koala",) * 6),))),
        (("joker",) * 6, None),
        (("emu", "koala", *("joker",) * 4), None),
    ],
)
def test_outbacks_rarest_roll_is_one_group_of_all_dice(faces: tuple[str, ...], said: Message | None):
    game = find("outback")
    assert game.dice.count == len(faces)
    assert game.rarest(begin(game, ["Ann", "Bob"]).state, faces) == said


def test_it_is_called_out_only_as_long_as_nothing_came_after_it():
    match = after("triples", Roll(CATS[:3]))
    assert match.add(Roll(("cat", "dd", "sigil"))).rarest is None
    assert match.correct(1, ("cat", "cat", "dd")).rarest is None


def test_a_turn_counts_its_throws():
    match = after("meet-fate")
    assert match.view.throws == (0, 3)
    match = match.add(Roll((*"123456",)))
    assert match.view.throws == (1, 3)
    match = match.add(Play(0, Hold(("6",))))
    assert match.view.throws == (1, 3), "it is not thrown yet"
    assert match.add(Roll((*"666666",))).view.throws == (2, 3)
    assert after("triples").view.throws == (0, 1)
    assert after("quintuples", Roll(CATS), reroll=True).view.throws == (1, 2)


def test_outlander_counts_its_one_reroll():
    match = after("outlander", Roll(("claire",) * 6))
    assert match.view.throws == (1, 2)
    match = match.add(Play(0, Hold(("claire",) * 4)))
    assert match.view.throws == (1, 2)
    assert match.add(Roll(("claire",) * 6)).view.throws == (2, 2)


@pytest.mark.parametrize("game", [one.id for one in available()])
def test_no_throw_is_counted_before_the_first(game: str):
    assert after(game).view.throws[0] == 0

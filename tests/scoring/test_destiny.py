"""Destiny as it is played: phases, treasure, refusals that name the rule, and cards that are never lost."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Action, Draw, IllegalMoveError, Move, MoveAwaited, Play
from scoring.anyplay import any_action
from scoring.games.destiny.cards import CHARACTERS, DECK, PLAIN_CARDS, TREASURES, UNKNOWN
from scoring.games.destiny.game import Destiny
from scoring.games.destiny.state import (
    AllDone,
    Assassinate,
    DestinyState,
    Identify,
    Leave,
    Look,
    Pass,
    PlayAid,
    PlayBase,
    PlayBonus,
    PlayMultiplier,
    Steal,
    Transmute,
)

GAME = Destiny()


def after(state: DestinyState, *actions: Action | Move) -> DestinyState:
    """The state after draws and moves; a move is made by the player who is asked first."""
    for one in actions:
        state = GAME.apply(state, Play(asked(state), one) if isinstance(one, Move) else one).state
    return state


def asked(state: DestinyState) -> int:
    first = GAME.awaits(state)[0]
    assert isinstance(first, MoveAwaited), first
    return first.players[0]


def held(*identities: str, until: str = "base", prize: str = "greater-hoard", **options: Any) -> DestinyState:
    """People hold the cards; everyone has an identity, and a phase is reached with nothing played."""
    names = [f"P{i}" for i in range(len(identities))]
    state = GAME.initial(names, options)
    state = after(state, *(Identify(one) for one in identities))
    while state.phase != until:
        state = after(state, Draw("treasure deck", (prize,)) if state.phase == "treasure" else Pass())
    return state


def test_one_word_ends_a_phase_for_everyone_who_holds_their_cards():
    state = held("king", "knight", "jester", until="first-aid")
    assert AllDone() in GAME.legal_moves(state, 0)
    each_by_itself = after(state, Pass(), Pass(), Pass())
    assert after(state, AllDone()) == each_by_itself
    second = after(state, Pass())
    assert after(second, AllDone()) == each_by_itself, "whoever is done already stays so"
    last = after(state, Pass(), Pass())
    assert AllDone() not in GAME.legal_moves(last, 2), "who is the last is done, and that is all"
    assert "each player decides for themselves now" in refused(last, AllDone())
    dealt = GAME.initial(["Ann", "Bob"], {"cards": "dealt"})
    assert not dealt.passable
    chosen = GAME.initial(["Ann", "Bob"])
    assert "each player decides for themselves now" in refused(chosen, AllDone())


def refused(state: DestinyState, move: Move, player: int | None = None) -> str:
    with pytest.raises(IllegalMoveError) as error:
        GAME.apply(state, Play(asked(state) if player is None else player, move))
    return str(error.value)


def test_a_round_awards_the_treasure_to_the_single_highest_total():
    state = held("king", "knight")
    state = after(state, PlayBase("law-base-3"), Pass(), PlayBase("law-base-4"), Pass(), Pass(), Pass())
    step = GAME.apply(state, Play(0, Pass()))
    step = GAME.apply(step.state, Play(1, Pass()))
    assert step.state.totals == (5, 5)
    assert step.state.buried == ("greater-hoard",), "a tie buries"
    assert (step.state.first, step.state.round, step.state.phase) == (1, 2, "first-aid")


@pytest.mark.parametrize(("order", "first"), [("rotating", 1), ("fixed", 0)])
def test_who_acts_first_in_the_second_round(order: str, first: int):
    """RULINGS 4.6 Q4."""
    state = after(held("king", "knight", play_order=order), Pass(), Pass())
    assert (state.round, state.first) == (2, first)


def test_a_card_stolen_from_a_held_hand_is_one_fewer_and_the_power_is_used():
    """RULINGS 4.6 Q9."""
    state = held("thief", "dragon", until="first-aid")
    state = after(state, PlayAid("oracle"), *[Pass()] * 2, Draw("treasure deck", ("kings-crown",)), Pass(), Pass())
    state = after(state, Steal(1))
    assert [len(side.hand) for side in state.sides] == [7, 6]
    assert "thief only once in each action phase" in refused(state, Steal(1))


def test_the_next_winner_takes_what_is_buried_and_five_points_win():
    state = replace(held("overlord", "knight", prize="dragons-hoard"), buried=("greater-hoard",))
    step = GAME.apply(after(state, Pass()), Play(1, Pass()))
    outcome = GAME.outcome(step.state)
    assert outcome
    assert (outcome.winners, outcome.points) == ((0,), (5, 0))
    assert step.scores[0].points == 5
    assert step.state.totals == (3, 0), "Overlord's three count with nothing played"
    assert GAME.awaits(step.state) == ()


def test_an_empty_treasure_deck_is_played_out_for_what_is_buried_or_stops():
    for deck_end, goes_on in (("play-on", True), ("stop", False)):
        state = replace(held("king", "knight", deck_end=deck_end), unordered=())
        state = after(state, Pass(), Pass())
        assert state.buried == ("greater-hoard",)
        assert state.finished is not goes_on
        if goes_on:
            state = after(state, Pass(), Pass())
            assert (state.prize, state.phase) == (None, "second-aid")
        else:
            outcome = GAME.outcome(state)
            assert outcome
            assert outcome.winners == (0, 1)


@pytest.mark.parametrize(
    ("identities", "played", "move", "rule"),
    [
        (("king", "knight"), [PlayBase("law-base-3")], PlayBase("chaos-base-1"), "opposing base cards cannot"),
        (("king", "knight"), [PlayBase("law-base-3")], PlayBase("law-base-3"), "is already on the table"),
        (("king", "knight"), [], PlayBase("law-bonus-3"), "is not a base card"),
        (("king", "knight"), [], PlayBase("king"), "is not a base, bonus or multiplier card"),
        (("king", "knight"), [], PlayBonus("law-bonus-1", "law-base-1"), "you cannot do this in the base phase"),
        (("king", "knight"), [], PlayAid("oracle"), "you cannot do this in the base phase"),
        (("king", "knight"), [], Transmute("law-base-1", "good"), "only the Alchemist"),
        (("king", "knight"), [], Leave("good-base-1"), "both the Paladin and the Necromancer"),
        (("alchemist", "knight"), [], Transmute("law-base-1", "neutral"), "is not an alignment"),
        (
            ("alchemist", "knight"),
            [PlayBase("law-base-1"), PlayBase("law-base-2")],
            Transmute("law-base-1", "chaos"),
            "opposing base cards cannot",
        ),
    ],
)
def test_what_is_not_allowed_names_the_rule(
    identities: tuple[str, ...], played: list[Move], move: Move, rule: str
):
    assert rule in refused(after(held(*identities), *played), move)


def test_stacks_are_checked_as_they_grow():
    state = after(held("king", "knight"), PlayBase("evil-base-2"), Pass(), Pass())
    assert "good bonus 3 and evil base 2" in refused(state, PlayBonus("good-bonus-3", "evil-base-2"))
    assert "you have no base card" in refused(state, PlayBonus("law-bonus-3", "evil-base-3"))
    state = after(state, PlayBonus("law-bonus-3", "evil-base-2"))
    assert state.phase == "multiplier", "no base has room for another bonus"
    assert "chaos multiplier 2 and law bonus 3" in refused(
        state, PlayMultiplier("chaos-multiplier-2", "evil-base-2")
    )
    assert "is not a multiplier" in refused(state, PlayMultiplier("law-bonus-1", "evil-base-2"))


def test_the_warlord_lays_chaos_beside_law_and_the_alchemist_any_card():
    state = after(held("warlord", "alchemist"), PlayBase("law-base-3"), PlayBase("chaos-base-1"), Pass())
    state = after(state, PlayBase("good-base-4"), Transmute("evil-base-4", "nature"), PlayBase("evil-base-4"))
    assert "only the Alchemist can change an alignment, one card per round" in refused(
        state, Transmute("good-base-4", "law")
    )
    assert state.sides[1].powers.alignment("evil-base-4") == "nature"


def test_the_dragon_skips_the_bonus_phase_and_the_rogue_lays_two():
    state = after(held("dragon", "rogue"), PlayBase("nature-base-4"), Pass(), PlayBase("law-base-1"), Pass())
    assert asked(state) == 1, "the Dragon does not allow bonus cards"
    state = after(state, PlayBonus("law-bonus-1", "law-base-1"), PlayBonus("law-bonus-2", "law-base-1"))
    assert (state.phase, asked(state)) == ("multiplier", 0)
    state = after(state, PlayMultiplier("good-multiplier-3", "nature-base-4"))
    step = GAME.apply(state, Play(0, PlayMultiplier("law-multiplier-4", "nature-base-4")))
    assert step.state.totals == (28, 3 + 3 + 4)


def test_held_hands_are_numbers_and_hide_behind_what_is_played():
    state = held("emperor", "king")
    assert [len(side.hand) for side in state.sides] == [8, 7]
    stone = replace(state.sides[0], treasures=("philosophers-stone",))
    assert (stone.max_hand, state.sides[1].max_hand) == (9, 7)
    assert set(state.sides[0].hand) == {UNKNOWN}
    assert len(after(state, PlayBase("law-base-1")).sides[0].hand) == 7
    for card in [card for card in PLAIN_CARDS if "nature" in card or "law-b" in card][:8]:
        if card.split("-")[1] == "base":
            state = after(state, PlayBase(card))
    assert len(state.sides[0].hand) == 8 - len(state.sides[0].stacks)


def test_the_assassin_takes_an_aid_card_and_the_powers_are_used_once():
    state = held("assassin", "king", until="second-aid")
    state = after(state, Pass(), PlayAid("oracle"), PlayAid("wizard"), Pass())
    assert "an Aid card on the table" in refused(state, Assassinate(1, "king"))
    state = after(state, Assassinate(1, "wizard"))
    assert state.sides[1].aid == ("oracle",)
    assert asked(state) == 1
    assert "you need the assassin" in refused(state, Assassinate(1, "oracle"))
    assert after(state, Look("oracle")).phase == "base"


def test_in_first_aid_the_emperor_raises_the_hand_of_this_round():
    state = held("knight", "king", until="first-aid")
    state = after(state, PlayAid("emperor"), Pass(), Pass(), Draw("treasure deck", ("crystal-ball",)))
    assert [len(side.hand) for side in state.sides] == [8, 7]


def test_everyone_may_act_together():
    state = held("king", "knight", until="first-aid", play_order="together")
    first = GAME.awaits(state)[0]
    assert isinstance(first, MoveAwaited)
    assert first.players == (0, 1)
    state = GAME.apply(state, Play(1, Pass())).state
    assert not GAME.can(state, Play(1, Pass()))


def cards_of(state: DestinyState) -> Counter[str]:
    """Every Destiny card, wherever it is."""
    lying = [card for side in state.sides for card in (side.identity, *side.aid, *side.played) if card]
    hands = [card for side in state.sides for card in side.hand if card != UNKNOWN]
    return Counter([*lying, *hands, *state.pile, *state.discards, *(card for _, card in state.picked)])


def treasures_of(state: DestinyState) -> Counter[str]:
    won = [treasure for side in state.sides for treasure in side.treasures]
    prize = [state.prize] if state.prize else []
    return Counter([*won, *prize, *state.buried, *state.treasures, *state.unordered])


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_cards_and_treasures_are_never_lost_or_invented_nor_hands_told(seed: int):
    rng = random.Random(seed)
    options = {
        option.key: rng.choice(option.values) if option.values else rng.random() < 0.5
        for option in GAME.options
    }
    state = GAME.initial([f"P{i}" for i in range(rng.randint(2, 6))], options)
    for _ in range(150):
        if GAME.outcome(state):
            break
        action = any_action(GAME, state, rng.randrange)
        step = GAME.apply(state, action)
        if isinstance(action, Draw) and action.pile != "treasure deck":
            told = [value for fact in step.facts for _, value in fact.values]
            assert not any(card in told for card in action.cards)
        state = step.state
        assert cards_of(state) == Counter(DECK)
        assert treasures_of(state) == Counter(TREASURES)
        assert all(len(side.hand) <= 10 for side in state.sides)
    assert set(CHARACTERS) >= {side.identity for side in state.sides if side.identity}

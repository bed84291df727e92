"""Destiny dealt by the assistant: secret hands, draws, and the powers of the action phase."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from test_destiny import GAME, after, held, refused

from messages.message import message
from scoring.actions import Draw, DrawAwaited, Move, Play
from scoring.announcement import announced
from scoring.anyplay import any_action
from scoring.codec import plain
from scoring.games.destiny.cards import CHARACTERS, DECK, PLAIN_CARDS
from scoring.games.destiny.state import DestinyState, Discard, Identify, Jest, Pass, PlayAid, Steal, Trade
from scoring.match import begin
from tests.saying import sentences


def dealt(hands: dict[str, tuple[str, ...]], **options: Any) -> DestinyState:
    """The assistant deals these hands of seven; treasures come as listed."""
    state = GAME.initial(list(hands), {"cards": "dealt", "treasure_order": "listed"} | options)
    return after(state, *(Draw("destiny deck", hand) for hand in hands.values()))


def sevens(*firsts: str) -> tuple[str, ...]:
    """A hand of seven that begins so."""
    fillers = [card for card in PLAIN_CARDS if "nature" in card and card not in firsts]
    return (*firsts, *fillers)[:7]


ANN = ("thief", "jester", "merchant", "law-base-1", "law-base-2", "law-base-3", "law-base-4")
BOB = ("king", "oracle", "good-base-1", "good-base-2", "good-base-3", "good-base-4", "good-bonus-1")
CY = ("emperor", "dragon", "evil-base-1", "evil-base-2", "evil-base-3", "evil-base-4", "evil-bonus-1")


def test_a_dealt_hand_without_a_character_is_discarded_and_drawn_again():
    none = sevens()
    state = GAME.initial(["Ann", "Bob"], {"cards": "dealt", "treasure_order": "listed"})
    step = GAME.apply(state, Draw("destiny deck", none))
    assert step.state.discards == none
    assert any(fact.template.endswith("discards the hand and draws a new one.") for fact in step.facts)
    first = GAME.awaits(step.state)[0]
    assert isinstance(first, DrawAwaited)
    assert (first.player, first.count, len(first.among)) == (0, 7, 66)


def dealt_to_action(*aids: Move) -> DestinyState:
    """Ann, Bob and Cy with dealt hands in the action phase; `aids` are Ann's cards in the first phase."""
    state = dealt({"Ann": ANN, "Bob": BOB, "Cy": CY})
    state = after(
        state, Identify("thief"), Identify("king"), Identify("dragon"), *aids, Pass(), Pass(), Pass()
    )
    while state.phase != "action":
        first = GAME.awaits(state)[0]
        if isinstance(first, DrawAwaited):
            nature = [card for card in first.among if "nature" in card]
            state = after(state, Draw(first.pile, tuple(nature[: first.count])))
        else:
            state = after(state, Discard(()) if state.phase == "hit" else Pass())
    return state


def test_the_thief_steals_at_random_and_discards_one():
    state = dealt_to_action()
    assert "choose another player" in refused(state, Steal(0))
    state = after(state, Steal(1))
    first = GAME.awaits(state)[0]
    assert isinstance(first, DrawAwaited)
    assert (first.pile, first.count, first.player) == ("hand of Bob", 1, 0)
    state = after(state, Draw("hand of Bob", ("good-base-4",)))
    assert "good-base-4" in state.sides[0].hand
    assert "discard a card first" in refused(state, Pass())
    assert "discard 1 card, not 2" in refused(state, Discard(("law-base-1", "law-base-2")))
    state = after(state, Discard(("law-base-1",)))
    assert "law-base-1" in state.discards
    assert len(state.sides[0].hand) == 7
    assert len(state.sides[1].hand) == 6


def test_the_jester_makes_two_others_swap_a_card():
    state = dealt_to_action(PlayAid("jester"))
    assert "two others for the Jester" in refused(state, Jest(1, 1))
    state = after(
        state, Jest(1, 2), Draw("hand of Cy", ("evil-base-1",)), Draw("hand of Bob", ("good-base-1",))
    )
    assert "evil-base-1" in state.sides[1].hand
    assert "good-base-1" in state.sides[2].hand
    assert "only once in each action phase" in refused(state, Jest(1, 2))


def test_the_merchant_draws_one_and_discards_one():
    state = after(dealt_to_action(PlayAid("merchant")), Trade("merchant"))
    first = GAME.awaits(state)[0]
    assert isinstance(first, DrawAwaited)
    assert first.count == 1
    state = after(state, Draw("destiny deck", first.among[:1]), Discard(first.among[:1]))
    assert len(state.sides[0].hand) == 7


def test_an_empty_pile_takes_the_discards_and_goes_on():
    state = dealt({"Ann": ANN, "Bob": BOB})
    moved = state.pile[2:]
    state = replace(state, pile=state.pile[:2], discards=moved)
    state = after(state, Identify("thief"), Identify("king"), Pass(), Pass())
    first = GAME.awaits(state)[0]
    assert isinstance(first, DrawAwaited)
    assert first.count == 1, "six in hand"
    state = replace(state, drawing=((0, 3),))
    state = after(state, Draw("destiny deck", state.pile))
    first = GAME.awaits(state)[0]
    assert isinstance(first, DrawAwaited)
    assert (first.count, set(first.among)) == (1, set(moved))


def test_the_hit_phase_refills_what_is_discarded():
    state = after(dealt({"Ann": ANN, "Bob": BOB}), Identify("thief"), Identify("king"), Pass(), Pass())
    state = after(state, Draw("destiny deck", ("wizard",)), Draw("destiny deck", ("druid",)))
    assert "choose which cards to discard, or none" in refused(state, Pass())
    assert "own hand" in refused(state, Discard(("king",)))
    state = after(state, Discard(("wizard", "law-base-1")))
    first = GAME.awaits(state)[0]
    assert isinstance(first, DrawAwaited)
    assert (first.count, first.player) == (2, 0)
    assert "is not in your hand" in refused(
        after(state, Draw("destiny deck", ("ranger", "lover")), Discard(())), PlayAid("wizard")
    )


def test_a_corrected_draw_into_a_hand_is_not_announced():
    """What went into a hand is secret, and putting it right says no more than drawing it did."""
    match = begin(GAME, ("Ann", "Bob"), {"cards": "dealt", "treasure_order": "listed"})
    match = match.add(Draw("destiny deck", ANN)).correct(1, BOB)
    told = announced(match)[0]
    assert told == message("Corrected: what was drawn from the {pile:pile}.", pile="destiny deck")
    assert sentences(match)[0] == "Corrected: what was drawn from the destiny deck."
    assert not any(card.replace("-", " ") in " ".join(sentences(match)) for card in (*ANN, *BOB))


def test_a_corrected_treasure_is_announced():
    match = begin(GAME, ("Ann", "Bob"))
    match = match.add(Play(0, Identify("king"))).add(Play(1, Identify("dragon")))
    match = match.add(Play(0, Pass())).add(Play(1, Pass())).add(Draw("treasure deck", ("magic-tome",)))
    said = sentences(match.correct(5, ("kings-crown",)))
    assert said[0] == "Corrected: the draw from the treasure deck was King’s Crown."


def test_a_dealt_hand_is_shown_to_its_player_alone():
    state = dealt_to_action()
    shown = json.dumps(plain(GAME.table(state)))
    for side in state.sides:
        assert not any(f'"{card}"' in shown for card in side.hand)
    own = GAME.private(state, 1)
    assert [row[0] for row in own[0].rows] == list(state.sides[1].hand)
    assert len(own) == 1
    seeing = replace(
        state, sides=(*state.sides[:1], replace(state.sides[1], used=("oracle",)), state.sides[2])
    )
    assert len(GAME.private(seeing, 1)) == 3
    assert GAME.private(held("king", "knight"), 0) == ()


TEN = [f"player {number}" for number in range(1, 11)]


def test_as_many_play_as_the_deck_has_hands_for():
    assert GAME.initial(TEN).players == tuple(TEN)
    with pytest.raises(ValueError, match=r"Destiny is for 2 to 10 players, not 11"):
        GAME.initial([*TEN, "one more"])


@pytest.mark.slow
@pytest.mark.parametrize("cards", ["held", "dealt"])
def test_ten_play_to_the_end_and_every_card_stays_in_the_game(cards: str):
    chance, match = Random(7), begin(GAME, TEN, {"cards": cards})
    while not match.outcome:
        match = match.add(any_action(GAME, match.state, chance.randrange))
        if cards == "dealt":
            state = match.state
            lying = [card for side in state.sides for card in (*side.hand, *side.aid, *side.played)]
            lying += [side.identity for side in state.sides if side.identity]
            taken = [card for _, card in state.picked]
            assert Counter([*lying, *taken, *state.pile, *state.discards]) == Counter(DECK)
    assert match.state.round > 1


def test_where_the_last_of_ten_finds_no_character_anywhere_all_is_dealt_again():
    hands = [*CHARACTERS, *PLAIN_CARDS[:47]]
    state = GAME.initial(TEN, {"cards": "dealt", "treasure_order": "listed"})
    state = after(state, *(Draw("destiny deck", tuple(hands[7 * n : 7 * n + 7])) for n in range(3)))
    spread = hands[21:]
    others = [tuple(spread[n : n + 7]) for n in range(0, 49, 7)]
    # The two characters left go to the fourth; nobody after that has one, so all is dealt again at the fifth.
    state = after(state, Draw("destiny deck", others[0]))
    step = GAME.apply(state, Draw("destiny deck", others[1]))
    assert step.facts[-1].template.endswith("All cards are dealt again.")
    assert all(not side.hand for side in step.state.sides)
    first = GAME.awaits(step.state)[0]
    assert isinstance(first, DrawAwaited)
    assert (first.player, first.count, len(first.among)) == (0, 7, 73)

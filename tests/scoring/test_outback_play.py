"""Outback as it is played: turns, refusals that name the rule, ends, Plus tiles, and 90 tiles always."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.actions import Action, Draw, Hold, IllegalMoveError, Move, MoveAwaited, Play, Roll
from scoring.anyplay import any_action
from scoring.games import find
from scoring.games.outback.dice import ANIMALS
from scoring.games.outback.plus import LOST
from scoring.games.outback.state import (
    Board,
    EndTurn,
    Lose,
    OutbackState,
    Place,
    PlaceInRow,
    Swap,
    Tell,
    TellEach,
)
from scoring.match import begin
from tests.saying import sentences

BASE, PLUS = find("outback"), find("outback-plus")
JEEP = ("emu", "emu", "koala", "platypus", "monitor-lizard")
JULE = (
    ("2a", "monitor-lizard"),
    ("3a", "platypus"),
    ("3b", "platypus"),
    ("4c", "platypus"),
    ("2c", "platypus"),
)


def begun(game: Any = BASE, jeep: tuple[str, ...] = JEEP, **options: Any) -> OutbackState:
    """Ann and Bob, Ann on turn, with a full jeep."""
    state = game.initial(["Ann", "Bob"], {"start": "first"} | options)
    return game.apply(state, Draw("bag", jeep)).state


def after(state: OutbackState, *actions: Action | Move, game: Any = BASE) -> OutbackState:
    for one in actions:
        state = game.apply(state, Play(state.turn, one) if isinstance(one, Move) else one).state
    return state


def with_board(state: OutbackState, board: Board) -> OutbackState:
    """The first player's board as given; its animals come out of the bag."""
    unseen = tuple(number - board.count(animal) for animal, number in zip(ANIMALS, state.unseen, strict=True))
    return replace(state, boards=(board, *state.boards[1:]), unseen=unseen)


def dice(text: str) -> Roll:
    short = {"e": "emu", "r": "kangaroo", "k": "koala", "p": "platypus", "m": "monitor-lizard", "j": "joker"}
    return Roll(tuple(short[letter] for letter in text))


def refused(state: OutbackState, move: Move, game: Any = BASE) -> str:
    with pytest.raises(IllegalMoveError) as error:
        game.apply(state, Play(state.turn, move))
    return str(error.value)


def test_anna_stops_after_two_throws_and_lays_koala_in_four_and_emu_in_two():
    state = after(begun(), dice("kkkrpj"), Hold(("koala",) * 3 + ("joker",)), dice("kkkjej"))
    state = after(state, Place("koala", "4c"), Place("emu", "2a"))
    assert state.boards[0].tiles == (("4c", "koala"), ("2a", "emu"))
    assert state.boards[0].markers == (1, 0, 1, 0, 0)
    assert state.turn == 1, "nothing more can be laid: the turn is over"


def test_jule_scores_two_for_the_lizard_and_four_for_the_platypus():
    state = with_board(begun(), Board(JULE))
    state = after(state, dice("mmpppp"))
    first = BASE.apply(state, Play(0, Place("monitor-lizard", "2b")))
    second = BASE.apply(first.state, Play(0, Place("platypus", "4b")))
    assert [score.points for score in (*first.scores, *second.scores)] == [2, 4]
    assert second.state.boards[0].markers[ANIMALS.index("platypus")] == 4


def test_the_third_animal_brings_its_bonus_tile_on_the_same_marker():
    board = Board((("2a", "emu"), ("5d", "emu")), bonus=(("koala", 1),))
    state = after(with_board(begun(), board), dice("eejkkk"))
    step = BASE.apply(state, Play(0, Place("emu", "2c")))
    assert step.scores[0].points == 1 + 2
    assert step.state.boards[0].bonus == (("koala", 1), ("emu", 2))
    assert any(": bonus tile," in fact.template for fact in step.facts)


def test_a_marker_stops_at_the_end_and_says_when_it_goes_round_the_corner():
    board = Board((), markers=(24, 9, 9, 9, 9))
    state = after(with_board(begun(), board), dice("eekkpp"))
    end = BASE.apply(state, Play(0, Place("emu", "2a")))
    assert end.scores[0].points == 0
    assert [line.points for line in end.scores[0].breakdown] == [1, -1]
    corner = BASE.apply(end.state, Play(0, Place("koala", "2b")))
    assert any(fact.template.startswith("The marker is now on the upper track") for fact in corner.facts)
    assert BASE.table(end.state).seats[0].score == 15 + 9 + 9 + 9
    assert BASE.table(corner.state).seats[0].score == 15 + 9 + 9 + 9 + 1, "the lizard counts in its place"


def test_dice_set_aside_may_be_thrown_again():
    state = after(begun(), dice("kkkrpj"), Hold(("koala",) * 3), dice("kkkeee"), Hold(("emu",) * 3))
    assert BASE.can(state, dice("eeerrr"))
    assert not BASE.can(state, dice("eerrrr"))


@pytest.mark.parametrize(
    ("roll", "move", "rule"),
    [
        ("kkkrpj", Place("kangaroo", "2a"), "no kangaroo on the jeep"),
        ("kkkrpj", Place("koala", "5a"), "row 5 needs 5 dice: at least one koala"),
        ("rrrrjj", Place("emu", "2a"), "at least one emu"),
        ("kkkrpj", Place("koala", "7a"), "is not free; choose from 2a"),
        ("kkkrpj", Place("joker", "2a"), "is not an animal"),
        ("kkkrpj", PlaceInRow("koala", 2, 3), "choose a space on the board"),
        ("kkkrpj", Lose("2a"), "only block a space after your third throw"),
        ("kkkrpj", EndTurn(), "you have not laid an animal yet"),
        ("kkkrpj", Hold(("emu",)), "you can only hold dice on the table"),
        ("kkkrpj", Hold(("koala", "koala", "koala", "kangaroo", "platypus", "joker")), "leave at least one die"),
        ("kkkrpj", Swap(), "only if all five match"),
        ("kkkrpj", Tell(3), "there are no points to enter now"),
    ],
)
def test_what_is_not_allowed_names_the_rule(roll: str, move: Move, rule: str):
    assert rule in refused(after(begun(), dice(roll)), move)


def test_after_a_tile_is_laid_no_die_is_thrown_and_no_field_lost():
    state = after(begun(), dice("kkeejj"), Place("koala", "2a"))
    assert "cannot throw again this turn" in refused(state, Hold(("emu",)))
    assert "you do not block a space" in refused(state, Lose("3a"))
    assert "already laid: koala in row 2" in refused(state, Place("emu", "5a"))
    assert after(state, EndTurn()).turn == 1


def test_a_field_is_lost_only_when_three_throws_brought_nothing():
    again = Hold(("joker",))
    state = after(begun(), dice("rrrrrj"), again, dice("rrrrrj"), again, dice("rrrrrj"))
    assert [type(move) for move in BASE.legal_moves(state, 0)] == [Lose] * 15
    step = BASE.apply(state, Play(0, Lose("6a")))
    assert step.state.boards[0].tiles == (("6a", LOST),)
    assert step.state.in_bag == 90 - 5 - 1
    assert BASE.table(step.state).seats[0].score == -9 - 2
    could = after(begun(), dice("rrrrej"), again, dice("rrrrej"), again, dice("rrrrej"))
    assert "you can still lay an animal: emu in row 2" in refused(could, Lose("6a"))
    may = begun(may_pass=True)
    may = after(may, dice("rrrrej"), again, dice("rrrrej"), again, dice("rrrrej"), Lose("6a"))
    assert may.turn == 1


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            (
                "Draw 5 tiles from the bag.",
                "On the jeep: two emus, a koala, a platypus and a monitor lizard.",
                "Ann, throw 1: two emus, a kangaroo, a koala and two jokers.",
                "Emu: four dice, including two jokers, for row 2, 3 or 4.",
                "Ann lays an emu on 2b: 1 point.",
            ),
        ),
        (
            "de",
            (
                "Zieht 5 Plättchen aus dem Beutel.",
                "Der Jeep hat zwei Emus, einen Koala, ein Schnabeltier und einen Waran geladen.",
                "Wurf 1: Ann würfelt zwei Emus, ein Känguru, einen Koala und zwei Joker.",
                "Emu: vier Würfel, zwei Joker mitgezählt, für Reihe 2, 3 oder 4.",
                "Ann legt einen Emu auf 2b: 1 Punkt.",
            ),
        ),
        (
            "fr",
            (
                "Tirez 5 tuiles du sac.",
                "La jeep transporte deux émeus, un koala, un ornithorynque et un varan.",
                "Ann, lancer 1 : deux émeus, un kangourou, un koala et deux jokers.",
                "Émeu : quatre dés, deux jokers compris, pour la rangée 2, 3 ou 4.",
                "Ann place un émeu sur 2b : 1 point.",
            ),
        ),
    ],
)
def test_animals_are_counted_as_people_count_them(language: str, said: tuple[str, ...]):
    match, told = begin(BASE, ["Ann", "Bob"], {"start": "first"}), list[str]()
    told += sentences(match, language)
    for one in (Draw("bag", JEEP), dice("eerkjj"), Play(0, Place("emu", "2b"))):
        match = match.add(one)
        told += sentences(match, language)
    assert set(said) <= {one.replace("\u202f", " ") for one in told}, told


def test_a_face_that_a_dice_set_calls_otherwise_keeps_its_own_name():
    match = begin(BASE, ["Ann", "Bob"], {"start": "first"}).add(Draw("bag", JEEP))
    first = sentences(match, "en", {"emu": "big bird"})[0]
    assert first == "On the jeep: big bird twice, a koala, a platypus and a monitor lizard."


def test_five_equal_animals_are_swapped_only_by_option():
    five = ("emu",) * 5
    state = begun(jeep=five, jeep_swap=True)
    assert isinstance(BASE.awaits(state)[-1], MoveAwaited)
    swapped = after(state, Swap())
    assert (swapped.jeep, swapped.unseen) == ((), (18,) * 5)
    assert after(state, dice("eeeeee")).throws == 1
    assert not BASE.can(begun(jeep=five), Play(0, Swap()))


def test_the_start_marker_is_rolled_for_and_ties_roll_again():
    state = BASE.initial(["Ann", "Bob", "Cy"])
    state = after(state, Draw("bag", JEEP), dice("jjjjje"), dice("eekkpm"), dice("kkrpmj"))
    assert (state.start, state.contenders) == (None, (1, 2))
    state = after(state, dice("eerkpm"), dice("kkkpmj"))
    assert (state.start, state.turn) == (2, 2)


def test_the_sentences_say_who_rolls_for_the_start_and_why():
    match, told = begin(BASE, ["Ann", "Bob"]), list[str]()
    for roll in (Draw("bag", JEEP), *map(dice, ("eeekjj", "kkkpmr", "eekprm", "ekprmj"))):
        match = match.add(roll)
        told += sentences(match)
    said = "\n".join(told)
    assert said.index("Throw to see who starts") < said.index("Ann, throw the dice for the start marker.")
    assert "Ann and Bob tie at 3 and throw again.\nAnn, throw the dice for the start marker." in said
    assert "Ann has the most matching animals, 2, and starts.\nAnn, throw the dice." in said


TOLD = {f"scoring_tile.{animal}": 1 for animal in ANIMALS if animal != "koala"}
"""What the scoring tile C says of the animals; the rules print its koala."""


@pytest.mark.parametrize(
    ("tile", "space", "cost"), [("A", "2b", 3), ("B", "3b", 3), ("C", "2b", 2), ("none", "2b", 2)]
)
def test_what_a_lost_field_costs_in_plus(tile: str, space: str, cost: int):
    """RULINGS 5.5, 5.7 Q2 (B is the label of the row): a koala lies beside it."""
    state = begun(PLUS, board_plus="2:2 3:2", scoring_tile=tile, **TOLD)
    state = with_board(state, Board(((f"{space[0]}a", "koala"), (space, LOST))))
    assert PLUS.table(state).seats[0].score == -9 - cost


def tiny(end: str = "round") -> OutbackState:
    """Boards of two spaces, the first player's almost full."""
    state = begun(board="2:2", end=end)
    return with_board(state, Board((("2a", "emu"),), markers=(1, 0, 0, 0, 0)))


def test_the_round_is_finished_and_equal_totals_go_by_bonus_tiles():
    state = after(tiny(), dice("kkrrrr"), Place("koala", "2b"))
    assert (state.ending, state.finished, state.turn) == (True, False, 1)
    state = after(state, Draw("bag", ("emu",)), dice("eerrrr"))
    step = BASE.apply(state, Play(1, Place("emu", "2a")))
    assert BASE.outcome(step.state) == BASE.outcome(after(state, Place("emu", "2a")))
    outcome = BASE.outcome(step.state)
    assert outcome
    assert outcome.points == (-9, -9)
    assert outcome.winners == (0, 1)
    assert [score.total for score in step.scores[1:]] == [-9, -9]
    bonus = replace(step.state.boards[1], bonus=(("emu", 1),))
    won = BASE.outcome(replace(step.state, boards=(step.state.boards[0], bonus)))
    assert won
    assert won.winners == (1,)


def test_the_alternative_end_lets_everyone_fill_their_board():
    state = after(tiny("each-full"), dice("kkrrrr"), Place("koala", "2b"))
    state = after(state, Draw("bag", ("emu",)), dice("eerrrr"), Place("emu", "2a"))
    assert (state.finished, state.turn) == (False, 1), "Ann rests, Bob goes on"
    state = after(state, Draw("bag", ("emu",)), dice("eerrrr"), Place("emu", "2b"))
    assert BASE.outcome(state)


def test_plus_without_a_board_counts_rows_and_is_told_the_groups():
    state = begun(PLUS, board_plus="unknown")
    state = after(state, dice("eeeekkr"), PlaceInRow("emu", 4, 1), game=PLUS)
    assert "from 1 to 1" in refused(state, PlaceInRow("koala", 2, 2), PLUS)
    state = after(state, PlaceInRow("koala", 2, 1, "full"), game=PLUS)
    assert "row-2" in str(state.claiming)
    assert state.size(2) == 1
    state = after(state, Tell(4), game=PLUS)
    assert state.boards[0].bonus == (("row-2", 4),)
    assert "row-2" not in (state.tiles or ())
    assert PLUS.table(state).seats[0].score == -9, "the three last markers on −3: the tile lies face down"


def test_all_boards_are_alike_so_a_row_is_full_at_one_size_only():
    state = begun(PLUS, board_plus="unknown")
    state = after(state, dice("eeerrrr"), PlaceInRow("emu", 3, 1), Draw("bag", ("koala",)), game=PLUS)
    state = after(state, dice("eeerrrr"), game=PLUS)
    assert "earlier tiles give row 3 another size" in refused(state, PlaceInRow("emu", 3, 1, "full"), PLUS)


def test_plus_claims_what_its_options_know_and_each_tile_once():
    state = begun(PLUS, board_plus="2:2 3:3", **{"row_tiles.2": 5})
    board = Board((("2a", "emu"),), markers=(1, 1, 1, 1, 1))
    state = after(with_board(state, board), dice("eerrrrr"), game=PLUS)
    step = PLUS.apply(state, Play(0, Place("emu", "2b")))
    assert step.state.boards[0].bonus == (("left-start", 2), ("row-2", 5))
    assert len(step.state.tiles or ()) == 12


def test_a_drawn_scoring_tile_asks_for_its_values_once():
    state = PLUS.initial(["Ann", "Bob"], {"scoring_tile": "drawn", "bonus_tiles": "five", "start": "first"})
    state = after(state, Draw("scoring tiles", ("C",)), game=PLUS)
    assert state.beside == (-1, -1, 2, -1, -1)
    assert "koala costs 2 on this scoring tile" in refused(state, TellEach((1, 1, 1, 1, 1)), PLUS)
    state = after(state, TellEach((1, 1, 2, 1, 1)), game=PLUS)
    five = ("row-2", "left-start", "five-emu", "row-7", "two-on-top")
    state = after(state, Draw("bonus tiles", five), game=PLUS)
    assert set(state.tiles or ()) == set(five)


def test_without_a_board_the_cost_of_lost_fields_is_asked_for_at_the_end():
    state = begun(
        PLUS, board_plus="unknown", scoring_tile="D", **{f"scoring_tile.{animal}": 1 for animal in ANIMALS}
    )
    lost = Board((("2", LOST), ("3", "emu")))
    state = replace(with_board(state, lost), boards=(lost, lost), finished=True)
    assert (PLUS.outcome(state), PLUS.legal_moves(state, 1)) == (None, ())
    assert [seat.on_turn for seat in PLUS.table(state).seats] == [True, False]
    state = PLUS.apply(state, Play(0, Tell(3))).state
    assert [seat.on_turn for seat in PLUS.table(state).seats] == [False, True], "the one who is asked"
    step = PLUS.apply(state, Play(1, Tell(2)))
    outcome = PLUS.outcome(step.state)
    assert outcome
    assert outcome.points == (-9 - 3, -9 - 2)
    assert [score.points for score in step.scores] == [-12, -11]


def test_a_row_that_no_dice_can_fill_is_no_board_of_the_game():
    with pytest.raises(ValueError, match="row 7 needs 7 dice"):
        BASE.initial(["Ann", "Bob"], {"board": "2:3 7:2"})


def any_options(game: Any, rng: random.Random) -> dict[str, Any]:
    picked: dict[str, Any] = {}
    for option in game.options:
        if option.key.startswith("board"):
            picked[option.key] = rng.choice(["unknown", "2:2 3:3 4:2", option.default])
        elif isinstance(option.default, bool):
            picked[option.key] = rng.random() < 0.5
        elif isinstance(option.default, int):
            picked[option.key] = rng.choice([option.default, max(option.low, 3)])
        else:
            picked[option.key] = rng.choice(option.values)
    return picked


@pytest.mark.slow
@pytest.mark.parametrize("game", [BASE, PLUS], ids=["base", "plus"])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_ninety_tiles_are_never_lost_or_invented_and_every_match_ends(game: Any, seed: int):
    rng = random.Random(seed)
    names = ["Ann", "Bob", "Cy", "Di"][: rng.randint(2, 4)]
    state = game.initial(names, any_options(game, rng))
    for _ in range(2000):
        if game.outcome(state):
            break
        state = game.apply(state, any_action(game, state, rng.randrange)).state
        lying = [what for board in state.boards for _, what in board.tiles] + list(state.jeep)
        for animal, unseen in zip(ANIMALS, state.unseen, strict=True):
            assert lying.count(animal) + unseen == 18
        assert state.in_bag + len(lying) == 90
        won = [tile for board in state.boards for tile, _ in board.bonus]
        if game is PLUS and state.tiles is not None:
            assert len(set(won) | set(state.tiles)) == len(won) + len(state.tiles)
    outcome = game.outcome(state)
    assert outcome
    assert len(outcome.winners) >= 1

"""Vectors of RULINGS 4 and 5 that are courses of play, typed into `tableside play` and read back by `tableside replay`.

- 4.1 the decks; 4.2 seven cards, a character, hands of up to nine, phases; 4.3 legality as cards are laid;
  4.5 ties bury (at 0 too), the next winner takes all; five points win; 4.6 Q4 Q5 Q7 Q8 Q9 Q12.
- 5.2 start roll, dice taken back, a field lost; 5.3 groups, markers, the bonus at the third; 5.4 ends and ties;
  5.5 the Plus tiles, scoring tiles B and C; 5.6 004-1, 004-2, 004-6; 5.7 Q1 is 004-3, Q2 Q4 Q5 Q6 Q8 Q9 Q10 Q11.
"""

from __future__ import annotations

import pytest
from door import evening, refused

# Destiny

TWO = "destiny --players Ann,Bob --option treasure_order=listed"
WHO = ("identity king", "identity dragon")
UNTIL_BASE = ("done",) * 4
"""First Aid and Second Aid of both; neither the King nor the Dragon acts."""
NOTHING = (*UNTIL_BASE, "done", "done")
"""A round in which nobody plays a base."""


def test_a_tie_buries_and_the_next_winner_takes_all():
    """4.5, 4.6 Q8 listed, Q12: without a base the total is 0, and that ties."""
    played = evening(TWO, *WHO, *NOTHING)
    assert (played.state["totals"], played.state["buried"]) == ([0, 0], ["lesser-hoard"])
    played = evening(TWO, *WHO, *NOTHING, *UNTIL_BASE, "base good-base-4", "done", "done", "done", "done")
    assert played.state["totals"] == [0, 4]
    assert played.told["points"] == {"Ann": 0, "Bob": 2}
    assert played.state["sides"][1]["treasures"] == ["lesser-hoard", "lesser-hoard"]


def test_overlords_three_count_with_nothing_played_and_five_points_win():
    typed = ("identity overlord", "identity king", *UNTIL_BASE, "done", "done")
    assert evening(TWO, *typed).state["totals"] == [3, 0]
    five = evening(TWO, "identity overlord", "identity king", *NOTHING * 5)
    assert five.told["winners"] == ["Ann"]
    assert five.told["reason"] == "5 treasure points"


@pytest.mark.parametrize(("deck_end", "winners"), [("stop", ["Ann", "Bob"]), ("play-on", None)])
def test_an_empty_treasure_deck(deck_end: str, winners: list[str] | None):
    """4.6 Q7: twenty ties bury everything."""
    told = evening(f"{TWO} --option deck_end={deck_end}", *WHO, *NOTHING * 20).told
    assert told["winners"] == winners
    assert len(told["state"]["buried"]) == 20


@pytest.mark.parametrize(("order", "first"), [("rotating", 1), ("fixed", 0), ("together", 0)])
def test_who_acts_first_in_the_second_round(order: str, first: int):
    """4.6 Q4."""
    typed = WHO if order != "together" else ("Ann: identity king", "Bob: identity dragon")
    rest = NOTHING if order != "together" else ("Ann: done", "Bob: done") * 3
    assert evening(f"{TWO} --option play_order={order}", *typed, *rest).state["first"] == first


def test_hands_of_seven_eight_and_nine():
    """4.2: the Emperor holds one more, and so does whoever owns the Philosophers Stone."""
    named = "destiny --players Ann,Bob"
    typed = ("identity emperor", "identity king", "done", "done", "philosophers stone")
    hands = [len(side["hand"]) for side in evening(named, *typed).state["sides"]]
    assert hands == [8, 7]
    wins = (*typed, "done", "done", "base law-base-1", "done", "done", "done", "done")
    nine = evening(named, *wins, "done", "done", "lesser hoard")
    assert [len(side["hand"]) for side in nine.state["sides"]] == [9, 7]


def test_a_first_hand_without_a_character_is_drawn_again_and_no_card_is_lost():
    """4.1, 4.2, the assistant deals: 73 cards, 20 treasures."""
    bases, bonuses = (f"nature-base-{n}" for n in "1234"), (f"nature-bonus-{n}" for n in "123")
    none = ", ".join((*bases, *bonuses))
    line = "destiny --players Ann,Bob --option cards=dealt --option treasure_order=listed"
    state = evening(line, none).state
    assert state["drawing"] == [[0, 7], [1, 7]]
    assert (len(state["pile"]), len(state["discards"]), len(state["treasures"])) == (66, 7, 20)


@pytest.mark.parametrize(
    ("where", "who", "typed", "rule"),
    [
        ("4.3", WHO, ("base law-base-1", "base chaos-base-2"), "base cards may not oppose each other"),
        (
            "4.3",
            WHO,
            ("base evil-base-2", "done", "done", "bonus good-bonus-3 evil-base-2"),
            "good bonus 3 with evil base 2",
        ),
        (
            "4.6 Q5",
            ("identity king", "identity knight", "aid dragon"),
            ("done", "done", "done", "base law-base-1", "done", "done", "bonus law-bonus-1 law-base-1"),
            "this is the multiplier phase",
        ),
        ("4.2", ("identity king",), ("identity king",), "lies face up already"),
        ("4.3", WHO, ("bonus law-bonus-1 law-base-1",), "this is the base phase: no bonus now"),
    ],
)
def test_destiny_refuses_by_rule(where: str, who: tuple[str, ...], typed: tuple[str, ...], rule: str):
    before = UNTIL_BASE if len(who) == 2 else ("done",) if len(who) == 3 else ()
    assert rule in refused(TWO, *who, *before, *typed), where


def test_powers_of_the_action_phase_are_used_once():
    """4.6 Q9: the Thief steals once, the Oracle looks once."""
    typed = ("identity thief", "identity dragon", "aid oracle", *("done",) * 4, "steal Bob")
    played = evening(TWO, *typed)
    assert [len(side["hand"]) for side in played.state["sides"]] == [7, 6]
    assert "thief is used once in an action phase" in refused(TWO, *typed, "steal Bob")
    assert evening(TWO, *typed, "look oracle").state["phase"] == "base"


# Outback


def rolls(text: str) -> str:
    short = {"e": "emu", "r": "kangaroo", "k": "koala", "p": "platypus", "m": "monitor lizard", "j": "joker"}
    return ", ".join(short[letter] for letter in text)


BASE = "outback --players Jule,Bob --option start=first"


def test_anna_lays_koala_in_four_and_emu_in_two():
    """5.6 004-1."""
    typed = (rolls("eekpm"), rolls("kkkrpj"), "keep koala, koala, koala, joker", rolls("ej"))
    played = evening(BASE, *typed, "place koala 4c", "place emu 2a")
    assert played.state["boards"][0]["tiles"] == [["4c", "koala"], ["2a", "emu"]]
    assert [one["points"] for one in played.told["scores"]] == [1, 1]
    assert played.state["turn"] == 1


def test_jule_joins_platypuses_and_the_third_brings_its_bonus():
    """5.6 004-2; 5.3: 2 for the lizard, 4 for the platypus, while one more lies apart; 5.7 Q8: one by one."""
    throws = (("eerrrr", "2a"), ("eerrrr", "2b"), ("eerrrr", "2c"), ("eeerrr", "3a"))
    bob = [(rolls(throw), f"place emu {space}", "platypus") for throw, space in throws]
    typed = (
        *(rolls("mmppe"), rolls("mmpppr"), "place monitor-lizard 2a", "place platypus 3a", "platypus, emu"),
        *(*bob[0], rolls("ppprrr"), "place platypus 3b", "emu"),
        *(*bob[1], rolls("pppprr"), "place platypus 4c", "emu"),
        *(*bob[2], rolls("pprrrr"), "place platypus 2c", "emu"),
        *(*bob[3], rolls("mmpppp"), "place monitor-lizard 2b", "place platypus 4b"),
    )
    played = evening(BASE, *typed)
    jule = [one for one in played.told["scores"] if one["player"] == "Jule"]
    assert [one["points"] for one in jule[-2:]] == [2, 4]
    bonus = [line for one in jule for line in one["breakdown"] if "bonus tile" in line["rule"]]
    assert [(line["rule"], line["points"]) for line in bonus] == [
        ("The third platypus: bonus tile number 1", 1)
    ]


def test_six_koalas_bring_two_to_row_three():
    """5.6 004-6."""
    played = evening(BASE, rolls("kkepm"), rolls("kkkkkk"), "place koala 3a", "place koala 3c")
    assert [one["points"] for one in played.told["scores"]] == [1, 1]


FAILING = (rolls("rrrrrj"), "keep", rolls("rrrrrj"), "keep", rolls("rrrrrj"))


def test_a_field_is_lost_after_three_throws_that_bring_nothing():
    """5.2, 5.4, 5.7 Q10: none is set aside; the live total counts two for the field."""
    played = evening(BASE, rolls("eekpm"), *FAILING, "lose 6a")
    assert played.state["boards"][0]["tiles"] == [["6a", "lost"]]
    assert played.told["points"]["Jule"] == -9 - 2
    assert "only after three throws" in refused(BASE, rolls("eekpm"), *FAILING[:3], "lose 6a")


def test_a_placement_is_refused_only_by_option():
    """5.7 Q9."""
    could = (rolls("eekpm"), rolls("eerrrr"), "keep", rolls("eerrrr"), "keep", rolls("eerrrr"), "lose 6a")
    assert "emu can go to row 2" in refused(BASE, *could)
    assert evening(f"{BASE} --option may_pass=yes", *could).state["turn"] == 1


def test_five_equal_animals_are_swapped_only_by_option():
    """5.7 Q11."""
    swapped = evening(
        f"{BASE} --option jeep_swap=yes", rolls("eeeee"), "swap", rolls("kpmre"), rolls("kkrrpp")
    )
    assert swapped.state["jeep"] == ["koala", "platypus", "monitor-lizard", "kangaroo", "emu"]
    thrown = evening(f"{BASE} --option jeep_swap=yes", rolls("eeeee"), rolls("kkrrpp"))
    assert thrown.state["throws"] == 1


def test_the_start_marker_goes_to_the_most_equal_animals_and_ties_throw_again():
    """5.2: jokers do not count."""
    typed = (
        rolls("eekpm"),
        rolls("jjjjje"),
        rolls("eekkpm"),
        rolls("kkrpmj"),
        rolls("eerkpm"),
        rolls("kkkpmj"),
    )
    assert evening("outback --players A,B,C", *typed).state["start"] == 2


def test_the_arrow_stands_at_whoever_throws_for_the_start_and_the_sentences_say_why():
    typed = (
        rolls("eekpm"),
        rolls("eeekjj"),
        "state",
        rolls("kkkpmr"),
        "state",
        rolls("eekprm"),
        rolls("ekprmj"),
    )
    said = evening("outback --players Ann,Bob", *typed).said
    assert said.index("Everyone rolls for the start marker") < said.index("Ann rolls for the start marker.")
    first, again = (part.splitlines()[0] for part in said.split("→ ")[1:])
    assert (first.split()[0], again.split()[0]) == ("Bob", "Ann")
    assert "Ann and Bob tied with three; they throw again.\nAnn rolls for the start marker." in said
    assert "Ann rolled the most equal animals, two, and starts.\nAnn to roll." in said


TINY = "outback --players Jule,Bob --option start=first --option board=2:2"


@pytest.mark.parametrize("option", ["", "--option end=each-full"])
def test_the_round_is_finished_and_ties_are_shared(option: str):
    """5.4, 5.7 Q4: people's own board, here of two spaces."""
    lay = [(rolls("eerrrr"), f"emu to 2{letter}") for letter in "aabb"]
    typed = (rolls("eeeek"), *lay[0], "emu", *lay[1], "emu", *lay[2], "emu", *lay[3])
    told = evening(f"{TINY} {option}", *typed).told
    assert (told["winners"], told["points"]) == (["Jule", "Bob"], {"Jule": -9, "Bob": -9})


def test_the_round_ends_before_the_start_marker_comes_again_or_when_all_are_full():
    lose = (rolls("rrrrrj"), "keep", rolls("rrrrrj"), "keep", rolls("rrrrrj"))
    typed = (rolls("eeekk"), rolls("eekkrr"), "emu to 2a", "koala to 2b", "emu, emu", *lose, "lose 2a")
    assert evening(TINY, *typed).told["winners"] == ["Jule"]
    assert evening(f"{TINY} --option end=each-full", *typed).told["winners"] is None
    both = evening(f"{TINY} --option end=each-full", *typed, rolls("eerrrr"), "emu to 2b")
    assert both.told["winners"] == ["Jule"]


PLUS = "outback-plus --players Jule,Bob --option start=first"
FIVE = " ".join(
    f"--option scoring_tile.{animal}={n}"
    for animal, n in (("emu", 1), ("kangaroo", 3), ("platypus", 1), ("monitor-lizard", 2))
)


@pytest.mark.parametrize(
    ("where", "options", "row", "animals", "cost"),
    [
        ("5.5 A", "--option scoring_tile=A", 2, "kk", 3),
        ("5.5 B, Q2: the label", "--option scoring_tile=B", 4, "kkkk", 4),
        ("5.5 C: a koala beside it", f"--option scoring_tile=C {FIVE}", 2, "kk", 2),
    ],
)
def test_what_a_lost_field_costs_in_plus(where: str, options: str, row: int, animals: str, cost: int):
    """5.5, 5.7 Q6: the first full board claims three points, the row tile is asked for."""
    nothing = rolls("rrrrrrr")
    lay = rolls(animals.ljust(7, "r"))
    typed = (
        *(rolls("kkkke"), lay, f"koala to {row}a", "koala"),
        *(lay, f"koala to {row}a", "koala"),
        *(nothing, "keep", nothing, "keep", nothing, f"lose {row}b"),
        *(lay, f"koala to {row}b", "tell 4"),
    )
    told = evening(f"{PLUS} --option board_plus={row}:2 {options}", *typed).told
    assert told["points"]["Jule"] == -9 - cost + 3, where
    assert told["points"]["Bob"] == -9 + 4
    assert told["winners"] == ["Bob"]


def test_plus_without_a_board_is_told_the_groups():
    """5.7 Q5."""
    typed = (
        rolls("eekpm"),
        rolls("eeeekkr"),
        "place-in-row emu 4 1 open",
        "place-in-row koala 2 1 full",
        "tell 5",
    )
    played = evening(f"{PLUS} --option board_plus=unknown", *typed)
    assert played.state["boards"][0]["bonus"] == [["row-2", 5]]

"""Every vector of RULINGS 5, Outback: rolls through `tableside score … --json`, courses of play
typed into `tableside play` and read back by `tableside replay`.

- 5.6 004-1 plans, 004-3, 004-4, 004-5, 004-6, 004-7, 004-8; 5.4 bounds; 5.5 scoring tile A; 5.9 counts of one throw.
  (Three throws: tests/scoring/test_odds.py.)
- In play: 5.2 start roll, dice taken back, a field lost; 5.3 groups, markers, the bonus at the third; 5.4 ends and
  ties; 5.5 the Plus tiles, scoring tiles B and C; 5.6 004-1, 004-2, 004-6; 5.7 Q1 is 004-3, Q2 Q4 Q5 Q6 Q8 Q9 Q10 Q11.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from door import dice, evening, refused, score, scored, ways

ANIMALS = {
    "e": "emu", "r": "kangaroo", "k": "koala", "p": "platypus", "m": "monitor-lizard", "j": "joker",
}  # fmt: skip


@pytest.mark.parametrize(
    ("where", "roll", "jeep", "plans", "best"),
    [
        ("004-1", "kkkejj", "koala,emu", 11, "Emu to row 2 and koala to row 4"),
        ("004-5", "jjjjjj", "emu,kangaroo,koala,platypus,monitor-lizard", 0, None),
        ("004-6", "kkkkkk", "koala,koala", 9, "Koala to row 3 and koala to row 3"),
    ],
)
def test_outback_rolls(where: str, roll: str, jeep: str, plans: int, best: str | None):
    rules = [
        line["rule"]
        for line in score(f"outback --faces {dice(roll, ANIMALS)} --option jeep={jeep}")["breakdown"]
    ]
    assert rules[0] == f"{plans} way{'' if plans == 1 else 's'} to lay tiles from the jeep", where
    assert best is None or best in rules[1:]


@pytest.mark.parametrize(
    ("where", "line", "points"),
    [
        (
            "004-3 Sabine, markers",
            "outback --option markers=koala=-3,monitor~lizard=2,emu=5,kangaroo=6,platypus=upper~8",
            12,
        ),
        (
            "004-3 Sabine, with the lost field",
            "outback --option markers=koala=-3,monitor~lizard=2,emu=5,kangaroo=6,platypus=upper~8 --option lost=1",
            10,
        ),
        (
            "004-4",
            "outback --option markers=emu=9,kangaroo=6,koala=3,platypus=-3,monitor~lizard=upper~12",
            18,
        ),
        ("004-7", "outback --option markers=emu=-3", -9),
        (
            "004-8",
            "outback --option markers=emu=upper~1,kangaroo=upper~2,koala=upper~3,platypus=4,monitor~lizard=9",
            19,
        ),
        ("5.4 lowest", "outback --option markers=emu=-3 --option lost=15", -39),
        (
            "5.4 highest",
            "outback --option markers=" + ",".join(f"{one}=upper~15" for one in list(ANIMALS.values())[:5]),
            75,
        ),
        ("5.5 tile A", "outback-plus --option markers=emu=-3 --option lost=2 --option scoring_tile=A", -15),
    ],
)
def test_outback_counts(where: str, line: str, points: int):
    told = score(line)
    assert told["points"] == points == sum(one["points"] for one in told["breakdown"]), where


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("outback", {2: 46655, 3: 37835, 4: 17235, 5: 3735, 6: 315}),
        ("outback-plus", {2: 279935, 3: 254735, 4: 155615, 5: 52715, 6: 9035, 7: 635}),
    ],
)
def test_outback_groups_over_all_rolls(game: str, counts: dict[int, int]):
    number = 6 if game == "outback" else 7
    rolls = ["".join(roll) for roll in combinations_with_replacement(ANIMALS, number)]
    assert len(rolls) == {6: 462, 7: 792}[number]
    told = scored([dice(roll, ANIMALS) for roll in rolls], f"{game} --option jeep=emu")
    found = Counter[int]()
    few = [0] * 6
    for roll, one in zip(rolls, told, strict=True):
        groups = list(one["boxes"].values())
        for size in counts:
            found[size] += ways(roll) * (max(groups) >= size)
        for kinds in range(1, 6):
            few[kinds] += ways(roll) * (max(groups[:kinds]) >= 3)
    assert found == counts
    if number == 6:
        assert [round(n / 6**6, 4) for n in few[1:]] == [0.2865, 0.4851, 0.6255, 0.7293, 0.8109]


# Courses of play

def rolls(text: str) -> str:
    return ", ".join(ANIMALS[letter].replace("-", " ") for letter in text)


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

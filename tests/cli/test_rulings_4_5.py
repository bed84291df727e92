"""Every vector of RULINGS 4 and 5 about cards, a roll or a count, through `tableside score … --json`.

Which vectors there are, by paragraph; those marked → are courses of play, in test_rulings_matches.py.

- 4.4 all twenty-nine totals and the powers without effect; 4.3 legality of stacks; 4.6 Q1 Q2 Q3 Q5 Q6 (→ 4.2 rounds,
  4.5 awards, Q4 Q7 Q8 Q9 Q12). (Odds of a first hand: tests/scoring/test_odds.py.)
- 5.6 004-1 plans, 004-3, 004-4, 004-5, 004-6, 004-7, 004-8; 5.4 bounds; 5.5 scoring tile A (→ 004-1 and 004-2 in play,
  tiles B, C, D, bonus tiles, ends).
- 5.9 counts of one throw. (Three throws: tests/scoring/test_odds.py.)
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from door import dice, score, scored, tableside, ways

ANIMALS = {
    "e": "emu", "r": "kangaroo", "k": "koala", "p": "platypus", "m": "monitor-lizard", "j": "joker",
}  # fmt: skip


# 4 Destiny

ALIGNMENTS = {"G": "good", "E": "evil", "L": "law", "C": "chaos", "N": "nature"}
S1 = "L3 L+2 Nx3"
GOOD = "G4 G+3 Gx4"


def cards(short: str) -> str:
    """L3 is the Law base 3, L+2 a bonus, Nx3 a multiplier."""
    kinds = {"+": "bonus", "x": "multiplier"}
    return ",".join(
        f"{ALIGNMENTS[word[0]]}~{kinds.get(word[1], 'base')}~{word[-1]}" for word in short.split()
    )


@pytest.mark.parametrize(
    ("stacks", "powers", "total"),
    [
        (S1, "", 21),
        *((S1, power, 27) for power in ("King", "Warrior", "Knight", "Kings~Crown", "Lover")),
        (S1, "Wizard", 28),
        (S1, "Ranger", 28),
        (S1, "Knight,Kings~Crown", 33),
        (S1, "Barbarian", 21),
        (S1, "Druid", 21),
        (S1, "Amazon", 24),
        (S1, "Overlord", 24),
        (f"{S1} N4", "", 25),
        ("L3 C+2 Cx3", "Warlord", 45),
        ("G3 E+2 Ex3", "Paladin", 45),
        (GOOD, "", 66),
        (GOOD, "Lover", 91),
        (GOOD, "King", 78),
        (GOOD, "Wizard", 77),
        (GOOD, "Necromancer,Wraith~Lord", 91),
        ("N4", "", 4),
        ("N4 Nx4", "", 25),
        ("N4 Gx3 Lx4", "Dragon", 28),
        ("N4 Nx3 Nx4", "Dragon", 66),
        ("N4 G+3 L+3", "Rogue", 10),
        ("", "", 0),
        ("", "Overlord", 3),
        *(
            (S1, power, 21)
            for power in (
                "Thief", "Jester", "Merchant", "Assassin", "Oracle", "Emperor", "Philosophers~Stone",
                "Crystal~Ball", "Magic~Tome", "Lesser~Hoard", "Greater~Hoard", "Dragons~Hoard",
            )
        ),
        ("L3 L+2 Cx3", "Alchemist --option transmuted=chaos~multiplier~3=law", (3 + 2 + 2 + 2) * 5),
        (f"{S1} --option match_bonus=after", "", 17),
        (f"{GOOD} --option match_bonus=after", "", 34),
        (f"{S1} N4 --option match_scope=all", "", 33),
        ("G3 E+2 --option left=good-base-3", "Paladin,Necromancer", (3 + 1) + (2 + 1)),
    ],
)  # fmt: skip
def test_destiny_totals(stacks: str, powers: str, total: int):
    short, _, options = stacks.partition(" --")
    named, _, more = powers.partition(" --")
    rest = " ".join(f"--{one}" for one in (options, more) if one)
    told = score(f"destiny --faces={cards(short)} --option powers={named} {rest}")
    assert told["points"] == total == sum(line["points"] for line in told["breakdown"])
    assert all(line["where"].startswith("destiny") for line in told["breakdown"])


@pytest.mark.parametrize(
    ("stacks", "powers", "rule"),
    [
        ("E2 G+3", "", "cards in a stack may not oppose each other: good bonus 3 with evil base 2"),
        ("L1 C2", "", "base cards may not oppose each other"),
        ("N4 L+1 Cx2", "", "cards in a stack may not oppose"),
        ("N4 L+1 L+2", "", "one bonus card on a base"),
        ("N4 Lx2 Lx3", "", "one multiplier on a base"),
        ("N4 L+1 L+2 Lx2", "Rogue", "two bonus cards on a base without a multiplier"),
        ("N4 L+1", "Dragon", "the Dragon's player cannot use bonus cards"),
        ("N4 L+1 L+2", "Dragon,Rogue", "the Dragon's player cannot use bonus cards"),
        ("N4 Lx2 Lx3 Lx4", "Dragon", "the Dragon allows two multipliers"),
        ("N4 G+1 N3 E+1 --option strict_opposition=yes", "", "no two cards may oppose each other"),
        ("L+1", "", "expected a base card first"),
        ("L1 L1", "", "one of each card"),
    ],
)
def test_destiny_stacks_that_may_not_lie(stacks: str, powers: str, rule: str):
    short, _, options = stacks.partition(" --option ")
    more = ("--option", options) if options else ()
    faces = cards(short).replace("~", " ")
    said = tableside("score", "destiny", "--faces", faces, "--option", f"powers={powers}", *more)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert rule in said.err


# 5 Outback


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

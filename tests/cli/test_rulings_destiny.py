"""Every vector of RULINGS 4, Destiny: rolls through `tableside score … --json`, courses of play
typed into `tableside play` and read back by `tableside replay`.

- 4.4 all twenty-nine totals and the powers without effect; 4.3 legality of stacks; 4.6 Q1 Q2 Q3 Q5 Q6. (Odds of a first
  hand: tests/scoring/test_odds.py.)
- In play: 4.1 the decks; 4.2 seven cards, a character, hands of up to nine, phases; 4.3 legality as cards are laid;
  4.5 ties bury (at 0 too), the next winner takes all; five points win; 4.6 Q4 Q5 Q7 Q8 Q9 Q12.
"""

from __future__ import annotations

import pytest
from door import evening, refused, score, tableside

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


# Courses of play

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

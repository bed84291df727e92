"""Outback's groups, tracks and counts against the documents' examples (RULINGS 5.6, 5.9)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

import pytest

from scoring.games import find
from scoring.games.outback.dice import ANIMALS, FACES, biggest, jokers_used, plans, widest
from scoring.games.outback.options import UNVERIFIED_BASE, layout
from scoring.games.outback.plus import LOST, TILES, claimable, lost_lines
from scoring.games.outback.tracks import Tracks
from scoring.layout import BoardError, parsed

ROWS = dict.fromkeys(range(2, 7), 3)


def test_anna_has_eleven_plans_koala_four_and_emu_two_among_them():
    roll = ("koala", "koala", "koala", "joker", "emu", "joker")
    found = plans(roll, ("koala", "emu"), ROWS)
    assert len(found) == 11
    assert (("emu", 2), ("koala", 4)) in found
    assert widest(found) == (
        (("emu", 2), ("koala", 4)),
        (("emu", 3), ("koala", 3)),
        (("koala", 5),),
    )


def test_six_jokers_place_nothing():
    assert plans(("joker",) * 6, ANIMALS, ROWS) == ()
    assert biggest(("joker",) * 6, "emu") == 0


def test_six_koalas_bring_two_koalas_to_row_three():
    assert (("koala", 3), ("koala", 3)) in plans(("koala",) * 6, ("koala", "koala"), ROWS)
    assert (("koala", 3), ("koala", 3)) not in plans(("koala",) * 6, ("koala", "emu"), ROWS)
    assert (("koala", 3), ("koala", 3)) not in plans(("koala",) * 6, ("koala", "koala"), {3: 1})


@pytest.mark.parametrize(
    ("groups", "jokers"),
    [
        ([("emu", 2)], 1),
        ([("emu", 2), ("emu", 2)], None),
        ([("koala", 2), ("koala", 2)], 1),
        ([("koala", 6)], None),
        ([("platypus", 2)], None),
        ([("koala", 3)], 0),
    ],
)
def test_every_group_needs_a_real_animal_and_jokers_only_fill_up(groups: list[tuple[str, int]], jokers: int):
    assert jokers_used(groups, ("koala", "koala", "koala", "emu", "joker", "joker")) == jokers


def test_a_roll_is_scored_as_groups_through_the_framework():
    scored = find("outback").score(
        ["koala", "koala", "koala", "emu", "joker", "joker"], options={"jeep": "koala, emu"}
    )
    assert dict(scored.boxes)["koala"] == 5
    assert dict(scored.boxes)["emu"] == 3
    assert scored.points is None
    assert dict(scored.breakdown[0].values)["n"] == 11
    assert len(find("outback-plus").score(["emu"] * 7).boxes) == 5


@pytest.mark.parametrize(
    ("game", "markers", "told", "points"),
    [
        ("outback", "koala=-3, monitor lizard=2, emu=5, kangaroo=6, platypus=upper 8", {}, 12),
        ("outback", "koala=-3, monitor lizard=2, emu=5, kangaroo=6, platypus=upper 8", {"lost": 1}, 10),
        ("outback", "emu=9, kangaroo=6, koala=3, platypus=-3, monitor lizard=upper 12", {}, 18),
        ("outback", "emu=-3", {}, -9),
        ("outback", "emu=upper 1, kangaroo=upper 2, koala=upper 3, platypus=4, monitor lizard=9", {}, 19),
        ("outback", "emu=-3", {"lost": 15}, -39),
        ("outback", ", ".join(f"{animal}=upper 15" for animal in ANIMALS), {}, 75),
        ("outback-plus", "emu=-3", {"lost": 2, "scoring_tile": "A"}, -15),
    ],
)
def test_counts_at_the_end(game: str, markers: str, told: dict[str, object], points: int):
    """RULINGS 5.6 004-3 (Sabine), 004-4, 004-7, 004-8; 5.4 bounds; 5.5 scoring tile A."""
    scored = find(game).score((), options={"markers": markers} | told)
    assert scored.points == points == sum(line.points for line in scored.breakdown)


def test_the_track_goes_round_the_corner_and_ends():
    tracks = Tracks()
    assert [tracks.value(steps) for steps in (0, 1, 9, 10, 24)] == [-3, 1, 9, 1, 15]
    assert tracks.end == 24
    assert Tracks(left=3, upper=5).value(4) == 1


def test_the_default_board_is_a_marked_guess_of_fifteen_hexes():
    board = layout("base-unverified")
    assert board
    assert [len(board.in_row(row)) for row in (2, 3, 4, 5, 6)] == [3, 4, 3, 4, 1]
    assert board.guessed
    assert board.beside("3b") == ("2a", "2b", "3a", "3c", "4a", "4b")
    assert board.beside("6a") == ("5b", "5c")
    assert board.spaces == parsed("2:3 3:4 4:3 5:4 6:1").spaces
    assert layout("Unknown") is None


def test_the_default_back_is_a_marked_guess_of_rows_two_to_seven():
    board = layout("plus-unverified")
    assert board
    assert [len(board.in_row(row)) for row in (2, 3, 4, 5, 6, 7)] == [4, 3, 4, 3, 4, 1]
    assert board.guessed
    assert board.spaces == parsed("2:4 3:3 4:4 5:3 6:4 7:1").spaces
    assert find("outback-plus").initial(["Ann", "Bob"]).layout == board


def test_a_layout_is_drawn_as_it_is_read_and_spaces_come_and_go():
    text = "4:    o o o\n3: o o\n2:  o   o"
    board = parsed(text)
    assert board.drawn() == text
    assert board.across == 9
    assert parsed(board.drawn((2, 3))).in_row(2) == ("2a", "2b", "2c")
    assert parsed(board.drawn((4, 5))).drawn() == "4:    o   o\n3: o o\n2:  o   o"
    assert board.drawn((3, -2)) == "4:      o o o\n3: o o o\n2:    o   o"
    assert board.drawn((3, 0)) == "4:   o o o\n3:  o\n2: o   o", "the edge goes with the leftmost space"


def test_neighbours_are_mutual():
    board = parsed(UNVERIFIED_BASE)
    for name in board.names():
        assert all(name in board.beside(other) for other in board.beside(name))
        assert len(board.beside(name)) <= 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "write rows and their spaces"),
        ("hello", "write each row like “4:"),
        ("2:3 2:4", "rise or fall"),
        ("2:0 3:1", "one row is empty"),
        ("2:9 3:9 4:9", "at most 21"),
        ("2:8 3:8", "at most 14 half hexes wide, not 17"),
        ("3: o o\n2: o o", "between the hexes"),
        ("3: oo", "between the hexes"),
        ("3: o x o", "write each row"),
    ],
)
def test_a_board_that_makes_no_sense_is_one_clear_line(text: str, message: str):
    with pytest.raises(BoardError, match=message) as refused:
        parsed(text)
    assert "\n" not in str(refused.value)


def test_a_group_is_what_touches():
    board = parsed("2:3 3:4")
    holds = {"2a": "emu", "2b": "emu", "3c": "emu", "3d": "koala", "2c": "koala", "3a": "emu"}
    assert board.group("2a", holds) == {"2a", "2b", "3c", "3a"}
    assert board.group("3d", holds) == {"3d", "2c"}


def test_scoring_tiles():
    board = parsed("2:3 3:4")
    holds = {"2b": LOST, "3b": "koala", "3c": "koala", "2a": "emu", "3a": LOST, "3d": "koala"}
    values = (1, 0, 2, 0, 0)

    def cost(tile: str) -> list[int]:
        return [line.points for line in lost_lines(tile, holds, board, values)]

    assert cost("A") == [-3, -3]
    assert cost("B") == [-2, -3]
    assert cost("C") == [-5, -3], "two koalas and an emu; a koala and the same emu"


def test_plus_tiles_ask_for_what_they_print():
    assert len(TILES) == 14
    assert claimable(TILES, steps=[0] * 5, up=0, placed=[], full=False, full_rows=()) == ()
    everything = claimable(
        TILES, steps=[1, 1, 1, 10, 12], up=2, placed=["emu"] * 5, full=True, full_rows=(2, 7)
    )
    assert everything == ("first-complete", "left-start", "two-on-top", "five-emu", "row-2", "row-7")


@pytest.mark.parametrize(
    ("number", "ways"),
    [(6, [46655, 37835, 17235, 3735, 315]), (7, [279935, 254735, 155615, 52715, 9035, 635])],
)
def test_counts_of_rolls_with_a_group(number: int, ways: list[int]):
    """RULINGS 5.9, over all rolls; and a group of three with one to five kinds on the jeep."""
    found, few = Counter[int](), Counter[int]()
    for roll in combinations_with_replacement(FACES, number):
        comes = factorial(number) // prod(map(factorial, Counter(roll).values()))
        groups = [biggest(roll, animal) for animal in ANIMALS]
        found.update({size: comes for size in range(2, number + 1) if max(groups) >= size})
        few.update({kinds: comes for kinds in range(1, 6) if max(groups[:kinds]) >= 3})
    assert [found[size] for size in range(2, number + 1)] == ways
    if number == 6:
        shares = [round(few[kinds] / 6**6, 4) for kinds in range(1, 6)]
        assert shares == [0.2865, 0.4851, 0.6255, 0.7293, 0.8109]

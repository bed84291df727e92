"""Game files: what expressions mean, games written both ways score alike, and nothing in a file can do harm."""

from __future__ import annotations

import random
import re
import time
import tracemalloc
from importlib.resources import files
from pathlib import Path

import pytest

from scoring.actions import Hold, IllegalMoveError, Play, Roll, Seated, Stand
from scoring.anyplay import any_action
from scoring.gamefile.explained import explained
from scoring.gamefile.expression import ExpressionError, Scope, Seen, parsed
from scoring.gamefile.game import FileGame, game_of
from scoring.gamefile.reading import GameFileError, read, read_examples
from scoring.games import available, find
from scoring.match import Match, begin
from tests.fakes import SMALL_GAME

HERE = Path(__file__).parent / "gamefiles"
SHIPPED = [game for game in available() if isinstance(game, FileGame)]
FACES = ("1", "2", "3", "4", "5", "6")
CASES = 20_000


def told(name: str) -> FileGame:
    return game_of(read((HERE / f"{name}.toml").read_text(encoding="utf-8")))


def number(text: str, dice: str = "") -> int:
    """What an expression comes to for dice, written as a number: 11155."""
    counts = tuple(dice.count(face) for face in FACES)
    values = tuple(map(int, FACES))
    seen = Seen(counts, values, {"target": 12, "wild": 1}, throw=2)
    kinds = Scope(FACES, {"target": "number", "wild": "condition"})
    try:
        return parsed(text, "number", kinds).number(seen)
    except ExpressionError:
        return int(parsed(text, "condition", kinds).holds(seen))


@pytest.mark.parametrize(
    ("text", "dice", "comes_to"),
    [
        ("count(1)", "11355", 2),
        ("count(1, 5)", "11355", 4),
        ("sum", "11355", 15),
        ("sum(5) + sum(3)", "11355", 13),
        ("dice", "11355", 5),
        ("alike", "11355", 2),
        ("kinds", "11355", 3),
        ("run", "12356", 3),
        ("groups(2)", "111155", 3),
        ("showing(2)", "111155", 2),
        ("highest()", "11355", 5),
        ("highest(2)", "11335", 3),
        ("highest(4)", "11335", 0),
        ("lowest(2)", "33553", 3),
        ("throw", "1", 2),
        ("pick(2, 10, 20, 30)", "", 20),
        ("pick(9, 10, 20, 30)", "", 30),
        ("pick(-1, 10, 20, 30)", "", 10),
        ("min(3, 2) + max(4, target)", "", 14),
        ("7 // 2 + 7 % 2 - -1", "", 5),
        ("100 if count(6) > 1 else 0 - 5", "66", 100),
        ("2 <= count(6) <= 3", "666", 1),
        ("wild and not count(1) == 1 or False", "1", 0),
        ("999999 * 999999", "", 1_000_000),
    ],
)
def test_an_expression_comes_to(text: str, dice: str, comes_to: int):
    assert number(text, dice) == comes_to


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("count(7)", 7, "these dice have no face “7”"),
        ("1 + nobody", 5, "“nobody” is not known here"),
        ("count(1) + ", 1, "is not an expression"),
        ("__import__('os')", 1, "“__import__” is not known here"),
        ("(1).real", 1, "has no meaning"),
        ("[x for x in y]", 1, "“[” has no meaning"),
        ("2 ** 99", 1, "has no meaning"),
        ("9 // (1 - 1)", 7, "divide by a number"),
        ("sum > 2", 1, "expected a number, not a condition"),
        ("1 +\\\n1", 4, "has no meaning"),
        ("0x10", 1, "has no meaning"),
        ("9999999", 1, "has no meaning"),
        ("pick(1)", 1, "needs at least two numbers"),
        ("(" * 150, 150, "is not an expression"),
        ("count(b'1')", 7, "no face"),
        ("count(f'1')", 7, "no face"),
        ("'1'", 1, "has no meaning"),
        ("1" * 201, 1, "at most 200 characters, not 201"),
        ("", 1, "is not an expression"),
        ("lambda: 1", 7, "has no meaning"),
        ("count(1)(2)", 1, "has no meaning"),
        ("count(*sum)", 7, "no face"),
        ("min(1, 2, key=3)", 1, "has no meaning"),
    ],
)
def test_an_expression_that_is_none_says_where(text: str, column: int, words: str):
    with pytest.raises(ExpressionError) as refused:
        parsed(text, "number", Scope(FACES))
    assert words in str(refused.value.why)
    assert refused.value.column == column


def test_a_face_with_a_dash_or_a_space_stands_in_quotation_marks():
    kinds = Scope(("two-cats", "2 dogs"))
    assert parsed("""count("two-cats", 'Two Cats', '2dogs')""", "number", kinds).number(Seen((3, 1))) == 7


@pytest.mark.slow
def test_meet_fate_as_a_file_scores_as_its_code():
    game, code, rng = told("meet-fate"), find("meet-fate"), random.Random(27)
    for _ in range(CASES):
        house, distinct, worths = (
            rng.randint(1, 3),
            rng.random() < 0.5,
            [rng.randint(1, 99) for _ in range(6)],
        )
        named = dict(
            zip(
                ("small_straight", "large_straight", "full_house", "five", "six", "trips"),
                worths,
                strict=True,
            )
        )
        sets = ("small-straight", "large-straight", "full-house", "five-of-a-kind", "six-of-a-kind", "trips")
        faces = [rng.choice(code.dice.faces[: rng.choice((2, 3, 8, 8))]) for _ in range(6)]
        mine = game.score(faces, options={**named, "house": house, "pairs_distinct": distinct})
        theirs = code.score(
            faces,
            options={
                "full_house": " ABC"[house], "pairs_distinct": distinct,
                **{f"set_values.{box}": points for box, points in zip(sets, worths, strict=True)},
            },
        )  # fmt: skip
        assert (mine.points, mine.boxes) == (theirs.points, theirs.boxes), faces


@pytest.mark.slow
def test_everyone_scores_as_a_file_scores_as_its_code():
    game, code, rng = told("everyone-scores"), find("everyone-scores"), random.Random(27)
    for _ in range(CASES):
        faces = [rng.choice(code.dice.faces[: rng.choice((1, 2, 6, 6))]) for _ in range(5)]
        assert game.score(faces).points == code.score(faces).points, faces


def test_whole_matches_of_everyone_scores_go_as_by_its_code():
    rng = random.Random(3)
    for _ in range(50):
        both = [
            begin(one, ["Ann", "Bob"], {"target": 40})
            for one in (told("everyone-scores"), find("everyone-scores"))
        ]
        while not both[0].outcome and not both[1].outcome:
            roll = Roll(tuple(rng.choice(both[0].game.dice.faces) for _ in range(5)))
            both = [match.add(roll) for match in both]
        file, code = (match.outcome for match in both)
        assert file
        assert code
        assert (file.winners, file.points) == (code.winners, code.points)


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.id)
def test_the_worked_examples_of_a_shipped_game_come_out(game: FileGame):
    beside = files("scoring.games") / game.id.replace("-", "_") / "examples.toml"
    examples = read_examples(beside.read_text(encoding="utf-8"), game.rules)
    assert examples
    for one in examples:
        assert game.score(one.dice, declared=one.box or None).points == one.points, one


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.id)
def test_a_shipped_game_is_short_and_explains_itself(game: FileGame):
    lines = Path(game.home).read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line]) < (60 if game.id == "skull-cove" else 100)
    assert all(one.sentences for one in explained(game.rules))


# --- how matches go


def ten_thousand(*rolls: str, **options: int) -> Match:
    """A match of two after these throws, each followed by what is written behind it: "112345 keep 1"."""
    match = begin(find("ten-thousand"), ["Ann", "Bob"], {"opening": 0, **options})
    for one in rolls:
        thrown, *decision = one.split()
        match = match.add(Roll(tuple(thrown)))
        if decision:
            move = Stand() if decision[0] == "stop" else Hold(tuple("".join(decision[1:])))
            match = match.add(Play(match.state.turn, move))
    return match


def test_set_aside_dice_count_by_the_throw_and_all_six_may_be_thrown_again():
    match = ten_thousand("112346 keep 11", "115555 keep", "234461")
    assert [one.points for one in match.state.saved] == [100, 100, 1000]
    assert match.add(Play(0, Stand())).state.points == (1300, 0)


@pytest.mark.parametrize(
    ("rolls", "keep", "words"),
    [
        (("112346",), "2", "set aside only dice that score, not 2"),
        (("112346",), "12", "set aside only dice that score, not 2"),
        (("112346",), "", "set aside at least one die that scores"),
        (("112346 keep 1", "112346"), "1", "set aside at least one die that scores"),
        (("112346 keep 1", "155346"), "55", "stay there"),
        (("112346",), "6666", "you can only hold dice on the table"),
    ],
)
def test_what_cannot_be_set_aside_says_why(rolls: tuple[str, ...], keep: str, words: str):
    match = ten_thousand(*rolls)
    with pytest.raises(IllegalMoveError, match=words):
        match.add(Play(0, Hold(tuple(keep))))


def test_a_throw_without_points_loses_what_was_set_aside():
    match = ten_thousand("112346 keep 11", "112346")
    assert match.state.points == (0, 0)
    assert match.state.turn == 1


def test_a_first_score_has_to_be_high_enough():
    match = ten_thousand("112346", opening=500)
    with pytest.raises(IllegalMoveError, match="your first score needs at least 500 points: throw again"):
        match.add(Play(0, Stand()))
    again = ten_thousand("111234 stop", "222346 keep 222", "222446", "112346 stop", opening=500)
    assert again.state.points == (1200, 0)


def test_skulls_stay_and_the_third_ends_the_turn():
    match = begin(find("skull-cove"), ["Ann", "Bob"])
    match = match.add(Roll(("skull", "skull", "coin", "coin", "gem", "parrot", "parrot", "anchor")))
    with pytest.raises(IllegalMoveError, match="skull cannot be thrown again"):
        match.add(Play(0, Hold(("skull", "coin", "coin"))))
    with pytest.raises(IllegalMoveError, match="throw at least 2 dice again"):
        match.add(Play(0, Hold(("skull", "skull", "coin", "coin", "gem", "parrot", "parrot"))))
    match = match.add(Play(0, Hold(("skull", "skull", "coin", "coin", "gem"))))
    match = match.add(Roll(("skull", "skull", "coin", "coin", "gem", "coin", "coin", "skull")))
    assert (match.state.points, match.state.turn) == ((0, 0), 1)


def test_the_cursed_cove_costs_everybody_else():
    match = begin(find("skull-cove"), ["Ann", "Bob", "Cleo"])
    match = match.add(Roll(("skull",) * 5 + ("coin",) * 3))
    assert match.state.points == (0, -500, -500)
    assert match.correct(1, ("coin",) * 8).state.points == (0, 0, 0)


def test_the_fewest_points_win_where_the_file_says_so():
    game = game_of(read(SMALL_GAME.replace("rounds = 2", 'rounds = 1\nwins = "lowest"')))
    match = begin(game, ["Ann", "Bob"]).add(Roll(("6", "6"))).add(Roll(("1", "1")))
    assert match.outcome
    assert match.outcome.winners == (1,)


def test_who_runs_out_of_points_is_out_and_the_last_one_wins():
    end = "start = 10\nout = 0"
    game = game_of(read(SMALL_GAME.replace("rounds = 2", end).replace('points = "sum"', 'points = "-sum"')))
    match = begin(game, ["Ann", "Bob", "Cleo"])
    for roll in ("66", "11", "12", "12"):
        match = match.add(Roll(tuple(roll)))
    assert (match.state.points, match.state.turn) == ((-2, 5, 7), 2)
    match = match.add(Roll(("6", "6")))
    assert match.outcome
    assert match.outcome.winners == (1,)


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.id)
def test_newcomers_catch_up_and_nobody_loses_anything(game: FileGame):
    rng = random.Random(5)
    match = begin(game, ["Ann", "Bob"])
    while match.state.turns[0] < 2:
        match = match.add(any_action(game, match.state, rng.randrange))
    before = [game.total(match.state, player) for player in range(2)]
    match = match.seat(Seated(("Cleo", "Ann", "Bob"), (None, 0, 1)))
    after = [game.total(match.state, player) for player in range(3)]
    assert after == [0, *before]
    for _ in range(2000):
        if match.outcome:
            break
        match = match.add(any_action(game, match.state, rng.randrange))
    assert match.outcome


# --- files that are no games


@pytest.mark.parametrize(
    ("was", "instead", "words"),
    [
        ('id = "small"', 'id = "Small One"', "line 2, id: an id may contain only lower-case letters"),
        ('title = "Small"', "title = 7", "line 3, title: expected a text of 1 to 40 characters"),
        ("count = 2", "count = 99", "line 7, dice, count: expected a whole number from 1 to 12"),
        ('points = "sum"', 'points = "sum("', "line 13, score 1, points: column"),
        (
            'points = "sum"',
            'points = "count(9)"',
            "line 13, score 1, points: column 7: these dice have no face “9”",
        ),
        (
            'points = "sum"',
            'points = "sum"\nwhn = "1"',
            "line 14, score 1, whn: this is not known here; expected name",
        ),
        ("rounds = 2", "", "line 9, end: say how a match ends"),
        ('name = "Sum"', 'name = "Sum\\u202e"', "the text cannot contain the character U+202E"),
        ("[[score]]", "[score]", "score: expected a list"),
        ("rounds = 2", "rounds = [2]", "line 10, end, rounds: expected an expression in quotation marks"),
        ('id = "small"', 'id = "small', "this is not TOML"),
        ('id = "small"', "id = " + "[" * 5000, "this is not TOML"),
        ('id = "small"', ".".join("a" * 9000) + " = 1", "a line has too many dots"),
        ('id = "small"', 'id = "small"\nx = "' + "x" * 70000 + '"', "at most 65,536 characters"),
    ],
)
def test_a_file_that_is_no_game_says_where(was: str, instead: str, words: str):
    with pytest.raises(GameFileError) as refused:
        read(SMALL_GAME.replace(was, instead))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def mutated(text: str, rng: random.Random) -> str:
    """A game file with something wrong in it: letters, lines, values and words swapped, doubled or gone."""
    lines = text.split("\n")
    for _ in range(rng.randint(1, 4)):
        at, kind = rng.randrange(len(lines)), rng.randrange(7)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, rng.choice(lines))
        elif kind == 2:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 3 and lines[at]:
            cut = rng.randrange(len(lines[at]))
            lines[at] = (
                lines[at][:cut]
                + rng.choice("\"'[]{}()=.,*-+<>%\\\0\x7fé🎲0 9")
                + lines[at][cut + rng.randint(0, 2) :]
            )
        elif kind == 4:
            odd = ("-1", "9" * 400, "1e9", '""', "[]", "{}", "true", "nan", '"' + "(" * 99 + '"', "[[[[1]]]]")
            lines[at] = re.sub(r"=.*", "= " + rng.choice(odd), lines[at])
        elif kind == 5:
            words = re.findall(r"\w+", text)
            lines[at] = re.sub(
                r"\w+", lambda found, words=words: rng.choice(words) if rng.random() < 0.3 else found[0], lines[at]
            )
        else:
            lines[at] *= rng.randint(2, 30)
        lines = lines or [""]
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("files", [1000, pytest.param(10_000, marks=pytest.mark.proof)])
def test_mutated_files_are_played_or_refused_in_a_line(files: int):
    """No crash, no hang, no memory without bounds, and one line each."""
    rng = random.Random(27)
    texts = [Path(game.home).read_text(encoding="utf-8") for game in SHIPPED]
    texts += [path.read_text(encoding="utf-8") for path in HERE.glob("*.toml")]
    refused = played = 0
    slowest = 0.0
    tracemalloc.start()
    for _ in range(files):
        text, began = mutated(rng.choice(texts), rng), time.thread_time()
        try:
            game = game_of(read(text))
        except GameFileError as error:
            line = str(error)
            assert line
            assert "\n" not in line
            assert len(line) < 2000
            refused += 1
        else:
            state = game.initial([f"P{n}" for n in range(game.seats[0])])
            for _ in range(6):
                if game.awaits(state):
                    state = game.apply(state, any_action(game, state, rng.randrange)).state
                    game.table(state)
            played += 1
        slowest = max(slowest, time.thread_time() - began)
    most = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    print(f"{refused} refused, {played} played; the slowest took {slowest:.2f} s; at most {most:.0f} MiB")
    assert refused > 0.3 * files
    assert played > 0.1 * files
    assert slowest < 5
    assert most < 100

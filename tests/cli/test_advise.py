"""`tableside advise`: every game through the front door, and what bad questions get."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from advice.meet_fate import solve as fate_solve
from advice.meet_fate import table as fate_table
from scoring.anyplay import any_action
from scoring.games import find
from scoring.logfile import written
from scoring.match import begin
from tests.cli.door import tableside


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "own"))
    return tmp_path / "own"


@pytest.fixture
def log(tmp_path: Path):
    def write(game: str, events: int = 10_000, **options: object) -> str:
        rng, rules = random.Random(3), find(game)
        match = begin(rules, ["Ann", "Bob"], options)
        while not match.outcome and len(match.events) < events:
            match = match.add(any_action(rules, match.state, rng.randrange))
        path = tmp_path / f"{game}.jsonl"
        path.write_text(written(match), encoding="utf-8")
        return str(path)

    return write


def test_what_to_hold_as_people_read_it():
    code, out, _ = tableside(
        "advise", "meet-fate", "--faces", "2,3,5,7,7,8", "--rolls-left", "2", "--eights", "ignored"
    )
    assert code == 0
    assert out.startswith("Hold two 7s and an 8 and throw three dice again.\nExpected: 414.8 points")
    assert "\n  414.773879    +0.000000  hold 7, 7, 8\n" in out
    assert "Exact, in points over the rest of the sheet" in out


def test_what_to_fill_as_programs_read_it():
    code, out, _ = tableside(
        "advise",
        "meet-fate",
        "--faces",
        "2,3,5,7,7,8",
        "--open",
        "7,Chance",
        "--rolls-left",
        "0",
        "--eights",
        "ignored",
        "--json",
    )
    assert code == 0
    told = json.loads(out)
    assert told["best"]["move"] == {"kind": "fill", "box": "7"}
    assert told["expected"] == told["best"]["worth"] == pytest.approx(50.375)
    assert [one["cost"] for one in told["choices"]] == [0.0, pytest.approx(4.51171875)]
    assert told["exact"] is True
    assert set(told) == {
        "game", "unit", "exact", "assumes", "expected", "best", "choices", "figures", "sentence", "why",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "best", "worth"),
    [
        ("meet-fate --eights ignored", "throw all six dice", 415.436885),
        ("meet-fate --seats 1", "throw all six dice", 413.994084),
        ("meet-fate --seats 2", "throw all six dice", None),
        ("meet-fate --faces 8,8,8,8,8,1 --rolls-left 1 --open 1,2,3,chance,five-of-a-kind",
         "hold 8, 8, 8, 8, 8", None),
        ("meet-fate --faces 8,8,8,8,8,1 --rolls-left 1 --open 1,2,3,chance,five-of-a-kind --seats 1",
         "fill five of a kind", None),
        ("meet-fate --faces 8,8,8,8,8,8 --rolls-left 1", "confirm the six eights", 1),
        ("meet-fate --faces 8,8,8,8,8,8 --rolls-left 1 --eights 200", "confirm the six eights", 200),
        ("meet-fate --faces 8,8,8,8,8,8 --rolls-left 1 --eights ignored", "fill six of a kind", None),
        ("meet-fate --faces 2,3,5,7,7,8 --rolls-left 0 --open 1,6,trips --totals 300,305,340 --seats 3",
         "fill 1", None),
        ("meet-fate --open five-of-a-kind --option set_values.five-of-a-kind=1 --eights ignored",
         "throw all six dice", 0.071647),
        ("meet-fate --open 8,chance --eights 20 --option f8_mode=one-throw", "throw all six dice", None),
        ("meet-fate --open 7,trips --option upper_bonus=35 --option upper_bonus_from=40 --upper 20",
         "throw all six dice", None),
        ("outlander --faces jamie,jamie,geillis,geillis,laoghaire,bjr", "throw BJR and Laoghaire again", 5.75),
        ("outlander --faces jamie,jamie,geillis,geillis,laoghaire,bjr --rolls-left 0 --add jamie=2 --add bjr=1",
         "score these dice", 0.0),
        ("outlander --faces jamie,jamie,jamie,claire,claire,claire --weight bjr=3", "score these dice", 12.0),
        ("outlander --faces jamie,jamie,geillis,geillis,laoghaire,bjr --card claire_is_captured",
         "throw BJR and Laoghaire again", 7.140625),
        ("everyone-scores --faces cat,cat,dd,dd,sigil", "hold cat, cat", 115 / 18),
        ("quintuples --faces cat,cat,dd,dd,sigil --others pair,pair,five-of-a-kind", "score these dice", 2.0),
        ("called-shot --needs 1,1", "call cats", None),
        ("called-shot --needs 5,-3 --second --option finish_round=yes", "call cat", 8.5 / 216),
        ("triples --needs 2,2", "roll", None),
        ("triples --needs 25,25,25", "roll", 0.356869104),
        ("called-shot --needs 25,25,25,25,25,25", "call no cats", None),
        ("pairs --seats 3", "call DD", None),
        ("outback --faces koala,koala,koala,koala,emu,joker --rolls-left 0",
         "lay an emu in row 2 and a koala in row 4", 6),
        ("outback-plus --faces koala,koala,koala,koala,emu,joker,joker --rolls-left 0 --open 7 --jeep koala",
         "block a space", -2),
        ("outback --faces koala,koala,koala,koala,emu,emu --rolls-left 0 --open 2,3 --jeep koala,emu "
         "--worth koala-3=9", "lay an emu in row 2 and a koala in row 3", 11),
    ],
)  # fmt: skip
def test_every_game_answers(arguments: str, best: str, worth: float | None):
    code, out, err = tableside("advise", *arguments.split(), "--json")
    assert code == 0, err
    told = json.loads(out)
    assert told["best"]["do"] == best
    if worth is not None:
        assert told["expected"] == pytest.approx(worth, abs=5e-7)


def test_the_chance_of_every_group_for_a_hold():
    faces = "koala,koala,koala,kangaroo,platypus,joker"
    code, out, _ = tableside(
        "advise", "outback", "--faces", faces, "--hold", "koala,koala,koala,joker", "--json"
    )
    assert code == 0
    assert json.loads(out)["koala-4"] == 1
    assert json.loads(out)["koala-5"] == pytest.approx(1 - (4 / 6) ** 4)
    _, out, _ = tableside("advise", "outback", "--faces", faces, "--hold", "joker", "--rolls-left", "1")
    assert "koala in row 5" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("meet-fate --faces 2,3,5,7,7,8 --rolls-left 4", "throws left must be 0, 1 or 2, got 4"),
        ("meet-fate --faces 2,3,5,7,7 --rolls-left 1", "needs 6 dice, not 5"),
        ("meet-fate --faces 2,3,5,7,7,9", "these dice have no face"),
        ("meet-fate --faces 2,3,5,7,7,8 --open ,", "no box is open"),
        ("meet-fate --faces 2,3,5,7,7,8 --open bonus", "a box of the sheet"),
        ("meet-fate --rolls-left 2", "before the first throw"),
        ("meet-fate --faces 2,3,5,7,7,8 --rolls-left -1", "got −1"),
        ("meet-fate --eights lots", "--eights: expected win, ignored or a number"),
        ("meet-fate --seats 13", "--seats: expected 1 to 12 players, got 13"),
        ("meet-fate --totals 12", "--totals: expected 2 totals from 0 on, yours first, got 12"),
        ("meet-fate --eights nan", "six eights must be worth 0 to"),
        ("meet-fate --eights 1e99", "six eights must be worth 0 to"),
        ("meet-fate --option set_values.trips=46", "--solve"),
        ("meet-fate --option set_values.trips=x", "option set_values.trips"),
        ("meet-fate --option upper_bonus=35 --solve", "upper bonus"),
        ("chess", "expected a game"),
        ("destiny", "there is no advice"),
        ("outlander", "expected --faces"),
        ("outlander --faces jamie,jamie --card nonsense", "a card Tableside knows"),
        ("outlander --faces jamie,jamie --weight jamie=x", "--weight: expected FACE=N with a number"),
        ("outlander --faces jamie,jamie --weight jamie=nan", "weights"),
        ("outlander --faces jamie,jamie --rolls-left 4", "needs 6 dice, not 2"),
        ("called-shot", "expected --needs A,B"),
        ("called-shot --needs x", "--needs: expected up to 12 whole numbers"),
        ("outlander --faces jamie,jamie,jamie,jamie,jamie,jamie --rolls-left 4", "got 4"),
        ("outlander --faces jamie,jamie --weight cat=1", "these dice have no face"),
        ("outlander --faces jamie,jamie --weight jamie=-1", "use numbers from 0"),
        ("called-shot --needs 0,3", "expected 1 to 25 points still needed"),
        ("called-shot --needs 500,500 --option target=500", "expected at most 100, got 500"),
        ("called-shot --needs 1,99", "expected 1 to 25 points still needed"),
        ("pairs --seats 99", "expected 1 to 12 players"),
        ("quintuples --faces cat,cat,dd,dd,sigil --others flush", "a hand of five"),
        ("pairs --seats 0", "expected 1 to 12 players"),
        ("quintuples --faces cat,cat,dd,dd,sigil --rolls-left 2", "expected 0 or 1 throws left, got 2"),
        ("quintuples --faces cat,cat,dd,dd,sigil --to-come 40", "players yet to roll"),
        ("outback --faces koala,koala,koala,koala,emu", "needs 6 dice, not 5"),
        ("outback --faces koala,koala,koala,koala,emu,emu --rolls-left 3", "got 3"),
        ("outback --faces koala,koala,koala,koala,emu,emu --jeep ,", "nothing to lay"),
        ("outback --faces koala,koala,koala,koala,emu,emu --open 9", "expected rows 2 to 6"),
        ("outback --faces koala,koala,koala,koala,emu,emu --jeep wolf", "an animal"),
        ("outback --faces koala,koala,koala,koala,emu,emu --worth koala-9=1", "--worth"),
        ("outback --faces koala,koala,koala,koala,emu,emu --worth koala-3=inf", "at most 1000"),
        ("outback --faces koala,koala,koala,koala,emu,emu --hold joker", "only dice that lie there"),
        ("triples --hold cat --faces cat", "--hold: expected outback or outback-plus, got triples"),
        ("triples --solve", "--solve: expected meet-fate, got triples"),
        ("triples --match Ann", "--match: expected meet-fate, got triples"),
        ("triples --log nowhere.jsonl", "No such file"),
    ],
)
def test_a_question_without_an_answer_gets_one_line_and_exit_2(arguments: str, said: str):
    code, out, err = tableside("advise", *arguments.split())
    assert code == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_solving_keeps_a_table_that_answers(own_folder: Path, monkeypatch: pytest.MonkeyPatch):
    worth = np.linspace(0, 300, fate_table.SHEETS)

    def solve(rules: object, progress: fate_solve.Progress) -> np.ndarray:
        progress(fate_table.SHEETS // 2, fate_table.SHEETS)
        progress(fate_table.SHEETS, fate_table.SHEETS)
        return worth

    monkeypatch.setattr(fate_solve, "solve", solve)
    option = ("--option", "set_values.trips=46")
    code, out, _ = tableside("advise", "meet-fate", "--solve", *option)
    assert code == 0
    assert out.startswith("300.000000 points are the best expected total")
    assert len(list((own_folder / "advice").iterdir())) == 1
    monkeypatch.setattr(fate_solve, "solve", None)
    code, out, _ = tableside("advise", "meet-fate", "--solve", *option, "--json")
    assert json.loads(out)["expected"] == 300
    assert tableside("advise", "meet-fate", *option)[0] == 0


def test_a_damaged_table_is_one_line_and_solving_again_replaces_it(
    own_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    worth = np.linspace(0, 300, fate_table.SHEETS)
    monkeypatch.setattr(fate_solve, "solve", lambda rules, progress: worth)
    option = ("--option", "set_values.trips=46")
    tableside("advise", "meet-fate", "--solve", *option)
    (path,) = (own_folder / "advice").iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"\xff")
    code, _, err = tableside("advise", "meet-fate", *option)
    assert code == 2
    assert "checksum" in err
    assert tableside("advise", "meet-fate", "--solve", *option)[0] == 0
    assert tableside("advise", "meet-fate", *option)[0] == 0


@pytest.mark.slow
def test_a_match_is_looked_back_on(log):
    code, out, _ = tableside("advise", "meet-fate", "--log", log("meet-fate"), "--json")
    assert code == 0
    told = json.loads(out)
    (evening,) = told["matches"]
    assert [one["player"] for one in evening["players"]] == ["Ann", "Bob"]
    assert all(one["lost"] > 0 for one in evening["players"])
    assert told["dice"]["told_apart"] is False
    assert sum(told["dice"]["tallies"][-1]["observed"]) > 100
    code, out, _ = tableside("advise", "meet-fate", "--log", log("meet-fate"))
    assert "Weaker moves cost Ann" in out
    assert "better: " in out


def test_an_evening_is_added_up(log):
    path = log("triples")
    told = json.loads(tableside("advise", "triples", "--log", path, "--log", path, "--json")[1])
    one = told["matches"][0]["players"][0]
    both = told["evening"][0]
    assert (both["player"], both["matches"], both["unit"]) == ("Ann", 2, "chance to win")
    assert both["luck"] == pytest.approx(2 * one["luck"])
    assert "Together:\nAnn: luck " in tableside("advise", "triples", "--log", path, "--log", path)[1]


def test_dice_are_held_against_what_they_are(log):
    path = log("outlander")
    even = json.loads(tableside("advise", "outlander", "--log", path, "--json")[1])["dice"]
    uneven = json.loads(tableside("advise", "outlander", "--log", path, "--weight", "jamie=3", "--json")[1])[
        "dice"
    ]
    assert even["against"] == "fair dice with one of each face"
    assert uneven["against"] == "the face weights you entered"
    total = sum(uneven["tallies"][-1]["observed"])
    assert uneven["tallies"][-1]["expected"][1] == pytest.approx(total * 3 / 10)


def test_a_game_without_luck_still_has_dice(log):
    code, out, _ = tableside("advise", "outback", "--log", log("outback"))
    assert code == 0
    assert "cannot separate luck from skill" in out
    assert "dice" in out
    code, out, _ = tableside("advise", "outback", "--log", log("outback"), "--json")
    assert "unknown" in json.loads(out)["matches"][0]


def test_a_log_of_another_game_is_refused(log):
    code, _, err = tableside("advise", "triples", "--log", log("pairs"))
    assert code == 2
    assert "expected a match of triples, got one of pairs" in err


def test_outlanders_dice_are_estimated_from_what_they_threw(log):
    faces = "jamie,jamie,geillis,geillis,laoghaire,bjr"
    code, out, _ = tableside("advise", "outlander", "--faces", faces, "--log", log("outlander"), "--json")
    assert code == 0
    told = json.loads(out)
    assert told["exact"] is False
    assert "estimated from" in told["assumes"]


def test_a_turn_against_the_perfect_player():
    typed = "1 1 1 2 3 4\nfill six-of-a-kind\nquit\n"
    code, out, _ = tableside("advise", "meet-fate", "--match", "Ann", "--seed", "1", typed=typed)
    assert code == 0
    assert "This turn’s choices cost" in out
    assert "Perfect: " in out


def test_the_perfect_player_needs_a_solved_sheet():
    code, _, err = tableside("advise", "meet-fate", "--match", "Ann", "--option", "set_values.trips=46")
    assert code == 2
    assert "--solve" in err

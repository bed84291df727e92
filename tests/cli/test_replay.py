"""`tableside play` and `replay`: a match typed in, written down, and told again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.door import tableside

FATE = """\
2 3 5 7 7 8
keep 7 7
1 4 5 6
keep 4 5 6 7
1 8
large straight
undo
small straight
8 8 8 8 8 8
confirm yes
"""


def test_a_match_typed_in(tmp_path: Path):
    log = tmp_path / "evening.jsonl"
    code, out, _ = tableside("play", "meet-fate", "--players", "Ann,Bob", "--log", str(log), typed=FATE)
    assert code == 0
    assert "Small straight would score 30 points." in out
    assert "Ann scores 30 points in small straight: 30 in all, 18 boxes left." in out
    assert "The match is over. Bob won with 0 points: six eights." in out
    code, out, _ = tableside("replay", str(log), "--json")
    told = json.loads(out)
    assert code == 0
    assert told["points"] == {"Ann": 30, "Bob": 0}
    assert told["winners"] == ["Bob"]
    assert told["scores"][0]["breakdown"] == [
        {
            "rule": "Small straight: set points",
            "points": 30,
            "where": "sets",
        }
    ]
    assert told["events"] == 10
    _, out, _ = tableside("replay", str(log))
    assert "Ann +30, 30 in all" in out


def test_mistakes_at_the_table_are_answered_and_cost_nothing():
    typed = "cat\ncat,cat,dog\ncat,cat,dd\nstate\nhelp\ncorrect cat,cat,cat\nquit\n"
    code, out, err = tableside("play", "triples", "--players", "Ann,Bob", typed=typed)
    assert code == 0
    assert err == ""
    assert "No: this roll needs 3 dice, not 1." in out
    assert "No: these dice have no face" in out
    assert "Ann, first, 2 points." in out
    assert "Ann scores 6 points, 6 in all." in out


def test_numbers_and_words_choose_moves():
    typed = "2\ndd,dd,cat\ndeclare family\ncat,cat,dd\nno such thing\n"
    _, out, _ = tableside("play", "called-shot", "--players", "Ann,Bob", typed=typed)
    assert "Ann calls “no cats”." in out
    assert "Bob calls “family”." in out
    assert "No: “no such thing” is not a move" in out


@pytest.mark.parametrize("game", ["outlander", "pairs", "quintuples", "everyone-scores", "meet-fate"])
def test_a_match_that_plays_itself_ends(game: str, tmp_path: Path):
    log = tmp_path / "log.jsonl"
    arguments = ("play", game, "--players", "A,B", "--auto", "--seed", "7", "--log", str(log))
    code, out, _ = tableside(*arguments)
    assert code == 0
    assert "The match is over." in out
    code, told, _ = tableside("replay", str(log))
    assert code == 0
    assert told.splitlines()[-1] in out


def test_a_log_is_never_written_over(tmp_path: Path):
    log = tmp_path / "log.jsonl"
    log.write_text("precious\n")
    code, _, err = tableside("play", "triples", "--players", "A", "--log", str(log))
    assert code == 2
    assert "File exists" in err
    assert log.read_text() == "precious\n"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "the log is empty"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b'{"schema": 1', "line 1: the log ends in the middle of a line"),
        (b'{"schema": 9, "match": "pairs"}\n', "written by a newer Tableside"),
        (b"\x89PNG\r\n\x1a\n" * 40, "not UTF-8 text"),
        (b"null\n", "line 1: this is not a JSON object"),
    ],
)
def test_a_bad_log_is_one_line(tmp_path: Path, content: bytes, complaint: str):
    log = tmp_path / "log.jsonl"
    log.write_bytes(content)
    code, out, err = tableside("replay", str(log))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


def test_a_missing_log_is_one_line(tmp_path: Path):
    code, _, err = tableside("replay", str(tmp_path / "none.jsonl"))
    assert (code, err.count("\n")) == (2, 1)
    assert "none.jsonl" in err


def test_a_log_that_stops_says_where(tmp_path: Path):
    log = tmp_path / "log.jsonl"
    tableside(
        "play",
        "meet-fate",
        "--players",
        "A",
        "--log",
        str(log),
        typed="2 3 5 7 7 8\nkeep 7 7\ncorrect 1 2 3 4 5 6\n",
    )
    code, out, _ = tableside("replay", str(log), "--json")
    assert code == 0
    assert json.loads(out)["stopped"]["event"] == 2


def test_a_match_is_told_in_the_language(tmp_path: Path):
    log = tmp_path / "log.jsonl"
    arguments = ("play", "triples", "--players", "Ann,Bob", "--option", "target=6", "--lang", "de")
    code, out, _ = tableside(*arguments, "--log", str(log), typed="Katze Katze Hund\nKatze,Katze,Katze\n")
    assert code == 0
    assert "Nein: diese Würfel haben keine Seite „Hund“" in out
    assert "Ann hat gewürfelt: Katze, Katze und Katze." in out
    assert "Die Partie ist zu Ende. Sieg für Ann mit 6 Punkten: zuerst am Ziel." in out
    _, out, _ = tableside("replay", str(log), "--lang", "fr")
    assert "+6 Triple (chat) [Ce que rapporte un lancer]" in out
    assert "Ann, 1re place, 6 points." in out
    _, out, _ = tableside("replay", str(log), "--lang", "de", "--json")
    assert json.loads(out)["scores"][0]["breakdown"][0]["rule"] == "Drilling (Katze)"


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null", "/"])
def test_what_is_no_file_is_no_log(place: str):
    code, out, err = tableside("replay", place)
    assert (code, out, err.count("\n")) == (2, "", 1)

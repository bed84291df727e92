"""Games of one's own on the command line: docs/guide/your-own-game.md to the letter, and files that are none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoring import games
from table.game_files import KINDS
from tests.cli.door import tableside

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "your-own-game.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with nothing of whoever runs the test, and a registry of its own."""
    monkeypatch.setattr(games, "GAMES", dict(games.GAMES))
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_tutorial_makes_a_game_that_is_played(desk: Path):
    (desk / "my-pirates.toml").write_text("\n".join(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)))
    (desk / "examples.toml").write_text("\n".join(re.findall(r"```toml examples\n(.*?)```", PAGE, re.DOTALL)))
    typed = re.findall(r"^\$ tableside (.*)\n((?:[^$`].*\n)*)", PAGE, re.MULTILINE)
    assert len(typed) == 4
    for words, printed in typed:
        said = tableside(*words.split())
        assert said.code == 0, said.err
        assert printed.strip() in said.out
        if " check " in f" {words} ":
            assert "1 example as expected" in said.out
            assert "can never score" not in said.out
    assert "my-pirates" in tableside("games").out
    wrong = (desk / "my-pirates.toml").read_text().replace("count(skull)", "count(scull)")
    (desk / "my-pirates.toml").write_text(wrong)
    (promised,) = re.findall(r"^tableside: my-pirates.toml: (.*?) they show", PAGE, re.MULTILINE)
    refused = tableside("games", "check", "my-pirates.toml")
    assert refused.code == 2
    assert promised in refused.err
    assert len(refused.err.splitlines()) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_to_begin_with_is_a_game(kind: str):
    assert tableside("games", "new", "mine.toml", "--kind", kind).code == 0
    said = tableside("games", "check", "mine.toml", "--seconds", "0.2")
    assert said.code == 0, said.err
    assert "can never score" not in said.out
    assert re.search(r"([\d,]+) match(es)? played at random, \1 ended", said.out)
    assert tableside("games", "new", "mine.toml").code == 2


def test_the_check_names_what_can_never_happen_and_examples_that_differ(desk: Path):
    tableside("games", "new", "mine.toml")
    text = (desk / "mine.toml").read_text().replace("alike == 3 and kinds == 2", "alike == 3 and kinds == 5")
    (desk / "mine.toml").write_text(text)
    (desk / "examples.toml").write_text(
        '[[example]]\ndice = ["1", "1", "2", "2", "6"]\nbox = "Two pairs"\npoints = 13\n'
    )
    said = tableside("games", "check", "mine.toml", "--seconds", "0.1")
    assert said.code == 2
    assert "“Full house” can never score." in said.out
    assert "Example 1, 1, 2, 2, 6: 12 points, not 13." in said.out
    assert "1 example came out otherwise" in said.err


def test_a_game_is_replayed_and_a_changed_one_is_not(desk: Path):
    tableside("games", "new", "mine.toml", "--kind", "count")
    assert tableside("games", "add", "mine.toml").code == 0
    played = tableside("play", "my-count", "--players", "Ann,Bob", "--auto", "--seed", "3", "--log", "log.jsonl")
    assert "The match is over" in played.out
    assert tableside("replay", "log.jsonl").code == 0
    (desk / "mine.toml").write_text((desk / "mine.toml").read_text().replace("rounds = 5", "rounds = 6"))
    assert "already exists" in tableside("games", "add", "mine.toml").err
    assert tableside("games", "add", "mine.toml", "--replace").code == 0
    assert "follows version" in tableside("replay", "log.jsonl").err
    assert tableside("games", "remove", "my-count").code == 0
    assert "my-count" not in tableside("games").out


def test_a_broken_game_keeps_nobody_from_the_others(desk: Path):
    for name, text in (("broken", "id = "), ("elsewhere", 'id = "x"'), ("blob", "\0\xff")):
        (desk / "data" / "games" / name).mkdir(parents=True)
        (desk / "data" / "games" / name / "game.toml").write_bytes(text.encode("latin-1"))
    said = tableside("games")
    assert said.code == 0
    assert "meet-fate" in said.out
    assert len([line for line in said.err.splitlines() if "left out" in line]) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("games chess", "expected a game"),
        ("games check nope.toml", "No such file"),
        ("games add nope.toml", "No such file"),
        ("games remove yacht", "there is no game of yours"),
        ("games new x/y.toml", "No such file"),
        ("games new a.toml --kind chess", "chess"),
        ("games check", "Missing argument"),
    ],
)
def test_bad_input_is_one_line(words: str, told: str):
    said = tableside(*words.split())
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1

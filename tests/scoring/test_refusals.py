"""An illegal move is refused by a rule and its place in a document, and every reason for points has its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

GAMES = sorted((Path(__file__).parents[2] / "scoring" / "games").glob("*.py"))


def calls(path: Path, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_every_refusal_says_where_its_rule_stands(path: Path):
    for call in calls(path, "refuse"):
        starred = any(isinstance(argument, ast.Starred) for argument in call.args)
        assert starred or len(call.args) == 2, f"{path.name}:{call.lineno} {ast.unparse(call)}"


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_every_line_of_a_breakdown_says_where_it_stands(path: Path):
    for call in calls(path, "line"):
        assert len(call.args) == 3, f"{path.name}:{call.lineno} {ast.unparse(call)}"


def test_no_file_of_the_rules_is_longer_than_people_read():
    long = [path.name for path in GAMES if len(path.read_text(encoding="utf-8").splitlines()) > 300]
    assert not long

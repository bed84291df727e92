"""An illegal move is refused by a rule and its place in a document, and every reason for points has its place."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

GAMES = sorted((Path(__file__).parents[2] / "scoring" / "games").rglob("*.py"))


def calls(name: str) -> list[tuple[str, ast.Call]]:
    """Every call of a function in the rules, with where it stands."""
    found = [
        (f"{path.name}:{node.lineno} {ast.unparse(node)}", node)
        for path in GAMES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]
    assert len(found) > 20, f"the rules call {name}"
    return found


def test_every_refusal_says_where_its_rule_stands():
    for place, call in calls("refuse"):
        starred = any(isinstance(argument, ast.Starred) for argument in call.args)
        assert starred or len(call.args) == 2, place


@pytest.mark.slow
def test_every_line_of_a_breakdown_says_where_it_stands():
    for place, call in calls("line"):
        assert len(call.args) == 3, place

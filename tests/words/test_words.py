"""Exact sentences about dice."""

from __future__ import annotations

import pytest

from words import words


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["2", "2", "4", "5", "7", "8"], "two 2s, a 4, a 5, a 7 and an 8"),
        (["8"] * 6, "six 8s"),
        (["sigil", "DD", "sigil"], "sigil twice and DD"),
        (["cat"] * 3, "cat three times"),
        ([], ""),
    ],
)
def test_a_roll_in_words(labels: list[str], said: str):
    assert words.faces(labels) == said


def test_clauses_become_one_announcement():
    assert (
        words.sentence("die 3 is an 8", "", "Alice, throw.", "really?")
        == "Die 3 is an 8. Alice, throw. Really?"
    )

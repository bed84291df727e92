"""`tableside bench live`: what it refuses, and how the throws asked for become matches."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from training.commands.bench_live import A_MATCH, demo_evenings
from training.commands.bench_live import live as command


def test_a_folder_that_holds_no_film_is_refused_in_one_line(tmp_path: Path) -> None:
    told = CliRunner().invoke(command, ["--film", str(tmp_path)])
    assert told.exit_code == 2
    assert told.stderr.count("\n") == 1
    assert "expected a film" in told.stderr


def test_many_throws_are_several_matches() -> None:
    evenings = list(demo_evenings(A_MATCH + 5, 1, 30.0))
    assert [one.throws for one in evenings] == [A_MATCH, 5]
    first, second = (one.table.frame(0).pixels for one in evenings)
    assert (first != second).any()

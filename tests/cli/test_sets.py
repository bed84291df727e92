"""`tableside sets` and `tableside print`, as a shell sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import print_, sets
from vision.diceset import DiceSetError


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    (tmp_path / "dicesets" / "broken").mkdir(parents=True)
    return tmp_path / "dicesets"


def test_sets_are_listed_with_their_faces_and_where_they_are_from() -> None:
    listed = CliRunner().invoke(sets.command)
    assert listed.exit_code == 0
    assert "outlander    d6+d8  8 faces" in listed.stdout
    assert "cat, two-cats, sigil, dd, thoromyr, manticore" in listed.stdout
    assert listed.stdout.count("(shipped)") == 5


def test_json_lists_every_set_and_a_broken_one_goes_to_stderr(own_folder: Path) -> None:
    (own_folder / "broken" / "set.toml").write_text("id = ")
    listed = CliRunner().invoke(sets.command, ["--json"])
    assert listed.exit_code == 0
    described = {entry["id"]: entry for entry in json.loads(listed.stdout)}
    assert set(described) == {"cats", "fate", "outback", "outlander", "pips"}
    assert described["pips"]["faces"][5] == {"id": "6", "labels": {"en": "6"}, "value": 6, "pictures": 5}
    assert described["outback"]["faces"][4]["labels"]["de"] == "Waran"
    assert described["fate"]["from"] == "shipped"
    (line,) = listed.stderr.splitlines()
    assert "broken" in line


def test_print_writes_a_pdf_and_says_what_to_check(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.pdf"
    printed = CliRunner().invoke(
        print_.command, ["Fate", "-o", str(sheet), "--dice", "2", "--picture", "serif"]
    )
    assert printed.exit_code == 0, printed.output
    assert "ruler" in printed.stdout
    assert sheet.read_bytes().startswith(b"%PDF-")
    assert [file.name for file in tmp_path.glob("*sheet*")] == ["sheet.pdf"]


def test_print_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    ask = CliRunner().invoke
    assert isinstance(ask(print_.command, ["nope", "-o", str(tmp_path / "a.pdf")]).exception, DiceSetError)
    assert isinstance(ask(print_.command, ["cats", "-o", str(tmp_path / "no" / "a.pdf")]).exception, OSError)
    assert ask(print_.command, ["cats", "-o", str(tmp_path / "a.pdf"), "--shape", "d20"]).exit_code == 2
    assert not (tmp_path / "a.pdf").exists()

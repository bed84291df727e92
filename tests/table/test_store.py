"""Logs on disk: every line whole, a torn one dropped, a refusing disk said plainly."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scoring.actions import Roll
from scoring.games import find as find_game
from scoring.logfile import MatchLogError
from scoring.match import Match, begin
from table.store import MatchStore, StoreError, tables_folder

FACES = ("1", "2", "3", "4", "5", "6")


@pytest.fixture
def match() -> Match:
    return begin(find_game("meet-fate"), ["Älice", "Bob"])


def test_a_match_comes_back_as_it_was(tmp_path: Path, match: Match):
    store = MatchStore.begin(tmp_path, match)
    played = match.add(Roll(FACES))
    store.keep(played.events)
    store.keep(played.events)
    again, resumed = MatchStore.resume(store.path, find_game)
    assert resumed.events == played.events
    assert resumed.header == match.header
    again.keep(resumed.correct(1, ("2",) * 6).events)
    assert len(store.path.read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_last_line_is_dropped(tmp_path: Path, match: Match, cut: int):
    store = MatchStore.begin(tmp_path, match)
    store.keep(match.add(Roll(FACES)).events)
    whole = store.path.read_bytes()
    store.path.write_bytes(whole[:-cut])
    again, resumed = MatchStore.resume(store.path, find_game)
    assert resumed.events == ()
    again.keep(resumed.add(Roll(FACES)).events)
    assert store.path.read_bytes() == whole


def test_a_file_that_is_no_log_is_refused(tmp_path: Path):
    path = tmp_path / "letter.jsonl"
    path.write_text("Dear Alice,\n", encoding="utf-8")
    with pytest.raises(MatchLogError, match="line 1"):
        MatchStore.resume(path, find_game)


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_said_plainly(tmp_path: Path, match: Match):
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="Permission denied"):
        MatchStore.begin(tmp_path / "matches", match)


def test_a_file_in_the_place_of_the_folder_is_said_plainly(tmp_path: Path, match: Match):
    (tmp_path / "matches").write_text("no folder")
    with pytest.raises(StoreError, match="cannot be kept"):
        MatchStore.begin(tmp_path / "matches", match)


def test_half_a_line_is_taken_back_when_the_disk_fills(
    tmp_path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
):
    store = MatchStore.begin(tmp_path, match)
    before = store.path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("table.store.os.fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        store.keep(match.add(Roll(FACES)).events)
    assert store.path.read_bytes() == before
    monkeypatch.undo()
    store.keep(match.add(Roll(FACES)).events)
    assert MatchStore.resume(store.path, find_game)[1].events == (Roll(FACES),)


def test_two_matches_begun_in_the_same_second_have_two_files(tmp_path: Path, match: Match):
    assert MatchStore.begin(tmp_path, match).path != MatchStore.begin(tmp_path, match).path


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    assert tables_folder() == tmp_path

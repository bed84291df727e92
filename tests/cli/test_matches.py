"""The matches that are kept: begun, gone on with, begun again; listed, exported and taken in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import doors
from cli.serving import ServeRequest, sit_down
from scoring.actions import Draw, DrawAwaited, Roll
from scoring.games import find
from scoring.logfile import MatchLogError
from scoring.match import begin
from table.storage.store import FILE, Store

NOTHING = ServeRequest(None, None, None, None, again=False, url=None, place="")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    return tmp_path


def asked(**more: object) -> ServeRequest:
    return ServeRequest(**{**{name: getattr(NOTHING, name) for name in ServeRequest.__slots__}, **more})


def run(*arguments: str) -> str:
    done = CliRunner().invoke(doors, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_a_new_match_is_begun_and_the_waiting_one_named():
    first = sit_down(NOTHING, {"camera": "2"})
    assert (first.game, first.set_id, first.players) == ("meet-fate", "fate", ("Alice", "Bob"))
    assert first.remarks == ("Meet Fate begins, since nothing was asked for; /tonight has every other game.",)
    second = sit_down(asked(game="pairs"))
    (remark,) = second.remarks
    assert first.kept.store.id in remark


def test_a_match_is_gone_on_with_by_its_id_or_as_the_last():
    first = sit_down(asked(players="Ann,Ben"), {"camera": "2"})
    first.kept.store.keep(first.kept.match.add(Roll(("1",) * 6)).events)
    sit_down(asked(game="pairs"))
    again = sit_down(asked(resume=first.kept.store.id))
    assert (again.players, again.setup["camera"], len(again.kept.match.events)) == (("Ann", "Ben"), "2", 1)
    again.kept.store.keep(again.kept.match.correct(1, ("2",) * 6).events)
    assert sit_down(asked(resume="last")).kept.store.id == first.kept.store.id


def test_the_same_as_last_time_is_a_new_match_like_it():
    first = sit_down(asked(game="outback", players="Ann,Ben,Cem"), {"camera": "rtsp://eye/1"})
    again = sit_down(asked(again=True))
    assert again.kept.store.id != first.kept.store.id
    assert (again.game, again.players, again.set_id) == ("outback", ("Ann", "Ben", "Cem"), "outback")
    assert again.setup["camera"] == "rtsp://eye/1"
    assert again.kept.match.header == first.kept.match.header
    assert sit_down(asked(again=True, players="Ann,Dan")).players == ("Ann", "Dan")


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"again": True}, "no last time"),
        ({"resume": "last"}, "all are over"),
        ({"resume": "x"}, "no match 'x'"),
    ],
)
def test_what_is_not_there_is_said(wish: dict[str, object], words: str):
    with pytest.raises(ValueError, match=words):
        sit_down(asked(**wish))


def test_matches_are_listed_exported_and_taken_in(folder: Path):
    kept = sit_down(asked(players="Ann,Ben")).kept
    kept.store.keep(kept.match.add(Roll(("1",) * 6)).events)
    listed = run("matches")
    assert listed.startswith(kept.store.id)
    assert "running" in listed
    assert "1 events  Ann, Ben" in listed
    run("matches", "export", kept.store.id, "-o", str(folder / "out.jsonl"))
    new = run("matches", "import", str(folder / "out.jsonl")).strip()
    assert run("matches", "export", new) == (folder / "out.jsonl").read_text(encoding="utf-8")
    assert run("replay", new) == run("replay", str(folder / "out.jsonl")) == run("replay", str(folder))


def test_a_match_with_hidden_cards_is_exported_whole_only_on_request(folder: Path):
    match = begin(find("destiny"), ["Ann", "Bob"], {"cards": "dealt", "treasure_order": "listed"})
    hand = next(one for one in match.awaited if isinstance(one, DrawAwaited)).among[:7]
    kept = Store.of(folder).begin(match.add(Draw("destiny deck", hand)))
    refused = CliRunner().invoke(doors, ["matches", "export", kept.id])
    assert isinstance(refused.exception, MatchLogError)
    assert "not over" in str(refused.exception)
    assert hand[0] not in refused.output
    assert f'"{hand[0]}"' in run("matches", "export", kept.id, "--hands")
    shown = run("replay", kept.id, "--json")
    assert hand[0] not in shown
    assert json.loads(shown)["state"] is None


def test_a_damaged_store_is_rescued(folder: Path):
    kept = sit_down(NOTHING).kept
    kept.store.keep(kept.match.add(Roll(("1",) * 6)).events)
    kept.store.store.close()
    store = folder / FILE
    store.write_bytes(store.read_bytes()[:-1])
    assert "1 events" in run("matches", "rescue", "-o", str(folder / "saved"))
    (log,) = (folder / "saved").iterdir()
    store.unlink()
    run("matches", "import", str(log))
    again = Store.of(folder)
    assert again.resume(again.latest(), find)[1].events == (Roll(("1",) * 6),)
    again.close()

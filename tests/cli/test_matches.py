"""The matches that are kept: begun, gone on with, begun again; listed, exported and taken in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cli.serving import ServeRequest, Sitting, sit_down
from scoring.actions import Draw, DrawAwaited, Roll
from scoring.games import find
from scoring.match import begin
from table.storage.store import FILE, Store
from tests.cli.door import tableside


def asked(setup: dict[str, str] | None = None, **more: Any) -> Sitting:
    return sit_down(ServeRequest(**more), setup)


def run(*arguments: str) -> str:
    done = tableside(*arguments)
    assert done.code == 0, done.err
    return done.out


def test_a_new_match_is_begun_and_the_waiting_one_named():
    first = asked({"camera": "2"})
    header = first.kept.match.header
    assert (header.game, first.dice_set.id, header.players) == ("meet-fate", "fate", ("Alice", "Bob"))
    assert first.remarks == ("Starting Meet Fate, as you chose no game; the others are at /new.",)
    second = asked(game="pairs")
    (remark,) = second.remarks
    assert first.kept.store.id in remark


def test_a_match_is_gone_on_with_by_its_id_or_as_the_last():
    first = asked({"camera": "2"}, players="Ann,Ben")
    first.kept.store.keep(first.kept.match.add(Roll(("1",) * 6)).events)
    asked(game="pairs")
    again = asked(resume=first.kept.store.id)
    assert again.kept.match.header.players == ("Ann", "Ben")
    assert (again.setup["camera"], len(again.kept.match.events)) == ("2", 1)
    again.kept.store.keep(again.kept.match.correct(1, ("2",) * 6).events)
    assert asked(resume="last").kept.store.id == first.kept.store.id


def test_the_same_as_last_time_is_a_new_match_like_it():
    first = asked({"camera": "rtsp://eye/1"}, game="outback", players="Ann,Ben,Cem")
    again = asked(again=True)
    assert again.kept.store.id != first.kept.store.id
    assert again.kept.match.header.players == ("Ann", "Ben", "Cem")
    assert again.dice_set.id == "outback"
    assert again.setup["camera"] == "rtsp://eye/1"
    assert again.kept.match.header == first.kept.match.header
    assert asked(again=True, players="Ann,Dan").kept.match.header.players == ("Ann", "Dan")


def test_matches_are_listed_exported_and_taken_in(tmp_path: Path, folder: Path):
    kept = asked(players="Ann,Ben").kept
    kept.store.keep(kept.match.add(Roll(("1",) * 6)).events)
    listed, out = run("matches"), str(tmp_path / "out.jsonl")
    assert listed.startswith(kept.store.id)
    assert "running" in listed
    assert "1 events  Ann, Ben" in listed
    run("matches", "export", kept.store.id, "-o", out)
    new = run("matches", "import", out).strip()
    assert run("matches", "export", new) == Path(out).read_text(encoding="utf-8")
    assert run("replay", new) == run("replay", out) == run("replay", str(folder))


def test_a_match_with_hidden_cards_is_exported_whole_only_on_request(folder: Path):
    match = begin(find("destiny"), ["Ann", "Bob"], {"cards": "dealt", "treasure_order": "listed"})
    hand = next(one for one in match.awaited if isinstance(one, DrawAwaited)).among[:7]
    kept = Store.of(folder).begin(match.add(Draw("destiny deck", hand)))
    refused = tableside("matches", "export", kept.id)
    assert refused.code == 2
    assert "still running" in refused.err
    assert hand[0] not in refused.out + refused.err
    assert f'"{hand[0]}"' in run("matches", "export", kept.id, "--hands")
    shown = run("replay", kept.id, "--json")
    assert hand[0] not in shown
    assert json.loads(shown)["state"] is None


def test_a_damaged_store_is_rescued(folder: Path):
    kept = asked().kept
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

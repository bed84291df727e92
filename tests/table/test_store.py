"""The store: every event whole and in order, on SQLite and on PostgreSQL; several matches; old logs taken in."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from cli.replay import match_in
from scoring.actions import Fill, IllegalMoveError, Play, Roll
from scoring.games import find as find_game
from scoring.logfile import MatchLogError, read, written
from scoring.match import Match, begin
from table.rescue import rescue
from table.schema import VERSION
from table.session import Session
from table.store import FILE, MatchStore, Store, StoreError, tables_folder
from tests.fakes import ListeningOutput
from tests.proof.killed import Tally, kill_once
from tests.table import postgres
from vision.diceset_shelf import find as find_set

FACES = ("1", "2", "3", "4", "5", "6")
WHY_NOT = postgres.why_not()


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    if WHY_NOT:
        pytest.skip(WHY_NOT)
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        store = Store.of(tmp_path)
    else:
        store = Store(request.getfixturevalue("postgres_url"))
        with store.writing() as connection:
            connection.execute(text("DELETE FROM events"))
            connection.execute(text("DELETE FROM matches"))
    yield store
    store.close()


@pytest.fixture
def match() -> Match:
    return begin(find_game("meet-fate"), ["Älice", "Bob"])


def test_a_match_comes_back_as_it_was(store: Store, match: Match):
    kept = store.begin(match, setup={"camera": "0"})
    played = match.add(Roll(FACES))
    kept.keep(played.events)
    kept.keep(played.events)
    again, resumed = store.resume(kept.id, find_game)
    assert resumed.events == played.events
    assert resumed.header == match.header
    again.keep(resumed.correct(1, ("2",) * 6).events)
    assert len(store.log(kept.id).splitlines()) == 3
    assert read(store.log(kept.id), find_game).state.roll == ("2",) * 6


def test_matches_are_listed_with_the_one_played_last_first(store: Store, match: Match):
    first = store.begin(match, place="window")
    second = store.begin(match, setup={"set": "fate", "camera": "2"})
    first.keep(match.add(Roll(FACES)).events)
    listed = store.matches()
    assert [one.id for one in listed] == [first.id, second.id]
    assert [one.events for one in listed] == [1, 0]
    assert listed[0].players == ("Älice", "Bob")
    assert listed[1].setup == {"set": "fate", "camera": "2"}
    assert [one.id for one in store.matches(place="window")] == [first.id]


def test_what_is_over_is_not_gone_on_with(store: Store, match: Match):
    first, second = store.begin(match), store.begin(match)
    second.mark("over")
    first.mark("paused")
    waiting = store.unfinished()
    assert waiting is not None
    assert (waiting.id, waiting.state) == (first.id, "paused")
    first.keep(match.add(Roll(FACES)).events, over=True)
    assert store.unfinished() is None


def test_two_tables_cannot_play_the_same_match(store: Store, match: Match):
    here = store.begin(match)
    there, _ = store.resume(here.id, find_game)
    here.keep(match.add(Roll(FACES)).events)
    with pytest.raises(StoreError, match="played elsewhere"):
        there.keep(match.add(Roll(("8",) * 6)).events)
    assert read(store.log(here.id), find_game).events == (Roll(FACES),)


def test_a_match_goes_out_as_json_lines_and_comes_in_again(store: Store, match: Match, tmp_path: Path):
    kept = store.begin(match.add(Roll(FACES)))
    out = store.log(kept.id)
    assert out == written(match.add(Roll(FACES)))
    assert [json.loads(line)["schema"] for line in out.splitlines()] == [1, 1]
    again = store.add_log(out, find_game)
    assert again != kept.id
    assert store.log(again) == out
    assert {one.id: one.state for one in store.matches()}[again] == "paused"
    log = tmp_path / "match.jsonl"
    log.write_text(out, encoding="utf-8")
    assert match_in(log).events == (Roll(FACES),)


def test_an_unknown_match_is_said(store: Store):
    with pytest.raises(MatchLogError, match="no match 'yesterday'"):
        store.log("yesterday")


@pytest.fixture(params=["at once", "later"])
def broken(request: pytest.FixtureRequest, match: Match) -> Iterator[tuple[Session, ListeningOutput]]:
    """A table whose next event is kept, though the answer to its COMMIT is lost; the line is there again at once, or
    when somebody acts again."""
    with postgres.line(request.getfixturevalue("postgres_url")) as line:
        store, output = Store(line.url), ListeningOutput()
        kept = store.begin(match)
        session = Session(match, kept, find_set("fate"), outputs=[output])
        session.roll("1 2 3 4 5 6")
        line.break_once(down=request.param == "later")
        if request.param == "later":
            with pytest.raises(StoreError):
                session.decide(Fill("chance"))
            line.mend()
            assert len(session.match.events) == 1
            with pytest.raises(IllegalMoveError, match="was saved after all"):
                session.undo()
        else:
            session.decide(Fill("chance"))
        yield session, output
        store.close()


def test_a_move_whose_saving_was_not_confirmed_is_looked_up(broken: tuple[Session, ListeningOutput]):
    session, output = broken
    assert session.match.events[-1] == Play(0, Fill("chance"))
    assert output.last.standing.players[0].score == 21
    for faces, box in (("1 1 1 1 1 1", "chance"), ("2 2 2 2 2 2", "2"), ("3 3 3 3 3 3", "3")):
        session.roll(faces)
        session.decide(Fill(box))
    assert read(session.store.log(), find_game).events == session.match.events
    assert len(session.match.events) == 8


def test_a_move_that_somebody_else_made_meanwhile_is_not_taken_for_ones_own(postgres_url: str, match: Match):
    with postgres.line(postgres_url) as line:
        store = Store(line.url)
        here = store.begin(match)
        line.break_once(down=True)
        with pytest.raises(StoreError):
            here.keep(match.add(Roll(FACES)).events)
        line.mend()
        with store.writing() as connection:
            connection.execute(text("DELETE FROM events"))
        there, _ = store.resume(here.id, find_game)
        there.keep(match.add(Roll(("8",) * 6)).events)
        assert here.late() == ()
        with pytest.raises(StoreError, match="played elsewhere"):
            here.keep(match.add(Roll(FACES)).events)
        store.close()


def test_a_disk_that_keeps_and_complains_all_the_same_is_looked_up(
    tmp_path: Path, match: Match, monkeypatch: pytest.MonkeyPatch
):
    store = Store.of(tmp_path)
    session = Session(match, store.begin(match), find_set("fate"))
    commit = SQLiteDialect.do_commit

    def complaining(dialect: SQLiteDialect, connection: Any) -> None:
        commit(dialect, connection)
        monkeypatch.undo()
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(SQLiteDialect, "do_commit", complaining)
    session.roll("1 2 3 4 5 6")
    session.decide(Fill("chance"))
    assert read(session.store.log(), find_game).events == session.match.events
    store.close()


PLAYING = """
import sys
import tempfile
from scoring.actions import Roll
from scoring.games import find
from scoring.match import begin
from table.store import Store
store = Store(sys.argv[1])
match = begin(find("meet-fate"), [sys.argv[2], "Bob"])
kept = store.begin(match, place=sys.argv[2])
match = match.add(Roll(("1",) * 6))
for face in "2345678" * 3:
    kept.keep(match.events)
    match = match.correct(1, (face,) * 6)
kept.keep(match.events)
"""


def test_many_tables_at_once_each_in_its_own_process(postgres_url: str):
    places = ["window", "kitchen"]
    tables = [subprocess.Popen([sys.executable, "-c", PLAYING, postgres_url, place]) for place in places]
    assert [table.wait(timeout=300) for table in tables] == [0, 0]
    store = Store(postgres_url)
    for place in places:
        (entry,) = store.matches(place=place)
        assert entry.events == 22
        assert read(store.log(entry.id), find_game).state.roll == ("8",) * 6
    store.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_killed_table_has_all_it_had_announced(tmp_path: Path):
    tally = Tally()
    for number in range(10):  # 300 of them: python tests/proof/killed.py 300
        kill_once(tmp_path, f"unit/{number}", tally)
    assert tally.kills == 10
    assert tally.announced > 20


def test_sqlite_writes_ahead_and_syncs_every_commit(tmp_path: Path):
    store = Store.of(tmp_path)
    with store.reading() as connection:
        mode = connection.execute(text("PRAGMA journal_mode")).scalar_one()
        synchronous = connection.execute(text("PRAGMA synchronous")).scalar_one()
    store.close()
    assert (mode, synchronous) == ("wal", 2)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_logs_of_version_1_are_taken_in_once(tmp_path: Path, match: Match):
    old = tmp_path / "matches"
    old.mkdir()
    log = written(match.add(Roll(FACES)))
    (old / "2026-11-20-201500-meet-fate-0a1b2c.jsonl").write_text(log, encoding="utf-8")
    (old / "torn.jsonl").write_text(log[:-20], encoding="utf-8")
    (old / "letter.jsonl").write_text("Dear Alice,\n", encoding="utf-8")
    store = Store.of(tmp_path)
    assert sorted(one.events for one in store.matches()) == [0, 1]
    assert len(store.refused) == 1
    assert store.refused[0].startswith("letter.jsonl was not taken in: line 1")
    store.close()
    again = Store.of(tmp_path)
    assert len(again.matches()) == 2
    again.close()
    assert len(list(old.iterdir())) == 3


def test_a_store_of_a_later_version_is_refused(tmp_path: Path):
    store = Store.of(tmp_path)
    with store.writing() as connection:
        connection.execute(text("UPDATE tableside SET version = 99"))
    store.close()
    with pytest.raises(StoreError, match=r"newer Tableside \(schema 99"):
        Store.of(tmp_path)


def test_a_store_of_the_first_version_of_the_database_is_led_on(tmp_path: Path, match: Match):
    """As version 2 made it: what is in it stays."""
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript(Path(__file__).with_name("store-version-2.sql").read_text(encoding="utf-8"))
    connection.close()
    store = Store.of(tmp_path)
    (entry,) = store.matches()
    kept, resumed = store.resume(entry.id, find_game)
    assert resumed.state.roll == FACES
    kept.keep(resumed.correct(1, ("2",) * 6).events)
    with store.reading() as now:
        assert now.execute(text("SELECT version FROM tableside")).scalar_one() == VERSION
    store.close()


@pytest.fixture
def closed(tmp_path: Path, match: Match) -> Path:
    """A store with a match of 40 events that was closed properly."""
    store = Store.of(tmp_path)
    kept, match = store.begin(match), match.add(Roll(FACES))
    for face in "12345678" * 5:
        kept.keep(match.events)
        match = match.correct(1, (face,) * 6)
    store.close()
    return tmp_path / FILE


@pytest.mark.parametrize("cut", [1, 100, 4096])
def test_a_file_whose_end_is_missing_is_said_and_saved(closed: Path, cut: int):
    whole = closed.read_bytes()
    closed.write_bytes(whole[:-cut])
    with pytest.raises(StoreError, match=rf"damaged \({cut} bytes are missing at its end\)"):
        Store.of(closed.parent)
    (log,) = rescue(closed).values()
    assert len(read(log, find_game).events) > 0
    assert closed.read_bytes() == whole[:-cut]


def test_a_file_that_is_no_store_is_said(tmp_path: Path):
    (tmp_path / FILE).write_text("Dear Alice, " * 100)
    with pytest.raises(StoreError, match="no store of matches"):
        Store.of(tmp_path)


def test_a_page_of_rubbish_is_said(closed: Path):
    whole = closed.read_bytes()
    closed.write_bytes(whole[:8192] + b"\xff" * 4096 + whole[12288:])
    with pytest.raises(StoreError, match="damaged"):
        Store.of(closed.parent)


def test_the_torn_end_of_the_log_ahead_was_never_announced(tmp_path: Path, match: Match):
    """What a power cut leaves: a commit half written."""
    store = Store.of(tmp_path)
    kept = store.begin(match)
    kept.keep(match.add(Roll(FACES)).events)
    ahead = tmp_path / f"{FILE}-wal"
    settled = ahead.read_bytes()
    kept.keep(match.add(Roll(FACES)).correct(1, ("2",) * 6).events)
    torn = ahead.read_bytes()[:-7]
    assert len(torn) > len(settled)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / FILE).write_bytes((tmp_path / FILE).read_bytes())
    (copy / f"{FILE}-wal").write_bytes(torn)
    store.close()
    after = Store.of(copy)
    assert len(read(after.log(kept.id), find_game).events) == 1
    after.close()


FULL = """
import resource, signal, sys
from pathlib import Path
from scoring.actions import Roll
from scoring.games import find
from scoring.match import begin
from table.store import Store, StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = Path(sys.argv[1])
store = Store.of(folder)
match = begin(find("meet-fate"), ["Alice", "Bob"])
kept = store.begin(match)
match = match.add(Roll(("1",) * 6))
size = max(path.stat().st_size for path in folder.iterdir())
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 60_000, resource.RLIM_INFINITY))
announced = 0
try:
    for face in "12345678" * 50:
        kept.keep(match.events)
        announced = len(match.events)
        match = match.correct(1, (face,) * 6)
except StoreError as refused:
    print(announced, refused)
    try:
        kept.keep(match.events)
    except StoreError:
        pass
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    kept.keep(match.events)
    print(len(find and store.resume(kept.id, find)[1].events))
store.close()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no RLIMIT_FSIZE")
def test_a_full_disk_is_said_in_one_line_and_loses_nothing(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, timeout=300, check=True
    )
    refusal, after = done.stdout.splitlines()
    announced, said = refusal.split(" ", 1)
    assert 1 < int(announced) < 400
    assert said == f"{tmp_path / FILE}: the disk refuses it (full, too large for its limits, or failing)" or (
        said == f"{tmp_path / FILE}: the disk is full"
    )
    assert int(after) == int(announced) + 1
    store = Store.of(tmp_path)
    (entry,) = store.matches()
    assert entry.events == int(after)
    store.close()


UNPRIVILEGED = """
import os, sys
import sqlalchemy.dialects.sqlite.pysqlite
import cli.matches
from cli.main import main
if os.geteuid() == 0:  # root may write anywhere
    os.setgid(65534)
    os.setuid(65534)
main(sys.argv[1:])
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights elsewhere")
@pytest.mark.parametrize("inside", ["", "deeper"])
def test_a_read_only_folder_is_said_in_one_line(tmp_path: Path, inside: str):
    root = Path(__file__).parents[2]
    folder = Path(tempfile.mkdtemp(prefix="ts-ro-", dir="/tmp"))
    try:
        folder.chmod(0o555)
        done = subprocess.run(
            [sys.executable, "-c", UNPRIVILEGED, "matches"],
            capture_output=True, text=True, timeout=300, check=False, cwd=root,
            env={**os.environ, "TABLESIDE_DATA": str(folder / inside), "HOME": "/nonexistent"},
        )  # fmt: skip
    finally:
        folder.chmod(0o755)
        folder.rmdir()
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("tableside: ")
    assert "read-only" in line or "cannot be opened or made" in line or "Permission denied" in line


def test_a_file_in_the_place_of_the_folder_is_said_plainly(tmp_path: Path):
    (tmp_path / "data").write_text("no folder")
    with pytest.raises(StoreError, match="cannot be kept"):
        Store.of(tmp_path / "data")


@pytest.mark.parametrize(
    "url", ["nonsense", "mysql://club@server/tables", "postgresql://nobody@localhost:1/none"]
)
def test_a_url_that_leads_nowhere_is_said_in_one_line(url: str):
    with pytest.raises(StoreError) as refused:
        Store(url)
    assert len(str(refused.value).splitlines()) == 1


def test_a_password_is_never_said():
    with pytest.raises(StoreError) as refused:
        Store("postgresql://club:geheim@localhost:1/none")
    assert "geheim" not in str(refused.value)


def test_a_store_is_replayed_from_its_file_and_from_its_folder(closed: Path):
    assert len(match_in(closed).events) == 40
    assert match_in(closed.parent).events == match_in(closed).events


def test_matches_of_one_folder_have_names_of_their_own(tmp_path: Path, match: Match):
    store = Store.of(tmp_path)
    assert store.begin(match).id != store.begin(match).id
    store.close()
    kept = MatchStore.begin(tmp_path, match)
    assert len(kept.store.matches()) == 3
    kept.store.close()


def test_the_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    assert tables_folder() == tmp_path

"""The store: every event whole and in order, on SQLite and on PostgreSQL; several matches; old logs taken in."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import text
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from cli.main import doors
from cli.replay import match_in
from scoring.actions import Fill, IllegalMoveError, Play, Roll
from scoring.games import find as find_game
from scoring.logfile import MatchLogError, read, written
from scoring.match import Match, begin
from table.session import Session
from table.storage.recovery import LogEnd, Newest, rescue
from table.storage.schema import VERSION
from table.storage.store import FILE, MatchStore, Store, StoreError
from tests.fakes import ListeningOutput, shown
from tests.table import postgres
from tests.table.hurt import damage, kill_once, killed
from vision.dicesets.library import find as find_set

FACES = ("1", "2", "3", "4", "5", "6")
WHY_NOT = postgres.why_not()

VERSION_2 = Path(__file__).with_name("store-version-2.sql")
"""A store as version 2 made it, with a match of one event."""


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


def spoil(path: Path, *statements: str) -> None:
    """Change a store behind Tableside's back."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(";".join(statements))


def play_on(kept: MatchStore, match: Match, faces: str) -> Match:
    """A roll and its corrections, each kept before the next; the last correction is not kept yet."""
    match = match.add(Roll(FACES))
    for face in faces:
        kept.keep(match.events)
        match = match.correct(1, (face,) * 6)
    return match


@pytest.mark.slow
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


@pytest.mark.slow
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
    with pytest.raises(MatchLogError, match="no match “yesterday”"):
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
    assert shown(output.last).seats[0].score == 21
    for faces, box in (("1 1 1 1 1 1", "chance"), ("2 2 2 2 2 2", "2"), ("3 3 3 3 3 3", "3")):
        session.roll(faces)
        session.decide(Fill(box))
    assert read(session.store.store.log(session.store.id), find_game).events == session.match.events
    assert len(session.match.events) == 8


def test_a_move_that_somebody_else_made_meanwhile_is_not_taken_for_ones_own(postgres_url: str, match: Match):
    with postgres.line(postgres_url) as line:
        store = Store(line.url)
        here = store.begin(match)
        line.break_once(down=True, kept=False)
        with pytest.raises(StoreError):
            here.keep(match.add(Roll(FACES)).events)
        line.mend()
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
    assert read(session.store.store.log(session.store.id), find_game).events == session.match.events
    store.close()


PLAYING = """
import sys
import tempfile
from scoring.actions import Roll
from files.folders import tables_folder
from scoring.games import find
from scoring.match import begin
from table.storage.store import Store
store = Store(sys.argv[1])
match = begin(find("meet-fate"), [sys.argv[2], "Bob"])
kept = store.begin(match, place=sys.argv[2])
match = match.add(Roll(("1",) * 6))
for face in "2345678" * 3:
    kept.keep(match.events)
    match = match.correct(1, (face,) * 6)
kept.keep(match.events)
"""


@pytest.mark.slow
def test_many_tables_at_once_each_in_its_own_process(postgres_url: str):
    places = ["attic", "kitchen"]  # no other test on this server lays a table there
    tables = [subprocess.Popen([sys.executable, "-c", PLAYING, postgres_url, place]) for place in places]
    assert [table.wait(timeout=300) for table in tables] == [0, 0]
    store = Store(postgres_url)
    for place in places:
        (entry,) = store.matches(place=place)
        assert entry.events == 22
        assert read(store.log(entry.id), find_game).state.roll == ("8",) * 6
    store.close()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("kills", [10, pytest.param(300, marks=pytest.mark.proof)])
def test_a_killed_table_has_all_it_had_announced(tmp_path: Path, kills: int):
    came = [kill_once(tmp_path, f"unit/{number}") for number in range(kills)]
    announced, extra = (sum(one) for one in zip(*came, strict=True))
    assert announced > 2 * kills
    print(f"killed {kills} times: {announced} notices, all there again; {extra} kills fell between commit and notice")


def test_sqlite_writes_ahead_and_syncs_every_commit(tmp_path: Path):
    with closing(Store.of(tmp_path)) as store, store.reading() as connection:
        mode = connection.execute(text("PRAGMA journal_mode")).scalar_one()
        synchronous = connection.execute(text("PRAGMA synchronous")).scalar_one()
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
    assert str(store.refused[0]).startswith("letter.jsonl was not imported: line 1")
    store.close()
    with closing(Store.of(tmp_path)) as again:
        assert len(again.matches()) == 2
    assert len(list(old.iterdir())) == 3


def test_a_store_of_a_later_version_is_refused(tmp_path: Path):
    with closing(Store.of(tmp_path)) as store, store.writing() as connection:
        connection.execute(text("UPDATE tableside SET version = 99"))
    with pytest.raises(StoreError, match=r"newer Tableside \(schema 99"):
        Store.of(tmp_path)


def test_a_store_of_the_first_version_of_the_database_is_led_on(tmp_path: Path, match: Match):
    """As version 2 made it: what is in it stays."""
    spoil(tmp_path / FILE, VERSION_2.read_text(encoding="utf-8"))
    store = Store.of(tmp_path)
    (entry,) = store.matches()
    kept, resumed = store.resume(entry.id, find_game)
    assert resumed.state.roll == FACES
    kept.keep(resumed.correct(1, ("2",) * 6).events)
    with store.reading() as now:
        assert now.execute(text("SELECT version FROM tableside")).scalar_one() == VERSION
    with store.writing() as now:
        now.execute(text("UPDATE events SET line = replace(line, '6', '7') WHERE number = 1"))
    with pytest.raises(MatchLogError, match="is lost from event 1 of 2 on"):
        store.log(entry.id)
    store.close()


@pytest.fixture
def closed(tmp_path: Path, match: Match) -> Path:
    """A store with a match of 40 events that was closed properly."""
    with closing(Store.of(tmp_path)) as store:
        play_on(store.begin(match), match, "12345678" * 5)
    return tmp_path / FILE


@pytest.mark.parametrize(
    ("damage", "told", "rescued"),
    [
        (lambda whole: whole[:-1], r"damaged \(1 bytes are missing at its end\)", True),
        (lambda whole: whole[:-100], r"damaged \(100 bytes are missing at its end\)", True),
        (lambda whole: whole[:-4096], r"damaged \(4096 bytes are missing at its end\)", True),
        (lambda whole: whole[:8192] + b"\xff" * 4096 + whole[12288:], "damaged", False),
        (lambda _: b"Dear Alice, " * 100, "it is damaged or does not hold matches", False),
    ],
)
def test_a_damaged_file_is_said_and_left_as_it_is(
    closed: Path, damage: Callable[[bytes], bytes], told: str, rescued: bool
):
    spoilt = damage(closed.read_bytes())
    closed.write_bytes(spoilt)
    with pytest.raises(StoreError, match=told):
        Store.of(closed.parent)
    if rescued:
        (log,) = rescue(closed).values()
        assert len(read(log, find_game).events) > 0
    assert closed.read_bytes() == spoilt


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


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked child")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("times", [20, pytest.param(900, marks=pytest.mark.proof)])
@pytest.mark.parametrize("file", [FILE, f"{FILE}-wal"])
def test_a_killed_tables_damaged_files_lose_nothing_without_a_word(tmp_path: Path, file: str, times: int):
    folder = tmp_path / "killed"
    played = killed(folder)
    counted = damage(folder, file, played, times, seed=7)
    print(f"{times} times {file}: {dict(counted)}")
    assert counted.total() == times
    assert not [outcome for outcome in counted if outcome not in ("as it was", "told", "refused")], counted
    assert counted["told"] > 0


@pytest.fixture
def torn(tmp_path: Path, match: Match) -> tuple[Path, str]:
    """A killed table's store whose log ahead is damaged in the middle, and the id of its match of 40 events."""
    store = Store.of(tmp_path / "whole")
    kept = store.begin(match)
    play_on(kept, match, "12345678" * 5)
    folder = copytree(tmp_path / "whole", tmp_path / "torn")
    store.close()
    ahead = bytearray((folder / f"{FILE}-wal").read_bytes())
    ahead[len(ahead) // 2] ^= 1
    (folder / f"{FILE}-wal").write_bytes(ahead)
    return folder, kept.id


def test_a_lost_end_is_told_with_its_first_event_and_the_rest_saved_and_played_on(
    torn: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder, match_id = torn
    monkeypatch.setenv("TABLESIDE_DATA", str(folder))
    told = (
        re.escape(f"the log of match {match_id} is lost from event ")
        + r"(\d+) of 40 on; .*rescue` to save the (\d+) before"
    )
    for command in (["replay", str(folder)], ["matches", "export", match_id], ["replay", match_id]):
        done = CliRunner().invoke(doors, command)
        found = re.fullmatch(told, str(done.exception))
        assert found is not None, done.exception
        first, left = map(int, found.groups())
        assert 1 < first == left + 1 < 40
        assert done.output == ""
    listed = CliRunner().invoke(doors, ["matches"], catch_exceptions=False)
    assert re.search(told, listed.stderr)
    saved = CliRunner().invoke(doors, ["matches", "rescue", "-o", str(tmp_path / "saved")])
    assert f"{left} events" in saved.output
    (log,) = (tmp_path / "saved").iterdir()
    CliRunner().invoke(doors, ["matches", "import", str(log)], catch_exceptions=False)
    store = Store.of(folder)
    waiting = store.unfinished()
    assert waiting is not None
    kept, match = store.resume(waiting.id, find_game)
    assert (waiting.id != match_id, len(match.events)) == (True, left)
    kept.keep(match.correct(1, ("3",) * 6).events)
    store.close()


def test_a_match_that_is_gone_altogether_is_told_once(torn: tuple[Path, str], match: Match):
    folder, match_id = torn
    (folder / f"{FILE}-wal").write_bytes(b"")
    with pytest.raises(MatchLogError, match=f"match {match_id} is lost, with all 40 events"):
        match_in(folder)
    with closing(Store.of(folder)) as store:
        assert tuple(map(str, store.refused)) == (f"match {match_id} is lost, with all 40 events",)
        store.begin(match)
    with closing(Store.of(folder)) as again:
        assert again.refused == ()


def test_a_note_that_is_behind_or_torn_is_no_damage(closed: Path):
    newest = closed.with_name(f"{FILE}-newest")
    ((match_id, end),) = Newest(closed).ends().items()
    assert end.number == 40
    Newest(closed).note(match_id, LogEnd(3, "0" * 32))
    assert len(match_in(closed).events) == 40
    newest.write_bytes(newest.read_bytes().replace(b" 3 ", b" 9 "))
    assert Newest(closed).ends() == {}
    newest.write_bytes(bytes(range(256)))
    assert len(match_in(closed).events) == 40


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET line = replace(line, '\"3\"', '\"4\"') WHERE number = 2",
        "UPDATE events SET chain = 'x' WHERE number = 2",
        "DELETE FROM events WHERE number = 2",
        "DELETE FROM events WHERE number >= 2",
    ],
)
def test_an_event_that_was_changed_or_is_gone_is_told(store: Store, match: Match, change: str):
    kept = store.begin(match)
    kept.keep(play_on(kept, match, "345").events)
    with store.writing() as connection:
        connection.execute(text(change))
    with pytest.raises(MatchLogError, match=r"is lost from event 2 of 4 on"):
        store.resume(kept.id, find_game)
    assert len(store.damaged()) == 1


def test_the_match_played_last_is_the_one_played_last_though_the_clock_went_back(
    store: Store, match: Match, monkeypatch: pytest.MonkeyPatch
):
    now = time.time()
    monkeypatch.setattr("table.storage.store.time.time", lambda: now)
    first = store.begin(match)
    first.keep(match.add(Roll(FACES)).events)
    now -= 2 * 86400
    second = store.begin(match)
    assert store.latest() == second.id
    assert [one.id for one in store.matches()] == [second.id, first.id]
    waiting = store.unfinished()
    assert waiting is not None
    assert waiting.id == second.id
    now -= 86400
    first.keep(match.add(Roll(FACES)).correct(1, ("2",) * 6).events)
    assert store.latest() == first.id


def test_a_store_without_its_version_is_damaged(closed: Path):
    without = "UPDATE sqlite_master SET sql = 'CREATE TABLE tableside (version INTEGER)' WHERE name = 'tableside'"
    spoil(closed, "PRAGMA writable_schema=ON", without)
    spoil(closed, "UPDATE tableside SET version = NULL")
    with pytest.raises(StoreError, match=r"it does not say its version.*rescue"):
        Store.of(closed.parent)


@pytest.mark.parametrize("table", ["events", "tableside"])
def test_a_store_whose_table_is_an_endless_view_is_refused(closed: Path, table: str):
    columns = "0 AS match, n AS number, 'x' AS line, 'y' AS chain, 4 AS version"
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
    spoil(closed, f"ALTER TABLE {table} RENAME TO other", f"CREATE VIEW {table} AS {endless} SELECT {columns} FROM r")
    with pytest.raises(StoreError, match=f"damaged \\({table} is no table\\)"):
        match_in(closed)


def test_reading_somebody_elses_store_ends(closed: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("table.storage.database.LONGEST", 0.5)
    endless = text("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r")
    with (
        closing(Store.seen(closed)) as store,
        pytest.raises(StoreError, match="takes too long"),
        store.reading() as connection,
    ):
        connection.execute(endless).all()


FULL = """
import resource, signal, sys
from pathlib import Path
from scoring.actions import Roll
from files.folders import tables_folder
from scoring.games import find
from scoring.match import begin
from table.storage.store import Store, StoreError
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


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no RLIMIT_FSIZE")
def test_a_full_disk_is_said_in_one_line_and_loses_nothing(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, timeout=300, check=True
    )
    refusal, after = done.stdout.splitlines()
    announced, said = refusal.split(" ", 1)
    assert 1 < int(announced) < 400
    assert said == f"{tmp_path / FILE}: the disk reports an error (full, over its size limit or failing)" or (
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
import cli.matches, cli.replay
from cli.main import main
if os.geteuid() == 0:  # root may write anywhere
    os.setgid(65534)
    os.setuid(65534)
main(sys.argv[1:])
"""


def unprivileged(data: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command as somebody who is not root types it."""
    return subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, *command],
        capture_output=True, text=True, timeout=300, check=False, cwd=Path(__file__).parents[2],
        env={**os.environ, "TABLESIDE_DATA": str(data), "HOME": "/nonexistent"},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights elsewhere")
@pytest.mark.parametrize("inside", ["", "deeper"])
def test_a_read_only_folder_is_said_in_one_line(tmp_path: Path, inside: str):
    folder = Path(tempfile.mkdtemp(prefix="ts-ro-", dir="/tmp"))
    try:
        folder.chmod(0o555)
        done = unprivileged(folder / inside, "matches")
    finally:
        folder.chmod(0o755)
        folder.rmdir()
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("tableside: ")
    assert "read-only" in line or "cannot be opened or created" in line or "Permission denied" in line


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights elsewhere")
@pytest.mark.parametrize("state", ["closed", "killed", "old"])
def test_a_store_is_read_right_where_it_cannot_be_written(tmp_path: Path, match: Match, state: str):
    """Of a killed table the newest end is in the write-ahead log, which SQLite reads only where it may write."""
    store = Store.of(tmp_path / "live")
    store.begin(match.add(Roll(("1",) * 6)))
    store.close()
    store = Store.of(tmp_path / "live")
    store.begin(match).keep(match.add(Roll(FACES)).events)
    if state == "closed":
        store.close()
    folder = Path(tempfile.mkdtemp(prefix="ts-ro-", dir="/tmp"))
    try:
        copytree(tmp_path / "live", folder, dirs_exist_ok=True)
        if state == "old":
            for file in folder.iterdir():
                file.unlink()
            spoil(folder / FILE, VERSION_2.read_text(encoding="utf-8"))
        for file in folder.iterdir():
            file.chmod(0o644)
        folder.chmod(0o555)
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        replayed = unprivileged(folder, "replay", str(folder), "--json")
        listed = unprivileged(folder, "matches")
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
    finally:
        store.close()
        folder.chmod(0o755)
        rmtree(folder)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    assert json.loads(replayed.stdout)["state"]["roll"] == list(FACES)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert len(listed.stdout.splitlines()) == (1 if state == "old" else 2)


def test_a_file_in_the_place_of_the_folder_is_said_plainly(tmp_path: Path):
    (tmp_path / "data").write_text("no folder")
    with pytest.raises(StoreError, match="matches cannot be saved in"):
        Store.of(tmp_path / "data")


@pytest.mark.parametrize(
    "url", ["nonsense", "mysql://club@server/tables", "postgresql://club:geheim@localhost:1/none"]
)
def test_a_url_that_leads_nowhere_is_said_in_one_line_without_its_password(url: str):
    with pytest.raises(StoreError) as refused:
        Store(url)
    assert len(str(refused.value).splitlines()) == 1
    assert "geheim" not in str(refused.value)

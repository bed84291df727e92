"""Another match on the same table: nothing is lost, nothing is mixed up, nobody has to open a page anew."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cli.compose import House, MatchOpener
from messages.message import message
from scoring.actions import Confirm, Fill, IllegalMoveError, Roll
from scoring.games import find as find_game
from scoring.match import begin
from table.new_match import NO_DICE, NewMatch, dice_for, sets_for
from table.session import Session
from table.storage.store import Store
from table.table import ReplacedError
from table.teaching.learning import LearningReader
from tests.fakes import CountingThrower, alice_and_bob, rolled, shown
from tests.waiting import soon
from vision.demo.camera import DemoCamera
from vision.dicesets.library import find as find_set
from vision.picture import load_picture
from vision.reader import Reader as NetworkReader
from vision.reading import UNKNOWN


@pytest.fixture
def camera() -> DemoCamera:
    return DemoCamera(find_set("fate"), seed=1, size=(320, 240))


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: DemoCamera) -> Iterator[House]:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    house = alice_and_bob(camera)
    yield house
    house.close()


CATS = NewMatch("triples", ("Cleo", "Dan", "Eve"), options={"target": "30"})


def test_another_match_takes_the_place_of_the_first(house: House, camera: DemoCamera):
    table, before = house.table, house.table.session
    before.saw(rolled("222255"))
    told = before.latest().number
    table.begin(CATS, before.store.id)
    assert table.session.match.game.id == "triples"
    assert table.session.match.header.players == ("Cleo", "Dan", "Eve")
    assert dict(table.session.match.header.options)["target"] == 30
    assert house.announcer.latest == table.session.latest().number == told + 1
    assert table.session.latest().sentence().startswith("Triples.")
    camera.throw()
    shown = camera.truth()
    assert len(shown) == 3
    assert {die.face for die in shown} <= set(find_set("cats").face_ids)


@pytest.mark.slow
def test_the_match_before_is_kept_and_can_be_gone_on_with(house: House):
    table, before = house.table, house.table.session
    before.saw(rolled("222255"))
    before.decide(Fill("chance"))
    table.begin(CATS, before.store.id)
    kept = {one.id: one for one in before.store.store.matches()}
    assert kept[before.store.id].state == "paused"
    assert kept[table.session.store.id].setup["set"] == "cats"
    table.session.roll("cat cat cat")
    cats = table.session.store.id
    table.resume(before.store.id, cats)
    assert table.session.match.events == before.match.events
    assert table.session.dice_set.id == "fate"
    kept = {one.id: one.state for one in before.store.store.matches()}
    assert kept == {before.store.id: "running", cats: "paused"}
    table.session.roll("1 1 1 2 2 2")


def test_a_match_that_is_over_stays_over(house: House):
    table, before = house.table, house.table.session
    before.roll("8 8 8 8 8 8")
    before.decide(Confirm(True))
    assert before.match.outcome
    table.begin(CATS, before.store.id)
    assert {one.id: one.state for one in before.store.store.matches()}[before.store.id] == "over"


def test_whoever_asks_late_is_told(house: House):
    table, first = house.table, house.table.session
    table.begin(CATS, first.store.id)
    with pytest.raises(ReplacedError, match="someone has just started another match here: Triples, Cleo"):
        table.begin(NewMatch("pairs", ("Alice", "Bob")), first.store.id)
    with pytest.raises(IllegalMoveError, match="this table is now playing another match"):
        first.roll("1 1 1 1 1 1")
    with pytest.raises(IllegalMoveError, match="this table is now playing another match"):
        first.go_on()


def test_two_who_begin_at_once_make_one_match(house: House):
    table, first = house.table, house.table.session
    refused: list[str] = []
    ready = threading.Barrier(4)

    def begins(name: str) -> None:
        ready.wait()
        try:
            table.begin(NewMatch("triples", (name, "Zoe")), first.store.id)
        except ReplacedError as late:
            refused.append(str(late))

    threads = [threading.Thread(target=begins, args=(name,)) for name in ("Ann", "Ben", "Cat", "Dee")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner, _) = table.session.match.header.players
    assert len(refused) == 3
    assert all(winner in words for words in refused)
    assert len(first.store.store.matches()) == 2


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (NewMatch("chess", ("Ann", "Ben")), "expected"),
        (NewMatch("triples", ("Ann", "Ann")), "every player needs a different name of 1 to 40 characters"),
        (NewMatch("quintuples", ("Ann",)), "is for 2 to"),
        (NewMatch("triples", ("Ann", "Ben"), options={"target": "many"}), "option target"),
        (NewMatch("triples", ("Ann", "Ben"), options={"tarot": "1"}), "no option"),
        (NewMatch("triples", ("Ann", "Ben"), "fate"), "Meet Fate numerals doesn’t work with Triples: it has no cat"),
        (NewMatch("triples", ("Ann", "Ben"), "no-such"), "there is no dice set “no-such”"),
    ],
)
def test_what_does_not_fit_changes_nothing(house: House, wanted: NewMatch, words: str):
    session = house.table.session
    with pytest.raises(ValueError, match=words):
        house.table.begin(wanted, session.store.id)
    assert house.table.session is session
    assert len(session.store.store.matches()) == 1
    session.roll("1 1 1 1 1 1")


def test_there_is_no_such_match_to_go_on_with(house: House):
    session = house.table.session
    with pytest.raises(ValueError, match="no such match"):
        house.table.resume("../../etc/passwd", session.store.id)
    assert house.table.session is session


def test_dice_from_the_match_before_are_no_throw_of_this_one(house: House):
    table, before = house.table, house.table.session
    before.saw(rolled("222255"))
    table.begin(NewMatch("meet-fate", ("Ann", "Ben")), before.store.id)
    table.session.saw(rolled("222255"))
    assert table.session.match.events == ()
    table.session.saw(rolled("333355", y=300))
    assert len(table.session.match.events) == 1


def test_readings_for_the_match_before_go_nowhere(house: House):
    table, before = house.table, house.table.session
    table.begin(NewMatch("meet-fate", ("Ann", "Ben")), before.store.id)
    before.saw(rolled("222255"))
    assert before.match.events == ()
    assert table.session.match.events == ()


def test_what_ails_the_camera_is_known_to_the_next_match(house: House):
    table, before = house.table, house.table.session
    table.camera_says(message("the camera's picture is black"))
    table.begin(CATS, before.store.id)
    assert shown(table.session).camera == "The camera's picture is black."
    table.camera_says(None)
    assert shown(table.session).camera == ""


def test_a_game_without_dice_finds_none_and_then_dice_lie_again(house: House, camera: DemoCamera):
    table, before = house.table, house.table.session
    table.begin(NewMatch("destiny", ("Ann", "Ben")), before.store.id)
    camera.throw()
    assert camera.truth() == ()
    assert np.ptp(camera.read().pixels) > 0  # pyright: ignore[reportOptionalMemberAccess]
    table.begin(CATS, table.session.store.id)
    camera.throw()
    assert len(camera.truth()) == 3


def test_which_sets_fit_a_game():
    from scoring.games import available, find

    for rules in available():
        assert sets_for(rules)[0].id == rules.dice.set_id
    assert dice_for(find("destiny"), "fate").id == "none"
    assert [one.id for one in sets_for(find("meet-fate"))] == ["fate"]


@pytest.mark.slow
def test_the_watcher_reads_for_the_match_on_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """From end to end: thrown, seen and read, before and after the match was replaced."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    camera = DemoCamera(find_set("fate"), seed=3, size=(320, 240), paced=False)
    house = alice_and_bob(camera)
    table = house.table
    house.open()
    try:
        for wanted in (None, CATS):
            if wanted:
                table.begin(wanted, table.session.store.id)
            table.session.throw()
            assert soon(lambda: bool(table.session.match.events)), "nothing was read"
            roll = table.session.match.events[0]
            assert isinstance(roll, Roll)
            assert sorted(roll.faces) == sorted(die.face for die in camera.truth())
    finally:
        house.close()


def test_dice_that_cannot_be_read_leave_the_match_that_is_there(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    session = house.table.session

    def refuses(*_: object) -> None:
        raise ValueError("expected the network matcher.onnx, found none")

    monkeypatch.setattr(house.table, "_opens", refuses)
    with pytest.raises(ValueError, match=r"matcher\.onnx"):
        house.table.begin(CATS, session.store.id)
    assert house.table.session is session
    assert session.store.store.unfinished() is not None
    assert [one.state for one in session.store.store.matches()] == ["over", "running"]
    session.roll("1 1 1 1 1 1")


@pytest.mark.slow
def test_the_networks_are_opened_once_and_each_match_has_its_own_pictures():
    opens = MatchOpener(None, source="the webcam")
    fate, cats, none = (opens.reader(dice_set) for dice_set in (find_set("fate"), find_set("cats"), NO_DICE))
    networks = [one._reader for one in (fate, cats) if isinstance(one, LearningReader)]  # pyright: ignore[reportPrivateUsage]
    assert [type(one) for one in networks] == [NetworkReader, NetworkReader]
    assert networks[1].detector is networks[0].detector
    assert [one.dice_set.id for one in networks] == ["fate", "cats"]
    frame = load_picture(Path(__file__).parents[1] / "frames" / "fate" / "images" / "0000.jpg")
    assert set(fate.read(frame).faces) <= {*find_set("fate").face_ids, UNKNOWN}
    assert none.read(frame).dice == ()


@pytest.mark.parametrize("thrower", [None, CountingThrower()])
def test_only_at_a_real_table_corrections_are_learnt_from(tmp_path: Path, thrower: CountingThrower | None):
    match, told = begin(find_game("meet-fate"), ["Ann"]), []
    session = Session(
        match, Store.of(tmp_path).begin(match), find_set("fate"), thrower=thrower,
        learns=lambda read, face: told.append((read.face, face)),
    )  # fmt: skip
    session.saw(rolled("222255"))
    session.correct(1, "3")
    assert told == ([] if thrower else [("2", "3")])

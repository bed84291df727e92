"""A set learns from corrections, forgets what is deleted, and is not poisoned by a wrong one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.enrol.shots import PaperFinder, paper, table
from vision.dicesets.library import find, lessons
from vision.dicesets.model import DiceSet, DiceSetError
from vision.dicesets.shapes import Shape
from vision.embedding import Matcher
from vision.enrol.learn import School
from vision.enrol.shown import Shown, shown_dice
from vision.enrol.store import MOST_EXAMPLES, ExampleStore
from vision.identify import Gallery, identify


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return Matcher()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    return tmp_path


def die(matcher: Matcher, face: str, turn: float = 20.0, side: float = 80.0) -> Shown:
    (one,) = shown_dice(PaperFinder(), matcher, table((paper(face), (200, 160), turn), side=side), [Shape.CUBE])
    return one


def school(matcher: Matcher) -> School:
    dice_set = find("outback")
    return School(dice_set, lessons(dice_set), matcher)


def read(matcher: Matcher, dice_set: DiceSet, face: str) -> str:
    seen = table((paper(face), (230, 170), 131))
    found = PaperFinder().detect(seen)[0]
    return identify(matcher, Gallery.of(dice_set, matcher), seen, [found.corners], [Shape.CUBE])[0].face


def test_a_corrected_die_becomes_an_example_and_the_shipped_set_stays_as_it_came(
    matcher: Matcher, home: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for path in find("outback").folder.rglob("*")}
    lesson = school(matcher).teach("emu", die(matcher, "emu"), "the table")
    assert lesson.against is None
    assert not lesson.example.doubtful
    taught = find("outback").face("emu").pictures
    assert [(p.kind, p.name) for p in taught] == [("art", "emu"), ("face", "corrected-01")] or len(
        taught
    ) == 2
    assert taught[-1].path.is_relative_to(home)
    assert {path: path.stat().st_mtime_ns for path in find("outback").folder.rglob("*")} == before


@pytest.mark.slow
def test_a_wrong_correction_is_kept_aside_and_pointed_out(matcher: Matcher) -> None:
    lesson = school(matcher).teach("koala", die(matcher, "emu"), "the table")
    assert lesson.against is not None
    assert (lesson.against.face, lesson.against.like) == ("koala", "emu")
    assert lesson.example.doubtful
    (listed,) = school(matcher).listed()
    assert "looks more like emu" in listed.in_words()
    assert "not compared with" in listed.in_words()
    assert read(matcher, find("outback"), "emu") == "emu"


@pytest.mark.slow
def test_a_second_correction_that_agrees_is_believed(matcher: Matcher) -> None:
    teaching = school(matcher)
    teaching.teach("koala", die(matcher, "emu", 10), "the table")
    second = teaching.teach("koala", die(matcher, "emu", 100, 90), "the table")
    assert not second.example.doubtful
    assert [one.example.doubtful for one in school(matcher).listed()] == [False, False]


@pytest.mark.slow
def test_a_wrong_example_can_be_trusted_and_then_deleted_for_good(matcher: Matcher, home: Path) -> None:
    school(matcher).teach("koala", die(matcher, "emu"), "the table")
    school(matcher).trust("koala", "corrected-01")
    assert read(matcher, find("outback"), "emu") == "koala"
    school(matcher).forget("koala", "corrected-01")
    assert read(matcher, find("outback"), "emu") == "emu"
    assert not list(home.rglob("*.png"))
    with pytest.raises(DiceSetError, match="expected an example"):
        school(matcher).forget("koala", "corrected-01")


@pytest.mark.slow
def test_at_most_so_many_are_kept_and_the_least_useful_goes(matcher: Matcher) -> None:
    teaching = school(matcher)
    teaching.teach("emu", die(matcher, "emu", 3), "first")
    odd = teaching.teach("koala", die(matcher, "emu"), "wrong").example
    for number in range(MOST_EXAMPLES):
        # The same picture again and again is of little use; one from another angle is.
        lesson = teaching.teach(
            "emu", die(matcher, "emu", 3 if number else 48, 80 if number else 40), "again"
        )
    kept = [one.example for one in teaching.listed() if one.example.face == "emu"]
    assert len(kept) == MOST_EXAMPLES
    assert len(lesson.dropped) == 1
    assert "corrected-02" in {one.name for one in kept}, "the one that differs"
    assert odd.doubtful


def test_the_only_picture_of_a_face_stays(matcher: Matcher, tmp_path: Path) -> None:
    from tests.vision.enrol.test_enrol import shots, wish
    from vision.enrol.enrol import enrol

    own = enrol(wish(shots(tmp_path)), PaperFinder(), matcher).dice_set
    with pytest.raises(ValueError, match="only one"):
        School(own, lessons(own), matcher).forget("emu", "enrolled-01")


def test_an_unknown_face_teaches_nothing(matcher: Matcher, home: Path) -> None:
    with pytest.raises(DiceSetError, match="expected one of"):
        school(matcher).teach("wombat", die(matcher, "emu"), "the table")
    assert not list(home.rglob("*.png"))


def test_a_damaged_list_of_lessons_is_one_line(matcher: Matcher, home: Path) -> None:
    school(matcher).teach("emu", die(matcher, "emu"), "the table")
    (home / "lessons" / "outback" / "examples.json").write_text("[1")
    with pytest.raises(DiceSetError, match="expected JSON"):
        find("outback")


def test_a_lost_picture_of_an_example_is_no_example(matcher: Matcher) -> None:
    example = school(matcher).teach("emu", die(matcher, "emu"), "the table").example
    example.face_path.unlink()
    assert len(find("outback").face("emu").pictures) == 1


def test_what_the_index_keeps_comes_back(matcher: Matcher, tmp_path: Path) -> None:
    store = ExampleStore(tmp_path / "set")
    shown = die(matcher, "emu")
    kept = store.add("emu", shown, origin="enrolled", source="bad\nname\x07.jpg")
    again = ExampleStore(tmp_path / "set").examples
    assert len(again) == 1
    assert again[0].source == "bad?name?.jpg"
    assert np.allclose(again[0].corners()[0], shown.outlines[0], atol=0.01)
    assert np.array_equal(again[0].around(), shown.around)
    assert again[0].name == kept.name == "enrolled-01"
    record = json.loads((tmp_path / "set" / "examples.json").read_text())
    assert record["version"] == 1
